"""The figures of solution.md, as SVG that reads on light and on dark; needs the extra `plot`."""

import argparse
from collections import Counter
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from solution import lead_values, mates_by_trick
from solved import ABSENT, MATED, MATES, Solved

# Mid-tones, so that all of it is seen on white and on black.
TEXT, WINS, DRAWS, LOSES = "#787878", "#3a8fd0", "#9a9a9a", "#d9742b"
SHADES = LinearSegmentedColormap.from_list("shades", ["#75818c", "#1566b0"])
STYLE = {
    "font.size": 10,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "axes.edgecolor": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "mate",
}


def figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure without ground."""
    result = Figure((width, height), layout="constrained")
    result.patch.set_alpha(0)
    axes = result.add_subplot()
    axes.patch.set_alpha(0)
    return result, axes


def distribution(solved: Solved) -> Figure:
    """Draw how often each margin is what a deal is worth to its leader."""
    result, axes = figure(8, 3.6)
    counts = Counter(solved.a.tolist())
    for name, sign, colour in (
        ("the leader mates", MATES, WINS), ("draw", 0, DRAWS), ("he is mated", MATED, LOSES)
    ):  # fmt: skip
        margins = [m for m in counts if np.sign(m) == sign]
        axes.bar(margins, [counts[m] for m in margins], 0.9, color=colour, label=name)
    ceiling = 1.1 * max(n for m, n in counts.items() if m)
    axes.set_ylim(0, ceiling)
    axes.annotate(
        f"{counts[0]:,} draws", (0.9, ceiling), (6, 0), textcoords="offset points", va="top"
    )
    axes.set_xlabel("margin of the leader, in points")
    axes.set_ylabel("deals")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="upper left")
    return result


def first_leads(solved: Solved) -> Figure:
    """Draw how often each card is a best first lead, of the deals in which it is held."""
    result, axes = figure(6, 3.6)
    found, deck = lead_values(solved), solved.variant.deck
    shares = (found == solved.a[:, None]).sum(axis=0) / (found != ABSENT).sum(axis=0)
    shares = shares.reshape(len(deck.suits), -1)
    axes.imshow(shares, SHADES, aspect="auto")
    for (suit, rank), value in np.ndenumerate(shares):
        axes.text(rank, suit, f"{value:.1%}", ha="center", va="center", color="white")
    axes.set_xticks(range(len(deck.ranks)), deck.rank_names)
    axes.set_yticks(range(len(deck.suits)), deck.suit_names)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    return result


def mating_tricks(solved: Solved) -> Figure:
    """Draw on which trick best play mates, the leader of the first trick or the other."""
    result, axes = figure(8, 3.4)
    found = mates_by_trick(solved)
    spread = np.arange(1, solved.variant.deck.hand_size + 1)
    below = np.zeros(len(spread))
    for name, sign, colour in (
        ("the leader mates", MATES, WINS), ("he is mated", MATED, LOSES)
    ):  # fmt: skip
        deals = [sum(n for (k, _, who), n in found.items() if (k, who) == (trick, sign))
                 for trick in spread]  # fmt: skip
        axes.bar(spread, deals, 0.75, below, color=colour, label=name)
        below += deals
    axes.set_xticks(spread)
    axes.set_xlabel("trick of the mate")
    axes.set_ylabel("deals")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.legend(loc="upper left")
    return result


FIGURES = {"values": distribution, "leads": first_leads, "tricks": mating_tricks}


def main() -> None:
    """Write every figure into a directory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=Path(__file__).parent / "figures")
    parser.add_argument("--format", default="svg", help="svg or png")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    solved = Solved("bga")
    with mpl.rc_context(STYLE):
        for name, draw in FIGURES.items():
            path = options.to / f"{name}.{options.format}"
            metadata = {"Date": None} if options.format == "svg" else {}
            draw(solved).savefig(path, dpi=110, metadata=metadata)


if __name__ == "__main__":
    main()
