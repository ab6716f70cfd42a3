"""`mate court solve`: double-dummy tricks of a file of deals, by trump and leader."""

from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from mate.cli.court.options import LeaderOption, ThreadsOption, TrumpOption
from mate.cli.job import Job, run_job
from mate.cli.options import JsonOption
from mate.cli.output import print_json
from mate.court_piece.batch import solve
from mate.court_piece.cards import SEAT_NAMES, SEATS, TRUMPS
from mate.court_piece.deal import Deal
from mate.court_piece.pbn import deals_of
from mate.errors import MateError

app = typer.Typer(add_completion=False)

Tricks = list[list[int]]  # by the trumps and leaders asked for


@app.command("solve")
def solve_command(
    file: Annotated[
        str, typer.Argument(help="Deals in PBN, one a line or in tags; - reads standard input.")
    ],
    trump: TrumpOption = None,
    leader: LeaderOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Print each deal's tricks for the leader's side when all hands are seen, by trump and leader.

    Tricks are counted plainly. Bad deals are reported, the rest is solved.
    """
    name = "standard input" if file == "-" else file
    run_job(file, lambda stream: Solving(stream, name, trump, leader, threads, json))


class Solving(Job[Deal, Tricks]):
    """Deals on their way to the tricks of the leader's side."""

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        trump: str | None,
        leader: int | None,
        threads: int | None,
        json: bool,
    ):
        super().__init__(stream)
        self.name, self.threads, self.json = name, threads, json
        self.trump, self.leader = trump, leader
        self.trumps = TRUMPS if trump is None else trump
        self.leaders = list(SEATS) if leader is None else [leader]

    def read(self) -> Iterator[tuple[str, Deal] | MateError]:
        """Yield each deal, or what is wrong with it."""
        for number, deal in enumerate(deals_of(self.stream, self.name), start=1):
            if isinstance(deal, MateError):
                yield deal
            else:
                yield f"deal {number}", deal

    def solve(self, deals: list[Deal]) -> list[Tricks]:
        """Return the tables of tricks."""
        found: list[Tricks] = solve(
            deals, self.trump, self.leader, threads=self.threads, progress=self.wait
        ).tolist()
        return found

    def print(self, deal: Deal, value: Tricks) -> None:
        """Print a deal and its tricks."""
        tricks = {
            trump: {SEAT_NAMES[leader]: row[place] for place, leader in enumerate(self.leaders)}
            for trump, row in zip(self.trumps, value, strict=True)
        }
        if self.json:
            print_json({"deal": str(deal), "tricks": tricks})
        else:
            print(_for_people(deal, tricks))


def _for_people(deal: Deal, tricks: dict[str, dict[str, int]]) -> str:
    """Return a deal, and below it a row a leader with a column a trump."""
    leaders = next(iter(tricks.values()))
    heads = "leader " + "".join(f"{trump:>3}" for trump in tricks)
    rows = [
        f"{leader:6} " + "".join(f"{row[leader]:3}" for row in tricks.values())
        for leader in leaders
    ]
    return "\n".join([str(deal), heads, *rows, ""])
