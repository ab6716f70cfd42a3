"""The options that several commands of `mate court` share."""

from typing import Annotated

import typer

from mate.cli.reading import read_variant
from mate.court_piece.notation import parse_seat, parse_trump
from mate.court_piece.variant import Variant
from mate.errors import MateError


def trump_of(text: str) -> str:
    """Return the trump that an option gives."""
    try:
        return parse_trump(text)
    except MateError as error:
        raise typer.BadParameter(str(error)) from None


def seat_of(text: str) -> int:
    """Return the seat that an option gives."""
    try:
        return parse_seat(text)
    except MateError as error:
        raise typer.BadParameter(str(error)) from None


def variant_of(text: str) -> Variant:
    """Return the variant that an option gives: as text, or as the name of a JSON file.

    Raises:
        MateError: it gives none.
        OSError: the file cannot be read.
    """
    return read_variant(text, Variant)


_VARIANT = (
    "A preset, and behind commas fields to set otherwise: double-sir,target=7; "
    "or a file NAME.json with the fields of a variant."
)
VariantOption = Annotated[str, typer.Option("--variant", metavar="TEXT", help=_VARIANT)]
ToldVariantOption = Annotated[
    str | None,
    typer.Option(
        "--variant", metavar="TEXT", help=f"{_VARIANT} What a record tells, or seed, unless told."
    ),
]
TrumpOption = Annotated[
    str | None,
    typer.Option("--trump", metavar="SUIT", parser=trump_of, help="S, H, D, C, or N for none."),
]
LeaderOption = Annotated[
    int | None,
    typer.Option("--leader", metavar="SEAT", parser=seat_of, help="N, E, S or W, who leads."),
]
