"""Double-dummy tricks of many deals at once, on all cores."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mate.court_piece.cards import SEATS, TRUMPS, members_of
from mate.court_piece.deal import Deal
from mate.court_piece.notation import parse_seat
from mate.court_piece.variant import Variant
from mate.errors import MateError, checked_integer, excerpt
from mate.threads import Progress, share_out, workers_for
from matecore.court_piece import Solver

if TYPE_CHECKING:
    import numpy as np

MOST_DEALS = 10**7
CHUNK = 20  # questions a thread takes at a time: those of a whole deal


def solve(
    deals: "Iterable[Deal | str]",
    trump: str | None = None,
    leader: int | str | None = None,
    variant: Variant | str = "seed",
    threads: int | None = None,
    progress: Progress | None = None,
) -> "np.ndarray":
    """Return the tricks that the leader's side collects in each deal, all cards seen (section 5).

    Arguments:
        deals: deals, or their texts as PBN writes them.
        trump: S, H, D, C, or N for none; None for all of them, in this order.
        leader: the seat that leads to the first trick, 0..3 or N, E, S, W; None for each.
        variant: how tricks are collected; `Variant` or its text.
        threads: how many to use, 1..256; None for one a core.
        progress: called now and then with the questions answered and all.

    Returns:
        int8 of shape (deals, trumps, leaders); trumps is 5 or 1, leaders 4 or 1.

    Raises:
        NotationError: a text is no deal, or no seat.
        MateError: another argument is wrong.

    >>> solve(["N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"],
    ...     leader="E").tolist()
    [[[12], [11], [13], [10], [12]]]
    """
    import numpy as np

    hands = _hands_of(deals)
    asked = np.array(
        [(code, seat) for code in _trumps(trump) for seat in _leaders(leader)], dtype=np.int8
    )
    shape = (len(hands), len(_trumps(trump)), len(_leaders(leader)))
    rules = Variant.of(variant).rules
    hands, asked = np.repeat(hands, len(asked), axis=0), np.tile(asked, (len(hands), 1))
    out = np.empty(len(hands), dtype=np.int8)
    solvers = [Solver(rules) for _ in range(workers_for(len(out), CHUNK, threads))]

    def work(solver: Solver, start: int, end: int) -> None:
        solver.solve(hands[start:end], asked[start:end], out[start:end])

    def stop() -> None:
        for solver in solvers:
            solver.stop()

    share_out(len(out), CHUNK, solvers, work, progress, stop)
    return out.reshape(shape)


def _hands_of(deals: "Iterable[Deal | str]") -> "np.ndarray":
    import numpy as np

    masks = [Deal.of(deal).masks for deal in members_of(deals, MOST_DEALS, "a list of deals")]
    return np.array(masks, dtype=np.uint64).reshape(-1, len(SEATS))


def _trumps(trump: str | None) -> list[int]:
    if trump is None:
        return list(range(len(TRUMPS)))
    if not isinstance(trump, str) or len(trump) != 1 or trump not in TRUMPS:
        raise MateError(f"trump {excerpt(trump)}: one of {', '.join(TRUMPS)}")
    return [TRUMPS.index(trump)]


def _leaders(leader: int | str | None) -> list[int]:
    if leader is None:
        return list(SEATS)
    if isinstance(leader, str):
        return [parse_seat(leader)]
    return [checked_integer("leader", leader, 0, 3)]
