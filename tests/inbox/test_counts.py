"""`GET /inbox/counts`: the caller's pending reviews. Tests share the account, so they compare before and after."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from support.api import Workspace, assert_error, assert_ok, unique
from support.in_process import Service

from signoff.inbox.counts import CEILING, COUNT_AGENTS, COUNT_FORMS, COUNT_VIEWS
from signoff.platform.db import Database
from signoff.platform.sql import Sql


async def counts(client: Any) -> dict[str, Any]:
    return await assert_ok(client.get("/inbox/counts"))


class TestCounts:
    async def test_shape(self, workspace: Workspace) -> None:
        inbox_counts = await counts(workspace.owner)
        assert set(inbox_counts) == {"views", "agents", "forms", "saved", "chat", "incomplete", "ceiling"}
        assert set(inbox_counts["views"]) == {"mine", "myGroups", "unassigned", "all", "waiting"}
        assert inbox_counts["ceiling"] == 1_000

    async def test_of_a_new_member(self, workspace: Workspace) -> None:
        """Nobody else's reviews have these names, so the numbers are exact."""
        person, client = await workspace.make_person()
        members = {"members": [person["email"]]}
        groups = [
            await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), **members})) for _ in "ab"
        ]
        group_ids = [group["groupId"] for group in groups]
        form = await workspace.make_form()
        direct = [await workspace.request(form, assignTo=[person["email"]]) for _ in range(3)]
        await workspace.request(form, assignToGroups=group_ids)
        await workspace.request(form, assignToGroups=group_ids[:1])
        inbox_counts = await counts(client)
        assert inbox_counts["views"]["mine"] == 3
        assert inbox_counts["views"]["myGroups"] == 2
        assert inbox_counts["agents"][form["agentId"]] == 5
        assert inbox_counts["forms"][form["formId"]] == 5
        await assert_ok(client.post(f"/reviews/{direct[0]['reviewId']}/retry", json={"instructions": "x"}))
        await assert_ok(client.post(f"/reviews/{direct[1]['reviewId']}/response", json={"response": "approved"}))
        inbox_counts = await counts(client)
        assert inbox_counts["views"]["mine"] == 1
        assert inbox_counts["views"]["waiting"] >= 1
        assert inbox_counts["agents"][form["agentId"]] == 3
        assert inbox_counts["forms"][form["formId"]] == 3

    async def test_zero_counts_are_omitted(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        await workspace.decide(review["reviewId"])
        inbox_counts = await counts(workspace.owner)
        assert form["formId"] not in inbox_counts["forms"]
        assert form["agentId"] not in inbox_counts["agents"]

    async def test_exact_counts(self, other_workspace: Workspace) -> None:
        before = (await counts(other_workspace.owner))["views"]
        form = await other_workspace.make_form()
        await other_workspace.request(form)
        outside = await other_workspace.request(form, extReviewers=["out@example.org"])
        waiting = await other_workspace.request(form)
        path = f"/reviews/{waiting['reviewId']}/retry"
        await assert_ok(other_workspace.owner.post(path, json={"instructions": "x"}))
        after = (await counts(other_workspace.owner))["views"]
        gained = {name: after[name] - before[name] for name in after}
        assert gained == {"mine": 0, "myGroups": 0, "unassigned": 1, "all": 2, "waiting": 1}
        await other_workspace.request(form, updateForReviewId=outside["reviewId"], extReviewers=None)
        assert (await counts(other_workspace.owner))["views"]["unassigned"] == after["unassigned"] + 1

    async def test_stops_at_the_ceiling(self, other_workspace: Workspace, service: Service) -> None:
        async with many_reviews(other_workspace, service.dsn(), 1_001) as form:
            inbox_counts = await counts(other_workspace.owner)
            assert inbox_counts["views"]["all"] == inbox_counts["views"]["unassigned"] == 1_000
            assert inbox_counts["forms"][form["formId"]] == inbox_counts["agents"][form["agentId"]] == 1_000

    async def test_reads_no_more_than_the_ceiling(self, other_workspace: Workspace, service: Service) -> None:
        async with many_reviews(other_workspace, service.dsn(), 20_000):
            db = await Database.connect(service.dsn(), size=1)
            try:
                for statement in (COUNT_VIEWS, COUNT_AGENTS, COUNT_FORMS):
                    values = {"account_id": other_workspace.account_id, "user_ids": [], "group_ids": []}
                    plan = await explain(db, statement, **statement.pick(values))
                    assert max(node["Actual Rows"] for node in plan if "Index Name" in node) <= CEILING
                    assert not [node for node in plan if node["Node Type"] == "Seq Scan" and is_of_reviews(node)]
            finally:
                await db.close()

    async def test_only_for_users(self, workspace: Workspace) -> None:
        for path in ("/inbox/counts", "/inbox/views"):
            await assert_error(workspace.agent.get(path), 403, "person_needed")
            await assert_error(workspace.manager.get(path), 403, "person_needed")
            await assert_error(workspace.public.get(path), 401)


@asynccontextmanager
async def many_reviews(workspace: Workspace, dsn: str, number: int) -> AsyncGenerator[dict[str, Any]]:
    """A review type with so many pending reviews."""
    form = await workspace.make_form()
    connection = await asyncpg.connect(dsn)
    ids = (workspace.account_id, form["agentId"], form["formId"])
    try:
        await connection.execute(
            """
            insert into reviews
                (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, state)
            select $1, $3 || n, $2, $3, 1, 'Many', 'ses', 'pending' from generate_series(1, $4::int) n
            """,
            *ids,
            number,
        )
        await connection.execute("analyze reviews")
        yield form
    finally:
        await connection.execute("delete from reviews where account_id = $1 and form_id = $2", ids[0], ids[2])
        await connection.close()


async def explain(db: Database, statement: Sql[Any], **values: Any) -> list[dict[str, Any]]:
    """Run the statement, and return all nodes of its plan."""
    plans = await Sql("explain (analyze, format json) {it}", it=statement).fetch_value(db, **values)
    nodes, left = list[dict[str, Any]](), [plans[0]["Plan"]]
    while left:
        nodes.append(left.pop())
        left += nodes[-1].get("Plans", [])
    return nodes


def is_of_reviews(node: dict[str, Any]) -> bool:
    return node.get("Relation Name") == "reviews"


class TestSaved:
    async def test_pending_without_a_retry(self, workspace: Workspace) -> None:
        _, client = await workspace.make_person()
        form = await workspace.make_form()
        reviews = [await workspace.request(form) for _ in range(4)]
        await workspace.decide(reviews[0]["reviewId"])
        await assert_ok(client.post(f"/reviews/{reviews[1]['reviewId']}/retry", json={"instructions": "x"}))
        expected = [
            ({"formId": form["formId"]}, 2),
            ({"formId": form["formId"], "state": "pending"}, 2),
            ({"formId": form["formId"], "state": "responded"}, 0),
            ({"formId": form["formId"], "response": "approved"}, 0),
            ({"formId": form["formId"], "retryRequested": True}, 1),
            ({"formId": form["formId"], "assignedTo": "nobody"}, 2),
            ({"formId": form["formId"], "assignedTo": "me"}, 0),
            ({"formId": form["formId"], "assignedTo": "myGroups"}, 0),
            ({"agentId": form["agentId"], "formId": form["formId"], "order": "oldest"}, 2),
            ({"sessionId": reviews[2]["sessionId"]}, 1),
            ({"formId": form["formId"], "q": "nowhere to be found"}, 0),
        ]
        views = [
            (await assert_ok(client.post("/inbox/views", json={"name": "x", "filters": filters})))["viewId"]
            for filters, _ in expected
        ]
        assert (await counts(client))["saved"] == dict(zip(views, (n for _, n in expected), strict=True))

    async def test_minimum(self, other_workspace: Workspace, service: Service) -> None:
        """Search words are checked in only some reviews, and the response says so."""
        path = "/inbox/views"
        async with many_reviews(other_workspace, service.dsn(), 2_500) as form:
            narrow = {"name": "x", "filters": {"formId": form["formId"], "q": "nowhere"}}
            view = await assert_ok(other_workspace.owner.post(path, json=narrow))
            indexed = await assert_ok(other_workspace.owner.post(path, json={"name": "y", "filters": {}}))
            inbox_counts = await counts(other_workspace.owner)
            assert inbox_counts["saved"] == {view["viewId"]: 0, indexed["viewId"]: 1_000}
            assert inbox_counts["incomplete"] == [view["viewId"]]
        inbox_counts = await counts(other_workspace.owner)
        assert inbox_counts["saved"][view["viewId"]] == 0
        assert inbox_counts["incomplete"] == []
        for view_id in (view["viewId"], indexed["viewId"]):
            await assert_ok(other_workspace.owner.delete(f"{path}/{view_id}"))
