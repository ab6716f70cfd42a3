"""`mate puzzle`: positions with one best move, to print or to solve."""

import random
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Annotated

import typer

from mate.cli.exits import shown
from mate.cli.options import JsonOption, SeedOption, VariantOption
from mate.cli.output import console_of, print_json
from mate.cli.reading import variant_of
from mate.puzzle import LEVELS, Puzzle, puzzles
from mate.variant import Variant

app = typer.Typer(add_completion=False)

ACCOUNT = ("solved", "right", "wrong", "hints")
SEEDS = 1_000_000  # to draw one from that is not told, short enough to be typed


@app.command("puzzle")
def puzzle_command(
    count: Annotated[int, typer.Option("--count", min=1, help="How many puzzles.")] = 1,
    seed: SeedOption = None,
    level: Annotated[
        int | None,
        typer.Option("--level", min=1, max=LEVELS, help="From 1, the easiest; all unless told."),
    ] = None,
    variant: VariantOption = "bga",
    solution: Annotated[
        bool, typer.Option("--solution", help="Print the solutions after the puzzles.")
    ] = False,
    solve: Annotated[
        bool, typer.Option("--solve", help="Solve them here, against the best defence.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print puzzles: positions where exactly one move is best, with its prize.

    With --json an object a puzzle is printed, its solution in it. With --solve and --json the
    puzzles are shown on standard error, and each object tells how it was solved.
    """
    if solve and solution:
        raise typer.BadParameter("--solution prints what --solve is to find")
    drawn = random.SystemRandom().randrange(SEEDS) if seed is None else seed
    book = Book(drawn, variant_of(variant), level, count)
    again = f"mate puzzle --variant {shlex.quote(variant)} --seed {drawn} --count {count}"
    again += "" if level is None else f" --level {level}"
    if solve:
        _solve(book, json)
    elif json:
        for number, puzzle in book:
            print_json(record(puzzle, drawn, number))
    else:
        _print(book, again, solution)


@dataclass(frozen=True)
class Book:
    """So many puzzles; they are made again each time one goes through it, not kept."""

    seed: int
    variant: Variant
    level: int | None
    count: int

    def __iter__(self) -> Iterator[tuple[int, Puzzle]]:
        made = puzzles(self.seed, self.variant, self.level)
        return enumerate(islice(made, self.count), start=1)


def record(puzzle: Puzzle, seed: int, number: int) -> dict[str, object]:
    """Return a puzzle as plain data: where it comes from, what it is, and its solution."""
    return {
        "variant": puzzle.position.variant.name,
        "seed": seed,
        "number": number,
        "position": str(puzzle.position),
        "to_move": puzzle.position.to_move,
        "prize": puzzle.prize,
        "value": puzzle.value,
        "outcome": asdict(puzzle.outcome) if puzzle.outcome else None,
        "best": puzzle.best,
        "line": puzzle.line,
        "depth": puzzle.depth,
        "traps": puzzle.traps,
        "deception": puzzle.deception,
        "cost": puzzle.cost,
        "level": puzzle.level,
    }


def _print(book: Book, again: str, solution: bool) -> None:
    from mate.render.puzzle import solution as solution_of
    from mate.render.puzzle import task

    console = console_of()
    for number, puzzle in book:
        console.print(task(puzzle, f"Puzzle {number} of seed {book.seed}"), soft_wrap=True)
    if solution:
        console.print("Solutions\n", style="bold")
        for number, puzzle in book:
            console.print(solution_of(puzzle, number), soft_wrap=True)
        console.print()
    console.print(f"Made by {shown(again)}", style="dim", soft_wrap=True)


def _solve(book: Book, json: bool) -> None:
    from mate.cli.solving import Solving
    from mate.cli.terminal import Terminal

    terminal = Terminal(stderr=json)
    terminal.say("Type help to see what you can do.\n")
    score: Counter[str] = Counter()
    for number, puzzle in book:
        title = f"Puzzle {number} of seed {book.seed}"
        solving = Solving(puzzle, title, terminal.ask, terminal.say)
        solving.run()
        account = {name: int(getattr(solving, name)) for name in ACCOUNT}
        score.update(account, tried=1)
        if json:
            told = {**account, "solved": solving.solved, "moves": solving.game.moves}
            print_json({**record(puzzle, book.seed, number), **told})
        if solving.left:
            break
    terminal.say(_told(score))


def _told(score: Counter[str]) -> str:
    moves = score["right"] + score["wrong"]
    return (
        f"Solved {score['solved']} of {score['tried']}. "
        f"{score['right']} of {moves} move{'s' * (moves != 1)} right, "
        f"{score['hints']} hint{'s' * (score['hints'] != 1)}."
    )
