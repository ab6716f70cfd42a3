"""Writes tests/data/perft.json: how many sequences of moves there are, counted by the reference.

Three deals a variant, both leaders; `counts[d]` is the number of sequences of exactly d moves, a
decision on foreplacing being a move, copies of a card counted apart.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from make_values import random_deal
from reference import VARIANTS, perft, start

DATA = Path(__file__).with_name("data")
DEALS = 3
DEEPEST = 6
LARGEST = 1_000_000  # no deeper once there are this many sequences


def counted(name: str, deal: str, leader: str) -> dict:
    """The counts of one game by depth, from 0."""
    state = start(name, deal, leader)
    counts = [1]
    while len(counts) <= DEEPEST and counts[-1] < LARGEST // 10:
        counts.append(perft(state, len(counts)))
    return {"variant": name, "deal": deal, "leader": leader, "counts": counts}


def main() -> None:
    """Counts every game, one line each."""
    games = []
    for name, variant in VARIANTS.items():
        rng = random.Random(f"perft {name}")
        deals = [random_deal(variant, rng) for _ in range(DEALS)]
        games += [counted(name, deal, leader) for deal in deals for leader in "xy"]
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    (DATA / "perft.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
