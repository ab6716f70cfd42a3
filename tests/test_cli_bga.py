"""`mate review --from bga`: what is printed of logs, good and bad, known and in doubt."""

import json
import random

import pytest
from typer.testing import CliRunner

import mate
from bga_log import PLAYERS, VARIANTS, Style, Writer, packets_of, random_match, wrap, write_log
from mate.bga import read_log
from mate.cli import app


def run(*words: str, stdin: bytes = b""):
    return CliRunner().invoke(app, ["review", "--from", "bga", *words], input=stdin)


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def match_of(seed: int, variant: str = "bga", rounds: int = 2):
    return random_match(variant, random.Random(seed), rounds)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(write_log(match_of(4), Style(hands="x")))
    return path


# --- Known deals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_review_is_that_of_the_games_played(variant, tmp_path):
    match = match_of(6, variant)
    path = tmp_path / "log.json"
    path.write_bytes(write_log(match, Style(hands="both")))
    result = run(str(path), "--json", "--variant", variant)
    assert result.exit_code == 0, result.output
    found = rows(result)
    assert [row["moves"] for row in found] == [game.moves for game in match.games]
    for row, game in zip(found, match.games, strict=True):
        review = mate.review(game)
        assert row["value"] == review.value
        assert row["result"] == game.result
        assert [decision["cost"] for decision in row["decisions"]] == [
            decision.cost for decision in review.decisions
        ]
        assert (row["variant"], row["unknown"], len(row["starts"])) == (variant, [], 1)
    assert [row["tags"]["Round"] for row in found] == ["1.1", "1.2", "2.1", "2.2"]
    assert found[0]["line"] == 1  # the packet
    assert found[1]["line"] == len(match.games[0].moves) + 3


def test_people_get_a_line_a_game_and_standard_input_is_read(log):
    result = run("-", stdin=log.read_bytes())
    assert result.exit_code == 0
    assert "4 games" in result.stdout
    assert "Anna" in result.stdout
    assert "Bert" in result.stdout


def test_annotated_records_are_records(log, tmp_path):
    out = tmp_path / "out.mate"
    assert run(str(log), "--annotate", str(out)).exit_code == 0
    records = list(mate.read_records(out))
    assert [list(record.moves) for record in records] == [game.moves for game in match_of(4).games]
    assert any(record.comments for record in records)
    assert records[1].tags["X"] == "Anna"


def test_a_log_is_never_replaced_by_records(log):
    content = log.read_bytes()
    result = run(str(log), "--annotate", str(log))
    assert result.exit_code == 1
    assert "not replaced" in result.stderr
    assert log.read_bytes() == content


def test_a_folder_of_logs(log, tmp_path):
    (tmp_path / "other.json").write_bytes(write_log(match_of(9), Style(hands="x", wrapped="bare")))
    (tmp_path / "no log.txt").write_text("nothing")
    found = rows(run(str(tmp_path), "--json"))
    assert [row["file"] for row in found] == [str(log)] * 4 + [str(tmp_path / "other.json")] * 4


# --- Unknown cards -------------------------------------------------------------------------------


def doubtful_log():
    """A log in which cards stay unknown, and its first such game."""
    for seed in range(100):
        match = match_of(seed, rounds=1)
        whole = Writer(Style(), random.Random(1)).match(match)
        packets = whole[: len(match.games[0].moves) + 1]
        game = next(read_log(wrap(packets, Style())))
        if len(game.starts) > 3 and len(game.unknown) < 9:
            return wrap(packets, Style()), game
    raise LookupError


def test_unknown_cards_are_named_and_what_depends_on_them_is_not_judged(tmp_path):
    log, game = doubtful_log()
    found = rows(run("-", "--json", stdin=log))
    row = found[0]
    assert row["unknown"] == list(game.unknown)
    assert row["starts"] == [str(start) for start in game.starts]
    for decision in row["decisions"]:
        start = [cost_in(s, game.moves, decision["ply"]) for s in game.starts]
        assert decision["known"] == (len({cost for cost, _ in start}) == 1 == len(set(start)))
        assert decision["costs"] == [min(start)[0], max(start)[0]]
    out = tmp_path / "out.mate"
    result = run("-", "--annotate", str(out), stdin=log)
    assert result.exit_code == 0
    assert f"no record written, since of {len(game.unknown)} cards" in result.stderr
    known = sum(len(row["starts"]) == 1 for row in found)
    assert len(list(mate.read_records(out))) == known


def cost_in(start: mate.Position, moves: tuple[str, ...], ply: int) -> tuple[int, int]:
    game = mate.Game.from_position(start)
    for move in moves[:ply]:
        game.push(move)
    deal = mate.Deal(start.x, start.y)
    values = dict(mate.Lattice(deal).values(game))
    return max(values.values()) - values[moves[ply]], max(values.values()) - min(values.values())


def test_of_a_game_that_begins_in_the_middle_nothing_is_unknown():
    game = mate.Game.from_position("7.Q../.7.K. x - 9 -/- -")
    game.push("Qs")
    assert mate.review(game).unknown == ()


def test_a_single_game_says_which_cards_are_unknown():
    packets = packets_of(match_of(4))[:11]
    result = run("-", stdin=wrap(packets, Style()))
    assert result.exit_code == 0
    assert "Unknown cards: " in result.stdout
    assert "deals are possible" in result.stdout


def test_a_game_of_which_hardly_anything_is_known_is_not_reviewed():
    packets = packets_of(match_of(4))[:2]
    result = run("-", stdin=wrap(packets, Style()))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "game 1, packet 1: not reviewed, since of 18 cards" in result.stderr


# --- Bad input -----------------------------------------------------------------------------------


def test_broken_games_are_reported_and_the_rest_is_reviewed(log):
    packets = packets_of(match_of(4), hands="x")
    args = [told["args"] for packet in packets for told in packet["data"] if "suit" in told["args"]]
    args[2]["suit"] = 9
    result = run("-", "--json", stdin=wrap(packets, Style()))
    assert result.exit_code == 1
    assert len(rows(result)) == 3
    assert result.stderr.count("\n") == 1
    assert "standard input: game 1, packet 4, notification 1: playCard: no card of Mate" in (
        result.stderr
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "log.json: line 1, column 1: expected JSON"),
        (b"[]", "log.json: there is no playCard in it"),
        (b"[" * 10**5, "log.json: expected a log, found JSON nested too deeply"),
        (b"\x1b[2J", "log.json: line 1, column 1: expected JSON"),
        (b'{"\\u001b[2J": 1, "\\u001b[2J": 2}', "the key '\\x1b[2J' stands twice"),
    ],
)
def test_what_is_no_log_is_one_line(content, why, tmp_path):
    path = tmp_path / "log.json"
    path.write_bytes(content)
    result = run(str(path))
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.output


def test_files_that_are_not_there_and_wrong_usage(tmp_path):
    assert "No such file" in run(str(tmp_path / "none.json")).stderr
    assert "no file *.json" in run(str(tmp_path)).stderr
    assert run("-", "--from", "nonsense").exit_code == 2
    assert run("-", "--from", "records", "--variant", "bga").exit_code == 2
    assert "nonsense" in run("-", "--variant", "nonsense", stdin=b"[]").stderr
    assert run("-", "--variant", "capellen", stdin=b"[]").stderr.startswith("mate: variant field")


def test_a_name_cannot_send_anything_to_the_terminal(tmp_path):
    log = write_log(match_of(4), Style(hands="x")).replace(b"Anna", b"A\\u001b[2J\\r\\n\\u009b2J")
    for words in ((), ("--json",), ("--annotate", "-")):
        result = run("-", *words, stdin=log)
        assert result.exit_code == 0
        printed = result.output.replace("\n", "")
        assert printed.isprintable()
    assert str(PLAYERS["x"]) not in result.output
