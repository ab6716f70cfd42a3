"""The rules of the core against the reference, over every variant."""

import json
import random
from pathlib import Path

import pytest

import mate
import reference
from pairing import ENGINE_TEXTS, NAMES, engine_variant, random_deal, random_variants

DATA = Path(__file__).with_name("data")
CASES = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))
PERFT = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))


def compare_game(engine: mate.Variant, slow: reference.Variant, rng: random.Random) -> None:
    """Play one random game on both sides; every text, move and result must agree."""
    deal, leader = random_deal(engine, rng), rng.choice("xy")
    game, state = mate.Game(deal, engine, leader), reference.start(slow, str(deal), leader)
    while True:
        expected = reference.legal(state)
        assert str(game) == reference.write_position(state)
        assert set(game.legal_moves) == set(expected)
        assert len(game.legal_moves) == len(set(expected))
        assert len(game.legal_actions) == len(expected)
        assert game.legal_mask().nonzero()[0].tolist() == sorted(game.legal_actions)
        assert game.is_over == reference.is_over(state)
        assert mate.Position.parse(str(game), engine) == game.position
        if not expected:
            assert game.result == reference.result(state)
            return
        assert game.result is None
        move = rng.choice(expected)
        game.push(move)
        state = reference.play(state, move)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_agree_with_the_reference(name):
    rng = random.Random(name)
    for _ in range(60):
        compare_game(engine_variant(name), reference.VARIANTS[name], rng)


@pytest.mark.parametrize("seed", range(400))
def test_random_variants_agree_with_the_reference(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    for _ in range(6):
        compare_game(engine, slow, rng)


@pytest.mark.parametrize("game", PERFT, ids=lambda game: f"{game['variant']}-{game['leader']}")
def test_perft_of_fixed_deals(game):
    root = mate.Game(game["deal"], ENGINE_TEXTS[game["variant"]], game["leader"])
    assert [root.perft(depth) for depth in range(len(game["counts"]))] == game["counts"]


@pytest.mark.parametrize("seed", range(40))
def test_perft_of_small_random_variants_to_the_end(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    deal = random_deal(engine, rng)
    game, state = mate.Game(deal, engine), reference.start(slow, str(deal))
    for depth in range(6):
        assert game.perft(depth) == reference.perft(state, depth)


def test_perft_beyond_the_end_is_nothing():
    assert mate.Game("ATK.Q7.A.TKQ7").perft(40) == 0
    assert mate.Game("ATK.Q7.A.TKQ7").perft(10**30) == 0


# --- Section 3: cards ---


def test_index_of_a_card():
    deck = mate.DECKS["single"]
    assert (deck.cards[0], deck.cards[19]) == ("Ac", "7d")
    assert deck.cards[5 * 1 + 2] == "Ks"
    assert mate.DECKS["double"].cards[15:17] == ("Ad", "Ad")
    assert mate.DECKS["double24"].n_cards == 24


# --- Section 2.5 to 2.7: the published cases ---


@pytest.mark.parametrize("case", CASES["tricks"], ids=lambda case: case["source"])
def test_published_tricks(case):
    variant = case.get("variant", "bga")
    deck = mate.Variant.of(variant).deck
    lead = case["lead"]
    if "winner" in case:
        game = single_trick(deck, lead, case["reply"])
        assert game.to_move == ("x" if case["winner"] == "leader" else "y")
    else:
        hand = case["hand"].split()
        assert set(replies_to(deck, lead, hand)) == set(case["legal"])


def fields(deck, x, y):
    """The two hands as a text."""
    hands = (
        ".".join("".join(c[0] for c in deck.copies if c[1] == s and c in hand) for s in deck.suits)
        for hand in (x, y)
    )
    return "/".join(hands)


def single_trick(deck, lead, reply):
    game = mate.Game.from_position(f"{fields(deck, [lead], [reply])} x - 10 -/- -")
    game.push(lead)
    game.push(reply)
    return game


def replies_to(deck, lead, hand):
    others = [card for card in deck.cards if card not in (*hand, lead)][: len(hand) - 1]
    trick = 11 - len(hand)
    game = mate.Game.from_position(f"{fields(deck, [lead, *others], hand)} x - {trick} -/- -")
    game.push(lead)
    return game.legal_moves


@pytest.mark.parametrize("case", CASES["scores"], ids=lambda case: f"{case['source'][:2]}")
def test_published_scores(case):
    variant = mate.Variant.of(case["variant"])
    row = {"none": 0, "both": 1, "mater": 2, "mated": 3}[case["foreplaced"]]
    points = variant.deck.points[variant.deck.ranks.index(case["card"])]
    assert points * variant.weights[row][case["trick"] - 1] == case["points"]


@pytest.mark.parametrize("case", CASES["endings"], ids=lambda case: case["source"])
def test_published_endings(case):
    deck = mate.Variant.of(case["variant"]).deck
    hands = fields(deck, case["leader"].split(), case["follower"].split())
    gone = "Ac/-" if case["sole_foreplacer"] == "leader" else "-/Ac"
    position = f"{hands} x - {case['trick']} {gone} -"
    game = mate.Game.from_position(position, case["variant"])
    for move in case["line"]:
        game.push(move)
    assert game.is_mate
    assert game.result == case["points"] * (1 if case["winner"] == "leader" else -1)
    analysis = mate.analyze(mate.Position.parse(position, case["variant"]))
    assert analysis.outcome.points == case["points"]


# --- Section 5: weights by who foreplaced ---


def played_out(variant, moves):
    game = mate.Game("ATK.Q7.A.TKQ7", variant)
    for move in moves.split():
        game.push(move)
    return game


def test_the_second_is_not_asked_when_the_first_declines():
    assert str(played_out("capellen", "*-")).endswith("x - 1 -/- -")
    assert str(played_out("tempos", "*-")).endswith("y - 1 -/? -")


def test_the_second_card_must_differ_only_where_the_variant_says_so():
    assert "*Kc" not in played_out("capellen", "*Ac").legal_moves
    assert "*As" not in played_out("capellen", "*Ac").legal_moves
    assert "*As" in played_out("tempos", "*Ac").legal_moves


def test_the_last_card_is_played_twice():
    game = mate.Game.from_position("7.../.7.K. x - 9 Ac/- -", "capellen")
    game.push("7c")
    assert str(game) == "7.../.7.K. y 7c 9 Ac/- -"
    game.push("7s")
    assert str(game) == "7.../..K. x - 10 Ac/- -"
    game.push("7c")
    assert game.is_mate
    assert game.result == 7 * 22


def test_a_sole_foreplacer_without_that_rule_ends_the_game_a_trick_early():
    game = mate.Game.from_position("7.../.7.K. x - 9 Ac/- -", "pieces")
    game.push("7c")
    game.push("7s")
    assert game.is_over
    assert game.result == 0
    assert not game.is_mate
