"""What cuts a search of Court Piece short, on thousands of small positions: it changes nothing.

A position is worth what its best card leaves, and what a card leaves is a position of its own. So a
cut that is not sound shows where it is made, as the position and those after it do not agree; and
where no cut is wrong, the values are right from the last trick back.
"""

import random

import pytest

from matecore.court_piece import Position, Rules, Solver
from test_court_search import any_rules, from_pbn

SMALL = 8  # the logarithm of a table's size
SUITS = ((1, 1, 1, 1), (4, 4, 1, 1), (1, 2, 5, 2), (0, 1, 6, 6))  # how likely they are


def hands_of(rng, n, lowest=12):
    """Four hands of so many cards, of all suits or mostly of some, of the slots to the lowest."""
    weights, pack = rng.choice(SUITS), [card for card in range(52) if card % 13 <= lowest]
    cards = sorted(pack, key=lambda card: rng.random() ** (1 / (weights[card // 13] + 0.1)))
    cards = rng.sample(cards[-4 * n :], 4 * n)
    return [cards[n * seat : n * seat + n] for seat in range(4)]


def alike(rng, hands):
    """The cards dealt anew, suits as long in each hand as they were; perhaps the low ones alone."""
    cards = sorted(card for hand in hands for card in hand)
    place = {card: card for card in cards}
    for suit in range(4):
        low = [card for card in cards if card // 13 == suit]
        low = low[rng.choice((0, 1, len(low) // 2)) :]
        place.update(zip(low, rng.sample(low, len(low)), strict=True))
    return [[place[card] for card in hand] for hand in hands]


def rules_of_aces(rng):
    """Rules under which a trick won with an ace is not one won with a king."""
    return Rules(collection=rng.choice((1, 2)), ace_rule=True, restart=rng.random() < 0.5)


def assert_best_card_counts(rng, rules, hands):
    """Of a position up to three cards on, whatever question is the first."""
    position = position_of(rules, hands, rng.randrange(4), rng.randrange(5))
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        position.push(rng.choice(position.legal_actions()))
    best = max(tricks for _, tricks in Solver(rules, SMALL).values(position))
    assert Solver(rules, SMALL).tricks(position) == best
    assert Solver(rules, SMALL).at_least(position, best)
    assert not Solver(rules, SMALL).at_least(position, best + 1)


def position_of(rules, hands, leader, trump):
    masks = [sum(1 << card for card in hand) for hand in hands]
    return Position(rules, masks, leader, trump)


@pytest.mark.parametrize("seed", range(20))
def test_a_position_is_worth_what_its_best_card_leaves(seed):
    rng = random.Random(seed)
    for number in range(400):
        rules = any_rules(rng)[0] if number % 4 == 0 else Rules()
        assert_best_card_counts(rng, rules, hands_of(rng, rng.choice((2, 3, 4, 5, 6))))


@pytest.mark.parametrize("seed", range(20))
def test_aces_are_told_from_kings_where_it_matters(seed):
    rng = random.Random(seed)
    for _ in range(100):
        hands = hands_of(rng, rng.choice((3, 4, 5)), lowest=5)
        assert_best_card_counts(rng, rules_of_aces(rng), hands)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_learnt_of_one_deal_holds_in_those_alike(seed):
    rng = random.Random(seed)
    for number in range(150):
        rules = (Rules(), any_rules(rng)[0], rules_of_aces(rng))[number % 3]
        hands, trump = hands_of(rng, rng.choice((3, 4, 5)), rng.choice((12, 5))), rng.randrange(5)
        solver = Solver(rules, 14)
        for _ in range(12):
            hands = alike(rng, hands)
            position = position_of(rules, hands, rng.randrange(4), trump)
            assert solver.tricks(position) == Solver(rules, SMALL).tricks(position)


# A cut that lets a partner cash below winners of the leader finds a trick more in each.
@pytest.mark.parametrize(
    ("hands", "leader", "trump", "tricks"),
    [
        ("85..J.A .J5.K6. Q.4.3.J .K3.5.2", 2, 3, 2),
        ("Q..53. 6.9..3 5..Q.2 .74..4", 2, 0, 2),
        ("T.75..J9 7.AQ.75. A..3.875 6.K8.K.6", 0, 0, 3),
    ],
)
def test_the_leader_may_stand_in_the_way(hands, leader, trump, tricks):
    assert (
        Solver(Rules(), SMALL).tricks(Position(Rules(), from_pbn(hands), leader, trump)) == tricks
    )
