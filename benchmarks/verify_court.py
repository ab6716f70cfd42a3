"""The double-dummy search of Court Piece against DDS, on random deals and in the middle of hands.

It needs `endplay`, see CONTRIBUTING. Trump, none as well, and leader are random. Of a position in
the middle of a hand, which random play came to, every card's tricks are compared.
"""

import argparse
import random
import time

import dds
from matecore.court_piece import Position, Rules, Solver

RULES = Rules(chase=0)


def random_deal(rng: random.Random) -> tuple[list[int], int, int]:
    """Return hands, a trump and who leads."""
    pack = list(range(52))
    rng.shuffle(pack)
    hands = [sum(1 << card for card in pack[i : i + 13]) for i in range(0, 52, 13)]
    return hands, rng.randrange(5), rng.randrange(4)


def deal_differs(solver: Solver, rng: random.Random) -> str:
    """Return what differs of one deal, nothing if nothing does."""
    hands, trump, leader = random_deal(rng)
    found = solver.tricks(Position(RULES, hands, leader, trump))
    expected = dds.tricks(dds.board(hands, trump, leader))
    if found == expected:
        return ""
    return f"{dds.deal_text(hands)} trump {trump} leader {leader}: {found}, DDS {expected}"


def played(rng: random.Random, cards: int) -> Position:
    """Return a position after so many cards at random, its points not being decided."""
    while True:
        hands, trump, leader = random_deal(rng)
        position = Position(RULES, hands, leader, trump)
        while len(position.played) < cards and not position.is_over:
            position.push(rng.choice(position.legal_actions()))
        if not position.is_over:
            return position


def position_differs(solver: Solver, rng: random.Random) -> str:
    """Return what differs of one position, nothing if nothing does."""
    # Hands end when a side has seven tricks: later positions are rare.
    position = played(rng, rng.randrange(44))
    hands = list(position.hands)
    for place, card in enumerate(position.table):
        hands[(position.leader + place) % 4] |= 1 << card
    board = dds.board(hands, position.trump, position.leader, position.table)
    found, expected = dict(solver.values(position)), dds.values(board)
    if found == expected:
        return ""
    where = f"{dds.deal_text(hands)} trump {position.trump} leader {position.leader}"
    return f"{where} table {position.table}: {found}, DDS {expected}"


def main() -> None:
    """Print what differs and how much; exit with 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000, help="whole deals")
    parser.add_argument("--positions", type=int, default=400, help="in the middle of a hand")
    parser.add_argument("--seed", type=int, default=1, help="of the deals")
    options = parser.parse_args()
    solver, total = Solver(RULES), 0
    for name, count, work in (
        ("deals", options.deals, deal_differs),
        ("positions", options.positions, position_differs),
    ):
        start, rng = time.perf_counter(), random.Random(options.seed)
        wrong = [told for told in (work(solver, rng) for _ in range(count)) if told]
        total += len(wrong)
        print(*wrong, sep="\n", end="\n" if wrong else "")
        print(f"{count} {name} compared, {len(wrong)} differ,", end=" ")
        print(f"{time.perf_counter() - start:.1f} s", flush=True)
    raise SystemExit(total > 0)


if __name__ == "__main__":
    main()
