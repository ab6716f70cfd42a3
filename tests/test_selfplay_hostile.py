"""Self-play with arguments that do not fit, memory that is not there, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import mate
import matecore
from mate.arrays.selfplaying import SelfPlay
from mate.errors import MateError, TablebaseError, VariantError

DEALS = np.array([[0x3FF, 0xFFC00]], dtype=np.uint32)


def refused(*args, kind=MateError, match=None, **settings):
    """Self-play refuses these arguments, with an error of ours."""
    with pytest.raises(kind, match=match):
        mate.selfplay(*args, **settings)


@pytest.mark.parametrize(
    "count",
    [
        -1,
        -(10**30),
        1.0,
        1.5,
        "3",
        None,
        True,
        False,
        [1],
        1j,
        np.array([1, 2]),
        np.True_,
        np.float64(3),
    ],
)
def test_counts_that_are_none(count):
    refused(count)


@pytest.mark.parametrize("unit", ["game", "round"])
@pytest.mark.parametrize("count", [10**13, 2**62, 2**63 - 1, 2**63])
@pytest.mark.parametrize("labels", [False, True])
def test_more_games_than_there_is_memory_for(count, unit, labels):
    refused(count, unit=unit, labels=labels, match="bytes")


@pytest.mark.parametrize(
    "seed", [-1, 2**64, 10**40, 1.0, "1", None, True, [1], np.float64(1), np.array([1, 2])]
)
def test_seeds_that_are_none(seed):
    refused(3, seed=seed)


def test_integers_of_numpy_serve_as_well():
    games = mate.selfplay(np.int64(3), seed=np.uint64(2**64 - 1), first=np.int32(5))
    assert (games.moves == mate.selfplay(3, seed=2**64 - 1, first=5).moves).all()


@pytest.mark.parametrize("first", [-1, 2**64, 2**64 - 1, 2**63, 10**40, 1.0, "1", None, True])
def test_firsts_that_are_none(first):
    # Beyond 2^63 - 1 a number no longer fits where games are counted; nothing wraps around.
    try:
        games = mate.selfplay(2, first=first)
    except MateError:
        return
    assert type(first) is int
    assert first >= 0
    assert first + 2 <= 2**64
    assert (games.leader == [first % 2, 1 - first % 2]).all()


def test_the_last_units_there_are():
    refused(3, first=2**64 - 2)
    refused(2**40, first=2**64 - 2)


@pytest.mark.parametrize(
    "policy",
    [
        "", "Random", "random ", "random:3", "greedy:1", "optimal:", "epsilon", "epsilon:",
        "epsilon:2", "epsilon:-0.1", "epsilon:nan", "epsilon:x", "epsilon:1e400", "softmax",
        "softmax:0", "softmax:-1", "softmax:nan", "softmax:inf", "softmax:", "softmax:1,5",
        "level:2", "depth:3", "best", "x" * 10_000, "epsilon:\0", "softmax:" + "9" * 5000,
        b"random", 3, None, True, ["random"], ("random",),
    ],
)  # fmt: skip
@pytest.mark.parametrize("player", ["x", "y"])
def test_policies_that_are_none(policy, player):
    refused(3, **{player: policy})


@pytest.mark.parametrize("policy", ["epsilon:0", "epsilon:1", "softmax:1e-300", "softmax:1e300"])
def test_policies_at_the_edge(policy):
    games = mate.selfplay(20, policy, "random", seed=1)
    same_as = {"epsilon:1": "epsilon:1.0", "softmax:1e-300": "softmax:0.0001"}
    again = mate.selfplay(20, same_as.get(policy, policy), "random", seed=1)
    assert (games.moves == again.moves).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("unit", "match"), ("unit", ""), ("unit", None), ("unit", 1), ("unit", ["game"]),
        ("leader", "X"), ("leader", "loser"), ("leader", None), ("leader", 0), ("leader", ["x"]),
        ("threads", 0), ("threads", -1), ("threads", 1.0), ("threads", "2"),
        ("threads", 10**9), ("threads", 2**64),
        ("labels", 1), ("labels", "yes"), ("labels", None),
        ("tablebase", "bga.mtb"), ("tablebase", 1), ("tablebase", object()),
        ("unit", np.array(["game", "round"])), ("leader", np.array(["x", "y"])),
        ("threads", np.array([1, 2])), ("tablebase", np.zeros(2)),
    ],
)  # fmt: skip
def test_settings_that_are_none(name, value):
    refused(3, **{name: value})


@pytest.mark.parametrize("variant", ["chess", "", None, 3, b"bga", "bga,deck=huge", object()])
def test_variants_that_are_none(variant):
    refused(3, variant=variant)


@pytest.mark.parametrize(
    "deals",
    [
        np.zeros((0, 2), np.uint32), np.zeros((1, 2), np.uint32), DEALS[0], DEALS[:, :1],
        DEALS.astype(np.float64), DEALS.astype(np.int64) - 2**40, DEALS.astype(bool),
        np.array([[0x3FF, 0x3FF]], np.uint32), np.array([[0x7FF, 0xFF800]], np.uint32),
        np.array([[0x3FF, 0x1FFC00]], np.uint32), np.array([[2**32 - 1, 0]], np.uint32),
        np.array([["a", "b"]]), np.array([[None, None]]), np.full((1, 2), np.nan),
        DEALS[None], [], [1, 2], ["AKQ"], "ATK.Q7.A.TKQ7", 5, object(), {},
        [mate.Deal.random(1, mate.DECKS["double"])], [mate.Deal.random(1), None],
    ],
    ids=lambda value: f"{type(value).__name__}",
)  # fmt: skip
def test_deals_that_are_none(deals):
    refused(3, deals=deals)


def test_deals_in_any_layout():
    deals = np.array([[0x3FF, 0xFFC00], [0xFFC00, 0x3FF]] * 3, dtype=np.uint32)
    wanted = mate.selfplay(6, deals=deals[::2])
    for other in (np.asfortranarray(deals)[::2], deals[::2].copy(), deals[::-2][::-1] ^ 0xFFFFF):
        assert (mate.selfplay(6, deals=other).moves == wanted.moves).all()
    frozen = deals[::2].copy()
    frozen.flags.writeable = False
    assert (mate.selfplay(6, deals=frozen).moves == wanted.moves).all()
    listed = [mate.Deal(*masks) for masks in deals[::2].tolist()]
    assert (mate.selfplay(6, deals=listed).moves == wanted.moves).all()


def test_the_deals_are_only_read():
    deals = DEALS.copy()
    games = mate.selfplay(4, deals=deals, unit="round")
    games.deal[:] = 0
    assert (deals == DEALS).all()


def test_tablebases_of_another_variant():
    deck = mate.Deck("cs", "ATK", ("ATK", "ATK"), (11, 10, 4))
    small = mate.Variant(deck=deck)
    free = mate.Variant(deck=deck, free_move=True)
    table = mate.Tablebase.build(small, threads=1)
    refused(3, "optimal", tablebase=table)
    refused(3, "optimal", variant=free, tablebase=table)
    refused(3, variant=free, tablebase=table)
    assert len(mate.selfplay(3, "optimal", variant=small, tablebase=table)) == 3


def test_damaged_tablebases(tmp_path):
    variant = mate.Variant(deck=mate.Deck("cs", "ATK", ("ATK", "ATK"), (11, 10, 4)))
    path = mate.Tablebase.build(variant, threads=1).save(tmp_path / "small.mtb")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    table = mate.Tablebase.open(path)
    for threads in (1, 2):
        refused(
            5000, "optimal", "optimal", variant, tablebase=table, threads=threads,
            kind=TablebaseError,
        )  # fmt: skip


def test_hands_too_large_for_exact_values():
    ranks = "ABCDEFGH"
    variant = mate.Variant(deck=mate.Deck("wxyz", ranks, (ranks,) * 4, (1,) * 8))
    assert len(mate.selfplay(5, "random", "greedy", variant)) == 5
    for settings in ({"x": "optimal"}, {"y": "softmax:3"}, {"labels": True}):
        refused(5, variant=variant, kind=VariantError, **settings)


# --- Progress and Ctrl-C ---


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("unit", ["game", "round"])
def test_progress_rises_to_the_count(threads, unit):
    told = []
    mate.selfplay(30_000, unit=unit, threads=threads, progress=lambda *seen: told.append(seen))
    done = [seen[0] for seen in told]
    assert done == sorted(done)
    assert done[-1] == 30_000
    assert min(done) >= 0
    assert all(seen[1:] == told[0][1:] for seen in told)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, RuntimeError])
def test_what_progress_raises_stops_all(kind, threads):
    told, before = [], set(threading.enumerate())

    def progress(*seen):
        told.append(seen)
        raise kind("enough")

    with pytest.raises(kind, match="enough"):
        mate.selfplay(300_000, "optimal", "optimal", threads=threads, progress=progress)
    assert len(told) == 1
    assert told[0][0] < 300_000
    assert set(threading.enumerate()) <= before


INTERRUPTED = """
import sys, mate
def progress(*seen):
    if seen[0]:
        print("started", flush=True)
mate.selfplay(3_000_000, "optimal", "optimal", threads={threads}, progress=progress)
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal is sent")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads):
    program = [sys.executable, "-c", INTERRUPTED.format(threads=threads)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(program, text=True, **pipes) as running:
        try:
            assert running.stdout.readline() == "started\n"
            running.send_signal(signal.SIGINT)
            _, told = running.communicate(timeout=20)
        finally:
            running.kill()
    assert "KeyboardInterrupt" in told.splitlines()[-1]


# --- Threads -------------------------------------------------------------------------------------


def rows_for(core, n):
    return (
        np.empty((n, 2), np.uint32),
        np.empty(n, np.int8),
        np.empty((n, core.plies), np.int8),
        np.empty(n, np.int16),
    )


@pytest.mark.parametrize("kind", [0, 2])
def test_threads_on_one_object_wait_for_each_other(kind):
    rules = mate.PRESETS["bga"].rules
    core = matecore.SelfPlay(rules, matecore.Policy(kind), matecore.Policy(kind), seed=1)
    n = 20_000 if kind == 0 else 40
    expected = rows_for(core, n)
    core.play(0, *expected)
    found = [rows_for(core, n) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda rows: core.play(0, *rows), found))
    for rows in found:
        assert all(np.array_equal(a, b) for a, b in zip(rows, expected, strict=True))


@pytest.mark.parametrize("kind", [0, 2])
def test_arrays_that_another_thread_changes_are_no_danger(kind):
    rules = mate.PRESETS["capellen"].rules
    core = matecore.SelfPlay(rules, matecore.Policy(kind), matecore.Policy(kind), seed=1)
    deals, *rest = rows_for(core, 3000 if kind == 0 else 8)
    core.play(0, deals, *rest)
    whole, moves, stop = deals.copy(), rest[1].copy(), threading.Event()

    def spoil():
        rng = np.random.default_rng(1)
        while not stop.is_set():
            deals[:] = whole
            deals[rng.integers(len(deals))] = rng.integers(1 << 32, size=2)
            rest[1][:] = moves
            rest[1][rng.integers(len(deals))] = rng.integers(-128, 128, size=core.plies)

    spoiler = threading.Thread(target=spoil)
    spoiler.start()
    try:
        for _ in range(60):
            with suppress(matecore.IllegalRow):
                core.play(0, deals, *rest, draw=False)
            with suppress(matecore.IllegalRow):
                core.follow(deals, *rest)
    finally:
        stop.set()
        spoiler.join()


def test_what_is_behind_the_last_move_is_written():
    rules = mate.PRESETS["bga"].rules
    policy = matecore.Policy(0)
    core = matecore.SelfPlay(rules, policy, policy, seed=1, labels=True)
    rows = rows_for(core, 50)
    more = [np.full((50, core.plies), 77, kind) for kind in (np.int16, np.uint64)]
    seen = [np.full((50, core.plies), 77, np.int8) for _ in range(2)]
    core.play(0, *rows, *more)
    again = [np.full_like(array, 77) for array in more]
    core.follow(*rows, *again, *seen)
    over = rows[2] < 0
    assert over.any()
    for array, empty in ((more[0], 0), (more[1], 0), (again[0], 0), (seen[0], -1), (seen[1], 0)):
        assert (array[over] == empty).all()
    assert all(np.array_equal(a, b) for a, b in zip(more, again, strict=True))
    for i in range(50):
        game = mate.Game(mate.Deal(*map(int, rows[0][i])), leader="xy"[rows[1][i]])
        for ply, action in enumerate(rows[2][i][~over[i]]):
            assert seen[0][i, ply] == "xy".index(game.to_move)
            assert seen[1][i, ply] == len(game.legal_moves)
            game.push(int(action))


# --- Games that are none -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "row", "value", "ply"),
    [
        ("deal", 7, (0x3FF, 0x3FF), None),
        ("deal", 7, (0, 0xFFFFF), None),
        ("leader", 7, -1, None),
        ("leader", 7, 2, None),
        ("moves", 7, [0] * 20, 1),
    ],
)
def test_rows_that_are_no_games_are_told(name, row, value, ply):
    games = mate.selfplay(20, seed=1)
    games.arrays()[name][row] = value
    core = matecore.SelfPlay(games.variant.rules, matecore.Policy(0), matecore.Policy(0))
    with pytest.raises(matecore.IllegalRow) as caught:
        core.follow(games.deal, games.leader, games.moves, games.result)
    assert caught.value.row == row
    if ply is None or name != "moves":
        assert caught.value.ply == ply
    with pytest.raises(MateError, match=f"row {row}"):
        games.check()


def test_moves_behind_the_end_are_told():
    games = mate.selfplay(200, seed=1)
    row = int(np.flatnonzero(games.moves[:, -1] == -1)[0])
    end = int((games.moves[row] >= 0).sum())
    games.moves[row, -1] = 3
    with pytest.raises(MateError, match=f"row {row}, ply {games.plies - 1}"):
        games.check()
    games.moves[row, end] = 3
    with pytest.raises(MateError, match=f"row {row}, ply {end}"):
        games.check()


def test_labels_are_only_for_games_with_their_results():
    games = mate.selfplay(60, seed=1)
    games.result[41] += 1
    with pytest.raises(MateError, match="game 41: its result is not"):
        mate.label(games)
    with pytest.raises(MateError, match="game 41: its result is not"):
        games.check()


def test_an_illegal_game_of_a_later_piece_is_told_by_its_row():
    games = mate.selfplay(60, seed=1)
    games.moves[53, 0] = 61
    with pytest.raises(MateError, match="row 53, ply 0"):
        mate.label(games, threads=2)


def test_a_stranger_whose_repr_fails_is_told_by_its_type():
    class Stranger:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(MateError, match="<Stranger>"):
        mate.selfplay(Stranger())


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "bga"}, {"unit": "match"}, {"unit": 1}, {"leader": "z"}, {"labels": 1},
        {"seed": -1}, {"seed": 1 << 64}, {"seed": True}, {"stream": 1.0}, {"stream": 1 << 64},
        {"deals": np.zeros((0, 2), np.uint32)}, {"deals": np.zeros((2, 2), np.int64)},
        {"deals": np.zeros(2, np.uint32)}, {"deals": ["ATK.Q7.A.TKQ7"]}, {"tablebase": "file"},
    ],
    ids=str,
)  # fmt: skip
def test_a_plan_is_checked_however_it_is_made(wrong):
    with pytest.raises(MateError):
        SelfPlay(**{"variant": mate.PRESETS["bga"], **wrong})
    with pytest.raises(MateError):
        replace(SelfPlay.of(), **wrong)


def test_how_much_is_played_at_a_time_goes_by_whether_values_are_needed():
    pieces = {
        text: SelfPlay.of(text).piece
        for text in ("random", "greedy", "optimal", "epsilon:0.1", "softmax:2")
    }
    assert pieces["random"] == pieces["greedy"] > 100 * pieces["optimal"]
    assert pieces["optimal"] == pieces["epsilon:0.1"] == pieces["softmax:2"]
    assert SelfPlay.of("random", labels=True).piece == pieces["optimal"]
    function = SelfPlay.of(lambda observations, legal: legal.argmax(axis=1), "random")
    assert function.piece == pieces["random"]


@pytest.mark.parametrize("name", ["deal", "leader", "moves", "result"])
def test_games_without_an_array_are_none(name):
    with pytest.raises(MateError, match="expected"):
        replace(mate.selfplay(3), **{name: None})
