"""How a command ends when it cannot go on: one line on standard error and an exit code."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

import typer

from mate.errors import MateError

BAD_INPUT = 1
INTERRUPTED = 130  # as shells report SIGINT
BROKEN_PIPE = 141  # and SIGPIPE


def prepare_streams() -> None:
    """Make printing safe whatever the standard streams are."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  it stays open
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        # Bytes that cannot be read and letters that cannot be shown become "?", not an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def complain(message: str) -> None:
    """Print one line on standard error."""
    print(shown(" ".join(message.splitlines())), file=sys.stderr)


def shown(text: str) -> str:
    """Return a text whose control characters, as in a file's name, are seen and not obeyed.

    >>> shown("\\x1b[31mred")
    '?[31mred'
    """
    return "".join(c if c.isprintable() else "?" for c in text)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn what bad input, the system and the user's Ctrl-C raise into a line and an exit code."""
    try:
        try:
            yield
        finally:
            _flush_output()
    except MateError as error:
        complain(f"mate: {error}")
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        complain("mate: interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _drop_output()
        raise typer.Exit(BROKEN_PIPE) from None
    except OSError as error:
        _drop_output()
        where = "standard output" if error.filename is None else error.filename
        complain(f"mate: {where}: {error.strerror or error}")
        raise typer.Exit(BAD_INPUT) from None


def _flush_output() -> None:
    # Here, since an error in the flush at exit would be reported with a traceback.
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_output() -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, AttributeError):
        pass  # there is no output to drop
