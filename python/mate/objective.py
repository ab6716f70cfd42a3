"""What a game is played for: its own points, the round, or the match (section 8).

The game that is played ends with a margin of X. For the round and the match, that margin is worth
what comes of it in the end if what is left of the round is played best. That needs no more than the
exact values of game 2, for either player leading it: whatever rises with a margin leaves best play
what it is, and the points of game 2 always rise with it. Those of game 1 need not, where its loser
leads game 2: so game 1 is then searched again, for its worth.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import matecore
from mate.errors import MateError, VariantError, excerpt
from mate.game import Game
from mate.match import Match
from mate.round import Round, points, second_leader
from mate.state import State
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

OBJECTIVES = ("game", "round", "match")
Worth = Callable[[int], int]
Playable = State | Round | Match


def game_of(played: object) -> State:
    """Return the position, or the game that is played of a round or match.

    Raises:
        MateError: it is none of these, or no round of the match has begun.
    """
    if isinstance(played, (Round, Match)):
        return played.game
    if not isinstance(played, State):
        raise MateError(f"{excerpt(played)} is no game, position, round or match")
    return played


def solver_for(played: Playable, objective: str = "game") -> matecore.Solver:
    """Return a solver whose values are what the objective says, for the player to act.

    Arguments:
        played: for the objective "round" a `Round` or a `Match`, for "match" a `Match`.
        objective: "game", the margin of the game; "round", the margin of the whole round; "match",
            1 if the player wins the match with this round, -1 if the other does, 0 if it is drawn
            or goes on.

    Raises:
        MateError: there is no such objective, or it cannot be told from what is played.

    >>> import mate
    >>> round = mate.Round("AQ7.A7.TK7.AT", "abril")
    >>> solver_for(round, "round").value(round.game.core)
    0
    """
    rules = game_of(played).variant.rules
    if objective not in OBJECTIVES:
        raise MateError(f"objective {excerpt(objective)}: one of {', '.join(OBJECTIVES)}")
    if objective == "game":
        return matecore.Solver(rules)
    worth = _worth_for(played, objective)
    try:
        return matecore.Solver(rules, worth=worth)
    except ValueError as error:
        raise MateError(f"objective {objective}: {error}") from None


def _worth_for(played: Playable, objective: str) -> Worth:
    if objective == "match":
        return _worth_for_match(played)
    if not isinstance(played, (Round, Match)):
        raise MateError("the objective round needs a Round or a Match")
    return worth_for_round(played if isinstance(played, Round) else played.round)


def _worth_for_match(match: Playable) -> Worth:
    if not isinstance(match, Match):
        raise MateError("the objective match needs a Match")
    if not match.is_last_round:
        raise MateError(
            "the objective match is for the last round, without the chance of deals to come"
        )
    earlier = [round.scores for round in match.rounds[:-1]]
    x0, y0 = sum(x for x, _ in earlier), sum(y for _, y in earlier)
    return _worth(match.round, lambda x, y: winner(match.variant, x0 + x, y0 + y))


def winner(variant: Variant, x: int, y: int) -> int:
    """Return 1 if X wins a match that ends here with these points, -1 if Y, 0 if neither.

    A match with a target does not end before it is reached (section 6).

    >>> from mate.variant import PRESETS
    >>> winner(PRESETS["abril"], 199, 3), winner(PRESETS["abril"], 200, 3)
    (0, 1)
    """
    reached = variant.target is None or max(x, y) >= variant.target
    return (x > y) - (x < y) if reached else 0


def worth_for_round(round: Round) -> Worth:
    """Return what a margin of X in the game that is played is worth to him in the whole round."""
    return _worth(round, lambda x, y: x - y)


def _worth(round: Round, told: Callable[[int, int], int]) -> Worth:
    # What the points of X and of Y in this round come to, `told` says.
    if len(round.games) == 2:
        x, y = points(round.games[0].result or 0)
        return lambda margin: told(x + points(margin)[0], y + points(margin)[1])
    solver = matecore.Solver(round.variant.rules)
    deal = round.deal.exchange()
    x, y = (solver.value(Game(deal, round.variant, leader).core) for leader in "xy")
    return _worth_of_first(round.variant, round.leader, {"x": x, "y": -y}, told)


# `later` is X's margin in game 2 by who leads it.
def _worth_of_first(
    variant: Variant, leader: str, later: dict[str, int], told: Callable[[int, int], int]
) -> Worth:
    def worth(margin: int) -> int:
        ends = points(margin), points(later[second_leader(variant, leader, margin)])
        return told(sum(x for x, _ in ends), sum(y for _, y in ends))

    return worth


class RoundSolver:
    """Solves rounds as `matecore.Solver` solves games: what they are worth to who leads game 1."""

    def __init__(self, variant: Variant):
        self.variant = variant
        self.games = matecore.Solver(variant.rules)
        self.round = self.games
        self.stopped = False

    def solve(self, deals: "np.ndarray", out: "np.ndarray", /) -> None:
        """Write the worth of rounds; as `matecore.Solver.solve`.

        Raises:
            VariantError: a round could be worth too much.
            RuntimeError: the solver was stopped.
        """
        self.games.solve(deals, out)
        for row, ((x, y), (a, b)) in enumerate(zip(deals.tolist(), out.tolist(), strict=True)):
            # In game 2 each holds the other's hand, and who leads wins what that hand is worth.
            later = {"x": b, "y": -a}
            for leader in range(2):
                out[row, leader] = self._value(x, y, leader, later)

    def _value(self, x: int, y: int, leader: int, later: dict[str, int]) -> int:
        rules = self.variant.rules
        worth = _worth_of_first(self.variant, "xy"[leader], later, lambda x, y: x - y)
        try:
            self.round = matecore.Solver(rules, worth=worth)
        except ValueError as error:
            raise VariantError("second_leader", self.variant.second_leader, str(error)) from None
        if self.stopped:
            raise RuntimeError("the solver was stopped")
        return self.round.value(matecore.Position(rules, x, y, leader))

    def stop(self) -> None:
        """End the search that runs, in whatever thread, and refuse any other."""
        self.stopped = True
        self.games.stop()
        self.round.stop()
