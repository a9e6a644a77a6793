"""Write an export: read reviews, convert them to lines, and encode them in the requested format."""

from collections.abc import AsyncGenerator, AsyncIterator

import orjson

from signoff.memory.export.columns import export_columns
from signoff.memory.export.csv_format import csv_pieces
from signoff.memory.export.dpo import preference_lines
from signoff.memory.export.pairs import pair_lines
from signoff.memory.export.parquet import parquet_pieces
from signoff.memory.export.query_params import Export, Format
from signoff.memory.export.reader import read_decided
from signoff.memory.export.sft import example_lines
from signoff.platform.db import Executor
from signoff.platform.json_values import JsonObject

MEDIA_TYPES: dict[Format, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}


def write_export(db: Executor, export: Export, form: Format) -> AsyncGenerator[bytes]:
    """Stream the export. A part that starts after a cursor continues the bytes of the previous part; a Parquet file
    is always complete.
    """
    lines = _lines(db, export)
    if form == "jsonl":
        return _jsonl_pieces(lines)
    if form == "csv":
        return csv_pieces(lines, export_columns(export), header=not export.resumed)
    return parquet_pieces(lines, export_columns(export), unconverted=export.has_typed_columns)


async def _lines(db: Executor, export: Export) -> AsyncIterator[list[JsonObject]]:
    async for reviews in read_decided(db, export):
        if export.shape == "pairs":
            yield list(pair_lines(export, reviews))
        elif export.shape == "sft":
            yield list(example_lines(export, reviews))
        else:
            yield [line async for line in preference_lines(db, export, reviews)]


async def _jsonl_pieces(lines: AsyncIterator[list[JsonObject]]) -> AsyncGenerator[bytes]:
    async for portion in lines:
        if portion:
            yield b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in portion)
