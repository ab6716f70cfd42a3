"""One deal solved as a whole: every position of it, in one call."""

import matecore
from mate.deal import Deal
from mate.errors import MateError, VariantError, excerpt
from mate.state import State
from mate.variant import Variant


class Lattice:
    """The exact values of all positions that games on one deal can come to.

    The look-up engine for reviewing games and labelling positions where no tablebase is at hand.

    Arguments:
        deal: the `Deal`, or its text.
        variant: the variant or its text; hands of at most 12 cards.

    Raises:
        NotationError: the text is no deal.
        VariantError: there is no such variant, it has another deck, or its hands are too large.

    >>> import mate
    >>> lattice = Lattice("AQ7.A7.TK7.AT")
    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> lattice.probe(game), lattice.best_moves(game)
    (56, ['7c'])
    """

    def __init__(self, deal: "Deal | str", variant: "Variant | str" = "bga"):
        self.variant = Variant.of(variant)
        self.deal = Deal.of(deal, self.variant.deck)
        try:
            self.core = matecore.Lattice(self.variant.rules)
        except ValueError as error:
            raise VariantError("deck", self.variant.deck.name, str(error)) from None
        self.core.solve(self.deal.x.mask, self.deal.y.mask)

    def probe(self, game: State) -> int:
        """Return the exact margin for the player to act.

        Raises:
            MateError: the game is of another deal or variant.
        """
        try:
            return self.core.value(self._core_of(game))
        except ValueError as error:
            raise MateError(str(error)) from None

    def values(self, game: State) -> list[tuple[str, int]]:
        """Return every legal move with the margin it brings the player who makes it.

        Raises:
            MateError: the game is of another deal or variant.
        """
        names = self.variant.action_names
        try:
            found = self.core.values(self._core_of(game))
        except ValueError as error:
            raise MateError(str(error)) from None
        return list({names[action]: value for action, value in found}.items())

    def best_moves(self, game: State) -> list[str]:
        """Return all moves that are best, in the order of the deck; none when the game is over.

        Raises:
            MateError: the game is of another deal or variant.
        """
        values = self.values(game)
        best = max((value for _, value in values), default=0)
        return [move for move, value in values if value == best]

    def _core_of(self, game: State) -> matecore.Position:
        if not isinstance(game, State):
            raise MateError(f"{excerpt(game)} is no game and no position")
        return game.core
