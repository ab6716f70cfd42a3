"""Records: what one is, and the one form in which it is written."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mate
from mate.record import ALWAYS, OF_THE_GAME, write_variant
from mate.recordtext import MAX_VALUE
from pairing import NAMES, engine_variant, random_game, random_variants

GAME = mate.Game("AQ7.A7.TK7.AT")
TEXTS = st.text(max_size=300) | st.text(
    alphabet='\\"{}[];#\n\t\r %1.*+-ux0Aa\x1b\u202e', max_size=80
)


def again(record: mate.Record) -> mate.Record:
    """The record as it is read from what is written of it."""
    (found,) = mate.parse_records(mate.write_record(record))
    assert isinstance(found, mate.Record), found
    return found


def check_round_trip(record: mate.Record) -> str:
    text = mate.write_record(record)
    found = again(record)
    assert found == record
    assert mate.write_record(found) == text
    assert found.line == 1
    return text


def random_record(variant: mate.Variant, rng: random.Random) -> mate.Record:
    """A game of which the record begins and ends anywhere."""
    game = random_game(variant, rng, rng.choice([0, 1, 2, 5, 12, 100]))
    skipped = rng.choice([0, 0, 1, 2, 3, 9])
    start = mate.Game.from_position(mate.Record.of(game).start)
    for move in game.moves[:skipped]:
        start.push(move)
    moves = tuple(game.moves[skipped:])
    comments = {rng.randint(0, len(moves)): "a } [b] " * rng.randint(1, 40) for _ in range(2)}
    return mate.Record(variant, start.position, moves, {"X": "Ana", "Table": "7"}, comments)


# --- Round trips ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_games_of_every_preset_come_back(name):
    rng, variant = random.Random(name), engine_variant(name)
    for _ in range(150):
        check_round_trip(random_record(variant, rng))


def test_games_of_any_variant_come_back():
    rng = random.Random(4)
    for _ in range(300):
        variant = random_variants(rng)[0]
        named = replace(variant, name=rng.choice(["custom", "bga", 'mine, "q" \\ ♣', "bga,x=1"]))
        record = random_record(named, rng)
        check_round_trip(record)
        assert again(record).variant.to_plain() == named.to_plain()


@given(st.dictionaries(st.sampled_from(["X", "Event", "A1", "a_B"]), TEXTS), TEXTS, TEXTS)
def test_any_text_comes_back_and_is_safe_to_print(tags, first, last):
    game = GAME.copy()
    game.push("7c")
    record = mate.Record.of(game, tags, {0: first, 1: last})
    text = check_round_trip(record)
    assert all(line.isprintable() for line in text.split("\n"))
    assert all(record.tags[name] == value for name, value in tags.items())
    brackets = [line for line in text.split("\n") if line.startswith("[")]
    assert len(brackets) == len({*ALWAYS, "Variant", "Deal", "Leader", "Result", *tags})


def test_runs_of_blanks_in_comments_are_one_blank():
    record = mate.Record.of(GAME, comments={0: "  a \r\n\t b\n"})
    assert record.comments == {0: "a b"}
    assert mate.Record.of(GAME, comments={0: " \n "}).comments == {}


# --- The one form --------------------------------------------------------------------------------


def test_a_whole_game_as_it_is_written():
    game = mate.Game("AT.KQ7.ATK7.7/KQ7.AT.Q.ATKQ", "capellen", "y")
    game.push("*Kc")
    game.push("*7d")
    while not game.is_over:
        game.push(game.legal_moves[0])
    tags = {"Zed": "1", "Y": "Bert", "Alpha": "", "Event": "e"}
    text = mate.write_record(mate.Record.of(game, tags, {0: "begin", 2: "now", 3: "x"}))
    lines = text.split("\n")
    head, empty, moves = lines[:12], lines[12], lines[13:]
    assert head == [
        '[Event "e"]',
        '[Site "?"]',
        '[Date "?"]',
        '[Round "?"]',
        '[X "?"]',
        '[Y "Bert"]',
        '[Variant "capellen"]',
        '[Deal "AT.KQ7.ATK7.7/KQ7.AT.Q.ATKQ"]',
        '[Leader "Y"]',
        f'[Result "{game.result:+d}"]',
        '[Zed "1"]',
        '[Alpha ""]',
    ]
    assert empty == ""
    words = " ".join(moves).split()
    assert words[:6] == ["{begin}", "*Kc", "*7d", "{now}", "1.", game.moves[2]]
    assert words[6] == "{x}"
    assert words[-2:] == [game.moves[-1] + "#", f"{game.result:+d}"]
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_a_record_that_begins_with_a_reply():
    position = mate.Position.parse("7.Q../.7.K. x - 9 -/- -").play("Qs")
    record = mate.Record(position.variant, position, ("7s", "7c"))
    text = check_round_trip(record)
    assert '[Position "7.../.7.K. y Qs 9 -/- -"]\n[Result "+70"]\n\n9... 7s 10. 7c# +70\n' in text
    assert "Deal" not in text
    assert record.deal is None


def test_draws_and_games_that_break_off():
    draw = mate.Position.parse("7.../7... x - 10 -/- -", "bga,deck=double")
    record = mate.Record(draw.variant, draw, ("7c", "7c"))
    assert check_round_trip(record).endswith("\n10. 7c 7c 0\n")
    assert (record.result, mate.Record.of(GAME).result) == (0, None)
    assert mate.write_record(mate.Record.of(GAME)).endswith('[Result "*"]\n\n*\n')


def test_lines_are_of_80_letters_at_most():
    words = {0: "[a] " * 200 + "b" * 200, 1: "x" * 77 + " [" + "y" * 76}
    game = GAME.copy()
    game.push("7c")
    lines = check_round_trip(mate.Record.of(game, comments=words)).split("\n")
    moves = lines[lines.index("") :]
    assert max(len(line) for line in moves if " " in line) <= 80
    assert sum(len(line) > 81 for line in moves) == 1


def test_every_record_of_equal_games_is_the_same_text():
    """Copies of a card are one card: whichever was played, the record is one."""
    rng, variant = random.Random(2), mate.Variant.of("double")
    for _ in range(50):
        game = random_game(variant, rng)
        record = mate.Record.of(game)
        assert mate.write_record(record) == mate.write_record(again(record))
        assert record.game().result == game.result


# --- Variants ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", mate.PRESETS)
def test_presets_are_written_by_name(name):
    assert write_variant(mate.PRESETS[name]) == name
    assert write_variant(replace(mate.PRESETS[name], name="my own")) == name


@pytest.mark.parametrize(
    "text",
    ["capellen,deck=double24", "bga,deck=chess", "bga,free_move=yes,rounds=7", "bga,rounds=2"],
)
def test_changed_presets_are_written_as_they_are_read(text):
    assert write_variant(mate.Variant.of(text)) == text


def test_a_name_that_reads_as_another_variant_is_only_a_name():
    misnamed = replace(mate.Variant.of("bga,rounds=7"), name="capellen,deck=double24")
    text = write_variant(misnamed)
    assert json.loads(text)["rounds"] == 7
    assert " " not in text.replace("{rank} of {suit}", "")
    check_round_trip(mate.Record.of(mate.Game("AQ7.A7.TK7.AT", misnamed)))


# --- What is no record ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": None},
        {"start": "x"},
        {"variant": mate.Variant.of("capellen")},
        {"moves": ("Kc",)},
        {"moves": ("nonsense",)},
        {"moves": "7c"},
        {"moves": 5},
        {"moves": (None,)},
        {"tags": []},
        {"tags": {"": "x"}},
        {"tags": {"1a": "x"}},
        {"tags": {"a" * 65: "x"}},
        {"tags": {"Äpfel": "x"}},
        {"tags": {"event": "x"}},
        {"tags": {"A\n": "x"}},
        {"tags": {"X": None}},
        {"tags": {"X": "a" * (MAX_VALUE + 1)}},
        {"tags": {"X": "\ud800"}},
        {"tags": {5: "x"}},
        *({"tags": {name: "x"}} for name in OF_THE_GAME),
        {"comments": []},
        {"comments": {-1: "x"}},
        {"comments": {1: "x"}},
        {"comments": {True: "x"}},
        {"comments": {"0": "x"}},
        {"comments": {0: 5}},
        {"comments": {0: "a" * (MAX_VALUE + 1)}},
        {"comments": {0: "\udfff"}},
    ],
)
def test_what_is_no_record_is_refused(arguments):
    good = {"variant": GAME.variant, "start": GAME.position}
    mate.Record(**good)
    with pytest.raises(mate.MateError) as refused:
        mate.Record(**{**good, **arguments})
    str(refused.value).encode()


def test_what_is_too_long_is_not_written():
    tags = {f"T{number}": "x" * MAX_VALUE for number in range(9)}
    wordy = replace(mate.Variant(rounds=7), name="x" * 9000)
    for record in (
        mate.Record.of(GAME, tags),
        mate.Record.of(GAME, {"X": "\x00" * MAX_VALUE, "Y": "\x00" * 4000}),
        mate.Record.of(mate.Game("AQ7.A7.TK7.AT", wordy)),
    ):
        with pytest.raises(mate.MateError, match="too long"):
            mate.write_record(record)
    check_round_trip(mate.Record.of(GAME, {"X": "\x00" * MAX_VALUE}))
    for nothing in (None, "text", GAME):
        with pytest.raises(mate.MateError):
            mate.write_record(nothing)
    with pytest.raises(mate.MateError):
        mate.Record.of(GAME.position)


def test_names_of_variants_may_be_anything():
    for name in ("\ud800", "\x1b[2J\n", '\\"', "♣" * 100):
        variant = replace(mate.Variant(rounds=7), name=name)
        check_round_trip(mate.Record.of(mate.Game("AQ7.A7.TK7.AT", variant)))


def test_a_record_knows_its_deal_and_leader():
    record = mate.Record.of(mate.Game("AQ7.A7.TK7.AT", "tempos", "y"))
    assert (record.deal, record.leader) == (mate.Deal.parse("AQ7.A7.TK7.AT"), "y")
    assert record.with_comments({0: "a"}).comments == {0: "a"}
    assert record.comments == {}


def test_the_record_in_the_documents_is_as_it_is_written():
    text = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```\n(\[Event.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (record,) = mate.parse_records(block)
    assert mate.write_record(record) == block
