"""What a run came to, read back shard by shard."""

import os
from collections.abc import Iterator
from typing import Any

from mate.arrays.content import AnyRows, Content
from mate.arrays.contents import GAMES
from mate.arrays.games import Games
from mate.arrays.places import Directory, Place, Store, place_of
from mate.arrays.shardhead import run_of
from mate.arrays.shardmaking import FORMATS
from mate.errors import ShardError


def read_games(source: "str | os.PathLike[str]") -> Iterator[Games]:
    """Return the games of a shard, or of all shards of a run, one shard in memory at a time.

    Everything but the labels is checked: the columns, the checksums, that the games are legal and
    end with their results, that the shards are of one run and none is missing before the last.
    Bytes that tell nothing of the games, such as a file's magic number, may be any.

    Arguments:
        source: a file, a directory, or an address of either.

    Raises:
        ShardError: there is no shard, or one that is not sound; also while iterating.
        MateError: what the format needs is not installed.
    """
    return read_shards(GAMES, source)


def read_shards(content: Content[AnyRows], source: "str | os.PathLike[str]") -> Iterator[AnyRows]:
    """Return the rows of a shard, or of all shards of a run, one shard in memory at a time.

    Raises:
        MateError: as `read_games`.
    """
    place, names = _shards_at(content, source)
    if names:
        return _read_run(content, place, names)
    return _read_one(content, *_parent(place))


def _shards_at(content: Content[Any], source: object) -> tuple[Place, list[str]]:
    place = place_of(source)
    address = place.address("").rstrip("/\\")
    if address.endswith(tuple(f".{form}" for form in FORMATS)):
        return place, []
    names = [name for name in place.names() if content.names.fullmatch(name)]
    if not names:
        raise ShardError(address, "there is no shard in it")
    if len({name.rpartition(".")[2] for name in names}) > 1:
        raise ShardError(address, "shards of two formats are in it")
    return place, names


def _parent(place: Place) -> tuple[Place, str]:
    if isinstance(place, Directory):
        return Directory(place.path.parent), place.path.name
    parent, _, name = place.url.rpartition("/")
    return Store(parent), name


def _read_one(content: Content[AnyRows], place: Place, name: str) -> Iterator[AnyRows]:
    yield _read(content, place, name)[1]


def _read_run(content: Content[AnyRows], place: Place, names: list[str]) -> Iterator[AnyRows]:
    run, following = None, 0
    for name in names:
        head, rows = _read(content, place, name)
        run = run or run_of(head)
        if run_of(head) != run:
            why = "a shard of another run than those before it"
            raise ShardError(place.address(name), why)
        if head["first"] != following:
            why = f"its first unit is {head['first']}, not {following}: a shard is missing"
            raise ShardError(place.address(name), why)
        following = head["first"] + head["count"]
        yield rows


def _read(content: Content[AnyRows], place: Place, name: str) -> tuple[dict[str, Any], AnyRows]:
    path = place.address(name)
    form = FORMATS[name.rpartition(".")[2]]
    found: tuple[dict[str, Any], AnyRows] = form.read(content, place.read(name), path)
    return found
