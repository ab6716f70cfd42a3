"""What a shard says of itself: the run it is of, which games it holds, and how to check them.

A head is a JSON object, its keys sorted, without blanks:

    format     "mate-selfplay"
    version    of the format, 1
    ...        what is played, as `SelfPlay.to_plain` tells it
    first      the number of the first unit (a game, or a round) in the shard
    count      how many units it holds
    checksum   of the games, 16 hexadecimal digits
    seal       of the head without the seal itself: XXH64, 16 hexadecimal digits

The checksum is the XXH64 of the XXH64 of each array, 8 bytes each, little-endian, in the order
deal, leader, moves, result and, where there are labels, value, best; of an array its bytes count,
little-endian and row by row. The version of the package is not in it: what plays the same games
writes the same shards.
"""

import json
from typing import TYPE_CHECKING, Any

from mate.errors import ShardError, excerpt
from matecore.tablebase import checksum_of_bytes

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.games import Games

FORMAT = "mate-selfplay"
VERSION = 1
KEY = "mate"
LONGEST = 1 << 20
ARRAYS = {"deal": "<u4", "leader": "|i1", "moves": "|i1", "result": "<i2"}
LABELS = {"value": "<i2", "best": "<u8"}
OF_ONE_SHARD = ("first", "count", "checksum")


def run_head(plan: dict[str, Any]) -> dict[str, Any]:
    """Return what the heads of all shards of a run have in common."""
    return json.loads(json.dumps({"format": FORMAT, "version": VERSION, **plan}))  # type: ignore[no-any-return]


def run_of(head: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a head that all shards of its run have in common."""
    return {name: value for name, value in head.items() if name not in OF_ONE_SHARD}


def games_a_unit(head: dict[str, Any]) -> int:
    """Return how many games a unit is."""
    return 2 if head["unit"] == "round" else 1


def dtypes_of(labels: bool) -> dict[str, str]:
    """Return the arrays that are kept, in order, and how numpy names what they are of."""
    return {**ARRAYS, **LABELS} if labels else ARRAYS


# --- Writing -------------------------------------------------------------------------------------


def sealed(run: dict[str, Any], first: int, count: int, games: "Games") -> str:
    """Return the head of a shard as text."""
    head = {**run, "first": first, "count": count, "checksum": checksum_of(games)}
    return _text({**head, "seal": _seal(head)})


def checksum_of(games: "Games") -> str:
    """Return the checksum of games, 16 hexadecimal digits."""
    sums = [_checksum(array) for array in arrays_of(games).values()]
    return _digits(b"".join(number.to_bytes(8, "little") for number in sums))


def arrays_of(games: "Games") -> "dict[str, np.ndarray]":
    """Return the arrays that are kept of games, contiguous and little-endian."""
    import numpy as np

    dtypes = dtypes_of(games.value is not None)
    return {
        name: np.ascontiguousarray(getattr(games, name), dtype) for name, dtype in dtypes.items()
    }


def _checksum(array: "np.ndarray") -> int:
    return checksum_of_bytes(array.reshape(-1).view("u1"))  # type: ignore[arg-type]


def _digits(data: bytes) -> str:
    return f"{checksum_of_bytes(data):016x}"


def _text(head: dict[str, Any]) -> str:
    return json.dumps(head, sort_keys=True, separators=(",", ":"))


def _seal(head: dict[str, Any]) -> str:
    return _digits(_text(head).encode())


# --- Reading -------------------------------------------------------------------------------------


def head_in(text: str, path: str) -> dict[str, Any]:
    """Return the head that a text is, its seal checked and nothing else.

    Raises:
        ShardError: it is none, or is damaged.
    """
    head = _parsed(text, path)
    try:
        broken = head.pop("seal", None) != _seal(head)
    except RecursionError:
        broken = True
    if broken:
        raise ShardError(path, "its metadata are damaged, or not those of a shard of self-play")
    return head


def unsealed(text: str, path: str) -> dict[str, Any]:
    """Return the head that a text is.

    Raises:
        ShardError: it is none, is damaged, or of another version of the format.
    """
    head = head_in(text, path)
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        told = f"{excerpt(head.get('format'))} version {excerpt(head.get('version'))}"
        raise ShardError(path, f"{told}; {FORMAT!r} version {VERSION} can be read")
    _check_kinds(head, path)
    return head


def _parsed(text: str, path: str) -> dict[str, Any]:
    try:
        head = json.loads(text[:LONGEST])
        text.encode()
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise ShardError(path, "its metadata are no JSON object")
    return head


def _check_kinds(head: dict[str, Any], path: str) -> None:
    kinds = {"variant": dict, "unit": str, "labels": bool, "first": int, "count": int}
    for name, kind in {**kinds, "checksum": str}.items():
        if type(head.get(name)) is not kind:
            raise ShardError(path, f"its metadata tell no {name}")
    if head["unit"] not in ("game", "round"):
        raise ShardError(path, f"unit {excerpt(head['unit'])}: game or round")
    if head["first"] < 0 or head["count"] < 1 or head["first"] + head["count"] > 1 << 64:
        raise ShardError(
            path, f"it holds {excerpt(head['count'])} units from {excerpt(head['first'])} on"
        )
