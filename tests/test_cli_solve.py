"""The command `solve`: files of deals, good and bad, whole and interrupted."""

import io
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

import mate
from mate.cli import app
from mate.cli.reading import MAX_LINE, content_of, read_lines

VALUES = [
    json.loads(line)
    for line in (Path(__file__).with_name("data") / "values.jsonl").read_text().splitlines()
]
BGA = [row for row in VALUES if row["variant"] == "bga"][:100]
DEAL = "ATK.Q7.A.TKQ7"
WHOLE = f"{DEAL}/Q7.ATK.TKQ7.A"


def solve(*words: str, stdin: str | bytes = ""):
    return CliRunner().invoke(app, ["solve", *words], input=stdin)


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- Values --------------------------------------------------------------------------------------


def test_the_values_are_exact_and_in_the_order_of_the_input(tmp_path):
    file = tmp_path / "deals.txt"
    file.write_text("".join(f"{row['deal']}\n" for row in BGA))
    result = solve(str(file), "--json")
    assert result.exit_code == 0
    assert rows(result) == [{k: v for k, v in row.items() if k != "variant"} for row in BGA]


@pytest.mark.parametrize("variant", ["bga-king", "pieces", "double"])
def test_the_variant_is_the_one_told(variant):
    some = [row for row in VALUES if row["variant"] == variant][:3]
    text = "".join(f"{row['deal']}\n" for row in some)
    result = solve("-", "--json", "--variant", variant, "--threads", "1", stdin=text)
    assert [row["x_leads"] for row in rows(result)] == [row["x_leads"] for row in some]
    assert [row["y_leads"] for row in rows(result)] == [row["y_leads"] for row in some]


def test_any_number_of_lines_comes_back_whole_and_in_order():
    deals = [row["deal"] for row in BGA] * 7
    result = solve("-", "--json", stdin="\n".join(deals))
    assert [row["deal"] for row in rows(result)] == deals


def test_people_get_a_line_a_deal_and_a_summary():
    text = "".join(f"{row['deal']}\n" for row in BGA)
    lines = solve("-", stdin=text).stdout.splitlines()
    assert lines[0].split() == ["deal", "X", "leads", "Y", "leads"]
    for line, row in zip(lines[1:], BGA, strict=False):
        assert line.split()[0] == row["deal"]
        assert [int(value) for value in line.split()[1:]] == [row["x_leads"], row["y_leads"]]
    assert lines[101:103] == ["", "100 deals"]
    wins = sum(row["x_leads"] > 0 for row in BGA)
    mean = sum(row["x_leads"] for row in BGA) / 100
    assert lines[104].split()[2:] == [
        f"{wins}.0%",
        f"{sum(row['x_leads'] == 0 for row in BGA)}.0%",
        f"{sum(row['x_leads'] < 0 for row in BGA)}.0%",
        f"{mean:+.2f}",
    ]


# --- Lines ---------------------------------------------------------------------------------------


def test_blank_lines_comments_and_line_ends_are_no_matter():
    text = f"\ufeff# deals\r\n\r\n   {DEAL}  # the first\r\n\t\n{WHOLE}"
    result = solve("-", "--json", stdin=text.encode())
    assert result.exit_code == 0
    assert [row["deal"] for row in rows(result)] == [WHOLE, WHOLE]


def test_bad_lines_are_told_by_number_and_the_rest_is_solved():
    lines = [DEAL.encode(), b"foo", b"\xff\xfe", b"A" * 1_000_000, b" ATK.Q7.A.TKQ8", DEAL.encode()]
    result = solve("-", "--json", stdin=b"\n".join(lines))
    assert result.exit_code == 1
    assert [row["deal"] for row in rows(result)] == [WHOLE, WHOLE]
    assert result.stderr.splitlines() == [
        "line 2: column 1: expected a rank of ATKQ7, found 'foo'",
        "line 3: byte 1: expected UTF-8",
        f"line 4: expected a line of at most {MAX_LINE} bytes",
        "line 5: column 14: expected a rank of ATKQ7, found '8'",
    ]


def test_people_are_told_how_many_lines_were_left_out():
    result = solve("-", stdin=f"{DEAL}\nfoo\n")
    assert "\n1 deal, 1 line left out\n" in result.stdout


def test_nothing_but_bad_lines_is_no_success():
    result = solve("-", "--json", stdin="foo\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_a_file_without_deals_is_an_error(text, tmp_path):
    file = tmp_path / "empty.txt"
    file.write_text(text)
    result = solve(str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"mate: {file}: there is no deal in it\n"


def test_files_that_cannot_be_read_are_named(tmp_path):
    missing = solve(str(tmp_path / "missing"))
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert missing.stderr == f"mate: {tmp_path / 'missing'}: No such file or directory\n"
    reason = "Is a directory" if os.name == "posix" else "Permission denied"
    assert solve(str(tmp_path)).stderr == f"mate: {tmp_path}: {reason}\n"


@pytest.mark.parametrize("size", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, 200_000])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_lines_of_any_length_are_numbered_right(size, end):
    stream = io.BytesIO(b"a\n" + b"x" * size + end + (b"b" if end else b""))
    found = list(read_lines(stream))
    assert [number for number, _ in found] == ([1, 2, 3] if end else [1, 2])
    assert found[0][1] == b"a\n"
    if size > MAX_LINE:
        with pytest.raises(mate.MateError, match="at most"):
            content_of(found[1][1])
    else:
        assert content_of(found[1][1]) == "x" * size
    if end:
        assert found[2][1] == b"b"


def test_a_long_line_is_never_held_whole():
    stream = io.BytesIO(b"x" * 5_000_000)
    assert max(len(line) for _, line in read_lines(stream)) <= MAX_LINE + 2
