"""Thousands of games stepped by one call, into arrays that are made once."""

from typing import TYPE_CHECKING, Any, NamedTuple

import matecore
from mate.arrays.policy import compiled
from mate.envs.numbered import masks_given, player_or_alternate, word
from mate.errors import MateError, TablebaseError, VariantError, excerpt
from mate.position import Position
from mate.tablebase import Tablebase
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np


class Arrays(NamedTuple):
    """What a call writes of n games, a row each; N: cards in the deck.

    Attributes:
        observations: uint8 (n, 10, N), what the player to act sees; None to leave it out.
        masks: bool (n, 3N + 1), which actions are legal; None to leave it out.
        rewards: int16 (n,), where a game has ended: the margin in points, the agent's, or X's if
            both sides are played; else 0.
        dones: bool (n,), where a game has ended, and the next one was begun.
        to_move: int8 (n,), who acts, 0 X and 1 Y.
        final: uint8 (n, 10, N), where a game has ended what was seen at its end; other rows are
            left alone. None to leave it out.
    """

    observations: "np.ndarray | None"
    masks: "np.ndarray | None"
    rewards: "np.ndarray"
    dones: "np.ndarray"
    to_move: "np.ndarray"
    final: "np.ndarray | None" = None

    @classmethod
    def empty(cls, n: int, variant: Variant | str = "bga") -> "Arrays":
        """Make the arrays for n games, all but `final`.

        Raises:
            MateError: `n` is no integer of 1 to 2^22.
            VariantError: there is no such variant.

        >>> Arrays.empty(4096).observations.shape
        (4096, 10, 20)
        """
        import numpy as np

        rules, n = Variant.of(variant).rules, _rows(n)
        return cls(
            np.zeros((n, matecore.PLANES, rules.n_cards), dtype=np.uint8),
            np.zeros((n, rules.n_actions), dtype=np.bool_),
            np.zeros(n, dtype=np.int16),
            np.zeros(n, dtype=np.bool_),
            np.zeros(n, dtype=np.int8),
        )


class VectorGames:
    """Games in step; where one ends the next is begun in the same call.

    Row r plays the games of number r, r + n, r + 2n and so on. Game i is dealt as that of
    `mate.selfplay` with the same seed, and an opponent draws as there (docs/selfplay.md), so that
    what is played depends on the seed and the actions alone. Calls release the GIL; one at a time
    is at work on a vector, and others of other vectors beside it.

    Arguments:
        n: how many, 1..2^22.
        variant: the variant or its text.
        seed: 0..2^64-1.
        opponent: None if the caller acts for both players, in turn; or who plays against him,
            `random`, `greedy`, `optimal`, `epsilon:p` or `softmax:t`. Games that an opponent ends
            before the agent could act are passed over.
        seat: whom the agent plays, "x", "y" or "alternate": two games X, two games Y.
        leader: who leads trick 1, "x", "y" or "alternate": X where the number is even.
        deals: as of `mate.selfplay`.
        tablebase: where an opponent's exact values come from; None for searching them.
        arrays: of the caller's, C-contiguous, that are written; None to make them.

    Raises:
        MateError: an argument is out of range, or an array has another shape or dtype.
        VariantError: there is no such variant; the tablebase or a deal is of another one.

    >>> games = VectorGames(4096, seed=1)
    >>> games.arrays.to_move[:4].tolist()
    [0, 1, 0, 1]
    >>> arrays = games.step(games.arrays.masks.argmax(axis=1))
    >>> arrays is games.arrays, arrays.dones.shape
    (True, (4096,))
    """

    def __init__(
        self,
        n: int,
        variant: Variant | str = "bga",
        seed: int = 0,
        *,
        opponent: str | None = None,
        seat: str = "alternate",
        leader: str = "alternate",
        deals: Any = None,
        tablebase: Tablebase | None = None,
        arrays: Arrays | None = None,
    ):
        self.variant, self.n = Variant.of(variant), _rows(n)
        self.arrays = Arrays.empty(n, self.variant) if arrays is None else arrays
        if not isinstance(self.arrays, Arrays):
            raise MateError(f"arrays {excerpt(arrays)}: Arrays or None")
        self._tablebase = _checked(tablebase, self.variant)
        self._core = self._made(
            *_viewed(self.arrays),
            leader=player_or_alternate("leader", leader),
            policy=None if opponent is None else compiled(opponent, self.variant),
            seat=player_or_alternate("seat", seat),
            deals=masks_given(deals, self.variant),
            tablebase=None if tablebase is None else tablebase.core,
        )
        self.reset(seed)

    def _made(self, *arrays: Any, **settings: Any) -> matecore.Environments:
        try:
            return matecore.Environments(self.variant.rules, self.n, *arrays, **settings)
        except (TypeError, ValueError) as error:
            raise MateError(f"arrays: {error}") from None
        except MemoryError as error:
            raise MateError(str(error)) from None

    def __len__(self) -> int:
        return self.n

    # --- Queries ---

    def position(self, row: int) -> Position:
        """Return the position in a row.

        Raises:
            MateError: there is no such row.

        >>> str(VectorGames(2, seed=1).position(0))
        'KQ7.T7.AT7.KQ/AT.AKQ.KQ.AT7 x - 1 -/- -'
        """
        try:
            return Position(self._core.position(row), self.variant)
        except (OverflowError, TypeError, ValueError):
            raise MateError(f"row {excerpt(row)}: an integer below {self.n}") from None

    def numbers(self) -> "np.ndarray":
        """Return the numbers of the games that are played, uint64 of shape (n,)."""
        import numpy as np

        found = np.empty(self.n, dtype=np.uint64)
        self._core.numbers(found)
        return found

    # --- Actions ---

    def reset(self, seed: int, first: int = 0) -> Arrays:
        """Begin games `first` to `first + n - 1` of a seed, and return the arrays.

        Raises:
            MateError: an argument is not in 0..2^64-1, or game after game ends before the agent
                could act.
            TablebaseError: the file of the tablebase is damaged.
        """
        seed, first = word("seed", seed), word("first", first)
        try:
            self._core.begin(seed=seed, first=first)
        except ValueError as error:
            raise self._told(error) from None
        return self.arrays

    def step(self, actions: "np.ndarray") -> Arrays:
        """Play an action in each row, and the opponent's, and return the arrays.

        Arguments:
            actions: integers of shape (n,); int64, C-contiguous, to be taken without copying.

        Raises:
            MateError: there is another shape or dtype, or an action is not legal: nothing is
                played then; or game after game ends before the agent could act.
            TablebaseError: the file of the tablebase is damaged.

        >>> games = VectorGames(2, seed=1)
        >>> games.step([0, 1])
        Traceback (most recent call last):
        mate.errors.MateError: row 0: action 0 is not legal in KQ7.T7.AT7.KQ/...
        """
        try:
            self._core.step(actions)
        except (TypeError, ValueError, BufferError) as error:
            if isinstance(error, ValueError) and self._is_int64(actions):
                raise self._told(error) from None
        else:
            return self.arrays
        return self.step(self._converted(actions))

    # --- Parts ---

    def _is_int64(self, actions: object) -> bool:
        import numpy as np

        return isinstance(actions, np.ndarray) and _is_plain(actions, np.int64, (self.n,))

    def _converted(self, actions: object) -> "np.ndarray":
        import numpy as np

        try:
            found = np.asarray(actions)
        except Exception as error:  # whatever the conversion of a stranger's object raises
            raise MateError(f"actions {excerpt(actions)} are no array: {error}") from None
        if found.dtype.kind not in "iu" or found.shape != (self.n,):
            told = f"{found.dtype} of shape {found.shape}"
            raise MateError(f"actions: expected integers of shape {(self.n,)}, found {told}")
        # An uint64 beyond int64 turns negative, which is as little legal.
        return np.array(found, dtype=np.int64, order="C")

    def _told(self, error: ValueError) -> MateError:
        if isinstance(error, matecore.IllegalAction):
            return MateError(f"{error} in {self.position(error.row)}")
        if isinstance(error, matecore.DamagedTable):
            path = getattr(self._tablebase, "path", None) or "in memory"
            return TablebaseError(str(path), str(error))
        return MateError(str(error))


def _rows(n: object) -> int:
    if type(n) is not int or not 1 <= n <= matecore.vector.MOST_ROWS:
        raise MateError(f"n {excerpt(n)}: an integer of 1 to {matecore.vector.MOST_ROWS}")
    return n


def _checked(tablebase: object, variant: Variant) -> Tablebase | None:
    if tablebase is None:
        return None
    if not isinstance(tablebase, Tablebase):
        raise MateError(f"{excerpt(tablebase)} is no tablebase")
    if tablebase.core.rules != variant.rules:
        raise VariantError("variant", variant.name, "the tablebase is of another one")
    return tablebase


def _is_plain(array: "np.ndarray", dtype: Any, shape: tuple[int, ...]) -> bool:
    return array.dtype == dtype and array.shape == shape and array.flags.c_contiguous


def _viewed(arrays: Arrays) -> list["np.ndarray | None"]:
    """Return the arrays with bytes for truth values, as the core takes them."""
    import numpy as np

    found: list[np.ndarray | None] = []
    for name, array in arrays._asdict().items():
        if array is not None and not isinstance(array, np.ndarray):
            raise MateError(f"arrays.{name} {excerpt(array)}: a numpy array")
        if array is not None and array.dtype == np.bool_:
            array = array.view(np.uint8)
        found.append(array)
    return found
