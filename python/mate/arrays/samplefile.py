"""Samples in files: Parquet, or numpy's `.npz` (docs/training.md)."""

import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import matecore
from mate.arrays.arrow import pyarrow_with_parquet
from mate.arrays.encoding import NAMES
from mate.arrays.games import Games
from mate.arrays.npyfile import header, member
from mate.arrays.samples import Samples, count_of, samples
from mate.arrays.selfplaying import label
from mate.errors import MateError, excerpt
from mate.tablebase import Tablebase
from mate.variant import Variant
from mate.wholefile import whole_file

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

BATCH = 1 << 16  # samples that are held at a time
HEAD = "mate"  # the member, or the key of the metadata, that tells what the rest is


def write_samples(
    path: "str | os.PathLike[str]", games: Games, tablebase: Tablebase | None = None
) -> int:
    """Write the decisions of games to a file, whole or not at all, and return how many.

    Arguments:
        path: the file, by whose ending its format goes: `.npz`, an array a member; or `.parquet`
            (extra `parquet`), an array a column. Names, dtypes and shapes are those of `Samples`;
            in Parquet a row of observations is flat. `mate` beside them is JSON that tells the
            variant and the planes.
        games, tablebase: as of `samples`.

    Raises:
        MateError: an argument is wrong, the file cannot be written, or pyarrow is not installed;
            nothing is left behind.
        VariantError, TablebaseError: as `samples`.
    """
    samples(games, BATCH)  # checks what is not lazy
    place = _path_of(path)
    write = {".npz": _write_npz, ".parquet": _write_parquet}.get(place.suffix)
    if write is None:
        raise MateError(f"{excerpt(str(path))}: the name of a file that ends in .npz or .parquet")
    if tablebase is not None and not games.is_labelled:
        games = label(games, tablebase)
    try:
        with whole_file(place) as file:
            write(file, games)
    except MateError:
        raise
    except (OSError, ValueError) as error:
        raise MateError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return count_of(games)


def _path_of(path: object) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise MateError(f"{excerpt(path)} is no name of a file")
    return Path(path)


def _head(variant: Variant) -> str:
    shape = [matecore.PLANES, variant.deck.n_cards]
    return json.dumps(
        {"variant": variant.to_plain(), "observation": {"shape": shape, "planes": NAMES}}
    )


def _first_of(games: Games) -> Samples:
    """Return samples that tell the kinds of the arrays, if they are not even one."""
    import numpy as np

    for first in samples(games[:1], BATCH):
        return first
    n, actions = games.variant.deck.n_cards, games.variant.rules.n_actions
    labels = games.is_labelled
    return Samples(
        games.variant,
        observation=np.empty((0, matecore.PLANES, n), np.uint8),
        legal=np.empty((0, actions), np.bool_),
        action=np.empty(0, np.int8),
        value=np.empty(0, np.int16) if labels else None,
        best=np.empty((0, actions), np.bool_) if labels else None,
        result=np.empty(0, np.int16),
        game=np.empty(0, np.int64),
        ply=np.empty(0, np.int8),
        to_move=np.empty(0, np.int8),
    )


# --- npz -----------------------------------------------------------------------------------------


# An array after the other goes into the file, so that no more than a batch is ever held; to play
# the games again for each takes less than to compress them.
def _write_npz(file: BinaryIO, games: Games) -> None:
    import numpy as np

    n, head = count_of(games), np.array(_head(games.variant))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        _write_member(archive, HEAD, head, 0, iter([head]))
        for name, like in _first_of(games).arrays().items():
            parts = (part.arrays()[name] for part in samples(games, BATCH))
            _write_member(archive, name, like, n, parts)


def _write_member(
    archive: zipfile.ZipFile, name: str, like: "np.ndarray", n: int, parts: Iterator["np.ndarray"]
) -> None:
    entry = member(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as file:
        file.write(header(like.dtype, (n, *like.shape[1:]) if like.ndim else ()))
        for part in parts:
            file.write(part.tobytes())


# --- Parquet -------------------------------------------------------------------------------------


def _write_parquet(file: BinaryIO, games: Games) -> None:
    pa = pyarrow_with_parquet()
    first = _first_of(games).arrays()
    kinds = [pa.field(name, _kind(pa, array), nullable=False) for name, array in first.items()]
    schema = pa.schema(kinds, {HEAD: _head(games.variant)})
    with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for part in samples(games, BATCH):
            columns = [
                _column(pa, array, kind.type)
                for array, kind in zip(part.arrays().values(), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _kind(pa: Any, array: "np.ndarray") -> "pyarrow.DataType":
    kind = pa.from_numpy_dtype(array.dtype)
    if array.ndim == 1:
        return kind
    length = 1
    for size in array.shape[1:]:
        length *= size
    return pa.list_(pa.field("element", kind, nullable=False), length)


def _column(pa: Any, array: "np.ndarray", kind: "pyarrow.DataType") -> "pyarrow.Array":
    flat = pa.array(array.reshape(-1))
    return flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, type=kind)
