"""Writes whole deals of Court Piece with the tricks of every lead, worked out by DDS.

    python tests/make_court_values.py

DDS is the double-dummy solver of bridge, here through `endplay`. tests/data/court_values.json has
for each deal its hands as PBN, the trump (N for none), who leads, and how many tricks his side
takes by the card that he leads, his cards in the order of the PBN. A second run writes the same.
"""

import json
import random
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

import dds  # noqa: E402

# The first of them once had one trick too many: a cut was not sound.
KNOWN = [("K7.A84.QJT.KJ754 AJ.752.A9765.Q82 Q954.KQJT63.83.6 T8632.9.K42.AT93", "D", "E")]
COUNT = 150


def random_deal(rng: random.Random) -> tuple[str, str, str]:
    """Return the hands of a deal, its trump and who leads."""
    pack = list(range(52))
    rng.shuffle(pack)
    hands = [sum(1 << card for card in pack[i : i + 13]) for i in range(0, 52, 13)]
    return dds.deal_text(hands)[2:], rng.choice("SHDCN"), rng.choice(dds.SEATS)


def solved(hands: str, trump: str, leader: str) -> dict[str, object]:
    """Return the line of a deal."""
    masks = [
        sum(
            1 << 13 * suit + dds.RANKS.index(rank)
            for suit, ranks in enumerate(hand.split("."))
            for rank in ranks
        )
        for hand in hands.split()
    ]
    values = dds.values(dds.board(masks, "SHDCN".index(trump), dds.SEATS.index(leader)))
    tricks = [values[card] for card in sorted(values)]
    return {"deal": hands, "trump": trump, "leader": leader, "tricks": tricks}


def main() -> None:
    """Write the file."""
    rng = random.Random(7)
    deals = KNOWN + [random_deal(rng) for _ in range(COUNT - len(KNOWN))]
    lines = ",\n".join(json.dumps(solved(*deal)) for deal in deals)
    path = ROOT / "tests" / "data" / "court_values.json"
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
