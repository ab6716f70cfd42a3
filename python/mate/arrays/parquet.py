"""Shards as Parquet files, a row a game, which polars, DuckDB and pandas read as they are.

The encodings are those that cost least where millions of games a second are written; docs/shards.md
tells what was measured.
"""

import io
from typing import TYPE_CHECKING, Any, BinaryIO

from mate.arrays.arrow import pyarrow_with_parquet
from mate.arrays.contents import games_from, variant_in
from mate.arrays.games import plies_of
from mate.arrays.shardhead import KEY, arrays_of, games_a_unit, unsealed
from mate.errors import MateError, ShardError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

    from mate.arrays.games import Games
    from mate.variant import Variant

ROWS_A_GROUP = 1 << 17  # what fits a cache, and what readers with many threads divide
# More than a row takes, and than the pages beside it.
BYTES_A_ROW, BOMB = 1024, 1 << 20
SETTINGS: dict[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "use_dictionary": False,
    "column_encoding": {"game": "DELTA_BINARY_PACKED"},
    "write_statistics": ["game"],
    "row_group_size": ROWS_A_GROUP,
}
# By the path of a leaf; of lists the element is one.
LEAVES = {"value": "value.list.element", "best": "best.list.element"}
COMPRESSED = ("leader", "result", "value", "best")


def made_by() -> dict[str, str]:
    """Return what else than the games the bytes of shards depend on, which their heads tell.

    Raises:
        MateError: pyarrow is not installed.
    """
    return {"pyarrow": pyarrow_with_parquet().__version__}


def schema_of(variant: "Variant", labels: bool, head: str = "") -> "pyarrow.Schema":
    """Return the schema of shards.

    Raises:
        MateError: pyarrow is not installed.
    """
    pa = pyarrow_with_parquet()
    plies = plies_of(variant)
    kinds = {
        "game": pa.uint64(), "x": pa.uint32(), "y": pa.uint32(), "leader": pa.int8(),
        "result": pa.int16(), "moves": pa.binary(plies),
    }  # fmt: skip
    if labels:
        kinds["value"] = _list_of(pa, pa.int16(), plies)
        kinds["best"] = _list_of(pa, pa.uint64(), plies)
    fields = [pa.field(name, kind, nullable=False) for name, kind in kinds.items()]
    return pa.schema(fields, {KEY: head})


def _list_of(pa: Any, kind: Any, length: int) -> Any:
    return pa.list_(pa.field("element", kind, nullable=False), length)


# --- Writing -------------------------------------------------------------------------------------


def to_bytes(games: "Games", head: str) -> bytes:
    """Return a shard; with the same pyarrow the same bytes.

    Raises:
        MateError: pyarrow is not installed, or is another than the head tells.
    """
    pa = pyarrow_with_parquet()
    schema, told = schema_of(games.variant, games.value is not None, head), unsealed(head, "head")
    if told.get("pyarrow") != pa.__version__:  # of a worker
        why = f"pyarrow {pa.__version__} here, in the run {told.get('pyarrow')}"
        raise MateError(f"shards of a run are made by one pyarrow: {why}")
    columns = _columns(games, told)
    table = pa.Table.from_arrays(
        [_column(pa, columns[field.name], field.type) for field in schema], schema=schema
    )
    sink = pa.BufferOutputStream()
    compression = {
        LEAVES.get(name, name): "LZ4" if name in COMPRESSED else "NONE" for name in schema.names
    }
    pa.parquet.write_table(table, sink, compression=compression, **SETTINGS)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _columns(games: "Games", head: dict[str, Any]) -> "dict[str, np.ndarray]":
    import numpy as np

    arrays = arrays_of(games)
    deal = arrays.pop("deal")
    first = head["first"] * games_a_unit(head)
    arrays["game"] = np.arange(first, first + len(games), dtype="<u8")
    arrays["x"], arrays["y"] = np.ascontiguousarray(deal.T)
    return arrays


def _column(pa: Any, array: "np.ndarray", kind: Any) -> Any:
    if pa.types.is_fixed_size_binary(kind):
        return pa.Array.from_buffers(kind, len(array), [None, pa.py_buffer(array)])
    if pa.types.is_fixed_size_list(kind):
        return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), type=kind)
    return pa.array(array)


# --- Reading -------------------------------------------------------------------------------------


def read_head(file: BinaryIO, path: str) -> str:
    """Return the head of a shard as text, nothing but the end of the file being read.

    Raises:
        ShardError: the file is no shard.
        MateError: pyarrow is not installed.
    """
    return _head_of(_opened(pyarrow_with_parquet(), file, path), path)


def read(data: bytes, path: str) -> "tuple[dict[str, Any], Games]":
    """Return the head and the games of a shard.

    Raises:
        ShardError: the bytes are no sound shard.
        MateError: pyarrow is not installed.
    """
    pa = pyarrow_with_parquet()
    file = _opened(pa, io.BytesIO(data), path)
    head = unsealed(_head_of(file, path), path)
    variant = variant_in(head, path)
    table = _table(file, head, variant, len(data), path)
    arrays = {name: _array(table.column(name), variant) for name in table.column_names}
    return head, _games(head, variant, arrays, path)


def _opened(pa: Any, file: BinaryIO, path: str) -> Any:
    try:
        return pa.parquet.ParquetFile(file)
    except Exception as error:  # of a hostile file nobody knows which
        raise ShardError(path, f"no Parquet file: {error}") from None


def _head_of(file: Any, path: str) -> str:
    text = (file.metadata.metadata or {}).get(KEY.encode())
    if text is None:
        raise ShardError(path, "its metadata are not those of a shard of self-play")
    try:
        return text.decode()  # type: ignore[no-any-return]
    except UnicodeDecodeError:
        raise ShardError(path, "its metadata are no text") from None


def _table(file: Any, head: dict[str, Any], variant: "Variant", size: int, path: str) -> Any:
    schema = schema_of(variant, head["labels"])
    if not file.schema_arrow.equals(schema):
        raise ShardError(path, "its columns are not those of a shard of self-play")
    rows = file.metadata.num_rows
    if rows != head["count"] * games_a_unit(head):
        raise ShardError(path, f"it has {rows} rows, and its metadata tell of another number")
    if rows * plies_of(variant) > size:  # moves are not compressed; a bomb is
        raise ShardError(path, f"{rows} games do not fit {size} bytes")
    _refuse_bombs(file.metadata, rows, path)
    try:
        table = file.read(use_threads=False)
        table.validate(full=True)
    except Exception as error:  # of a hostile file nobody knows which
        raise ShardError(path, f"its columns cannot be read: {error}") from None
    if table.num_rows != rows or any(column.null_count for column in table.columns):
        raise ShardError(path, "values are missing")
    return table


# The sums in the footer need not agree; what is read is told by the groups. Their columns are not
# asked: of a damaged footer that may end the process.
def _refuse_bombs(metadata: Any, rows: int, path: str) -> None:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    if sum(group.num_rows for group in groups) != rows:
        raise ShardError(path, "its row groups have another number of rows than the whole")
    for group in groups:
        if not 0 <= group.total_byte_size <= BOMB + group.num_rows * BYTES_A_ROW:
            raise ShardError(path, "a row group has more bytes than its rows could fill")


def _array(column: Any, variant: "Variant") -> "np.ndarray":
    import numpy as np

    chunks = [_chunk(chunk, plies_of(variant)) for chunk in column.chunks]
    return np.concatenate(chunks)


def _chunk(chunk: Any, plies: int) -> "np.ndarray":
    import numpy as np

    kind = str(chunk.type)
    if kind.startswith("fixed_size_binary"):
        data = np.frombuffer(chunk.buffers()[1], np.int8)
        return data.reshape(-1, plies)[chunk.offset : chunk.offset + len(chunk)]
    if kind.startswith("fixed_size_list"):
        return chunk.flatten().to_numpy().reshape(-1, plies)  # type: ignore[no-any-return]
    return chunk.to_numpy()  # type: ignore[no-any-return]


def _games(
    head: dict[str, Any], variant: "Variant", arrays: "dict[str, np.ndarray]", path: str
) -> "Games":
    import numpy as np

    game, x, y = (arrays.pop(name) for name in ("game", "x", "y"))
    first = head["first"] * games_a_unit(head)
    last = first + len(game) - 1
    if last >= 1 << 64 or game[0] != first or (np.diff(game) != 1).any():
        raise ShardError(path, "its games are not numbered as its metadata tell")
    return games_from(head, variant, {"deal": np.stack((x, y), axis=1), **arrays}, path)
