"""Text that a command leaves in a file."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from mate.errors import MateError


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all; one that is there is replaced.

    Raises:
        MateError: what stands there is no file, or it cannot be written; nothing is left behind.
    """
    try:
        place = path.resolve()  # what a link points to is written, and the link stays
        if place.exists() and not place.is_file():
            raise MateError(f"{path}: that is no file to be written")
        _replace(place, text)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise MateError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _replace(place: Path, text: str) -> None:
    part = place.with_name(f"{place.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(part, place)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
