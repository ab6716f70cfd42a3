"""Draws the figures of pictures.md into a folder, docs/figures unless told."""

import argparse
from pathlib import Path

import mate
from mate.render.svg import svg

DEAL = "AQ7.A7.TK7.AT"
BEST_PLAY = "7c Tc Kd Ad Qc Kc 7d Td Ac Ah As Ks Th Qh 7h"
PIECES = "*Qc *Kd 7s Ks Kc 7c Ah! Ac Th Qh As"


def played(deal: str, moves: str, variant: str = "bga") -> mate.Game:
    """Play moves from a deal."""
    game = mate.Game(deal, variant)
    for move in moves.split():
        game.push(move)
    return game


def pictures() -> dict[str, str]:
    """Draw all figures by their names."""
    reply = played(DEAL, BEST_PLAY[:14])
    pieces = played(DEAL, PIECES, "pieces")
    return {
        "board": svg(reply.position),
        "game": svg(played(DEAL, BEST_PLAY)),
        "board-pieces": svg(pieces.position, dark=True),
        "game-pieces": svg(pieces, dark=True),
    }


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "figures")
    for name, text in pictures().items():
        (parser.parse_args().folder / f"{name}.svg").write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
