"""Exact values of many deals at once, on all cores."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

import matecore
from mate.deal import Deal
from mate.errors import MateError, excerpt
from mate.objective import RoundSolver
from mate.threads import Progress, share_out, thread_count, workers_for
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

# Deals a thread takes at a time: small, so that an interruption is heeded at once.
CHUNK = 16


def solve(
    deals: "Iterable[Deal | str] | np.ndarray",
    variant: Variant | str = "bga",
    threads: int | None = None,
    progress: Progress | None = None,
) -> "np.ndarray":
    """Return the exact value of each deal, for either player leading the first trick.

    Arguments:
        deals: deals or their texts, or uint32 of shape (n, 2), the masks of X and Y.
        variant: the variant or its text.
        threads: how many to use, 1..256; None for one a core.
        progress: called now and then with the deals done and the deals in all.

    Returns:
        int16 of shape (n, 2): the leader's margin in points if X leads, and if Y leads.

    Raises:
        MateError: a deal halves the deck of the variant not; `threads` is out of range.
        VariantError: there is no such variant, or a deal is of another deck.

    >>> solve(["AQ7.A7.TK7.AT"]).tolist()
    [[56, 0]]
    """
    variant = Variant.of(variant)
    masks = masks_of(deals, variant)
    solvers = [
        matecore.Solver(variant.rules) for _ in range(workers_for(len(masks), CHUNK, threads))
    ]
    return _solve_masks(masks, solvers, progress)


def solve_round(
    deals: "Iterable[Deal | str] | np.ndarray",
    variant: Variant | str = "bga",
    threads: int | None = None,
    progress: Progress | None = None,
) -> "np.ndarray":
    """Return what a round on each deal is worth, for either player leading game 1.

    Where the other player leads game 2, that is nothing: the same hand leads both games
    (section 8).

    Arguments:
        deals, variant, threads, progress: as in `solve`.

    Returns:
        int16 of shape (n, 2): the margin of both games under best play, of the player who leads
        game 1, if X does, and if Y does.

    Raises:
        MateError, VariantError: as `solve`; a round could be worth more than 32766.

    >>> solve_round(["ATK7.A7.AT.KT", "AQ7.A7.TK7.AT"], "abril").tolist()
    [[0, 0], [0, 0]]
    """
    variant = Variant.of(variant)
    masks = masks_of(deals, variant)
    if variant.second_leader == "other":
        thread_count(threads)
        return _zeros(masks)
    solvers = [RoundSolver(variant) for _ in range(workers_for(len(masks), CHUNK, threads))]
    return _solve_masks(masks, solvers, progress)


def _zeros(masks: "np.ndarray") -> "np.ndarray":
    import numpy as np

    return np.zeros(masks.shape, dtype=np.int16)


class Worker(Protocol):
    """What solves deals, on a thread of its own."""

    def solve(self, deals: "np.ndarray", out: "np.ndarray", /) -> None: ...
    def stop(self) -> None: ...


# --- Input ---------------------------------------------------------------------------------------


def masks_of(deals: object, variant: Variant) -> "np.ndarray":
    """Return deals as uint32 of shape (n, 2), or refuse what are none of the variant."""
    import numpy as np

    if isinstance(deals, np.ndarray):
        return _checked_masks(deals, variant)
    if isinstance(deals, (str, bytes)) or not isinstance(deals, Iterable):
        raise MateError(f"{excerpt(deals)}: expected a list of deals or an array of masks")
    pairs = [_pair_of(deal, variant) for deal in deals]
    return np.array(pairs, dtype=np.uint32).reshape(-1, 2)


def _pair_of(deal: object, variant: Variant) -> tuple[int, int]:
    found = Deal.of(deal, variant.deck)
    return found.x.mask, found.y.mask


def _checked_masks(masks: "np.ndarray", variant: Variant) -> "np.ndarray":
    import numpy as np

    if masks.dtype != np.uint32 or masks.ndim != 2 or masks.shape[1] != 2:
        found = f"{masks.dtype} of shape {masks.shape}"
        raise MateError(f"deals: expected uint32 of shape (n, 2), found {found}")
    masks = np.ascontiguousarray(masks)
    everything = np.uint32((1 << variant.deck.n_cards) - 1)
    halves = (masks[:, 0] ^ masks[:, 1]) == everything
    halves &= np.bitwise_count(masks[:, 0]) == variant.deck.hand_size
    if not halves.all():
        row = int(np.argmin(halves))
        x, y = (hex(mask) for mask in masks[row])
        raise MateError(f"deals[{row}]: {x} and {y} do not halve the {variant.deck.name} deck")
    return masks


# --- Threads -------------------------------------------------------------------------------------


def _solve_masks(
    masks: "np.ndarray", solvers: Sequence[Worker], progress: Progress | None
) -> "np.ndarray":
    import numpy as np

    out = np.empty((len(masks), 2), dtype=np.int16)

    def work(solver: Worker, start: int, end: int) -> None:
        solver.solve(masks[start:end], out[start:end])

    def stop() -> None:
        for solver in solvers:
            solver.stop()

    share_out(len(masks), CHUNK, solvers, work, progress, stop)
    return out
