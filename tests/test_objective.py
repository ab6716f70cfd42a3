"""What rounds and matches are worth: against every line of both games, gone through."""

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
import matecore
import reference
from mate.objective import winner
from pairing import random_deal, random_variants

seeds = st.integers(0, 2**32)
RULES = ("other", "loser")


def small_round(rng):
    """A round on a small deck of a random variant, some moves played: for the engine, the slow."""
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > 4:
        fast, slow = random_variants(rng)
    fast = replace(fast, second_leader=rng.choice(RULES))
    leader = rng.choice("xy")
    round = mate.Round(random_deal(fast, rng), fast, leader)
    state = reference.start(slow, str(round.deal), leader)
    for _ in range(rng.randint(0, 6)):
        if round.is_over:
            break
        move = rng.choice(round.legal_moves)
        margin_before, games = round.game, len(round.games)
        state = reference.after(state, move)
        round.push(move)
        if len(round.games) > games:
            exchanged = reference.write_deal(reference.read_deal(str(round.deal), slow)[::-1], slow)
            after = margin_before.result
            second = reference.leader_of_second(fast.second_leader, leader, after)
            state = reference.start(slow, exchanged, second)
    return round, state


def slow_worth(round, state, told):
    """What the round comes to for X, by the reference."""
    if len(round.games) == 1:
        rule = round.variant.second_leader
        return reference.round_worth(state, str(round.deal), round.leader, rule, told)
    x, y = reference.scored(round.games[0].result)

    def whole(margin):
        later = reference.scored(margin)
        return told(x + later[0], y + later[1])

    return reference.worth(state, whole, {})


def slow_moves(round, state, told):
    """The same after each move, for the player who makes it."""
    sign = 1 if round.to_move == "x" else -1
    found = {}
    for move in round.legal_moves:
        child = round.copy()
        child.push(move)
        after = reference.after(state, move)
        if len(child.games) > len(round.games):
            variant = state.variant
            hands = reference.read_deal(str(round.deal), variant)[::-1]
            margin = reference.result(after)
            leader = reference.leader_of_second(round.variant.second_leader, round.leader, margin)
            after = reference.start(variant, reference.write_deal(hands, variant), leader)
        found[move] = sign * slow_worth(child, after, told)
    return found


@given(seeds)
@settings(max_examples=150)
def test_a_round_at_any_point_of_either_game(seed):
    round, state = small_round(random.Random(seed))
    analysis = mate.analyze(round, objective="round")
    sign = 1 if round.to_move == "x" else -1
    assert analysis.value == sign * slow_worth(round, state, lambda x, y: x - y)
    found = {move.move: move.value for move in analysis.moves}
    assert found == slow_moves(round, state, lambda x, y: x - y)
    assert analysis.objective == "round"


@given(seeds)
@settings(max_examples=150)
def test_whether_a_match_can_be_won_with_its_last_round(seed):
    rng = random.Random(seed)
    round, state = small_round(rng)
    target = rng.choice([None, 1, 10, 40])
    rounds = None if target else 2
    variant = replace(round.variant, rounds=rounds, target=target)
    match = mate.Match(variant)
    match.rounds = [finished_round(variant, rng), round]
    if match.between_rounds:
        return
    x0, y0 = match.rounds[0].scores

    def told(x, y):
        x, y = x0 + x, y0 + y
        if target and max(x, y) < target:
            return 0
        return (x > y) - (y > x)

    sign = 1 if round.to_move == "x" else -1
    analysis = mate.analyze(match, objective="match")
    assert analysis.value == sign * slow_worth(round, state, told)
    assert {m.move: m.value for m in analysis.moves} == slow_moves(round, state, told)


def finished_round(variant, rng):
    round = mate.Round(random_deal(variant, rng), variant, rng.choice("xy"))
    while not round.is_over:
        round.push(rng.choice(round.legal_moves))
    return round


# Section 8: the same hand leads both games.
@given(seeds)
@settings(max_examples=30)
def test_a_round_nets_nothing_where_the_other_leads(seed):
    rng = random.Random(seed)
    for name, variant in mate.PRESETS.items():
        if variant.second_leader == "other" and not (variant.foreplace and seed % 5):
            round = mate.Round(random_deal(variant, rng), variant, rng.choice("xy"))
            assert mate.analyze(round, objective="round").value == 0, name


@pytest.mark.parametrize("name", ["bga", "capellen"])
def test_rounds_where_the_other_leads_are_worth_nothing(name):
    deals = [mate.Deal.random(seed) for seed in range(5)]
    found = mate.solve_round(deals, name)
    assert found.tolist() == [[0, 0]] * 5
    assert found.dtype == np.int16


# Section 8: a and b, and the bonus of losing game 1.
@pytest.mark.parametrize("name", ["abril", "tempos"])
def test_batches_of_rounds_agree_with_single_ones(name):
    deals = [mate.Deal.random(seed) for seed in range(40)]
    found = mate.solve_round(deals, name, threads=2)
    for deal, row in zip(deals, found.tolist(), strict=True):
        for leader, value in zip("xy", row, strict=True):
            round = mate.Round(deal, name, leader)
            assert mate.analyze(round, objective="round").value == value
    assert np.count_nonzero(found)


@given(seeds)
@settings(max_examples=25)
def test_batches_of_rounds_agree_with_the_reference(seed):
    rng = random.Random(seed)
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > 4:
        fast, slow = random_variants(rng)
    fast = replace(fast, second_leader="loser")
    deals = [random_deal(fast, rng) for _ in range(3)]
    for deal, row in zip(deals, mate.solve_round(deals, fast).tolist(), strict=True):
        for leader, value, sign in zip("xy", row, (1, -1), strict=True):
            state = reference.start(slow, str(deal), leader)
            whole = reference.round_worth(state, str(deal), leader, "loser", lambda x, y: x - y)
            assert value == sign * whole


def test_a_round_in_which_it_is_right_to_lose_the_first_game():
    lost = 0
    for seed in range(300):
        round = mate.Round(mate.Deal.random(seed), "abril")
        game = mate.analyze(round)
        analysis = mate.analyze(round, objective="round")
        best = [move.move for move in analysis.moves if move.value == analysis.value]
        lost += analysis.value > 0 and not {m.move for m in game.moves if m.value == game.value} & {
            *best
        }
    assert lost


# --- Winning a match ---


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(199, 0, 0), (200, 0, 1), (200, 200, 0), (210, 200, 1), (150, 200, -1), (0, 0, 0)],
)
def test_a_target_is_reached_by_who_leads(x, y, expected):
    assert winner(mate.PRESETS["abril"], x, y) == expected


@pytest.mark.parametrize(("x", "y", "expected"), [(1, 0, 1), (0, 1, -1), (5, 5, 0)])
def test_most_points_win(x, y, expected):
    assert winner(mate.PRESETS["bga"], x, y) == expected


# --- The solver's worth and horizon ---


@given(seeds)
@settings(max_examples=150)
def test_any_worth_of_margins(seed):
    rng = random.Random(seed)
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > 4:
        fast, slow = random_variants(rng)
    told = {margin: rng.randint(-50, 50) for margin in fast.rules.margins}
    leader = rng.choice("xy")
    game = mate.Game(random_deal(fast, rng), fast, leader)
    state = reference.start(slow, str(mate.Deal(game.x, game.y, fast.deck)), leader)
    expected = reference.worth(state, told.__getitem__, {})
    solver = matecore.Solver(fast.rules, worth=told.__getitem__)
    assert solver.value(game.core) == (expected if leader == "x" else -expected)
    for action in solver.line(game.core):
        game.push(action)
    assert told[game.result] == expected


def horizon_value(state, horizon):
    """X's margin if only mates up to that trick count; the last trick is led but not answered."""
    if state.led is None and state.trick > horizon and reference.UNDECIDED not in state.foreplaced:
        return 0
    moves = reference.legal(state)
    if not moves:
        return reference.result(state)
    found = [horizon_value(reference.after(state, move), horizon) for move in moves]
    return max(found) if state.turn == 0 else min(found)


@given(seeds)
@settings(max_examples=100)
def test_a_horizon(seed):
    rng = random.Random(seed)
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > 4:
        fast, slow = random_variants(rng)
    leader, horizon = rng.choice("xy"), rng.randint(1, 5)
    game = mate.Game(random_deal(fast, rng), fast, leader)
    state = reference.start(slow, str(mate.Deal(game.x, game.y, fast.deck)), leader)
    solver = matecore.Solver(fast.rules, horizon=horizon)
    while not game.is_over:
        expected = horizon_value(state, horizon)
        assert solver.value(game.core) == (expected if game.to_move == "x" else -expected)
        move = rng.choice(game.legal_moves)
        state = reference.after(state, move)
        game.push(move)


def test_what_a_solver_refuses():
    rules = mate.PRESETS["bga"].rules
    with pytest.raises(ValueError, match="horizon 0"):
        matecore.Solver(rules, horizon=0)
    with pytest.raises(ValueError, match="is worth 32767"):
        matecore.Solver(rules, worth=lambda margin: 32767)
    with pytest.raises(ZeroDivisionError):
        matecore.Solver(rules, worth=lambda margin: 1 // 0)
    with pytest.raises(TypeError):
        matecore.Solver(rules, worth=lambda margin: "1")
    for horizon in ("1", 2.5):
        with pytest.raises(TypeError):
            matecore.Solver(rules, horizon=horizon)
    with pytest.raises(TypeError):
        matecore.Solver(rules, worth=lambda margin: 1.5)


def test_the_margins_that_can_be():
    margins = mate.PRESETS["bga"].rules.margins
    assert margins == sorted({s * p * k for s in (1, -1) for p in (11, 10, 4, 3, 7)
                              for k in range(11)})  # fmt: skip


# --- What cannot be told ---


@pytest.mark.parametrize(
    ("played", "objective", "why"),
    [
        (mate.Game("AQ7.A7.TK7.AT"), "round", "needs a Round"),
        (mate.Round("AQ7.A7.TK7.AT"), "match", "needs a Match"),
        (mate.Round("AQ7.A7.TK7.AT"), "bank", "one of game, round, match"),
        (mate.Match("bga"), "game", "no round has begun"),
        (7, "game", "is no game"),
    ],
)
def test_objectives_that_cannot_be_told(played, objective, why):
    with pytest.raises(mate.MateError, match=why):
        mate.analyze(played, objective=objective)


def test_the_objective_match_is_for_the_last_round():
    match = mate.Match("bga")
    match.begin("AQ7.A7.TK7.AT")
    with pytest.raises(mate.MateError, match="last round"):
        mate.analyze(match, objective="match")


def test_a_solver_given_is_for_the_game():
    round = mate.Round("AQ7.A7.TK7.AT")
    solver = matecore.Solver(round.variant.rules)
    assert mate.analyze(round, solver).value == 56
    for arguments in ({"solver": solver}, {"tablebase": 1}):
        with pytest.raises(mate.MateError):
            mate.analyze(round, objective="round", **arguments)
    for other in ({"horizon": 3}, {"worth": abs}):
        with pytest.raises(mate.MateError, match="does not search for points"):
            mate.analyze(round, matecore.Solver(round.variant.rules, **other))


def test_a_round_that_could_be_worth_too_much():
    deck = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (10900, 10900, 10900))
    variant = mate.Variant(deck=deck, second_leader="loser")
    deals = [mate.Deal(mask, deck=deck) for mask in range(64) if mask.bit_count() == 3]
    with pytest.raises(mate.VariantError, match="is worth"):
        mate.solve_round(deals, variant)
    rounds = [mate.Round(deal, variant) for deal in deals]
    with pytest.raises(mate.MateError, match=r"objective round: a margin of -?\d+ is worth"):
        list(map(partial(mate.analyze, objective="round"), rounds))
