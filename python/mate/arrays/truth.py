"""The tablebase that exact values of many games come from."""

from collections.abc import Iterator
from contextlib import contextmanager

import matecore
from mate.errors import MateError, TablebaseError, VariantError, excerpt
from mate.tablebase import Tablebase
from mate.variant import Variant


def refuse_strangers(variant: Variant, tablebase: object) -> None:
    """Refuse what is no tablebase, or one of another variant.

    Raises:
        MateError: it is none.
        VariantError: it is of another variant.
    """
    if not isinstance(tablebase, Tablebase):
        raise MateError(f"{excerpt(tablebase)} is no tablebase")
    if tablebase.variant.rules != variant.rules:
        why = f"the tablebase is of {tablebase.variant.name}"
        raise VariantError("variant", variant.name, why)


@contextmanager
def damage_told(tablebase: Tablebase | None) -> Iterator[None]:
    """Have the core's error on damage say which file is damaged.

    Raises:
        TablebaseError: it is.
    """
    try:
        yield
    except matecore.DamagedTable as error:
        path = getattr(tablebase, "path", None) or "in memory"
        raise TablebaseError(str(path), str(error)) from None
