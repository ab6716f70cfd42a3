"""Playing from Python: microseconds of a push and a pop, and moves counted by perft a second."""

import timeit

import mate
from report import arguments, median_seconds, report

DEAL = "ATK.Q7.A.TKQ7"


def push_pop(runs: int) -> dict[str, object]:
    """Return the row of `Game.push` + `pop`."""
    game = mate.Game(DEAL)
    count = 200_000
    timer = timeit.Timer("push('Ac'); pop()", globals={"push": game.push, "pop": game.pop})
    seconds = median_seconds(lambda: timer.timeit(count), runs)
    return {"work": "push + pop, µs", "figure": seconds / count * 1e6, "must": 1.0, "aim": 0.2}


def perft(runs: int) -> dict[str, object]:
    """Return the row of perft."""
    position = mate.Game(DEAL).position
    depth = 14
    seconds = median_seconds(lambda: position.perft(depth), runs)
    rate = position.perft(depth) / seconds / 1e6
    return {"work": f"perft({depth}), million/s", "figure": rate, "must": "", "aim": ""}


def main() -> None:
    """Measure both."""
    options = arguments(__doc__).parse_args()
    report([push_pop(options.runs), perft(options.runs)], options.json)


if __name__ == "__main__":
    main()
