"""Writes tests/data/golden.mtb and golden.json: a small tablebase and what it says.

To be run again only for a new version of the format.
"""

import json
import random
from pathlib import Path

import mate

DATA = Path(__file__).with_name("data")
VARIANT = mate.Variant(
    deck=mate.Deck("ab", "XYZ", ("XYZ", "XYY"), (5, 3, 2)),
    privileged=frozenset("Y"),
    free_move=True,
    foreplace=mate.Foreplacing("tempos", second_alone=True, last_card_twice=True),
    name="golden",
)


def main() -> None:
    """Build, save, and note the values of positions from random games."""
    tablebase, rng, values = mate.Tablebase.build(VARIANT), random.Random(1), {}
    for _ in range(40):
        game = mate.Game(mate.Deal.random(rng.randrange(1000), VARIANT.deck), VARIANT)
        while not game.is_over:
            values[str(game)] = tablebase.probe(game)
            game.push(rng.choice(game.legal_moves))
    tablebase.save(DATA / "golden.mtb")
    golden = {
        "variant": VARIANT.to_plain(),
        "checksums": tablebase.core.checksums().tolist(),
        "values": dict(sorted(values.items())),
    }
    (DATA / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
