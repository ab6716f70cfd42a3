"""The games of a run, read back shard by shard."""

import os
from collections.abc import Iterator
from dataclasses import replace

from mate.arrays.games import Games
from mate.arrays.places import Directory, Place, place_of
from mate.arrays.shardhead import run_of
from mate.arrays.shardmaking import FORMATS, NAME
from mate.errors import ShardError


def read_games(source: "str | os.PathLike[str]") -> Iterator[Games]:
    """Return the games of a shard, or of all shards of a run in turn, one shard in memory at a time.

    Everything is checked: the columns, the checksums, that moves are actions, that the shards are
    of one run and none is missing between them. That each move is legal `Games.game` checks.

    Arguments:
        source: a file, a directory, or an address of either.

    Raises:
        ShardError: there is no shard, or one that is not sound; also while iterating.
        MateError: what the format needs is not installed.
    """
    place, names = _shards_at(source)
    return _read_all(place, names)


def _shards_at(source: object) -> tuple[Place, list[str]]:
    place = place_of(source)
    address = place.address("").rstrip("/\\")
    if address.endswith(tuple(f".{form}" for form in FORMATS)):
        return _parent(place)
    names = [name for name in place.names() if NAME.fullmatch(name)]
    if not names:
        raise ShardError(address, "there is no shard in it")
    if len({name.rpartition(".")[2] for name in names}) > 1:
        raise ShardError(address, "shards of two formats are in it")
    return place, names


def _parent(place: Place) -> tuple[Place, list[str]]:
    if isinstance(place, Directory):
        return Directory(place.path.parent), [place.path.name]
    parent, _, name = place.url.rpartition("/")
    return replace(place, url=parent), [name]


def _read_all(place: Place, names: list[str]) -> Iterator[Games]:
    run, following = None, 0
    for name in names:
        path = place.address(name)
        head, games = FORMATS[name.rpartition(".")[2]].read(place.read(name), path)
        run = run or run_of(head)
        if run_of(head) != run:
            raise ShardError(path, "a shard of another run than those before it")
        # A file read by itself may be any of its run.
        if head["first"] != following and NAME.fullmatch(name) and len(names) > 1:
            raise ShardError(path, f"{head['first']} is its first unit, {following} should be")
        following = head["first"] + head["count"]
        yield games
