"""Tablebases as files, format version 1.

    bytes      what
    0-7        89 4D 54 42 0D 0A 1A 0A, which no text and no mangled file begins with
    8-11       the format version
    12-15      the length of the header
    16-47      SHA-256 of the header
    48-        the header, JSON: variant, layers, margins, positions, width, block, checksums
    page       XXH64 of each block of codes, 8 bytes each
    page       the codes, `width` bytes each, one for each position

Numbers are little-endian; a page begins at the next multiple of 4096 bytes. docs/tablebase.md tells
what codes and positions mean. A file is written beside its name and moved into place when it is
whole and on the disk.
"""

import hashlib
import json
import os
import stat
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from mate.errors import TablebaseError
from mate.wholefile import whole_file
from matecore.tablebase import BLOCK_SIZE

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"\x89MTB\r\n\x1a\n"
VERSION = 1
PREFIX = struct.Struct("<8sII32s")
PAGE = 4096
LONGEST_HEADER = 1 << 20
MOST_POSITIONS = 1 << 40
WRITTEN_AT_A_TIME = 1 << 24


def _next_page(at: int) -> int:
    return -(-at // PAGE) * PAGE


# --- Writing -------------------------------------------------------------------------------------


def write(path: Path, about: dict[str, Any], codes: "np.ndarray", checksums: "np.ndarray") -> None:
    """Write a tablebase, whole or not at all.

    Arguments:
        path: the file; one that is there is replaced.
        about: what the header says of the codes, fit for JSON.
        codes: int8 or int16, a code for each position.
        checksums: uint64, one for each block of 65,536 bytes of the codes.

    Raises:
        TablebaseError: the file cannot be written; nothing is left behind.
    """
    header = {
        **about,
        "positions": len(codes),
        "width": codes.itemsize,
        "block": BLOCK_SIZE,
        "checksums": hashlib.sha256(checksums.astype("<u8").tobytes()).hexdigest(),
    }
    text = json.dumps(header).encode()
    prefix = PREFIX.pack(MAGIC, VERSION, len(text), hashlib.sha256(text).digest())
    if sys.byteorder != "little":
        raise TablebaseError(str(path), "files are little-endian, and this machine is not")
    try:
        _write_pages(path, [prefix + text, checksums.astype("<u8"), codes])
    except (OSError, ValueError) as error:  # ValueError: of the name
        raise TablebaseError(str(path), getattr(error, "strerror", "") or str(error)) from None


def _write_pages(path: Path, pages: list[Any]) -> None:
    with whole_file(path) as file:
        for page in pages:
            file.seek(_next_page(file.tell()))
            for start in range(0, len(page), WRITTEN_AT_A_TIME):  # so that Ctrl-C is heard
                file.write(page[start : start + WRITTEN_AT_A_TIME])


# --- Reading -------------------------------------------------------------------------------------


def read(path: Path) -> tuple[dict[str, Any], "np.ndarray", "np.ndarray"]:
    """Return the header, the codes, memory-mapped, and the checksums of a tablebase file.

    The codes are not read, so this takes milliseconds; a block's checksum is to be compared before
    the block is used.

    Raises:
        TablebaseError: it is no whole tablebase of a version that can be read.
    """
    try:
        # To open a pipe would wait for a writer.
        _refuse(not stat.S_ISREG(path.stat().st_mode), path, "no regular file")
        with open(path, "rb") as file:
            header = _read_header(path, file)
            return header, *_map_pages(path, file, header)
    except (OSError, ValueError) as error:  # ValueError: of the name, TablebaseError is one too
        if isinstance(error, TablebaseError):
            raise
        raise TablebaseError(str(path), getattr(error, "strerror", "") or str(error)) from None


def _refuse(wrong: bool, path: Path, why: str) -> None:
    if wrong:
        raise TablebaseError(str(path), why)


def _read_header(path: Path, file: BinaryIO) -> dict[str, Any]:
    prefix = file.read(PREFIX.size)
    _refuse(not prefix.startswith(MAGIC[: len(prefix)]) or not prefix, path, "no tablebase")
    _refuse(len(prefix) < PREFIX.size, path, "cut off in the header")
    _, version, length, digest = PREFIX.unpack(prefix)
    why = f"format version {version}; this program reads version {VERSION}"
    _refuse(version != VERSION, path, why)
    _refuse(length > LONGEST_HEADER, path, "the header is damaged")
    text = file.read(length)
    _refuse(len(text) < length, path, "cut off in the header")
    _refuse(hashlib.sha256(text).digest() != digest, path, "the header is damaged")
    header: dict[str, Any] = _json_of(text)
    _refuse(not _is_known(header), path, "the header is not of this layout")
    return header


def _json_of(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_known(header: Any) -> bool:
    if not isinstance(header, dict):
        return False
    positions, width = header.get("positions"), header.get("width")
    return (
        type(positions) is int
        and 0 < positions <= MOST_POSITIONS
        and type(width) is int
        and width in (1, 2)
        and header.get("block") == BLOCK_SIZE
        and isinstance(header.get("variant"), dict)
    )


def _map_pages(
    path: Path, file: BinaryIO, header: dict[str, Any]
) -> tuple["np.ndarray", "np.ndarray"]:
    import numpy as np

    size = header["positions"] * header["width"]
    n_blocks = -(-size // BLOCK_SIZE)
    start = _next_page(file.tell())
    file.seek(start)
    table = file.read(8 * n_blocks)
    offset = _next_page(start + 8 * n_blocks)
    found = os.fstat(file.fileno()).st_size
    why = f"cut off: {found} bytes, expected {offset + size}"
    _refuse(found < offset + size, path, why)
    _refuse(found > offset + size, path, f"{found - offset - size} bytes too long")
    damaged = hashlib.sha256(table).hexdigest() != header.get("checksums")
    _refuse(damaged, path, "the checksums are damaged")
    codes = np.memmap(file, f"<i{header['width']}", "r", offset, header["positions"])
    return codes.view(np.ndarray), np.frombuffer(table, "<u8")
