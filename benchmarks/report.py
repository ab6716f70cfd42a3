"""What every benchmark does at its end: a table on the terminal, and the same as JSON."""

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import mate


def machine() -> dict[str, object]:
    """Return what the figures were measured on."""
    cpuinfo = Path("/proc/cpuinfo")
    names = [
        line.partition(":")[2].strip()
        for line in (cpuinfo.read_text() if cpuinfo.exists() else "").splitlines()
        if line.startswith("model name")
    ]
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "mate": mate.__version__,
    }


def median_seconds(work: Callable[[], object], runs: int) -> float:
    """Return the median time of several runs, after one that is not counted."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options all benchmarks have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runs", type=int, default=5, help="runs; the median counts")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    return parser


def report(rows: list[dict[str, object]], path: str | None) -> None:
    """Print the rows as a table under the machine's name, and write them as JSON."""
    place = machine()
    print(", ".join(f"{key} {value}" for key, value in place.items()))
    columns = list(rows[0])
    texts = [columns] + [[_text(row[column]) for column in columns] for row in rows]
    widths = [max(len(text[i]) for text in texts) for i in range(len(columns))]
    for text in texts:
        print("  ".join(cell.ljust(width) for cell, width in zip(text, widths, strict=True)))
    if path:
        Path(path).write_text(json.dumps({"machine": place, "rows": rows}, indent=1) + "\n")


def _text(value: object) -> str:
    return f"{value:,.3f}" if isinstance(value, float) else str(value)
