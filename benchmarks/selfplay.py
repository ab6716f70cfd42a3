"""Self-play: games a second by policies, threads and preset, to files, and beside OpenSpiel.

The rates of a table are measured one after another in one process; OpenSpiel's is a loop over
`state.legal_actions()` and `state.apply_action`, as its users write it.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import mate
from report import arguments, median_seconds, report

Row = dict[str, object]

# Card games of OpenSpiel: two players with hands of ten and no chance; tricks of four players.
GOOFSPIEL = "goofspiel(num_cards=10,points_order=descending)"
BESIDE = {"goofspiel": f"turn_based_simultaneous_game(game={GOOFSPIEL})", "euchre": "euchre"}
PAIRS = [
    ("random", "random"), ("random", "greedy"), ("greedy", "greedy"), ("random", "optimal"),
    ("optimal", "optimal"), ("epsilon:0.1", "epsilon:0.1"), ("softmax:5", "softmax:5"),
]  # fmt: skip
SHARDS, IN_SHARD = 8, 1_000_000
OTHERS = 5000  # games of another engine
FAST, SLOW = {"random", "greedy"}, 2000  # policies without values; games of a deal each solved


def row(what: str, count: int, seconds: float, **known: object) -> Row:
    """Return a row of the table."""
    empty = {"variant": "bga", "threads": 1, "values from": "", "labels": "", "must": "", "aim": ""}
    return {"work": what, **empty, **known, "games": count, "games/s": f"{count / seconds:,.0f}"}


def measured(
    x: str, y: str, runs: int, *, table: mate.Tablebase | None = None, **settings: object
) -> tuple[int, float, Row]:
    """Return how many games were played, in how many seconds, and what is to be told of them."""
    labels = bool(settings.get("labels"))
    exact = labels or not {x, y} <= FAST
    count = 1_000_000 if not exact else 100_000 if table else SLOW
    settings = {"variant": "bga", "threads": 1, **settings}
    seconds = median_seconds(lambda: mate.selfplay(count, x, y, tablebase=table, **settings), runs)
    told: Row = {"variant": settings["variant"], "threads": settings["threads"]}
    if exact:
        told["values from"] = "tablebase" if table else "lattice"
    return count, seconds, {**told, "labels": "yes" if labels else ""}


def played(x: str, y: str, runs: int, **settings: object) -> Row:
    """Return the row of a pair of policies."""
    marks = {name: settings.pop(name) for name in ("must", "aim") if name in settings}
    count, seconds, told = measured(x, y, runs, **settings)
    return row(f"{x} v {y}", count, seconds, **told, **marks)


# --- Tables --------------------------------------------------------------------------------------


def by_policy(runs: int) -> Iterator[Row]:
    """Yield rows of `bga` without a tablebase."""
    for x, y in PAIRS:
        marks = {"must": "5,000,000", "aim": "8,000,000"} if (x, y) == ("random", "random") else {}
        yield played(x, y, runs, **marks)
    yield played("random", "random", runs, labels=True)
    yield played("optimal", "optimal", runs, labels=True)


def by_threads(runs: int) -> Iterator[Row]:
    """Yield rows on two threads."""
    for x, y in (("random", "random"), ("greedy", "greedy"), ("optimal", "optimal")):
        yield played(x, y, runs, threads=2)


def by_preset(runs: int) -> Iterator[Row]:
    """Yield rows of the other presets, and of the largest deck that is solved."""
    for name in [*list(mate.PRESETS)[1:], "capellen,deck=double24"]:
        yield played("random", "random", runs, variant=name)


def from_tablebase(runs: int, path: str | None) -> Iterator[Row]:
    """Yield rows of `bga` with all values known before."""
    table = mate.Tablebase.open(path) if path else mate.Tablebase.build("bga")
    for threads in (1, 2):
        for x, y in (("random", "optimal"), ("optimal", "optimal"), ("softmax:5", "softmax:5")):
            yield played(x, y, runs, table=table, threads=threads)
        yield played("random", "random", runs, table=table, labels=True, threads=threads)
        marks = {"must": "300,000", "aim": "1,000,000"} if threads == 1 else {}
        yield played("optimal", "optimal", runs, table=table, labels=True, threads=threads, **marks)


def to_files(runs: int) -> Iterator[Row]:
    """Yield the row of the same games written to Parquet, with its share of the rate in memory."""
    try:
        import pyarrow  # noqa: F401

        write: Callable[..., object] = mate.write_selfplay
    except (ImportError, AttributeError) as error:
        print(f"not measured, files: {error}")
        return
    count = SHARDS * IN_SHARD
    shares, times = [], []
    for _ in range(runs + 1):  # the first is not counted
        start = time.perf_counter()
        for shard in range(SHARDS):
            mate.selfplay(IN_SHARD, threads=1, first=shard * IN_SHARD)
        in_memory = time.perf_counter() - start
        with tempfile.TemporaryDirectory() as place:
            start = time.perf_counter()
            write(Path(place) / "games", count, threads=1, shard=IN_SHARD)
            times.append(time.perf_counter() - start)
        shares.append(in_memory / times[-1])
    seconds, share = statistics.median(times[1:]), statistics.median(shares[1:])
    yield row(f"random v random to Parquet, {share:.2f} of memory", count, seconds, must="0.70 of")


# --- OpenSpiel -----------------------------------------------------------------------------------


def one_game(game: object, rng: random.Random) -> int:
    """Play a game of OpenSpiel at random; return how many decisions it had."""
    state, plies = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies


def random_games(game: object, runs: int) -> tuple[float, float]:
    """Return how many decisions a game has in the mean, and the seconds of `OTHERS` games."""
    rng = random.Random(1)
    mean = statistics.mean(one_game(game, rng) for _ in range(OTHERS))
    return mean, median_seconds(lambda: [one_game(game, rng) for _ in range(OTHERS)], runs)


def beside(runs: int) -> Iterator[Row]:
    """Yield rows of random play through OpenSpiel's Python interface."""
    try:
        import pyspiel
    except ImportError as error:
        print(f"not measured, OpenSpiel: {error}; pip install 'matecore[openspiel]'")
        return
    for name, text in BESIDE.items():
        mean, seconds = random_games(pyspiel.load_game(text), runs)
        what = f"OpenSpiel {version('open_spiel')}, random {name}, {mean:.1f} decisions a game"
        yield row(what, OTHERS, seconds, variant="")


def main() -> None:
    """Measure all, and say how long games of `bga` are."""
    parser = arguments(__doc__)
    parser.add_argument("--tablebase", metavar="FILE", help="that of bga; else it is built first")
    options = parser.parse_args()
    runs = options.runs
    games = mate.selfplay(100_000)
    print(f"random games of bga have {(games.moves >= 0).sum() / len(games):.1f} decisions")
    rows = [*by_policy(runs), *by_threads(runs), *by_preset(runs), *beside(runs)]
    rows += [*to_files(runs), *from_tablebase(runs, options.tablebase)]
    report(rows, options.json)


if __name__ == "__main__":
    main()
