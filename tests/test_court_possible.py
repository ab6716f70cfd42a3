"""The deals that a seat thinks possible, against all of them written out and weighed."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb, sqrt

import pytest

from court_reference import RANKS, longest_suit
from mate.court_piece import CARDS, Cards, Deal, Hand, Player
from mate.court_piece.cards import longest_suit as longest
from mate.court_piece.naming import FREAK, calls_so
from mate.court_piece.possible import Possible
from mate.errors import NoDealError

DRAWS = 3000


def ending(seed, n_left, variant="seed"):
    """A hand played by chance to the lead of a trick, so many cards left to each."""
    hand = Hand(Deal.random(seed, seed % 4, variant), variant)
    player = Player.of("random", seed)
    while len(hand.tricks) < 13 - n_left:
        if hand.is_over:
            return None
        hand.push(player.choose(hand.view(hand.to_act)))
    return hand


def held_by(mask):
    return [card for number, card in enumerate(CARDS) if mask >> number & 1]


def chance_to_name(dealt, trump, turned=None, lowest=None):
    """How likely a caller with these thirteen cards calls so, by all his first fives."""
    fives = list(combinations([card for card in dealt if card != turned], 5))
    if lowest is not None:
        high = RANKS[: RANKS.index(lowest) + 1]
        fives = [five for five in fives if any(card[0] in high for card in five)]
    total = sum(
        FREAK / 4 + (1 - FREAK) * (longest_suit(five) == trump) if trump else 1.0 for five in fives
    )
    return total / comb(13 - (turned is not None), 5)


def weighed_layouts(hand, seat, weigh):
    """Every layout of the cards that the seat does not see, with its weight; by brute force."""
    view = hand.view(seat)
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    hidden = [card for other in others for card in hand.hands[other]]
    n = len(hidden) // 3
    gone = {s: [trick.by_seat[s] for trick in view.tricks] for s in range(4)}
    shown_out = {
        s: {t.cards[0][1] for t in view.tricks if t.by_seat[s][1] != t.cards[0][1]}
        for s in range(4)
    }  # fmt: skip
    for first in combinations(hidden, n):
        rest = [card for card in hidden if card not in first]
        for second in combinations(rest, n):
            third = [card for card in rest if card not in second]
            held = dict(zip(others, (first, second, third), strict=True))
            if any(card[1] in shown_out[s] for s in others for card in held[s]):
                continue
            caller = hand.caller
            dealt = [*gone[caller], *held.get(caller, hand.hands[caller])]
            weight = 1.0 if caller == seat else weigh(dealt)
            if weight:
                hands = [tuple(held.get(s, hand.hands[s])) for s in range(4)]
                yield tuple(frozenset(cards) for cards in hands), weight


def assert_drawn_so(hand, seat, weigh):
    """Compare draws with the weights of all layouts by chi-square, rare ones taken together."""
    weights = dict(weighed_layouts(hand, seat, weigh))
    possible, chances = Possible(hand.view(seat)), random.Random(seat + 1)
    drawn = Counter(
        tuple(frozenset(held_by(mask)) for mask in possible.draw(chances)) for _ in range(DRAWS)
    )
    assert set(drawn) <= set(weights)
    total, groups, rare = sum(weights.values()), [], [0.0, 0]
    for layout, weight in weights.items():
        expected = DRAWS * weight / total
        if expected < 5:
            rare = [rare[0] + expected, rare[1] + drawn[layout]]
        else:
            groups.append((expected, drawn[layout]))
    groups += [tuple(rare)] if rare[0] >= 5 else []
    chi_square = sum((seen - expected) ** 2 / expected for expected, seen in groups)
    degrees = max(len(groups) - 1, 1)
    spread = 2 / (9 * degrees)  # Wilson and Hilferty: 0.001 is beyond
    assert chi_square <= degrees * (1 - spread + 3.0902 * sqrt(spread)) ** 3
    return weights


def weigher(hand):
    """How likely the caller called so, as a function of his thirteen cards."""
    rules, turned = hand.variant, hand.view(0).turned

    def weigh(dealt):
        if turned is not None and turned not in dealt:
            return 0.0
        if rules.trump == "longest" and longest_suit(tuple(dealt)) != hand.trump:
            return 0.0
        named = hand.trump if rules.trump == "first_five" else None
        return chance_to_name(dealt, named, turned, rules.redeal_below)

    return weigh


# Endings of two cards, by seed, in which the call makes some layouts likelier than others.
CASES = {
    "seed": (5, 8),
    "seed,redeal_below=Q": (7, 8),
    "seed,trump=longest": (9, 17),
    "seed,trump=longest,redeal_below=A": (3, 7),
    "seed,trump=second_batch": (5, 6),
    "seed,trump=second_batch,redeal_below=A": (7, 49),
}


# Where it makes the others impossible.
ALL_OR_NOTHING = ("seed,trump=longest", "seed,trump=second_batch")


@pytest.mark.parametrize("variant", CASES)
def test_possible_deals_are_drawn_as_likely_as_they_are(variant):
    for seed in CASES[variant]:
        hand = ending(seed, 2, variant)
        # Who sits after the caller, and his partner.
        weights = [assert_drawn_so(hand, hand.caller ^ step, weigher(hand)) for step in (1, 2)]
        assert len(set(weights[0].values())) > 1 or variant in ALL_OR_NOTHING


def test_the_longest_suit_is_that_of_the_rules():
    chances = random.Random(1)
    for n_cards in (5, 13) * 200:
        cards = chances.sample(range(52), n_cards)
        assert longest(cards) == longest_suit(tuple(CARDS[card] for card in cards))


def test_the_caller_names_from_what_he_has_seen():
    hand = Hand(Deal.random(3, 0))
    possible, chances = Possible(hand.view(1)), random.Random(2)
    five = hand.deal.first_five.mask
    drawn = [possible.draw(chances) for _ in range(300)]
    assert all(hands[1] & five == five and sum(hands) == (1 << 52) - 1 for hands in drawn)
    assert all(hand.bit_count() == 13 for hands in drawn for hand in hands)
    # Each of the other 47 cards comes to him now and then: 8 of 47 on the average.
    seen = Counter(card for hands in drawn for card in held_by(hands[1] & ~five))
    assert len(seen) == 47
    assert 25 < min(seen.values()) <= max(seen.values()) < 85


def test_the_turned_card_is_the_callers_until_he_plays_it():
    hand = Hand(Deal.random(3, 0, "seed,trump=second_batch"), "seed,trump=second_batch")
    turned, chances = 1 << CARDS.index(hand.deal.turned), random.Random(1)
    while not hand.is_over:
        gone = hand.deal.turned in hand.moves
        for seat in (0, 2, 3):
            hands = Possible(hand.view(seat)).draw(chances)
            assert bool(hands[1] & turned) != gone
            assert gone or not sum(hands[other] & turned for other in (0, 2, 3))
        hand.push(hand.legal_moves[-1])


def test_every_deal_drawn_could_have_been_played_so():
    chances = random.Random(4)
    for seed in range(6):
        hand = Hand(Deal.random(seed, seed % 4))
        player = Player.of("random", seed)
        while not hand.is_over:
            if hand.trump is not None:
                seat = chances.randrange(4)
                view = hand.view(seat)
                held = Possible(view).draw(chances)
                for trick in (*view.tricks, view.table):
                    for place, card in enumerate(trick.cards):
                        held[(trick.leader + place) % 4] |= 1 << CARDS.index(card)
                again = Hand(Deal(held, hand.dealer), trump=hand.trump)
                for move in hand.moves[1:]:
                    again.push(move)
                assert again.hands[seat] == hand.hands[seat]
            hand.push(player.choose(hand.view(hand.to_act)))


def test_what_no_deal_agrees_with():
    view = ending(5, 3).view(0)
    with pytest.raises(NoDealError, match="what seat 0 sees"):
        Possible(replace(view, voids=("", "SHDC", "", "")))
    with pytest.raises(NoDealError):
        Possible(replace(view, hand=Cards((1 << 20) - 1)))


def test_once_in_ten_times_any_suit_is_named():
    hand = Hand(Deal.random(3, 0))
    hand.push("H")
    view, chances, spades = hand.view(2), random.Random(3), (1 << 13) - 1
    kept = sum(calls_so(spades, view, chances) for _ in range(20_000))
    assert kept / 20_000 == pytest.approx(FREAK / 4, abs=0.005)
    hearts = sum(calls_so(spades << 13, view, chances) for _ in range(20_000))
    assert hearts / 20_000 == pytest.approx(1 - FREAK * 3 / 4, abs=0.01)


def test_the_turned_card_is_none_of_the_first_five():
    """It came after them: a hand whose only ace was turned would have been dealt again."""
    for seed in range(60):
        hand = Hand(Deal.random(seed, 0, "seed,trump=second_batch,redeal_below=A"),
                    "seed,trump=second_batch,redeal_below=A")  # fmt: skip
        turned = hand.view(0).turned
        if turned[0] == "A":
            break
    low = [card for card in range(52) if card % 13][:12]
    mask = sum(1 << card for card in low) | 1 << CARDS.index(turned)
    chances = random.Random(1)
    assert not any(calls_so(mask, hand.view(0), chances) for _ in range(300))


def test_the_caller_knows_why_he_called(monkeypatch):
    hand = Hand(Deal.random(1))
    hand.push("S")

    def asked(*_):
        raise AssertionError("the model of the caller was asked about himself")

    monkeypatch.setattr("mate.court_piece.possible.calls_so", asked)
    assert len(Possible(hand.view(hand.caller)).draw(random.Random(1))) == 4
    with pytest.raises(AssertionError, match="about himself"):
        Possible(hand.view(hand.caller ^ 1)).draw(random.Random(1))
