"""Hands of Court Piece from arguments: deals as PBN, and files of records."""

from collections.abc import Container
from dataclasses import dataclass
from itertools import islice

import typer

from mate.cli.reading import only_line
from mate.court_piece.cards import SEAT_NAMES
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.pbn import read_records_with_tags
from mate.court_piece.record import Record
from mate.court_piece.variant import PRESETS, Variant
from mate.errors import MateError, RecordError


def is_deal(words: list[str]) -> bool:
    """Whether the words of an argument are a deal, or - for one in standard input."""
    return words == ["-"] or (words[0][:1].upper() in SEAT_NAMES and words[0][1:2] == ":")


@dataclass(frozen=True)
class Told:
    """What options tell of a deal, None where they do not: the moves as words of one text."""

    variant: Variant | None = None
    caller: int | None = None
    trump: str | None = None
    moves: str | None = None

    def hand(self, record: Record) -> Hand:
        """Return the hand of a record without moves as the options have it.

        Raises:
            MateError: a move is not legal, or what the record tells does not go with the caller.
        """
        deal, variant = record.deal, self.variant or record.variant
        if self.caller is not None:
            deal = Deal(deal.hands, (self.caller - 1) % 4, deal.first_five, deal.turned)
        hand = Hand(deal, variant, trump=self.trump or record.trump)
        for move in (self.moves or "").split():
            hand.push(move)
        return hand

    def refuse_known(self, record: Record, tags: Container[str]) -> None:
        """Refuse what the record tells itself, by its tags or its moves.

        Raises:
            typer.BadParameter: it tells such a thing.
        """
        options = (
            ("variant", self.variant, "Variant"), ("caller", self.caller, "Dealer"),
            ("trump", self.trump, "Trump"), ("moves", self.moves, ""),
        )  # fmt: skip
        for name, told, tag in options:
            if told is not None and (record.moves or tag in tags):
                raise typer.BadParameter(f"the record tells its {name} itself")


def hand_of_deal(words: list[str], told: Told) -> Hand:
    """Return the hand that begins at a deal, played on by the moves that were told.

    Raises:
        MateError: the words are no deal, or a move is not legal.
    """
    text = only_line() if words == ["-"] else " ".join(words)
    return told.hand(Record(PRESETS["seed"], Deal.parse(text)))


def hand_of_record(file: str, number: int, after: int | None, told: Told) -> Hand:
    """Return a hand of a file of records, as it was after so many moves.

    Arguments:
        file: its path.
        number: which of its hands, from 1.
        after: how many moves to play; None for all, or of a hand that is over for those before the
            first lead.
        told: what the record does not tell itself.

    Raises:
        MateError: there is no such hand, it is broken, or a move is not legal.
        typer.BadParameter: it has fewer moves, or tells itself what was told.
    """
    found = next(islice(read_records_with_tags(file), number - 1, None), None)
    if found is None:
        raise MateError(f"{file}: there is no hand {number} in it")
    if isinstance(found, RecordError):
        raise found
    record, tags = found
    told.refuse_known(record, tags)
    hand = record.hand() if record.moves else told.hand(record)
    n_moves = len(hand.moves)
    if after is None:
        after = n_moves if not record.points else int(record.moves[0] in "SHDC")
    if after > n_moves:
        raise typer.BadParameter(f"the hand has {n_moves} moves", param_hint="--after")
    for _ in range(n_moves - after):
        hand.pop()
    return hand
