"""Shards: what is written is what is played; damage is found; nothing finished is lost."""

import errno
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import make_golden_shard as golden
import mate
from mate.arrays import carrying, npyfile, npz, shardhead, workers
from mate.arrays.contents import GAMES
from mate.arrays.games import Games
from mate.arrays.places import Directory, Store
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.shardmaking import FORMATS, bytes_of_shard, make_shard
from mate.arrays.shardreading import read_games
from mate.arrays.shards import found_in, run_to, write_selfplay
from mate.arrays.workers import play_on
from mate.errors import MateError, ShardError

name_of = GAMES.name_of
POSIX = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems")
FORMS = [
    "npz",
    pytest.param(
        "parquet",
        marks=pytest.mark.skipif(not golden.has_pyarrow(), reason="pyarrow is not installed"),
    ),
]
each_form = pytest.mark.parametrize("form", FORMS)


def same(a: Games, b: Games) -> bool:
    mine, theirs = a.arrays(), b.arrays()
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[n], theirs[n]) for n in mine)


def joined(source) -> Games:
    return Games.concatenate(list(read_games(source)))


def files_in(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def reseal(head: dict) -> str:
    """What somebody would write who knows how heads are sealed."""
    head = {name: value for name, value in head.items() if name != "seal"}
    return shardhead._text({**head, "seal": shardhead._seal(head)})


# --- What is written -----------------------------------------------------------------------------


@each_form
@pytest.mark.parametrize("variant", ["bga", "capellen", "pieces", "double", "bga,deck=double24"])
@pytest.mark.parametrize("unit", ["game", "round"])
@pytest.mark.parametrize("labels", [False, True])
def test_what_is_read_is_what_is_played(form, variant, unit, labels, tmp_path):
    told = {"x": "greedy", "variant": variant, "seed": 3, "unit": unit, "labels": labels}
    count = 5 if labels else 1000
    written = write_selfplay(tmp_path, count, shard=3 if labels else 300, format=form, **told)
    played = mate.selfplay(count, **told)
    assert same(joined(tmp_path), played)
    assert written.tally.games == len(played)
    assert written.tally.moves == (played.moves >= 0).sum()
    assert written.tally.x_wins == (played.result > 0).sum()
    assert written.tally.y_wins == (played.result < 0).sum()
    assert written.tally.draws == (played.result == 0).sum()
    assert written.tally.margin == played.result.sum()
    assert written.bytes == sum(map(len, files_in(tmp_path).values()))


@each_form
def test_names_sort_and_shards_are_full_but_the_last(form, tmp_path):
    write_selfplay(tmp_path, 11, shard=2, format=form)
    names = sorted(os.listdir(tmp_path))
    assert names == [f"games-{number:08}.{form}" for number in range(6)]
    assert [len(next(read_games(tmp_path / name))) for name in names] == [2] * 5 + [1]


@each_form
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_threads_writes_the_same_bytes(form, threads, tmp_path):
    write_selfplay(tmp_path / "one", 5000, seed=9, shard=700, format=form, threads=1)
    write_selfplay(tmp_path / "more", 5000, seed=9, shard=700, format=form, threads=threads)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "more")


@each_form
def test_a_shard_depends_on_its_number_and_not_on_the_count(form, tmp_path):
    write_selfplay(tmp_path / "short", 400, shard=200, format=form)
    write_selfplay(tmp_path / "long", 1000, shard=200, format=form)
    short, long = files_in(tmp_path / "short"), files_in(tmp_path / "long")
    assert short.items() < long.items()
    # So a run is made longer by asking for more.
    written = write_selfplay(tmp_path / "short", 1000, shard=200, format=form)
    assert written.kept == 2
    assert files_in(tmp_path / "short") == long


def test_given_deals_are_told_by_their_digest(tmp_path):
    deals = np.array([[0b1111111111 << 10, 0b1111111111]], np.uint32)
    write_selfplay(tmp_path, 4, deals=deals, format="npz")
    assert (joined(tmp_path).deal == deals).all()
    with pytest.raises(ShardError, match="deals"):
        write_selfplay(tmp_path, 4, deals=deals[:, ::-1], format="npz")
    with pytest.raises(ShardError, match="deals"):
        write_selfplay(tmp_path, 4, format="npz")


def test_numpy_reads_npz_as_it_is(tmp_path):
    write_selfplay(tmp_path, 100, seed=4, format="npz")
    with np.load(tmp_path / name_of(0, "npz"), allow_pickle=False) as file:
        head = json.loads(str(file["mate"]))
        assert np.array_equal(file["moves"], mate.selfplay(100, seed=4).moves)
        assert sorted(file) == ["deal", "leader", "mate", "moves", "result"]
    assert (head["seed"], head["first"], head["count"], head["version"]) == (4, 0, 100, 1)
    assert mate.Variant.from_plain(head["variant"]) == mate.PRESETS["bga"]


def checked(run: Path, read):
    """The columns that a program reads from a run of labelled games, against the games."""
    played = mate.selfplay(30, "greedy", labels=True, seed=2, first=0)
    write_selfplay(run, 30, "greedy", labels=True, seed=2, shard=10)
    columns = read(str(run / "games-*.parquet"))
    assert list(columns["game"]) == list(range(30))
    assert list(columns["x"]) == played.deal[:, 0].tolist()
    assert list(columns["y"]) == played.deal[:, 1].tolist()
    assert list(columns["leader"]) == played.leader.tolist()
    assert list(columns["result"]) == played.result.tolist()
    moves = np.frombuffer(b"".join(columns["moves"]), np.int8).reshape(-1, 20)
    assert np.array_equal(moves, played.moves)
    assert np.array_equal(np.array([list(row) for row in columns["value"]]), played.value)
    best = np.array([list(row) for row in columns["best"]], np.uint64)
    assert np.array_equal(best, played.best)


def test_polars_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    checked(tmp_path, lambda glob: polars.read_parquet(glob).to_dict(as_series=False))
    # As the documentation tells it.
    moves = polars.read_parquet(tmp_path)["moves"]
    rows = moves.bin.reinterpret(dtype=polars.Array(polars.Int8, 20)).to_numpy()
    assert np.array_equal(rows, joined(tmp_path).moves)


def test_duckdb_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")

    def read(glob):
        rows = duckdb.sql(f"select * from '{glob}' order by game")
        return dict(zip(rows.columns, zip(*rows.fetchall(), strict=True), strict=True))

    checked(tmp_path, read)
    # As the documentation tells it.
    first = "('0x' || hex(moves)[1:2])::int"
    played = joined(tmp_path)
    found = duckdb.sql(f"select {first} from '{tmp_path}/games-*.parquet' order by game").fetchall()
    assert [card for (card,) in found] == played.moves[:, 0].tolist()


def test_pandas_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    checked(tmp_path, lambda glob: pandas.read_parquet(Path(glob).parent))


@pytest.mark.parametrize("name", golden.RUNS)
@each_form
def test_golden_shards(name, form):
    told = json.loads(golden.TOLD.read_text())
    kept = golden.path_of(name, form).read_bytes()
    head, games = FORMATS[form].read(GAMES, kept, "golden")
    plan = SelfPlay.of(**golden.RUNS[name])
    assert same(games, plan.play(golden.COUNTS[name], golden.COUNTS[name]))
    assert head["first"] == head["count"] == golden.COUNTS[name]
    if form == "parquet":
        import pyarrow
        import pyarrow.parquet as pq

        made = pq.read_schema(io.BytesIO(golden.shard(name, form))).remove_metadata()
        assert str(made).splitlines() == told["schemas"][name]
        if pyarrow.__version__ != told["pyarrow"]:
            return
    assert golden.shard(name, form) == kept


# --- Damage --------------------------------------------------------------------------------------


def tiny(form: str, labels: bool = False):
    pytest.importorskip("fsspec")
    run = run_to(Store(f"memory://damage/{form}"), SelfPlay.of(seed=8, labels=labels), 3, 3, form)
    return run, bytes_of_shard(run, 0, run.carried.plan.play(0, 3))


@each_form
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_every_byte_that_is_changed_is_found_and_made_again(form, step):
    run, data = tiny(form)
    name = name_of(0, form)
    for at in range(0, len(data), step):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        run.place.write(name, bytes(damaged))
        assert found_in(run) == {0}, at  # and it is not taken for another run's
        assert not make_shard(run, (0, True)).kept, at
        assert run.place.read(name) == data
    assert make_shard(run, (0, True)).kept


@each_form
def test_metadata_that_are_changed_are_told(form):
    _, data = tiny(form)
    text = '"seed":8' if form == "parquet" else '"seed":8'.encode("utf-32-le").decode("latin-1")
    damaged = data.replace(text.encode("latin-1"), text.replace("8", "9").encode("latin-1"))
    assert damaged != data
    with pytest.raises(ShardError, match=r"metadata are damaged|cannot be read"):
        FORMATS[form].read(GAMES, damaged, "")


@each_form
@pytest.mark.parametrize("labels", [False, True])
def test_a_reader_never_takes_damage_for_games(form, labels):
    run, data = tiny(form, labels)
    sound, told = run.carried.plan.play(0, 3), []
    for at in range(0, len(data), 3):
        damaged = bytearray(data)
        damaged[at] ^= 0xFF
        try:
            _, games = FORMATS[form].read(GAMES, bytes(damaged), "damaged")
        except ShardError as error:
            told.append(str(error))
        else:
            assert same(games, sound), at  # what was changed tells nothing
    assert len(told) > len(data) / 12
    assert all(text.startswith("damaged: ") and text.isprintable() for text in told)


@each_form
def test_a_shard_that_is_cut_short_is_made_again(form, tmp_path):
    write_selfplay(tmp_path, 30, shard=10, format=form)
    whole = files_in(tmp_path)
    for size in (0, 1, 100, len(whole[name_of(1, form)]) - 1):
        (tmp_path / name_of(1, form)).write_bytes(whole[name_of(1, form)][:size])
        (tmp_path / name_of(0, form)).unlink()
        with pytest.raises(ShardError, match="games-00000001"):
            joined(tmp_path)
        assert write_selfplay(tmp_path, 30, shard=10, format=form).kept == 1
        assert files_in(tmp_path) == whole


@each_form
def test_games_of_another_seed_under_right_metadata_are_made_again(form, tmp_path):
    run = run_to(Directory(tmp_path), SelfPlay.of(seed=1), 10, 10, form)
    other = SelfPlay.of(seed=2).play(0, 10)
    other = replace(other, moves=np.full_like(other.moves, -1))
    (tmp_path / name_of(0, form)).write_bytes(bytes_of_shard(run, 0, other))
    assert write_selfplay(tmp_path, 10, seed=1, shard=10, format=form).kept == 0


# --- Other runs ----------------------------------------------------------------------------------

OTHERS = [
    {"x": "greedy"}, {"y": "greedy"}, {"variant": "bga-king"}, {"seed": 2}, {"unit": "round"},
    {"leader": "x"}, {"deals": ["ATK.Q7.A.TKQ7"]}, {"labels": True}, {"shard": 11}, {"count": 25},
]  # fmt: skip


@each_form
@pytest.mark.parametrize("other", OTHERS, ids=lambda other: next(iter(other)))
def test_another_run_is_refused_before_anything_is_written(form, other, tmp_path):
    told = {"count": 30, "seed": 1, "shard": 10, "format": form}
    write_selfplay(tmp_path, **told)
    (tmp_path / name_of(0, form)).unlink()  # there would be something to write
    before = files_in(tmp_path)
    with pytest.raises(ShardError, match=r"games-0000000.*of another run: ") as caught:
        write_selfplay(tmp_path, **{**told, **other})
    assert next(iter(other)).replace("shard", "count") in str(caught.value)
    assert files_in(tmp_path) == before


def test_a_run_in_the_other_format_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    write_selfplay(tmp_path, 10, format="npz")
    with pytest.raises(ShardError, match="its format is npz"):
        write_selfplay(tmp_path, 10)


def test_a_run_made_by_another_pyarrow_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    here = pyarrow.__version__
    monkeypatch.setattr(pyarrow, "__version__", "99.0.1")
    write_selfplay(tmp_path, 30, seed=1, shard=10)
    run = run_to(Directory(tmp_path), SelfPlay.of(seed=1), 30, 10, "parquet")
    monkeypatch.undo()
    (tmp_path / name_of(1, "parquet")).unlink()
    before = files_in(tmp_path)
    with pytest.raises(ShardError, match=rf"pyarrow '99\.0\.1', not '{here}'"):
        write_selfplay(tmp_path, 30, seed=1, shard=10)
    with pytest.raises(MateError, match=rf"pyarrow {here} here, in the run 99\.0\.1"):
        make_shard(run, (1, False))  # as a worker would
    assert files_in(tmp_path) == before
    assert same(next(read_games(tmp_path)), mate.selfplay(10, seed=1))  # to read is another matter


def test_shards_beyond_the_end_are_refused(tmp_path):
    write_selfplay(tmp_path, 30, shard=10, format="npz")
    with pytest.raises(ShardError, match="this one ends with 2 of them"):
        write_selfplay(tmp_path, 20, shard=10, format="npz")


def test_other_files_are_let_be(tmp_path):
    (tmp_path / "README").write_text("mine")
    write_selfplay(tmp_path, 10, format="npz")
    assert (tmp_path / "README").read_text() == "mine"
    assert len(joined(tmp_path)) == 10


# --- Interruption --------------------------------------------------------------------------------

RUN = (
    "import sys; from mate.arrays.shards import write_selfplay\n"
    "write_selfplay(sys.argv[1], 40_000, seed=7, shard=500, format=sys.argv[2], threads=2)"
)


@POSIX
@each_form
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(form, tmp_path):
    wanted, run, rng = tmp_path / "wanted", tmp_path / "run", random.Random(form)
    write_selfplay(wanted, 40_000, seed=7, shard=500, format=form)
    killed = 0
    for _ in range(30):
        there = len(list(run.glob(f"games-*.{form}")))
        process = subprocess.Popen([sys.executable, "-c", RUN, str(run), form])
        deadline = time.monotonic() + 30
        # Once it has made at least one more, at any moment.
        while process.poll() is None and time.monotonic() < deadline:
            if len(list(run.glob(f"games-*.{form}"))) > there:
                time.sleep(rng.random() * 0.05)
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)
        killed += process.wait(timeout=30) == -signal.SIGKILL
        if killed == 4 or process.returncode == 0:
            break
    assert killed
    found = len(list(run.glob(f"games-*.{form}")))
    written = write_selfplay(run, 40_000, seed=7, shard=500, format=form)
    assert written.kept == found  # what has its name is whole
    assert written.shards == 80
    left = files_in(run)
    assert {name: data for name, data in left.items() if not name.endswith(".part")} == files_in(
        wanted
    )


def test_an_interruption_leaves_whole_shards(tmp_path):
    def interrupt(done, total):
        if len(os.listdir(tmp_path)) > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_selfplay(tmp_path, 10**9, shard=10_000, format="npz", progress=interrupt)
    there = sorted(os.listdir(tmp_path))
    assert 2 < len(there) < 1000
    for name in there:
        assert len(next(read_games(tmp_path / name))) == 10_000


def test_an_interruption_stops_even_what_takes_long(tmp_path):
    def interrupt(done, total):
        raise KeyboardInterrupt

    since = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        write_selfplay(
            tmp_path, 10**6, "optimal", "optimal", format="npz", threads=2, progress=interrupt
        )
    assert time.monotonic() - since < 20
    assert os.listdir(tmp_path) == []


# --- Full disks ----------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_loses_nothing_that_was_finished(tmp_path, monkeypatch):
    sync, synced = os.fsync, []

    def full(descriptor):
        if len(synced) >= 6:  # a shard is two: the file and its directory
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        synced.append(descriptor)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ShardError, match="No space left on device") as caught:
        write_selfplay(tmp_path, 100, shard=10, format="npz", threads=1)
    there = sorted(os.listdir(tmp_path))
    names = [name_of(number, "npz") for number in range(10)]
    assert os.path.basename(caught.value.path) in names
    assert set(there) < set(names)
    assert len(there) >= 2  # while one shard is written another may be
    monkeypatch.undo()
    assert write_selfplay(tmp_path, 100, shard=10, format="npz").kept == len(there)
    assert same(joined(tmp_path), mate.selfplay(100))


@POSIX
def test_a_file_that_may_not_grow_is_told(tmp_path):
    script = (
        "import resource, signal, sys; from mate.arrays.shards import write_selfplay\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "write_selfplay(sys.argv[1], 10_000, format='npz')"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, check=False, timeout=60
    )
    assert b"games-00000000.npz: File too large" in result.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("place", ["file/in/it", "file"])
def test_what_is_no_directory_is_told(place, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ShardError, match="file"):
        write_selfplay(tmp_path / place, 10, format="npz")


# --- Addresses -----------------------------------------------------------------------------------


@each_form
def test_addresses_work_as_paths(form, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    url = f"memory://{form}/run"
    write_selfplay(url, 100, seed=5, shard=30, format=form)
    write_selfplay(tmp_path, 100, seed=5, shard=30, format=form)
    files = fsspec.filesystem("memory")
    there = {name.rsplit("/")[-1]: files.cat_file(name) for name in files.ls(f"/{form}/run", False)}
    assert there == files_in(tmp_path)
    assert same(joined(url), joined(tmp_path))
    assert same(joined(f"{url}/{name_of(1, form)}"), mate.selfplay(30, seed=5, first=30))
    files.pipe_file(f"/{form}/run/{name_of(2, form)}", b"half")
    assert write_selfplay(url, 100, seed=5, shard=30, format=form).kept == 3
    with pytest.raises(ShardError, match=f"memory://{form}/run/games-0.*seed 5, not 6"):
        write_selfplay(url, 100, seed=6, shard=30, format=form)


def test_where_stores_write_piece_by_piece_shards_are_moved_into_place(tmp_path):
    pytest.importorskip("fsspec")
    moved = []

    class Slow(Store):
        def _files(self):
            files, path = super()._files()

            class Seen:
                def __getattr__(self, name):
                    return getattr(files, name)

                def mv(self, source, target):
                    moved.append((Path(source).name, Path(target).name))
                    files.mv(source, target)

            return Seen(), path

    place = Slow(f"local://{tmp_path}")
    place.write("games-00000000.npz", b"whole")
    assert moved == [("games-00000000.npz.part", "games-00000000.npz")]
    assert files_in(tmp_path) == {"games-00000000.npz": b"whole"}


@pytest.mark.parametrize("url", ["nowhere://x", "s3://", "://", "memory://\0", "http://[x"])
def test_addresses_that_are_none_are_told(url):
    pytest.importorskip("fsspec")
    with pytest.raises(MateError):
        write_selfplay(url, 10, format="npz")
    with pytest.raises(MateError):
        list(read_games(url))


# --- Executors -----------------------------------------------------------------------------------


@each_form
def test_threads_and_processes_write_the_same_bytes(form, tmp_path):
    told = {"count": 3000, "seed": 3, "shard": 400, "format": form}
    write_selfplay(tmp_path / "here", **told)
    with ThreadPoolExecutor(3) as pool:
        write_selfplay(tmp_path / "threads", executor=pool, **told)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        seen = []
        write_selfplay(
            tmp_path / "processes", executor=pool, progress=lambda *a: seen.append(a), **told
        )
        games = play_on(pool, SelfPlay.of(seed=3), 5, 1000, 300)
    assert files_in(tmp_path / "here") == files_in(tmp_path / "threads")
    assert files_in(tmp_path / "here") == files_in(tmp_path / "processes")
    assert same(games, mate.selfplay(1000, seed=3, first=5))
    assert seen[-1] == (3000, 3000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


class Unreliable(Executor):
    """Does work at once, but loses pieces as it is told, and counts how much is under way."""

    def __init__(self, losses):
        self.losses, self.submitted, self.most = losses, 0, 0
        self.waiting: list[Future] = []

    def submit(self, work, /, *args):
        self.submitted += 1
        future: Future = Future()
        self.waiting.append(future)
        self.most = max(self.most, sum(not f.done() for f in self.waiting))
        if self.losses(self.submitted):
            future.set_exception(CancelledError())
        else:
            future.set_result(work(*args))
        return future


def test_what_was_lost_is_done_again():
    executor = Unreliable(lambda number: number % 3 == 1)
    games = play_on(executor, SelfPlay.of(seed=2), 0, 100, 10)
    assert same(games, mate.selfplay(100, seed=2))
    assert executor.submitted > 10


def test_what_is_lost_each_time_is_told(tmp_path):
    executor = Unreliable(lambda number: number > 3)
    with pytest.raises(MateError, match="lost 4 times"):
        write_selfplay(tmp_path, 100, shard=10, format="npz", executor=executor)
    assert len(os.listdir(tmp_path)) == 3


def test_only_so_many_pieces_are_under_way():
    under_way = []

    class Idle(Executor):
        def submit(self, work, /, *args):
            under_way.append(Future())
            assert len(under_way) <= 5
            return under_way[-1]

    def do_all():
        while under_way:
            under_way.pop().set_result(0)

    done = workers.run_on(Idle(), abs, range(20), do_all, under_way=5)
    assert sorted(piece for piece, _ in done) == list(range(20))


def test_pieces_are_cancelled_when_the_caller_is_interrupted():
    futures = []

    class Never(Executor):
        def submit(self, work, /, *args):
            futures.append(Future())
            return futures[-1]

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(workers.run_on(Never(), abs, range(10), interrupt))
    assert len(futures) == 10
    assert all(future.cancelled() for future in futures)


@POSIX
def test_a_broken_pool_is_told_and_what_was_finished_stays(tmp_path):
    told = {"count": 2000, "shard": 10, "format": "npz"}
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(int).result()
        (worker,) = pool._processes

        def kill(done, total):
            if done:
                os.kill(worker, signal.SIGKILL)

        with pytest.raises(MateError, match="what was finished is kept"):
            write_selfplay(tmp_path, executor=pool, progress=kill, **told)
    there = len(list(tmp_path.glob("*.npz")))
    assert there >= 1
    assert write_selfplay(tmp_path, **told).kept == there
    assert same(joined(tmp_path), mate.selfplay(2000))


def test_a_disk_that_only_the_workers_see_is_told():
    pytest.importorskip("fsspec")
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(ShardError, match="written by a worker, and not seen here"),
    ):
        write_selfplay("memory://theirs", 10, format="npz", executor=pool)


def test_a_tablebase_is_opened_once_by_a_process(tmp_path, monkeypatch):
    import pickle

    variant = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))
    built = mate.Tablebase.build(variant)
    path = built.save(tmp_path / "small.mtb")
    plan = SelfPlay.of(
        "optimal", "optimal", variant, labels=True, tablebase=mate.Tablebase.open(path)
    )
    there = [pickle.loads(pickle.dumps(carrying.Carried.of(plan))) for _ in range(3)]
    opened, seen = mate.Tablebase.open, []
    monkeypatch.setattr(mate.Tablebase, "open", lambda path: seen.append(path) or opened(path))
    for carried in there:
        assert same(carried.plan.play(3, 20), plan.play(3, 20))
    assert seen == [str(path)]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert same(play_on(pool, plan, 0, 50, 20), plan.play(0, 50))
        in_memory = replace(plan, tablebase=built)
        with pytest.raises(MateError, match="save it and open the file"):
            play_on(pool, in_memory, 0, 50, 20)
        os.unlink(path)
        with pytest.raises(MateError, match=r"small\.mtb"):
            play_on(pool, replace(plan, tablebase=replaced(plan.tablebase, tmp_path)), 0, 50, 20)


def test_another_file_at_the_place_of_a_tablebase_is_another_tablebase(tmp_path):
    decks = [mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), points) for points in ((3, 2, 1), (9, 1, 1))]
    variants = [mate.Variant(deck=deck) for deck in decks]
    for variant in variants:
        path = mate.Tablebase.build(variant).save(tmp_path / "small.mtb")
        carried = carrying.Carried(SelfPlay.of("optimal", "optimal", variant), str(path))
        assert carried.plan.tablebase.variant.rules == variant.rules
        assert same(
            carried.plan.play(0, 20), SelfPlay.of("optimal", "optimal", variant).play(0, 20)
        )


def test_only_what_tells_of_a_lost_worker_is_one():
    lost = {name: type(name, (Exception,), {"__module__": module}) for name, module in (
        ("KilledWorker", "distributed.scheduler"), ("CommClosedError", "distributed.comm.core"),
        ("NoValidWorkerError", "distributed.scheduler"), ("Theirs", "distributed.theirs"),
    )}  # fmt: skip
    tried = []

    def fail(name):
        tried.append(name)
        if tried.count(name) < 3:
            raise lost[name]
        return name

    with ThreadPoolExecutor(1) as pool:
        again = list(workers.run_on(pool, fail, ["KilledWorker", "CommClosedError"]))
        assert sorted(name for name, _ in again) == ["CommClosedError", "KilledWorker"]
        for name in ("NoValidWorkerError", "Theirs"):
            with pytest.raises(MateError, match=f"a worker failed: {name}"):
                list(workers.run_on(pool, fail, [name]))


def test_what_an_executor_plays_is_in_memory_once():
    plan = SelfPlay.of(seed=1)
    whole = sum(array.nbytes for array in plan.play(0, 300_000).arrays().values())
    with ThreadPoolExecutor(1) as pool:
        tracemalloc.start()
        games = play_on(pool, plan, 0, 300_000, 300_000 // 64)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(games) == 300_000
    assert whole < peak < 2.2 * whole


def replaced(tablebase, directory):
    return mate.Tablebase(tablebase.core, tablebase.variant, directory / "gone small.mtb")


# --- Arguments -----------------------------------------------------------------------------------

WRONG = [
    {"count": 0}, {"count": -1}, {"count": 2.0}, {"count": True}, {"count": 10**30},
    {"shard": 0}, {"shard": 1 << 27}, {"shard": "1"}, {"shard": None}, {"count": 10**9, "shard": 1},
    {"format": "csv"}, {"format": None}, {"format": []}, {"x": "nobody"}, {"x": 1}, {"seed": -1},
    {"variant": "whist"}, {"unit": "match"}, {"leader": 0}, {"labels": 1}, {"deals": []},
    {"tablebase": "file"}, {"threads": 0}, {"threads": 10**9}, {"executor": "cluster"},
    {"executor": ThreadPoolExecutor(1), "threads": 1}, {"destination": None}, {"destination": ""},
    {"destination": b"x"}, {"destination": "x\0y"}, {"destination": 7},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=" ".join)
def test_wrong_arguments_are_told(wrong, tmp_path):
    with pytest.raises(MateError):
        write_selfplay(**{"destination": tmp_path, "count": 10, "format": "npz", **wrong})
    assert os.listdir(tmp_path) == []


def test_memory_does_not_grow_with_the_number_of_games(tmp_path):
    def peak(count):
        tracemalloc.start()
        write_selfplay(tmp_path / str(count), count, shard=20_000, format="npz", threads=2)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    few = peak(100_000)
    assert peak(800_000) < 1.5 * few
    assert few < 20_000 * 31 * 20


# --- Hostile files -------------------------------------------------------------------------------


def npz_with(head: str, **arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, mate=np.array(head), **arrays)
    return file.getvalue()


def test_npz_does_not_depend_on_the_version_of_numpy(monkeypatch):
    from numpy.lib import format as npy

    def another(file, told):
        text = f"{{'shape': {told['shape']}, 'fortran_order': False, 'descr': '{told['descr']}'}}"
        length = -(len(text) + 11) % 16 + len(text) + 1  # headers once were filled up to 16 bytes
        file.write(b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little"))
        file.write(text.encode().ljust(length - 1) + b"\n")

    head, arrays = head_and_arrays()
    monkeypatch.setattr(npy, "write_array_header_1_0", another)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in {"mate": np.array(reseal(head)), **arrays}.items():
            another(member := io.BytesIO(), npy.header_data_from_array_1_0(array))
            archive.writestr(f"{name}.npy", member.getvalue() + array.tobytes())
    assert same(npz.read(GAMES, file.getvalue(), "")[1], mate.selfplay(4, seed=1))
    for name in golden.RUNS:
        assert golden.shard(name, "npz") == golden.path_of(name, "npz").read_bytes()


@pytest.mark.parametrize("shape", [(), (0,), (7,), (10**8, 20), (10**12, 10, 32)])
@pytest.mark.parametrize("dtype", ["<u8", "|i1", "|b1", "<U1048576"])
def test_headers_are_those_that_numpy_reads(shape, dtype):
    data = npyfile.header(np.dtype(dtype), shape)
    assert len(data) == 128
    file = io.BytesIO(data)
    assert np.lib.format.read_magic(file) == (1, 0)
    assert np.lib.format.read_array_header_1_0(file) == (shape, False, np.dtype(dtype))
    assert npyfile.read_header(data) == (np.dtype(dtype), shape, 128)


def head_and_arrays(**changes):
    games = mate.selfplay(4, seed=1)
    head = json.loads(
        shardhead.sealed(shardhead.run_head(GAMES, SelfPlay.of(seed=1).to_plain()), 0, 4, games)
    )
    return {**head, **changes}, dict(games.arrays())


def refused(data: bytes, why: str, form: str = "npz") -> None:
    with pytest.raises(ShardError, match=why) as caught:
        FORMATS[form].read(GAMES, data, "some/where")
    assert caught.value.path == "some/where"
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_npz_of_numpy_itself_is_read():
    head, arrays = head_and_arrays()
    assert same(npz.read(GAMES, npz_with(reseal(head), **arrays), "")[1], mate.selfplay(4, seed=1))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"count": 5}, "no array"),
        ({"count": 1 << 62}, "no array"),
        ({"count": 10**400}, "units"),
        ({"count": 0}, "0 units"),
        ({"count": "4"}, "count"),
        ({"count": True}, "count"),
        ({"first": -1}, "from -1"),
        ({"unit": "match"}, "unit"),
        ({"unit": None}, "unit"),
        ({"labels": 1}, "labels"),
        ({"labels": True}, "value"),
        ({"variant": {"deck": "tarot"}}, "tarot"),
        ({"variant": {"deck": "double24"}}, "no array"),
        ({"variant": "bga"}, "variant"),
        ({"version": 2}, "version 2"),
        ({"format": "other"}, "other"),
        ({"checksum": "0" * 16}, "checksum differs"),
        ({"checksum": "\x1b[31m"}, "checksum differs"),
    ],
)
def test_metadata_that_lie_are_told(changes, why):
    head, arrays = head_and_arrays(**changes)
    refused(npz_with(reseal(head), **arrays), why)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "{}", "[" * 10**5, "\ud800", "7" * 10**4])
def test_metadata_that_are_none_are_told(text):
    arrays = head_and_arrays()[1]
    refused(npz_with(text, **arrays), "metadata")


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("moves", np.zeros((4, 20), np.int16)),
        ("moves", np.zeros((4, 19), np.int8)),
        ("moves", np.zeros((20, 4), np.int8).T),
        ("moves", np.array([object()] * 4)),
        ("deal", np.zeros((4, 2), np.float32)),
        ("result", np.zeros(4, ">i2")),
        ("result", np.zeros((), np.int16)),
    ],
)
def test_arrays_of_another_kind_are_told(name, array):
    head, arrays = head_and_arrays()
    refused(npz_with(reseal(head), **{**arrays, name: array}), name)


def test_arrays_that_are_missing_or_compressed_are_told():
    head, arrays = head_and_arrays()
    file = io.BytesIO()
    np.savez_compressed(file, mate=np.array(reseal(head)), **arrays)
    refused(file.getvalue(), "compressed")
    del arrays["moves"]
    refused(npz_with(reseal(head), **arrays), "moves")
    refused(b"", "no .npz file")
    with zipfile.ZipFile(file := io.BytesIO(), "w"):
        pass
    refused(file.getvalue(), "mate")


@pytest.mark.parametrize("depth", [100, 300, 480, 600, 900, 980, 10_000, 100_000])
def test_metadata_that_are_nested_deeply_are_told(depth):
    head, arrays = head_and_arrays()
    slots = "[" * depth + "]" * depth
    plain = reseal({**head, "variant": {"deck": {"slots": "HERE"}}})
    refused(npz_with(plain.replace('"HERE"', slots), **arrays), "metadata|variant|slots|deck")
    text = shardhead._text({**head, "variant": {"deck": {"slots": "HERE"}}})
    text = text.replace('"HERE"', slots)
    seal = shardhead._digits(text.encode())
    sealed = f'{text[:-1]},"seal":"{seal}"}}'
    refused(npz_with(sealed, **arrays), "metadata|variant|slots|deck")


def test_integers_of_numpy_are_integers(tmp_path):
    assert write_selfplay(tmp_path, np.int64(30), shard=np.uint8(10), format="npz").shards == 3


def forged(games: Games, form: str) -> bytes:
    """A shard with a right checksum and a right seal, of games that are none."""
    plan = SelfPlay.of(variant=games.variant, seed=1)
    run = run_to(Directory(Path()), plan, len(games), len(games), form)
    return bytes_of_shard(run, 0, games)


@each_form
@pytest.mark.parametrize(
    ("name", "row", "value"),
    [
        ("moves", 0, 61), ("moves", 0, 127), ("moves", 0, -2), ("moves", 0, -128), ("moves", 0, 20),
        ("moves", 1, -1), ("deal", 0, 0), ("deal", 0, 2**32 - 1), ("deal", 0, 1), ("leader", 2, 2),
        ("leader", 2, -1), ("leader", 2, -128), ("result", 3, 77), ("result", 3, -(2**15)),
    ],
)  # fmt: skip
def test_games_that_are_none_are_told(form, name, row, value):
    games = mate.selfplay(4, seed=1)
    games.arrays()[name][row] = value
    refused(forged(games, form), rf"game {row}|\b{row}\b", form)


@given(st.binary(max_size=200), st.integers(0, 2**32))
def test_any_bytes_are_told(data, seed):
    for form in FORMATS if golden.has_pyarrow() else ("npz",):
        with pytest.raises(ShardError):
            FORMATS[form].read(GAMES, data, "")
        whole = golden.path_of("plain", form).read_bytes()
        rng = random.Random(seed)
        mangled = bytearray(whole)
        for _ in range(rng.randrange(1, 20)):
            at = rng.randrange(len(mangled))
            mangled[at : at + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
        try:
            _, games = FORMATS[form].read(GAMES, bytes(mangled), "")
        except ShardError:
            continue
        assert len(games) == 5


def test_parquet_with_other_columns_is_told():
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    data = golden.path_of("plain", "parquet").read_bytes()
    table = pq.read_table(io.BytesIO(data))

    def written(table):
        pq.write_table(table, file := io.BytesIO())
        return file.getvalue()

    for name in table.column_names:
        refused(written(table.drop_columns(name)), "columns", "parquet")
        kind = pa.binary() if name == "moves" else pa.int64()
        at = table.column_names.index(name)
        other = table.set_column(at, pa.field(name, kind), table[name].cast(kind))
        refused(written(other), "columns", "parquet")
    refused(written(table.slice(0, 3)), "rows", "parquet")
    refused(written(pa.concat_tables([table] * 2)), "rows", "parquet")
    refused(written(table.replace_schema_metadata()), "metadata", "parquet")
    refused(written(table.replace_schema_metadata({"mate": b"\xff"})), "text", "parquet")
    game = pa.array([5, 6, 7, 9, 8], pa.uint64())
    renumbered = table.set_column(0, table.schema.field("game"), game)
    refused(written(renumbered), "numbered", "parquet")


def test_a_parquet_bomb_is_told():
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(golden.path_of("plain", "parquet"))
    rows = 5 << 17
    head = json.loads(table.schema.metadata[b"mate"])
    row = table.slice(0, 1)
    bomb = pa.Table.from_arrays(
        [pa.repeat(row[name][0], rows).cast(row[name].type) for name in row.column_names],
        schema=row.schema.with_metadata({"mate": reseal({**head, "count": rows})}),
    )
    pq.write_table(bomb, file := io.BytesIO(), compression="zstd")
    assert len(file.getvalue()) < rows
    refused(file.getvalue(), "do not fit", "parquet")


def test_a_run_with_a_gap_or_of_two_runs_is_told(tmp_path):
    write_selfplay(tmp_path / "a", 30, shard=10, format="npz")
    write_selfplay(tmp_path / "b", 30, shard=10, format="npz", seed=1)
    other = (tmp_path / "b" / name_of(1, "npz")).read_bytes()
    (tmp_path / "a" / name_of(1, "npz")).write_bytes(other)
    with pytest.raises(ShardError, match=r"games-00000001\.npz: a shard of another run"):
        joined(tmp_path / "a")
    (tmp_path / "a" / name_of(1, "npz")).unlink()
    with pytest.raises(ShardError, match="is 20, not 10: a shard is missing"):
        joined(tmp_path / "a")
    (tmp_path / "a" / name_of(0, "npz")).unlink()
    with pytest.raises(ShardError, match="is 20, not 0: a shard is missing"):
        joined(tmp_path / "a")
    assert len(joined(tmp_path / "a" / name_of(2, "npz"))) == 10


@pytest.mark.parametrize("source", ["nowhere", "nowhere.npz", "", None, 3, b"x", "a\0b", "."])
def test_sources_that_are_none_are_told(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MateError):
        list(read_games(source))


def test_games_are_read_a_shard_at_a_time(tmp_path):
    write_selfplay(tmp_path, 30, shard=10, format="npz")
    (tmp_path / name_of(2, "npz")).write_bytes(b"")
    found = read_games(tmp_path)
    assert [len(next(found)), len(next(found))] == [10, 10]
    with pytest.raises(ShardError, match="games-00000002"):
        next(found)


def test_games_that_are_read_can_be_worked_with(tmp_path):
    write_selfplay(tmp_path, 10, format="npz")
    (games,) = read_games(tmp_path)
    assert games.game(0).is_over
    assert (games.to_move[:, 0] == games.leader).all()
    games.moves[0, 0] = 1  # writable as any other


# --- Found by attack -----------------------------------------------------------------------------


def test_a_parquet_file_whose_sums_differ_is_refused_before_it_is_read(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    write_selfplay(tmp_path, 400, shard=400)
    path = tmp_path / name_of(0, "parquet")
    schema, rows = pq.ParquetFile(path).schema_arrow, 300_000

    def column(kind):
        if pa.types.is_fixed_size_binary(kind):
            return pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(bytes(rows * 20))])
        return pa.array(np.zeros(rows, kind.to_pandas_dtype()))

    table = pa.Table.from_arrays([column(field.type) for field in schema], schema=schema)
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", row_group_size=rows)
    data = bytearray(file.getvalue())
    length = int.from_bytes(data[-8:-4], "little")
    footer, body = data[-8 - length : -8], data[: -8 - length] + bytes(10_000)
    at = footer.find(b"\x16" + varint(rows))  # the rows of the whole
    footer[at + 1 : at + 4] = varint(400, 3)
    path.write_bytes(body + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    assert pq.ParquetFile(path).metadata.num_rows == 400
    with pytest.raises(ShardError, match="row groups"):
        list(read_games(path))


def varint(number, length=0):
    """A number as Thrift has it, in so many bytes if told."""
    number, found = number << 1, []
    while number or not found:
        found.append(number & 127)
        number >>= 7
    found += [0] * (length - len(found))
    return bytes([byte | 128 for byte in found[:-1]] + found[-1:])


@POSIX
def test_a_pipe_of_a_shards_name_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / name_of(0, "npz"))
    with pytest.raises(ShardError, match="no regular file"):
        list(read_games(tmp_path))


def test_another_run_that_writes_to_the_same_place_is_noticed(tmp_path):
    write_selfplay(tmp_path / "other", 100, seed=2, shard=50, format="npz")

    def intrude(done, total):
        if done == 50:
            name = name_of(0, "npz")
            shutil.copy(tmp_path / "other" / name, tmp_path / "run" / name)

    with pytest.raises(ShardError, match="another run"), ThreadPoolExecutor(1) as pool:
        write_selfplay(
            tmp_path / "run", 100, seed=1, shard=50, format="npz", executor=pool, progress=intrude
        )


def test_units_beyond_all_numbers_are_refused(tmp_path):
    plan = SelfPlay.of(seed=1)
    games = plan.play(0, 10)
    head = shardhead.sealed(shardhead.run_head(GAMES, plan.to_plain()), (1 << 64) - 5, 10, games)
    (tmp_path / name_of(0, "npz")).write_bytes(npz.to_bytes(GAMES, games, head))
    with pytest.raises(ShardError, match="it holds 10 units"):
        list(read_games(tmp_path / name_of(0, "npz")))


HISTOGRAM = """
import sys, mate
try:
    list(mate.read_games(sys.argv[1]))
except mate.errors.ShardError as error:
    print("refused", error.why)
"""


def test_a_footer_of_which_columns_cannot_be_asked_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    data = (golden.DATA / "golden_labelled.parquet").read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    refused = 0
    # Lists of two numbers of 64 bits, of which some become lists of five.
    for at in (i for i in range(start, len(data) - 8) if data[i] == 0x26):
        footer = data[start:at] + b"\x56\0\0\0" + data[at + 1 : -8]
        path = tmp_path / "games-00000000.parquet"
        path.write_bytes(data[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1")
        if refused < 3:
            # In a process of its own, which pyarrow may end.
            done = subprocess.run(
                [sys.executable, "-c", HISTOGRAM, path], capture_output=True, text=True, timeout=60
            )
            assert done.stdout.startswith("refused"), done.stderr
            refused += "histogram size mismatch" in done.stdout
