"""The board, the sentences and the tables that people read."""

from dataclasses import replace

import pytest
from rich.console import Console

import mate
from mate.analysis import Outcome
from mate.render.grid import grid, marks_of
from mate.render.marks import spends_free_move
from mate.render.table import moves_table, verdict
from mate.render.text import (
    brought,
    ended,
    numbered,
    outcome_after,
    outcome_of,
    points,
    signed,
    situation,
    spoken,
    told,
)

DEAL = "ATK.Q7.A.TKQ7"


def marks(state) -> dict[str, list[str]]:
    """The marks of each card by its text, copies in order."""
    found: dict[str, list[str]] = {}
    for card, (text, _) in zip(state.variant.deck.cards, marks_of(state), strict=True):
        found.setdefault(card, []).append(text.strip())
    return found


def played(deal: str, *moves: str, variant: str = "bga", leader: str = "x") -> mate.Game:
    game = mate.Game(deal, variant, leader)
    for move in moves:
        game.push(move)
    return game


def shown(renderable) -> str:
    console = Console(width=80, markup=False, color_system=None)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


# --- The board -----------------------------------------------------------------------------------


def test_the_board_names_the_holder_of_every_card():
    found = marks(mate.Game(DEAL))
    assert {card for card, mark in found.items() if mark == ["X"]} == set(mate.Deal.parse(DEAL).x)
    assert {card for card, mark in found.items() if mark == ["Y"]} == set(mate.Deal.parse(DEAL).y)


def test_the_card_led_and_the_legal_replies_are_marked():
    found = marks(played(DEAL, "Kc"))
    assert found["Kc"] == ["[X]"]
    assert [card for card, mark in found.items() if mark == ["(Y)"]] == ["Qc", "7c"]


def test_played_cards_are_gone():
    found = marks(played(DEAL, "Kc", "Qc"))
    assert [card for card, mark in found.items() if mark == ["."]] == ["Kc", "Qc"]


def test_a_leader_who_may_play_anything_has_no_marks():
    assert {mark for (mark,) in marks(mate.Game(DEAL)).values()} == {"X", "Y"}


def test_a_mate_leaves_the_card_that_mated_led():
    game = mate.Game.from_position("7.../...K x - 10 -/- -")
    game.push("7c")
    assert game.is_mate
    assert marks(game)["7c"] == ["[X]"]
    assert marks(game)["Kd"] == ["Y"]


def test_copies_of_a_card_stand_in_one_cell_each_with_its_holder():
    game = mate.Game("AT.ATK7.ATT.A/K77.K.K7.ATK7", "double")
    assert marks(game)["7c"] == ["Y", "Y"]
    assert marks(game)["Ks"] == ["X", "Y"]
    assert marks(game)["Ad"] == ["X", "Y"]
    assert "X  Y" in str(grid(game))


def test_foreplaced_cards_stay_on_the_board_marked():
    assert marks(played(DEAL, "*Kc", "*-", variant="capellen"))["Kc"] == ["*X"]


def test_the_second_foreplaced_card_must_differ_and_so_is_marked():
    game = played(DEAL, "*Kc", variant="capellen")
    allowed = {card for card, mark in marks(game).items() if mark == ["(Y)"]}
    assert allowed == {move[1:] for move in game.legal_moves if move != "*-"}
    assert not {"Qc", "7c", "Ks", "Kh"} & allowed


def test_replies_that_spend_the_free_move_are_marked_apart():
    game = played(DEAL, "Kc", variant="bga-free")
    found = marks(game)
    assert [card for card, mark in found.items() if mark == ["(Y)"]] == ["Qc", "7c"]
    assert [card for card, mark in found.items() if mark == ["<Y>"]] == ["Ks", "Kh"]
    assert "spending the free move" in str(grid(game))
    assert spends_free_move(game, game.action_of("Ks"))
    assert not spends_free_move(game, game.action_of("Qc"))


def test_the_board_of_the_chess_theme_has_its_names():
    text = str(grid(mate.Game(DEAL, "pieces")))
    assert "Bishop" in text
    assert "Yellow" in text


def test_the_last_row_is_what_a_mate_scores_now():
    game = mate.Game.from_position("7.K../...K7 x - 9 -/- -")
    assert "mate scores   99     90     36     27     63" in str(grid(game))


@pytest.mark.parametrize(
    ("variant", "position", "weight"),
    [  # section 5, the weights on trick k
        ("capellen", "7.../...K x - 9 Ac/Ks -", 10),
        ("capellen", "7.../...K x - 10 Ac/- -", 22),
        ("capellen", "7.../...K y - 10 Ac/- -", 10),
        ("tempos", "7.../..7.K x - 9 Ac/- -", 20),
        ("pieces", "7.../..7.K x - 9 Ac/- -", 20),
        ("pieces", "7.../..7.K y - 9 Ac/- -", 10),
    ],
)
def test_the_weight_follows_who_foreplaced(variant, position, weight):
    assert mate.Position.parse(position, variant).weight == weight


def test_the_second_to_foreplace_is_not_the_leader():
    assert played(DEAL, "*Kc", variant="capellen").leader == "x"
    assert played(DEAL, "*Kc", "*-", variant="capellen").leader == "x"
    assert played(DEAL, "Kc").leader == "x"
    assert played(DEAL, leader="y").leader == "y"


@pytest.mark.parametrize("preset", mate.PRESETS)
def test_no_row_of_a_board_is_wider_than_a_terminal(preset):
    variant = mate.PRESETS[preset]
    rows = str(grid(mate.Game(mate.Deal.random(1, variant.deck), variant))).splitlines()
    assert max(map(len, rows)) <= 80
    assert all(row == row.rstrip() for row in rows)


def test_a_deck_without_names_has_a_board():
    deck = replace(mate.DECKS["single"], suit_names=(), rank_names=())
    game = mate.Game(mate.Deal.random(1, deck), mate.Variant(deck=deck))
    assert len(str(grid(game)).splitlines()) == 6


# --- Sentences -----------------------------------------------------------------------------------


def test_names_are_those_of_the_theme():
    assert spoken("Ac", mate.DECKS["single"]) == "the Ace of Clubs (Ac)"
    assert spoken("Ac", mate.DECKS["chess"]) == "the Blue King (Ac)"


def test_numbers():
    assert [points(0), points(1), points(110)] == ["0 points", "1 point", "110 points"]
    assert [signed(5), signed(0), signed(-5)] == ["+5", "0", "-5"]


def test_the_situation_says_who_does_what():
    assert situation(mate.Game(DEAL, leader="y")) == "Trick 1: Y leads."
    assert situation(played(DEAL, "Kc")) == "Trick 1: Y replies to Kc."
    assert situation(mate.Game(DEAL, "capellen")) == "X may foreplace a card."
    assert situation(played(DEAL, "*Kc", variant="capellen")) == "Y may foreplace a card."


def test_the_situation_tells_of_the_free_move():
    game = played(DEAL, "Kc", variant="bga-free")
    assert situation(game).endswith("The free move is there.")
    game.push("Ks")
    assert situation(game).endswith("The free move is spent.")


def test_the_situation_of_a_game_that_is_over():
    drawn = played_out("7.../...7 x - 10 -/- -", "7c", "7d")
    mated = played_out("7.../...K x - 10 -/- -", "7c")
    assert situation(drawn) == "Every trick is played."
    assert situation(mated) == "Y is mated."


def played_out(position: str, *moves: str) -> mate.Game:
    game = mate.Game.from_position(position)
    for move in moves:
        game.push(move)
    return game


@pytest.mark.parametrize(
    ("variant", "before", "move", "sentence"),
    [
        ("bga", [], "Kc", "X leads the King of Clubs (Kc)."),
        ("bga", ["Kc"], "Qc", "Y replies with the Queen of Clubs (Qc)."),
        (
            "bga-free",
            ["Kc"],
            "Ks",
            "Y replies with the King of Spades (Ks), spending the free move.",
        ),
        ("bga-free", ["Kc"], "Qc", "Y replies with the Queen of Clubs (Qc)."),
        ("capellen", [], "*-", "X foreplaces nothing."),
        ("capellen", [], "*Kc", "X foreplaces the King of Clubs (Kc)."),
        ("pieces", ["*-", "*-"], "Ac!", "X leads the Blue King (Ac), declaring the privilege."),
    ],
)
def test_moves_are_told(variant, before, move, sentence):
    game = played(DEAL, *before, variant=variant)
    assert told(game, move) == sentence
    assert told(game.position, move) == sentence


def test_ends_are_told():
    deck = mate.DECKS["single"]
    assert ended(None, deck) == "Nobody mates, a draw."
    told_mate = ended(Outcome("y", 21, 3, "7h"), deck)
    assert told_mate == "Y mates with the Seven of Hearts (7h) on trick 3: 21 points."
    assert brought(Outcome("y", 21, 3, "7h"), "y") == "wins 21, trick 3, 7h"
    assert brought(Outcome("y", 21, 3, "7h"), "x") == "loses 21, trick 3, 7h"


def test_the_outcome_of_a_game():
    assert outcome_of(played_out("7.../...7 x - 10 -/- -", "7c", "7d")) is None
    mated = played_out("7.../...K x - 10 -/- -", "7c")
    assert outcome_of(mated) == Outcome("x", 70, 10, "7c")


def test_a_line_carries_the_numbers_of_its_tricks():
    reply = played(DEAL, "Kc")
    assert numbered(reply, ("Qc", "Ac")) == "1...Qc 2.Ac"
    assert numbered(mate.Game(DEAL, "capellen"), ("*Kc", "*-", "Ac")) == "*Kc *- 1.Ac"
    assert reply.moves == ["Kc"]


# --- Analysis ------------------------------------------------------------------------------------

POSITION = "Q.TK..TQ/A.AQ7..A x - 6 -/- -"


def test_each_line_of_an_analysis_ends_in_its_value():
    state = mate.Position.parse(POSITION)
    for move in mate.analyze(state).moves:
        outcome = outcome_after(state, move.line)
        margin = 0 if outcome is None else outcome.points * (1 if outcome.winner == "x" else -1)
        assert margin == move.value


def test_the_table_has_a_row_a_move_best_first():
    state = mate.Position.parse(POSITION)
    rows = shown(moves_table(mate.analyze(state).moves, state)).splitlines()[1:]
    assert rows[0].split()[:7] == ["Qd", "+80", "wins", "80,", "trick", "8,", "Td"]
    assert rows[1].split()[:3] == ["Td", "0", "draw"]
    assert [row.split()[1] for row in rows if not row.startswith(" ")][2:] == ["-70"] * 3


def test_the_verdict_says_who_wins_how():
    state = mate.Position.parse(POSITION)
    text = str(verdict(mate.analyze(state), state))
    assert "X mates with the Ten of Diamonds (Td) on trick 8: 80 points." in text
    assert "X plays Qd: 6.Qd Ad 7.Qs Ts 8.Td" in text
