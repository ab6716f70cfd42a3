"""Puzzles by variant: how many a second, and of which levels they are."""

import statistics
import time
from collections import Counter
from itertools import islice

import mate
from mate.puzzle import LEVELS
from report import arguments, report

VARIANTS = [*mate.PRESETS, "capellen,deck=double24"]


def main() -> None:
    """Make puzzles of each variant."""
    parser = arguments(__doc__)
    parser.set_defaults(runs=1)
    parser.add_argument("--count", type=int, default=1000, help="puzzles a variant")
    options = parser.parse_args()
    report([row_of(name, options.count, options.runs) for name in VARIANTS], options.json)


def row_of(variant: str, count: int, runs: int) -> dict[str, object]:
    """Make that many puzzles; what they are is the same on every run and machine."""
    times = []
    for _ in range(runs):
        since = time.perf_counter()
        made = list(islice(mate.puzzles(1, variant), count))
        times.append(time.perf_counter() - since)
    levels = Counter(puzzle.level for puzzle in made)
    kinds = {
        **{f"level {level}": levels[level] for level in range(1, LEVELS + 1)},
        "draws": sum(puzzle.outcome is None for puzzle in made),
        "replies": sum(puzzle.position.led is not None for puzzle in made),
        "trapped": sum(bool(puzzle.traps) for puzzle in made),
    }
    shares = {name: f"{number / count:.1%}" for name, number in kinds.items()}
    return {
        "variant": variant,
        "puzzles": count,
        "a second": round(count / statistics.median(times)),
        **shares,
    }


if __name__ == "__main__":
    main()
