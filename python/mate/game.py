"""A game that is played on and back."""

import matecore
from mate.deal import Deal
from mate.errors import MateError, NothingPlayedError, VariantError, excerpt
from mate.notation import PLAYERS
from mate.position import Position
from mate.state import State
from mate.variant import Variant


class Game(State):
    """One playing of a deal: a position, the moves that led to it, and the way back.

    Arguments:
        deal: the `Deal`, or its text.
        variant: the `Variant`, or its text.
        leader: who leads first, "x" or "y".

    Raises:
        NotationError: the text is no deal.
        VariantError: there is no such variant, or it has another deck.

    >>> game = Game("ATK.Q7.A.TKQ7")
    >>> game.push("Kc")
    >>> game.legal_moves
    ('Qc', '7c')
    >>> game.push("7c")
    >>> game.to_move, game.trick, game.moves
    ('x', 2, ['Kc', '7c'])
    >>> game.pop()
    '7c'
    """

    __slots__ = ("_first_copy",)

    def __init__(self, deal: "Deal | str", variant: "Variant | str" = "bga", leader: str = "x"):
        self._variant = Variant.of(variant)
        deal = Deal.of(deal, self.variant.deck)
        if leader not in ("x", "y"):
            raise MateError(f"leader {excerpt(leader)}: x or y")
        self._begin(
            matecore.Position(self.variant.rules, deal.x.mask, deal.y.mask, PLAYERS.index(leader))
        )

    @classmethod
    def from_position(
        cls, position: "Position | str", variant: "Variant | str | None" = None
    ) -> "Game":
        """Begin in the middle of a game.

        Arguments:
            position: the `Position`, or its text.
            variant: what the text is read by, `bga` if not told.

        Raises:
            NotationError: the text is no position.
            VariantError: there is no such variant, or the position is of another one.

        >>> Game.from_position("7.Q../.7.K. x - 9 -/- -").legal_moves
        ('7c', 'Qs')
        """
        if not isinstance(position, Position):
            position = Position.parse(position, "bga" if variant is None else variant)
        if variant is not None and Variant.of(variant) != position.variant:
            raise VariantError("variant", variant, f"the position is of {position.variant.name}")
        game = cls.__new__(cls)
        game._variant = position.variant
        game._begin(position.core)
        return game

    def _begin(self, core: matecore.Position) -> None:
        self._core = core
        self._first_copy = self.variant.first_copy

    # --- Dunder ---

    def __repr__(self) -> str:
        return f"<Game of {self.variant.name}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        same = self.variant == other.variant and self._core == other._core
        return same and self.moves == other.moves

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self._core, self.variant)

    # --- Properties ---

    @property
    def position(self) -> Position:
        """The position now."""
        return Position(self._core, self.variant)

    @property
    def moves(self) -> list[str]:
        """The moves played, in order."""
        names = self.variant.action_names
        return [names[action] for action in self._core.played]

    @property
    def actions(self) -> list[int]:
        """The moves played, as numbers."""
        return self._core.played

    # --- Actions ---

    def push(self, move: "str | int") -> None:
        """Play a legal move, given as text or as the number of an action.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here.

        >>> game = Game("AQ7.A7.TK7.AT")
        >>> game.push("7c")
        >>> game.push("10♣")
        >>> game.moves, game.actions
        (['7c', 'Tc'], [4, 1])
        """
        try:
            self._core.push(move if type(move) is int else self._first_copy[move])  # type: ignore
        except (KeyError, OverflowError, TypeError, ValueError):
            pass  # written another way, another copy of the card, or not legal at all
        else:
            return
        self._core.push(self.action_of(move))

    def pop(self) -> str:
        """Take the last move back and return it.

        Raises:
            NothingPlayedError: as its name says.

        >>> Game("AQ7.A7.TK7.AT").pop()
        Traceback (most recent call last):
        mate.errors.NothingPlayedError: nothing was played, so nothing can be taken back
        """
        try:
            action = self._core.pop()
        except IndexError:
            raise NothingPlayedError from None
        return self.variant.action_names[action]

    def root(self) -> "Game":
        """Return the game as it was before its first move.

        >>> game = Game("AQ7.A7.TK7.AT")
        >>> game.push("7c")
        >>> game.root().moves, game.moves
        ([], ['7c'])
        """
        start = self.copy()
        while start.actions:
            start.pop()
        return start

    def copy(self) -> "Game":
        """Return an independent copy with the same past."""
        return _restore(type(self), self._core.copy(), self.variant)


def _restore(kind: type[Game], core: matecore.Position, variant: Variant) -> Game:
    game = kind.__new__(kind)
    game._variant = variant
    game._begin(core)
    return game
