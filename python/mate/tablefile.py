"""Tablebases as files, format version 1.

    bytes      what
    0-7        89 4D 54 42 0D 0A 1A 0A, which no text and no mangled file begins with
    8-11       the format version
    12-15      the length of the header
    16-47      SHA-256 of the header
    48-        the header, JSON: variant, positions, width, block, SHA-256 of the checksums
    page       the checksum of each block of codes, 8 bytes each
    page       the codes, `width` bytes each, one for each position in the order of `matecore.index`

Numbers are little-endian; a page begins at the next multiple of 4096 bytes. A file is written
beside its name and moved into place when it is whole and on the disk.
"""

import hashlib
import json
import os
import struct
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from mate.errors import TablebaseError
from matecore.tablebase import BLOCK_SIZE

if TYPE_CHECKING:
    import numpy as np

MAGIC = b"\x89MTB\r\n\x1a\n"
VERSION = 1
PREFIX = struct.Struct("<8sII32s")
PAGE = 4096
LONGEST_HEADER = 1 << 20
MOST_POSITIONS = 1 << 40
PART = ".part"
STALE_SECONDS = 3600


def _next_page(at: int) -> int:
    return -(-at // PAGE) * PAGE


# --- Writing -------------------------------------------------------------------------------------


def write(
    path: Path, variant: dict[str, Any], codes: "np.ndarray", checksums: "np.ndarray"
) -> None:
    """Write a tablebase, whole or not at all.

    Arguments:
        path: the file; one that is there is replaced.
        variant: the variant as plain data.
        codes: int8 or int16, a code for each position.
        checksums: uint64, one for each block of 65,536 bytes of the codes.

    Raises:
        TablebaseError: the file cannot be written; nothing is left behind.
    """
    header = {
        "variant": variant,
        "positions": len(codes),
        "width": codes.itemsize,
        "block": BLOCK_SIZE,
        "checksums": hashlib.sha256(checksums.astype("<u8").tobytes()).hexdigest(),
    }
    text = json.dumps(header).encode()
    prefix = PREFIX.pack(MAGIC, VERSION, len(text), hashlib.sha256(text).digest())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale_parts(path)
        _write_beside(path, [prefix + text, checksums.astype("<u8"), codes])
    except OSError as error:
        raise TablebaseError(str(path), error.strerror or str(error)) from None


def _write_beside(path: Path, pages: list[Any]) -> None:
    descriptor, part = tempfile.mkstemp(suffix=PART, prefix=path.name + ".", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            for page in pages:
                file.seek(_next_page(file.tell()))
                file.write(page)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _remove_stale_parts(path: Path) -> None:
    # What killed processes left; a younger one may still be written.
    for part in path.parent.glob(f"{path.name}.*{PART}"):
        if time.time() - part.stat().st_mtime > STALE_SECONDS:
            part.unlink(missing_ok=True)


# --- Reading -------------------------------------------------------------------------------------


def read(path: Path) -> tuple[dict[str, Any], "np.ndarray", "np.ndarray"]:
    """Return the variant, the codes, memory-mapped, and the checksums of a tablebase file.

    The codes are not read, so this takes milliseconds; a block's checksum is to be compared before
    the block is used.

    Raises:
        TablebaseError: it is no whole tablebase of a version that can be read.
    """
    try:
        with open(path, "rb") as file:
            header = _read_header(path, file)
            return header["variant"], *_map_pages(path, file, header)
    except OSError as error:
        raise TablebaseError(str(path), error.strerror or str(error)) from None


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
    header: dict[str, Any] = json.loads(text)
    _refuse(not _is_known(header), path, "the header is not of this layout")
    return header


def _is_known(header: dict[str, Any]) -> bool:
    positions = header.get("positions")
    return (
        type(positions) is int
        and 0 < positions <= MOST_POSITIONS
        and header.get("width") in (1, 2)
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
