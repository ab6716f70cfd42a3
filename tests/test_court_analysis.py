"""Analyses of hands and of many deals: by each other, by the rules, and by what follows a move."""

import numpy as np
import pytest

import mate
from mate.court_piece import PRESETS, Deal, Hand, analyze, solve

# The hands of the rules (section 4) with the tricks of seat 1 leading, by S H D C.
FACTS = {
    "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75": [12, 11, 13, 10],
    "N:AJ.74.T87652.T63 T542.K832.KQ94.A Q963.JT96.AJ3.J9 K87.AQ5..KQ87542": [9, 9, 6, 11],
    "N:K9853.T72.Q8652. J764.KJ6..KQ8542 AQ.98.AJT97.JT73 T2.AQ543.K43.A96": [6, 9, 3, 10],
}
SEED = next(iter(FACTS))


# A hand a few tricks before its end, where every search is short.
def ending(preset: str, seed: int, n_moves: int = 32) -> Hand:
    chances = np.random.default_rng(seed)
    while True:
        hand = Hand(Deal.random(chances, variant=preset), preset)
        while not hand.is_over and len(hand.moves) < n_moves:
            hand.push(hand.legal_moves[chances.integers(len(hand.legal_moves))])
        if not hand.is_over:
            return hand


VARIANTS = [*PRESETS, "seed,chase=optional", "double-sir,collection=double_team,ace_rule=yes"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(4))
def test_a_move_is_worth_what_follows_it(variant, seed):
    hand = ending(variant, seed)
    found = analyze(hand)
    side = hand.to_act % 2
    assert {move.move for move in found.moves} == set(hand.legal_moves)
    for move in found.moves:
        after = hand.copy()
        after.push(move.move)
        if after.is_over:
            assert move.points == after.points[side] - after.points[1 - side]
            continue
        then = analyze(after)
        sign = 1 if after.to_act % 2 == side else -1
        assert move.points == sign * then.points
        collected = after.collected[side] - hand.collected[side]
        left = 13 - sum(after.collected)
        rest = then.tricks if sign == 1 else left - then.tricks
        assert move.tricks == collected + rest
    assert found.points == max(move.points for move in found.moves)
    assert found.tricks == max(move.tricks for move in found.moves)


# A court of the first seven may cost tricks later on.
def test_moves_stand_in_the_order_of_points_and_then_of_tricks():
    found = analyze(ending("hokm", 13, 5))
    worth = [(move.points, move.tricks) for move in found.moves]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1][1] > worth[2][1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_line_is_legal_as_far_as_the_hand_goes(variant):
    hand = ending(variant, 9)
    found = analyze(hand)
    assert found.tricks == {move.move: move.tricks for move in found.moves}[found.line[0]]
    played = hand.copy()
    for move in found.line:
        if not played.is_over:
            played.push(move)
    assert played.is_over
    assert len(found.line) == 4 * (13 - len(hand.tricks)) - len(hand.table.cards)


def test_before_the_trump_is_named_the_line_names_what_brings_most_points():
    line = analyze(Hand(SEED)).line
    assert (line[0], len(line)) == ("D", 53)


def test_trumps_are_moves_before_one_is_named():
    moves = {move.move: (move.tricks, move.points) for move in analyze(Hand(SEED)).moves}
    assert moves == {"S": (12, 1), "H": (11, 1), "D": (13, 3), "C": (10, 1)}


def test_whether_to_play_on_is_valued():
    hand = Hand(SEED, "seed,chase=optional")
    moves = "S AS 2S 3S 4S KS 5S 9S 6S 4H 2H AH 5H 4D 3D QD 2D QS 8S 5C JS AD 6D 9D 7D 5D 8D KD TD"
    for move in moves.split():
        hand.push(move)
    found = analyze(hand)
    assert {move.move for move in found.moves} == {"stop", "on"}
    # The last of the seven tricks told, six are left; West leads, and the court is not to be had.
    assert {move.move: move.points for move in found.moves} == {"stop": 1, "on": 1}
    assert found.tricks < 6
    # Nothing is collected after the hand is stopped, and there is no line of it.
    assert [(move.move, move.tricks) for move in found.moves] == [("on", 5), ("stop", 0)]
    assert (found.best, found.line[0]) == ("on", "on")


def test_a_line_can_be_played_over_the_decision_to_go_on():
    hand = Hand(SEED, "seed,chase=optional", trump="D")
    found = analyze(hand)
    assert found.best == found.line[0]
    assert found.line[28] == "on"
    for move in found.line:
        hand.push(move)
    assert (hand.court, hand.winner) == (True, 1)


def test_no_play_is_better_stopped():
    for points in ("1/3/1/3", "1/1/1/1", "0/1/0/3", "0/0/1/1"):
        variant = f"seed,chase=optional,points={points}"
        hand = Hand(SEED, variant, trump="D")
        for move in analyze(hand).line[:28]:
            hand.push(move)
        assert analyze(hand).best == "on"


def test_a_hand_that_is_over_has_no_moves():
    hand = ending("hokm", 3)
    while not hand.is_over:
        hand.push(hand.legal_moves[0])
    found = analyze(hand)
    assert (found.moves, found.best, found.line, found.tricks) == ((), None, (), 0)
    side = hand.to_act % 2
    assert found.points == hand.points[side] - hand.points[1 - side]


def test_the_tricks_of_deals_are_those_of_the_rules_on_any_number_of_threads():
    deals, seen = list(FACTS) * 3, []
    found = solve(deals, leader=1, threads=2, progress=lambda *done: seen.append(done))
    assert (found.shape, found.dtype) == ((9, 5, 1), np.int8)
    assert found[:, :4, 0].tolist() == list(FACTS.values()) * 3
    assert seen[-1] == (45, 45)
    assert (solve(SEED.split("\n"), leader="e") == found[:1]).all()
    assert (solve(deals, "C", 1, threads=1) == solve(deals, "C", 1, threads=3)).all()


@pytest.mark.parametrize("variant", ["seed", "double-sir"])
@pytest.mark.parametrize("trump", "SDN")
def test_a_deal_and_a_hand_say_the_same(trump, variant):
    found = solve([SEED], trump, 1, variant)
    assert found.item() == analyze(Hand(SEED, variant, trump=trump)).tricks


def test_no_deals_have_no_tricks():
    assert solve([]).shape == (0, 5, 4)


@pytest.mark.parametrize(
    "arguments",
    [
        (SEED,), (["N:"],), ([None],), ([SEED], "Z"), ([SEED], None, 4),
        ([SEED], None, "X"), ([SEED], None, ""), ([SEED], None, 1, "bga"),
        ([SEED], None, 1, "seed", 0),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused(arguments):
    with pytest.raises(mate.MateError):
        solve(*arguments)


def test_what_is_no_hand_is_refused():
    with pytest.raises(mate.MateError, match="no hand"):
        analyze(SEED)
