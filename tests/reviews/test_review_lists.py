"""`GET /reviews`: narrow rows, newest first, with any combination of filters."""

from typing import Any

import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, unique

ROW = {
    "reviewId",
    "agentId",
    "sessionId",
    "formId",
    "formName",
    "title",
    "revision",
    "state",
    "retryRequested",
    "autoApproved",
    "createdAt",
    "updatedAt",
    "assigneeIds",
    "external",
}


async def ids(client: httpx.AsyncClient, **params: Any) -> list[str]:
    return [row["reviewId"] for row in (await assert_ok(client.get("/reviews", params=params)))["items"]]


async def found(client: httpx.AsyncClient, expected: set[str], **params: Any) -> None:
    assert set(await ids(client, **params)) == expected


class TestRows:
    async def test_pending(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        created_review = await workspace.request(form)
        [row] = (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
        assert set(row) == ROW
        review = await workspace.review(created_review["reviewId"])
        shared = ROW & set(review) - {"retryRequested", "autoApproved"}
        assert {name: row[name] for name in shared} == {name: review[name] for name in shared}
        assert row["retryRequested"] is False
        assert row["assigneeIds"] == []
        assert row["external"] is False

    async def test_assignees(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, _ = people["reviewer"]
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group")}))
        form = await workspace.make_form()
        members = {"assignTo": [person["email"]], "assignToGroups": [group["groupId"]]}
        review = await workspace.request(form, **members, extReviewers=["out@example.org"])
        params = {"formId": form["formId"]}
        [row] = (await assert_ok(workspace.agent.get("/reviews", params=params)))["items"]
        assert set(row["assigneeIds"]) == {person["userId"], group["groupId"]}
        assert row["external"] is True
        await workspace.request(form, updateForReviewId=review["reviewId"], assignToGroups=[], extReviewers=[])
        [row] = (await assert_ok(workspace.agent.get("/reviews", params=params)))["items"]
        assert row["assigneeIds"] == [person["userId"]]
        assert row["external"] is False

    async def test_responded(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        created_review = await workspace.request(form, workflow={"runId": "run-1"})
        review = await workspace.decide(created_review["reviewId"], "rejected")
        [row] = (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]
        assert set(row) == ROW | {"response", "respondingUser", "respondedAt", "workflowRunId"}
        assert row["response"] == "rejected"
        assert row["respondedAt"] == review["reviewResult"]["respondedAt"]
        assert row["state"] == "responded"


class TestFilters:
    async def test_state(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        open_one, done = await workspace.request(form), await workspace.request(form)
        await workspace.decide(done["reviewId"])
        params = {"formId": form["formId"]}
        assert await ids(workspace.agent, **params, state="pending") == [open_one["reviewId"]]
        assert await ids(workspace.agent, **params, state="responded") == [done["reviewId"]]
        assert len(await ids(workspace.agent, **params)) == 2

    async def test_agent_form_and_session(self, workspace: Workspace) -> None:
        first, second = await workspace.make_agent(), await workspace.make_agent()
        one, two = await workspace.make_form(first), await workspace.make_form(second)
        session = unique("session")
        a = (await workspace.request(one, sessionId=session))["reviewId"]
        b = (await workspace.request(two, sessionId=session))["reviewId"]
        c = (await workspace.request(two))["reviewId"]
        assert await ids(workspace.agent, agentId=first["agentId"]) == [a]
        assert set(await ids(workspace.agent, agentId=second["agentId"])) == {b, c}
        assert set(await ids(workspace.agent, formId=two["formId"])) == {b, c}
        assert set(await ids(workspace.agent, sessionId=session)) == {a, b}
        assert await ids(workspace.agent, sessionId=session, formId=two["formId"], state="pending") == [b]
        assert await ids(workspace.agent, sessionId=session, formId=two["formId"], state="responded") == []

    async def test_assigned_to(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["reviewer"]
        group = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("group"), "members": [person["email"]]})
        )
        form = await workspace.make_form()
        direct = (await workspace.request(form, assignTo=[person["email"]]))["reviewId"]
        by_group = (await workspace.request(form, assignToGroups=[group["groupId"]]))["reviewId"]
        nobody = (await workspace.request(form))["reviewId"]
        params = {"formId": form["formId"]}
        outside = (await workspace.request(form, extReviewers=["out@example.org"]))["reviewId"]
        assert await ids(client, **params, assignedTo="me") == [direct]
        assert await ids(workspace.agent, **params, assignedTo=person["userId"]) == [direct]
        assert await ids(workspace.agent, **params, assignedTo=group["groupId"]) == [by_group]
        assert await ids(client, **params, assignedTo="myGroups") == [by_group]
        assert await ids(client, **params, assignedTo="nobody") == [nobody]
        assert await ids(workspace.agent, **params, assignedTo="nobody") == [nobody]
        assert await ids(workspace.owner, **params, assignedTo="me") == []
        assert await ids(workspace.owner, **params, assignedTo="myGroups") == []
        assert set(await ids(client, **params)) == {direct, by_group, nobody, outside}
        for word in ("me", "myGroups"):
            await assert_error(workspace.agent.get("/reviews", params={"assignedTo": word}), 400, "invalid_query")

    async def test_own_groups_are_combined(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        members = {"members": [person["email"]]}
        groups = [
            await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), **members})) for _ in "abc"
        ]
        form = await workspace.make_form()
        reviews = [
            (await workspace.request(form, assignToGroups=[group["groupId"] for group in groups[: 1 + number % 3]]))
            for number in range(9)
        ]
        seen, cursor = [], ""
        while cursor is not None:
            params = {"assignedTo": "myGroups", "limit": 2, "cursor": cursor}
            page = await assert_ok(client.get("/reviews", params=params))
            seen += [row["reviewId"] for row in page["items"]]
            cursor = page["nextCursor"]
        assert len(seen) == len(set(seen)) == 9
        assert set(seen) == {review["reviewId"] for review in reviews}

    async def test_phases(self, workspace: Workspace) -> None:
        """By state, response and whether it waits, alone and together, with their counts."""
        form = await workspace.make_form()
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(5)]
        fresh, waiting, approved, rejected, asked_again = review_ids
        for review_id in (waiting, asked_again):
            await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "x"}))
        await workspace.decide(approved)
        await workspace.decide(rejected, "rejected")
        await workspace.request(form, updateForReviewId=asked_again)
        expected: list[tuple[dict[str, str], set[str]]] = [
            ({"state": "pending"}, {fresh, waiting, asked_again}),
            ({"state": "responded"}, {approved, rejected}),
            ({"response": "approved"}, {approved}),
            ({"response": "rejected"}, {rejected}),
            ({"response": "rejected", "state": "pending"}, set()),
            ({"retryRequested": "true"}, {waiting}),
            ({"retryRequested": "false"}, {fresh, approved, rejected, asked_again}),
            ({"retryRequested": "false", "state": "pending"}, {fresh, asked_again}),
            ({"retryRequested": "true", "state": "responded"}, set()),
        ]
        for params, found_ones in expected:
            assert set(await ids(workspace.agent, formId=form["formId"], **params)) == found_ones, params
            assert set(await ids(workspace.agent, agentId=form["agentId"], **params)) == found_ones, params
            if found_ones:
                assert found_ones & set(await ids(workspace.agent, limit=200, **params)), params

    async def test_run(self, workspace: Workspace) -> None:
        form, run = await workspace.make_form(), unique("run")
        one = (await workspace.request(form, workflow={"runId": run}))["reviewId"]
        two = (await workspace.request(form, workflow={"runId": run}))["reviewId"]
        await workspace.request(form)
        await workspace.decide(two)
        assert set(await ids(workspace.agent, runId=run)) == {one, two}
        assert await ids(workspace.agent, runId=run, state="pending") == [one]
        assert await ids(workspace.agent, runId="nothing") == []

    async def test_filters_without_a_common_index(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["editor"]
        one, two = await workspace.make_form(), await workspace.make_form()
        session, mine = unique("session"), {"assignTo": [person["email"]]}
        wanted = (await workspace.request(one, sessionId=session, **mine))["reviewId"]
        await workspace.request(two, sessionId=session, **mine)
        await workspace.request(one, **mine)
        unasked = (await workspace.request(one, sessionId=session))["reviewId"]
        params = {"formId": one["formId"], "sessionId": session, "agentId": one["agentId"]}
        assert await ids(client, **params, assignedTo="me", state="pending") == [wanted]
        assert await ids(client, **params, assignedTo="nobody") == [unasked]
        assert await ids(client, **{**params, "agentId": two["agentId"]}, assignedTo="me") == []

    async def test_assignees_after_a_change(self, workspace: Workspace, people: dict[str, Any]) -> None:
        """The phase stored with each assignee follows the review."""
        person, client = await workspace.make_person()
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "x"}))
        await workspace.request(form, updateForReviewId=review_id, assignTo=[person["email"]])
        assert await ids(client, assignedTo="me", retryRequested="false", state="pending") == [review_id]
        await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "x"}))
        assert await ids(client, assignedTo="me", retryRequested="true") == [review_id]
        assert await ids(client, assignedTo="me", retryRequested="false") == []
        await workspace.request(form, updateForReviewId=review_id)
        assert await ids(client, assignedTo="me", state="pending", retryRequested="false") == [review_id]
        await workspace.decide(review_id, "rejected")
        assert await ids(client, assignedTo="me", response="rejected") == [review_id]
        assert await ids(client, assignedTo="me", state="pending") == []

    @pytest.mark.parametrize("params", [{"response": "maybe"}, {"retryRequested": "maybe"}, {"order": "random"}])
    async def test_unknown_values(self, workspace: Workspace, params: dict[str, str]) -> None:
        await assert_error(workspace.agent.get("/reviews", params=params), 400, "invalid_query")

    @pytest.mark.parametrize("name", ["agentId", "formId", "sessionId", "runId", "assignedTo", "cursor", "q"])
    async def test_hostile_values(self, workspace: Workspace, name: str) -> None:
        response = await workspace.agent.get("/reviews", params={name: "' or 1=1; drop table reviews; --"})
        assert response.status_code == 400 if name == "cursor" else response.json()["items"] == []
        await assert_error(workspace.agent.get("/reviews", params={name: "\0"}), 400)
        await assert_error(workspace.agent.get("/reviews", params={name: "x" * 1000}), 400)

    async def test_of_another_account(self, workspace: Workspace, other_workspace: Workspace) -> None:
        session = unique("same-session")
        mine = await workspace.request(await workspace.make_form(), sessionId=session)
        form = await other_workspace.make_form()
        theirs = await other_workspace.request(form, sessionId=session)
        assert await ids(workspace.agent, sessionId=session) == [mine["reviewId"]]
        assert await ids(other_workspace.agent, sessionId=session) == [theirs["reviewId"]]
        assert await ids(workspace.agent, formId=form["formId"]) == []
        assert await ids(workspace.agent, agentId=form["agentId"]) == []


class TestPages:
    async def test_newest_first_without_gaps_or_duplicates(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(7)]
        for limit in (1, 2, 3, 7, 8):
            seen: list[dict[str, Any]] = []
            cursor: str | None = None
            while True:
                params = {"formId": form["formId"], "limit": limit} | ({"cursor": cursor} if cursor else {})
                page = await assert_ok(workspace.agent.get("/reviews", params=params))
                assert set(page) == {"items", "nextCursor"}
                assert len(page["items"]) <= limit
                seen += page["items"]
                cursor = page["nextCursor"]
                if cursor is None:
                    break
            assert sorted(row["reviewId"] for row in seen) == sorted(review_ids)
            moments = [row["createdAt"] for row in seen]
            assert moments == sorted(moments, reverse=True)

    async def test_oldest_first(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(5)]
        await workspace.decide(review_ids[1])
        for params in ({"formId": form["formId"]}, {"formId": form["formId"], "q": "autumn"}):
            await found(workspace.agent, set(review_ids), **params)
            seen, cursor = [], ""
            while cursor is not None:
                query = {**params, "order": "oldest", "limit": 2, "cursor": cursor}
                page = await assert_ok(workspace.agent.get("/reviews", params=query))
                seen += [row["reviewId"] for row in page["items"]]
                cursor = page["nextCursor"]
            assert seen == sorted(review_ids)
            assert await ids(workspace.agent, **params, order="newest") == sorted(review_ids, reverse=True)

    async def test_new_reviews_do_not_shift_pages(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_ids = [(await workspace.request(form))["reviewId"] for _ in range(4)]
        params = {"formId": form["formId"], "limit": 2}
        first = await assert_ok(workspace.agent.get("/reviews", params=params))
        await workspace.request(form)
        second = await assert_ok(workspace.agent.get("/reviews", params={**params, "cursor": first["nextCursor"]}))
        assert sorted(row["reviewId"] for row in first["items"] + second["items"]) == sorted(review_ids)

    @pytest.mark.parametrize("limit", ["0", "-1", "201", "ten", "1.5", "", "1e2"])
    async def test_bad_limit(self, workspace: Workspace, limit: str) -> None:
        await assert_error(workspace.agent.get("/reviews", params={"limit": limit}), 400, "invalid_query")

    @pytest.mark.parametrize("cursor", ["zzz", "1", "rev_", "rev_zzz", "agt_" + "0" * 28])
    async def test_bad_cursor(self, workspace: Workspace, cursor: str) -> None:
        await workspace.request(await workspace.make_form())
        await assert_error(workspace.agent.get("/reviews", params={"cursor": cursor}), 400, "invalid_query")

    async def test_empty_cursor_is_the_first_page(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        assert await ids(workspace.agent, formId=form["formId"], cursor="") == [review["reviewId"]]

    async def test_bad_state(self, workspace: Workspace) -> None:
        await assert_error(workspace.agent.get("/reviews", params={"state": "open"}), 400, "invalid_query")

    async def test_credentials(self, workspace: Workspace, people: dict[str, Any]) -> None:
        await assert_error(workspace.public.get("/reviews"), 401)
        await assert_ok(people["viewer"][1].get("/reviews", params={"limit": 1}))


class TestSearch:
    async def test_title_and_text_values(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        word = unique("zebra").replace("-", "")
        titled = (await workspace.request(form, title=f"About {word}s and {word}"))["reviewId"]
        inside = (await workspace.request(form, data={**DATA, "extra": [{"note": f"Möhren, {word.upper()}!"}]}))[
            "reviewId"
        ]
        await workspace.request(form)
        await found(workspace.agent, {titled, inside}, q=word)
        assert await ids(workspace.agent, q=f"{word} möhren") == [inside]
        assert await ids(workspace.agent, q=f'"about {word}s"') == [titled]
        assert await ids(workspace.agent, q=f"{word} -möhren") == [titled]
        assert await ids(workspace.agent, q=word, state="responded") == []
        assert set(await ids(workspace.agent, q=word, formId=form["formId"])) == {titled, inside}

    async def test_last_word_matches_by_prefix(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        word, other = unique("quokka").replace("-", "x"), unique("wombat").replace("-", "x")
        review_id = (await workspace.request(form, title=f"{word} und {other}"))["reviewId"]
        await found(workspace.agent, {review_id}, q=word)
        for q in (word[:4], f"{other} {word[:4]}", f"{word} {other[:3]}", f" {word.upper()[:5]}"):
            assert review_id in await ids(workspace.agent, q=q, formId=form["formId"]), q
        for q in (f"{word[:4]} {other}", f'"{word[:4]}"', f"{word} -{other}", f"{word[:4]} {other} x"):
            assert review_id not in await ids(workspace.agent, q=q, formId=form["formId"]), q
        assert review_id in await ids(workspace.agent, q=f"{word} -{other[:3]}", formId=form["formId"])

    async def test_only_current_content_is_searched(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        before, after = unique("before").replace("-", ""), unique("after").replace("-", "")
        review = await workspace.request(form, data={**DATA, "body": before})
        await found(workspace.agent, {review["reviewId"]}, q=before)
        await workspace.request(form, data={**DATA, "body": after}, updateForReviewId=review["reviewId"])
        await found(workspace.agent, {review["reviewId"]}, q=after)
        assert await ids(workspace.agent, q=before) == []

    async def test_only_in_own_account(self, workspace: Workspace, other_workspace: Workspace) -> None:
        word = unique("secret").replace("-", "")
        theirs = await other_workspace.request(await other_workspace.make_form(), title=word)
        await found(other_workspace.agent, {theirs["reviewId"]}, q=word)
        assert await ids(workspace.agent, q=word) == []

    @pytest.mark.parametrize(
        "q",
        [
            "a'",
            "it's",
            "a\\\\",
            "a:*",
            "a'b\\'c",
            "-",
            '"a b',
            "x or",
            "or x",
            "a <-> b",
            '"',
            "'",
            "!!",
            "a & | b",
            "(((",
            "\\",
            ":*",
            "<->",
            "   ",
            "%",
            "or or",
            "é\u0301",
        ],
    )
    async def test_hostile_syntax(self, workspace: Workspace, q: str) -> None:
        await assert_ok(workspace.agent.get("/reviews", params={"q": q}))
