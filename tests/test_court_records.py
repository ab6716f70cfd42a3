"""Records, deals and PBN of Court Piece come back the same; what is broken is told."""

import io
import random

import pytest

import mate
from mate.court_piece import (
    Cards,
    Deal,
    Hand,
    Record,
    Variant,
    parse_deals,
    parse_records,
    read_deals,
    read_records,
    write_deal,
    write_deals,
    write_record,
    write_records,
)
from mate.court_piece.pbn import records_of
from mate.court_piece.record import ALWAYS, OF_THE_HAND, SECTIONS
from mate.errors import MateError, RecordError
from test_court_hand import DEAL, any_deal, any_move, any_variant
from test_court_reference import S3_DEAL, S3_PLAY

COMMENTS = [
    "fine", "a {b} c", "\\", '"x"', "[Event", "N:" + S3_DEAL, "\x1b[2J", "% x", "; x", "♠" * 90,
    "so long " * 30, "* 0-1 AS", "% " * 60, "[ " * 60,
]  # fmt: skip
VALUES = ["?", "", "Anna", 'say "a"', "\\", "[x]", "a\nb", "\x07", "é♠", "x" * 500]


def any_hand(rng):
    variant = any_variant(rng)
    trump = rng.choice((None, None, "N", "D"))
    hand = Hand(any_deal(rng, variant), variant, None, trump)
    n_moves = rng.choice((0, 1, 5, 30, 99))
    while not hand.is_over and len(hand.moves) < n_moves:
        hand.push(any_move(rng, hand))
    return hand


def any_record(rng):
    hand = any_hand(rng)
    tags = {name: rng.choice(VALUES) for name in rng.sample([*ALWAYS, "Room", "X_1"], 4)}
    plies = rng.sample(range(len(hand.moves) + 1), min(3, len(hand.moves) + 1))
    return Record.of(hand, tags, {ply: rng.choice(COMMENTS) for ply in plies})


def only(text):
    (found,) = parse_records(text)
    return found


# --- There and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(150))
def test_a_record_comes_back_the_same(seed):
    record = any_record(random.Random(seed))
    text = write_record(record)
    again = only(text)
    assert again == record
    assert again.hand() == record.hand()
    assert write_record(again) == text
    assert max(map(len, text.split("\n\n")[1].split("\n")[:-1]), default=0) <= 180


def test_a_file_of_records_comes_back_the_same(tmp_path):
    rng = random.Random(1)
    records = [any_record(rng) for _ in range(40)]
    write_records(tmp_path / "x.pbn", records)
    again = list(read_records(tmp_path / "x.pbn"))
    assert again == records
    assert [record.line for record in again[:2]] == [1, write_record(records[0]).count("\n") + 2]
    assert list(read_deals(tmp_path / "x.pbn")) == [record.deal for record in records]
    text = (tmp_path / "x.pbn").read_text("utf-8")
    windows = "\ufeff" + text.replace("\n", "\r\n")
    assert list(parse_records(windows)) == records


def test_deals_come_back_the_same(tmp_path):
    variant = Variant(trump="second_batch")
    deals = [Deal.random(seed, seed % 4, variant) for seed in range(20)] + [DEAL]
    write_deals(tmp_path / "x.pbn", iter(deals))
    assert list(read_deals(tmp_path / "x.pbn")) == deals
    assert [record.deal for record in read_records(tmp_path / "x.pbn")] == deals
    assert [record.moves for record in read_records(tmp_path / "x.pbn")] == [()] * 21
    assert list(parse_deals("\n".join(map(write_deal, deals)))) == deals


def test_deals_may_stand_a_line_each():
    deals = [Deal.random(seed) for seed in range(5)]
    text = "; five deals\n\n" + "\n".join(map(str, deals[:3])) + "\n\n" + "\r\n".join(
        map(str, deals[3:]))  # fmt: skip
    assert [deal.hands for deal in parse_deals(text)] == [deal.hands for deal in deals]
    assert [record.deal.hands for record in parse_records(text)] == [d.hands for d in deals]


def test_what_is_written():
    hand = Hand("N:" + S3_DEAL[2:], "seed,chase=optional")
    for move in ("S", *S3_PLAY[:28], "on", *S3_PLAY[28:]):
        hand.push(move)
    tags = {"Event": "Friday", "Board": "3", "East": "Anna", "Room": "Open"}
    record = Record.of(hand, tags, {0: "the caller has five spades", 29: "the chase"})
    assert (
        write_record(record)
        == f"""[Event "Friday"]
[Site "?"]
[Date "?"]
[Board "3"]
[North "?"]
[East "Anna"]
[South "?"]
[West "?"]
[Variant "seed,chase=optional"]
[Dealer "N"]
[Deal "{S3_DEAL}"]
[Points "0-1"]
[Room "Open"]

{{the caller has five spades}} S 1. AS 2S 3S 4S 2. KS 5S 9S 6S 3. 4H 2H AH 5H 4.
4D 3D QD 2D 5. QS 8S 5C JS 6. AD 6D 9D 7D 7. 5D 8D KD TD {{the chase}} on 8. KH 9H
7H 3H 9. QC AC 3C 2C 0-1
"""
    )


# --- PBN of others -------------------------------------------------------------------------------

BRIDGE = f"""% PBN 2.1
% EXPORT

[Event "Cup"]
[Board "7"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{S3_DEAL}"]
[Declarer "E"]
[Contract "4S"]
[Trump "S"]
[Variant "seed"]
[Auction "N"]
Pass 1S =1= Pass 4S
AP
[Note "1:five cards"]
[Note "2:more"]
[Play "E"]
SA S2 S3 S4
SK S5 S9 S6
H4 H2 HA H5 $2
D4 D3 DQ D2 {{columns from east on}}
- - C5 -
*
[OptimumResultTable "Declarer;Denomination;Result"]
N S 5
E S 12

[Event "Cup"]
[Deal "{S3_DEAL}"]
"""


def test_pbn_of_bridge_is_read_column_by_column():
    text = BRIDGE.replace("D4 D3 DQ D2", "DQ D2 D4 D3").replace("- - C5 -\n", "SQ - - -\n")
    first, second = parse_records(text)
    assert first.trump == "S"
    assert list(first.moves) == S3_PLAY[:17]
    assert first.comments == {16: "columns from east on"}
    assert first.tags["Contract"] == "4S"
    assert "Play" not in first.tags
    assert second.moves == ()
    assert only(write_record(first)) == first
    assert list(parse_deals(text)) == [DEAL, DEAL]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[Play \"E\"]", "[Play \"N\"]", r":18:8: E is to lead, the caller"),
        ("[Play \"E\"]", "[Play \"X\"]", r":18:8: expected a seat"),
        ("[Trump \"S\"]\n", "", r":17:1: expected the tag Trump"),
        ("- - C5 -", "- - C5", r":23:1: expected the card of E"),
        ("SA S2", "S2 SA", r":19:1: 'S2' is not legal in E"),
        ("- - C5 -\n*\n", "* H2\n", r":23:3: expected the end of the section, found 'H2'"),
        ("SK S5 S9 S6", "SK S5 S9 HT", r"'HT' is not legal in N J6\.J95"),
        ("SK S5", "SK ^R", r":20:4: expected a rank"),
    ],
)  # fmt: skip
def test_pbn_that_is_no_hand(old, new, why):
    text = BRIDGE.replace("D4 D3 DQ D2", "DQ D2 D4 D3")
    error, second = parse_records(text.replace(old, new))
    assert isinstance(error, RecordError)
    with pytest.raises(RecordError, match=why):
        raise error
    assert second.deal == DEAL


def test_the_chase_goes_on_in_columns():
    rows = [S3_PLAY[n : n + 4] for n in range(0, 36, 4)]
    leaders = [1, 1, 1, 3, 1, 1, 1, 3, 3]
    columns = [
        " ".join(row[(1 + place - leader) % 4] for place in range(4))
        for row, leader in zip(rows, leaders, strict=True)
    ]
    text = f'[Variant "seed,chase=optional"][Deal "{S3_DEAL}"][Trump "S"][Play "E"]\n'
    record = only(text + "\n".join(columns))
    assert list(record.moves) == [*S3_PLAY[:28], "on", *S3_PLAY[28:]]
    assert record.points == (0, 1)
    assert list(only(text + "\n".join(columns[:7])).moves) == S3_PLAY[:28]


# --- Bad input -----------------------------------------------------------------------------------

START = f'[Dealer "N"]\n[Deal "{S3_DEAL}"]\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        (START.replace("863", "86"), 2, 27, "expected 13 cards in the hand of E (there are 12), "
         "found 'AKQT7.74.AQ5.86'"),
        (START.replace("J95", "J9J"), 2, 16, "already (JH is here twice), found 'J.T73"),
        (START.replace("852.", "85A."), 2, 46,
         "not dealt already (AS is already in the hand of E), found 'A.T832"),
        (START.replace('Q75"', 'Q75 ..."'), 2, 78, "four hands and"),
        (START + '[Trump "X"]\n', 3, 9, "expected a trump, S, H, D, C or N for none, found 'X'"),
        (START + '[Dealer "E"]\n', 3, 1, "the tag Dealer stands twice"),
        (START.replace('"N"', '"north"'), 1, 10, "expected a seat, N, E, S or W"),
        (START + '[FirstFive "AKQT7.7.."]\n', 3, 13, "first five AKQT7.7..: five cards"),
        (START + '[FirstFive "AKQT.A.."]\n', 3, 13, "first five AKQT.A..: five cards"),
        (START + '[FirstFive "AKQT7"]\n', 3, 18, "expected a rank or the dot"),
        (START + '[Turned "AH"]\n', 3, 10, "turned 'AH': a card of the caller's"),
        (START + '[Turned "A"]\n', 3, 11, "expected a suit"),
        (START + '[FirstFive "AKQT7..."]\n[Turned "AS"]\n', 4, 10, "it is among the first five"),
        (START + '[Variant "x"]\n', 3, 11, "variant field variant = 'x': presets are seed"),
        (START + '[Variant "{"]\n', 3, 11, "not JSON"),
        (START + '[Variant "seed,trump=second_batch"]\n', 2, 1, "the card that was turned"),
        (START + '[Points "1-0"]\n', 3, 10, "the points are *, not '1-0'"),
        (START + "\nS AS 2S 3S 4S KS 8H", 4, 18, "'8H' is not legal in S 85.T832.862.T92 on KS"),
        (START + "\nS AS 2S {a} 3S\n4H", 5, 1, "'4H' is not legal in N J64.J95.T73.AKJ4 on AS"),
        (START + "\nX", 4, 1, "expected a suit"),
        (START + "\nAS", 4, 1, "'AS' is not legal in E AKQT7.74.AQ5.863 names the trump"),
        (START + "\nS AS 1-0", 4, 6, "the points are *, not '1-0'"),
        (START + "\nS * AS", 4, 5, "expected the tags of the next hand, found 'AS'"),
        (START + "\nS {never closed", 4, 3, "expected a comment that is closed"),
        ('[Dealer "N"]\n', 1, 1, "expected the tag Deal"),
        (S3_DEAL + " 1", 1, 71, "expected four hands and nothing more"),
        ("AS 2S", 1, 1, "expected a seat, N, E, S or W, and a colon"),
        ('[Deal "N:', 1, 10, "expected the quote after the tag's value"),
    ],
)  # fmt: skip
def test_one_line_tells_what_is_wrong_and_the_rest_is_read(text, line, column, why):
    found = list(parse_records(f"{START}\nS *\n\n{text}\n\n{START}\nH *\n"))
    if text[0] != "[":  # without a tag before it a line is a deal by itself
        found = [*parse_records(START), *parse_records(text), *parse_records(START)]
        line -= 5
    first, error, last = found
    assert (first.deal, last.deal) == (DEAL, DEAL)
    assert isinstance(error, RecordError)
    assert (error.line, error.column) == (line + 5, column)
    assert why in error.why
    assert "\n" not in str(error)


def test_lines_that_are_no_deals_are_told_one_by_one():
    text = f"{S3_DEAL}\nnothing\n{S3_DEAL[:-1]}\n\n{S3_DEAL}"
    found = list(parse_deals(text))
    assert [isinstance(deal, Deal) for deal in found] == [True, False, False, True]
    assert [(error.line, error.column) for error in found[1:3]] == [(2, 2), (3, 54)]


def test_files_that_cannot_be_read_or_written(tmp_path):
    for read in (read_records, read_deals):
        for path in (tmp_path / "none.pbn", tmp_path, None, "\0"):
            with pytest.raises(RecordError):
                list(read(path))
    for write in (write_records, write_deals):
        with pytest.raises(RecordError, match="it is no path") as swapped:
            write([Record.of(Hand(DEAL))] * 50, tmp_path / "x.pbn")
        assert len(str(swapped.value)) < 100
        for given in (5, [5], None, [DEAL, None], [Record(Variant(), DEAL), 1]):
            with pytest.raises(MateError):
                write(tmp_path / "x.pbn", given)
        assert not list(tmp_path.iterdir())
        with pytest.raises(RecordError):
            write(tmp_path / "no" / "x.pbn", [])
    for parse in (parse_deals, parse_records):
        for text in (None, b"", 5):
            with pytest.raises(MateError):
                parse(text)


def test_what_is_long_or_not_utf8_is_refused():
    long = START + "\nS " + "{x} " * 30000
    error, second = parse_records(long + "\n\n" + START)
    assert "at most 65536 bytes" in error.why
    assert second.deal == DEAL
    error, second = records_of(io.BytesIO(b'[Deal "\xff"]\n\n' + START.encode()), "f")
    assert str(error).startswith("f:1:8: expected UTF-8")
    assert list(parse_records("")) == list(parse_records("{only a comment}")) == []
    assert isinstance(next(parse_records("{a comment} AS")), RecordError)
    tags = {"A": "x" * 8192, "B": "x" * 8192}
    record = Record(Variant(), DEAL, tags={f"T{n}": "x" * 8192 for n in range(9)})
    assert write_record(Record(Variant(), DEAL, tags=tags))
    with pytest.raises(MateError, match="too long"):
        write_record(record)


@pytest.mark.parametrize(
    "fields",
    [{"deal": None}, {"deal": S3_DEAL}, {"variant": "seed"}, {"moves": "S"}, {"moves": ["X"]},
     {"moves": ["AS"]}, {"moves": None}, {"trump": "X"}, {"trump": 5}, {"tags": []},
     {"tags": {1: ""}}, {"tags": {"A": 1}}, {"tags": {"A b": ""}}, {"tags": {"north": ""}},
     {"tags": {"A": "\ud800"}}, {"tags": {"A": "x" * 9000}}, {"comments": {1: ""}},
     {"comments": {-1: ""}}, {"comments": {"0": ""}}, {"comments": {0: 5}}, {"comments": []},
     {"comments": {True: "x"}}, *({"tags": {name: "x"}} for name in OF_THE_HAND + SECTIONS)],
)  # fmt: skip
def test_records_that_cannot_be(fields):
    with pytest.raises(MateError):
        Record(**{"variant": Variant(), "deal": DEAL, **fields})


def test_records_of_what_is_no_hand():
    for given in (None, DEAL, mate.Game("AQ7.A7.TK7.AT")):
        with pytest.raises(MateError):
            Record.of(given)
    for given in (None, Hand(DEAL), DEAL):
        with pytest.raises(MateError):
            write_record(given)
    for given in (None, Cards(0), S3_DEAL):
        with pytest.raises(MateError):
            write_deal(given)
    with pytest.raises(MateError):
        Record.of(Hand(DEAL), [1])


def test_variants_of_ones_own_are_written_as_json():
    variant = Variant(points=(2, 5, 2, 5), blocked_claims=frozenset({3}), name="mine\n")
    text = write_record(Record(variant, DEAL))
    assert '[Variant "{\\"collection\\"' in text
    again = only(text)
    assert (again.variant, again.variant.name) == (variant, "mine\n")
