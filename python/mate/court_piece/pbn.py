"""Files and texts of records and deals: our own form, PBN, and bare deals line by line.

A broken one is told as the error that it is, and the next one is read.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, TypeVar

from mate.court_piece.deal import Deal
from mate.court_piece.handtext import HandLines, HandReader
from mate.court_piece.record import Record, deal_tags, write_record
from mate.errors import MateError, RecordError, excerpt
from mate.recordstream import games_of_file, games_of_text, write_games
from mate.recordtags import UNKNOWN
from mate.recordtext import split_games, write_tag

SUFFIX = ".pbn"
Found = TypeVar("Found")

# --- Files and texts -----------------------------------------------------------------------------


def read_records(path: "str | os.PathLike[str]") -> Iterator[Record | RecordError]:
    """Yield the records of a file, one at a time, or what is wrong with each that is broken.

    Raises:
        RecordError: the file cannot be read; its line is 0.

    >>> next(read_records("no such file"))
    Traceback (most recent call last):
    mate.errors.RecordError: no such file: No such file or directory
    """
    yield from games_of_file(path, records_of)


def parse_records(text: str) -> Iterator[Record | RecordError]:
    """Yield the records of a text, or what is wrong with each that is broken.

    Raises:
        MateError: `text` is no text.

    >>> deal = "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"
    >>> [record.moves for record in parse_records(f'[Deal "{deal}"] \\n S 1. AS 2S')]
    [('S', 'AS', '2S')]
    >>> print(*parse_records(f'[Deal "{deal}"] \\n S 1. AS 2H'))
    record:2:10: '2H' is not legal in S 852.T832.862.T92 on AS, trump S; legal: 8S 5S 2S
    """
    return games_of_text(text, records_of)


def records_of(stream: BinaryIO, path: str | None) -> Iterator[Record | RecordError]:
    """Yield the records of a stream; `path` is what errors call it.

    Raises:
        OSError: it cannot be read.
    """
    return _found_in(stream, path, HandReader.record)


def read_records_with_tags(
    path: "str | os.PathLike[str]",
) -> Iterator[tuple[Record, frozenset[str]] | RecordError]:
    """Yield the records of a file with the names of the tags that stand there.

    So that what a record was told by its text can be told from what is so unless told.

    Raises:
        RecordError: the file cannot be read; its line is 0.
    """
    yield from games_of_file(path, lambda stream, name: _found_in(stream, name, _with_tags))


def _with_tags(reader: HandReader) -> tuple[Record, frozenset[str]] | None:
    record = reader.record()
    return None if record is None else (record, frozenset(reader.tags))


def _found_in(
    stream: BinaryIO, path: str | None, read: Callable[[HandReader], Found | None]
) -> Iterator[Found | RecordError]:
    for lines in split_games(stream, HandLines):
        try:
            found = read(HandReader(lines.text(path)))
        except RecordError as error:
            yield error
        else:
            if found:
                yield found


def write_records(path: "str | os.PathLike[str]", records: Iterable[Record]) -> None:
    """Write records to a file, whole or not at all; one that is there is replaced.

    Raises:
        RecordError: the file cannot be written; nothing is left behind.
        MateError: a record is none or too long; nothing is left behind.
    """
    write_games(path, records, write_record)


# --- Deals ---------------------------------------------------------------------------------------


def read_deals(path: "str | os.PathLike[str]") -> Iterator[Deal | RecordError]:
    """Yield the deals of a file, whatever was played, or what is wrong with each that is broken.

    Raises:
        RecordError: the file cannot be read; its line is 0.
    """
    yield from games_of_file(path, deals_of)


def parse_deals(text: str) -> Iterator[Deal | RecordError]:
    """Yield the deals of a text, whatever was played, or what is wrong with each that is broken.

    Raises:
        MateError: `text` is no text.

    >>> text = "\\n".join(str(Deal.random(seed)) for seed in range(3))
    >>> [str(deal) for deal in parse_deals(text)] == text.split("\\n")
    True
    """
    return games_of_text(text, deals_of)


def deals_of(stream: BinaryIO, path: str | None) -> Iterator[Deal | RecordError]:
    """Yield the deals of a stream; `path` is what errors call it.

    Raises:
        OSError: it cannot be read.
    """
    return _found_in(stream, path, HandReader.deal_alone)


class PlacedDeal(NamedTuple):
    """A deal, the line of its stream where it begins, and its tag Board, None if it has none."""

    deal: Deal
    line: int
    board: str | None


def placed_deals_of(stream: BinaryIO, path: str | None) -> Iterator[PlacedDeal | RecordError]:
    """Yield the deals of a stream with their places; `path` is what errors call it.

    Raises:
        OSError: it cannot be read.
    """
    return _found_in(stream, path, _placed)


def _placed(reader: HandReader) -> PlacedDeal | None:
    deal = reader.deal_alone()
    if deal is None:
        return None
    board = reader.others.get("Board", UNKNOWN).strip()
    return PlacedDeal(deal, reader.text.first, None if board in ("", UNKNOWN) else board)


def write_deals(path: "str | os.PathLike[str]", deals: Iterable[Deal]) -> None:
    """Write deals to a file in PBN, whole or not at all; one that is there is replaced.

    Raises:
        RecordError: the file cannot be written; nothing is left behind.
        MateError: a deal is none; nothing is left behind.
    """
    write_games(path, deals, write_deal)


def write_deal(deal: Deal) -> str:
    """Return a deal as tags of PBN, each on its line.

    Raises:
        MateError: `deal` is none.

    >>> print(write_deal(Deal.parse(
    ...     "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75", 3)))
    [Dealer "W"]
    [Deal "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"]
    <BLANKLINE>
    """
    if not isinstance(deal, Deal):
        raise MateError(f"{excerpt(deal)} is no deal of Court Piece")
    return "".join(f"{write_tag(name, value)}\n" for name, value in deal_tags(deal).items())
