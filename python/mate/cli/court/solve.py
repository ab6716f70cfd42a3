"""`mate court solve`: double-dummy tricks of a file of deals, by trump and leader."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, BinaryIO

import typer

from mate.cli.court.options import (
    LeaderOption,
    TrumpOption,
    VariantOption,
    variant_of,
)
from mate.cli.job import Job, run_job
from mate.cli.options import JsonOption, ThreadsOption
from mate.cli.output import print_json
from mate.court_piece.batch import solve
from mate.court_piece.cards import SEAT_NAMES, TRUMPS
from mate.court_piece.pbn import PlacedDeal, placed_deals_of
from mate.court_piece.variant import Variant
from mate.errors import MateError, shown

app = typer.Typer(add_completion=False)

Tricks = list[list[int]]  # by trump and leader


@app.command("solve")
def solve_command(
    file: Annotated[
        str, typer.Argument(help="Deals in PBN, one a line or in tags; - reads standard input.")
    ],
    trump: TrumpOption = None,
    leader: LeaderOption = None,
    variant: VariantOption = "seed",
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Print the tricks that the leader's side collects when all hands are seen, deal by deal.

    For every trump and leader, unless told. Bad deals are reported, the rest is solved.
    """
    name, rules = "standard input" if file == "-" else file, variant_of(variant)
    asked = Asked(rules, trump, leader, threads)
    run_job(file, lambda stream: Solving(stream, name, asked, json))


@dataclass(frozen=True)
class Asked:
    """What is asked of each deal: by which rules, for which trump and leader, None for all."""

    variant: Variant
    trump: str | None
    leader: int | None
    threads: int | None

    def named(self, tricks: Tricks) -> dict[str, dict[str, int]]:
        """Return tricks by the names of trump and leader."""
        trumps = self.trump or TRUMPS
        seats = SEAT_NAMES if self.leader is None else SEAT_NAMES[self.leader]
        rows = zip(trumps, tricks, strict=True)
        return {trump: dict(zip(seats, row, strict=True)) for trump, row in rows}


class Solving(Job[PlacedDeal, Tricks]):
    """Deals on their way to the tricks of the leader's side."""

    def __init__(self, stream: BinaryIO, name: str, asked: Asked, json: bool):
        super().__init__(stream)
        self.name, self.asked, self.json = name, asked, json

    def read(self) -> Iterator[tuple[str, PlacedDeal] | MateError]:
        """Yield each deal, or what is wrong with it."""
        for number, deal in enumerate(placed_deals_of(self.stream, self.name), start=1):
            if isinstance(deal, MateError):
                yield deal
            else:
                yield f"deal {number}", deal

    def solve(self, deals: list[PlacedDeal]) -> list[Tricks]:
        """Return the tables of tricks."""
        asked, each = self.asked, len(deals)

        def show(done: int, total: int) -> None:
            self.wait(done * each // total, each)

        bare = [placed.deal for placed in deals]
        found = solve(bare, asked.trump, asked.leader, asked.variant, asked.threads, show)
        tables: list[Tricks] = found.tolist()
        return tables

    def print(self, deal: PlacedDeal, value: Tricks) -> None:
        """Print a deal and its tricks."""
        tricks = self.asked.named(value)
        if self.json:
            board = {} if deal.board is None else {"board": deal.board}
            print_json({"deal": str(deal.deal), "line": deal.line, **board, "tricks": tricks})
        else:
            print(_for_people(deal, tricks))


def _for_people(placed: PlacedDeal, tricks: dict[str, dict[str, int]]) -> str:
    """Return where a deal stands, the deal, and below it a row a leader with a column a trump."""
    leaders = next(iter(tricks.values()))
    heads = "leader " + "".join(f"{trump:>3}" for trump in tricks)
    rows = [
        f"{leader:6} " + "".join(f"{row[leader]:3}" for row in tricks.values())
        for leader in leaders
    ]
    where = f"line {placed.line}" if placed.board is None else f"Board {shown(placed.board)}"
    return "\n".join([f"{where}  {placed.deal}", heads, *rows, ""])
