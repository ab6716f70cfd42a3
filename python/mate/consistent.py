"""Deals consistent with what was seen: the cards played, who was mated, hands that were shown.

Whoever answers in rank has no card of the suit, or the other way round under a privilege, or has
used the free move; the mated player has neither. What that says of the cards that were never
played is all there is to know about them, for each deal that agrees with it could have been dealt.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from mate.deal import Deal
from mate.errors import MateError, NoDealError, excerpt, refuse
from mate.tricks import is_beaten, matching, ruled_out
from mate.variant import Variant

MAX_DEALS = 4_000  # with more in doubt hardly anything is certain, and each takes its time


@dataclass(frozen=True)
class Seen:
    """What was seen of a game on a deal; of two games, if the hands were exchanged between them.

    Attributes:
        leader: which of the two hands led first, 0 or 1; a hand is the same in both games.
        cards: the cards played, leads and replies in turn, as their numbers in the deck.
        mated: whether the last lead was mate.
    """

    leader: int
    cards: tuple[int, ...]
    mated: bool = False


@dataclass(frozen=True)
class Consistent:
    """The deals that agree with what was seen.

    Attributes:
        hands: the first hand of each of them, as a mask; empty if they are too many to list.
        known: what is certain of the first hand and of the second, as masks.
        variant: the rules they were told by.
    """

    hands: tuple[int, ...]
    known: tuple[int, int]
    variant: Variant

    @property
    def deals(self) -> list[Deal]:
        """The deals, X holding the first hand."""
        return [Deal(hand, None, self.variant.deck) for hand in self.hands]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The cards of which it is not certain who was dealt them, in the order of the deck."""
        known = self.known[0] | self.known[1]
        return tuple(c for i, c in enumerate(self.variant.deck.cards) if not known >> i & 1)


def consistent_deals(
    games: Sequence[Seen],
    variant: "Variant | str" = "bga",
    held: tuple[int, int] = (0, 0),
    shown: Sequence[int] = (),
    limit: int = MAX_DEALS,
) -> Consistent:
    """Return all deals that agree with what was seen (sections 2.5 to 2.7, 4 and 6).

    Arguments:
        games: the games on the deal.
        variant: a variant without foreplacing and declared privileges, every card once.
        held: cards known to be in the first and in the second hand, as masks.
        shown: whole hands of which it is not known whose they are, as masks.
        limit: with more ways to deal the cards in doubt than this, none is listed.

    Raises:
        VariantError: there is no such variant, or it is one of the others.
        MateError: what was played are no cards.
        NoDealError: there is no such deal; a move is against the rules.

    >>> leads_and_replies = ("7c", "Tc", "Kd", "Ad", "Qc", "Kc")
    >>> numbers = tuple(mate.DECKS["single"].cards.index(card) for card in leads_and_replies)
    >>> found = consistent_deals([Seen(0, numbers)])
    >>> len(found.hands), len(found.unknown)
    (3432, 14)
    """
    variant = Variant.of(variant)
    refuse(variant.foreplace is not None, "foreplace", variant.foreplace, "cards out of play")
    declared = variant.privilege_declared
    refuse(declared, "privilege_declared", declared, "a privilege that may hold or not")
    single = len(variant.deck.copies) == variant.deck.n_cards
    refuse(not single, "deck", variant.deck.name, "cards that are there twice")
    return _Search(variant, games, held, shown).run(limit)


# --- Demands -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Demand:
    """At a move of a game, a hand had none of these cards; with the free move it may have had."""

    game: int
    move: int
    hand: int
    cards: int
    led: int
    reply: int | None  # None for a mate


class _Search:
    """What is known grows: cards seen, cards that the demands leave to one hand, then by trial."""

    def __init__(
        self,
        variant: Variant,
        games: Sequence[Seen],
        held: tuple[int, int],
        shown: Sequence[int],
    ):
        self.variant, self.games, self.shown = variant, games, shown
        self.own = list(held)
        self.everything = (1 << variant.deck.n_cards) - 1
        self.cards = variant.deck.cards
        self.demands = [d for i, game in enumerate(games) for d in self._demands_of(i, game)]

    def run(self, limit: int) -> Consistent:
        """Return what agrees with everything."""
        self._check_held()
        for demand in self.demands:
            if not self._may_be_free(demand):
                self._settle(demand)
        hands = self._candidates(limit)
        if hands is None:
            return Consistent((), (self.own[0], self.own[1]), self.variant)
        hands = self._with_free_moves(self._with_shown(hands))
        certain, possible = self.everything, 0
        for hand in hands:
            certain, possible = certain & hand, possible | hand
        return Consistent(tuple(hands), (certain, self.everything & ~possible), self.variant)

    # Also takes down who held the cards that were played.
    def _demands_of(self, number: int, game: Seen) -> Iterator[_Demand]:
        rules, hand, played = self.variant.rules, game.leader, 0
        self._check_cards(number, game.cards)
        for move in range(0, len(game.cards), 2):
            led, replies = game.cards[move], game.cards[move + 1 : move + 2]
            self.own[hand] |= 1 << led
            played |= 1 << led
            for reply in replies:
                self._check_reply(number, move + 1, led, reply)
                self.own[1 - hand] |= 1 << reply
                played |= 1 << reply
                cards = ruled_out(rules, led, reply) & ~played
                yield _Demand(number, move + 1, 1 - hand, cards, led, reply)
                hand = hand if is_beaten(rules, led, reply) else 1 - hand
            if not replies and game.mated:
                cards = matching(rules, led) & ~played
                yield _Demand(number, move, 1 - hand, cards, led, None)

    def _check_cards(self, number: int, cards: Any) -> None:
        everything = range(self.variant.deck.n_cards)
        numbers = isinstance(cards, tuple) and all(type(card) is int for card in cards)
        if not numbers or not all(card in everything for card in cards):
            raise MateError(f"{excerpt(cards)}: expected cards by their numbers")
        for move, card in enumerate(cards):
            if card in cards[:move]:
                raise NoDealError(f"{self.cards[card]} is played twice", number, move)

    def _check_reply(self, number: int, move: int, led: int, reply: int) -> None:
        if not matching(self.variant.rules, led) >> reply & 1:
            why = f"{self.cards[reply]} is not legal: it answers {self.cards[led]}"
            raise NoDealError(f"{why} neither in suit nor in rank", number, move)

    def _check_held(self) -> None:
        if twice := self.own[0] & self.own[1]:
            raise NoDealError(f"{self._name(twice)} would be in both hands")
        if max(self._sizes()) > self.variant.deck.hand_size:
            raise NoDealError(f"a hand would have {max(self._sizes())} cards")

    def _sizes(self) -> list[int]:
        return [hand.bit_count() for hand in self.own]

    def _name(self, cards: int) -> str:
        return self.cards[(cards & -cards).bit_length() - 1]

    # --- What the demands settle ---

    def _may_be_free(self, demand: _Demand) -> bool:
        return self.variant.free_move and demand.reply is not None

    def _settle(self, demand: _Demand) -> None:
        if against := self._held(demand):
            raise self._broken(demand, against)
        self.own[1 - demand.hand] |= demand.cards
        if max(self._sizes()) > self.variant.deck.hand_size:
            raise self._broken(demand, demand.cards)

    def _held(self, demand: _Demand) -> int:
        return demand.cards & self.own[demand.hand]

    def _broken(self, demand: _Demand, against: int) -> NoDealError:
        held, led = self._name(against), self.cards[demand.led]
        if demand.reply is None:
            why = f"{led} is no mate: {held} could be played to it"
        else:
            first = "suit" if held[1] == led[1] else "rank"
            why = f"{self.cards[demand.reply]} is not legal: {held} had to be played to {led}, "
            why += f"since {first} goes first"
            why += " and the free move was used" if self.variant.free_move else ""
        return NoDealError(why, demand.game, demand.move)

    # --- What is found by trial ---

    def _candidates(self, limit: int) -> list[int] | None:
        own, missing = self.own[0], self.variant.deck.hand_size - self._sizes()[0]
        left = self.everything & ~(self.own[0] | self.own[1])
        if comb(left.bit_count(), missing) > limit:
            return None
        bits = [1 << card for card in range(self.variant.deck.n_cards) if left >> card & 1]
        return [own | sum(chosen) for chosen in combinations(bits, missing)]

    def _with_shown(self, hands: list[int]) -> list[int]:
        for shown in self.shown:
            hands = [hand for hand in hands if hand in (shown, self.everything & ~shown)]
        if not hands:
            raise NoDealError("a hand that was shown is nobody's")
        return hands

    # Once a game, whichever player uses it first; a card that was legal anyway does not use it up.
    def _with_free_moves(self, hands: list[int]) -> list[int]:
        for number in range(len(self.games)):
            left = [(hand, 1) for hand in hands]
            for demand in self.demands:
                if demand.game != number or not self._may_be_free(demand):
                    continue
                after = [(hand, free - self._breaks(hand, demand)) for hand, free in left]
                if not (after := [(hand, free) for hand, free in after if free >= 0]):
                    raise self._broken(demand, self._held(demand) or demand.cards)
                left = after
            hands = [hand for hand, _ in left]
        return hands

    def _breaks(self, hand: int, demand: _Demand) -> bool:
        own = hand if demand.hand == 0 else self.everything & ~hand
        return bool(own & demand.cards)
