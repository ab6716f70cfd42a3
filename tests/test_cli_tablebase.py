"""`mate tablebase`, `mate analyze --tablebase`, and variants out of a file."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import mate
from test_cli import refused, run

DECK = {"suits": "abc", "ranks": "WXYZ", "slots": ["WXYZ"] * 3, "points": [9, 7, 5, 3]}
FIELDS = {"deck": DECK, "foreplace": {"weights": "tempos"}, "privileged": "Y", "name": "mine"}
VARIANT = mate.Variant.from_plain(FIELDS)
DEAL = "WX.Y.XYZ"


@pytest.fixture
def variant(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(FIELDS))
    return str(file)


@pytest.fixture
def table(tmp_path, variant):
    file = str(tmp_path / "mine.mtb")
    result = run("tablebase", "build", "--variant", variant, "--file", file, "--json")
    built = json.loads(result.stdout)
    assert (built["variant"], built["file"]) == ("mine", file)
    assert built["positions"] == built["bytes"] > 10_000
    return file


def test_build_says_what_it_costs_and_what_it_did(tmp_path, variant):
    file = tmp_path / "mine.mtb"
    result = run("tablebase", "build", "--variant", variant, "--file", str(file))
    assert result.exit_code == 0
    assert "bytes of memory" in result.stderr
    assert result.stdout.endswith(f" s: {file}\n")
    assert os.path.getsize(file) > 10_000


def test_verify(table):
    result = run("tablebase", "verify", "--file", table, "--samples", "50")
    assert result.stdout == f"{table} is sound; 50 positions of it were searched and agree\n"
    with open(table, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([byte ^ 8]))
    line = refused("tablebase", "verify", "--file", table)
    assert line.startswith(f"mate: tablebase {table}: block ")
    assert "is damaged" in refused("tablebase", "stats", "--file", table)


def test_probe_and_analyze_agree_with_the_search(table, variant):
    words = [DEAL, "--variant", variant, "--json"]
    searched = json.loads(run("analyze", *words).stdout)
    looked_up = json.loads(run("analyze", *words, "--tablebase", table).stdout)
    assert (searched.pop("source"), looked_up.pop("source")) == ("search", "tablebase")
    assert looked_up.pop("nodes") == 0 < searched.pop("nodes")
    for found in (searched, looked_up):
        del found["seconds"]
    assert looked_up == searched
    probed = json.loads(run("tablebase", "probe", *words, "--file", table).stdout)
    assert probed["value"] == searched["value"]
    values = {move["move"]: move["value"] for move in searched["moves"]}
    assert {move["move"]: move["value"] for move in probed["moves"]} == values
    lines = run("tablebase", "probe", *words[:3], "--file", table).stdout.splitlines()
    assert lines[0].endswith(f"{searched['value']:+d}")
    assert {line.split()[0]: int(line.split()[1]) for line in lines[1:]} == values
    text = run("analyze", *words[:3], "--tablebase", table).stdout
    assert "looked up in" in text


def test_stats(table):
    rows = [json.loads(line) for line in run("tablebase", "stats", "--file", table, "--json")
            .stdout.splitlines()]  # fmt: skip
    assert sum(row["positions"] for row in rows) == len(mate.Tablebase.open(table).core.buffer)
    text = run("tablebase", "stats", "--file", table).stdout.splitlines()
    assert len(text) == len(rows) + 1
    assert len(set(map(len, text[1:]))) == 1


def test_the_default_place(monkeypatch, tmp_path, variant):
    if sys.platform != "linux":
        pytest.skip("the place differs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    line = refused("tablebase", "probe", DEAL, "--variant", variant)
    assert "build --variant" in line
    assert run("tablebase", "build", "--variant", variant).exit_code == 0
    assert run("tablebase", "probe", DEAL, "--variant", variant).exit_code == 0
    found = run("analyze", DEAL, "--variant", variant, "--tablebase", "default", "--json")
    assert json.loads(found.stdout)["source"] == "tablebase"


def test_a_table_of_another_variant(table):
    assert "the tablebase is of mine" in refused("analyze", "AQ7.A7.TK7.AT", "--tablebase", table)
    for part in (["verify"], ["stats"], ["probe", "AQ7.A7.TK7.AT"]):
        line = refused("tablebase", *part, "--file", table, "--variant", "bga")
        assert "is a tablebase of mine, not bga" in line


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file" / "x.mtb", tmp_path):
        line = refused("tablebase", "build", "--file", str(place), "--json")
        assert "nothing can be written there" in line or "there is no folder" in line
    line = refused("tablebase", "build", "--file", str(tmp_path / "typo" / "x.mtb"), "--json")
    assert "there is no folder" in line
    assert os.listdir(tmp_path) == ["file"]


def test_decks_that_are_too_large():
    line = refused("tablebase", "build", "--variant", "bga,deck=double24", "--json")
    assert "24 cards" in line
    assert "positions" in line


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b'{"deck": 5}', b'{"x": 1}', b"[" * 100_000]
)
def test_variant_files_that_are_none(tmp_path, content):
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    refused("deal", "--variant", str(file))
    refused("deal", "--variant", str(tmp_path / "missing.json"))


def test_a_variant_file_is_taken_everywhere(variant):
    assert len(run("deal", "--variant", variant, "--seed", "1").stdout.split("/")[0]) > 6
    assert run("perft", DEAL, "--variant", variant, "--depth", "3").exit_code == 0
    solved = json.loads(run("solve", "-", "--variant", variant, "--json", stdin=DEAL).stdout)
    assert [solved["x_leads"], solved["y_leads"]] == mate.solve([DEAL], VARIANT)[0].tolist()


@pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
@pytest.mark.parametrize("seconds", [0.3, 0.8])
def test_an_interrupted_build_ends_within_a_second_and_cleans_up(tmp_path, seconds):
    command = [sys.executable, "-m", "mate", "tablebase", "build", "--threads", "1"]
    process = subprocess.Popen(
        [*command, "--variant", "tempos", "--file", str(tmp_path / "t.mtb")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert b"bytes of memory" in process.stderr.readline()
    time.sleep(seconds)
    since = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    # A second is what a person waits; a machine that is busy may need more.
    assert time.monotonic() - since < 5
    assert (process.returncode, error) == (130, b"mate: interrupted\n")
    assert os.listdir(tmp_path) == []
