"""Files and texts that hold games one after the other, of whatever game they are."""

import io
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

from mate.errors import MateError, RecordError, excerpt
from mate.wholefile import whole_file

Found = TypeVar("Found")
Read = Callable[[BinaryIO, str | None], Iterator[Found]]


def games_of_file(path: "str | os.PathLike[str]", read: Read[Found]) -> Iterator[Found]:
    """Yield what is read of a file.

    Raises:
        RecordError: the file cannot be read; its line is 0.
    """
    try:
        with open(path, "rb") as file:
            yield from read(file, str(path))
    except (OSError, ValueError, TypeError) as error:
        raise _file_error(path, error) from None


def games_of_text(text: str, read: Read[Found]) -> Iterator[Found]:
    """Return what is read of a text.

    Raises:
        MateError: it is no text.
    """
    if not isinstance(text, str):
        raise MateError(f"expected text, found {type(text).__name__}")
    return read(io.BytesIO(text.encode("utf-8", "surrogatepass")), None)


def write_games(
    path: "str | os.PathLike[str]", games: Iterable[Found], write: Callable[[Found], str]
) -> None:
    """Write games to a file, whole or not at all; one that is there is replaced.

    Raises:
        RecordError: the file cannot be written; nothing is left behind.
    """
    try:
        with whole_file(Path(path)) as file:
            for number, game in enumerate(games):
                file.write((b"\n" if number else b"") + write(game).encode())
    except (OSError, ValueError, TypeError) as error:
        raise _file_error(path, error) from None


def _file_error(path: object, error: Exception) -> Exception:
    if isinstance(error, MateError):
        return error
    if not isinstance(path, (str, os.PathLike)):
        return RecordError(excerpt(path), 0, 0, "it is no path")
    return RecordError(str(path), 0, 0, getattr(error, "strerror", "") or str(error))
