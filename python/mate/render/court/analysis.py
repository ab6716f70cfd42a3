"""A double-dummy analysis as people read it: a verdict, a table of the moves, the best line."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.table import Table
from rich.text import Text

from mate.court_piece.analysis import Analysis, MoveValue
from mate.court_piece.hand import Hand
from mate.render.court.diagram import card_text
from mate.render.court.words import SIDES, tricks_word
from mate.render.text import points, signed

QUESTIONS = {"seven": "Seven tricks", "thirteen": "All thirteen", "first_seven": "The first seven"}


def verdict(hand: Hand, analysis: Analysis, prospects: Mapping[str, bool]) -> Text:
    """Say what best play brings the side to act, and what it can have."""
    side = hand.to_act % 2
    collected = hand.collected[side]
    so_far = f", with the {collected} it has {collected + analysis.tricks}" * bool(collected)
    bring = points(abs(analysis.points))
    text = Text(f"Best play: {SIDES[side]} take {tricks_word(analysis.tricks)}{so_far}; ")
    text.append(f"they {'win' if analysis.points >= 0 else 'lose'} {bring}.\n")
    text.stylize("bold")
    can = [f"{words}: {'yes' if prospects[name] else 'no'}" for name, words in QUESTIONS.items()]
    return text.append(f"{'. '.join(can)}.")


def moves_table(moves: Sequence[MoveValue]) -> Table:
    """Return the moves by what they are worth, the best first."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("tricks", justify="right")
    table.add_column("points", justify="right")
    table.add_column("moves")
    in_order = sorted(moves, key=lambda move: (-move.points, -move.tricks))
    for (won, tricks), alike in groupby(in_order, lambda move: (move.points, move.tricks)):
        names = Text(" ").join(_move_text(move.move) for move in alike)
        table.add_row(str(tricks), signed(won), names)
    return table


def best_line(hand: Hand, line: Sequence[str]) -> str:
    """Write a line of play with the numbers of the tricks.

    >>> from mate.court_piece import Deal
    >>> hand = Hand(Deal.random(1), trump="S")
    >>> best_line(hand, ("8S", "2S", "3S"))
    'Best line: 1. 8S 2S 3S'
    """
    words, place = ["Best line:"], len(hand.table.cards)
    number = len(hand.tricks) + 1
    for move in line:
        is_card = len(move) == 2 and move != "on"
        if is_card and place % 4 == 0:
            words.append(f"{number + place // 4}.")
        place += is_card
        words.append(move)
    return " ".join(words)


def _move_text(move: str) -> Text:
    return card_text(move) if move[-1] in "SHDC" and len(move) == 2 else Text(move)
