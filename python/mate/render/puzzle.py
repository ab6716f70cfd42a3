"""A puzzle and its solution as people read them, 80 columns wide."""

from textwrap import fill

from rich.text import Text

from mate.puzzle import Puzzle
from mate.render.grid import grid
from mate.render.text import numbered, points, situation

WIDTH = 80


def task(puzzle: Puzzle, title: str) -> Text:
    """Return what is to be solved: a title, the position, its board, and the prize."""
    position = puzzle.position
    head = f"{title}, level {puzzle.level}: {position.variant.name}\n{position}\n"
    return (
        Text(no_wrap=True, overflow="ignore")
        .append(head)
        .append(f"{situation(position)}\n\n")
        .append(grid(position))
        .append(f"\n\n{aim(puzzle)}\n", style="bold")
    )


def aim(puzzle: Puzzle) -> str:
    """Say who the solver is and what he is to do.

    >>> import mate
    >>> aim(next(mate.puzzles(seed=1)))
    'You are Y. Lead and mate on trick 6 for 60.'
    """
    return f"You are {puzzle.position.to_move.upper()}. {puzzle.prize}."


def solution(puzzle: Puzzle, number: int) -> str:
    """Return the solution: the move, its line, and what makes it hard to find.

    >>> import mate
    >>> print(solution(next(mate.puzzles(seed=1)), number=1))
    1. Td: 6.Td
       Seen 1 trick ahead. The second-best move costs 159 points.
    """
    line = f"{number}. {puzzle.best}: {numbered(puzzle.position, puzzle.line)}"
    return f"{_indented(line, '')}\n{_indented(_difficulty(puzzle), '   ')}"


def _difficulty(puzzle: Puzzle) -> str:
    tempting = f" Who sees less prefers {' '.join(puzzle.traps)}." if puzzle.traps else ""
    tricks = f"{puzzle.depth} trick{'s' * (puzzle.depth != 1)}"
    return f"Seen {tricks} ahead.{tempting} The second-best move costs {points(puzzle.cost)}."


def _indented(text: str, first: str) -> str:
    return fill(text, WIDTH, initial_indent=first, subsequent_indent="   ", break_on_hyphens=False)
