"""Records in files, streams and texts: reading them game by game, and writing them.

A broken game is told as the error that it is, and the next one is read.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import BinaryIO

from mate.deal import Deal
from mate.errors import (
    IllegalMoveError,
    MateError,
    NotationError,
    RecordError,
    excerpt,
)
from mate.game import Game
from mate.notation import PLAYERS
from mate.position import Position
from mate.record import TAGS, UNFINISHED, Record, write_record, write_result
from mate.recordstream import games_of_file, games_of_text, write_games
from mate.recordtags import UNKNOWN, TaggedGame
from mate.recordtext import GameText, Word, split_games
from mate.variant import PRESETS, Variant
from mate.varianttext import variant_of_text

SUFFIX = ".mate"

_RESULT = re.compile(r"[+-][0-9]{1,6}|0")

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

    >>> text = '[Position "7.Q../.7.K. x - 9 -/- -"] \\n 9.7c'
    >>> [record.moves for record in parse_records(text)]
    [('7c',)]
    >>> print(*parse_records(text + " Qs"))
    record:2:7: 'Qs' is not legal in .Q../.7.K. y 7c 9 -/- -; legal: 7s
    """
    return games_of_text(text, records_of)


def records_of(stream: BinaryIO, path: str | None) -> Iterator[Record | RecordError]:
    """Yield the records of a stream; `path` is what errors call it.

    Raises:
        OSError: it cannot be read.
    """
    for lines in split_games(stream):
        try:
            record = _Reader(lines.text(path)).record()
        except RecordError as error:
            yield error
        else:
            if record:
                yield record


def write_records(path: "str | os.PathLike[str]", records: Iterable[Record]) -> None:
    """Write records to a file, whole or not at all; one that is there is replaced.

    Raises:
        RecordError: the file cannot be written; nothing is left behind.
        MateError: a record is none or too long; nothing is left behind.
    """
    write_games(path, records, write_record)


# --- One game -------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _variant_of(text: str) -> Variant:
    return variant_of_text(text, Variant)


class _Reader(TaggedGame):
    """What the text of one game means."""

    def __init__(self, text: GameText):
        super().__init__(text, TAGS)

    def record(self) -> Record | None:
        """Return the record, None if there is nothing but comments.

        Raises:
            RecordError: it is none.
        """
        for tag in self.text.tags():
            self.add(tag)
        words = self.text.words()
        if not self.tags:
            self.expect_nothing(words)
            return None
        variant = self.value("Variant", _variant_of) if "Variant" in self.tags else PRESETS["bga"]
        start = self._start(variant)
        game = self._play(Game.from_position(start), words)
        if "Result" in self.tags:
            tag = self.tags["Result"]
            self._check_result(tag.value, tag.value_at, game)
        moves = tuple(game.moves)
        try:
            return Record(variant, start, moves, self.others, self.comments, self.text.first)
        except MateError as error:  # comments that are too long together
            raise self.text.fail(0, str(error)) from None

    # --- Where the game begins ---

    def _start(self, variant: Variant) -> Position:
        if "Position" in self.tags:
            for name in ("Deal", "Leader"):
                if name in self.tags:
                    why = f"the tag {name} beside Position, which tells it all"
                    raise self.text.fail(self.tags[name].at, why)
            return self.value("Position", lambda text: Position.parse(text, variant))
        if "Deal" not in self.tags:
            raise self.text.fail(0, "expected the tag Deal or Position in this game")
        deal = self.value("Deal", lambda text: Deal.parse(text, variant.deck))
        leader = self.value("Leader", _leader_of) if "Leader" in self.tags else "x"
        return Game(deal, variant, leader).position

    # --- The game ---

    def _play(self, game: Game, words: Iterator[Word]) -> Game:
        ended = False
        for word in words:
            if word.is_comment:
                self.comment(len(game.actions), word.text)
            elif ended:
                why = f"expected the tags of the next game, found {excerpt(word.text, 20)}"
                raise self.text.fail(word.at, why)
            elif word.text == UNFINISHED or _RESULT.fullmatch(_plain_sign(word.text)):
                self._check_result(word.text, word.at, game)
                ended = True
            else:
                self._push(game, word)
        return game

    def _push(self, game: Game, word: Word) -> None:
        move = word.text.removesuffix("#")
        try:
            game.push(move)
        except NotationError as error:
            raise self.text.fail(word.at + error.column - 1, error.why) from None
        except IllegalMoveError as error:
            raise self.text.fail(word.at, str(error)) from None
        if move != word.text and not game.is_mate:
            raise self.text.fail(word.at + len(move), f"{excerpt(move)} is no mate")

    def _check_result(self, told: str, at: int, game: Game) -> None:
        result = write_result(game.result)
        plain = _plain_sign(told).strip()
        plain = plain.removeprefix("+") if plain == "+0" else plain
        if plain not in (result, UNKNOWN, ""):
            raise self.text.fail(at, f"the result is {result}, not {excerpt(told, 20)}")


def _plain_sign(result: str) -> str:
    return result.replace("\N{MINUS SIGN}", "-")


def _leader_of(text: str) -> str:
    leader = text.strip().lower()
    if leader not in PLAYERS:
        raise NotationError(text, 1, "X or Y")
    return leader
