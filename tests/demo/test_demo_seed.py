"""The content of the demo through the API, and that seeding it disturbs nobody."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.api import Workspace, assert_ok, sign_in_workspace
from support.forked_commands import RunForked
from support.in_process import Service, StartService
from support.mail_server import MailServer, mail_server
from support.seeded_workspace import count_rows, fill_workspace, plan, texts
from support.service_process import new_client
from support.terminal import PATIENCE, wait_until

from signoff.platform.db import Database

# Seeds until most of it is written, and dies there as a machine does.
SEED_AND_DIE = """
import asyncio, os, signal, sys
from signoff.demo.seed.seeder import seed_workspace
from signoff.platform.db import Database
from signoff.platform.settings import load_settings

def die(done):
    if done > 0.75:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    db = await Database.connect(sys.argv[1], size=3)
    await seed_workspace(db, load_settings(), sys.argv[2], die)

asyncio.run(main())
"""
MEDIA = {"media", "media_arriving"}


@dataclass
class SeededDemo:
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
        results: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            page = await self.get(path, limit=200, **query, **cursor)
            results += page["items"]
            if not page.get("nextCursor"):
                return results
            cursor = {"cursor": page["nextCursor"]}


@pytest.fixture(scope="module")
async def mail_service(start_service: StartService) -> AsyncIterator[tuple[Service, MailServer]]:
    """A service that immediately mails everyone who has a review to decide."""
    with mail_server() as mails:
        async with start_service(**mails.settings, mail_collect_seconds=0) as service:
            yield service, mails


@pytest.fixture(scope="module")
async def seeded(mail_service: tuple[Service, MailServer]) -> AsyncIterator[SeededDemo]:
    """Killed halfway at first, then seeded by two processes at once."""
    service, mails = mail_service
    workspace = await sign_in_workspace(service)
    db = await Database.connect(service.dsn(), size=6)
    before = await count_rows(db)
    await plan(db, workspace.account_id)
    command = [sys.executable, "-c", SEED_AND_DIE, service.dsn(), workspace.account_id]
    killed = await asyncio.to_thread(subprocess.run, command, env=service.env, check=False)
    after_a_kill = await count_rows(db)
    state = (await assert_ok(workspace.owner.get("/demo")))["state"]
    await asyncio.gather(fill_workspace(service, db), fill_workspace(service, db))
    views = (await assert_ok(workspace.owner.get("/inbox/counts")))["views"]
    usage = await assert_ok(workspace.owner.get("/usage"))
    counted = sum(month["reviewRequests"] for month in usage["history"])
    requests = counted, await db.fetchval("select count(*) from review_revisions")
    yield SeededDemo(service, workspace, mails, db, before, after_a_kill, state, killed.returncode, views, requests)
    await db.close()


@pytest.fixture(scope="module")
async def reviews(seeded: SeededDemo) -> list[dict[str, Any]]:
    return await seeded.all("/reviews")


class TestSeeding:
    async def test_interrupted_seeding_leaves_nothing(self, seeded: SeededDemo) -> None:
        assert seeded.killed_with == -9
        changed = {name for name, count in seeded.after_a_kill.items() if count != seeded.before[name]}
        assert changed <= {"demo_workspaces", *MEDIA}
        assert seeded.state_after_a_kill == "filling"

    async def test_concurrent_seeding_happens_once(self, seeded: SeededDemo) -> None:
        assert await seeded.get("/demo") == {
            "state": "ready",
            "own": {"agents": 0, "reviewTypes": 0, "editedReviewTypes": 0},
        }
        names = [agent["name"] for agent in await seeded.all("/agents")]
        assert sorted(names) == ["Back office agent", "Content agent", "Support agent"]

    async def test_second_seeding_changes_nothing(self, seeded: SeededDemo) -> None:
        before = await count_rows(seeded.db)
        await fill_workspace(seeded.service, seeded.db)
        after = await count_rows(seeded.db)
        assert {name: after[name] for name in ("reviews", "users", "deliveries", "messages", "agents")} == {
            name: before[name] for name in ("reviews", "users", "deliveries", "messages", "agents")
        }


class TestContent:
    async def test_review_types(self, seeded: SeededDemo) -> None:
        forms = await seeded.all("/forms")
        assert len(forms) == 12
        assert {"Social post", "Support reply", "Product photos", "Invoice approval"} <= {
            form["name"] for form in forms
        }

    async def test_reviews_in_every_state(self, seeded: SeededDemo, reviews: list[dict[str, Any]]) -> None:
        assert 100 <= len(reviews) <= 120
        pending = [row for row in reviews if row["state"] == "pending"]
        assert 12 <= len(pending) <= 18
        assert seeded.views["mine"] == 3
        assert seeded.views["myGroups"] >= 1
        assert seeded.views["waiting"] == 1
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

    async def test_deliveries_in_every_state(self, seeded: SeededDemo) -> None:
        deliveries = await seeded.all("/webhooks/deliveries")
        states = Counter(delivery["status"] for delivery in deliveries)
        assert (states["retrying"], states["pending"], states["dead"], states["delivering"]) == (1, 1, 2, 0)
        assert [entry for entry in deliveries if entry["status"] == "succeeded" and entry["attemptCount"] > 1]
        assert all(".example/" in each["webhook"] for each in deliveries)

    async def test_demo_users_can_not_sign_in(self, seeded: SeededDemo) -> None:
        people = [person for person in await seeded.all("/users") if person["email"] != "owner@example.com"]
        assert len(people) == 4
        assert all(person["email"].endswith("@example.com") for person in people)
        ways = await seeded.db.fetchval(
            """
            select count(*) from users u where user_id = any($1) and (
                password_hash is not null or last_sign_in_at is not null
                or exists (select from sign_in_links l where l.user_id = u.user_id)
                or exists (select from oidc_subjects o where o.user_id = u.user_id))
            """,
            [person["userId"] for person in people],
        )
        assert ways == 0

    async def test_usage(self, seeded: SeededDemo) -> None:
        counted, there = seeded.requests
        assert counted == there > 0


class TestScreens:
    """Every screen has content."""

    async def test_every_review(self, seeded: SeededDemo, reviews: list[dict[str, Any]]) -> None:
        for row in reviews:
            review = await seeded.get(f"/reviews/{row['reviewId']}")
            for part in ("form", "suggestion", "revisions"):
                await seeded.get(f"/reviews/{row['reviewId']}/{part}")
            history = (await seeded.get(f"/reviews/{row['reviewId']}/history"))["items"]
            assert history[0]["action"] == "review.requested"
            assert [entry["at"] for entry in history] == sorted(entry["at"] for entry in history)
            if row["state"] == "responded":
                assert history[-1]["action"] == f"review.{row.get('response', 'submitted')}"
                assert review["reviewResult"]["respondingUser"]

    async def test_pending_ones_can_be_decided(self, seeded: SeededDemo, reviews: list[dict[str, Any]]) -> None:
        waiting = next(row for row in reviews if row["title"] == "Lid doesn't fit")
        await assert_ok(
            seeded.workspace.owner.post(f"/reviews/{waiting['reviewId']}/response", json={"response": "approved"})
        )

    async def test_runs_have_branches(self, seeded: SeededDemo) -> None:
        runs = [await seeded.get(f"/runs/{row['runId']}") for row in await seeded.all("/runs")]
        named = [run for run in runs if run.get("name")]
        assert len(named) == 2
        for run in named:
            steps = {step["reviewId"]: step for step in run["steps"]}
            [first] = [step for step in run["steps"] if not step["prevSteps"]]
            branches = [step for step in run["steps"] if step["prevSteps"] == [first["reviewId"]]]
            assert len(branches) >= 2
            assert all(first["respondedAt"] <= steps[step["reviewId"]]["createdAt"] for step in branches)

    async def test_chats(self, seeded: SeededDemo) -> None:
        sessions = await seeded.all("/sessions")
        chats = [session for session in sessions if session.get("name")]
        assert len(chats) == 3
        attached = reviews = 0
        for chat in chats:
            messages = (await seeded.get(f"/sessions/{chat['sessionId']}/messages"))["items"]
            timeline = (await seeded.get(f"/sessions/{chat['sessionId']}/timeline"))["items"]
            assert len(timeline) >= len(messages) >= 4
            attached += sum(len(message.get("attachments") or ()) for message in messages)
            reviews += sum(item["kind"] == "review" for item in timeline)
        assert attached == 2
        assert reviews == 2
        assert (await seeded.get("/inbox/counts"))["chat"]["unread"] == 1

    async def test_every_delivery_and_its_event(self, seeded: SeededDemo) -> None:
        """Seeding writes events like the service does. `declared_responses.py` compares them with the event schema."""
        for delivery in await seeded.all("/webhooks/deliveries"):
            detail = await seeded.get(f"/webhooks/deliveries/{delivery['deliveryId']}")
            assert len(detail["attempts"]) == detail["attemptCount"]
            event = await seeded.get(f"/webhooks/deliveries/{delivery['deliveryId']}/event")
            assert event["sessionId"] == delivery["sessionId"]
            assert event.get("reviewId") == delivery.get("reviewId")
            assert all(attempt["at"] >= delivery["triggeredAt"] for attempt in detail["attempts"])

    async def test_media(self, seeded: SeededDemo, reviews: list[dict[str, Any]]) -> None:
        addresses = set[str]()
        for row in reviews:
            if row["formName"] in {"Social post", "Product photos", "Expense", "Cover image"}:
                review = await seeded.get(f"/reviews/{row['reviewId']}")
                addresses |= {text for text in texts(review["data"]) if "/media/" in text}
        assert 8 <= len(addresses) <= 16
        async with new_client(seeded.service.url) as anybody:
            for address in addresses:
                response = await anybody.get(address)
                assert response.status_code == 200
                assert response.headers["content-type"] == "image/png"

    async def test_memory(self, seeded: SeededDemo) -> None:
        forms = {form["name"]: form["formId"] for form in await seeded.all("/forms")}
        posts = await seeded.get("/fetchResponses", formId=forms["Social post"], fieldIds="headline,text", limit=50)
        assert len(posts) >= 10
        rejected = await seeded.get(
            "/fetchResponses", formId=forms["Social post"], fieldIds="headline", filterResponse="rejected"
        )
        assert len(rejected) == 2
        for form_id in forms.values():
            fields = (await seeded.get(f"/forms/{form_id}"))["fields"]
            names = ",".join(field["id"] for field in fields)
            assert await seeded.get("/fetchResponses", formId=form_id, fieldIds=names, limit=5)

    async def test_search(self, seeded: SeededDemo) -> None:
        matches = await seeded.all("/reviews", q="teapot")
        assert matches

    async def test_insights(self, seeded: SeededDemo) -> None:
        insights = await seeded.get("/insights")
        assert insights["totals"]["decided"] > 50
        assert insights["totals"]["medianSeconds"] > 0
        assert insights["totals"]["edited"] >= 10

    @pytest.mark.parametrize(
        "path", ["/triggers", "/groups", "/auditLog", "/events", "/inbox/counts", "/inbox/views", "/mails", "/apiKeys"]
    )
    async def test_lists(self, seeded: SeededDemo, path: str) -> None:
        await seeded.get(path)

    async def test_every_review_type(self, seeded: SeededDemo) -> None:
        for form in await seeded.all("/forms"):
            for part in ("", "/versions", "/code?language=python", "/export"):
                response = await seeded.workspace.owner.get(f"/forms/{form['formId']}{part}")
                assert response.status_code == 200, response.text

    async def test_public_form(self, seeded: SeededDemo) -> None:
        [trigger] = (await seeded.get("/triggers"))["items"]
        link = (await seeded.get(f"/forms/{trigger['formId']}/publicLink"))["link"]
        await assert_ok(seeded.workspace.public.get(f"/public/triggers/{link.rpartition('/')[2]}"))

    async def test_doctor_reports_no_errors(self, seeded: SeededDemo, forked: RunForked, tmp_path: Path) -> None:
        run = await asyncio.to_thread(forked, ("doctor",), seeded.service.env, tmp_path, PATIENCE)
        assert run.returncode == 0, run.stdout


class TestNoNotifications:
    async def test_mails_only_for_new_reviews(self, seeded: SeededDemo) -> None:
        """The log subscriber continues after the demo: there is a mail about the next review, and about no other."""
        forms = {form["name"]: form["formId"] for form in await seeded.all("/forms")}
        data = {"supplier": "A supplier who is new", "due": "2026-12-01"}
        await assert_ok(
            seeded.workspace.agent.post("/requestReview", json={"formId": forms["Invoice approval"], "data": data})
        )
        await asyncio.to_thread(wait_until, lambda: seeded.mails.received)
        assert [mail.recipient for mail in seeded.mails.received] == ["owner@example.com"]
        assert "A supplier who is new" in seeded.mails.received[0].text
        assert "Why our blue changed" not in seeded.mails.received[0].text
        news = await seeded.db.fetchval("select count(distinct review_id) from review_news")
        assert news <= 1

    async def test_no_delivery_attempts(self, seeded: SeededDemo) -> None:
        """The next attempts are due later; nothing that was seeded has changed since."""
        touched = await seeded.db.fetchval(
            """
            select count(*) from deliveries join outgoing_messages on message_id = delivery_id, demo_workspaces
            where url like '%.example/%' and (claimed_at is not null or updated_at >= filled_at)
            """
        )
        assert touched == 0
        due = await seeded.db.fetchval(
            "select min(due_at) from outgoing_messages where channel = 'webhook' and state = 'queued'"
        )
        assert due > datetime.now(UTC) + timedelta(hours=12)
