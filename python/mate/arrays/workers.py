"""Pieces of work on any executor: so many under way at a time, and a lost one done again."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from functools import partial
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from mate.arrays.plan import Carried, Plan
from mate.arrays.rows import Rows
from mate.errors import MateError, excerpt

UNDER_WAY = 1024
ATTEMPTS = 4
TICK = 0.1  # seconds
LOSSES = {"KilledWorker", "CommClosedError"}  # as Dask calls them; its cancellation is also ours

Piece = TypeVar("Piece")
Result = TypeVar("Result")
AnyRows = TypeVar("AnyRows", bound=Rows)

# --- Any work ------------------------------------------------------------------------------------


def run_on(
    executor: Executor,
    work: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    tick: Callable[[], None] = lambda: None,
    under_way: int = UNDER_WAY,
) -> Iterator[tuple[Piece, Result]]:
    """Yield every piece with what came of it, as they are done.

    Of a worker that vanishes only the piece it was at is lost, and that is done again.

    Arguments:
        executor: of threads, of processes, or of a cluster.
        work: what is done with a piece; both are pickled where the executor does so.
        pieces: what there is to do; asked for as there is room.
        tick: called about ten times a second.
        under_way: how many pieces the executor has at a time.

    Raises:
        MateError: the executor takes no more work, or a piece was lost several times.
    """
    if not isinstance(executor, Executor):
        raise MateError(f"{excerpt(executor)} is no concurrent.futures.Executor")
    running = _Running(executor, work)
    left = iter(pieces)
    try:
        while running.fill(left, under_way):
            future = running.next_done()
            tick()
            if future is not None and (done := running.taken(future)):
                yield done
    finally:
        running.cancel()


class _Running(Generic[Piece, Result]):
    """The pieces that an executor has, each with how often it was given."""

    def __init__(self, executor: Executor, work: Callable[[Piece], Result]):
        self.executor, self.work = executor, work
        self.pieces: dict[Future[Result], tuple[Piece, int]] = {}
        self.done: SimpleQueue[Future[Result]] = SimpleQueue()

    def fill(self, left: Iterator[Piece], under_way: int) -> bool:
        """Give the executor pieces while there are some and it has room; whether it has any."""
        while len(self.pieces) < under_way:
            try:
                piece = next(left)
            except StopIteration:
                break
            self._give(piece, 1)
        return bool(self.pieces)

    def _give(self, piece: Piece, attempt: int) -> None:
        try:
            future = self.executor.submit(self.work, piece)
        except MateError:
            raise
        except Exception as error:  # closed, or broken when a worker died
            why = f"{type(error).__name__}: {error}; what was finished is kept"
            raise MateError(f"the executor takes no more work: {why}") from None
        self.pieces[future] = piece, attempt
        # To wait for all of them would cost each time as much as there are.
        future.add_done_callback(self.done.put)

    def next_done(self) -> "Future[Result] | None":
        """Return a piece's future that is done; None if there is none for a while."""
        try:
            return self.done.get(timeout=TICK)
        except Empty:
            return None

    def taken(self, future: "Future[Result]") -> tuple[Piece, Result] | None:
        """Return a piece and what came of it; None if it was lost, and is given again."""
        piece, attempt = self.pieces.pop(future)
        try:
            return piece, future.result()
        except MateError:
            raise
        except Exception as error:
            _refuse_unless_lost(error, attempt)
        self._give(piece, attempt + 1)
        return None

    def cancel(self) -> None:
        """Cancel what is not done."""
        for future in self.pieces:
            future.cancel()


def _is_loss(error: Exception) -> bool:
    # Dask tells of lost workers by errors of its own, which are not imported for that.
    kinds = type(error).__mro__
    ours = {kind.__name__ for kind in kinds if kind.__module__.partition(".")[0] == "distributed"}
    return isinstance(error, (BrokenExecutor, CancelledError)) or bool(ours & LOSSES)


def _refuse_unless_lost(error: Exception, attempt: int) -> None:
    if not _is_loss(error):
        raise MateError(f"a worker failed: {type(error).__name__}: {error}") from error
    if attempt == ATTEMPTS:
        why = f"{type(error).__name__}; what was finished is kept"
        raise MateError(f"a piece of work was lost {ATTEMPTS} times: {why}") from None


# --- Play ----------------------------------------------------------------------------------------


def play_on(
    executor: Executor,
    plan: Plan[AnyRows],
    first: int,
    count: int,
    chunk: int,
    progress: Callable[[int, int], None] | None = None,
) -> AnyRows:
    """Return the units from `first` on, played by an executor.

    Arguments:
        executor: of threads, of processes, or of a cluster.
        plan: what is played.
        first, count: which units.
        chunk: how many units a worker plays at a time.
        progress: called with the units played and all, from the calling thread.

    Raises:
        MateError: as `run_on`, or as the play itself.
    """
    rows = plan.room(count)
    done = 0
    pieces = _pieces(first, count, chunk)
    for (start, size), part in run_on(executor, partial(_play, plan.carried()), pieces):
        at = (start - first) * (len(part) // size)
        for name, array in part.arrays().items():
            rows.arrays()[name][at : at + len(part)] = array
        done += size
        if progress:
            progress(done, count)
    return rows


def _pieces(first: int, count: int, chunk: int) -> Iterator[tuple[int, int]]:
    for start in range(first, first + count, chunk):
        yield start, min(chunk, first + count - start)


def _play(carried: Carried[AnyRows], piece: tuple[int, int]) -> AnyRows:
    return carried.plan.play(*piece, threads=1)
