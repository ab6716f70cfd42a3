"""Cards, hands, deals and moves of Court Piece as text: reading and writing.

Written is always one form, `AS`; read are also `10` for `T`, the suit before the rank as in bridge
(`SA`, `♠A`), and any case.
"""

from collections.abc import Mapping

from mate.cardtext import CardReader
from mate.court_piece.cards import (
    ACTIONS,
    INDEX,
    NO_TRUMP,
    RANKS,
    SEAT_NAMES,
    SUITS,
    TRUMPS,
    Cards,
)
from mate.errors import MateError, NotationError, excerpt


class Reader(CardReader):
    """A text about the cards of Court Piece."""

    def __init__(self, text: str):
        super().__init__(text, SUITS.lower(), RANKS)

    def suit(self) -> str:
        """Read a suit letter or symbol."""
        try:
            return super().suit()
        except NotationError:
            raise self.fail("a suit, S, H, D or C") from None

    def card(self) -> str:
        """Read a card, `AS` or `SA`, as it is written."""
        first = self.text[self.at : self.at + 1]
        if first.lower() in tuple(self.suits):
            suit = self.suit()
            return self.rank() + suit.upper()
        card = super().card()
        return card[0] + card[1].upper()

    def hand(self, dealt: Mapping[str, int]) -> int:
        """Read a hand, suits parted by dots, as a mask of cards that none of those dealt has."""
        mask = 0
        for number, suit in enumerate(SUITS):
            if number and not self.accept("."):
                raise self.fail("a rank or the dot before the next suit")
            while self.at < self.end and not self.text[self.at].isspace():
                if self.text[self.at] == ".":
                    break
                start = self.at
                card = self.rank() + suit
                for holder, held in {**dealt, "": mask}.items():
                    if held >> INDEX[card] & 1:
                        raise self.fail(_not_dealt(card, holder), start)
                mask |= 1 << INDEX[card]
        return mask

    def whole_hand(self, dealt: Mapping[str, int], seat: str) -> int:
        """Read a hand of thirteen cards."""
        start, mask = self.at, self.hand(dealt)
        if mask.bit_count() != 13:
            found = mask.bit_count()
            raise self.fail(f"13 cards in the hand of {seat} (there are {found})", start)
        return mask

    def blanks(self) -> int:
        """Step over blanks; return how many there were."""
        start = self.at
        while self.at < self.end and self.text[self.at].isspace():
            self.at += 1
        return self.at - start


def _not_dealt(card: str, holder: str) -> str:
    where = f"already in the hand of {holder}" if holder else "here twice"
    return f"a card that is not dealt already ({card} is {where})"


def parse_card(text: str) -> str:
    """Read a card, returning its text as it is always written.

    Raises:
        NotationError: it is no card.

    >>> [parse_card(text) for text in ("10d", "♣a", "A♣", "sk")]
    ['TD', 'AC', 'AC', 'KS']
    """
    reader = Reader(text)
    card = reader.card()
    reader.expect_end()
    return card


def parse_cards(text: str) -> Cards:
    """Read a set of cards, suits parted by dots as in PBN: spades, hearts, diamonds, clubs.

    Raises:
        NotationError: it is none.

    >>> list(parse_cards("A10..2."))
    ['AS', 'TS', '2D']
    """
    reader = Reader(text)
    mask = reader.hand({})
    reader.expect_end()
    return Cards(mask)


def parse_hands(text: str) -> tuple[int, int, int, int]:
    """Read the four hands of a deal in PBN, as masks from seat 0, which PBN calls N.

    Raises:
        NotationError: it is no deal; the column tells where.

    >>> deal = "E:T52.K3.AK54.K932 AK64.J72.T872.A5 QJ.QT54.J96.QJ84 9873.A986.Q3.T76"
    >>> hex(parse_hands(deal)[1] >> 39)  # the clubs of E, who stands first
    '0x1822'
    """
    reader = Reader(text)
    letter = reader.text[reader.at : reader.at + 1].upper()
    if not letter or letter not in SEAT_NAMES:
        raise reader.fail("a seat, N, E, S or W, and a colon")
    reader.at += 1
    if not reader.accept(":"):
        raise reader.fail("the colon after the seat")
    reader.blanks()
    first = SEAT_NAMES.index(letter)
    dealt: dict[str, int] = {}
    for seat in SEAT_NAMES[first:] + SEAT_NAMES[:first]:
        if dealt and not reader.blanks():
            raise reader.fail("a blank and the next hand")
        dealt[seat] = reader.whole_hand(dealt, seat)
    reader.blanks()
    if reader.at < reader.end:
        raise reader.fail("four hands and nothing more")
    north, east, south, west = (dealt[seat] for seat in SEAT_NAMES)
    return north, east, south, west


def parse_trump(text: str) -> str:
    """Read a trump: `S`, `H`, `D`, `C`, a symbol, `N` or `NT` for none.

    Raises:
        NotationError: it is no trump.

    >>> [parse_trump(text) for text in ("s", "♥", "NT")]
    ['S', 'H', 'N']
    """
    reader = Reader(text)
    if reader.accept("N") or reader.accept("n"):
        reader.accept("T") or reader.accept("t")
        trump = NO_TRUMP
    elif (first := reader.text[reader.at : reader.at + 1].upper()) in tuple(TRUMPS):
        reader.at += 1
        trump = first
    else:
        trump = _symbol(reader)
    reader.expect_end()
    return trump


def _symbol(reader: Reader) -> str:
    try:
        return reader.suit().upper()
    except NotationError:
        raise reader.fail("a trump, S, H, D, C or N for none") from None


def parse_seat(text: str) -> int:
    """Read a seat, 0 to 3, or N, E, S, W.

    Raises:
        NotationError: it is no seat.

    >>> [parse_seat(text) for text in ("0", "e", "W")]
    [0, 1, 3]
    """
    if not isinstance(text, str):
        raise MateError(f"expected text, found {type(text).__name__}")
    plain = text.strip().upper()
    if len(plain) != 1 or plain not in SEAT_NAMES + "0123":
        raise NotationError(text, 1, "a seat, N, E, S or W")
    return (SEAT_NAMES + "0123").index(plain) % 4


def parse_move(text: str) -> str:
    """Read a move: a card, a suit to name it trump, `stop`, `on`.

    Raises:
        NotationError: it is no move.

    >>> [parse_move(text) for text in ("10s", "h", "Stop")]
    ['TS', 'H', 'stop']
    """
    if not isinstance(text, str):
        raise MateError(f"expected text, found {type(text).__name__}")
    plain = text.strip()
    for move in (plain.upper(), plain.lower()):
        if move in ACTIONS:
            return move
    if len(plain) == 1:
        reader = Reader(text)
        return reader.suit().upper()
    return parse_card(text)


def action_of(move: object) -> int:
    """Return the number of a move that is given as text or as its number.

    Raises:
        NotationError: the text is no move.
        MateError: it is neither, or no number of a move.
    """
    if isinstance(move, str):
        return ACTIONS[move] if move in ACTIONS else ACTIONS[parse_move(move)]
    if type(move) is not int or not 0 <= move < len(ACTIONS):
        raise MateError(f"{excerpt(move)} is no move: a text, or a number 0 to {len(ACTIONS) - 1}")
    return move
