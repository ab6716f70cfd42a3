"""Shards as Parquet files, a row a game or hand, which polars, DuckDB and pandas read as they are.

The encodings are those that cost least where millions of games a second are written; docs/shards.md
tells what was measured.
"""

import io
import math
from typing import TYPE_CHECKING, Any, BinaryIO

from mate.arrays.arrow import pyarrow_with_parquet
from mate.arrays.shardhead import KEY, arrays_of, unsealed
from mate.errors import MateError, ShardError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

    from mate.arrays.content import AnyRows, Column, Content
    from mate.arrays.rows import Layout, Rows

ROWS_A_GROUP = 1 << 17  # what fits a cache, and what readers with many threads divide
# More than a row takes, and than the pages beside it.
BYTES_A_ROW, BOMB = 1024, 1 << 20
SETTINGS: dict[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "use_dictionary": False,
    "row_group_size": ROWS_A_GROUP,
}


def made_by() -> dict[str, str]:
    """Return what else than the rows the bytes of shards depend on, which their heads tell.

    Raises:
        MateError: pyarrow is not installed.
    """
    return {"pyarrow": pyarrow_with_parquet().__version__}


def schema_of(content: "Content[Any]", layout: "Layout", head: str = "") -> "pyarrow.Schema":
    """Return the schema of shards that keep arrays of a layout.

    Raises:
        MateError: pyarrow is not installed.
    """
    pa = pyarrow_with_parquet()
    kinds = {content.kind.one: pa.uint64()}
    for column in _columns_of(content, layout):
        kinds[column.name] = _type_of(pa, column, *layout[column.array])
    fields = [pa.field(name, kind, nullable=False) for name, kind in kinds.items()]
    return pa.schema(fields, {KEY: head})


def _columns_of(content: "Content[Any]", layout: "Layout") -> "list[Column]":
    return [column for column in content.columns if column.array in layout]


def _type_of(pa: Any, column: "Column", kind: str, row: tuple[int, ...]) -> Any:
    if column.as_bytes:
        return pa.binary(*row)
    element = pa.from_numpy_dtype(kind)
    if column.part is not None or not row:
        return element
    return pa.list_(pa.field("element", element, nullable=False), *row)


# --- Writing -------------------------------------------------------------------------------------


def to_bytes(content: "Content[Any]", rows: "Rows", head: str) -> bytes:
    """Return a shard; with the same pyarrow the same bytes.

    Raises:
        MateError: pyarrow is not installed, or is another than the head tells.
    """
    pa = pyarrow_with_parquet()
    told = unsealed(content, head, "head")
    layout = content.layout(told, rows.variant)
    schema = schema_of(content, layout, head)
    if told.get("pyarrow") != pa.__version__:  # of a worker
        why = f"pyarrow {pa.__version__} here, in the run {told.get('pyarrow')}"
        raise MateError(f"shards of a run are made by one pyarrow: {why}")
    arrays = _columns(content, layout, rows, told)
    table = pa.Table.from_arrays(
        [_column(pa, arrays[field.name], field.type) for field in schema], schema=schema
    )
    sink = pa.BufferOutputStream()
    number = content.kind.one
    pa.parquet.write_table(
        table,
        sink,
        compression=_compression(content, layout),
        column_encoding={number: "DELTA_BINARY_PACKED"},
        write_statistics=[number],
        **SETTINGS,
    )
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _compression(content: "Content[Any]", layout: "Layout") -> dict[str, str]:
    chosen = {content.kind.one: "NONE"}
    for column in _columns_of(content, layout):
        is_list = layout[column.array][1] and column.part is None and not column.as_bytes
        # By the path of a leaf; of lists the element is one.
        leaf = f"{column.name}.list.element" if is_list else column.name
        chosen[leaf] = "LZ4" if column.compressed else "NONE"
    return chosen


def _columns(
    content: "Content[Any]", layout: "Layout", rows: "Rows", head: dict[str, Any]
) -> "dict[str, np.ndarray]":
    import numpy as np

    arrays = arrays_of(rows)
    first = head["first"] * content.rows_a_unit(head)
    found = {content.kind.one: np.arange(first, first + len(rows), dtype="<u8")}
    for column in _columns_of(content, layout):
        array = arrays[column.array]
        if column.part is not None:
            array = np.ascontiguousarray(array[:, column.part])
        found[column.name] = array
    return found


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


def read(content: "Content[AnyRows]", data: bytes, path: str) -> "tuple[dict[str, Any], AnyRows]":
    """Return the head and the rows of a shard.

    Raises:
        ShardError: the bytes are no sound shard.
        MateError: pyarrow is not installed.
    """
    pa = pyarrow_with_parquet()
    file = _opened(pa, io.BytesIO(data), path)
    head = unsealed(content, _head_of(file, path), path)
    variant = content.variant_in(head, path)
    layout = content.layout(head, variant)
    table = _table(content, file, head, layout, len(data), path)
    _refuse_other_numbers(content, _array(table.column(0)), head, path)
    arrays = {name: _array_in(content, table, name, layout[name][1]) for name in layout}
    return head, content.rows_from(head, variant, arrays, path)


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


def _table(
    content: "Content[Any]",
    file: Any,
    head: dict[str, Any],
    layout: "Layout",
    size: int,
    path: str,
) -> Any:
    schema = schema_of(content, layout)
    if not file.schema_arrow.equals(schema):
        raise ShardError(path, "its columns are not those of a shard of self-play")
    rows = file.metadata.num_rows
    if rows != head["count"] * content.rows_a_unit(head):
        raise ShardError(path, f"it has {rows} rows, and its metadata tell of another number")
    in_bytes = [column.array for column in _columns_of(content, layout) if column.as_bytes]
    # Bytes are not compressed; a bomb is.
    if rows * sum(math.prod(layout[name][1]) for name in in_bytes) > size:
        raise ShardError(path, f"{rows} {content.name} do not fit {size} bytes")
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


def _refuse_other_numbers(
    content: "Content[Any]", numbers: "np.ndarray", head: dict[str, Any], path: str
) -> None:
    import numpy as np

    first = head["first"] * content.rows_a_unit(head)
    last = first + len(numbers) - 1
    if last >= 1 << 64 or numbers[0] != first or (np.diff(numbers) != 1).any():
        raise ShardError(path, f"its {content.name} are not numbered as its metadata tell")


def _array_in(content: "Content[Any]", table: Any, name: str, row: tuple[int, ...]) -> "np.ndarray":
    import numpy as np

    columns = [column for column in content.columns if column.array == name]
    found = [_array(table.column(column.name), *row) for column in columns]
    return np.stack(found, axis=1) if columns[0].part is not None else found[0]


def _array(column: Any, width: int = 1) -> "np.ndarray":
    import numpy as np

    return np.concatenate([_chunk(chunk, width) for chunk in column.chunks])


def _chunk(chunk: Any, width: int) -> "np.ndarray":
    import numpy as np

    kind = str(chunk.type)
    if kind.startswith("fixed_size_binary"):
        data = np.frombuffer(chunk.buffers()[1], np.int8)
        return data.reshape(-1, width)[chunk.offset : chunk.offset + len(chunk)]
    if kind.startswith("fixed_size_list"):
        return chunk.flatten().to_numpy().reshape(-1, width)  # type: ignore[no-any-return]
    return chunk.to_numpy()  # type: ignore[no-any-return]
