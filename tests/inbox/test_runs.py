"""Runs: lists of them, and their steps."""

import asyncio
from typing import Any

import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]


async def step(
    workspace: Workspace, form: dict[str, Any], run_id: str, *previous: str, **members: Any
) -> dict[str, Any]:
    workflow: dict[str, Any] = {"runId": run_id, **({"prevSteps": list(previous)} if previous else {})}
    return await workspace.request(form, meta={"_svcWorkflow": {**workflow, **members}})


async def run_of(workspace: Workspace, run_id: str) -> dict[str, Any]:
    return await assert_ok(workspace.owner.get(f"/runs/{run_id}"))


class TestGetRun:
    async def test_steps_are_oldest_first(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form, run_id = await workspace.make_form(agent), unique("run")
        first = await step(workspace, form, run_id, runName="Newsletter")
        left = await step(workspace, form, run_id, first["reviewId"])
        right = await step(workspace, form, run_id, first["reviewId"])
        last = await step(workspace, form, run_id, left["reviewId"], right["reviewId"])
        await workspace.decide(first["reviewId"])
        await workspace.decide(left["reviewId"], "rejected")
        run = await run_of(workspace, run_id)
        assert (run["runId"], run["name"], run["more"]) == (run_id, "Newsletter", False)
        assert [entry["reviewId"] for entry in run["steps"]] == [
            made["reviewId"] for made in (first, left, right, last)
        ]
        assert [each["prevSteps"] for each in run["steps"]] == [
            [],
            [first["reviewId"]],
            [first["reviewId"]],
            [left["reviewId"], right["reviewId"]],
        ]
        decided = run["steps"][0]
        assert decided["response"] == "approved"
        assert decided["respondingUser"] == "owner@example.com"
        assert decided["waitedMs"] >= 0
        assert decided["agentName"] == agent["name"]
        assert (decided["title"], decided["formName"], decided["kind"]) == ("Autumn news", form["name"], "review")
        waiting = run["steps"][2]
        assert waiting["state"] == "pending"
        assert not {"response", "respondedAt", "waitedMs", "respondingUser"} & set(waiting)
        assert sorted(run["sessions"]) == sorted({made["sessionId"] for made in (first, left, right, last)})

    async def test_steps_have_their_decision(self, workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        meta = {"_svcWorkflow": {"runId": run_id}}
        await workspace.request(form, meta=meta, autoApprove=True)
        waiting = await workspace.request(form, meta=meta)
        await assert_ok(
            workspace.owner.post(f"/reviews/{waiting['reviewId']}/retry", json={"instructions": "Shorter."})
        )
        run = await run_of(workspace, run_id)
        assert run["steps"][0]["autoApproved"] is True
        assert "autoApproved" not in run["steps"][1]
        assert run["steps"][1]["retryRequested"] is True

    async def test_of_a_trigger(self, workspace: Workspace) -> None:
        fields = [{"id": "topic", "type": "text", "label": "Topic"}]
        form = await workspace.make_form(
            trigger=True, fields=fields, layout=None, rules=[], titleField="topic", allowRetry=False
        )
        body = {"data": {"topic": "Autumn"}}
        submission = await assert_ok(workspace.owner.post(f"/triggers/{form['formId']}/submissions", json=body))
        plain = await workspace.make_form()
        await step(workspace, plain, submission["workflowRunId"], submission["reviewId"])
        run = await run_of(workspace, submission["workflowRunId"])
        assert [(entry["kind"], entry["state"]) for entry in run["steps"]] == [
            ("trigger", "responded"),
            ("review", "pending"),
        ]
        assert "response" not in run["steps"][0]
        assert "name" not in run

    async def test_of_an_empty_workflow(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, meta={"_svcWorkflow": {}})
        run = await run_of(workspace, review["workflowRunId"])
        assert [step["reviewId"] for step in run["steps"]] == [review["reviewId"]]

    async def test_previous_steps_of_concurrent_requests(self, workspace: Workspace) -> None:
        """Reviews that are requested together are written together, each with its own previous steps."""
        form, run_id = await workspace.make_form(), unique("run")
        wanted = [[f"rev_{number}" for number in range(count)] for count in range(12)]
        results = await asyncio.gather(*(step(workspace, form, run_id, *previous) for previous in wanted))
        previous_steps = {entry["reviewId"]: entry["prevSteps"] for entry in (await run_of(workspace, run_id))["steps"]}
        assert [previous_steps[each["reviewId"]] for each in results] == wanted

    async def test_hostile_previous_steps_are_returned_unchanged(self, workspace: Workspace) -> None:
        """Steps of other runs, unknown steps, themselves and cycles: the graph has to handle them."""
        form, run_id = await workspace.make_form(), unique("run")
        first = await step(workspace, form, run_id, "rev_unknown", "", "<script>", "rev_unknown")
        await step(workspace, form, run_id, first["reviewId"], first["reviewId"])
        run = await run_of(workspace, run_id)
        assert run["steps"][0]["prevSteps"] == ["rev_unknown", "", "<script>", "rev_unknown"]

    async def test_deleted_reviews_are_not_steps(self, workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        first = await step(workspace, form, run_id)
        second = await step(workspace, form, run_id, first["reviewId"])
        await assert_ok(workspace.agent.delete(f"/reviews/{first['reviewId']}"))
        run = await run_of(workspace, run_id)
        assert [entry["reviewId"] for entry in run["steps"]] == [second["reviewId"]]
        assert run["steps"][0]["prevSteps"] == [first["reviewId"]]
        await assert_ok(workspace.agent.delete(f"/reviews/{second['reviewId']}"))
        assert (await run_of(workspace, run_id))["steps"] == []

    async def test_returns_at_most_500_steps(self, workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        await asyncio.gather(*(step(workspace, form, run_id) for _ in range(501)))
        run = await run_of(workspace, run_id)
        assert (len(run["steps"]), run["more"]) == (500, True)
        [row] = (await assert_ok(workspace.owner.get("/runs", params={"q": run_id})))["items"]
        assert (row["steps"], row["open"]) == (500, 500)

    async def test_is_not_found_in_other_accounts(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        await step(workspace, form, run_id)
        await assert_error(other_workspace.owner.get(f"/runs/{run_id}"), 404)
        await assert_error(other_workspace.owner.patch(f"/runs/{run_id}", json={"name": "Mine"}), 404)
        await assert_error(workspace.owner.get("/runs/unknown"), 404)
        await assert_error(workspace.public.get(f"/runs/{run_id}"), 401)

    async def test_same_id_in_two_accounts(self, workspace: Workspace, other_workspace: Workspace) -> None:
        run_id = unique("run")
        mine = await step(workspace, await workspace.make_form(), run_id)
        await step(other_workspace, await other_workspace.make_form(), run_id)
        assert [entry["reviewId"] for entry in (await run_of(workspace, run_id))["steps"]] == [mine["reviewId"]]


class TestNaming:
    async def test_is_published_and_logged(self, workspace: Workspace, people: People) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        await step(workspace, form, run_id, runName="First")
        named = await assert_ok(people["reviewer"][1].patch(f"/runs/{run_id}", json={"name": " Second "}))
        assert named["name"] == "Second"
        await assert_ok(people["reviewer"][1].patch(f"/runs/{run_id}", json={"name": "Second"}))
        log = await assert_ok(workspace.manager.get("/auditLog", params={"objectId": run_id}))
        assert [(entry["action"], entry["details"]) for entry in log["items"]] == [("run.named", {"name": "Second"})]

    async def test_by_an_agents_key_but_not_by_a_viewer(self, workspace: Workspace, people: People) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        await step(workspace, form, run_id)
        await assert_ok(workspace.agent.patch(f"/runs/{run_id}", json={"name": "By the agent"}))
        await assert_error(people["viewer"][1].patch(f"/runs/{run_id}", json={"name": "No"}), 403)
        await assert_error(workspace.manager.patch(f"/runs/{run_id}", json={"name": "No"}), 403)

    @pytest.mark.parametrize("body", [{}, {"name": None}, {"name": " "}, {"name": "x" * 201}, {"name": 7}])
    async def test_invalid_names_are_rejected(self, workspace: Workspace, body: dict[str, Any]) -> None:
        form, run_id = await workspace.make_form(), unique("run")
        await step(workspace, form, run_id)
        assert error_at(await assert_error(workspace.owner.patch(f"/runs/{run_id}", json=body), 422), "name")


class TestList:
    async def test_is_newest_first_with_counts(self, other_workspace: Workspace) -> None:
        workspace = other_workspace
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        older, newer = unique("zz-run"), unique("aa-run")
        first = await step(workspace, form, older, runName="Older")
        await step(workspace, form, newer)
        await step(workspace, form, older)
        await workspace.decide(first["reviewId"])
        runs = (await assert_ok(workspace.owner.get("/runs", params={"agentId": agent["agentId"]})))["items"]
        assert [row["runId"] for row in runs] == [newer, older]
        assert (runs[1]["name"], runs[1]["steps"], runs[1]["open"]) == ("Older", 2, 1)
        assert runs[1]["lastAt"] >= runs[1]["createdAt"]
        assert "name" not in runs[0]

    async def test_pages_are_complete(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        run_ids = [unique("run") for _ in range(7)]
        # One after the other: runs that start at the same time are sorted by ID.
        for run_id in run_ids:
            await step(workspace, form, run_id)
        seen: list[str] = []
        query: dict[str, Any] = {"agentId": agent["agentId"], "limit": 3}
        while True:
            page = await assert_ok(workspace.owner.get("/runs", params=query))
            seen += [row["runId"] for row in page["items"]]
            if page["nextCursor"] is None:
                break
            query["cursor"] = page["nextCursor"]
        assert seen == run_ids[::-1]

    async def test_of_a_session(self, workspace: Workspace) -> None:
        form, session, run_id = await workspace.make_form(), unique("session"), unique("run")
        await workspace.request(form, sessionId=session, meta={"_svcWorkflow": {"runId": run_id}})
        await workspace.request(form, sessionId=session)
        await step(workspace, form, unique("run"))
        runs = await assert_ok(workspace.owner.get("/runs", params={"sessionId": session}))
        assert [row["runId"] for row in runs["items"]] == [run_id]

    async def test_search_finds_parts_of_names_and_prefixes_of_ids(self, workspace: Workspace) -> None:
        form, run_id, word = await workspace.make_form(), unique("run-of-search"), unique("Näme_50%")
        await step(workspace, form, run_id, runName=f"My {word} is special")
        for q in (word, word.upper(), run_id, run_id[:-1]):
            runs = await assert_ok(workspace.owner.get("/runs", params={"q": q, "limit": 200}))
            assert run_id in [row["runId"] for row in runs["items"]], q
        assert (await assert_ok(workspace.owner.get("/runs", params={"q": "no such run anywhere"})))["items"] == []

    async def test_has_no_runs_of_other_accounts(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run-of-one")
        await step(workspace, form, run_id)
        assert (await assert_ok(other_workspace.owner.get("/runs", params={"q": run_id})))["items"] == []
        by_agent = await assert_ok(other_workspace.owner.get("/runs", params={"agentId": form["agentId"]}))
        assert by_agent["items"] == []

    @pytest.mark.parametrize("cursor", ["x", "!!!", "bm90IGEgY3Vyc29y", "MjAyNi0xMS0xNSBydW4=", "é"])
    async def test_unknown_cursors_are_rejected(self, workspace: Workspace, cursor: str) -> None:
        await assert_error(workspace.owner.get("/runs", params={"cursor": cursor}), 400, "invalid_query")

    async def test_invalid_queries_are_rejected(self, workspace: Workspace) -> None:
        for query in ({"limit": 0}, {"limit": "many"}, {"q": "x" * 201}, {"agentId": "x" * 129}):
            await assert_error(workspace.owner.get("/runs", params=query), 400)

    async def test_runs_without_reviews_are_still_listed(self, workspace: Workspace) -> None:
        form, run_id = await workspace.make_form(), unique("run-left")
        review = await workspace.request(form, data=DATA, meta={"_svcWorkflow": {"runId": run_id}})
        await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        [row] = (await assert_ok(workspace.owner.get("/runs", params={"q": run_id})))["items"]
        assert (row["steps"], row["open"]) == (0, 0)
        assert row["lastAt"] == row["createdAt"]
