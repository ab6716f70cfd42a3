"""Steps a second through every interface at random, and OpenSpiel's own card games beside them.

A step is one action played, with what its interface makes a user do around it: asking what is
legal, and where it says "seen" what the player to act sees. Actions are drawn outside of the time
that is measured for vectors, whose caller has a network for that; single games draw them as their
users do, by `random.choice`. All rows are measured one after another in one process.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

import numpy as np

import mate
import matecore
from mate.envs.vector import Arrays, VectorGames
from report import arguments, median_seconds, report

Row = dict[str, object]

# Card games of OpenSpiel: two players with hands of ten and no chance; tricks of four players.
GOOFSPIEL = "goofspiel(num_cards=10,points_order=descending)"
BESIDE = {"goofspiel": f"turn_based_simultaneous_game(game={GOOFSPIEL})", "euchre": "euchre"}
STEPS = 20_000  # of a run of a single game
CALLS = {1: 20_000, 64: 3000, 4096: 100}  # of a run of a vector of so many games


def row(interface: str, steps: int, seconds: float, games: int = 1, seen: str = "") -> Row:
    """Return a row of the table."""
    rate = steps / seconds
    return {"interface": interface, "games": games, "seen": seen, "steps/s": rate}


# --- Ours ----------------------------------------------------------------------------------------


def deals(count: int) -> np.ndarray:
    """Return random deals, as masks."""
    return mate.selfplay(count, seed=1).deal


def push(rng: random.Random) -> int:
    """Play games through `Game`, and return how many steps that were."""
    variant, steps = mate.PRESETS["bga"], 0
    while steps < STEPS:
        game = mate.Game(mate.Deal.random(rng.getrandbits(32)), variant)
        while not game.is_over:
            game.push(rng.choice(game.legal_moves))
            steps += 1
    return steps


def position(rng: random.Random) -> int:
    """Play games through `matecore.Position`, and return how many steps that were."""
    rules, steps = mate.PRESETS["bga"].rules, 0
    for x, y in deals(STEPS // 5).tolist():
        game = matecore.Position(rules, x, y)
        while legal := game.legal_actions():
            game.push(rng.choice(legal))
            steps += 1
        if steps >= STEPS:
            break
    return steps


def stepped(n: int, runs: int, is_seen: bool, opponent: str | None) -> float:
    """Return the median seconds that `CALLS[n]` calls of `step` take."""
    arrays = Arrays.empty(n)
    if not is_seen:
        arrays = arrays._replace(observations=None)
    games = VectorGames(n, seed=1, opponent=opponent, arrays=arrays)
    return statistics.median([_calls(games) for _ in range(runs + 1)][1:])


def _calls(games: VectorGames) -> float:
    rng, spent = np.random.default_rng(1), 0.0
    masks = games.arrays.masks
    for _ in range(CALLS[games.n]):
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        start = time.perf_counter()
        games.step(actions)
        spent += time.perf_counter() - start
    return spent


def vectors(runs: int) -> Iterator[Row]:
    """Yield rows of vectors: both sides played, and one side against a random player."""
    for n, calls in CALLS.items():
        for is_seen in (True, False):
            seconds = stepped(n, runs, is_seen, None)
            yield row("VectorGames", n * calls, seconds, n, "yes" if is_seen else "")
    n = max(CALLS)
    yield row("VectorGames v random", n * CALLS[n], stepped(n, runs, True, "random"), n, "yes")


# --- Other worlds --------------------------------------------------------------------------------


def gymnasium_steps(rng: random.Random) -> int:
    """Play through the environment of Gymnasium, against a random player."""
    from mate.envs.gymnasium import MateEnv

    env = MateEnv()
    _, info = env.reset(seed=1)
    for _ in range(STEPS):
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, is_over, _, info = env.step(action)
        if is_over:
            _, info = env.reset()
    return STEPS


def pettingzoo_steps(rng: random.Random) -> int:
    """Play through the environment of PettingZoo."""
    from mate.envs.pettingzoo import env

    game, steps = env(), 0
    while steps < STEPS:
        game.reset(seed=steps)
        for _ in game.agent_iter():
            seen, _, is_over, _, _ = game.last()
            if is_over:
                break
            game.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            steps += 1
    return steps


def spiel_steps(game: object, rng: random.Random, is_seen: bool) -> int:
    """Play a game of OpenSpiel, and return how many decisions there were."""
    steps = 0
    while steps < STEPS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            if is_seen:
                state.observation_tensor() if game.get_type().provides_observation_tensor else (
                    state.information_state_tensor()
                )
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps


def measured(play: Callable[[random.Random], int], runs: int) -> tuple[int, float]:
    """Return the steps of a run, and its median seconds."""
    return play(random.Random(1)), median_seconds(lambda: play(random.Random(1)), runs)


def other_worlds(runs: int) -> Iterator[Row]:
    """Yield rows of the environments whose extras are installed."""
    for name, play in (("Gymnasium", gymnasium_steps), ("PettingZoo", pettingzoo_steps)):
        try:
            yield row(f"{name}, Mate", *measured(play, runs), seen="yes")
        except mate.MateError as error:
            print(f"not measured, {name}: {error}")
    try:
        import pyspiel

        from mate.envs import openspiel  # noqa: F401
    except mate.MateError as error:
        print(f"not measured, OpenSpiel: {error}")
        return
    for name, text in {"python_mate": "python_mate", **BESIDE}.items():
        game = pyspiel.load_game(text)
        for is_seen in (False, True):
            told = measured(lambda rng, g=game, s=is_seen: spiel_steps(g, rng, s), runs)
            what = f"OpenSpiel {version('open_spiel')}, {name}"
            yield row(what, *told, seen="yes" if is_seen else "")


def from_c(runs: int) -> Iterator[Row]:
    """Yield rows of loops outside Python, if they are built."""
    try:
        from compiled_steps import rows
    except ImportError as error:
        print(f"not measured, C interface and Cython loop: {error}")
        return
    yield from rows(runs)


def main() -> None:
    """Measure all, and say how many times OpenSpiel's the vectors' rates are."""
    options = arguments(__doc__).parse_args()
    runs = options.runs
    rows = [row("Game.push", *measured(push, runs)), row("Position", *measured(position, runs))]
    rows += [*vectors(runs), *other_worlds(runs), *from_c(runs)]
    spiel = [one for one in rows if str(one["interface"]).startswith("OpenSpiel")]
    for one in rows:
        same = [float(s["steps/s"]) for s in spiel if s["seen"] == one["seen"]]
        one["x OpenSpiel's fastest"] = f"{one['steps/s'] / max(same):.1f}" if same else ""
    for one in rows:
        one["steps/s"] = f"{one['steps/s']:,.0f}"
    report(rows, options.json)


if __name__ == "__main__":
    main()
