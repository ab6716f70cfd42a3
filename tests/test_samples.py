"""Samples of games against `mate.Game` and the search; their files."""

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest

import mate
import matecore
from mate.arrays import samplefile
from mate.arrays.encoding import observe

VARIANTS = [*mate.PRESETS, "double,deck=double24"]


def played(variant: str, count: int = 30, **more) -> mate.Games:
    return mate.selfplay(count, variant=variant, seed=1, **more)


def one(games: mate.Games, **more) -> mate.Samples:
    (found,) = mate.samples(games, **more)
    return found


def changed(games: mate.Games, **arrays: np.ndarray) -> mate.Games:
    return dataclasses.replace(games, **arrays)


# --- Against games -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sample_is_a_decision_of_a_game(variant):
    games, row = played(variant), 0
    found = one(games)
    for number in range(len(games)):
        game = games.game(number).root()
        result = games.game(number).result
        for ply, action in enumerate(games.game(number).actions):
            assert (found.observation[row] == observe(game)).all()
            assert found.legal[row].nonzero()[0].tolist() == game.legal_actions
            assert found.position(row) == game.position
            told = (found.action[row], found.game[row], found.ply[row], found.to_move[row])
            assert told == (action, number, ply, "xy".index(game.to_move))
            assert found.result[row] == (result if game.to_move == "x" else -result)
            game.push(action)
            row += 1
    assert row == len(found)
    assert found.value is found.best is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_values_and_best_moves_are_those_of_the_search(variant):
    games = played(variant, 6, labels=True)
    found, names = one(games), mate.Variant.of(variant).action_names
    solver, rng = matecore.Solver(games.variant.rules), np.random.default_rng(1)
    some = rng.choice(len(found), 25, replace=False)
    for row in {0, 1, 2, *some.tolist()}:
        position = found.position(row)
        values = dict(solver.values(position.core))
        assert found.value[row] == max(values.values())
        best = {names[action] for action, value in values.items() if value == found.value[row]}
        marked = found.best[row].nonzero()[0].tolist()
        assert {names[action] for action in marked} == best
        # Of a best card every copy is marked.
        assert marked == [action for action in position.legal_actions if names[action] in best]


def test_dtypes_and_shapes():
    found = one(played("pieces", 5, labels=True))
    n = len(found)
    expected = {
        "observation": ("uint8", (n, 10, 20)),
        "legal": ("bool", (n, 61)),
        "action": ("int8", (n,)),
        "value": ("int16", (n,)),
        "best": ("bool", (n, 61)),
        "result": ("int16", (n,)),
        "game": ("int64", (n,)),
        "ply": ("int8", (n,)),
        "to_move": ("int8", (n,)),
    }
    assert {k: (str(a.dtype), a.shape) for k, a in found.arrays().items()} == expected
    assert all(array.flags.c_contiguous for array in found.arrays().values())
    assert repr(found) == f"<Samples of pieces: {n}, labelled>"


# --- Batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 2, 7, 100, 1 << 40])
@pytest.mark.parametrize("labels", [False, True])
def test_batches_are_the_whole_in_parts(batch, labels):
    games = played("capellen", 8, labels=labels)
    whole, parts = one(games), list(mate.samples(games, batch))
    assert all(len(part) == batch for part in parts[:-1])
    assert 1 <= len(parts[-1]) <= batch
    for name, array in whole.arrays().items():
        assert (np.concatenate([part.arrays()[name] for part in parts]) == array).all()
        assert parts[0].arrays()[name].dtype == array.dtype


def test_games_are_replayed_only_when_their_batch_is_asked_for():
    games = played("bga", 100)
    moves = games.moves.copy()
    moves[99, 0] = 60
    batches = mate.samples(changed(games, moves=moves), 64)
    assert len(next(batches)) == 64
    with pytest.raises(mate.MateError, match="game 99, ply 0: no legal move"):
        list(batches)


def test_a_tablebase_labels_what_has_no_labels():
    variant = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))
    tablebase = mate.Tablebase.build(variant, threads=1)
    games = mate.selfplay(50, variant=variant, seed=1)
    labelled = mate.label(games)
    for batch in (9, 1000):
        parts = list(mate.samples(games, batch, tablebase))
        for name, array in one(labelled).arrays().items():
            assert (np.concatenate([part.arrays()[name] for part in parts]) == array).all()
    with pytest.raises(mate.VariantError):
        list(mate.samples(played("bga"), tablebase=tablebase))


def test_slices_are_samples():
    found = one(played("bga", 5))
    assert (found[3:9].action == found.action[3:9]).all()
    assert found[3:9].position(0) == found.position(3)
    with pytest.raises(mate.MateError, match="a slice"):
        found[3]


def test_rows_are_picked_as_those_of_arrays():
    (whole,) = mate.samples(mate.selfplay(30, seed=1), 1 << 20)
    assert len(whole) > 300
    late = whole[whole.ply >= 10]
    assert (late.ply >= 10).all()
    assert (whole[[5, -1]].action == whole.action[[5, -1]]).all()
    for rows in (3, [len(whole)], None, [True]):
        with pytest.raises(mate.MateError, match=r"position\(i\)"):
            whole[rows]


def test_no_games_have_no_samples():
    assert list(mate.samples(played("bga", 0))) == []
    assert list(mate.samples(played("bga", 0, labels=True))) == []


def test_a_game_without_a_move_has_no_sample():
    games = played("bga", 3)
    moves = games.moves.copy()
    moves[1] = -1
    assert set(one(changed(games, moves=moves)).game.tolist()) == {0, 2}


# --- Hostile input -------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [None, [], "games", np.zeros(3)], ids=repr)
def test_only_games_have_samples(games):
    with pytest.raises(mate.MateError, match="no games"):
        mate.samples(games)


@pytest.mark.parametrize("batch", [0, -1, 1.5, "1", None, True])
def test_a_batch_is_a_number_from_1(batch):
    with pytest.raises(mate.MateError, match="batch"):
        mate.samples(played("bga", 1), batch)


@pytest.mark.parametrize(("ply", "action"), [(0, 20), (3, -2), (5, 127), (1, -128), (0, 60)])
def test_an_illegal_move_is_named(ply, action):
    games = played("bga", 40)
    moves = games.moves.copy()
    moves[33, ply] = action
    with pytest.raises(mate.MateError, match=f"game 33, ply {ply}: no legal move"):
        list(mate.samples(changed(games, moves=moves), 50))


def test_moves_behind_the_end_are_illegal():
    games = played("bga", 5)
    moves = np.zeros_like(games.moves)
    with pytest.raises(mate.MateError, match=r"game 0, ply \d+: no legal move"):
        list(mate.samples(changed(games, moves=moves)))


@pytest.mark.parametrize("name", ["deal", "leader"])
def test_a_row_that_is_no_deal_is_named(name):
    games = played("bga", 9)
    array = games.arrays()[name].copy()
    array[7] = 5
    with pytest.raises(mate.MateError, match="game 7: its deal or its leader is none"):
        list(mate.samples(changed(games, **{name: array}), 20))


@pytest.mark.parametrize("row", [-1, 1 << 40, 1.0, None, "0"])
def test_a_position_is_of_a_row(row):
    with pytest.raises(mate.MateError, match="sample"):
        one(played("bga", 2)).position(row)


def test_where_the_core_writes_must_fit():
    games = played("bga", 1)
    rules, m = games.variant.rules, len(one(games))
    told = games.deal, games.leader, games.moves

    def room(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        seen = np.empty((k, 10, 20), np.uint8)
        return seen, np.empty((k, 61), np.uint8), np.empty(k, np.int8)

    matecore.replay(rules, *told, *room(m))
    for k in (0, m - 1):
        with pytest.raises(matecore.IllegalRow):
            matecore.replay(rules, *told, *room(k))
    with pytest.raises(ValueError, match="moves where there is room"):
        matecore.replay(rules, *told, *room(m + 1))
    seen, legal, to_move = room(m)
    for wrong in (
        (seen[:-1], legal, to_move),
        (seen, legal[:-1], to_move),
        (seen, legal, room(1)[2]),
    ):
        with pytest.raises(ValueError, match="shapes differ"):
            matecore.replay(rules, *told, *wrong)
    with pytest.raises(ValueError, match="shapes differ"):
        matecore.replay(rules, games.deal, games.leader[:0], games.moves, *room(m))
    with pytest.raises(ValueError, match="dtype"):
        matecore.replay(rules, games.deal.astype(np.int64), *told[1:], *room(m))


# --- Files ---------------------------------------------------------------------------------------


def check_columns(read: dict[str, np.ndarray], games: mate.Games) -> None:
    for name, array in one(games).arrays().items():
        assert (np.asarray(read[name]).reshape(array.shape) == array).all(), name


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("count", [0, 1, 40])
def test_npz_files(labels, count, tmp_path, monkeypatch):
    monkeypatch.setattr(samplefile, "BATCH", 100)
    games = played("pieces", count, labels=labels)
    path = tmp_path / "samples.npz"
    n = mate.write_samples(path, games)
    with np.load(path, allow_pickle=False) as read:
        head = json.loads(str(read["mate"]))
        assert mate.Variant.from_plain(head["variant"]) == games.variant
        assert head["observation"]["shape"] == [10, 20]
        assert len(head["observation"]["planes"]) == 10
        assert n == len(read["action"])
        assert read["observation"].shape == (n, 10, 20)
        assert read["legal"].dtype == bool
        assert ("value" in read) == labels
        if count:
            check_columns(read, games)
    again = tmp_path / "again.npz"
    mate.write_samples(again, games)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("count", [0, 1, 40])
def test_parquet_files(labels, count, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(samplefile, "BATCH", 100)
    games = played("pieces", count, labels=labels)
    path = tmp_path / "samples.parquet"
    n = mate.write_samples(path, games)
    table = parquet.read_table(path)
    assert table.num_rows == n
    head = json.loads(table.schema.metadata[b"mate"])
    assert mate.Variant.from_plain(head["variant"]) == games.variant
    assert str(table.schema.field("observation").type).startswith("fixed_size_list<element: uint8")
    assert table.schema.field("observation").type.list_size == 200
    assert ("best" in table.column_names) == labels
    if count:
        flat = {name: np.array(table.column(name).to_pylist()) for name in table.column_names}
        check_columns(flat, games)


def test_polars_reads_a_parquet_file_as_it_is(tmp_path):
    pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    games = played("bga", 20)
    mate.write_samples(tmp_path / "samples.parquet", games)
    frame = polars.read_parquet(tmp_path / "samples.parquet")
    check_columns({"action": frame["action"].to_numpy()} | one(games).arrays(), games)
    assert (frame["observation"].to_numpy().reshape(-1, 10, 20) == one(games).observation).all()


def test_a_file_of_unlabelled_games_is_labelled_by_a_tablebase(tmp_path):
    variant = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))
    tablebase = mate.Tablebase.build(variant, threads=1)
    games = mate.selfplay(20, variant=variant, seed=1)
    mate.write_samples(tmp_path / "samples.npz", games, tablebase)
    with np.load(tmp_path / "samples.npz") as read:
        check_columns(read, mate.label(games))


@pytest.mark.parametrize("path", ["samples", "samples.csv", ".npz", 5, None])
def test_the_ending_tells_the_format(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mate.MateError):
        mate.write_samples(path, played("bga", 1))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_whole_or_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(samplefile, "BATCH", 20)
    games = played("bga", 30)
    moves = games.moves.copy()
    moves[29, 0] = 60
    for name in ("samples.npz", "samples.parquet"):
        with pytest.raises(mate.MateError, match=r"game 29|pyarrow"):
            mate.write_samples(tmp_path / name, changed(games, moves=moves))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(mate.MateError, match="No such file"):
        mate.write_samples(tmp_path / "missing" / "samples.npz", games)


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(mate.MateError, match=r"matecore\[parquet\]"):
        mate.write_samples(tmp_path / "samples.parquet", played("bga", 1))
    assert list(tmp_path.iterdir()) == []


def test_importing_mate_imports_no_array_library():
    code = "import mate, sys; print([m for m in ('numpy', 'pyarrow', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
