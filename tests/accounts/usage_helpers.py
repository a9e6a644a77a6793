"""An account that requests reviews, and its reported usage."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any

import httpx

from signoff.platform.db import Database

FORM: dict[str, Any] = {
    "name": "Draft",
    "allowRetry": True,
    "fields": [{"id": "text", "type": "text", "label": "Text", "required": True}],
}


@dataclass
class Sender:
    """Sends bodies of a known size."""

    agent: httpx.AsyncClient
    owner: httpx.AsyncClient
    form_id: str

    def body(self, text: str = "hello", **members: Any) -> bytes:
        return json.dumps({"formId": self.form_id, "data": {"text": text}, **members}).encode()

    async def post(self, body: bytes, client: httpx.AsyncClient | None = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await (client or self.agent).post("/requestReview", content=body, headers=named)

    async def used(self) -> tuple[int, int]:
        usage = (await self.owner.get("/usage")).json()
        return usage["reviewRequests"]["used"], usage["dataBytes"]["used"]


async def make_sender(owner: httpx.AsyncClient, agent: httpx.AsyncClient, **members: Any) -> Sender:
    response = await owner.post("/agents", json={"name": "agent"})
    form = await owner.post("/forms", json={**FORM, "agentId": response.json()["agentId"], **members})
    assert form.status_code == 201, form.text
    return Sender(agent, owner, form.json()["formId"])


async def put_usage(db: Database, account_id: str, month: date, requests: int, size: int = 0) -> None:
    """Sets usage that would otherwise take long to create."""
    await db.execute("insert into usage_counts values ($1, $2, $3, $4)", account_id, month, requests, size)
