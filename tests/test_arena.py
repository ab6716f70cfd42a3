"""Two players on the same deals from both seats: what is counted, against the slow way."""

import dataclasses
import json
import math
import statistics

import numpy as np
import pytest

import mate
import matecore
from mate.arrays import arena as arena_module
from mate.arrays import stepping
from mate.arrays.arena import Errors
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.student import within_95

VARIANTS = ["bga", "abril", "pieces", "double"]
SMALL = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))


def first_legal(observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
    return legal.argmax(axis=1)


def seatings(a, b, rounds: int, variant: str, seed: int) -> list[list[list[mate.Game]]]:
    """For each seating the rounds that were played, each two games."""
    first = SelfPlay.of(a, b, variant, seed, unit="round").play(0, rounds)
    second = SelfPlay.of(
        b, a, variant, seed, unit="round", deals=first.deal[::2].copy(), stream=1
    ).play(0, rounds)
    return [
        [[games.game(2 * i), games.game(2 * i + 1)] for i in range(rounds)]
        for games in (first, second)
    ]


def decisions(game: mate.Game, solver: matecore.Solver) -> list[tuple[str, int]]:
    """Who decided, where there was something to decide, and what he gave away."""
    found, again = [], game.root()
    for action in game.actions:
        values = {again.variant.action_names[a]: v for a, v in solver.values(again.core)}
        if len(values) > 1:
            move = again.variant.action_names[action]
            found.append((again.to_move, max(values.values()) - values[move]))
        again.push(action)
    return found


# --- Against the slow way ------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("a", "b"), [("random", "greedy"), ("epsilon:0.5", "random")])
def test_all_that_is_counted(variant, a, b):
    rounds = 6
    found = mate.arena(a, b, rounds, variant, seed=4)
    played = seatings(a, b, rounds, variant, seed=4)
    of_a = [
        [sign * sum(game.result for game in games) for games in seating]
        for sign, seating in zip((1, -1), played, strict=True)
    ]
    pairs = [(one + other) / 2 for one, other in zip(*of_a, strict=True)]
    mean, error = statistics.mean(pairs), statistics.stdev(pairs) / math.sqrt(rounds)
    assert found.margin == pytest.approx(mean)
    quantile = 2.570582  # Student's for 5 degrees of freedom, of a printed table
    assert found.high - found.margin == pytest.approx(quantile * error, rel=1e-6)
    assert found.margin - found.low == pytest.approx(quantile * error, rel=1e-6)
    every = [margin for seating in of_a for margin in seating]
    counted = [sum(m > 0 for m in every), every.count(0), sum(m < 0 for m in every)]
    assert [found.wins, found.draws, found.losses] == counted
    assert found.win_rate == pytest.approx((counted[0] + counted[1] / 2) / (2 * rounds))
    solver = matecore.Solver(mate.Variant.of(variant).rules)
    for name, errors in (("a", found.errors_a), ("b", found.errors_b)):
        lost = [
            points
            for seats, seating in zip(("xy", "yx"), played, strict=True)
            for games in seating
            for game in games
            for player, points in decisions(game, solver)
            if player == seats["ab".index(name)]
        ]
        assert errors.decisions == len(lost) > 20
        assert errors.regret == pytest.approx(statistics.mean(lost))
        assert errors.faultless == pytest.approx(lost.count(0) / len(lost))


@pytest.mark.parametrize("variant", VARIANTS)
def test_choices_are_decisions_between_moves_not_copies(variant):
    games = mate.selfplay(40, variant=variant, seed=2)
    chosen = games.n_legal > 1
    for row in range(len(games)):
        game = games.game(row).root()
        for ply, action in enumerate(games.game(row).actions):
            assert chosen[row, ply] == (len(game.legal_moves) > 1)
            game.push(action)
        assert not chosen[row, len(game.actions) :].any()


def test_the_second_seating_is_on_the_same_deals_with_other_chances():
    deals: list[np.ndarray] = []

    def spy(name):
        def policy(observations, legal):
            begin = (observations[:, 9, 0] == 1) & ~observations[:, 2].any(axis=1)
            if name == "a":
                deals.extend(observations[begin, 0])
            return legal / legal.sum(axis=1, keepdims=True)

        return policy

    one, other = seatings("random", "random", 20, "bga", 1)
    same = [a[0].root().position == b[0].root().position for a, b in zip(one, other, strict=True)]
    assert all(same)
    moves = [a[0].actions == b[0].actions for a, b in zip(one, other, strict=True)]
    assert not any(moves)
    mate.arena(spy("a"), spy("b"), 20, seed=1)
    # a leads half of the games of all rounds, with either hand of a deal as often.
    masks = [int((planes.astype(np.int64) << np.arange(20)).sum()) for planes in deals]
    dealt = {hand for games in one for hand in (games[0].root().x.mask, games[0].root().y.mask)}
    assert len(masks) == 40
    assert set(masks) <= dealt


# --- What must come out --------------------------------------------------------------------------


def test_exact_players_are_level_on_every_deal():
    found = mate.arena("optimal", "optimal", 20, seed=1)
    assert (found.margin, found.low, found.high) == (0, 0, 0)
    assert (found.wins, found.draws, found.losses, found.win_rate) == (0, 40, 0, 0.5)
    assert found.errors_a.regret == found.errors_b.regret == 0
    assert found.errors_a.faultless == found.errors_b.faultless == 1


def test_exchanged_players_are_the_negative():
    one = mate.arena("greedy", "optimal", 30, "capellen", seed=2)
    other = mate.arena("optimal", "greedy", 30, "capellen", seed=2)
    # optimal draws its ties from other streams, so that only what does not depend on it is equal.
    assert one.margin < 0 < other.margin
    assert one.errors_b.regret == other.errors_a.regret == 0
    greedy = [
        mate.arena(*sides, 30, seed=2)
        for sides in (("greedy", first_legal), (first_legal, "greedy"))
    ]
    assert greedy[0].margin == -greedy[1].margin
    assert greedy[0].errors_a == greedy[1].errors_b
    assert (greedy[0].wins, greedy[0].losses) == (greedy[1].losses, greedy[1].wins)


def test_a_better_player_wins_beyond_chance():
    found = mate.arena("optimal", "random", 100, seed=3)
    assert found.low > 50
    assert found.win_rate > 0.95
    assert found.errors_a.regret == 0 < found.errors_b.regret


@pytest.mark.parametrize("rounds", [5, 30])
def test_equal_players_are_within_the_interval_as_often_as_it_says(rounds):
    inside, tablebase = 0, mate.Tablebase.build(SMALL, threads=1)
    for seed in range(1000):
        found = mate.arena("random", "random", rounds, SMALL, seed, 1, tablebase)
        inside += found.low <= 0 <= found.high
    assert 925 <= inside <= 975  # of 1000 with 95 %, within more than three deviations


def test_students_quantiles_are_those_of_printed_tables():
    table = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 9: 2.2622, 29: 2.0452, 100: 1.9840}
    assert {degrees: round(within_95(degrees), 4) for degrees in table} == table
    # Where one way of finding them ends and another begins.
    assert 0 < within_95(100) - within_95(101) < 3e-4
    assert within_95(10**9) == pytest.approx(statistics.NormalDist().inv_cdf(0.975), abs=1e-8)


def test_students_quantiles_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    for degrees in [*range(1, 130), 1000, 10**5]:
        assert within_95(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-8), degrees


def test_errors_may_be_larger_than_any_margin():
    deck = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (10_000, 9000, 8000))
    variant, lost = mate.Variant(deck=deck), []
    found = mate.arena("random", "random", 100, variant, seed=1)
    solver = matecore.Solver(variant.rules)
    for seating in seatings("random", "random", 100, variant, 1):
        lost += [points for games in seating for g in games for _, points in decisions(g, solver)]
    assert max(lost) > 32_767
    decided = found.errors_a.decisions + found.errors_b.decisions
    assert decided == len(lost)
    points = sum(e.regret * e.decisions for e in (found.errors_a, found.errors_b))
    assert points == pytest.approx(sum(lost))


@pytest.fixture(scope="module")
def on_one_thread():
    return mate.arena("epsilon:0.3", first_legal, 25, "pieces", seed=1, threads=1)


@pytest.mark.parametrize("block", [1, 7, 4096])
def test_blocks_and_threads_are_no_matter(block, on_one_thread, monkeypatch):
    monkeypatch.setattr(arena_module, "BLOCK", block)
    monkeypatch.setattr(stepping, "BLOCK", block)
    assert mate.arena("epsilon:0.3", first_legal, 25, "pieces", seed=1, threads=2) == on_one_thread


def test_a_tablebase_is_no_matter():
    tablebase = mate.Tablebase.build(SMALL, threads=1)
    one = mate.arena("epsilon:0.3", "random", 200, SMALL, seed=1, tablebase=tablebase)
    assert one == mate.arena("epsilon:0.3", "random", 200, SMALL, seed=1)
    with pytest.raises(mate.VariantError):
        mate.arena("random", "random", 2, tablebase=tablebase)


def test_a_function_is_named_by_its_name():
    class Network:
        def __call__(self, observations, legal):
            return legal.argmax(axis=1)

    found = mate.arena(first_legal, Network(), 2)
    assert (found.a, found.b) == ("first_legal", "Network")


def test_one_deal_tells_no_interval():
    found = mate.arena("random", "random", 1)
    assert (found.low, found.high) == (-math.inf, math.inf)
    plain = found.to_plain()
    assert (plain["low"], plain["high"]) == (None, None)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_players_without_a_choice_err_nowhere():
    deck = mate.Deck("ab", "X", ("X", "X"), (1,))
    found = mate.arena("random", "random", 3, mate.Variant(deck=deck))
    assert found.errors_a == Errors(0, 0.0, 1.0)


def test_progress_goes_up_to_the_deals(monkeypatch):
    monkeypatch.setattr(arena_module, "BLOCK", 10)
    told = []
    mate.arena("random", first_legal, 25, progress=lambda *done: told.append(done))
    assert told == sorted(told)
    assert told[-1] == (25, 25)
    assert {total for _, total in told} == {25}


def test_it_is_plain_data_and_a_text():
    found = mate.arena("greedy", "random", 20, "pieces", seed=7)
    plain = found.to_plain()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["errors_a"] == dataclasses.asdict(found.errors_a)
    lines = str(found).splitlines()
    assert lines[0] == "greedy against random, pieces: 40 rounds on 20 deals, seed 7"
    assert f"{found.margin:+.2f} points" in lines[1]
    assert f"{found.wins} won, {found.draws} level, {found.losses} lost" in lines[2]
    assert f"{found.errors_b.regret:.3f} points a decision" in lines[4]


# --- Hostile input -------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, -1, 1.5, "1", None, True])
def test_rounds_are_a_number_from_1(rounds):
    with pytest.raises(mate.MateError, match="rounds"):
        mate.arena("random", "random", rounds)


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": "nonsense"},
        {"b": 5},
        {"a": None},
        {"a": first_legal, "b": "nonsense"},
        {"seed": -1},
        {"seed": 1 << 64},
        {"variant": "nonsense"},
        {"threads": 0},
        {"tablebase": "file"},
    ],
)
def test_what_is_wrong_is_refused(wrong):
    with pytest.raises(mate.MateError):
        mate.arena(**{"a": "random", "b": "random", "rounds": 2} | wrong)


def test_an_illegal_answer_names_the_player():
    def policy(observations, legal):
        return np.full(len(legal), 60)

    with pytest.raises(mate.MateError, match=r"policy y, game \d+, ply \d+: action 60"):
        mate.arena("random", policy, 3)
