"""The compiled core of Mate: rules, positions and exact search, for `cimport` and for `mate`.

The core speaks of card indices, 32-bit hands and integer actions; text and people are the
business of the package `mate`, which stands on this one.
"""

from matecore.environments import Environments
from matecore.index import Layer, layers
from matecore.instep import BadProbabilities, InStep
from matecore.lattice import Lattice
from matecore.policy import Policy
from matecore.position import InvalidPosition, Position
from matecore.replay import replay
from matecore.retrograde import Retrograde
from matecore.rules import Rules
from matecore.search import Solver
from matecore.selfplay import IllegalRow, SelfPlay
from matecore.tablebase import DamagedTable, Tablebase, width_of
from matecore.vector import PLANES, IllegalAction, Vector

__all__ = [
    "PLANES",
    "BadProbabilities",
    "DamagedTable",
    "Environments",
    "IllegalAction",
    "IllegalRow",
    "InStep",
    "InvalidPosition",
    "Lattice",
    "Layer",
    "Policy",
    "Position",
    "Retrograde",
    "Rules",
    "SelfPlay",
    "Solver",
    "Tablebase",
    "Vector",
    "layers",
    "replay",
    "width_of",
]
