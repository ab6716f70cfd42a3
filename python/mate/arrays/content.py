"""What the shards of a game hold: a `Content` for a game, everything else being the same."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from mate.arrays.rows import Layout, Rows
from mate.arrays.tally import Counts
from mate.errors import MateError, ShardError, excerpt

if TYPE_CHECKING:
    import numpy as np

AnyRows = TypeVar("AnyRows", bound=Rows)
FORMATS = ("parquet", "npz")


@dataclass(frozen=True)
class Column:
    """A column of a table with a row each, in Parquet.

    Attributes:
        name: of the column.
        array: the name of the array that it is of.
        part: which number of the array's row; None for the whole row.
        as_bytes: a row is bytes, and not a list of numbers.
        compressed: whether it is worth it.
    """

    name: str
    array: str
    part: int | None = None
    as_bytes: bool = False
    compressed: bool = False


class Content(Generic[AnyRows]):
    """What files know of a game; it has no state, and is pickled by its class.

    Attributes:
        format, version: what heads tell.
        name: what files are called before their number.
        kind: the class of the rows.
        tally: the class of what is counted in them.
        told: the fields of a head and the kinds of their values, beside `first` and `count`.
        columns: of a table, in order, behind the number of the row.
    """

    format: ClassVar[str]
    version: ClassVar[int] = 1
    name: ClassVar[str]
    kind: type[AnyRows]
    tally: type[Counts]
    told: ClassVar[dict[str, type]]
    columns: ClassVar[tuple[Column, ...]]

    # --- Names ---

    def name_of(self, number: int, form: str) -> str:
        """Return the name of a shard."""
        return f"{self.name}-{number:08}.{form}"

    @cached_property
    def names(self) -> re.Pattern[str]:
        """What the names of shards match: their number, and their format."""
        return re.compile(rf"{self.name}-([0-9]{{8}})\.({'|'.join(FORMATS)})")

    # --- Heads ---

    def rows_a_unit(self, head: dict[str, Any]) -> int:
        """Return how many rows a unit is."""
        return 1

    def refuse_head(self, head: dict[str, Any], path: str) -> None:
        """Refuse a head that cannot be one of this game.

        Raises:
            ShardError: a field is missing, of another kind, or out of range.
        """
        for name, kind in {**self.told, "first": int, "count": int, "checksum": str}.items():
            if type(head.get(name)) is not kind:
                raise ShardError(path, f"its metadata tell no {name}")
        if head["first"] < 0 or head["count"] < 1 or head["first"] + head["count"] > 1 << 64:
            raise ShardError(
                path, f"it holds {excerpt(head['count'])} units from {excerpt(head['first'])} on"
            )

    def variant_in(self, head: dict[str, Any], path: str) -> Any:
        """Return the variant that a head tells of.

        Raises:
            ShardError: it tells of none.
        """
        try:
            try:
                return self.kind.variants.from_plain(head["variant"])  # type: ignore[attr-defined]
            except MateError as error:
                raise ShardError(path, str(error)) from None
        except RecursionError:  # of lists in lists, where the stack is short; their text may be one
            raise ShardError(path, "its variant is nested too deeply") from None

    def layout(self, head: dict[str, Any], variant: Any) -> Layout:
        """Return the arrays that a head tells of: their kinds, and the shapes of a row."""
        return self.kind.layout(variant, head.get("labels", False))

    # --- Rows ---

    def rows_from(
        self, head: dict[str, Any], variant: Any, arrays: "dict[str, np.ndarray]", path: str
    ) -> AnyRows:
        """Return rows from arrays whose shapes and kinds are as they should be.

        Raises:
            ShardError: the checksum differs, or a row is none or has ended otherwise.
        """
        from mate.arrays.shardhead import checksum_of

        named = {name: _native(array) for name, array in arrays.items()}
        rows = self.kind(variant, **named)  # type: ignore[call-arg]
        if checksum_of(rows) != head["checksum"]:
            raise ShardError(path, f"its {self.name} are damaged: the checksum differs")
        try:
            rows.check()
        except MateError as error:
            raise ShardError(path, str(error)) from None
        return rows


def _native(array: "np.ndarray") -> "np.ndarray":
    import numpy as np

    # Of this machine, and writable as of any other rows.
    return np.require(array, array.dtype.newbyteorder("="), ("C", "W"))
