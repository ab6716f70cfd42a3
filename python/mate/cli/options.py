"""The options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Player(StrEnum):
    """A player as an option takes him."""

    x = "x"
    y = "y"


VariantOption = Annotated[
    str,
    typer.Option(
        "--variant",
        metavar="TEXT",
        help="A preset, and behind commas fields to set otherwise: bga-king,free_move=yes; "
        "or a file NAME.json with the fields of a variant.",
    ),
]
LeaderOption = Annotated[
    Player | None,
    typer.Option("--leader", case_sensitive=False, help="Who leads a deal; X unless told."),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="The same seed draws the same again.")
]
TablebaseOption = Annotated[
    Path | None,
    typer.Option("--tablebase", help="Look values up in this file; `default` is its place."),
]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", min=1, max=256, help="One a core unless told.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

# A position has fields that begin with a hyphen; they are words of it, and no options.
POSITION_SETTINGS = {"ignore_unknown_options": True}
POSITION_HELP = "A deal, or a position of six fields, quoted or not; - reads standard input."
