"""Gymnasium's environments: its own checks without a warning, and the games of self-play."""

import pickle
import warnings
from copy import deepcopy

import numpy as np
import pytest

import mate
from mate.errors import MateError

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from mate.envs.gymnasium import MateEnv  # noqa: E402
from mate.envs.vector import VectorGames  # noqa: E402

pytestmark = pytest.mark.filterwarnings("error")


def lowest(mask):
    return int(np.flatnonzero(mask)[0])


def uniform(observations, legal):
    return legal.astype(float)


@pytest.mark.parametrize(
    "settings",
    [
        {}, {"variant": "capellen", "opponent": "optimal"}, {"variant": "double", "seat": "x"},
        {"variant": "pieces", "opponent": "greedy", "seat": "y"}, {"opponent": uniform},
        {"opponent": mate.Player(3), "leader": "y"}, {"deals": ["AQ7.A7.TK7.AT"]},
        {"opponent": "level:2"},
    ],
)  # fmt: skip
def test_gymnasiums_checks_pass_without_a_warning(settings, capsys):
    check_env(gymnasium.make("Mate-v0", **settings).unwrapped)


def test_episodes_are_the_games_of_the_vector():
    env, games = MateEnv("capellen", "greedy"), VectorGames(1, "capellen", 4, opponent="greedy")
    seen, info = env.reset(seed=4)
    arrays, episodes = games.arrays, 0
    while episodes < 30:
        assert (seen == arrays.observations[0]).all()
        assert (info["action_mask"] == arrays.masks[0]).all()
        action = lowest(info["action_mask"])
        seen, reward, is_over, is_cut, info = env.step(action)
        games.step(np.array([action]))
        assert (reward, is_over, is_cut) == (arrays.rewards[0], arrays.dones[0], False)
        if is_over:
            episodes += 1
            seen, info = env.reset()


@pytest.mark.parametrize("opponent", ["random", mate.Player.of("epsilon:0.5"), uniform])
def test_a_seed_gives_the_same_games(opponent):
    env = MateEnv(opponent=opponent)

    def rewards():
        found = []
        _, info = env.reset(seed=8)
        for _ in range(100):
            _, reward, is_over, _, info = env.step(lowest(info["action_mask"]))
            found.append(reward)
            if is_over:
                _, info = env.reset()
        return found

    assert rewards() == rewards()


def test_without_a_seed_games_differ():
    assert len({str(MateEnv().reset()[0].tobytes()) for _ in range(5)}) > 1


def test_an_illegal_action_loses_the_most():
    env = MateEnv()
    seen, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    again, reward, is_over, _, info = env.step(illegal)
    assert (reward, is_over, info["illegal"]) == (-110.0, True, True)
    assert (again == seen).all()
    with pytest.raises(MateError, match="reset"):
        env.step(illegal)


@pytest.mark.parametrize(
    "settings",
    [
        {"opponent": 5}, {"opponent": "nobody"}, {"seat": "z"}, {"leader": 1}, {"deals": []},
        {"render_mode": "rgb_array"}, {"variant": "chess"},
    ],
)  # fmt: skip
def test_bad_settings_are_refused(settings):
    with pytest.raises(MateError):
        MateEnv(**settings)


@pytest.mark.parametrize(
    "answer",
    [None, "x", -1, [60], [[0.0] * 61], [[float("nan")] * 61], np.ones((1, 61)), [0.5]],
)
def test_an_opponent_that_answers_nonsense_is_refused(answer):
    env = MateEnv(opponent=lambda observations, legal: answer, seat="y", leader="x")
    with pytest.raises(MateError):
        env.reset(seed=1)


@pytest.mark.parametrize("seed", [2**64, 2**80])
def test_a_seed_beyond_the_streams_is_refused(seed):
    with pytest.raises(MateError):
        MateEnv().reset(seed=seed)


def test_an_agent_that_never_acts_is_told():
    variant = mate.Variant(deck=mate.Deck("ab", "XY", ("X", "Y"), (2, 1)))
    with pytest.raises(MateError, match="before the agent could act"):
        MateEnv(variant, seat="y", leader="x").reset(seed=1)


def test_boards_are_shown(capsys):
    env = MateEnv(render_mode="ansi")
    env.reset(seed=1)
    assert "Trick 1" in env.render()
    MateEnv(render_mode="human").reset(seed=1)
    assert "Trick 1" in capsys.readouterr().out


# --- Vectors -------------------------------------------------------------------------------------


def test_a_vector_is_made_and_stepped():
    envs = gymnasium.make_vec("Mate-v0", num_envs=16, opponent="greedy", variant="double")
    seen, info = envs.reset(seed=3)
    games = VectorGames(16, "double", 3, opponent="greedy")
    ends = 0
    for _ in range(60):
        assert seen in envs.observation_space
        assert (seen == games.arrays.observations).all()
        actions = envs.action_space.sample(mask=tuple(info["action_mask"]))
        seen, rewards, ends_here, cuts, info = envs.step(actions)
        games.step(actions)
        assert (rewards == games.arrays.rewards).all()
        assert (ends_here == games.arrays.dones).all()
        assert not cuts.any()
        ends += ends_here.sum()
        assert ("final_obs" in info) == ends_here.any()
        if ends_here.any():
            assert (info["_final_obs"] == ends_here).all()
            assert info["final_obs"].shape == seen.shape
    assert ends > 16
    envs.close()


def test_copies_are_the_users_unless_he_declines():
    for copy in (True, False):
        envs = gymnasium.make_vec("Mate-v0", num_envs=2, copy=copy)
        first, info = envs.reset(seed=1)
        second = envs.step(info["action_mask"].argmax(axis=1))[0]
        assert np.shares_memory(first, second) != copy


def test_a_vector_takes_policies_of_the_core_only():
    with warnings.catch_warnings(), pytest.raises(MateError):
        gymnasium.make_vec("Mate-v0", num_envs=2, opponent=uniform)


def test_an_environment_is_copied_in_the_middle_of_a_game():
    env = MateEnv(opponent="greedy", seat="x")
    _, info = env.reset(seed=3)
    env.step(int(info["action_mask"].argmax()))
    for twin in (deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.game is not env.game
        action = int(twin.game.legal_mask().argmax())
        twin.step(action)
        assert len(twin.game.moves) > len(env.game.moves)
        assert twin.reset()[1] is not None


def test_true_is_an_action_like_1():
    env = MateEnv(opponent="greedy", seat="x")
    env.reset(seed=3)
    env.step(True)
