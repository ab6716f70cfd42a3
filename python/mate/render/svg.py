"""Pictures of deals, positions and games as SVG, in text alone."""

from mate.deal import Deal
from mate.errors import MateError, excerpt
from mate.game import Game
from mate.render.board import board
from mate.render.card import Painter
from mate.render.marks import CardMark, Mark, card_marks
from mate.render.table_top import table_top
from mate.render.text import situation
from mate.render.themes import Theme
from mate.render.tricks import tricks_of
from mate.state import State


def svg(what: "Deal | State", theme: str | None = None, dark: bool = False) -> str:
    """Draw a deal or a position as a board, and a game by its tricks.

    Arguments:
        what: a `Deal`, a `Position` or a `Game`; a game without tricks is drawn as its position.
        theme: "french" or "chess"; the deck's own unless told.
        dark: for dark ground.

    Raises:
        MateError: it is none of these, or there is no such theme.

    >>> import mate
    >>> svg(mate.Deal.parse("AQ7.A7.TK7.AT"))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    if not isinstance(what, (Deal, State)):
        raise MateError(f"{excerpt(what)} is no deal, no position and no game")
    deck = what.deck if isinstance(what, Deal) else what.variant.deck
    painter = Painter(deck, Theme.of(deck, theme, dark))
    if isinstance(what, Deal):
        return board(painter, _held(what), "A deal", ("points", deck.points), str(what))
    if isinstance(what, Game) and tricks_of(what):
        return table_top(painter, what)
    scores = [points * what.weight for points in deck.points]
    return board(painter, card_marks(what), situation(what), ("mate scores", scores), str(what))


def _held(deal: Deal) -> list[CardMark]:
    return [
        (Mark.HELD, "x" if deal.x.mask >> card & 1 else "y") for card in range(deal.deck.n_cards)
    ]
