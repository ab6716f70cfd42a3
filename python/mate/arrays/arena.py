"""Two players measured against each other: the same deals from both seats, and what each errs."""

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from mate.arrays.games import Games
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.student import within_95
from mate.errors import checked_integer
from mate.tablebase import Tablebase
from mate.threads import Progress
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.stepping import Policy

# Rounds played and judged at a time: what is summed up is the same, whatever it is.
BLOCK = 4096
MOST_ROUNDS = 1 << 63
SEATINGS = 2


@dataclass(frozen=True)
class Errors:
    """What a player gave away against exact play.

    Attributes:
        decisions: those with more than one legal move; copies of a card are one.
        regret: points lost a decision, in the mean; 0.0 if there was none.
        faultless: the share of decisions that lost nothing; 1.0 if there was none.
    """

    decisions: int
    regret: float
    faultless: float


@dataclass(frozen=True)
class Arena:
    """How two players did on the same deals, each from both seats.

    Attributes:
        a, b: the players.
        variant: the name of the variant.
        seed: of the deals and the players' chances.
        rounds: deals; on each there are two rounds, one for each seating.
        margin: a's points minus b's a round, in the mean.
        low, high: its 95 % confidence interval over the deals, Student's; of one deal it is without
            bounds, infinite.
        wins, draws, losses: rounds by who had more points, a's view; 2 x rounds in all.
        win_rate: rounds that a won and half of those that were level, as a share of all.
        errors_a, errors_b: what each gave away; see `Errors`. Values are of the game.
    """

    a: str
    b: str
    variant: str
    seed: int
    rounds: int
    margin: float
    low: float
    high: float
    wins: int
    draws: int
    losses: int
    win_rate: float
    errors_a: Errors
    errors_b: Errors

    def to_plain(self) -> dict[str, Any]:
        """Return all of it as plain data, fit for JSON; an infinite bound is None."""
        plain = asdict(self)
        bounds = {name: plain[name] for name in ("low", "high")}
        return plain | {n: bound if math.isfinite(bound) else None for n, bound in bounds.items()}

    def __str__(self) -> str:
        rounds = 2 * self.rounds
        return "\n".join(
            [
                f"{self.a} against {self.b}, {self.variant}: {rounds:,} rounds on {self.rounds:,} "
                f"deals, seed {self.seed}",
                f"  margin a round   {self.margin:+.2f} points, 95 % within {self.low:+.2f} .. "
                f"{self.high:+.2f}",
                f"  win rate         {self.win_rate:.1%}: {self.wins:,} won, {self.draws:,} level, "
                f"{self.losses:,} lost",
                *(
                    f"  regret of {side}      {errors.regret:.3f} points a decision; "
                    f"{errors.faultless:.1%} of {errors.decisions:,} without loss"
                    for side, errors in (("a", self.errors_a), ("b", self.errors_b))
                ),
            ]
        )


def arena(
    a: "str | Policy",
    b: "str | Policy",
    rounds: int = 1000,
    variant: "Variant | str" = "bga",
    seed: int = 0,
    threads: int | None = None,
    tablebase: Tablebase | None = None,
    progress: Progress | None = None,
) -> Arena:
    """Play duplicate rounds between two players and say what came of it.

    On every deal there are two rounds, one with a as X and one with b as X, led by the same seat:
    luck of the deal counts for both. The players' chances in the second are others, so that a
    player is not his own mirror. Every decision is judged by exact values.

    Arguments:
        a, b: policies as of `selfplay`, texts or functions.
        rounds: how many deals, 1..2^63; on deal i X leads if i is even.
        variant: the variant or its text.
        seed: 0..2^64-1.
        threads: how many to use, 1..256; None for one a core.
        tablebase: where exact values come from; None for solving each deal.
        progress: called now and then with the deals played, and all.

    Raises:
        MateError: an argument is out of range, or a policy answers with what is not legal.
        VariantError, TablebaseError: as `selfplay`.

    >>> found = arena("optimal", "random", rounds=50, seed=1)
    >>> found.margin > 0, found.errors_a.regret
    (True, 0.0)
    """
    import numpy as np

    total = checked_integer("rounds", rounds, 1, MOST_ROUNDS)
    first = SelfPlay.of(a, b, variant, seed, unit="round", labels=True, tablebase=tablebase)
    second = replace(first, x=b, y=a, stream=1)
    tally = _Tally(total)
    for start in range(0, total, BLOCK):
        count = min(BLOCK, total - start)
        told = [_told(progress, start, count, seating, total) for seating in range(SEATINGS)]
        games = first.play(start, count, threads, told[0])
        # Round i of the second seating is on the deal of round i of the first.
        plan = replace(second, deals=np.roll(games.deal[::2], start % count, axis=0))
        tally.add(games, plan.play(start, count, threads, told[1]))
    return tally.arena(_name_of(a), _name_of(b), first.variant.name, first.seed)


def _told(
    progress: Progress | None, start: int, count: int, seating: int, total: int
) -> Progress | None:
    """Return what tells the deals played, of which those of one seating are half played."""
    if progress is None:
        return None
    return lambda done, _: progress(start + (seating * count + done) // SEATINGS, total)


def _name_of(policy: "str | Policy") -> str:
    if isinstance(policy, str):
        return policy
    return str(getattr(policy, "__name__", type(policy).__name__))


class _Tally:
    """What is summed up of the rounds, in integers, so that the order is no matter."""

    def __init__(self, rounds: int):
        self.rounds = rounds
        # Of pairs of rounds: the sum of a's margins, and of their squares.
        self.total = self.squares = 0
        self.wins = self.draws = self.losses = 0
        # By player: decisions, points lost, decisions without loss.
        self.errors = [[0, 0, 0], [0, 0, 0]]

    def add(self, games: Games, again: Games) -> None:
        """Count the games of both seatings on the same deals."""
        import numpy as np

        pairs = np.zeros(len(games) // 2, dtype=np.int64)
        for seating, (played, sign) in enumerate(((games, 1), (again, -1))):
            rounds = sign * _of_rounds(played)
            pairs += rounds
            self.wins += int((rounds > 0).sum())
            self.draws += int((rounds == 0).sum())
            self.losses += int((rounds < 0).sum())
            self._judge(played, seating)
        self.total += int(pairs.sum())
        self.squares += int((pairs * pairs).sum())

    def _judge(self, games: Games, seating: int) -> None:
        import numpy as np

        regret, to_move, chosen = games.regret, games.to_move, games.n_legal > 1
        for player in range(2):
            lost = regret[chosen & (to_move == player)]
            found = len(lost), int(lost.sum(dtype=np.int64)), int((lost == 0).sum())
            errors = self.errors[player ^ seating]
            errors[:] = [so_far + more for so_far, more in zip(errors, found, strict=True)]

    def arena(self, a: str, b: str, variant: str, seed: int) -> Arena:
        """Return what came of it."""
        rounds, played = self.rounds, SEATINGS * self.rounds
        margin = self.total / played
        width = within_95(rounds - 1) * self._deviation() / SEATINGS if rounds > 1 else math.inf
        errors = [_errors(*counted) for counted in self.errors]
        win_rate = (self.wins + self.draws / 2) / played
        return Arena(
            a, b, variant, seed, rounds, margin, margin - width, margin + width,
            self.wins, self.draws, self.losses, win_rate, *errors,
        )  # fmt: skip

    def _deviation(self) -> float:
        """Return the standard error of the mean of the pairs' margins."""
        n = self.rounds
        # In integers, where the difference of large numbers is exact.
        return math.sqrt((n * self.squares - self.total**2) / (n * (n - 1)) / n)


def _of_rounds(games: Games) -> "np.ndarray":
    """Return the margins of rounds for who sits as X in game 1, int64 of shape (n // 2,)."""
    import numpy as np

    # In game 2 the hands are exchanged, and the players are who they were.
    result = games.result.astype(np.int64)
    return result[::2] + result[1::2]


def _errors(decisions: int, lost: int, faultless: int) -> Errors:
    if not decisions:
        return Errors(0, 0.0, 1.0)
    return Errors(decisions, lost / decisions, faultless / decisions)
