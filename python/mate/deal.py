"""Hands and deals."""

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mate.deck import SINGLE, Deck
from mate.errors import MateError, VariantError, excerpt
from mate.notation import parse_deal, parse_hand, write_hand

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Hand:
    """A set of cards of a deck.

    Arguments:
        mask: bit i set for card i, 0..2^N - 1.
        deck: the deck.

    Raises:
        MateError: the mask is none of this deck.

    >>> hand = Hand(0b100011, SINGLE)
    >>> str(hand), list(hand), len(hand), "Tc" in hand
    ('AT.A..', ['Ac', 'Tc', 'As'], 3, True)
    """

    mask: int
    deck: Deck = field(default=SINGLE, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.deck, Deck):
            raise MateError(f"{excerpt(self.deck)} is no deck")
        if type(self.mask) is not int or self.mask >> self.deck.n_cards:
            raise MateError(f"{excerpt(self.mask)} is no mask of {self.deck.n_cards} cards")

    def __str__(self) -> str:
        return write_hand(self.mask, self.deck)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return (card for index, card in enumerate(self.deck.cards) if self.mask >> index & 1)

    def __contains__(self, card: str) -> bool:
        return any(self.mask >> index & 1 for index in self.deck.copies.get(card, ()))


@dataclass(frozen=True, init=False)
class Deal:
    """Which cards each of the two players starts with (section 1).

    Deals are equal when the players hold equal cards; copies of a card are not told apart.

    Arguments:
        x: the hand of X, as mask, `Hand` or text.
        y: the hand of Y; None for all that X does not hold.
        deck: the deck.

    Raises:
        MateError: the hands do not halve the deck.

    >>> deal = Deal.parse("ATK.Q7.A.TKQ7")
    >>> str(deal), hex(deal.x.mask)
    ('ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A', '0xf0707')
    >>> deal.exchange().x == deal.y
    True
    """

    x: Hand
    y: Hand
    deck: Deck = field(repr=False)

    def __init__(
        self, x: "int | Hand | str", y: "int | Hand | str | None" = None, deck: Deck = SINGLE
    ):
        if not isinstance(deck, Deck):
            raise MateError(f"{excerpt(deck)} is no deck")
        everything = (1 << deck.n_cards) - 1
        first = _mask_of(x, deck, everything)
        second = everything & ~first if y is None else _mask_of(y, deck, everything & ~first)
        for name, mask in (("X", first), ("Y", second)):
            if mask.bit_count() != deck.hand_size:
                raise MateError(
                    f"{name} has {mask.bit_count()} cards; the {deck.name} deck deals "
                    f"{deck.hand_size} to each"
                )
        object.__setattr__(self, "x", Hand(first, deck))
        object.__setattr__(self, "y", Hand(second, deck))
        object.__setattr__(self, "deck", deck)

    @classmethod
    def of(cls, deal: object, deck: Deck) -> "Deal":
        """Return a deal of the deck as it is, or read one from text.

        Raises:
            NotationError: the text is no deal.
            VariantError: the deal is of another deck.
            MateError: it is neither a deal nor a text.

        >>> str(Deal.of("AQ7.A7.TK7.AT", SINGLE).y)
        'TK.TKQ.AQ.KQ7'
        """
        if isinstance(deal, str):
            return cls.parse(deal, deck)
        if not isinstance(deal, Deal):
            raise MateError(f"{excerpt(deal)} is no deal")
        if deal.deck != deck:
            raise VariantError("deck", deck.name, f"the deal is of {deal.deck.name}")
        return deal

    @classmethod
    def parse(cls, text: str, deck: Deck = SINGLE, lang: str = "en") -> "Deal":
        """Read `<x-hand>/<y-hand>`, or the hand of X alone.

        Raises:
            NotationError: the text is no deal; the column tells where.

        >>> str(Deal.parse("10RD7.AR.A.AD7", lang="pt").x)
        'TKQ7.AK.A.AQ7'
        """
        return cls(*parse_deal(text, deck, lang), deck)

    @classmethod
    def random(cls, rng: "np.random.Generator | int | None" = None, deck: Deck = SINGLE) -> "Deal":
        """Deal at random, each deal as likely as any other.

        Arguments:
            rng: a numpy generator, a seed, or None for a seed from the system.
            deck: the deck.

        Raises:
            MateError: `rng` is none of these.

        >>> str(Deal.random(1)) == str(Deal.random(1))
        True
        """
        order = generator(rng).permutation(deck.n_cards)
        return cls(sum(1 << int(card) for card in order[: deck.hand_size]), None, deck)

    def __str__(self) -> str:
        return f"{self.x}/{self.y}"

    def _repr_svg_(self) -> str:
        from mate.render.svg import svg  # only a notebook needs it

        return svg(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self.deck == other.deck and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((self.deck, str(self)))

    def exchange(self) -> "Deal":
        """Return the deal with the hands exchanged, as in the second game of a round.

        >>> str(Deal.parse("AQ7.A7.TK7.AT").exchange())
        'TK.TKQ.AQ.KQ7/AQ7.A7.TK7.AT'
        """
        return Deal(self.y, self.x, self.deck)


def generator(rng: "np.random.Generator | int | None") -> "np.random.Generator":
    """Return the numpy generator itself, or the one that a seed gives.

    Raises:
        MateError: it is neither.
    """
    import numpy as np  # slow to import, and nothing else here needs it

    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise MateError(f"rng {excerpt(rng)} is no seed and no generator: {error}") from None


def _mask_of(hand: object, deck: Deck, left: int) -> int:
    if isinstance(hand, str):
        return parse_hand(hand, deck, left=left)
    if not isinstance(hand, Hand) and not hasattr(hand, "__index__"):
        raise MateError(f"{excerpt(hand)} is no hand: a mask, a Hand or a text")
    mask = hand.mask if isinstance(hand, Hand) else operator.index(hand)
    if mask & ~left:
        raise MateError(f"hand {excerpt(hand)}: a card that is not in the deck, or dealt twice")
    return mask
