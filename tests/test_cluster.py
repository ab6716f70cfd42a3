"""Self-play on a real Dask cluster of this machine, one of whose workers is killed in mid-run."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import mate
from mate.arrays.selfplaying import SelfPlay
from mate.arrays.shards import write_selfplay
from mate.arrays.workers import play_on
from mate.errors import MateError

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="kills by SIGKILL"),
    pytest.mark.filterwarnings("ignore"),
]
RUN = {"count": 40_000, "seed": 11, "shard": 1000, "format": "npz"}


@pytest.fixture(scope="module")
def client():
    """Two worker processes, which a nanny starts again when they die."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def worker_pids(client) -> list[int]:
    client.wait_for_workers(2, timeout=60)
    return list(client.run(os.getpid).values())


def killer(client):
    """What kills a worker once some of the work is done, and tells whom."""
    victims = worker_pids(client)[:1]
    killed = []

    def progress(done, total):
        if victims and total / 8 <= done < total / 2:
            killed.append(victims.pop())
            os.kill(killed[0], signal.SIGKILL)

    return progress, killed


def files_in(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("games-*.npz")}


def test_a_killed_worker_costs_nothing_but_its_shard(client, tmp_path):
    progress, killed = killer(client)
    written = write_selfplay(
        tmp_path / "cluster", executor=client.get_executor(), progress=progress, **RUN
    )
    assert killed
    with pytest.raises(ProcessLookupError):  # it is dead, and was not the whole cluster
        os.kill(killed[0], 0)
    assert written.shards == 40
    write_selfplay(tmp_path / "plain", **RUN)
    assert files_in(tmp_path / "cluster") == files_in(tmp_path / "plain")


def test_games_in_memory_outlive_a_worker(client):
    progress, killed = killer(client)
    plan = SelfPlay.of(seed=3)
    games = play_on(client.get_executor(), plan, 5, 40_000, 1000, progress)
    assert killed
    played = plan.play(5, 40_000)
    for name, array in played.arrays().items():
        assert (games.arrays()[name] == array).all(), name


def test_workers_open_the_tablebase(client, tmp_path):
    variant = mate.Variant(deck=mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1)))
    path = mate.Tablebase.build(variant).save(tmp_path / "small.mtb")
    tablebase = mate.Tablebase.open(path)
    plan = SelfPlay.of("optimal", "epsilon:0.5", variant, labels=True, tablebase=tablebase)
    games = play_on(client.get_executor(), plan, 0, 400, 50)
    played = plan.play(0, 400)
    assert (games.value == played.value).all()
    assert (games.best == played.best).all()


def test_what_workers_raise_reaches_the_caller(client, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MateError, match="file"):
        write_selfplay(tmp_path / "file", executor=client.get_executor(), **RUN)


def command(*words: str, timeout: float = 90) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", "from mate.cli import main; main()", "selfplay", *words],
        capture_output=True, timeout=timeout, check=False,
    )  # fmt: skip


def test_the_command_takes_the_address_of_a_scheduler(client, tmp_path):
    address, place = client.scheduler.address, str(tmp_path / "run")
    result = command(
        "3000", "--seed", "2", "--shard", "1000", "--format", "npz", "--out", place,
        "--scheduler", address, "--json",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["shards"] == 3
    write_selfplay(tmp_path / "plain", 3000, seed=2, shard=1000, format="npz")
    assert files_in(tmp_path / "run") == files_in(tmp_path / "plain")


@pytest.mark.parametrize(
    "address",
    ["nonsense://nowhere", "", pytest.param("tcp://127.0.0.1:1", marks=pytest.mark.slow)],
)
def test_a_scheduler_that_is_none_is_told(address):
    result = command("30", "--scheduler", address)
    assert result.returncode == 1
    assert result.stderr.startswith(f"mate: no Dask scheduler at '{address}': ".encode())
    assert result.stderr.count(b"\n") == 1


def test_the_last_worker_that_dies_is_told(client):
    """Not waited for without end: a piece that kills each worker is given up."""
    executor = client.get_executor(retries=0)
    client.run_on_scheduler(_allow_no_failures)
    with pytest.raises(MateError, match="lost 4 times: KilledWorker"):
        list(run_fatal(executor))
    worker_pids(client)


def _allow_no_failures(dask_scheduler):
    dask_scheduler.allowed_failures = 0


def _die(piece: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return piece


def run_fatal(executor):
    from mate.arrays.workers import run_on

    return run_on(executor, _die, [1])


with suppress(ImportError):  # functions of this file are sent to the workers as they are
    from distributed.protocol.pickle import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
