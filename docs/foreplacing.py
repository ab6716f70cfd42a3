"""Foreplacing: how often it is right, for either player, and with which card."""

from collections import Counter

import numpy as np

import matecore
from solved import ABSENT, Solved, Table, grid, share


def foreplace_values(solved: Solved, position: matecore.Position) -> np.ndarray | None:
    """Return what declining and each card bring the player who is to decide; None if nobody is."""
    n = solved.variant.deck.n_cards
    if not any(position.undecided):
        return None
    found = np.full(n + 1, ABSENT)
    for action, value in solved.table.core.values(position):
        found[action - n] = value
    return found


class Decisions:
    """How one player did best to decide on foreplacing, over many deals.

    Attributes:
        signs: how often the best card brought more (1), as much (0) or less (-1) than declining.
        gain: what the cards brought more, summed over the deals where they did.
        right, held: by card, how often it was a best one, of the deals where one was right, and
            how often he held it then.
    """

    def __init__(self, n_cards: int):
        self.signs, self.gain = Counter(), 0
        self.right, self.held = np.zeros(n_cards, int), np.zeros(n_cards, int)

    def add(self, found: np.ndarray) -> int:
        """Count a decision; return it: 0 to decline, unless a card brings more, else card + 1."""
        best = found[1:].max()
        sign = int(np.sign(best - found[0]))
        self.signs[sign] += 1
        if sign <= 0:
            return 0
        self.gain += int(best - found[0])
        self.right += found[1:] == best
        self.held += found[1:] != ABSENT
        return int(np.argmax(found[1:])) + 1


def decisions(solved: Solved) -> tuple[dict[str, Decisions], Counter]:
    """Return how the leader decides best, and the other after either; and who foreplaces."""
    n, ways = solved.variant.deck.n_cards, Counter()
    names = ("leader", "other, after a card", "other, after declining")
    found = {name: Decisions(n) for name in names}
    for position in solved.openings():
        first = found["leader"].add(foreplace_values(solved, position))
        position.push(n + first)
        then = foreplace_values(solved, position)
        second = 0 if then is None else found[names[1 if first else 2]].add(then)
        ways[bool(first), bool(second)] += 1
    return found, ways


def foreplacing(variant: str) -> list[Table]:
    """How often foreplacing is right for either player, and with which card."""
    solved = Solved(variant)
    if not solved.variant.foreplace:
        raise SystemExit(f"{variant}: nobody foreplaces")
    found, ways = decisions(solved)
    found = {name: decision for name, decision in found.items() if decision.signs}
    rows = [(name, sum(d.signs.values()), *(share(d.signs[s], sum(d.signs.values()))
             for s in (1, 0, -1)), f"{d.gain / max(d.signs[1], 1):.3f}")
            for name, d in found.items()]  # fmt: skip
    columns = ("who", "deals", "a card is best", "as good", "worse", "gains, when best")
    names = {(False, False): "nobody", (True, False): "leader alone",
             (False, True): "other alone", (True, True): "both"}  # fmt: skip
    who = [(name, ways[way], share(ways[way], len(solved.a))) for way, name in names.items()]
    title = f"foreplacing in {variant}"
    grids = [grid(solved, d.right, d.held, f"a best card: {name}") for name, d in found.items()]
    return [Table(title, columns, rows), Table("who foreplaces", ("", "deals", "share"), who),
            *grids]  # fmt: skip
