"""Exact values: against the reference's, as data and live, and against themselves."""

import _thread
import json
import pickle
import random
import signal
import threading
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mate
import matecore
import reference
from pairing import (
    ENGINE_TEXTS,
    NAMES,
    engine_variant,
    random_deal,
    random_game,
    random_variants,
)

DATA = Path(__file__).with_name("data")


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def by_variant(name):
    groups = defaultdict(list)
    for row in rows(name):
        groups[row["variant"]].append(row)
    return groups


VALUES = by_variant("values.jsonl")
ENDINGS = by_variant("endings.jsonl")
FORE = by_variant("foreplacing.jsonl")

seeds = st.integers(0, 2**32)
names = st.sampled_from(NAMES)


# --- Against the reference ---


def test_the_data_is_as_large_as_promised():
    assert set(VALUES) == set(NAMES)
    for name in reference.PRESETS:
        assert len(VALUES[name]) >= 200
        assert len(ENDINGS[name]) >= 200
    assert set(FORE) == {name for name in reference.PRESETS if mate.PRESETS[name].foreplace}


@pytest.mark.parametrize("name", NAMES)
def test_whole_deals(name):
    deals = [row["deal"] for row in VALUES[name]]
    expected = [[row["x_leads"], row["y_leads"]] for row in VALUES[name]]
    assert mate.solve(deals, ENGINE_TEXTS[name]).tolist() == expected


@pytest.mark.parametrize(
    ("name", "cases"),
    [*ENDINGS.items(), *FORE.items()],
    ids=[*ENDINGS, *(f"{name} foreplacing" for name in FORE)],
)
def test_positions_and_every_move_of_them(name, cases):
    solvers = {}
    for case in cases:
        variant = engine_variant(name, case.get("deck"))
        solver = solvers.setdefault(variant, matecore.Solver(variant.rules))
        position = mate.Position.parse(case["position"], variant)
        analysis = mate.analyze(position, solver=solver)
        assert analysis.value == case["value"]
        assert {move.move: move.value for move in analysis.moves} == case["moves"]
        assert len(analysis.moves) == len(case["moves"])


@pytest.mark.parametrize("seed", range(300))
def test_random_variants_at_any_point_of_a_game(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    solver = matecore.Solver(engine.rules, table_bits=4)
    for _ in range(3):
        game = random_game(engine, rng, rng.randint(0, 8))
        state, memo = reference.read_position(str(game), slow), {}
        analysis = mate.analyze(game, solver=solver)
        assert analysis.value == reference.value(state, memo)
        expected = reference.move_values(state, memo)
        assert {move.move: move.value for move in analysis.moves} == expected
        assert len(analysis.moves) == len(expected)


# --- Against themselves ---


@given(names, seeds, st.integers(4, 22))
def test_a_value_is_the_best_of_its_moves_and_the_lines_reach_it(name, seed, plies):
    game = random_game(engine_variant(name), random.Random(seed), plies)
    analysis = mate.analyze(game)
    sign = 1 if game.to_move == "x" else -1
    if game.is_over:
        assert (analysis.value, analysis.best, analysis.moves) == (sign * game.result, None, ())
        return
    assert analysis.value == max(move.value for move in analysis.moves)
    assert analysis.best == analysis.moves[0].move
    assert {move.move for move in analysis.moves} == set(game.legal_moves)
    for move in analysis.moves:
        assert move.line[0] == move.move
        end = game.copy()
        for step in move.line:
            end.push(step)
        assert end.is_over
        assert end.result == sign * move.value


@given(names, seeds, st.integers(6, 22))
def test_the_outcome_is_where_best_play_ends(name, seed, plies):
    game = random_game(engine_variant(name), random.Random(seed), plies)
    analysis = mate.analyze(game)
    end = game.copy()
    for step in analysis.moves[0].line if analysis.moves else ():
        end.push(step)
    if not end.is_mate:
        assert analysis.outcome is None
        return
    outcome = analysis.outcome
    assert outcome.winner != end.to_move
    assert (outcome.card, outcome.trick, outcome.points) == (
        end.led[:2],
        end.trick,
        abs(end.result),
    )


@given(names, seeds)
def test_the_exchanged_deal_with_the_exchanged_leader_is_worth_the_same(name, seed):
    variant = engine_variant(name)
    deal = random_deal(variant, random.Random(seed))
    (x_leads, y_leads), (x_exchanged, y_exchanged) = mate.solve([deal, deal.exchange()], variant)
    assert (x_leads, y_leads) == (y_exchanged, x_exchanged)


@given(seeds)
def test_copies_of_a_card_do_not_change_the_value(seed):
    rng = random.Random(seed)
    variant = engine_variant("double")
    deal = random_deal(variant, rng)
    x = deal.x.mask
    for copies in variant.deck.copies.values():
        ends = 1 << copies[0] | 1 << copies[-1]
        if (x & ends).bit_count() == 1 and len(copies) == 2 and rng.random() < 0.5:
            x ^= ends
    twin = mate.Deal(x, deck=variant.deck)
    values = mate.solve([deal, twin], variant)
    assert values[0].tolist() == values[1].tolist()


@given(seeds, st.integers(0, 8))
def test_no_table_size_and_no_past_changes_a_value(seed, plies):
    rng = random.Random(seed)
    variant = engine_variant(rng.choice(NAMES))
    games = [random_game(variant, rng, 6 + plies) for _ in range(3)]
    small, large = (matecore.Solver(variant.rules, table_bits=bits) for bits in (4, 16))
    for game in games:
        fresh = matecore.Solver(variant.rules).value(game.core)
        assert small.value(game.core) == large.value(game.core) == fresh


def test_a_lead_that_mates_for_nothing_is_worth_nothing():
    """A card of no points: not mating would lose, so the mate for 0 must be seen (section 2.7)."""
    deck = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (0, 5, 9))
    variant = mate.Variant(deck=deck)
    slow = reference.Variant(
        deck=deck.slots, suits="ab", points={"X": 0, "Y": 5, "Z": 9}, weights={
            row: [1, 2, 3] for row in ("nobody", "both", "mater", "mated")
        },
    )  # fmt: skip
    last = mate.analyze(mate.Position.parse("X./.Y x - 3 -/- -", variant))
    assert last.outcome == mate.Outcome("x", 0, 3, "Xa")
    for cards in range(64):
        if cards.bit_count() == 3:
            deal = mate.Deal(cards, deck=deck)
            expected = list(reference.solve(str(deal), slow))
            assert mate.solve([deal], variant).tolist() == [expected]


# --- Batches ---


def test_batches_of_any_length_and_threads():
    rng = np.random.default_rng(7)
    deals = [mate.Deal.random(rng) for _ in range(75)]
    masks = np.array([(deal.x.mask, deal.y.mask) for deal in deals], np.uint32)
    expected = mate.solve(deals, threads=1)
    assert (expected.dtype, expected.shape) == (np.int16, (75, 2))
    for threads in (2, 7, None):
        assert (mate.solve(masks, threads=threads) == expected).all()
    assert (mate.solve(np.asfortranarray(masks)) == expected).all()
    assert (mate.solve([str(deal) for deal in deals]) == expected).all()
    assert (mate.solve(deal for deal in deals) == expected).all()
    for n in (0, 1, 16, 17):
        assert (mate.solve(masks[:n]) == expected[:n]).all()
        assert mate.solve(masks[:n]).shape == (n, 2)


def test_progress_ends_with_all_done():
    seen = []
    mate.solve([mate.Deal.random(1)] * 40, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40, 40)
    assert all(0 <= done <= total == 40 for done, total in seen)


@pytest.mark.parametrize(
    "deals",
    [
        np.zeros((3, 2), np.uint32), np.zeros((3, 2), np.int32), np.zeros((3, 2), np.uint64),
        np.zeros(6, np.uint32), np.zeros((2, 3), np.uint32), np.zeros((2, 2, 2), np.uint32),
        np.array([[0x3FF, 0x3FF]], np.uint32), np.array([[0x3FF, 0xFFFFFC00]], np.uint32),
        np.array([[0x7FF, 0xFF800]], np.uint32), np.array([["a", "b"]]), "ATK.Q7.A.TKQ7", None, 5,
        [5], [None], [(0x3FF, 0xFFC00)], b"x",
    ],
    ids=range(17),
)  # fmt: skip
def test_bad_batches(deals):
    with pytest.raises(mate.MateError):
        mate.solve(deals)


@pytest.mark.parametrize("threads", [0, -1, 257, 10**30, 1.5, "2"])
def test_bad_threads(threads):
    with pytest.raises(mate.MateError, match="threads"):
        mate.solve([mate.Deal.random(1)], threads=threads)


def test_a_bad_row_is_told_by_its_number():
    masks = np.array([[0x3FF, 0xFFC00]] * 5, np.uint32)
    masks[3, 0] = 1
    with pytest.raises(mate.MateError, match=r"deals\[3\]"):
        mate.solve(masks)
    with pytest.raises(mate.VariantError, match="deck"):
        mate.solve([mate.Deal.random(1)], "double")


# --- The solver ---

RULES = mate.PRESETS["bga"].rules


@pytest.mark.parametrize(
    ("deals", "out"),
    [
        (np.zeros((2, 2), np.uint32), np.zeros((3, 2), np.int16)),
        (np.zeros((2, 3), np.uint32), np.zeros((2, 3), np.int16)),
        (np.zeros((2, 2), np.uint16), np.zeros((2, 2), np.int16)),
        (np.zeros((2, 2), np.uint32), np.zeros((2, 2), np.int32)),
        (np.zeros((4, 2), np.uint32)[::2], np.zeros((2, 2), np.int16)),
        (np.zeros((2, 2), np.uint32), None),
        (np.full((1, 2), 2**32 - 1, np.uint32), np.zeros((1, 2), np.int16)),
        (np.zeros((1, 2), np.uint32), np.zeros((1, 2), np.int16)),
    ],
    ids=range(8),
)
def test_the_solver_refuses_buffers_of_the_wrong_shape(deals, out):
    with pytest.raises((TypeError, ValueError)):
        matecore.Solver(RULES).solve(deals, out)


@pytest.mark.parametrize("bits", [3, 29, -1, 2**31 - 1])
def test_table_sizes_out_of_range(bits):
    with pytest.raises(ValueError, match="table_bits"):
        matecore.Solver(RULES, bits)


def test_a_position_of_another_variant():
    game = mate.Game("ATK.Q7.A.TKQ7", "bga-king")
    with pytest.raises(ValueError, match="another variant"):
        matecore.Solver(RULES).value(game.core)
    with pytest.raises(mate.MateError, match="not of the variant"):
        mate.analyze(game, solver=matecore.Solver(RULES))


def test_what_cannot_be_analysed():
    for value in (None, 5, "ATK.Q7.A.TKQ7", mate.Deal.random(1)):
        with pytest.raises(mate.MateError):
            mate.analyze(value)


def endless():
    """A position no search will finish: 32 cards, sixteen each."""
    ranks = "ABCDEFGH"
    deck = mate.Deck("abcd", ranks, (ranks,) * 4, tuple(range(1, 9)))
    return mate.Game(mate.Deal.random(3, deck), mate.Variant(deck=deck, free_move=True))


def test_another_thread_can_stop_a_search_for_good():
    game = endless()
    solver = matecore.Solver(game.variant.rules)
    timer = threading.Timer(0.2, solver.stop)
    timer.start()
    with pytest.raises(RuntimeError, match="stopped"):
        solver.value(game.core)
    timer.join()
    for ask in (solver.value, solver.values, solver.line):
        with pytest.raises(RuntimeError, match="stopped"):
            ask(game.core)


def test_a_solver_pickles_without_what_it_learnt():
    game = mate.Game("AQ7.A7.TK7.AT")
    solver = matecore.Solver(RULES)
    solver.value(game.core)
    twin = pickle.loads(pickle.dumps(solver))
    assert (twin.rules, twin.nodes) == (RULES, 0)
    assert twin.value(game.core) == 56


def test_one_solver_serves_many_threads():
    solver = matecore.Solver(RULES)
    games = [mate.Game(mate.Deal.random(seed)) for seed in range(24)]
    expected = [matecore.Solver(RULES).value(game.core) for game in games]
    found = [None] * len(games)

    def work(first):
        for i in range(first, len(games), 4):
            found[i] = solver.value(games[i].core)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_analysis_tells_how_far_it_is():
    seen = []
    mate.analyze(mate.Game("AQ7.A7.TK7.AT"), progress=lambda *done: seen.append(done))
    assert seen == [(n, 10) for n in range(1, 11)]


# --- Interruption ---


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="of POSIX systems")
def test_a_signal_handler_may_ask_while_a_search_runs():
    game, small = endless(), endless()
    while not small.is_over:
        small.push(small.legal_moves[-1])
    small.pop()
    solver = matecore.Solver(game.variant.rules)
    answers = []

    def handle(number, frame):
        answers.append(solver.value(small.core))
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            solver.value(game.core)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert answers == [matecore.Solver(game.variant.rules).value(small.core)]


def interrupted(work):
    """Run the work with a Ctrl-C after a while; return the seconds from there to its end."""
    sent = []
    # Where a parent process has Ctrl-C ignored, as for work in the background, nothing would come.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def send():
        sent.append(time.perf_counter())
        _thread.interrupt_main()

    timer = threading.Timer(0.3, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            work()
            time.sleep(5)  # where the work ended by itself, the signal comes here
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    return time.perf_counter() - sent[0]


def test_a_search_is_interrupted_at_once_and_the_solver_serves_on():
    game = endless()
    solver = matecore.Solver(game.variant.rules)
    assert interrupted(lambda: solver.value(game.core)) < 2
    assert interrupted(lambda: mate.analyze(game, solver=solver)) < 2
    while not game.is_over:
        game.push(game.legal_moves[-1])
    for _ in range(min(len(game.moves), 8)):
        game.pop()
    assert not game.is_over
    assert solver.value(game.core) == matecore.Solver(game.variant.rules).value(game.core)


def test_a_batch_is_interrupted_at_once():
    game = endless()
    deal = mate.Deal(game.x, game.y, game.variant.deck)
    assert interrupted(lambda: mate.solve([deal] * 100, game.variant, threads=2)) < 2


def test_perft_is_interrupted_at_once():
    assert interrupted(lambda: mate.Game("AQ7.A7.TK7.AT").perft(20)) < 2
