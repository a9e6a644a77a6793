"""Write Parquet as a stream: a row group has a few megabytes, and is sent as soon as it's complete."""

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from importlib import import_module
from typing import Any, Final

from signoff.memory.export.column_types import ColumnType
from signoff.memory.export.columns import Column
from signoff.memory.export.completions import as_text
from signoff.memory.export.errors import ParquetNotInstalled
from signoff.platform.json_values import Json, JsonObject, is_number

GROUP_ROWS, GROUP_BYTES = 20_000, 4 * 1024 * 1024
SCALAR_BYTES = 8

UNCONVERTED: Final = "unconverted"
"""The column for a row's values that don't fit the types of their columns, as a JSON object by column name."""

_INT64: Final = range(-(2**63), 2**63)


def load_pyarrow() -> Any:
    """Import the library with its Parquet module. It's an optional extra, imported on first use."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise ParquetNotInstalled from error


async def parquet_pieces(
    lines: AsyncIterator[list[JsonObject]], columns: Sequence[Column], *, unconverted: bool
) -> AsyncGenerator[bytes]:
    """Yield the file. `unconverted` adds the column for values that don't fit."""
    pyarrow = await asyncio.to_thread(load_pyarrow)
    sink = _Sink()
    schema = pyarrow.schema([(column.name, _type(column.type, pyarrow)) for column in columns])
    if unconverted:
        schema = schema.append(pyarrow.field(UNCONVERTED, pyarrow.string()))
    # Only the footer grows with the file, and without statistics it stays smallest.
    writer = pyarrow.parquet.ParquetWriter(sink, schema, compression="zstd", write_statistics=False)
    group = _Group(columns, unconverted=unconverted)
    async for portion in lines:
        for line in portion:
            group.add(line)
        if group.is_full():
            await asyncio.to_thread(writer.write_table, group.table(schema, pyarrow))
            yield sink.take()
    if group.rows:
        await asyncio.to_thread(writer.write_table, group.table(schema, pyarrow))
    writer.close()
    yield sink.take()


def _type(column_type: ColumnType, pyarrow: Any) -> Any:
    match column_type:
        case "text":
            return pyarrow.string()
        case "boolean":
            return pyarrow.bool_()
        case "integer":
            return pyarrow.int64()
        case "number":
            return pyarrow.float64()
        case "messages":
            return pyarrow.list_(pyarrow.struct([("role", pyarrow.string()), ("content", pyarrow.string())]))


def _convert(value: Json, column_type: ColumnType) -> Json:
    """Return the value for its column; None if the column can't represent it exactly."""
    match column_type:
        case "text":
            return None if value is None else as_text(value)
        case "boolean":
            return value if isinstance(value, bool) else None
        case "integer":
            return _as_integer(value)
        case "number":
            return _as_float(value)
        case "messages":
            return value


def _as_integer(value: Json) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and is_number(value) and value in _INT64 else None


def _as_float(value: Json) -> float | None:
    """Convert to float. JSON as we parse it has no integers beyond 64 bits, so every number is within the range of
    a float.
    """
    if not isinstance(value, int | float) or not is_number(value):
        return None
    return float(value) if float(value) == value else None


def _size(value: Json) -> int:
    if isinstance(value, list):
        return len(as_text(value))
    return len(value) if isinstance(value, str) else SCALAR_BYTES


class _Group:
    """Rows that are waiting to be written, column by column."""

    def __init__(self, columns: Sequence[Column], *, unconverted: bool) -> None:
        self._columns = columns
        self._keeps_unconverted = unconverted
        self._begin()

    def _begin(self) -> None:
        self._values: list[list[Json]] = [[] for _ in self._columns]
        self._unconverted: list[str | None] = []
        self._size = 0
        self.rows = 0

    def add(self, line: JsonObject) -> None:
        unconverted: JsonObject = {}
        for column, values in zip(self._columns, self._values, strict=True):
            value = column.value(line)
            converted = _convert(value, column.type)
            if converted is None and value is not None:
                unconverted[column.name] = value
            self._size += _size(converted)
            values.append(converted)
        if self._keeps_unconverted:
            text = as_text(unconverted) if unconverted else None
            self._size += _size(text)
            self._unconverted.append(text)
        self.rows += 1

    def is_full(self) -> bool:
        return self.rows >= GROUP_ROWS or self._size >= GROUP_BYTES

    def table(self, schema: Any, pyarrow: Any) -> Any:
        """Return the waiting rows and clear them."""
        columns = [*self._values, self._unconverted] if self._keeps_unconverted else self._values
        arrays = [pyarrow.array(values, type_) for values, type_ in zip(columns, schema.types, strict=True)]
        self._begin()
        return pyarrow.Table.from_arrays(arrays, schema=schema)


class _Sink(io.RawIOBase):
    """A file object whose content is taken out as it's written."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, data: Any, /) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._position += len(piece)
        return len(piece)

    def take(self) -> bytes:
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data
