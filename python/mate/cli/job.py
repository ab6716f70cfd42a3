"""A stream of deals on its way to what is printed of each, in bounded memory and in order."""

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import BinaryIO, Generic, TypeVar

import typer

from mate.cli.exits import BAD_INPUT, INTERRUPTED, complain
from mate.cli.output import Waiting
from mate.cli.reading import standard_input
from mate.errors import MateError

AnyDeal = TypeVar("AnyDeal")
Value = TypeVar("Value")

# Deals solved at a time: few at first, to show results at once, then as many as take a second.
FIRST_CHUNK, LAST_CHUNK = 64, 4096
CHUNK_SECONDS = 1.0


class Job(Generic[AnyDeal, Value]):
    """Deals that are read, solved and printed; a subclass says how.

    Attributes:
        done: deals solved and printed.
        place: of the last of them in the stream.
        bad: those that were none.
    """

    def __init__(self, stream: BinaryIO):
        self.stream = stream
        self.done = self.bad = 0
        self.place = "the first"

    # --- What a subclass says ---

    def read(self) -> Iterator[tuple[str, AnyDeal] | MateError]:
        """Yield each deal behind its place in the stream, or what is wrong with it and where."""
        raise NotImplementedError

    def solve(self, deals: list[AnyDeal]) -> Iterable[Value]:
        """Return the values of some deals, telling `wait` how far it is."""
        raise NotImplementedError

    def begin(self, deal: AnyDeal) -> None:
        """Print what stands above the first deal."""

    def print(self, deal: AnyDeal, value: Value) -> None:
        """Print a deal and its value."""
        raise NotImplementedError

    def end(self) -> None:
        """Print what stands below the last deal."""

    # --- How it goes on ---

    def run(self) -> None:
        """Solve all of the stream; what was solved stays printed when this is interrupted."""
        # Where the results themselves come on the terminal, a bar would only disturb them.
        with Waiting("solving", _size_of(self.stream), not sys.stdout.isatty()) as self.waiting:
            self._run_chunks()
        if self.done:
            self.end()

    def wait(self, done: int, total: int) -> None:
        """Show how far it is, given how many of the deals that are being solved are done."""
        self.waiting.update(self.stream.tell() if self.waiting.total else self.done + done)

    def _run_chunks(self) -> None:
        chunk, size = [], FIRST_CHUNK
        for found in self.read():
            if isinstance(found, MateError):
                self.bad += 1
                complain(str(found))
                continue
            chunk.append(found)
            if len(chunk) == size:
                quick = self._solve(chunk) < CHUNK_SECONDS / 2
                chunk, size = [], min(size * 2, LAST_CHUNK) if quick else size
        self._solve(chunk)

    def _solve(self, chunk: list[tuple[str, AnyDeal]]) -> float:
        if not chunk:
            return 0.0
        since = time.monotonic()
        values = self.solve([deal for _, deal in chunk])
        if not self.done:
            self.begin(chunk[0][1])
        for (_, deal), value in zip(chunk, values, strict=True):
            self.print(deal, value)
        sys.stdout.flush()
        self.done += len(chunk)
        self.place = chunk[-1][0]
        return time.monotonic() - since


def run_job(file: str, job_of: Callable[[BinaryIO], Job[AnyDeal, Value]]) -> None:
    """Run the job of a file of deals, or of standard input if it is called -.

    Raises:
        MateError: there is no deal in it.
        typer.Exit: some deals were bad, or it was interrupted.
    """
    with ExitStack() as stack:
        stream = standard_input() if file == "-" else stack.enter_context(open(file, "rb"))
        job = job_of(stream)
        try:
            job.run()
        except KeyboardInterrupt:
            complain(f"mate: interrupted; {job.done} deals were solved, to {job.place}")
            raise typer.Exit(INTERRUPTED) from None
    if not job.done and not job.bad:
        raise MateError(f"{'standard input' if file == '-' else file}: there is no deal in it")
    if job.bad:
        raise typer.Exit(BAD_INPUT)


def _size_of(stream: BinaryIO) -> int | None:
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
