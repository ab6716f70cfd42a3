"""Where shards are kept: a directory, or an address that fsspec understands."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from mate.errors import MateError, ShardError, excerpt
from mate.wholefile import PART, whole_file

# Where what is written appears once it is whole and not before, so that nothing is to be moved.
WHOLE_OR_NOTHING = frozenset(
    ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oss", "r2", "memory")
)


@dataclass(frozen=True)
class Directory:
    """A directory of this machine, or of a disk that all machines see."""

    path: Path

    def address(self, name: str) -> str:
        """Return how people call a file here."""
        return str(self.path / name)

    def names(self) -> list[str]:
        """Return the names of the files here, sorted; none if there is no such directory yet.

        Raises:
            ShardError: it cannot be read.
        """
        with _told(str(self.path)):
            return sorted(os.listdir(self.path)) if self.path.exists() else []

    def make(self) -> None:
        """Make the directory unless it is there.

        Raises:
            ShardError: it cannot be made.
        """
        with _told(str(self.path)):
            self.path.mkdir(parents=True, exist_ok=True)

    def open(self, name: str) -> BinaryIO:
        """Open a file to read it.

        Raises:
            ShardError: it cannot be opened.
        """
        with _told(self.address(name)):
            _refuse_pipes(self.path / name)
            return open(self.path / name, "rb")

    def read(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            ShardError: it cannot be read.
        """
        with _told(self.address(name)):
            _refuse_pipes(self.path / name)
            return (self.path / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file beside its name and move it into place.

        Raises:
            ShardError: it cannot be written; nothing is left behind.
        """
        with _told(self.address(name)), whole_file(self.path / name) as file:
            file.write(data)


@dataclass(frozen=True)
class Store:
    """A place that fsspec understands, told by its address."""

    url: str

    def address(self, name: str) -> str:
        """Return how people call a file here."""
        return f"{self.url.rstrip('/')}/{name}"

    def names(self) -> list[str]:
        """Return the names of the files here, sorted; none if there is nothing yet.

        Raises:
            ShardError: they cannot be listed.
        """
        with _told(self.url):
            files, path = self._files()
            files.invalidate_cache()
            if not files.exists(path):
                return []
            return sorted(name.rsplit("/", 1)[-1] for name in files.ls(path, detail=False))

    def make(self) -> None:
        """Make the directory where the store knows any.

        Raises:
            ShardError: it cannot be made.
        """
        with _told(self.url):
            files, path = self._files()
            files.makedirs(path, exist_ok=True)

    def open(self, name: str) -> BinaryIO:
        """Open a file to read it.

        Raises:
            ShardError: it cannot be opened.
        """
        with _told(self.address(name)):
            files, path = self._files()
            return cast(BinaryIO, files.open(f"{path}/{name}", "rb"))

    def read(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raises:
            ShardError: it cannot be read.
        """
        with _told(self.address(name)):
            files, path = self._files()
            return cast(bytes, files.cat_file(f"{path}/{name}"))

    def write(self, name: str, data: bytes) -> None:
        """Write a file so that it appears whole or not at all.

        Raises:
            ShardError: it cannot be written.
        """
        with _told(self.address(name)):
            files, path = self._files()
            if self.url.partition("://")[0] in WHOLE_OR_NOTHING:
                files.pipe_file(f"{path}/{name}", data)
                return
            part = f"{path}/{name}{PART}"
            files.pipe_file(part, data)
            files.mv(part, f"{path}/{name}")

    def _files(self) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            why = "addresses with :// need fsspec: pip install 'matecore[parquet]'"
            raise MateError(why) from None
        files, path = url_to_fs(self.url)
        return files, path.rstrip("/")


def _refuse_pipes(path: Path) -> None:
    # To open one would wait for a writer.
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "no regular file", str(path))


Place = Directory | Store


def place_of(destination: object) -> Place:
    """Return the place that a path or an address names.

    Raises:
        MateError: it names none.
    """
    if not isinstance(destination, (str, os.PathLike)) or not os.fspath(destination):
        raise MateError(f"{excerpt(destination)} is no directory and no address")
    path = os.fspath(destination)
    if isinstance(path, bytes) or "\0" in path or path.startswith("://"):
        raise MateError(f"{excerpt(path)} is no directory and no address")
    if path.startswith("file://"):
        return Directory(Path(path.removeprefix("file://")).absolute())
    return Store(path) if "://" in path else Directory(Path(path).absolute())


@contextmanager
def _told(address: str) -> Iterator[None]:
    try:
        yield
    except MateError:
        raise
    except OSError as error:
        raise ShardError(address, error.strerror or str(error) or type(error).__name__) from None
    except Exception as error:  # each store has errors of its own
        raise ShardError(address, f"{type(error).__name__}: {error}") from None
