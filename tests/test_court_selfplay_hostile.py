"""Self-play of Court Piece with arguments, arrays and rows that do not fit."""

import pickle
import threading
from dataclasses import fields, replace

import numpy as np
import pytest

import mate.court_piece as court_piece
from court_games import TEXTS
from mate.court_piece import Hands, Variant, selfplay
from mate.court_piece.selfplaying import SelfPlay
from mate.errors import MateError, VariantError
from matecore import court_piece as core

NONE = [-1, 1.0, 1.5, "3", None, True, [1], 1j, np.array([1, 2]), np.float64(3), 10**40]


def arrays_for(plies, n=3):
    """Arrays that fit, by name."""
    int8, uint64 = np.int8, np.uint64
    return {
        "hands": np.zeros((n, 4), uint64), "first_five": np.zeros(n, uint64),
        "turned": np.zeros(n, int8), "caller": np.zeros(n, int8), "trump": np.zeros(n, int8),
        "moves": np.zeros((n, plies), int8), "collected": np.zeros((n, 2), int8),
        "points": np.zeros((n, 2), int8), "winner": np.zeros(n, int8), "court": np.zeros(n, int8),
    }  # fmt: skip


# --- Arguments ---


@pytest.mark.parametrize("value", NONE, ids=repr)
@pytest.mark.parametrize("name", ["count", "seed", "first"])
def test_numbers_that_are_none(name, value):
    with pytest.raises(MateError):
        selfplay(**{"count": 3, name: value})


@pytest.mark.parametrize("value", [-1, 4, 1.0, "0", True, [0], 2**64], ids=repr)
def test_callers_that_are_none(value):
    with pytest.raises(MateError):
        selfplay(3, caller=value)


@pytest.mark.parametrize("count", [10**13, 2**62, 2**63, 2**64 - 1])
def test_more_hands_than_there_is_memory_for(count):
    with pytest.raises(MateError, match="bytes"):
        selfplay(count)


def test_the_last_hands_there_are():
    hands = selfplay(2, first=2**64 - 2)
    assert hands.caller.tolist() == [2, 3]
    with pytest.raises(MateError, match="beyond"):
        selfplay(3, first=2**64 - 2)


@pytest.mark.parametrize("policy", ["", "Random", "random ", "optimal", b"random", 1, None, ["a"]])
@pytest.mark.parametrize("side", ["a", "b"])
def test_policies_that_are_none(side, policy):
    with pytest.raises(MateError, match="random or greedy"):
        selfplay(3, **{side: policy})


@pytest.mark.parametrize("variant", ["", "bga", "seed,trump=any", None, 3, {"court": "both"}])
def test_variants_that_are_none(variant):
    with pytest.raises(VariantError):
        selfplay(3, variant=variant)
    with pytest.raises(MateError):
        SelfPlay(variant)


@pytest.mark.parametrize("threads", [0, -1, 1.0, "2", 10**9])
def test_threads_that_are_none(threads):
    with pytest.raises(MateError):
        selfplay(3, threads=threads)


def test_executors_that_are_none():
    with pytest.raises(MateError, match="Executor"):
        selfplay(3, executor=object())
    with pytest.raises(MateError, match="workers of its own"):
        selfplay(3, threads=1, executor=object())


def test_integers_of_numpy_serve_as_well():
    hands = selfplay(np.int64(3), seed=np.uint64(2**64 - 1), first=np.int32(5), caller=np.int8(1))
    assert (hands.moves == selfplay(3, seed=2**64 - 1, first=5, caller=1).moves).all()


# --- The core ---


@pytest.mark.parametrize(
    "told",
    [
        {"a": 2}, {"a": -1}, {"b": 2}, {"caller": 5}, {"caller": -1}, {"trump": 3}, {"trump": -1},
        {"redeal_below": 14}, {"redeal_below": -1},
    ],
    ids=str,
)  # fmt: skip
def test_the_core_refuses_numbers_out_of_range(told):
    with pytest.raises(ValueError, match="is not in"):
        core.SelfPlay(core.Rules(), **told)


@pytest.mark.parametrize("told", [{"seed": -1}, {"seed": 2**64}, {"stream": 2**64}, {"a": 2**40}])
def test_the_core_refuses_numbers_too_large(told):
    with pytest.raises(ValueError, match="is not in"):
        core.SelfPlay(core.Rules(), **told)


@pytest.mark.parametrize("rules", [None, 3, "seed", object()])
def test_the_core_refuses_what_are_no_rules(rules):
    with pytest.raises(TypeError):
        core.SelfPlay(rules)


@pytest.mark.parametrize("call", ["play", "follow"])
@pytest.mark.parametrize("name", list(arrays_for(53)))
def test_arrays_that_do_not_fit(name, call):
    player = core.SelfPlay(core.Rules())

    def refused(array):
        arrays = {**arrays_for(player.plies), name: array}
        given = list(arrays.values())
        with pytest.raises((ValueError, TypeError, BufferError)):
            player.play(0, *given) if call == "play" else player.follow(*given)

    good = arrays_for(player.plies)[name]
    for dtype in (np.int16, np.float64, object, np.int32):
        refused(good.astype(dtype))
    refused(good.astype(np.uint8 if good.dtype == np.int8 else np.int64))
    refused(good[:2])
    refused(np.concatenate([good, good]))
    refused(good[..., None])
    if good.ndim == 2:
        refused(good[:, :-1])
        refused(np.asfortranarray(good))
    refused(np.repeat(good, 2, axis=0)[::2])
    refused(None)
    refused(good.tolist())
    frozen = good.copy()
    frozen.flags.writeable = False
    refused(frozen)


@pytest.mark.parametrize("name", ["to_act", "n_legal"])
def test_planes_that_do_not_fit(name):
    hands = selfplay(3)
    player = core.SelfPlay(core.Rules())
    given = [array.copy() for array in hands.arrays().values()]
    for shape in ((3, 52), (2, 53), (4, 53), (0, 53)):
        with pytest.raises(ValueError, match="shape"):
            player.follow(*given, **{name: np.empty(shape, np.int8)})
    with pytest.raises(ValueError, match="dtype"):
        player.follow(*given, **{name: np.empty((3, 53), np.int16)})


# --- Rows ---


@pytest.mark.parametrize("text", TEXTS)
def test_rows_that_are_no_hands_are_told(text):
    variant = Variant.of(text)
    hands, rng = selfplay(30, "greedy", variant=variant, seed=1), np.random.default_rng(1)
    told = []
    for name, array in hands.arrays().items():
        for _ in range(60):
            changed = array.copy()
            place = tuple(int(rng.integers(size)) for size in array.shape)
            info = np.iinfo(array.dtype)
            small = changed[place].item() ^ (1 << int(rng.integers(info.bits - 1)))
            wild = int(rng.integers(info.min, info.max, dtype=array.dtype))
            changed[place] = small if rng.random() < 0.7 else wild
            if changed[place] == array[place]:
                continue
            others = replace(hands, **{name: changed})
            try:
                others.check()
            except MateError as error:
                told.append((place[0], str(error)))
                continue
            # What passes is another hand: other first fives of as good a deal, or the last trick.
            assert name in ("first_five", "moves", "turned")
            assert others.hand(place[0]).is_over
    assert all(str(row) in message for row, message in told)
    assert len(told) > 300


@pytest.mark.parametrize("seed", range(20))
def test_arrays_of_garbage_are_no_hands(seed):
    rng = np.random.default_rng(seed)
    shapes = selfplay(50, variant="seed,chase=optional").arrays()
    garbage = {
        name: np.frombuffer(rng.bytes(array.nbytes), array.dtype).reshape(array.shape).copy()
        for name, array in shapes.items()
    }
    hands = Hands(Variant.of("seed,chase=optional"), **garbage)
    for ask in (hands.check, lambda: hands.to_act, lambda: hands.n_legal, lambda: hands.hand(0)):
        with pytest.raises(MateError):
            ask()


@pytest.mark.parametrize("name", [f.name for f in fields(Hands)][1:])
def test_arrays_of_hands_are_of_one_kind_and_shape(name):
    hands = selfplay(3)
    array = getattr(hands, name)
    for wrong in (array.astype(np.int32), array[..., None], array.tolist(), None, "x", array[1:]):
        with pytest.raises(MateError):
            replace(hands, **{name: wrong})
    for variant in (None, "seed", 3):
        with pytest.raises(MateError, match="variant"):
            replace(hands, variant=variant)


@pytest.mark.parametrize("row", [-1, 3, 1.0, "0", None, 2**70])
def test_rows_that_are_not_there(row):
    with pytest.raises(MateError):
        selfplay(3).hand(row)


@pytest.mark.parametrize("rows", [3, "3", [3], [[1]], [True], slice("a"), {}, None], ids=repr)
def test_what_picks_no_rows_is_refused(rows):
    with pytest.raises(MateError, match=r"hand\(i\)"):
        selfplay(3)[rows]


def test_hands_of_different_variants_are_not_put_together():
    with pytest.raises(MateError, match="variants"):
        Hands.concatenate([selfplay(3), selfplay(3, variant="hokm")])
    with pytest.raises(MateError, match="no hands"):
        Hands.concatenate([])


# --- Threads, and what is left out ---


def test_two_threads_in_one_object_wait_for_each_other():
    player = core.SelfPlay(core.Rules(), core.GREEDY, seed=1)
    whole = selfplay(60_000, "greedy", seed=1)
    parts = [arrays_for(player.plies, 20_000) for _ in range(3)]
    threads = [
        threading.Thread(target=player.play, args=(20_000 * number, *part.values()))
        for number, part in enumerate(parts)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(joined[name], array, err_msg=name)


def test_rows_that_change_while_they_are_followed():
    # Another thread writes into the arrays: an answer or an error, and memory stays sound.
    player = core.SelfPlay(core.Rules())
    arrays = {name: array.copy() for name, array in selfplay(3000).arrays().items()}
    stop, rng = threading.Event(), np.random.default_rng(1)

    def meddle():
        while not stop.is_set():
            arrays["moves"][:] = rng.integers(-128, 128, arrays["moves"].shape, dtype=np.int8)
            arrays["caller"][:] = rng.integers(-128, 128, 3000, dtype=np.int8)
            arrays["hands"][0] = rng.integers(0, 2**63, 4, dtype=np.uint64)

    thread = threading.Thread(target=meddle)
    thread.start()
    rows = []
    for _ in range(300):
        try:
            player.follow(*arrays.values())
        except core.IllegalRow as error:
            rows.append(error.row)
    stop.set()
    thread.join()
    assert rows
    assert set(rows) <= set(range(3000))


def test_hands_and_errors_are_pickled():
    hands = selfplay(3, variant="double-sir")
    again = pickle.loads(pickle.dumps(hands))
    assert again.variant == hands.variant
    assert (again.moves == hands.moves).all()
    error = pickle.loads(pickle.dumps(core.IllegalRow(3, 5)))
    assert (error.row, error.ply, str(error)) == (3, 5, "row 3, ply 5: no legal move")
    assert str(core.IllegalRow(3)) == "row 3: no deal, or another trump"


def test_names_that_are_not_there():
    with pytest.raises(AttributeError):
        court_piece.selfplays  # noqa: B018
    assert {"selfplay", "Hands", "read_hands"} <= set(dir(court_piece))
