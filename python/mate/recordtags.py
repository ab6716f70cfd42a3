"""What records tell beside the game: tags and comments that can be written; and reading them."""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from mate.errors import MateError, NotationError, excerpt
from mate.recordtext import MAX_NAME, MAX_VALUE, GameText, Tag, Word

UNKNOWN = "?"

_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{MAX_NAME - 1}}}")
_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
Value = TypeVar("Value")


class TagNames:
    """The names of tags that a kind of record knows.

    Arguments:
        always: written of every game, "?" if not told.
        of_the_game: what the game itself tells.
    """

    def __init__(self, always: tuple[str, ...], of_the_game: tuple[str, ...]):
        self.always, self.of_the_game = always, of_the_game
        self._spelt = {name.lower(): name for name in always + of_the_game}

    def spelt(self, name: str) -> str:
        """Return a name as it is always written, one that is not known as it is."""
        return self._spelt.get(name.lower(), name)

    def checked(self, tags: object) -> dict[str, str]:
        """Return tags with those of every game among them.

        Raises:
            MateError: they are none, cannot be written, or are told by the game itself.
        """
        if not isinstance(tags, dict):
            raise MateError(f"tags {excerpt(tags)}: texts by name")
        for name, value in tags.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise MateError(f"tag {excerpt(name)}: a name is a letter, then letters or digits")
            if self.spelt(name) != name or name in self.of_the_game:
                raise MateError(f"tag {name}: the record tells that itself, or spells it otherwise")
            _check_text(f"tag {name}", value)
        return {**dict.fromkeys(self.always, UNKNOWN), **tags}


def checked_comments(comments: object, n_moves: int) -> dict[int, str]:
    """Return comments in order, blanks made single.

    Raises:
        MateError: they are none, cannot be written, or stand where there is no move.
    """
    if not isinstance(comments, dict):
        raise MateError(f"comments {excerpt(comments)}: texts by number of moves")
    good = {}
    for ply, text in comments.items():
        if type(ply) is not int or not 0 <= ply <= n_moves:
            raise MateError(f"comment after {excerpt(ply)} moves: there are {n_moves}")
        _check_text(f"comment after {ply} moves", text)
        good[ply] = _BLANKS.sub(" ", text).strip(" ")
    return {ply: good[ply] for ply in sorted(good) if good[ply]}


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str) or len(text) > MAX_VALUE:
        raise MateError(f"{what} {excerpt(text)}: a text of at most {MAX_VALUE} letters")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise MateError(f"{what} {excerpt(text)}: half a letter of UTF-16") from None


class TaggedGame:
    """The text of one game and what was read of it: tags by name, comments by moves before them."""

    def __init__(self, text: GameText, names: TagNames):
        self.text, self.names = text, names
        self.tags: dict[str, Tag] = {}
        self.comments: dict[int, str] = {}

    @property
    def others(self) -> dict[str, str]:
        """The tags that tell what the game itself does not."""
        told = self.names.of_the_game
        return {name: tag.value for name, tag in self.tags.items() if name not in told}

    def add(self, tag: Tag) -> None:
        """Take a tag.

        Raises:
            RecordError: there is one of that name.
        """
        name = self.names.spelt(tag.name)
        if name in self.tags:
            raise self.text.fail(tag.at, f"the tag {name} stands twice")
        self.tags[name] = tag

    def comment(self, ply: int, text: str) -> None:
        """Take a comment that stands after so many moves."""
        self.comments[ply] = f"{self.comments.get(ply, '')} {text}"

    def expect_nothing(self, words: Iterator[Word], expected: str = "a tag") -> None:
        """Refuse all but comments.

        Raises:
            RecordError: there is a word.
        """
        for word in words:
            if not word.is_comment:
                found = excerpt(word.text, 20)
                raise self.text.fail(word.at, f"expected {expected}, found {found}")

    def value(self, name: str, read: Callable[[str], Value]) -> Value:
        """Read the value of a tag that is there.

        Raises:
            RecordError: it cannot be read; the place is in the tag.
        """
        tag = self.tags[name]
        try:
            return read(tag.value)
        except NotationError as error:
            raise self.text.fail(self.text.place_in(tag, error.column), error.why) from None
        except MateError as error:
            raise self.text.fail(tag.value_at, str(error)) from None
