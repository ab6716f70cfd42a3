"""Files that are written whole or not at all: beside their name, then moved into place."""

import errno
import glob
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART = ".part"
STALE_SECONDS = 3600
_PART_NAME = re.compile(rf"\.[0-9a-f]{{8}}{re.escape(PART)}$")


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write to, which stands at `path` once the block has ended without an error.

    What stood there is replaced then, and not before; after an error nothing is left behind.
    A pipe or a device that stands there is not replaced but written to, and so is what a link
    leads to.

    Raises:
        OSError: the file cannot be written.
        ValueError: the name is none.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        with open(path, "wb") as file:
            yield file
        return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    _remove_stale_parts(path)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PART}")
    try:
        with open(part, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):  # what is private stays so
            os.chmod(part, stat.S_IMODE(path.stat().st_mode))
        os.replace(part, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(part)
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    # So that the new name is on the disk too; not every system can.
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_stale_parts(path: Path) -> None:
    # What killed processes left; a younger one may still be written.
    for part in path.parent.glob(f"{glob.escape(path.name)}.*{PART}"):
        if not _PART_NAME.search(part.name):
            continue
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > STALE_SECONDS:
                part.unlink()
