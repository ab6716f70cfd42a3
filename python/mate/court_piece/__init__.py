"""Court Piece: four players in two partnerships, hidden hands, trumps.

>>> from mate.court_piece import Deal, Hand
>>> hand = Hand(Deal.random(1), "double-sir")
>>> hand.to_act, hand.legal_moves
(1, ('S', 'H', 'D', 'C'))
"""

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

__all__ = [
    "CARDS",
    "PRESETS",
    "Cards",
    "Deal",
    "Duel",
    "Hand",
    "Match",
    "Player",
    "Record",
    "Run",
    "Trick",
    "Variant",
    "View",
    "duel",
    "parse_deals",
    "parse_records",
    "read_deals",
    "read_records",
    "write_deal",
    "write_deals",
    "write_record",
    "write_records",
]
