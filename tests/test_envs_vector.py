"""Vectors of games: the same games as self-play's, in arrays of the caller's."""

import threading

import numpy as np
import pytest

import mate
import matecore
from mate.arrays.encoding import decode
from mate.envs.vector import Arrays, VectorGames
from mate.errors import MateError, VariantError

VARIANTS = ("bga", "bga-free", "capellen", "double", "pieces", "capellen,deck=double24")


def lowest(observations, legal):
    return legal.argmax(axis=1)


def ended(games, steps, choose=lowest):
    """Yield the number of each game that ends, with its reward, and those passed over with None."""
    arrays = games.arrays
    for _ in range(steps):
        before = games.numbers().copy()
        games.step(choose(arrays.observations, arrays.masks))
        after = games.numbers()
        for row in np.flatnonzero(arrays.dones):
            yield int(before[row]), int(arrays.rewards[row])
            for passed in range(int(before[row]) + games.n, int(after[row]), games.n):
                yield passed, None
        assert not arrays.rewards[~arrays.dones].any()
        assert (before[~arrays.dones] == after[~arrays.dones]).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_both_sides_play_the_games_of_selfplay(variant):
    games = VectorGames(16, variant, seed=5)
    found = dict(ended(games, 60))
    played = mate.selfplay(max(found) + 1, lowest, lowest, variant, seed=5)
    assert len(found) > 32
    assert found == {number: int(played.result[number]) for number in found}


@pytest.mark.parametrize("opponent", ["random", "greedy", "epsilon:0.3", "softmax:5", "optimal"])
@pytest.mark.parametrize(("variant", "seat"), [("bga", "x"), ("capellen", "y"), ("double", "x")])
def test_an_opponent_plays_as_in_selfplay(variant, seat, opponent):
    games = VectorGames(8, variant, seed=7, opponent=opponent, seat=seat)
    found = dict(ended(games, 40))
    players = (lowest, opponent) if seat == "x" else (opponent, lowest)
    played = mate.selfplay(max(found) + 1, *players, variant, seed=7)
    margins = played.result if seat == "x" else -played.result
    for number, reward in found.items():
        if reward is None:  # the agent had nothing to decide
            assert not (played.to_move[number][played.moves[number] >= 0] == "xy".index(seat)).any()
        else:
            assert reward == margins[number]
    assert sum(reward is not None for reward in found.values()) > 16


def test_games_without_a_decision_are_passed_over():
    deals = ["AQ7.A7.TK7.AT", "A.ATKQ7.A.AKQ"]  # of the second X mates at once
    settings = {"deals": deals, "leader": "x"}
    games = VectorGames(1, opponent="greedy", seat="y", **settings)
    played = mate.selfplay(2, "greedy", lowest, **settings)
    assert (played.moves >= 0).sum(axis=1).tolist()[1] == 1
    assert played.result[0] != played.result[1] == 11
    found = list(ended(games, 60))
    assert len(found) > 8
    assert found == [(i, None if i % 2 else -int(played.result[0])) for i in range(len(found))]


def test_alternating_seats_play_two_games_each():
    games = VectorGames(8, seed=1, opponent="greedy")
    seats = games.numbers() // 2 % 2
    assert games.arrays.to_move.tolist() == seats.tolist() == [0, 0, 1, 1, 0, 0, 1, 1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_seen_is_the_position(variant):
    games, rng = VectorGames(32, variant, seed=3), np.random.default_rng(1)
    arrays = games.arrays
    for _ in range(30):
        for row in range(0, 32, 5):
            position = games.position(row)
            player = "xy"[arrays.to_move[row]]
            assert decode(arrays.observations[row], variant, player) == position
            assert arrays.masks[row].nonzero()[0].tolist() == position.core.legal_actions()
        games.step((arrays.masks * rng.random(arrays.masks.shape)).argmax(axis=1))


def test_the_end_is_seen_by_the_agent():
    arrays = Arrays.empty(64)
    arrays = arrays._replace(final=np.zeros_like(arrays.observations))
    games = VectorGames(64, seed=2, opponent="random", arrays=arrays)
    ends = 0
    while ends < 200:
        seats = arrays.to_move.copy()
        games.step(lowest(None, arrays.masks))
        for row in np.flatnonzero(arrays.dones):
            ends += 1
            own, other, led = arrays.final[row, :3]
            if arrays.rewards[row] == 0:
                assert not (own | other | led).any()  # all is played
                continue
            (card,) = led.nonzero()[0]
            trick = int(arrays.final[row, 9].argmax()) + 1
            points = (11, 10, 4, 3, 7)[card % 5]
            assert abs(arrays.rewards[row]) == points * trick
            mated = own if arrays.rewards[row] < 0 else other
            assert not any(c // 5 == card // 5 or c % 5 == card % 5 for c in mated.nonzero()[0])
        assert set(seats) <= {0, 1}


def test_deals_are_taken_in_turn():
    deals = ["AQ7.A7.TK7.AT", "ATK.Q7.A.TKQ7", "ATK7.A7.AT.KT"]
    games = VectorGames(7, deals=deals, leader="y")
    for row in range(7):
        assert str(games.position(row)) == f"{mate.Deal.parse(deals[row % 3])} y - 1 -/- -"


def test_tablebase_and_search_play_alike():
    variant = mate.Variant(deck=mate.Deck("abc", "WXYZ", ("WXYZ",) * 3, (9, 7, 5, 3)))
    table = mate.Tablebase.build(variant)
    made = [
        VectorGames(8, variant, opponent="optimal", tablebase=source) for source in (table, None)
    ]
    assert list(ended(made[0], 40)) == list(ended(made[1], 40))
    with pytest.raises(VariantError):
        VectorGames(8, opponent="optimal", tablebase=table)


# --- Arrays of the caller's ----------------------------------------------------------------------


def test_the_arrays_given_are_written_and_no_others():
    arrays = Arrays.empty(4)._replace(observations=None)
    games = VectorGames(4, seed=1, arrays=arrays)
    assert games.step(lowest(None, arrays.masks)) is arrays
    assert arrays.masks.any(axis=1).all()
    parts = np.zeros((2, 4, 61), dtype=np.bool_)
    other = VectorGames(4, seed=1, arrays=arrays._replace(masks=parts[1]))
    assert (parts[1] == other.arrays.masks).all()
    assert not parts[0].any()


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("observations", np.zeros((4, 10, 19), np.uint8)),
        ("observations", np.zeros((4, 10, 20), np.int16)),
        ("observations", np.zeros((8, 10, 20), np.uint8)[::2]),
        ("masks", np.zeros((5, 61), np.bool_)),
        ("masks", np.zeros((61, 4), np.bool_).T),
        ("rewards", np.zeros(4, np.int64)),
        ("rewards", None),
        ("dones", np.zeros((4, 1), np.bool_)),
        ("to_move", [0, 0, 0, 0]),
        ("final", np.zeros((4, 10), np.uint8)),
    ],
)
def test_other_arrays_are_refused(name, array):
    with pytest.raises(MateError):
        VectorGames(4, arrays=Arrays.empty(4)._replace(**{name: array}))


def test_arrays_that_cannot_be_written_are_refused():
    arrays = Arrays.empty(4)
    arrays.masks.flags.writeable = False
    with pytest.raises(MateError):
        VectorGames(4, arrays=arrays)


# --- Bad input -----------------------------------------------------------------------------------


def test_an_illegal_action_changes_nothing():
    games = VectorGames(3, seed=1)
    actions = lowest(None, games.arrays.masks)
    before = [games.position(row) for row in range(3)]
    for wrong in (-1, 61, 2**62, -(2**63), int(games.arrays.masks[2].argmin())):
        bad = actions.copy()
        bad[2] = wrong
        with pytest.raises(MateError, match=r"row 2: action .* is not legal in "):
            games.step(bad)
    assert [games.position(row) for row in range(3)] == before
    games.step(actions)


@pytest.mark.parametrize(
    "actions",
    [None, "abc", [0, 1], 3, np.zeros((3, 1), np.int64), np.zeros(3), np.zeros(3, bool), object()],
)
def test_other_actions_are_refused(actions):
    with pytest.raises(MateError):
        VectorGames(3, seed=1).step(actions)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, ">i8", list])
def test_actions_of_any_integers_are_taken(kind):
    games, other = VectorGames(3, seed=1), VectorGames(3, seed=1)
    actions = lowest(None, games.arrays.masks)
    games.step(actions.tolist() if kind is list else actions.astype(kind))
    other.step(actions)
    assert [str(games.position(r)) for r in range(3)] == [str(other.position(r)) for r in range(3)]


@pytest.mark.parametrize(
    "settings",
    [
        {"n": 0}, {"n": True}, {"n": 2**40}, {"n": 2.0}, {"seed": -1}, {"seed": 2**64},
        {"seed": "1"}, {"opponent": "level:3"}, {"opponent": 3}, {"seat": "z"}, {"seat": 0},
        {"leader": None}, {"deals": []}, {"deals": "AQ7.A7.TK7.AT"}, {"variant": "chess"},
        {"tablebase": 1}, {"arrays": 5},
    ],
)  # fmt: skip
def test_bad_settings_are_refused(settings):
    with pytest.raises(MateError):
        VectorGames(**{"n": 2, **settings})


def test_an_agent_that_never_acts_is_told():
    deck = mate.Deck("ab", "XY", ("X", "Y"), (2, 1))
    with pytest.raises(MateError, match="before the caller could act"):
        VectorGames(2, mate.Variant(deck=deck), opponent="random", seat="y", leader="x")


def test_the_core_refuses_to_step_what_was_not_begun():
    rules = mate.PRESETS["bga"].rules
    arrays = np.zeros(1, np.int16), np.zeros(1, np.uint8), np.zeros(1, np.int8)
    games = matecore.Environments(rules, 1, None, None, *arrays)
    with pytest.raises(ValueError, match="no game was begun"):
        games.step(np.zeros(1, np.int64))
    for settings in ({"leader": 3}, {"seat": -1}, {"deals": np.zeros((1, 2), np.uint32)}):
        with pytest.raises(ValueError, match=r"0, 1 or 2|no deal"):
            matecore.Environments(rules, 1, None, None, *arrays, **settings)


# --- Threads -------------------------------------------------------------------------------------


def test_vectors_on_threads_do_not_disturb_each_other():
    alone = [list(ended(VectorGames(64, seed=seed), 40)) for seed in range(4)]
    found = [None] * 4

    def run(seed):
        found[seed] = list(ended(VectorGames(64, seed=seed), 40))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_one_vector_on_many_threads_stays_whole():
    games = VectorGames(64, seed=1, opponent="random")

    def run():
        for _ in range(200):
            try:
                games.step(lowest(None, games.arrays.masks))
            except MateError:  # another thread has played meanwhile
                games.reset(1)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    masks = games.arrays.masks
    for row in range(64):
        assert masks[row].nonzero()[0].tolist() == games.position(row).core.legal_actions()


# --- Found by attack -----------------------------------------------------------------------------


def core_games(deals, n=2):
    rules = mate.PRESETS["bga"].rules
    masks = np.empty((n, rules.n_actions), np.uint8)
    rewards, dones = np.empty(n, np.int16), np.empty(n, np.uint8)
    return matecore.Environments(
        rules, n, None, masks, rewards, dones, np.empty(n, np.int8), deals=deals
    )


def test_deals_are_copied():
    deals = mate.selfplay(2, seed=1).deal.copy()
    told = deals.tolist()
    games = core_games(deals)
    deals[:] = deals[:, ::-1].copy()
    games.begin()
    assert [list(games.position(row).hands) for row in range(2)] == told


@pytest.mark.parametrize(
    "deals", [5, "abc", np.empty((0, 2), np.uint32), np.zeros((1, 2), np.uint32), np.zeros((1, 2))]
)
def test_deals_that_are_none_are_refused(deals):
    with pytest.raises(ValueError, match=r"deals|[Bb]uffer"):
        core_games(deals)


def test_there_is_no_position_before_the_first_game():
    games = core_games(None)
    with pytest.raises(ValueError, match="no game was begun"):
        games.position(0)
    with pytest.raises(ValueError, match="no game was begun"):
        games.step(np.zeros(2, np.int64))
    games.begin()
    assert games.position(0).legal_actions()


def test_actions_in_floats_are_refused_though_they_were_legal():
    games = VectorGames(4, seed=1)
    actions = games.arrays.masks.argmax(axis=1)
    with pytest.raises(MateError):
        games.step(actions.astype(np.float64))
    games.step(actions)


def test_actions_in_strides_are_read():
    games, others = VectorGames(4, seed=1), VectorGames(4, seed=1)
    actions = games.arrays.masks.argmax(axis=1)
    wide = np.repeat(actions, 2)[::2]
    assert not wide.flags.c_contiguous
    games.step(wide)
    others.step(actions)
    assert np.array_equal(games.arrays.masks, others.arrays.masks)
