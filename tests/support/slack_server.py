"""A server on loopback with the Slack methods that we use: working, failing, slow, or not responding."""

import asyncio
import hmac
import itertools
import json
import time
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode

import httpx
from aiohttp import web

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
READING = {"users.info", "conversations.history"}
"""Methods that do not take JSON."""


@dataclass
class Channel:
    id: str
    name: str
    archived: bool = False
    messages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def heads(self) -> list[str]:
        return [heading(message) for message in self.messages]


@dataclass
class HeldCall:
    """A response that is held until it's released; the request was handled before that, or not yet."""

    after: bool
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    release: asyncio.Event = field(default_factory=asyncio.Event)


def texts(message: dict[str, Any]) -> list[str]:
    """Every text in a message, in order."""
    results: list[str] = []
    for block in message["blocks"]:
        parts = [block.get("text"), *block.get("fields", []), *(block.get("elements") or [])]
        for part in parts:
            if part is not None:
                text = part["text"]
                results.append(text["text"] if isinstance(text, dict) else text)
    return results


def heading(message: dict[str, Any]) -> str:
    return message["blocks"][0]["text"]["text"]


def buttons(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        element["action_id"]: element
        for block in message["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
    }


class SlackServer:
    def __init__(self) -> None:
        self.url = ""
        self.tokens: dict[str, dict[str, str]] = {}
        self.channels: dict[str, Channel] = {}
        self.users: dict[str, dict[str, Any]] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.whispers: dict[str, list[dict[str, Any]]] = {}
        self._troubles: dict[tuple[str, str], deque[web.Response | HeldCall]] = {}
        self._numbers = itertools.count(1)

    def workspace(self, name: str = "Acme", team_id: str | None = None, **more: str) -> str:
        """A new workspace with our app in it; returns its bot token."""
        number = next(self._numbers)
        token = f"xoxb-{number}-secret-token"
        self.tokens[token] = {"team": name, "team_id": team_id or f"T{number:06}", **more}
        return token

    def channel(self, name: str = "reviews") -> Channel:
        new_channel = Channel(f"C{next(self._numbers):06}", name)
        self.channels[new_channel.id] = new_channel
        return new_channel

    def person(self, email: str | None, token: str, **more: Any) -> str:
        user_id = f"U{next(self._numbers):06}"
        profile = {} if email is None else {"email": email}
        known = {"id": user_id, "team_id": self.tokens[token]["team_id"], "is_email_confirmed": True}
        self.users[user_id] = {**known, "profile": profile, **more}
        return user_id

    def trouble(self, method: str, channel: str, *answers: web.Response | HeldCall) -> None:
        """The errors of the next calls."""
        self._troubles.setdefault((method, channel), deque()).extend(answers)

    def hold(self, method: str, channel: str, *, after: bool) -> HeldCall:
        held = HeldCall(after)
        self.trouble(method, channel, held)
        return held

    def response_url(self) -> str:
        return f"{self.url}/actions/{next(self._numbers)}"

    def of(self, method: str, channel: str) -> list[dict[str, Any]]:
        return [sent for called, sent in self.calls if called == method and sent.get("channel") == channel]

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/api/{method}", self._method)
        app.router.add_post("/actions/{number}", self._whispered)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        return runner

    async def _whispered(self, request: web.Request) -> web.StreamResponse:
        self.whispers.setdefault(f"{self.url}{request.path}", []).append(await request.json())
        return web.Response(text="ok")

    async def _method(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.content_type == FORM:
            sent: dict[str, Any] = {name: values[0] for name, values in parse_qs(await request.text()).items()}
        elif method not in READING:
            sent = await request.json()
        else:
            sent = {}
        self.calls.append((method, sent))
        waiting = self._troubles.get((method, sent.get("channel", "")))
        trouble = waiting.popleft() if waiting else None
        if isinstance(trouble, web.Response):
            return web.Response(status=trouble.status, text=trouble.text, headers=trouble.headers)
        if isinstance(trouble, HeldCall) and not trouble.after:
            await self._hold(trouble)
        team = self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        said = {"ok": False, "error": "invalid_auth"} if team is None else self._answer(method, sent, team)
        if isinstance(trouble, HeldCall) and trouble.after:
            await self._hold(trouble)
        return web.json_response(said)

    async def _hold(self, held: HeldCall) -> None:
        held.arrived.set()
        await held.release.wait()

    def _answer(self, method: str, sent: dict[str, Any], team: dict[str, str]) -> dict[str, Any]:
        if method == "auth.test":
            return {"ok": True, **team}
        if method == "users.info":
            user = self.users.get(sent.get("user", ""))
            return {"ok": True, "user": user} if user else {"ok": False, "error": "user_not_found"}
        channel = self.channels.get(sent.get("channel", ""))
        if channel is None:
            return {"ok": False, "error": "channel_not_found"}
        if channel.archived:
            return {"ok": False, "error": "is_archived"}
        if method == "chat.postMessage":
            moment = f"{time.time():.6f}"
            channel.messages.append({**sent, "ts": moment})
            return {"ok": True, "channel": channel.id, "ts": moment}
        if method == "chat.update":
            for index, message in enumerate(channel.messages):
                if message["ts"] == sent["ts"]:
                    channel.messages[index] = dict(sent)
                    return {"ok": True, "channel": channel.id, "ts": sent["ts"]}
            return {"ok": False, "error": "message_not_found"}
        if method == "conversations.history":
            since = float(sent["oldest"])
            replies = [message for message in reversed(channel.messages) if float(message["ts"]) >= since]
            shown = sent.get("include_all_metadata") == "true"
            return {
                "ok": True,
                "messages": [
                    {"ts": reply["ts"], **({"metadata": reply["metadata"]} if shown else {})} for reply in replies
                ],
                "has_more": False,
            }
        return {"ok": False, "error": "unknown_method"}


def signed(secret: str, payload: Any, moment: float | None = None, body: bytes | None = None) -> dict[str, Any]:
    """The parts of a request from Slack, signed like Slack does."""
    body = urlencode({"payload": json.dumps(payload)}).encode() if body is None else body
    timestamp = str(int(time.time() if moment is None else moment))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:".encode() + body, sha256).hexdigest()
    headers = {"content-type": FORM, "x-slack-request-timestamp": timestamp, "x-slack-signature": f"v0={digest}"}
    return {"content": body, "headers": headers}


def click(message: dict[str, Any], action_id: str, person: str, team_id: str, response_url: str) -> dict[str, Any]:
    """What Slack sends when someone clicks a button of the message."""
    button = buttons(message)[action_id]
    return {
        "type": "block_actions",
        "team": {"id": team_id},
        "user": {"id": person, "team_id": team_id},
        "response_url": response_url,
        "actions": [{"type": "button", "action_id": action_id, "value": button["value"]}],
    }


async def send_click(client: httpx.AsyncClient, request: dict[str, Any]) -> httpx.Response:
    return await client.post("/slack/interactivity", **request)
