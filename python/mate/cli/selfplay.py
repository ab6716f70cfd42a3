"""`mate selfplay`: games by the million, counted or written as shards."""

import logging
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from mate.cli.exits import INTERRUPTED, complain
from mate.cli.options import JsonOption, TablebaseOption, ThreadsOption, VariantOption
from mate.cli.output import Waiting, print_json
from mate.cli.reading import opened_tablebase, read_deals, standard_input, variant_of
from mate.errors import MateError, excerpt
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.places import Place
    from mate.arrays.selfplaying import SelfPlay
    from mate.arrays.shardmaking import Run
    from mate.arrays.shards import Written

app = typer.Typer(add_completion=False)

POLICIES = "random, greedy, optimal, epsilon:P or softmax:T"
UNITS_AT_A_TIME, PARTS = 100_000, 256  # of what is only counted, and not written
CONNECTING_SECONDS = 10


class Unit(StrEnum):
    """What is counted."""

    game = "game"
    round = "round"


class Leader(StrEnum):
    """Who leads the first trick of a game."""

    x = "x"
    y = "y"
    alternate = "alternate"


class Format(StrEnum):
    """What files shards are."""

    parquet = "parquet"
    npz = "npz"


@app.command("selfplay")
def selfplay_command(
    count: Annotated[int, typer.Argument(min=1, help="How many games, or rounds.")],
    x: Annotated[str, typer.Option("--x", metavar="POLICY", help=f"{POLICIES}.")] = "random",
    y: Annotated[str, typer.Option("--y", metavar="POLICY", help="As --x.")] = "random",
    variant: VariantOption = "bga",
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same games.")] = 0,
    unit: Annotated[Unit, typer.Option("--unit", help="What COUNT counts.")] = Unit.game,
    leader: Annotated[
        Leader, typer.Option("--leader", help="Who leads the first trick.")
    ] = Leader.alternate,
    deals: Annotated[
        str | None,
        typer.Option("--deals", metavar="FILE", help="Deals, one a line, played in turn; or -."),
    ] = None,
    labels: Annotated[
        bool, typer.Option("--labels", help="Tell the value and the best moves at every ply.")
    ] = False,
    tablebase: TablebaseOption = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="PLACE", help="A directory or an address for the shards."),
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="Of the shards.")] = Format.parquet,
    shard: Annotated[
        int | None, typer.Option("--shard", min=1, help="Games, or rounds, a shard; 1000000.")
    ] = None,
    threads: ThreadsOption = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that is to play."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Play games, count what came of them, and with --out keep them as shards.

    The same command, given again after an interruption, goes on where it stood.
    """
    from mate.arrays.places import place_of
    from mate.arrays.selfplaying import SelfPlay
    from mate.arrays.shards import UNITS_A_SHARD, run_to

    if scheduler is not None and threads is not None:
        raise typer.BadParameter("--threads is of this machine, --scheduler of others")
    rules = variant_of(variant)
    plan = SelfPlay.of(
        x, y, rules, seed, unit.value, leader.value,
        None if deals is None else _masks_in(deals, rules),
        labels, opened_tablebase(tablebase, rules),
    )  # fmt: skip
    place = None if out is None else place_of(out)
    size = shard or (UNITS_A_SHARD if place else min(UNITS_AT_A_TIME, -(-count // PARTS)))
    run = run_to(place, plan, count, size, format.value)
    try:
        with _executor_at(scheduler) as executor:
            if not json:
                print(_cost(plan, run), file=sys.stderr)
            since = time.perf_counter()
            written = _perform(run, plan.games_a_unit, threads, executor)
    except KeyboardInterrupt:
        again = "; the same command goes on where it stood" if place else ""
        complain(f"mate: interrupted{again}")
        raise typer.Exit(INTERRUPTED) from None
    _tell(written, out, time.perf_counter() - since, json)


def _masks_in(file: str, variant: Variant) -> "np.ndarray":
    import numpy as np

    masks = []
    name = "standard input" if file == "-" else file
    with _opened(file) as stream:
        for number, deal in read_deals(stream, variant.deck):
            if isinstance(deal, MateError):
                raise MateError(f"{name}: line {number}: {deal}")
            masks.append((deal.x.mask, deal.y.mask))
    if not masks:
        raise MateError(f"{name}: there is no deal in it")
    return np.array(masks, dtype=np.uint32)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield standard_input()
        return
    with open(file, "rb") as stream:
        yield stream


@contextmanager
def _executor_at(scheduler: str | None) -> Iterator[Executor | None]:
    if scheduler is None:
        yield None
        return
    try:
        import distributed
        from distributed.comm import get_address_host_port
    except ImportError:
        raise MateError("--scheduler needs Dask: pip install 'matecore[cluster]'") from None
    # What goes wrong is told as an error, in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        get_address_host_port(scheduler)  # of none the client would try for as long as it may
        client = distributed.Client(scheduler, timeout=CONNECTING_SECONDS, set_as_default=False)
    except Exception as error:  # of an address that is none, or where nobody answers
        why = str(error).partition("\n")[0]
        raise MateError(f"no Dask scheduler at {excerpt(scheduler)}: {why}") from None
    with client:
        yield client.get_executor()


def _cost(plan: "SelfPlay", run: "Run") -> str:
    from mate.arrays.games import Games

    what = f"{run.count:,} {plan.unit}{'s' * (run.count != 1)} of {plan.variant.name}"
    told = f"{what}, {plan.x} against {plan.y}"
    if run.place is None:
        return f"{told}; nothing is kept"
    size = run.count * plan.games_a_unit * Games.bytes_a_row(plan.variant, plan.labels)
    shards = f"{run.n_shards:,} shard{'s' * (run.n_shards != 1)}"
    return f"{told}: about {size:,} bytes, {shards}{_free_at(run.place)}"


def _free_at(place: "Place") -> str:
    path = getattr(place, "path", None)
    if path is None:
        return ""
    folder = next((folder for folder in (path, *path.parents) if folder.exists()), path)
    return f"; {shutil.disk_usage(folder).free:,} bytes are free"


def _perform(
    run: "Run", games_a_unit: int, threads: int | None, executor: Executor | None
) -> "Written":
    from mate.arrays.shards import perform

    since = time.monotonic()
    with Waiting("playing", run.count) as waiting:

        def show(done: int, total: int) -> None:
            rate = done * games_a_unit / max(time.monotonic() - since, 1e-9)
            waiting.label = f"{rate:,.0f} games a second"
            waiting.update(done)

        return perform(run, threads, executor, show)


def _tell(written: "Written", out: str | None, seconds: float, json: bool) -> None:
    tally, kept = written.tally, f", {written.kept:,} of them found" if written.kept else ""
    if json:
        told = {"place": out, "shards": written.shards, "kept": written.kept}
        told = {**told, "bytes": written.bytes} if out else {}
        print_json({**asdict(tally), **told, "seconds": round(seconds, 3)})
        return
    shares = [count / tally.games for count in (tally.x_wins, tally.draws, tally.y_wins)]
    rate = f"{tally.games / seconds:,.0f} a second"
    print(f"{tally.games:,} games in {seconds:.1f} s{'' if kept else f', {rate}'}")
    print("X wins {:.2%}, draws {:.2%}, Y wins {:.2%}".format(*shares), end="; ")
    print(f"mean margin {tally.margin / tally.games:+.3f}, {tally.moves / tally.games:.2f} moves")
    if out:
        shards = f"{written.shards:,} shard{'s' * (written.shards != 1)}"
        print(f"{out}: {shards}{kept}, {written.bytes:,} bytes")
