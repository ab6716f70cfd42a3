"""The whole game solved backwards: numbering, values, lane paths, threads, hostile arguments."""

import random
import subprocess
import sys
import threading
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mate
import matecore
import reference
from matecore import Position, Retrograde, Rules, Tablebase, lanes
from matecore.index import layers
from pairing import random_game, random_variants
from positions import all_hands, between_tricks, build, some_hands

SMALL = Rules([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [11, 10, 4] * 2)
BGA = mate.Variant.of("bga").rules
PRESETS = list(mate.PRESETS)


@pytest.fixture(scope="module", params=PRESETS)
def preset(request):
    """A preset and the first half of its tablebase, up to hands of four and five cards."""
    rules = mate.Variant.of(request.param).rules
    return rules, Tablebase(rules, build(rules, 4).buffer)


# --- The numbering ---


def test_counts_are_those_of_the_formula():
    found = layers(BGA)
    assert [layer.n_unions * layer.lanes for layer in found] == [
        comb(20, 2 * n) * comb(2 * n, n) for n in range(1, 11)
    ]
    assert sum(layer.n_unions * layer.lanes for layer in found) == 377_379_368


@pytest.mark.parametrize("seed", range(10))
def test_every_place_is_taken_once(seed):
    rules = random_variants(random.Random(seed))[0].rules
    table = Tablebase(rules, build(rules, 1).buffer)
    places = [
        table.place(leader, follower, layer.state)
        for layer in layers(rules)
        for leader, follower in all_hands(rules, layer)
    ]
    assert sorted(places) == list(range(len(table.buffer)))


def rank(cards):
    """The rank of a set of cards as its definition says."""
    return sum(comb(card, i) for i, card in enumerate(cards, 1))


def test_places_are_those_of_the_definition(preset):
    rules, table = preset
    rng = random.Random(1)
    for layer in layers(rules):
        for leader, follower in some_hands(rules, layer, rng, 50):
            union = [card for card in range(20) if (leader | follower) >> card & 1]
            held = [place for place, card in enumerate(union) if leader >> card & 1]
            expected = layer.offset + rank(union) * layer.lanes + rank(held)
            assert table.place(leader, follower, layer.state) == expected


def test_both_foreplaced_shares_the_plain_table_where_it_may():
    table = Tablebase(rules := mate.Variant.of("tempos").rules, build(rules, 1).buffer)
    assert table.place(0b0101, 0b1010, 3) == table.place(0b0101, 0b1010, 0)
    with pytest.raises(ValueError, match="no such position"):
        table.place(0x3FF, 0xFFC00, 3)


# --- Values ---


@pytest.mark.parametrize("seed", range(40))
def test_random_variants_completely(seed):
    rules = random_variants(random.Random(seed))[0].rules
    table, solver = build(rules).tablebase(), matecore.Solver(rules)
    for layer in layers(rules):
        hands = list(all_hands(rules, layer))
        if len(hands) > 3000:
            hands = random.Random(seed).sample(hands, 3000)
        for leader, follower in hands:
            position = between_tricks(rules, layer, leader, follower)
            if position is not None:
                assert table.probe(leader, follower, layer.state) == solver.value(position)


@pytest.mark.parametrize("seed", range(60))
def test_random_variants_against_the_reference(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    table = build(engine.rules).tablebase()
    for _ in range(4):
        game = random_game(engine, rng, rng.randint(0, 8))
        state = reference.read_position(str(game), slow)
        core = game.position._core
        assert table.value(core) == reference.value(state)
        values = reference.move_values(state)
        actions = table.values(core)
        assert {engine.action_names[action]: value for action, value in actions} == values


@pytest.mark.parametrize("name", PRESETS)
def test_the_last_trick_completely_against_the_reference(name):
    variant = mate.Variant.of(name)
    table = Tablebase(variant.rules, build(variant.rules, 1).buffer)
    for layer in layers(variant.rules):
        if layer.step == 1:
            for leader, follower in all_hands(variant.rules, layer):
                core = between_tricks(variant.rules, layer, leader, follower)
                text = str(mate.Position(core, variant))
                expected = reference.value(reference.read_position(text, name))
                assert table.probe(leader, follower, layer.state) == expected


def test_presets_in_their_last_tricks(preset):
    rules, table = preset
    solver, rng = matecore.Solver(rules), random.Random(2)
    for layer in layers(rules):
        if layer.step <= 4:
            for leader, follower in some_hands(rules, layer, rng, 300):
                position = between_tricks(rules, layer, leader, follower)
                assert table.probe(leader, follower, layer.state) == solver.value(position)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_presets_whole(name):
    variant = mate.Variant.of(name)
    table, solver = build(variant.rules).tablebase(), matecore.Solver(variant.rules)
    rng = random.Random(3)
    for layer in layers(variant.rules):
        for leader, follower in some_hands(variant.rules, layer, rng, 1000):
            position = between_tricks(variant.rules, layer, leader, follower)
            if position is not None:
                assert table.probe(leader, follower, layer.state) == solver.value(position)
    for _ in range(100):
        core = random_game(variant, rng, rng.randint(0, 22)).position._core
        assert table.value(core) == solver.value(core)
        assert table.values(core) == solver.values(core)


def test_copies_may_be_told_apart_in_any_way():
    rules = mate.Variant.of("double").rules
    table, rng = Tablebase(rules, build(rules, 4).buffer), random.Random(4)
    twins = [card for card in range(1, 20) if same_card(rules, card)]
    assert len(twins) == 4
    for layer in layers(rules):
        if layer.step > 4:
            continue
        for hands in some_hands(rules, layer, rng, 200):
            value = table.probe(*hands, layer.state)
            for card in twins:
                hands = tuple(with_copies_exchanged(hand, card) for hand in hands)
                assert table.probe(*hands, layer.state) == value


def same_card(rules, card):
    suits, ranks = rules.arguments[:2]
    return (suits[card], ranks[card]) == (suits[card - 1], ranks[card - 1])


def with_copies_exchanged(hand, card):
    upper, lower = hand >> card & 1, hand >> (card - 1) & 1
    return hand & ~(0b11 << (card - 1)) | lower << card | upper << (card - 1)


def test_margins_beyond_a_byte():
    # 18 cards, each with points of its own: more than 126 margins.
    points = [101 + 7 * i for i in range(18)]
    rules = Rules([i // 6 for i in range(18)], [i % 6 for i in range(18)], points)
    retrograde = build(rules, 5)
    table, solver, rng = (
        Tablebase(rules, retrograde.buffer),
        matecore.Solver(rules),
        random.Random(5),
    )
    assert table.width == 2
    assert len(table.margins) > 253
    for layer in layers(rules)[:5]:
        for leader, follower in some_hands(rules, layer, rng, 300):
            expected = solver.value(between_tricks(rules, layer, leader, follower))
            assert table.probe(leader, follower) == expected


def test_points_of_nothing():
    rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [0] * 4)
    table = build(rules).tablebase()
    assert table.margins == [0]
    assert not table.buffer.any()


# --- Lane paths ---


@pytest.fixture
def path(monkeypatch):
    return lambda name: monkeypatch.setenv("MATECORE_LANES", name)


@pytest.mark.parametrize("name", [*PRESETS, *range(30)])
def test_all_paths_give_the_same_bytes(name, path):
    if isinstance(name, int):
        rules, steps = random_variants(random.Random(name))[0].rules, None
    else:
        rules, steps = mate.Variant.of(name).rules, 4 if name.startswith("bga") else 3
    path("plain")
    expected = build(rules, steps)
    assert expected.lanes == "plain"
    for other in lanes.available():
        path(other)
        found = build(rules, steps)
        for layer in layers(rules):
            if steps is None or layer.step <= steps:
                part = slice(layer.offset, layer.offset + layer.n_unions * layer.lanes)
                assert np.array_equal(found.buffer[part], expected.buffer[part])


ELSEWHERE = sorted({"avx512", "avx2", "neon"} - set(lanes.available()))


@pytest.mark.parametrize("name", ["sse9", "AVX2", " plain", *ELSEWHERE])
def test_paths_that_do_not_run_here(name, path):
    path(name)
    for make in (Retrograde, matecore.Lattice):
        with pytest.raises(ValueError, match="the paths that run here are"):
            make(SMALL)


# --- Steps and threads ---


def test_steps_come_in_their_order():
    retrograde = Retrograde(SMALL)
    with pytest.raises(RuntimeError, match="step 1 is not finished"):
        retrograde.work(2)
    with pytest.raises(RuntimeError, match="step 1 is not finished"):
        retrograde.tablebase()
    for step in (0, -1, 4, 2**31 - 1):
        with pytest.raises(ValueError, match=r"not in 1\.\.3"):
            retrograde.work(step)
    total = 0
    for step in range(1, 4):
        done = sum(iter(lambda step=step: retrograde.work(step), 0))
        assert done == retrograde.positions(step)
        total += done
    assert total == len(retrograde.tablebase().buffer)


def test_threads_change_nothing():
    retrograde, alone = Retrograde(BGA), build(BGA, 4)

    def work(step):
        while retrograde.work(step):
            pass

    for step in range(1, 5):
        threads = [threading.Thread(target=work, args=(step,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    n = sum(retrograde.positions(step) for step in range(1, 5))
    assert np.array_equal(retrograde.buffer[:n], alone.buffer[:n])


# --- Look-up ---


def test_many_at_once_are_as_one_by_one(preset):
    rules, table = preset
    rng = random.Random(6)
    for state in sorted({layer.state for layer in layers(rules)}):
        hands = [
            pair
            for layer in layers(rules)
            if layer.state == state and layer.step <= 4
            for pair in some_hands(rules, layer, rng, 70)
        ]
        rng.shuffle(hands)
        pairs = np.array(hands, dtype=np.uint32)
        out = np.empty(len(hands), dtype=np.int16)
        table.probe_many(pairs[:, 0], pairs[:, 1], out, state)
        assert out.tolist() == [table.probe(*pair, state) for pair in hands]


def test_a_buffer_may_be_mapped_and_read_only(tmp_path):
    table = build(SMALL).tablebase()
    table.buffer.tofile(tmp_path / "codes")
    mapped = Tablebase(SMALL, np.memmap(tmp_path / "codes", dtype=np.int8, mode="r"))
    layer = layers(SMALL)[1]
    for leader, follower in all_hands(SMALL, layer):
        assert mapped.probe(leader, follower) == table.probe(leader, follower)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(-2, 9))
@settings(max_examples=300)
def test_hands_that_are_none_are_refused(leader, follower, state):
    table = Tablebase(SMALL, np.zeros(sum(n.n_unions * n.lanes for n in layers(SMALL)), np.int8))
    sizes = leader.bit_count(), follower.bit_count()
    known = state == 0 and sizes[0] == sizes[1] in (1, 2, 3)
    if known and not leader & follower and (leader | follower) < 64:
        assert table.probe(leader, follower, state) == 0
        return
    with pytest.raises(ValueError, match=r"no such position|not in 0\.\.7"):
        table.probe(leader, follower, state)
    with pytest.raises(ValueError, match=r"no such position|not in 0\.\.7"):
        table.probe_many(
            np.array([1, leader], np.uint32), np.array([2, follower], np.uint32),
            np.empty(2, np.int16), state,
        )  # fmt: skip


def test_hostile_arrays():
    table = build(SMALL).tablebase()
    good, out = np.array([1], np.uint32), np.empty(1, np.int16)
    bad = [
        (good, good[:0], out), (good, good, out[:0]), (good.astype(np.int64), good, out),
        (good, good, out.astype(np.int32)), (good.reshape(1, 1), good, out), (None, good, out),
        (good, good, None), ([1], good, out), (good, good, b"ab"),
    ]  # fmt: skip
    for arguments in bad:
        with pytest.raises((ValueError, TypeError, BufferError)):
            table.probe_many(*arguments)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        table.probe_many(good, good + 1, out)


def test_hostile_buffers():
    size = len(build(SMALL).buffer)
    bad = [
        np.zeros(size - 1, np.int8), np.zeros(size + 1, np.int8), np.zeros(size, np.uint8),
        np.zeros(size, np.int16), np.zeros(2 * size, np.int8)[::2], np.zeros((size, 1), np.int8),
        bytes(size), [0] * size, None, 5,
    ]  # fmt: skip
    for buffer in bad:
        with pytest.raises((ValueError, TypeError)):
            Tablebase(SMALL, buffer)


def test_codes_that_are_none_are_damage():
    size = len(build(SMALL).buffer)
    for code in (127, -128, 100):
        with pytest.raises(matecore.DamagedTable):
            Tablebase(SMALL, np.full(size, code, np.int8)).probe(1, 2)


def test_large_decks_are_refused_with_what_they_need():
    rules = mate.Variant.of("capellen,deck=double24").rules
    need = sum(layer.n_unions * layer.lanes for layer in layers(rules))
    for make in (Retrograde, lambda rules: Tablebase(rules, np.zeros(1, np.int8))):
        with pytest.raises(ValueError, match=f"24 cards has {need:,} positions"):
            make(rules)


OUTSIDE = """
# cython: language_level=3
from matecore.tablebase cimport NO_MARGIN, Tablebase, margin_between

def all_pairs(Tablebase table):
    cdef int leader, follower, margin
    cdef long total = 0, known = 0
    with nogil:
        for leader in range(64):
            for follower in range(64):
                margin = margin_between(&table.c, leader, follower, 0)
                if margin != NO_MARGIN:
                    known += 1
                    total += margin * leader
    return known, total
"""


def test_look_up_can_be_cimported_from_outside(tmp_path):
    (tmp_path / "outside_table.pyx").write_text(OUTSIDE)
    (tmp_path / "setup.py").write_text(
        "from Cython.Build import cythonize\n"
        "from setuptools import Extension, setup\n"
        "modules = cythonize([Extension('outside_table', ['outside_table.pyx'])])\n"
        "setup(name='outside_table', ext_modules=modules)\n"
    )
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    sys.path.insert(0, str(tmp_path))
    try:
        import outside_table
    finally:
        sys.path.remove(str(tmp_path))
    table = build(SMALL).tablebase()
    hands = [pair for layer in layers(SMALL) for pair in all_hands(SMALL, layer)]
    total = sum(leader * table.probe(leader, follower) for leader, follower in hands)
    assert outside_table.all_pairs(table) == (len(hands), total)


def test_positions_of_another_variant():
    table = build(SMALL).tablebase()
    for query in (table.value, table.values):
        with pytest.raises(ValueError, match="another variant"):
            query(Position(BGA, 0x3FF, 0xFFC00))
        with pytest.raises(TypeError):
            query(None)


def test_objects_cannot_be_made_without_their_arguments():
    for kind in (Retrograde, Tablebase, matecore.Lattice):
        for arguments in ((), (None,), (5,), (SMALL, 1, 2)):
            with pytest.raises((TypeError, ValueError)):
                kind(*arguments)
