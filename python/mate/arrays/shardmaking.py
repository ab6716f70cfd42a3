"""One shard of a run: played and written, unless it is there and is what would be written."""

import re
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mate.arrays import npz, parquet
from mate.arrays.games import Games
from mate.arrays.places import Place
from mate.arrays.shardhead import run_of, sealed
from mate.arrays.tally import Tally
from mate.arrays.workers import Carried
from mate.errors import ShardError

FORMATS: dict[str, ModuleType] = {"parquet": parquet, "npz": npz}
NAME = re.compile(r"games-([0-9]{8})\.(parquet|npz)")


def name_of(number: int, form: str) -> str:
    """Return the name of a shard.

    >>> name_of(7, "parquet")
    'games-00000007.parquet'
    """
    return f"games-{number:08}.{form}"


# --- A run ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What is to be written where; pickled for those who do it.

    Attributes:
        carried: what is played.
        head: what the heads of all shards have in common.
        count: how many units.
        shard: how many of them a shard holds; the last one may hold less.
        form: the name of the format.
        place: where to; None to play and count, and write nothing.
    """

    carried: Carried
    head: dict[str, Any]
    count: int
    shard: int
    form: str
    place: Place | None

    @property
    def n_shards(self) -> int:
        """How many shards there are to be."""
        return -(-self.count // self.shard)

    def range_of(self, number: int) -> tuple[int, int]:
        """Return the first unit of a shard, and how many it holds."""
        first = number * self.shard
        return first, min(self.shard, self.count - first)


@dataclass(frozen=True)
class Made:
    """A shard that is there now: whether it was before, its size, and what came of its games."""

    kept: bool
    size: int
    tally: Tally


class _Stopped(Exception):
    """The run is over; nobody asks any more what became of this shard."""


class Watch:
    """How far the threads of this process are, and whether they are to stop.

    Arguments:
        at_work: how many shards are worked on at a time; others may wait for the disk.
        threads: how many each shard is played on.
    """

    def __init__(self, at_work: int, threads: int = 1):
        self.at_work = threading.Semaphore(at_work)
        self.threads = threads
        self.units: dict[int, int] = {}
        self.stop = threading.Event()

    def tell(self, number: int, units: int) -> None:
        """Tell how many units of a shard are done.

        Raises:
            _Stopped: it is to stop.
        """
        self.units[number] = units
        if self.stop.is_set():
            raise _Stopped

    @property
    def done(self) -> int:
        """How many units are done."""
        return sum(list(self.units.values()))


# --- One shard -----------------------------------------------------------------------------------


def make_shard(run: Run, piece: tuple[int, bool], watch: Watch | None = None) -> Made:
    """Make a shard, unless it was found and is what would be written.

    Arguments:
        run: what is to be written where.
        piece: the number of the shard, and whether a file of its name was found.
        watch: where threads of this process tell how far they are.

    Raises:
        ShardError: it cannot be written.
        MateError: it cannot be played.
    """
    number, found = piece
    with watch.at_work if watch else nullcontext():
        made = _kept(run, number) if found else None
        if made is None:
            made, data = _new(run, number, watch)
    if not made.kept and run.place:
        run.place.write(name_of(number, run.form), data)
    if watch:
        watch.tell(number, run.range_of(number)[1])
    return made


def _new(run: Run, number: int, watch: Watch | None) -> tuple[Made, bytes]:
    games = _played(run, number, watch)
    data = bytes_of_shard(run, number, games) if run.place else b""
    return Made(False, len(data), Tally.of(games)), data


def _played(run: Run, number: int, watch: Watch | None) -> Games:
    if watch is None:
        return run.carried.plan.play(*run.range_of(number))
    return run.carried.plan.play(
        *run.range_of(number), watch.threads, lambda done, total: watch.tell(number, done)
    )


def bytes_of_shard(run: Run, number: int, games: Games) -> bytes:
    """Return a shard as it stands in its file."""
    data: bytes = FORMATS[run.form].to_bytes(games, sealed(run.head, *run.range_of(number), games))
    return data


def _kept(run: Run, number: int) -> Made | None:
    if run.place is None:
        return None
    name = name_of(number, run.form)
    try:
        data = run.place.read(name)
        head, games = FORMATS[run.form].read(data, name)
    except ShardError:
        return None
    first, count = run.range_of(number)
    right = run_of(head) == run.head and (head["first"], head["count"]) == (first, count)
    # The bytes as a whole, since not all of them are games.
    if not right or bytes_of_shard(run, number, games) != data:
        return None
    return Made(True, len(data), Tally.of(games))
