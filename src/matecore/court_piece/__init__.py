"""The compiled core of Court Piece: rules, positions and double-dummy search."""

from matecore.court_piece.position import Position
from matecore.court_piece.rules import Rules
from matecore.court_piece.selfplay import IllegalRow, SelfPlay
from matecore.court_piece.solver import Solver
from matecore.position import InvalidPosition

NO_TRUMP, UNNAMED = 4, 5
PLAIN, DOUBLE, DOUBLE_TEAM = 0, 1, 2
THIRTEEN, FIRST_SEVEN = 1, 2
NO_CHASE, FORCED, OPTIONAL = 0, 1, 2
RANDOM, GREEDY = 0, 1
NAMED, TURNED, LONGEST = 0, 1, 2
IN_TURN = 4
NAME, STOP, PLAY_ON, N_ACTIONS = 52, 56, 57, 58

__all__ = [
    "DOUBLE",
    "DOUBLE_TEAM",
    "FIRST_SEVEN",
    "FORCED",
    "GREEDY",
    "IN_TURN",
    "LONGEST",
    "NAME",
    "NAMED",
    "NO_CHASE",
    "NO_TRUMP",
    "N_ACTIONS",
    "OPTIONAL",
    "PLAIN",
    "PLAY_ON",
    "RANDOM",
    "STOP",
    "THIRTEEN",
    "TURNED",
    "UNNAMED",
    "IllegalRow",
    "InvalidPosition",
    "Position",
    "Rules",
    "SelfPlay",
    "Solver",
]
