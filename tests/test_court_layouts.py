"""Unseen cards: every layout that fits, each as likely, against all of them written out."""

import random
from collections import Counter
from itertools import combinations
from math import comb, factorial, sqrt

import pytest

from mate.court_piece.layouts import Layouts

# Cards of four suits by who may hold them, and the sizes of the hands.
CASES = {
    "nothing known": ({0b111: [0, 1, 13, 14, 26, 39]}, (2, 2, 2)),
    "one shows out": ({0b111: [0, 1, 13], 0b110: [26, 27], 0b011: [40]}, (3, 2, 1)),
    "each shows out": ({0b110: [0, 5, 9], 0b101: [13, 14], 0b011: [30, 31, 38]}, (3, 3, 2)),
    "one card is known": ({0b111: [0, 1, 2, 16], 0b010: [51]}, (2, 2, 1)),
    "one hand holds a suit": ({0b111: [0, 1, 2], 0b100: [13, 20]}, (1, 1, 3)),
    "one way only": ({0b001: [3], 0b100: [4, 5]}, (1, 0, 2)),
    "two hands": ({0b11: [0, 1, 2, 3, 4], 0b01: [7]}, (3, 3)),
    "four hands": ({0b1111: [0, 1, 2, 20, 33]}, (1, 2, 1, 1)),
}


def all_layouts(groups, sizes):
    """Every layout, by trying each choice of cards for each hand."""
    holders = {card: by for by, cards in groups.items() for card in cards}

    def dealt(hand, left):
        if hand == len(sizes):
            yield ()
            return
        mine = [card for card in left if holders[card] >> hand & 1]
        for held in combinations(mine, sizes[hand]):
            rest = left - set(held)
            yield from ((mask(held), *others) for others in dealt(hand + 1, rest))

    return list(dealt(0, set(holders)))


def mask(cards):
    return sum(1 << card for card in cards)


def layouts_of(case):
    groups, sizes = CASES[case]
    return Layouts({by: mask(cards) for by, cards in groups.items()}, sizes)


@pytest.mark.parametrize("case", CASES)
def test_layouts_are_counted(case):
    found = all_layouts(*CASES[case])
    assert len(set(found)) == len(found) == layouts_of(case).count


@pytest.mark.parametrize("case", CASES)
def test_every_layout_is_as_likely(case):
    every = all_layouts(*CASES[case])
    layouts, chances, draws = layouts_of(case), random.Random(5), 60 * len(every)
    seen = Counter(tuple(layouts.draw(chances)) for _ in range(draws))
    assert set(seen) == set(every)
    expected = draws / len(every)
    chi_square = sum((seen[layout] - expected) ** 2 / expected for layout in every)
    assert chi_square <= beyond_one_in_a_thousand(len(every) - 1)


def beyond_one_in_a_thousand(degrees):
    """The value that chi-square exceeds with probability 0.001, after Wilson and Hilferty."""
    if not degrees:
        return 0
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + 3.0902 * sqrt(spread)) ** 3


def test_a_whole_deal_is_counted():
    everything = Layouts({0b111: (1 << 39) - 1}, (13, 13, 13))
    assert everything.count == factorial(39) // factorial(13) ** 3
    # Who has shown out of a suit leaves its 13 cards to the other two.
    third = 0x1FFF << 26
    without = Layouts({0b111: (1 << 26) - 1, 0b011: third}, (13, 13, 13))
    assert without.count == comb(26, 13) * comb(26, 13)


def test_hands_are_as_large_as_they_should_be():
    groups = {0b111: 0x1FFF, 0b110: 0x1FFF << 13, 0b101: 0x1FFF << 26}
    layouts, chances = Layouts(groups, (12, 14, 13)), random.Random(1)
    for _ in range(200):
        hands = layouts.draw(chances)
        assert [hand.bit_count() for hand in hands] == [12, 14, 13]
        assert sum(hands) == sum(groups.values())
        assert not hands[0] & groups[0b110]
        assert not hands[1] & groups[0b101]


@pytest.mark.parametrize(
    ("groups", "sizes"),
    [
        ({0b01: 0b111}, (2, 1)),
        ({0b11: 0b111}, (1, 1)),
        ({0b11: 0b1}, (1, 1)),
        ({}, (1,)),
        ({0b11: 0b11}, (3, -1)),
    ],
)
def test_what_cannot_be_has_no_layout(groups, sizes):
    assert Layouts(groups, sizes).count == 0
