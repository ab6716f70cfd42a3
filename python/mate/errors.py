"""What `mate` raises for bad input: a `MateError`, and nothing else.

Every error keeps what it speaks of in fields, so that a program need not read the message.
"""

import operator


class MateError(ValueError):
    """Input that cannot be used; the base of all errors of this package."""


class NotationError(MateError):
    """A text that is not what it should be.

    Attributes:
        text: the whole text.
        column: where it goes wrong, from 1; one beyond the text if something is missing.
        expected: what should have stood there.

    >>> print(NotationError("AXK", 2, "a rank"))
    column 2: expected a rank, found 'XK'
    """

    def __init__(self, text: str, column: int, expected: str):
        super().__init__(text, column, expected)
        self.text, self.column, self.expected = text, column, expected

    @property
    def why(self) -> str:
        """What is wrong, without the place."""
        rest = self.text[self.column - 1 : self.column + 15]
        rest = rest.rstrip(" ") or rest  # where the text was cut a blank tells nothing
        return f"expected {self.expected}, found {excerpt(rest) if rest else 'the end'}"

    def __str__(self) -> str:
        return f"column {self.column}: {self.why}"


class IllegalMoveError(MateError):
    """A move that the position does not allow.

    Attributes:
        move: the move as it was given.
        position: the text of the position.
        legal: the legal moves.

    >>> print(IllegalMoveError("Kc", ".../... x - 11 -/- -", ()))
    'Kc' is not legal in .../... x - 11 -/- -; legal: nothing, the game is over
    """

    def __init__(self, move: object, position: str, legal: tuple[str, ...]):
        super().__init__(move, position, legal)
        self.move, self.position, self.legal = move, position, legal

    def __str__(self) -> str:
        legal = " ".join(self.legal) or "nothing, the game is over"
        return f"{excerpt(self.move)} is not legal in {self.position}; legal: {legal}"


class NothingPlayedError(MateError, IndexError):
    """There is no move to take back."""

    def __str__(self) -> str:
        return "nothing was played, so nothing can be taken back"


class LogError(MateError):
    """Something in the log of a game site that cannot be so.

    Attributes:
        why: what is wrong.
        packet, notification: where in the log, both from 1; None if it is about no single place.
        game: which game of the log, from 1; None if that is not known.

    >>> print(LogError("Kc is played twice", 12, 1, game=2))
    game 2, packet 12, notification 1: Kc is played twice
    """

    def __init__(
        self,
        why: str,
        packet: int | None = None,
        notification: int | None = None,
        game: int | None = None,
    ):
        super().__init__(why, packet, notification, game)
        self.why, self.packet, self.notification, self.game = why, packet, notification, game

    def __str__(self) -> str:
        parts = (("game", self.game), ("packet", self.packet), ("notification", self.notification))
        where = ", ".join(f"{name} {number}" for name, number in parts if number is not None)
        return f"{where}: {self.why}" if where else self.why


class NoDealError(MateError):
    """No deal agrees with what was seen of the games on it.

    Attributes:
        why: what makes it impossible.
        game, move: the game and the move in it that do, from 0; None if no single one.
    """

    def __init__(self, why: str, game: int | None = None, move: int | None = None):
        super().__init__(why, game, move)
        self.why, self.game, self.move = why, game, move

    def __str__(self) -> str:
        return self.why


class VariantError(MateError):
    """A field of a variant or of its deck that cannot be so.

    Attributes:
        field: the name of the field.
        value: what it was given.
        why: what is wrong with that.
    """

    def __init__(self, field: str, value: object, why: str):
        super().__init__(field, value, why)
        self.field, self.value, self.why = field, value, why

    def __str__(self) -> str:
        return f"variant field {self.field} = {excerpt(self.value)}: {self.why}"


class RecordError(MateError):
    """A game of a record file that cannot be read, or a record file that cannot.

    Attributes:
        path: the file, None if the text came from none.
        line: the line, from 1; 0 if the file as a whole is meant.
        column: the column in characters, from 1; 0 if the file as a whole is meant.
        why: what is wrong there.

    >>> print(RecordError("games.mate", 12, 4, "expected a move, found 'Xc'"))
    games.mate:12:4: expected a move, found 'Xc'
    """

    def __init__(self, path: str | None, line: int, column: int, why: str):
        super().__init__(path, line, column, why)
        self.path, self.line, self.column, self.why = path, line, column, why

    def __str__(self) -> str:
        place = [str(number) for number in (self.line, self.column) if number]
        return f"{':'.join([shown(self.path or 'record'), *place])}: {self.why}"


class TablebaseError(MateError):
    """A tablebase that cannot be read, written or trusted.

    Attributes:
        path: the file.
        why: what is wrong with it.
    """

    def __init__(self, path: str, why: str):
        super().__init__(path, why)
        self.path, self.why = path, why

    def __str__(self) -> str:
        return f"tablebase {self.path}: {self.why}"


class ShardError(MateError):
    """A file of games that cannot be read, written or trusted.

    Attributes:
        path: the file or its address.
        why: what is wrong with it.

    >>> print(ShardError("run/games-00000007.parquet", "its games are damaged"))
    run/games-00000007.parquet: its games are damaged
    """

    def __init__(self, path: str, why: str):
        super().__init__(path, why)
        self.path, self.why = path, why

    def __str__(self) -> str:
        return f"{shown(self.path)}: {shown(self.why)}"


class EngineError(MateError):
    """An engine in another process that does not do as it should.

    Attributes:
        why: what is wrong with it.
        command: what it was last told, None if that does not matter.

    >>> print(EngineError("no answer within 10 s", "isready"))
    engine: no answer within 10 s (after 'isready')
    """

    def __init__(self, why: str, command: str | None = None):
        super().__init__(why, command)
        self.why, self.command = why, command

    def __str__(self) -> str:
        after = f" (after {excerpt(self.command)})" if self.command is not None else ""
        return f"engine: {shown(self.why)}{after}"


def refuse(wrong: bool, field: str, value: object, why: str) -> None:
    """Raise a `VariantError` if something is wrong."""
    if wrong:
        raise VariantError(field, value, why)


def checked_integer(name: str, value: object, least: int, most: int) -> int:
    """Return an integer of that range as one of Python's.

    Raises:
        MateError: it is none, or out of range.

    >>> checked_integer("rounds", 0, 1, 100)
    Traceback (most recent call last):
    mate.errors.MateError: rounds 0: an integer from 1 to 100
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except Exception:  # whatever a stranger's object raises
        number = least - 1
    if not least <= number <= most:
        raise MateError(f"{name} {excerpt(value)}: an integer from {least} to {most}")
    return number


def excerpt(value: object, limit: int = 60) -> str:
    """Return the `repr` of a value, cut short: control characters are shown, not sent.

    >>> excerpt("x" * 100, limit=12)
    "'xxxxxxxxxx…"
    """
    try:
        text = repr(value[: limit + 1]) if isinstance(value, str) else repr(value)
    except Exception:  # a stranger's object
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def shown(text: str) -> str:
    """Return the text with control characters and what else cannot be printed as their numbers.

    >>> print(shown("Anna\\x1b[2J"))
    Anna\\u001b[2J
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _numbered(ord(letter)) for letter in text)


def _numbered(letter: int) -> str:
    return f"\\u{letter:04x}" if letter < 1 << 16 else f"\\U{letter:08x}"
