"""The command as a process: pipes, signals, terminals and how fast it starts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MATE = [sys.executable, "-c", "from mate.cli import main; main()"]
DEAL = "ATK.Q7.A.TKQ7"
# Output is to be buffered, as it is for users: much that can go wrong goes wrong in the last flush.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


def run(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*MATE, *words],
        input=stdin, capture_output=True, timeout=60, check=False, env={**ENV, **environment},
    )  # fmt: skip


def shell(script: str) -> subprocess.CompletedProcess:
    """Run a shell script in which "$@" is the command."""
    return subprocess.run(
        ["bash", "-c", script, "bash", *MATE],
        capture_output=True, timeout=60, check=False, env=ENV,
    )  # fmt: skip


# --- Input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "nonsense"],
        pytest.param(["analyze", b"\xff\xfe"], marks=POSIX),
        ["analyze", "-"],
        ["perft", "\n\r\x0b"],
        ["solve", "/nowhere/at all"],
        ["solve", "\x1b[31mred"],
        pytest.param(["solve", "/"], marks=POSIX),
        ["solve", "-"],
        pytest.param(["deal", "--variant", b"\xff"], marks=POSIX),
        ["play", "A" * 20_000],
    ],
)
def test_bad_input_is_one_line_and_no_traceback(words):
    result = run(*words)
    assert result.returncode == 1
    assert result.stdout == b""
    assert result.stderr.startswith(b"mate: ")
    assert result.stderr.count(b"\n") == 1
    assert len(result.stderr) < 300
    assert b"\x1b" not in result.stderr


def test_wrong_usage_is_exit_2():
    assert run("deal", "--count", "many").returncode == 2
    assert run("deal", "surplus").returncode == 2


def test_thousands_of_deals_from_a_file_and_from_a_pipe(tmp_path):
    file = tmp_path / "deals.txt"
    file.write_bytes(run("deal", "--count", "10000", "--seed", "1").stdout)
    whole = run("solve", str(file), "--json")
    piped = run("solve", "-", "--json", "--threads", "1", stdin=file.read_bytes())
    assert whole.returncode == piped.returncode == 0
    assert whole.stdout == piped.stdout
    assert whole.stdout.count(b"\n") == 10_000
    assert whole.stderr == piped.stderr == b""


@POSIX
def test_commands_fit_together():
    result = shell('"$@" deal --seed 1 --count 5 | "$@" solve - --json')
    assert result.stdout.count(b"x_leads") == 5
    result = shell('"$@" deal --seed 1 | "$@" analyze - --json')
    assert result.returncode == 0


# --- Output --------------------------------------------------------------------------------------


@POSIX
@pytest.mark.parametrize("command", ["deal --count 100000", f"analyze {DEAL}", f"perft {DEAL}"])
def test_a_reader_who_leaves_is_no_trouble(command):
    result = shell(f'"$@" {command} | true; exit ${{PIPESTATUS[0]}}')
    assert result.stderr == b""
    assert result.returncode in (0, 141)  # 0 if all was written before he left


@POSIX
def test_a_reader_who_leaves_ends_the_work():
    assert shell('"$@" deal --count 1000000000 | head -1; exit ${PIPESTATUS[0]}').returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told():
    result = shell('"$@" deal > /dev/full')
    assert result.returncode == 1
    assert result.stderr == b"mate: standard output: No space left on device\n"


@POSIX
def test_closed_streams_are_no_trouble():
    assert shell('"$@" deal >&-').returncode == 0
    result = shell('"$@" analyze nonsense 2>&-')
    assert (result.returncode, result.stdout) == (1, b"")
    assert shell('"$@" solve - <&-').stderr == b"mate: standard input is closed\n"


def test_letters_that_the_output_cannot_show_are_no_trouble():
    result = run("play", DEAL, stdin="♣♣\n".encode(), PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert b"is no move" in result.stdout


def test_no_colour_but_on_a_terminal():
    assert b"\x1b" not in run("analyze", DEAL).stdout
    assert b"\x1b" not in run("play", DEAL, stdin=b"hint\n").stdout


# --- Terminals -----------------------------------------------------------------------------------


def on_terminal(*words: str, **environment: str) -> bytes:
    """Run with a terminal for standard output, and return what it shows."""
    pty = pytest.importorskip("pty")
    terminal, end = pty.openpty()
    env = {**ENV, "TERM": "xterm-256color", "COLUMNS": "80", **environment}
    if "NO_COLOR" not in environment:
        env.pop("NO_COLOR", None)
    process = subprocess.Popen([*MATE, *words], stdin=subprocess.DEVNULL, stdout=end, env=env)
    os.close(end)
    shown = b""
    try:
        while some := os.read(terminal, 65536):
            shown += some
    except OSError:
        pass  # how Linux reports the end
    assert process.wait(timeout=60) == 0
    os.close(terminal)
    return shown


@POSIX
def test_a_terminal_shows_the_board_in_colour():
    shown = on_terminal("deal", "--seed", "1")
    assert b"\x1b[1;36m X " in shown
    assert b"mate scores" in shown


@POSIX
def test_no_color_is_respected():
    shown = on_terminal("analyze", DEAL, NO_COLOR="1")
    assert b"mate scores" in shown
    assert b"\x1b" not in shown


# --- Interruption --------------------------------------------------------------------------------


def start(*words: str) -> subprocess.Popen:
    # A shell may have told its background jobs to ignore the signal.
    return subprocess.Popen(
        [*MATE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=ENV,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def interrupt(process: subprocess.Popen) -> tuple[bytes, bytes]:
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=30)
    assert process.returncode == 130
    return rest


@POSIX
def test_an_interrupted_solve_says_how_far_it_came():
    process = start("solve", "-", "--json")
    process.stdin.write(f"# deals\n{DEAL}\n".encode() + f"{DEAL}\n".encode() * 63)
    process.stdin.flush()
    for _ in range(64):
        assert process.stdout.readline().startswith(b'{"deal": ')
    time.sleep(0.5)  # until it waits for more
    rest, error = interrupt(process)
    assert rest == b""
    assert error == b"mate: interrupted; 64 deals were solved, to line 65\n"


@POSIX
def test_an_interrupted_perft_keeps_the_rows_it_has():
    process = start("perft", DEAL, "--depth", "20")
    for _ in range(10):
        assert process.stdout.readline()
    rest, error = interrupt(process)
    assert error == b"mate: interrupted\n"
    assert rest == b"" or rest.endswith(b"\n")


@POSIX
def test_an_interrupted_game_ends():
    process = start("play", DEAL)
    while b"Trick 1" not in process.stdout.readline():
        pass
    _, error = interrupt(process)
    assert error == b"mate: interrupted\n"


# --- Starting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["analyze", DEAL, "--json"], {"numpy", "rich"}),
        (["analyze", DEAL], {"numpy", "rich.progress"}),
        (["perft", DEAL], {"numpy", "rich"}),
        (["solve", "-"], {"rich"}),
    ],
)
def test_a_command_loads_only_what_it_needs(words, absent):
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sorted(sys.modules), sep='\\n', file=sys.stderr))\n"
        "from mate.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, *words],
        input=DEAL.encode(), capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    loaded = set(result.stderr.decode().splitlines())
    assert f"mate.cli.{words[0]}" in loaded
    assert not absent & loaded


def test_the_face_loads_no_command_line():
    script = "import mate, sys; print(*sys.modules, sep='\\n')"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert not {"typer", "rich", "numpy"} & set(result.stdout.decode().splitlines())
