"""The command `puzzle`: printing, and solving in a dialogue."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from itertools import islice

import pytest
from typer.testing import CliRunner

import mate
from mate.cli import app
from mate.cli.solving import Solving
from mate.render.puzzle import solution, task

MATE = [sys.executable, "-c", "from mate.cli import main; main()"]
PRESETS = [*mate.PRESETS, "double,deck=double24"]


def run(*words: str, stdin: str = ""):
    return CliRunner().invoke(app, ["puzzle", *words], input=stdin)


def first(seed: int = 1, variant: str = "bga", level: int | None = None) -> mate.Puzzle:
    return next(mate.puzzles(seed, variant, level))


class Solver:
    """A person who answers each prompt by a rule, and remembers what he was told."""

    def __init__(self, puzzle: mate.Puzzle, answer):
        self.heard, self.prompts, self.answer = [], 0, answer
        self.solving = Solving(puzzle, "Puzzle", self.ask, lambda what: self.heard.append(what))

    def ask(self, prompt: str) -> str | None:
        self.prompts += 1
        return self.answer(self)

    def run(self) -> str:
        self.solving.run()
        return "\n".join(map(str, self.heard))

    @property
    def moves(self) -> tuple[mate.MoveValue, ...]:
        return mate.analyze(self.solving.game).moves


def best(person: Solver) -> str:
    """The best move, found by a search of its own."""
    return person.moves[0].move


def worst(person: Solver) -> str:
    return person.moves[-1].move


def script(*lines: str):
    """Says these lines, then nothing."""
    left = list(lines)
    return lambda person: left.pop(0) if left else None


# --- Printing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PRESETS)
def test_puzzles_fit_on_paper(variant):
    result = run("--count", "8", "--seed", "1", "--variant", variant, "--solution")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() and line == line.rstrip() for line in lines)
    assert [line for line in lines if line.startswith("You are ")] == [
        f"You are {p.position.to_move.upper()}. {p.prize}."
        for p in islice(mate.puzzles(1, variant), 8)
    ]


def test_a_puzzle_shows_all_that_is_needed_and_not_the_solution():
    puzzle = first()
    shown = run("--seed", "1").stdout
    assert str(task(puzzle, "Puzzle 1 of seed 1")) in shown
    assert str(puzzle.position) in shown
    assert "Puzzle 1 of seed 1, level 1: bga" in shown
    assert "mate scores" in shown
    assert "Solution" not in shown


def test_solutions_come_after_all_puzzles():
    shown = run("--seed", "1", "--count", "3", "--solution").stdout
    puzzles, _, solutions = shown.partition("Solutions\n")
    assert puzzles.count("You are ") == 3
    for number, puzzle in enumerate(islice(mate.puzzles(1), 3), start=1):
        assert solution(puzzle, number) in solutions


def test_a_solution_names_the_move_the_line_the_depth_the_traps_and_the_cost():
    puzzle = next(p for p in mate.puzzles(1) if p.traps)
    text = " ".join(solution(puzzle, 4).split())
    assert text.startswith(f"4. {puzzle.best}: ")
    assert all(move in text for move in (*puzzle.line, *puzzle.traps))
    assert f"Seen {puzzle.depth} tricks ahead. Who sees less prefers" in text
    assert f"costs {puzzle.cost} points." in text


@pytest.mark.parametrize("words", [[], ["--level", "2"], ["--variant", "tempos", "--count", "2"]])
def test_the_command_that_is_told_makes_the_same_puzzles_again(words):
    shown = run(*words).stdout
    assert shown.count("You are") == (2 if "--count" in words else 1)
    again = re.search(r"^Made by mate puzzle (.*)$", shown, re.MULTILINE)
    assert run(*shlex.split(again[1])).stdout == shown


def test_a_seed_is_drawn_where_none_is_told():
    assert len({run("--json").stdout for _ in range(4)}) > 1


def test_the_json_of_a_puzzle_is_the_contract():
    result = run("--seed", "1", "--count", "2", "--level", "5", "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(rows) == 2
    assert rows[0] == {
        "variant": "bga",
        "seed": 1,
        "number": 1,
        "position": "TK.ATK7.TQ7.7/AQ7.Q.AK.ATKQ y - 1 -/- -",
        "to_move": "y",
        "prize": "Lead and mate on trick 7 for 21",
        "value": 21,
        "outcome": {"winner": "y", "points": 21, "trick": 7, "card": "Qd"},
        "best": "Qs",
        "line": ["Qs", "Ts", "7s", "7c", "Kh", "Th", "Qh", "Ah", "Ac", "Kc", "Ad", "7d", "Qd"],
        "depth": 10,
        "traps": [],
        "deception": 0,
        "cost": 21,
        "level": 5,
    }


def test_levels_are_those_asked_for():
    rows = run("--seed", "1", "--count", "5", "--level", "4", "--json").stdout.splitlines()
    assert {json.loads(row)["level"] for row in rows} == {4}


@pytest.mark.parametrize(
    "words",
    [
        ["--count", "0"],
        ["--count", "-1"],
        ["--count", "many"],
        ["--level", "0"],
        ["--level", "-1"],
        ["--level", "6"],
        ["--seed", "-1"],
        ["--solve", "--solution"],
        ["surplus"],
    ],
)
def test_wrong_usage_is_exit_2(words):
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage" in result.stderr


def test_wrong_input_is_one_line(tmp_path, monkeypatch):
    file = tmp_path / "tiny.json"
    file.write_text('{"deck": {"suits": "a", "ranks": "ZY", "slots": ["ZY"], "points": [1, 1]}}')
    monkeypatch.setattr("mate.puzzle.GAMES", 100)
    for words in (["--variant", "nonsense"], ["--variant", str(file)]):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("mate: ")
        assert result.stderr.count("\n") == 1


# --- Solving -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PRESETS)
def test_best_moves_solve_a_puzzle_and_win_the_prize(variant):
    for puzzle in islice(mate.puzzles(5, variant), 6):
        person = Solver(puzzle, best)
        said = person.run()
        assert person.solving.solved
        assert said.endswith("Solved.\n")
        assert "Wrong" not in said
        assert said.count("Right.") == person.prompts == person.solving.right >= 1
        sign = 1 if puzzle.position.to_move == "x" else -1
        assert sign * person.solving.game.result == puzzle.value
        assert person.solving.game.moves[0] == puzzle.best


def test_a_wrong_move_is_explained_and_the_right_one_played_in_its_place():
    puzzle = first(5, level=3)
    person = Solver(puzzle, script("Kc"))
    said = person.run()
    assert (
        "Wrong. Kc: loses 88, trick 8, Ah. Y answers Ac: 5.Kc Ac 6.Th Qh 7.Kh 7h 8.Ah\n"
        "Right is Kd: draw. 5.Kd Kh 6.Ac Tc"
    ) in said
    assert person.solving.game.moves[0] == puzzle.best
    assert (person.solving.wrong, person.solving.right, person.solving.solved) == (1, 0, False)


@pytest.mark.parametrize("variant", PRESETS)
def test_who_errs_is_led_to_the_prize_all_the_same(variant):
    for puzzle in islice(mate.puzzles(6, variant), 4):
        person = Solver(puzzle, worst)
        said = person.run()
        sign = 1 if puzzle.position.to_move == "x" else -1
        assert sign * person.solving.game.result == puzzle.value
        assert said.endswith("Not solved by yourself.\n")
        assert said.count("Wrong. ") == person.solving.wrong >= 1


def test_a_later_move_is_right_if_it_is_as_good():
    for puzzle in mate.puzzles(1):
        if len(puzzle.line) > 2:
            after = puzzle.position.play(puzzle.line[0]).play(puzzle.line[1])
            values = [move.value for move in mate.analyze(after).moves]
            if after.to_move == puzzle.position.to_move and values.count(puzzle.value) > 1:
                break
    person = Solver(
        puzzle, lambda person: [m for m in person.moves if m.value == puzzle.value][-1].move
    )
    person.run()
    assert person.solving.solved


def test_moves_without_an_alternative_are_played_for_the_solver():
    choices = []

    def choose(person: Solver) -> str:
        choices.append(len(person.solving.game.legal_moves))
        return best(person)

    said = [Solver(puzzle, choose).run() for puzzle in islice(mate.puzzles(1), 30)]
    assert min(choices) == 2
    me = first(1).position.to_move.upper()
    assert any(re.search(rf"^{me} replies.* There is no other move.$", s, re.M) for s in said)


def test_a_puzzle_solved_with_a_hint_is_not_solved():
    lines = ["hint"]
    person = Solver(first(5, level=3), lambda person: lines.pop() if lines else best(person))
    assert person.run().endswith("Not solved by yourself.\n")
    assert (person.solving.hints, person.solving.wrong) == (1, 0)
    assert person.solving.game.is_over


def test_hints_name_two_moves_and_then_the_right_one():
    puzzle = first(5, level=3)
    person = Solver(puzzle, script("hint", "HINT", puzzle.best))
    said = person.run()
    assert "Either Tc or Kd.\nPlay Kd.\nRight." in said
    assert person.solving.hints == 2
    assert not person.solving.solved


def test_a_hint_does_not_always_name_the_right_move_first():
    places = set()
    for puzzle in islice(mate.puzzles(8), 12):
        said = Solver(puzzle, script("hint")).run()
        one, other = re.search(r"^Either (\S+) or (\S+)\.$", said, re.MULTILINE).groups()
        assert puzzle.best in (one, other)
        assert one != other
        places.add(puzzle.best == one)
    assert places == {True, False}


def test_the_solver_may_ask_what_is_legal_and_how_to_play():
    puzzle = first(5, level=3)
    said = Solver(puzzle, script("moves", "help", "", "quit", puzzle.best)).run()
    assert f"Legal: {' '.join(puzzle.position.legal_moves)}" in said
    for word in ("hint", "moves", "quit", "*-", "Kc!", puzzle.prize):
        assert word in said


@pytest.mark.parametrize("word", ["Ac", "nonsense", "*Kd", "Kd!", "\x1b[2J", "A" * 1_000_000])
def test_what_is_not_legal_is_told_in_a_line_and_asked_again(word):
    person = Solver(first(5, level=3), script(word, "Kd"))
    person.run()
    told = next(
        str(line) for line in person.heard if "legal" in str(line) or "no move" in str(line)
    )
    assert len(told) < 80
    assert told.isprintable()
    assert person.solving.right == 1


def test_the_end_of_input_and_quit_leave_the_puzzle():
    for lines in ([], ["quit", "Kd"]):
        person = Solver(first(5, level=3), script(*lines))
        person.run()
        assert person.solving.left
        assert not person.solving.solved
        assert person.solving.game.moves == []


# --- The command, solving ------------------------------------------------------------------------


def test_the_score_at_the_end():
    lines = [line for p in islice(mate.puzzles(5, level=1), 3) for line in [p.best]]
    result = run("--solve", "--seed", "5", "--level", "1", "--count", "3", stdin="\n".join(lines))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("Solved 3 of 3. 3 of 3 moves right, 0 hints.\n")
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_end_of_input_in_the_middle_ends_with_the_score():
    result = run("--solve", "--seed", "5", "--level", "3", "--count", "9", stdin="hint\nKd\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("Solved 0 of 1. 1 of 1 move right, 1 hint.\n")


def test_json_tells_how_each_was_solved():
    words = ["--solve", "--json", "--seed", "5", "--level", "1", "--count", "2"]
    result = run(*words, stdin=f"{first(5, level=1).best}\nquit\n")
    one, two = map(json.loads, result.stdout.splitlines())
    assert (one["solved"], one["right"], one["wrong"], one["hints"]) == (True, 1, 0, 0)
    assert one["moves"] == [one["best"]]
    assert (two["solved"], two["moves"]) == (False, [])
    assert "Solved 1 of 2." in result.stderr


def test_nothing_that_is_typed_reaches_the_terminal_raw():
    result = run("--solve", "--seed", "5", stdin="\x1b[2J\x07\n" + "\x1b" * 100_000 + "\nquit\n")
    assert result.exit_code == 0
    assert all(line.isprintable() for line in result.stdout.splitlines())
    assert len(result.stdout) < 5_000


@pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
@pytest.mark.parametrize(
    ("words", "until"), [(["--solve"], b"Your move: "), (["--count", "1000000", "--json"], b"{")]
)
def test_ctrl_c_is_exit_130_and_one_line(words, until):
    process = subprocess.Popen(
        [*MATE, "puzzle", "--seed", "1", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    shown = b""
    while until not in shown:
        shown += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == b"mate: interrupted\n"


def test_printing_many_holds_none():
    process = subprocess.Popen(
        [*MATE, "puzzle", "--seed", "1", "--count", "1000000000", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert [json.loads(process.stdout.readline())["number"] for _ in range(50)] == list(
        range(1, 51)
    )
    process.stdout.close()
    assert process.wait(timeout=60) == 141
