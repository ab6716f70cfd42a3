"""What came of many games, in a few numbers."""

from dataclasses import astuple, dataclass
from typing import Any, Self

from mate.arrays.games import Games


class Counts:
    """The base of what is counted: a frozen dataclass of numbers that add up."""

    @classmethod
    def of(cls, rows: Any) -> Self:
        """Count rows."""
        raise NotImplementedError

    def __add__(self, other: Self) -> Self:
        summed = zip(astuple(self), astuple(other), strict=True)  # type: ignore[call-overload]
        return type(self)(*(a + b for a, b in summed))


@dataclass(frozen=True)
class Tally(Counts):
    """Counts over games.

    Attributes:
        games: how many there are.
        moves: how many moves were made in them.
        x_wins, draws, y_wins: how they ended.
        margin: the sum of X's margins, in points.
    """

    games: int = 0
    moves: int = 0
    x_wins: int = 0
    draws: int = 0
    y_wins: int = 0
    margin: int = 0

    @classmethod
    def of(cls, games: Games) -> "Tally":
        """Count games."""
        import numpy as np

        x_wins, y_wins = (
            int(np.count_nonzero(won)) for won in (games.result > 0, games.result < 0)
        )
        return cls(
            len(games),
            int(np.count_nonzero(games.moves >= 0)),
            x_wins,
            len(games) - x_wins - y_wins,
            y_wins,
            int(games.result.sum(dtype=np.int64)),
        )
