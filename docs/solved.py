"""A variant with all its deals and their values, and the tables in which sections print."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

import mate
import matecore
from mate.tablebase import default_path

ABSENT = -32768  # in a table of margins, where there is no such move
MATED, DRAWN, MATES = -1, 0, 1


class Table(NamedTuple):
    """What a section prints: a title, the names of the columns, and the rows."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple]


class Solved:
    """All deals of a variant and what they are worth.

    Attributes:
        variant: the variant.
        deals: uint32 of shape (n, 2), the masks of X and Y.
        a, b: int of shape (n,), the leader's margin if X leads, and if Y leads.
    """

    def __init__(self, variant: "mate.Variant | str"):
        self.variant = mate.Variant.of(variant)
        self.deals = all_deals(self.variant)
        values = self.table.solve(self.deals)
        self.a, self.b = values[:, 0].astype(int), values[:, 1].astype(int)

    @cached_property
    def table(self) -> mate.Tablebase:
        """The tablebase."""
        place = default_path(self.variant)
        if place.exists():
            return mate.Tablebase.open(place)
        return mate.Tablebase.build(self.variant)

    def openings(self) -> Iterator[matecore.Position]:
        """Return the positions with which games begin, X leading, deal by deal."""
        for x, y in self.deals.tolist():
            yield matecore.Position(self.variant.rules, x, y)

    def text(self, row: int) -> str:
        """Return a deal as it is written."""
        return str(mate.Deal(int(self.deals[row, 0]), deck=self.variant.deck))


def all_deals(variant: mate.Variant) -> np.ndarray:
    """Return every deal, copies of a card told apart, so that each is equally likely."""
    deck = variant.deck
    hands = combinations(range(deck.n_cards), deck.hand_size)
    x = np.array([sum(1 << card for card in hand) for hand in hands], dtype=np.uint32)
    return np.stack([x, ~x & np.uint32((1 << deck.n_cards) - 1)], axis=1)


# --- Shares --------------------------------------------------------------------------------------


def share(count: int, total: int) -> str:
    """Return a count as a share of all."""
    return f"{count / total:.2%}" if total else "-"


def signs(numbers: np.ndarray) -> list[tuple[str, int]]:
    """Return how many are below, at and above zero."""
    found = (("< 0", numbers < 0), ("= 0", numbers == 0), ("> 0", numbers > 0))
    return [(name, int(which.sum())) for name, which in found]


def counted(*conditions: np.ndarray) -> tuple[int, str]:
    """Return in how many deals all conditions hold, and their share."""
    found = np.logical_and.reduce(conditions)
    return int(found.sum()), share(found.sum(), len(found))


def grid(solved: Solved, found: np.ndarray, held: np.ndarray, title: str) -> Table:
    """Return shares by card, the suits down and the ranks across; copies of a card are one."""
    deck = solved.variant.deck

    def cell(card: str) -> str:
        copies = list(deck.copies.get(card, ()))
        return share(found[copies].sum(), held[copies].sum())

    rows = [(suit, *(cell(rank + suit) for rank in deck.ranks)) for suit in deck.suits]
    return Table(title, ("", *deck.ranks), rows)


# --- Printing ------------------------------------------------------------------------------------


def show(table: Table) -> None:
    """Print a table."""
    lines = [[_text(cell) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    print(f"\n{table.title}")
    for line in lines:
        first = line[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        print("  ".join((first, *rest)).rstrip())


def _text(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, (int, np.integer)) else str(cell)
