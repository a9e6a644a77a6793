"""A chat agent and messages to it."""

import asyncio
import secrets
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx
from support.api import Workspace, assert_ok, unique
from support.receiver import Receiver


@dataclass
class Chat:
    workspace: Workspace
    receiver: Receiver
    agent_id: str
    path: str
    """Of the agent's webhook."""

    async def start(self, client: httpx.AsyncClient | None = None, **members: Any) -> str:
        """A new session's ID; started by the owner by default."""
        body = {"agentId": self.agent_id, **members}
        return (await assert_ok((client or self.workspace.owner).post("/sessions", json=body)))["sessionId"]

    async def say(
        self, session_id: str, text: str = "Hello", client: httpx.AsyncClient | None = None, **members: Any
    ) -> dict[str, Any]:
        """A member's message."""
        body = {"text": text, **members}
        return await assert_ok((client or self.workspace.owner).post(f"/sessions/{session_id}/messages", json=body))

    async def answer(self, session_id: str, text: str = "Hello yourself", **members: Any) -> dict[str, Any]:
        """The agent's message."""
        body = {"text": text, **members}
        return await assert_ok(self.workspace.agent.post(f"/sessions/{session_id}/messages", json=body))

    async def messages(self, session_id: str, **query: Any) -> list[dict[str, Any]]:
        return (await assert_ok(self.workspace.agent.get(f"/sessions/{session_id}/messages", params=query)))["items"]

    async def session(self, session_id: str, client: httpx.AsyncClient | None = None) -> dict[str, Any]:
        return await assert_ok((client or self.workspace.owner).get(f"/sessions/{session_id}"))

    async def set_mode(self, mode: str) -> None:
        await assert_ok(self.workspace.manager.patch(f"/agents/{self.agent_id}", json={"chat": mode}))

    def texts(self, session_id: str) -> list[str]:
        """The texts that the webhook of one session received, in order."""
        events = [call.json for call in self.receiver.at(self.path)]
        return [event["message"]["text"] for event in events if event["sessionId"] == session_id]


async def make_chat(workspace: Workspace, receiver: Receiver, mode: str = "on") -> Chat:
    path = "/" + unique("chat")
    agent = await workspace.make_agent(chat=mode, webhookUrl=receiver.url + path)
    return Chat(workspace, receiver, agent["agentId"], path)


async def eventually(look: Callable[[], Awaitable[Any]], within: float = 60.0) -> Any:
    """The first truthy result of `look`."""
    async with asyncio.timeout(within):
        while True:
            if result := await look():
                return result
            await asyncio.sleep(0.03)


def without_duplicates(values: list[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def new_png() -> bytes:
    """A small image that no other test has."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + secrets.token_bytes(4 * 3) for _ in range(4))
    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


async def upload_png(client: httpx.AsyncClient) -> dict[str, Any]:
    """The record of a new image."""
    files = {"file": ("leaf.png", new_png(), "image/png")}
    return (await assert_ok(client.post("/uploadFiles", files=files)))["files"][0]
