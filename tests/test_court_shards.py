"""Hands of Court Piece in files: the same bytes however they are made, no file taken on trust."""

import io
import json
import os
import pickle
import random
import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import make_court_golden as golden
import mate
from mate.arrays import shardhead
from mate.arrays.places import Directory, Store
from mate.arrays.shardmaking import FORMATS, bytes_of_shard, make_shard
from mate.arrays.shards import found_in, run_to
from mate.court_piece import Hands, Variant, read_hands, selfplay, write_selfplay
from mate.court_piece.handcontent import HANDS
from mate.court_piece.selfplaying import SelfPlay
from mate.errors import MateError, ShardError
from test_shards import FORMS, each_form, files_in, reseal

TEXTS = ["seed", "double-sir", "seed,chase=optional,trump=second_batch,redeal_below=J"]
name_of = HANDS.name_of


def same(a: Hands, b: Hands) -> bool:
    mine, theirs = a.arrays(), b.arrays()
    equal = all(np.array_equal(mine[name], theirs[name]) for name in mine)
    return a.variant == b.variant and mine.keys() == theirs.keys() and equal


def joined(source) -> Hands:
    return Hands.concatenate(list(read_hands(source)))


# --- What is written -----------------------------------------------------------------------------


@each_form
@pytest.mark.parametrize("text", TEXTS)
def test_what_is_read_is_what_is_played(form, text, tmp_path):
    told = {"a": "greedy", "variant": text, "seed": 3, "caller": 1}
    written = write_selfplay(tmp_path, 1000, shard=300, format=form, **told)
    played, tally = selfplay(1000, **told), written.tally
    assert same(joined(tmp_path), played)
    assert (tally.hands, tally.moves) == (1000, (played.moves >= 0).sum())
    assert (tally.a_wins, tally.b_wins) == ((played.winner == 0).sum(), played.winner.sum())
    courts = played.court == 1
    assert tally.a_courts == (courts & (played.winner == 0)).sum()
    assert tally.b_courts == (courts & (played.winner == 1)).sum()
    assert [tally.a_points, tally.b_points] == played.points.sum(axis=0).tolist()
    assert written.bytes == sum(map(len, files_in(tmp_path).values()))
    assert sorted(os.listdir(tmp_path)) == [f"hands-{number:08}.{form}" for number in range(4)]


@each_form
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_threads_writes_the_same_bytes(form, threads, tmp_path):
    write_selfplay(tmp_path / "one", 9000, seed=9, shard=700, format=form, threads=1)
    write_selfplay(tmp_path / "more", 9000, seed=9, shard=700, format=form, threads=threads)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "more")


@pytest.mark.parametrize("pool", ["threads", "processes"])
def test_executors_write_the_same_bytes(pool, tmp_path):
    executor = (
        ThreadPoolExecutor(2)
        if pool == "threads"
        else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    )
    told = {"count": 2000, "b": "greedy", "seed": 4, "shard": 300, "format": "npz"}
    with executor:
        write_selfplay(tmp_path / "pool", executor=executor, **told)
    write_selfplay(tmp_path / "here", **told)
    assert files_in(tmp_path / "pool") == files_in(tmp_path / "here")


def test_a_cluster_writes_the_same_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    told = {"count": 2000, "seed": 4, "shard": 300, "format": "npz"}
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        write_selfplay(tmp_path / "cluster", executor=client.get_executor(), **told)
        assert same(selfplay(500, executor=client.get_executor()), selfplay(500))
    write_selfplay(tmp_path / "here", **told)
    assert files_in(tmp_path / "cluster") == files_in(tmp_path / "here")


def test_a_shard_depends_on_its_number_and_not_on_the_count(tmp_path):
    write_selfplay(tmp_path / "short", 400, shard=200, format="npz")
    write_selfplay(tmp_path / "long", 1000, shard=200, format="npz")
    short, long = files_in(tmp_path / "short"), files_in(tmp_path / "long")
    assert short.items() < long.items()
    assert write_selfplay(tmp_path / "short", 1000, shard=200, format="npz").kept == 2
    assert files_in(tmp_path / "short") == long


def test_numpy_reads_npz_as_it_is(tmp_path):
    write_selfplay(tmp_path, 100, seed=4, format="npz")
    with np.load(tmp_path / name_of(0, "npz"), allow_pickle=False) as file:
        head = json.loads(str(file["mate"]))
        assert np.array_equal(file["moves"], selfplay(100, seed=4).moves)
        assert sorted(file) == sorted(["mate", *selfplay(0).arrays()])
    told = {name: head[name] for name in ("format", "version", "a", "b", "seed", "first", "count")}
    assert list(told.values()) == ["mate-court-selfplay", 1, "random", "random", 4, 0, 100]
    assert (head["caller"], head["stream"]) == (None, 0)
    assert Variant.from_plain(head["variant"]) == Variant.of("seed")


def checked(run: Path, read) -> None:
    """The columns that a program reads from a run, against the hands."""
    text = "seed,chase=optional,trump=second_batch"
    played = selfplay(30, "greedy", variant=text, seed=2)
    write_selfplay(run, 30, "greedy", variant=text, seed=2, shard=10)
    columns = read(str(run / "hands-*.parquet"))
    assert list(columns["hand"]) == list(range(30))
    for seat in range(4):
        assert list(columns[f"seat{seat}"]) == played.hands[:, seat].tolist()
    for name in ("first_five", "turned", "caller", "trump", "winner", "court"):
        assert list(columns[name]) == getattr(played, name).tolist()
    for side, letter in enumerate("ab"):
        assert list(columns[f"collected_{letter}"]) == played.collected[:, side].tolist()
        assert list(columns[f"points_{letter}"]) == played.points[:, side].tolist()
    moves = np.frombuffer(b"".join(columns["moves"]), np.int8).reshape(-1, 53)
    assert np.array_equal(moves, played.moves)


def test_polars_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    checked(tmp_path, lambda glob: polars.read_parquet(glob).to_dict(as_series=False))


def test_duckdb_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")

    def read(glob):
        rows = duckdb.sql(f"select * from '{glob}' order by hand")
        return dict(zip(rows.columns, zip(*rows.fetchall(), strict=True), strict=True))

    checked(tmp_path, read)


def test_pandas_reads_shards_as_they_are(tmp_path):
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    checked(tmp_path, lambda glob: pandas.read_parquet(Path(glob).parent))


@pytest.mark.parametrize("name", golden.RUNS)
@each_form
def test_golden_shards(name, form):
    told = json.loads(golden.TOLD.read_text())
    kept = golden.path_of(name, form).read_bytes()
    head, hands = FORMATS[form].read(HANDS, kept, "golden")
    assert same(hands, golden.RUNS[name].play(golden.COUNT, golden.COUNT))
    assert head["first"] == head["count"] == golden.COUNT
    if form == "parquet":
        import pyarrow
        import pyarrow.parquet as pq

        made = pq.read_schema(io.BytesIO(golden.shard(name, form))).remove_metadata()
        assert str(made).splitlines() == told["schemas"][name]
        if pyarrow.__version__ != told["pyarrow"]:
            return
    assert golden.shard(name, form) == kept


def test_golden_deals_are_those_of_the_reference():
    assert json.loads(golden.DEALS.read_text(encoding="utf-8")) == golden.vectors()


# --- Damage, and other runs ----------------------------------------------------------------------


@each_form
def test_every_byte_that_changes_is_noticed(form):
    run = run_to(Store(f"memory://court/{form}"), SelfPlay(Variant(), seed=8), 2, 2, form)
    pytest.importorskip("fsspec")
    assert not make_shard(run, (0, False)).kept
    name, rng = name_of(0, form), random.Random(1)
    whole = run.place.read(name)
    for at in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << rng.randrange(8)
        run.place.write(name, bytes(damaged))
        assert found_in(run) == {0}, at
        assert not make_shard(run, (0, True)).kept, at
        assert run.place.read(name) == whole
    assert make_shard(run, (0, True)).kept


@each_form
def test_whatever_a_file_is_the_answer_is_hands_or_an_error(form):
    whole, rng = golden.path_of("sir", form).read_bytes(), random.Random(2)
    played, errors = golden.RUNS["sir"].play(golden.COUNT, golden.COUNT), 0
    for _ in range(1500):
        mangled = bytearray(whole)
        for _ in range(rng.choice([1, 2, 20])):
            mangled[rng.randrange(len(mangled))] = rng.randrange(256)
        if rng.random() < 0.2:
            del mangled[rng.randrange(len(mangled)) :]
        try:
            _, hands = FORMATS[form].read(HANDS, bytes(mangled), "")
        except ShardError:
            errors += 1
        else:
            assert same(hands, played)
    assert errors > 1000


@each_form
def test_what_is_damaged_is_made_again(form, tmp_path):
    told = {"count": 40, "seed": 5, "shard": 10, "format": form}
    write_selfplay(tmp_path, **told)
    whole = files_in(tmp_path)
    (tmp_path / name_of(0, form)).unlink()
    (tmp_path / name_of(1, form)).write_bytes(whole[name_of(1, form)][:200])
    # Another shard under its name.
    (tmp_path / name_of(2, form)).write_bytes(whole[name_of(2, form)][:-1])
    assert write_selfplay(tmp_path, **told).kept == 1
    assert files_in(tmp_path) == whole


@each_form
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 2}, "seed"), ({"a": "greedy"}, "a"), ({"b": "greedy"}, "b"),
        ({"caller": 0}, "caller"), ({"variant": "hokm"}, "variant"), ({"shard": 20}, "count"),
    ],
    ids=str,
)  # fmt: skip
def test_another_run_is_refused(form, change, told, tmp_path):
    run = {"count": 40, "seed": 1, "shard": 10, "format": form}
    write_selfplay(tmp_path, **run)
    (tmp_path / name_of(0, form)).unlink()
    before = files_in(tmp_path)
    with pytest.raises(ShardError, match=f"another run.*{told}"):
        write_selfplay(tmp_path, **{**run, **change})
    assert files_in(tmp_path) == before


@each_form
def test_games_and_hands_are_not_taken_for_each_other(form, tmp_path):
    mate.write_selfplay(tmp_path, 10, format=form)
    with pytest.raises(ShardError, match="no shard in it"):
        read_hands(tmp_path)
    write_selfplay(tmp_path, 10, format=form)  # beside the others
    assert (len(joined(tmp_path)), len(next(mate.read_games(tmp_path)))) == (10, 10)
    shutil.copy(tmp_path / name_of(0, form), tmp_path / f"games-00000000.{form}")
    with pytest.raises(ShardError, match="mate-court-selfplay"):
        next(mate.read_games(tmp_path))


@each_form
def test_shards_of_a_run_are_read_in_order_and_none_is_missing(form, tmp_path):
    write_selfplay(tmp_path, 40, shard=10, format=form)
    (tmp_path / name_of(1, form)).unlink()
    with pytest.raises(ShardError, match="missing"):
        list(read_hands(tmp_path))


# --- Forged --------------------------------------------------------------------------------------


def forged(hands: Hands, change: dict, form: str = "npz") -> bytes:
    """What somebody would write who knows how shards are sealed."""
    plan = SelfPlay(hands.variant, seed=1)
    made_by = FORMATS[form].made_by()
    head = shardhead.run_head(HANDS, {**plan.to_plain(), **made_by})
    text = shardhead.sealed(head, 0, len(hands), hands)
    if change:
        text = reseal({**json.loads(text), **change})
    return FORMATS[form].to_bytes(HANDS, hands, text)


@each_form
@pytest.mark.parametrize("name", list(selfplay(0).arrays()))
def test_hands_that_never_were_are_refused(form, name):
    hands = selfplay(4, variant="seed,trump=longest")
    hands.arrays()[name][2] ^= 1
    if name in ("hands", "first_five"):
        hands.arrays()[name][2] = 0
    if name == "turned":
        hands.turned[2] = 3
    with pytest.raises(ShardError, match=r"(row|hand) 2"):
        FORMATS[form].read(HANDS, forged(hands, {}, form), "")


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "seed"}, {"variant": {"court": "x"}}, {"variant": {"points": [1, 2]}},
        {"variant": {"blocked_claims": [99]}}, {"variant": {"unknown": 1}}, {"variant": None},
        {"first": -1}, {"first": 2**64}, {"first": 1.5}, {"count": 0}, {"count": True},
        {"count": 5}, {"count": 2**60}, {"checksum": 3}, {"checksum": "0" * 16}, {"version": 2},
        {"format": "mate-selfplay"}, {"format": None},
    ],
    ids=str,
)  # fmt: skip
def test_forged_heads_are_refused(change):
    with pytest.raises(ShardError):
        FORMATS["npz"].read(HANDS, forged(selfplay(4), change), "")


def test_a_plan_is_carried_as_it_is():
    run = run_to(Directory(Path()), SelfPlay(Variant.of("hokm"), seed=3), 10, 5, "npz")
    again = pickle.loads(pickle.dumps(run))
    assert again.carried.plan == run.carried.plan
    played = again.carried.plan.play(*run.range_of(1))
    assert bytes_of_shard(again, 1, played) == bytes_of_shard(run, 1, played)
    assert again.name_of(1) == "hands-00000001.npz"


@pytest.mark.parametrize(
    "change",
    [
        {"count": 0}, {"count": -1}, {"count": 1.5}, {"shard": 0}, {"shard": 2**27},
        {"format": "csv"}, {"a": "best"}, {"variant": "bga"}, {"destination": ""},
        {"destination": 3}, {"threads": 0}, {"executor": 3}, {"seed": -1}, {"caller": 4},
        {"count": 10**15, "shard": 1},
    ],
    ids=str,
)  # fmt: skip
def test_arguments_that_do_not_fit(change, tmp_path):
    told = {"destination": tmp_path / "run", "count": 10, "format": "npz", **change}
    with pytest.raises(MateError):
        write_selfplay(**told)
    assert not (tmp_path / "run").exists() or not os.listdir(tmp_path / "run")


def test_both_formats_are_tried():
    assert len(FORMS) == len(FORMATS)
