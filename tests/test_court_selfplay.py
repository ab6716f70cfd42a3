"""Self-play of Court Piece: the same hands as the reference's, and legal ones."""

import json
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from court_games import TEXTS, game_of, random_variant
from court_reference import PACK, RANKS, SUITS
from court_selfplay_reference import (
    NUMBER,
    Game,
    Seen,
    deal,
    greedy,
    play_hands,
)  # fmt: skip
from mate.court_piece import Hands, Variant, selfplay
from mate.court_piece.selfplaying import SelfPlay
from matecore.court_piece import Position
from selfplay_reference import Stream

POLICIES = ("random", "greedy")
ARRAYS = (
    "hands", "first_five", "turned", "caller", "trump", "moves", "collected", "points", "winner",
    "court",
)  # fmt: skip
VECTORS = json.loads(
    (Path(__file__).with_name("data") / "court_deal_vectors.json").read_text(encoding="utf-8")
)
# Rules of double sir in which sides with seven tricks to none are not rare.
SWEEPS = "double-sir,collection=double_team,blocked_claims=none"


def assert_same(hands, arrays):
    """The hands are those, to the last bit and dtype."""
    for name in (*ARRAYS, "to_act", "n_legal"):
        found, wanted = getattr(hands, name), arrays[name]
        assert found.dtype == wanted.dtype, name
        np.testing.assert_array_equal(found, wanted, err_msg=name)


def assert_equal(hands, others):
    """Both have the same arrays."""
    assert hands.variant == others.variant
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(hands, name), getattr(others, name), err_msg=name)


# --- The reference's hands ---


@pytest.mark.parametrize("text", TEXTS)
def test_every_pair_of_policies(text):
    variant = Variant.of(text)
    for number, (a, b) in enumerate(product(POLICIES, POLICIES)):
        settings = {"seed": number, "first": 1000 * number, "caller": (None, 2)[number % 2]}
        hands = selfplay(40, a, b, variant, **settings)
        assert_same(hands, play_hands(game_of(variant), 40, a, b, **settings))


@pytest.mark.parametrize("lanes", [None, "plain"])
@pytest.mark.parametrize("seed", range(60))
def test_random_variants_with_instructions_for_bits_and_without(seed, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("MATECORE_LANES", lanes)
    rng = random.Random(seed)
    variant = random_variant(rng)
    for a, b in (("random", "random"), (rng.choice(POLICIES), rng.choice(POLICIES))):
        settings = {"seed": 2**64 - 1 - seed, "first": rng.choice([0, 1, 2**40])}
        hands = selfplay(8, a, b, variant, **settings)
        assert_same(hands, play_hands(game_of(variant), 8, a, b, **settings))


@pytest.mark.parametrize("text", ["seed", "seed,chase=optional", "hokm", SWEEPS])
def test_courts_and_chases(text):
    # Hands that come to seven tricks to none are found by the engine and played by the reference.
    variant = Variant.of(text)
    many = selfplay(4000, "greedy", "random", variant, seed=3)
    rare = np.flatnonzero((many.collected == 0).any(axis=1) | (many.moves == 56).any(axis=1))[:40]
    assert len(rare) >= 10
    assert many.court[rare].any()
    for row in rare.tolist():
        wanted = play_hands(game_of(variant), 1, "greedy", "random", seed=3, first=row)
        assert_same(many[[row]], wanted)


def test_no_hands():
    hands = selfplay(0)
    assert (len(hands), hands.moves.shape, hands.hands.shape) == (0, (0, 53), (0, 4))
    hands.check()


# --- Deals ---


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: f"{case['seed']}-{case['hand']}")
def test_the_deals_of_the_vectors(case):
    caller, variant = case["hand"] % 4, Variant.of(case["variant"])
    stream = Stream(case["seed"], case["hand"])
    assert [" ".join(cards) for cards in deal(game_of(variant), stream, caller)] == case["deal"]
    hands = selfplay(1, variant=variant, seed=case["seed"], first=case["hand"])
    masks = [sum(1 << NUMBER[card] for card in cards.split()) for cards in case["deal"]]
    assert hands.hands[0].tolist() == masks
    first = case["deal"][caller].split()
    assert int(hands.first_five[0]) == sum(1 << NUMBER[card] for card in first[:5])
    turned = int(hands.turned[0])
    assert (turned == NUMBER[first[5]]) if variant.trump == "second_batch" else turned == -1


def test_deals_do_not_depend_on_who_plays_nor_on_the_rules():
    dealt = selfplay(100, seed=5)
    for text, a in (("double-sir", "random"), ("hokm", "greedy")):
        again = selfplay(100, a, "greedy", text, seed=5)
        for name in ("hands", "first_five", "caller"):
            np.testing.assert_array_equal(getattr(dealt, name), getattr(again, name))
    assert (selfplay(100, seed=6).hands != dealt.hands).any()


@pytest.mark.parametrize("rank", RANKS)
def test_first_fives_below_a_rank_are_dealt_again(rank):
    hands = selfplay(3000, variant=f"seed,redeal_below={rank}", seed=2)
    enough = sum(1 << NUMBER[c] for c in PACK if RANKS.index(c[0]) <= RANKS.index(rank))
    assert (hands.first_five & np.uint64(enough) != 0).all()
    plain = selfplay(3000, seed=2)
    kept = (plain.first_five & np.uint64(enough)) != 0
    # What was good at once is the same hand; what was not is another.
    np.testing.assert_array_equal(hands.moves[kept], plain.moves[kept])
    assert (hands.first_five[~kept] != plain.first_five[~kept]).all()
    if rank in "AKQJT987":
        assert not kept.all()
    if rank in "32":  # there are no five cards below a three
        assert kept.all()


# --- What a greedy player may know ---


def seen(hand, trump, table="", holder=None, played=""):
    """What seat 0 sees, all its cards being legal."""
    cards = tuple(hand.split())
    on_table = tuple(table.split())
    return Seen(0, cards, frozenset([*played.split(), *on_table]), on_table, holder, trump, cards)


@pytest.mark.parametrize(
    ("told", "card"),
    [
        (seen("AH KH 2C", "S"), "AH"),
        (seen("AH KC 2C", "S", played="AC"), "AH"),  # of hearts there are more to come
        (seen("AH KC 2C", "S", played="AC QH JH TH"), "KC"),
        (seen("QH 3H 2C", "S"), "3H"),
        (seen("AS 3S", "S"), "AS"),  # of trumps alone the highest
        (seen("AS 3S 9D", "S"), "9D"),
        (seen("3H 2H 3C 2C AS", "S"), "2H"),  # of suits as long the first
        (seen("QH KH", "S", "JH AH TH", 2), "QH"),  # his partner holds it
        (seen("QH KH", "S", "JH TH", 3), "QH"),
        (seen("QH AH", "S", "KH", 3), "AH"),
        (seen("2S 9S 3D", "S", "KH", 3), "2S"),
        (seen("2S 9S 3D", "S", "KH 8S", 3), "9S"),
        (seen("2S 3D 3C 4C", "S", "KH", 2), "3C"),  # of the longer suit
        (seen("2S 3D 4D 3C 4C", "S", "KH", 2), "3D"),
    ],
)
def test_what_greedy_plays(told, card):
    assert greedy(told, None) == card


def test_what_greedy_names_and_that_it_plays_on():
    naming = Seen(0, ("AS", "KH", "QH", "JC", "TC"), frozenset(), (), None, None, tuple(SUITS))
    assert greedy(naming, None) == "H"
    assert greedy(replace(seen("2S", "S"), legal=("stop", "on")), None) == "on"


def test_greedy_beats_random():
    for a, b, sign in (("greedy", "random", 1), ("random", "greedy", -1)):
        wins = selfplay(4000, a, b, seed=1).winner == 0
        assert sign * (wins.mean() - 0.5) > 0.3


# --- Threads, pieces, executors ---


@pytest.mark.parametrize("text", ["seed", "double-sir", "seed,chase=optional,redeal_below=J"])
def test_threads_and_pieces_give_the_same_bytes(text):
    settings = {"variant": text, "seed": 4}
    whole = selfplay(20_000, "random", "greedy", threads=1, first=17, **settings)
    for threads in (2, 7):
        assert_equal(
            whole, selfplay(20_000, "random", "greedy", threads=threads, first=17, **settings)
        )
    rng, pieces, at = random.Random(1), [], 0
    while at < 20_000:
        count = min(rng.choice([1, 2, 15, 16, 17, 4095, 4097]), 20_000 - at)
        pieces.append(selfplay(count, "random", "greedy", first=17 + at, **settings))
        at += count
    assert_equal(whole, Hands.concatenate(pieces))


@pytest.mark.parametrize("pool", ["threads", "processes"])
def test_executors_give_the_same_bytes(pool):
    whole = selfplay(300_000, variant="double-sir", seed=8, first=5)
    executor = (
        ThreadPoolExecutor(2)
        if pool == "threads"
        else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    )
    told = []
    with executor:
        again = selfplay(
            300_000, variant="double-sir", seed=8, first=5, executor=executor,
            progress=lambda *done: told.append(done),
        )  # fmt: skip
    assert_equal(whole, again)
    assert told[-1] == (300_000, 300_000)


def test_streams_set_hands_apart():
    hands = SelfPlay(Variant(), seed=1, stream=2).play(0, 20)
    assert_same(hands, play_hands(Game(), 20, seed=1, stream=2))
    assert (hands.hands != selfplay(20, seed=1).hands).any()


# --- Legal, and with that result ---


@pytest.mark.parametrize("text", [*TEXTS, *range(20)])
def test_every_hand_is_played_again(text):
    variant = random_variant(random.Random(text)) if isinstance(text, int) else Variant.of(text)
    hands = selfplay(150, "greedy", "random", variant, seed=6)
    to_act = hands.to_act
    for i, hand in enumerate(hands):
        dealt = tuple(hands.hands[i].tolist())
        trump = int(hands.trump[i])
        named = variant.trump == "first_five"
        core = Position(variant.rules, dealt, int(hands.caller[i]), 5 if named else trump)
        moves = hands.moves[i].tolist()
        plies = moves.index(-1) if -1 in moves else len(moves)
        assert moves[plies:] == [-1] * (len(moves) - plies)
        for ply, action in enumerate(moves[:plies]):
            assert not core.is_over
            assert to_act[i, ply] == core.to_act
            core.push(action)
        assert core.is_over
        assert core.trump == trump
        assert core.winner == hands.winner[i]
        assert core.court == bool(hands.court[i])
        assert core.points == tuple(hands.points[i].tolist())
        assert core.collected == tuple(hands.collected[i].tolist())
        assert (hand.is_over, hand.points) == (True, core.points)
        assert list(hand.actions) == moves[:plies]
        assert hand.deal.caller == hands.caller[i]
        assert hand.deal.first_five.mask == int(hands.first_five[i])


# --- Hands as arrays ---


def test_rows_are_picked_as_those_of_arrays():
    hands = selfplay(20, seed=1)
    for rows, numbers in (
        (slice(2, 5), [2, 3, 4]), ([3, -1, 3], [3, 19, 3]), ([], []),
        (np.arange(20) % 6 == 1, [1, 7, 13, 19]),
    ):  # fmt: skip
        some = hands[rows]
        assert list(some) == [hands.hand(number) for number in numbers]
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(some, name), getattr(hands, name)[numbers])
    assert repr(hands[:0]) == "<Hands of seed: 0>"


def test_the_bytes_of_a_row():
    hands = selfplay(10, variant="seed,chase=optional")
    assert sum(array.nbytes for array in hands.arrays().values()) == 10 * hands.bytes_a_row(
        hands.variant
    )
