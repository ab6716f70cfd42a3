"""Lines of the engine protocol as values, for those who write them and those who read them."""

from collections.abc import Iterator
from dataclasses import dataclass

from mate.errors import MateError, excerpt, shown

LONGEST_LINE = 4096  # bytes
LONGEST_ERROR = 500  # characters
LONGEST_TIME = 86_400_000  # milliseconds, a day
LONGEST_NUMBER = 18  # digits


def number_of(name: str, text: str, lowest: int = 0, highest: int | None = None) -> int:
    """Return the whole number that a text is.

    Raises:
        MateError: it is none, or out of range.

    >>> number_of("depth", "12")
    12
    >>> number_of("depth", "0", 1)
    Traceback (most recent call last):
    mate.errors.MateError: depth '0': a whole number from 1
    """
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER:
        number = int(text)
        if lowest <= number and (highest is None or number <= highest):
            return number
    limit = f"from {lowest}" if highest is None else f"of {lowest} to {highest}"
    raise MateError(f"{name} {excerpt(text)}: a whole number {limit}")


def error_line(text: str) -> str:
    """Return an answer that says what is wrong, always one line and not long.

    >>> error_line("of a \\n line")
    'error of a \\\\u000a line'
    """
    return f"error {shown(text)[:LONGEST_ERROR]}"


# --- go ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """How long `go` searches.

    Attributes:
        depth: tricks that are looked ahead, this one among them, from 1; None for all.
        movetime: milliseconds; None for as long as it takes.
        infinite: until `stop`, even if everything is known before.

    Raises:
        MateError: of `parse`, the words are no limits.

    >>> Limits.parse(["depth", "3", "movetime", "100"])
    Limits(depth=3, movetime=100, infinite=False)
    """

    depth: int | None = None
    movetime: int | None = None
    infinite: bool = False

    @classmethod
    def parse(cls, words: list[str]) -> "Limits":
        """Read what stands behind `go`."""
        depth = movetime = None
        infinite = False
        rest = iter(words)
        for word in rest:
            if word == "depth" and depth is None:
                depth = number_of(word, next(rest, ""), 1)
            elif word == "movetime" and movetime is None:
                movetime = number_of(word, next(rest, ""), 1, LONGEST_TIME)
            elif word == "infinite" and not infinite:
                infinite = True
            else:
                raise MateError(f"{excerpt(word)}: expected depth, movetime or infinite, each once")
        if infinite and movetime is not None:
            raise MateError("either movetime or infinite")
        return cls(depth, movetime, infinite)

    def __str__(self) -> str:
        named = (("depth", self.depth), ("movetime", self.movetime))
        words = [f"{name} {number}" for name, number in named if number is not None]
        return " ".join(["go", *words, *["infinite"] * self.infinite])


# --- info ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Info:
    """What an engine found of a position.

    Attributes:
        depth: tricks that were looked ahead; a mate beyond them counts nothing. 0 if the game is
            over.
        exact: whether nothing lies beyond them.
        value: the margin in points for the player to act.
        nodes: positions searched since `go`.
        time: milliseconds since `go`.
        line: the best course as far as it was looked ahead, the best move first.

    >>> print(Info(2, False, 30, 17, 0, ("7c", "7s")))
    info depth 2 exact no value 30 nodes 17 time 0 line 7c 7s
    >>> Info.parse("depth 2 exact no value 30 nodes 17 time 0 line 7c 7s".split()).line
    ('7c', '7s')
    """

    depth: int
    exact: bool
    value: int
    nodes: int
    time: int
    line: tuple[str, ...]

    @classmethod
    def parse(cls, words: list[str]) -> "Info":
        """Read what stands behind `info`; fields of other names are passed over.

        Raises:
            MateError: a field is missing or wrong.
        """
        at = words.index("line") if "line" in words else len(words)
        fields = dict(zip(words[:at:2], words[1:at:2], strict=False))
        if at == len(words) or fields.get("exact") not in ("yes", "no"):
            raise MateError(f"info {excerpt(' '.join(words))}: a field is missing or wrong")
        depth, nodes, time = (number_of(name, fields.get(name, "")) for name in _COUNTS)
        value = number_of("value", fields.get("value", ""), -32767, 32767)
        return cls(depth, fields["exact"] == "yes", value, nodes, time, tuple(words[at + 1 :]))

    def __str__(self) -> str:
        found = f"depth {self.depth} exact {'yes' if self.exact else 'no'} value {self.value}"
        return " ".join(
            ["info", found, f"nodes {self.nodes} time {self.time} line", *self.line],
        )


_COUNTS = ("depth", "nodes", "time")


# --- option --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """Something of an engine that can be set.

    Attributes:
        name: one word.
        type: "string", or "spin" for a whole number.
        default: its value before it is set.
        min, max: of a number.

    >>> print(Option("TableBits", "spin", "16", 4, 24))
    option name TableBits type spin default 16 min 4 max 24
    >>> Option.parse("name TableBits type spin default 16 min 4 max 24".split()).max
    24
    """

    name: str
    type: str
    default: str
    min: int | None = None
    max: int | None = None

    @classmethod
    def parse(cls, words: list[str]) -> "Option":
        """Read what stands behind `option`.

        Raises:
            MateError: a field is missing or wrong.
        """
        fields = dict(zip(words[::2], words[1::2], strict=False))
        if not {"name", "type", "default"} <= fields.keys():
            raise MateError(f"option {excerpt(' '.join(words))}: a field is missing")
        low, high = (
            number_of(name, fields[name], -(10**17)) if name in fields else None
            for name in ("min", "max")
        )
        return cls(fields["name"], fields["type"], fields["default"], low, high)

    def __str__(self) -> str:
        return f"option {' '.join(self._words())}"

    def _words(self) -> Iterator[str]:
        for name in ("name", "type", "default", "min", "max"):
            if (value := getattr(self, name)) is not None:
                yield f"{name} {value}"
