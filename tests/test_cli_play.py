"""The command `play`: the dialogue of a person and the engine, and how it meets a terminal."""

import json
import random

import pytest
from typer.testing import CliRunner

import mate
from mate.cli import app
from mate.cli.dialogue import Dialogue
from mate.render.text import ended

DEAL = "ATK.Q7.A.TKQ7"
POSITION = "Q.TK..TQ/A.AQ7..A x - 6 -/- -"


def play(*words: str, stdin: str = ""):
    return CliRunner().invoke(app, ["play", *words], input=stdin)


class Script:
    """A person who says what was written for him, and remembers what he was told."""

    def __init__(self, game: mate.Game, side: str, *lines: str):
        self.lines, self.heard, self.prompts = list(lines), [], []
        self.dialogue = Dialogue(game, side, self.ask, self.hear)

    def ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.lines.pop(0) if self.lines else None

    def hear(self, what: object) -> None:
        self.heard.append(str(what))

    def run(self) -> str:
        self.dialogue.run()
        return "\n".join(self.heard)


def at(position: str, side: str, *lines: str, variant: str = "bga") -> Script:
    return Script(mate.Game.from_position(position, variant), side, *lines)


# --- Whole games ---------------------------------------------------------------------------------


class Chance(Script):
    """A person who plays any legal move."""

    def __init__(self, game: mate.Game, side: str, seed: int):
        super().__init__(game, side)
        self.rng = random.Random(seed)

    def ask(self, prompt: str) -> str:
        return self.rng.choice(self.dialogue.game.legal_moves)


@pytest.mark.parametrize("preset", [*mate.PRESETS, "double,deck=double24"])
@pytest.mark.parametrize("side", "xy")
def test_a_game_of_any_variant_is_played_out_and_the_engine_never_falls_short(preset, side):
    variant = mate.Variant.of(preset)
    game = mate.Game(mate.Deal.random(11, variant.deck), variant, leader="y")
    sign = 1 if side == "y" else -1  # the engine is the other one
    best = mate.analyze(game)
    worth = best.value * (1 if game.to_move == "x" else -1)
    person = Chance(game, side, seed=5)
    said = person.run()
    assert game.is_over
    assert sign * game.result >= sign * worth
    assert ("mates with" in person.heard[-2]) == game.is_mate
    assert said.endswith(f"Best play from the start: {ended(best.outcome, variant.deck)}")


def test_the_end_says_who_won_how_and_what_was_to_be_had():
    said = at(POSITION, "x", "Qc", "quit").run()
    assert "You win" not in said
    game = at("7.../...K x - 10 -/- -", "x", "7c")
    heard = game.run().splitlines()
    assert heard[-3:] == [
        "You win.",
        "X mates with the Seven of Clubs (7c) on trick 10: 70 points.",
        "Best play from the start: X mates with the Seven of Clubs (7c) on trick 10: 70 points.",
    ]


def test_the_loser_is_told_so():
    assert "You lose." in at("7.../...K x - 10 -/- -", "y").run()


def test_a_draw_is_told():
    assert "Nobody mates, a draw.\nBest play from" in at("7.../...7 x - 10 -/- -", "x", "7c").run()


def test_the_engine_says_what_it_plays_and_who_wins_the_trick():
    said = at(POSITION, "y", "quit").run()
    assert "X leads the Queen of Diamonds (Qd)." in said
    said = at(POSITION, "x", "Qd", "quit").run()
    assert "Y replies with the Ace of Diamonds (Ad).\nY wins trick 6." in said


# --- Moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["Kc", "kC", "♣K", " K♣ "])
def test_a_move_may_be_written_in_any_way(move):
    person = Script(mate.Game(DEAL), "x", move)
    person.run()
    assert person.dialogue.game.moves[0] == "Kc"


def test_foreplacing_and_the_privilege_are_moves_too():
    person = Script(mate.Game(DEAL, "pieces"), "x", "*-", "Ac!")
    person.run()
    assert person.dialogue.game.moves[0] == "*-"
    assert "Ac!" in person.dialogue.game.moves
    assert person.prompts[0] == "Your card to foreplace, or *-: "


@pytest.mark.parametrize("word", ["Kd", "*Kc", "Kc!", "nonsense", "K", "\x1b[2J", "A" * 1_000_000])
def test_what_is_not_legal_is_told_in_a_line_and_asked_again(word):
    person = at("7.../...7 x - 10 -/- -", "x", word, "7c")
    said = person.run()
    told = next(line for line in said.splitlines() if "legal: 7c" in line)
    assert len(told) < 80
    assert told.isprintable()
    assert person.dialogue.game.moves == ["7c", "7d"]


def test_an_empty_line_is_asked_again():
    person = at("7.../...7 x - 10 -/- -", "x", "", "  ", "7c")
    person.run()
    assert len(person.prompts) == 3


def test_the_prompt_says_what_is_asked():
    assert at(POSITION, "x").dialogue._prompt() == "Your lead: "
    person = at(POSITION, "y")
    person.run()
    assert person.prompts == ["Your reply to Qd: "]


# --- Commands ------------------------------------------------------------------------------------


def test_hint_says_the_best_move_and_plays_nothing():
    person = at(POSITION, "x", "HINT")
    said = person.run()
    assert "X plays Qd: 6.Qd Ad 7.Qs Ts 8.Td" in said
    assert person.dialogue.game.moves == []


def test_moves_are_the_legal_ones():
    assert "Legal: Qc Ts Ks Td Qd" in at(POSITION, "x", "moves").run()


def test_help_names_every_command():
    said = at(POSITION, "x", "help").run()
    for word in ("hint", "why", "moves", "undo", "quit", "*-", "Kc!"):
        assert word in said


def test_why_explains_the_engines_last_move():
    person = at(POSITION, "y", "why")
    said = person.run()
    assert "Best play from there: X mates with the Ten of Diamonds (Td) on trick 8" in said
    assert said.count("X leads the Queen of Diamonds (Qd).") == 2
    assert "Table" in person.heard[-1]


def test_why_before_the_engine_moved():
    assert "The engine has not moved yet." in at(POSITION, "x", "why").run()


def test_why_of_an_only_move():
    assert "It was the only legal move." in at("7.../...7 x - 10 -/- -", "y", "why").run()


def test_undo_goes_back_to_before_the_persons_last_move():
    person = at(POSITION, "x", "Qd", "undo", "Td")
    person.run()
    assert person.dialogue.game.moves[:2] == ["Td", "Ad"]
    assert person.dialogue.movers == ["x", "y", "y"][: len(person.dialogue.movers)]


def test_undo_passes_over_all_that_the_engine_played_since():
    person = at(POSITION, "x", "Qd", "undo")
    person.run()
    assert person.dialogue.game.moves == []
    assert str(person.dialogue.game) == POSITION


def test_undo_twice_and_nothing_left():
    assert "There is nothing to take back." in at(POSITION, "x", "Qd", "undo", "undo").run()
    assert "There is nothing to take back." in at(POSITION, "y", "undo").run()


def test_why_after_undo_speaks_of_the_move_that_still_stands():
    person = at(POSITION, "y", "Ad", "undo", "why")
    said = person.run()
    assert said.count("X leads the Queen of Diamonds (Qd).") == 2


def test_quit_leaves_the_game_as_it_is():
    person = at(POSITION, "x", "quit", "Qd")
    person.run()
    assert person.lines == ["Qd"]
    assert person.dialogue.game.moves == []


# --- The command ---------------------------------------------------------------------------------


def test_the_end_of_input_ends_cleanly():
    result = play(DEAL)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "Trick 1: X leads." in result.stdout


def test_the_deal_may_come_before_the_moves():
    result = play("-", "--json", stdin=f"# deal\n{DEAL}\nKc\n")
    assert json.loads(result.stdout)["moves"][0] == "Kc"


def test_the_record_of_a_game():
    result = play("7.../...K x - 10 -/- -", "--json", stdin="7c\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "variant": "bga",
        "start": "7.../...K x - 10 -/- -",
        "side": "x",
        "moves": ["7c"],
        "position": ".../...K y 7c 10 -/- -",
        "result": 70,
        "outcome": {"winner": "x", "points": 70, "trick": 10, "card": "7c"},
    }
    assert "You win." in result.stderr


def test_the_record_of_a_game_left_has_no_result():
    found = json.loads(play(POSITION, "--json", stdin="quit\n").stdout)
    assert (found["moves"], found["result"], found["outcome"]) == ([], None, None)


def test_side_leader_and_seed():
    first = json.loads(play("--seed", "3", "--leader", "y", "--side", "Y", "--json").stdout)
    assert first["start"] == f"{mate.Deal.random(3)} y - 1 -/- -"
    assert first["moves"] == []
    second = json.loads(play("--seed", "3", "--leader", "y", "--json").stdout)
    assert len(second["moves"]) == 1


def test_what_is_piped_in_is_shown_as_if_it_were_typed():
    assert "Your lead: moves\nLegal: Qc Ts Ks Td Qd\n" in play(POSITION, stdin="moves\n").stdout
