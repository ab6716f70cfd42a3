"""Decisions by perfect-information Monte Carlo: what is best in the mean over possible deals."""

import random

from mate.court_piece.cards import ACTIONS, INDEX, RANKS
from mate.court_piece.view import View

from mate.court_piece.possible import Possible
from mate.court_piece.race import Race
from matecore.court_piece import Position, Solver

TABLE_BITS = 16
# Of the search for one decision: the sample that exceeds it is the last.
MOST_NODES = 400_000


def decide(view: View, preferred: str, n_samples: int, chances: random.Random) -> str:
    """Return the move that is best in the mean over so many deals drawn at random.

    Every deal is possible, and a move is worth the points that double-dummy play brings after it.
    Sampling ends when only one move is left in the race, or the search has become long.

    Arguments:
        view: of the seat to act.
        preferred: the move to choose among equals.
        n_samples: deals at most, from 1.
        chances: where they are drawn from.
    """
    moves = distinct(view, preferred)
    race = Race(len(moves), n_samples, stake(view))
    solver = Solver(view.variant.rules, table_bits=TABLE_BITS)
    possible = Possible(view)
    while not race.is_over and solver.nodes < MOST_NODES:
        position = view.position(possible.draw(chances))
        race.add([worth(solver, position, ACTIONS[moves[at]]) for at in race.running])
    return moves[race.leader]


def stake(view: View) -> int:
    """Return what a hand won is worth against a hand lost, court or none, at least 1."""
    won, court, lost, other_court = view.variant.points
    return (won + lost) or (court + other_court)


def worth(solver: Solver, position: Position, action: int) -> int:
    """Return the points that an action brings the side to act, less those of the other."""
    side = position.to_act & 1
    position.push(action)
    if position.points is not None:
        points = position.points[side] - position.points[1 - side]
    else:
        points = solver.points(position) * (1 if position.to_act & 1 == side else -1)
    position.pop()
    return points


def distinct(view: View, preferred: str) -> list[str]:
    """Return a move of each kind that there is, the preferred one first, low cards before high.

    Cards of a suit are of a kind if nobody else holds one between them; but an ace is one of its
    own where two wins by aces claim nothing.
    """
    if preferred not in INDEX:
        return [preferred, *(move for move in view.legal_moves if move != preferred)]
    low_first = sorted(view.legal_moves, key=lambda card: -(INDEX[card] % len(RANKS)))
    others = view.unseen.mask | sum(1 << INDEX[card] for card in view.table.cards)
    kinds: dict[tuple[str, int, bool], str] = {}
    for move in (preferred, *low_first):
        above = others & (1 << INDEX[move]) - 1
        kind = move[1], above, view.variant.ace_rule and move[0] == "A"
        kinds.setdefault(kind, move)
    return list(kinds.values())
