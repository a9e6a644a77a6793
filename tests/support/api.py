"""Helpers for what most tests do first: create an agent, a review type, and a review, decide it, await delivery."""

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx
from support.in_process import Service
from support.prepared_data_dir import EMAIL, PASSWORD
from support.service_process import RunningService, new_client

FORM: dict[str, Any] = {
    "name": "Review AI draft",
    "titleField": "headline",
    "width": "medium",
    "allowRetry": True,
    "fields": [
        {"id": "headline", "type": "text", "label": "Headline", "path": "draft.headline", "required": True},
        {"id": "body", "type": "longText", "label": "Body"},
        {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
        {
            "id": "channel",
            "type": "dropdown",
            "label": "Channel",
            "options": [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}],
        },
        {
            "id": "tags",
            "type": "checkboxes",
            "label": "Tags",
            "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}],
        },
    ],
    "layout": [
        {"kind": "field", "field": "headline"},
        {
            "kind": "columns",
            "columns": [[{"kind": "field", "field": "body"}], [{"kind": "field", "field": "score"}]],
        },
        {
            "kind": "group",
            "id": "publishing",
            "label": "Publishing",
            "children": [{"kind": "field", "field": "channel"}, {"kind": "field", "field": "tags"}],
        },
    ],
    "rules": [
        {
            "target": "publishing",
            "effect": "show",
            "when": {"all": [{"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}]},
        }
    ],
}
DATA: dict[str, Any] = {"draft": {"headline": "Autumn news"}, "body": "Leaves fall.", "score": 7}

_numbers = itertools.count(1)


def unique(word: str) -> str:
    return f"{word}-{next(_numbers)}"


@dataclass
class Workspace:
    """One account with clients for its users and keys. Each client has only its own credentials."""

    url: str
    account_id: str
    agent: httpx.AsyncClient
    """An agent's key, with the default scopes."""
    manager: httpx.AsyncClient
    """A key with the scope `manage`."""
    owner: httpx.AsyncClient
    """The owner, signed in."""
    public: httpx.AsyncClient
    """Without credentials."""

    async def close(self) -> None:
        for client in (self.agent, self.manager, self.owner, self.public):
            await client.aclose()

    def client(self, **headers: str) -> httpx.AsyncClient:
        return new_client(self.url, **headers)

    async def make_agent(self, **members: Any) -> dict[str, Any]:
        return await assert_ok(self.manager.post("/agents", json={"name": unique("agent"), **members}))

    async def make_form(self, agent: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
        agent = agent or await self.make_agent()
        return await assert_ok(self.manager.post("/forms", json={**FORM, "agentId": agent["agentId"], **members}))

    async def request(self, form: dict[str, Any], **members: Any) -> dict[str, Any]:
        return await assert_ok(
            self.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA, **members})
        )

    async def review(self, review_id: str) -> dict[str, Any]:
        return await assert_ok(self.agent.get(f"/reviews/{review_id}"))

    async def decide(self, review_id: str, response: str = "approved", **members: Any) -> dict[str, Any]:
        return await assert_ok(
            self.owner.post(f"/reviews/{review_id}/response", json={"response": response, **members})
        )

    async def delivery(self, delivery_id: str, *statuses: str, within: float = 60.0) -> dict[str, Any]:
        """The delivery, once it has one of the statuses."""
        async with asyncio.timeout(within):
            while True:
                record = await assert_ok(self.agent.get(f"/webhooks/deliveries/{delivery_id}"))
                if not statuses or record["status"] in statuses:
                    return record
                await asyncio.sleep(0.02)

    async def make_person(self, role: str = "reviewer") -> tuple[dict[str, Any], httpx.AsyncClient]:
        """A new user, and a client signed in as them."""
        email, password = f"{unique(role)}@example.com", "a password that is long"
        invited = await assert_ok(self.owner.post("/users", json={"email": email, "name": role, "role": role}))
        client = self.client()
        token = httpx.URL(invited["invitationLink"]).params["token"]
        await assert_ok(client.post("/auth/link", json={"token": token, "password": password}))
        return invited, client


async def sign_in_workspace(service: Service | RunningService) -> Workspace:
    client = partial(new_client, service.api)
    owner = client()
    await assert_ok(owner.post("/auth/login", json={"email": EMAIL, "password": PASSWORD}))
    return Workspace(
        service.api,
        service.workspace["accountId"],
        client(**{"x-api-key": service.workspace["apiKey"]}),
        client(**{"x-api-key": service.workspace["manageKey"]}),
        owner,
        client(),
    )


@asynccontextmanager
async def workspace_of(service: Service | RunningService) -> AsyncGenerator[Workspace]:
    workspace = await sign_in_workspace(service)
    yield workspace
    await workspace.close()


async def assert_ok(call: Any) -> Any:
    """Return the JSON of a 2xx response; fail with the response otherwise."""
    response = await call
    assert response.is_success, (
        f"{response.request.method} {response.request.url}: {response.status_code} {response.text}"
    )
    return response.json() if response.content else None


async def assert_error(call: Any, status: int, code: str | None = None) -> dict[str, Any]:
    """Return the problem document of an error response, after checking its form."""
    response = await call
    assert response.status_code == status, f"{response.status_code} instead of {status}: {response.text}"
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["type"]
    if code is not None:
        assert problem["code"] == code
    return problem


def error_at(problem: dict[str, Any], path: str) -> dict[str, str]:
    errors = [error for error in problem["errors"] if error["path"] == path]
    assert errors, f"no error at {path!r} in {problem['errors']}"
    return errors[0]
