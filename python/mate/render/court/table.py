"""A hand of Court Piece as one seat sees it, and its tricks."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from mate.court_piece.cards import SEATS
from mate.court_piece.hand import Hand
from mate.court_piece.view import Trick, View
from mate.render.court.diagram import Block, card_text, diagram, hand_block, hidden_block, note
from mate.render.court.words import SEAT_WORDS

BEFORE_TRUMP = 5  # cards that each has been dealt


def view_diagram(view: View) -> Text:
    """Return the table as a seat sees it: its own hand, the trick, and how many cards others hold.

    >>> from mate.court_piece import Deal, Hand
    >>> print(view_diagram(Hand(Deal.random(1)).view(1)))
                      North
                      5 cards
    West                                East, you
    5 cards                             S 8
                                        H Q
                                        D K95
                                        C -
                      South
                      5 cards
    """
    blocks = [_block(view, seat) for seat in SEATS]
    return diagram(blocks, view.table.by_seat)


def hand_diagram(hand: Hand) -> Text:
    """Return the table with the cards that the seats hold now, and the trick."""
    blocks = [hand_block(seat, list(hand.hands[seat]), note(seat, hand.deal)) for seat in SEATS]
    return diagram(blocks, hand.table.by_seat)


def _block(view: View, seat: int) -> Block:
    if seat == view.seat:
        return hand_block(seat, list(view.hand), "you")
    size = BEFORE_TRUMP if view.trump is None else view.sizes[seat]
    return hidden_block(seat, size, "caller" if seat == view.caller else "")


def tricks_table(tricks: Sequence[Trick]) -> Table:
    """Return the tricks that are finished, a row each: who led what, and who won."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("trick", justify="right")
    table.add_column("led by")
    table.add_column("cards in order", no_wrap=True)
    table.add_column("won by")
    for number, trick in enumerate(tricks, start=1):
        cards = Text(" ").join(card_text(card) for card in trick.cards)
        winner = "" if trick.winner is None else SEAT_WORDS[trick.winner]
        table.add_row(str(number), SEAT_WORDS[trick.leader], cards, winner)
    return table
