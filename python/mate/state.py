"""What can be asked of a position, whether it stands alone or in a game."""

import operator
from typing import TYPE_CHECKING

import matecore
from mate.deal import Hand
from mate.errors import IllegalMoveError, MateError, excerpt
from mate.notation import PLAYERS, parse_move, write_foreplaced, write_position
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np


class State:
    """The questions that `Position` and `Game` both answer."""

    __slots__ = ("_core", "_variant")

    _variant: Variant
    _core: matecore.Position

    # --- Properties ---

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return self._variant

    @property
    def core(self) -> matecore.Position:
        """A copy of the position for the compiled core, without its past."""
        return self._core.snapshot()

    @property
    def x(self) -> Hand:
        """The cards X holds."""
        return Hand(self._core.hands[0], self.variant.deck)

    @property
    def y(self) -> Hand:
        """The cards Y holds."""
        return Hand(self._core.hands[1], self.variant.deck)

    @property
    def to_move(self) -> str:
        """Who acts, "x" or "y"; in a game that ended in mate, the mated player."""
        return PLAYERS[self._core.to_move]

    @property
    def leader(self) -> str:
        """Who leads this trick, "x" or "y"."""
        return PLAYERS[self._core.leader]

    @property
    def led(self) -> str | None:
        """The lead to be answered, `Kc`, `Kc!` if it declares the privilege, or None."""
        card = self._core.led
        return None if card is None else self.variant.deck.cards[card] + "!" * self._core.declared

    @property
    def trick(self) -> int:
        """The number of the trick, from 1; one beyond the last when all is played."""
        return self._core.trick

    @property
    def weight(self) -> int:
        """What each point counts if the leader mates now (section 5); 0 when all is played.

        >>> import mate
        >>> mate.Position.parse("7.Q../.7.K. x - 9 -/- -").weight
        9
        """
        return self._core.weight

    @property
    def free(self) -> bool:
        """Whether the free move is still to be had (section 4)."""
        return self._core.free

    @property
    def foreplaced(self) -> tuple[str, str]:
        """For X and Y the card foreplaced, "-" for none, "?" for not yet decided (section 5)."""
        return write_foreplaced(self._core, self.variant)

    @property
    def legal_actions(self) -> list[int]:
        """The numbers of the legal moves; copies of a card count apart."""
        return self._core.legal_actions()

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves; copies of a card are one move.

        >>> import mate
        >>> mate.Position.parse("7.K../.7.K. x - 9 -/- -").legal_moves
        ('7c', 'Ks')
        """
        names = self.variant.action_names
        return tuple(dict.fromkeys(names[action] for action in self._core.legal_actions()))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in mate or with every trick played."""
        return self._core.is_over

    @property
    def is_mate(self) -> bool:
        """Whether the game ended in mate of the player to act (section 2.7)."""
        return self._core.is_mate

    @property
    def result(self) -> int | None:
        """X's points minus Y's when the game is over, else None."""
        return self._core.margin

    @property
    def key(self) -> int:
        """An integer equal for equal positions of a variant and for no others."""
        return self._core.key

    # --- Queries ---

    def legal_mask(self) -> "np.ndarray":
        """Return which actions are legal, bool of shape (3N + 1,); copies of a card count apart.

        >>> import mate
        >>> mate.Game("AQ7.A7.TK7.AT").legal_mask().nonzero()[0].tolist()
        [0, 3, 4, 5, 9, 11, 12, 14, 15, 16]
        """
        import numpy as np

        mask = np.zeros(self.variant.rules.n_actions, dtype=np.uint8)
        self._core.legal_mask(mask)
        return mask.view(np.bool_)

    def action_of(self, move: "str | int") -> int:
        """Return the number of a legal move given as text or number.

        Raises:
            NotationError: the text is no move of the variant's deck.
            IllegalMoveError: the move is not legal here.
        """
        if isinstance(move, str):
            numbers = self.variant.actions.get(parse_move(move, self.variant), ())
        else:
            is_number = hasattr(move, "__index__") and not isinstance(move, bool)
            numbers = (operator.index(move),) if is_number else ()
        legal = self._core.legal_actions()
        for number in numbers:
            if number in legal:
                return number
        raise IllegalMoveError(move, str(self), self.legal_moves)

    def perft(self, depth: int) -> int:
        """Return how many sequences of exactly `depth` moves there are, copies counted apart.

        Raises:
            MateError: the depth is no integer of 0 or more.

        >>> import mate
        >>> [mate.Game("AQ7.A7.TK7.AT").perft(depth) for depth in range(4)]
        [1, 10, 24, 216]
        """
        if not hasattr(depth, "__index__") or operator.index(depth) < 0:
            raise MateError(f"depth {excerpt(depth)}: an integer of 0 or more")
        return self._core.perft(min(operator.index(depth), 1000))

    # --- Dunder ---

    def __str__(self) -> str:
        return write_position(self._core, self.variant)

    def _repr_svg_(self) -> str:
        from mate.render.svg import svg  # only a notebook needs it

        return svg(self)
