"""Self-play: the same games as the reference's, whatever the threads and pieces, and legal ones."""

import json
import pickle
import random
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import mate
import matecore
import reference
from mate.arrays.selfplaying import SelfPlay
from pairing import ENGINE_TEXTS, NAMES, random_variants
from selfplay_reference import Stream, nth_hand, play_units, searched

POLICIES = ("random", "greedy", "optimal", "epsilon:0.3", "softmax:4")
FIELDS = ("deal", "leader", "moves", "result", "value", "best")
VECTORS = json.loads(
    (Path(__file__).with_name("data") / "stream_vectors.json").read_text(encoding="utf-8")
)
BGA = mate.Variant.of("bga")


def expected(variant, slow, count, x="random", y="random", *, exact=None, **settings):
    """The reference's games."""
    return play_units(
        slow, variant.second_leader, count, x, y, exact=exact or searched(variant), **settings
    )


def assert_same(games, arrays):
    """The games are those, to the last bit and dtype."""
    for name in FIELDS:
        found, wanted = getattr(games, name), arrays[name]
        if wanted is None:
            assert found is None
            continue
        assert found.dtype == wanted.dtype, name
        np.testing.assert_array_equal(found, wanted, err_msg=name)


def arrays_of(games):
    """The bytes of the games, by field."""
    return {name: getattr(games, name) for name in FIELDS}


def all_deals(n_cards):
    """Every deal of a deck, as masks."""
    hands = [sum(1 << card for card in hand) for hand in combinations(range(n_cards), n_cards // 2)]
    return np.array([(hand, (1 << n_cards) - 1 - hand) for hand in hands], dtype=np.uint32)


def small_variants(seed, most=4):
    """A random variant with hands of so many cards at most: for the engine, for the reference."""
    rng = random.Random(seed)
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > most:
        fast, slow = random_variants(rng)
    return fast, slow


# --- The stream ---


def test_the_published_words_of_the_generator():
    ones = np.full(4, 2**64 - 1, dtype=np.uint64)  # numpy counts on before the first block
    words = np.random.Philox(key=[0, 0], counter=ones).random_raw(4)
    assert [hex(int(word)) for word in words] == [
        "0x16554d9eca36314c", "0xdb20fe9d672d0fdc", "0xd7e772cee186176b", "0x7e68b68aec7ba23b",
    ]  # fmt: skip


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: f"{case['seed']}-{case['unit']}")
def test_the_words_of_the_vectors(case):
    stream = Stream(case["seed"], case["unit"], case["stream"])
    assert [stream.word() for _ in case["words"]] == case["words"]


def deck_of(n_cards):
    """The rules of `bga` on a deck of so many cards."""
    for n_suits in (4, 2, 1):
        if n_cards % n_suits == 0:
            ranks = "ABCDEFGH"[: n_cards // n_suits]
            deck = mate.Deck("wxyz"[:n_suits], ranks, (ranks,) * n_suits, (1,) * len(ranks))
            return mate.Variant(deck=deck)
    raise ValueError(n_cards)


@pytest.mark.parametrize(
    "case",
    VECTORS,
    ids=lambda case: f"{case['seed']}-{case['unit']}",
)
def test_the_deals_of_the_vectors(case):
    for n_cards, mask in case["deals"].items():
        variant = deck_of(int(n_cards))
        plan = SelfPlay.of(variant=variant, seed=case["seed"], stream=case["stream"])
        games = plan.play(case["unit"], 1)
        assert games.deal[0].tolist() == [mask, 2 ** int(n_cards) - 1 - mask]


def test_deals_that_are_drawn_again():
    # Of a deck of 32 cards, one number in fifty is passed over.
    games, variant = mate.selfplay(500, variant=deck_of(32), seed=3), deck_of(32)
    again = 0
    for unit, deal in enumerate(games.deal[:, 0].tolist()):
        stream = Stream(3, unit)
        hand = nth_hand(stream.below(601_080_390), variant.deck.n_cards)
        assert deal == sum(1 << card for card in hand)
        again += stream.drawn > 1
    assert again > 3


# --- The reference's games ---


@pytest.mark.parametrize("name", NAMES)
def test_every_pair_of_policies(name):
    variant, slow = mate.Variant.of(ENGINE_TEXTS[name]), reference.VARIANTS[name]
    exact = searched(variant)
    big = name == "double24"  # a game takes the reference 40 ms
    for number, (x, y) in list(enumerate(product(POLICIES, POLICIES)))[:: 6 if big else 1]:
        settings = {
            "seed": number,
            "first": 1000 * number,
            "unit": ("game", "round")[number % 2],
            "leader": ("alternate", "x", "y")[number % 3],
            "labels": number % 4 > 0,
        }
        count = 2 if big else 6
        games = mate.selfplay(count, x, y, variant, **settings)
        assert_same(games, expected(variant, slow, count, x, y, exact=exact, **settings))


@pytest.mark.parametrize("name", NAMES)
def test_many_games_without_values(name):
    variant, slow = mate.Variant.of(ENGINE_TEXTS[name]), reference.VARIANTS[name]
    for x, y, unit in (("random", "random", "game"), ("random", "greedy", "round")):
        games = mate.selfplay(200, x, y, variant, seed=9, unit=unit)
        assert_same(games, expected(variant, slow, 200, x, y, seed=9, unit=unit))


@pytest.mark.parametrize("seed", range(60))
def test_random_variants(seed):
    variant, slow = small_variants(seed)
    rng = random.Random(seed)
    for unit, leader in product(("game", "round"), ("alternate", "x", "y")):
        x, y = rng.choice(POLICIES), rng.choice(POLICIES)
        settings = {"seed": seed, "unit": unit, "leader": leader, "labels": rng.random() < 0.7}
        settings["first"] = rng.choice([0, 1, 2**40])
        games = mate.selfplay(8, x, y, variant, **settings)
        wanted = play_units(slow, variant.second_leader, 8, x, y, **settings)
        assert_same(games, wanted)


def test_equal_weights_are_play_at_random():
    # Here every number counts that may be drawn, those on the border of two actions too.
    for name in NAMES:
        variant, games = mate.Variant.of(ENGINE_TEXTS[name]), []
        if variant.deck.n_cards > 20:
            continue
        ones = matecore.Policy(4, weights=np.ones(5000, dtype=np.uint32))
        for policy in (matecore.Policy(0), ones):
            core = matecore.SelfPlay(variant.rules, policy, policy, seed=1)
            arrays = mate.Games.empty(variant, 50)
            core.play(0, arrays.deal, arrays.leader, arrays.moves, arrays.result)
            games.append(arrays)
        assert_same(games[1], arrays_of(games[0]))


@pytest.mark.parametrize("seed", range(12))
def test_rounds_whose_loser_leads(seed):
    variant, slow = small_variants(seed)
    variant = mate.Variant.from_plain({**variant.to_plain(), "second_leader": "loser"})
    settings = {"seed": seed, "unit": "round", "leader": ("x", "y")[seed % 2]}
    games = mate.selfplay(50, variant=variant, **settings)
    assert_same(games, play_units(slow, "loser", 50, **settings))


@pytest.mark.parametrize("unit", ["game", "round"])
def test_given_deals_come_in_turn(unit):
    deals = all_deals(20)[[5, 99_000, 184_755]]
    for first in (0, 4, 2**33):
        settings = {"deals": deals, "first": first, "seed": 5, "unit": unit}
        games = mate.selfplay(8, "random", "softmax:3", **settings)
        slow = reference.PRESETS["bga"]
        assert_same(games, expected(BGA, slow, 8, "random", "softmax:3", **settings))


def test_no_games():
    games = mate.selfplay(0, labels=True)
    assert len(games) == 0
    assert (games.moves.shape, games.value.shape, games.best.shape) == ((0, 20),) * 3


@pytest.mark.parametrize("lanes", [None, "plain"])
@pytest.mark.parametrize("name", ["bga", "capellen", "pieces", "double", "double24"])
def test_every_machine_plays_the_same(name, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("MATECORE_LANES", lanes)
    variant, slow = mate.Variant.of(ENGINE_TEXTS[name]), reference.VARIANTS[name]
    big, exact = name == "double24", searched(variant)
    pairs = [("random", "greedy", 40), ("greedy", "random", 40), ("optimal", "softmax:4", 3)]
    for x, y, count in [*pairs, ("epsilon:0.5", "random", 3)][: 3 if big else 4]:
        for unit in ("game", "round"):
            settings = {"seed": 21, "unit": unit, "labels": count == 3, "first": 5}
            games = mate.selfplay(1 if big else count, x, y, variant, **settings)
            wanted = expected(variant, slow, 1 if big else count, x, y, exact=exact, **settings)
            assert_same(games, wanted)


# --- Threads and pieces ---


@pytest.mark.parametrize("unit", ["game", "round"])
@pytest.mark.parametrize("name", ["bga", "pieces", "double"])
def test_threads_and_pieces_give_the_same_bytes(name, unit):
    settings = {"variant": name, "seed": 4, "unit": unit, "labels": True}
    whole = mate.selfplay(120, "epsilon:0.5", "greedy", threads=1, first=17, **settings)
    for threads in (2, 7):
        again = mate.selfplay(120, "epsilon:0.5", "greedy", threads=threads, first=17, **settings)
        assert_same(again, arrays_of(whole))
    rng, pieces, at = random.Random(1), [], 0
    while at < 120:
        count = min(rng.choice([1, 2, 7, 64, 50]), 120 - at)
        pieces.append(
            mate.selfplay(count, "epsilon:0.5", "greedy", threads=2, first=17 + at, **settings)
        )
        at += count
    joined = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in FIELDS}
    assert_same(whole, joined)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_many_games_on_threads(threads):
    games = mate.selfplay(50_000, "random", "greedy", seed=8, threads=threads)
    alone = mate.selfplay(1000, "random", "greedy", seed=8, threads=1, first=37_500)
    for name in ("deal", "leader", "moves", "result"):
        np.testing.assert_array_equal(
            getattr(games, name)[37_500:38_500], getattr(alone, name), err_msg=name
        )


def test_seeds_and_policies_make_other_games():
    first = mate.selfplay(100, seed=0)
    assert (first.deal != mate.selfplay(100, seed=1).deal).any()
    assert (first.deal == mate.selfplay(100, y="greedy", seed=0).deal).all()


# --- Legal, and with that result ---


@pytest.mark.parametrize("name", [*NAMES, *range(20)])
def test_every_game_is_played_again(name):
    texts = ENGINE_TEXTS
    variant = small_variants(name)[0] if isinstance(name, int) else mate.Variant.of(texts[name])
    games = mate.selfplay(150, variant=variant, seed=6, unit="round")
    for i in range(len(games)):
        game = mate.Game(
            mate.Deal(*games.deal[i].tolist(), deck=variant.deck), variant, "xy"[games.leader[i]]
        )
        moves = games.moves[i].tolist()
        plies = moves.index(-1) if -1 in moves else len(moves)
        assert moves[plies:] == [-1] * (len(moves) - plies)
        for ply, action in enumerate(moves[:plies]):
            assert games.to_move[i, ply] == "xy".index(game.to_move)
            game.push(action)
        assert (game.is_over, game.result) == (True, games.result[i])
        assert (games.to_move[i, plies:] == -1).all()
        assert games.game(i) == game


# --- Best play and labels ---


@pytest.mark.parametrize("seed", range(25))
def test_best_play_comes_to_the_value_of_every_deal(seed):
    variant, slow = small_variants(seed, 3)
    deals, table = all_deals(variant.deck.n_cards), mate.Tablebase.build(variant, threads=1)
    values = table.solve(deals)
    for leader, sign in (("x", 1), ("y", -1)):
        for tablebase in (None, table):
            settings = {"leader": leader, "deals": deals, "seed": seed, "tablebase": tablebase}
            games = mate.selfplay(len(deals), "optimal", "optimal", variant, **settings)
            assert (games.result == sign * values[:, "xy".index(leader)]).all()
    text = str(mate.Deal(*deals[seed % len(deals)].tolist(), deck=variant.deck))
    assert reference.solve(text, slow) == tuple(values[seed % len(deals)])


@pytest.mark.parametrize("name", NAMES)
def test_best_play_comes_to_the_value_of_random_deals(name):
    variant = mate.Variant.of(ENGINE_TEXTS[name])
    games = mate.selfplay(10 if name == "double24" else 100, "optimal", "optimal", variant, seed=2)
    values = mate.solve(games.deal, variant)[np.arange(len(games)), games.leader]
    assert (games.result == values * np.where(games.leader == 0, 1, -1)).all()


def bit_of(action, n_cards):
    """The bit of `Games.best` that stands for an action."""
    if action <= n_cards:
        return 32 if action == n_cards else action
    return action - n_cards - 1 if action <= 2 * n_cards else 32 + action - 2 * n_cards - 1


def assert_labels(games, solver, rows):
    """Values and best actions are those of the search."""
    n_cards = games.variant.deck.n_cards
    for row in rows:
        game = games.game(row).root()
        for ply, action in enumerate(games.moves[row].tolist()):
            if action < 0:
                assert (games.value[row, ply], games.best[row, ply]) == (0, 0)
                continue
            names = games.variant.action_names
            values = {names[a]: value for a, value in solver.values(game.core)}
            highest = max(values.values())
            best = [bit_of(a, n_cards) for a in game.legal_actions if values[names[a]] == highest]
            assert games.value[row, ply] == highest
            assert int(games.best[row, ply]) == sum(1 << bit for bit in best)
            game.push(action)


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_those_of_the_search(name):
    variant = mate.Variant.of(ENGINE_TEXTS[name])
    count = 4 if name == "double24" else 40
    games = mate.selfplay(count, "random", "greedy", variant, seed=12, labels=True)
    assert_labels(games, matecore.Solver(variant.rules), range(0, count, 2))
    later = mate.label(mate.selfplay(count, "random", "greedy", variant, seed=12))
    assert_same(later, arrays_of(games))


@pytest.mark.parametrize("seed", range(30))
def test_lattice_and_tablebase_give_the_same_games(seed):
    variant, _ = small_variants(seed)
    table, rng = mate.Tablebase.build(variant, threads=1), random.Random(seed)
    for _ in range(4):
        x, y = rng.choice(POLICIES), rng.choice(POLICIES)
        settings = {"seed": seed, "unit": rng.choice(["game", "round"]), "labels": True}
        games = mate.selfplay(20, x, y, variant, **settings)
        assert_same(mate.selfplay(20, x, y, variant, tablebase=table, **settings), arrays_of(games))
        played = mate.selfplay(20, x, y, variant, **{**settings, "labels": False})
        assert_same(mate.label(played, table), arrays_of(games))
    assert_labels(games, matecore.Solver(variant.rules), range(0, len(games), 5))


# --- Games as arrays ---


@pytest.mark.parametrize(
    ("rows", "numbers"),
    [
        (slice(2, 5), [2, 3, 4]),
        (slice(None, None, -7), [19, 12, 5]),
        ([3, -1, 3], [3, 19, 3]),
        ([], []),
        (np.array([7, 0], dtype=np.uint64), [7, 0]),
        (np.arange(20) % 6 == 1, [1, 7, 13, 19]),
        ([True] + [False] * 19, [0]),
    ],
    ids=str,
)
def test_rows_are_picked_as_those_of_arrays(rows, numbers):
    games = mate.selfplay(20, variant="pieces", seed=1, labels=True)
    some = games[rows]
    assert len(some) == len(numbers)
    assert [some.game(i) for i in range(len(some))] == [games.game(number) for number in numbers]
    assert list(some) == [games.game(number) for number in numbers]
    assert_same(some, {name: getattr(games, name)[numbers] for name in FIELDS})


@pytest.mark.parametrize(
    "rows",
    [
        3, np.int64(3), True, None, "3", 1.0, [0.5], [20], [-21], [[1]], [True], [1, [2]], (..., 0),
        slice("a"), slice(0, 5, 0), slice(0.5), np.zeros((20, 1), bool), np.array(3), [1 << 70],
        np.array([object()]), {},
    ],
)  # fmt: skip
def test_what_picks_no_rows_is_refused(rows):
    games = mate.selfplay(20, seed=1)
    with pytest.raises(mate.MateError, match=r"game\(i\)"):
        games[rows]


def test_who_acts_is_that_of_the_arrays_as_they_are_now():
    games, others = mate.selfplay(50, seed=1), mate.selfplay(50, seed=2)
    size = len(pickle.dumps(games))
    assert (games.to_move != others.to_move).any()
    for name in ("deal", "leader", "moves", "result"):
        getattr(games, name)[:] = getattr(others, name)
    np.testing.assert_array_equal(games.to_move, others.to_move)
    assert len(pickle.dumps(games)) == size


def test_what_moves_give_away_may_be_more_than_any_margin():
    deck = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (10_000, 9000, 8000))
    variant = mate.Variant(deck=deck)
    games, solver = mate.selfplay(300, variant=variant, seed=1, labels=True), None
    solver, regret = matecore.Solver(variant.rules), games.regret
    assert regret.dtype == np.int32
    assert regret.max() > 32_767
    for row, game in enumerate(games):
        again = game.root()
        for ply, action in enumerate(game.actions):
            values = dict(solver.values(again.core))
            assert regret[row, ply] == max(values.values()) - values[action]
            again.push(action)
