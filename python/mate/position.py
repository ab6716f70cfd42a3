"""Positions as values."""

import matecore
from mate.errors import MateError, excerpt
from mate.notation import parse_position
from mate.state import State
from mate.variant import Variant


class Position(State):
    """A position of a game, without its past; it never changes and can be a key.

    Positions are equal when the same cards stand at the same places; copies of a card are not
    told apart.

    >>> position = Position.parse("7.K../.7.K. x - 9 -/- -")
    >>> str(position.play("7c").play("7s"))
    '.K../..K. x - 10 -/- -'
    """

    __slots__ = ()

    def __init__(self, core: matecore.Position, variant: "Variant | str" = "bga"):
        self._variant = Variant.of(variant)
        if not isinstance(core, matecore.Position) or core.rules != self.variant.rules:
            raise MateError(f"{excerpt(core)} is no position of the variant {self.variant.name}")
        self._core = core.snapshot()

    @classmethod
    def parse(cls, text: str, variant: "Variant | str" = "bga", lang: str = "en") -> "Position":
        """Read a position of six fields.

        Raises:
            NotationError: it is no text of a position, or no game comes to that position.
            VariantError: there is no such variant.

        >>> Position.parse("7.Q../.7.K. x - 8 -/- -")
        Traceback (most recent call last):
        mate.errors.NotationError: column 1: expected a position that can be ...
        """
        variant = Variant.of(variant)
        return cls(parse_position(text, variant, lang), variant)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self.variant.name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core.key)

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self._core, self.variant)

    def play(self, move: "str | int") -> "Position":
        """Return the position after a legal move, given as text or as the number of an action.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here.

        >>> Position.parse("7.Q../.7.K. x - 9 -/- -").play("Qs").is_over
        False
        """
        core = self._core.snapshot()
        core.push(self.action_of(move))
        return Position(core, self.variant)
