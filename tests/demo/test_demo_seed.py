"""What the demo holds, seen through the API, and that filling it disturbs nobody."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from support.api import Workspace, assert_ok, open_workspace
from support.forked_commands import RunForked
from support.in_process import Service, StartService
from support.mail_server import MailServer, mail_server
from support.seeded_workspace import count_rows, fill_workspace, plan, texts
from support.service_process import new_client
from support.terminal import PATIENCE, until

from signoff.platform.db import Database

# Fills until most of it is drawn and told, and dies there as a machine does.
FILL_AND_DIE = """
import asyncio, os, signal, sys
from signoff.demo.seed.seeder import fill
from signoff.platform.db import Database
from signoff.platform.settings import load_settings

def die(done):
    if done > 0.75:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    db = await Database.connect(sys.argv[1], size=3)
    await fill(db, load_settings(), sys.argv[2], die)

asyncio.run(main())
"""
MEDIA = {"media", "media_arriving"}


@dataclass
class Filled:
    service: Service
    workspace: Workspace
    mails: MailServer
    db: Database
    before: dict[str, int]
    after_a_kill: dict[str, int]
    state_after_a_kill: str
    killed_with: int
    views: dict[str, int]
    """What the owner's inbox counts, before any test has decided something."""
    requests: tuple[int, int]
    """Counted for the plan, and really there."""

    async def get(self, path: str, **query: Any) -> Any:
        return await assert_ok(self.workspace.owner.get(path, params=query))

    async def all(self, path: str, **query: Any) -> list[dict[str, Any]]:
        """Every page of a list."""
        found: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = await self.get(path, limit=200, **query, **cursor)
            found += page["items"]
            if not page.get("nextCursor"):
                return found
            cursor = {"cursor": page["nextCursor"]}


@pytest.fixture(scope="module")
async def telling(start_service: StartService) -> AsyncIterator[tuple[Service, MailServer]]:
    """A service that would write at once to whoever has a review to decide."""
    with mail_server() as mails:
        async with start_service(**mails.settings, mail_collect_seconds=0) as service:
            yield service, mails


@pytest.fixture(scope="module")
async def filled(telling: tuple[Service, MailServer]) -> AsyncIterator[Filled]:
    """Killed half-way first, then filled by two at once."""
    service, mails = telling
    workspace = await open_workspace(service)
    db = await Database.connect(service.dsn(), size=6)
    before = await count_rows(db)
    await plan(db, workspace.account_id)
    command = [sys.executable, "-c", FILL_AND_DIE, service.dsn(), workspace.account_id]
    killed = await asyncio.to_thread(subprocess.run, command, env=service.env, check=False)
    after_a_kill = await count_rows(db)
    state = (await assert_ok(workspace.owner.get("/demo")))["state"]
    await asyncio.gather(fill_workspace(service, db), fill_workspace(service, db))
    views = (await assert_ok(workspace.owner.get("/inbox/counts")))["views"]
    usage = await assert_ok(workspace.owner.get("/usage"))
    counted = sum(month["reviewRequests"] for month in usage["history"])
    requests = counted, await db.fetchval("select count(*) from review_revisions")
    yield Filled(service, workspace, mails, db, before, after_a_kill, state, killed.returncode, views, requests)
    await db.close()


@pytest.fixture(scope="module")
async def reviews(filled: Filled) -> list[dict[str, Any]]:
    return await filled.all("/reviews")


class TestFilling:
    async def test_killed_half_way_is_nothing(self, filled: Filled) -> None:
        assert filled.killed_with == -9
        changed = {name for name, count in filled.after_a_kill.items() if count != filled.before[name]}
        assert changed <= {"demo_workspaces", *MEDIA}
        assert filled.state_after_a_kill == "filling"

    async def test_two_at_once_fill_once(self, filled: Filled) -> None:
        assert await filled.get("/demo") == {
            "state": "ready",
            "own": {"agents": 0, "reviewTypes": 0, "editedReviewTypes": 0},
        }
        names = [agent["name"] for agent in await filled.all("/agents")]
        assert sorted(names) == ["Back office agent", "Content agent", "Support agent"]

    async def test_again_changes_nothing(self, filled: Filled) -> None:
        before = await count_rows(filled.db)
        await fill_workspace(filled.service, filled.db)
        after = await count_rows(filled.db)
        assert {name: after[name] for name in ("reviews", "users", "deliveries", "messages", "agents")} == {
            name: before[name] for name in ("reviews", "users", "deliveries", "messages", "agents")
        }


class TestContent:
    async def test_review_types(self, filled: Filled) -> None:
        forms = await filled.all("/forms")
        assert len(forms) == 12
        assert {"Social post", "Support reply", "Product photos", "Invoice approval"} <= {
            form["name"] for form in forms
        }

    async def test_reviews_in_every_state(self, filled: Filled, reviews: list[dict[str, Any]]) -> None:
        assert 100 <= len(reviews) <= 120
        pending = [row for row in reviews if row["state"] == "pending"]
        assert 12 <= len(pending) <= 18
        assert filled.views["mine"] == 3
        assert filled.views["myGroups"] >= 1
        assert filled.views["waiting"] == 1
        assert [row for row in pending if row.get("retryRequested")]
        assert [row for row in pending if row.get("dueAt") and row.get("remindedAt")], "one is overdue"
        assert [row for row in pending if row.get("dueAt") and not row.get("remindedAt")], "one has a deadline"
        decided = [row for row in reviews if row["state"] == "responded"]
        ends = Counter(row.get("response") for row in decided)
        assert ends["approved"] > ends["rejected"] > 5
        assert ends[None] == 5, "filled in by a form"
        assert [row for row in decided if row.get("autoApproved")]
        assert [row for row in decided if row.get("timedOut")]
        assert [row for row in decided if row["revision"] == 2]

    async def test_month(self, reviews: list[dict[str, Any]]) -> None:
        now = datetime.now(UTC)
        moments = [datetime.fromisoformat(row["createdAt"]) for row in reviews]
        assert moments == sorted(moments, reverse=True), "a list is in the order of its IDs"
        assert min(moments) > now - timedelta(days=36)
        assert len({moment.date() for moment in moments}) > 15
        for row in reviews:
            if row.get("respondedAt"):
                assert row["createdAt"] <= row["respondedAt"] < now.isoformat()

    async def test_deliveries_in_every_state(self, filled: Filled) -> None:
        deliveries = await filled.all("/webhooks/deliveries")
        states = Counter(delivery["status"] for delivery in deliveries)
        assert (states["retrying"], states["pending"], states["dead"], states["delivering"]) == (1, 1, 2, 0)
        assert [each for each in deliveries if each["status"] == "succeeded" and each["attemptCount"] > 1]
        assert all(".example/" in each["webhook"] for each in deliveries)

    async def test_people_cannot_sign_in(self, filled: Filled) -> None:
        people = [person for person in await filled.all("/users") if person["email"] != "owner@example.com"]
        assert len(people) == 4
        assert all(person["email"].endswith("@example.com") for person in people)
        ways = await filled.db.fetchval(
            """
            select count(*) from users u where user_id = any($1) and (
                password_hash is not null or last_sign_in_at is not null
                or exists (select from sign_in_links l where l.user_id = u.user_id)
                or exists (select from oidc_subjects o where o.user_id = u.user_id))
            """,
            [person["userId"] for person in people],
        )
        assert ways == 0

    async def test_usage(self, filled: Filled) -> None:
        counted, there = filled.requests
        assert counted == there > 0


def _body(webhook: dict[str, Any]) -> dict[str, Any]:
    return webhook["post"]["requestBody"]["content"]["application/json"]["schema"]


class TestScreens:
    """Whatever somebody opens is there."""

    async def test_every_review(self, filled: Filled, reviews: list[dict[str, Any]]) -> None:
        for row in reviews:
            review = await filled.get(f"/reviews/{row['reviewId']}")
            for part in ("form", "suggestion", "revisions"):
                await filled.get(f"/reviews/{row['reviewId']}/{part}")
            history = (await filled.get(f"/reviews/{row['reviewId']}/history"))["items"]
            assert history[0]["action"] == "review.requested"
            assert [entry["at"] for entry in history] == sorted(entry["at"] for entry in history)
            if row["state"] == "responded":
                assert history[-1]["action"] == f"review.{row.get('response', 'submitted')}"
                assert review["reviewResult"]["respondingUser"]

    async def test_pending_ones_can_be_decided(self, filled: Filled, reviews: list[dict[str, Any]]) -> None:
        waiting = next(row for row in reviews if row["title"] == "Lid doesn't fit")
        await assert_ok(
            filled.workspace.owner.post(f"/reviews/{waiting['reviewId']}/response", json={"response": "approved"})
        )

    async def test_runs_have_branches(self, filled: Filled) -> None:
        runs = [await filled.get(f"/runs/{row['runId']}") for row in await filled.all("/runs")]
        named = [run for run in runs if run.get("name")]
        assert len(named) == 2
        for run in named:
            steps = {step["reviewId"]: step for step in run["steps"]}
            [first] = [step for step in run["steps"] if not step["prevSteps"]]
            branches = [step for step in run["steps"] if step["prevSteps"] == [first["reviewId"]]]
            assert len(branches) >= 2
            assert all(first["respondedAt"] <= steps[step["reviewId"]]["createdAt"] for step in branches)

    async def test_chats(self, filled: Filled) -> None:
        sessions = await filled.all("/sessions")
        chats = [session for session in sessions if session.get("name")]
        assert len(chats) == 3
        attached = reviews = 0
        for chat in chats:
            messages = (await filled.get(f"/sessions/{chat['sessionId']}/messages"))["items"]
            timeline = (await filled.get(f"/sessions/{chat['sessionId']}/timeline"))["items"]
            assert len(timeline) >= len(messages) >= 4
            attached += sum(len(message.get("attachments") or ()) for message in messages)
            reviews += sum(item["kind"] == "review" for item in timeline)
        assert attached == 2
        assert reviews == 2
        assert (await filled.get("/inbox/counts"))["chat"]["unread"] == 1

    async def test_every_delivery_and_its_event(self, filled: Filled) -> None:
        """Events are written here as the service writes them: what is promised of them tells when the two differ."""
        document = (await filled.workspace.public.get("/openapi.json")).json()
        promised = {
            name: jsonschema_rs.Draft202012Validator({**_body(item), "components": document["components"]})
            for name, item in document["webhooks"].items()
        }
        for delivery in await filled.all("/webhooks/deliveries"):
            detail = await filled.get(f"/webhooks/deliveries/{delivery['deliveryId']}")
            assert len(detail["attempts"]) == detail["attemptCount"]
            event = await filled.get(f"/webhooks/deliveries/{delivery['deliveryId']}/event")
            assert event["reviewId"] == delivery["reviewId"]
            promised[event["event"]].validate(event)

    async def test_media(self, filled: Filled, reviews: list[dict[str, Any]]) -> None:
        addresses = set[str]()
        for row in reviews:
            if row["formName"] in {"Social post", "Product photos", "Expense", "Cover image"}:
                review = await filled.get(f"/reviews/{row['reviewId']}")
                addresses |= {text for text in texts(review["data"]) if "/media/" in text}
        assert 8 <= len(addresses) <= 16
        async with new_client(filled.service.url) as anybody:
            for address in addresses:
                answer = await anybody.get(address)
                assert answer.status_code == 200
                assert answer.headers["content-type"] == "image/png"

    async def test_memory(self, filled: Filled) -> None:
        forms = {form["name"]: form["formId"] for form in await filled.all("/forms")}
        posts = await filled.get("/fetchResponses", formId=forms["Social post"], fieldIds="headline,text", limit=50)
        assert len(posts) >= 10
        rejected = await filled.get(
            "/fetchResponses", formId=forms["Social post"], fieldIds="headline", filterResponse="rejected"
        )
        assert len(rejected) == 2
        for form_id in forms.values():
            fields = (await filled.get(f"/forms/{form_id}"))["fields"]
            names = ",".join(field["id"] for field in fields)
            assert await filled.get("/fetchResponses", formId=form_id, fieldIds=names, limit=5)

    async def test_found_by_words(self, filled: Filled) -> None:
        found = await filled.all("/reviews", q="teapot")
        assert found

    async def test_insights(self, filled: Filled) -> None:
        insights = await filled.get("/insights")
        assert insights["totals"]["decided"] > 50
        assert insights["totals"]["medianSeconds"] > 0
        assert insights["totals"]["edited"] >= 10

    @pytest.mark.parametrize(
        "path", ["/triggers", "/groups", "/auditLog", "/events", "/inbox/counts", "/inbox/views", "/mails", "/apiKeys"]
    )
    async def test_lists(self, filled: Filled, path: str) -> None:
        await filled.get(path)

    async def test_every_review_type(self, filled: Filled) -> None:
        for form in await filled.all("/forms"):
            for part in ("", "/versions", "/code?language=python", "/export"):
                answer = await filled.workspace.owner.get(f"/forms/{form['formId']}{part}")
                assert answer.status_code == 200, answer.text

    async def test_public_form(self, filled: Filled) -> None:
        [trigger] = (await filled.get("/triggers"))["items"]
        link = (await filled.get(f"/forms/{trigger['formId']}/publicLink"))["link"]
        await assert_ok(filled.workspace.public.get(f"/public/triggers/{link.rpartition('/')[2]}"))

    async def test_doctor_is_content(self, filled: Filled, forked: RunForked, tmp_path: Path) -> None:
        run = await asyncio.to_thread(forked, ("doctor",), filled.service.env, tmp_path, PATIENCE)
        assert run.returncode == 0, run.stdout


class TestNobodyIsTold:
    async def test_no_mail_but_for_what_is_new(self, filled: Filled) -> None:
        """The follower of the log goes on behind the demo: a mail comes of the next review, and of no other."""
        forms = {form["name"]: form["formId"] for form in await filled.all("/forms")}
        data = {"supplier": "A supplier who is new", "due": "2026-12-01"}
        await assert_ok(
            filled.workspace.agent.post("/requestReview", json={"formId": forms["Invoice approval"], "data": data})
        )
        await asyncio.to_thread(until, lambda: filled.mails.received)
        assert [mail.recipient for mail in filled.mails.received] == ["owner@example.com"]
        assert "A supplier who is new" in filled.mails.received[0].text
        assert "Why our blue changed" not in filled.mails.received[0].text
        news = await filled.db.fetchval("select count(distinct review_id) from review_news")
        assert news <= 1

    async def test_no_delivery_was_tried(self, filled: Filled) -> None:
        """What the worker has in hand is due later; nothing that was filled in has changed since."""
        touched = await filled.db.fetchval(
            """
            select count(*) from deliveries, demo_workspaces
            where url like '%.example/%' and (attempt_started is not null or updated_at >= filled_at)
            """
        )
        assert touched == 0
        due = await filled.db.fetchval(
            "select min(execute_after) from pgqueuer where entrypoint = 'webhooks.deliver' and status = 'queued'"
        )
        assert due > datetime.now(UTC) + timedelta(hours=12)
