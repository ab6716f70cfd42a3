"""What an engine can be set to, and what answers for positions when it is."""

import json
from typing import TYPE_CHECKING

import matecore
from mate.analysis import Oracle
from mate.errors import MateError, excerpt
from mate.protocol.lines import Option, number_of
from mate.state import State
from mate.variant import Variant

if TYPE_CHECKING:
    from mate.tablebase import Tablebase

NO_FILE = "none"
DEFAULT_PLACE = "default"
VARIANT = Option("Variant", "string", "bga")
TABLE_BITS = Option("TableBits", "spin", "16", 4, 24)
TABLEBASE = Option("Tablebase", "string", NO_FILE)
OPTIONS = (VARIANT, TABLE_BITS, TABLEBASE)


class Settings:
    """The options of an engine, and the search or the tablebase that follows from them.

    Attributes:
        variant: the rules that are played.
        table_bits: the size of a search's table, as of `matecore.Solver`.
        tablebase: looked up in place of a search, or None.
    """

    def __init__(self) -> None:
        self.variant = Variant.of(VARIANT.default)
        self.table_bits = int(TABLE_BITS.default)
        self.tablebase: Tablebase | None = None
        self._solver: matecore.Solver | None = None

    def set(self, name: str, value: str) -> None:
        """Set an option.

        Raises:
            MateError: there is no such option, or the value does not fit it.
        """
        setters = {
            VARIANT.name: self._set_variant,
            TABLE_BITS.name: self._set_table_bits,
            TABLEBASE.name: self._set_tablebase,
        }
        if name not in setters:
            raise MateError(f"option {excerpt(name)}: one of {', '.join(setters)}")
        setters[name](value)
        self.forget()

    def _set_variant(self, value: str) -> None:
        self.variant = read_variant(value)
        if self.tablebase and self.tablebase.variant.rules != self.variant.rules:
            self.tablebase = None

    def _set_table_bits(self, value: str) -> None:
        self.table_bits = number_of(TABLE_BITS.name, value, TABLE_BITS.min or 0, TABLE_BITS.max)

    def _set_tablebase(self, value: str) -> None:
        self.tablebase = None if value == NO_FILE else open_tablebase(value, self.variant)

    # --- What answers ---

    def exact(self, state: State) -> Oracle:
        """Return what tells exact values; what a search learnt of a game serves for its moves."""
        if self.tablebase is not None:
            return self.tablebase.oracle_for(state)
        if self._solver is None:
            self._solver = matecore.Solver(self.variant.rules, self.table_bits)
        return self._solver

    def seen_to(self, trick: int) -> matecore.Solver:
        """Return a search to which mates after a trick count nothing."""
        return matecore.Solver(self.variant.rules, self.table_bits, horizon=trick)

    def forget(self) -> None:
        """Forget what was learnt of a game."""
        self._solver = None


def read_variant(value: str) -> Variant:
    """Return the variant that a text is, or that a JSON object in braces tells of.

    Raises:
        MateError: there is no such variant.

    >>> read_variant('{"free_move": true}').free_move
    True
    """
    if not value.startswith("{"):
        return Variant.of(value)
    try:
        plain = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise MateError(f"expected a variant as JSON: {error}") from None
    return Variant.from_plain(plain)


def write_variant(variant: Variant) -> str:
    """Return the text by which `read_variant` gives the same rules.

    >>> write_variant(Variant.of("capellen,deck=double24"))
    'capellen,deck=double24'
    """
    try:
        if Variant.of(variant.name) == variant:
            return variant.name
    except MateError:
        pass  # it has a name of its own
    return json.dumps({**variant.to_plain(), "name": "custom"}, separators=(",", ":"))


def open_tablebase(value: str, variant: Variant) -> "Tablebase":
    """Open the tablebase of a variant, by its path or at its default place.

    Raises:
        MateError: there is none, it is damaged, or it is of another variant.
    """
    from mate.tablebase import Tablebase, default_path  # a search needs no numpy

    tablebase = Tablebase.open(default_path(variant) if value == DEFAULT_PLACE else value)
    if tablebase.variant.rules != variant.rules:
        raise MateError(f"the tablebase is of {tablebase.variant.name}, not {variant.name}")
    return tablebase
