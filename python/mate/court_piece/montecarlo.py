"""Decisions by perfect-information Monte Carlo: what is best in the mean over possible deals."""

import random

from mate.court_piece.cards import ACTIONS, INDEX, RANKS
from mate.court_piece.possible import Possible
from mate.court_piece.race import Race
from mate.court_piece.variant import Variant
from mate.court_piece.view import View
from matecore.court_piece import Position, Solver

TABLE_BITS = 16
# Of one search; a deal with one that takes longer is left out.
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
        values = judge.values(position, [ACTIONS[moves[at]] for at in race.running])
        if values is not None:
            race.add(values)
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

    @property
    def nodes(self) -> int:
        """What all searches took."""
        return self._solver.nodes

    def values(self, position: Position, actions: list[int]) -> list[float] | None:
        """Return the points that actions bring the seat's side, less those of the other.

        None if one of them takes too long to be judged: beside it the others would be unlike.
        """
        values = []
        for action in actions:
            position.push(action)
            value = self._points(position)
            position.pop()
            if value is None:
                return None
            values.append(value)
        return values

    def _points(self, position: Position) -> float | None:
        if position.points is not None:
            return position.points[self._side] - position.points[1 - self._side]
        points = self._solver.points_within(position, MOST_NODES)
        if points is None:
            return None
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
