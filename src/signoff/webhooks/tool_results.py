"""Convert a tool webhook's response to the event's `toolResult`."""

import codecs
from dataclasses import dataclass

import orjson

from signoff.platform.guarded_http import HttpResponse
from signoff.platform.json_values import exceeds_depth

MAX_RESPONSE_BYTES = 1024 * 1024
MAX_TEXT_BYTES = 64_000
"""Bytes of a text response."""
MAX_RESPONSE_DEPTH = 100

TOO_DEEP = f"The response is nested more than {MAX_RESPONSE_DEPTH} levels deep, so the event has no toolResult."
TOO_LONG = "The response is larger than 1 MiB, so the event has no toolResult."
CUT_OFF = "The connection closed before the full response arrived, so the event has no toolResult."
NOT_TEXT = "The response is neither JSON nor UTF-8 text, so the event has no toolResult."
SHORTENED = f"The response is text. toolResult has its first {MAX_TEXT_BYTES:,} bytes."
NOT_STORED = "The response couldn't be stored, so the event has no toolResult."


@dataclass(frozen=True, slots=True)
class ToolResult:
    text: str | None = None
    """JSON text; None if there is no result."""
    note: str | None = None
    """Why the response isn't in the result, or not all of it."""


NO_RESULT = ToolResult()


def read_tool_result(answer: HttpResponse) -> ToolResult:
    """Read the response. JSON stays exactly as the tool sent it; any other format becomes a string."""
    body = answer.body.removeprefix(codecs.BOM_UTF8)
    if answer.truncated:
        return _read_truncated(body)
    if not body.strip():
        return NO_RESULT
    try:
        result = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return ToolResult(note=TOO_DEEP) if error.msg.startswith("depth limit") else _read_text(body)
    return ToolResult(note=TOO_DEEP) if exceeds_depth(result, MAX_RESPONSE_DEPTH) else ToolResult(body.decode())


def _read_truncated(body: bytes) -> ToolResult:
    """Handle a truncated response: half a JSON document is useless, but the beginning of a long text may not be."""
    is_json = body.lstrip()[:1] in {b"{", b"[", b'"'}
    if not is_json and len(body) > MAX_TEXT_BYTES:
        return _read_text(body)
    return ToolResult(note=TOO_LONG if len(body) >= MAX_RESPONSE_BYTES else CUT_OFF)


def _read_text(body: bytes) -> ToolResult:
    whole = len(body) <= MAX_TEXT_BYTES
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(body[:MAX_TEXT_BYTES], final=whole)
    except UnicodeDecodeError:
        return ToolResult(note=NOT_TEXT)
    return ToolResult(orjson.dumps(text).decode(), None if whole else SHORTENED)
