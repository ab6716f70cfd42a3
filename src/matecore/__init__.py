"""The compiled core of Mate: rules, positions and exact search, for `cimport` and for `mate`.

The core speaks of card indices, 32-bit hands and integer actions; text and people are the
business of the package `mate`, which stands on this one.
"""

from matecore.position import InvalidPosition, Position
from matecore.rules import Rules
from matecore.search import Solver

__all__ = ["InvalidPosition", "Position", "Rules", "Solver"]
