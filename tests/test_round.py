"""Rounds and matches (section 6): exchange, leaders, totals, length, and the way back."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mate
import reference
from pairing import NAMES, engine_variant, random_deal

seeds = st.integers(0, 2**32)
DRAWN = "ATK.Q7.A.TKQ7"


def play_out(round, rng):
    while not round.is_over:
        round.push(rng.choice(round.legal_moves))


def random_match(variant, rng):
    """A match played to its end, or to 40 rounds."""
    match = mate.Match(variant, rng.choice("xy"))
    while not match.is_over and len(match.rounds) < 40:
        match.begin(random_deal(variant, rng))
        play_out(match.round, rng)
    return match


# Section 6: the players exchange their original ten cards.
@given(seeds, st.sampled_from(NAMES), st.sampled_from(["other", "loser"]))
def test_the_second_game_of_a_round(seed, name, rule):
    rng = random.Random(seed)
    variant = replace(engine_variant(name), second_leader=rule)
    round = mate.Round(random_deal(variant, rng), variant, leader := rng.choice("xy"))
    play_out(round, rng)
    first, second = round.games
    margin, later = first.result, second.result
    assert round.scores == (
        max(margin, 0) + max(later, 0),
        max(-margin, 0) + max(-later, 0),
    )
    while second.actions:
        second.pop()
    assert (str(second.x), str(second.y)) == (str(round.deal.y), str(round.deal.x))
    assert second.leader == reference.leader_of_second(rule, leader, margin)


@given(seeds, st.sampled_from(NAMES))
def test_a_round_is_taken_back_move_by_move(seed, name):
    rng = random.Random(seed)
    variant = engine_variant(name)
    round = mate.Round(random_deal(variant, rng), variant)
    before = []
    while not round.is_over:
        before.append(round.copy())
        round.push(rng.choice(round.legal_moves))
    assert round.legal_moves == ()
    assert (round.winner == "x") == (round.result > 0)
    while before:
        last = (round.games[-1].moves or round.games[0].moves)[-1]
        assert round.pop() == last
        assert round == before.pop()
        assert round.result is None
        assert round.winner is None
    with pytest.raises(mate.MateError, match="nothing was played"):
        round.pop()


def test_a_round_refuses_moves():
    round = mate.Round(DRAWN)
    round.push("Kc")
    with pytest.raises(mate.IllegalMoveError, match="legal: Qc 7c"):
        round.push("Ks")
    play_out(round, random.Random(1))
    with pytest.raises(mate.IllegalMoveError, match="the game is over"):
        round.push("Ac")


@pytest.mark.parametrize("arguments", [("",), (DRAWN, "nope"), (DRAWN, "bga", "xy"), (DRAWN, 7)])
def test_rounds_that_cannot_be(arguments):
    with pytest.raises(mate.MateError):
        mate.Round(*arguments)


# --- Matches ---


# Section 6: round_leader, rounds, target; told again from the text.
@given(seeds, st.sampled_from(NAMES))
def test_a_match(seed, name):
    rng = random.Random(seed)
    variant = replace(engine_variant(name), round_leader=rng.choice(["other", "winner"]))
    if rng.random() < 0.5:
        variant = replace(variant, rounds=None, target=rng.choice([1, 50, 200]))
    match = random_match(variant, rng)
    leader, x, y, lengths = match.first_leader, 0, 0, []
    for number, round in enumerate(match.rounds, start=1):
        assert round.leader == leader
        rx, ry = round.scores
        x, y = x + rx, y + ry
        winner = "x" if rx > ry else "y" if ry > rx else None
        other = {"x": "y", "y": "x"}[leader]
        leader = winner or other if variant.round_leader == "winner" else other
        over = number == variant.rounds
        if variant.target:
            over = (x >= variant.target and x > y) or (y >= variant.target and y > x)
        lengths.append(over)
    assert match.scores == (x, y)
    assert lengths[:-1] == [False] * (len(lengths) - 1)
    assert lengths[-1] == match.is_over
    assert match.leader == leader
    if match.is_over:
        assert match.result == x - y
        assert match.winner == ("x" if x > y else "y" if y > x else None)
        with pytest.raises(mate.MateError, match="the match is over"):
            match.begin(random_deal(variant, rng))


def test_a_match_step_by_step():
    match = mate.Match("bga", "y")
    assert (match.leader, match.is_over, match.between_rounds, match.is_last_round) == (
        "y", False, True, False,
    )  # fmt: skip
    match.begin(DRAWN)
    assert match.round.leader == "y"
    with pytest.raises(mate.MateError, match="round 1 is not over"):
        match.begin(DRAWN)
    move = match.round.legal_moves[0]
    match.push(move)
    assert match.pop() == move
    with pytest.raises(mate.MateError, match="nothing was played"):
        match.pop()
    play_out(match.round, random.Random(1))
    assert (match.leader, match.result, match.is_over) == ("x", None, False)
    match.begin(DRAWN)
    assert match.is_last_round
    play_out(match.round, random.Random(2))
    assert match.is_over
    assert not match.is_last_round


# Section 6: level at or above the target, another round.
def test_level_above_the_target_another_round_is_played():
    match = mate.Match("bga,rounds=none,target=30")
    match.begin("AQ7.A7.TK7.AT")
    for _ in range(2):
        while not match.between_rounds and not match.game.is_over:
            match.push(mate.analyze(match.game).best)
            if not match.game.actions:
                break
    assert match.scores == (56, 56)
    assert (match.is_over, match.is_last_round) == (False, False)


def test_matches_of_other_rules_differ():
    assert mate.Match("bga") != mate.Match("abril")
    assert mate.Match("bga") != mate.Match("bga", "y")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_last_round_is_the_last(number):
    match = mate.Match("pieces")
    for _ in range(number):
        match.begin(mate.Deal.random(1, match.variant.deck))
        last = match.is_last_round
        play_out(match.round, random.Random(3))
    assert last == (number == 3)


def test_a_drawn_match():
    match = mate.Match(mate.Variant(rounds=1))
    match.begin(DRAWN)
    for game in range(2):
        while len(match.round.games) == game + 1 and not match.round.is_over:
            match.push(mate.analyze(match.game).best)
    assert (match.scores, match.result, match.winner) == ((0, 0), 0, None)


@pytest.mark.parametrize("action", ["round", "game", "push", "pop"])
def test_nothing_can_be_played_before_the_first_deal(action):
    match = mate.Match()
    with pytest.raises(mate.MateError):
        match.push("Ac") if action == "push" else match.pop() if action == "pop" else getattr(
            match, action
        )


@pytest.mark.parametrize("arguments", [("bga", "z"), ("bga", None), ("chess",), (None,)])
def test_matches_that_cannot_be(arguments):
    with pytest.raises(mate.MateError):
        mate.Match(*arguments)


def test_a_deal_of_another_deck():
    with pytest.raises(mate.VariantError):
        mate.Match("double").begin(mate.Deal.random(1))


# --- Records ---


# A match that breaks off anywhere is played on as if it had not.
@given(seeds, st.sampled_from(NAMES))
def test_a_match_is_resumed_from_its_records(seed, name):
    rng = random.Random(seed)
    variant = engine_variant(name)
    match = random_match(variant, rng)
    for _ in range(rng.randint(0, 60)):
        if not any(game.actions for game in match.round.games):
            break
        match.pop()
    text = "".join(map(mate.write_record, match.records({"X": "Anna", "Y": "Bert"})))
    again = mate.Match.from_records(mate.parse_records(text))
    assert again == match
    assert (again.scores, again.leader, again.is_over) == (
        match.scores, match.leader, match.is_over,
    )  # fmt: skip
    assert [r.tags["Round"] for r in again.records()][:2] in (["1.1"], ["1.1", "1.2"])


def match_records():
    match = mate.Match("bga")
    while not match.is_over:
        match.begin(DRAWN)
        play_out(match.round, random.Random(4))
    return match.records()


def without(records, n):
    return records[:n] + records[n + 1 :]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda records: [], "there is no game"),
        (lambda records: without(records, 0), "expected"),
        (lambda records: without(records, 1), "expected"),
        (lambda records: records[:1] * 2, "expected"),
        (lambda records: [*records, records[0]], "the match is over"),
        (lambda records: [replace(records[0], moves=records[0].moves[:-1]), *records[1:]],
         "is not over"),
        (lambda records: [*records[:2], match_of("bga-king").records()[0]], "a deal of bga"),
        (lambda records: [records[0], mate.Record.of(mate.Game.from_position(ENDING))],
         "a deal of bga"),
        (lambda records: [1], "no record"),
        (lambda records: [replace(records[0], moves=())] * 2, "told twice"),
        (lambda records: 5, "expected records"),
    ],
)  # fmt: skip
def test_records_that_are_no_match(change, why):
    with pytest.raises(mate.MateError, match=why):
        mate.Match.from_records(change(match_records()))


ENDING = "7.Q../.7.K. x - 9 -/- -"


def match_of(name):
    match = mate.Match(name)
    match.begin(DRAWN)
    return match


@pytest.mark.parametrize("player", [None, mate.Player, "random"])
def test_who_is_no_player_does_not_play(player):
    for played in (mate.Round(DRAWN), mate.Match()):
        with pytest.raises(mate.MateError, match="is no player"):
            played.play(player, mate.Player(1))


@pytest.mark.parametrize("tags", [5, ["x"]])
def test_tags_that_are_none(tags):
    match = match_of("bga")
    with pytest.raises(mate.MateError):
        match.records(tags)
    with pytest.raises(mate.MateError):
        mate.Record.of(match.game, tags)
