"""Mate, Capellen's two-player card game of perfect information: play, analysis and exact truth.

>>> import mate
>>> analysis = mate.analyze(mate.Game("AQ7.A7.TK7.AT"))
>>> analysis.value, analysis.best, analysis.outcome.trick, analysis.outcome.card
(56, '7c', 8, '7h')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mate.analysis import Analysis, MoveValue, Outcome, analyze
from mate.batch import solve, solve_round
from mate.deal import Deal, Hand
from mate.deck import DECKS, Deck
from mate.errors import (
    EngineError,
    IllegalMoveError,
    MateError,
    NotationError,
    RecordError,
    ShardError,
    TablebaseError,
    VariantError,
)
from mate.foreplacing import Foreplacing
from mate.game import Game
from mate.lattice import Lattice
from mate.match import Match
from mate.players import Player
from mate.position import Position
from mate.puzzle import Puzzle, puzzles
from mate.record import Record, write_record
from mate.recordfile import parse_records, read_records, write_records
from mate.reviewing import Decision, Review, Summary, review, review_deals
from mate.round import Round
from mate.tablebase import Tablebase
from mate.variant import PRESETS, Variant

if TYPE_CHECKING:
    from mate.arrays.arena import Arena, arena
    from mate.arrays.games import Games
    from mate.arrays.samplefile import write_samples
    from mate.arrays.samples import Samples, samples
    from mate.arrays.selfplaying import label, selfplay
    from mate.arrays.shardreading import read_games
    from mate.arrays.shards import write_selfplay

__version__ = "0.1.0"

__all__ = [
    "DECKS",
    "PRESETS",
    "Analysis",
    "Arena",
    "Deal",
    "Decision",
    "Deck",
    "EngineError",
    "Foreplacing",
    "Game",
    "Games",
    "Hand",
    "IllegalMoveError",
    "Lattice",
    "Match",
    "MateError",
    "MoveValue",
    "NotationError",
    "Outcome",
    "Player",
    "Position",
    "Puzzle",
    "Record",
    "RecordError",
    "Review",
    "Round",
    "Samples",
    "ShardError",
    "Summary",
    "Tablebase",
    "TablebaseError",
    "Variant",
    "VariantError",
    "analyze",
    "arena",
    "label",
    "parse_records",
    "puzzles",
    "read_games",
    "read_records",
    "review",
    "review_deals",
    "samples",
    "selfplay",
    "solve",
    "solve_round",
    "write_record",
    "write_records",
    "write_samples",
    "write_selfplay",
]

# Games as arrays: loaded when they are first asked for, since not every command needs them.
_ARRAYS = {
    "Arena": "arena",
    "Games": "games",
    "Samples": "samples",
    "arena": "arena",
    "label": "selfplaying",
    "read_games": "shardreading",
    "samples": "samples",
    "selfplay": "selfplaying",
    "write_samples": "samplefile",
    "write_selfplay": "shards",
}


def __getattr__(name: str) -> Any:
    if name not in _ARRAYS:
        raise AttributeError(f"module 'mate' has no attribute {name!r}")
    return getattr(import_module(f"mate.arrays.{_ARRAYS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
