"""Games reviewed and records read, in a second, on one thread, by variant."""

import random

import mate
from report import arguments, median_seconds, report

GAMES = {"capellen,deck=double24": 10}
USUAL_GAMES = 200


def random_records(name: str, count: int) -> list[mate.Record]:
    """Return records of games played at random, the same at every call."""
    rng, variant = random.Random(1), mate.Variant.of(name)
    records = []
    for seed in range(count):
        game = mate.Game(mate.Deal.random(seed, variant.deck), variant)
        while not game.is_over:
            game.push(rng.choice(game.legal_actions))
        records.append(mate.Record.of(game))
    return records


def measure(name: str, runs: int) -> dict[str, object]:
    """Return the row of one variant."""
    count = GAMES.get(name, USUAL_GAMES)
    records = random_records(name, count)
    text = "\n".join(map(mate.write_record, records))
    reviewing = median_seconds(lambda: [mate.review(record) for record in records], runs)
    reading = median_seconds(lambda: list(mate.parse_records(text)), runs)
    writing = median_seconds(lambda: [mate.write_record(record) for record in records], runs)
    return {
        "variant": name,
        "games": count,
        "ms/review": reviewing / count * 1e3,
        "reviewed/s": round(count / reviewing),
        "read/s": round(count / reading),
        "written/s": round(count / writing),
    }


def main() -> None:
    """Measure every preset and the deck of 24."""
    options = arguments(__doc__).parse_args()
    names = [*mate.PRESETS, "capellen,deck=double24"]
    report([measure(name, options.runs) for name in names], options.json)


if __name__ == "__main__":
    main()
