"""Shards as `.npz`: a zip of numpy arrays, nothing compressed, the same bytes on every system.

The members are `mate.npy`, the head as a text, and the arrays in the order of `Rows.layout`.
"""

import io
import math
import zipfile
from typing import TYPE_CHECKING, Any, BinaryIO

from mate.arrays.npyfile import header, member, read_header
from mate.arrays.shardhead import KEY, LONGEST, arrays_of, unsealed
from mate.errors import ShardError

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.content import AnyRows, Content
    from mate.arrays.rows import Rows


def made_by() -> dict[str, str]:
    """Return what else than the rows the bytes of shards depend on: nothing."""
    return {}


def to_bytes(content: "Content[Any]", rows: "Rows", head: str) -> bytes:
    """Return a shard."""
    import numpy as np

    members = {KEY: np.array(head, dtype=f"<U{len(head)}"), **arrays_of(rows)}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in members.items():
            archive.writestr(member(name), header(array.dtype, array.shape) + array.tobytes())
    return file.getvalue()


# --- Reading -------------------------------------------------------------------------------------


def read_head(file: BinaryIO, path: str) -> str:
    """Return the head of a shard as text, nothing else being read.

    Raises:
        ShardError: the file is no shard.
    """
    with _opened(file, path) as archive:
        data = _content(archive, KEY, path)
    try:
        dtype, shape, begin = read_header(data)
        text = data[begin:].decode("utf-32-le")
    except Exception:  # of a hostile file nobody knows which
        raise ShardError(path, "its metadata are no text") from None
    if dtype.str != f"<U{len(text)}" or shape != () or len(text) > LONGEST:
        raise ShardError(path, "its metadata are no text")
    return text


def read(content: "Content[AnyRows]", data: bytes, path: str) -> "tuple[dict[str, Any], AnyRows]":
    """Return the head and the rows of a shard.

    Raises:
        ShardError: the bytes are no sound shard.
    """
    file = io.BytesIO(data)
    head = unsealed(content, read_head(file, path), path)
    variant = content.variant_in(head, path)
    n = head["count"] * content.rows_a_unit(head)
    with _opened(file, path) as archive:
        arrays = {
            name: _array(archive, name, kind, (n, *row), path)
            for name, (kind, row) in content.layout(head, variant).items()
        }
    return head, content.rows_from(head, variant, arrays, path)


def _opened(file: BinaryIO, path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except Exception as error:  # of a hostile file nobody knows which
        raise ShardError(path, f"no .npz file: {error}") from None


def _content(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    try:
        member = archive.getinfo(f"{name}.npy")
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise ShardError(path, f"its {name} is compressed")
        return archive.read(member)
    except ShardError:
        raise
    except Exception as error:  # of a hostile file nobody knows which
        raise ShardError(path, f"its {name} cannot be read: {error}") from None


def _array(
    archive: zipfile.ZipFile, name: str, kind: str, shape: tuple[int, ...], path: str
) -> "np.ndarray":
    import numpy as np

    data, wanted = _content(archive, name, path), np.dtype(kind).newbyteorder("<")
    try:
        found, found_shape, begin = read_header(data)
    except Exception as error:  # of a hostile file nobody knows which
        raise ShardError(path, f"its {name} is no array: {error}") from None
    size = math.prod(shape) * wanted.itemsize
    if (found, found_shape) != (wanted, shape) or len(data) != begin + size:
        raise ShardError(path, f"its {name} is no array of {wanted.name} of shape {shape}")
    return np.frombuffer(data, wanted, offset=begin).reshape(shape)
