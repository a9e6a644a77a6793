"""Trigger forms for tests, and visitors who solve challenges."""

import hashlib
import itertools
from dataclasses import dataclass
from typing import Any

import httpx
from support.api import Workspace, assert_ok, unique

TRIGGER: dict[str, Any] = {
    "name": "Ask for a newsletter",
    "trigger": True,
    "titleField": "topic",
    "fields": [
        {"id": "topic", "type": "text", "label": "Topic", "path": "wish.topic", "required": True, "maxLength": 100},
        {"id": "count", "type": "number", "label": "How many", "min": 1, "max": 10, "default": 3},
        {
            "id": "channels",
            "type": "checkboxes",
            "label": "Channels",
            "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
        },
        {"id": "details", "type": "longText", "label": "Details"},
    ],
    "layout": None,
    "rules": [
        {
            "target": "details",
            "effect": "show",
            "when": {"all": [{"field": "count.value", "operation": ">=", "value": 3}]},
        }
    ],
}
FILLED_IN: dict[str, Any] = {"wish": {"topic": "Autumn"}, "channels": ["mail"], "details": "Leaves."}

_addresses = itertools.count(1)


def new_address() -> str:
    number = next(_addresses)
    return f"198.18.{number // 250}.{number % 250 + 1}"


async def make_trigger(workspace: Workspace, agent: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    return await workspace.make_form(agent, **{**TRIGGER, "name": unique("trigger"), "allowRetry": False, **members})


def solve(challenge: str, bits: int) -> str:
    beginning = hashlib.sha256(f"{challenge}:".encode())
    for number in itertools.count():
        tried = beginning.copy()
        tried.update(str(number).encode())
        if int.from_bytes(tried.digest()[:4], "big") >> (32 - bits) == 0:
            return str(number)
    raise AssertionError


@dataclass
class Visitor:
    """A person with a link, at their own address."""

    client: httpx.AsyncClient
    token: str

    @property
    def path(self) -> str:
        return f"/public/triggers/{self.token}"

    async def solved(self) -> dict[str, str]:
        challenge = await assert_ok(self.client.post(f"{self.path}/challenge"))
        return {"challenge": challenge["challenge"], "solution": solve(challenge["challenge"], challenge["bits"])}

    async def body(self, **members: Any) -> dict[str, Any]:
        return {"data": FILLED_IN, **await self.solved(), **members}

    async def submit(self, **members: Any) -> httpx.Response:
        return await self.send(await self.body(**members))

    async def send(self, body: dict[str, Any]) -> httpx.Response:
        return await self.client.post(f"{self.path}/submissions", json=body)


async def publish(workspace: Workspace, form: dict[str, Any], **terms: Any) -> str:
    """The token of the form's public link."""
    link = await assert_ok(workspace.manager.put(f"/forms/{form['formId']}/publicLink", json=terms))
    return link["link"].rpartition("/")[2]


def visitor(workspace: Workspace, token: str, address: str | None = None) -> Visitor:
    return Visitor(workspace.client(**{"x-forwarded-for": address or new_address()}), token)


async def submissions(workspace: Workspace, form: dict[str, Any]) -> list[dict[str, Any]]:
    """The form's submissions, newest first."""
    return (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
