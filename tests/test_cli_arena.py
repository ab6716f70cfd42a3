"""The command `arena`."""

import json
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import mate
from mate.cli import app


def run(*words: str):
    return CliRunner().invoke(app, ["arena", *words])


def test_it_prints_what_the_function_finds():
    result = run("greedy", "random", "--rounds", "20", "--seed", "3", "--variant", "pieces")
    assert result.exit_code == 0
    found = mate.arena("greedy", "random", 20, "pieces", seed=3)
    assert result.stdout == f"{found}\n"


def test_json_is_an_object_on_a_line():
    result = run("greedy", "random", "--rounds", "20", "--json", "--threads", "1")
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    plain = json.loads(line)
    assert plain.pop("seconds") > 0
    assert plain == mate.arena("greedy", "random", 20).to_plain()


def test_one_deal_is_json_too():
    plain = json.loads(run("random", "random", "--rounds", "1", "--json").stdout)
    assert (plain["low"], plain["high"]) == (None, None)


def test_values_come_from_a_tablebase(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    variant = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))
    file = tmp_path / "small.json"
    file.write_text(json.dumps(variant.to_plain()))
    table = mate.Tablebase.build(variant, threads=1)
    table.save(tmp_path / "small.mtb")
    words = ["epsilon:0.2", "random", "--rounds", "50", "--variant", str(file)]
    alone = run(*words)
    assert alone.exit_code == 0
    assert run(*words, "--tablebase", str(tmp_path / "small.mtb")).stdout == alone.stdout
    assert run(*words, "--tablebase", "default").exit_code == 1
    other = run("random", "random", "--rounds", "2", "--tablebase", str(tmp_path / "small.mtb"))
    assert (other.exit_code, other.stdout) == (1, "")
    assert other.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["random"], 2),
        ([], 2),
        (["random", "random", "--rounds", "0"], 2),
        (["random", "random", "--seed", "-1"], 2),
        (["random", "random", "--threads", "257"], 2),
        (["random", "nonsense"], 1),
        (["depth:3", "random"], 1),
        (["epsilon:2", "random"], 1),
        (["random", "random", "--variant", "nonsense"], 1),
        (["random", "random", "--tablebase", "missing.mtb"], 1),
        (["random", "random", "--seed", str(1 << 64)], 1),
    ],
)
def test_wrong_input_is_one_line(words, code):
    result = run(*words)
    assert result.exit_code == code
    assert result.stdout == ""
    if code == 1:
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith("mate: ")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to one process")
def test_an_interruption_is_heeded_at_once():
    words = [sys.executable, "-m", "mate", "arena", "optimal", "optimal", "--rounds", "100000000"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == "mate: interrupted\n"
