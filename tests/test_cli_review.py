"""`mate review`: games from files, folders and standard input; tables, JSON and comments."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

import mate
from mate.annotate import annotate
from mate.cli import review as command
from pairing import NAMES, engine_variant, random_game
from test_cli import refused, run

DEAL = '[Deal "AQ7.A7.TK7.AT"]'
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


def record_of(seed: int, **tags: str) -> mate.Record:
    rng = random.Random(seed)
    return mate.Record.of(random_game(engine_variant(NAMES[seed % 9]), rng), tags)


RECORDS = [record_of(seed, X=name, Y="Zoe") for seed, name in enumerate(("Ana", "Bo", "Ana"))]
TEXT = "\n".join(map(mate.write_record, RECORDS))


@pytest.fixture
def games(tmp_path):
    file = tmp_path / "games.mate"
    file.write_text(TEXT, encoding="utf-8")
    return file


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def parsed(data: bytes | str) -> list[mate.Record]:
    return list(mate.parse_records(data if isinstance(data, str) else data.decode()))


# --- Reports -------------------------------------------------------------------------------------


def test_json_is_the_review(games):
    result = run("review", str(games), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = TEXT.split("\n")
    for row, record in zip(rows(result), RECORDS, strict=True):
        review = mate.review(record)
        assert row["file"] == str(games)
        assert lines[row["line"] - 1] == '[Event "?"]'
        assert (row["tags"], row["variant"]) == (record.tags, record.variant.name)
        assert (row["starts"], row["moves"]) == ([str(record.start)], list(record.moves))
        assert (row["value"], row["result"]) == (review.value, review.result)
        assert [d["cost"] for d in row["decisions"]] == [d.cost for d in review.decisions]
        assert [tuple(d["best"]) for d in row["decisions"]] == [d.best for d in review.decisions]
        assert row["turning_point"] == (review.turning_point and review.turning_point.ply)
        for player in "xy":
            summary = getattr(review, player)
            assert row[player]["loss"] == summary.loss
            assert row[player]["accuracy"] == summary.accuracy
            assert row[player]["average_loss"] == summary.average_loss


def test_one_game_is_told_in_full(tmp_path):
    text = f'[Event "Final"]\n[X "Ana"]\n{DEAL}\n1. Ac Tc 2. Qc Kc'
    result = run("review", "-", stdin=text)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "-:1  Final, round ?: Ana (X), ? (Y), *  [bga]"
    table = [line.split() for line in lines[2:6]]
    assert table[1] == ["1", "X", "Ac", "0", "-56", "7c", "(+56)"]
    assert table[3][:5] == ["2", "X", "Qc", "-21", "-21"]
    assert table[3][-3:] == ["←", "turning", "point"]
    assert "X Ana" in result.stdout
    assert "23.0%" in result.stdout


def test_several_games_are_a_line_each_and_a_summary_by_name(games):
    result = run("review", str(games))
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["game", "X", "Y"]
    reviews = [mate.review(record) for record in RECORDS]
    for line, record, review in zip(lines[1:4], RECORDS, reviews, strict=True):
        assert f" {record.tags['X']} " in line
        assert f"{review.x.loss:6} {review.y.loss:6}" in line
    assert lines[5] == "3 games"
    players = {line.split()[0]: line.split()[1:] for line in lines[7:]}
    for name, own in {"Ana": [reviews[0].x, reviews[2].x], "Bo": [reviews[1].x],
                      "Zoe": [review.y for review in reviews]}.items():  # fmt: skip
        both = sum(own[1:], own[0])
        assert players[name][:3] == [str(len(own)), str(both.decisions), str(both.loss)]
        assert players[name][4] == f"{both.accuracy:.1%}"
        assert players[name][5:] == [str(both.perfect), "of", str(both.tricks)]
    assert list(players) == ["Ana", "Bo", "Zoe"]


def test_beyond_so_many_names_players_are_summed_up_together(games, monkeypatch):
    monkeypatch.setattr(command, "MOST_NAMES", 1)
    lines = run("review", str(games)).stdout.splitlines()
    assert [line.split()[:2] for line in lines[-2:]] == [["(others)", "4"], ["Ana", "2"]]


def test_what_a_record_contains_is_shown_and_not_sent():
    evil = "\x1b[2J\x07\u202eevil\x9b"
    text = (
        f'[Event "{evil}"]\n[Site "{evil}"]\n[X "{evil}"]\n[Odd "{evil}"]\n{DEAL}\n7c {{{evil}}} Tc'
    )
    broken = f"{text}\n\n{text}{evil}\n\n{text} {evil}\n\n[{evil}"
    for words in ([], ["--json"], ["--annotate", "-"]):
        for stdin in (text, broken, f"{text}\n\n{text}"):
            result = run("review", "-", *words, stdin=stdin)
            for line in (result.stdout + result.stderr).split("\n"):
                assert line.isprintable(), line
            assert "evil" in result.stdout


# --- Where games come from -----------------------------------------------------------------------


def test_a_folder_is_all_its_records_in_the_order_of_their_names(tmp_path, games):
    (tmp_path / "a.mate").write_text(mate.write_record(record_of(7, X="first")))
    (tmp_path / "other.txt").write_text("no record")
    (tmp_path / "sub.mate").mkdir()
    result = run("review", str(tmp_path), "--json")
    assert result.exit_code == 0
    assert [row["tags"]["X"] for row in rows(result)] == ["first", "Ana", "Bo", "Ana"]
    (tmp_path / "b.mate").write_text("nonsense")
    (tmp_path / "a.mate").chmod(0)
    result = run("review", str(tmp_path), "--json")
    assert result.exit_code == 1
    assert f"{tmp_path / 'b.mate'}:1:1: expected a tag, found 'nonsense'\n" in result.stderr
    assert len(rows(result)) >= 3


@POSIX
def test_file_names_are_shown_and_not_sent(tmp_path):
    file = tmp_path / "\x1b[31mred\n.mate"
    file.write_text(f"{TEXT}\nrubbish")
    for place in (file, tmp_path):
        for words in ([], ["--json"]):
            result = run("review", str(place), *words)
            assert result.exit_code == 1
            assert result.stderr.count("\n") == 1
            assert "\x1b" not in result.stdout + result.stderr


def test_places_without_games(tmp_path):
    empty = tmp_path / "empty.mate"
    empty.write_text("; nothing\n")
    assert refused("review", str(empty)) == f"mate: {empty}: there is no game in it\n"
    assert refused("review", "-") == "mate: standard input: there is no game in it\n"
    (tmp_path / "folder").mkdir()
    assert "there is no file *.mate" in refused("review", str(tmp_path / "folder"))
    missing = refused("review", str(tmp_path / "missing"))
    assert missing == f"mate: {tmp_path / 'missing'}: No such file or directory\n"
    refused("review", "a\0b")


def test_broken_games_are_told_by_place_and_the_rest_is_reviewed(games):
    games.write_text(TEXT.replace('[X "Bo"]', '[X "Bo"'), encoding="utf-8")
    for words in (["--json"], [], ["--annotate", "-"]):
        result = run("review", str(games), *words)
        assert result.exit_code == 1
        line = TEXT.split("\n").index('[X "Bo"]') + 1
        assert result.stderr == (
            f"{games}:{line}:8: expected the bracket at the tag's end, found the end of the line\n"
        )
        assert "Zoe" in result.stdout
    result = run("review", "-", "--json", stdin=games.read_bytes())
    assert result.stderr.startswith(f"standard input:{line}:8: ")
    assert len(rows(result)) == 2


@pytest.mark.parametrize("data", [b"\x00" * 5000, b"\xff\xfe\x00", bytes(range(256)) * 300])
def test_binary_files(tmp_path, data):
    file = tmp_path / "x.mate"
    file.write_bytes(data)
    result = run("review", str(file))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert 1 <= result.stderr.count("\n") <= 2 + data.count(b"\n[")
    assert "\x00" not in result.stderr


# --- Comments ------------------------------------------------------------------------------------


def test_annotated_records(games, tmp_path):
    expected = [annotate(record, mate.review(record)) for record in RECORDS]
    printed = run("review", str(games), "--annotate", "-")
    assert printed.exit_code == 0
    assert printed.stdout == "\n".join(map(mate.write_record, expected))
    assert any(record.comments for record in expected)
    out = tmp_path / "out.mate"
    table = run("review", str(games), "--annotate", str(out))
    assert table.stdout == run("review", str(games)).stdout
    assert out.read_bytes() == printed.stdout_bytes
    again = run("review", str(out), "--annotate", "-")
    assert again.stdout == printed.stdout
    assert games.read_text(encoding="utf-8") == TEXT


def test_the_input_is_replaced_only_by_its_very_name(games, tmp_path):
    link, folder = tmp_path / "link.mate", tmp_path / "folder"
    folder.mkdir()
    other = os.path.join(str(tmp_path), "folder", "..", "games.mate")
    if os.name == "posix":
        link.symlink_to(games)
        assert "not replaced" in refused("review", str(games), "--annotate", str(link))
        link.unlink()
    assert "not replaced" in refused("review", str(games), "--annotate", other)
    assert "not replaced" in refused("review", str(tmp_path), "--annotate", str(games))
    assert "a folder" in refused("review", str(games), "--annotate", str(folder))
    assert games.read_text(encoding="utf-8") == TEXT
    assert run("review", str(games), "--annotate", str(games)).exit_code == 0
    assert parsed(games.read_bytes()) == [annotate(r, mate.review(r)) for r in RECORDS]
    assert sorted(os.listdir(tmp_path)) == ["folder", "games.mate"]


def test_a_file_with_broken_games_is_not_replaced_by_the_rest(games, tmp_path):
    broken = TEXT + "\nrubbish\n"
    games.write_text(broken, encoding="utf-8")
    result = run("review", str(games), "--annotate", str(games))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        f"mate: {games}: not replaced, since it has broken games"
    )
    assert games.read_text(encoding="utf-8") == broken
    out = tmp_path / "out"
    assert run("review", str(games), "--annotate", str(out)).exit_code == 1
    assert len(parsed(out.read_bytes())) == 2  # the rubbish belongs to the last game
    assert sorted(os.listdir(tmp_path)) == ["games.mate", "out"]


def test_places_that_cannot_be_written(games, tmp_path):
    line = refused_after_table(games, tmp_path / "none" / "out")
    assert line.startswith(f"mate: {tmp_path / 'none' / 'out'}: ")
    assert "\0" not in refused_after_table(games, "a\0b")
    assert os.listdir(tmp_path) == ["games.mate"]


def refused_after_table(games, out) -> str:
    result = run("review", str(games), "--annotate", str(out))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_two_things_on_standard_output(games):
    result = run("review", str(games), "--json", "--annotate", "-")
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_game_too_long_with_its_comments_is_reported(games):
    values = "".join(f'[T{number} "{"x" * 8000}"]\n' for number in range(8))
    game = "7c Tc Ah Th 7d Td" + " {" + "y" * 1350 + "}"
    result = run("review", "-", "--annotate", "-", stdin=f"{TEXT}\n{values}{DEAL}\n{game}")
    assert result.exit_code == 1
    assert "too long" in result.stderr
    assert len(parsed(result.stdout)) == 3


# --- As a process --------------------------------------------------------------------------------


@POSIX
def test_an_interrupted_review_leaves_nothing_behind(tmp_path):
    file = tmp_path / "many.mate"
    file.write_text("\n".join(map(mate.write_record, [record_of(6)] * 20_000)))
    command = [sys.executable, "-m", "mate", "review", str(file), "--annotate"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "out.mate")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline().startswith(b"game")
    since = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert time.monotonic() - since < 5
    assert (process.returncode, error) == (130, b"mate: interrupted\n")
    assert os.listdir(tmp_path) == ["many.mate"]


@POSIX
def test_a_reader_that_goes_away(tmp_path):
    file = tmp_path / "many.mate"
    file.write_text("\n".join(map(mate.write_record, [record_of(0)] * 3_000)))
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash",
         sys.executable, "-m", "mate", "review", str(file), "--json"],
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, b"")
    assert done.stdout.count(b"\n") == 1


# --- What stood where the records are written ----------------------------------------------------


@pytest.mark.parametrize("content", [None, "", '[Deal "zz"]\n'])
def test_nothing_is_written_where_no_game_was_read(tmp_path, content):
    out, read = tmp_path / "out.mate", tmp_path / "read.mate"
    out.write_text("precious", encoding="utf-8")
    if content is not None:
        read.write_text(content, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mate", "review", str(read), "--annotate", str(out)],
        capture_output=True,
    )
    assert done.returncode == 1
    assert out.read_text(encoding="utf-8") == "precious"


def test_what_comes_through_standard_input_is_not_lost_either(tmp_path):
    file = tmp_path / "games.mate"
    text = (
        mate.write_record(mate.Record.of(mate.Game("AQ7.A7.TK7.AT"))) + '\n[Deal "zz"]\n\n1. Kc\n'
    )
    file.write_text(text, encoding="utf-8")
    with open(file, "rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-m", "mate", "review", "-", "--annotate", str(file)],
            stdin=stdin,
            capture_output=True,
        )
    assert done.returncode == 1
    assert file.read_text(encoding="utf-8") == text


def test_only_our_own_parts_are_removed_and_what_is_private_stays_so(tmp_path):
    out, own, other = (
        tmp_path / name for name in ("p.mate", "p.mate.0123abcd.part", "p.mate.my.part")
    )
    for file in (out, own, other):
        file.write_text("before", encoding="utf-8")
        os.utime(file, (0, 0))
    out.chmod(0o600)
    mate.write_records(out, [mate.Record.of(mate.Game("AQ7.A7.TK7.AT"))])
    assert sorted(os.listdir(tmp_path)) == ["p.mate", "p.mate.my.part"]
    assert os.name != "posix" or out.stat().st_mode & 0o777 == 0o600
