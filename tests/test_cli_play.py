"""The command `play`: the dialogue of a person and the engine, and how it meets a terminal."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

import mate
from mate.cli import app
from mate.cli.dialogue import Dialogue
from mate.render.score import score_sheet
from mate.render.text import ended

DEAL = "ATK.Q7.A.TKQ7"
POSITION = "Q.TK..TQ/A.AQ7..A x - 6 -/- -"


def play(*words: str, stdin: str = ""):
    return CliRunner().invoke(app, ["play", *words], input=stdin)


class Script:
    """A person who says what was written for him, and remembers what he was told."""

    def __init__(self, played: mate.Game | mate.Match, side: str, *lines: str, **others):
        self.lines, self.heard, self.prompts = list(lines), [], []
        self.dialogue = Dialogue(played, side, self.ask, self.hear, **others)

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

    def __init__(self, played: mate.Game | mate.Match, side: str, seed: int, **others):
        super().__init__(played, side, **others)
        self.rng = random.Random(seed)

    def ask(self, prompt: str) -> str:
        if prompt.startswith("Enter"):
            return ""
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
    assert person.prompts == [*["Your lead: "] * 3, "Enter to leave: "]


def test_the_prompt_says_what_is_asked():
    assert at(POSITION, "x").dialogue._prompt() == "Your lead: "
    person = at(POSITION, "y")
    person.run()
    assert person.prompts == ["Your reply to Qd: "]


def test_a_move_may_be_the_name_of_its_card():
    person = Script(mate.Game(DEAL, "pieces"), "x", "*-", "Blue  King")
    person.run()
    assert person.dialogue.game.moves[-2:] != ["*-"]
    assert "Ac" in person.dialogue.game.moves


# --- Matches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["bga", "abril", "tempos", "pieces"])
@pytest.mark.parametrize("side", "xy")
def test_a_whole_match(preset, side):
    variant = mate.Variant.of(f"{preset},target=none,rounds=2" if preset == "abril" else preset)
    match, saved = mate.Match(variant, "y"), []
    person = Chance(match, side, 7, save=lambda: saved.append(len(match.records())))
    said = person.run()
    assert match.is_over
    assert saved == sorted(saved)
    assert set(saved) >= set(range(1, 2 * variant.rounds + 1))
    assert match.result * (1 if side == "x" else -1) <= 0  # never more than nothing
    for number in range(1, variant.rounds + 1):
        assert f"\nRound {number}." in said
    lost = match.winner not in (side, None)
    assert ("You lose the match by" if lost else "A drawn match.") in said


def test_the_score_sheet():
    match = mate.Match("bga")
    person = Chance(match, "x", 7)
    person.run()
    sheets = [what for what in person.heard if "Table object" in what]
    assert len(sheets) == 4
    person.dialogue.show_score()
    console = Console(width=80, record=True)
    with console.capture() as capture:
        console.print(score_sheet(match, ("you", "engine")))
    rows = capture.get().splitlines()
    assert rows[0].split() == ["game", "leader", "for", "X", "X", "you", "Y", "engine"]
    assert [row.split()[:2] for row in rows[1:5]] == [
        ["1.1", "X"], ["1.2", "Y"], ["2.1", "Y"], ["2.2", "X"],
    ]  # fmt: skip
    assert tuple(map(int, rows[5].split()[1:])) == match.scores


FIRST_GAME = [
    "7c",
    "Tc",
    "Kd",
    "Ad",
    "Qc",
    "Kc",
    "7d",
    "Td",
    "Ac",
    "Ah",
    "As",
    "Ks",
    "Th",
    "Qh",
    "7h",
]


def end_of_game_1(*lines, name="bga"):
    """A match at the last move of game 1 of its round, which the person is to make."""
    match = mate.Match(name)
    match.begin("AQ7.A7.TK7.AT")
    for move in FIRST_GAME[:-1]:
        match.push(move)
    return Script(match, "x", *lines)


def test_undo_goes_back_into_the_first_game():
    person = end_of_game_1("7h", "undo", "board")
    person.run()
    assert len(person.dialogue.played.round.games) == 1
    assert person.prompts[:3] == ["Your lead: ", "Enter to go on: ", "Your lead: "]
    assert person.dialogue.game.to_move == "x"


def test_after_a_game_one_goes_on_or_asks():
    person = end_of_game_1("7h", "why", "hint", "nonsense", "score", "", "quit")
    said = person.run()
    assert person.prompts[:5] == ["Your lead: ", *["Enter to go on: "] * 4]
    assert "Y replies with the Queen of Hearts (Qh)." in said  # its last move
    assert "'nonsense' is no command" in said
    assert len(person.dialogue.played.round.games) == 2


def test_a_mistake_in_the_last_trick_may_be_taken_back_after_the_match():
    person = at("7.7../..K.K x - 9 -/- -", "x", "7c", "undo", "7s")
    person.run()
    assert person.dialogue.game.moves == ["7s"]


# Section 8: under `abril` the hint and the engine play for the round.
def test_the_hint_is_for_the_round():
    for seed in range(60):
        match = mate.Match("abril")
        match.begin(mate.Deal.random(seed))
        best = mate.analyze(match, objective="round").best
        if best not in {m.move for m in mate.analyze(match).moves if m.value == 0}:
            said = Script(match, "x", "hint").run()
            assert f"X plays {best}:" in said


# --- Opponents and comments ----------------------------------------------------------------------


def test_the_engine_may_be_weaker():
    match, greedy = mate.Match("bga"), mate.Player.of("greedy")
    Chance(match, "x", 1, other=greedy).run()
    for game in (game for round in match.rounds for game in round.games):
        for move in reversed(game.moves):
            game.pop()
            assert game.to_move == "x" or greedy.choose(game) == move


class Worst(mate.Player):
    def choose(self, played):
        return mate.analyze(played).moves[-1].move


def test_why_tells_what_a_mistake_gave_away():
    person = Script(mate.Game("AQ7.A7.TK7.AT"), "y", "why", other=Worst())
    assert "It gave away 76 points." in person.run()


def test_each_trick_is_commented_by_exact_values():
    game = mate.Game("AQ7.A7.TK7.AT")
    said = Script(game, "x", "comment", "Kh", "comment", "quit").run()
    assert "Each trick is commented." in said
    assert "No more comments." in said
    found = re.findall(r"Trick 1: X's Kh gave away 76 points, 7c kept \+56", said)
    assert len(found) == 1
    person = Script(mate.Game("AQ7.A7.TK7.AT"), "x", "7c", commenting=True)
    assert "Trick 1: nothing given away." in person.run()


def test_an_undone_trick_is_not_commented():
    person = Script(mate.Game("AQ7.A7.TK7.AT"), "y", "Ts", "undo", other=Worst(), commenting=True)
    person.run()
    assert person.dialogue.comments == [] or person.dialogue.game.moves


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
    assert json.loads(result.stdout)["games"][0]["moves"][0] == "Kc"


def test_a_game_from_a_position_as_json():
    result = play("7.../...K x - 10 -/- -", "--json", stdin="7c\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "variant": "bga",
        "side": "x",
        "opponent": "optimal",
        "scores": None,
        "result": 70,
        "games": [
            {
                "start": "7.../...K x - 10 -/- -",
                "moves": ["7c"],
                "position": ".../...K y 7c 10 -/- -",
                "result": 70,
                "outcome": {"winner": "x", "points": 70, "trick": 10, "card": "7c"},
            }
        ],
    }
    assert "You win." in result.stderr


def test_a_game_left_has_no_result():
    found = json.loads(play(POSITION, "--json", stdin="quit\n").stdout)
    (game,) = found["games"]
    assert (game["moves"], game["result"], game["outcome"]) == ([], None, None)


def test_side_leader_and_seed():
    first = json.loads(play("--seed", "3", "--leader", "y", "--side", "Y", "--json").stdout)
    (game,) = first["games"]
    assert game["start"] == f"{mate.Deal.random(3)} y - 1 -/- -"
    assert (game["moves"], first["side"]) == ([], "y")
    second = json.loads(play("--seed", "3", "--leader", "y", "--json").stdout)
    assert len(second["games"][0]["moves"]) == 1


def test_what_is_piped_in_is_shown_as_if_it_were_typed():
    assert "Your lead: moves\nLegal: Qc Ts Ks Td Qd\n" in play(POSITION, stdin="moves\n").stdout


# --- Records -------------------------------------------------------------------------------------


def lines_of(file):
    return file.read_text(encoding="utf-8")


def test_a_match_is_resumed_from_its_record_to_the_same_end(tmp_path):
    file, whole = tmp_path / "match.mate", tmp_path / "whole.mate"
    moves = "7c\n7s\nAc\nAd\nTh\n\nKh\n7h\nTc\nKd\nAs\nQc\nTd\nKs\nKc\nQs\nTs\nQd\nQh\nAh\n7d\n"
    options = ("--seed", "5", "--opponent", "level:5", "--record")
    play(*options, str(file), stdin=moves * 2 + "quit\n")
    before = lines_of(file)
    assert '[Y "level:5"]' in before
    assert '[Result "*"]' in before
    play("--seed", "5", "--record", str(file), stdin=moves * 40)
    after = list(mate.read_records(file))
    match = mate.Match.from_records(after)
    assert match.is_over
    assert after[0].tags["Y"] == "level:5"
    deals = np.random.default_rng(5)
    assert [round.deal for round in match.rounds] == [mate.Deal.random(deals) for _ in range(2)]
    refused = play("--record", str(file), stdin=moves)
    assert refused.exit_code == 1
    assert refused.stderr == f"mate: {file}: it is over; review it, or begin in another file\n"
    assert lines_of(file) == "\n".join(map(mate.write_record, after))
    assert not whole.exists()
    assert os.listdir(tmp_path) == ["match.mate"]


def test_comments_and_tags_of_a_record_stay(tmp_path):
    file = tmp_path / "match.mate"
    play(DEAL, "--record", str(file), "--side", "y", stdin="quit\n")
    (record,) = mate.read_records(file)
    assert record.tags["Y"] == "You"
    changed = replace(record, comments={0: "a good deal"}, tags={**record.tags, "Site": "Lisbon"})
    mate.write_records(file, [changed])
    play("--record", str(file), stdin="moves\n")
    (again,) = mate.read_records(file)
    assert again.comments == {0: "a good deal"}
    assert again.tags["Site"] == "Lisbon"
    assert again.moves[: len(record.moves)] == record.moves


def test_one_game_from_a_position_is_recorded_and_resumed(tmp_path):
    file = tmp_path / "ending.mate"
    play(POSITION, "--record", str(file), stdin="Qd\nquit\n")
    (record,) = mate.read_records(file)
    assert record.moves[:2] == ("Qd", "Ad")
    found = json.loads(play("--record", str(file), "--json", stdin="moves\n").stdout)
    assert found["games"][0]["moves"][:2] == ["Qd", "Ad"]


@pytest.mark.parametrize("content", ["nonsense\n", '[Deal "AQ7"]\n\n7c\n', "\x00\x1b[2J"])
def test_a_broken_record_is_told_and_left_as_it_is(tmp_path, content):
    file = tmp_path / "match.mate"
    file.write_text(content, encoding="utf-8")
    result = play("--record", str(file), stdin="7c\n")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert lines_of(file) == content


@pytest.mark.parametrize("place", ["no/such/folder.mate", "."])
def test_a_place_that_cannot_be_written_to_is_told_before_play(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    result = play("--record", place, stdin="7c\n")
    assert result.exit_code == 1
    assert "Your lead" not in result.stdout
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--opponent", "Zeus"], 1), (["--opponent", "level:9"], 1), (["--opponent", "\x1b"], 1),
        (["--seed", "-1"], 2), (["--leader", "z"], 2),
    ],
)  # fmt: skip
def test_what_play_refuses(words, code):
    result = play(*words)
    assert result.exit_code == code
    assert "\x1b" not in result.stderr


def test_a_deal_beside_a_record_that_is_there(tmp_path):
    file = tmp_path / "match.mate"
    play("--record", str(file), stdin="quit\n")
    assert play(DEAL, "--record", str(file)).exit_code == 2


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_what_was_played_in_the_record(tmp_path):
    file = tmp_path / "match.mate"
    command = [sys.executable, "-m", "mate", "play", DEAL, "--record", str(file)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"Kc\nmoves\n")
    process.stdin.flush()
    while b"Legal" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    (record,) = mate.read_records(file)
    assert record.moves[0] == "Kc"
