"""A million random games of all presets played again move by move; best play on every deal of bga.

Games are played through `mate.Game`, some minutes of them; the 184,756 deals by either leader
against the tablebase.
"""

import argparse
import time
from itertools import combinations

import numpy as np

import mate


def differing(variant: mate.Variant, count: int, seed: int) -> tuple[int, int]:
    """Return how many games were played again, and how many were illegal or ended otherwise."""
    wrong, games = 0, mate.selfplay(count // 2, variant=variant, seed=seed, unit="round")
    deals, leaders = games.deal.tolist(), games.leader.tolist()
    moves, results = games.moves.tolist(), games.result.tolist()
    for i in range(len(games)):
        game = mate.Game(mate.Deal(*deals[i], deck=variant.deck), variant, "xy"[leaders[i]])
        wrong += not same(game, moves[i], results[i])
    return len(games), wrong


def same(game: mate.Game, moves: list[int], result: int) -> bool:
    """Return whether the moves are legal, end the game and bring that result."""
    try:
        for place, action in enumerate(moves):
            if action < 0:
                return game.is_over and game.result == result and set(moves[place:]) == {-1}
            game.push(action)
    except mate.IllegalMoveError:
        return False
    return game.is_over and game.result == result


def all_deals(n_cards: int) -> np.ndarray:
    """Return every deal of a deck, uint32 of shape (n, 2)."""
    hands = [sum(1 << card for card in hand) for hand in combinations(range(n_cards), n_cards // 2)]
    x = np.array(hands, dtype=np.uint32)
    return np.stack([x, x ^ np.uint32((1 << n_cards) - 1)], axis=1)


def deals_not_of_value(
    table: mate.Tablebase, deals: np.ndarray, leader: str, source: mate.Tablebase | None
) -> int:
    """Return on how many deals best play of both does not come to the tablebase's value."""
    settings = {"deals": deals, "leader": leader, "tablebase": source, "labels": True}
    games = mate.selfplay(len(deals), "optimal", "optimal", table.variant, **settings)
    values = table.solve(deals)[:, "xy".index(leader)]
    wrong = games.result != (values if leader == "x" else -values)
    return int((wrong | (games.value[:, 0] != values)).sum())


def main() -> None:
    """Print a line a check; exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="games of all presets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tablebase", metavar="FILE", help="that of bga; else it is built first")
    parser.add_argument("--lattice", action="store_true", help="solve every deal apart as well")
    options = parser.parse_args()
    texts, total = [*mate.PRESETS, "capellen,deck=double24"], 0
    print("check", "games", "differ", "seconds", sep="\t")

    def tell(what: str, count: int, wrong: int, since: float) -> None:
        nonlocal total
        total += wrong
        print(what, f"{count:,}", wrong, f"{time.perf_counter() - since:.1f}", sep="\t", flush=True)

    for text in texts:
        since, share = time.perf_counter(), -(-options.count // len(texts)) // 2 * 2
        tell(f"{text} again", *differing(mate.Variant.of(text), share, options.seed), since)
    path = options.tablebase
    table = mate.Tablebase.open(path) if path else mate.Tablebase.build("bga")
    deals = all_deals(20)
    for source in (table, None) if options.lattice else (table,):
        for leader in "xy":
            since = time.perf_counter()
            wrong = deals_not_of_value(table, deals, leader, source)
            what = f"bga, {leader} leads, {'tablebase' if source else 'lattice'}"
            tell(what, len(deals), wrong, since)
    raise SystemExit(total > 0)


if __name__ == "__main__":
    main()
