"""Read a request's body: limited while it arrives, with a small limit until the caller is known, and parsed as
strict JSON.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, cast

import orjson
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from signoff.platform.errors import BadRequest, ErrorDetail, InvalidRequest, PayloadTooLarge, TooComplex, TooSlow
from signoff.platform.json_values import exceeds_depth, too_deep
from signoff.platform.messages import ByteSize, msg

BODY: Final = "signoff.request_body"
MAX_DEPTH: Final = 250
"""The JSON writer stops at 254 levels."""
DRAINED_BYTES, DRAIN_WAITS, DRAIN_SECONDS = 64 * 1024 * 1024, 0.5, 5.0
_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """The maximum size of a body. A value is anything in the JSON: a number, a string, an array, or an object."""

    bytes: int
    values: int


@dataclass(frozen=True, slots=True)
class BodyPace:
    """The minimum speed of a body: `rate` bytes a second on average, and no pause longer than `idle` seconds."""

    idle: float
    rate: int


PUBLIC: Final = BodyLimit(64 * 1024, 2_000)
"""For unknown callers: sign-in, unsubscribe, and every route until it has identified its caller."""
PUBLIC_FORM: Final = BodyLimit(1024 * 1024, 10_000)
EXTERNAL: Final = BodyLimit(4 * 1024 * 1024, 20_000)
"""For external reviewers, who send edited values but no files."""
MAX_VALUES: Final = 100_000
"""For known callers. Ten times the largest review that people could read, and still parsed in milliseconds."""


def body_too_large(limit: int) -> PayloadTooLarge:
    return PayloadTooLarge(
        msg("The request body is larger than the limit of {limit}.", limit=ByteSize(limit)), maxBytes=limit
    )


def body_too_slow(rate: int) -> TooSlow:
    return TooSlow(msg("The request body arrived too slowly. Send at least {rate} bytes per second.", rate=rate))


def invalid_json(error: str) -> BadRequest:
    return BadRequest(msg("The request body isn't valid JSON: {error}.", error=error))


def too_many_values(limit: int) -> TooComplex:
    return TooComplex(msg("The request body has more than {limit} JSON values.", limit=limit), maxValues=limit)


class RequestBody:
    """Counts incoming bytes against a limit that starts small. `raise_limit` is called once the caller is known."""

    def __init__(
        self, receive: Receive, headers: dict[bytes, bytes], public: BodyLimit, known: BodyLimit, pace: BodyPace
    ) -> None:
        declared = headers.get(b"content-length", b"0")
        self.limit = public
        self.abandoned = False
        """Whether the client disconnected before it sent the whole body."""
        self.given_up = False
        """Whether we no longer wait for the rest of the body."""
        self._known = known
        self._pace = pace
        self._started = time.monotonic()
        self._declared = int(declared) if declared.isdigit() else 0
        self._receive = receive
        self._received = 0
        self._more = self._declared > 0 or b"transfer-encoding" in headers
        self._awaits_permission = b"expect" in headers

    def raise_limit(self, most: BodyLimit | None = None) -> None:
        """`most` is an upper bound for this kind of caller."""
        known = self._known
        self.limit = known if most is None else BodyLimit(min(most.bytes, known.bytes), min(most.values, known.values))

    async def receive(self) -> Message:
        message = await self._next() if self._more else await self._receive()
        self._received += len(message.get("body", b""))
        self.abandoned = self._more and message["type"] == "http.disconnect"
        self._more = message.get("more_body", False)
        self._awaits_permission = False
        if max(self._received, self._declared) > self.limit.bytes:
            raise body_too_large(self.limit.bytes)
        return message

    async def _next(self) -> Message:
        pace = self._pace
        due = self._started + pace.idle + self._received / pace.rate
        try:
            async with asyncio.timeout(min(pace.idle, due - time.monotonic())):
                return await self._receive()
        except TimeoutError:
            self.given_up = True
            self._more = False  # and don't wait for it when we respond
            raise body_too_slow(pace.rate) from None

    async def drain(self) -> None:
        """Keep reading for a moment: a client that is still sending would see a connection reset instead of the
        response.

        Discards what it reads. A client that waits for `100 Continue` isn't told to start sending.
        """
        if self._awaits_permission:
            return
        drained = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while self._more and drained < DRAINED_BYTES:
                    message = await asyncio.wait_for(self._receive(), DRAIN_WAITS)
                    drained += len(message.get("body", b""))
                    self._more = message.get("more_body", False)


def get_body(scope: Scope) -> RequestBody | None:
    """Return the request's body, or None in an application without the middleware."""
    return scope.get(BODY)


def max_values(request: Request) -> int:
    body = get_body(request.scope)
    return MAX_VALUES if body is None else body.limit.values


async def parse_json(body: bytes, most: int) -> Any:
    """Parse JSON as defined by RFC 8259: no NaN, no lone surrogates, no NUL (which PostgreSQL can't store), not too
    complex.

    The parser holds the interpreter's lock, so another thread wouldn't help. What helps is that the number of values is
    known beforehand: a body within its limit is parsed in milliseconds.
    """
    await ensure_few_values(body, most)
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise invalid_json(str(error)) from None
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH and exceeds_depth(value, MAX_DEPTH):
        members = cast(dict[str, Any], value).items() if isinstance(value, dict) else [("", value)]
        deep = [name for name, member in members if exceeds_depth(member, MAX_DEPTH - 1)]
        raise InvalidRequest([ErrorDetail(name, "too_deep", too_deep(MAX_DEPTH)) for name in deep])
    if b"\\u0000" in body:
        _ensure_no_nul(value)
    return value


async def ensure_few_values(body: bytes, most: int) -> None:
    """Check JSON that another library parses."""
    if _max_count(body) > most and await asyncio.to_thread(_count_values, body) > most:
        raise too_many_values(most)


def _max_count(text: bytes) -> int:
    """Return an upper bound of the number of values: each follows a comma or an opening bracket, or is the only one."""
    return text.count(b",") + text.count(b"[") + text.count(b"{") + 1


def _count_values(body: bytes) -> int:
    """Count values without the text in strings. Works in chunks, so that other threads get their turn."""
    text = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    count, inside = 1, 0
    for start in range(0, len(text), _CHUNK):
        parts = text[start : start + _CHUNK].split(b'"')
        count += _max_count(b"".join(parts[inside::2])) - 1
        inside ^= (len(parts) - 1) & 1
    return count


def _ensure_no_nul(value: Any) -> None:
    r"""`\u0000` may be part of the text as an escaped backslash; only a real NUL is refused."""
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, str) and "\x00" in item:
            raise InvalidRequest([ErrorDetail(path, "nul_character", msg("can't contain the NUL character (U+0000)"))])
        if isinstance(item, dict):
            for key, child in cast(dict[str, Any], item).items():
                stack += [(path, key), (f"{path}.{key}" if path else key, child)]
        elif isinstance(item, list):
            stack += [(f"{path}[{index}]", child) for index, child in enumerate(cast(list[Any], item))]
