"""What commands print: JSON for programs, rich text for people, progress while they wait."""

import json
import os
import sys
import time
from typing import TYPE_CHECKING

from mate.analysis import Analysis, analyze
from mate.objective import Playable
from matecore import Solver

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from mate.tablebase import Tablebase

PATIENCE = 1.0  # seconds before a progress bar appears


def print_json(value: object) -> None:
    """Print an object on a line of its own."""
    print(json.dumps(value))


def console_of(stderr: bool = False) -> "Console":
    """Return where to print for people; in colour on a terminal, unless NO_COLOR is set."""
    from rich.console import Console  # slow to import, and JSON needs none of it

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # the BrokenPipeError, to whom it ends the command

    return PlainConsole(
        stderr=stderr,
        markup=False,
        highlight=False,
        emoji=False,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


class Waiting:
    """A progress bar on standard error; shown only on a terminal, and not in the first second.

    Arguments:
        label: what is going on.
        total: how much there is to do; None if nobody knows.

    >>> with Waiting("solving", 2) as waiting:
    ...     waiting.update(1)
    """

    def __init__(self, label: str, total: int | None = None, shown: bool = True):
        self.label, self.total = label, total
        self.shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self.since = time.monotonic()
        self.bar: Progress | None = None

    def __enter__(self) -> "Waiting":
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar:
            self.bar.stop()

    def update(self, done: int) -> None:
        """Show how much is done."""
        if self.shown and not self.bar and time.monotonic() - self.since > PATIENCE:
            self._start()
        if self.bar:
            label = self.label if self.total else f"{self.label}, {done} done"
            self.bar.update(self.bar.task_ids[0], completed=done, description=label)

    def _start(self) -> None:
        from rich.progress import Progress

        # Standard output is left alone: it may go elsewhere.
        self.bar = Progress(
            console=console_of(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.bar.add_task(self.label, total=self.total)
        self.bar.start()


def analyze_waiting(
    game: Playable,
    solver: Solver | None = None,
    tablebase: "Tablebase | None" = None,
    objective: str = "game",
) -> Analysis:
    """Return an analysis, showing progress meanwhile."""
    with Waiting("searching") as waiting:

        def show(done: int, total: int) -> None:
            waiting.total = total
            waiting.update(done)

        return analyze(game, solver, objective=objective, tablebase=tablebase, progress=show)
