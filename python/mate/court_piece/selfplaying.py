"""Self-play of Court Piece: what is played, and how much of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mate.arrays.ranges import LAST, checked_range
from mate.arrays.workers import play_on
from mate.court_piece.handcontent import HANDS, HandContent
from mate.court_piece.hands import Hands, core_of
from mate.court_piece.variant import Variant
from mate.errors import MateError, checked_integer, excerpt
from mate.threads import Progress, share_out, workers_for
from matecore import court_piece as core

if TYPE_CHECKING:
    from concurrent.futures import Executor

POLICIES = {"random": core.RANDOM, "greedy": core.GREEDY}
PIECE = 4096  # hands a thread plays at a time, so that an interruption is heeded at once
PIECES_A_WORKER = 64  # that an executor's worker plays at a time


def selfplay(
    count: int,
    a: str = "random",
    b: str = "random",
    variant: "Variant | str" = "seed",
    seed: int = 0,
    threads: int | None = None,
    *,
    caller: int | None = None,
    first: int = 0,
    executor: "Executor | None" = None,
    progress: Progress | None = None,
) -> Hands:
    """Play hands and return them as arrays; the same seed gives the same hands, bit for bit.

    Hand i depends on the arguments and i alone, whatever the threads and the pieces it is played
    in (docs/court_piece_selfplay.md).

    Arguments:
        count: how many hands.
        a, b: the policies of seats 0 and 2, and of seats 1 and 3: `random` or `greedy`.
        variant: the variant or its text.
        seed: 0..2^64-1.
        threads: how many to use, 1..256; None for one a core.
        caller: the seat that calls in every hand, 0..3; None for seat i modulo 4 in hand i.
        first: the number of the first hand.
        executor: who plays instead of threads of this process: any of `concurrent.futures`, or of
            a cluster (docs/shards.md).
        progress: called now and then with the hands played and all.

    Raises:
        MateError: an argument is out of range, there is no memory for so many hands, or the
            executor fails.
        VariantError: there is no such variant.

    >>> hands = selfplay(1000, a="greedy", seed=1)
    >>> hands.winner[:4].tolist(), selfplay(1, a="greedy", seed=1, first=3).winner.tolist()
    ([0, 0, 0, 0], [0])
    """
    plan = SelfPlay(Variant.of(variant), a, b, seed, caller)
    if executor is None:
        return plan.play(first, count, threads, progress)
    if threads is not None:
        raise MateError("threads are of this process, an executor has workers of its own")
    first, count = plan.checked_range(first, count)
    return play_on(executor, plan, first, count, PIECES_A_WORKER * PIECE, progress)


@dataclass(frozen=True)
class SelfPlay:
    """What is played, apart from how much of it.

    Arguments:
        variant, a, b, seed, caller: as of `selfplay`.
        stream: sets hands with the same seed apart, 0..2^64-1.

    Raises:
        MateError: as `selfplay`.
    """

    variant: Variant
    a: str = "random"
    b: str = "random"
    seed: int = 0
    caller: int | None = None
    stream: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.variant, Variant):
            raise MateError(f"{excerpt(self.variant)} is no variant of Court Piece")
        for name in ("a", "b"):
            policy = getattr(self, name)
            if not isinstance(policy, str) or policy not in POLICIES:
                raise MateError(f"policy {excerpt(policy)}: {' or '.join(POLICIES)}")
        for name in ("seed", "stream"):
            object.__setattr__(self, name, checked_integer(name, getattr(self, name), 0, LAST))
        if self.caller is not None:
            object.__setattr__(self, "caller", checked_integer("caller", self.caller, 0, 3))

    @property
    def content(self) -> HandContent:
        """What files of it hold."""
        return HANDS

    @property
    def plan(self) -> "SelfPlay":
        """Itself; it goes to workers as it is."""
        return self

    def carried(self) -> "SelfPlay":
        """Return the plan as it goes to workers."""
        return self

    def core(self) -> core.SelfPlay:
        """Return what plays on one thread."""
        return core_of(
            self.variant,
            POLICIES[self.a],
            POLICIES[self.b],
            seed=self.seed,
            stream=self.stream,
            caller=core.IN_TURN if self.caller is None else self.caller,
        )

    def checked_range(self, first: int, count: int) -> tuple[int, int]:
        """Return what hand comes first and how many are played, or refuse them.

        Raises:
            MateError: they are out of range, or there is no memory for them.
        """
        return checked_range(first, count, Hands.bytes_a_row(self.variant), "hands")

    def room(self, count: int) -> Hands:
        """Return room for so many hands."""
        return Hands.empty(self.variant, count)

    def play(
        self,
        first: int,
        count: int,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Hands:
        """Play the hands first .. first + count - 1.

        Raises:
            MateError: they are out of range, or there is no memory for them.
        """
        first, count = self.checked_range(first, count)
        hands = self.room(count)

        def play(worker: core.SelfPlay, start: int, end: int) -> None:
            worker.play(first + start, *hands[start:end].arrays().values())

        workers = [self.core() for _ in range(workers_for(count, PIECE, threads))]
        share_out(count, PIECE, workers, play, progress)
        return hands

    def to_plain(self) -> dict[str, Any]:
        """Return all that tells which hands are played, fit for JSON."""
        return {
            "variant": self.variant.to_plain(),
            "a": self.a,
            "b": self.b,
            "seed": self.seed,
            "stream": self.stream,
            "caller": self.caller,
        }
