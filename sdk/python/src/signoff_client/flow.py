"""The client's logic without I/O: what to send, how to read the response, when to retry.

A flow is a generator that yields the next step (a `Call` or a `Pause`), receives its outcome, and returns the result.
`Client` and `AsyncClient` only run flows, so the logic is written once for both.
"""

from __future__ import annotations

import json
import logging
import math
import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar, cast
from urllib.parse import quote
from uuid import uuid4

import httpx

from signoff_client.errors import ApiError, ConnectionFailed, RateLimited, ServerError, SignoffError, class_for
from signoff_client.values import encode

T = TypeVar("T")
log = logging.getLogger("signoff_client")


@dataclass(frozen=True)
class Call:
    """A request. The body is bytes, so that a retry with the same idempotency key is identical."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: bytes | None = None
    files: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    """Whether it's safe to send it twice."""
    waits: float = 0.0
    """Seconds the server may hold the request before it responds."""


@dataclass(frozen=True)
class Pause:
    seconds: float


Reply = httpx.Response | httpx.RequestError | None
"""The outcome of a call. None after a pause."""
Flow = Generator[Call | Pause, Reply, T]


def place(*parts: str) -> str:
    """A path with the IDs escaped."""
    for part in parts:
        if part in ("", ".", ".."):
            raise ValueError(f"{part!r} isn't a valid ID.")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def reading(path: str, *, waits: float = 0.0, **params: Any) -> Call:
    given = {name: value for name, value in params.items() if value is not None}
    return Call("GET", path, given | ({"wait": round(waits, 3)} if waits else {}), waits=waits)


def writing(method: str, path: str, body: Any, key: str | None = None) -> Call:
    """A call with a JSON body that's safe to repeat: it's idempotent, or it has an idempotency key."""
    headers = {"content-type": "application/json"} | ({"idempotency-key": key} if key else {})
    return Call(method, path, content=encode(body), headers=headers)


def any_call(method: str, path: str, body: Any, params: Mapping[str, Any]) -> Call:
    """A call to a path. Full URLs are rejected, so the API key is never sent to another server."""
    if not path.startswith("/"):
        raise ValueError(f"The path must start with a slash: {path!r}")
    method = method.upper()
    content, headers = (None, {}) if body is None else (encode(body), {"content-type": "application/json"})
    repeatable = method in ("GET", "HEAD", "PUT", "DELETE")
    return Call(method, path, params, content, headers=headers, repeatable=repeatable)


def new_key() -> str:
    return uuid4().hex


@dataclass(frozen=True)
class Retrying:
    """How often to retry, and when: exponential backoff with full jitter, never before the server's Retry-After."""

    most: float = 5
    first: float = 0.5
    longest: float = 20.0
    longest_retry_after: float = 60.0
    """If the server asks to wait longer, the error is raised instead."""
    chance: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def patiently(self) -> Retrying:
        """Without limits, for work that must continue however long the server is down."""
        return replace(self, most=math.inf, longest_retry_after=math.inf)

    def pause(self, failures: int, failure: SignoffError | None = None) -> float:
        asked = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return asked + self.chance() * min(self.longest, self.first * 2.0 ** min(failures - 1, 30))

    def gives_up(self, failures: int, failure: SignoffError) -> bool:
        asked = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return failures > self.most or asked > self.longest_retry_after


PASSING = (ConnectionFailed, ServerError, RateLimited)
"""Temporary failures, worth a retry."""


def perform(call: Call, retrying: Retrying) -> Flow[httpx.Response]:
    """The response, after retries if needed."""
    failures = 0
    unclear = False
    while True:
        try:
            return (yield from attempt(call))
        except PASSING as failure:
            failures += 1
            done_nothing = isinstance(failure, RateLimited) or isinstance(
                failure.__cause__, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
            )
            unclear = unclear or not done_nothing
            if retrying.gives_up(failures, failure) or not (call.repeatable or done_nothing):
                raise
            pause = retrying.pause(failures, failure)
            log.info("%s %s failed: %s. Retrying in %.1f s", call.method, call.path, failure, pause)
        except ApiError as failure:
            if failure.status == 404 and call.method == "DELETE" and unclear:
                return httpx.Response(204)  # An earlier attempt deleted it, and only the response was lost.
            raise
        yield Pause(pause)


def attempt(call: Call) -> Flow[httpx.Response]:
    """The response to a single attempt. Raises an error if it isn't successful."""
    reply = yield call
    if isinstance(reply, httpx.Response):
        if reply.is_success:
            return reply
        raise _refusal(reply)
    raise ConnectionFailed(f"{call.method} {call.path}: {reply or type(reply).__name__}") from reply


def ask(call: Call, retrying: Retrying) -> Flow[Any]:
    """The decoded JSON of the response. None if it has no body."""
    answer = yield from perform(call, retrying)
    return parsed(answer)


def parsed(answer: httpx.Response) -> Any:
    if not answer.content:
        return None
    try:
        return answer.json()
    except ValueError as error:
        problem = {"code": "not_json", "detail": "The response isn't JSON. Is this the URL of a Signoff server?"}
        raise ApiError(answer.status_code, problem, answer.headers.get("x-request-id")) from error


def _refusal(answer: httpx.Response) -> ApiError:
    try:
        body: Any = json.loads(answer.content)
    except ValueError:
        body = None
    problem = cast("dict[str, Any]", body) if isinstance(body, dict) else {"detail": answer.reason_phrase}
    if answer.is_redirect:
        problem = {"code": "redirected", "detail": f"Use this URL instead: {answer.headers.get('location')}"}
    retry_after = read_retry_after(answer.headers.get("retry-after"))
    return class_for(answer.status_code)(answer.status_code, problem, answer.headers.get("x-request-id"), retry_after)


def read_retry_after(text: str | None, now: datetime | None = None) -> float | None:
    """Seconds, from a number or an HTTP date. None if it's neither."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - (now or datetime.now(timezone.utc))).total_seconds())
