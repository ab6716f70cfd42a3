"""Decisions by perfect-information Monte Carlo: what is best in the mean over possible deals."""

import random

from mate.court_piece.cards import ACTIONS, INDEX, RANKS
from mate.court_piece.possible import Possible
from mate.court_piece.race import Race
from mate.court_piece.variant import Variant
from mate.court_piece.view import View
from matecore.court_piece import Position, Solver

TABLE_BITS = 16
# Of one search; what takes longer is taken for as good as even.
MOST_NODES = 30_000
# Of a decision, for each sample that it may take.
NODES_A_SAMPLE = 20_000


def decide(view: View, preferred: str, n_samples: int, chances: random.Random) -> str:
    """Return the move that is best in the mean over so many deals drawn at random.

    Every deal is possible, and a move is worth the points that double-dummy play brings after it.
    Sampling ends when only one move is left in the race, or the searches have become long.

    Arguments:
        view: of the seat to act.
        preferred: the move to choose among equals.
        n_samples: deals at most, from 1.
        chances: where they are drawn from.
    """
    moves = distinct(view, preferred)
    race, possible = Race(len(moves), n_samples, _stake(view.variant)), Possible(view)
    judge = Judge(view)
    while not race.is_over and judge.nodes < n_samples * NODES_A_SAMPLE:
        position = view.position(possible.draw(chances))
        race.add([judge.worth(position, ACTIONS[moves[at]]) for at in race.running])
    return moves[race.winner]


# What a hand won is worth against a hand lost, without courts or, if these alone count, by one.
def _stake(variant: Variant) -> int:
    won, court, lost, other_court = variant.points
    return (won + lost) or (court + other_court)


class Judge:
    """What a seat's moves are worth when all cards are seen; it remembers for one decision.

    Arguments:
        view: of the seat to act.
    """

    def __init__(self, view: View):
        self._solver = Solver(view.variant.rules, TABLE_BITS)
        self._side = view.side
        points = view.variant.points
        ours, theirs = (0, 2) if view.caller % 2 == view.side else (2, 0)
        self._even = (points[ours] - points[theirs]) / 2

    @property
    def nodes(self) -> int:
        """What all searches took."""
        return self._solver.nodes

    def worth(self, position: Position, action: int) -> float:
        """Return the points that an action brings the seat's side, less those of the other."""
        position.push(action)
        points = self._points(position)
        position.pop()
        return points

    def _points(self, position: Position) -> float:
        if position.points is not None:
            return position.points[self._side] - position.points[1 - self._side]
        points = self._solver.points_within(position, MOST_NODES)
        if points is None:
            return self._even
        return points if position.to_act % 2 == self._side else -points


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
