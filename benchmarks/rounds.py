"""What rounds are worth where the loser of game 1 leads game 2: milliseconds a deal, one thread."""

import mate
from report import arguments, median_seconds, report
from solve import random_masks

DEALS = 200


def measure(name: str, runs: int) -> dict[str, object]:
    """Return the row of one variant; both players' leads of game 1 are solved."""
    variant = mate.Variant.of(name)
    masks = random_masks(variant, DEALS)
    games = median_seconds(lambda: mate.solve(masks, variant, threads=1), runs)
    rounds = median_seconds(lambda: mate.solve_round(masks, variant, threads=1), runs)
    return {
        "variant": name,
        "deals": DEALS,
        "ms/deal, round": rounds / DEALS * 1e3,
        "ms/deal, game": games / DEALS * 1e3,
        "ratio": rounds / games,
    }


def main() -> None:
    """Measure the presets in which the loser leads."""
    options = arguments(__doc__).parse_args()
    names = [name for name, variant in mate.PRESETS.items() if variant.second_leader == "loser"]
    report([measure(name, options.runs) for name in names], options.json)


if __name__ == "__main__":
    main()
