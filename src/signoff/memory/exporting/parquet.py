"""Parquet, written piece by piece: a row group holds a few megabytes, and goes out as soon as it is written."""

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from importlib import import_module
from typing import Any

from signoff.memory.exporting.errors import ParquetNotInstalled
from signoff.memory.exporting.lines import Column
from signoff.memory.exporting.texts import as_text
from signoff.platform.json_values import Json, JsonObject

GROUP_ROWS, GROUP_BYTES = 20_000, 4 * 1024 * 1024


def load_pyarrow() -> Any:
    """The library with its Parquet part. It is an optional extra, and loaded when it is first asked for."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise ParquetNotInstalled from error


async def parquet_pieces(lines: AsyncIterator[list[JsonObject]], columns: Sequence[Column]) -> AsyncGenerator[bytes]:
    pyarrow = await asyncio.to_thread(load_pyarrow)
    sink = _Sink()
    schema = pyarrow.schema([(column.name, _type(column, pyarrow)) for column in columns])
    # Without statistics the footer, which is all that grows with the file, grows least.
    writer = pyarrow.parquet.ParquetWriter(sink, schema, compression="zstd", write_statistics=False)
    group = _Group(columns)
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


def _type(column: Column, pyarrow: Any) -> Any:
    if column.kind == "messages":
        return pyarrow.list_(pyarrow.struct([("role", pyarrow.string()), ("content", pyarrow.string())]))
    return pyarrow.bool_() if column.kind == "boolean" else pyarrow.string()


class _Group:
    """Rows that are waiting to be written, column by column."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._begin()

    def _begin(self) -> None:
        self._values: list[list[Json]] = [[] for _ in self._columns]
        self._size = 0
        self.rows = 0

    def add(self, line: JsonObject) -> None:
        for column, values in zip(self._columns, self._values, strict=True):
            value = column.value(line)
            if value is not None and column.kind == "text":
                value = as_text(value)
                self._size += len(value)
            elif column.kind == "messages":
                self._size += len(as_text(value))
            values.append(value)
        self.rows += 1

    def is_full(self) -> bool:
        return self.rows >= GROUP_ROWS or self._size >= GROUP_BYTES

    def table(self, schema: Any, pyarrow: Any) -> Any:
        """What was waiting, which then waits no more."""
        arrays = [pyarrow.array(values, kind) for values, kind in zip(self._values, schema.types, strict=True)]
        self._begin()
        return pyarrow.Table.from_arrays(arrays, schema=schema)


class _Sink(io.RawIOBase):
    """A file that is given away as it is written."""

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
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken
