"""What the shards of Court Piece hold: hands, and what is counted in them."""

from dataclasses import dataclass
from typing import ClassVar

from mate.arrays.content import Column, Content
from mate.arrays.tally import Counts
from mate.court_piece.hands import Hands


@dataclass(frozen=True)
class HandTally(Counts):
    """Counts over hands.

    Attributes:
        hands: how many there are.
        moves: how many moves were made in them, the naming of trumps included.
        a_wins, b_wins: how many the sides of seats 0 and 2, and of seats 1 and 3, won.
        a_courts, b_courts: how many of those by a court.
        a_points, b_points: what the sides scored in all.
    """

    hands: int = 0
    moves: int = 0
    a_wins: int = 0
    b_wins: int = 0
    a_courts: int = 0
    b_courts: int = 0
    a_points: int = 0
    b_points: int = 0

    @classmethod
    def of(cls, rows: Hands) -> "HandTally":
        """Count hands."""
        import numpy as np

        wins = np.bincount(rows.winner, minlength=2).tolist()
        courts = np.bincount(rows.winner[rows.court != 0], minlength=2).tolist()
        points = rows.points.sum(axis=0, dtype=np.int64).tolist()
        return cls(len(rows), int(np.count_nonzero(rows.moves >= 0)), *wins, *courts, *points)


class HandContent(Content[Hands]):
    """Hands of Court Piece."""

    format = "mate-court-selfplay"
    name = "hands"
    kind = Hands
    tally = HandTally
    told: ClassVar[dict[str, type]] = {"variant": dict}
    columns = (
        *(Column(f"seat{seat}", "hands", seat) for seat in range(4)),
        Column("first_five", "first_five"),
        Column("turned", "turned", compressed=True),
        Column("caller", "caller", compressed=True),
        Column("trump", "trump", compressed=True),
        Column("moves", "moves", as_bytes=True),
        Column("collected_a", "collected", 0, compressed=True),
        Column("collected_b", "collected", 1, compressed=True),
        Column("points_a", "points", 0, compressed=True),
        Column("points_b", "points", 1, compressed=True),
        Column("winner", "winner", compressed=True),
        Column("court", "court", compressed=True),
    )


HANDS = HandContent()
