"""Writes tests/data/golden.svg: a small game as a picture; look at it before it is committed."""

from pathlib import Path

import mate
from mate.render.svg import svg

FILE = Path(__file__).with_name("data") / "golden.svg"
DECK = mate.Deck("cd", "AKQ", ("AKQ", "AKQ"), (11, 4, 3), "little", ("Clubs", "Diamonds"))


def game() -> mate.Game:
    """A lead in the second trick, with its replies to choose from."""
    played = mate.Game("AQ.K", mate.Variant(deck=DECK))
    for move in ("Qc", "Kc", "Qd"):
        played.push(move)
    return played


if __name__ == "__main__":
    FILE.write_text(svg(game()), encoding="utf-8", newline="\n")
