"""Every number of solution.md, by section, from tablebases.

A tablebase is opened where `mate tablebase build` has put it, else built in memory and forgotten.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import mate
import matecore
from foreplacing import foreplacing
from mate.tablebase import size_of
from matecore.index import layers
from rounds import loser
from solved import ABSENT, DRAWN, MATED, MATES, Solved, Table, counted, grid, share, show, signs

# Each preset, and each of its rules changed alone; and what that is compared with.
VARIATIONS = {
    "bga": None,
    "bga-king": "bga",
    "bga-figure": "bga",
    "bga-free": "bga",
    "abril": "bga",
    "capellen": "bga",
    "capellen,second_alone=yes": "capellen",
    "capellen,second_differs=no": "capellen",
    "capellen,last_card_twice=no": "capellen",
    "capellen,weights=tempos": "capellen",
    "tempos": "bga",
    "tempos,second_alone=no": "tempos",
    "tempos,second_differs=yes": "tempos",
    "tempos,last_card_twice=no": "tempos",
    "tempos,weights=capellen": "tempos",
    "pieces": "bga",
    "pieces,foreplace=none": "bga",
    "pieces,privileged=,privilege_declared=no": "pieces",
    "pieces,privilege_declared=no": "pieces",
    "pieces,second_alone=no": "pieces",
    "pieces,second_differs=yes": "pieces",
    "double,foreplace=none": None,
    "double": "double,foreplace=none",
}


# --- Positions -----------------------------------------------------------------------------------


def positions(variant: str) -> list[Table]:
    """How many positions each preset has, and how the layers of one variant are worth."""
    rows = [
        (name, sum(x.n_unions * x.lanes for x in layers(mate.Variant.of(name).rules)),
         size_of(name), matecore.width_of(mate.Variant.of(name).rules))
        for name in mate.PRESETS
    ]  # fmt: skip
    sizes = Table("positions between tricks", ("preset", "positions", "bytes", "a position"), rows)
    return [sizes, layer_table(Solved(variant))]


def layer_table(solved: Solved) -> Table:
    """Return what the positions of each layer are worth to the leader."""
    rows = [
        (f"{x.leader_cards}/{x.follower_cards}", x.trick,
         f"{'l' * x.leader_foreplaced}{'f' * x.follower_foreplaced}{'+' * x.free}" or "-",
         x.positions, *(share(n, x.positions) for n in (x.wins, x.draws, x.losses)),
         f"{x.mean:+.2f}")
        for x in solved.table.stats()
    ]  # fmt: skip
    columns = ("cards", "trick", "state", "positions", "leader mates", "draws", "mated", "mean")
    return Table(f"layers of {solved.variant.name}", columns, rows)


# --- Values --------------------------------------------------------------------------------------


def values(variant: str) -> list[Table]:
    """What the deals are worth to the leader, and which are worth most and least."""
    solved = Solved(variant)
    return [outcome_table(solved), margin_table(solved), extreme_table(solved)]


def outcome_table(solved: Solved) -> Table:
    """Return how often the leader mates, draws and is mated, and the mean margins."""
    a, n = solved.a, len(solved.a)
    rows = [
        (name, int((np.sign(a) == sign).sum()), share((np.sign(a) == sign).sum(), n),
         f"{a[np.sign(a) == sign].mean():+.3f}")
        for name, sign in (("mates", MATES), ("draws", DRAWN), ("is mated", MATED))
        if (np.sign(a) == sign).any()
    ]  # fmt: skip
    rows.append(("all", n, share(n, n), f"{a.mean():+.3f}"))
    return Table(
        f"the leader, all deals of {solved.variant.name}",
        ("", "deals", "share", "mean margin"),
        rows,
    )


def margin_table(solved: Solved) -> Table:
    """Return the most common margins."""
    counts = Counter(solved.a.tolist())
    rows = [(value, n, share(n, len(solved.a))) for value, n in counts.most_common(16)]
    return Table(f"commonest of {len(counts)} margins", ("margin", "deals", "share"), rows)


def extreme_table(solved: Solved) -> Table:
    """Return the most one-sided deals: how many, and the first of them."""
    rows = [
        (value, int((solved.a == value).sum()), solved.text(int(np.argmax(solved.a == value))))
        for value in (int(solved.a.max()), int(solved.a.min()))
    ]
    return Table("the most one-sided deals", ("margin", "deals", "the first"), rows)


# --- Leading -------------------------------------------------------------------------------------


def leading(variant: str) -> list[Table]:
    """What it is worth to lead: a deal when X leads it beside the same when Y leads."""
    solved = Solved(variant)
    gain = solved.a + solved.b
    title = "what leading gains, a + b"
    rows = [(name, int(n), share(n, len(gain))) for name, n in signs(gain)]
    rows += [("a = b = 0", *counted(solved.a == 0, solved.b == 0))]
    rows += [("a = b, not 0", *counted(solved.a == solved.b, solved.a != 0))]
    bounds = [("mean", f"{gain.mean():+.3f}"), ("least", int(gain.min())),
              ("most", int(gain.max())), ("median", float(np.median(gain)))]  # fmt: skip
    return [
        both_table(solved),
        Table(title, ("", "deals", "share"), rows),
        Table(title, ("", "points"), bounds),
        gain_table(solved, gain),
    ]


def both_table(solved: Solved) -> Table:
    """Return how often each outcome with X leading meets each with Y leading."""
    names = {MATES: "Y, leading, mates", DRAWN: "draws", MATED: "is mated"}
    rows = [
        (name, *(int(((np.sign(solved.a) == x) & (np.sign(solved.b) == y)).sum()) for y in names))
        for x, name in ((MATES, "X, leading, mates"), (DRAWN, "draws"), (MATED, "is mated"))
    ]
    return Table("the same deal, either leading", ("", *names.values()), rows)


def gain_table(solved: Solved, gain: np.ndarray) -> Table:
    """Return the deals in which leading is a burden, and one in which it gains most."""
    found = [*np.flatnonzero(gain < 0), int(np.argmax(gain))]
    rows = [(solved.text(row), solved.a[row], solved.b[row], gain[row]) for row in found]
    return Table("leading is a burden; and gains most", ("deal", "a", "b", "a + b"), rows)


# --- First leads ---------------------------------------------------------------------------------


def lead_values(solved: Solved) -> np.ndarray:
    """Return int of shape (n, cards): what each first lead brings X; ABSENT for what Y holds."""
    n = solved.variant.deck.n_cards
    found = np.full((len(solved.a), n), ABSENT)
    for row, position in enumerate(solved.openings()):
        for action, value in solved.table.core.values(position):
            card = action if action < n else action - (2 * n + 1)
            found[row, card] = max(found[row, card], value)
    return found


def leads(variant: str) -> list[Table]:
    """How often each card is a best first lead."""
    solved = Solved(variant)
    if solved.variant.foreplace:
        raise SystemExit(f"{variant}: the first decision is no lead")
    found = lead_values(solved)
    best, held = found == solved.a[:, None], found != ABSENT
    decisive = solved.a != 0
    title = "a best lead, of the deals in which it is held"
    counts = Counter(best.sum(axis=1).tolist())
    lost = solved.a - np.where(held, found, 0).sum(axis=1) / held.sum(axis=1)
    return [
        grid(solved, best.sum(axis=0), held.sum(axis=0), title),
        grid(solved, best[decisive].sum(axis=0), held[decisive].sum(axis=0), title + ", no draws"),
        Table("best leads in a deal", ("leads", "deals", "share"),
              [(k, n, share(n, len(best))) for k, n in sorted(counts.items())]),
        Table("a lead at random instead", ("", "points"), [("costs", f"{lost.mean():.3f}")]),
    ]  # fmt: skip


# --- Tricks --------------------------------------------------------------------------------------


def mates_by_trick(solved: Solved) -> Counter:
    """Return how often best play mates, by (trick, card, who: MATES or MATED).

    Of equally good moves the first in the order of the deck is made.
    """
    found, n = Counter(), solved.variant.deck.n_cards
    for row in np.flatnonzero(solved.a):
        x, y = solved.deals[row].tolist()
        line = solved.table.core.line(matecore.Position(solved.variant.rules, x, y))
        cards = [action for action in line if not n <= action <= 2 * n]
        trick, card = (len(cards) + 1) // 2, cards[-1]
        card = card if card < n else card - (2 * n + 1)
        found[trick, card, int(np.sign(solved.a[row]))] += 1
    return found


def tricks(variant: str) -> list[Table]:
    """On which trick best play mates, and with which card."""
    solved = Solved(variant)
    deck, found = solved.variant.deck, mates_by_trick(solved)
    total = sum(found.values())
    by_trick, by_rank = Counter(), Counter()
    for (trick, card, who), n in found.items():
        by_trick[trick, who] += n
        by_rank[trick, deck.rank_of[card]] += n
    spread = range(1, deck.hand_size + 1)
    rows = [(k, by_trick[k, MATES], by_trick[k, MATED],
             share(by_trick[k, MATES] + by_trick[k, MATED], total)) for k in spread]  # fmt: skip
    by_card = [(k, *(by_rank[k, rank] for rank in range(len(deck.ranks)))) for k in spread]
    mean = sum(k * n for (k, *_), n in found.items()) / total
    return [
        Table("the trick of the mate", ("trick", "leader mates", "is mated", "share"), rows),
        Table("the trick, by the card that mates", ("trick", *deck.ranks), by_card),
        Table("the trick of the mate", ("", ""), [("mean", f"{mean:.3f}"), certain_row(solved)]),
    ]


def certain_row(solved: Solved) -> tuple[str, str]:
    """Return how many decisive margins can come about on one trick alone."""
    tricks_of = Counter(
        points * trick
        for points in set(solved.variant.deck.points)
        for trick in range(1, solved.variant.deck.hand_size + 1)
    )
    decisive = np.abs(solved.a[solved.a != 0])
    certain = sum(tricks_of[value] == 1 for value in decisive.tolist())
    return "margins that tell the trick", f"{certain} of {len(decisive)}"


# --- Rules ---------------------------------------------------------------------------------------


@cache
def margins(variant: str) -> np.ndarray:
    """Return the leader's margin in every deal of a variant."""
    return Solved(variant).a


def rules(variant: str) -> list[Table]:
    """What each preset makes of the deals, and each of its rules changed alone."""
    rows = []
    for name, base in VARIATIONS.items():
        a = margins(name)
        shares = (share((np.sign(a) == sign).sum(), len(a)) for sign in (MATES, DRAWN, MATED))
        rows.append((name, *shares, f"{a.mean():+.3f}", int(a.max()), int(a.min()),
                     base or "-", *(shift(a, margins(base)) if base else ("-",) * 3)))  # fmt: skip
        print(name, file=sys.stderr)
    columns = ("variant", "mates", "draws", "mated", "mean", "most", "least",
               "against", "other margin", "other outcome", "mean shift")  # fmt: skip
    return [Table("the rules", columns, rows)]


def shift(a: np.ndarray, base: np.ndarray) -> tuple[str, str, str]:
    """Return in how many deals margin and outcome differ, and by how much the mean does."""
    outcome = np.sign(a) != np.sign(base)
    means = f"{a.mean() - base.mean():+.3f}"
    return share((a != base).sum(), len(a)), share(outcome.sum(), len(a)), means


# --- Command line --------------------------------------------------------------------------------

SECTIONS: dict[str, Callable[[str], list[Table]]] = {
    "positions": positions,
    "values": values,
    "leading": leading,
    "leads": leads,
    "tricks": tricks,
    "foreplacing": foreplacing,
    "rules": rules,
    "loser": loser,
}


def main() -> None:
    """Print a section's numbers for a variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("variant", nargs="?", default="bga")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there as well")
    options = parser.parse_args()
    tables = SECTIONS[options.section](options.variant)
    for table in tables:
        show(table)
    if options.json:
        plain = [table._asdict() for table in tables]
        Path(options.json).write_text(json.dumps(plain, indent=1, default=int) + "\n")


if __name__ == "__main__":
    main()
