"""The choice of a path for byte lanes."""

import os

from matecore.cards cimport has_bits


def available():
    """Return the names of the paths that run on this machine, the fastest first.

    >>> "plain" in available()
    True
    """
    return [lanes_paths[i].name.decode() for i in range(PATHS) if lanes_runs(&lanes_paths[i])]


def chosen():
    """Return the name of the path taken: what MATECORE_LANES says, else the fastest.

    Raises:
        ValueError: MATECORE_LANES names no path, or one that does not run on this machine.
    """
    name = os.environ.get("MATECORE_LANES") or available()[0]
    if name not in available():
        here = ", ".join(available())
        raise ValueError(f"MATECORE_LANES={name}: the paths that run here are {here}")
    return name


cdef const lanes_t* chosen_lanes() except NULL:
    cdef int i
    name = chosen().encode()
    for i in range(PATHS):
        if lanes_paths[i].name == <bytes>name:
            return &lanes_paths[i]
    raise ValueError("MATECORE_LANES changed")


# The instructions for bits are not taken where "plain" is asked for.
cdef bint uses_bits() except -1:
    return has_bits() and os.environ.get("MATECORE_LANES") != "plain"
