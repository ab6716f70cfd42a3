"""Players: what each may choose and how often, against the reference and against exact values."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
import reference
from mate.players import LEVELS, Depth, Epsilon, Greedy, Optimal, Player, Softmax, level
from pairing import NAMES, engine_variant, random_deal, random_game, random_variants

seeds = st.integers(0, 2**32)
names = st.sampled_from(NAMES)
TEXTS = ("random", "greedy", "depth:3", "optimal", "epsilon:0.2", "softmax:5", "level:2")


def small_game(rng):
    """A game of a random small variant, somewhere in it: for the engine, for the reference."""
    fast, slow = random_variants(rng)
    while fast.deck.hand_size > 4:
        fast, slow = random_variants(rng)
    deal, leader = random_deal(fast, rng), rng.choice("xy")
    game, state = mate.Game(deal, fast, leader), reference.start(slow, str(deal), leader)
    for _ in range(rng.randint(0, 5)):
        move = rng.choice(game.legal_moves)
        after = reference.after(state, move)
        if not reference.legal(after):
            break
        game.push(move)
        state = after
    return game, state


def best_of(values):
    return {move for move, value in values.items() if value == max(values.values())}


# --- What each may choose ---


@given(seeds)
@settings(max_examples=60)
def test_players_by_exact_values(seed):
    game, state = small_game(random.Random(seed))
    values = reference.move_values(state)
    best, moves = best_of(values), game.legal_moves
    assert Player().weights(game) == dict.fromkeys(moves, 1.0)
    assert Optimal().weights(game) == dict.fromkeys(best, 1.0)
    for move, weight in Epsilon(0.25).weights(game).items():
        expected = 0.25 / len(moves) + 0.75 / len(best) * (move in best)
        assert math.isclose(weight, expected)
    softmax = Softmax(3).weights(game)
    assert set(softmax) == set(values)
    for a in moves:
        for b in moves:
            ratio = math.exp((values[a] - values[b]) / 3)
            assert math.isclose(softmax[a], softmax[b] * ratio, rel_tol=1e-9, abs_tol=1e-300)


def seen(state, last):
    """X's margin by the mates up to a trick, nothing beyond being told."""
    if state.led is None and state.trick > last and reference.UNDECIDED not in state.foreplaced:
        return 0
    moves = reference.legal(state)
    if not moves:
        return reference.result(state)
    found = [seen(reference.after(state, move), last) for move in moves]
    return max(found) if state.turn == 0 else min(found)


@given(seeds, st.integers(1, 4))
@settings(max_examples=60)
def test_players_who_look_ahead(seed, tricks):
    game, state = small_game(random.Random(seed))
    sign = 1 if state.turn == 0 else -1
    last = state.trick + tricks - 1
    values = {m: sign * seen(reference.after(state, m), last) for m in game.legal_moves}
    assert set(Depth(tricks).weights(game)) == best_of(values)


def greedy_move(state):
    """What `Greedy` says of itself, once more."""
    if reference.UNDECIDED in state.foreplaced and "*-" in reference.legal(state):
        return "*-"
    moves = [m for m in reference.legal(state) if not m.endswith("!")]
    order = state.variant.cards.index
    found = []
    for move in moves:
        child = reference.after(state, move)
        if state.led is not None:
            rate = (child.turn == state.turn, 0)
        elif reference.legal(child):
            rate = (0, -len(reference.legal_replies(child)))
        else:
            rate = (abs(reference.result(child)), 0)
        found.append((rate, order(move), move))
    return max(found)[2]


@given(seeds)
@settings(max_examples=100)
def test_the_greedy_player(seed):
    game, state = small_game(random.Random(seed))
    assert list(Greedy().weights(game)) == [greedy_move(state)]


# Section 8: in a round whose loser leads game 2 the best move may lose the first game.
def test_optimal_players_play_for_the_round():
    differs = 0
    for seed in range(60):
        round = mate.Round(mate.Deal.random(seed), "abril")
        analysis = mate.analyze(round, objective="round")
        best = {move.move for move in analysis.moves if move.value == analysis.value}
        assert set(Optimal().weights(round)) == best
        differs += set(Optimal().weights(round.game)) != best
    assert differs


@given(seeds, st.sampled_from(["abril", "bga", "tempos"]))
@settings(max_examples=15)
def test_optimal_players_get_what_a_round_is_worth(seed, name):
    round = mate.Round(mate.Deal.random(seed), name)
    worth = mate.solve_round([round.deal], name)[0, 0]
    assert round.play(Optimal(1), Optimal(2)) == worth


# A solver is kept for moves to come; it must not be kept for another round or game.
def test_one_player_of_many_games():
    player = Optimal(1)
    for seed in range(12):
        name = ["abril", "bga", "bga-king"][seed % 3]
        round = mate.Round(mate.Deal.random(seed), name, "xy"[seed % 2])
        while not round.is_over:
            fresh = Optimal()
            assert player.values(round) == fresh.values(round)
            assert player.values(round.game) == fresh.values(round.game)
            round.push(player.choose(round))


# The same variant, so that nothing but the deal, the leader, the scores or the game differs.
def test_one_player_of_many_rounds_of_a_variant():
    player, depth = Optimal(1), Depth(4)
    for seed in range(30):
        round = mate.Round(mate.Deal.random(seed // 2), "abril", "xy"[seed % 2])
        rng = random.Random(seed)
        while not round.is_over:
            assert player.values(round) == Optimal().values(round)
            assert depth.weights(round) == Depth(4).weights(round)
            round.push(rng.choice(round.legal_moves))
    for name in ("bga", "bga-king"):
        game = mate.Game("AQ7.A7.TK7.AT", name)
        assert depth.weights(game) == Depth(4).weights(game)
    match = mate.Match("abril")
    match.begin(mate.Deal.random(74))
    assert player.values(match) == player.values(match.round) != player.values(match.game)


def test_greed_takes_the_mate_that_scores_most():
    position = mate.Position.parse("7A.../..KQ. x - 9 -/- -")
    assert Greedy().choose(position) == "Ac"


def test_softmax_at_low_temperature():
    assert Softmax(0.01, 1).choose(mate.Game("AQ7.A7.TK7.AT")) == "7c"


# --- How often ---


def test_chances_are_as_stated():
    game = mate.Game("AQ7.A7.TK7.AT")
    game.push("Ac")
    for player in (Player(1), Epsilon(0.5, 1), Softmax(20, 1)):
        weights = player.weights(game)
        counts = Counter(player.choose(game) for _ in range(4000))
        total = sum(weights.values())
        for move, weight in weights.items():
            expected = 4000 * weight / total
            assert abs(counts[move] - expected) < 5 * math.sqrt(expected + 1)


@given(seeds, names, st.sampled_from(TEXTS))
@settings(max_examples=40)
def test_players_play_legal_moves_and_the_same_by_seed(seed, name, text):
    rng = random.Random(seed)
    variant = engine_variant(name)
    deal = random_deal(variant, rng)
    rounds = []
    for _ in range(2):
        round = mate.Round(deal, replace(variant, second_leader=rng.choice(["other"])))
        round.play(Player.of(text, seed), Player.of("random", seed + 1))
        rounds.append(round)
    assert rounds[0] == rounds[1]


def test_matches_between_players():
    match = mate.Match("bga")
    margin = match.play(Player.of("random", 1), Player.of("greedy"), rng=3)
    assert match.is_over
    assert margin == match.result == match.scores[0] - match.scores[1]
    again = mate.Match("bga")
    again.play(Player.of("random", 1), Player.of("greedy"), rng=3)
    assert match == again
    with pytest.raises(mate.MateError, match="no seed"):
        mate.Match("bga").play(Player(), Player(), rng="three")


class Watching(Player):
    """Who sees the match, and so the score."""

    def choose(self, played):
        assert isinstance(played, mate.Match)
        assert played.to_move == played.game.to_move
        assert played.legal_moves == played.game.legal_moves
        return super().choose(played)


def test_players_of_a_match_see_the_match():
    match = mate.Match("bga")
    match.play(Watching(1), Watching(2), rng=1)
    assert match.is_over


def test_a_match_is_played_on_from_where_it_is():
    match = mate.Match("bga")
    match.begin("AQ7.A7.TK7.AT")
    match.push("7c")
    match.play(Optimal(1), Optimal(2), rng=1)
    assert match.rounds[0].games[0].moves[0] == "7c"
    assert match.is_over


# --- Texts ---


@pytest.mark.parametrize("number", range(1, 6))
def test_levels(number):
    player = Player.of(f"level:{number}", 1)
    assert type(player) is type(Player.of(LEVELS[number - 1]))
    game = mate.Game("AQ7.A7.TK7.AT")
    assert player.weights(game) == level(number).weights(game)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "player ''"), ("Random", "player 'Random'"), ("random:1", "player 'random:1'"),
        ("depth", "player 'depth'"), ("depth:", "player 'depth:'"), ("depth:0", "depth 0"),
        ("depth:-1", "depth '-1'"), ("depth:1.5", "depth '1.5'"), ("depth:" + "9" * 99, "depth '9"),
        ("depth:²", "depth '²'"), ("epsilon:1.01", "epsilon '1.01'"), ("epsilon:nan", "epsilon"),
        ("epsilon:x", "epsilon 'x'"), ("softmax:0", "softmax '0'"), ("softmax:inf", "softmax"),
        ("softmax:-1", "softmax '-1'"), ("level:0", "level 0"), ("level:6", "level 6"),
        (None, "player None"), (7, "player 7"), (["depth:1"], "player"), ("\x1b[2J", "player"),
    ],
)  # fmt: skip
def test_texts_that_name_no_player(text, why):
    with pytest.raises(mate.MateError) as caught:
        Player.of(text)
    assert str(caught.value).startswith(why)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Player("1"), lambda: Player(1.5), lambda: Depth(0), lambda: Depth(True),
        lambda: Epsilon("0.1"), lambda: Epsilon(2), lambda: Softmax(None), lambda: level("3"),
    ],
)  # fmt: skip
def test_players_that_cannot_be(make):
    with pytest.raises(mate.MateError):
        make()


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_chosen_when_the_game_is_over(text):
    game = random_game(mate.PRESETS["bga"], random.Random(1))
    with pytest.raises(mate.MateError, match="the game is over"):
        Player.of(text).choose(game)
    with pytest.raises(mate.MateError, match="no game"):
        Player.of(text).choose("AQ7.A7.TK7.AT")
