"""Games in which a function of the user's chooses: against the kernel, numpy and `mate.Player`."""

import math

import numpy as np
import pytest

import mate
import matecore
import reference
from mate.arrays import stepping
from mate.arrays.encoding import decode
from mate.arrays.policy import compiled
from mate.arrays.selfplaying import SelfPlay
from mate.players import Greedy
from selfplay_reference import play_units, searched

PRESETS = list(mate.PRESETS)
BIG = "double,deck=double24"
SMALL = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))


def first_legal(observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """A policy that returns actions."""
    return legal.argmax(axis=1)


def uniform(observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """A policy that returns probabilities."""
    return legal / legal.sum(axis=1, keepdims=True)


def same(one: mate.Games, other: mate.Games) -> bool:
    mine, theirs = one.arrays(), other.arrays()
    return list(mine) == list(theirs) and all((mine[n] == theirs[n]).all() for n in mine)


# --- Against the kernel --------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [*PRESETS, BIG])
@pytest.mark.parametrize("unit", ["game", "round"])
def test_rules_of_the_core_play_the_same_in_step(variant, unit, monkeypatch):
    monkeypatch.setattr(stepping, "BLOCK", 64)
    for x, y, count in [("random", "greedy", 200), ("epsilon:0.5", "softmax:4", 5)]:
        plan = SelfPlay.of(x, y, variant, seed=3, unit=unit, stream=9)
        assert same(stepping.play_in_step(plan, 7, count), plan.play(7, count))


@pytest.mark.parametrize("lanes", [None, "plain"])
@pytest.mark.parametrize("name", ["bga", "capellen", "pieces", "double"])
def test_rules_of_the_core_play_the_same_in_step_on_every_machine(name, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("MATECORE_LANES", lanes)
    variant, slow = mate.Variant.of(name), reference.PRESETS[name]
    exact = searched(variant)
    for x, y, count in [("random", "greedy", 40), ("optimal", "softmax:4", 3)]:
        plan = SelfPlay.of(x, y, variant, seed=3, unit="round")
        games = stepping.play_in_step(plan, 7, count)
        wanted = play_units(
            slow, variant.second_leader, count, x, y, exact=exact, seed=3, unit="round", first=7
        )
        for field, array in games.arrays().items():
            np.testing.assert_array_equal(array, wanted[field], err_msg=field)


@pytest.mark.parametrize("leader", ["x", "y", "alternate"])
@pytest.mark.parametrize("unit", ["game", "round"])
def test_given_deals_and_leaders_are_those_of_the_kernel(leader, unit):
    deals = [mate.Deal.random(i) for i in range(5)]
    plan = SelfPlay.of("random", "random", "abril", 2, unit, leader, deals)
    assert same(stepping.play_in_step(plan, 13, 40), plan.play(13, 40))


def test_the_largest_number_of_a_unit():
    plan = SelfPlay.of(seed=(1 << 64) - 1, stream=(1 << 64) - 1)
    first = (1 << 64) - 3
    assert same(stepping.play_in_step(plan, first, 3), plan.play(first, 3))


def test_values_from_a_tablebase_are_those_of_the_search():
    tablebase = mate.Tablebase.build(SMALL, threads=1)
    looked_up = SelfPlay.of("optimal", "softmax:2", SMALL, 1, tablebase=tablebase)
    searched = SelfPlay.of("optimal", "softmax:2", SMALL, 1)
    assert same(stepping.play_in_step(looked_up, 0, 300), stepping.play_in_step(searched, 0, 300))


@pytest.mark.parametrize("variant", PRESETS)
def test_a_function_that_plays_as_a_player_of_mate_is_that_player(variant):
    rules = mate.Variant.of(variant)

    def greedy(observations, legal):
        seen = [decode(planes, rules) for planes in observations]
        return np.array([position.action_of(Greedy().choose(position)) for position in seen])

    games = mate.selfplay(40, greedy, "random", variant, seed=5, unit="round")
    assert same(games, mate.selfplay(40, "greedy", "random", variant, seed=5, unit="round"))
    games = mate.selfplay(40, "random", greedy, variant, seed=5)
    assert same(games, mate.selfplay(40, "random", "greedy", variant, seed=5))


@pytest.mark.parametrize("variant", [*PRESETS, BIG])
def test_all_games_are_games(variant):
    games = mate.selfplay(60, uniform, first_legal, variant, seed=1, unit="round")
    games.check()
    for row in range(0, 60, 7):
        assert games.game(row).result == games.result[row]
    assert (games.deal[1::2] == games.deal[::2, ::-1]).all()


def test_labels_are_those_of_label():
    games = mate.selfplay(20, uniform, "random", seed=1, labels=True)
    assert same(games, mate.label(mate.selfplay(20, uniform, "random", seed=1)))


def test_no_games_are_no_work():
    def never(observations, legal):
        raise AssertionError

    assert len(mate.selfplay(0, never, never)) == 0


# --- Streams -------------------------------------------------------------------------------------


class Stream:
    """The stream of a unit, from numpy's generator."""

    def __init__(self, seed: int, unit: int, stream: int = 0):
        self.bits = np.random.Philox(key=[seed, stream], counter=[0, unit, 0, 0])
        self.halves: list[int] = []

    def word32(self) -> int:
        if not self.halves:
            word = int(self.bits.random_raw())
            self.halves = [word & 0xFFFFFFFF, word >> 32]
        return self.halves.pop(0)

    def word64(self) -> int:
        return self.word32() | self.word32() << 32

    def below(self, n: int) -> int:
        product = self.word32() * n
        while product % 2**32 < (2**32 - n) % n:
            product = self.word32() * n
        return product >> 32


def test_probabilities_draw_a_word_of_the_stream_of_the_game():
    rng = np.random.default_rng(1)
    weights = rng.random(61) * np.where(rng.random(61) < 0.2, 0.001, 1)

    def policy(observations, legal):
        return (legal * weights * 7).astype(np.float64)

    games = mate.selfplay(30, policy, policy, seed=11, first=5)
    for row in range(30):
        stream = Stream(11, row + 5)
        stream.below(math.comb(20, 10))
        game = games.game(row).root()
        while not game.is_over:
            legal = game.legal_actions
            cumulated = np.cumsum([weights[action] * 7 for action in legal])
            aim = (stream.word64() >> 11) / 2**53 * cumulated[-1]
            game.push(legal[int((cumulated > aim).argmax())])
        assert game.actions == games.game(row).actions


def test_actions_draw_nothing():
    games = mate.selfplay(20, first_legal, "random", seed=4)
    for row in range(20):
        stream = Stream(4, row)
        stream.below(math.comb(20, 10))
        game = games.game(row).root()
        while not game.is_over:
            legal = game.legal_actions
            game.push(legal[0 if game.to_move == "x" else stream.below(len(legal))])
        assert game.actions == games.game(row).actions


def test_actions_come_as_often_as_their_probabilities_say():
    def policy(observations, legal):
        chances = np.zeros(legal.shape, dtype=np.float32)
        for row, mask in enumerate(legal):
            actions = mask.nonzero()[0]
            chances[row, actions[0]], chances[row, actions[-1]] = 0.2, 0.8
        return chances

    games = mate.selfplay(4000, policy, first_legal, seed=1, leader="x")
    hands = [np.flatnonzero(games.deal[row, 0] >> np.arange(20) & 1) for row in range(4000)]
    low = sum(games.moves[row, 0] == hand[0] for row, hand in enumerate(hands))
    high = sum(games.moves[row, 0] == hand[-1] for row, hand in enumerate(hands))
    assert low + high == 4000
    # One degree of freedom, 0.1 %.
    assert (low - 800) ** 2 / 800 + (high - 3200) ** 2 / 3200 < 10.83


@pytest.mark.parametrize("block", [1, 7, 4096])
@pytest.mark.parametrize("unit", ["game", "round"])
def test_the_block_is_no_matter(block, unit, monkeypatch):
    expected = mate.selfplay(50, uniform, "epsilon:0.3", "capellen", seed=1, unit=unit)
    monkeypatch.setattr(stepping, "BLOCK", block)
    assert same(mate.selfplay(50, uniform, "epsilon:0.3", "capellen", seed=1, unit=unit), expected)
    parts = [
        mate.selfplay(n, uniform, "epsilon:0.3", "capellen", seed=1, unit=unit, first=first)
        for first, n in ((0, 9), (9, 41))
    ]
    assert same(mate.Games.concatenate(parts), expected)


# --- What a function is given --------------------------------------------------------------------


def test_a_function_is_called_once_a_move_with_the_games_where_it_acts():
    calls = []

    def policy(observations, legal):
        calls.append((observations.copy(), legal.copy()))
        return uniform(observations, legal)

    games = mate.selfplay(100, policy, "random", "pieces", seed=2)
    assert len(calls) <= games.plies
    assert sum(len(seen) for seen, _ in calls) == (games.to_move == 0).sum()
    for seen, legal in calls:
        assert (seen.dtype, seen.shape[1:]) == (np.uint8, (10, 20))
        assert (legal.dtype, legal.shape) == (np.bool_, (len(seen), 61))
        for planes, mask in zip(seen, legal, strict=True):
            position = decode(planes, "pieces", "x")
            assert mask.nonzero()[0].tolist() == position.legal_actions


def test_what_a_function_does_with_its_arrays_is_no_matter():
    def spoil(observations, legal):
        actions = first_legal(observations, legal)
        observations[:], legal[:] = 255, True
        return actions

    assert same(mate.selfplay(30, spoil, spoil), mate.selfplay(30, first_legal, first_legal))


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint8, np.uint64, list])
def test_actions_are_integers_of_any_kind(kind):
    def policy(observations, legal):
        actions = first_legal(observations, legal)
        return actions.tolist() if kind is list else actions.astype(kind)

    assert same(mate.selfplay(30, policy, policy), mate.selfplay(30, first_legal, first_legal))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_probabilities_are_floats_of_any_kind_and_layout(kind):
    def policy(observations, legal):
        return np.asfortranarray(legal.astype(kind))

    expected = mate.selfplay(30, lambda o, legal: legal.astype(float), "random")
    assert same(mate.selfplay(30, policy, "random"), expected)


def test_an_error_of_the_function_is_its_own():
    def policy(observations, legal):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mate.selfplay(3, policy, "random")


def test_progress_tells_the_units(monkeypatch):
    monkeypatch.setattr(stepping, "BLOCK", 10)
    told = []
    mate.selfplay(25, uniform, "random", progress=lambda *done: told.append(done))
    assert told == [(10, 25), (20, 25), (25, 25)]


# --- Hostile answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "actions",
        5,
        [],
        [[1], [1, 2]],
        np.zeros(4, dtype=np.int64),
        np.zeros((5, 1), dtype=np.int64),
        np.zeros(5, dtype=float),
        np.zeros((5, 60), dtype=float),
        np.zeros((5, 61), dtype=np.int64),
        np.zeros((5, 61), dtype=bool),
        np.zeros((5, 61), dtype=complex),
        np.zeros(5, dtype=object),
    ],
    ids=repr,
)
def test_an_answer_of_another_kind_is_refused(answer):
    with pytest.raises(mate.MateError, match="policy y, ply 0: "):
        mate.selfplay(5, "random", lambda o, legal: answer, leader="y")


@pytest.mark.parametrize(
    ("action", "told"),
    [(-1, "-1"), (61, "61"), (20, "20"), (1 << 40, str(1 << 40)), (2**64 - 1, str(2**64 - 1))],
)
def test_an_illegal_action_is_named_with_its_game_and_ply(action, told):
    def policy(observations, legal):
        actions = first_legal(observations, legal).astype(np.uint64 if action > 2**62 else np.int64)
        if observations[0, 9, 1] and len(actions) > 3:
            actions[3] = action
        return actions

    with pytest.raises(mate.MateError) as caught:
        mate.selfplay(50, policy, "greedy", leader="x", seed=1, first=100)
    message = str(caught.value)
    assert message.startswith("policy x, game ")
    assert f"ply 2: action {told} is not legal in " in message
    game, ply = (int(word.split(",")[0].split(":")[0]) for word in message.split()[3:6:2])
    games = mate.selfplay(50, first_legal, "greedy", leader="x", seed=1, first=100)
    before = games.game(game)
    while len(before.actions) > ply:
        before.pop()
    assert message.endswith(f" in {before}")


@pytest.mark.parametrize(("beside", "action"), [(0, -1), (0, -128), (60, 61), (60, 1000)])
def test_an_action_beyond_the_last_is_not_the_last(beside, action):
    def policy(observations, legal):
        actions = first_legal(observations, legal)
        actions[legal[:, beside]] = action
        return actions

    # In which the lowest card can be led and declared.
    variant = mate.Variant(privileged=frozenset("7"), privilege_declared=True)
    with pytest.raises(mate.MateError, match=f"action {action} is not legal"):
        mate.selfplay(20, policy, policy, variant, seed=1)


def test_a_mask_that_was_spoilt_makes_nothing_legal():
    def spoil(observations, legal):
        legal[:] = True
        return np.full(len(legal), 60)

    with pytest.raises(mate.MateError, match="action 60 is not legal"):
        mate.selfplay(5, spoil, "random", leader="x")


@pytest.mark.parametrize("block", [1, 4, 4096])
def test_the_game_of_an_error_is_counted_over_all_blocks_and_rounds(block, monkeypatch):
    monkeypatch.setattr(stepping, "BLOCK", block)
    first_half, second_half = 0x003FF, 0xFFC00
    deals = np.array([(first_half, second_half)] * 12, dtype=np.uint32)
    deals[10] = second_half, first_half

    def policy(observations, legal):
        actions = first_legal(observations, legal)
        leads_first = (observations[:, 9, 0] == 1) & ~observations[:, 2].any(axis=1)
        actions[leads_first & observations[:, 0, :10].all(axis=1)] = 19
        return actions

    # X leads the second game of each round, with the hand that Y was dealt.
    with pytest.raises(mate.MateError, match=r"^policy x, game 21, ply 0: action 19"):
        mate.selfplay(12, policy, "random", unit="round", leader="y", deals=deals)


@pytest.mark.parametrize(
    ("value", "cell", "told"),
    [
        (np.nan, 0, "probability nan of action 0 "),
        (-0.5, 1, "probability -0.5 of action 1 "),
        (np.inf, 2, "probability inf of action 2"),
        (0.25, 20, "probability 0.25 of action 20, which is not legal"),
        (1e-300, 60, "probability 1e-300 of action 60, which is not legal"),
        (np.nan, 60, "probability nan of action 60 "),
    ],
)
def test_what_is_no_probability_is_named(value, cell, told):
    def policy(observations, legal):
        chances = uniform(observations, legal)
        chances[2, cell] = value
        return chances

    with pytest.raises(mate.MateError, match="policy x, game 2, ply 0: " + told):
        mate.selfplay(5, policy, "random", leader="x")


@pytest.mark.parametrize(("scale", "told"), [(0.0, "are all 0"), (1e308, "have no finite sum")])
def test_probabilities_sum_to_something(scale, told):
    def policy(observations, legal):
        return legal * scale

    with pytest.raises(mate.MateError, match=f"policy x, game 0, ply 0: the probabilities {told}"):
        mate.selfplay(5, policy, "random", leader="x")


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e306])
def test_probabilities_may_be_of_any_size(scale):
    games = mate.selfplay(20, lambda o, legal: legal * scale, "random", seed=1)
    games.check()


def test_games_that_do_not_fit_the_memory_are_refused():
    for count in (10**10, 1 << 63):
        with pytest.raises(mate.MateError, match=r"memory|take|beyond"):
            mate.selfplay(count, uniform, "random")


def test_threads_are_checked_although_there_is_nothing_to_share_out():
    with pytest.raises(mate.MateError, match="threads"):
        mate.selfplay(1, uniform, "random", threads=0)


def test_what_a_function_plays_cannot_be_told_in_a_file():
    plan = SelfPlay.of(uniform, "random")
    with pytest.raises(mate.MateError, match="a function of your own"):
        plan.to_plain()


def test_an_executor_plays_what_a_function_chooses():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as executor:
        games = mate.selfplay(3000, uniform, "random", seed=1, executor=executor)
    assert same(games, mate.selfplay(3000, uniform, "random", seed=1))


def test_a_text_beside_a_function_names_a_policy():
    with pytest.raises(mate.MateError):
        mate.selfplay(3, uniform, "nonsense")
    with pytest.raises(mate.MateError):
        mate.selfplay(3, 5, uniform)


# --- The core ------------------------------------------------------------------------------------


def started(n: int = 3) -> matecore.InStep:
    core = matecore.InStep(mate.PRESETS["bga"].rules, n)
    core.begin(None, np.empty((n, 2), np.uint32), np.zeros(n, np.int8), seed=1)
    return core


def test_a_row_that_is_none_or_over_has_no_choice():
    core, policy = started(), compiled("random", mate.PRESETS["bga"])
    out = np.empty(1, dtype=np.int64)
    for row in (-1, 3, 1 << 62):
        with pytest.raises(ValueError, match="is no row"):
            core.choose(np.array([row]), policy, out)
        with pytest.raises(ValueError, match="is no row"):
            core.sample(np.array([row]), np.ones((1, 61)), out)
    for _ in range(20):
        core.choose(np.array([0]), policy, out)
        core.step(np.array([0]), out)
        players = np.empty(3, dtype=np.int8)
        core.to_move(players)
        if players[0] < 0:
            break
    for kind in ("random", "greedy", "optimal"):
        with pytest.raises(ValueError, match="is over"):
            core.choose(np.array([0]), compiled(kind, mate.PRESETS["bga"]), out)
    with pytest.raises(matecore.BadProbabilities):
        core.sample(np.array([0]), np.ones((1, 61)), out)


@pytest.mark.parametrize("rows", [np.array([0]), None])
def test_arrays_must_fit(rows):
    core, policy = started(), compiled("random", mate.PRESETS["bga"])
    k = 1 if rows is not None else 3
    with pytest.raises(ValueError, match="out must"):
        core.choose(rows, policy, np.empty(k + 1, np.int64))
    with pytest.raises(ValueError, match="out must"):
        core.sample(rows, np.ones((k, 61)), np.empty(k - 1, np.int64))
    for shape in ((k, 60), (k + 1, 61)):
        with pytest.raises(ValueError, match="probabilities must"):
            core.sample(rows, np.ones(shape), np.empty(k, np.int64))
    with pytest.raises(ValueError, match="dtype"):
        core.sample(rows, np.ones((k, 61), np.float32), np.empty(k, np.int64))
    with pytest.raises(ValueError, match="deals must"):
        core.begin(rows, np.empty((k, 3), np.uint32), np.zeros(k, np.int8))
    with pytest.raises(ValueError, match="leaders"):
        core.begin(rows, np.empty((k, 2), np.uint32), np.zeros(k + 1, np.int8))


def test_a_tablebase_is_of_the_variant():
    tablebase = mate.Tablebase.build(SMALL, threads=1)
    policy = compiled("optimal", mate.PRESETS["bga"])
    with pytest.raises(ValueError, match="another variant"):
        started().choose(None, policy, np.empty(3, np.int64), tablebase.core)


def test_no_rows_are_no_draw():
    core, none = started(), np.empty(0, np.int64)
    core.choose(none, compiled("random", mate.PRESETS["bga"]), none)
    core.sample(none, np.empty((0, 61)), none)
    core.begin(none, np.empty((0, 2), np.uint32), np.empty(0, np.int8))
