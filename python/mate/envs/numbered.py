"""Games by seed and number: which deal is played, who leads, and whom a single player plays."""

import operator
from typing import TYPE_CHECKING, Any

import matecore
from mate.batch import masks_of
from mate.deal import Deal
from mate.errors import MateError, excerpt
from mate.game import Game
from mate.notation import PLAYERS
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

ALTERNATE = "alternate"
WORDS = 1 << 64


class NumberedGames:
    """The games of a seed, those of `mate.selfplay` with the same numbers.

    Arguments:
        variant: the variant or its text.
        deals: deals, their texts or uint32 of shape (m, 2), game i being played on the one of
            number i modulo m; None for random ones.
        leader: who leads trick 1, "x", "y", or "alternate": X where the number is even.

    Raises:
        MateError: an argument is none of these.
        VariantError: there is no such variant, or a deal is of another one.

    >>> games = NumberedGames("bga", None, "alternate")
    >>> hex(games.begin(1, 0).x.mask), hex(int(mate.selfplay(1, seed=1).deal[0, 0]))
    ('0x64e5c', '0x64e5c')
    """

    def __init__(self, variant: Variant | str, deals: Any, leader: str):
        self.variant = Variant.of(variant)
        self.deals = masks_given(deals, self.variant)
        self.leader = player_or_alternate("leader", leader)
        self._core = matecore.InStep(self.variant.rules, 1)

    def __reduce__(self) -> tuple[object, ...]:
        return NumberedGames, (self.variant, self.deals, (*PLAYERS, ALTERNATE)[self.leader])

    def begin(self, seed: int, number: int) -> Game:
        """Return the game of a number, at its beginning."""
        leader = number % 2 if self.leader == 2 else self.leader
        deals = self.deals
        x, y = self._drawn(seed, number) if deals is None else deals[number % len(deals)].tolist()
        return Game(Deal(x, y, self.variant.deck), self.variant, PLAYERS[leader])

    def _drawn(self, seed: int, number: int) -> "list[int]":
        import numpy as np

        deals = np.empty((1, 2), dtype=np.uint32)
        leaders = np.zeros(1, dtype=np.int8)
        self._core.begin(None, deals, leaders, seed=seed, first=number)
        found: list[int] = deals[0].tolist()
        return found


# --- Arguments -----------------------------------------------------------------------------------


def seat_of(seat: int, number: int) -> int:
    """Return whom the single player plays in a game: 0 X, 1 Y.

    Arguments:
        seat: 0, 1, or 2 for both in turn: two games as X, two as Y, so that he leads one of each.
        number: the game's.
    """
    return number // 2 % 2 if seat == 2 else seat


def player_or_alternate(name: str, value: object) -> int:
    """Return 0 for "x", 1 for "y", 2 for "alternate", or refuse an argument of that name."""
    if not isinstance(value, str) or value not in (*PLAYERS, ALTERNATE):
        raise MateError(f"{name} {excerpt(value)}: x, y or {ALTERNATE}")
    return (*PLAYERS, ALTERNATE).index(value)


def masks_given(deals: object, variant: Variant) -> "np.ndarray | None":
    """Return deals as uint32 of shape (m, 2), None for random ones, or refuse them."""
    masks = None if deals is None else masks_of(deals, variant)
    if masks is not None and not len(masks):
        raise MateError("deals: none are given")
    return masks


def word(name: str, value: object) -> int:
    """Return a seed or number of 0..2^64-1, or refuse an argument of that name."""
    if hasattr(value, "__index__") and not isinstance(value, bool):
        number = operator.index(value)
        if 0 <= number < WORDS:
            return number
    raise MateError(f"{name} {excerpt(value)}: an integer of 0 to 2^64 - 1")


def missing(module: str, extra: str) -> MateError:
    """Return the error that tells which extra is not installed."""
    return MateError(f"{module} is not installed: pip install 'matecore[{extra}]'")
