"""The cards of Court Piece, sets of them, and the numbers of moves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mate.errors import MateError, excerpt

SUITS = "SHDC"
RANKS = "AKQJT98765432"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX = {card: index for index, card in enumerate(CARDS)}
PACK = (1 << len(CARDS)) - 1

SEATS = range(4)
SEAT_NAMES = "NESW"
NO_TRUMP = "N"
TRUMPS = SUITS + NO_TRUMP
STOP, PLAY_ON = "stop", "on"

ACTION_NAMES = (*CARDS, *SUITS, STOP, PLAY_ON)
ACTIONS = {name: action for action, name in enumerate(ACTION_NAMES)}


@dataclass(frozen=True)
class Cards:
    """A set of cards, such as those somebody holds.

    Arguments:
        mask: bit i set for card i, 0..2^52 - 1; spades, hearts, diamonds, clubs, each from the ace.

    Raises:
        MateError: the mask is none.

    >>> hand = Cards.of(["AS", "TS", "2C"])
    >>> str(hand), list(hand), len(hand), "TS" in hand
    ('AT...2', ['AS', 'TS', '2C'], 3, True)
    """

    mask: int

    def __post_init__(self) -> None:
        if type(self.mask) is not int or not 0 <= self.mask <= PACK:
            raise MateError(f"{excerpt(self.mask)} is no mask of 52 cards")

    @classmethod
    def of(cls, cards: Iterable[str]) -> "Cards":
        """Return the set of these cards.

        Raises:
            MateError: one is no card, as `AS` is one.
        """
        try:
            return cls(sum(1 << index for index in {INDEX[card] for card in cards}))
        except (KeyError, TypeError):
            raise MateError(f"{excerpt(cards)}: cards are written as in AS, TC, 2H") from None

    def __str__(self) -> str:
        return ".".join("".join(card[0] for card in self if card[1] == suit) for suit in SUITS)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return (card for index, card in enumerate(CARDS) if self.mask >> index & 1)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, str) and card in INDEX and bool(self.mask >> INDEX[card] & 1)

    def suit(self, suit: str) -> "Cards":
        """Return those of a suit, `S`, `H`, `D` or `C`.

        >>> str(Cards.of(["AS", "TS", "2C"]).suit("S"))
        'AT...'
        """
        if suit not in tuple(SUITS):
            raise MateError(f"suit {excerpt(suit)}: one of {' '.join(SUITS)}")
        return Cards(self.mask & 0x1FFF << 13 * SUITS.index(suit))


NO_CARDS = Cards(0)


def longest_suit(cards: Iterable[int]) -> str:
    """Return the longest suit; of equally long ones that with the higher cards, then by S H D C.

    Arguments:
        cards: their numbers, 0..51.

    >>> longest_suit([0, 12, 14, 15]), longest_suit([0, 12, 14, 15, 16])
    ('S', 'H')
    """
    # A card counts one and, below that, the more the higher it is.
    worth = dict.fromkeys(SUITS, 0)
    for card in cards:
        suit, slot = divmod(card, len(RANKS))
        worth[SUITS[suit]] += 1 << len(RANKS) | 1 << len(RANKS) - 1 - slot
    return max(SUITS, key=worth.__getitem__)


def indices_of(cards: Cards) -> list[int]:
    """Return the numbers of the cards of a set.

    >>> indices_of(Cards.of(["AS", "TS", "2C"]))
    [0, 4, 51]
    """
    return [card for card in INDEX.values() if cards.mask >> card & 1]


def members_of(values: object, most: int, expected: str) -> list[Any]:
    """Return what values holds, no more than the most there can be: it might have no end.

    Raises:
        MateError: it holds nothing that can be told one by one, or more.
    """
    try:
        found = list(islice(iter(values), most + 1))  # type: ignore[call-overload]
    except TypeError:
        found = None
    if found is None or isinstance(values, (str, bytes)) or len(found) > most:
        raise MateError(f"{excerpt(values)}: expected {expected}")
    return found
