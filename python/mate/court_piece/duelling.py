"""Two players measured against each other: the same cards with the sides exchanged."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from mate.arrays.student import within_95
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.players import Player
from mate.court_piece.variant import Variant
from mate.errors import MateError, checked_integer, excerpt

MOST_DEALS = 10**9
MOST_SEED = (1 << 64) - 1
SEATINGS = 2


@dataclass(frozen=True)
class Duel:
    """How two players did on the same cards, each a side by himself.

    Attributes:
        a, b: the players.
        variant: the name of the variant.
        seed: of the deals and the players' chances.
        deals: how many; on each there are two hands, one for each seating.
        margin: a's points less b's a hand, in the mean.
        low, high: its 95 % confidence interval over the deals, Student's; None where there is none,
            of one deal or if a is equally far ahead on all.
        wins, losses: hands that a won and lost; 2 x deals in all.
        courts, courts_lost: those among them that were courts.
    """

    a: str
    b: str
    variant: str
    seed: int
    deals: int
    margin: float
    low: float | None
    high: float | None
    wins: int
    losses: int
    courts: int
    courts_lost: int

    def to_plain(self) -> dict[str, Any]:
        """Return all of it as plain data, fit for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        hands, deals = self.wins + self.losses, f"{self.deals:,} deal{'s' * (self.deals != 1)}"
        within = "no interval"
        if self.low is not None and self.high is not None:
            within = f"95 % within {self.low:+.3f} .. {self.high:+.3f}"
        return "\n".join(
            [
                f"{self.a} against {self.b}, {self.variant}: {hands:,} hands on {deals}, "
                f"seed {self.seed}",
                f"  margin a hand   {self.margin:+.3f} points, {within}",
                f"  hands           {self.wins:,} won ({self.wins / hands:.1%}), {self.losses:,} "
                f"lost",
                f"  courts          {self.courts:,} made, {self.courts_lost:,} suffered",
            ]
        )


def duel(
    a: "str | Player",
    b: "str | Player",
    deals: int = 100,
    variant: "Variant | str" = "seed",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Duel:
    """Play every deal twice, a for one side and b for the other, and say what came of it.

    Each plays both seats of his side; the dealer goes round from deal to deal.

    Arguments:
        a, b: players or their texts; of texts the seeds follow from `seed`.
        deals: how many, 1..10^9.
        variant: the variant or its text.
        seed: 0..2^64-1.
        progress: called after each deal with the deals played, and all.

    Raises:
        MateError: an argument is out of range, or one is no player.
        VariantError: there is no such variant.
        IllegalMoveError: a player chose a move that is not legal.

    >>> found = duel("greedy", "random", deals=20, seed=1)
    >>> found.margin > 0, found.wins + found.losses
    (True, 40)
    """
    total = checked_integer("deals", deals, 1, MOST_DEALS)
    rules, first = Variant.of(variant), checked_integer("seed", seed, 0, MOST_SEED)
    players = _player_of(a, 2 * first), _player_of(b, 2 * first + 1)
    tally = _Tally()
    for number in range(total):
        deal = _deal(first, number, rules)
        tally.add([_played(deal, rules, players, side) for side in range(SEATINGS)])
        if progress is not None:
            progress(number + 1, total)
    margin, width = tally.margin()
    low, high = (None, None) if width is None else (margin - width, margin + width)
    return Duel(
        _name_of(a), _name_of(b), rules.name, first, total, margin, low, high,
        tally.wins, SEATINGS * total - tally.wins, tally.courts, tally.courts_lost,
    )  # fmt: skip


def _player_of(player: "str | Player", seed: int) -> Player:
    if isinstance(player, Player):
        return player
    if not isinstance(player, str):
        raise MateError(f"{excerpt(player)} is no player of Court Piece")
    return Player.of(player, seed)


def _name_of(player: "str | Player") -> str:
    return player if isinstance(player, str) else type(player).__name__


def _deal(seed: int, number: int, variant: Variant) -> Deal:
    import numpy as np

    return Deal.random(np.random.default_rng([seed, number]), number % 4, variant)


# The hand played with the first player on a side: his points less those of the other, whether he
# won, and whether it is a court.
def _played(
    deal: Deal, variant: Variant, players: tuple[Player, Player], side: int
) -> tuple[int, bool, bool]:
    hand = Hand(deal, variant)
    points = hand.play(players if side == 0 else players[::-1])
    return points[side] - points[1 - side], hand.winner == side, hand.court


class _Tally:
    """What came of the hands so far."""

    def __init__(self) -> None:
        self.sums: list[int] = []
        self.wins = self.courts = self.courts_lost = 0

    def add(self, played: list[tuple[int, bool, bool]]) -> None:
        """Count the hands on one deal."""
        self.sums.append(sum(margin for margin, _, _ in played))
        for _, won, court in played:
            self.wins += won
            self.courts += won and court
            self.courts_lost += court and not won

    def margin(self) -> tuple[float, float | None]:
        """Return the mean of a hand, and half of its interval, None if there is none."""
        n, total, squares = len(self.sums), sum(self.sums), sum(s * s for s in self.sums)
        mean = total / n / SEATINGS
        # In integers, where the difference of large numbers is exact. If all are equal, among them
        # a single one, they say nothing of how far others lie apart.
        spread = n * squares - total**2
        if not spread:
            return mean, None
        variance = spread / (n * (n - 1))
        return mean, within_95(n - 1) * math.sqrt(variance / n) / SEATINGS
