"""The command `show`."""

import json
import os
from xml.etree import ElementTree

import pytest

import mate
from mate.render.svg import svg
from test_cli import DEAL, POSITION, refused, run

MOVES = "Kc Qc Ac"


def test_a_deal_and_a_position_as_text():
    shown = run("show", DEAL).stdout
    assert "Trick 1: X leads." in shown
    assert "mate scores" in shown
    assert "Trick 6: X leads." in run("show", *POSITION.split()).stdout
    assert run("show", "-", stdin=POSITION).stdout == run("show", POSITION).stdout


def test_moves_are_played_from_there():
    shown = run("show", DEAL, "--moves", MOVES).stdout
    assert "1.Kc Qc 2.Ac" in shown
    assert "Trick 2: Y replies to Ac." in shown
    assert run("show", DEAL, "--moves", "1.Kc Qc 2. Ac").stdout == shown


def test_how_a_game_ended():
    shown = run("show", "7.../...K", "x", "-", "10", "-/-", "-", "--moves", "7c").stdout
    assert "X mates with the Seven of Clubs (7c) on trick 10: 70 points." in shown


def test_json():
    found = json.loads(run("show", DEAL, "--moves", "Kc", "--json", "--leader", "x").stdout)
    game = mate.Game(DEAL)
    game.push("Kc")
    assert found == {
        "variant": "bga", "position": str(game), "moves": ["Kc"], "to_move": "y",
        "legal_moves": ["Qc", "7c"], "result": None,
    }  # fmt: skip


def test_a_picture_on_standard_output_is_that_of_python():
    game = mate.Game(DEAL, "pieces", "y")
    result = run("show", DEAL, "--variant", "pieces", "--leader", "y", "--svg", "-")
    assert result.stdout == svg(game)
    dark = run("show", DEAL, "--svg", "-", "--dark", "--theme", "chess").stdout
    assert dark == svg(mate.Game(DEAL), "chess", dark=True)


def test_a_picture_in_a_file(tmp_path):
    file = tmp_path / "game.svg"
    result = run("show", DEAL, "--moves", MOVES, "--svg", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert ElementTree.parse(file).getroot().get("role") == "img"
    assert os.listdir(tmp_path) == ["game.svg"]
    found = json.loads(run("show", DEAL, "--svg", str(file), "--json").stdout)
    assert found["moves"] == []
    assert "Trick 1: X leads." in file.read_text()


def test_what_a_link_points_to_is_written(tmp_path):
    file, link = tmp_path / "file.svg", tmp_path / "link.svg"
    file.write_text("before")
    link.symlink_to(file)
    assert run("show", DEAL, "--svg", str(link)).exit_code == 0
    assert link.is_symlink()
    assert file.read_text().startswith("<svg")


@pytest.mark.parametrize("name", ["", ".", "/nowhere/at all.svg", "a" * 300, "\x1b[31m/x"])
def test_a_file_that_cannot_be_written_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = refused("show", DEAL, "--svg", name)
    assert line.startswith("mate: ")
    assert "\x1b" not in line
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="of POSIX systems")
def test_a_pipe_is_written_to_and_left_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    run("show", DEAL, "--svg", str(pipe))
    assert os.read(reader, 4) == b"<svg"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "game.svg"
    file.write_text("before")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    assert "No space left" in refused("show", DEAL, "--svg", str(file))
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == ["game.svg"]


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", DEAL, "--dark"],
        ["show", DEAL, "--theme", "chess"],
        ["show", DEAL, "--theme", "gothic", "--svg", "-"],
        ["show", DEAL, "--svg", "-", "--json"],
        ["show", POSITION, "--leader", "y"],
        ["show", DEAL, "--nonsense"],
    ],
)
def test_wrong_usage_is_exit_2(words):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "nonsense"], "column 1"),
        (["show", DEAL, "--moves", "Kc Zz"], "expected a rank"),
        (["show", DEAL, "--moves", "Kc Ah"], "'Ah' is not legal"),
        (["show", DEAL, "--moves", "\x1b[2J"], "expected"),
        (["show", DEAL, "--variant", "nonsense"], "presets are bga"),
        (["show", DEAL, "--svg", "x.svg", "--moves", "7c 7d"], "not legal"),
    ],
)
def test_bad_input_is_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = refused(*words)
    assert said in line
    assert "\x1b" not in line
    assert os.listdir(tmp_path) == []
