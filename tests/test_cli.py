"""The commands `deal`, `analyze`, `perft` and `bench`, and what holds for all of them."""

import json

import pytest
from typer.testing import CliRunner

import mate
from mate.cli import COMMANDS, app

DEAL = "ATK.Q7.A.TKQ7"
WHOLE = f"{DEAL}/Q7.ATK.TKQ7.A"
POSITION = "Q.TK..TQ/A.AQ7..A x - 6 -/- -"


def run(*words: str, stdin: str | bytes = ""):
    return CliRunner().invoke(app, list(words), input=stdin)


def refused(*words: str, stdin: str | bytes = "", code: int = 1) -> str:
    """Run, check that it is refused with one line on standard error, and return the line."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


# --- All commands --------------------------------------------------------------------------------


PARTS = [("tablebase", part) for part in ("build", "verify", "probe", "stats")]


# An engine answers by its protocol, and is told the variant in it; test_court_cli.py has `court`.
OTHERS = ("tablebase", "engine", "court")
WITH_JSON = [(command,) for command in COMMANDS if command not in OTHERS]


@pytest.mark.parametrize("words", [*WITH_JSON, *PARTS])
def test_every_command_has_help_and_json(words):
    result = run(*words, "--help")
    assert result.exit_code == 0
    assert "--json" in result.stdout
    assert "--variant" in result.stdout


def test_the_version():
    assert run("--version").stdout == f"mate {mate.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["deal", "--nonsense"],
        ["deal", "--count", "many"],
        ["deal", "--count", "-1"],
        ["deal", "--seed", "-1"],
        ["analyze"],
        ["analyze", DEAL, "--nonsense"],
        ["analyze", DEAL, "--leader", "z"],
        ["analyze", POSITION, "--leader", "y"],
        ["perft", DEAL, "--depth", "-1"],
        ["bench", "--count", "0"],
        ["solve"],
        ["solve", "-", "--threads", "0"],
        ["play", "--side", "z"],
    ],
)
def test_wrong_usage_is_exit_2(words):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage" in result.stderr


@pytest.mark.parametrize(
    "words",
    [["deal"], ["analyze", DEAL], ["solve", "-"], ["perft", DEAL], ["bench"], ["play", DEAL]],
)
def test_a_variant_that_is_none_is_exit_1(words):
    assert "presets are bga" in refused(*words, "--variant", "nonsense")
    assert "free_move" in refused(*words, "--variant", "bga,free_move=perhaps")


# --- deal ----------------------------------------------------------------------------------------


def test_deals_are_what_the_seed_says():
    first = run("deal", "--seed", "7").stdout
    assert first == f"{mate.Deal.random(7)}\n"
    assert run("deal", "--seed", "7", "--count", "3").stdout.splitlines()[0] == first.strip()


def test_as_many_deals_as_asked_and_all_different():
    lines = run("deal", "--count", "50").stdout.splitlines()
    assert len({str(mate.Deal.parse(line)) for line in lines}) == 50
    assert run("deal", "--count", "0").stdout == ""


def test_deals_are_of_the_variants_deck():
    deck = mate.DECKS["double24"]
    line = run("deal", "--variant", "double,deck=double24").stdout
    assert len(mate.Deal.parse(line, deck).x) == 12


def test_deals_as_json():
    found = json.loads(run("deal", "--seed", "7", "--json", "--variant", "abril").stdout)
    assert found == {"variant": "abril", "deal": str(mate.Deal.random(7))}


# --- analyze -------------------------------------------------------------------------------------


def analyzed(*words: str, stdin: str = "") -> dict:
    result = run("analyze", "--json", *words, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_the_json_of_an_analysis_is_the_contract():
    found = analyzed(POSITION)
    types = {
        "variant": str, "position": str, "to_move": str, "value": int, "outcome": dict,
        "best": str, "moves": list, "nodes": int, "seconds": float, "source": str,
    }  # fmt: skip
    assert list(found) == list(types)
    assert {name: type(value) for name, value in found.items()} == types
    assert found["outcome"] == {"winner": "x", "points": 80, "trick": 8, "card": "Td"}
    assert list(found["moves"][0]) == ["move", "value", "line"]
    assert found["moves"][0]["line"] == ["Qd", "Ad", "Qs", "Ts", "Td"]
    assert (found["variant"], found["to_move"], found["value"]) == ("bga", "x", 80)
    assert (found["best"], found["position"]) == ("Qd", POSITION)
    values = {move["move"]: move["value"] for move in found["moves"]}
    assert values == {"Qd": 80, "Td": 0, "Qc": -70, "Ts": -70, "Ks": -70}


def test_a_position_may_come_in_one_word_in_several_or_through_standard_input():
    def facts(found):
        return {name: value for name, value in found.items() if name not in ("seconds", "nodes")}

    expected = facts(analyzed(POSITION))
    assert facts(analyzed(*POSITION.split())) == expected
    assert facts(analyzed("-", stdin=f"# a position\n\n {POSITION} # here\n")) == expected


def test_the_leader_of_a_deal():
    assert analyzed(DEAL)["to_move"] == "x"
    assert analyzed(DEAL, "--leader", "Y")["to_move"] == "y"
    assert analyzed(WHOLE)["position"] == f"{WHOLE} x - 1 -/- -"


def test_a_draw_has_no_outcome():
    found = analyzed("7.../...7 x - 10 -/- -")
    assert (found["value"], found["outcome"], found["best"]) == (0, None, "7c")


@pytest.mark.parametrize(
    ("position", "value", "sentence"),
    [
        (".../... x - 11 -/- -", 0, "The game is over. Nobody mates, a draw."),
        (
            ".../...K y 7c 10 -/- -",
            -70,
            "The game is over. X mates with the Seven of Clubs (7c) on trick 10: 70 points.",
        ),
    ],
)
def test_a_finished_game_is_worth_its_result(position, value, sentence):
    found = analyzed(position)
    assert (found["value"], found["best"], found["moves"]) == (value, None, [])
    assert sentence in run("analyze", position).stdout


def test_people_are_told_who_wins_how_and_what_every_move_brings():
    lines = run("analyze", POSITION).stdout.splitlines()
    assert lines[0] == f"bga  {POSITION}"
    assert lines[1] == "Trick 6: X leads."
    assert "Best play: X mates with the Ten of Diamonds (Td) on trick 8: 80 points." in lines
    assert any(line.startswith("Qc      -70  loses 70, trick 10, 7s") for line in lines)
    assert max(map(len, lines)) <= 80


def test_the_variant_is_read_and_named():
    found = analyzed(DEAL, "--variant", "bga-free,privileged=K")
    assert found["variant"] == "bga-free,privileged=K"
    assert found["position"].endswith("+")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a deal or a position"),
        ("ATK.Q7.A.TKQ8", "column 13: expected a rank of ATKQ7, found '8'"),
        ("ATK.Q7.A.TKQ", "column 1: expected 10 cards in the hand of X"),
        (f"{WHOLE} x - 1", "six fields"),
        (f"{WHOLE} z - 1 -/- -", "column 29: expected x or y"),
        ("\udcff", "column 1: expected a rank"),
        ("A" * 5000, "column 2: expected a card that is not dealt already"),
        ("\x1b[2J\n", "'\\x1b[2J\\n'"),
    ],
)
def test_bad_deals_and_positions_are_told_where(text, said):
    assert said in refused("analyze", text)
    assert said in refused("perft", text)


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "standard input: expected a deal or a position, found nothing"),
        ("# nothing\n\n", "standard input: expected a deal or a position, found nothing"),
        (f"{DEAL}\n\n{DEAL}\n", "line 3: expected nothing after the deal or position"),
        (b"\n\xff\n", "line 2: byte 1: expected UTF-8"),
        ("A" * 5000, "line 1: expected a line of at most 4096 bytes"),
    ],
)
def test_bad_standard_input_is_told_where(stdin, said):
    assert said in refused("analyze", "-", stdin=stdin)


# --- perft ---------------------------------------------------------------------------------------


def test_perft_counts_up_to_the_depth():
    lines = run("perft", DEAL, "--depth", "5", "--json").stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [list(row) for row in found] == [["depth", "sequences", "seconds"]] * 5
    game = mate.Game(DEAL)
    assert [row["sequences"] for row in found] == [game.perft(depth) for depth in range(1, 6)]


def test_perft_counts_by_its_own_depth_first_moves():
    # The first moves are gone through one by one, and copies must count apart there too.
    deal = str(mate.Deal.random(3, mate.DECKS["double"]))
    words = ("perft", deal, "--variant", "double", "--leader", "y", "--depth", "4", "--json")
    game = mate.Game(deal, "double", "y")
    counts = [json.loads(line)["sequences"] for line in run(*words).stdout.splitlines()]
    assert counts == [game.perft(depth) for depth in range(1, 5)]


def test_perft_stops_where_every_game_has_ended():
    lines = run("perft", POSITION, "--depth", "1000000000", "--json").stdout.splitlines()
    counts = [json.loads(line)["sequences"] for line in lines]
    assert counts[-1] == 0
    assert all(counts[:-1])
    assert 3 <= len(counts) <= 11


def test_perft_of_depth_0_is_one_and_of_a_finished_game_none():
    row = json.loads(run("perft", DEAL, "--depth", "0", "--json").stdout)
    assert (row["depth"], row["sequences"]) == (0, 1)
    over = json.loads(run("perft", ".../... x - 11 -/- -", "--json").stdout)
    assert (over["depth"], over["sequences"]) == (1, 0)


def test_perft_for_people():
    lines = run("perft", DEAL, "--depth", "3").stdout.splitlines()
    assert lines[0].split() == ["depth", "sequences", "seconds", "million/s"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3"]


# --- bench ---------------------------------------------------------------------------------------


def test_the_nodes_of_bench_are_a_signature():
    first, again = (json.loads(run("bench", "--count", "5", "--json").stdout) for _ in range(2))
    assert first["nodes"] == again["nodes"] > 0
    assert list(first) == [
        "variant", "deals", "nodes", "ms_per_deal", "nodes_per_second", "push_pop_us",
    ]  # fmt: skip
    assert min(first["ms_per_deal"], first["nodes_per_second"], first["push_pop_us"]) > 0


def test_bench_takes_the_same_deals_for_ever():
    from mate.cli.bench import fixed_deals

    deals = [mate.Deal(int(x), int(y)) for x, y in fixed_deals(mate.PRESETS["bga"], 2)]
    assert [str(deal) for deal in deals] == FIXED


FIXED = ["ATQ.Q.ATQ7.Q7/K7.ATK7.K.ATK", "KQ7.ATK.Q.AKQ/AT.Q7.ATK7.T7"]


def test_bench_for_people():
    lines = run("bench", "--count", "2", "--variant", "abril").stdout.splitlines()
    assert lines[0].split() == ["variant", "abril"]
    assert lines[2].startswith("nodes ")
