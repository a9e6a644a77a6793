"""The two clients. They only run flows; the docstrings of `Client` apply to both."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import ssl
import time
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import httpx

from signoff_client import memory, messages, reviews
from signoff_client.api_requests import (
    ApiRequest,
    Flow,
    Reply,
    RetryPolicy,
    Sleep,
    build_path,
    get_request,
    raw_request,
    send_json,
    send_with_retries,
)
from signoff_client.deprecation import deprecated_alias
from signoff_client.errors import SchemaMismatch
from signoff_client.events import Event, poll_events
from signoff_client.memory import Decision, Filter, PastResponse
from signoff_client.messages import Message, MessageOptions, StreamingMessage
from signoff_client.pagination import AsyncPages, Pages
from signoff_client.results import Result, parse_result
from signoff_client.reviews import Batch, RequestedReview, ReviewOptions
from signoff_client.serialization import Values
from signoff_client.sign_off import SignOff
from signoff_client.uploads import StoredFile, upload_file
from signoff_client.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

T = TypeVar("T")
P = ParamSpec("P")


@functools.cache
def _tls_context() -> ssl.SSLContext:
    """One context for all clients of the process: loading the CA certificates takes longer than a request."""
    return httpx.create_ssl_context()


class _Settings:
    """The server's URL and how to send requests to it."""

    def __init__(self, url: str | None, api_key: str | None, timeout: float, max_retries: int) -> None:
        url = url or os.environ.get("SIGNOFF_URL", "")
        api_key = (api_key or os.environ.get("SIGNOFF_API_KEY", "")).strip()
        if not url.startswith(("http://", "https://")):
            raise ValueError(
                "The Signoff URL is missing or doesn't start with http:// or https://. Pass `url`, for example "
                "https://signoff.example.com, or set SIGNOFF_URL."
            )
        if not api_key:
            raise ValueError("No API key given. Pass `api_key` or set SIGNOFF_API_KEY.")
        self.connection: dict[str, Any] = {
            "base_url": url.rstrip("/").removesuffix("/api/v1") + "/api/v1",
            "headers": {"x-api-key": api_key, "user-agent": f"signoff-client/{__version__} httpx/{httpx.__version__}"},
            "verify": _tls_context(),
            # No limit: each thread that waits for a review needs its own connection.
            "limits": httpx.Limits(max_connections=None, max_keepalive_connections=20),
        }
        self.timeout = timeout
        self.retry_policy = RetryPolicy(max_retries=max_retries)

    def request_arguments(self, request: ApiRequest) -> dict[str, Any]:
        return {
            "method": request.method,
            "url": request.path,
            "params": request.params,
            "content": request.content,
            "files": request.files,
            "headers": request.headers,
            "timeout": httpx.Timeout(self.timeout, read=self.timeout + request.wait_seconds),
        }


class Client:
    """Synchronous client. Thread-safe.

    `url` and `api_key` default to `SIGNOFF_URL` and `SIGNOFF_API_KEY`. `timeout` applies to each request, in seconds.
    Temporary failures are retried up to `max_retries` times with exponential backoff.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 5,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = _Settings(url, api_key, timeout, max_retries)
        self.retry_policy = self._settings.retry_policy
        self._http = httpx.Client(**self._settings.connection, transport=transport)

    def run(self, flow: Flow[T]) -> T:
        """Run a flow. All other methods use this."""
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as done:
                return done.value
            reply = self._execute(step)

    def _execute(self, step: ApiRequest | Sleep) -> Reply:
        if isinstance(step, Sleep):
            time.sleep(step.seconds)
            return None
        try:
            return self._http.request(**self._settings.request_arguments(step))
        except httpx.RequestError as failure:
            return failure

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def request_review(
        self, form_id: str, values: Values, *, idempotency_key: str | None = None, **options: Unpack[ReviewOptions]
    ) -> Review:
        """Request a review. `values` is a mapping or a Pydantic model; see `ReviewOptions` for the options.

        Retries never create a second review. To be safe across restarts of your program, pass your own
        `idempotency_key`: the same key and request return the same review for 24 hours.
        """
        flow = reviews.request(form_id, values, options, idempotency_key, self.retry_policy)
        return Review(self, self.run(flow))

    def review(self, review_id: str) -> Review:
        """Get a handle for an existing review. Doesn't send a request."""
        return Review(self, RequestedReview(review_id))

    def batch(self, batch_id: str) -> Batch:
        """Return the reviews requested with this `batch_id` and how many are decided."""
        return self.run(reviews.batch(batch_id, self.retry_policy))

    def sign_off(
        self,
        form_id: str,
        *,
        timeout: float | None = None,
        values: Callable[..., Values] | None = None,
        **options: Unpack[ReviewOptions],
    ) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Require approval before a function runs.

        The arguments are sent as values under their names; use `values` to send something else. The function is
        called with the approved arguments, including the reviewer's edits. If the review isn't approved, raises
        `ReviewRejected` and the function isn't called.
        """

        def decorate(function: Callable[P, T]) -> Callable[P, T]:
            if inspect.iscoroutinefunction(function):
                raise SchemaMismatch(f"{function.__name__}() is async: use AsyncClient.sign_off.")
            gate = SignOff(function, form_id, timeout, values, options, self.retry_policy)

            @functools.wraps(function)
            def signed_off(*args: P.args, **kwargs: P.kwargs) -> T:
                approved = self.run(gate.request_approval(args, kwargs))
                return function(*approved.args, **approved.kwargs)

            return signed_off

        return decorate

    def list_responses(
        self,
        form_id: str,
        *,
        field_ids: Iterable[str] | None = None,
        response: Decision | None = None,
        after: str = "",
        page_size: int = 200,
    ) -> Pages[PastResponse]:
        """Iterate over all decisions of a review type, oldest first. Pages are loaded as needed."""
        ids = None if field_ids is None else list(field_ids)
        return Pages(
            lambda cursor: memory.fetch_response_page(form_id, cursor, ids, response, page_size, self.retry_policy),
            after,
            self.run,
        )

    def fetch_responses(
        self,
        form_id: str,
        field_ids: Iterable[str],
        *,
        response: Decision | None = None,
        where: Iterable[Filter] = (),
        limit: int = 20,
    ) -> list[PastResponse]:
        """Return the latest decisions that match all filters, newest first. Use them as examples in a prompt."""
        return self.run(memory.fetch_responses(form_id, field_ids, response, where, limit, self.retry_policy))

    def send_message(self, session_id: str, text: str | Iterable[str], **options: Unpack[MessageOptions]) -> Message:
        """Send a chat message. Pass an iterator to stream the text as it's generated."""
        if isinstance(text, str):
            return self.run(messages.send_message(session_id, text, options, self.retry_policy))
        stream = StreamingMessage(session_id, options, self.retry_policy)
        existing = self.run(stream.start())
        if existing is not None:
            return existing
        for piece in text:
            self.run(stream.add(piece))
        return self.run(stream.finish())

    def list_messages(
        self, session_id: str, *, after: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Message]:
        """Return the latest messages in a session, oldest first, or those after or before a message ID."""
        return self.run(messages.list_messages(session_id, after, before, limit, self.retry_policy))

    def set_working(self, session_id: str, text: str | None = None, *, working: bool = True) -> None:
        """Show or hide the agent's working status. It clears after a minute or with the agent's next message."""
        self.run(send_with_retries(messages.set_working(session_id, working, text), self.retry_policy))

    def stream_events(self, *, after: str = "", agent_id: str | None = None, wait: float | None = None) -> Pages[Event]:
        """Iterate over events in order, for agents that can't receive webhooks.

        `after` is the `cursor` to resume from, or `latest` for new events only. Stops when no event arrives for `wait`
        seconds, or never if `wait` is None.
        """
        return Pages(lambda cursor: poll_events(cursor, agent_id, wait, self.retry_policy), after, self.run)

    def upload_file(self, file: str | Path | bytes, *, name: str | None = None, **transform: Any) -> StoredFile:
        """Upload an image or video from a path or bytes.

        `transform` takes the API's options, such as `width=800, fit="inside"`.
        """
        return self.run(upload_file(file, name, transform, self.retry_policy))

    def generate_models(self, form_id: str, *, version: int | None = None) -> str:
        """Return Pydantic models for a review type as source code."""
        request = get_request(build_path("forms", form_id, "code"), language="python", version=version)
        return self.run(send_with_retries(request, self.retry_policy)).text

    def raw_request(self, method: str, path: str, *, json: Any = None, **params: Any) -> Any:
        """Call any API endpoint, with the same retries and exceptions as the other methods.

        A POST is only retried if it can't have been processed. Returns the decoded JSON.
        """
        return self.run(send_json(raw_request(method, path, json, params), self.retry_policy))

    call = deprecated_alias("call", raw_request)
    events = deprecated_alias("events", stream_events)
    messages = deprecated_alias("messages", list_messages)
    models = deprecated_alias("models", generate_models)
    recall = deprecated_alias("recall", fetch_responses)
    responses = deprecated_alias("responses", list_responses)
    say = deprecated_alias("say", send_message)
    upload = deprecated_alias("upload", upload_file)
    working = deprecated_alias("working", set_working)


class Review(RequestedReview):
    """A review you can wait for and update."""

    def __init__(self, client: Client, review: RequestedReview) -> None:
        super().__init__(**vars(review))
        self._client = client

    def wait(self, timeout: float | None = None) -> Result:
        """Wait for the decision: approved, rejected, or changes requested.

        Keeps waiting through restarts and outages of the server. Raises `WaitTimeout` after `timeout` seconds (the
        review stays pending), or `NotFound` if the review is deleted.
        """
        return self._client.run(reviews.wait(self.id, timeout, self._client.retry_policy))

    def result(self) -> Result | None:
        """Return the decision, or None if there isn't one yet. Doesn't wait."""
        return parse_result(self.fetch())

    def fetch(self) -> dict[str, Any]:
        """Return the full review as JSON."""
        return self._client.run(send_json(reviews.fetch(self.id), self._client.retry_policy))

    def update(self, values: Values, *, idempotency_key: str | None = None, **options: Unpack[ReviewOptions]) -> Review:
        """Replace the content, for example after a change request. Values you leave out are removed."""
        flow = reviews.update(self, values, options, idempotency_key, self._client.retry_policy)
        return Review(self._client, self._client.run(flow))

    def delete(self) -> None:
        """Delete the review and everything that belongs to it. Sends `review.deleted` to webhooks that receive this
        event.
        """
        self._client.run(send_with_retries(reviews.delete(self.id), self._client.retry_policy))


class AsyncClient:
    """Asynchronous client with the same methods as `Client`."""

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 5,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._settings = _Settings(url, api_key, timeout, max_retries)
        self.retry_policy = self._settings.retry_policy
        self._http = httpx.AsyncClient(**self._settings.connection, transport=transport)

    async def run(self, flow: Flow[T]) -> T:
        """Run a flow. All other methods use this."""
        reply: Reply = None
        while True:
            try:
                step = flow.send(reply)
            except StopIteration as done:
                return done.value
            reply = await self._execute(step)

    async def _execute(self, step: ApiRequest | Sleep) -> Reply:
        if isinstance(step, Sleep):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._http.request(**self._settings.request_arguments(step))
        except httpx.RequestError as failure:
            return failure

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def request_review(
        self, form_id: str, values: Values, *, idempotency_key: str | None = None, **options: Unpack[ReviewOptions]
    ) -> AsyncReview:
        """See `Client.request_review`."""
        flow = reviews.request(form_id, values, options, idempotency_key, self.retry_policy)
        return AsyncReview(self, await self.run(flow))

    def review(self, review_id: str) -> AsyncReview:
        """See `Client.review`."""
        return AsyncReview(self, RequestedReview(review_id))

    async def batch(self, batch_id: str) -> Batch:
        """See `Client.batch`."""
        return await self.run(reviews.batch(batch_id, self.retry_policy))

    def sign_off(
        self,
        form_id: str,
        *,
        timeout: float | None = None,
        values: Callable[..., Values] | None = None,
        **options: Unpack[ReviewOptions],
    ) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Callable[P, Coroutine[Any, Any, T]]]:
        """See `Client.sign_off`."""

        def decorate(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
            if not inspect.iscoroutinefunction(function):
                raise SchemaMismatch(f"{function.__name__}() isn't async: use Client.sign_off.")
            gate = SignOff(function, form_id, timeout, values, options, self.retry_policy)

            @functools.wraps(function)
            async def signed_off(*args: P.args, **kwargs: P.kwargs) -> T:
                approved = await self.run(gate.request_approval(args, kwargs))
                return await function(*approved.args, **approved.kwargs)

            return signed_off

        return decorate

    def list_responses(
        self,
        form_id: str,
        *,
        field_ids: Iterable[str] | None = None,
        response: Decision | None = None,
        after: str = "",
        page_size: int = 200,
    ) -> AsyncPages[PastResponse]:
        """See `Client.list_responses`."""
        ids = None if field_ids is None else list(field_ids)
        return AsyncPages(
            lambda cursor: memory.fetch_response_page(form_id, cursor, ids, response, page_size, self.retry_policy),
            after,
            self.run,
        )

    async def fetch_responses(
        self,
        form_id: str,
        field_ids: Iterable[str],
        *,
        response: Decision | None = None,
        where: Iterable[Filter] = (),
        limit: int = 20,
    ) -> list[PastResponse]:
        """See `Client.fetch_responses`."""
        return await self.run(memory.fetch_responses(form_id, field_ids, response, where, limit, self.retry_policy))

    async def send_message(
        self, session_id: str, text: str | Iterable[str] | AsyncIterable[str], **options: Unpack[MessageOptions]
    ) -> Message:
        """See `Client.send_message`."""
        if isinstance(text, str):
            return await self.run(messages.send_message(session_id, text, options, self.retry_policy))
        stream = StreamingMessage(session_id, options, self.retry_policy)
        existing = await self.run(stream.start())
        if existing is not None:
            return existing
        if isinstance(text, AsyncIterable):
            async for piece in text:
                await self.run(stream.add(piece))
        else:
            for piece in text:
                await self.run(stream.add(piece))
        return await self.run(stream.finish())

    async def list_messages(
        self, session_id: str, *, after: str | None = None, before: str | None = None, limit: int = 50
    ) -> list[Message]:
        """See `Client.list_messages`."""
        return await self.run(messages.list_messages(session_id, after, before, limit, self.retry_policy))

    async def set_working(self, session_id: str, text: str | None = None, *, working: bool = True) -> None:
        """See `Client.set_working`."""
        await self.run(send_with_retries(messages.set_working(session_id, working, text), self.retry_policy))

    def stream_events(
        self, *, after: str = "", agent_id: str | None = None, wait: float | None = None
    ) -> AsyncPages[Event]:
        """See `Client.stream_events`."""
        return AsyncPages(lambda cursor: poll_events(cursor, agent_id, wait, self.retry_policy), after, self.run)

    async def upload_file(self, file: str | Path | bytes, *, name: str | None = None, **transform: Any) -> StoredFile:
        """See `Client.upload_file`."""
        return await self.run(upload_file(file, name, transform, self.retry_policy))

    async def generate_models(self, form_id: str, *, version: int | None = None) -> str:
        """See `Client.generate_models`."""
        request = get_request(build_path("forms", form_id, "code"), language="python", version=version)
        return (await self.run(send_with_retries(request, self.retry_policy))).text

    async def raw_request(self, method: str, path: str, *, json: Any = None, **params: Any) -> Any:
        """See `Client.raw_request`."""
        return await self.run(send_json(raw_request(method, path, json, params), self.retry_policy))

    call = deprecated_alias("call", raw_request)
    events = deprecated_alias("events", stream_events)
    messages = deprecated_alias("messages", list_messages)
    models = deprecated_alias("models", generate_models)
    recall = deprecated_alias("recall", fetch_responses)
    responses = deprecated_alias("responses", list_responses)
    say = deprecated_alias("say", send_message)
    upload = deprecated_alias("upload", upload_file)
    working = deprecated_alias("working", set_working)


class AsyncReview(RequestedReview):
    """See `Review`."""

    def __init__(self, client: AsyncClient, review: RequestedReview) -> None:
        super().__init__(**vars(review))
        self._client = client

    async def wait(self, timeout: float | None = None) -> Result:
        """See `Review.wait`."""
        return await self._client.run(reviews.wait(self.id, timeout, self._client.retry_policy))

    async def result(self) -> Result | None:
        """See `Review.result`."""
        return parse_result(await self.fetch())

    async def fetch(self) -> dict[str, Any]:
        """See `Review.fetch`."""
        return await self._client.run(send_json(reviews.fetch(self.id), self._client.retry_policy))

    async def update(
        self, values: Values, *, idempotency_key: str | None = None, **options: Unpack[ReviewOptions]
    ) -> AsyncReview:
        """See `Review.update`."""
        flow = reviews.update(self, values, options, idempotency_key, self._client.retry_policy)
        return AsyncReview(self._client, await self._client.run(flow))

    async def delete(self) -> None:
        """See `Review.delete`."""
        await self._client.run(send_with_retries(reviews.delete(self.id), self._client.retry_policy))
