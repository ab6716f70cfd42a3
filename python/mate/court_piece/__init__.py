"""Court Piece: four players in two partnerships, hidden hands, trumps.

>>> from mate.court_piece import Deal, Hand
>>> hand = Hand(Deal.random(1), "double-sir")
>>> hand.to_act, hand.legal_moves
(1, ('S', 'H', 'D', 'C'))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mate.court_piece.analysis import Analysis, MoveValue, analyze
from mate.court_piece.batch import solve
from mate.court_piece.cards import CARDS, Cards
from mate.court_piece.deal import Deal
from mate.court_piece.duelling import Duel, duel
from mate.court_piece.hand import Hand
from mate.court_piece.match import Match
from mate.court_piece.pbn import (
    parse_deals,
    parse_records,
    read_deals,
    read_records,
    write_deal,
    write_deals,
    write_records,
)
from mate.court_piece.players import Player
from mate.court_piece.record import Record, write_record
from mate.court_piece.variant import PRESETS, Variant
from mate.court_piece.view import Run, Trick, View

if TYPE_CHECKING:
    from mate.court_piece.handfiles import read_hands, write_selfplay
    from mate.court_piece.hands import Hands
    from mate.court_piece.selfplaying import selfplay

__all__ = [
    "CARDS",
    "PRESETS",
    "Analysis",
    "Cards",
    "Deal",
    "Duel",
    "Hand",
    "Hands",
    "Match",
    "MoveValue",
    "Player",
    "Record",
    "Run",
    "Trick",
    "Variant",
    "View",
    "analyze",
    "duel",
    "parse_deals",
    "parse_records",
    "read_deals",
    "read_hands",
    "read_records",
    "selfplay",
    "solve",
    "write_deal",
    "write_deals",
    "write_record",
    "write_records",
    "write_selfplay",
]

# Hands as arrays: loaded when they are first asked for, since not every command needs them.
_ARRAYS = {
    "Hands": "hands",
    "read_hands": "handfiles",
    "selfplay": "selfplaying",
    "write_selfplay": "handfiles",
}


def __getattr__(name: str) -> Any:
    if name not in _ARRAYS:
        raise AttributeError(f"module 'mate.court_piece' has no attribute {name!r}")
    return getattr(import_module(f"mate.court_piece.{_ARRAYS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
