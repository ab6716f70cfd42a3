"""`mate engine`: an engine for other programs (docs/protocol.md)."""

import select
import sys
import threading
from typing import BinaryIO

import typer

from mate.cli.reading import read_lines, standard_input
from mate.errors import MateError
from mate.protocol import Session

app = typer.Typer(add_completion=False)

LAST_WORD = 1.0  # seconds that the answer of the last search has
BETWEEN_LOOKS = 0.2  # seconds, whether anybody still reads


@app.command()
def engine() -> None:
    """Answer other programs line by line on standard input and output (docs/protocol.md)."""
    stream, output = standard_input(), Output(sys.stdout.buffer)
    session = Session(output.say)
    try:
        _converse(stream, session, output)
    finally:
        session.stop(LAST_WORD)  # which nobody may read
    output.check()


class Output:
    """Lines for the client, from any thread; none is lost in a buffer.

    Attributes:
        error: what the system said when a line could not be written; later ones are dropped.
    """

    def __init__(self, stream: BinaryIO):
        self.stream = stream
        self.error: OSError | None = None
        self._lock = threading.Lock()

    def say(self, line: str) -> None:
        """Write a line."""
        with self._lock:
            if self.error is None:
                try:
                    self.stream.write(f"{line}\n".encode("utf-8", "replace"))
                    self.stream.flush()
                except OSError as error:
                    self.error = error

    def check(self) -> None:
        """Raise what went wrong in whatever thread."""
        if self.error is not None:
            raise self.error

    @property
    def abandoned(self) -> bool:
        """Whether nobody reads any more, where the system tells."""
        if self.error is not None or not hasattr(select, "poll"):
            return self.error is not None
        poll = select.poll()
        poll.register(self.stream.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))


def _converse(stream: BinaryIO, session: Session, output: Output) -> None:
    try:
        for _, line in read_lines(stream):
            session.handle(line)
            output.check()
            if session.ended:
                return
    except OSError as error:
        if error is output.error:
            raise
        raise MateError(f"standard input: {error.strerror or error}") from None
    _finish(session, output)


def _finish(session: Session, output: Output) -> None:
    """At the end of the input let a search finish that has an end, while anybody reads."""
    while session.searching and not session.endless and not output.abandoned:
        session.wait(BETWEEN_LOOKS)
