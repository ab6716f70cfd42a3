"""The text of records below its meaning: games in a stream, tags, words, comments, escapes, lines.

docs/records.md tells the grammar.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from mate.errors import RecordError, excerpt, shown

MAX_GAME = 1 << 16  # bytes
MAX_VALUE = 1 << 13  # letters of a tag's value or of a comment
MAX_NAME = 64
WIDTH = 80

# --- Games in a stream ---------------------------------------------------------------------------

_MARK = b"\xef\xbb\xbf"
_TAG_LINE = re.compile(rb"\s*\[\s*(\w*)")
_WHOLE_TAGS = re.compile(
    rb'(?:\s*\[\s*[A-Za-z]\w*\s*"(?:[^"\\]|\\.)*"\s*\])+\s*(?:;.*)?', re.DOTALL
)


class GameLines:
    """The lines of a stream that belong to one game.

    A line whose first letter is a bracket is a line of tags. Tags after moves begin the next game;
    after a blank line so does a tag told again, and any if one before it is none.

    Attributes:
        first: the number of the first line that is not blank.
        content: the lines.
        too_long: the number of the line where they became too many; 0 if they did not.
    """

    def __init__(self) -> None:
        self.first = self.too_long = 0
        self.content = b""
        self._size = 0
        self._lines: list[bytes] = []
        self._tags: set[bytes] = set()
        self._after_blank = self._has_moves = self._has_bad_tag = False

    def ended_by(self, line: bytes) -> bool:
        """Whether the line is of the next game."""
        tag = _TAG_LINE.match(line)
        if tag is None:
            return False
        again = self._has_bad_tag or tag[1].lower() in self._tags
        return self._has_moves or (self._after_blank and again)

    def add(self, number: int, line: bytes) -> None:
        """Take the next line."""
        blank = not line.strip() or line.lstrip().startswith(b";")
        if blank and not self.first:
            return
        self.first = self.first or number
        tag = _TAG_LINE.match(line)
        if tag and not self.too_long:
            self._tags.add(tag[1].lower())
            self._has_bad_tag = self._has_bad_tag or not _WHOLE_TAGS.fullmatch(line)
        self._has_moves = self._has_moves or not (tag or blank)
        self._after_blank = blank
        self._keep(number, line)

    def _keep(self, number: int, line: bytes) -> None:
        self._size += len(line)
        if self._size <= MAX_GAME:
            self._lines.append(line)
        else:
            self.too_long = self.too_long or number

    def text(self, path: str | None) -> "GameText":
        """Return the text of these lines.

        Raises:
            RecordError: they are too long or not UTF-8.
        """
        if self.too_long:
            why = f"expected a game of at most {MAX_GAME} bytes"
            raise RecordError(path, self.too_long, 1, why)
        content = b"".join(self._lines)
        try:
            return GameText(path, self.first, content.decode())
        except UnicodeDecodeError as error:
            before = GameText(path, self.first, content[: error.start].decode())
            raise before.fail(error.start, "expected UTF-8") from None


def split_games(stream: BinaryIO, kind: type[GameLines] = GameLines) -> Iterator[GameLines]:
    """Yield the games of a stream, holding no more than one of them, and no line beyond reason."""
    game = kind()
    for number, line in enumerate(_lines_of(stream), 1):
        if game.ended_by(line):
            yield game
            game = kind()
        game.add(number, line)
    if game.first:
        yield game


def _lines_of(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(MAX_GAME + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_GAME)
        # A byte order mark, as some editors begin a file with, is no part of its text.
        yield line.removeprefix(_MARK)


# --- The text of a game --------------------------------------------------------------------------


class Tag(NamedTuple):
    """A tag: its name and value, where the tag begins, and where the raw value does."""

    name: str
    value: str
    at: int
    value_at: int


class Word(NamedTuple):
    """A comment, or a move or result: whatever stands between blanks."""

    text: str
    at: int
    is_comment: bool = False


_TAG_PARTS = (
    (re.compile(r"\["), "a tag"),
    (re.compile(r"[ \t\r]*"), ""),
    (re.compile(r"[A-Za-z][A-Za-z0-9_]*"), "the name of a tag"),
    (re.compile(r"[ \t\r]*"), ""),
    (re.compile('"'), "the quote before the tag's value"),
    (re.compile(r'(?:[^"\\\r\n]|\\.)*'), ""),
    (re.compile('"'), "the quote after the tag's value"),
    (re.compile(r"[ \t\r]*"), ""),
    (re.compile(r"\]"), "the bracket at the tag's end"),
)
_BLANK = re.compile(r"[ \t\r\n\f\v]*(?:;[^\n]*)?")
_WORD = re.compile(
    r"(?P<skip>\s+|;[^\n]*|[0-9]+\.+|\.+|(?!0(?![^\s{};]))[0-9]+(?![^\s{};]))"
    r"|\{(?P<comment>(?:[^}\\]|\\.)*)\}|(?P<word>[^\s{};]+)",
    re.DOTALL,
)


class GameText:
    """The text of one game, read from left to right.

    Arguments:
        path: the file, for errors.
        first: the number of its first line.
        text: the text.
    """

    def __init__(self, path: str | None, first: int, text: str):
        self.path, self.first, self.text = path, first, text
        self.at = 0

    def fail(self, at: int, why: str) -> RecordError:
        """Return the error for a place."""
        line = self.text.count("\n", 0, at)
        column = min(at, len(self.text)) - self.text.rfind("\n", 0, at)
        return RecordError(self.path, self.first + line, column, why)

    def _refuse(self, at: int, expected: str) -> RecordError:
        rest = self.text[at : at + 15].partition("\n")[0].rstrip("\r")
        found = excerpt(rest) if rest else "the end of the line"
        return self.fail(at, f"expected {expected}, found {found}")

    def tags(self) -> Iterator[Tag]:
        """Yield the tags, up to the first line that has none.

        Raises:
            RecordError: a line that begins with a bracket is no line of tags.
        """
        while True:
            blank = _BLANK.match(self.text, self.at)
            while blank and blank.end() > self.at:
                self.at = blank.end()
                blank = _BLANK.match(self.text, self.at)
            if self.text[self.at : self.at + 1] != "[":
                return
            yield self._tag()
            self._expect_tag_or_end_of_line()

    def _tag(self) -> Tag:
        start, found = self.at, []
        for part, expected in _TAG_PARTS:
            match = part.match(self.text, self.at)
            if not match:
                raise self._refuse(self.at, expected)
            found.append(match)
            self.at = match.end()
        name, value = found[2], found[5]
        if len(name[0]) > MAX_NAME:
            raise self.fail(name.start(), f"expected a name of at most {MAX_NAME} letters")
        return Tag(name[0], self._unescaped(value[0], value.start()), start, value.start())

    def _expect_tag_or_end_of_line(self) -> None:
        end = self.text.find("\n", self.at)
        rest = self.text[self.at : end if end >= 0 else None]
        if rest.strip() and rest.lstrip()[0] not in "[;":
            at = self.at + len(rest) - len(rest.lstrip())
            raise self._refuse(at, "another tag or the end of the line")

    def words(self) -> Iterator[Word]:
        """Yield the words and comments, without the numbers of tricks, up to a line of tags.

        Raises:
            RecordError: a comment is not closed, or one is that was not opened.
        """
        while self.at < len(self.text) and not self._at_tags():
            match = _WORD.match(self.text, self.at)
            if not match:
                raise self._refuse(self.at, self._expected_at(self.at))
            start, self.at = self.at, match.end()
            if match["word"]:
                yield Word(match["word"], start)
            elif match["comment"] is not None:
                yield Word(self._unescaped(match["comment"], start + 1), start, is_comment=True)

    def _at_tags(self) -> bool:
        if self.text[self.at] != "[":
            return False
        return not self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at].strip()

    def _expected_at(self, at: int) -> str:
        return "a comment that is closed" if self.text[at] == "{" else "a move"

    def _unescaped(self, raw: str, at: int) -> str:
        text = unescape(raw)
        if len(text) > MAX_VALUE:
            raise self.fail(at, f"expected at most {MAX_VALUE} letters")
        return text

    def place_in(self, tag: Tag, column: int) -> int:
        """Return where a column of a tag's value stands; its beginning if there are escapes."""
        plain = self.text.startswith(tag.value, tag.value_at)
        return tag.value_at + (column - 1) * plain


# --- Escapes and lines ---------------------------------------------------------------------------

_ESCAPE = re.compile(r'\\(?:(["\\}\[])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))')


def _letter_of(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    number = int(match[2] or match[3], 16)
    half = 0xD800 <= number < 0xE000  # of a pair of UTF-16, and no letter
    return match[0] if half or number > 0x10FFFF else chr(number)


def unescape(text: str) -> str:
    r"""Return a raw text with its escapes read; a backslash before anything else is one.

    >>> unescape(r"\"a\" \\ C:\games \u2663")
    '"a" \\ C:\\games ♣'
    """
    return _ESCAPE.sub(_letter_of, text) if "\\" in text else text


def escape(text: str, quote: str) -> str:
    r"""Return a text as it stands in a tag or comment that a quote or brace ends.

    >>> print(escape('say "a"\x07', '"'))
    say \"a\"\u0007
    """
    return shown(text.replace("\\", "\\\\").replace(quote, "\\" + quote))


def write_tag(name: str, value: str) -> str:
    """Write a tag.

    >>> write_tag("X", 'Anna "A"')
    '[X "Anna \\\\"A\\\\""]'
    """
    return f'[{name} "{escape(value, chr(34))}"]'


def write_comment(text: str) -> str:
    """Write a comment.

    >>> write_comment("a {b}")
    '{a {b\\\\}}'
    """
    return f"{{{escape(text, '}')}}}"


def wrap(words: list[str]) -> list[str]:
    """Break words into lines of at most 80 letters; a word that is longer has its own.

    >>> wrap(["1.", "7c", "Tc"])
    ['1. 7c Tc']
    """
    lines = [""]
    for word in " ".join(words).split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        if not lines[-1] and word.startswith("["):
            word = "\\" + word  # a bracket begins no line but one of tags
        lines[-1] += " " * bool(lines[-1]) + word
    return lines
