"""The command `mate court play`: the dialogue of a person and three players, and its records."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import repeat

import pytest
from rich.console import Console
from typer.testing import CliRunner

from mate.cli import app
from mate.cli.court.dialogue import Dialogue
from mate.cli.court.play import USUAL, deals
from mate.court_piece import (
    PRESETS,
    Deal,
    Hand,
    Match,
    Player,
    Record,
    Variant,
    read_records,
    write_records,
)
from mate.render.court.score import score_sheet
from mate.render.court.table import tricks_table
from mate.render.court.words import how_tricks_lie, situation

SEED = "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"
PLAYED = (
    "S AS 2S 3S 4S KS 5S 9S 6S 4H 2H AH 5H 4D 3D QD 2D QS 8S 5C JS AD 6D 9D 7D 5D 8D KD TD "
    "KH 9H 7H 3H QC AC 3C 2C"
)
FAST = ("--partner", "greedy", "--opponents", "greedy")
SUIT_LINE = re.compile(r"(?<!\w)[SHDC] (?:-|[AKQJT2-9]+)(?!\w)")


def play(*words: str, stdin: str = ""):
    return CliRunner().invoke(app, ["court", "play", *words], input=stdin)


class Script:
    """A person who says what was written for him, and remembers what he was told."""

    def __init__(self, match: Match, seat: int, *lines: str, player: str = "greedy", save=None):
        self.lines, self.heard, self.prompts = list(lines), [], []
        players = [Player.of(player, seed) for seed in range(4)]
        coming = deals(match.variant, 1, len(match.hands))
        save = save or (lambda: None)
        self.dialogue = Dialogue(match, seat, self.ask, self.hear, players, coming, save)

    def ask(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return self.lines.pop(0) if self.lines else None

    def hear(self, what: object) -> None:
        self.heard.append(str(what))

    def run(self) -> str:
        self.dialogue.run()
        return "\n".join(self.heard)


class Chance(Script):
    """A person who plays any legal move."""

    def __init__(self, match: Match, seat: int, seed: int, **others):
        super().__init__(match, seat, **others)
        self.rng = random.Random(seed)

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return "" if prompt.startswith("Enter") else self.rng.choice(self.dialogue.hand.legal_moves)


def at(n_moves: int, seat: int, *lines: str, variant: str = "seed") -> Script:
    """A match in its first hand, that of the rules, after so many of its moves."""
    match = Match(variant)
    match.begin(SEED, "S")
    for move in PLAYED.split()[1 : 1 + n_moves]:
        match.push(move)
    return Script(match, seat, *lines)


# --- Whole matches -------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [*PRESETS, "seed,chase=optional", "double-sir,ace_rule=yes"])
@pytest.mark.parametrize("seat", range(4))
def test_a_whole_match_of_any_variant(preset, seat):
    variant = Variant.of(f"{preset},target=3 hands")
    match, saved = Match(variant), []
    person = Chance(match, seat, 5, save=lambda: saved.append(len(match.hands)))
    said = person.run()
    assert match.is_over
    assert len(match.hands) == 3
    assert saved == sorted(saved)
    assert set(saved) == {1, 2, 3}
    for number, hand in enumerate(match.hands, start=1):
        assert f"\nHand {number}. " in said
        side, tricks = hand.winner, hand.collected
        assert f"win {tricks[side]}-{tricks[1 - side]}" in said
    won = match.winner == seat % 2
    told = "A drawn match." if match.winner is None else f"You {'win' if won else 'lose'} the match"
    assert told in said


def test_a_match_to_a_target_ends_there():
    match = Match("seed,target=2")
    said = Chance(match, 2, 3).run()
    assert max(match.scores) >= 2
    n_s, e_w = match.scores
    assert f"Score N-S {n_s}, E-W {e_w}; first to 2." in said


def test_who_played_what_and_won_the_trick_is_told():
    said = at(3, 0, "4S").run()
    assert "East wins trick 1. On the table a run of 1 of E-W; piles N-S 0, E-W 0." in said
    assert re.search(r"East leads the \w+ of \w+ \((..)\)\.\nSouth plays the", said)


# --- What is shown -------------------------------------------------------------------------------


# Nobody else's cards are seen before the hand is over.
@pytest.mark.parametrize("seat", range(4))
def test_a_person_sees_his_own_hand_and_no_other(seat):
    person = at(0, seat)
    said = person.run()
    lines = SUIT_LINE.findall(said)
    view = person.dialogue.view
    ranks = {suit: "".join(card[0] for card in view.hand if card[1] == suit) for suit in "SHDC"}
    assert lines == [f"{suit} {ranks[suit] or '-'}" for suit in "SHDC"]


def test_the_caller_sees_five_cards_when_he_names_the_trump():
    match = Match()
    person = Script(match, 1)
    said = person.run()
    five = match.hand.deal.first_five
    assert person.prompts == ["Your trump: "]
    assert sum(len(line) - 2 for line in SUIT_LINE.findall(said) if "-" not in line) == 5
    assert len(five) == 5
    assert "North dealt, East names the trump." in said
    assert "5 cards" in said


def test_all_hands_are_shown_when_the_hand_is_over():
    said = at(35, 0, "AC").run()
    shown = said[said.index("East and West win 8-1: 1 point.") :]
    hands = Deal.parse(SEED).hands
    assert set(SUIT_LINE.findall(shown)) == {
        f"{suit} {''.join(card[0] for card in hand.suit(suit))}"
        for hand in hands
        for suit in "SHDC"
    }


# Section 4: S3's hand; section 1.4: 1, 2, 5 … on the table.
def test_the_run_and_the_piles_are_those_of_the_rules():
    match = Match()
    match.begin(SEED, "S")
    lies = []
    for move in PLAYED.split()[1:]:
        match.push(move)
        if not match.hand.table.cards:
            lies.append(how_tricks_lie(match.view(2)))
    assert lies[0] == "On the table a run of 1 of E-W; piles N-S 0, E-W 0."
    assert lies[6] == "On the table a run of 7 of E-W; piles N-S 0, E-W 0."
    assert lies[7] == "On the table a run of 8 of E-W; piles N-S 0, E-W 0."
    assert lies[8] == "On the table a run of 1 of N-S; piles N-S 0, E-W 8."


def test_the_centre_and_who_may_claim_are_told_in_double_sir():
    hand = Hand(SEED, "double-sir", trump="S")
    assert how_tricks_lie(hand.view(0)) == "In the centre 0 tricks; collected N-S 0, E-W 0."
    for move in PLAYED.split()[1:5]:
        hand.push(move)
    told = "In the centre 1 trick, no claim at this trick; collected N-S 0, E-W 0."
    assert how_tricks_lie(hand.view(0)) == told
    for move in PLAYED.split()[5:9]:
        hand.push(move)
    told = "In the centre 2 tricks, East may claim them; collected N-S 0, E-W 0."
    assert how_tricks_lie(hand.view(0)) == told
    team = Hand(SEED, "double-sir,collection=double_team,blocked_claims=12", trump="S")
    for move in PLAYED.split()[1:5]:
        team.push(move)
    assert ", E-W may claim them;" in how_tricks_lie(team.view(0))


@pytest.mark.parametrize("blocked", ["", ",blocked_claims=13"])
def test_the_last_trick_takes_all_that_lies_there(blocked):
    chances = random.Random(1)
    hand = Hand(SEED, "double-sir" + blocked, trump="S")
    while len(hand.tricks) < 12:
        if hand.is_over:
            hand = Hand(SEED, "double-sir" + blocked, trump="S")
        hand.push(chances.choice(hand.legal_moves))
    assert ", this trick takes all; collected" in how_tricks_lie(hand.view(0))


def test_single_tricks_are_counted_and_no_more():
    hand = Hand(SEED, "hokm", trump="S")
    assert how_tricks_lie(hand.view(0)) == "Tricks N-S 0, E-W 0."


def test_the_situation_says_who_is_to_do_what():
    hand = Hand(SEED, "seed,chase=optional")
    assert situation(hand) == "North dealt, East names the trump."
    for move in PLAYED.split()[:2]:
        hand.push(move)
    assert situation(hand) == "Trick 1, spades are trump: East led AS, South is to play."
    for move in PLAYED.split()[2:29]:
        hand.push(move)
    assert situation(hand).startswith("Seven tricks to none: West may stop, or play on")
    assert situation(Hand(SEED, trump="N")) == "Trick 1, no trump: East leads."


def test_the_tricks_and_the_score_are_tables():
    person = at(8, 1, "tricks", "score")
    person.run()
    console = Console(width=80)
    with console.capture() as capture:
        console.print(tricks_table(person.dialogue.hand.tricks))
    rows = capture.get().splitlines()
    assert rows[0].split() == ["trick", "led", "by", "cards", "in", "order", "won", "by"]
    assert rows[1].split() == ["1", "East", "AS", "2S", "3S", "4S", "East"]
    assert rows[2].split() == ["2", "East", "KS", "5S", "9S", "6S", "East"]
    match = Match("seed,target=2 hands")
    Chance(match, 2, 5).run()
    with console.capture() as capture:
        console.print(score_sheet(match))
    rows = capture.get().splitlines()
    assert [row.split()[0] for row in rows] == ["hand", "1", "2", "total"]
    assert tuple(map(int, rows[3].split()[1:])) == match.scores


def test_east_sits_to_the_right_and_his_card_lies_there():
    said = at(2, 3).run()
    assert re.search(r"^West, you +East, caller$", said, re.MULTILINE)
    assert re.search(r"^H AKQ6 +\. +AS$", said, re.MULTILINE)
    assert re.search(r"^D KJ94 +2S$", said, re.MULTILINE)


# --- Moves and commands --------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["8s", "♠8", " 8S ", "S8"])
def test_a_move_may_be_written_in_any_way(move):
    person = at(1, 2, move)
    person.run()
    assert person.dialogue.hand.moves[1] == "8S"
    assert person.prompts[0] == "Your card to AS: "


@pytest.mark.parametrize("word", ["2H", "stop", "S", "nonsense", "8", "\x1b[2J", "A" * 1_000_000])
def test_what_is_not_legal_is_told_in_a_line_and_asked_again(word):
    person = at(1, 2, word, "8S")
    said = person.run()
    told = next(line for line in said.splitlines() if "legal: 8S 5S 2S" in line)
    assert len(told) < 80
    assert told.isprintable()
    assert person.dialogue.hand.moves[1] == "8S"


def test_naming_the_trump_and_deciding_to_stop():
    person = Script(Match(), 1, "♥", "quit")
    person.run()
    assert person.dialogue.hand.moves[0] == "H"
    stopping = at(28, 3, "stop", variant="seed,chase=optional")
    said = stopping.run()
    assert stopping.prompts == ["Stop or on: ", "Enter to go on: "]
    assert "East and West win 7-0: 1 point." in said
    on = at(28, 3, "on", variant="seed,chase=optional")
    on.run()
    assert on.dialogue.hand.moves[28] == "on"


def test_an_empty_line_is_asked_again():
    person = at(1, 2, "", "  ", "8S")
    person.run()
    assert person.prompts[:3] == ["Your card to AS: "] * 3


@pytest.mark.parametrize("player", ["greedy", "level:1"])
def test_the_hint_is_what_a_player_would_do_who_sees_the_same(player):
    match = Match()
    match.begin(SEED, "S")
    match.push("AS")
    person = Script(match, 2, "HINT", player=player)
    said = person.run()
    move = Player.of(player, 2).choose(match.view(2))
    assert f"{move} is what the engine would choose." in said
    assert match.hand.moves == ["AS"]


def test_help_names_every_command():
    said = at(1, 2, "help").run()
    for word in at(1, 2).dialogue.commands:
        assert word in said or word == "?"
    assert f"hint    what {USUAL} would do" in said


def test_after_a_hand_one_goes_on_or_asks():
    person = at(35, 0, "AC", "nonsense", "hint", "moves", "table", "score", "", "quit")
    said = person.run()
    assert person.prompts[-1] != "Enter to go on: "
    assert said.count("The hand is over.") == 2
    assert "'nonsense' is no command" in said
    assert len(person.dialogue.match.hands) == 2


def test_the_caller_stays_while_his_side_wins():
    person = at(35, 0, "AC", "", "quit")
    assert "Hand 2. East is the caller." in person.run()


# --- The command ---------------------------------------------------------------------------------


def test_the_end_of_input_ends_cleanly():
    result = play(*FAST)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "You are South, North is your partner." in result.stdout


def test_the_json_of_a_match():
    result = play(*FAST, "--seed", "1", "--seat", "E", "--json", stdin="s\nquit\n")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    deal = str(Deal.random(1))
    assert found == {
        "variant": "seed", "seat": "E",
        "players": {"N": "greedy", "E": "You", "S": "greedy", "W": "greedy"},
        "scores": [0, 0], "is_over": False, "winner": None,
        "hands": [
            {
                "deal": deal, "caller": "E", "trump": "S", "moves": ["S"], "collected": [0, 0],
                "points": None, "court": False,
            }
        ],
    }  # fmt: skip
    assert "Your trump: " in result.stderr


def test_by_a_seed_the_same_match_is_played_again():
    words = ("--seed", "3", "--partner", "random", "--opponents", "level:1")
    once, again = (play(*words).stdout for _ in range(2))
    assert once == again


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--partner", "Zeus"], 1), (["--opponents", "level:9"], 1), (["--partner", "\x1b"], 1),
        (["--seed", "-1"], 2), (["--seat", "Z"], 2), (["--variant", "bga"], 1),
    ],
)  # fmt: skip
def test_what_play_refuses(words, code):
    result = play(*words)
    assert result.exit_code == code
    assert result.stdout == ""
    assert "\x1b" not in result.stderr


# --- Records -------------------------------------------------------------------------------------


def test_a_match_is_resumed_from_its_record_to_the_same_end(tmp_path):
    file = tmp_path / "match.pbn"
    any_card = "\n".join(rank + suit for suit in "SHDC" for rank in "AKQJT98765432") + "\n\n"
    options = ("--variant", "seed,target=3 hands", "--seed", "5", "--record", str(file))
    play(*options, "--opponents", "greedy", "--partner", "random", "--seat", "E", stdin="H\n")
    (begun,) = read_records(file)
    assert begun.moves[0] == "H"
    assert [begun.tags[seat] for seat in ("North", "East", "South", "West")] == [
        "greedy", "You", "greedy", "random",
    ]  # fmt: skip
    found = json.loads(play(*options, "--json", stdin=any_card * 60).stdout)
    assert (found["seat"], found["is_over"]) == ("E", True)
    assert found["players"]["W"] == "random"
    records = list(read_records(file))
    match = Match.from_records(records)
    assert match.is_over
    assert list(match.scores) == found["scores"]
    coming = deals(match.variant, 5, 0)
    assert [hand.deal.turn(0) for hand in match.hands] == [next(coming) for _ in match.hands]
    before = file.read_bytes()
    refused = play(*options)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == f"mate: {file}: it is over; begin in another file\n"
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["match.pbn"]


def test_a_match_is_played_on_by_its_own_variant(tmp_path):
    file = tmp_path / "match.pbn"
    play(*FAST, "--record", str(file), "--variant", "hokm", stdin="quit\n")
    before = file.read_bytes()
    for other in ("seed", "hokm,target=3"):
        refused = play(*FAST, "--record", str(file), "--variant", other)
        assert (refused.exit_code, refused.stdout) == (1, "")
        told = f"mate: {file}: it is played by hokm; it cannot be told anew\n"
        assert refused.stderr == told
    assert file.read_bytes() == before
    for same in ([], ["--variant", "hokm"]):
        result = play(*FAST, "--record", str(file), "--json", *same, stdin="quit\n")
        assert json.loads(result.stdout)["variant"] == "hokm"


def test_comments_and_tags_of_a_record_stay(tmp_path):
    file = tmp_path / "match.pbn"
    play(*FAST, "--record", str(file), stdin="quit\n")
    (record,) = read_records(file)
    changed = replace(record, comments={0: "a good deal"}, tags={**record.tags, "Site": "Lisbon"})
    write_records(file, [changed])
    play(*FAST, "--record", str(file), stdin="moves\n")
    (again,) = read_records(file)
    assert again.comments == {0: "a good deal"}
    assert again.tags["Site"] == "Lisbon"


@pytest.mark.parametrize("content", ["nonsense\n", '[Deal "AQ7"]\n\n7C\n', "\x00\x1b[2J"])
def test_a_broken_record_is_told_and_left_as_it_is(tmp_path, content):
    file = tmp_path / "match.pbn"
    file.write_text(content, encoding="utf-8")
    result = play("--record", str(file))
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert "\x1b" not in result.stderr
    assert file.read_text(encoding="utf-8") == content


def test_hands_that_are_no_match_are_told(tmp_path):
    file = tmp_path / "hands.pbn"
    write_records(file, [Record.of(Hand(SEED))] * 2)
    result = play("--record", str(file))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"mate: {file}: line ")
    assert "no such hand of the match" in result.stderr


def test_a_record_without_the_first_five_cannot_be_played_on_before_the_trump(tmp_path):
    file = tmp_path / "match.pbn"
    write_records(file, [Record.of(Hand(SEED))])
    result = play(*FAST, "--record", str(file))
    assert result.exit_code == 1
    assert result.stderr.startswith("mate: the caller's first five cards are not known")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("place", ["no/such/folder.pbn", "."])
def test_a_place_that_cannot_be_written_to_is_told_before_play(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    result = play(*FAST, "--record", place)
    assert result.exit_code == 1
    assert "Your" not in result.stdout
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_what_was_played_in_the_record(tmp_path):
    file = tmp_path / "match.pbn"
    command = [sys.executable, "-m", "mate", "court", "play", *FAST, "--seat", "E", "--seed", "1"]
    process = subprocess.Popen(
        [*command, "--record", str(file)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    process.stdin.write(b"D\nmoves\n")
    process.stdin.flush()
    while b"Legal" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, b"mate: interrupted\n")
    (record,) = read_records(file)
    assert record.moves == ("D",)


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_who_leaves_ends_the_match_and_it_is_kept(tmp_path):
    file = tmp_path / "match.pbn"
    command = f"{sys.executable} -m mate court play {' '.join(FAST)} --record {file}"
    done = subprocess.run(
        ["bash", "-c", f"yes moves | {command} | head -3; exit ${{PIPESTATUS[1]}}"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, "")
    assert done.stdout.endswith("Hand 1. East is the caller.\n")
    assert len(list(read_records(file))) == 1


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_input_is_the_end_of_it():
    command = f"{sys.executable} -m mate court play {' '.join(FAST)} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_deals_of_a_seed_are_the_same_wherever_one_begins():
    variant = Variant.of("seed,redeal_below=Q")
    first = deals(variant, 9, 0)
    whole = [next(first) for _ in repeat(None, 5)]
    assert next(deals(variant, 9, 3)) == whole[3]
