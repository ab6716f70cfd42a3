"""Games, positions and deals as objects: way back, copies, pickles, equality, keys."""

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
from pairing import NAMES, engine_variant, random_deal, random_game, random_variants

seeds = st.integers(0, 2**32)
names = st.sampled_from(NAMES)


@given(names, seeds)
def test_pop_restores_everything(name, seed):
    rng = random.Random(seed)
    game = mate.Game(random_deal(engine_variant(name), rng), engine_variant(name))
    seen = [(str(game), game.key, game.legal_moves)]
    while not game.is_over:
        game.push(rng.choice(game.legal_actions))
        seen.append((str(game), game.key, game.legal_moves))
    while game.moves:
        assert (str(game), game.key, game.legal_moves) == seen.pop()
        last = game.moves[-1]
        assert game.pop() == last
    assert [(str(game), game.key, game.legal_moves)] == seen


@given(names, seeds, st.integers(0, 20))
def test_copies_and_pickles_are_equal_and_independent(name, seed, plies):
    game = random_game(engine_variant(name), random.Random(seed), plies)
    for twin in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        assert twin is not game
    twin = pickle.loads(pickle.dumps(game))
    assert (twin, twin.moves, twin.variant) == (game, game.moves, game.variant)
    assert pickle.loads(pickle.dumps(game.position)) == game.position
    if not twin.is_over:
        before = str(game)
        twin.push(twin.legal_actions[0])
        assert twin != game
        assert str(game) == before
    if game.moves:
        again = game.copy()
        again.pop()
        assert again.moves == game.moves[:-1]


@given(names, seeds, st.integers(0, 22))
def test_texts_round_trip(name, seed, plies):
    game = random_game(engine_variant(name), random.Random(seed), plies)
    position = mate.Position.parse(str(game), game.variant)
    assert position == game.position
    assert hash(position) == hash(game.position)
    assert str(position) == str(game)
    assert position.key == game.key
    assert set(position.legal_moves) == set(game.legal_moves)
    assert mate.Game.from_position(position).position == position


@given(seeds, seeds)
def test_keys_are_equal_only_for_equal_positions(first, second):
    engine, _ = random_variants(random.Random(first))
    deal = random_deal(engine, random.Random(first))
    positions = {}
    for rng in (random.Random(second), random.Random(second + 1)):
        for leader in "xy":
            game = mate.Game(deal, engine, leader)
            positions[str(game)] = game.position
            while not game.is_over:
                game.push(rng.choice(game.legal_moves))
                positions[str(game)] = game.position
    assert len({position.key for position in positions.values()}) == len(positions)
    assert len(set(positions.values())) == len(positions)


@given(seeds, st.integers(0, 22))
def test_copies_of_a_card_are_interchangeable(seed, plies):
    """Whichever copy each player holds: the same texts, keys and moves (section 3)."""
    rng = random.Random(seed)
    variant = engine_variant(rng.choice(["double", "double24"]))
    deal = random_deal(variant, rng)
    swap = list(range(variant.deck.n_cards))
    for copies in variant.deck.copies.values():
        for card, other in zip(copies, rng.sample(copies, len(copies)), strict=True):
            swap[card] = other
    x = sum(1 << swap[card] for card in range(len(swap)) if deal.x.mask >> card & 1)
    twin = mate.Deal(x, deck=variant.deck)
    assert (twin, hash(twin)) == (deal, hash(deal))
    game, other = mate.Game(deal, variant), mate.Game(twin, variant)
    for _ in range(plies):
        assert (str(game), game.key, game.legal_moves) == (str(other), other.key, other.legal_moves)
        assert len(game.legal_actions) == len(other.legal_actions)
        if game.is_over:
            return
        move = rng.choice(game.legal_moves)
        game.push(move)
        other.push(move)


@given(seeds)
def test_privileges_never_change_whether_a_lead_mates(seed):
    """Section 4: only which reply is forced."""
    rng = random.Random(seed)
    game = random_game(mate.PRESETS["bga"], rng, 2 * rng.randint(0, 9))
    hands = str(game).split()[0]
    if game.is_over or game.led:
        return
    for lead in game.legal_moves:
        mates = set()
        for name in ("bga", "bga-king", "bga-figure", "bga-free"):
            free = "+" if name == "bga-free" else "-"
            text = f"{hands} {game.to_move} - {game.trick} -/- {free}"
            mates.add(mate.Position.parse(text, name).play(lead).is_mate)
        assert len(mates) == 1


def test_a_move_by_number_by_text_and_by_any_copy():
    game = mate.Game("AT.AK.ATT.AT7", "double")
    game.push("*-")
    copies = game.variant.deck.copies["Th"]
    for move in ("Th", *copies, np.int8(copies[0])):
        game.push(move)
        assert game.moves[-1] == "Th"
        assert str(game).startswith("AT.AK.AT.AT7/")
        game.pop()


def test_pop_of_nothing():
    for kind in (IndexError, mate.MateError):
        with pytest.raises(kind, match="nothing was played"):
            mate.Game("ATK.Q7.A.TKQ7").pop()


def test_a_game_is_no_key_and_a_position_is():
    game = mate.Game("ATK.Q7.A.TKQ7")
    with pytest.raises(TypeError):
        hash(game)
    assert {game.position: 1}[mate.Position.parse(str(game))] == 1
    assert eval(repr(game.position), {"Position": mate.Position}) == game.position


def test_equal_positions_of_other_variants_are_not_equal():
    text = "ATK.Q7.A.TKQ7/Q7.ATK.TKQ7.A x - 1 -/- -"
    assert mate.Position.parse(text, "bga") != mate.Position.parse(text, "bga-king")
    assert mate.Position.parse(text) != text
    assert mate.Game("ATK.Q7.A.TKQ7") != mate.Game("ATK.Q7.A.TKQ7", leader="y")
    assert mate.Game("ATK.Q7.A.TKQ7") != mate.Game("ATK.Q7.A.TKQ7", "bga-king")
    begun = mate.Game("ATK.Q7.A.TKQ7")
    for move in ("Kc", "Qc"):
        begun.push(move)
    assert begun != mate.Game.from_position(begun.position)
    with pytest.raises(mate.VariantError):
        mate.Game.from_position(begun.position, "bga-king")
    with pytest.raises(mate.MateError):
        mate.Position(begun.core, "bga-king")


def test_play_leaves_the_position_as_it_was():
    position = mate.Game("ATK.Q7.A.TKQ7").position
    after = position.play("Kc")
    assert str(position).endswith(" x - 1 -/- -")
    assert (after.led, after.to_move, str(after.x)) == ("Kc", "y", "AT.Q7.A.TKQ7")


# --- Deals ---


def test_random_deals_are_the_seeds_and_halve_the_deck():
    rng = np.random.default_rng(1)
    deals = [mate.Deal.random(rng) for _ in range(200)]
    assert len({str(deal) for deal in deals}) > 190
    assert all(len(deal.x) == len(deal.y) == 10 for deal in deals)
    assert mate.Deal.random(1) == deals[0]
    assert mate.Deal.random(deck=mate.DECKS["double24"]).deck.n_cards == 24


@pytest.mark.parametrize("rng", [-1, "seed", object(), [1, -2], 2.5])
def test_bad_seeds(rng):
    with pytest.raises(mate.MateError, match="rng"):
        mate.Deal.random(rng)


@pytest.mark.parametrize(
    ("x", "y"),
    [(0, None), (-1, None), (1 << 20, None), (0x3FF, 0x3FF), (0x3FF, 0xFFC01), (0x7FF, None),
     (1.5, None), (None, None), (0x3FF, "AT..."), (10**30, None), (0x3FF, -1024)],
)  # fmt: skip
def test_masks_that_are_no_deal(x, y):
    with pytest.raises(mate.MateError):
        mate.Deal(x, y)


@pytest.mark.parametrize(
    "make",
    [
        lambda: mate.Deal.parse("ATK.Q7.A.TKQ7", deck="single"),
        lambda: mate.Deal.parse("ATK.Q7.A.TKQ7", lang=["en"]),
        lambda: mate.Deal(0x3FF, deck=None),
        lambda: mate.Hand(1, None),
        lambda: mate.Game("ATK.Q7.A.TKQ7").perft(-1),
        lambda: mate.Game("ATK.Q7.A.TKQ7").perft(1.5),
        lambda: mate.analyze(mate.Game("ATK.Q7.A.TKQ7"), solver=5),
        lambda: mate.Position(None),
        lambda: mate.Game.from_position(None),
    ],
)
def test_arguments_of_the_wrong_type(make):
    with pytest.raises(mate.MateError):
        make()


def test_what_a_position_is_cannot_be_changed():
    position = mate.Game("ATK.Q7.A.TKQ7").position
    with pytest.raises(AttributeError):
        position.variant = mate.PRESETS["bga-king"]


def test_a_kind_of_game_stays_what_it_is():
    class Match(mate.Game):
        pass

    game = Match("ATK.Q7.A.TKQ7")
    assert type(game.copy()) is type(copy.deepcopy(game)) is Match
    assert type(Match.from_position(game.position)) is Match


def test_a_deal_of_another_deck():
    with pytest.raises(mate.VariantError):
        mate.Game(mate.Deal.random(1), "double")
    with pytest.raises(mate.MateError):
        mate.Game(mate.Deal.random(1), leader="z")


@settings(max_examples=50)
@given(st.integers(-(2**70), 2**70))
def test_hands_take_only_masks_of_the_deck(mask):
    if 0 <= mask < 1 << 20:
        assert mate.Hand(mask).mask == mask
    else:
        with pytest.raises(mate.MateError):
            mate.Hand(mask)
