"""The games of a shard as arrays, checked before anybody counts on them."""

from typing import TYPE_CHECKING, Any

from mate.arrays.games import Games, plies_of
from mate.arrays.shardhead import checksum_of, dtypes_of, games_a_unit
from mate.errors import MateError, ShardError, VariantError
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np


def variant_in(head: dict[str, Any], path: str) -> Variant:
    """Return the variant that a head tells of.

    Raises:
        ShardError: it tells of none.
    """
    try:
        try:
            return Variant.from_plain(head["variant"])
        except VariantError as error:
            raise ShardError(path, str(error)) from None
    except RecursionError:  # of lists in lists, where the stack is short; their text may be one
        raise ShardError(path, "its variant is nested too deeply") from None


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
        ShardError: the checksum differs, or a row is no game or has another result.
    """
    games = Games(variant, **{name: _native(array) for name, array in arrays.items()})
    if checksum_of(games) != head["checksum"]:
        raise ShardError(path, "its games are damaged: the checksum differs")
    try:
        games.check()
    except MateError as error:
        raise ShardError(path, str(error)) from None
    return games


def _native(array: "np.ndarray") -> "np.ndarray":
    import numpy as np

    # Of this machine, and writable as of any other games.
    return np.require(array, array.dtype.newbyteorder("="), ("C", "W"))
