"""Four hands about a trick, as bridge diagrams have them: North above, East to the right."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.text import Text

from mate.court_piece.cards import SEATS, SUITS
from mate.court_piece.deal import Deal
from mate.render.court.words import SEAT_WORDS

STYLES = {"S": "bold", "H": "bold red", "D": "red", "C": ""}
COLUMN = 18

Block = Sequence[Text]


def hand_block(seat: int, cards: Sequence[str], note: str = "") -> list[Text]:
    """Return a hand as lines: the seat's name with a note, and a line a suit.

    >>> print(*hand_block(2, ["KS", "2S", "AH", "TC"], "you"), sep="\\n")
    South, you
    S K2
    H A
    D -
    C T
    """
    return [_heading(seat, note), *(suit_line(suit, cards) for suit in SUITS)]


def hidden_block(seat: int, count: int, note: str = "") -> list[Text]:
    """Return a hand that is not seen as lines: the seat's name and how many cards it has."""
    return [_heading(seat, note), Text(f"{count} card{'s' * (count != 1)}", style="dim")]


def suit_line(suit: str, cards: Sequence[str]) -> Text:
    """Return the ranks of the cards of a suit, as they stand in order, behind its letter."""
    ranks = "".join(card[0] for card in cards if card[1] == suit)
    return Text(f"{suit} {ranks or '-'}", style=STYLES[suit])


def card_text(card: str) -> Text:
    """Return a card in the colour of its suit."""
    return Text(card, style=STYLES[card[1]])


def diagram(blocks: Sequence[Block], played: Sequence[str | None] = (None,) * 4) -> Text:
    """Return the whole table.

    Arguments:
        blocks: the lines of the four seats.
        played: by seat the card that it has played to the trick, or None.
    """
    north, east, south, west = blocks
    rows = [_row(Text(), line) for line in north]
    trick = _trick(played)
    above = (max(len(west), len(east), len(trick)) - len(trick)) // 2
    middle = zip_longest(west, [Text()] * above + trick, east, fillvalue=Text())
    rows += [_row(*row) for row in middle]
    rows += [_row(Text(), line) for line in south]
    return Text("\n", no_wrap=True, overflow="ignore").join(rows)


def _trick(played: Sequence[str | None]) -> list[Text]:
    """Return the cards on the table, each before its player; a dot where one has not played."""
    if not any(played):
        return []
    north, east, south, west = (card_text(card) if card else Text(" .") for card in played)
    across = Text("  ").append(west).append("    ").append(east)
    return [Text("     ").append(north), across, Text("     ").append(south)]


def _row(*cells: Text) -> Text:
    row = Text()
    for column, cell in enumerate(cells):
        row.append(" " * (column * COLUMN - len(row))).append(cell)
    row.rstrip()
    return row


def _heading(seat: int, note: str) -> Text:
    return Text(SEAT_WORDS[seat], style="bold").append(
        f", {note}" if note else "", style="not bold"
    )


def deal_diagram(deal: Deal) -> Text:
    """Return the table with all four hands as they were dealt."""
    return diagram([hand_block(seat, list(deal.hands[seat]), note(seat, deal)) for seat in SEATS])


def note(seat: int, deal: Deal) -> str:
    """Say whether a seat dealt, or calls."""
    return {deal.dealer: "dealer", deal.caller: "caller"}.get(seat, "")
