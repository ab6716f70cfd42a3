"""Texts in and out, and what is said of a bad one (the contract's notations)."""

import pickle

import pytest

import mate
from mate.notation import parse_card

SINGLE = mate.DECKS["single"]
DEAL = "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A"
START = f"{DEAL} x - 1 -/- -"


# --- Reading what people write ---


@pytest.mark.parametrize(
    ("text", "lang", "card"),
    [
        ("Ac", "en", "Ac"), ("10d", "en", "Td"), ("A♣", "en", "Ac"), ("♣A", "en", "Ac"),
        ("♦10", "en", "Td"), ("aC", "en", "Ac"), ("kH", "en", "Kh"), ("♡q", "en", "Qh"),
        ("Rp", "pt", "Kc"), ("De", "pt", "Qs"), ("10c", "pt", "Th"), ("7o", "pt", "7d"),
        ("Rt", "fr", "Kc"), ("Dp", "fr", "Qs"), ("Ac", "fr", "Ah"), ("7k", "fr", "7d"),
        ("Dp", "de", "Qs"), ("Ah", "de", "Ah"), ("D♣", "de", "Qc"), ("K♦", "de", "Kd"),
    ],
)  # fmt: skip
def test_cards_are_read_as_people_write_them(text, lang, card):
    assert parse_card(text, SINGLE, lang) == card


@pytest.mark.parametrize("text", ["Kk", "Ac", "7d"])
def test_german_suits_that_begin_alike_are_refused(text):
    with pytest.raises(mate.NotationError):
        parse_card(text, SINGLE, "de")


def test_an_unknown_language():
    with pytest.raises(mate.MateError, match="en, pt, fr, de"):
        parse_card("Ac", SINGLE, "xx")


@pytest.mark.parametrize(
    "text",
    [DEAL, "ATK.Q7.A.TKQ7", "KAT.7Q.A.Q7KT", "a10k.q7.a.10kq7", f"  {DEAL}\n", "A10K.Q7.A.TKQ7"],
)
def test_deals_are_written_one_way(text):
    assert str(mate.Deal.parse(text)) == DEAL


def test_a_deal_in_portuguese_letters():
    assert str(mate.Deal.parse("A10R.D7.A.10RD7", lang="pt")) == DEAL


@pytest.mark.parametrize(
    ("variant", "move", "written"),
    [
        ("bga", "10d", "Td"), ("bga", "♣a", "Ac"), ("capellen", "*10d", "*Td"),
        ("capellen", "*-", "*-"), ("pieces", "ac!", "Ac!"),
    ],
)  # fmt: skip
def test_moves_are_read_as_people_write_them(variant, move, written):
    game = mate.Game("ATK.Q7.A.TKQ7", variant)
    if variant == "pieces":
        game.push("*-")
        game.push("*-")
    game.push(move)
    assert game.moves[-1] == written


# --- Bad texts: the column and the reason ---


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a rank or the dot"),
        ("ATK.Q7.A.TKQ", 1, "10 cards in the hand of X (there are 9)"),
        ("ATK.Q7.A.TKQ77", 14, "not dealt already"),
        ("ATZ.Q7.A.TKQ7", 3, "a rank of ATKQ7"),
        ("ATK.Q7.A", 9, "the dot"),
        ("ATK.Q7.A.TKQ7/", 15, "the dot"),
        ("ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.", 15, "10 cards in the hand of Y (there are 9)"),
        ("ATK.Q7.A.TKQ7/ATK.Q7.A.TKQ7", 15, "not dealt already"),
        ("ATK.Q7.A.TKQ7.", 14, "nothing more"),
        ("ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A/", 28, "nothing more"),
        ("ATK.Q7.A.TKQ\x1b7", 13, "a rank of ATKQ7"),
        ("ATK.Q7.A.1KQ7", 10, "a rank of ATKQ7"),
    ],
)
def test_bad_deals(text, column, expected):
    with pytest.raises(mate.NotationError) as caught:
        mate.Deal.parse(text)
    assert caught.value.column == column
    assert expected in caught.value.expected
    assert caught.value.text == text
    assert "\x1b" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("variant", "text", "column", "expected"),
    [
        ("bga", f"{DEAL} x - 1 -/-", 38, "six fields"),
        ("bga", f"{DEAL} x - 1 -/- - x", 41, "six fields"),
        ("bga", f"{DEAL} z - 1 -/- -", 29, "x or y"),
        ("bga", f"{DEAL} x - 2 -/- -", 1, "X has 10 cards where trick 2 leaves 9"),
        ("bga", f"{DEAL} x - 0 -/- -", 33, "the number of the trick"),
        ("bga", f"{DEAL} x - 99 -/- -", 33, "trick: 99 is not in"),
        ("bga", f"{DEAL} x - 1 -/- +", 39, "no free move"),
        ("bga-free", f"{DEAL} x - 1 -/- -", 39, "cannot be spent before the first reply"),
        ("bga", f"{DEAL} x - 1 ?/? -", 35, "no foreplacing"),
        ("bga", f"{DEAL} y Ac 1 -/- -", 31, "not dealt already"),
        ("bga", "TK.Q7.A.TKQ7/Q7.ATK.TKQ7.A x Ac 1 -/- -", 1, "X has 9 cards"),
        ("bga", "TK.Q7.A.TKQ7/Q7.ATK.TKQ7.A y Ac! 1 -/- -", 30, "cannot be declared"),
        ("pieces", "TK.Q7.A.TKQ7/Q7.ATK.TKQ7.A y Ac 1 -/? -", 30, "until foreplacing is decided"),
        ("capellen", f"{DEAL} y - 1 -/? -", 35, "not asked"),
        ("capellen", f"{DEAL} y - 1 ?/- -", 29, "must act"),
        ("capellen", f"{DEAL} x - 1 Ac/- -", 35, "not dealt already"),
        ("capellen", "TK.Q7.A.TKQ7/Q7.ATK.TKQ7.A y - 1 Ac/- -", 34, "only after the leader"),
        ("capellen", "TK.Q7.A.TKQ7/Q7.TK.TKQ7.A x - 1 Ac/As -", 33, "differ in suit and in rank"),
        ("capellen", "TK.Q7.A.TKQ7/Q7.TK.TKQ7.A x - 1 Ac/Ac -", 36, "not dealt already"),
        ("capellen", "TK.Q7.A.TKQ7/Q7.ATK.TKQ7.A x - 2 ?/- -", 32, "until foreplacing is decided"),
        ("capellen", "..../.7.K. y 7c 9 Ac/- -", 4, "slash"),
        ("capellen", ".../.7.K. y 7c 9 Ac/- -", 13, "not dealt already"),
        ("bga", ".../... y 7c 11 -/- -", 11, "every trick is played"),
    ],
)
def test_bad_positions(variant, text, column, expected):
    with pytest.raises(mate.NotationError) as caught:
        mate.Position.parse(text, variant)
    assert (caught.value.column, expected in str(caught.value)) == (column, True), caught.value


@pytest.mark.parametrize("text", ["", "A", "Zc", "Ax", "Ac ", "AcAc", "1c", "10", "♣", "*", "Ac!!"])
def test_bad_moves(text):
    game = mate.Game("ATK.Q7.A.TKQ7")
    if text == "Ac ":
        game.push(text)  # blanks around a text are nothing
        return
    with pytest.raises(mate.NotationError):
        game.push(text)
    assert game.moves == []


def test_an_illegal_move_names_the_position_and_what_is_legal():
    game = mate.Game("ATK.Q7.A.TKQ7")
    game.push("Kc")
    with pytest.raises(mate.IllegalMoveError) as caught:
        game.push("As")
    error = caught.value
    assert (error.move, error.position, error.legal) == ("As", str(game), game.legal_moves)
    assert str(error) == f"'As' is not legal in {game}; legal: Qc 7c"


@pytest.mark.parametrize("move", [-1, 61, 10**30, 3.5, None, [], b"Ac", True, "*Ac", "*-", "Ac!"])
def test_moves_that_cannot_be(move):
    game = mate.Game("ATK.Q7.A.TKQ7")
    with pytest.raises(mate.IllegalMoveError):
        game.push(move)
    assert str(game) == START


def test_a_text_of_a_megabyte_is_refused_in_few_words():
    with pytest.raises(mate.NotationError) as caught:
        mate.Deal.parse("A" * 1_000_000)
    assert len(str(caught.value)) < 200
    with pytest.raises(mate.NotationError):
        mate.Position.parse("A " * 500_000)


@pytest.mark.parametrize("value", [None, 5, b"ATK.Q7.A.TKQ7", ["ATK.Q7.A.TKQ7"]])
def test_what_is_no_text(value):
    with pytest.raises(mate.MateError):
        mate.Deal.parse(value)
    with pytest.raises(mate.MateError):
        mate.Position.parse(value)
    with pytest.raises(mate.MateError):
        mate.Game(value)
