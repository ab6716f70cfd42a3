"""From games to what a learner learns from: a row for each decision (docs/training.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import matecore
from mate.arrays.encoding import OWN_UNDECIDED, decode
from mate.arrays.games import Games
from mate.arrays.rows import rows_of
from mate.arrays.selfplaying import label
from mate.errors import MateError, checked_integer, excerpt
from mate.notation import PLAYERS
from mate.position import Position
from mate.tablebase import Tablebase
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

MOST_AT_A_TIME = 1 << 62
DECLINED = 32  # the bit of a game's `best` for foreplacing nothing, and the first for declaring


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Decisions of games, a row each; everything is told as the player to act sees it.

    Attributes:
        variant: what was played.
        observation: uint8 of shape (n, planes, N), as of `observe`.
        legal: bool of shape (n, 3N + 1), which actions were legal.
        action: int8 of shape (n,), the one taken.
        value: int16 of shape (n,), the exact margin in points under best play from there; None if
            the games are not labelled.
        best: bool of shape (n, 3N + 1), the actions that bring it; None as `value`.
        result: int16 of shape (n,), the margin that the game ended with.
        game: int64 of shape (n,), which row of the games.
        ply: int8 of shape (n,), moves before this one in its game.
        to_move: int8 of shape (n,), who the player to act is, 0 X, 1 Y.
    """

    variant: Variant
    observation: "np.ndarray"
    legal: "np.ndarray"
    action: "np.ndarray"
    value: "np.ndarray | None"
    best: "np.ndarray | None"
    result: "np.ndarray"
    game: "np.ndarray"
    ply: "np.ndarray"
    to_move: "np.ndarray"

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        labelled = ", labelled" if self.value is not None else ""
        return f"<Samples of {self.variant.name}: {len(self):,}{labelled}>"

    def __getitem__(self, rows: "slice | np.ndarray | Sequence[int]") -> "Samples":
        picked = rows_of(rows, len(self), "samples[i : i + 1], or position(i)")
        some: dict[str, Any] = {name: array[picked] for name, array in self.arrays().items()}
        return replace(self, **some)

    def arrays(self) -> dict[str, "np.ndarray"]:
        """Return the arrays that are there by their names."""
        named = {f.name: getattr(self, f.name) for f in fields(self)[1:]}
        return {name: array for name, array in named.items() if array is not None}

    def position(self, row: int) -> Position:
        """Return the position of a row.

        Raises:
            MateError: there is no such row.
        """
        row = checked_integer("sample", row, 0, len(self) - 1)
        return decode(self.observation[row], self.variant, PLAYERS[self.to_move[row]])


def samples(
    games: Games, batch: int = 65536, tablebase: Tablebase | None = None
) -> Iterator[Samples]:
    """Yield the decisions of games, game by game and move by move, a batch at a time.

    Arguments:
        games: they are played again, and every move is checked. If they are labelled, so are the
            samples.
        batch: samples at a time, 1..2^62; the last batch may be smaller.
        tablebase: labels games that have no labels yet; see `label`.

    Raises:
        MateError: an argument is of the wrong kind, or a row is no game: which, and at what ply.
        VariantError: the tablebase is of another variant.
        TablebaseError: its file is damaged.

    >>> games = mate.selfplay(1000, "greedy", "random", seed=1, labels=True)
    >>> first, *others = samples(games, batch=4096)
    >>> first.observation.shape, first.legal.shape, first.value.shape
    ((4096, 10, 20), (4096, 61), (4096,))
    >>> bool((first.legal >= first.best).all())
    True
    """
    if not isinstance(games, Games):
        raise MateError(f"{excerpt(games)} are no games")
    return _batches(games, checked_integer("batch", batch, 1, MOST_AT_A_TIME), tablebase)


def count_of(games: Games) -> int:
    """Return how many decisions there are in games."""
    return int(_lengths(games.moves).sum())


def _batches(games: Games, batch: int, tablebase: Tablebase | None) -> Iterator[Samples]:
    import numpy as np

    ends = np.cumsum(_lengths(games.moves))
    total = int(ends[-1]) if len(games) else 0
    for start in range(0, total, batch):
        end = min(start + batch, total)
        # The games that the batch has a part of; the first and the last may be played twice.
        low, high = (int(row) for row in np.searchsorted(ends, (start, end - 1), side="right"))
        before = int(ends[low - 1]) if low else 0
        yield _seen_in(games[low : high + 1], low, tablebase)[start - before : end - before]


def _lengths(moves: "np.ndarray") -> "np.ndarray":
    import numpy as np

    ended = moves == -1
    lengths: np.ndarray = np.where(ended.any(axis=1), ended.argmax(axis=1), moves.shape[1])
    return lengths


def _seen_in(games: Games, first: int, tablebase: Tablebase | None) -> Samples:
    import numpy as np

    if tablebase is not None and not games.is_labelled:
        games = _labelled(games, first, tablebase)
    observation, legal, to_move = _replayed(games, first)
    # Where the moves are: before the first -1 of each row.
    played = np.arange(games.plies) < _lengths(games.moves)[:, None]
    row, ply = played.nonzero()
    sign = (1 - 2 * to_move).astype(np.int16)
    best = None if games.best is None else _actions_of(games.best[played], observation)
    return Samples(
        games.variant,
        observation,
        legal.view(np.bool_),
        games.moves[played],
        None if games.value is None else games.value[played],
        best,
        games.result[row] * sign,
        row + first,
        ply.astype(np.int8),
        to_move,
    )


def _labelled(games: Games, first: int, tablebase: Tablebase) -> Games:
    _replayed(games, first)  # tells which of all the games is none
    return label(games, tablebase)


def _replayed(games: Games, first: int) -> tuple["np.ndarray", "np.ndarray", "np.ndarray"]:
    import numpy as np

    n, rules = count_of(games), games.variant.rules
    observation = np.empty((n, matecore.PLANES, rules.n_cards), dtype=np.uint8)
    legal = np.empty((n, rules.n_actions), dtype=np.uint8)
    to_move = np.empty(n, dtype=np.int8)
    deals, leaders = np.ascontiguousarray(games.deal), np.ascontiguousarray(games.leader)
    moves = np.ascontiguousarray(games.moves)
    try:
        matecore.replay(rules, deals, leaders, moves, observation, legal, to_move)
    except matecore.IllegalRow as error:
        where = f"game {first + error.row}"
        if error.ply is None:
            raise MateError(f"{where}: its deal or its leader is none") from None
        raise MateError(f"{where}, ply {error.ply}: no legal move") from None
    return observation, legal, to_move


def _actions_of(best: "np.ndarray", observation: "np.ndarray") -> "np.ndarray":
    """Return sets of best actions, uint64 of shape (n,) as in `Games`, as masks of actions."""
    import numpy as np

    n_cards = observation.shape[2]
    bits = (best[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)
    foreplacing = observation[:, OWN_UNDECIDED, :1].astype(np.bool_)
    cards, declared = bits[:, :n_cards], bits[:, DECLINED : DECLINED + n_cards]
    parts = (
        cards & ~foreplacing,
        bits[:, DECLINED : DECLINED + 1] & foreplacing,
        cards & foreplacing,
        declared & ~foreplacing,
    )
    return np.concatenate(parts, axis=1)
