"""Many games as arrays, a row a game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import matecore
from mate.deal import Deal
from mate.errors import MateError, checked_integer, excerpt
from mate.game import Game
from mate.notation import PLAYERS
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

# The arrays by name: the kind of their elements, and what a row is.
KINDS = {
    "deal": ("uint32", "pair"),
    "leader": ("int8", "one"),
    "moves": ("int8", "plies"),
    "result": ("int16", "one"),
    "value": ("int16", "plies"),
    "best": ("uint64", "plies"),
}
LABELS = ("value", "best")


def plies_of(variant: Variant) -> int:
    """Return how many moves the longest game of a variant has."""
    return 2 * variant.deck.hand_size + 2 * (variant.foreplace is not None)


@dataclass(frozen=True, eq=False, repr=False)
class Games:
    """Games that were played, a row each; of rounds the two games are next to each other.

    Arguments:
        variant: what was played.
        deal: uint32 of shape (n, 2), the hands of X and Y as masks.
        leader: int8 of shape (n,), who led trick 1, 0 X, 1 Y.
        moves: int8 of shape (n, plies), the actions by ply, -1 behind the last.
        result: int16 of shape (n,), X's margin in points.
        value: int16 of shape (n, plies), the exact margin for the player to act before each move,
            0 behind the last; None if the games are not labelled.
        best: uint64 of shape (n, plies), his best actions as bits: c for card c played, or
            foreplaced where that is decided; 32 + c for card c led and declared; 32 for nothing
            foreplaced. 0 behind the last move; None as `value`.

    Raises:
        MateError: an array is of another dtype or shape, or only one of the labels is there. That
            the rows are games is not looked at before `check`.

    >>> import mate
    >>> games = mate.selfplay(3, seed=1)
    >>> games, games.moves.shape, games[1:].result.shape
    (<Games of bga: 3>, (3, 20), (2,))
    >>> games.game(0).result == int(games.result[0])
    True
    """

    variant: Variant
    deal: "np.ndarray"
    leader: "np.ndarray"
    moves: "np.ndarray"
    result: "np.ndarray"
    value: "np.ndarray | None" = None
    best: "np.ndarray | None" = None

    def __post_init__(self) -> None:
        import numpy as np

        if not isinstance(self.variant, Variant):
            raise MateError(f"{excerpt(self.variant)} is no variant")
        if (self.value is None) != (self.best is None):
            raise MateError("value and best are both labels: neither or both")
        for name, array in self.arrays().items():
            kind, row = KINDS[name]
            shape = (len(self), *{"pair": (2,), "one": (), "plies": (self.plies,)}[row])
            if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
                found = getattr(array, "dtype", None), getattr(array, "shape", None)
                raise MateError(f"{name}: expected {kind} of shape {shape}, found {found}")

    # --- Construction ---

    @classmethod
    def empty(cls, variant: Variant, n: int, labels: bool = False) -> "Games":
        """Return room for so many games, with nothing in it yet.

        Raises:
            MateError: there is no memory for them.
        """
        import numpy as np

        lengths = {"pair": (2,), "one": (), "plies": (plies_of(variant),)}
        try:
            arrays = {
                name: np.empty((n, *lengths[row]), dtype=kind)
                for name, (kind, row) in KINDS.items()
                if labels or name not in LABELS
            }
        except (MemoryError, ValueError):
            size = n * bytes_of(variant, labels)
            raise MateError(f"no memory for {n:,} games of {size:,} bytes in all") from None
        return cls(variant, **arrays)

    @classmethod
    def concatenate(cls, parts: "Sequence[Games]") -> "Games":
        """Return the games of several in one, in order; of all or none there are labels.

        Raises:
            MateError: there is nothing to put together, or they are of different variants.
        """
        import numpy as np

        parts = list(parts)
        if not parts:
            raise MateError("no games to put together")
        first = parts[0]
        if any(part.variant != first.variant for part in parts):
            raise MateError("games of different variants")
        if any(part.is_labelled != first.is_labelled for part in parts):
            raise MateError("games with labels and without")
        return cls(
            first.variant,
            **{
                name: np.concatenate([part.arrays()[name] for part in parts])
                for name in first.arrays()
            },
        )

    # --- Dunder ---

    def __len__(self) -> int:
        shape = getattr(self.moves, "shape", ())
        return int(shape[0]) if shape else 0

    def __getitem__(self, rows: "slice | np.ndarray | Sequence[int]") -> "Games":
        picked = rows_of(rows, len(self), "game(i)")
        return Games(self.variant, **{name: a[picked] for name, a in self.arrays().items()})

    def __iter__(self) -> Iterator[Game]:
        return map(self.game, range(len(self)))

    def __repr__(self) -> str:
        labelled = ", labelled" if self.is_labelled else ""
        return f"<Games of {self.variant.name}: {len(self):,}{labelled}>"

    # --- Properties ---

    @property
    def plies(self) -> int:
        """The moves of a row, as many as the longest game has."""
        return plies_of(self.variant)

    @property
    def is_labelled(self) -> bool:
        """Whether the exact values and best actions are there."""
        return self.value is not None

    @property
    def to_move(self) -> "np.ndarray":
        """Who acts before each move, int8 of shape (n, plies): 0 X, 1 Y, -1 behind the last.

        The games are played again for it, each time it is asked for.

        Raises:
            MateError: a row is no game; which, and at what ply.
        """
        import numpy as np

        to_move = np.empty(self.moves.shape, dtype=np.int8)
        self._follow(to_move)
        return to_move

    @property
    def n_legal(self) -> "np.ndarray":
        """How many moves there were, int8 of shape (n, plies), copies of a card being one.

        0 behind the last move. As `to_move` it is found by playing the games again.

        Raises:
            MateError: a row is no game; which, and at what ply.
        """
        import numpy as np

        n_legal = np.empty(self.moves.shape, dtype=np.int8)
        self._follow(n_legal=n_legal)
        return n_legal

    @property
    def regret(self) -> "np.ndarray":
        """What each move gave away, int32 of shape (n, plies), in points; 0 behind the last.

        As `to_move` it is found by playing the games again.

        Raises:
            MateError: the games are not labelled, or a row is no game.
        """
        import numpy as np

        if self.value is None:
            raise MateError("the games are not labelled; see mate.label")
        to_move = self.to_move
        sign = 1 - 2 * np.maximum(to_move, 0)
        of_x = self.value.astype(np.int32) * sign
        after = np.concatenate([of_x[:, 1:], of_x[:, :1]], axis=1)
        last = np.count_nonzero(to_move >= 0, axis=1) - 1
        after[np.arange(len(self)), last] = self.result
        # Twice the highest margin is no int16.
        return np.where(to_move >= 0, (of_x - after) * sign, 0).astype(np.int32)

    # --- Queries ---

    def arrays(self) -> dict[str, "np.ndarray"]:
        """Return the arrays that are there by their names."""
        named = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: array for name, array in named.items() if name in KINDS and array is not None}

    def game(self, row: int) -> Game:
        """Return a game, played to its end.

        Arguments:
            row: which, from 0.

        Raises:
            MateError: there is no such row, or it is no game.
        """
        row = checked_integer("game", row, 0, len(self) - 1)
        x, y = (int(mask) for mask in self.deal[row])
        leader = int(self.leader[row])
        deal = Deal(x, y, self.variant.deck)
        game = Game(deal, self.variant, PLAYERS[leader] if leader in (0, 1) else str(leader))
        for action in self.moves[row]:
            if action != -1:
                game.push(int(action))
        return game

    def check(self) -> None:
        """Play all games again, and see that they are legal and end with their results.

        Raises:
            MateError: a row is no game or has another result.
        """
        self.refuse_other_results(self._follow())

    def refuse_other_results(self, found: "np.ndarray") -> None:
        """Refuse games whose results are not those that were found by playing them again.

        Raises:
            MateError: a result differs.
        """
        import numpy as np

        differ = np.flatnonzero(found != self.result)
        if differ.size:
            raise MateError(f"game {differ[0]}: its result is not {self.result[differ[0]]}")

    def _follow(
        self, to_move: "np.ndarray | None" = None, n_legal: "np.ndarray | None" = None
    ) -> "np.ndarray":
        import numpy as np

        result = np.empty(len(self), dtype=np.int16)
        policy = matecore.Policy(0)
        core = matecore.SelfPlay(self.variant.rules, policy, policy)
        deal, leader, moves = map(np.ascontiguousarray, (self.deal, self.leader, self.moves))
        try:
            core.follow(deal, leader, moves, result, to_move=to_move, n_legal=n_legal)
        except matecore.IllegalRow as error:
            raise MateError(str(error)) from None
        return result


def rows_of(rows: object, n: int, one: str) -> "slice | np.ndarray":
    """Return what picks rows of arrays so that they stay arrays.

    Arguments:
        rows: a slice, numbers of rows, or for every row whether it is taken.
        n: how many rows there are.
        one: how a single row is had.

    Raises:
        MateError: it picks no rows, or some that are not there.
    """
    import numpy as np

    wanted = f"a slice, numbers from {-n} to {n - 1}, or {n} truth values; a single row is {one}"
    try:
        if isinstance(rows, slice):
            rows.indices(n)  # refuses bounds that are no integers
            return rows
        picked = np.asarray(rows)
        if picked.size == 0 and isinstance(rows, (list, tuple)):
            picked = picked.astype(np.intp)
    except Exception:  # whatever the conversion of a stranger's object raises
        raise MateError(f"rows {excerpt(rows)}: {wanted}") from None
    is_mask = picked.dtype.kind == "b"
    if picked.ndim != 1 or picked.dtype.kind not in "biu" or (is_mask and len(picked) != n):
        raise MateError(f"rows {excerpt(rows)}: {wanted}")
    if not is_mask and ((picked < -n) | (picked >= n)).any():
        raise MateError(f"rows {excerpt(rows)}: {wanted}")
    return picked


def bytes_of(variant: Variant, labels: bool) -> int:
    """Return the bytes that a game takes in the arrays."""
    import numpy as np

    length = {"pair": 2, "one": 1, "plies": plies_of(variant)}
    return sum(
        np.dtype(kind).itemsize * length[row]
        for name, (kind, row) in KINDS.items()
        if labels or name not in LABELS
    )
