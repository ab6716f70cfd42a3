"""What a player sees, plane by plane, and back to the position."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import mate
import matecore
import reference
from mate.arrays.encoding import NAMES, decode, observe

VARIANTS = [*mate.PRESETS, "double,deck=double24", "pieces,last_card_twice=yes"]
SMALL = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1))
COPIES = mate.Deck("ab", "XYZ", ("XXY", "XYY"), (3, 2, 1))


def positions(variant: mate.Variant | str, n: int, seed: int = 1) -> Iterator[mate.Position]:
    """All the positions of random games."""
    rng, variant = np.random.default_rng(seed), mate.Variant.of(variant)
    choose = random.Random(seed)
    for i in range(n):
        game = mate.Game(mate.Deal.random(rng, variant.deck), variant, "xy"[i % 2])
        yield game.position
        while not game.is_over:
            game.push(choose.choice(game.legal_actions))
            yield game.position


def all_positions(variant: mate.Variant) -> dict[int, mate.Position]:
    """Every position that games of a small variant come to."""
    found: dict[int, mate.Position] = {}
    n, size = variant.deck.n_cards, variant.deck.hand_size
    masks = [mask for mask in range(1 << n) if mask.bit_count() == size]
    left = [
        mate.Game(mate.Deal(mask, None, variant.deck), variant, leader).position
        for mask in masks
        for leader in "xy"
    ]
    while left:
        position = left.pop()
        if position.key not in found:
            found[position.key] = position
            left += [position.play(action) for action in position.legal_actions]
    return found


# --- There and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_comes_back_from_what_is_seen_of_it(variant):
    seen = 0
    for position in positions(variant, 60):
        planes = observe(position)
        back = decode(planes, position.variant, position.to_move)
        assert back == position
        assert back.core.hands == position.core.hands
        assert (observe(back) == planes).all()
        seen += 1
    assert seen > 500


@pytest.mark.parametrize("deck", [SMALL, COPIES], ids=["six cards", "copies"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"free_move": True},
        {"privileged": frozenset("X"), "privilege_declared": True},
        {"foreplace": mate.Foreplacing("capellen", second_differs=True, last_card_twice=True)},
        {
            "foreplace": mate.Foreplacing("tempos", second_alone=True, last_card_twice=True),
            "free_move": True,
            "privileged": frozenset("XY"),
            "privilege_declared": True,
        },
        {"foreplace": mate.Foreplacing("pieces", second_alone=True)},
    ],
    ids=["plain", "free", "declared", "capellen", "everything", "pieces"],
)
def test_every_position_of_a_small_game_comes_back(deck, more):
    variant = mate.Variant(deck=deck, **more)
    found = all_positions(variant)
    assert len(found) > 100
    views = set()
    for position in found.values():
        planes = observe(position)
        assert decode(planes, variant, position.to_move) == position
        views.add((position.to_move, planes.tobytes()))
    assert len(views) == len(found)


def test_x_and_y_see_the_same_where_all_is_exchanged():
    for position in positions("pieces", 20):
        other = "y" if position.to_move == "x" else "x"
        exchanged = decode(observe(position), "pieces", other)
        assert (observe(exchanged) == observe(position)).all()
        assert (exchanged.x, exchanged.y) == (position.y, position.x)
        assert exchanged.foreplaced == position.foreplaced[::-1]
        assert exchanged.legal_actions == position.legal_actions


# --- Plane by plane ------------------------------------------------------------------------------


def expected_rows(state: reference.State) -> list[object]:
    """What the planes must show, by the reference: cards as texts, and for the rest a bool."""
    me, other = state.turn, 1 - state.turn
    cards = [card if card not in (None, reference.UNDECIDED) else None for card in state.foreplaced]
    return [
        sorted(state.hands[me]),
        sorted(state.hands[other]),
        [state.led] * (state.led is not None),
        [cards[me]] * (cards[me] is not None),
        [cards[other]] * (cards[other] is not None),
        bool(state.declared),
        state.free,
        state.foreplaced[me] == reference.UNDECIDED,
        state.foreplaced[other] == reference.UNDECIDED,
        state.trick,
    ]


def told_rows(planes: np.ndarray, deck: mate.Deck) -> list[object]:
    assert set(planes.ravel().tolist()) <= {0, 1}
    found: list[object] = [
        sorted(deck.cards[card] for card in plane.nonzero()[0]) for plane in planes[:5]
    ]
    for plane in planes[5:9]:
        assert len(set(plane.tolist())) == 1
        found.append(bool(plane[0]))
    (cell,) = planes[9].nonzero()[0]
    return [*found, int(cell) + 1]


@pytest.mark.parametrize("name", list(reference.PRESETS))
def test_each_plane_is_what_the_reference_says(name):
    rng, choose = np.random.default_rng(5), random.Random(5)
    variant = mate.PRESETS[name]
    told: set[int] = set()
    for i in range(40):
        deal = mate.Deal.random(rng, variant.deck)
        game = mate.Game(deal, variant, "xy"[i % 2])
        state = reference.start(name, str(deal), "xy"[i % 2])
        while not game.is_over:
            planes = observe(game)
            assert told_rows(planes, variant.deck) == expected_rows(state)
            told |= {number for number in range(10) if planes[number].any()}
            move = choose.choice(game.legal_moves)
            game.push(move)
            state = reference.play(state, move)
    special = {5: name == "pieces", 6: name == "bga-free"}
    special |= dict.fromkeys((3, 4, 7, 8), variant.foreplace is not None)
    assert told == {number for number in range(10) if special.get(number, True)}


def test_there_is_a_name_for_each_plane():
    assert len(NAMES) == len(set(NAMES)) == matecore.PLANES


# --- Hostile input -------------------------------------------------------------------------------


@pytest.fixture
def seen() -> np.ndarray:
    game = mate.Game("ATK.Q7.A.TKQ7", "capellen")
    game.push("*-")
    game.push("Kc")
    return observe(game)


@pytest.mark.parametrize(
    ("planes", "found"),
    [
        (np.zeros((10, 19), np.uint8), "shape"),
        (np.zeros((9, 20), np.uint8), "shape"),
        (np.zeros(200, np.uint8), "shape"),
        (np.zeros((1, 10, 20), np.uint8), "shape"),
        (np.zeros((10, 20), np.int8), "int8"),
        (np.zeros((10, 20), bool), "bool"),
        (np.full((10, 20), np.nan), "float64"),
        (np.full((10, 20), None), "object"),
        ([[0] * 20] * 10, "found"),
        (None, "None"),
        ("x" * 1000, "xxx"),
        (np.zeros((10, 20), np.uint8), "trick"),
        (np.ones((10, 20), np.uint8), "card led"),
        (np.full((10, 20), 2, np.uint8), "neither 0 nor 1"),
        (np.full((10, 20), 255, np.uint8), "neither 0 nor 1"),
    ],
)
def test_what_is_no_observation_is_refused(planes, found):
    with pytest.raises(mate.MateError, match=found):
        decode(planes)


@pytest.mark.parametrize(
    ("plane", "cells", "value", "why"),
    [
        (0, slice(None), 1, "no position of capellen is seen so"),
        (0, 2, 1, "no position"),
        (1, 0, 0, "no position"),
        (2, 3, 1, r"plane 2 \(card led\): 2 cards"),
        (2, slice(None), 0, "no position"),
        (3, slice(0, 2), 1, r"plane 3 \(own card foreplaced\): 2 cards"),
        (4, slice(0, 3), 1, r"plane 4 \(other's card foreplaced\): 3 cards"),
        (5, 4, 1, r"plane 5 .*neither all ones"),
        (5, slice(None), 1, "no position"),
        (6, slice(None), 1, "no position"),
        (7, slice(1, None), 1, "plane 7 .*neither all ones"),
        (7, slice(None), 1, "no position"),
        (8, slice(None), 1, "no position"),
        (9, slice(None), 0, r"plane 9 \(trick\): 0 ones"),
        (9, slice(0, 2), 1, r"plane 9 \(trick\): 2 ones"),
    ],
)
def test_a_plane_that_cannot_be_is_named(seen, plane, cells, value, why):
    seen[plane, cells] = value
    with pytest.raises(mate.MateError, match=why):
        decode(seen, "capellen", "y")


def test_a_card_foreplaced_is_a_decision_made(seen):
    seen[4, 19] = 1
    seen[8] = 1
    with pytest.raises(mate.MateError, match=r"plane 8 .*still to be made"):
        decode(seen, "capellen", "y")


def test_a_privilege_needs_a_lead():
    planes = observe(mate.Game("ATK.Q7.A.TKQ7"))
    planes[5] = 1
    with pytest.raises(mate.MateError, match=r"plane 5 .*nothing is led"):
        decode(planes)


def test_noise_is_refused_and_never_more():
    rng = np.random.default_rng(1)
    game = mate.Game("ATK.Q7.A.TKQ7", "pieces")
    for _ in range(2000):
        planes = observe(game)
        for _ in range(rng.integers(1, 4)):
            planes[rng.integers(10), rng.integers(20)] ^= 1
        try:
            found = decode(planes, "pieces", "x")
        except mate.MateError:
            continue
        assert (observe(found) == planes).all()


@pytest.mark.parametrize("to_move", ["", "xy", "z", 0, None, np.array(["x", "y"])], ids=repr)
def test_the_player_is_x_or_y(seen, to_move):
    with pytest.raises(mate.MateError, match="x or y"):
        decode(seen, "capellen", to_move)


@pytest.mark.parametrize("game", [None, "ATK.Q7.A.TKQ7", 5])
def test_only_games_and_positions_are_seen(game):
    with pytest.raises(mate.MateError, match="no game and no position"):
        observe(game)


def test_an_array_of_another_layout_reads_the_same(seen):
    assert decode(np.asfortranarray(seen), "capellen", "y") == decode(seen, "capellen", "y")
