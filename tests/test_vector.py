"""`matecore.Vector`: many positions played in step, against `mate.Game`; input that is hostile."""

import random
import threading

import numpy as np
import pytest

import mate
import matecore

PRESETS = list(mate.PRESETS)


def vector_of(variant: str, n: int) -> matecore.Vector:
    return matecore.Vector(mate.Variant.of(variant).rules, n)


def games_of(variant: str, n: int, seed: int = 1) -> list[mate.Game]:
    deck = mate.Variant.of(variant).deck
    rng = np.random.default_rng(seed)
    return [mate.Game(mate.Deal.random(rng, deck), variant, "xy"[i % 2]) for i in range(n)]


def deals_of(games: list[mate.Game]) -> tuple[np.ndarray, np.ndarray]:
    deals = np.array([[game.x.mask, game.y.mask] for game in games], dtype=np.uint32)
    return deals, np.array(["xy".index(game.leader) for game in games], dtype=np.int8)


def to_move(vector: matecore.Vector) -> list[int]:
    out = np.empty(len(vector), dtype=np.int8)
    vector.to_move(out)
    return out.tolist()


def margins(vector: matecore.Vector) -> list[int]:
    out = np.empty(len(vector), dtype=np.int16)
    vector.margins(out)
    return out.tolist()


def legal(vector: matecore.Vector, rows: np.ndarray | None = None) -> np.ndarray:
    count = len(vector) if rows is None else len(rows)
    out = np.full((count, vector.rules.n_actions), 7, dtype=np.uint8)
    vector.legal(rows, out)
    return out


def observed(vector: matecore.Vector, rows: np.ndarray | None = None) -> np.ndarray:
    count = len(vector) if rows is None else len(rows)
    out = np.full((count, matecore.PLANES, vector.rules.n_cards), 7, dtype=np.uint8)
    vector.observe(rows, out)
    return out


# --- Against games -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [*PRESETS, "double,deck=double24"])
def test_games_in_step_are_games(variant):
    games, rng = games_of(variant, 60), random.Random(2)
    vector = vector_of(variant, len(games))
    vector.reset(None, *deals_of(games))
    while not all(game.is_over for game in games):
        rows = np.array([i for i, game in enumerate(games) if not game.is_over])
        rng.shuffle(rows)
        masks = legal(vector, rows)
        for row, mask in zip(rows, masks, strict=True):
            assert mask.nonzero()[0].tolist() == games[row].legal_actions
        actions = [rng.choice(games[row].legal_actions) for row in rows]
        vector.step(rows, np.array(actions))
        for row, action in zip(rows, actions, strict=True):
            games[row].push(action)
        for row, game in enumerate(games):
            assert vector.position(row).hands == game.core.hands  # the very copies of a card too
            assert vector.position(row) == game.core
        players = [-1 if game.is_over else "xy".index(game.to_move) for game in games]
        assert to_move(vector) == players
        assert margins(vector) == [game.result or 0 for game in games]
    assert not legal(vector).any()
    assert {game.result > 0 for game in games} == {True, False}


def test_what_is_seen_of_a_row_is_what_is_seen_of_its_position():
    games, rng = games_of("pieces", 50), random.Random(3)
    vector = vector_of("pieces", 50)
    vector.reset(None, *deals_of(games))
    for _ in range(9):
        rows = np.array([i for i, game in enumerate(games) if not game.is_over])
        for row in rows:
            games[row].push(rng.choice(games[row].legal_actions))
        vector.step(rows, np.array([games[row].actions[-1] for row in rows]))
        some = np.array([7, 3, 3, 49], dtype=np.int64)
        expected = np.zeros((4, matecore.PLANES, 20), dtype=np.uint8)
        for row, planes in zip(some, expected, strict=True):
            games[row].core.observe(planes)
        assert (observed(vector, some) == expected).all()
        assert (observed(vector)[some] == expected).all()


def test_a_vector_begins_with_the_first_half_of_the_deck_against_the_second():
    vector = vector_of("capellen", 3)
    expected = matecore.Position(vector.rules, 0x003FF, 0xFFC00)
    assert [vector.position(row) for row in range(3)] == [expected] * 3
    assert len(vector) == 3


def test_some_rows_begin_again_and_the_others_go_on():
    vector = vector_of("bga", 3)
    vector.step(None, np.array([0, 1, 2]))
    before = [vector.position(row).key for row in range(3)]
    deal = np.array([[0xFFC00, 0x003FF]], dtype=np.uint32)
    vector.reset(np.array([1]), deal, np.array([1], dtype=np.int8))
    assert vector.position(1) == matecore.Position(vector.rules, 0xFFC00, 0x003FF, 1)
    assert [vector.position(row).key for row in (0, 2)] == [before[0], before[2]]


def test_arrays_that_may_only_be_read_are_enough():
    vector = vector_of("bga", 2)
    rows, actions = np.array([1]), np.array([4])
    deals, leaders = np.array([[0xFFC00, 0x003FF]], np.uint32), np.zeros(1, np.int8)
    for array in (rows, actions, deals, leaders):
        array.flags.writeable = False
    vector.reset(rows, deals, leaders)
    vector.step(np.array([0]), actions)
    assert vector.position(0).led == 4


@pytest.mark.parametrize("rows", [np.array([], dtype=np.int64)])
def test_no_rows_are_no_work(rows):
    vector = vector_of("bga", 2)
    before = observed(vector)
    vector.reset(rows, np.empty((0, 2), np.uint32), np.empty(0, np.int8))
    vector.step(rows, np.empty(0, np.int64))
    assert legal(vector, rows).shape == (0, 61)
    assert observed(vector, rows).shape == (0, 10, 20)
    assert (observed(vector) == before).all()


def test_the_largest_hands():
    deck = mate.Deck("abcd", "ABCDEFGH", ("ABCDEFGH",) * 4, (1,) * 8)
    variant = mate.Variant(deck=deck)
    vector = matecore.Vector(variant.rules, 1)
    game = mate.Game(mate.Deal(0xFFFF, None, deck), variant)
    while not game.is_over:
        assert legal(vector)[0].nonzero()[0].tolist() == game.legal_actions
        game.push(game.legal_actions[-1])
        vector.step(None, np.array(game.actions[-1:]))
        assert vector.position(0) == game.core


# --- Hostile input -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, -1, matecore.vector.MOST_ROWS + 1, 1 << 62, -(1 << 62)])
def test_how_many_rows_there_can_be(n):
    with pytest.raises(ValueError, match="is not in 1"):
        vector_of("bga", n)


@pytest.mark.parametrize("arguments", [(None, 1), ("bga", 1), ()])
def test_a_vector_needs_rules(arguments):
    with pytest.raises(TypeError):
        matecore.Vector(*arguments)
    with pytest.raises(OverflowError):
        vector_of("bga", 1 << 80)


ROWS = [
    np.array([0, 5]),
    np.array([-1, 0]),
    np.array([0, 1 << 62]),
    np.array([0, -(1 << 63)]),
    np.array([0, 1], dtype=np.int32),
    np.array([0.0, 1.0]),
    np.array([[0, 1]]),
    np.arange(4)[::2],
    [0, 1],
    "01",
    0,
]
TWICE = np.array([2, 2])


@pytest.mark.parametrize("rows", [*ROWS, TWICE], ids=repr)
def test_rows_that_are_none_change_nothing(rows):
    vector = vector_of("bga", 5)
    before = observed(vector)
    deals = np.array([[0xFFC00, 0x003FF]] * 2, dtype=np.uint32)
    with pytest.raises((ValueError, TypeError)):
        vector.step(rows, np.array([0, 1]))
    with pytest.raises((ValueError, TypeError)):
        vector.reset(rows, deals, np.zeros(2, np.int8))
    assert (observed(vector) == before).all()
    if rows is not TWICE:
        with pytest.raises((ValueError, TypeError)):
            vector.legal(rows, np.empty((2, 61), np.uint8))
        with pytest.raises((ValueError, TypeError)):
            vector.observe(rows, np.empty((2, 10, 20), np.uint8))
    vector.step(np.array([0, 2]), np.array([0, 1]))  # no row is left as taken


@pytest.mark.parametrize("action", [-1, 10, 20, 61, 96, 1 << 40, -(1 << 63), (1 << 32)])
def test_an_illegal_action_is_named_and_changes_nothing(action):
    vector = vector_of("bga", 4)
    before = observed(vector)
    with pytest.raises(matecore.IllegalAction) as caught:
        vector.step(np.array([3, 1, 0]), np.array([0, action, 1]))
    error = caught.value
    assert (error.index, error.row, error.action) == (1, 1, action)
    assert str(error) == f"row 1: action {action} is not legal"
    assert (observed(vector) == before).all()
    vector.step(None, np.array([0, 1, 2, 3]))


def test_a_game_that_is_over_has_no_action():
    vector = vector_of("bga", 1)
    rng = random.Random(1)
    while to_move(vector) != [-1]:
        vector.step(None, np.array([rng.choice(legal(vector)[0].nonzero()[0])]))
    for action in range(61):
        with pytest.raises(matecore.IllegalAction):
            vector.step(None, np.array([action]))


BAD_DEALS = [
    (0, 0xFFFFF),
    (0x003FF, 0x003FF),
    (0x003FF, 0xFFC01),
    (0xFFFFFFFF, 0),
    (0x1FF, 0xFFE00),
]


@pytest.mark.parametrize("deal", BAD_DEALS, ids=repr)
def test_hands_that_are_no_deal_change_nothing(deal):
    vector = vector_of("bga", 2)
    before = observed(vector)
    deals = np.array([(0xFFC00, 0x003FF), deal], dtype=np.uint32)
    with pytest.raises(ValueError, match=r"rows\[1\]"):
        vector.reset(None, deals, np.zeros(2, np.int8))
    assert (observed(vector) == before).all()


@pytest.mark.parametrize("leader", [-1, 2, 127, -128])
def test_a_leader_is_x_or_y(leader):
    deals = np.array([(0xFFC00, 0x003FF)], dtype=np.uint32)
    with pytest.raises(ValueError, match=r"rows\[0\]"):
        vector_of("bga", 1).reset(None, deals, np.array([leader], np.int8))


@pytest.mark.parametrize("shape", [(2, 10, 20), (4, 10, 20), (3, 9, 20), (3, 10, 19), (3, 200)])
def test_where_planes_go_must_fit(shape):
    with pytest.raises(ValueError, match=r"out must|dimensions"):
        vector_of("bga", 3).observe(None, np.empty(shape, np.uint8))


@pytest.mark.parametrize(
    "out",
    [
        np.empty((3, 60), np.uint8),
        np.empty((2, 61), np.uint8),
        np.empty((3, 61), np.int8),
        np.empty((3, 61), np.float64),
        np.empty((3, 122), np.uint8)[:, ::2],
        np.empty((61, 3), np.uint8).T,
        np.empty(183, np.uint8),
        None,
    ],
    ids=lambda out: str(getattr(out, "shape", None)),
)
def test_where_masks_go_must_fit(out):
    with pytest.raises((ValueError, TypeError)):
        vector_of("bga", 3).legal(None, out)


def test_what_may_only_be_read_is_not_written():
    out = np.zeros((1, 61), np.uint8)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        vector_of("bga", 1).legal(None, out)
    assert not out.any()


@pytest.mark.parametrize("shape", [(2,), (4,), (3, 1), ()])
def test_where_players_and_margins_go_must_fit(shape):
    vector = vector_of("bga", 3)
    with pytest.raises(ValueError, match=r"out must|dimensions"):
        vector.to_move(np.empty(shape, np.int8))
    with pytest.raises(ValueError, match=r"out must|dimensions"):
        vector.margins(np.empty(shape, np.int16))


@pytest.mark.parametrize("row", [-1, 3, 1 << 40])
def test_a_position_is_of_a_row(row):
    with pytest.raises(ValueError, match="is not in 0"):
        vector_of("bga", 3).position(row)


def test_one_position_writes_where_there_is_room():
    position = matecore.Position(mate.PRESETS["bga"].rules, 0x003FF, 0xFFC00)
    for shape in ((9, 20), (10, 19), (200, 1)):
        with pytest.raises(ValueError, match="out must"):
            position.observe(np.empty(shape, np.uint8))


# --- Threads -------------------------------------------------------------------------------------


def test_rows_that_another_thread_changes_meanwhile_do_no_harm():
    vector, rows, done = vector_of("bga", 64), np.arange(64), threading.Event()
    out = np.empty((64, 10, 20), np.uint8)

    def spoil():
        rng = np.random.default_rng(1)
        while not done.is_set():
            rows[rng.integers(64)] = rng.choice([1 << 62, -(1 << 60), 64, 0])
            rows[:] = np.arange(64)

    spoiler = threading.Thread(target=spoil)
    spoiler.start()
    deals = np.array([(0x003FF, 0xFFC00)] * 64, dtype=np.uint32)
    actions, leaders = np.zeros(64, np.int64), np.zeros(64, np.int8)
    refused = 0
    for _ in range(3000):
        try:
            vector.observe(rows, out)
            vector.step(rows, actions)
            vector.reset(rows, deals, leaders)
        except ValueError:
            refused += 1
            vector.reset(None, deals, leaders)
    done.set()
    spoiler.join()
    vector.step(None, actions)


def test_threads_take_turns_on_one_vector():
    vector = vector_of("bga", 400)

    def play(part: int) -> None:
        rng, rows = random.Random(part), np.arange(part * 100, part * 100 + 100)
        while rows.size:
            masks = legal(vector, rows)
            rows, masks = rows[masks.any(axis=1)], masks[masks.any(axis=1)]
            actions = [rng.choice(mask.nonzero()[0].tolist()) for mask in masks]
            vector.step(rows, np.array(actions, dtype=np.int64))

    threads = [threading.Thread(target=play, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = [vector.position(row).key for row in range(400)]
    assert to_move(vector) == [-1] * 400
    vector = vector_of("bga", 400)
    for part in range(4):
        play(part)
    assert [vector.position(row).key for row in range(400)] == together
