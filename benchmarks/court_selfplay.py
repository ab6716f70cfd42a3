"""Self-play of Court Piece: hands a second by policies, presets and threads, and to files.

The rates of a table are measured one after another in one process.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mate.court_piece import PRESETS, selfplay, write_selfplay
from report import arguments, median_seconds, report

Row = dict[str, object]

COUNT = 1_000_000
PAIRS = [("random", "random"), ("random", "greedy"), ("greedy", "greedy")]
OTHERS = ["seed,redeal_below=T", "seed,trump=second_batch", "seed,trump=longest"]
SHARDS = 4


def row(what: str, count: int, seconds: float, **known: object) -> Row:
    """Return a row of the table."""
    told = {"work": what, "variant": "seed", "threads": 1, "must": "", **known, "hands": count}
    return {**told, "hands/s": f"{count / seconds:,.0f}"}


def played(
    a: str, b: str, runs: int, variant: str = "seed", threads: int = 1, must: str = ""
) -> Row:
    """Return the row of a pair of policies."""
    seconds = median_seconds(lambda: selfplay(COUNT, a, b, variant, threads=threads), runs)
    return row(f"{a} v {b}", COUNT, seconds, variant=variant, threads=threads, must=must)


def rows(runs: int) -> Iterator[Row]:
    """Yield the rows of hands in memory."""
    for a, b in PAIRS:
        yield played(a, b, runs, must="1,000,000" if a == b == "random" else "")
    for a, b in PAIRS[::2]:
        yield played(a, b, runs, threads=2)
    for variant in [*list(PRESETS)[1:], *OTHERS]:
        yield played("random", "random", runs, variant)


def to_files(runs: int) -> Iterator[Row]:
    """Yield the rows of the same hands written, with their share of the rate in memory."""
    for form in ("parquet", "npz"):
        shares, times = [], []
        for _ in range(runs + 1):  # the first is not counted
            start = time.perf_counter()
            for shard in range(SHARDS):
                selfplay(COUNT, threads=1, first=shard * COUNT)
            in_memory = time.perf_counter() - start
            with tempfile.TemporaryDirectory() as place:
                start = time.perf_counter()
                written = write_selfplay(
                    Path(place) / "hands", SHARDS * COUNT, threads=1, shard=COUNT, format=form
                )
                times.append(time.perf_counter() - start)
            shares.append(in_memory / times[-1])
        share, size = statistics.median(shares[1:]), written.bytes / SHARDS / COUNT
        what = f"random v random to {form}, {share:.2f} of memory, {size:.1f} bytes a hand"
        yield row(what, SHARDS * COUNT, statistics.median(times[1:]))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--no-files", action="store_true", help="leave out what is written")
    options = parser.parse_args()
    hands = selfplay(100_000)
    print(f"random hands of seed have {(hands.moves >= 0).sum() / len(hands):.1f} decisions")
    found = list(rows(options.runs))
    if not options.no_files:
        found += to_files(options.runs)
    report(found, options.json)


if __name__ == "__main__":
    main()
