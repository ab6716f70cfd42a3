"""Make tests/data/puzzles.jsonl: the first puzzles of some seeds, which must stay as they are.

Run it only where a change of what puzzles are is meant, and say so in CHANGELOG.md: people share
puzzles by their seeds.
"""

import json
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import mate

FILE = Path(__file__).with_name("data") / "puzzles.jsonl"
ASKED = [
    *((name, 1, None, 4) for name in mate.PRESETS),
    ("capellen,deck=double24", 1, None, 4),
    *(("bga", 2, level, 2) for level in range(1, 6)),
    ("bga", 2**64, None, 2),
]  # variant, seed, level, how many


def row_of(puzzle: mate.Puzzle) -> dict[str, object]:
    """A puzzle as plain data, without its line, where several are as good."""
    row = {**asdict(puzzle), "position": str(puzzle.position)}
    del row["line"]
    return json.loads(json.dumps(row))


def rows() -> list[dict[str, object]]:
    """The rows of the file."""
    return [
        {"variant": variant, "seed": seed, "asked": level, **row_of(puzzle)}
        for variant, seed, level, count in ASKED
        for puzzle in islice(mate.puzzles(seed, variant, level), count)
    ]


if __name__ == "__main__":
    FILE.write_text("".join(json.dumps(row) + "\n" for row in rows()))
