"""The commands `mate court deal`, `solve`, `analyze`, `match`, and what holds for all of them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mate.cli import app
from mate.cli.court import COMMANDS
from mate.court_piece import Deal, Hand, Record, duel, parse_deals, write_record, write_records
from test_cli_process import on_terminal

# The hand of the rules and the two deals after it, whose tricks stand there (section 4).
SEED = "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"
FACTS = {
    SEED: (12, 11, 13, 10),
    "N:AJ.74.T87652.T63 T542.K832.KQ94.A Q963.JT96.AJ3.J9 K87.AQ5..KQ87542": (9, 9, 6, 11),
    "N:K9853.T72.Q8652. J764.KJ6..KQ8542 AQ.98.AJT97.JT73 T2.AQ543.K43.A96": (6, 9, 3, 10),
}
SECOND, THIRD = list(FACTS)[1:]
PLAYED = (
    "S AS 2S 3S 4S KS 5S 9S 6S 4H 2H AH 5H 4D 3D QD 2D QS 8S 5C JS AD 6D 9D 7D 5D 8D KD TD "
    "KH 9H 7H 3H QC AC 3C 2C"
)
TWELVE = SEED.replace("AKQT7.74.AQ5.863", "AKQT7.74.AQ5.86")
TWICE = SEED.replace("852.", "A52.")
FIVE_HANDS = f"{SEED} 2..."
MATE = [sys.executable, "-c", "from mate.cli import main; main()"]
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")


def court(*words: str, stdin: str | bytes = ""):
    return CliRunner().invoke(app, ["court", *words], input=stdin)


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*words: str, stdin: str | bytes = "") -> str:
    """Run, check that it is refused with one line on standard error, and return the line."""
    result = court(*words, stdin=stdin)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("mate: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("mate: ").removesuffix("\n")


# --- All commands --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(command):
    result = court(command, "--help")
    assert result.exit_code == 0
    assert "--json" in result.stdout


def test_the_group_lists_its_commands():
    said = court("--help").stdout
    for command in COMMANDS:
        assert f" {command} " in said


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"], ["deal", "--nonsense"], ["deal", "--count", "-1"], ["deal", "surplus"],
        ["solve"], ["solve", "-", "--trump", "Z"], ["solve", "-", "--trump", ""],
        ["solve", "-", "--leader", "X"], ["solve", "-", "--threads", "0"],
        ["analyze"], ["analyze", SEED, "--hand", "1"], ["analyze", SEED, "--after", "0"],
        ["analyze", SEED, "--trump", "SS"], ["analyze", SEED, "--caller", "5"],
        ["play", "--seat", "Z"], ["play", "surplus"], ["match", "random"],
        ["match", "random", "greedy", "--deals", "0"],
        ["match", "random", "greedy", "--seed", "-1"],
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_2(words):
    result = court(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage" in result.stderr


@pytest.mark.parametrize(
    "words", [["deal"], ["solve", "-"], ["analyze", SEED], ["play"], ["match", "random", "greedy"]]
)
def test_a_variant_that_is_none_is_told(words, tmp_path):
    assert "presets are seed" in refused(*words, "--variant", "bga")
    assert "blocked_claims" in refused(*words, "--variant", "seed,blocked_claims=14")
    file = tmp_path / "mine.json"
    file.write_text('{"collection": "triple"}')
    assert "collection = 'triple'" in refused(*words, "--variant", str(file))


# --- deal ----------------------------------------------------------------------------------------


def test_deals_are_what_the_seed_says():
    lines = court("deal", "--count", "3", "--seed", "7").stdout.splitlines()
    assert lines[0] == str(Deal.random(7))
    assert len(set(lines)) == 3
    assert all(str(Deal.parse(line)) == line for line in lines)


def test_deals_as_json_tell_the_order_of_dealing():
    (found,) = rows(court("deal", "--seed", "7", "--json", "--variant", "double-sir"))
    deal = Deal.random(7, variant="double-sir")
    assert found == {
        "variant": "double-sir", "deal": str(deal), "dealer": "N", "caller": "E",
        "first_five": str(deal.first_five), "turned": None,
    }  # fmt: skip
    (found,) = rows(court("deal", "--json", "--variant", "seed,trump=second_batch"))
    assert found["turned"] in Deal.parse(found["deal"]).hands[1]


def test_what_a_variant_deals_again_is_dealt_again():
    variant = "seed,redeal_below=K"
    for found in rows(court("deal", "--count", "30", "--json", "--variant", variant)):
        assert set("AK") & set(found["first_five"])


# --- solve ---------------------------------------------------------------------------------------


def test_the_tricks_are_those_of_the_rules():
    found = rows(court("solve", "-", "--json", stdin="\n".join(FACTS)))
    assert [row["deal"] for row in found] == list(FACTS)
    for row in found:
        assert tuple(row["tricks"]) == tuple("SHDCN")
        assert all(tuple(by_leader) == tuple("NESW") for by_leader in row["tricks"].values())
        assert tuple(row["tricks"][trump]["E"] for trump in "SHDC") == FACTS[row["deal"]]


def test_a_trump_and_a_leader_are_all_that_is_solved():
    (found,) = rows(court("solve", "-", "--json", "--trump", "nt", "--leader", "e", stdin=SEED))
    assert list(found["tricks"]) == ["N"]
    assert list(found["tricks"]["N"]) == ["E"]
    (found,) = rows(court("solve", "-", "--json", "--trump", "♥", stdin=SEED))
    assert found["tricks"]["H"]["E"] == 11


def test_the_tricks_of_double_sir_are_those_that_are_collected():
    options = ("--json", "--trump", "S", "--leader", "E", "--variant", "double-sir")
    (found,) = rows(court("solve", "-", *options, stdin=SEED))
    (plain,) = rows(court("solve", "-", *options[:-1], "hokm", stdin=SEED))
    worth = analyzed(SEED, "--trump", "S", "--variant", "double-sir")["tricks"]
    assert found["tricks"]["S"]["E"] == worth
    assert plain["tricks"]["S"]["E"] == 12


def test_people_get_a_row_a_leader_and_a_column_a_trump():
    lines = court("solve", "-", stdin=SEED).stdout.splitlines()
    assert lines[0] == f"line 1  {SEED}"
    assert lines[1].split() == ["leader", *"SHDCN"]
    assert [line.split()[0] for line in lines[2:6]] == list("NESW")
    assert lines[3].split()[1:5] == ["12", "11", "13", "10"]


def test_any_number_of_deals_comes_back_in_order_on_any_number_of_threads():
    deals = [SEED, SECOND, SECOND] * 50
    options = ("--json", "--trump", "C", "--leader", "E", "--threads")
    one, two = (court("solve", "-", *options, threads, stdin="\n".join(deals)) for threads in "12")
    assert [row["deal"] for row in rows(one)] == deals
    assert one.stdout == two.stdout


def test_bad_deals_are_told_by_place_and_the_rest_is_solved():
    lines = [SEED, TWICE, TWELVE, FIVE_HANDS, "nonsense", "\x1b[2J", SEED]
    result = court("solve", "-", "--json", "--trump", "S", stdin="\n".join(lines))
    assert result.exit_code == 1
    assert [row["deal"] for row in rows(result)] == [SEED, SEED]
    told = result.stderr.splitlines()
    assert len(told) == 5
    places = [line.partition(": ")[0] for line in told]
    assert places == [f"standard input:{place}" for place in ("2:37", "3:20", "4:71", "5:2", "6:1")]
    assert "not dealt already (AS is already in the hand of E), found 'A52" in told[0]
    assert "13 cards in the hand of E (there are 12)" in told[1]
    assert "four hands and nothing more" in told[2]
    assert "\x1b" not in result.stderr


def test_deals_in_tags_of_pbn_are_deals_whatever_else_is_there():
    board = f'[Board "7\x07"]\n[Deal "{SECOND}"]\n\n'
    mixed = f'\n{SEED}\n\n{TWELVE}\n{board}[Board "?"]\n[Deal "{SEED}"]\n'
    options = ("--trump", "S", "--leader", "E")
    placed = rows(court("solve", "-", "--json", *options, stdin=mixed))
    assert [row["line"] for row in placed] == [2, 5, 8]
    assert [row.get("board") for row in placed] == [None, "7\x07", None]
    assert list(placed[1]) == ["deal", "line", "board", "tricks"]
    said = court("solve", "-", *options, stdin=mixed).stdout.splitlines()
    assert said[::4] == [f"line 2  {SEED}", f"Board 7\\u0007  {SECOND}", f"line 8  {SEED}"]
    text = f'% PBN 2.1\n[Event "x"]\n[Dealer "W"]\n[Deal "{SEED}"]\n[Auction "N"]\n1C Pass\n\n'
    result = court("solve", "-", "--json", "--trump", "S", stdin=text * 2)
    assert [row["deal"] for row in rows(result)] == [SEED, SEED]
    assert result.exit_code == 0


def test_bytes_that_are_no_text_are_told():
    result = court("solve", "-", "--json", stdin=b"\xff\xfe\n" + SEED.encode())
    assert result.exit_code == 1
    assert [row["deal"] for row in rows(result)] == [SEED]
    assert "UTF-8" in result.stderr


@pytest.mark.parametrize("text", ["", "\n\n", "; only a comment\n"])
def test_a_file_without_deals_is_an_error(text, tmp_path):
    file = tmp_path / "empty.pbn"
    file.write_text(text)
    assert refused("solve", str(file)) == f"{file}: there is no deal in it"


def test_files_that_cannot_be_read_are_named(tmp_path):
    assert "No such file" in refused("solve", str(tmp_path / "missing"))
    assert str(tmp_path) in refused("solve", str(tmp_path))


# --- analyze -------------------------------------------------------------------------------------


def analyzed(*words: str, stdin: str = "") -> dict:
    result = court("analyze", "--json", *words, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_the_json_of_an_analysis():
    found = analyzed(SEED, "--trump", "S")
    types = {
        "variant": str, "deal": str, "caller": str, "trump": str, "played": list, "to_act": str,
        "collected": list, "tricks": int, "points": int, "seven": bool, "thirteen": bool,
        "first_seven": bool, "line": list, "moves": list, "nodes": int, "seconds": float,
    }  # fmt: skip
    assert {name: type(value) for name, value in found.items()} == types
    assert (found["caller"], found["to_act"], found["tricks"]) == ("E", "E", 12)
    assert {move["move"] for move in found["moves"]} == set(Deal.parse(SEED).hands[1])
    assert all(set(move) == {"move", "tricks", "points"} for move in found["moves"])


@pytest.mark.parametrize(
    ("deal", "trump", "tricks", "first_seven"),
    [
        (SECOND, "S", 9, True), (SECOND, "H", 9, True), (SECOND, "D", 6, False),
        (SECOND, "C", 11, True), (THIRD, "D", 3, False), (THIRD, "C", 10, True),
        (SEED, "D", 13, True),
    ],
)  # fmt: skip
def test_tricks_and_first_sevens_are_those_of_the_rules(deal, trump, tricks, first_seven):
    found = analyzed(deal, "--trump", trump)
    assert found["tricks"] == max(move["tricks"] for move in found["moves"]) == tricks
    assert found["first_seven"] == first_seven
    assert found["seven"] == (tricks >= 7)
    assert found["thirteen"] == (tricks == 13)


def test_before_the_trump_is_named_the_trumps_are_valued():
    found = analyzed(SEED)
    assert (found["trump"], found["played"]) == (None, [])
    assert {m["move"]: m["tricks"] for m in found["moves"]} == dict(
        zip("SHDC", FACTS[SEED], strict=True)
    )
    assert {m["move"]: m["points"] for m in found["moves"]}["D"] == found["points"] == 3
    assert found["first_seven"]
    assert found["line"][0] == "D"


# The tricks of what is left: each card's worth is what comes after it is played.
def test_values_agree_from_one_card_to_the_next():
    moves = PLAYED.split()[:12]
    for before, after in pairwise([moves[:n] for n in range(9, 13)]):
        first = analyzed(SEED, "--moves", " ".join(before))
        second = analyzed(SEED, "--moves", " ".join(after))
        (worth,) = [m["tricks"] for m in first["moves"] if m["move"] == after[-1]]
        assert worth == 13 - sum(first["collected"]) - second["tricks"]


def test_what_was_collected_counts_towards_seven_and_a_court():
    six_tricks = analyzed(SEED, "--moves", " ".join(PLAYED.split()[:25]))
    assert (six_tricks["collected"], six_tricks["tricks"]) == ([0, 6], 6)
    assert six_tricks["seven"]
    line = analyzed(SEED, "--trump", "D")["line"]
    one_trick = analyzed(SEED, "--trump", "D", "--moves", " ".join(line[:4]))
    assert (one_trick["tricks"], one_trick["thirteen"]) == (12, True)
    seven = analyzed(str(Deal.random(np.random.default_rng(1))), "--trump", "H")
    assert (seven["tricks"], seven["seven"]) == (7, True)


def test_the_best_line_is_legal_and_brings_what_it_says():
    found = analyzed(SEED, "--trump", "C", "--variant", "seed,chase=none,court=first_seven")
    hand = Hand(SEED, "seed,target=1", trump="C")
    for move in found["line"]:
        if hand.is_over:
            break
        hand.push(move)
    assert hand.is_over
    assert hand.winner == 1


def test_people_read_a_table_a_verdict_and_the_moves():
    said = court("analyze", SEED, "--moves", "S AS 2S 3S 4S").stdout
    assert "Trick 2, spades are trump: East leads." in said
    assert "Best play: East and West take 11 tricks, with the 1 it has 12; they win 1 point." in (
        " ".join(said.split())
    )
    assert "All thirteen: no. The first seven: yes." in said
    assert "Best line: 2. " in said
    assert re.search(r"^West +East, caller\nS 9 +S KQT7$", said, re.MULTILINE)


OPTIONS = {"--trump": "H", "--caller": "N", "--variant": "hokm", "--moves": "S"}


def test_what_a_line_of_deals_does_not_tell_can_be_told(tmp_path):
    file = tmp_path / "deals.txt"
    file.write_text(f"{SECOND}\n{SEED}\n")
    there = (str(file), "--hand", "2")
    options = [word for pair in OPTIONS.items() for word in pair][:6]
    for told in ([], options, ["--moves", "S AS 2S"], options[:2]):
        alone, read = analyzed(SEED, *told), analyzed(*there, *told)
        assert {**read, "seconds": 0} == {**alone, "seconds": 0}
    assert analyzed(*there, *options)["caller"] == "N"
    assert "not legal" in refused("analyze", *there, "--moves", "S 2H")
    played = analyzed(*there, "--moves", "S AS 2S", "--after", "1")["played"]
    assert played == ["S"]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (f'[Trump "S"]\n[Deal "{SEED}"]\n', {"--trump"}),
        (f'[Variant "seed"]\n[Deal "{SEED}"]\n', {"--variant"}),
        (f'[Dealer "W"]\n[Deal "{SEED}"]\n', {"--caller"}),
        (f'[Deal "{SEED}"]\n\nS 1. AS\n', set(OPTIONS)),
    ],
)
def test_what_a_record_tells_cannot_be_told_otherwise(text, known, tmp_path):
    file = tmp_path / "hands.pbn"
    file.write_text(text)
    for option, value in OPTIONS.items():
        if option == "--moves" and "--trump" in known:
            continue  # the trump is not to be named
        result = court("analyze", str(file), option, value)
        assert (result.exit_code == 2) == (option in known), result.output
        if option in known:
            assert f"the record tells its {option[2:]} itself" in result.stderr


def test_a_hand_of_a_record_is_analyzed_where_it_is_asked(tmp_path):
    hand = Hand(SEED)
    for move in PLAYED.split():
        hand.push(move)
    file = tmp_path / "hands.pbn"
    write_records(file, [Record.of(Hand(SEED, trump="H")), Record.of(hand)])
    assert analyzed(str(file))["trump"] == "H"
    assert analyzed(str(file), "--hand", "2")["played"] == ["S"]  # it is over: from its first lead
    found = analyzed(str(file), "--hand", "2", "--after", "5")
    assert (found["played"], found["collected"]) == (PLAYED.split()[:5], [0, 1])
    end = analyzed(str(file), "--hand", "2", "--after", "37")
    assert (end["to_act"], end["moves"], end["line"]) == (None, [], [])
    said = court("analyze", str(file), "--hand", "2", "--after", "37").stdout
    assert "East and West win 8-1: 1 point." in said
    assert "there is no hand 3 in it" in refused("analyze", str(file), "--hand", "3")
    assert court("analyze", str(file), "--after", "99").exit_code == 2


def test_a_revoke_in_a_record_is_told_with_its_place(tmp_path):
    hand = Hand(SEED)
    for move in PLAYED.split():
        hand.push(move)
    text = write_record(Record.of(hand)).replace("4H 2H AH", "4H 2H 9D")
    file = tmp_path / "revoke.pbn"
    file.write_text(text)
    told = refused("analyze", str(file))
    assert told.startswith(f"{file}:14:")
    assert "'9D' is not legal" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([TWELVE], "column 20: expected 13 cards in the hand of E (there are 12)"),
        ([TWICE], "column 37: expected a card that is not dealt already"),
        ([FIVE_HANDS], "column 71: expected four hands and nothing more"),
        (["N:"], "column 3: "),
        (["X:J64"], "X:J64: No such file or directory"),
        (["\x1b[31m"], "No such file or directory"),
        ([SEED, "--moves", "S AS 2H"], "'2H' is not legal"),
        ([SEED, "--moves", "Z"], "column 1: expected"),
        ([SEED, "--moves", "AS"], "'AS' is not legal"),
        (["-"], "standard input: expected a deal"),
    ],
)
def test_what_analyze_refuses(words, told):
    said = refused("analyze", *words)
    assert told in said
    assert "\x1b" not in said


def test_a_deal_may_stand_in_standard_input_or_come_in_words():
    assert analyzed("-", "--trump", "S", stdin=f"{SEED}\n")["tricks"] == 12
    assert analyzed(*SEED.split(), "--trump", "S")["tricks"] == 12


def test_the_caller_may_be_another():
    found = analyzed(SEED, "--trump", "S", "--caller", "W")
    (solved,) = rows(court("solve", "-", "--json", stdin=SEED))
    assert (found["to_act"], found["tricks"]) == ("W", solved["tricks"]["S"]["W"])


# --- match ---------------------------------------------------------------------------------------


def test_a_match_says_what_a_duel_finds():
    result = court("match", "greedy", "random", "--deals", "20", "--seed", "4", "--json")
    assert result.exit_code == 0
    (found,) = rows(result)
    assert found.pop("seconds") > 0
    assert found == duel("greedy", "random", 20, seed=4).to_plain()
    assert found["low"] < found["margin"] < found["high"]
    said = court("match", "greedy", "random", "--deals", "20", "--seed", "4").stdout
    assert f"{found['margin']:+.3f} points" in said


def test_the_variant_of_a_match_is_the_one_told():
    words = ("match", "greedy", "random", "--deals", "2", "--json", "--variant")
    (found,) = rows(court(*words, "double-sir"))
    assert found["variant"] == "double-sir"


@pytest.mark.parametrize("player", ["Zeus", "level:9", "\x1b[2J", "montecarlo:0"])
def test_players_that_are_none_are_told(player):
    assert "\x1b" not in refused("match", "random", player)


# --- As a process --------------------------------------------------------------------------------


def run(*words: str | bytes, stdin: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run(
        [*MATE, "court", *words], input=stdin, capture_output=True, timeout=60, check=False, env=ENV
    )


def shell(script: str) -> subprocess.CompletedProcess:
    """Run a shell script in which "$@" is `mate court`."""
    return subprocess.run(
        ["bash", "-c", script, "bash", *MATE, "court"],
        capture_output=True, timeout=60, check=False, env=ENV,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "nonsense"],
        pytest.param(["analyze", b"\xff\xfe"], marks=POSIX),
        ["solve", "/nowhere/at all"],
        pytest.param(["solve", "/"], marks=POSIX),
        pytest.param(["deal", "--variant", b"\xff"], marks=POSIX),
        ["analyze", "N:" + "A" * 20_000],
        ["play", "--partner", "A" * 20_000],
    ],
)
def test_bad_input_is_one_line_and_no_traceback(words):
    result = run(*words)
    assert result.returncode == 1
    assert result.stdout == b""
    assert result.stderr.startswith(b"mate: ")
    assert result.stderr.count(b"\n") == 1
    assert len(result.stderr) < 300


@POSIX
def test_commands_fit_together():
    result = shell('"$@" deal --seed 1 --count 5 | "$@" solve - --json --trump S')
    assert result.stdout.count(b"tricks") == 5
    assert shell('"$@" deal --seed 1 | "$@" analyze - --json').returncode == 0


@POSIX
@pytest.mark.parametrize("command", ["deal --count 100000", f'analyze "{SEED}"'])
def test_a_reader_who_leaves_is_no_trouble(command):
    result = shell(f'"$@" {command} | true; exit ${{PIPESTATUS[0]}}')
    assert result.stderr == b""
    assert result.returncode in (0, 141)


@POSIX
def test_a_reader_who_leaves_ends_the_work():
    assert shell('"$@" deal --count 1000000000 | head -1; exit ${PIPESTATUS[0]}').returncode == 141


@POSIX
def test_closed_streams_are_no_trouble():
    assert shell('"$@" deal >&-').returncode == 0
    result = shell('"$@" analyze nonsense 2>&-')
    assert (result.returncode, result.stdout) == (1, b"")
    assert shell('"$@" solve - <&-').stderr == b"mate: standard input is closed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told():
    result = shell('"$@" deal > /dev/full')
    assert (result.returncode, result.stderr) == (
        1, b"mate: standard output: No space left on device\n",
    )  # fmt: skip


@POSIX
def test_a_terminal_shows_the_table():
    shown = on_terminal("court", "deal", "--seed", "1")
    assert b"\x1b[1mNorth\x1b[0m, dealer" in shown
    assert b"\x1b[31mD 32\x1b[0m" in shown
    plain = on_terminal("court", "deal", "--seed", "1", NO_COLOR="1")
    assert b"D 32" in plain
    assert b"\x1b" not in plain


def start(*words: str) -> subprocess.Popen:
    # A shell may have told its background jobs to ignore the signal.
    return subprocess.Popen(
        [*MATE, "court", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, env=ENV,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


@POSIX
def test_an_interrupted_solve_says_how_far_it_came():
    process = start("solve", "-", "--json", "--trump", "S", "--leader", "E")
    process.stdin.write(f"{SEED}\n".encode() * 66)
    for _ in range(64):
        assert process.stdout.readline().startswith(b'{"deal": ')
    time.sleep(0.5)  # until it waits for more
    process.send_signal(signal.SIGINT)
    rest, error = process.communicate(timeout=30)
    assert (process.returncode, rest) == (130, b"")
    assert error == b"mate: interrupted; 64 deals were solved, to deal 64\n"


@POSIX
def test_an_interrupted_match_ends():
    process = start("match", "level:5", "level:5", "--deals", "100000")
    process.stdout.close()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert process.stderr.read() == b"mate: interrupted\n"


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["analyze", SEED, "--json"], {"numpy", "rich"}),
        (["analyze", SEED], {"numpy", "rich.progress"}),
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
        [sys.executable, "-c", script, "court", *words],
        input=SEED.encode(), capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    loaded = set(result.stderr.decode().splitlines())
    assert f"mate.cli.court.{words[0]}" in loaded
    assert not absent & loaded
    assert not {f"mate.cli.court.{other}" for other in COMMANDS if other != words[0]} & loaded


def test_the_deals_of_the_facts_are_read():
    assert [str(deal) for deal in parse_deals("\n".join(FACTS))] == list(FACTS)
