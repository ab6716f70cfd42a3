"""Deals: who holds what, who dealt, and in what order the cards came (section 1.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mate.court_piece.cards import (
    CARDS,
    PACK,
    RANKS,
    SEAT_NAMES,
    SEATS,
    Cards,
    members_of,
)
from mate.court_piece.notation import parse_cards, parse_hands
from mate.court_piece.variant import Variant
from mate.deal import generator
from mate.errors import MateError, checked_integer, excerpt

if TYPE_CHECKING:
    import numpy as np

PACKETS = (5, 4, 4)


@dataclass(frozen=True, init=False)
class Deal:
    """Which thirteen cards each seat holds, and what is known of how they were dealt.

    Arguments:
        hands: the hands of seats 0 to 3, each a `Cards`, its text or a mask.
        dealer: the seat that dealt, 0..3; the caller is the next one.
        first_five: the five of the caller's cards that came first, in the same way; None if that
            is not known.
        turned: the card of the caller's second batch that was turned, as `QC`; None if none was.

    Raises:
        NotationError: a text is no set of cards.
        MateError: the hands do not share out the pack, or the rest does not go with them.

    >>> deal = Deal.parse("N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75")
    >>> str(deal.hands[deal.caller]), deal.first_five
    ('AKQT7.74.AQ5.863', None)
    >>> Deal(deal.hands, first_five="AKQT7...").first_five == deal.hands[1].suit("S")
    True
    """

    hands: tuple[Cards, Cards, Cards, Cards]
    dealer: int
    first_five: Cards | None
    turned: str | None

    def __init__(
        self,
        hands: "Iterable[Cards | str | int]",
        dealer: int = 0,
        first_five: "Cards | str | int | None" = None,
        turned: str | None = None,
    ):
        four = _shared_out(hands)
        object.__setattr__(self, "hands", four)
        object.__setattr__(self, "dealer", checked_integer("dealer", dealer, 0, 3))
        five = None if first_five is None else _cards_of(first_five)
        object.__setattr__(self, "first_five", five)
        object.__setattr__(self, "turned", turned)
        self._check_order(four[self.caller], five)

    def _check_order(self, hand: Cards, five: Cards | None) -> None:
        if five is not None and (len(five) != 5 or five.mask & ~hand.mask):
            raise MateError(f"first five {five}: five cards of the caller's {hand}")
        if self.turned is None:
            return
        if not isinstance(self.turned, str) or self.turned not in hand:
            raise MateError(f"turned {excerpt(self.turned)}: a card of the caller's {hand}")
        if five is not None and self.turned in five:
            raise MateError(f"turned {self.turned}: it is among the first five, {five}")

    @classmethod
    def of(cls, deal: "Deal | str", dealer: int | None = None) -> "Deal":
        """Return a deal as it is, or read one from text.

        Arguments:
            deal: the `Deal`, or its text in PBN.
            dealer: who dealt it; None for who did, of a text for seat 0.

        Raises:
            NotationError: the text is no deal.
            MateError: it is neither, or somebody else dealt.
        """
        if isinstance(deal, str):
            return cls.parse(deal, 0 if dealer is None else dealer)
        if not isinstance(deal, Deal):
            raise MateError(f"{excerpt(deal)} is no deal of Court Piece")
        if dealer is not None and deal.dealer != checked_integer("dealer", dealer, 0, 3):
            raise MateError(f"seat {dealer} is to deal, but seat {deal.dealer} dealt this")
        return deal

    @classmethod
    def parse(
        cls, text: str, dealer: int = 0, first_five: "Cards | str | int | None" = None
    ) -> "Deal":
        """Read the four hands as PBN writes them, N being seat 0 and E seat 1.

        Raises:
            NotationError: the text is no deal; the column tells where.
            MateError: the dealer is no seat, or the first five are not of the caller's cards.

        >>> Deal.parse("N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.86 852.T832.862.T92 93.AKQ6.KJ94.Q75")
        Traceback (most recent call last):
        mate.errors.NotationError: column 20: expected 13 cards in the hand of E (there are 12), ...
        """
        return cls(parse_hands(text), dealer, first_five)

    @classmethod
    def random(
        cls,
        rng: "np.random.Generator | int | None" = None,
        dealer: int = 0,
        variant: "Variant | str" = "seed",
    ) -> "Deal":
        """Deal a shuffled pack, each order of it as likely as any other.

        Arguments:
            rng: a numpy generator, a seed, or None for a seed from the system.
            dealer: who deals, 0..3.
            variant: whose `redeal_below` and turned card there are.

        Raises:
            MateError: an argument is none of these.

        >>> deal = Deal.random(1, dealer=2, variant="hokm")
        >>> deal.caller, len(deal.first_five), deal == Deal.random(1, 2, "hokm")
        (3, 5, True)
        """
        rules, source = Variant.of(variant), generator(rng)
        while True:
            pack = [CARDS[card] for card in source.permutation(len(CARDS))]
            deal = cls.from_pack(pack, dealer)
            if not is_dealt_again(deal, rules):
                break
        if rules.trump != "second_batch":
            return deal
        turned = pack[20 + int(source.integers(4))]
        return cls(deal.hands, deal.dealer, deal.first_five, turned)

    @classmethod
    def from_pack(cls, pack: Iterable[str], dealer: int = 0) -> "Deal":
        """Deal a pack: five to each, four, and four, beginning with the caller (section 1.2).

        Raises:
            MateError: it is no pack, or the dealer is no seat.

        >>> from mate.court_piece.cards import CARDS
        >>> str(Deal.from_pack(CARDS).hands[1])
        'AKQJT.7654.432.A'
        """
        cards = members_of(pack, len(CARDS), "the 52 cards in some order")
        if not all(isinstance(card, str) for card in cards) or sorted(cards) != sorted(CARDS):
            raise MateError(f"pack {excerpt(pack)}: the 52 cards in some order")
        first = checked_integer("dealer", dealer, 0, 3) + 1
        held: list[list[str]] = [[] for _ in SEATS]
        at = 0
        for packet in PACKETS:
            for seat in SEATS:
                held[(first + seat) % 4] += cards[at : at + packet]
                at += packet
        first_five = Cards.of(held[first % 4][: PACKETS[0]])
        return cls(map(Cards.of, held), dealer, first_five)

    def __str__(self) -> str:
        return f"{SEAT_NAMES[0]}:{' '.join(map(str, self.hands))}"

    # --- Properties ---

    @property
    def caller(self) -> int:
        """The seat that names the trump and leads first: the dealer's right."""
        return (self.dealer + 1) % 4

    @property
    def masks(self) -> tuple[int, int, int, int]:
        """The hands as masks."""
        north, east, south, west = self.hands
        return north.mask, east.mask, south.mask, west.mask

    # --- Queries ---

    def turn(self, dealer: int) -> "Deal":
        """Return the deal turned about the table, so that another seat dealt it.

        Each hand comes to who then sits as its owner did, seen from the dealer: the caller's cards
        to the caller. So the same cards can be played again, whoever is to deal.

        Raises:
            MateError: the dealer is no seat.

        >>> deal = Deal.random(1)
        >>> deal.turn(2).hands[3] == deal.hands[1], deal.turn(2).turn(0) == deal
        (True, True)
        """
        steps = (checked_integer("dealer", dealer, 0, 3) - self.dealer) % 4
        hands = [self.hands[(seat - steps) % 4] for seat in SEATS]
        return Deal(hands, dealer, self.first_five, self.turned)


def is_dealt_again(deal: Deal, variant: Variant) -> bool:
    """Whether the caller's first five are all below the variant's `redeal_below` (section 2).

    Of a deal whose order is not known: False.
    """
    if variant.redeal_below is None or deal.first_five is None:
        return False
    bound = RANKS.index(variant.redeal_below)
    return all(RANKS.index(card[0]) > bound for card in deal.first_five)


def _cards_of(cards: object) -> Cards:
    if isinstance(cards, Cards):
        return cards
    if isinstance(cards, str):
        return parse_cards(cards)
    try:
        return Cards(checked_integer("cards", cards, 0, PACK))
    except MateError:
        what = "Cards, a text as AKQT7..., or a mask"
        raise MateError(f"{excerpt(cards)} are no cards: {what}") from None


def _shared_out(hands: object) -> tuple[Cards, Cards, Cards, Cards]:
    four = [_cards_of(hand) for hand in members_of(hands, 4, "four hands")]
    if len(four) != 4:
        raise MateError("fewer than four hands")
    seen = 0
    for seat, hand in enumerate(four):
        if len(hand) != 13:
            raise MateError(f"seat {seat} has {len(hand)} cards; each is dealt 13")
        if hand.mask & seen:
            raise MateError(f"{next(iter(Cards(hand.mask & seen)))} is dealt twice")
        seen |= hand.mask
    return four[0], four[1], four[2], four[3]
