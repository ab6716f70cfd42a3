"""Logs of Board Game Arena: what was played comes back, whatever the shape of the log."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
from bga_log import (
    TABLE,
    VARIANTS,
    Style,
    Writer,
    packets_of,
    random_match,
    random_style,
    wrap,
    write_log,
)
from mate.bga import ImportedGame
from mate.bga import read_log as iterate_log

seeds = st.integers(0, 2**32)
DOCUMENTED = "Q7.ATQ7.ATQ7./ATK.K.K.ATKQ7"


def read_log(log, variant="bga"):
    return list(iterate_log(log, variant))


def check_game(imported: ImportedGame, game: mate.Game, deal: mate.Deal) -> None:
    assert isinstance(imported, ImportedGame), imported
    assert list(imported.moves) == game.moves
    assert imported.end == ("mate" if game.is_mate else "draw")
    assert deal.x.mask in imported.found.hands
    start = game.copy()
    while start.actions:
        start.pop()
    assert start.position in imported.starts
    assert imported.leader == start.leader


# --- What comes back -----------------------------------------------------------------------------


@settings(max_examples=150)
@given(seeds, st.sampled_from(VARIANTS))
def test_the_games_come_back_whatever_the_style(seed, variant):
    rng = random.Random(seed)
    match = random_match(variant, rng, rounds=rng.choice([1, 2, 3]))
    style = random_style(rng)
    if style.free:
        style = replace(style, free=variant == "bga-free")
    imported = read_log(write_log(match, style, rng), variant)
    assert len(imported) == len(match.games)
    for number, (found, (game, deal)) in enumerate(zip(imported, match.pairs, strict=True)):
        check_game(found, game, deal)
        assert found.number == number + 1
        assert found.tags["Round"] == f"{number // 2 + 1}.{number % 2 + 1}"
        assert (found.tags["X"], found.tags["Y"]) == ("Anna", "Bert")


@given(seeds)
def test_packets_of_spectators_tell_nothing_new(seed):
    match = random_match("bga", random.Random(seed))
    plain = read_log(write_log(match))
    found = read_log(write_log(match, Style(spectators=True)))
    assert [replace(game, packet=1) for game in found] == [
        replace(game, packet=1) for game in plain
    ]


@given(seeds)
def test_a_hand_that_is_shown_leaves_nothing_unknown(seed):
    match = random_match("bga", random.Random(seed))
    for hands in ("x", "both", "named"):
        for found in read_log(write_log(match, Style(hands=hands))):
            assert found.unknown == ()
            assert len(found.starts) == 1
            assert found.record().game().moves == list(found.moves)


@settings(max_examples=60)
@given(seeds, st.sampled_from(VARIANTS), st.integers(0, 200))
def test_a_log_cut_off_anywhere_is_read_as_far_as_it_goes(seed, variant, length):
    rng = random.Random(seed)
    match = random_match(variant, rng)
    style = replace(random_style(rng), free=False, twice=0, noise=False)
    packets = Writer(style, rng).match(match)[:length]
    told = sum("playCard" in str(packet) for packet in packets)
    if not told:
        with pytest.raises(mate.MateError, match="there is no playCard"):
            read_log(wrap(packets, style), variant)
        return
    imported = read_log(wrap(packets, style), variant)
    played = [move for found in imported for move in found.moves]
    assert played == [move for game in match.games for move in game.moves][:told]
    for found, (game, deal) in zip(imported[:-1], match.pairs, strict=False):
        check_game(found, game, deal)
    last, (game, deal) = imported[-1], match.pairs[len(imported) - 1]
    if list(last.moves) != game.moves:
        assert last.end is None
    assert not last.found.hands or deal.x.mask in last.found.hands


@pytest.mark.parametrize("known", [("uid", "packet_id", "move_id"), "uid", "packet_id", "move_id"])
@given(seeds)
@settings(max_examples=20)
def test_packets_that_come_again_anywhere_are_passed_over(known, seed):
    rng = random.Random(seed)
    packets = packets_of(random_match("bga", rng), hands="x", scores=True)
    for packet in packets:
        for holder in [packet, *packet["data"]]:
            for name in {"uid", "packet_id", "move_id"} & holder.keys():
                if name not in known:
                    del holder[name]
    again = list(packets)
    for index in range(len(packets), 0, -1):
        if rng.random() < 0.3:
            again.insert(index, packets[rng.randrange(index)])
    plain = read_log(wrap(packets, Style()))
    for log in (again, packets + packets):
        found = read_log(wrap(log, Style()))
        assert [replace(game, packet=1) for game in found] == [
            replace(game, packet=1) for game in plain
        ]


@given(seeds)
@settings(max_examples=20)
def test_packets_that_tell_no_table_are_of_the_one_there_is(seed):
    rng = random.Random(seed)
    packets = packets_of(random_match("bga", rng))
    whole = read_log(wrap(packets, Style()))
    for packet in packets[: rng.randrange(1, 5)] + rng.sample(packets, len(packets) // 2):
        packet.pop("table_id", None)
        packet.pop("channel", None)
    found = read_log(wrap(packets, Style()))
    assert [game.moves for game in found] == [game.moves for game in whole]


@given(seeds)
def test_the_same_cards_told_again_without_numbers_are_passed_over(seed):
    rng = random.Random(seed)
    match = random_match("bga", rng, rounds=1)
    packets = packets_of(match, ids=False)
    end = rng.randrange(1, max(2, len(match.games[0].moves)))
    begin = rng.randrange(end)
    again = packets[:end] + packets[begin:]
    found = read_log(wrap(again, Style()))
    assert [list(game.moves) for game in found] == [game.moves for game in match.games]


@pytest.mark.parametrize("seed", range(20))
def test_where_the_end_is_not_told_the_next_hand_tells_it(seed):
    match = random_match("bga", random.Random(seed))
    packets = packets_of(match, hands="x")
    for packet in packets:
        packet["data"] = [told for told in packet["data"] if told["type"] != "points"]
    found = read_log(wrap(packets, Style()))
    assert [list(game.moves) for game in found] == [game.moves for game in match.games]
    assert [game.end for game in found] == [None if g.is_mate else "draw" for g in match.games]


def test_a_log_that_begins_with_a_second_game_pairs_the_others():
    match = random_match("bga", random.Random(5), rounds=3)
    writer = Writer(Style(), random.Random(1))
    for game in match.games[1:]:
        writer.game(game)
    found = read_log(wrap(writer.packets, Style()))
    assert [list(game.moves) for game in found] == [game.moves for game in match.games[1:]]
    assert [game.tags["Round"] for game in found] == ["1.1", "2.1", "2.2", "3.1", "3.2"]
    assert {game.tags["X"] for game in found} == {"Bert"}


def test_a_record_tells_where_it_is_from():
    match = random_match("bga", random.Random(3))
    (found, *_) = read_log(write_log(match, Style(hands="x")))
    record = found.record()
    assert record.tags["Site"] == f"Board Game Arena, table {TABLE}"
    assert record.tags["Date"] == "2026-01-29"
    assert '[Round "1.1"]' in mate.write_record(record)
    assert record.result == match.games[0].result


def test_names_are_shown_not_sent():
    match = random_match("bga", random.Random(3))
    log = write_log(match).replace(b"Anna", b"An\\u001b[2Jna\\u202e\\n")
    found = read_log(log)[0]
    assert found.tags["X"] == "An\\u001b[2Jna\\u202e\\u000a"
    assert found.tags["X"].isprintable()


def test_the_log_of_the_documents():
    text = (Path(__file__).parents[1] / "docs" / "bga.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (game,) = read_log(block)
    assert (game.moves, game.end) == (("7c", "Tc", "Kd"), "mate")
    assert (game.tags["X"], game.tags["Y"]) == ("Anna", "Bert")
    assert [str(deal) for deal in game.found.deals] == [DOCUMENTED]
