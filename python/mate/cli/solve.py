"""`mate solve`: the exact values of a file of deals."""

import os
import stat
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import Annotated, BinaryIO

import typer

from mate.batch import solve
from mate.cli.exits import BAD_INPUT, INTERRUPTED, complain
from mate.cli.options import JsonOption, VariantOption
from mate.cli.output import Waiting, print_json
from mate.cli.reading import read_deals, standard_input, variant_of
from mate.deal import Deal
from mate.errors import MateError
from mate.render.text import signed
from mate.variant import Variant

app = typer.Typer(add_completion=False)

# Deals solved at a time: few at first, to show results at once, then as many as take a second.
FIRST_CHUNK, LAST_CHUNK = 64, 4096
CHUNK_SECONDS = 1.0


@app.command("solve")
def solve_command(
    file: Annotated[str, typer.Argument(help="Deals, one a line; - reads standard input.")],
    variant: VariantOption = "bga",
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, max=256, help="One a core unless told.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print each deal's exact value, if X leads and if Y leads: the leader's margin in points.

    Blank lines and comments after # are skipped. Bad lines are reported, the rest is solved.
    """
    rules = variant_of(variant)
    with ExitStack() as stack:
        stream = standard_input() if file == "-" else stack.enter_context(open(file, "rb"))
        job = Job(stream, rules, threads, json)
        try:
            job.run()
        except KeyboardInterrupt:
            complain(f"mate: interrupted; {job.done} deals were solved, to line {job.line}")
            raise typer.Exit(INTERRUPTED) from None
    if not job.done and not job.bad:
        raise MateError(f"{'standard input' if file == '-' else file}: there is no deal in it")
    if job.bad:
        raise typer.Exit(BAD_INPUT)


class Job:
    """A stream of deals on its way to values, in bounded memory and in order.

    Attributes:
        done: deals solved and printed.
        line: the line of the last of them.
        bad: lines that were no deals.
    """

    def __init__(self, stream: BinaryIO, variant: Variant, threads: int | None, json: bool):
        self.stream, self.variant, self.threads, self.json = stream, variant, threads, json
        self.done = self.line = self.bad = 0
        self.summary = Summary()

    def run(self) -> None:
        """Solve all of the stream; what was solved stays printed when this is interrupted."""
        # Where the results themselves come on the terminal, a bar would only disturb them.
        with Waiting("solving", _size_of(self.stream), not sys.stdout.isatty()) as self.waiting:
            self._run_chunks()
        if self.done and not self.json:
            self.summary.print(self.bad)

    def _run_chunks(self) -> None:
        chunk, size = [], FIRST_CHUNK
        for number, deal in read_deals(self.stream, self.variant.deck):
            if isinstance(deal, MateError):
                self.bad += 1
                complain(f"line {number}: {deal}")
                continue
            chunk.append((number, deal))
            if len(chunk) == size:
                quick = self._solve(chunk) < CHUNK_SECONDS / 2
                chunk, size = [], min(size * 2, LAST_CHUNK) if quick else size
        self._solve(chunk)

    def _solve(self, chunk: list[tuple[int, Deal]]) -> float:
        if not chunk:
            return 0.0
        since = time.monotonic()
        values = solve([deal for _, deal in chunk], self.variant, self.threads, self._wait)
        if not self.done and not self.json:
            width = len(str(chunk[0][1]))
            print(f"{'deal':{width}}  X leads  Y leads")
        for (_, deal), (x_leads, y_leads) in zip(chunk, values.tolist(), strict=True):
            self._print(deal, x_leads, y_leads)
        sys.stdout.flush()
        self.done += len(chunk)
        self.line = chunk[-1][0]
        return time.monotonic() - since

    def _print(self, deal: Deal, x_leads: int, y_leads: int) -> None:
        if self.json:
            print_json({"deal": str(deal), "x_leads": x_leads, "y_leads": y_leads})
        else:
            print(f"{deal}  {signed(x_leads):>7}  {signed(y_leads):>7}")
            self.summary.add(x_leads, y_leads)

    def _wait(self, done: int, total: int) -> None:
        self.waiting.update(self.stream.tell() if self.waiting.total else self.done + done)


def _size_of(stream: BinaryIO) -> int | None:
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class Summary:
    """How often leaders win, over many deals."""

    def __init__(self) -> None:
        self.margins: tuple[Counter[int], Counter[int]] = Counter(), Counter()

    def add(self, x_leads: int, y_leads: int) -> None:
        """Count a deal."""
        for margins, margin in zip(self.margins, (x_leads, y_leads), strict=True):
            margins[margin] += 1

    def print(self, bad: int) -> None:
        """Print the totals."""
        total = self.margins[0].total()
        left_out = f", {bad} line{'s' * (bad != 1)} left out" if bad else ""
        print(f"\n{total} deal{'s' * (total != 1)}{left_out}")
        print("          leader wins    draws    loses  mean margin")
        for player, margins in zip("XY", self.margins, strict=True):
            wins = sum(count for margin, count in margins.items() if margin > 0) / total
            draws = margins[0] / total
            mean = sum(margin * count for margin, count in margins.items()) / total
            print(f"{player} leads {wins:14.1%} {draws:8.1%} {1 - wins - draws:8.1%} {mean:+12.2f}")
