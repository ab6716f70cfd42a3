"""Hands of Court Piece from arguments: deals as PBN, and files of records."""

from itertools import islice

import typer

from mate.cli.reading import only_line
from mate.court_piece.cards import SEAT_NAMES
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.pbn import read_records
from mate.court_piece.variant import Variant
from mate.errors import MateError, RecordError

EAST = 1  # who calls where North deals


def is_deal(words: list[str]) -> bool:
    """Whether the words of an argument are a deal, or - for one in standard input."""
    return words == ["-"] or (words[0][:1].upper() in SEAT_NAMES and words[0][1:2] == ":")


def hand_of_deal(
    words: list[str], variant: Variant, caller: int | None, trump: str | None, moves: str | None
) -> Hand:
    """Return the hand that begins at a deal, played on by some moves.

    Raises:
        MateError: the words are no deal, or a move is not legal.
    """
    text = only_line() if words == ["-"] else " ".join(words)
    dealer = ((EAST if caller is None else caller) - 1) % 4
    hand = Hand(Deal.parse(text, dealer), variant, trump=trump)
    for move in (moves or "").split():
        hand.push(move)
    return hand


def hand_of_record(file: str, number: int, after: int | None) -> Hand:
    """Return a hand of a file of records, as it was after so many moves.

    Arguments:
        file: its path.
        number: which of its hands, from 1.
        after: how many moves to play; None for all, or of a hand that is over for those before the
            first lead.

    Raises:
        MateError: there is no such hand, it is broken, or it has fewer moves.
    """
    record = next(islice(read_records(file), number - 1, None), None)
    if record is None:
        raise MateError(f"{file}: there is no hand {number} in it")
    if isinstance(record, RecordError):
        raise record
    hand = record.hand()
    n_moves = len(hand.moves)
    if after is None:
        after = n_moves if not hand.is_over else int(record.moves[0] in "SHDC")
    if after > n_moves:
        raise typer.BadParameter(f"the hand has {n_moves} moves", param_hint="--after")
    for _ in range(n_moves - after):
        hand.pop()
    return hand
