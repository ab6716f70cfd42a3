"""`mate selfplay`: what it counts, keeps, tells and forgives."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mate
from mate.arrays.shardreading import read_games
from mate.cli import app

POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
MATE = [sys.executable, "-c", "from mate.cli import main; main()", "selfplay"]


def run(*words: object, code: int = 0, stdin: str = ""):
    result = CliRunner().invoke(app, ["selfplay", *map(str, words)], input=stdin)
    assert result.exit_code == code, result.output
    return result


def told(*words: object, **more) -> dict:
    return json.loads(run(*words, "--json", **more).stdout)


def test_games_are_counted():
    games = mate.selfplay(1234, "greedy", "random", "capellen", 7, leader="y")
    found = told(1234, "--x", "greedy", "--variant", "capellen", "--seed", 7, "--leader", "y")
    assert found["games"] == 1234
    assert found["moves"] == (games.moves >= 0).sum()
    assert found["x_wins"] == (games.result > 0).sum()
    assert found["draws"] == (games.result == 0).sum()
    assert found["margin"] == games.result.sum()
    assert "bytes" not in found


@pytest.mark.parametrize("shard", [1, 100, 1000, 5000])
@pytest.mark.parametrize("threads", [1, 3])
def test_what_is_counted_depends_on_no_division(shard, threads):
    found = told(1000, "--shard", shard, "--threads", threads, "--unit", "round")
    whole = told(1000, "--unit", "round")
    for result in (found, whole):
        del result["seconds"]
    assert found == whole
    assert found["games"] == 2000


def test_the_summary_for_people():
    result = run(1000, "--seed", 1)
    games = mate.selfplay(1000, seed=1)
    wins = f"X wins {(games.result > 0).mean():.2%}"
    assert wins in result.stdout
    assert f"mean margin {games.result.mean():+.3f}" in result.stdout
    assert result.stdout.startswith("1,000 games in ")
    assert result.stderr == "1,000 games of bga, random against random; nothing is kept\n"


def test_shards_are_kept_and_found(tmp_path):
    words = (2000, "--seed", 3, "--out", tmp_path, "--format", "npz", "--shard", 600)
    result = run(*words)
    assert "about 62,000 bytes, 4 shards; " in result.stderr
    assert f"{tmp_path}: 4 shards, " in result.stdout
    again = told(*words)
    assert (again["shards"], again["kept"]) == (4, 4)
    assert again["bytes"] == sum(path.stat().st_size for path in tmp_path.iterdir())
    assert abs(again["bytes"] - 62_000) < 4 * 6000  # and what a head takes
    games = mate.Games.concatenate(list(read_games(tmp_path)))
    assert (games.moves == mate.selfplay(2000, seed=3).moves).all()


def test_parquet_is_what_is_written_unless_told(tmp_path):
    pytest.importorskip("pyarrow")
    run(10, "--out", tmp_path)
    assert os.listdir(tmp_path) == ["games-00000000.parquet"]


def test_deals_from_a_file_and_from_a_pipe(tmp_path):
    deals = "# two\nATK.Q7.A.TKQ7\n\nAQ7.A7.TK7.AT\n"
    (tmp_path / "deals.txt").write_text(deals)
    words = (10, "--x", "optimal", "--y", "optimal")
    found = told(*words, "--deals", tmp_path / "deals.txt")
    piped = told(*words, "--deals", "-", stdin=deals)
    played = mate.selfplay(10, "optimal", "optimal", deals=["ATK.Q7.A.TKQ7", "AQ7.A7.TK7.AT"])
    assert found["margin"] == piped["margin"] == played.result.sum()


def test_values_from_a_tablebase(tmp_path):
    plain = {"suits": "ab", "ranks": "XYZ", "slots": ["XYZ", "XYZ"], "points": [3, 2, 1]}
    (tmp_path / "small.json").write_text(json.dumps({"deck": plain}))
    variant = mate.Variant.from_plain({"deck": plain})
    path = mate.Tablebase.build(variant).save(tmp_path / "small.mtb")
    words = (50, "--variant", tmp_path / "small.json", "--y", "optimal", "--labels")
    found = told(*words, "--tablebase", path)
    assert found["margin"] == told(*words)["margin"]
    words = ("50", "--tablebase", path)
    assert run(*words, code=1).stderr.startswith("mate: ")


def test_the_tablebase_at_its_place(tmp_path, monkeypatch):
    # README's command with fewer games, and a variant whose tablebase is built at once.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    plain = {"suits": "ab", "ranks": "XYZ", "slots": ["XYZ", "XYZ"], "points": [3, 2, 1]}
    (tmp_path / "small.json").write_text(json.dumps({"deck": plain}))
    words = ("100", "--y", "optimal", "--seed", 1, "--variant", tmp_path / "small.json")
    missing = run(*words, "--tablebase", "default", code=1).stderr
    assert missing.startswith("mate: ")
    assert str(tmp_path / "cache") in missing
    variant = mate.Variant.from_plain({"deck": plain})
    place = mate.tablebase.default_path(variant)
    place.parent.mkdir(parents=True)
    mate.Tablebase.build(variant, threads=1).save(place)
    words = (*words, "--format", "npz")
    run(*words, "--tablebase", "default", "--out", tmp_path / "run")
    (games,) = read_games(tmp_path / "run")
    played = mate.selfplay(100, y="optimal", seed=1, variant=variant)
    assert (games.moves == played.moves).all()


@pytest.mark.parametrize(
    "words",
    [
        ["10", "--x", "nobody"],
        ["10", "--variant", "whist"],
        ["10", "--deals", "/nowhere/at all"],
        ["10", "--tablebase", "/nowhere/at all"],
        ["10", "--seed", str(1 << 64)],
        ["10", "--out", ""],
        ["10", "--out", "nowhere://at/all"],
        ["10", "--shard", str(1 << 30)],
        ["1000000000000", "--shard", "1"],
        ["99999999999999999999999999", "--out", "x"],
    ],
)  # fmt: skip
def test_bad_input_is_one_line(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*words, code=1)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert [line for line in lines if " of bga, " not in line] == lines[-1:]
    assert lines[-1].startswith("mate: ")
    assert os.listdir(tmp_path) == []


def test_a_bad_deal_is_told_by_its_line(tmp_path):
    (tmp_path / "deals").write_text("ATK.Q7.A.TKQ7\nATK\n")
    error = run(10, "--deals", tmp_path / "deals", code=1).stderr
    assert error.startswith(f"mate: {tmp_path / 'deals'}: line 2: ")
    (tmp_path / "deals").write_text("\n")
    assert "there is no deal in it" in run(10, "--deals", tmp_path / "deals", code=1).stderr


@pytest.mark.parametrize(
    "words",
    [
        [], ["many"], ["0"], ["-1"], ["10", "--unit", "match"], ["10", "--format", "csv"],
        ["10", "--threads", "0"], ["10", "--threads", "2", "--scheduler", "tcp://x:1"],
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_2(words):
    run(*words, code=2)


def test_another_run_in_the_place_is_told(tmp_path):
    run(10, "--out", tmp_path, "--format", "npz")
    error = run(10, "--out", tmp_path, "--format", "npz", "--seed", 1, code=1).stderr
    assert error.endswith("games-00000000.npz: a shard of another run: seed 0, not 1\n")


# --- As a process --------------------------------------------------------------------------------


def started(*words: object) -> subprocess.Popen:
    return subprocess.Popen(
        [*MATE, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@POSIX
def test_an_interrupted_run_goes_on_where_it_stood(tmp_path):
    words = ("--seed", 5, "--shard", 2000, "--format", "npz", "--out", tmp_path / "run")
    process = started(10**9, *words)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and len(list(tmp_path.glob("run/*.npz"))) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == b""
    assert error.splitlines()[1:] == [b"mate: interrupted; the same command goes on where it stood"]
    there = sorted(os.listdir(tmp_path / "run"))
    assert len(there) >= 3
    assert all(name.endswith(".npz") for name in there)  # and nothing half
    more = 2000 * (int(there[-1][6:14]) + 3)
    assert told(more, *words)["kept"] == len(there)
    games = mate.Games.concatenate(list(read_games(tmp_path / "run")))
    assert (games.result == mate.selfplay(more, seed=5).result).all()


@POSIX
def test_an_interruption_is_heeded_at_once():
    process = started(10**12, "--x", "optimal")
    process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    since = time.monotonic()
    error = process.communicate(timeout=30)[1]
    assert (process.returncode, error) == (130, b"mate: interrupted\n")
    assert time.monotonic() - since < 15


@POSIX
def test_memory_is_bounded_whatever_the_number_of_games(tmp_path):
    script = (
        "import resource, sys; sys.argv[0] = 'mate'\n"
        "from mate.cli import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )

    def most(count: int) -> int:
        process = subprocess.run(
            [sys.executable, "-c", script, "selfplay", str(count), "--threads", "2",
             "--shard", "100000", "--format", "npz", "--out", str(tmp_path / str(count))],
            capture_output=True, timeout=100, check=True,
        )  # fmt: skip
        return int(process.stderr.split()[-1])

    few, many = most(400_000), most(2_000_000)
    assert many < 1.2 * few


def shown_on_terminal(*words: object) -> tuple[bytes, bytes]:
    """What standard error shows where it is a terminal, and standard output."""
    pty = pytest.importorskip("pty")
    terminal, end = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(
        [*MATE, *map(str, words)], stdout=subprocess.PIPE, stderr=end, env=env
    )
    os.close(end)
    shown = b""
    try:
        while some := os.read(terminal, 65536):
            shown += some
    except OSError:
        pass  # how Linux reports the end
    os.close(terminal)
    return shown, process.communicate(timeout=60)[0]


@POSIX
def test_a_terminal_sees_how_fast_it_is_and_what_is_left():
    shown, out = shown_on_terminal(600, "--y", "optimal", "--threads", 1, "--variant", "capellen")
    assert b" games a second" in shown
    assert b"0:00:" in shown
    assert b"\x1b" not in out


def test_the_command_loads_only_what_it_needs():
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sorted(sys.modules), sep='\\n', file=sys.stderr))\n"
        "from mate.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, "selfplay", "10"],
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    loaded = set(result.stderr.decode().splitlines())
    assert "mate.cli.selfplay" in loaded
    assert not {"pyarrow", "fsspec", "distributed", "rich"} & loaded


def test_the_help_names_every_way_to_play():
    text = " ".join(run("--help").output.split())
    for word in ("epsilon:P", "softmax:T", "--scheduler", "--labels", "parquet|npz"):
        assert word in text


def test_nothing_is_left_in_the_folder_of_a_counted_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(10)
    assert list(Path(tmp_path).iterdir()) == []
