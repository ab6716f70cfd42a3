"""Tablebases as people use them: built, saved, opened, looked up, and damaged in every way."""

import errno
import json
import os
import pickle
import random
import signal
import struct
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mate
import matecore
from mate import tablefile
from mate.tablebase import _build, default_path, size_of
from pairing import random_deal, random_game, random_variants

DATA = Path(__file__).with_name("data")
SMALL = mate.Variant(
    deck=mate.Deck("abc", "WXYZ", ("WXYZ",) * 3, (9, 7, 5, 3)),
    foreplace=mate.Foreplacing("capellen", last_card_twice=True),
    free_move=True,
    name="small",
)


@pytest.fixture(scope="module")
def small():
    return mate.Tablebase.build(SMALL)


@pytest.fixture
def path(small, tmp_path):
    (tmp_path / "deep").mkdir()
    return small.save(tmp_path / "deep" / "small.mtb")


def sample(variant, seed, plies=30):
    return random_game(variant, random.Random(seed), seed % plies)


# --- Values ---


@pytest.mark.parametrize("seed", range(40))
def test_random_variants_agree_with_the_search(seed):
    engine, _ = random_variants(random.Random(seed))
    tablebase, solver = mate.Tablebase.build(engine, threads=2), matecore.Solver(engine.rules)
    for n in range(30):
        game = sample(engine, 31 * seed + n, 9)
        assert tablebase.probe(game) == solver.value(game.core)
        found = mate.analyze(game, tablebase=tablebase)
        searched = mate.analyze(game, solver=solver)
        assert found.source == "tablebase"
        assert searched.source == "search"
        assert found.nodes == 0
        same = ("variant", "position", "to_move", "value", "best", "outcome", "moves")
        assert [getattr(found, name) for name in same] == [getattr(searched, name) for name in same]
        assert dict(tablebase.values(game)) == {move.move: move.value for move in searched.moves}
        values = dict(tablebase.values(game))
        best = [move for move in game.legal_moves if values[move] == found.value]
        assert tablebase.best_moves(game) == best


def test_solve_is_the_search(small):
    rng = random.Random(3)
    deals = [random_deal(SMALL, rng) for _ in range(200)]
    assert (small.solve(deals) == mate.solve(deals, SMALL)).all()


def test_probe_many_is_probe(small):
    positions = []
    for seed in range(300):
        game = sample(SMALL, seed, 16)
        if game.led is None and not game.is_over and "?" not in game.foreplaced:
            positions.append(game)
    states = {(g.foreplaced[g.leader == "y"] != "-", g.foreplaced[g.leader == "x"] != "-", g.free)
              for g in positions}  # fmt: skip
    assert len(states) > 4
    for state in states:
        games = [
            game for game in positions
            if (game.foreplaced[game.leader == "y"] != "-",
                game.foreplaced[game.leader == "x"] != "-", game.free) == state
        ]  # fmt: skip
        leaders = np.array([(g.x if g.leader == "x" else g.y).mask for g in games], np.uint32)
        followers = np.array([(g.y if g.leader == "x" else g.x).mask for g in games], np.uint32)
        found = small.probe_many(leaders, followers, *state)
        assert found.dtype == np.int16
        # On the last trick the sole foreplacer's card is played again: no table tells that trick.
        assert found.tolist() == [small.probe(game) for game in games]


@pytest.mark.parametrize(
    "arrays",
    [
        (np.zeros(2, np.uint32), np.zeros(3, np.uint32)),
        (np.zeros(2, np.int32), np.zeros(2, np.int32)),
        (np.zeros((2, 2), np.uint32), np.zeros((2, 2), np.uint32)),
        (np.full(2, 3, np.uint32), np.full(2, 3, np.uint32)),
        (np.full(1, 1 << 31, np.uint32), np.full(1, 1, np.uint32)),
        (None, None),
        ([1], [2]),
    ],
    ids=range(7),
)
def test_arrays_that_are_no_positions(small, arrays):
    with pytest.raises(mate.MateError):
        small.probe_many(*arrays)


def test_stats_count_every_position(small):
    layers = small.stats()
    assert sum(layer.positions for layer in layers) == len(small.core.buffer) == size_of(SMALL)
    for layer in layers:
        assert layer.positions == layer.wins + layer.draws + layer.losses
        assert layer.lowest <= layer.mean <= layer.highest
    last = layers[0]
    assert (last.leader_cards, last.follower_cards) == (1, 1)


def test_a_tablebase_serves_every_variant_that_is_played_alike(small):
    game = mate.Game(random_deal(SMALL, random.Random(1)), replace(SMALL, rounds=7, name="other"))
    assert small.probe(game) == mate.analyze(game).value
    foreign = mate.Game("AQ7.A7.TK7.AT")
    for ask in (small.probe, small.values, small.best_moves):
        with pytest.raises(mate.MateError, match="the tablebase is of small"):
            ask(foreign)
    with pytest.raises(mate.MateError, match="the tablebase is of small"):
        mate.analyze(foreign, tablebase=small)
    with pytest.raises(mate.MateError):
        small.probe("AQ7.A7.TK7.AT")


def test_decks_too_large_are_refused_with_their_size():
    with pytest.raises(mate.VariantError, match=r"24 cards has [\d,]+ positions") as caught:
        mate.Tablebase.build("capellen,deck=double24")
    assert caught.value.field == "deck"
    assert size_of("capellen,deck=double24") > 40e9


# --- Building ---


def test_progress_of_a_build():
    seen = []
    variant = mate.Variant(deck=mate.Deck("abcd", "WXYZ", ("WXYZ",) * 4, (9, 7, 5, 3)))
    mate.Tablebase.build(variant, progress=seen.append)
    assert (seen[-1].step, seen[-1].done) == (8, seen[-1].total)
    assert seen[-1].total == size_of(variant)
    assert [p.done for p in seen] == sorted(p.done for p in seen)


def test_an_interrupted_build_ends_at_once():
    sent = []

    def interrupt(progress):
        if not sent:
            sent.append(time.perf_counter())
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        mate.Tablebase.build("bga", progress=interrupt)
    assert time.perf_counter() - sent[0] < 1
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [0, -1, 257, "2"])
def test_bad_threads(threads):
    with pytest.raises(mate.MateError, match="threads"):
        mate.Tablebase.build(SMALL, threads=threads)


# --- Files ---


def test_a_saved_tablebase_is_the_same(small, path):
    opened = mate.Tablebase.open(path)
    assert opened.variant == SMALL
    assert opened.variant.name == "small"
    assert (opened.core.buffer == small.core.buffer).all()
    assert not opened.core.buffer.flags.writeable
    for seed in range(100):
        game = sample(SMALL, seed, 16)
        assert opened.probe(game) == small.probe(game)
    opened.verify(samples=200)
    assert os.listdir(path.parent) == [path.name]


def test_another_process_opens_the_same_file(small, path):
    opened = mate.Tablebase.open(path)
    twin = pickle.loads(pickle.dumps(opened))
    assert (twin.path, twin.variant) == (path, SMALL)
    with pytest.raises(mate.MateError, match="save it"):
        pickle.dumps(small)


def test_two_bytes_a_code(tmp_path):
    ranks = "ABCDEFGH"
    rows = tuple(tuple(range(first, first + 8)) for first in (1, 11, 23, 37))
    deck = mate.Deck("xy", ranks, (ranks, ranks), tuple(range(101, 733, 79)))
    tablebase = mate.Tablebase.build(mate.Variant(deck=deck, foreplace=mate.Foreplacing(rows)))
    assert tablebase.core.width == 2
    opened = mate.Tablebase.open(tablebase.save(tmp_path / "wide.mtb"))
    opened.verify(samples=300)
    assert opened.stats() == tablebase.stats()


def test_the_layout_of_a_file(small, path):
    data = path.read_bytes()
    assert data[:8] == b"\x89MTB\r\n\x1a\n"
    version, length = struct.unpack_from("<II", data, 8)
    assert version == 1
    header = json.loads(data[48 : 48 + length])
    assert header["positions"] == len(small.core.buffer)
    codes = small.core.buffer.tobytes()
    assert data.endswith(codes)
    assert (len(data) - len(codes)) % 4096 == 0


def test_variants_survive_as_plain_data():
    for variant in [*mate.PRESETS.values(), SMALL]:
        plain = json.loads(json.dumps(variant.to_plain()))
        assert mate.Variant.from_plain(plain) == variant
    for seed in range(50):
        engine, _ = random_variants(random.Random(seed))
        assert mate.Variant.from_plain(json.loads(json.dumps(engine.to_plain()))) == engine


def test_plain_data_may_name_a_deck_and_a_way_of_foreplacing():
    plain = {"deck": "double", "foreplace": "capellen"}
    assert mate.Variant.from_plain(plain) == mate.PRESETS["double"]
    assert mate.Variant.from_plain({}) == mate.PRESETS["bga"]
    assert mate.Variant.from_plain({"target": 200}).rounds is None


@pytest.mark.parametrize(
    "plain",
    [
        None, [], 5, {"deck": 5}, {"deck": {}, "x": 1}, {"deck": {"suits": "ab"}}, {"rounds": "2"},
        {"foreplace": {"rule": 1}}, {"foreplace": "bga"}, {"deck": "tarot"}, {"privileged": 5},
        {"privileged": [5]}, {"privileged": [[1]]}, {"name": {"a": 1}}, {"name": None},
        {"deck": {"suits": "ab", "ranks": "XY", "slots": 5, "points": [1, 2]}},
    ],
)  # fmt: skip
def test_plain_data_that_is_no_variant(plain):
    with pytest.raises(mate.VariantError):
        mate.Variant.from_plain(plain)


def test_the_default_place(monkeypatch, tmp_path, small):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert default_path("bga").parent == tmp_path / "matecore" / "tablebases"
        assert small.save() == default_path(SMALL)
        assert mate.Tablebase.open(default_path(SMALL)).variant == SMALL
    assert default_path("bga") == default_path("abril")
    assert default_path("bga") != default_path("bga-king")


# --- Damage ---


def answers_or_clean_error(path, expected):
    """Ask a file that may be damaged; return whether it was refused."""
    try:
        opened = mate.Tablebase.open(path)
        answers = [opened.probe(game) for game, _ in expected]
    except mate.TablebaseError as error:
        return error.path == str(path) and str(path) in str(error)
    assert answers == [value for _, value in expected]
    return False


def test_files_cut_off_anywhere(small, path, tmp_path):
    data = path.read_bytes()
    rng = random.Random(1)
    cut = tmp_path / "cut.mtb"
    for size in [0, 1, 7, 8, 15, 47, 48, 4096, len(data) - 1, *rng.sample(range(len(data)), 100)]:
        cut.write_bytes(data[:size])
        with pytest.raises(mate.TablebaseError, match=r"cut off|no tablebase|damaged"):
            mate.Tablebase.open(cut)
    cut.write_bytes(data + b"x")
    with pytest.raises(mate.TablebaseError, match="too long"):
        mate.Tablebase.open(cut)


def test_bits_flipped_anywhere(small, path, tmp_path):
    """Always a clean error or a correct answer."""
    data = path.read_bytes()
    rng = random.Random(2)
    games = [sample(SMALL, seed, 16) for seed in range(400)]
    expected = [(game, small.probe(game)) for game in games]
    damaged, refused = tmp_path / "damaged.mtb", 0
    places = [*range(0, 60), *rng.sample(range(len(data)), 240)]
    for place in places:
        mangled = bytearray(data)
        mangled[place] ^= 1 << rng.randrange(8)
        damaged.write_bytes(mangled)
        refused += answers_or_clean_error(damaged, expected)
    assert refused > 150
    damaged.write_bytes(data[:-1] + bytes([data[-1] ^ 4]))
    opened = mate.Tablebase.open(damaged)
    with pytest.raises(mate.TablebaseError, match="damaged"):
        opened.verify(samples=0)


def test_a_damaged_block_is_refused_for_good(path):
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([byte ^ 1]))
    opened = mate.Tablebase.open(path)
    for _ in range(2):
        with pytest.raises(mate.TablebaseError, match="block"):
            opened.stats()
    with pytest.raises(mate.TablebaseError, match="block"):
        opened.probe(sample(SMALL, 1, 1))


def test_wrong_values_are_found(small):
    """A table whose checksums are right and whose values are not."""
    codes = np.roll(small.core.buffer, 1)
    table = mate.Tablebase(matecore.Tablebase(SMALL.rules, codes), SMALL)
    with pytest.raises(mate.TablebaseError, match="the table says"):
        table.verify(samples=100)


def test_foreign_and_newer_files(path, tmp_path):
    foreign = tmp_path / "foreign"
    for content in (b"PK\x03\x04 zip", b"ATK.Q7.A.TKQ7\n", os.urandom(100_000)):
        foreign.write_bytes(content)
        with pytest.raises(mate.TablebaseError, match="no tablebase"):
            mate.Tablebase.open(foreign)
    data = bytearray(path.read_bytes())
    data[8] = 2
    foreign.write_bytes(data)
    with pytest.raises(mate.TablebaseError, match="format version 2; this program reads version 1"):
        mate.Tablebase.open(foreign)
    for missing in (tmp_path / "missing", tmp_path):
        with pytest.raises(mate.TablebaseError):
            mate.Tablebase.open(missing)


def with_header(path, **changes):
    """Rewrite the header of a file, its digest right."""
    import hashlib

    data = path.read_bytes()
    _, length = struct.unpack_from("<II", data, 8)
    header = {**json.loads(data[48 : 48 + length]), **changes}
    text = json.dumps(header).encode().ljust(length)
    prefix = tablefile.PREFIX.pack(tablefile.MAGIC, 1, len(text), hashlib.sha256(text).digest())
    path.write_bytes(prefix + text + data[48 + length :])


@pytest.mark.parametrize(
    "changes",
    [
        {"positions": -1}, {"positions": 10**18}, {"positions": "x"}, {"positions": None},
        {"positions": 0}, {"width": 3}, {"width": "1"}, {"block": 1}, {"variant": None},
        {"variant": {}}, {"variant": {"deck": 1}}, {"checksums": 5}, {"checksums": "00"},
        {"width": 1.0}, {"width": True}, {"layers": []}, {"margins": [0]}, {"layers": None},
    ],
    ids=str,
)  # fmt: skip
def test_headers_that_lie(path, changes):
    with_header(path, **changes)
    with pytest.raises(mate.TablebaseError):
        mate.Tablebase.open(path)


@pytest.mark.parametrize("text", [b"[]", b"5", b"{", b"\xff", b"[" * 5000, b"null", b'"x"'])
def test_headers_that_are_no_objects(path, text):
    import hashlib

    digest = hashlib.sha256(text).digest()
    prefix = tablefile.PREFIX.pack(tablefile.MAGIC, 1, len(text), digest)
    path.write_bytes(prefix + text + bytes(10_000))
    with pytest.raises(mate.TablebaseError, match="layout"):
        mate.Tablebase.open(path)


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", 0xEF46DB3751D8E999), (b"a", 0xD24EC4F1A98C6E5B), (b"abc", 0x44BC2CF5AD770999)],
)
def test_checksums_are_xxh64(data, expected):
    assert matecore.tablebase.checksum_of_bytes(data) == expected


def test_few_flipped_bits_never_leave_a_checksum_as_it_was():
    """Also where they would cancel in a simpler sum: the top bits of neighbouring words."""
    rng = random.Random(4)
    data = bytearray(rng.randbytes(256))
    original = bytes(data)
    before = matecore.tablebase.checksum_of_bytes(original)
    for _ in range(20_000):
        flips = [
            (rng.randrange(256), rng.choice([1, 128, 1 << rng.randrange(8)])) for _ in range(3)
        ]
        for place, bits in flips:
            data[place] ^= bits
        same = bytes(data) == original
        assert (matecore.tablebase.checksum_of_bytes(bytes(data)) == before) == same
        for place, bits in flips:
            data[place] ^= bits


def test_verify_looks_again_at_what_was_sound(path):
    opened = mate.Tablebase.open(path)
    opened.stats()
    last = bytes(code ^ 0x55 for code in path.read_bytes()[-3:])
    with open(path, "r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(last)
    for ask in (lambda: opened.verify(samples=0), lambda: opened.save(path)):
        with pytest.raises(mate.TablebaseError, match="damaged"):
            ask()


def test_a_part_that_another_process_writes_is_left_alone(small, path):
    young, old = (path.with_name(f"{path.name}.0000000{n}.part") for n in (1, 2))
    foreign = path.with_name("x" + path.name + ".00000001.part")
    for part in (young, old, foreign):
        part.write_bytes(b"")
    for part in (old, foreign):
        os.utime(part, (0, 0))
    small.save(path)
    assert sorted(os.listdir(path.parent)) == sorted({path.name, young.name, foreign.name})


def test_many_may_save_to_one_name(small, path):
    failed = []

    def save():
        for _ in range(10):
            try:
                small.save(path)
            except mate.TablebaseError as error:
                failed.append(error)

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert os.listdir(path.parent) == [path.name]
    mate.Tablebase.open(path).verify(samples=10)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", None, 3, [], b"\xff\0"])
def test_names_that_are_none(small, name):
    with pytest.raises(mate.MateError):
        mate.Tablebase.open(name)
    if name is not None:
        with pytest.raises(mate.MateError):
            small.save(name)


def test_an_error_in_a_thread_is_not_lost(monkeypatch):
    class Broken:
        n_steps = 1

        def positions(self, step):
            return 1

        def work(self, step):
            raise MemoryError("no memory for the lanes of a union")

    with pytest.raises(MemoryError):
        _build(Broken(), 2, print)


def test_the_free_move_is_there_unless_told(small):
    game = mate.Game.from_position("WX..Y/YZ..X x - 4 -/- +", SMALL)
    arrays = [np.array([hand.mask], np.uint32) for hand in (game.x, game.y)]
    assert small.probe_many(*arrays).tolist() == small.probe_many(*arrays, free=True).tolist()
    assert small.probe_many(*arrays).tolist() == [small.probe(game)]


def test_codes_that_are_none():
    codes = np.full(size_of(SMALL), 100, np.int8)
    table = mate.Tablebase(matecore.Tablebase(SMALL.rules, codes), SMALL)
    for ask in (lambda: table.probe(sample(SMALL, 1, 1)), table.stats):
        with pytest.raises(mate.TablebaseError):
            ask()


def test_the_golden_file():
    """A file of format version 1 as it was first written: what it says stays what it said."""
    golden = DATA / "golden.mtb"
    opened = mate.Tablebase.open(golden)
    expected = json.loads((DATA / "golden.json").read_text())
    variant = opened.variant
    assert variant == mate.Variant.from_plain(expected["variant"])
    for text, value in expected["values"].items():
        position = mate.Position.parse(text, variant)
        assert opened.probe(position) == value == mate.analyze(position).value
    assert mate.Tablebase.build(variant).core.checksums().tolist() == expected["checksums"]


@pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
def test_a_disk_that_fills_up_in_mid_file(tmp_path):
    script = (
        "import resource, signal, sys, mate\n"
        "variant = mate.Variant(deck=mate.Deck('abcd', 'WXYZ', ('WXYZ',) * 4, (9, 7, 5, 3)))\n"
        "tablebase = mate.Tablebase.build(variant)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n    tablebase.save(sys.argv[1])\n"
        "except mate.TablebaseError as error:\n    print(error)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "x.mtb")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "File too large" in done.stdout
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_nothing_behind(small, tmp_path, monkeypatch):
    real = os.fsync

    def full(descriptor):
        real(descriptor)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(mate.TablebaseError, match="No space left"):
        small.save(tmp_path / "small.mtb")
    assert os.listdir(tmp_path) == []
    old = tmp_path / "old.mtb"
    old.write_bytes(b"precious")
    with pytest.raises(mate.TablebaseError):
        small.save(old)
    assert old.read_bytes() == b"precious"


def test_a_place_that_cannot_be_written(small, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file" / "x.mtb", tmp_path):
        with pytest.raises(mate.TablebaseError):
            small.save(place)


SAVER = """
import sys, mate
variant = mate.Variant(deck=mate.Deck("abcd", "WXYZ", ("WXYZ",) * 4, (9, 7, 5, 3)))
tablebase = mate.Tablebase.build(variant)
print("go", flush=True)
while True:
    tablebase.save(sys.argv[1])
"""


@pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
def test_a_killed_save_leaves_a_whole_file_or_none(tmp_path):
    place, rng = tmp_path / "killed.mtb", random.Random(5)
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", SAVER, str(place)], stdout=subprocess.PIPE
        )
        assert process.stdout.readline() == b"go\n"
        time.sleep(rng.random() * 0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if place.exists():
            mate.Tablebase.open(place).verify(samples=20)
    for part in tmp_path.glob("*.part"):
        os.utime(part, (0, 0))
    mate.Tablebase.build(SMALL).save(place)
    assert os.listdir(tmp_path) == [place.name]


# --- A whole preset ---


@pytest.mark.slow
def test_the_plain_game_whole(tmp_path):
    tablebase = mate.Tablebase.build("bga")
    assert len(tablebase.core.buffer) == 377_379_368
    opened = mate.Tablebase.open(tablebase.save(tmp_path / "bga.mtb"))
    opened.verify(samples=3000)
    rng = np.random.default_rng(1)
    deals = [mate.Deal.random(rng) for _ in range(2000)]
    assert (opened.solve(deals) == mate.solve(deals)).all()


def test_lattice_is_the_search():
    rng = random.Random(9)
    for name in ("bga", "bga-free", "pieces", "double"):
        variant = mate.PRESETS[name]
        deal = random_deal(variant, rng)
        lattice = mate.Lattice(deal, variant)
        for _ in range(6):
            game = mate.Game(deal, variant, rng.choice("xy"))
            while not game.is_over:
                searched = mate.analyze(game) if len(game.moves) > 5 else None
                if searched:
                    assert lattice.probe(game) == searched.value
                    assert dict(lattice.values(game)) == {m.move: m.value for m in searched.moves}
                    assert searched.best == lattice.best_moves(game)[0]
                game.push(rng.choice(game.legal_moves))


def test_lattices_of_the_wrong_deal():
    lattice = mate.Lattice("AQ7.A7.TK7.AT")
    one_hand = [
        mate.Position.parse(text)
        for text in ("A.../...7 x - 10 -/- -", "...7/A... x - 10 -/- -", "K.../T... x - 10 -/- -")
    ]
    for game in (
        mate.Game("ATK.Q7.A.TKQ7"), mate.Game("AQ7.A7.TK7.AT", "bga-king"), *one_hand[1:], None, 5,
    ):  # fmt: skip
        with pytest.raises(mate.MateError):
            lattice.probe(game)
        with pytest.raises(mate.MateError):
            lattice.values(game)
    with pytest.raises(mate.VariantError):
        mate.Lattice(mate.Deal.random(1), "double")
    with pytest.raises(mate.MateError):
        mate.Lattice(None)
    ranks = "ABCDEFGH"
    deck = mate.Deck("abcd", ranks, (ranks,) * 4, tuple(range(8)))
    with pytest.raises(mate.VariantError, match="deck"):
        mate.Lattice(mate.Deal.random(1, deck), mate.Variant(deck=deck))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.mtb")
    with pytest.raises(mate.TablebaseError, match="no regular file"):
        mate.Tablebase.open(tmp_path / "pipe.mtb")
