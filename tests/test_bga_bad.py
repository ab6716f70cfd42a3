"""Bad logs: each fault is told with its game and place, the other games are read, nothing hangs."""

import json
import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
from bga_log import PLAYERS, VARIANTS, Style, Writer, packets_of, random_match, random_style, wrap
from mate.bga import MAX_TABLES, ImportedGame, read_log
from mate.bga.packets import MAX_LOG
from mate.errors import LogError

X, Y = PLAYERS["x"], PLAYERS["y"]


def read(packets: list, variant: str = "bga") -> list[ImportedGame | LogError]:
    return list(read_log(json.dumps(packets), variant))


def a_match(seed: int = 8, rounds: int = 2, **style) -> list[dict]:
    return packets_of(random_match("bga", random.Random(seed), rounds), **style)


def plays(packets: list[dict]) -> list[dict]:
    """The arguments of all cards played, to be spoilt."""
    told = [told for packet in packets for told in packet["data"]]
    return [content["args"] for content in told if content["type"] == "playCard"]


def place_of(packets: list[dict], args: dict) -> tuple[int, int]:
    for number, packet in enumerate(packets, 1):
        for place, told in enumerate(packet["data"], 1):
            if told["args"] is args:
                return number, place
    raise LookupError


def told(kind: str, **args) -> dict:
    return {"data": [{"type": kind, "args": args}]}


def card(player: int, name: str) -> dict:
    values = {"7": 7, "T": 10, "Q": 12, "K": 13, "A": 14}
    suits = {"s": 1, "h": 2, "c": 3, "d": 4}
    return told("playCard", player_id=player, value=values[name[0]], suit=suits[name[1]])


def cards(*names: str, leader: int = X) -> list[dict]:
    """Cards played in turn, the leader winning every trick."""
    other = X + Y - leader
    return [card(other if i % 2 else leader, name) for i, name in enumerate(names)]


# --- One broken game, three good ones ------------------------------------------------------------


def spoil(field: str, value: object) -> Callable[[dict], None]:
    return lambda args: args.update({field: value})


FAULTS = {
    "a value of no card": (spoil("value", 11), "no card of Mate: value 11"),
    "a suit of no card": (spoil("suit", 5), "suit 5"),
    "a suit that is zero": (spoil("suit", 0), "suit 0"),
    "a value that is a list": (spoil("value", [7]), "no card of Mate"),
    "a value that is true": (spoil("value", True), "no card of Mate"),
    "a huge value": (spoil("value", 10**30), "no card of Mate"),
    "no player": (lambda args: args.pop("player_id"), "expected a player's number .* nothing"),
    "a player that is none": (spoil("player_id", "Anna"), "expected a player's number"),
    "a negative player": (spoil("player_id", -3), "expected a player's number"),
    "a third player": (spoil("player_id", 5), "by a third player, 5"),
    "no card": (lambda args: args.pop("value"), "no card of Mate: value None"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_card_costs_one_game(fault):
    change, why = FAULTS[fault]
    packets = a_match()
    whole = read(packets)
    args = plays(packets)[len(whole[0].moves) + 3]
    change(args)
    found = read(packets)
    assert [type(game) for game in found] == [ImportedGame, LogError, ImportedGame, ImportedGame]
    assert [game.moves for game in found if isinstance(game, ImportedGame)] == [
        game.moves for i, game in enumerate(whole) if i != 1
    ]
    error = found[1]
    assert (error.game, error.packet, error.notification) == (2, *place_of(packets, args))
    with pytest.raises(LogError, match=why):
        raise error


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_any_one_card_changed_to_another_is_found_or_possible(seed):
    rng = random.Random(seed)
    packets = a_match(seed)
    args = rng.choice(plays(packets))
    args["value"], args["suit"] = rng.choice([7, 10, 12, 13, 14]), rng.randint(1, 4)
    found = read(packets)
    assert {game.number if isinstance(game, ImportedGame) else game.game for game in found} <= {
        1, 2, 3, 4,
    }  # fmt: skip
    for game in found:
        if isinstance(game, ImportedGame):
            check_legal(game)


def check_legal(game: ImportedGame) -> None:
    """Every start allows every move."""
    for start in game.starts[:3]:
        replay = mate.Game.from_position(start)
        for move in game.moves:
            replay.push(move)
        if game.end:
            assert replay.is_over
            assert replay.is_mate == (game.end == "mate")


@pytest.mark.parametrize(
    ("packets", "why"),
    [
        (cards("Kc", "Qc", "Kc"), "Kc is played twice$"),
        (cards("Kc", "Qc", "Qc"), "Qc is played twice$"),
        (cards("Kc", "Ac", "Ad"), f"player {X} leads Ad, and did not win the trick"),
        ([card(X, "Kc"), card(X, "Qc")], "Qc follows Kc of the same player"),
        (cards("Kc", "As"), "As answers Kc neither in suit nor in rank"),
        (cards("Kc", "Kd", "Ac", "Qc"), "trick 1: Kd is not legal: Qc had to be played to Kc"),
        ([*cards("Kc", "Qc"), told("trickWin", best_player_id=Y)], f"{Y} is said to win Kc Qc"),
        ([*cards("Kc"), told("trickWin", best_player_id=X)], "while Kc has no reply"),
        ([*cards("Kc", "Qc"), told("trickWin")], "expected a player's number in best_player_id"),
        ([*cards("Kc", "Qc"), told("points")], "nobody scores, while 18 cards are not played"),
        ([*cards("Kc", "Qc"), told("points", player_id=X, points=4)], "no lead is without reply"),
        ([*cards("Kc"), told("points", player_id=Y, points=4)], f"Kc was led by {X}"),
        ([*cards("Kc"), told("points", player_id=X, points=5)], "Kc mates on trick 1 for 4"),
        ([*cards("Kc"), told("points", player_id=X, tricks=2)], "Kc mates on trick 1 for 1"),
        ([*cards("Kc"), told("points", points=4)], "points: expected a player's number"),
        ([told("newHand", cards=7), *cards("Kc")], "newHand: expected the cards"),
        ([told("newHand", cards=[7]), *cards("Kc")], "newHand: expected a card, found int"),
        ([told("newHand", cards=[{"type": 1, "type_arg": 7}])], "a hand of 1 cards"),
        ([told("newHand", cards=[{"type": 1, "type_arg": 7}] * 2)], "a card stands twice"),
        ([*cards("Kc"), told("freeMove", player_id=Y)], "the free move is announced, which bga"),
        ([7], "expected a packet, found int"),
        ([{"data": 7}], "expected a list of notifications, found int"),
        ([{"data": ["a"]}], "expected a notification, found str"),
        ([{"data": [{"type": "playCard", "args": "x"}]}], "expected the args of playCard"),
    ],
)
def test_what_cannot_be_is_told(packets, why):
    with pytest.raises(LogError, match=why):
        raise next(found for found in read(packets) if isinstance(found, LogError))


def hand(text: str) -> list[dict]:
    values = {"7": 7, "T": 10, "Q": 12, "K": 13, "A": 14}
    suits = {"s": 1, "h": 2, "c": 3, "d": 4}
    return [{"type": suits[c[1]], "type_arg": values[c[0]]} for c in mate.Deal.parse(text).x]


def test_a_card_that_is_not_in_the_hand_shown():
    shown = told("newHand", player_id=X, cards=hand("AQ7.A7.TK7.AT"))
    found = read([shown, *cards("Kc", "Qc")])
    assert "Kc is not in the hand that was shown" in str(found[0])
    assert (found[0].game, found[0].packet) == (1, 2)
    assert read([shown, *cards("Ac", "Tc")])[0].unknown == ()
    assert "Qc is not in the hand" in str(read([shown, *cards("Ac", "Qc")])[0])


def test_the_rest_of_a_hand_shown_in_the_middle_must_fit():
    rest = [card for card in hand("AQ7.A7.TK7.AT") if card != {"type": 3, "type_arg": 14}]
    good = [*cards("Ac", "Tc"), told("newHand", player_id=X, cards=rest)]
    assert read(good)[0].found.deals == [mate.Deal.parse("AQ7.A7.TK7.AT")]
    bad = [*good[:2], told("newHand", player_id=X, cards=rest[1:])]
    assert "8 cards are shown of a player who played 1 of 10" in str(read(bad)[0])


def test_a_round_that_contradicts_itself_is_told_and_each_game_read_alone():
    first = [*cards("Ac", "Tc", "Kd", "Qd", "Kc"), told("points", player_id=X, points=12)]
    second = cards("Ad", "Kd", "Td", "7d", leader=Y)
    good = read([*first, *second])
    assert [type(game) for game in good] == [ImportedGame, LogError, ImportedGame]
    assert f"player {X} has Kd in this game and in game 1" in str(good[1])
    assert (good[1].game, good[1].packet) == (2, 8)
    assert [game.tags["Round"] for game in good if isinstance(game, ImportedGame)] == ["1.1", "2.1"]


def test_totals_that_contradict_the_plays_are_told_and_cost_no_game():
    packets = a_match(scores=True)
    contents = [content for packet in packets for content in packet["data"]]
    totals = [
        content["args"]["newScores"] for content in contents if "newScores" in content["args"]
    ]
    totals[2][str(X)] += 1
    found = read(packets)
    errors = [error for error in found if isinstance(error, LogError)]
    assert len(found) - len(errors) == 4
    assert errors[0].game == 3
    assert "newScores" in errors[0].why


@pytest.mark.parametrize("given", [[9, 8, 7, 6], [9, -5, 9, -5], ["many"] * 4, [None] * 4])
def test_totals_that_nobody_understands_are_passed_over(given):
    packets = a_match(scores=True)
    contents = [content for packet in packets for content in packet["data"]]
    totals = [told["args"]["newScores"] for told in contents if "newScores" in told["args"]]
    for total, number in zip(totals, given, strict=True):
        total[str(X)] = number
    assert not [error for error in read(packets) if isinstance(error, LogError)]


# --- Tables and other games ----------------------------------------------------------------------


def test_mixed_tables_are_told_and_parted():
    one, two = a_match(1), a_match(2)
    for number, packet in enumerate(two):
        packet |= {"table_id": "12", "channel": "/table/t12", "packet_id": str(1000 + number)}
    order = random.Random(5)
    queues = [iter(one), iter(two)]
    turns = order.sample([0] * len(one) + [1] * len(two), len(one) + len(two))
    mixed = [next(queues[turn]) for turn in turns]
    found = read(mixed)
    errors = [error for error in found if isinstance(error, LogError)]
    assert len(errors) == 1
    assert "of table" in errors[0].why
    moves = sorted(game.moves for game in found if isinstance(game, ImportedGame))
    assert moves == sorted(game.moves for game in [*read(one), *read(two)])
    assert len({game.number for game in found if isinstance(game, ImportedGame)}) == 8


def test_mixed_tables_that_do_not_say_so_are_found_by_their_players():
    one, two = (a_match(seed, table=False, ids=False) for seed in (1, 2))
    for args in plays(two):
        args["player_id"] += 1
    mixed = [packet for pair in zip(one, two, strict=False) for packet in pair]
    found = read(mixed)
    assert any("third player" in str(error) or "answers" in str(error) for error in found)


def test_a_log_of_very_many_tables_is_refused():
    packets = [{"table_id": i, **card(X, "Kc")} for i in range(1, MAX_TABLES + 2)]
    with pytest.raises(LogError, match="more than 100"):
        read(packets)


def test_logs_of_other_games():
    other = [told("tilePlaced", player_id=1, x=3), told("gameStateChange", id=3)]
    with pytest.raises(mate.MateError, match="there is no playCard"):
        read(other)
    hearts = [
        told("playCard", player_id=i % 4, value=2 + i % 13, suit=1 + i % 4) for i in range(52)
    ]
    found = read(hearts)
    assert all(isinstance(game, LogError) for game in found)
    assert len(found) == 1


# --- No log at all -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (b"", "line 1, column 1: expected JSON"),
        (b"{", "line 1, column 2: expected JSON"),
        (b"\xff\xfe[]", "byte 1: expected UTF-8"),
        (b"\x00" * 50, "expected JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"data":' * 100_000, "nested too deeply"),
        (b"[NaN]", "expected JSON, found NaN"),
        (b"[-Infinity]", "expected JSON, found -Infinity"),
        (b'[{"data": [], "data": []}]', "the key 'data' stands twice"),
        (b"7", "found int"),
        (b"null", "found NoneType"),
        (b'"a"', "found str"),
        (b'{"a": 1}', "found no list"),
        (b'{"data": {"logs": 7}}', "found int"),
        (b"[]", "there is no playCard"),
        (b'[{"data": null}]', "there is no playCard"),
        (b'{"data": {"logs": []}}', "there is no playCard"),
        (b" " * (MAX_LOG + 1), f"at most {MAX_LOG} bytes"),
        (7, "7 is no log"),
        ("[\ud800]", "expected UTF-8"),
    ],
)
def test_what_is_no_log_is_refused(log, why):
    with pytest.raises(mate.MateError, match=why):
        read_log(log)


def test_huge_numbers_where_they_do_not_matter_are_passed_over():
    packets = [{"time": 1, **packet} for packet in cards("Kc", "Qc")]
    text = json.dumps(packets).replace('"time": 1', f'"time": {"9" * 100_000}')
    assert next(read_log(text)).moves == ("Kc", "Qc")


def test_nesting_inside_of_arguments_is_no_way_to_crash():
    for depth in range(700, 1000):
        inside = "[" * depth + "]" * depth
        deep = f'{{"data": [{{"type": "playCard", "args": {{"value": {inside}}}}}]}}'
        with suppress(mate.MateError):
            assert all(isinstance(game, LogError) for game in read_log(f"[{deep}, {deep}]"))


@pytest.mark.parametrize("variant", ["capellen", "double", "pieces", "bga,deck=chess,rounds=x"])
def test_variants_that_the_site_does_not_have_are_refused(variant):
    with pytest.raises(mate.VariantError):
        read_log(json.dumps(cards("Kc")), variant)


# --- Options -------------------------------------------------------------------------------------


def test_the_error_names_the_options_that_would_allow_the_plays():
    packets = cards("Kc", "Kd", "Ac", "Qc")
    assert "variant bga; legal under bga-king or bga-figure or bga-free" in str(read(packets)[0])
    assert isinstance(read(packets, "bga-king")[0], ImportedGame)
    wrong = cards("Kc", "Kd", "Ac", "Qc", "Kh", "7h", "Ah", "Ks")
    assert isinstance(read(wrong, "bga")[0], LogError)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(VARIANTS), st.sampled_from(VARIANTS))
def test_wrong_options_are_found_exactly_if_they_forbid_a_play(seed, played, assumed):
    match = random_match(played, random.Random(seed), rounds=1)
    packets = packets_of(match, hands="both")
    allowed = []
    for game in match.games:
        start = game.copy()
        while start.actions:
            start.pop()
        deal, leader = mate.Deal(start.x, start.y), start.leader
        allowed.append(is_legal(mate.Game(deal, assumed, leader), game.moves))
    found = read(packets, assumed)
    assert [isinstance(game, ImportedGame) for game in found] == allowed
    for game in found:
        if isinstance(game, LogError):
            assert f"variant {assumed}; legal under" in str(game) or "nor legal" in str(game)


def is_legal(game: mate.Game, moves: list[str]) -> bool:
    try:
        for move in moves:
            game.push(move)
    except mate.IllegalMoveError:
        return False
    return True


# --- Anything ------------------------------------------------------------------------------------


def mutate(value: object, rng: random.Random) -> object:
    """Plain data with something in it changed."""
    if rng.random() < 0.02:
        return rng.choice([None, 7, -1, "7", "", [], {}, True, 1e300, "x" * 99, "\x1b[2J\n", [[]]])
    if isinstance(value, list):
        found = [mutate(item, rng) for item in value]
        if found and rng.random() < 0.03:
            rng.choice([found.pop, found.reverse, lambda: found.append(found[0])])()
        return found
    if isinstance(value, dict):
        return {key: mutate(item, rng) for key, item in value.items() if rng.random() > 0.005}
    return value


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_changed_logs_raise_nothing_but_errors_of_ours(seed):
    rng = random.Random(seed)
    style = random_style(rng)
    packets = Writer(style, rng).match(random_match("bga-free", rng))
    log = mutate(json.loads(wrap(packets, style)), rng)
    with suppress(mate.MateError):
        for game in read_log(json.dumps(log), "bga-free"):
            if isinstance(game, ImportedGame):
                check_legal(game)
            else:
                assert str(game).isprintable()


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_changed_bytes_raise_nothing_but_errors_of_ours(seed):
    rng = random.Random(seed)
    log = bytearray(wrap(a_match(seed, rounds=1), Style()))
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(log))
        log[at : at + rng.randint(0, 3)] = bytes(rng.choices(range(256), k=rng.randint(0, 3)))
    with suppress(mate.MateError):
        list(read_log(bytes(log)))
