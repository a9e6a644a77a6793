"""A client that retries each request, with the same body and idempotency key, until it knows the result."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp

from chaos.evidence import Evidence

TRANSPORT_ERRORS = (aiohttp.ClientError, TimeoutError, ConnectionError)
TIMEOUT_SECONDS = 120.0
IDENTIFIER = re.compile(r"/[a-z]{3}_[0-9a-zA-Z]+|/chat-\d+")


class RetriesExhausted(Exception):
    """No definite response arrived within the timeout."""


@dataclass
class ClientResponse:
    status: int
    body: Any
    attempts_made: int
    """How often it was sent; only the last attempt got a definite response."""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str | None:
        return self.body.get("code") if isinstance(self.body, dict) else None


@dataclass
class StreamMessage:
    event: str
    data: Any
    id: str | None


class Client:
    """With its own credentials and connections."""

    def __init__(self, url: str, evidence: Evidence, key: str | None = None) -> None:
        self._evidence = evidence
        self._http = aiohttp.ClientSession(
            base_url=url,
            headers={"x-api-key": key} if key else None,
            timeout=aiohttp.ClientTimeout(total=30),
            cookie_jar=aiohttp.CookieJar(unsafe=True),
        )

    async def close(self) -> None:
        await self._http.close()

    async def once(
        self, method: str, path: str, body: Any = None, idempotency: str | None = None
    ) -> ClientResponse | None:
        """None if there was no response, or one that doesn't tell the result."""
        headers = {"Idempotency-Key": idempotency} if idempotency else None
        try:
            async with self._http.request(method, f"/api/v1{path}", json=body, headers=headers) as answer:
                self._count(method, path, str(answer.status))
                is_json = answer.content_type.endswith("json")
                content = await answer.json(content_type=None) if is_json else await answer.read()
                return None if answer.status >= 500 else ClientResponse(answer.status, content, 1)
        except TRANSPORT_ERRORS:
            self._count(method, path, "lost")
            return None

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        idempotency: str | None = None,
        patience: float = TIMEOUT_SECONDS,
    ) -> ClientResponse:
        """Retry until there is a definite response."""
        deadline = time.monotonic() + patience
        tries = 0
        while time.monotonic() < deadline:
            tries += 1
            answer = await self.once(method, path, body, idempotency)
            if answer is not None and answer.status != 429:
                answer.attempts_made = tries
                return answer
            await asyncio.sleep(min(0.1 * tries, 1.0))
        raise RetriesExhausted(f"{method} {path}")

    async def get(self, path: str) -> Any:
        answer = await self.send("GET", path)
        if not answer.ok:
            raise RetriesExhausted(f"GET {path}: {answer.status} {answer.body}")
        return answer.body

    async def content(self, url: str) -> tuple[int, bytes]:
        async with self._http.get(url) as answer:
            return answer.status, await answer.read()

    async def stream(self, path: str, after: str | None) -> AsyncIterator[StreamMessage]:
        """Server-sent events until the connection ends, however it ends."""
        headers = {"Last-Event-ID": after} if after is not None else None
        endless = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=60)
        try:
            async with self._http.get(f"/api/v1{path}", headers=headers, timeout=endless) as answer:
                if answer.status != 200:
                    return
                members: dict[str, str] = {}
                async for line in answer.content:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name:
                        members[name] = value
                    elif "data" in members or "id" in members:
                        data = json.loads(members.get("data", "null"))
                        yield StreamMessage(members.get("event", ""), data, members.get("id"))
                        members = {}
        except TRANSPORT_ERRORS:
            return

    def _count(self, method: str, path: str, outcome: str) -> None:
        name = f"{method} {IDENTIFIER.sub('/…', path.partition('?')[0])} {outcome}"
        self._evidence.status_counts[name] = self._evidence.status_counts.get(name, 0) + 1
