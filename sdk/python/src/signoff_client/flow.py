"""Everything the client does, without doing it: what to send, what to make of the answer, when to try again.

A flow is a generator that yields what is to be done next, a `Call` to make or a `Pause` to keep, is sent the outcome,
and returns what the caller asked for. `Client` and `AsyncClient` only carry flows out; what happens is written once,
for both.
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
    """One request. Its body is bytes from the start: a repetition is the same to the byte, as idempotency keys need."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: bytes | None = None
    files: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    """Whether sending it twice does the same as sending it once."""
    waits: float = 0.0
    """Seconds that the service may take on purpose before it answers."""


@dataclass(frozen=True)
class Pause:
    seconds: float


Reply = httpx.Response | httpx.RequestError | None
"""The outcome of a call, or of a pause, which has none."""
Flow = Generator[Call | Pause, Reply, T]


def place(*parts: str) -> str:
    """The path to something by its ID, whatever characters that has."""
    for part in parts:
        if part in ("", ".", ".."):
            raise ValueError(f"{part!r} is no ID.")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def reading(path: str, *, waits: float = 0.0, **params: Any) -> Call:
    given = {name: value for name, value in params.items() if value is not None}
    return Call("GET", path, given | ({"wait": round(waits, 3)} if waits else {}), waits=waits)


def writing(method: str, path: str, body: Any, key: str | None = None) -> Call:
    """A call with a JSON body that can be repeated: by its nature, or because of its idempotency key."""
    headers = {"content-type": "application/json"} | ({"idempotency-key": key} if key else {})
    return Call(method, path, content=encode(body), headers=headers)


def any_call(method: str, path: str, body: Any, params: Mapping[str, Any]) -> Call:
    """Nothing but a path is taken: the key is for this service only."""
    if not path.startswith("/"):
        raise ValueError(f"A path begins with a slash: {path!r}")
    method = method.upper()
    content, headers = (None, {}) if body is None else (encode(body), {"content-type": "application/json"})
    repeatable = method in ("GET", "HEAD", "PUT", "DELETE")
    return Call(method, path, params, content, headers=headers, repeatable=repeatable)


def new_key() -> str:
    return uuid4().hex


@dataclass(frozen=True)
class Retrying:
    """How often to try again, and after how long: exponential, with full jitter, never before the service wants it."""

    most: float = 5
    first: float = 0.5
    longest: float = 20.0
    longest_retry_after: float = 60.0
    """Beyond this the caller is told instead of kept waiting."""
    chance: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def patiently(self) -> Retrying:
        """For what has to go on, however long the service is away."""
        return replace(self, most=math.inf, longest_retry_after=math.inf)

    def pause(self, failures: int, failure: SignoffError | None = None) -> float:
        asked = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return asked + self.chance() * min(self.longest, self.first * 2.0 ** min(failures - 1, 30))

    def gives_up(self, failures: int, failure: SignoffError) -> bool:
        asked = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return failures > self.most or asked > self.longest_retry_after


PASSING = (ConnectionFailed, ServerError, RateLimited)
"""Failures that may be gone on the next try."""


def perform(call: Call, retrying: Retrying) -> Flow[httpx.Response]:
    """The answer, after as many tries as it takes and is sensible."""
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
            log.info("%s %s: %s; trying again in %.1f s", call.method, call.path, failure, pause)
        except ApiError as failure:
            if failure.status == 404 and call.method == "DELETE" and unclear:
                return httpx.Response(204)  # An earlier try deleted it; only the answer was lost.
            raise
        yield Pause(pause)


def attempt(call: Call) -> Flow[httpx.Response]:
    """The answer if it is a good one; one try."""
    reply = yield call
    if isinstance(reply, httpx.Response):
        if reply.is_success:
            return reply
        raise _refusal(reply)
    raise ConnectionFailed(f"{call.method} {call.path}: {reply or type(reply).__name__}") from reply


def ask(call: Call, retrying: Retrying) -> Flow[Any]:
    """The JSON of the answer; None where it has no body."""
    answer = yield from perform(call, retrying)
    return parsed(answer)


def parsed(answer: httpx.Response) -> Any:
    if not answer.content:
        return None
    try:
        return answer.json()
    except ValueError as error:
        problem = {"code": "not_json", "detail": "The answer is not JSON. Is this the address of a Signoff service?"}
        raise ApiError(answer.status_code, problem, answer.headers.get("x-request-id")) from error


def _refusal(answer: httpx.Response) -> ApiError:
    try:
        body: Any = json.loads(answer.content)
    except ValueError:
        body = None
    problem = cast("dict[str, Any]", body) if isinstance(body, dict) else {"detail": answer.reason_phrase}
    if answer.is_redirect:
        problem = {"code": "redirected", "detail": f"Use this address instead: {answer.headers.get('location')}"}
    retry_after = read_retry_after(answer.headers.get("retry-after"))
    return class_for(answer.status_code)(answer.status_code, problem, answer.headers.get("x-request-id"), retry_after)


def read_retry_after(text: str | None, now: datetime | None = None) -> float | None:
    """Seconds, from a number of them or a date; None where it is neither."""
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
