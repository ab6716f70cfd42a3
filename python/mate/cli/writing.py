"""Text that a command leaves in a file."""

from pathlib import Path

from mate.errors import MateError
from mate.wholefile import whole_file


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all; one that is there is replaced.

    Raises:
        MateError: it cannot be written; nothing is left behind.
    """
    try:
        with whole_file(path) as file:
            file.write(text.encode())
    except (OSError, ValueError) as error:
        raise MateError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
