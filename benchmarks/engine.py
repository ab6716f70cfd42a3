"""The engine protocol: how soon an engine stops, and what talking to it costs.

    python benchmarks/engine.py [--runs 5] [--json FILE]

A search is stopped at a random time after it began, twenty times a run. Measured is what a client
sees, from `stop` to `bestmove`; the worst of all is what counts.
"""

import random
import statistics
import subprocess
import sys
import time

import mate
from mate.engine import Engine
from mate.protocol.settings import write_variant
from report import arguments, median_seconds, report

COMMAND = [sys.executable, "-m", "mate", "engine"]
STOPS_A_RUN = 20
MUST = 0.05
LONG_DECK = mate.Deck("abcd", "STUVWXYZ", ("STUVWXYZ",) * 4, (8, 7, 6, 5, 4, 3, 2, 1))
SEARCHES = {
    "32 cards, free move": mate.Variant(deck=LONG_DECK, free_move=True),
    "32 cards, foreplacing": mate.Variant(
        deck=LONG_DECK, foreplace=mate.PRESETS["capellen"].foreplace
    ),
    "capellen,deck=double24": mate.Variant.of("capellen,deck=double24"),
    "bga": mate.Variant.of("bga"),
}


def stops(variant: mate.Variant, count: int) -> list[float]:
    """Return how many seconds passed from each stop to its answer."""
    rng = random.Random(1)
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as engine:
        engine.stdin.write(f"setoption name Variant value {write_variant(variant)}\nisready\n")
        engine.stdout.readline()  # what its start takes is another matter
        taken = []
        for _ in range(count):
            deal = mate.Deal.random(rng.randrange(2**32), variant.deck)
            engine.stdin.write(f"position deal {deal}\ngo infinite\n")
            time.sleep(rng.random() * (0.5 if variant.deck is LONG_DECK else 0.01))
            since = time.perf_counter()
            engine.stdin.write("stop\n")
            while not engine.stdout.readline().startswith("bestmove"):
                pass
            taken.append(time.perf_counter() - since)
        engine.stdin.write("quit\n")
    return taken


def stopping(name: str, variant: mate.Variant, count: int) -> dict[str, object]:
    """Return the row of a variant."""
    taken = stops(variant, count)
    median = statistics.median(taken) * 1000
    work = f"stop to bestmove, {name}, {count} stops"
    return {"work": work, "ms": median, "worst ms": max(taken) * 1000, "must": MUST * 1000}


def talking(runs: int) -> list[dict[str, object]]:
    """Return the rows of what the client's calls take."""
    game = mate.Game("AQ7.A7.TK7.AT")

    def start() -> None:
        Engine.popen().quit()

    rows = {"popen and quit": median_seconds(start, runs)}
    with Engine.popen() as engine:
        rows["Engine.new_game"] = median_seconds(engine.new_game, 100 * runs)
        rows["Engine.play, depth 1"] = median_seconds(lambda: engine.play(game, depth=1), 100)
        rows["Engine.play, exact, again"] = median_seconds(lambda: engine.play(game), 100)
    return [
        {"work": work, "ms": seconds * 1000, "worst ms": "", "must": ""}
        for work, seconds in rows.items()
    ]


def main() -> None:
    """Measure stops and calls."""
    options = arguments(__doc__).parse_args()
    count = STOPS_A_RUN * options.runs
    rows = [stopping(name, variant, count) for name, variant in SEARCHES.items()]
    report([*rows, *talking(options.runs)], options.json)


if __name__ == "__main__":
    main()
