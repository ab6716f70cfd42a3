"""How strong the players are: points a round against the optimal one, each deal from both seats.

Not a matter of time: the same seed gives the same figures everywhere. The interval is that of 95 %
for the mean of the pairs of rounds; a round is won by who scores more in its two games.
"""

import math
import statistics
from time import perf_counter

import numpy as np

import mate
from mate.players import LEVELS
from report import arguments, report

TEXTS = (
    *(f"level:{number}" for number in range(1, len(LEVELS) + 1)),
    "random", "greedy", *(f"depth:{tricks}" for tricks in range(1, 10)),
    *(f"epsilon:{chance}" for chance in (0.5, 0.2, 0.1, 0.05)),
    *(f"softmax:{points}" for points in (20, 10, 5)),
)  # fmt: skip


def pair(text: str, deal: mate.Deal, variant: str, number: int) -> tuple[int, int]:
    """Return the player's margins in the two rounds of a deal: as X, and as Y."""
    one, best = mate.Player.of(text, 2 * number), mate.Player.of("optimal", 2 * number + 1)
    as_x = mate.Round(deal, variant).play(one, best)
    return as_x, -mate.Round(deal, variant).play(best, one)


def measure(text: str, variant: str, pairs: int) -> dict[str, object]:
    """Return the row of a player."""
    rng = np.random.default_rng(1)
    since = perf_counter()
    deck = mate.Variant.of(variant).deck
    margins = [pair(text, mate.Deal.random(rng, deck), variant, n) for n in range(pairs)]
    means = [sum(both) / 2 for both in margins]
    rounds = [margin for both in margins for margin in both]
    return {
        "player": text,
        "plays as": LEVELS[int(text[6:]) - 1] if text.startswith("level:") else "",
        "rounds": len(rounds),
        "points a round": f"{statistics.mean(means):+.2f}",
        "±": f"{1.96 * statistics.stdev(means) / math.sqrt(pairs):.2f}",
        "won": f"{sum(margin > 0 for margin in rounds) / len(rounds):.1%}",
        "level": f"{sum(margin == 0 for margin in rounds) / len(rounds):.1%}",
        "ms a round": round(1000 * (perf_counter() - since) / len(rounds), 2),
    }


def main() -> None:
    """Measure each player."""
    parser = arguments(__doc__)
    parser.add_argument("--variant", default="bga")
    parser.add_argument("--pairs", type=int, default=2000, help="deals, two rounds each")
    options = parser.parse_args()
    report([measure(text, options.variant, options.pairs) for text in TEXTS], options.json)


if __name__ == "__main__":
    main()
