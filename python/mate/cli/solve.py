"""`mate solve`: the exact values of a file of deals."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from mate.batch import solve
from mate.cli.job import Job, run_job
from mate.cli.options import JsonOption, ThreadsOption, VariantOption
from mate.cli.output import print_json
from mate.cli.reading import read_deals, variant_of
from mate.deal import Deal
from mate.errors import MateError
from mate.render.text import signed
from mate.variant import Variant

app = typer.Typer(add_completion=False)


@app.command("solve")
def solve_command(
    file: Annotated[str, typer.Argument(help="Deals, one a line; - reads standard input.")],
    variant: VariantOption = "bga",
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Print each deal's exact value, if X leads and if Y leads: the leader's margin in points.

    Blank lines and comments after # are skipped. Bad lines are reported, the rest is solved.
    """
    rules = variant_of(variant)
    run_job(file, lambda stream: Solving(stream, rules, threads, json))


class Solving(Job[Deal, list[int]]):
    """Deals on their way to the leader's margins, if X leads and if Y leads."""

    def __init__(self, stream: BinaryIO, variant: Variant, threads: int | None, json: bool):
        super().__init__(stream)
        self.variant, self.threads, self.json = variant, threads, json
        self.summary = Summary()

    def read(self) -> Iterator[tuple[str, Deal] | MateError]:
        """Yield each line's deal, or what is wrong with it."""
        for number, deal in read_deals(self.stream, self.variant.deck):
            place = f"line {number}"
            if isinstance(deal, MateError):
                yield MateError(f"{place}: {deal}")
            else:
                yield place, deal

    def solve(self, deals: list[Deal]) -> list[list[int]]:
        """Return the margins."""
        margins: list[list[int]] = solve(deals, self.variant, self.threads, self.wait).tolist()
        return margins

    def begin(self, deal: Deal) -> None:
        """Print the heads of the columns."""
        if not self.json:
            print(f"{'deal':{len(str(deal))}}  X leads  Y leads")

    def print(self, deal: Deal, value: list[int]) -> None:
        """Print a deal and its margins."""
        x_leads, y_leads = value
        if self.json:
            print_json({"deal": str(deal), "x_leads": x_leads, "y_leads": y_leads})
        else:
            print(f"{deal}  {signed(x_leads):>7}  {signed(y_leads):>7}")
            self.summary.add(x_leads, y_leads)

    def end(self) -> None:
        """Print the totals."""
        if not self.json:
            self.summary.print(self.bad)


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
