"""The reference against the published cases, and against examples worked by hand, rule by rule."""

from __future__ import annotations

import doctest
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

import reference
from make_values import random_ending
from reference import (
    POINTS,
    PRESETS,
    VARIANTS,
    Foreplace,
    State,
    Variant,
    after,
    is_over,
    lead_wins,
    legal,
    move_values,
    perft,
    play,
    read_deal,
    read_hand,
    read_position,
    result,
    solve,
    start,
    value,
    weight,
    write_deal,
    write_position,
)

DATA = Path(__file__).with_name("data")
CASES = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))
DEAL = "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A"


def replies(variant: str | Variant, lead: str, hand: str, free: bool = False) -> list[str]:
    """The legal replies of Y, who holds the cards of `hand`, after X led."""
    variant = reference.variant_of(variant)
    cards = tuple(sorted(hand.split(), key=variant.cards.index))
    card, declared = lead.rstrip("!"), lead.endswith("!")
    return legal(State(variant, ((), cards), 1, card, declared, 1, (None, None), free))


def played(state: State, line: str) -> State:
    """The state after the moves of the line."""
    for move in line.split():
        state = play(state, move)
    return state


def plain_value(state: State) -> int:
    """The value for the player to act, without memo or bounds."""
    if is_over(state):
        return result(state) if state.turn == 0 else -result(state)
    children = [after(state, move) for move in legal(state)]
    return max(plain_value(c) if c.turn == state.turn else -plain_value(c) for c in children)


# --- The published cases --------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["scores"], ids=str)
def test_published_scores(case):
    mater, mated = case["foreplaced"] in ("mater", "both"), case["foreplaced"] == "both"
    factor = weight(VARIANTS[case["variant"]], mater, mated, case["trick"])
    assert POINTS[case["card"]] * factor == case["points"]


@pytest.mark.parametrize("case", CASES["tricks"], ids=str)
def test_published_tricks(case):
    if "winner" in case:
        wins = lead_wins(VARIANTS["bga"], case["lead"], case["reply"])
        assert case["winner"] == ("leader" if wins else "follower")
    else:
        assert replies(case["variant"], case["lead"], case["hand"]) == case["legal"]


@pytest.mark.parametrize("case", CASES["endings"], ids=str)
@pytest.mark.parametrize("leader", "xy")
def test_published_endings(case, leader):
    variant = VARIANTS[case["variant"]]
    order = variant.cards.index
    hands = [tuple(sorted(case[who].split(), key=order)) for who in ("leader", "follower")]
    foreplaced = [
        "Ah" if who == case["sole_foreplacer"] else None for who in ("leader", "follower")
    ]
    if leader == "y":
        hands.reverse()
        foreplaced.reverse()
    turn = "xy".index(leader)
    state = State(variant, tuple(hands), turn, None, False, case["trick"], tuple(foreplaced), False)
    end = played(state, " ".join(case["line"]))
    assert is_over(end)
    points = case["points"] if case["winner"] == "leader" else -case["points"]
    assert result(end) == (points if leader == "x" else -points)


# --- §2 The game ----------------------------------------------------------------------------------


def test_2_4_the_first_lead_is_any_card():
    assert " ".join(legal(start("bga", DEAL))) == "Ac Tc Kc Qs 7s Ah Td Kd Qd 7d"
    assert " ".join(legal(start("bga", DEAL, "y"))) == "Qc 7c As Ts Ks Th Kh Qh 7h Ad"


def test_2_5_suit_first_then_rank_then_mate():
    assert replies("bga", "Kc", "Ac 7c Ks Kd") == ["Ac", "7c"]
    assert replies("bga", "Kc", "As Ks Kd") == ["Ks", "Kd"]
    assert replies("bga", "Kc", "As Qd") == []


def test_2_6_the_winner_leads():
    state = play(start("bga", DEAL), "Kc")
    assert state.turn == 1
    assert legal(state) == ["Qc", "7c"]
    state = play(state, "7c")
    assert (state.turn, state.trick, state.led) == (0, 2, None)
    state = played(state, "7s As")
    assert write_position(state) == "AT.Q.A.TKQ7/Q.TK.TKQ7.A y - 3 -/- -"


@pytest.mark.parametrize(
    ("led", "reply", "wins"),
    [
        ("Ac", "Tc", True),
        ("Tc", "Kc", True),  # the Ten is second, above the King
        ("Qc", "Kc", False),
        ("7c", "Qc", False),
        ("7c", "7s", True),
        ("7h", "7s", False),
        ("7h", "7d", True),
    ],
)
def test_2_6_who_wins_a_trick(led, reply, wins):
    assert lead_wins(VARIANTS["bga"], led, reply) is wins


def test_2_6_of_identical_cards_the_first_wins():
    state = read_position("7.K../7.7.. x - 9 -/- -", replace(VARIANTS["double"], foreplace=None))
    assert play(play(state, "7c"), "7c").turn == 0


def test_2_7_a_mate_scores_points_times_the_trick():
    state = read_position("..A.K/.TK.. x - 9 -/- -")
    assert played(state, "Kd Ks").turn == 1  # spades are above diamonds
    mate = play(state, "Ah")
    assert is_over(mate)
    assert mate.turn == 1
    assert result(mate) == 99
    mate = play(read_position(".TK../..A.K y - 9 -/- -"), "Ah")
    assert result(mate) == -99
    assert value(mate) == -99


def test_2_7_every_card_played_is_a_draw():
    state = read_position("K.../Q... x - 10 -/- -")
    end = played(state, "Kc Qc")
    assert write_position(end) == ".../... x - 11 -/- -"
    assert is_over(end)
    assert result(end) == 0


def test_2_7_the_highest_score_is_110():
    state = read_position("A.../.K.. x - 10 -/- -")
    assert value(state) == 110


# --- §3 Decks -------------------------------------------------------------------------------------


def test_3_decks_and_their_hands():
    assert [VARIANTS[name].hand_size for name in ("bga", "double", "double24")] == [10, 10, 12]
    assert all(len(VARIANTS[name].cards) == 2 * VARIANTS[name].hand_size for name in VARIANTS)
    assert VARIANTS["double"].cards[:7] == ["Ac", "Tc", "Kc", "7c", "7c", "As", "Ts"]


def test_3_copies_give_a_move_each():
    state = start("double", "AT77.AT.AT.AA")
    assert legal(state).count("*7c") == 2
    state = played(state, "*-")
    assert legal(state).count("7c") == 2
    assert perft(state, 1) == 10


def test_3_a_custom_deck_has_its_own_suits_ranks_and_points():
    variant = Variant(deck=("321", "21", "3"), suits="rgb", points={"3": 5, "2": 2, "1": 1})
    assert variant.cards == ["3r", "2r", "1r", "2g", "1g", "3b"]
    assert variant.hand_size == 3
    state = start(variant, "32..3/1.21.")
    assert result(play(state, "3b")) == 5
    assert play(play(state, "2r"), "1r").turn == 0


# --- §4 Privilege and free move -------------------------------------------------------------------


def test_4_a_privileged_rank_is_answered_in_rank_first():
    hand = "Ac 7c Ks Qd"
    assert replies("bga-king", "Kc", hand) == ["Ks"]
    assert replies("bga-king", "Qc", hand) == ["Ac", "7c"]
    assert replies("bga-figure", "Qc", hand) == ["Qd"]
    assert replies("bga-figure", "Tc", hand) == ["Ac", "7c"]
    assert replies("bga-king", "Kc", "Ac 7c Qd") == ["Ac", "7c"]
    assert replies("bga-king", "Kc", "As Qd") == []


def test_4_a_declared_privilege_is_the_leaders_choice():
    state = played(start("pieces", DEAL), "*- *-")
    assert legal(state)[:3] == ["Ac", "Ac!", "Tc"]
    assert replies("pieces", "Ac", "Kc As") == ["Kc"]
    assert replies("pieces", "Ac!", "Kc As") == ["As"]
    assert replies("pieces", "Ac!", "Kc Ks") == ["Kc"]
    assert write_position(play(state, "Ac!")).split()[1:3] == ["y", "Ac!"]
    assert "Kc!" not in legal(state)


def test_4_the_free_move_is_spent_only_where_it_was_needed():
    state = play(start("bga-free", "AT7.TQ7.K7.K7"), "Kh")
    assert write_position(state).endswith("+")
    assert legal(state) == ["Kc", "Ks", "Ah", "Th", "Qh"]
    assert play(state, "Ah").free
    spent = play(state, "Ks")
    assert not spent.free
    assert legal(play(spent, "As")) == ["Ts", "Qs", "7s"]  # no longer the Ace of clubs


def test_4_the_free_move_may_answer_a_privilege_in_suit():
    variant = replace(PRESETS["bga-king"], free_move=True)
    assert replies(variant, "Kc", "Ac Ks", free=True) == ["Ac", "Ks"]
    assert replies(variant, "Kc", "Ac Ks", free=False) == ["Ks"]


@pytest.mark.parametrize("name", PRESETS)
def test_4_nothing_changes_whether_a_lead_mates(name):
    assert replies(name, "Ac", "Ks Kh 7d", free=VARIANTS[name].free_move) == []


# --- §5 Foreplacing -------------------------------------------------------------------------------


def test_5_the_leader_decides_first_then_the_other_then_he_leads():
    state = start("tempos", DEAL, "y")
    assert write_position(state) == f"{DEAL} y - 1 ?/? -"
    assert " ".join(legal(state)) == "*Qc *7c *As *Ts *Ks *Th *Kh *Qh *7h *Ad *-"
    state = play(state, "*Ad")
    assert write_position(state) == "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7. x - 1 ?/Ad -"
    state = play(state, "*Ac")
    assert write_position(state) == "TK.Q7.A.TKQ7/Q7.ATK.TKQ7. y - 1 Ac/Ad -"
    assert legal(state)[0] == "Qc"


def test_5_second_alone():
    assert write_position(play(start("tempos", DEAL), "*-")) == f"{DEAL} y - 1 -/? -"
    assert write_position(play(start("capellen", DEAL), "*-")) == f"{DEAL} x - 1 -/- -"
    alone = played(start("pieces", DEAL), "*- *Ad")
    assert write_position(alone) == "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7. x - 1 -/Ad -"


def test_5_second_differs_in_suit_and_in_rank():
    state = play(start("capellen", DEAL), "*Kd")
    assert " ".join(legal(state)) == "*Qc *7c *As *Ts *Th *Qh *7h *-"
    assert "*Ad" in legal(play(start("tempos", DEAL), "*Kd"))


SOLE = "7.../.7.K. x - 9 Ah/- -"  # X's last card against two


def test_5_the_last_card_is_played_twice_as_lead():
    state = played(read_position(SOLE, "capellen"), "7c")
    assert write_position(state) == "7.../.7.K. y 7c 9 Ah/- -"
    state = play(state, "7s")
    assert write_position(state) == "7.../..K. x - 10 Ah/- -"
    assert result(play(state, "7c")) == 7 * 22


def test_5_the_last_card_is_played_twice_as_reply():
    state = played(read_position(".7.K./7... x - 9 -/Ah -", "capellen"), "7s 7c 7c")
    assert write_position(state) == "..K./... x 7c 10 -/Ah -"
    assert result(state) == -7 * 22
    state = played(read_position("K7.../Q... x - 9 -/Ah -", "capellen"), "Kc Qc")
    assert write_position(state) == "7.../Q... x - 10 -/Ah -"
    end = played(state, "7c Qc")
    assert write_position(end) == ".../... y - 11 -/Ah -"
    assert is_over(end)


def test_5_without_it_the_game_ends_a_trick_early():
    end = played(read_position(SOLE, "pieces"), "7c 7s")
    assert write_position(end) == ".../..K. x - 10 Ah/- -"
    assert is_over(end)
    assert result(end) == 0


def test_5_with_both_the_game_has_nine_tricks():
    state = read_position("K.../Q... x - 9 Ah/7d -", "capellen")
    assert is_over(played(state, "Kc Qc"))


WEIGHTS = {  # of tricks 8, 9 and 10
    ("bga", "nobody"): (8, 9, 10),
    ("capellen", "nobody"): (8, 9, 10),
    ("capellen", "both"): (9, 10, None),
    ("capellen", "mater"): (9, 10, 22),
    ("capellen", "mated"): (8, 9, 10),
    ("tempos", "nobody"): (8, 9, 10),
    ("tempos", "both"): (9, 10, None),
    ("tempos", "mater"): (18, 20, 22),
    ("tempos", "mated"): (8, 9, 10),
    ("pieces", "nobody"): (8, 9, 10),
    ("pieces", "both"): (9, 10, None),
    ("pieces", "mater"): (16, 20, None),
    ("pieces", "mated"): (8, 10, None),
}


@pytest.mark.parametrize(("name", "row"), WEIGHTS)
def test_5_weights(name, row):
    mater, mated = row in ("mater", "both"), row in ("mated", "both")
    for trick, expected in zip((8, 9, 10), WEIGHTS[name, row], strict=True):
        if expected is not None:
            assert weight(VARIANTS[name], mater, mated, trick) == expected


def test_5_weights_of_double24_go_with_its_twelve_tricks():
    variant = VARIANTS["double24"]
    assert [weight(variant, True, False, trick) for trick in (10, 11, 12)] == [11, 12, 26]
    assert weight(variant, False, False, 12) == 12


def test_5_weights_may_be_given_as_a_table():
    rows = {row: [i] * 10 for i, row in enumerate(("nobody", "both", "mater", "mated"))}
    variant = Variant(foreplace=Foreplace(True, False, True), weights=rows)
    who = [(False, False), (True, True), (True, False), (False, True)]
    assert [weight(variant, *both, 3) for both in who] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "position", "points"),
    [
        ("capellen", "A.../.K.. x - 10 7h/- -", 242),
        ("tempos", "A.../.K.. x - 10 7h/- -", 242),
        ("pieces", "A.../.KQ.. x - 9 7h/- -", 220),
        ("pieces", "AT.../.K.. x - 9 -/7h -", 110),
        ("tempos", "A.../.K.. x - 9 7h/7c -", 110),
    ],
)
def test_5_the_highest_scores(name, position, points):
    assert value(read_position(position, name)) == points


# --- §8 Values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_8_the_value_is_that_of_plain_minimax(name):
    rng = random.Random(name)
    for _ in range(25):
        state = random_ending(name, rng)
        if max(map(len, state.hands)) <= 4:
            assert value(state) == plain_value(state) == max(move_values(state).values())


@pytest.mark.parametrize("name", ["tempos", "capellen", "pieces"])
def test_8_foreplacing_is_part_of_the_game(name):
    variant = replace(VARIANTS[name], deck=("AT", "A7", "T7"), suits="csh")
    rng = random.Random(name)
    for _ in range(4):
        cards = rng.sample(variant.cards, 6)
        x, y = (tuple(sorted(h, key=variant.cards.index)) for h in (cards[:3], cards[3:]))
        deal = write_deal((x, y), variant)
        assert solve(deal, variant)[0] == plain_value(start(variant, deal))
        assert solve(deal, variant)[1] == plain_value(start(variant, deal, "y"))


def test_8_exchanged_hands_exchange_the_values():
    x, y = DEAL.split("/")
    assert solve(f"{y}/{x}", "bga") == solve(DEAL, "bga")[::-1]


def test_8_both_foreplaced_is_the_plain_game_from_trick_two():
    hands = "ATK.Q.A.TKQ7/Q7.ATK.TKQ7."
    both = read_position(f"{hands} x - 1 7s/Ad -", "tempos")
    assert value(both) == value(read_position(f"{hands} x - 2 -/- -", "bga"))


@pytest.mark.parametrize("name", ["endings", "foreplacing"])
def test_8_the_stored_positions_are_those_of_the_rules(name):
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for line in map(json.loads, lines[:: len(lines) // 40]):
        variant = VARIANTS[line["variant"]]
        if "deck" in line:
            variant = replace(variant, deck=tuple(line["deck"]))
        state = read_position(line["position"], variant)
        if sum(map(len, state.hands)) > 14:
            continue
        assert write_position(state) == line["position"]
        assert move_values(state) == line["moves"]
        assert value(state) == line["value"]


# --- Texts and counts -----------------------------------------------------------------------------


def test_texts_are_read_and_written():
    assert write_deal(read_deal("ATK.Q7.A.TKQ7")) == DEAL
    assert read_hand("7Q..TA.", VARIANTS["bga"]) == ("Qc", "7c", "Ah", "Th")
    for text in (SOLE, "K.../.A.. y Ac! 10 -/- -", f"{DEAL} x - 1 ?/? -", f"{DEAL} x - 1 -/- +"):
        assert write_position(read_position(text, "pieces")) == text


def test_an_illegal_move_is_refused():
    with pytest.raises(ValueError, match="Ad is illegal"):
        play(start("bga", DEAL), "Ad")


def test_perft_counts_sequences_and_copies():
    state = read_position("A.K../T.Q.. x - 9 -/- -")
    assert [perft(state, depth) for depth in range(6)] == [1, 2, 2, 2, 2, 0]
    state = read_position("77.../A.K.. x - 9 -/- -", "double")
    assert legal(state) == ["7c", "7c"]
    assert [perft(state, depth) for depth in range(6)] == [1, 2, 2, 2, 0, 0]  # the King mates


def test_doctests():
    assert doctest.testmod(reference).failed == 0
