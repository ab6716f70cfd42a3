"""The compiled core of Mate: rules, positions and exact search, for `cimport` and for `mate`.

The core speaks of card indices, 32-bit hands and integer actions; text and people are the
business of the package `mate`, which stands on this one.
"""

from os.path import dirname, join

from matecore.index import Layer, layers
from matecore.instep import BadProbabilities, InStep
from matecore.lattice import Lattice
from matecore.policy import Policy
from matecore.position import InvalidPosition, Position
from matecore.replaying import replay
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
    "get_include",
    "layers",
    "replay",
    "width_of",
]


def get_include() -> str:
    """Return the directory of `matecore.h`, the C interface, for a compiler's include path.

    >>> import os
    >>> os.listdir(get_include())
    ['matecore.h']
    """
    return join(dirname(__file__), "include")
