"""Whole deals of Court Piece, double-dummy: milliseconds a deal by question, and DDS beside it.

The caller, seat 1, is on lead with his own longest suit as trump. Each question has a pass of its
own with a fresh solver, so that none profits from another; it and DDS take turns deal by deal. The
times of single deals are those of the processor. DDS is asked through `endplay`, where that is
installed; if an answer differs, the program fails.
"""

import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from mate.court_piece import Cards, Variant
from mate.court_piece.cards import SUITS, indices_of, longest_suit
from matecore.court_piece import Position, Rules, Solver
from report import arguments, median_seconds, report

try:
    import dds
except ImportError:
    dds = None

CALLER = 1
DOUBLE_SIR = Variant.of("double-sir").rules


class Question(NamedTuple):
    """What a solver is asked, and DDS; on one of how many deals; the ratios there should be."""

    name: str
    ask: Callable[[Solver, Position], object]
    peer: Callable[[Any], object] | None = None
    rules: Rules = Rules()
    one_of: int = 1
    must: float | str = ""
    aim: float | str = ""


QUESTIONS = [
    Question(
        "at least 7", lambda s, p: s.at_least(p, 7), lambda d: dds.at_least(d, 7), must=3.0, aim=1.0
    ),
    Question(
        "all 13", lambda s, p: s.at_least(p, 13), lambda d: dds.at_least(d, 13), must=3.0, aim=1.0
    ),
    Question("exact number", Solver.tricks, lambda d: dds.tricks(d), must=3.0),
    Question("first seven", lambda s, p: s.first_seven(p, CALLER)),
    Question("every card's worth", Solver.values, one_of=4),
    Question("double sir, exact number", Solver.tricks, rules=DOUBLE_SIR, one_of=4),
    Question("double sir, points", Solver.points, rules=DOUBLE_SIR, one_of=4),
]


def random_deals(count: int) -> list[tuple[int, ...]]:
    """Return the masks of random deals, the same at every call."""
    rng = np.random.default_rng(1)
    packs = [rng.permutation(52).reshape(4, 13).tolist() for _ in range(count)]
    return [tuple(sum(1 << card for card in hand) for hand in pack) for pack in packs]


def trump_of(hands: tuple[int, ...]) -> int:
    """Return the caller's longest suit."""
    return SUITS.index(longest_suit(indices_of(Cards(hands[CALLER]))))


def seconds(work: Callable[[], object]) -> tuple[float, object]:
    """Return what some work took of the processor, and what came of it."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def pass_of(
    question: Question, deals: list[tuple[int, ...]], beside: bool
) -> tuple[list[float], list[float], int, int]:
    """Return the times of both on every deal, how many nodes in all, how many answers differ."""
    solver = Solver(question.rules)
    ours, theirs, differing = [], [], 0
    for hands in deals:
        trump = trump_of(hands)
        position = Position(question.rules, hands, CALLER, trump)
        taken, found = seconds(lambda position=position: question.ask(solver, position))
        ours.append(taken)
        if beside:
            board = dds.board(hands, trump, CALLER)
            taken, expected = seconds(lambda board=board: question.peer(board))
            theirs.append(taken)
            differing += found != expected
    return ours, theirs, solver.nodes, differing


def measure(question: Question, deals: list[tuple[int, ...]], runs: int) -> dict[str, object]:
    """Return the row of a question; of each deal the median time of the runs counts."""
    beside = dds is not None and question.peer is not None
    deals = deals[:: question.one_of]
    passes = [pass_of(question, deals, beside) for _ in range(runs)]
    ours = [statistics.median(times) * 1e3 for times in zip(*(p[0] for p in passes), strict=True)]
    theirs = [statistics.median(times) * 1e3 for times in zip(*(p[1] for p in passes), strict=True)]
    median, mean = statistics.median(ours), statistics.fmean(ours)
    return {
        "question": question.name,
        "deals": len(deals),
        "median ms": median,
        "mean ms": mean,
        "nodes/deal": passes[0][2] // len(deals),
        "DDS median": statistics.median(theirs) if beside else "",
        "DDS mean": statistics.fmean(theirs) if beside else "",
        "median/DDS": median / statistics.median(theirs) if beside else "",
        "mean/DDS": mean / statistics.fmean(theirs) if beside else "",
        "must": question.must,
        "aim": question.aim,
        "differ": sum(p[3] for p in passes) if beside else "",
    }


def measure_batch(deals: list[tuple[int, ...]], threads: int, runs: int) -> dict[str, object]:
    """Return the row of exact numbers of all deals, over some threads, by the clock on the wall."""
    hands = np.array(deals, dtype=np.uint64)
    asked = np.array([(trump_of(deal), CALLER) for deal in deals], dtype=np.int8)
    out = np.empty(len(deals), dtype=np.int8)
    rules = Rules()

    def part(number: int) -> None:
        mine = [np.ascontiguousarray(array[number::threads]) for array in (hands, asked)]
        found = np.empty(len(mine[0]), dtype=np.int8)
        Solver(rules).solve(*mine, found)
        out[number::threads] = found

    def work() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(part, range(threads)))

    milliseconds = median_seconds(work, runs) / len(deals) * 1e3
    return {"batch": "exact number", "threads": threads, "deals": len(deals),
            "ms/deal": milliseconds, "deals/s": 1e3 / milliseconds}  # fmt: skip


def main() -> None:
    """Measure every question, then batches."""
    parser = arguments(__doc__)
    parser.add_argument("--deals", type=int, default=200, help="deals of the plain questions")
    parser.set_defaults(runs=1)
    options = parser.parse_args()
    deals = random_deals(options.deals)
    if dds is not None:
        dds.tricks(dds.board(deals[0], 0, 0))  # what its start takes is another matter
    rows = [measure(question, deals, options.runs) for question in QUESTIONS]
    report(rows, options.json)
    counts = sorted({1, min(2, os.cpu_count() or 1)})
    batches = [measure_batch(deals, threads, options.runs) for threads in counts]
    report(batches, options.json and f"{options.json.removesuffix('.json')}.batch.json")
    raise SystemExit(any(row["differ"] for row in rows))


if __name__ == "__main__":
    main()
