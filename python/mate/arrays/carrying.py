"""A plan of self-play on its way to workers."""

import os
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mate.tablebase import Tablebase

if TYPE_CHECKING:
    from mate.arrays.selfplaying import SelfPlay


class Carried:
    """A plan on its way to workers: pickled with its tablebase's path, opened once a process."""

    def __init__(self, bare: "SelfPlay", tablebase: "Tablebase | str | None"):
        self.bare, self.tablebase = bare, tablebase

    @classmethod
    def of(cls, plan: "SelfPlay") -> "Carried":
        """Take up a plan."""
        return cls(replace(plan, tablebase=None), plan.tablebase)

    def __reduce__(self) -> tuple[object, ...]:
        tablebase = self.tablebase
        if isinstance(tablebase, Tablebase) and tablebase.path is not None:
            tablebase = str(tablebase.path.absolute())
        return Carried, (self.bare, tablebase)

    @property
    def plan(self) -> "SelfPlay":
        """The plan with its tablebase.

        Raises:
            TablebaseError: there is none at its path, or it is damaged.
        """
        # Not when unpickled: an error there would be the end of a worker.
        tablebase = self.tablebase
        opened = _opened_once(tablebase) if isinstance(tablebase, str) else tablebase
        return replace(self.bare, tablebase=opened)


def _opened_once(path: str) -> Tablebase:
    try:
        now = os.stat(path)
    except (OSError, ValueError):
        return Tablebase.open(path)  # which tells what is wrong
    return _opened(path, now.st_mtime_ns, now.st_size)


# Another file that stands at the path later is another tablebase.
@lru_cache(maxsize=4)
def _opened(path: str, changed: int, size: int) -> Tablebase:
    return Tablebase.open(path)
