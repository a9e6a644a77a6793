"""Removing the demo leaves none of its rows in any table. Own content stays, and members stay signed in."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, sign_in_workspace
from support.in_process import Service, StartService
from support.seeded_workspace import fill_workspace, plan, rows_of, tables
from support.terminal import wait_until

from signoff.accounts.actors import system_actor
from signoff.accounts.setup import ensure_workspace
from signoff.demo import removal
from signoff.demo.state import read_state
from signoff.platform.db import Database

DEMO_TABLES = ("agents", "forms", "groups", "reviews", "sessions", "runs", "messages", "deliveries", "events")


@dataclass
class OwnContent:
    """What a member created before they remove the demo."""

    agent: dict[str, Any]
    form: dict[str, Any]
    review: str
    under_demo_agent: dict[str, Any]
    """A review type for an agent of the demo, which stays because of it."""
    review_under_demo_agent: str
    without_agent: dict[str, Any]
    """A review type whose reviews name their agent: one was requested for another agent of the demo."""
    review_without_agent: str
    agent_of_review: str
    asked_of_demo: str
    """A review of a demo review type, which goes with it."""
    before: dict[str, Any]
    """What `GET /demo` said."""


@dataclass
class RemovedDemo:
    service: Service
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
    gone: set[str]
    """IDs of all that the demo made, by filling the workspace."""
    own: "OwnContent"


@pytest.fixture(scope="module")
async def service(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service() as running:
        yield running


@pytest.fixture(scope="module")
async def removed(service: Service) -> AsyncIterator[RemovedDemo]:
    workspace = await sign_in_workspace(service)
    db = await Database.connect(service.dsn(), size=4)
    await plan(db, workspace.account_id)
    await fill_workspace(service, db)
    invited, reviewer = await workspace.make_person("reviewer")
    _, administrator = await workspace.make_person("admin")
    refusals = [
        await client.delete("/demo")
        for client in (reviewer, administrator, workspace.manager, workspace.agent, workspace.public)
    ]
    untouched = (await assert_ok(reviewer.get("/demo")))["state"] == "ready"
    played = (await rows_of(db, "demo_workspaces"))[0]["people"][0]
    await assert_ok(workspace.client().post("/auth/link", json={"token": await _link_for(workspace, played)}))
    files = [f"{row['account_id']}/{row['media_id']}" for row in await rows_of(db, "media")]
    gone = {
        value for name in DEMO_TABLES for row in await rows_of(db, name) for value in [row[_id_column(name)]] if value
    }
    own = await _use(workspace)
    gone -= {own.under_demo_agent["agentId"], own.agent_of_review}
    stop, started = asyncio.Event(), asyncio.Barrier(5)
    agents = [asyncio.create_task(_keep_asking(workspace, started, stop)) for _ in range(4)]
    await started.wait()
    # Someone else's transaction, which is still running, doesn't keep the demo from being removed.
    async with db.transaction() as tx:
        await tx.execute("update reviews set state = state where review_id = $1", own.review_under_demo_agent)
        await tx.execute("update forms set name = name where form_id = $1", own.form["formId"])
        removal = await workspace.owner.delete("/demo")
    stop.set()
    statuses = [status for result in await asyncio.gather(*agents) for status in result]
    yield RemovedDemo(
        service, workspace, db, reviewer, invited["userId"], refusals, untouched, removal, statuses, files, gone, own
    )
    await db.close()


async def _link_for(workspace: Workspace, user_id: str) -> str:
    sign_in_link = await assert_ok(workspace.owner.post(f"/users/{user_id}/signInLink"))
    return httpx.URL(sign_in_link["signInLink"]).params["token"]


def _id_column(table: str) -> str:
    return {"deliveries": "delivery_id"}.get(table, f"{table.removesuffix('s')}_id")


async def _use(workspace: Workspace) -> OwnContent:
    agents = (await assert_ok(workspace.owner.get("/agents")))["items"]
    groups = (await assert_ok(workspace.owner.get("/groups")))["items"]
    forms = (await assert_ok(workspace.owner.get("/forms")))["items"]
    agent = await workspace.make_agent()
    form = await workspace.make_form(agent)
    review = await workspace.request(form, assignToGroups=[groups[0]["groupId"]])
    tied = await workspace.make_form(agents[0])
    tied_review = await workspace.request(tied)
    untied = await workspace.make_form(agents[1], agentId=None)
    untied_review = await workspace.request(untied, agentId=agents[1]["agentId"])
    invoice = next(each for each in forms if each["name"] == "Invoice approval")
    created_review = await assert_ok(
        workspace.agent.post("/requestReview", json={"formId": invoice["formId"], "data": {}})
    )
    await assert_ok(workspace.owner.post("/inbox/views", json={"name": "Mine", "filters": {"state": "pending"}}))
    pending = (await assert_ok(workspace.owner.get("/reviews", params={"state": "pending"})))["items"]
    for own_form in {pending[-1]["reviewId"], review["reviewId"]}:
        await assert_ok(workspace.owner.put(f"/reviews/{own_form}/draft", json={"data": {}, "revision": 1}))
        await assert_ok(workspace.owner.put(f"/reviews/{own_form}/presence"))
    return OwnContent(
        agent,
        form,
        review["reviewId"],
        tied,
        tied_review["reviewId"],
        untied,
        untied_review["reviewId"],
        agents[1]["agentId"],
        created_review["reviewId"],
        await assert_ok(workspace.owner.get("/demo")),
    )


async def _keep_asking(workspace: Workspace, begun: asyncio.Barrier, stop: asyncio.Event) -> list[int]:
    """Sends requests and messages like the demo's agent, with a member's key, which therefore stays.

    At least once before the demo is removed, and once after.
    """
    forms = (await assert_ok(workspace.agent.get("/forms")))["items"]
    form = next(form for form in forms if form["name"] == "Invoice approval")
    chats = (await assert_ok(workspace.owner.get("/sessions")))["items"]
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
    responses = [
        await workspace.agent.post("/requestReview", json=body),
        await workspace.agent.post(f"/sessions/{chat}/messages", json={"text": number}),
        await workspace.owner.get("/reviews"),
    ]
    return [response.status_code for response in responses]


class TestPermissions:
    async def test_owners_only(self, removed: RemovedDemo) -> None:
        codes = [(refusal.status_code, refusal.json()["code"]) for refusal in removed.refusals]
        assert codes == [
            (403, "owner_needed"),
            (403, "owner_needed"),
            (403, "person_needed"),
            (403, "person_needed"),
            (401, "invalid_api_key"),
        ]

    async def test_rejected_removal_changes_nothing(self, removed: RemovedDemo) -> None:
        assert removed.untouched

    async def test_twice(self, removed: RemovedDemo) -> None:
        assert removed.removal.status_code == 204, removed.removal.text
        problem = await assert_error(removed.workspace.owner.delete("/demo"), 404, "no_demo")
        assert "already removed" in problem["detail"]
        assert await assert_ok(removed.workspace.owner.get("/demo")) == {"state": "none"}

    async def test_is_not_seeded_again(self, removed: RemovedDemo) -> None:
        await fill_workspace(removed.service, removed.db)
        agents = (await assert_ok(removed.workspace.owner.get("/agents")))["items"]
        assert {agent["agentId"] for agent in agents} == {
            removed.own.agent["agentId"],
            removed.own.under_demo_agent["agentId"],
            removed.own.agent_of_review,
        }


class TestWhatIsLeft:
    async def test_no_demo_rows_in_any_table(self, removed: RemovedDemo) -> None:
        """Includes tables added in the future."""
        assert removed.removal.status_code == 204, removed.removal.text
        assert len(removed.gone) > 300
        for name in await tables(removed.db):
            for row in await rows_of(removed.db, name):
                # That a member's own review was assigned to a demo group is part of its history.
                text = row["object_id"] if name == "audit_log" else str(row)
                leftovers = {object_id for object_id in removed.gone if object_id in text}
                assert not leftovers, f"{name} still names {leftovers}: {row}"

    async def test_keeps_own_content(self, removed: RemovedDemo) -> None:
        own, owner = removed.own, removed.workspace.owner
        assert own.before["own"] == {"agents": 3, "reviewTypes": 3, "editedReviewTypes": 0}
        forms = (await assert_ok(owner.get("/forms")))["items"]
        assert {form["formId"] for form in forms} == {
            own.form["formId"],
            own.under_demo_agent["formId"],
            own.without_agent["formId"],
        }
        reviews = (await assert_ok(owner.get("/reviews")))["items"]
        assert {review["reviewId"] for review in reviews} == {
            own.review,
            own.review_under_demo_agent,
            own.review_without_agent,
        }
        await assert_error(owner.get(f"/reviews/{own.asked_of_demo}"), 404)
        assert (await assert_ok(owner.get(f"/reviews/{own.review}/draft")))["draft"] is not None
        assert [view["name"] for view in (await assert_ok(owner.get("/inbox/views")))["items"]] == ["Mine"]
        # It was assigned to a demo group: now everyone can decide it.
        await assert_ok(
            removed.reviewer.post(f"/reviews/{own.review}/response", json={"response": "approved", "data": {}})
        )
        await removed.workspace.decide(own.review_without_agent)
        stored_agent = await assert_ok(owner.get(f"/agents/{own.under_demo_agent['agentId']}"))
        assert stored_agent.get("webhookUrl") is None
        await removed.workspace.request(own.under_demo_agent)

    async def test_demo_users_and_their_keys(self, removed: RemovedDemo) -> None:
        """One of the demo colleagues has become a real member: someone signed in as them."""
        people = await rows_of(removed.db, "users")
        assert len(people) == 4
        assert {"owner", "admin", "reviewer"} <= {person["role"] for person in people}
        assert all(person["last_sign_in_at"] for person in people)
        keys = await rows_of(removed.db, "api_keys")
        assert sorted(key["name"] for key in keys) == ["default", "manage"]

    async def test_log(self, removed: RemovedDemo) -> None:
        """Members, their content, and who removed the demo, but no entries about the demo."""
        entries = (await assert_ok(removed.workspace.owner.get("/auditLog", params={"limit": 200})))["items"]
        [removal] = [entry for entry in entries if entry["action"] == "demo.removed"]
        assert removal["actor"]["name"] == "owner@example.com"
        actions = {entry["action"] for entry in entries}
        assert {"account.created", "user.invited", "key.created", "agent.created", "form.created"} <= actions
        assert not {entry["objectId"] for entry in entries} & removed.gone

    async def test_jobs(self, removed: RemovedDemo) -> None:
        waiting = await removed.db.fetch(
            """
            select from jobs
            where name = 'reviews.overdue' and claimed_at is null and due_at > now() + interval '1 minute'
            union all
            select from outgoing_messages where channel = 'webhook' and state = 'queued'
            """
        )
        assert not waiting

    async def test_files(self, removed: RemovedDemo) -> None:
        assert len(removed.files) == 14
        folder = removed.service.data_dir / "media"
        assert folder.is_dir()
        await asyncio.to_thread(wait_until, lambda: not any((folder / key).exists() for key in removed.files))

    async def test_user_stays_signed_in(self, removed: RemovedDemo) -> None:
        await assert_ok(removed.workspace.owner.get("/auth/me"))
        await assert_ok(removed.reviewer.get("/auth/me"))


class TestWhileItIsUsed:
    async def test_agents_get_no_errors(self, removed: RemovedDemo) -> None:
        assert {status for status in removed.statuses if status >= 500} == set()
        assert {200, 201} <= set(removed.statuses), "some came before"
        assert {404, 422} & set(removed.statuses), "some came after"

    async def test_every_page_shows_only_own_content(self, removed: RemovedDemo) -> None:
        for path in ("/runs", "/groups"):
            page: dict[str, Any] = await assert_ok(removed.workspace.owner.get(path))
            assert page["items"] == [], path
        assert (await assert_ok(removed.workspace.owner.get("/insights")))["totals"]["requested"] <= 4


async def test_next_call_continues_an_interrupted_one(empty_db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await ensure_workspace(empty_db)
    account_id = await empty_db.fetchval("select account_id from accounts")
    system = system_actor(account_id, "test")
    await empty_db.execute(
        """
        with agents as (
            insert into agents (agent_id, account_id, name, webhook_secret)
            select id, account_id, 'Agent', 'x' from accounts cross join unnest(array['agt_demo', 'agt_own']) as a (id)
        ), forms as (
            insert into forms (form_id, account_id, name, version)
            select 'frm_demo', account_id, 'Demo', 1 from accounts
        ), sessions as (
            insert into sessions (account_id, session_id, agent_id)
            select account_id, 'ses_' || number, 'agt_demo' from accounts cross join generate_series(1, 120) as number
        )
        insert into demo_workspaces (account_id, filled_at, agents, forms)
        select account_id, now(), '{agt_demo}', '{frm_demo}' from accounts
        """
    )
    with monkeypatch.context() as broken:
        broken.setattr(removal, "recount_usage", _fail)
        with pytest.raises(ConnectionError):
            await removal.remove_demo(empty_db, account_id, system)
    assert (await read_state(empty_db, account_id)).state == "ready"
    assert await empty_db.fetchval("select count(*) from sessions") == 0
    await removal.remove_demo(empty_db, account_id, system)
    assert (await read_state(empty_db, account_id)).state == "none"
    assert [row["agent_id"] for row in await rows_of(empty_db, "agents")] == ["agt_own"]
    assert await rows_of(empty_db, "forms") == []


async def _fail(*_: object) -> None:
    raise ConnectionError
