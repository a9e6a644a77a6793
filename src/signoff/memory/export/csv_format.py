"""CSV according to RFC 4180 in UTF-8, with text that no spreadsheet runs as a formula."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from signoff.memory.export.columns import Column
from signoff.memory.export.completions import as_text
from signoff.platform.json_values import Json, JsonObject, is_number

_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - full-width ones are run too


async def csv_pieces(
    lines: AsyncIterator[list[JsonObject]], columns: Sequence[Column], *, header: bool
) -> AsyncGenerator[bytes]:
    pending = _row([column.name for column in columns]) if header else ""
    async for portion in lines:
        pending += "".join(_row([column.value(line) for column in columns]) for line in portion)
        if portion:
            yield pending.encode()
            pending = ""
    if pending:
        yield pending.encode()


def _row(values: Sequence[Json]) -> str:
    return ",".join(map(_cell, values)) + "\r\n"


def _cell(value: Json) -> str:
    """Format a cell: null is empty, numbers and booleans are unquoted, everything else is quoted; `""` is the empty
    text.
    """
    if value is None:
        return ""
    if isinstance(value, bool) or is_number(value):
        return as_text(value)
    text = escape_formula(as_text(value)).replace('"', '""')
    return f'"{text}"'


def escape_formula(text: str) -> str:
    """Escape text that a spreadsheet would run with an apostrophe, even if it already starts with one, so that this
    can be undone.
    """
    return f"'{text}" if _FORMULA.match(text) else text
