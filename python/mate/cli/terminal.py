"""Standard input and output as the two sides of a conversation."""

import sys

from mate.cli.exits import shown
from mate.cli.output import console_of

MAX_ANSWER = 200  # letters; a move has four, and nobody types more by intent


class Terminal:
    """Asks a person for lines and shows him texts and tables.

    Arguments:
        stderr: whether to speak on standard error, where standard output is for a program.
    """

    def __init__(self, stderr: bool = False):
        self.console = console_of(stderr)

    def say(self, what: object) -> None:
        """Show a text or a table."""
        self.console.print(what)

    def ask(self, prompt: str) -> str | None:
        """Return the next line, of one too long its beginning; None at the end."""
        self.console.print(prompt, end="", style="bold")
        line = _bounded_line()
        if not line or not sys.stdin.isatty():
            self.console.print(shown(line.rstrip("\r\n")))  # as if it had been typed
        return line or None


def _bounded_line() -> str:
    if sys.stdin is None:
        return ""
    line = rest = sys.stdin.readline(MAX_ANSWER)
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(MAX_ANSWER)
    return line
