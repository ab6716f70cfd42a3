"""PettingZoo's environment: its own checks without a warning, and the games of self-play."""

import sys
import threading

import numpy as np
import pytest

import mate
from mate.errors import IllegalMoveError, MateError

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from mate.envs.pettingzoo import env, raw_env

pytestmark = pytest.mark.filterwarnings("error")
VARIANTS = ("bga", "bga-free", "capellen", "double", "pieces")


@pytest.fixture
def dictionaries(monkeypatch):
    """Puts the environment beside PettingZoo's own whose observations hold an action mask.

    Their names stand in lists of its check, which warns of any other.
    """
    module = sys.modules["pettingzoo.test.api_test"]
    for name in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(module, name, [*getattr(module, name), "mate_v0"])


@pytest.mark.usefixtures("dictionaries")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("make", [env, raw_env])
def test_pettingzoos_checks_pass_without_a_warning(make, variant, capsys):
    api_test(make(variant=variant), num_cycles=200)
    seed_test(lambda: make(variant=variant))


def test_it_renders(capsys):
    render_test(lambda render_mode: env(render_mode=render_mode))


@pytest.mark.usefixtures("dictionaries")
def test_it_can_be_turned_into_a_parallel_environment(capsys):
    parallel_api_test(turn_based_aec_to_parallel(env()), num_cycles=200)


def middle(mask):
    """Choose an action in the middle, so that it matters who leads."""
    legal = np.flatnonzero(mask)
    return int(legal[len(legal) // 2])


def played(seed, count, variant="bga"):
    """Return the rewards of X in so many games of middle actions."""
    found, game = [], env(variant=variant)
    for number in range(count):
        game.reset(seed=seed if number == 0 else None)
        rewards = dict.fromkeys(game.agents, 0.0)
        for agent in game.agent_iter():
            seen, reward, is_over, _, _ = game.last()
            rewards[agent] += reward
            game.step(None if is_over else middle(seen["action_mask"]))
        assert rewards["player_0"] == -rewards["player_1"]
        found.append(rewards["player_0"])
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_are_those_of_selfplay(variant):
    def policy(observations, legal):
        return np.array([middle(mask) for mask in legal])

    games = mate.selfplay(20, policy, policy, variant, seed=6)
    assert played(6, 20, variant) == games.result.tolist()


def test_environments_on_threads_do_not_disturb_each_other():
    alone = [played(seed, 10) for seed in range(4)]
    found = [None] * 4

    def run(seed):
        found[seed] = played(seed, 10)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_who_is_not_to_act_sees_his_own_side():
    game = raw_env(deals=["AQ7.A7.TK7.AT"], leader="x")
    game.reset(seed=1)
    mine, other = game.observe("player_0"), game.observe("player_1")
    assert (mine["observation"][[1, 0]] == other["observation"][:2]).all()
    assert mine["action_mask"].sum() == 10
    assert not other["action_mask"].any()
    game.step(4)
    assert game.observe("player_0")["observation"][2].nonzero()[0].tolist() == [4]


def test_an_illegal_action_loses_the_most():
    game = env(deals=["AQ7.A7.TK7.AT"], leader="x")
    game.reset(seed=1)
    game.step(1)
    assert game.rewards == {"player_0": -110.0, "player_1": 0}
    assert all(game.terminations.values())


def test_the_raw_environment_refuses_it():
    game = raw_env(deals=["AQ7.A7.TK7.AT"], leader="x")
    with pytest.raises(MateError, match="reset"):
        game.step(0)
    game.reset(seed=1)
    for action in (1, -1, 61, 2**70, None, "Ac", 0.5, np.array([0.5, 1])):
        with pytest.raises(IllegalMoveError):
            game.step(action)


@pytest.mark.parametrize(
    "settings", [{"variant": "chess"}, {"deals": []}, {"leader": "z"}, {"render_mode": "pixels"}]
)
def test_bad_settings_are_refused(settings):
    with pytest.raises(MateError):
        env(**settings)


@pytest.mark.parametrize("seed", [-1, 2**64, "1", 1.5])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(MateError):
        raw_env().reset(seed=seed)
