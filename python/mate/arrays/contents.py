"""The games of a shard as arrays, checked before anybody counts on them."""

from typing import TYPE_CHECKING, Any

from mate.arrays.games import Games
from mate.arrays.shardhead import checksum_of, dtypes_of, games_a_unit
from mate.errors import ShardError, VariantError
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np


def variant_in(head: dict[str, Any], path: str) -> Variant:
    """Return the variant that a head tells of.

    Raises:
        ShardError: it tells of none.
    """
    try:
        return Variant.from_plain(head["variant"])
    except VariantError as error:
        raise ShardError(path, str(error)) from None


def plies_of(variant: Variant) -> int:
    """Return how many plies a game of a variant has at most."""
    return 2 * variant.deck.hand_size + 2 * (variant.foreplace is not None)


def shapes_of(head: dict[str, Any], variant: Variant) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of a shard."""
    rows, plies = head["count"] * games_a_unit(head), plies_of(variant)
    shapes = {"deal": (rows, 2), "leader": (rows,), "result": (rows,)}
    return {name: shapes.get(name, (rows, plies)) for name in dtypes_of(head["labels"])}


def games_from(
    head: dict[str, Any], variant: Variant, arrays: "dict[str, np.ndarray]", path: str
) -> Games:
    """Return games from the arrays of a shard, whose shapes and dtypes are as they should be.

    Raises:
        ShardError: the checksum differs, or the arrays are no games.
    """
    games = Games(variant, **{name: _native(array) for name, array in arrays.items()})
    if checksum_of(games) != head["checksum"]:
        raise ShardError(path, "its games are damaged: the checksum differs")
    for why, wrong in _wrongs(games):
        if wrong.any():
            raise ShardError(path, f"game {int(wrong.argmax())} of it: {why}")
    return games


def _native(array: "np.ndarray") -> "np.ndarray":
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _wrongs(games: Games) -> "list[tuple[str, np.ndarray]]":
    import numpy as np

    deck = games.variant.deck
    x, y = games.deal[:, 0], games.deal[:, 1]
    every, actions = np.uint32((1 << deck.n_cards) - 1), 3 * deck.n_cards + 1
    played = games.moves >= 0
    return [
        ("no deal", ((x ^ y) != every) | (np.bitwise_count(x) != deck.hand_size)),
        ("the leader is neither 0 nor 1", (games.leader < 0) | (games.leader > 1)),
        ("a move that is no action", ((games.moves < -1) | (games.moves >= actions)).any(axis=1)),
        ("a move after its end", (played[:, 1:] > played[:, :-1]).any(axis=1)),
    ]
