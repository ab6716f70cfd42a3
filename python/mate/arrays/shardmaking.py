"""One shard of a run: played and written, unless it is there and is what would be written."""

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mate.arrays import npz, parquet
from mate.arrays.content import Content
from mate.arrays.places import Place
from mate.arrays.plan import Carried
from mate.arrays.rows import Rows
from mate.arrays.shardhead import run_of, sealed
from mate.arrays.tally import Counts
from mate.errors import ShardError

FORMATS: dict[str, ModuleType] = {"parquet": parquet, "npz": npz}


# --- A run ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What is to be written where; pickled for those who do it.

    Attributes:
        content: what shards hold.
        carried: what is played.
        head: what the heads of all shards have in common.
        count: how many units.
        shard: how many of them a shard holds; the last one may hold less.
        form: the name of the format.
        place: where to; None to play and count, and write nothing.
    """

    content: Content[Any]
    carried: Carried[Any]
    head: dict[str, Any]
    count: int
    shard: int
    form: str
    place: Place | None

    @property
    def n_shards(self) -> int:
        """How many shards there are to be."""
        return -(-self.count // self.shard)

    def name_of(self, number: int) -> str:
        """Return the name of a shard."""
        return self.content.name_of(number, self.form)

    def range_of(self, number: int) -> tuple[int, int]:
        """Return the first unit of a shard, and how many it holds."""
        first = number * self.shard
        return first, min(self.shard, self.count - first)


@dataclass(frozen=True)
class Made:
    """A shard that is there now: whether it was before, its size, and what it came to."""

    kept: bool
    size: int
    tally: Counts


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
        run.place.write(run.name_of(number), data)
    if watch:
        watch.tell(number, run.range_of(number)[1])
    return made


def _new(run: Run, number: int, watch: Watch | None) -> tuple[Made, bytes]:
    rows = _played(run, number, watch)
    data = bytes_of_shard(run, number, rows) if run.place else b""
    return Made(False, len(data), run.content.tally.of(rows)), data


def _played(run: Run, number: int, watch: Watch | None) -> Rows:
    plan = run.carried.plan
    if watch is None:
        rows: Rows = plan.play(*run.range_of(number))
    else:
        rows = plan.play(
            *run.range_of(number), watch.threads, lambda done, total: watch.tell(number, done)
        )
    return rows


def bytes_of_shard(run: Run, number: int, rows: Rows) -> bytes:
    """Return a shard as it stands in its file."""
    head = sealed(run.head, *run.range_of(number), rows)
    data: bytes = FORMATS[run.form].to_bytes(run.content, rows, head)
    return data


def _kept(run: Run, number: int) -> Made | None:
    if run.place is None:
        return None
    name = run.name_of(number)
    try:
        data = run.place.read(name)
        head, rows = FORMATS[run.form].read(run.content, data, name)
    except ShardError:
        return None
    first, count = run.range_of(number)
    right = run_of(head) == run.head and (head["first"], head["count"]) == (first, count)
    # The bytes as a whole, since not all of them are rows.
    if not right or bytes_of_shard(run, number, rows) != data:
        return None
    return Made(True, len(data), run.content.tally.of(rows))
