"""The client's logic without I/O: what to send, how to read the response, when to retry.

A flow is a generator that yields the next step (an `ApiRequest` or a `Sleep`), receives its outcome, and returns the
result.
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

from signoff_client.errors import ApiError, ConnectionFailed, RateLimited, ServerError, SignoffError, error_class
from signoff_client.serialization import encode_json

T = TypeVar("T")
log = logging.getLogger("signoff_client")


@dataclass(frozen=True)
class ApiRequest:
    """A request. The body is bytes, so that a retry with the same idempotency key is identical."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: bytes | None = None
    files: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    """Whether it's safe to send it twice."""
    wait_seconds: float = 0.0
    """Seconds the server may hold the request before it responds."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


Reply = httpx.Response | httpx.RequestError | None
"""The outcome of a step. None after a sleep."""
Flow = Generator[ApiRequest | Sleep, Reply, T]


def build_path(*parts: str) -> str:
    """Build a path with the IDs escaped."""
    for part in parts:
        if part in ("", ".", ".."):
            raise ValueError(f"{part!r} isn't a valid ID.")
    return "".join(f"/{quote(part, safe='')}" for part in parts)


def get_request(path: str, *, wait_seconds: float = 0.0, **params: Any) -> ApiRequest:
    given = {name: value for name, value in params.items() if value is not None}
    if wait_seconds:
        given["wait"] = round(wait_seconds, 3)
    return ApiRequest("GET", path, given, wait_seconds=wait_seconds)


def json_request(method: str, path: str, body: Any, key: str | None = None) -> ApiRequest:
    """Build a request with a JSON body that's safe to repeat: it's idempotent, or it has an idempotency key."""
    headers = {"content-type": "application/json"} | ({"idempotency-key": key} if key else {})
    return ApiRequest(method, path, content=encode_json(body), headers=headers)


def raw_request(method: str, path: str, body: Any, params: Mapping[str, Any]) -> ApiRequest:
    """Build a request to any path. Full URLs are rejected, so the API key is never sent to another server."""
    if not path.startswith("/"):
        raise ValueError(f"The path must start with a slash: {path!r}")
    method = method.upper()
    content, headers = (None, {}) if body is None else (encode_json(body), {"content-type": "application/json"})
    repeatable = method in ("GET", "HEAD", "PUT", "DELETE")
    return ApiRequest(method, path, params, content, headers=headers, repeatable=repeatable)


def new_idempotency_key() -> str:
    return uuid4().hex


@dataclass(frozen=True)
class RetryPolicy:
    """How often to retry, and when: exponential backoff with full jitter, never before the server's Retry-After."""

    max_retries: float = 5
    initial_delay: float = 0.5
    max_delay: float = 20.0
    max_retry_after: float = 60.0
    """If the server asks to wait longer, the error is raised instead."""
    jitter: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def without_limits(self) -> RetryPolicy:
        """Return a policy without limits, for work that must continue however long the server is down."""
        return replace(self, max_retries=math.inf, max_retry_after=math.inf)

    def delay(self, failures: int, failure: SignoffError | None = None) -> float:
        retry_after = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return retry_after + self.jitter() * min(self.max_delay, self.initial_delay * 2.0 ** min(failures - 1, 30))

    def gives_up(self, failures: int, failure: SignoffError) -> bool:
        retry_after = (failure.retry_after or 0.0) if isinstance(failure, ApiError) else 0.0
        return failures > self.max_retries or retry_after > self.max_retry_after


TEMPORARY_ERRORS = (ConnectionFailed, ServerError, RateLimited)
"""Temporary failures, worth a retry."""


def send_with_retries(request: ApiRequest, policy: RetryPolicy) -> Flow[httpx.Response]:
    """Return the response, after retries if needed."""
    failures = 0
    maybe_processed = False
    while True:
        try:
            return (yield from send_once(request))
        except TEMPORARY_ERRORS as failure:
            failures += 1
            not_processed = isinstance(failure, RateLimited) or isinstance(
                failure.__cause__, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
            )
            maybe_processed = maybe_processed or not not_processed
            if policy.gives_up(failures, failure) or not (request.repeatable or not_processed):
                raise
            pause = policy.delay(failures, failure)
            log.info("%s %s failed: %s. Retrying in %.1f s", request.method, request.path, failure, pause)
        except ApiError as failure:
            if failure.status == 404 and request.method == "DELETE" and maybe_processed:
                return httpx.Response(204)  # An earlier attempt deleted it, and only the response was lost.
            raise
        yield Sleep(pause)


def send_once(request: ApiRequest) -> Flow[httpx.Response]:
    """Return the response to a single attempt. Raises an error if it isn't successful."""
    reply = yield request
    if isinstance(reply, httpx.Response):
        if reply.is_success:
            return reply
        raise _parse_error(reply)
    raise ConnectionFailed(f"{request.method} {request.path}: {reply or type(reply).__name__}") from reply


def send_json(request: ApiRequest, policy: RetryPolicy) -> Flow[Any]:
    """Return the decoded JSON of the response, or None if it has no body."""
    response = yield from send_with_retries(request, policy)
    return parse_json(response)


def parse_json(response: httpx.Response) -> Any:
    if not response.content:
        return None
    try:
        return response.json()
    except ValueError as error:
        problem = {"code": "not_json", "detail": "The response isn't JSON. Is this the URL of a Signoff server?"}
        raise ApiError(response.status_code, problem, response.headers.get("x-request-id")) from error


def _parse_error(response: httpx.Response) -> ApiError:
    try:
        body: Any = json.loads(response.content)
    except ValueError:
        body = None
    problem = cast("dict[str, Any]", body) if isinstance(body, dict) else {"detail": response.reason_phrase}
    if response.is_redirect:
        problem = {"code": "redirected", "detail": f"Use this URL instead: {response.headers.get('location')}"}
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    return error_class(response.status_code)(
        response.status_code, problem, response.headers.get("x-request-id"), retry_after
    )


def parse_retry_after(text: str | None, now: datetime | None = None) -> float | None:
    """Parse seconds from a number or an HTTP date. None if it's neither."""
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
