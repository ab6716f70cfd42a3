"""How commands converse: what is typed is bounded, and shown without being obeyed."""

import io
import sys

import pytest
from typer.testing import CliRunner

from mate.cli import app
from mate.cli.terminal import MAX_ANSWER, Terminal

POSITION = "Q.TK..TQ/A.AQ7..A x - 6 -/- -"


class Typed(io.StringIO):
    """Standard input that remembers the longest line it was asked for."""

    def __init__(self, text: str, tty: bool = False):
        super().__init__(text)
        self.tty, self.longest = tty, 0

    def isatty(self) -> bool:
        return self.tty

    def readline(self, size: int = -1) -> str:
        self.longest = max(self.longest, sys.maxsize if size < 0 else size)
        return super().readline(size)


def asked(monkeypatch, capsys, typed: Typed | None, times: int = 1) -> tuple[list, str]:
    """The answers to a prompt, and all that was shown."""
    monkeypatch.setattr(sys, "stdin", typed)
    terminal = Terminal()
    answers = [terminal.ask("> ") for _ in range(times)]
    return answers, capsys.readouterr().out


def test_lines_come_one_by_one_and_then_none(monkeypatch, capsys):
    answers, out = asked(monkeypatch, capsys, Typed("Ac\nhint"), 3)
    assert answers == ["Ac\n", "hint", None]
    assert out == "> Ac\n> hint\n> \n"


def test_without_standard_input_there_is_no_line(monkeypatch, capsys):
    assert asked(monkeypatch, capsys, None)[0] == [None]


def test_what_a_terminal_echoes_is_not_echoed_again(monkeypatch, capsys):
    assert asked(monkeypatch, capsys, Typed("Ac\n", tty=True))[1] == "> "


@pytest.mark.parametrize("size", [MAX_ANSWER - 1, MAX_ANSWER, MAX_ANSWER + 1, 1_000_000])
@pytest.mark.parametrize("end", ["\n", ""])
def test_a_line_of_any_length_is_one_answer_and_never_held_whole(monkeypatch, capsys, size, end):
    typed = Typed("x" * size + end + "Ac\n" * bool(end))
    answers, out = asked(monkeypatch, capsys, typed, 2)
    assert answers[0].rstrip("\n") == "x" * min(size, MAX_ANSWER)
    assert answers[1] == ("Ac\n" if end else None)
    assert typed.longest <= MAX_ANSWER
    assert len(out) < 2 * MAX_ANSWER


@pytest.mark.parametrize("word", ["\x1b[2J", "\x9b2J", "\x07\x08\x7f", "a\rb", "\u202e", "\ud800"])
def test_control_characters_are_shown_and_not_sent(monkeypatch, capsys, word):
    answers, out = asked(monkeypatch, capsys, Typed(word + "\n"))
    assert answers == [word + "\n"]
    assert out.removesuffix("\n").isprintable()
    assert "?" in out


@pytest.mark.parametrize("command", ["play"])
def test_no_command_sends_what_was_typed_to_the_terminal(command):
    words = [command, POSITION] if command == "play" else [command]
    result = CliRunner().invoke(app, words, input="\x1b[2J\x07\n" + "\x1b" * 100_000 + "\nquit\n")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert all(line.isprintable() for line in result.stdout.splitlines())
    assert len(result.stdout) < 5_000
