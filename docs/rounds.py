"""Rounds in which the loser of game 1 leads game 2: how many games it would be right to lose."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

import mate
import matecore
from solved import Solved, Table, counted, share, signs


class Rounds(NamedTuple):
    """Rounds in which the loser of game 1 leads game 2, X leading game 1, deal by deal.

    Attributes:
        worth: of the round, to X, under best play of both.
        must_be_mated: X cannot make sure of that without being mated in game 1.
        must_mate: Y cannot make sure of it without being mated in game 1.
    """

    worth: np.ndarray
    must_be_mated: np.ndarray
    must_mate: np.ndarray


def search_rounds(
    variant: mate.Variant, deals: np.ndarray, a: np.ndarray, b: np.ndarray, threads: int = 2
) -> Rounds:
    """Return the rounds of these deals; a and b are what the deals are worth for either leading."""
    out = np.empty((len(a), 2), np.int16)

    def work(part: np.ndarray) -> None:
        for row in part:
            bonus = int(a[row] + b[row])
            out[row] = [
                search(variant, deals[row].tolist(), bonus, kind) for kind in (IS_MATED, MATES)
            ]

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, np.array_split(np.arange(len(a)), max(len(a) // 500, 1))))
    f = out[:, 1].astype(int) >> 1
    return Rounds(f - a, out[:, 0] % 2 == 1, out[:, 1] % 2 == 1)


# What of equally good ways counts: that X is not mated; that he mates.
IS_MATED, MATES = range(2)


def search(variant: mate.Variant, hands: list[int], bonus: int, kind: int) -> int:
    """Return twice what X's margin comes to under best play, `bonus` being that of being mated.

    It is less by one if X is mated, or more by one if he mates, as the kind says; so that twice the
    margin is either an even number or tells how it came about.
    """

    def worth(margin: int) -> int:
        if margin < 0:
            return 2 * (margin + bonus) - (kind == IS_MATED)
        return 2 * margin + (kind == MATES and margin > 0)

    solver = matecore.Solver(variant.rules, worth=worth)
    return solver.value(matecore.Position(variant.rules, *hands))


def loser(variant: str) -> list[Table]:
    """How many games it would be right to lose, were the loser of game 1 to lead game 2."""
    solved = Solved(variant)
    a, b = solved.a, solved.b
    rounds = search_rounds(solved.variant, solved.deals, a, b)
    worth, given = rounds.worth, (a >= 0) & rounds.must_be_mated
    rows = [
        ("the leader lets himself be mated", *counted(given)),
        ("- in a game he could win", *counted(given, a > 0)),
        ("- in a game he could draw", *counted(given, a == 0)),
        ("the other does not mate, though he could", *counted(a < 0, ~rounds.must_be_mated)),
        ("the other lets himself be mated", *counted(a <= 0, rounds.must_mate)),
        ("- in a game he could win", *counted(a < 0, rounds.must_mate)),
        ("- in a game he could draw", *counted(a == 0, rounds.must_mate)),
        *((f"the round is worth {sign} to the leader of game 1", n, share(n, len(a)))
          for sign, n in signs(worth)),
    ]  # fmt: skip
    plain = np.where(a < 0, a + b, 0).mean()
    means = [("worth of the round, mean", f"{worth.mean():+.3f}"),
             ("- if both played game 1 for itself", f"{plain:+.3f}"),
             ("most", int(worth.max())), ("least", int(worth.min()))]  # fmt: skip
    title = f"the loser leads, {variant}"
    return [Table(title, ("", "deals", "share"), rows), Table(title, ("", "points"), means),
            round_table(solved, worth, given)]  # fmt: skip


def round_table(solved: Solved, worth: np.ndarray, given: np.ndarray) -> Table:
    """Return the dearest game to be lost, the best round, and those worth less than nothing."""
    rows = np.flatnonzero(given)
    found = [int(rows[np.argmax(solved.a[rows])])] if len(rows) else []
    found += [int(np.argmax(worth)), *np.flatnonzero(worth < 0)]
    columns = ("deal", "a", "b", "the round")
    rows = [(solved.text(row), solved.a[row], solved.b[row], worth[row]) for row in found]
    return Table("dearest loss, best round, rounds below 0", columns, rows)
