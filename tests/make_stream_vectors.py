"""Writes data/stream_vectors.json: the random words of some units, and the deals they give.

`words` are the first 32-bit words of unit i under a seed and a stream; `deals` the hand of X as a
mask for decks of that many cards. They are what self-play is to draw forever.
"""

import json
from math import comb
from pathlib import Path

from selfplay_reference import Stream, nth_hand

CASES = [
    (0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 0), (2026, 0, 12345), (0, 1, 0), (7, 3, 1),
    (2**32, 0, 2**32), (2**63 - 1, 0, 2**40), (2**64 - 1, 0, 0), (2**64 - 1, 2**64 - 1, 2**64 - 1),
]  # fmt: skip
DECKS = (2, 6, 8, 12, 20, 24, 32)


def vector(seed: int, stream: int, unit: int) -> dict[str, object]:
    """The first words of a unit, and its deal by the size of the deck."""
    source, deals = Stream(seed, unit, stream), {}
    for n_cards in DECKS:
        number = Stream(seed, unit, stream).below(comb(n_cards, n_cards // 2))
        deals[str(n_cards)] = sum(1 << card for card in nth_hand(number, n_cards))
    words = [source.word() for _ in range(20)]
    return {"seed": seed, "stream": stream, "unit": unit, "words": words, "deals": deals}


def main() -> None:
    """Write the file, a line a unit."""
    lines = ",\n".join(json.dumps(vector(*case)) for case in CASES)
    path = Path(__file__).with_name("data") / "stream_vectors.json"
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
