"""Which units of self-play are played, and whether there is memory for them."""

import os

from mate.errors import MateError, checked_integer

LAST = (1 << 64) - 1  # of units, seeds and streams


def checked_range(first: object, count: object, size: int, what: str) -> tuple[int, int]:
    """Return what unit comes first and how many are played, or refuse them.

    Arguments:
        first, count: of the units.
        size: how many bytes of arrays a unit comes to.
        what: what the units are called.

    Raises:
        MateError: they are out of range, or there is no memory for them.
    """
    first = checked_integer("first", first, 0, LAST)
    count = checked_integer("count", count, 0, LAST)
    if first + count > LAST + 1:
        raise MateError(f"first {first} and count {count}: beyond 2^64 {what}")
    _check_memory(count, size, what)
    return first, count


# Memory that is asked for and not there would end the process when it is written to.
def _check_memory(n: int, size: int, what: str) -> None:
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return
    if n * size > there:
        told = f"{n:,} {what} take {n * size:,} bytes, and there are {there:,}"
        raise MateError(f"{told}: play them in pieces")
