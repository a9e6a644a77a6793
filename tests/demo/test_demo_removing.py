"""Removing the demo: nothing of it is left, in any table, and who is signed in stays so."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from support.api import Workspace, ok, open_workspace, refused
from support.filled import fill_workspace, plan, rows_of, tables
from support.service import RunningService, running_service
from support.terminal import until

from signoff.platform.db import Database

OF_SIGNING_IN = {
    "email_changes",
    "known_devices",
    "sign_in_sessions",
    "sign_in_links",
    "sign_in_failures",
    "oidc_subjects",
    "oidc_logins",
}
OF_THE_INSTALLATION = {"installation_secrets", "followed_log", "password_reset_requests"}
# When people were last told something: a worker notes it anew at any moment, and never for the made-up ones.
OF_PEOPLE = {"accounts", "users", "api_keys", "audit_log", "mails", "notified_people"}
KEPT = {"demo_workspaces", *OF_PEOPLE, *OF_SIGNING_IN, *OF_THE_INSTALLATION}


@dataclass
class Removed:
    service: RunningService
    workspace: Workspace
    db: Database
    reviewer: httpx.AsyncClient
    reviewer_id: str
    refusals: list[httpx.Response]
    """Of a reviewer, an administrator, a key, and nobody."""
    untouched: bool
    """The demo was as before after those."""
    removal: httpx.Response
    statuses: list[int]
    """Of what agents asked while the demo was removed."""
    files: list[str]
    """Media that was there before, by its key in the storage."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("removed")) as running:
        yield running


@pytest.fixture(scope="module")
async def removed(service: RunningService) -> AsyncIterator[Removed]:
    workspace = await open_workspace(service)
    db = await Database.connect(service.dsn(), size=4)
    await plan(db, workspace.account_id)
    await fill_workspace(service, db)
    invited, reviewer = await workspace.make_person("reviewer")
    _, administrator = await workspace.make_person("admin")
    refusals = [
        await client.delete("/demo")
        for client in (reviewer, administrator, workspace.manager, workspace.agent, workspace.public)
    ]
    untouched = (await ok(reviewer.get("/demo")))["state"] == "ready"
    played = (await rows_of(db, "demo_workspaces"))[0]["people"][0]
    await ok(workspace.client().post("/auth/link", json={"token": await _link_for(workspace, played)}))
    files = [f"{row['account_id']}/{row['media_id']}" for row in await rows_of(db, "media")]
    await _use(workspace)
    stop, begun = asyncio.Event(), asyncio.Barrier(5)
    agents = [asyncio.create_task(_keep_asking(workspace, begun, stop)) for _ in range(4)]
    await begun.wait()
    removal = await workspace.owner.delete("/demo")
    stop.set()
    statuses = [status for asked in await asyncio.gather(*agents) for status in asked]
    yield Removed(service, workspace, db, reviewer, invited["userId"], refusals, untouched, removal, statuses, files)
    await db.close()


async def _link_for(workspace: Workspace, user_id: str) -> str:
    made = await ok(workspace.owner.post(f"/users/{user_id}/signInLink"))
    return httpx.URL(made["signInLink"]).params["token"]


async def _use(workspace: Workspace) -> None:
    """What somebody may have made before they remove it."""
    own = await workspace.make_form()
    await workspace.request(own)
    await ok(workspace.owner.post("/inbox/views", json={"name": "Mine", "filters": {"state": "pending"}}))
    pending = (await ok(workspace.owner.get("/reviews", params={"state": "pending"})))["items"]
    await ok(workspace.owner.put(f"/reviews/{pending[0]['reviewId']}/draft", json={"data": {}, "revision": 1}))
    await ok(workspace.owner.put(f"/reviews/{pending[0]['reviewId']}/presence"))


async def _keep_asking(workspace: Workspace, begun: asyncio.Barrier, stop: asyncio.Event) -> list[int]:
    """As the demo's agent does: by requests and by messages; with a key that is a person's and so stays.

    At least once before the demo is removed, and once after.
    """
    forms = (await ok(workspace.agent.get("/forms")))["items"]
    form = next(form for form in forms if form["name"] == "Invoice check")
    chats = (await ok(workspace.owner.get("/sessions")))["items"]
    chat = next(session["sessionId"] for session in chats if session.get("name"))
    statuses = await _ask(workspace, form["formId"], chat)
    await begun.wait()
    last = False
    while not last:
        last = stop.is_set()
        statuses += await _ask(workspace, form["formId"], chat)
    return statuses


async def _ask(workspace: Workspace, form_id: str, chat: str) -> list[int]:
    number = secrets.token_hex(4)
    body = {"formId": form_id, "data": {"supplier": number}, "sessionId": f"ses-{number}"}
    answers = [
        await workspace.agent.post("/requestReview", json=body),
        await workspace.agent.post(f"/sessions/{chat}/messages", json={"text": number}),
        await workspace.owner.get("/reviews"),
    ]
    return [answer.status_code for answer in answers]


class TestWhoMay:
    async def test_owners_only(self, removed: Removed) -> None:
        codes = [(answer.status_code, answer.json()["code"]) for answer in removed.refusals]
        assert codes == [
            (403, "owner_needed"),
            (403, "owner_needed"),
            (403, "person_needed"),
            (403, "person_needed"),
            (401, "invalid_api_key"),
        ]

    async def test_who_may_not_changes_nothing(self, removed: Removed) -> None:
        assert removed.untouched

    async def test_twice(self, removed: Removed) -> None:
        assert removed.removal.status_code == 204, removed.removal.text
        problem = await refused(removed.workspace.owner.delete("/demo"), 404, "no_demo")
        assert "removed already" in problem["detail"]
        assert await ok(removed.workspace.owner.get("/demo")) == {"state": "none"}

    async def test_is_not_filled_again(self, removed: Removed) -> None:
        await fill_workspace(removed.service, removed.db)
        assert (await ok(removed.workspace.owner.get("/agents")))["items"] == []


class TestWhatIsLeft:
    async def test_nothing_in_any_table(self, removed: Removed) -> None:
        """A table that comes in future is here by itself, and is either emptied or thought about."""
        assert removed.removal.status_code == 204, removed.removal.text
        found = await tables(removed.db)
        left = {name for name in found if await rows_of(removed.db, name)}
        assert left <= KEPT
        assert {name for name, named in found.items() if named} - KEPT, "there are tables to look at"

    async def test_people_and_their_keys(self, removed: Removed) -> None:
        """One of the colleagues has become a person: somebody signed in as them."""
        people = await rows_of(removed.db, "users")
        assert len(people) == 4
        assert {"owner", "admin", "reviewer"} <= {person["role"] for person in people}
        assert all(person["last_sign_in_at"] for person in people)
        keys = await rows_of(removed.db, "api_keys")
        assert sorted(key["name"] for key in keys) == ["default", "manage"]

    async def test_log(self, removed: Removed) -> None:
        """Who came, and who removed it; nothing of what happened in the demo."""
        entries = (await ok(removed.workspace.owner.get("/auditLog", params={"limit": 200})))["items"]
        assert entries[0]["action"] == "demo.removed"
        assert entries[0]["actor"]["name"] == "owner@example.com"
        kinds = {entry["action"].partition(".")[0] for entry in entries}
        assert kinds <= {"demo", "user", "key", "account"}
        assert {"account.created", "user.invited", "key.created"} <= {entry["action"] for entry in entries}

    async def test_jobs(self, removed: Removed) -> None:
        waiting = await removed.db.fetch(
            "select entrypoint from pgqueuer where status = 'queued' and execute_after > now() + interval '1 minute'"
        )
        assert not [row for row in waiting if row["entrypoint"] in {"webhooks.deliver", "reviews.overdue"}]

    async def test_files(self, removed: Removed) -> None:
        assert len(removed.files) == 14
        folder = removed.service.data_dir / "media"
        assert folder.is_dir()
        await asyncio.to_thread(until, lambda: not any((folder / key).exists() for key in removed.files))

    async def test_signed_in(self, removed: Removed) -> None:
        await ok(removed.workspace.owner.get("/auth/me"))
        await ok(removed.reviewer.get("/auth/me"))


class TestWhileItIsUsed:
    async def test_agents_meet_no_failure(self, removed: Removed) -> None:
        assert {status for status in removed.statuses if status >= 500} == set()
        assert {200, 201} <= set(removed.statuses), "some came before"
        assert {404, 422} & set(removed.statuses), "some came after"

    async def test_every_screen_is_empty(self, removed: Removed) -> None:
        for path in ("/reviews", "/sessions", "/runs", "/agents", "/forms", "/webhooks/deliveries", "/groups"):
            page: dict[str, Any] = await ok(removed.workspace.owner.get(path))
            assert page["items"] == [], path
        assert (await ok(removed.workspace.owner.get("/insights")))["totals"]["requested"] == 0
