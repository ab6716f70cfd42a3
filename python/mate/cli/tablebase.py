"""`mate tablebase`: the whole game solved, built once and looked up ever after."""

import os
import shutil
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mate.cli.options import (
    POSITION_HELP,
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    ThreadsOption,
    VariantOption,
)
from mate.cli.output import Waiting, print_json
from mate.cli.reading import read_game, variant_of
from mate.errors import MateError
from mate.tablebase import BuildProgress, LayerStats, Tablebase, default_path, size_of

app = typer.Typer(add_completion=False, no_args_is_help=True)

FileOption = Annotated[
    Path | None,
    typer.Option("--file", help="The tablebase; unless told, its place in the cache directory."),
]


@app.callback()
def tablebase() -> None:
    """Solve a whole variant and look its positions up."""


OpenedOption = Annotated[
    str | None,
    typer.Option("--variant", metavar="TEXT", help="bga, or what the file is of, unless told."),
]


def open_for(variant: str | None, file: Path | None) -> Tablebase:
    """Open the tablebase that the options of a command tell of.

    Raises:
        MateError: there is none, or the file is of another variant.
    """
    told = None if variant is None else variant_of(variant)
    if file is None:
        place = default_path(told or "bga")
        if not place.exists():
            again = f"mate tablebase build --variant {variant or 'bga'}"
            raise MateError(f"there is no tablebase at {place}; {again} makes it")
        return Tablebase.open(place)
    opened = Tablebase.open(file)
    if told is not None and told.rules != opened.variant.rules:
        raise MateError(f"{file} is a tablebase of {opened.variant.name}, not {told.name}")
    return opened


# --- Build ---------------------------------------------------------------------------------------


@app.command()
def build(
    variant: VariantOption = "bga",
    file: FileOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Solve all positions of a variant, from the last trick back, and save them."""
    rules = variant_of(variant)
    place = default_path(rules) if file is None else file
    size = size_of(rules)
    if not json:
        print(f"{rules.name}: {size:,} bytes of memory, and as many in {place}", file=sys.stderr)
    _refuse_place(place, size, file is not None)
    since = time.perf_counter()
    with Waiting("solving") as waiting:
        solved = Tablebase.build(rules, threads, lambda progress: _show(waiting, progress))
    seconds = time.perf_counter() - since
    if not json:
        print(f"writing {place}", file=sys.stderr)
    solved.save(file)
    positions = len(solved.core.buffer)
    if json:
        print_json(
            {"file": str(place), "variant": rules.name, "positions": positions, "bytes": size,
             "seconds": round(seconds, 3)}
        )  # fmt: skip
    else:
        print(f"{positions:,} positions solved in {seconds:.1f} s: {place}")


def _refuse_place(place: Path, size: int, told: bool) -> None:
    # Before minutes are spent on what could not be kept.
    folder = next((path for path in place.absolute().parents if path.exists()), Path("/"))
    if told and folder != place.absolute().parent:
        raise MateError(f"{place}: there is no folder {place.absolute().parent}")
    if place.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise MateError(f"{place}: nothing can be written there")
    free = shutil.disk_usage(folder).free
    if free < size:
        raise MateError(f"{place}: {free:,} bytes free, {size:,} needed")


def _show(waiting: Waiting, progress: BuildProgress) -> None:
    waiting.label = f"layers with {progress.step} of {progress.steps} cards"
    waiting.total = progress.total
    waiting.update(progress.done)


# --- Verify --------------------------------------------------------------------------------------


@app.command()
def verify(
    variant: OpenedOption = None,
    file: FileOption = None,
    samples: Annotated[int, typer.Option("--samples", min=0, help="Positions searched.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the positions.")] = 1,
    json: JsonOption = False,
) -> None:
    """Check every checksum, and random positions against the search."""
    opened = open_for(variant, file)
    with Waiting("searching", samples) as waiting:
        opened.verify(samples, seed, lambda done, total: waiting.update(done))
    if json:
        print_json({"file": str(opened.path), "variant": opened.variant.name, "samples": samples})
    else:
        print(f"{opened.path} is sound; {samples} positions of it were searched and agree")


# --- Probe ---------------------------------------------------------------------------------------


@app.command(context_settings=POSITION_SETTINGS)
def probe(
    words: Annotated[list[str], typer.Argument(metavar="POSITION|DEAL", help=POSITION_HELP)],
    variant: OpenedOption = None,
    file: FileOption = None,
    leader: LeaderOption = None,
    json: JsonOption = False,
) -> None:
    """Look up a position: the margin of every move, for the player to act."""
    opened = open_for(variant, file)
    game = read_game(words, opened.variant, leader)
    values = opened.values(game)
    if json:
        moves = [{"move": move, "value": value} for move, value in values]
        print_json({"position": str(game), "value": opened.probe(game), "moves": moves})
    else:
        print(f"{game}  {opened.probe(game):+d}")
        for move, value in values:
            print(f"{move:4} {value:+4d}")


# --- Stats ---------------------------------------------------------------------------------------

COLUMNS = ("cards", "trick", "state", "positions", "wins", "draws", "loses", "mean", "from", "to")


@app.command()
def stats(variant: OpenedOption = None, file: FileOption = None, json: JsonOption = False) -> None:
    """Show how values are distributed, layer by layer, for the leader.

    The state says who foreplaced, and + that the free move is to be had. Where both foreplaced and
    the weights allow, the plain layer a trick later tells.
    """
    rows = open_for(variant, file).stats()
    if json:
        for row in rows:
            print_json(asdict(row))
        return
    print("{:>5} {:>5} {:13} {:>13} {:>7} {:>7} {:>7} {:>7} {:>5} {:>5}".format(*COLUMNS))
    for row in rows:
        print(_stats_line(row))


def _stats_line(row: LayerStats) -> str:
    state = "leader" * row.leader_foreplaced + "follower" * row.follower_foreplaced
    both = row.leader_foreplaced and row.follower_foreplaced
    state = ("both" if both else state or "-") + " +" * row.free
    shares = " ".join(f"{n / row.positions:7.2%}" for n in (row.wins, row.draws, row.losses))
    cards = f"{row.leader_cards}/{row.follower_cards}"
    return (
        f"{cards:>5} {row.trick:5} {state:13} {row.positions:13,} {shares} {row.mean:+7.2f} "
        f"{row.lowest:5} {row.highest:5}"
    )
