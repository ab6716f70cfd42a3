"""The game of OpenSpiel: its own random simulations and playthrough, and its minimax."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

import mate
import matecore
from mate.envs.numbered import NumberedGames
from mate.errors import MateError

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import generate_playthrough, minimax  # noqa: E402

import mate.envs.openspiel  # noqa: E402

GOLDEN = Path(__file__).parent / "data" / "playthrough.txt"
ENDING = "python_mate(position=7.K../.7.K. x - 9 -/- -)"
SINGLE = "python_mate(deal=AQ7.A7.TK7.AT)"


@pytest.mark.parametrize("leader", ["x", "y"])
@pytest.mark.parametrize("variant", mate.PRESETS)
def test_openspiels_random_simulations_pass(variant, leader):
    game = pyspiel.load_game(f"python_mate(variant={variant},leader={leader})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("text", [ENDING, SINGLE])
def test_a_game_without_chance_is_simulated_too(text):
    game = pyspiel.load_game(text)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_a_playthrough_is_as_it_was():
    found = generate_playthrough.playthrough(ENDING, [], seed=1)
    assert found == GOLDEN.read_text(encoding="utf-8")


def endings(variant, count, cards=6):
    rng, games = random.Random(1), NumberedGames(variant, None, "alternate")
    number = 0
    while count:
        game = games.begin(3, number)
        number += 1
        while not game.is_over and len(game.x) + len(game.y) > cards:
            game.push(rng.choice(game.legal_moves))
        if not game.is_over:
            count -= 1
            yield game


@pytest.mark.parametrize("variant", ["bga", "bga-figure", "bga-free", "capellen", "pieces"])
def test_its_minimax_finds_the_same_values(variant):
    solver = matecore.Solver(mate.Variant.of(variant).rules)
    values = set()
    for game in endings(variant, 12):
        told = {"variant": variant, "position": str(game)}
        value, action = minimax.alpha_beta_search(pyspiel.load_game("python_mate", told))
        values.add(value)
        assert value == solver.value(game.core)
        assert dict(solver.values(game.core))[action] == value
    assert len(values) > 2


@pytest.mark.parametrize("path", range(3))
def test_every_deal_is_as_likely(path):
    rng, state = random.Random(path), pyspiel.load_game("python_mate").new_initial_state()
    chance = 1.0
    while state.is_chance_node():
        outcome, one = rng.choice(state.chance_outcomes())
        chance *= one
        state.apply_action(outcome)
    assert math.isclose(chance, 1 / math.comb(20, 10), rel_tol=1e-12)
    assert str(state).endswith(" x - 1 -/- -")


def test_all_settings_of_a_variant_are_parameters():
    text = (
        "python_mate(variant=capellen,deck=double24,privileged=K,privilege_declared=yes,"
        "free_move=yes,weights=tempos,second_alone=yes,second_differs=no,last_card_twice=no,"
        "second_leader=loser,round_leader=winner,target=300)"
    )
    game = pyspiel.load_game(text)
    expected = mate.Variant.of(
        "capellen,deck=double24,privileged=K,privilege_declared=yes,free_move=yes,weights=tempos,"
        "second_alone=yes,second_differs=no,last_card_twice=no,second_leader=loser,"
        "round_leader=winner,rounds=none,target=300"
    )
    assert game.variant == expected
    assert pyspiel.load_game(str(game)).variant == expected
    assert pyspiel.load_game("python_mate(variant=abril,rounds=3)").variant.rounds == 3


def test_the_longest_game_is_told():
    assert pyspiel.load_game(ENDING).max_game_length() == 4
    longest, rng = 0, random.Random(1)
    game = pyspiel.load_game("python_mate(variant=tempos)")
    for _ in range(300):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        longest = max(longest, state.move_number() - 20)
    assert 20 < longest <= game.max_game_length() == 22


def test_tensors_are_of_the_players_side():
    state = pyspiel.load_game(SINGLE).new_initial_state()
    state.apply_action(4)
    planes = [np.array(state.observation_tensor(p))[:200].reshape(10, 20) for p in (0, 1)]
    assert (planes[0][[1, 0]] == planes[1][:2]).all()
    assert planes[0][2].nonzero()[0].tolist() == planes[1][2].nonzero()[0].tolist() == [4]
    assert [state.observation_tensor(p)[200] for p in (0, 1)] == [0, 1]


def lines(state, plies):
    if plies == 0 or state.is_terminal():
        yield state
        return
    for action in state.legal_actions():
        yield from lines(state.child(action), plies - 1)


def test_perfect_recall_tells_histories_apart():
    found = {}
    for state in lines(pyspiel.load_game(SINGLE).new_initial_state(), 4):
        found.setdefault(str(state), []).append(state)
    one, other = next(states for states in found.values() if len(states) > 1)[:2]
    for player in (0, 1):
        assert one.observation_string(player) == other.observation_string(player)
        assert one.observation_tensor(player) == other.observation_tensor(player)
        assert one.information_state_string(player) != other.information_state_string(player)
        assert one.information_state_tensor(player) != other.information_state_tensor(player)


@pytest.mark.parametrize(
    "told",
    [
        {"variant": "chess"}, {"variant": "bga,free_move=yes"}, {"free_move": "maybe"},
        {"deal": "AK"}, {"position": "x"}, {"leader": "z"}, {"second_alone": "yes"},
        {"deal": "AQ7.A7.TK7.AT", "position": "7.K../.7.K. x - 9 -/- -"}, {"rounds": -3},
        {"deck": "tarot"},
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(told):
    with pytest.raises(MateError):
        pyspiel.load_game("python_mate", told)


def test_parameters_of_another_kind_are_refused():
    for text in ("python_mate(free_move=3)", "python_mate(colour=red)"):
        with pytest.raises(pyspiel.SpielError):
            pyspiel.load_game(text)


def test_players_of_openspiel_can_play_it():
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("python_mate(position=7.Q../.7.K. x - 9 -/- -)")
    state = game.new_initial_state()
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 50, rollouts, random_state=np.random.RandomState(1))
    while not state.is_terminal():
        assert type(state.current_player()) is int
        state.apply_action(bot.step(state))
    assert state.returns() == [70, -70]


def test_only_cards_that_are_left_are_dealt():
    state = pyspiel.load_game("python_mate").new_initial_state()
    for wrong in (7, -5, 2):
        with pytest.raises(MateError, match="deals the next card"):
            state.clone()._apply_action(wrong)
    for _ in range(10):
        state.apply_action(0)
    with pytest.raises(MateError, match="deals the next card"):
        state.clone()._apply_action(0)
