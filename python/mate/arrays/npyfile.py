"""numpy's `.npy` as members of a zip: written the same by every numpy, read from any.

A member is 128 bytes of header (magic, version 1.0, the length of the rest, a dict as text, spaces,
a line feed) and the elements, row by row.
"""

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

HEADER = 128
_MAGIC = b"\x93NUMPY\x01\x00"
_UNIX = 3


def member(name: str) -> zipfile.ZipInfo:
    """Return an entry of a zip for an array of that name, alike at any time on any system."""
    entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.external_attr = _UNIX, 0o600 << 16
    return entry


def header(dtype: "np.dtype[np.generic]", shape: tuple[int, ...]) -> bytes:
    """Return what stands before the elements of an array."""
    told = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': {shape}, }}"
    length = HEADER - len(_MAGIC) - 2
    return _MAGIC + length.to_bytes(2, "little") + told.encode().ljust(length - 1) + b"\n"


def read_header(data: bytes) -> "tuple[np.dtype[np.generic], tuple[int, ...], int]":
    """Return the dtype, the shape, and where the elements begin.

    Raises:
        ValueError: there is no such header, or the elements stand column by column.
    """
    from numpy.lib import format as npy

    file = io.BytesIO(data[: 1 << 16])  # version 1.0 knows no longer headers
    if npy.read_magic(file) != (1, 0):
        raise ValueError("a version that is not 1.0")
    shape, by_column, dtype = npy.read_array_header_1_0(file)
    if by_column:
        raise ValueError("column by column")
    return dtype, shape, file.tell()
