"""What a shard says of itself: the run it is of, which games it holds, and how to check them.

A head is a JSON object, its keys sorted, without blanks:

    format     of which game it is; "mate-selfplay" of Mate
    version    of the format, 1
    ...        what is played, as `SelfPlay.to_plain` tells it
    first      the number of the first unit (a game, a round, a hand) in the shard
    count      how many units it holds
    checksum   of the rows, 16 hexadecimal digits
    seal       of the head without the seal itself: XXH64, 16 hexadecimal digits

The checksum is the XXH64 of the XXH64 of each array, 8 bytes each, little-endian, in the order of
`Rows.layout`, for Mate deal, leader, moves, result and, where there are labels, value, best; of an
array its bytes count, little-endian and row by row. The version of the package is not in it: what
plays the same games writes the same shards.
"""

import json
from typing import TYPE_CHECKING, Any

from mate.errors import ShardError, excerpt
from matecore.tablebase import checksum_of_bytes

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.content import Content
    from mate.arrays.rows import Rows

KEY = "mate"
LONGEST = 1 << 20
OF_ONE_SHARD = ("first", "count", "checksum")


def run_head(content: "Content[Any]", plan: dict[str, Any]) -> dict[str, Any]:
    """Return what the heads of all shards of a run have in common."""
    told = {"format": content.format, "version": content.version, **plan}
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


def run_of(head: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a head that all shards of its run have in common."""
    return {name: value for name, value in head.items() if name not in OF_ONE_SHARD}


# --- Writing -------------------------------------------------------------------------------------


def sealed(run: dict[str, Any], first: int, count: int, rows: "Rows") -> str:
    """Return the head of a shard as text."""
    head = {**run, "first": first, "count": count, "checksum": checksum_of(rows)}
    return _text({**head, "seal": _seal(head)})


def checksum_of(rows: "Rows") -> str:
    """Return the checksum of rows, 16 hexadecimal digits."""
    sums = [_checksum(array) for array in arrays_of(rows).values()]
    return _digits(b"".join(number.to_bytes(8, "little") for number in sums))


def arrays_of(rows: "Rows") -> "dict[str, np.ndarray]":
    """Return the arrays that are kept, contiguous and little-endian."""
    import numpy as np

    return {
        name: np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        for name, array in rows.arrays().items()
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


def unsealed(content: "Content[Any]", text: str, path: str) -> dict[str, Any]:
    """Return the head that a text is.

    Raises:
        ShardError: it is none, is damaged, or of another format or version.
    """
    head = head_in(text, path)
    if head.get("format") != content.format or head.get("version") != content.version:
        told = f"{excerpt(head.get('format'))} version {excerpt(head.get('version'))}"
        known = f"{content.format!r} version {content.version}"
        raise ShardError(path, f"{told}; {known} can be read")
    content.refuse_head(head, path)
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
