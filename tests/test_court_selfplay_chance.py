"""Self-play of Court Piece at random: moves and deals as often as they should be."""

from collections import Counter, defaultdict
from math import comb

import numpy as np
import pytest

from court_games import TEXTS
from mate.court_piece import Variant, selfplay
from matecore.court_piece import Position
from test_selfplay_chance import assert_chance

SUIT = np.uint64(0x1FFF)
ACES = np.uint64(sum(1 << 13 * suit for suit in range(4)))
COUNT = 200_000
CHOICES = ["seed", "seed,chase=optional", "double-sir", "seed,trump=longest"]


def sizes(masks, among):
    """How many cards of a set each mask has."""
    return np.bitwise_count(masks & among)


def assert_as_shared_out(counts, shares):
    """The counts are those of chance, rare ones taken together."""
    total, kept, rest = sum(counts.values()), [], [0, 0.0]
    for key, share in shares.items():
        if share * total >= 10:
            kept.append((counts[key], share))
        else:
            rest[0] += counts[key]
            rest[1] += share
    if rest[1] * total >= 10:
        kept.append(tuple(rest))
    elif rest[1]:  # too rare for a test: there are few
        assert rest[0] < 60
        total -= rest[0]
    observed, wanted = zip(*kept, strict=True)
    assert sum(observed) == total
    assert_chance(list(observed), np.array(wanted) / sum(wanted))


def hypergeometric(drawn, good, pack=52):
    """How likely each number of good cards is among those drawn."""
    return {
        k: comb(good, k) * comb(pack - good, drawn - k) / comb(pack, drawn)
        for k in range(max(0, drawn - pack + good), min(drawn, good) + 1)
    }


# --- Moves ---


@pytest.mark.parametrize(
    "text", ["seed", "seed,chase=optional", "double-sir", "seed,trump=longest"]
)
def test_every_legal_move_is_as_likely(text):
    hands = selfplay(4000, variant=text, seed=20)
    by_ply, by_number = defaultdict(Counter), defaultdict(Counter)
    named = hands.variant.trump == "first_five"
    for i in range(len(hands)):
        trump = 5 if named else int(hands.trump[i])
        dealt = tuple(hands.hands[i].tolist())
        core = Position(hands.variant.rules, dealt, int(hands.caller[i]), trump)
        for ply, action in enumerate(hands.moves[i].tolist()):
            if action < 0:
                break
            legal = sorted(core.legal_actions())
            by_ply[ply, len(legal)][legal.index(action)] += 1
            by_number[len(legal)][legal.index(action)] += 1
            core.push(action)
    tested = 0
    for n, counts in [*((n, c) for (_, n), c in by_ply.items()), *by_number.items()]:
        if n > 1 and counts.total() >= 20 * n:
            assert_chance([counts[k] for k in range(n)])
            tested += 1
    assert tested > 100


def test_two_decisions_together():
    # No word serves twice: which trump is named and where the lead lies in the hand.
    hands = selfplay(COUNT, seed=21)
    caller = hands.hands[np.arange(COUNT), hands.caller]
    below = (np.uint64(1) << hands.moves[:, 1].astype(np.uint64)) - np.uint64(1)
    pairs = Counter(zip(hands.moves[:, 0].tolist(), sizes(caller, below).tolist(), strict=True))
    assert_chance([pairs[52 + suit, place] for suit in range(4) for place in range(13)])


# --- Deals ---


@pytest.mark.parametrize("step", range(4))
def test_hands_have_suits_and_aces_as_often_as_they_should(step):
    hands = selfplay(COUNT, seed=22)
    masks = hands.hands[np.arange(COUNT), (hands.caller + step) % 4]
    assert (np.bitwise_count(masks) == 13).all()
    for suit in range(4):
        counts = Counter(sizes(masks, SUIT << np.uint64(13 * suit)).tolist())
        assert_as_shared_out(counts, hypergeometric(13, 13))
    assert_as_shared_out(Counter(sizes(masks, ACES).tolist()), hypergeometric(13, 4))


def test_two_hands_together():
    hands = selfplay(COUNT, seed=23)
    rows = np.arange(COUNT)
    for one, other in ((0, 1), (0, 2), (1, 3)):
        pair = [
            sizes(hands.hands[rows, (hands.caller + step) % 4], SUIT).tolist()
            for step in (one, other)
        ]
        shares = {
            (a, b): comb(13, a) * comb(13 - a, b) * comb(39, 13 - a) * comb(26 + a, 13 - b)
            / (comb(52, 13) * comb(39, 13))
            for a in range(14) for b in range(14 - a)
        }  # fmt: skip
        assert_as_shared_out(Counter(zip(*pair, strict=True)), shares)


def test_the_order_of_the_callers_cards():
    hands = selfplay(COUNT, variant="seed,trump=second_batch", seed=24)
    caller = hands.hands[np.arange(COUNT), hands.caller]
    assert (np.bitwise_count(hands.first_five) == 5).all()
    assert (hands.first_five & caller == hands.first_five).all()
    for suit in range(4):
        counts = Counter(sizes(hands.first_five, SUIT << np.uint64(13 * suit)).tolist())
        assert_as_shared_out(counts, hypergeometric(5, 13))
    # The card that is turned: any of 52, any of the eight that came later.
    assert_chance(np.bincount(hands.turned, minlength=52))
    turned = np.uint64(1) << hands.turned.astype(np.uint64)
    later = caller ^ hands.first_five
    assert (later & turned == turned).all()
    assert_chance(np.bincount(sizes(later, turned - np.uint64(1)), minlength=8))


@pytest.mark.parametrize(("rank", "good"), [("A", 4), ("K", 8), ("T", 20)])
def test_first_fives_that_are_dealt_again(rank, good):
    hands = selfplay(COUNT, variant=f"seed,redeal_below={rank}", seed=25)
    kept = {k: share for k, share in hypergeometric(5, good).items() if k}
    all_kept = sum(kept.values())
    high = sum(1 << 13 * suit + slot for suit in range(4) for slot in range(good // 4))
    counts = Counter(sizes(hands.first_five, np.uint64(high)).tolist())
    assert not counts[0]
    assert_as_shared_out(counts, {k: share / all_kept for k, share in kept.items()})


def test_callers_come_in_turn_and_sides_win_as_often():
    hands = selfplay(COUNT, seed=26)
    assert (hands.caller == np.arange(COUNT) % 4).all()
    for caller in range(4):
        assert (selfplay(20, caller=caller).caller == caller).all()
    wins = np.count_nonzero(hands.winner == 0)
    assert abs(wins - COUNT / 2) < 4 * (COUNT / 4) ** 0.5


@pytest.mark.parametrize("text", TEXTS)
def test_trump_is_as_the_variant_says(text):
    variant = Variant.of(text)
    hands = selfplay(2000, variant=variant, seed=27)
    if variant.trump == "first_five":
        assert (hands.moves[:, 0] == 52 + hands.trump).all()
    else:
        assert (hands.moves[:, 0] < 52).all()
    if variant.trump == "second_batch":
        assert (hands.turned // 13 == hands.trump).all()
    else:
        assert (hands.turned == -1).all()
    if variant.trump == "longest":
        caller = hands.hands[np.arange(2000), hands.caller]
        lengths = np.stack([sizes(caller, SUIT << np.uint64(13 * s)) for s in range(4)])
        assert (lengths[hands.trump, np.arange(2000)] == lengths.max(axis=0)).all()
