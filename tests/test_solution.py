"""The counting behind docs/solution.md: small decks by brute force, and what is published."""

import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mate
import reference

sys.path.insert(0, str(Path(__file__).parent.parent / "docs"))
import foreplacing
import rounds
import solution
import solved as whole

FOUR = ("AK", "TK", "AT", "T7")
DECKS = {"bga": ("AT7", "AK7"), "abril": FOUR, "capellen": FOUR, "tempos": ("ATK7", "AQ77")}


def on_deck(preset, slots):
    """A preset on a small deck: for the engine, solved, and for the reference."""
    suits = "cshd"[: len(slots)]
    ranks = "".join(rank for rank in "ATKQ7" if rank in "".join(slots))
    deck = mate.Deck(suits, ranks, slots, tuple(reference.POINTS[rank] for rank in ranks))
    engine = replace(mate.Variant.of(preset), deck=deck, name="custom")
    return whole.Solved(engine), replace(reference.PRESETS[preset], deck=slots, suits=suits)


@pytest.fixture(scope="module", params=DECKS)
def small(request):
    return on_deck(request.param, DECKS[request.param])


@pytest.fixture(scope="module", params=["bga", "abril"])
def plain(request):
    return on_deck(request.param, DECKS[request.param])


@pytest.fixture(scope="module", params=["capellen", "tempos"])
def foreplaced(request):
    return on_deck(request.param, DECKS[request.param])


def openings(solved, slow):
    """The reference's openings, deal by deal, X leading."""
    return [reference.start(slow, solved.text(row)) for row in range(len(solved.a))]


# --- Values, leads, tricks ---


def test_values_are_those_of_the_reference(small):
    solved, slow = small
    found = [(int(a), int(b)) for a, b in zip(solved.a, solved.b, strict=True)]
    assert found == [reference.solve(solved.text(row), slow) for row in range(len(found))]
    rows = {row[0]: row[1] for row in solution.outcome_table(solved).rows}
    signs = Counter(np.sign([a for a, _ in found]).tolist())
    names = {"mates": 1, "draws": 0, "is mated": -1}
    assert rows == {name: signs[s] for name, s in names.items() if signs[s]} | {"all": len(found)}


def test_first_leads(plain):
    solved, slow = plain
    found, cards = solution.lead_values(solved), solved.variant.deck.cards
    for row, state in enumerate(openings(solved, slow)):
        there = {cards[i]: v for i, v in enumerate(found[row].tolist()) if v != whole.ABSENT}
        assert there == reference.move_values(state)


def test_the_tricks_of_mates_add_up_to_the_values(plain):
    solved, _ = plain
    found, points = solution.mates_by_trick(solved), solved.variant.deck.points_of
    assert sum(found.values()) == np.count_nonzero(solved.a)
    margins = Counter()
    for (trick, card, who), n in found.items():
        margins[trick * points[card] * who] += n
    assert margins == Counter(a for a in solved.a.tolist() if a)


# --- Foreplacing ---


def best_of(state):
    """Whether a card brings more than declining, and the state after the first best way."""
    values = reference.move_values(state)
    cards = {move: value for move, value in values.items() if move != "*-"}
    gain = max(cards.values()) - values["*-"] if cards else -1
    move = max(cards, key=cards.get) if gain > 0 else "*-"
    return (gain > 0) - (gain < 0), reference.after(state, move)


def test_decisions_on_foreplacing(foreplaced):
    solved, slow = foreplaced
    expected, ways = [Counter(), Counter(), Counter()], Counter()
    for state in openings(solved, slow):
        first, state = best_of(state)
        expected[0][first] += 1
        second = 0
        if reference.UNDECIDED in state.foreplaced:
            second, state = best_of(state)
            expected[1 if first > 0 else 2][second] += 1
        ways[first > 0, second > 0] += 1
    found, ways_found = foreplacing.decisions(solved)
    assert [decision.signs for decision in found.values()] == expected
    assert ways_found == ways


# --- The loser leads ---


def forces(state, is_good, memo):
    """Whether X can make sure that his margin is a good one."""
    if state not in memo:
        moves = reference.legal(state)
        if moves:
            children = (forces(reference.after(state, m), is_good, memo) for m in moves)
            memo[state] = any(children) if state.turn == 0 else all(children)
        else:
            memo[state] = is_good(reference.result(state))
    return memo[state]


def round_value(state, f, memo):
    """What f of X's margin comes to under best play."""
    if state not in memo:
        moves = reference.legal(state)
        children = [round_value(reference.after(state, m), f, memo) for m in moves]
        best = max if state.turn == 0 else min
        memo[state] = best(children) if moves else f(reference.result(state))
    return memo[state]


class Plain:
    """A variant as part of a key: compared by what it is, not by what is in it."""

    def __init__(self, variant):
        self.variant = variant

    def __getattr__(self, name):
        return getattr(self.variant, name)


def round_of(state, a, b):
    """What `rounds.search_rounds` tells of a deal, by its definitions."""
    state = state._replace(variant=Plain(state.variant))

    def f(margin):
        return margin if margin >= 0 else margin + a + b

    value = round_value(state, f, {})
    unmated = forces(state, lambda m: f(m) > value or (f(m) == value and m >= 0), {})
    mating = forces(state, lambda m: f(m) > value or (f(m) == value and m > 0), {})
    return value - a, not unmated, mating


def compare_rounds(solved, slow, rows, b):
    """Whether the search of rounds and brute force agree in these deals."""
    found = rounds.search_rounds(solved.variant, solved.deals[rows], solved.a[rows], b[rows])
    for i, row in enumerate(rows):
        state = reference.start(slow, solved.text(row))
        expected = round_of(state, int(solved.a[row]), int(b[row]))
        assert (found.worth[i], found.must_be_mated[i], found.must_mate[i]) == expected


@pytest.mark.parametrize("gain", [None, 5, 30])
def test_rounds_by_brute_force(small, gain):
    solved, slow = small
    rows = random.Random(1).sample(range(len(solved.a)), 20)
    compare_rounds(solved, slow, rows, solved.b if gain is None else gain - solved.a)


def test_rounds_in_which_either_lets_himself_be_mated():
    solved, slow = on_deck("abril", ("ATK7", "AKQ7", "TK77"))
    a, b = solved.a, solved.b
    found = rounds.search_rounds(solved.variant, solved.deals, a, b)
    kinds = (
        (a >= 0) & found.must_be_mated,
        (a < 0) & ~found.must_be_mated,
        (a <= 0) & found.must_mate,
    )
    for kind in kinds:
        assert kind.any()
        compare_rounds(solved, slow, np.flatnonzero(kind)[:3].tolist(), b)


# --- What is published ---


@pytest.fixture(scope="module")
def bga():
    return whole.Solved("bga")


@pytest.mark.slow
def test_published_outcomes(bga):
    rows = {name: deals for name, deals, *_ in solution.outcome_table(bga).rows}
    assert rows == {"mates": 91_353, "draws": 53_265, "is mated": 40_138, "all": 184_756}
    assert f"{bga.a.mean():.3f}" == "14.947"
    assert [(value, deals) for value, deals, _ in solution.extreme_table(bga).rows] == [
        (110, 5_157),
        (-110, 1_255),
    ]


@pytest.mark.slow
def test_published_gain_of_leading(bga):
    assert whole.signs(bga.a + bga.b) == [("< 0", 6), ("= 0", 47_696), ("> 0", 137_054)]
    assert [row[1:] for row in solution.both_table(bga).rows] == [
        (31_194, 20_021, 40_138),
        (20_021, 33_244, 0),
        (40_138, 0, 0),
    ]


@pytest.mark.slow
def test_published_deals_agree_with_the_search(bga):
    rows = random.Random(1).sample(range(len(bga.a)), 1000)
    assert mate.solve(bga.deals[rows]).tolist() == np.stack([bga.a, bga.b], 1)[rows].tolist()
