"""The engine protocol: the transcripts of its page, its states, and lines of every kind."""

import json
import random
import re
import time
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mate
import reference
from mate.foresight import Foresight
from mate.protocol import Info, Limits, Option, Session
from mate.protocol.lines import LONGEST_ERROR, LONGEST_LINE
from mate.protocol.settings import read_variant, write_variant

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
TRANSCRIPTS = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
LONG_DECK = mate.Deck("abcd", "STUVWXYZ", ("STUVWXYZ",) * 4, (8, 7, 6, 5, 4, 3, 2, 1))
# Searched exactly, its deals take minutes.
LONG = mate.Variant(deck=LONG_DECK, free_move=True)
DEAL = "AQ7.A7.TK7.AT"


class Client:
    """A session and what it said."""

    def __init__(self):
        self.lines = []
        self.session = Session(self.lines.append)

    def tell(self, *lines):
        """Say lines, waiting for a search that has an end; return what is answered."""
        for line in lines:
            self.session.handle(line if isinstance(line, bytes) else line.encode())
        if not self.session.endless:
            self.session.wait()
        answers = []
        while self.lines:  # one by one, since a search may add to them
            answers.append(self.lines.pop(0))
        return answers

    def wait_for(self, text):
        """Wait until a line has a text in it."""
        deadline = time.monotonic() + 60
        while not any(text in line for line in self.lines):
            assert time.monotonic() < deadline
            time.sleep(0.001)


def start_long(client, limits):
    """Begin a search that would take minutes."""
    deal = mate.Deal.random(0, LONG_DECK)
    setting = f"setoption name Variant value {write_variant(LONG)}"
    assert client.tell(setting, f"position deal {deal}") == []
    client.session.handle(f"go {limits}".encode())


# --- The page ------------------------------------------------------------------------------------


def fits(expected, found):
    """Whether a line is what the page says, `...` standing for any one or more words."""
    pattern = re.escape(expected).replace(re.escape("..."), r"\S+(?: \S+)*")
    return re.fullmatch(pattern, re.sub(r"time \d+", "time 0", found))


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=range(len(TRANSCRIPTS)))
def test_the_transcripts_of_the_page(transcript):
    client, answers = Client(), []
    for line in transcript.splitlines():
        sign, text = line[:2], line[2:]
        if sign == "> ":
            assert answers == []
            client.session.handle(text.encode())
            if client.session.endless and text.startswith("go"):
                client.wait_for("exact yes")
            answers = client.tell()
        else:
            assert sign == "< "
            assert fits(text, answers.pop(0)), text
    assert answers == []


def test_the_page_has_transcripts_of_every_command():
    said = {line.split()[1] for text in TRANSCRIPTS for line in text.splitlines() if line[0] == ">"}
    assert said >= {"mate", "isready", "setoption", "position", "go", "stop", "quit"}


# --- Truth ---------------------------------------------------------------------------------------


def endings(count):
    lines = Path(__file__).with_name("data").joinpath("endings.jsonl").read_text().splitlines()
    for line in random.Random(1).sample(lines, count):
        yield json.loads(line)


def test_exact_values_and_moves_are_those_of_the_reference():
    client = Client()
    for ending in endings(60):
        *_, info, best = client.tell(
            f"setoption name Variant value {ending['variant']}",
            f"position {ending['position']}",
            "go",
        )
        found = Info.parse(info.split()[1:])
        assert found.exact
        assert found.value == ending["value"]
        move = best.removeprefix("bestmove ")
        if ending["moves"]:
            assert ending["moves"][move] == max(ending["moves"].values())
            assert found.line[0] == move


def test_the_line_is_played_to_the_value():
    client = Client()
    for ending in endings(60):
        *_, info, _ = client.tell(
            f"setoption name Variant value {ending['variant']}",
            f"position {ending['position']}",
            "go",
        )
        state = reference.read_position(ending["position"], ending["variant"])
        sign = 1 if ending["position"].split()[1] == "x" else -1
        for move in Info.parse(info.split()[1:]).line:
            state = reference.after(state, move)
        assert reference.is_over(state)
        assert sign * reference.result(state) == ending["value"]


@pytest.mark.parametrize("variant", ["bga", "pieces", "capellen"])
def test_each_depth_is_what_is_seen_so_far(variant):
    client = Client()
    deal = mate.Deal.random(3)
    game = mate.Game(deal, variant)
    answers = client.tell(f"setoption name Variant value {variant}", f"position deal {deal}", "go")
    foresight = Foresight(game.variant)
    assert len(answers) == 11
    for depth, line in enumerate(answers[:-1], 1):
        info = Info.parse(line.split()[1:])
        values = foresight.values(game, depth)
        assert (info.depth, info.exact) == (depth, depth == 10)
        assert info.value == values[info.line[0]] == max(values.values())
        after = game.copy()
        for move in info.line:
            after.push(move)
        assert after.is_over or after.trick == depth + 1
    assert answers[-1] == f"bestmove {info.line[0]}"


def test_a_limit_of_depth_keeps_the_search_to_it():
    client = Client()
    client.tell(f"position deal {DEAL}")
    assert len(client.tell("go depth 3")) == 4
    assert len(client.tell("go depth 999")) == 11


def test_a_tablebase_answers_at_once(tmp_path):
    deck = mate.Deck("abc", "WXYZ", ("WXYZ",) * 3, (9, 7, 5, 3))
    variant = mate.Variant(deck=deck)
    path = tmp_path / "small table.mtb"
    mate.Tablebase.build(variant).save(path)
    client = Client()
    told = [f"setoption name Variant value {write_variant(variant)}", "position deal WX.Y.XYZ"]
    *searched, best = client.tell(*told, "go")
    (looked_up, again) = client.tell(f"setoption name Tablebase value {path}", "go")
    assert again == best
    assert looked_up.replace("nodes 0", "") != looked_up
    assert "exact yes" in looked_up
    same = [Info.parse(line.split()[1:]) for line in (searched[-1], looked_up)]
    assert (same[0].value, same[0].line) == (same[1].value, same[1].line)
    assert len(client.tell("go depth 2")) == 3
    assert len(client.tell("setoption name Tablebase value none", "go")) == 7
    (error,) = client.tell(
        "setoption name Variant value bga", f"setoption name Tablebase value {path}"
    )
    assert error.startswith("error setoption: the tablebase is of")


def test_a_tablebase_of_other_rules_is_left_with_the_variant(tmp_path):
    variant = mate.Variant(deck=mate.Deck("abc", "WXYZ", ("WXYZ",) * 3, (9, 7, 5, 3)))
    path = mate.Tablebase.build(variant).save(tmp_path / "t.mtb")
    client = Client()
    client.tell(
        f"setoption name Variant value {write_variant(variant)}",
        f"setoption name Tablebase value {path}",
        "setoption name Variant value bga",
    )
    assert client.session.settings.tablebase is None
    assert client.tell(f"position deal {DEAL}", "go")[-1] == "bestmove 7c"


# --- States --------------------------------------------------------------------------------------


def test_stop_ends_a_search_that_would_take_minutes():
    client = Client()
    start_long(client, "infinite")
    client.wait_for("info depth 8 ")
    time.sleep(0.01)  # depth 9 takes more than a second
    since = time.monotonic()
    *infos, best = client.tell("stop")
    assert time.monotonic() - since < 10
    assert infos[-1].startswith("info depth 8 ")  # it was not waited for
    assert best == f"bestmove {infos[-1].split(' line ')[1].split()[0]}"
    assert "exact yes" not in infos[-1]


@pytest.mark.parametrize("limits", ["movetime 30", "movetime 1", "movetime 30 depth 16"])
def test_a_movetime_ends_a_search_that_would_take_minutes(limits):
    client = Client()
    since = time.monotonic()
    start_long(client, limits)
    answers = client.tell()
    assert time.monotonic() - since < 10
    assert answers[-1].startswith("bestmove ")


def test_quit_ends_a_search_that_would_take_minutes():
    client = Client()
    start_long(client, "")
    assert client.tell("quit")[-1].startswith("bestmove ")
    assert client.session.ended


def test_what_may_be_said_while_a_search_runs():
    client = Client()
    start_long(client, "infinite")
    client.wait_for("info depth 1 ")
    for line in ("position deal x", "go", "newgame", "setoption name Variant value bga"):
        client.lines.clear()
        client.session.handle(line.encode())
        assert f"error {line.split()[0]}: a search runs; stop it first" in client.lines
    client.session.handle(b"isready")
    client.session.handle(b"mate")
    assert {"readyok", "mateok"} <= set(client.lines)
    assert client.tell("stop")[-1].startswith("bestmove ")


def test_after_a_stop_the_next_search_is_whole():
    client = Client()
    client.tell(f"position deal {DEAL}")
    client.session.handle(b"go infinite")
    client.wait_for("exact yes")
    for _ in range(20):
        client.tell("stop", "go infinite", "stop")
        *_, info, best = client.tell("go")
        assert "exact yes value 56 " in info
        assert best == "bestmove 7c"
        client.tell("go infinite")


def test_an_end_without_a_stop_is_not_the_end_of_an_endless_search():
    client = Client()
    client.session.handle(f"position deal {DEAL}".encode())
    client.session.handle(b"go infinite depth 2")
    client.wait_for("depth 2")
    time.sleep(0.05)
    assert client.session.searching
    assert not any(line.startswith("bestmove") for line in client.lines)
    assert client.tell("stop")[-1].startswith("bestmove ")


def test_a_variant_takes_the_position_away():
    client = Client()
    client.tell(f"position deal {DEAL}", "setoption name Variant value capellen")
    assert client.tell("go") == ["error go: there is no position"]
    client.tell(f"position deal {DEAL}", "newgame")
    assert client.tell("go") == ["error go: there is no position"]


def test_a_search_that_fails_is_answered(monkeypatch):
    client = Client()
    client.tell(f"position deal {DEAL}")

    for failure, text in (
        (MemoryError(), "no memory for the table"),
        (mate.TablebaseError("file", "damaged"), "tablebase file: damaged"),
        (TypeError("odd"), "internal: TypeError: odd"),
    ):
        failing = Mock(side_effect=failure)
        monkeypatch.setattr(client.session.settings, "exact", failing)
        assert client.tell("go")[-1] == f"error go: {text}"
    monkeypatch.undo()
    assert client.tell("go")[-1] == "bestmove 7c"


# --- Lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"\x00", b"\xff\xfe", b"mate\x00", b"MATE", b"mate now", b"isready ?", b"stop it",
        b"a" * 5000, b"position", b"position deal", b"position deal x leader", b"position moves",
        b"position deal AQ7.A7.TK7.AT leader z", b"position deal AQ7.A7.TK7.AT moves Zz",
        b"position deal AQ7.A7.TK7.AT leader x moves 7c 7c", b"position a b c d e f g",
        b"position 7.Q../.7.K. x - 8 -/- -", b"position " + b"x " * 2000,
        "position deal \u2663".encode(),
        b"setoption", b"setoption name", b"setoption name Variant", b"setoption name Variant value",
        b"setoption name Variant value nonsense", b"setoption name Variant value {",
        b"setoption name Variant value " + b'{"a":' * 800, b"setoption name Variant value {}{}",
        b"setoption name Variant value " + b"[" * 4000,
        b'setoption name Variant value {"deck":7}', b"setoption name TableBits value 3",
        b"setoption name TableBits value " + b"9" * 4000, b"setoption name TableBits value -1",
        "setoption name TableBits value \u0661\u0662".encode(), b"setoption name variant value bga",
        b"setoption name Tablebase value /", b"setoption name Tablebase value /nowhere/\x00",
        b"setoption name Tablebase value " + b"/long" * 800, b"setoption value name",
        b"go depth", b"go depth 0", b"go depth -1", b"go depth 1.5", b"go depth 1 depth 1",
        b"go movetime 0", b"go movetime 99999999999", b"go infinite movetime 5", b"go now",
        b"go nodes 5", b"go depth " + b"9" * 4000,
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line_of_error_and_changes_nothing(line):
    client = Client()
    client.tell(f"position deal {DEAL}")
    (answer,) = client.tell(line)
    assert answer.startswith("error ")
    assert answer.isprintable()
    assert "internal" not in answer
    assert len(answer) <= LONGEST_ERROR + len("error ")
    assert client.tell("go")[-1] == "bestmove 7c"


@pytest.mark.parametrize("line", [b"", b" ", b"\n", b"\r\n", b"\t \n"])
def test_blank_lines_are_nothing(line):
    assert Client().tell(line) == []


def test_blanks_and_ends_of_lines_count_nothing():
    client = Client()
    assert client.tell(b"  position\t deal  AQ7.A7.TK7.AT   moves\r\n") == []
    assert client.tell(b"  isready \r\n", b"isready") == ["readyok"] * 2


def test_the_longest_line():
    client = Client()
    line = b"isready" + b" " * (LONGEST_LINE - 7)
    assert client.tell(line + b"\r\n") == ["readyok"]
    assert client.tell(line + b" \n") == ["error expected a line of at most 4096 bytes"]


@given(st.lists(st.one_of(
    st.binary(max_size=60),
    st.lists(st.sampled_from([
        "mate", "isready", "newgame", "stop", "position", "deal", DEAL, "moves", "7c", "Tc", "*-",
        "leader", "x", "y", "-", "1", "9", "-/-", "?/?", "7.Q../.7.K.", "go", "depth", "2",
        "movetime", "infinite", "setoption", "name", "value", "Variant", "bga", "capellen",
        "TableBits", "8", "Tablebase", "none", "{}", "\x00", "é",
    ]), max_size=12).map(lambda words: " ".join(words).encode()),
), max_size=12))  # fmt: skip
def test_no_line_ever_breaks_the_session(lines):
    client = Client()
    for line in lines:
        client.session.handle(line)
    client.session.handle(b"stop")
    assert not any("internal" in line for line in client.lines)
    assert all(line.isprintable() for line in client.lines)
    assert client.tell("isready")[-1] == "readyok"


@given(
    st.builds(
        Info,
        st.integers(0, 99), st.booleans(), st.integers(-32767, 32767), st.integers(0, 10**17),
        st.integers(0, 10**9), st.lists(st.sampled_from(["Ac", "*-", "Kc!"])).map(tuple),
    )
)  # fmt: skip
def test_info_lines_are_read_as_they_were_written(info):
    assert Info.parse(str(info).split()[1:]) == info
    assert Info.parse(("extra 5 " + str(info).removeprefix("info ")).split()) == info


@given(
    st.lists(
        st.one_of(st.text(max_size=8), st.sampled_from(str(Info(1, True, 2, 3, 4, ())).split()))
    )
)
def test_no_words_of_an_engine_break_their_reader(words):
    for kind in (Info, Option, Limits):
        with suppress(mate.MateError):
            kind.parse(words)


@pytest.mark.parametrize(
    "variant", [*mate.PRESETS, "bga,free_move=yes", "double,target=100,rounds=none"]
)
def test_variants_are_read_as_they_were_written(variant):
    variant = mate.Variant.of(variant)
    assert read_variant(write_variant(variant)) == variant
    nameless = mate.Variant.from_plain({**variant.to_plain(), "name": "of \n my own"})
    assert write_variant(nameless).isprintable()
    assert read_variant(write_variant(nameless)) == variant


def test_a_preset_that_was_changed_goes_by_its_fields():
    changed = mate.Variant.from_plain({**mate.PRESETS["bga"].to_plain(), "free_move": True})
    assert changed.name == "bga"
    assert read_variant(write_variant(changed)) == changed


def test_the_variant_with_most_to_say_fits_a_line():
    rows = tuple(tuple(range(900, 916)) for _ in range(4))
    try:
        rule = mate.Foreplacing(weights=rows)
        variant = mate.Variant(deck=LONG_DECK, foreplace=rule, privileged=frozenset("STUVWXYZ"))
    except mate.MateError:
        variant = LONG
    line = f"setoption name Variant value {write_variant(variant)}"
    assert len(line) < LONGEST_LINE
