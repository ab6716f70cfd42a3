"""Reading records: what is forgiven, and what is wrong where; files of them."""

import errno
import io
import os
import random
import signal
import subprocess
import sys
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mate
from mate.recordfile import records_of
from mate.recordtext import MAX_GAME, MAX_NAME, MAX_VALUE
from pairing import NAMES, engine_variant, random_game

DEAL = '[Deal "AQ7.A7.TK7.AT"]'
MOVES = ("7c", "Tc", "Ah", "Th", "7d", "Td")
PLAIN = f"{DEAL}\n\n1. 7c Tc 2. Ah Th 3. 7d Td *\n"
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


def one(text: str) -> mate.Record:
    found = list(mate.parse_records(text))
    assert len(found) == 1, found
    assert isinstance(found[0], mate.Record), found[0]
    return found[0]


def wrong(text: str | bytes) -> tuple[int, int, str]:
    """Where and why the one game of a text is broken."""
    data = text.encode() if isinstance(text, str) else text
    found = list(records_of(io.BytesIO(data), "x.mate"))
    assert len(found) == 1, found
    (error,) = found
    assert isinstance(error, mate.RecordError), error
    assert str(error) == f"x.mate:{error.line}:{error.column}: {error.why}"
    assert str(error).isprintable()
    assert len(str(error)) < 400
    return error.line, error.column, error.why


# --- What is forgiven ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moves",
    [
        "7c Tc Ah Th 7d Td",
        "1 7c Tc 2 Ah Th 3 7d Td",
        "1.7c Tc 2.Ah Th 3.7d Td *",
        "1.7c 1...Tc 2.Ah 2...Th 3.7d Td",
        "7. 7c Tc 7. Ah Th 99 7d . Td",
        "01. 7c Tc 10 Ah Th 10.7d 000. Td",
        "7C tc aH th 7D tD",
        "1. 7♣ 10c 2. ♥A ♡10 3. ♦7 10d *",
        "{a}7c{b}Tc;c\nAh{d}{e}Th 7d Td{f} * {g} ; h",
        "; 7c 7c 7c\n7c Tc Ah Th ; {\n7d Td",
        "\n\n7c\n\n\nTc Ah\r\nTh\t7d\u00a0Td\n\n\n*\n\n\n",
        '7c {[X "no tag"] in mid-line} Tc Ah Th 7d Td',
        "7c { \\} \\\\ } Tc Ah Th 7d Td",
        "7c {;} Tc ;}{\n Ah Th 7d Td *",
    ],
)
def test_ways_to_write_the_moves(moves):
    for end in ("\n", "\r\n"):
        assert one(f"{DEAL}\n\n{moves}".replace("\n", end)).moves == MOVES


@pytest.mark.parametrize(
    "head",
    [
        DEAL,
        f"\ufeff{DEAL}",
        f"\n\n  \n\t{DEAL}",
        f'; a comment\n\n;[X "no"]\n{DEAL} ; behind',
        '[deal "AQ7.A7.TK7.AT"]',
        '  [  Deal\t"AQ7.A7.TK7.AT" ]  ',
        '[Deal "  AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7 "]',
        '[Deal "aq7.A7.10k7.A10"]',
        f'[RESULT "?"]\n\n[Result1 "x"]\n\n{DEAL}',
        f'[Result "*"] [Leader "X"]{DEAL}[Variant "bga"]',
        f'[Result ""]\n[Leader " x"]\n{DEAL}',
        '[Position "AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7 x - 1 -/- -"]',
        DEAL + '\n[Variant "{}"]',
    ],
)
def test_ways_to_write_the_tags(head):
    record = one(f"{head}\n7c Tc Ah Th 7d Td *")
    assert (record.moves, str(record.deal)) == (MOVES, "AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7")


def test_tags_come_in_any_order_and_unknown_ones_are_kept_in_theirs():
    text = (
        f'[Zed "z"]\n[y "Bert"]\n[Result "*"]\n[a_1 "\\"q\\" \\\\ \\u2663 \\n"]\n{DEAL}\n[X "Ana"]'
    )
    record = one(text)
    assert record.tags == {
        **dict.fromkeys(("Event", "Site", "Date", "Round"), "?"),
        "X": "Ana", "Y": "Bert", "Zed": "z", "a_1": '"q" \\ ♣ \\n',
    }  # fmt: skip
    assert list(record.tags)[-2:] == ["Zed", "a_1"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"\\", "\\"),
        (r"\"", '"'),
        (r"\u0041\U0001f0a1", "A🂡"),
        (r"\ud800", r"\ud800"),
        (r"\U00110000", r"\U00110000"),
        (r"\u12", r"\u12"),
        (r"C:\games", r"C:\games"),
        ("\x00\x1b[2J", "\x00\x1b[2J"),
        (r"\\u0041", r"\u0041"),
    ],
)
def test_escapes(raw, text):
    assert one(f'[X "{raw}"]{DEAL}').tags["X"] == text
    assert one(f"{DEAL}\n{{{raw}}}").comments == ({0: text} if text.strip() else {})


@pytest.mark.parametrize("end", ["", "#", " +70", "# +70", "# \N{MINUS SIGN}70"])
def test_the_mark_and_the_result_may_be_left_out(end):
    x, y, sign = ("7.Q..", ".7.K.", 1) if "\N{MINUS SIGN}" not in end else (".7.K.", "7.Q..", -1)
    text = f'[Position "{x}/{y} {"x" if sign > 0 else "y"} - 9 -/- -"]\nQs 7s 7c{end}'
    assert one(text).result == 70 * sign


def test_draws():
    draw = '[Variant "double"][Position "7.../7... x - 10 -/- -"]'
    for zero in ("0", "+0"):
        assert one(f'{draw}[Result "{zero}"]\n7c 7c {zero}').result == 0


def test_comments_stand_where_they_stood():
    text = f"{DEAL}\n{{a}} ; not kept\n7c {{b}} {{c\n  d}} Tc {{}} Ah\n{{e}} * {{f}}"
    assert one(text).comments == {0: "a", 1: "b c d", 3: "e f"}


def test_nothing_is_in_nothing():
    for text in ("", "\n\n", "; only a comment", "{ only\na comment }", "\ufeff", " \t\r\n"):
        assert list(mate.parse_records(text)) == []


# --- Several games -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "between", ["\n", "", "\n\n\n", "{after}\n", "; a\n\n", '\n;\n[Event "?"]\n\n']
)
def test_games_are_parted_by_tags(between):
    found = list(mate.parse_records(PLAIN + between + PLAIN + between + PLAIN))
    assert [record.moves for record in found] == [MOVES] * 3
    lines = (PLAIN + between).count("\n")
    assert found[0].line == 1
    assert found[2].line - found[1].line == lines


def test_games_without_moves_are_parted_by_a_tag_told_again():
    head = f'[X "a"]\n\n{DEAL}\n'
    found = list(mate.parse_records(f"{head}\n{head}\n;\n{head}"))
    assert [record.line for record in found] == [1, 5, 10]
    assert [record.moves for record in found] == [()] * 3
    assert "twice" in wrong(f"{head}{DEAL}")[2]


BROKEN = [
    "[",
    "[\n[X",
    "[Deal",
    "[Deal AQ7]",
    '[Deal "AQ7.A7.TK7.AT]\n\n7c',
    '[Deal "AQ7.A7.TK7.AT"\n\n7c',
    DEAL + "\n\n7c Tc {a comment without end\n\n; ; }"[:-1],
    DEAL + "\n\n7c 7c",
    DEAL + "\n\n7c } Tc",
    DEAL + '\n[Result "+3"]\n\n7c',
    DEAL + "\n\n7c * Tc",
    '[X "no deal"]\n\n7c',
    '[Deal "AQ7.A7.TK7.AT"]\n[X "\udcff"]\n\n',
    DEAL + "\n\n" + "{ long }" * 10_000,
    DEAL + "\n\n" + "7c Tc\n" * 20_000,
    DEAL + "\n\n\x00\x01\x02",
    DEAL + f'\n[Variant "{"{" * 8000}"]\n\n7c',
    DEAL + f'\n[Variant "{"[" * 8000}"]\n\n7c',
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_game_takes_no_other_with_it(broken):
    data = "\n".join([PLAIN, broken + "\n", PLAIN]).encode("utf-8", "surrogateescape")
    found = list(records_of(io.BytesIO(data), None))
    good = [game for game in found if isinstance(game, mate.Record)]
    assert [game.moves for game in good] == [MOVES, MOVES]
    assert good[1].line == data.count(b"\n") - 2
    assert len(found) == 3
    assert isinstance(found[1], mate.RecordError)


def test_ten_thousand_games_of_which_three_are_broken(tmp_path):
    rng = random.Random(1)
    games = [random_game(engine_variant(rng.choice(NAMES)), rng) for _ in range(500)]
    texts = [mate.write_record(mate.Record.of(game)) for game in games] * 20
    for number in (0, 4711, 9999):
        texts[number] = texts[number].replace("1. ", "1. Xx ")
    path = tmp_path / "many.mate"
    path.write_text("\n".join(texts), encoding="utf-8")
    found = list(mate.read_records(path))
    errors = [game for game in found if isinstance(game, mate.RecordError)]
    assert (len(found), len(errors)) == (10_000, 3)
    lines = path.read_text(encoding="utf-8").split("\n")
    for error in errors:
        assert (error.path, lines[error.line - 1][error.column - 1 :][:2]) == (str(path), "Xx")
    for game, record in zip(games * 20, found, strict=True):
        if isinstance(record, mate.Record):
            assert record.moves == tuple(game.moves)


# --- What is wrong where -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("7c Tc", 1, 1, "expected a tag, found '7c'"),
        ("\n {a} 7c", 2, 6, "expected a tag, found '7c'"),
        ('[X "a"]\n\n7c', 1, 1, "expected the tag Deal or Position in this game"),
        ('\n\n[X "a"]', 3, 1, "expected the tag Deal or Position in this game"),
        ("[]", 1, 2, "expected the name of a tag, found ']'"),
        ("  [", 1, 4, "expected the name of a tag, found the end of the line"),
        ('[1a "b"]', 1, 2, "expected the name of a tag, found '1a \"b\"]'"),
        ("[Deal AQ7]", 1, 7, "expected the quote before the tag's value, found 'AQ7]'"),
        ('[Deal "AQ7]\r\n', 1, 12, "expected the quote after the tag's value, found the end"),
        ('[Deal "AQ7\\"]', 1, 14, "expected the quote after the tag's value, found the end"),
        ('[Deal "AQ7"\n]', 1, 12, "expected the bracket at the tag's end, found the end of"),
        (f"{DEAL} 7c", 1, 24, "expected another tag or the end of the line, found '7c'"),
        (f'{DEAL}\n {DEAL}', 2, 2, "the tag Deal stands twice"),
        (f'{DEAL}\n[X "a"] [x "b"]', 2, 9, "the tag X stands twice"),
        (f'[{"a" * (MAX_NAME + 1)} "b"]', 1, 2, f"expected a name of at most {MAX_NAME}"),
        (f'[X "{"b" * (MAX_VALUE + 1)}"]', 1, 5, f"expected at most {MAX_VALUE} letters"),
        ('[Deal "AQ7.A7.TX7.AT"]', 1, 16, "expected a rank of ATKQ7, found 'X7.AT'"),
        ('[Deal "\\u0041Q7.A7.TX7.AT"]', 1, 8, "expected a rank of ATKQ7, found 'X7.AT'"),
        ('[Deal "AQ7.A7.TK7.A"]', 1, 8, "expected 10 cards in the hand of X (there are 9)"),
        ('[Position "7.Q../.7.K. x - 8 -/- -"]', 1, 12, "expected a position that can be"),
        (f'[Leader "z"]{DEAL}', 1, 10, "expected X or Y, found 'z'"),
        (f'{DEAL}[Variant "chess"]', 1, 33, "variant field variant = 'chess': presets are bga"),
        (f'{DEAL}[Variant "{{5"]', 1, 33, "variant field variant = '{5': not JSON: "),
        (f'{DEAL}[Variant "{{\\"deck\\":5}}"]', 1, 33, "variant field deck = 5: "),
        (f'{DEAL}[Position "7.Q../.7.K. x - 9 -/- -"]', 1, 1, "the tag Deal beside Position"),
        ('[Position "7.Q../.7.K. x - 9 -/- -"]\n[Leader "X"]', 2, 1, "the tag Leader beside"),
        (f"{DEAL}\n7c Xc", 2, 4, "expected a rank of ATKQ7, found 'Xc'"),
        (f"{DEAL}\n7c 10x", 2, 6, "expected a suit of c s h d, found 'x'"),
        (f"{DEAL}\n7c Tcc", 2, 6, "expected nothing more, found 'c'"),
        (f"{DEAL}\n\n1. 7c {{é\n♣}} Qd", 4, 4, "'Qd' is not legal in AQ.A7.TK7.AT/TK.TKQ.AQ.KQ7"),
        (f"{DEAL}\n*Kc", 2, 1, "'*Kc' is not legal"),
        (f"{DEAL}\n7c Tc#", 2, 6, "'Tc' is no mate"),
        (f"{DEAL}\n7c Tc +56", 2, 7, "the result is *, not '+56'"),
        (f"{DEAL}\n7c Tc 0", 2, 7, "the result is *, not '0'"),
        (f'{DEAL}\n[Result "0"]\n7c Tc *', 2, 10, "the result is *, not '0'"),
        ('[Position "7.Q../.7.K. x - 9 -/- -"]\nQs 7s 7c *', 2, 10, "the result is +70, not '*'"),
        ('[Position "7.Q../.7.K. x - 9 -/- -"]\nQs 7s 7c -70', 2, 10, "the result is +70, not"),
        ('[Position "7.Q../.7.K. x - 9 -/- -"]\nQs 7s 7c 7d', 2, 10, "'7d' is not legal in "),
        (f"{DEAL}\n7c * Tc", 2, 6, "expected the tags of the next game, found 'Tc'"),
        (f"{DEAL}\n7c {{ab", 2, 4, "expected a comment that is closed, found '{ab'"),
        (f"{DEAL}\n7c {{ab\\}}", 2, 4, "expected a comment that is closed, found"),
        (f"{DEAL}\n7c ab}}", 2, 5, "expected a suit of c s h d, found 'b'"),
        (f"{DEAL}\n7c }}", 2, 4, "expected a move, found '}'"),
        (f"{DEAL}\n7c (Tc)", 2, 4, "expected a rank of ATKQ7, found '(Tc)'"),
        (f"{DEAL}\n\x1b[2J", 2, 1, "expected a rank of ATKQ7, found '\\x1b[2J'"),
        (f"{DEAL}\n{{{'a' * (MAX_VALUE + 1)}}}", 2, 2, f"expected at most {MAX_VALUE} letters"),
        (f"{DEAL}\n" + f"{{{'a' * 5000}}}\n" * 2, 1, 1, "comment after 0 moves"),
        (f"{DEAL}\n" + "a\n" * MAX_GAME, 32758, 1, f"expected a game of at most {MAX_GAME} bytes"),
        (f"{DEAL}\n\n{'a' * 10**6}\n", 3, 1, f"expected a game of at most {MAX_GAME} bytes"),
    ],
)  # fmt: skip
def test_every_error_has_its_place(text, line, column, why):
    found = wrong(text)
    assert found[:2] == (line, column), found
    assert found[2].startswith(why), found


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff\xfe[\x00X\x00", 1, 1),
        (DEAL.encode() + b'\n[X "\xe2\x99\xa3Jos\xe9"]', 2, 9),
        (DEAL.encode() + b"\n\n7c \xed\xa0\x80 Tc", 3, 4),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50, 1, 1),
    ],
)
def test_what_is_not_utf8(data, line, column):
    found = list(records_of(io.BytesIO(data), None))
    assert (found[0].line, found[0].column, found[0].why) == (line, column, "expected UTF-8")


def test_half_letters_in_a_text():
    (error,) = mate.parse_records(f"{DEAL}\n7c \ud800")
    assert (error.line, error.column, error.why) == (2, 4, "expected UTF-8")
    assert str(error) == "record:2:4: expected UTF-8"
    for nothing in (None, b"bytes", 5):
        with pytest.raises(mate.MateError):
            mate.parse_records(nothing)


# --- Anything ------------------------------------------------------------------------------------


def check_anything(data: bytes) -> None:
    for game in records_of(io.BytesIO(data), "\x1b\n"):
        if isinstance(game, mate.RecordError):
            assert str(game).isprintable()
            lines = data.split(b"\n")
            assert 1 <= game.line <= len(lines)
            assert 1 <= game.column <= len(lines[game.line - 1]) + 1
            continue
        (found,) = mate.parse_records(mate.write_record(game))
        assert found == game


@given(st.binary(max_size=400) | st.text(max_size=400).map(lambda t: t.encode("utf-8", "replace")))
def test_any_bytes(data):
    check_anything(data)


@given(
    st.lists(
        st.sampled_from(
            [DEAL, "\n", "\n\n", " ", "[X", '"', "a]", "\\", "{", "}", ";", "7c", "Tc", "#", "*",
             "0", "+56", "1.", "[Position ", "[Variant \"{\\\"target\\\":1}\"]", "*Kc", "\r"]
        ),
        max_size=25,
    )
)  # fmt: skip
def test_any_pieces_of_records(pieces):
    check_anything("".join(pieces).encode())


def test_records_with_bytes_changed():
    rng = random.Random(8)
    for _ in range(1500):
        game = random_game(engine_variant(rng.choice(NAMES)), rng)
        record = mate.Record.of(game, {"X": 'a"b'}, {1: "why }"} if game.moves else {})
        data = bytearray((mate.write_record(record) * 2).encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            new = rng.choice(
                [b"", b"\n", b"[", b"]", b'"', b"\\", b"{", b"}", b"0", b"\xff", b"\x00"]
            )
            data[at : at + rng.choice([0, 1, 1, 20])] = new
        check_anything(bytes(data))


class Endless(io.RawIOBase):
    """A stream of so many bytes that nobody has the memory for them."""

    def __init__(self, part: bytes, size: int):
        self.part, self.left = part, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        size = min(len(buffer), self.left)
        buffer[:size] = (self.part * (size // len(self.part) + 1))[:size]
        self.left -= size
        return size


@pytest.mark.parametrize("part", [b"7c Tc\n", b"\n", b"x", b"[X", b"\x00"])
def test_memory_is_bounded(part):
    check_memory(io.BufferedReader(Endless(part, 1_000_000)))


def test_memory_is_bounded_whatever_tags_there_are():
    check_memory(io.BytesIO(b"".join(b"[T%d\n" % number for number in range(100_000))))


def check_memory(stream) -> None:
    tracemalloc.start()
    found = len(list(records_of(stream, None)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found <= 1
    assert peak < 1_500_000, peak


# --- Files ---------------------------------------------------------------------------------------


def some_records(count: int = 5) -> list[mate.Record]:
    rng = random.Random(3)
    games = [random_game(mate.Variant.of("capellen"), rng) for _ in range(count)]
    return [mate.Record.of(game, {"X": "José ♣"}) for game in games]


def test_files_come_back(tmp_path):
    path, records = tmp_path / "games.mate", some_records()
    mate.write_records(path, records)
    assert list(mate.read_records(path)) == records
    text = path.read_bytes().decode()
    assert text == "\n".join(map(mate.write_record, records))
    mate.write_records(str(path), iter([]))
    assert path.read_bytes() == b""


def test_files_that_cannot_be(tmp_path):
    for path in (tmp_path / "none", tmp_path, "a\0b", None, tmp_path / "none" / "x"):
        with pytest.raises(mate.RecordError) as refused:
            list(mate.read_records(path))
        assert (refused.value.line, refused.value.column) == (0, 0)
        if path != tmp_path / "none":
            with pytest.raises(mate.MateError):
                mate.write_records(path, some_records())
    assert os.listdir(tmp_path) == []


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "games.mate"
    path.write_bytes(b"precious")

    def some_then_none():
        yield from some_records()
        yield "no record"

    with pytest.raises(mate.MateError, match="no record"):
        mate.write_records(path, some_then_none())

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(mate.RecordError, match="No space left"):
        mate.write_records(path, some_records())
    assert path.read_bytes() == b"precious"
    assert os.listdir(tmp_path) == [path.name]


@POSIX
def test_a_disk_that_fills_up_in_mid_file(tmp_path):
    script = (
        "import resource, signal, sys, mate\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "record = mate.Record.of(mate.Game('AQ7.A7.TK7.AT'))\n"
        "try:\n    mate.write_records(sys.argv[1], [record] * 10_000)\n"
        "except mate.RecordError as error:\n    print(error)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "x.mate")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "File too large" in done.stdout
    assert os.listdir(tmp_path) == []


@POSIX
def test_a_killed_write_leaves_a_whole_file_or_none(tmp_path):
    script = (
        "import sys, mate\n"
        "record = mate.Record.of(mate.Game('AQ7.A7.TK7.AT'))\n"
        "print('go', flush=True)\n"
        "while True:\n    mate.write_records(sys.argv[1], [record] * 300)\n"
    )
    place, rng = tmp_path / "killed.mate", random.Random(5)
    for _ in range(5):
        command = [sys.executable, "-c", script, str(place)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"go\n"
        time.sleep(rng.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if place.exists():
            assert len(list(mate.read_records(place))) == 300


@POSIX
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    try:
        mate.write_records(pipe, some_records(1))
        assert pipe.is_fifo()
        assert reader.communicate(timeout=10)[0].decode() == mate.write_record(some_records(1)[0])
    finally:
        reader.kill()  # where nothing was written to it, it would wait for ever
        reader.communicate()
