"""Self-play into files: shard by shard, on threads or on any executor, resumed where it stood.

A shard is a function of what is played and of its number only. So one that is found is either what
would be written again, byte for byte, and stays, or is made again.
"""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mate.arrays.places import Place, place_of
from mate.arrays.plan import Plan
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.shardhead import head_in, run_head
from mate.arrays.shardmaking import FORMATS, Made, Run, Watch, make_shard
from mate.arrays.tally import Counts
from mate.arrays.workers import run_on
from mate.errors import MateError, ShardError, checked_integer, excerpt
from mate.threads import Progress, thread_count

if TYPE_CHECKING:
    import os

    from mate.tablebase import Tablebase
    from mate.variant import Variant

UNITS_A_SHARD = 1_000_000
MOST_UNITS_A_SHARD = 1 << 26
MOST_SHARDS = 10**8
SCANNED_AT_ONCE = 16


@dataclass(frozen=True)
class Written:
    """What a run came to.

    Attributes:
        shards: how many shards there are now.
        kept: how many of them were found, and sound.
        bytes: their size in all.
        tally: what came of what was played, as numbers.
    """

    shards: int
    kept: int
    bytes: int
    tally: Any

    @classmethod
    def nothing(cls, tally: type[Counts]) -> "Written":
        """Return what no shard at all comes to."""
        return cls(0, 0, 0, tally())

    def with_shard(self, made: Made) -> "Written":
        """Return the sum with one more shard."""
        return Written(
            self.shards + 1, self.kept + made.kept, self.bytes + made.size, self.tally + made.tally
        )


def write_selfplay(
    destination: "str | os.PathLike[str]",
    count: int,
    x: str = "random",
    y: str = "random",
    variant: "Variant | str" = "bga",
    seed: int = 0,
    threads: int | None = None,
    *,
    unit: str = "game",
    leader: str = "alternate",
    deals: Any = None,
    labels: bool = False,
    tablebase: "Tablebase | None" = None,
    shard: int = UNITS_A_SHARD,
    format: str = "parquet",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Written:
    """Play games and write them as shards, each of them whole or not at all.

    The same call made again goes on where the last one stopped, however that was: shards that are
    there and sound stay, damaged ones are made again, and the end is the same byte for byte.
    Memory is bounded by a shard or two a thread, whatever `count` is.

    Arguments:
        destination: a directory, or an address that fsspec understands (s3://…, gs://…); with an
            executor one that all workers see.
        count: how many units (games, or rounds), at least 1.
        x, y, variant, seed, unit, leader, deals, labels, tablebase: as `mate.selfplay`.
        threads: how many to use, 1..256; None for one a core.
        shard: how many units a file holds, 1..2**26.
        format: "parquet", which needs the extra `parquet`, or "npz".
        executor: who makes the shards instead of threads of this process.
        progress: called with the units done and all, from the calling thread.

    Raises:
        ShardError: something cannot be written, or the destination has shards of another run;
            in that case nothing is written.
        MateError: an argument is wrong, or the executor fails.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     written = write_selfplay(directory, 1000, seed=1, shard=400, format="npz")
    ...     again = write_selfplay(directory, 1000, seed=1, shard=400, format="npz")
    >>> written.shards, written.kept, again.kept, again.tally == written.tally
    (3, 0, 3, True)
    """
    plan = SelfPlay.of(x, y, variant, seed, unit, leader, deals, labels, tablebase)
    run = run_to(place_of(destination), plan, count, shard, format)
    return perform(run, threads, executor, progress)


def run_to(place: Place | None, plan: Plan[Any], count: int, shard: int, form: str) -> Run:
    """Return a run, its arguments checked.

    Raises:
        MateError: one of them is wrong, or what the format needs is not installed.
    """
    count = checked_integer("count", count, 1, MOST_SHARDS * MOST_UNITS_A_SHARD)
    shard = checked_integer("shard", shard, 1, MOST_UNITS_A_SHARD)
    if -(-count // shard) > MOST_SHARDS:
        raise MateError(f"count {count}: more than {MOST_SHARDS} shards of {shard}")
    if not isinstance(form, str) or form not in FORMATS:
        raise MateError(f"format {excerpt(form)}: {' or '.join(FORMATS)}")
    # Where nothing is written, nothing that writes need be installed.
    made_by = FORMATS[form].made_by() if place else {}
    head = run_head(plan.content, plan.to_plain() | made_by)
    return Run(plan.content, plan.carried(), head, count, shard, form, place)


def perform(
    run: Run,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Written:
    """Make all shards of a run that are not there.

    Raises:
        MateError: as `write_selfplay`.
    """
    if executor is not None and threads is not None:
        raise MateError("threads are of this process, an executor has workers of its own")
    found = found_in(run)
    if run.place:
        run.place.make()
    progress = progress or (lambda done, total: None)
    if executor is None:
        written = _on_threads(run, found, thread_count(threads), progress)
    else:
        written = _on_executor(run, found, executor, progress)
    _check_all_there(run)
    progress(run.count, run.count)
    return written


def _pieces(run: Run, found: frozenset[int]) -> Iterator[tuple[int, bool]]:
    for number in range(run.n_shards):
        yield number, number in found


def _on_threads(run: Run, found: frozenset[int], threads: int, progress: Progress) -> Written:
    # Where there are fewer shards than threads, each is played on several.
    watch = Watch(threads, max(threads // run.n_shards, 1))
    written = Written.nothing(run.content.tally)
    # Twice as many, so that work goes on while the disk is waited for.
    with ThreadPoolExecutor(2 * threads) as pool:
        made = run_on(
            pool,
            partial(make_shard, run, watch=watch),
            _pieces(run, found),
            lambda: progress(watch.done, run.count),
        )
        try:
            for _, shard in made:
                written = written.with_shard(shard)
        finally:
            watch.stop.set()
    return written


def _on_executor(
    run: Run, found: frozenset[int], executor: Executor, progress: Progress
) -> Written:
    written, done = Written.nothing(run.content.tally), 0
    for (number, _), shard in run_on(executor, partial(make_shard, run), _pieces(run, found)):
        written = written.with_shard(shard)
        done += run.range_of(number)[1]
        progress(done, run.count)
    return written


def _check_all_there(run: Run) -> None:
    # A worker on another machine may have written to a disk of its own, and another run to here.
    there = found_in(run)
    for number in range(run.n_shards if run.place else 0):
        if run.place and number not in there:
            path = run.place.address(run.name_of(number))
            raise ShardError(path, "written by a worker, and not seen here: a disk of its own?")


# --- What was found ------------------------------------------------------------------------------


def found_in(run: Run) -> frozenset[int]:
    """Return the numbers of the shards that the place of a run has, sound or damaged.

    Raises:
        ShardError: one of them is of another run, or the place cannot be read.
    """
    place = run.place
    if place is None:
        return frozenset()
    numbers = []
    for name in place.names():
        if match := run.content.names.fullmatch(name):
            if match[2] != run.form:
                raise ShardError(
                    place.address(name), f"a shard of another run: its format is {match[2]}"
                )
            numbers.append(int(match[1]))
    with ThreadPoolExecutor(SCANNED_AT_ONCE) as pool:
        for _ in pool.map(partial(_refuse_another, run, place), numbers):
            pass
    return frozenset(numbers)


def _refuse_another(run: Run, place: Place, number: int) -> None:
    name = run.name_of(number)
    path = place.address(name)
    try:
        with place.open(name) as file:
            head = head_in(FORMATS[run.form].read_head(file, path), path)
    except ShardError:
        head = None  # damaged, to be made again
    if number >= run.n_shards:
        raise ShardError(path, f"a shard of another run: this one ends with {run.n_shards} of them")
    if head is not None and (why := _difference(run, number, head)):
        raise ShardError(path, f"a shard of another run: {why}")


def _difference(run: Run, number: int, head: dict[str, Any]) -> str | None:
    first, count = run.range_of(number)
    wanted = {**run.head, "first": first, "count": count}
    head.pop("checksum", None)
    for name in sorted({*wanted, *head}):
        if head.get(name) != wanted.get(name):
            return f"{name} {excerpt(head.get(name))}, not {excerpt(wanted.get(name))}"
    return None
