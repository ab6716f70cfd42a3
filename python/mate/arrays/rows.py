"""What was played as arrays with a row each: what the arrays of every game have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from mate.errors import MateError, excerpt

if TYPE_CHECKING:
    import numpy as np

# By the name of an array: the kind of its elements, and the shape of a row.
Layout = dict[str, tuple[str, tuple[int, ...]]]


class Rows:
    """The base of `Games` and `mate.court_piece.Hands`: frozen dataclasses, a variant and arrays.

    Attributes:
        one: what a row is called; its method of that name returns one.
        variants: the class of the variants.
        optional: the arrays that may be missing, all or none.
    """

    one: ClassVar[str]
    variants: ClassVar[type]
    optional: ClassVar[tuple[str, ...]] = ()
    variant: Any

    @classmethod
    def layout(cls, variant: Any, optional: bool = True) -> Layout:
        """Return the arrays of a variant, in the order in which files keep them."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        import numpy as np

        if not isinstance(self.variant, self.variants):
            raise MateError(f"{excerpt(self.variant)} is no variant")
        missing = {name for name in self.optional if getattr(self, name) is None}
        if 0 < len(missing) < len(self.optional):
            raise MateError(f"{' and '.join(self.optional)} are both labels: neither or both")
        for name, (kind, row) in self.layout(self.variant).items():
            if name in missing:
                continue
            array, shape = getattr(self, name), (len(self), *row)
            if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
                found = getattr(array, "dtype", None), getattr(array, "shape", None)
                raise MateError(f"{name}: expected {kind} of shape {shape}, found {found}")

    # --- Construction ---

    @classmethod
    def empty(cls, variant: Any, n: int, labels: bool = False) -> Self:
        """Return room for so many rows, with nothing in it yet.

        Raises:
            MateError: there is no memory for them.
        """
        import numpy as np

        layout = cls.layout(variant, labels)
        try:
            arrays = {name: np.empty((n, *row), kind) for name, (kind, row) in layout.items()}
        except (MemoryError, ValueError):
            size = n * cls.bytes_a_row(variant, labels)
            raise MateError(f"no memory for {n:,} {cls.one}s of {size:,} bytes in all") from None
        return cls(variant, **arrays)  # type: ignore[call-arg]

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of several in one, in order; of all or none there are labels.

        Raises:
            MateError: there is nothing to put together, or they are of different variants.
        """
        import numpy as np

        parts = list(parts)
        if not parts:
            raise MateError(f"no {cls.one}s to put together")
        first = parts[0]
        if any(part.variant != first.variant for part in parts):
            raise MateError(f"{cls.one}s of different variants")
        if any(part.arrays().keys() != first.arrays().keys() for part in parts):
            raise MateError(f"{cls.one}s with labels and without")
        joined = {
            name: np.concatenate([part.arrays()[name] for part in parts]) for name in first.arrays()
        }
        return cls(first.variant, **joined)  # type: ignore[call-arg]

    # --- Dunder ---

    def __len__(self) -> int:
        shape = getattr(getattr(self, "moves", None), "shape", ())
        return int(shape[0]) if shape else 0

    def __getitem__(self, rows: "slice | np.ndarray | Sequence[int]") -> Self:
        picked = rows_of(rows, len(self), f"{self.one}(i)")
        arrays = {name: array[picked] for name, array in self.arrays().items()}
        return type(self)(self.variant, **arrays)  # type: ignore[call-arg]

    def __iter__(self) -> Iterator[Any]:
        return map(getattr(self, self.one), range(len(self)))

    # --- Queries ---

    def arrays(self) -> dict[str, "np.ndarray"]:
        """Return the arrays that are there by their names, in the order of `layout`."""
        named = {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]
        del named["variant"]
        return {name: array for name, array in named.items() if array is not None}

    def check(self) -> None:
        """Play everything again, and see that it is legal and ends as the rows tell.

        Raises:
            MateError: a row is none, or has ended otherwise.
        """
        raise NotImplementedError

    @classmethod
    def bytes_a_row(cls, variant: Any, labels: bool = False) -> int:
        """Return the bytes that a row takes in the arrays."""

        import numpy as np

        layout = cls.layout(variant, labels)
        return sum(np.dtype(kind).itemsize * prod(row) for kind, row in layout.values())


def rows_of(rows: object, n: int, one: str) -> "slice | np.ndarray":
    """Return what picks rows of arrays so that they stay arrays.

    Arguments:
        rows: a slice, numbers of rows, or for every row whether it is taken.
        n: how many rows there are.
        one: how a single row is had.

    Raises:
        MateError: it picks no rows, or some that are not there.
    """
    import numpy as np

    wanted = f"a slice, numbers from {-n} to {n - 1}, or {n} truth values; a single row is {one}"
    try:
        if isinstance(rows, slice):
            rows.indices(n)  # refuses bounds that are no integers
            return rows
        picked = np.asarray(rows)
        if picked.size == 0 and isinstance(rows, (list, tuple)):
            picked = picked.astype(np.intp)
    except Exception:  # whatever the conversion of a stranger's object raises
        raise MateError(f"rows {excerpt(rows)}: {wanted}") from None
    is_mask = picked.dtype.kind == "b"
    if picked.ndim != 1 or picked.dtype.kind not in "biu" or (is_mask and len(picked) != n):
        raise MateError(f"rows {excerpt(rows)}: {wanted}")
    if not is_mask and ((picked < -n) | (picked >= n)).any():
        raise MateError(f"rows {excerpt(rows)}: {wanted}")
    return picked
