"""A whole game solved: seconds by step, on each lane path and number of threads; look-ups; deals.

Each build runs in a process of its own, so that its peak memory is its own.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import mate
import matecore
from matecore import lanes
from matecore.index import layers
from report import arguments, median_seconds, report

LOOK_UPS = 4_000_000


def build(rules: matecore.Rules, threads: int) -> tuple[matecore.Tablebase, list[float]]:
    """Return the tablebase and the seconds of each step."""
    retrograde, seconds = matecore.Retrograde(rules), []

    def work(step: int) -> None:
        while retrograde.work(step):
            pass

    with ThreadPoolExecutor(threads) as pool:
        for step in range(1, retrograde.n_steps + 1):
            start = time.perf_counter()
            list(pool.map(work, [step] * threads))
            seconds.append(time.perf_counter() - start)
    return retrograde.tablebase(), seconds


def random_positions(rules: matecore.Rules, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return hands at random, each position of the plain table as likely as any other."""
    rng = np.random.default_rng(1)
    sizes = np.array([x.n_unions * x.lanes for x in layers(rules) if x.state == 0], dtype=float)
    n = rng.choice(np.arange(1, len(sizes) + 1), count, p=sizes / sizes.sum())[:, None]
    order = rng.random((count, rules.n_cards), dtype=np.float32).argsort(axis=1)
    bits = np.uint32(1) << order.astype(np.uint32)
    place = np.arange(rules.n_cards)[None, :]
    leaders = np.where(place < n, bits, 0).sum(axis=1, dtype=np.uint32)
    followers = np.where((place >= n) & (place < 2 * n), bits, 0).sum(axis=1, dtype=np.uint32)
    return leaders, followers


def measure_here(name: str, threads: int, runs: int) -> dict[str, object]:
    """Build in this process; return what came of it."""
    rules = mate.Variant.of(name).rules
    rounds, table = [], None
    for _ in range(runs):
        table = None  # else two are held at a time
        table, seconds = build(rules, threads)
        rounds.append(seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    leaders, followers = random_positions(rules, LOOK_UPS)
    out = np.empty(LOOK_UPS, dtype=np.int16)
    look_up = median_seconds(lambda: table.probe_many(leaders, followers, out), 3)
    return {
        "steps": [statistics.median(step) for step in zip(*rounds, strict=True)],
        "seconds": statistics.median(map(sum, rounds)),
        "positions": len(table.buffer),
        "peak": peak,
        "probes": LOOK_UPS / look_up,
    }


def measure(name: str, path: str, threads: int, runs: int) -> dict[str, object]:
    """Return the row of one variant, lane path and number of threads."""
    command = [sys.executable, __file__, "--here", name, str(threads), "--runs", str(runs)]
    environment = {**os.environ, "MATECORE_LANES": path}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    known = name == "bga" and threads == 2
    return {
        "variant": name,
        "lanes": path,
        "threads": threads,
        "seconds": found["seconds"],
        "must": (6.0 if path == "avx512" else 25.0) if known else "",
        "aim": (2.0 if path == "avx512" else 8.0) if known else "",
        "M positions/s": found["positions"] / found["seconds"] / 1e6,
        "peak MB": round(found["peak"] / 1e6),
        "M probes/s": found["probes"] / 1e6,
        "seconds by step": " ".join(f"{seconds:.2f}" for seconds in found["steps"]),
    }


def measure_lattice(name: str, path: str, runs: int) -> dict[str, object]:
    """Return the row of all positions of single deals, on one thread."""
    os.environ["MATECORE_LANES"] = path
    variant, rng = mate.Variant.of(name), np.random.default_rng(1)
    lattice = matecore.Lattice(variant.rules)
    deals = [mate.Deal.random(rng, variant.deck) for _ in range(100)]

    def work() -> None:
        for deal in deals:
            lattice.solve(deal.x.mask, deal.y.mask)

    milliseconds = median_seconds(work, runs) / len(deals) * 1e3
    return {"variant": name, "lanes": path, "ms/deal": milliseconds, "MB": lattice.size / 1e6}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    result = arguments(__doc__)
    result.add_argument("--variants", nargs="+", default=list(mate.PRESETS), help="presets")
    result.add_argument("--here", nargs=2, metavar=("VARIANT", "THREADS"), help=argparse.SUPPRESS)
    return result


def main() -> None:
    """Measure bga on every lane path, the other presets on the fastest; then single deals."""
    options = parser().parse_args()
    if options.here:
        name, threads = options.here
        print(json.dumps(measure_here(name, int(threads), options.runs)))
        return
    best, *others = lanes.available()
    cases = [(name, best, 2) for name in options.variants]
    cases += [("bga", path, 2) for path in others]
    cases += [("bga", path, 1) for path in lanes.available()]
    report([measure(*case, options.runs) for case in cases], options.json)
    deals = [(name, best) for name in options.variants] + [("bga", path) for path in others]
    deals_json = options.json and str(Path(options.json).with_suffix(".deals.json"))
    report([measure_lattice(*case, options.runs) for case in deals], deals_json)


if __name__ == "__main__":
    main()
