"""The client of the engine protocol against the own engine and against engines that misbehave."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import mate
from mate.engine import Engine, EnginePlayer
from mate.protocol import Option
from mate.protocol.settings import write_variant
from test_protocol import LONG, LONG_DECK

DEAL = "AQ7.A7.TK7.AT"
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
EXAMPLE = Path(__file__).parents[1] / "examples" / "talk_to_engine.py"
# What an engine must say before it can misbehave later, and then what it does at each line.
FAKE = """
import os, signal, sys, time
say = lambda *words: print(*words, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word == "mate":
        {mate}
    elif word == "isready":
        {isready}
    elif word == "go":
        {go}
    elif word == "quit":
        {quit}
"""
KIND = {
    "mate": 'say("id name fake\\nmateok")',
    "isready": 'say("readyok")',
    "go": 'say("info depth 1 exact no value 0 nodes 1 time 0 line 7c\\nbestmove 7c")',
    "quit": "break",
}


def fake(**deeds):
    """The command of an engine that does as it should but for some deeds."""
    return [sys.executable, "-S", "-E", "-c", FAKE.format(**{**KIND, **deeds})]


def children():
    """The processes that this one has begun, those included that ended and nobody asked after."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            found |= {path.parent.name} if int(words[1]) == os.getpid() else set()
    return found


def open_files():
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


@pytest.fixture(autouse=True)
def _nothing_is_left():
    threads, files, begun = threading.active_count(), open_files(), children()
    yield
    assert threading.active_count() == threads
    assert open_files() == files
    assert children() <= begun


@pytest.fixture(scope="module")
def game():
    return mate.Game(DEAL)


# --- The own engine ------------------------------------------------------------------------------


def test_what_the_own_engine_finds_is_the_truth():
    rng = random.Random(5)
    with Engine.popen() as engine:
        assert engine.id == f"matecore {mate.__version__}"
        for variant in ("bga", "capellen", "pieces", "bga-free", "double"):
            played = mate.Game(
                mate.Deal.random(rng.randrange(99), mate.Variant.of(variant).deck), variant
            )
            while not played.is_over:
                truth = mate.analyze(played)
                found = engine.analyse(played)
                assert (found.value, found.exact) == (truth.value, True)
                assert found.line == truth.moves[0].line
                assert engine.play(played) == truth.best
                played.push(rng.choice(played.legal_moves))
            assert engine.analyse(played).line == ()
            with pytest.raises(mate.MateError, match="the game is over"):
                engine.play(played)


def test_limits(game):
    with Engine.popen() as engine:
        found = engine.analyse(game, depth=3)
        assert (found.depth, found.exact) == (3, False)
        long = mate.Game(mate.Deal.random(0, LONG_DECK), LONG)
        since = time.monotonic()
        assert engine.play(long, movetime=50) in long.legal_moves
        assert not engine.analyse(long, movetime=50).exact
        assert time.monotonic() - since < 10
        assert engine.analyse(game.position).value == 56


def test_positions_of_every_kind():
    rounds = mate.Round(DEAL, "abril")
    with Engine.popen() as engine:
        assert engine.play(rounds) == "7c"
        assert engine.play(mate.Position.parse("7.Q../.7.K. x - 9 -/- -")) == "Qs"
        game = mate.Game(DEAL)
        game.push("7c")
        engine.position(game)
        engine.new_game()
        assert engine.play(game) in game.legal_moves
        for wrong in (None, "7c", 5):
            with pytest.raises(mate.MateError):
                engine.play(wrong)


def test_variants_of_ones_own():
    variant = mate.Variant(
        deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)), name="of my\nown"
    )
    with Engine.popen() as engine:
        assert engine.analyse(mate.Game("XZ.X", variant)).value == 9
        assert engine.analyse(mate.Game(DEAL)).value == 56


def test_options(game):
    with Engine.popen() as engine:
        assert engine.options["TableBits"] == Option("TableBits", "spin", "16", 4, 24)
        engine.configure(TableBits=8, Tablebase="none")
        engine.configure()
        for wrong in ({"TableBits": 99}, {"Nothing": 1}, {"Variant": "?"}, {"Tablebase": "/no"}):
            with pytest.raises(mate.EngineError, match="setoption"):
                engine.configure(**wrong)
        for unsendable in ("a\nquit", "\x00", "x" * 5000, "\ud800"):
            with pytest.raises(mate.MateError):
                engine.configure(Variant=unsendable)
        engine.configure(Variant="capellen")
        assert engine.play(game) == "7c"


def test_the_engine_as_a_player():
    with Engine.popen() as engine:
        player = EnginePlayer(engine)
        assert mate.Round(DEAL).play(player, mate.Player.of("optimal", 1)) == 0
        assert mate.Round(DEAL).play(EnginePlayer(engine, depth=1), player) <= 0


@pytest.mark.parametrize(
    "wrong",
    [{"depth": 0}, {"depth": "1"}, {"movetime": -1}, {"movetime": 1.5}, {"movetime": 10**12}],
)
def test_wrong_limits(wrong, game):
    with Engine.popen(fake()) as engine:
        with pytest.raises(mate.MateError):
            engine.play(game, **wrong)
        assert engine.play(game) == "7c"


@pytest.mark.parametrize("command", [[], "", [""], 5, [b"x"], ["a", None]])
def test_wrong_commands(command):
    with pytest.raises(mate.MateError):
        Engine.popen(command)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), None, "1", True])
def test_wrong_timeouts(timeout):
    with pytest.raises(mate.MateError, match="timeout"):
        Engine.popen(fake(), timeout)


def test_stop_from_another_thread():
    long = mate.Game(mate.Deal.random(0, LONG_DECK), LONG)
    with Engine.popen(timeout=60) as engine:
        timer = threading.Timer(0.5, engine.stop)
        timer.start()
        since = time.monotonic()
        found = engine.analyse(long)
        assert time.monotonic() - since < 30
        timer.join()
        assert not found.exact
        engine.stop()  # nothing runs: nothing happens
        assert engine.play(mate.Game(DEAL)) == "7c"


def test_one_call_at_a_time(game):
    long = mate.Game(mate.Deal.random(0, LONG_DECK), LONG)
    with Engine.popen(timeout=60) as engine:
        first = threading.Thread(target=engine.play, args=(long,))
        first.start()
        time.sleep(0.3)
        with pytest.raises(mate.EngineError, match="another call"):
            engine.play(game)
        engine.stop()
        first.join()
        assert engine.play(game) == "7c"


def test_an_interrupted_call_ends_the_engine(game, monkeypatch):
    with Engine.popen(fake()) as engine:
        monkeypatch.setattr(engine._process, "read", lambda deadline: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            engine.play(game)
        with pytest.raises(mate.EngineError, match="interrupted"):
            engine.play(game)


def test_quit_comes_twice(game):
    engine = Engine.popen()
    engine.quit()
    engine.quit()
    for call in (lambda: engine.play(game), engine.stop, engine.configure):
        with pytest.raises(mate.EngineError, match="quitted"):
            call()


def test_the_example():
    result = subprocess.run(
        [sys.executable, str(EXAMPLE)], capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout.startswith(f"matecore {mate.__version__} is X\nmoves: 7c ")
    played = mate.Game(DEAL)
    for move in result.stdout.splitlines()[1].split()[1:]:
        played.push(move)
    assert played.is_over
    assert result.stdout.split()[-1] == str((1 if played.to_move == "x" else -1) * played.result)


# --- Engines that misbehave ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/nowhere/engine", "cannot be started"),
        (["."], "cannot be started"),
        (["\0"], "cannot be started"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "ended with exit code 3"),
        (fake(mate="sys.exit(4)"), "ended with exit code 4"),
        (fake(mate="time.sleep(60)"), "no answer within 0.5 s"),
        (fake(mate='say("uciok")'), "no answer within 0.5 s"),
        (fake(mate="sys.stdout.buffer.write(os.urandom(10**5)); sys.stdout.flush()"), "no answer"),
        (fake(mate='say("x" * 10**6)'), "a line of more than"),
        (fake(mate='say("option name\\nmateok")'), "a field is missing"),
        (fake(mate='say("option name A type spin default 1 min x\\nmateok")'), "a whole number"),
        (fake(mate="os.close(1); time.sleep(60)"), "ended"),
        (fake(mate='while True: say("info string nothing")'), "no answer within 0.5 s"),
        (fake(mate='while True: sys.stdout.write("x" * 9999)'), "a line of more than"),
        (fake(mate="say(''); say(); time.sleep(60)"), "no answer within 0.5 s"),
    ],
    ids=range(15),
)  # fmt: skip
def test_what_is_no_engine(command, why):
    since = time.monotonic()
    with pytest.raises(mate.EngineError) as caught:
        Engine.popen(command, timeout=0.5 if "no answer" in why else 20)
    assert why in str(caught.value) or (why == "ended" and "closed its output" in str(caught.value))
    assert time.monotonic() - since < 15


MISDEEDS = {
    "dies": ({"go": "sys.exit(5)"}, "ended with exit code 5"),
    "is killed": ({"go": "os.kill(os.getpid(), 9)"}, "(9)"),
    "hangs": ({"go": "time.sleep(60)"}, "no answer within"),
    "says nothing": ({"go": "pass"}, "no answer within"),
    "floods": ({"go": 'while True: say("info depth 1 exact no value 0 nodes 1 time 0 line 7c")'},
               "no answer within"),
    "floods bytes": ({"go": 'while True: sys.stdout.write("\\0" * 999)'}, "a line of more than"),
    "talks on": ({"go": 'while True: say("info"); time.sleep(0.01)'}, "a field is missing"),
    "cannot count": ({"go": 'say("info depth 1 exact no value abc nodes 1 time 0 line 7c")'},
                     "value 'abc'"),
    "plays what it has not": ({"go": 'say("bestmove Kc")'}, "no legal move"),
    "plays nonsense": ({"go": 'say("bestmove \\x1b[31m")'}, "no legal move"),
    "plays nothing": ({"go": 'say("bestmove")'}, "no legal move"),
    "gives up": ({"go": 'say("bestmove none")'}, "no legal move"),
    "closes its output": ({"go": "os.close(1); time.sleep(60)"}, "closed its output"),
    "is never ready": ({"isready": "time.sleep(60)"}, "no answer within"),
    "closes its input": ({"isready": "os.close(0); say('readyok'); time.sleep(60)"}, "ended"),
    "leaves others behind": (
        {"go": "os.fork() or time.sleep(60); os._exit(6)"},
        "no answer within",
    ),
}  # fmt: skip


@POSIX
@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_an_engine_that_misbehaves(misdeed, game):
    deeds, why = MISDEEDS[misdeed]
    with Engine.popen(fake(**deeds), timeout=20) as engine:
        engine.timeout = 0.7 if "no answer" in why or why == "ended" else 20
        since = time.monotonic()
        with pytest.raises(mate.EngineError) as caught:
            engine.play(game)
        assert why in str(caught.value) or why == "ended"
        assert time.monotonic() - since < 15
        with pytest.raises(mate.EngineError) as again:
            engine.analyse(game)
        assert again.value.why == caught.value.why


@POSIX
@pytest.mark.parametrize(
    "deed",
    [
        "time.sleep(60)",
        "pass",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)",
        'while True: say("what?")',
        "os.fork() or time.sleep(60); sys.exit()",
    ],
    ids=range(5),
)
def test_an_engine_that_does_not_quit(deed, game):
    # "pass" goes on reading, and so comes to the end of its input.
    with Engine.popen(fake(quit=deed), timeout=20) as engine:
        assert engine.play(game) == "7c"
        engine.timeout = 0.5
        since = time.monotonic()
    assert time.monotonic() - since < 15


@POSIX
def test_an_engine_that_does_not_read(game):
    script = 'import time; print("mateok", flush=True); time.sleep(60)'
    with Engine.popen([sys.executable, "-S", "-E", "-c", script], timeout=20) as engine:
        with pytest.raises(mate.EngineError, match="does not read"):  # noqa: PT012
            for _ in range(10**5):
                engine.stop()
        with pytest.raises(mate.EngineError, match="does not read"):
            engine.play(game)


def test_an_engine_that_finds_nothing(game):
    with Engine.popen(fake(go='say("bestmove 7c")')) as engine:
        with pytest.raises(mate.EngineError, match="no info"):
            engine.analyse(game)
        assert engine.play(game) == "7c"


def test_an_engine_that_refuses_is_kept(game):
    refusal = 'say("error not " + "\\x1b" + "now")'
    with Engine.popen(fake(go=refusal)) as engine:
        for _ in range(2):
            with pytest.raises(mate.EngineError) as caught:
                engine.play(game)
            assert str(caught.value).isprintable()
    with Engine.popen(fake(isready=f'{refusal}; say("readyok")')) as engine:
        for call in (engine.new_game, engine.configure, lambda: engine.play(game)):
            with pytest.raises(mate.EngineError, match="not"):
                call()


def test_an_engine_that_says_too_much_is_understood(game):
    twice = 'say("bestmove 7c ponder\\nbestmove Ac\\nbestmove Ac")'.replace(" ponder", "")
    more = KIND["go"].replace("depth", "hashfull 3 depth")
    chatty = 'say("hello\\n\\nid name a  b\\nid author c\\n\\xe9\\nmateok")'
    with Engine.popen(fake(go=twice, mate=chatty)) as engine:
        assert engine.id == "a b"
        assert [engine.play(game) for _ in range(3)] == ["7c"] * 3
    with Engine.popen(fake(go=more)) as engine:
        assert engine.analyse(game).line == ("7c",)


def test_an_engine_that_writes_as_on_windows(game):
    with Engine.popen(fake(go='say("bestmove 7c\\r")', isready='say("readyok\\r")')) as engine:
        assert engine.play(game) == "7c"


# --- The command as a process --------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "mate", "engine"]


def converse(data, **settings):
    return subprocess.run(
        COMMAND, input=data, capture_output=True, timeout=60, check=False, **settings
    )


def test_commands_from_a_file_are_all_answered():
    result = converse(b"position deal AQ7.A7.TK7.AT\nisready\ngo")
    assert result.returncode == 0
    assert result.stderr == b""
    assert result.stdout.splitlines()[-1] == b"bestmove 7c"


def test_the_end_of_the_input_ends_an_endless_search():
    result = converse(b"position deal AQ7.A7.TK7.AT\ngo infinite")
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].startswith(b"bestmove ")


def test_any_bytes_are_answered_in_lines():
    data = (
        random.Random(1).randbytes(100_000) + b"\n" + b"x" * 5_000_000 + b"\nisready\nquit\nmate\n"
    )
    result = converse(data)
    assert result.returncode == 0
    assert result.stderr == b""
    *errors, ready = result.stdout.splitlines()
    assert ready == b"readyok"
    assert all(line.startswith(b"error ") and b"internal" not in line for line in errors)


def start():
    return subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )  # fmt: skip


def long_search():
    deal = mate.Deal.random(0, LONG_DECK)
    variant = write_variant(LONG)
    return f"setoption name Variant value {variant}\nposition deal {deal}\ngo\n".encode()


@POSIX
def test_an_output_that_nobody_reads_ends_the_engine():
    process = start()
    process.stdout.close()
    process.stdin.write(b"isready\n" * 3)
    process.stdin.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


@POSIX
def test_a_client_that_dies_leaves_no_engine_searching():
    process = start()
    process.stdin.write(long_search())
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"info depth 1 ")
    process.stdout.close()
    process.stdin.close()
    assert process.wait(timeout=60) == 141 or process.returncode == 0
    process.stderr.close()


@POSIX
def test_ctrl_c_ends_a_search():
    process = start()
    process.stdin.write(long_search())
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"info depth 1 ")
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error == b"mate: interrupted\n"
    assert output.splitlines()[-1].startswith(b"bestmove ")


def test_a_stop_that_comes_first_is_not_lost():
    with Engine.popen(timeout=60) as engine:
        place = engine._place

        def stopped_meanwhile(state):
            place(state)
            engine.stop()

        engine._place = stopped_meanwhile
        game = mate.Game(mate.Deal.random(1, mate.DECKS["double24"]), "capellen,deck=double24")
        since = time.monotonic()
        assert engine.play(game) in game.legal_moves
        assert time.monotonic() - since < 30
