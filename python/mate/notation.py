"""Cards, hands, deals, positions and moves as text: reading and writing.

Written is always one form, as in `Ac`, `ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A x - 1 -/- -`, `*Kc`. Read are
also `10` for `T`, suit symbols before or after the rank, any case, and with `lang` the letters of
Portuguese ("pt"), French ("fr") and German ("de") where one letter means one thing.
"""

import re

import matecore
from mate.cardtext import CardReader
from mate.deck import Deck
from mate.errors import MateError, excerpt
from mate.variant import Variant

PLAYERS = "xy"
POSITION_FIELDS = ("hands", "to move", "led", "trick", "foreplaced", "free")


class Reader(CardReader):
    """A text about cards of a deck."""

    def __init__(self, text: str, deck: Deck, lang: str = "en"):
        if not isinstance(deck, Deck):
            raise MateError(f"{excerpt(deck)} is no deck")
        super().__init__(text, deck.suits, deck.ranks, lang)
        self.deck = deck

    def card(self) -> str:
        """Read a card, `Ac` or `♣A`, as its text."""
        start = self.at
        card = super().card()
        if card not in self.deck.copies:
            raise self.fail(f"a card of the {self.deck.name} deck", start)
        return card

    def copy(self, card: str, left: int, start: int) -> int:
        """Return the lowest copy of a card among those left."""
        for index in self.deck.copies[card]:
            if left >> index & 1:
                return index
        raise self.fail("a card that is not dealt already", start)

    def hand(self, left: int) -> int:
        """Read a hand, suits parted by dots, as a mask of cards among those left."""
        mask = 0
        for number, suit in enumerate(self.deck.suits):
            if number and not self.accept("."):
                raise self.fail("a rank or the dot before the next suit")
            while self.at < self.end and self.text[self.at] not in "./ ":
                start = self.at
                card = self.rank() + suit
                if card not in self.deck.copies:
                    raise self.fail(f"a card of the {self.deck.name} deck", start)
                mask |= 1 << self.copy(card, left & ~mask, start)
        return mask


# --- Cards and hands -----------------------------------------------------------------------------


def parse_card(text: str, deck: Deck, lang: str = "en") -> str:
    """Read a card, returning its text as it is always written.

    Raises:
        NotationError: it is no card of the deck.

    >>> from mate.deck import SINGLE
    >>> [parse_card(text, SINGLE) for text in ("10d", "♣a", "A♣", "kH")]
    ['Td', 'Ac', 'Ac', 'Kh']
    >>> parse_card("Rp", SINGLE, lang="pt")
    'Kc'
    """
    reader = Reader(text, deck, lang)
    card = reader.card()
    reader.expect_end()
    return card


def parse_hand(text: str, deck: Deck, lang: str = "en", left: int | None = None) -> int:
    """Read a hand as a mask of cards among those left, by default of all.

    Raises:
        NotationError: it is no hand of these cards.

    >>> from mate.deck import SINGLE
    >>> parse_hand("A10...7", SINGLE) == 1 << 0 | 1 << 1 | 1 << 19
    True
    """
    reader = Reader(text, deck, lang)
    mask = reader.hand((1 << deck.n_cards) - 1 if left is None else left)
    reader.expect_end()
    return mask


def write_hand(mask: int, deck: Deck) -> str:
    """Write a mask of cards as a hand.

    >>> from mate.deck import SINGLE
    >>> write_hand(0b11, SINGLE)
    'AT...'
    """
    suits = dict.fromkeys(deck.suits, "")
    for index, card in enumerate(deck.cards):
        if mask >> index & 1:
            suits[card[1]] += card[0]
    return ".".join(suits.values())


# --- Deals ---------------------------------------------------------------------------------------


def parse_deal(text: str, deck: Deck, lang: str = "en") -> tuple[int, int]:
    """Read a deal as the masks of X and Y; a hand alone leaves the other cards to Y."""
    reader = Reader(text, deck, lang)
    everything = (1 << deck.n_cards) - 1
    x = _whole_hand(reader, everything, "X")
    y = everything & ~x
    if reader.accept("/"):
        y = _whole_hand(reader, y, "Y")
    reader.expect_end()
    return x, y


def _whole_hand(reader: Reader, left: int, player: str) -> int:
    start, mask = reader.at, reader.hand(left)
    size, found = reader.deck.hand_size, mask.bit_count()
    if found != size:
        raise reader.fail(f"{size} cards in the hand of {player} (there are {found})", start)
    return mask


# --- Moves ---------------------------------------------------------------------------------------


def parse_move(text: str, variant: Variant, lang: str = "en") -> str:
    """Read a move, returning its text as it is always written.

    Raises:
        NotationError: it is no move of the variant's deck.

    >>> from mate.variant import PRESETS
    >>> parse_move("*10d", PRESETS["capellen"])
    '*Td'
    """
    reader = Reader(text, variant.deck, lang)
    move = "*" if reader.accept("*") else ""
    if move and reader.accept("-"):
        move = "*-"
    else:
        move += reader.card()
        move += "!" if move[0] != "*" and reader.accept("!") else ""
    reader.expect_end()
    return move


# --- Positions -----------------------------------------------------------------------------------


def parse_position(text: str, variant: Variant, lang: str = "en") -> matecore.Position:
    """Read a position of six fields.

    Raises:
        NotationError: it is no text of a position, or no game comes to that position.
    """
    reader = Reader(text, variant.deck, lang)
    starts = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    if len(starts) != len(POSITION_FIELDS):
        at = starts[len(POSITION_FIELDS)][0] if len(starts) > len(POSITION_FIELDS) else len(text)
        raise reader.fail(f"six fields: {', '.join(POSITION_FIELDS)}", at)
    columns = dict(zip(POSITION_FIELDS, starts, strict=True))
    try:
        return _read_fields(reader, columns, variant)
    except matecore.InvalidPosition as error:
        raise reader.fail(f"a position that can be ({error})", columns[error.field][0]) from None


def _read_fields(
    reader: Reader, columns: dict[str, tuple[int, int]], variant: Variant
) -> matecore.Position:
    def enter(name: str) -> None:
        reader.at, reader.end = columns[name]

    enter("hands")
    x, y = _read_hands(reader)
    left = (1 << variant.deck.n_cards) - 1 & ~(x | y)
    enter("foreplaced")
    foreplaced, undecided = _read_foreplaced(reader, left)
    for card in foreplaced:
        left &= ~(1 << card) if card is not None else left
    enter("to move")
    to_move = _read_choice(reader, PLAYERS)
    enter("trick")
    trick = _read_trick(reader)
    enter("free")
    free = _read_choice(reader, "-+")
    enter("led")
    leader = 1 - to_move
    own, other = foreplaced[leader] is not None, foreplaced[to_move] is not None
    if variant.rules.last_card_stays(own, other, trick):
        left = (x, y)[leader]
    led, declared = _read_led(reader, left)
    return matecore.Position(
        variant.rules, x, y, to_move, led, declared=declared, trick=trick, free=bool(free),
        foreplaced=foreplaced, undecided=undecided,
    )  # fmt: skip


def _read_hands(reader: Reader) -> tuple[int, int]:
    everything = (1 << reader.deck.n_cards) - 1
    x = reader.hand(everything)
    if not reader.accept("/"):
        raise reader.fail("a rank or the slash before the hand of Y")
    y = reader.hand(everything & ~x)
    reader.expect_end()
    return x, y


def _read_choice(reader: Reader, letters: str) -> int:
    for number, letter in enumerate(letters):
        if reader.accept(letter) or reader.accept(letter.upper()):
            reader.expect_end()
            return number
    raise reader.fail(" or ".join(letters))


def _read_trick(reader: Reader) -> int:
    digits = reader.text[reader.at : reader.end]
    if not re.fullmatch(r"[1-9][0-9]?", digits):
        raise reader.fail("the number of the trick")
    return int(digits)


def _read_foreplaced(reader: Reader, left: int) -> tuple[list[int | None], list[bool]]:
    cards: list[int | None] = [None, None]
    undecided = [False, False]
    for player in range(2):
        if player and not reader.accept("/"):
            raise reader.fail("the slash before the card that Y foreplaced")
        if reader.accept("?"):
            undecided[player] = True
        elif not reader.accept("-"):
            start = reader.at
            cards[player] = card = reader.copy(reader.card(), left, start)
            left &= ~(1 << card)
    reader.expect_end()
    return cards, undecided


def _read_led(reader: Reader, left: int) -> tuple[int | None, bool]:
    if reader.accept("-"):
        reader.expect_end()
        return None, False
    start = reader.at
    led = reader.copy(reader.card(), left, start)
    declared = reader.accept("!")
    reader.expect_end()
    return led, declared


def write_foreplaced(position: matecore.Position, variant: Variant) -> tuple[str, str]:
    """Write for X and Y the card foreplaced, - for none, ? for not yet decided."""
    x, y = (
        "?" if waiting else "-" if card is None else variant.deck.cards[card]
        for card, waiting in zip(position.foreplaced, position.undecided, strict=True)
    )
    return x, y


def write_position(position: matecore.Position, variant: Variant) -> str:
    """Write a position as six fields."""
    deck = variant.deck
    hands = "/".join(write_hand(mask, deck) for mask in position.hands)
    led = "-" if position.led is None else deck.cards[position.led] + "!" * position.declared
    foreplaced = "/".join(write_foreplaced(position, variant))
    free = "+" if position.free else "-"
    return f"{hands} {PLAYERS[position.to_move]} {led} {position.trick} {foreplaced} {free}"
