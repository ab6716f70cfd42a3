"""Self-play at random: moves, deals and slips as often as they should be, at fixed seeds."""

import math
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest

import mate
import matecore
from pairing import ENGINE_TEXTS, NAMES
from test_selfplay import all_deals, deck_of

SIGMAS = 4.0  # of the normal approximation: at fixed seeds nothing is left to chance later


def sigmas(observed, probabilities):
    """How far Pearson's statistic lies from what chance gives, in standard deviations.

    The cube root of chi-square over its degrees of freedom is nearly normal (Wilson, Hilferty).
    """
    observed = np.asarray(observed, dtype=float)
    wanted = np.asarray(probabilities, dtype=float) * observed.sum()
    assert math.isclose(wanted.sum(), observed.sum())
    assert wanted.min() >= 5
    freedom = len(observed) - 1
    statistic = ((observed - wanted) ** 2 / wanted).sum() / freedom
    return (statistic ** (1 / 3) - 1 + 2 / (9 * freedom)) / math.sqrt(2 / (9 * freedom))


def assert_chance(observed, probabilities=None):
    """The counts are what chance gives: neither too far from it nor too near."""
    if probabilities is None:
        probabilities = np.full(len(observed), 1 / len(observed))
    assert abs(sigmas(observed, probabilities)) < SIGMAS


def test_the_bounds_tell_chance_from_bias():
    rng = np.random.default_rng(1)
    for n in (2, 10, 70):
        fair = [sigmas(rng.multinomial(10_000, [1 / n] * n), [1 / n] * n) for _ in range(200)]
        assert max(map(abs, fair)) < SIGMAS
    biased = [0.11, *[0.89 / 9] * 9]
    assert sigmas(rng.multinomial(100_000, biased), [0.1] * 10) > SIGMAS


# --- Moves ---


def choices(games):
    """For each ply and number of legal actions, how often each of them was played."""
    counts = defaultdict(Counter)
    for i in range(len(games)):
        core = matecore.Position(games.variant.rules, *games.deal[i].tolist(), int(games.leader[i]))
        for ply, action in enumerate(games.moves[i].tolist()):
            if action < 0:
                break
            names = games.variant.action_names
            legal = {names[a]: a for a in reversed(core.legal_actions())}
            order = sorted(legal.values())
            counts[ply, len(order)][order.index(action)] += 1
            core.push(action)
    return counts


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_is_as_likely(name):
    games = mate.selfplay(3000, variant=ENGINE_TEXTS[name], seed=20)
    found, all_plies = choices(games), defaultdict(Counter)
    tested = 0
    for (_, n), counts in found.items():
        all_plies[n].update(counts)
        if n > 1 and counts.total() >= 20 * n:
            assert_chance([counts[k] for k in range(n)])
            tested += 1
    assert tested > 20
    for n, counts in all_plies.items():
        if n > 1 and counts.total() >= 20 * n:
            assert_chance([counts[k] for k in range(n)])


def test_first_decisions():
    deals = np.array([mate.Deal.parse("ATK.Q7.A.TKQ7").x.mask], dtype=np.uint32)
    deals = np.stack([deals, 0xFFFFF ^ deals], axis=1)
    games = mate.selfplay(200_000, seed=21, deals=deals, leader="x")
    counts = np.bincount(games.moves[:, 0], minlength=20)
    hand = [card for card in range(20) if deals[0, 0] >> card & 1]
    assert counts.sum() == counts[hand].sum()
    assert_chance(counts[hand])
    # The first two decisions together: no word serves twice.
    pairs = Counter(map(tuple, games.moves[:, :2].tolist()))
    replies = Counter(lead for lead, _ in pairs)
    leads = [pair for pair in pairs if pair[1] >= 0]
    assert_chance([pairs[p] for p in leads], _shares(leads, replies, games))


def _shares(pairs, replies, games):
    played = (games.moves[:, 1] >= 0).sum() / len(games)
    return np.array([1 / (10 * replies[lead]) for lead, _ in pairs]) / played


def test_slips_are_as_frequent_as_told():
    games = mate.selfplay(4000, "epsilon:0.25", "epsilon:0.75", seed=22, labels=True)
    for player, chance in ((0, 0.25), (1, 0.75)):
        slips = wanted = variance = 0.0
        for i in range(len(games)):
            core = matecore.Position(
                games.variant.rules, *games.deal[i].tolist(), int(games.leader[i])
            )
            for ply, action in enumerate(games.moves[i].tolist()):
                if action < 0:
                    break
                if core.to_move == player:
                    legal, best = len(core.legal_actions()), int(games.best[i, ply])
                    p = chance * (1 - best.bit_count() / legal)
                    slips += not best >> action & 1
                    wanted += p
                    variance += p * (1 - p)
                core.push(action)
        assert abs(slips - wanted) < SIGMAS * math.sqrt(variance)


# --- Deals ---


@pytest.mark.parametrize("n_cards", [2, 6, 8, 12])
def test_every_deal_is_as_likely(n_cards):
    games = mate.selfplay(100_000, variant=deck_of(n_cards), seed=23)
    counts = Counter(games.deal[:, 0].tolist())
    assert_chance([counts.pop(deal) for deal in all_deals(n_cards)[:, 0].tolist()])
    assert not counts
    assert (games.deal.sum(axis=1) == (1 << n_cards) - 1).all()


@pytest.mark.parametrize("name", ["bga", "double24"])
def test_classes_of_deals(name):
    variant = mate.Variant.of(ENGINE_TEXTS[name])
    deck, n = variant.deck, 200_000
    hands = mate.selfplay(n, variant=variant, seed=24).deal[:, 0]
    holds = hands[:, None] >> np.arange(deck.n_cards, dtype=np.uint32) & 1
    assert (holds.sum(axis=1) == deck.hand_size).all()
    _suits_are_as_likely(holds, deck)
    # Any three cards: all in the hand, or two, or one, or none.
    size, places = deck.hand_size, [deck.n_cards - 3, deck.hand_size]
    shares = [math.comb(places[0], size - k) * math.comb(3, k) for k in range(4)]
    for cards in list(combinations(range(deck.n_cards), 3))[::7]:
        counts = np.bincount(holds[:, cards].sum(axis=1), minlength=4)
        assert abs(sigmas(counts, np.array(shares) / math.comb(deck.n_cards, size))) < 5


def _suits_are_as_likely(holds, deck):
    suits = np.array(deck.suit_of)
    lengths = Counter(
        map(tuple, np.stack([holds[:, suits == s].sum(axis=1) for s in range(4)], axis=1).tolist())
    )
    size, total = deck.n_cards // 4, math.comb(deck.n_cards, deck.hand_size)
    counts, shares = [], []
    for cell in np.ndindex(*(size + 1,) * 4):
        share = math.prod(math.comb(size, k) for k in cell) / total
        if sum(cell) == deck.hand_size and share * holds.shape[0] >= 5:
            counts.append(lengths[cell])
            shares.append(share)
    rest = holds.shape[0] - sum(counts)
    assert abs(rest - holds.shape[0] * (1 - sum(shares))) < 5 * math.sqrt(rest + 25)
    assert_chance(counts, np.array(shares) / sum(shares))
