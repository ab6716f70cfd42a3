"""Deals and positions from arguments, files and standard input."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import typer

from mate.cli.options import Player
from mate.deal import Deal
from mate.deck import Deck
from mate.errors import MateError, TablebaseError, VariantError, excerpt
from mate.game import Game
from mate.variant import Variant
from mate.varianttext import Kind

if TYPE_CHECKING:
    from mate.tablebase import Tablebase

MAX_VARIANT = 1 << 16  # bytes
MAX_LINE = 4096  # bytes; a position has about a hundred, the rest is room for a comment


# --- Lines ---------------------------------------------------------------------------------------


def standard_input() -> BinaryIO:
    """Return standard input as bytes.

    Raises:
        MateError: it is closed.
    """
    if sys.stdin is None:
        raise MateError("standard input is closed")
    return sys.stdin.buffer


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers from 1; of one too long, no more than its beginning."""
    number = 0
    while line := stream.readline(MAX_LINE + 2):
        number += 1
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(1 << 16)
        yield number, line


def content_of(line: bytes) -> str:
    """Return the text of a line without its end and its comment.

    Raises:
        MateError: the line is too long or not UTF-8.

    >>> content_of(b"ATK.Q7.A.TKQ7  # the first\\r\\n")
    'ATK.Q7.A.TKQ7'
    """
    line = line.removesuffix(b"\n")
    if len(line) > MAX_LINE:
        raise MateError(f"expected a line of at most {MAX_LINE} bytes")
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise MateError(f"byte {error.start + 1}: expected UTF-8") from None
    # A byte order mark, as some editors begin a file with, is no part of its text.
    return text.removeprefix("\ufeff").partition("#")[0].rstrip()


def read_deals(stream: BinaryIO, deck: Deck) -> Iterator[tuple[int, Deal | MateError]]:
    """Yield each line's number and its deal, or what is wrong with it; blank lines are skipped."""
    for number, line in read_lines(stream):
        try:
            if text := content_of(line):
                yield number, Deal.parse(text, deck)
        except MateError as error:
            yield number, error


def _read_texts() -> Iterator[tuple[int, str]]:
    for number, line in read_lines(standard_input()):
        try:
            if text := content_of(line):
                yield number, text
        except MateError as error:
            raise MateError(f"line {number}: {error}") from None


def first_line() -> str:
    """Return the first line of standard input that is not blank, and read no further.

    Raises:
        MateError: there is none.
    """
    return _first(_read_texts())


def only_line() -> str:
    """Return the one line of standard input that is not blank.

    Raises:
        MateError: there is none, or another one after it.
    """
    texts = _read_texts()
    found = _first(texts)
    for number, _ in texts:
        raise MateError(f"line {number}: expected nothing after the deal or position")
    return found


def _first(texts: Iterator[tuple[int, str]]) -> str:
    for _, text in texts:
        return text
    raise MateError("standard input: expected a deal or a position, found nothing")


# --- Variants ------------------------------------------------------------------------------------


def variant_of(text: str) -> Variant:
    """Return the variant that an option gives: as text, or as the name of a JSON file.

    Raises:
        MateError: it gives none.
        OSError: the file cannot be read.
    """
    return read_variant(text, Variant)


def read_variant(text: str, kind: type[Kind]) -> Kind:
    """Return a variant as `variant_of`, of whichever game."""
    if not text.endswith(".json"):
        return kind.of(text)
    with open(text, "rb") as file:
        content = file.read(MAX_VARIANT + 1)
    try:
        return kind.from_plain(json.loads(content[:MAX_VARIANT]))
    except VariantError:
        raise
    except (ValueError, RecursionError) as error:
        raise MateError(f"{text}: expected a variant as JSON: {error}") from None


# --- Tablebases ----------------------------------------------------------------------------------


def opened_tablebase(file: Path | None, variant: Variant) -> "Tablebase | None":
    """Return the tablebase that an option gives: a file, or `default` for the variant's place.

    Raises:
        TablebaseError: it cannot be read.
    """
    if file is None:
        return None
    from mate.tablebase import Tablebase, default_path  # a search needs no numpy

    place = default_path(variant)
    if str(file) != "default":
        return Tablebase.open(file)
    if not place.exists():
        why = f"there is none yet; mate tablebase build --variant {variant.name} makes it"
        raise TablebaseError(str(place), why)
    return Tablebase.open(place)


# --- Arguments -----------------------------------------------------------------------------------


def read_game(words: list[str], variant: Variant, leader: Player | None = None) -> Game:
    """Return the game that begins at the deal or position that the words of an argument give.

    Raises:
        MateError: they give none.
        typer.BadParameter: an option is misspelt, or a leader is told for a position.
    """
    refuse_options(words)
    text = only_line() if words == ["-"] else " ".join(words)
    return game_of(text, variant, leader)


def game_of(text: str, variant: Variant, leader: Player | None = None) -> Game:
    """Return the game that begins at a deal or position."""
    if not text.strip():
        raise MateError(f"expected a deal or a position, found {excerpt(text)}")
    if len(text.split()) == 1:
        return Game(text, variant, leader.value if leader else "x")
    if leader is not None:
        raise typer.BadParameter("a position says who acts; --leader is for deals")
    return Game.from_position(text, variant)


def refuse_options(words: list[str]) -> None:
    """Refuse misspelt options, which come as words since a position has words like -/-."""
    for word in words:
        if word.startswith("--"):
            raise typer.BadParameter(f"no such option: {word}")
