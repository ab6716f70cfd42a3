"""Hands of Court Piece in files: written shard by shard, and read back (docs/shards.md)."""

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from mate.arrays.places import place_of
from mate.arrays.shardreading import read_shards
from mate.arrays.shards import UNITS_A_SHARD, Written, perform, run_to
from mate.court_piece.handcontent import HANDS
from mate.court_piece.hands import Hands
from mate.court_piece.selfplaying import SelfPlay
from mate.court_piece.variant import Variant
from mate.threads import Progress

if TYPE_CHECKING:
    import os


def write_selfplay(
    destination: "str | os.PathLike[str]",
    count: int,
    a: str = "random",
    b: str = "random",
    variant: "Variant | str" = "seed",
    seed: int = 0,
    threads: int | None = None,
    *,
    caller: int | None = None,
    shard: int = UNITS_A_SHARD,
    format: str = "parquet",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Written:
    """Play hands and write them as shards, each of them whole or not at all.

    The same call made again goes on where the last one stopped, as that of `mate.write_selfplay`.

    Arguments:
        destination: a directory, or an address that fsspec understands (s3://…, gs://…); with an
            executor one that all workers see.
        count: how many hands, at least 1.
        a, b, variant, seed, caller: as `mate.court_piece.selfplay`.
        threads: how many to use, 1..256; None for one a core.
        shard: how many hands a file holds, 1..2**26.
        format: "parquet", which needs the extra `parquet`, or "npz".
        executor: who makes the shards instead of threads of this process.
        progress: called with the hands done and all, from the calling thread.

    Raises:
        ShardError: something cannot be written, or the destination has shards of another run;
            in that case nothing is written.
        MateError: an argument is wrong, or the executor fails.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     written = write_selfplay(directory, 1000, seed=1, shard=400, format="npz")
    ...     hands = [len(hands) for hands in read_hands(directory)]
    >>> written.shards, written.tally.hands, hands
    (3, 1000, [400, 400, 200])
    """
    plan = SelfPlay(Variant.of(variant), a, b, seed, caller)
    run = run_to(place_of(destination), plan, count, shard, format)
    return perform(run, threads, executor, progress)


def read_hands(source: "str | os.PathLike[str]") -> Iterator[Hands]:
    """Return the hands of a shard, or of all shards of a run, one shard in memory at a time.

    All is checked: the columns, the checksums, that the hands are legal and end as they tell, that
    the shards are of one run and none is missing before the last. That is every byte of what is
    read; bytes that tell nothing of the hands, such as a file's magic number, may be any.

    Arguments:
        source: a file, a directory, or an address of either.

    Raises:
        ShardError: there is no shard, or one that is not sound; also while iterating.
        MateError: what the format needs is not installed.
    """
    return read_shards(HANDS, source)
