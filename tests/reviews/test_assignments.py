"""`PUT /reviews/{id}/assignees`: replaces all reviewers; those who stay keep their link; the history shows it."""

import asyncio
import itertools
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, unique

NOBODY: dict[str, list[str]] = {"users": [], "groups": [], "external": []}

People = dict[str, tuple[dict[str, Any], httpx.AsyncClient]]


def assign(client: httpx.AsyncClient, review_id: str, **members: Any) -> Any:
    return client.put(f"/reviews/{review_id}/assignees", json={**NOBODY, **members})


def respond(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/response", json={"response": "approved"})


def holder(workspace: Workspace, link: str) -> httpx.AsyncClient:
    return workspace.client(**{"x-review-token": httpx.URL(link).params["token"]})


async def pending(workspace: Workspace, **members: Any) -> str:
    return (await workspace.request(await workspace.make_form(), **members))["reviewId"]


async def history(workspace: Workspace, review_id: str, *actions: str) -> list[dict[str, Any]]:
    entries = (await assert_ok(workspace.agent.get(f"/reviews/{review_id}/history")))["items"]
    return [entry for entry in entries if not actions or entry["action"] in actions]


async def row(workspace: Workspace, review_id: str) -> dict[str, Any]:
    review = await workspace.review(review_id)
    rows = (await assert_ok(workspace.agent.get("/reviews", params={"formId": review["formId"]})))["items"]
    return next(candidate for candidate in rows if candidate["reviewId"] == review_id)


async def make_group(workspace: Workspace, *members: dict[str, Any]) -> str:
    body = {"name": unique("asked"), "members": [member["email"] for member in members]}
    return (await assert_ok(workspace.owner.post("/groups", json=body)))["groupId"]


class TestReplace:
    async def test_members_groups_and_external_reviewers(self, workspace: Workspace, people: People) -> None:
        (editor, _), (reviewer, client) = people["editor"], people["reviewer"]
        group = await make_group(workspace, editor)
        review_id = await pending(workspace, assignTo=[reviewer["email"]])
        wanted = {"users": [editor["email"]], "groups": [group], "external": ["ann@example.org"]}
        result = await assert_ok(assign(client, review_id, **wanted, note="Not mine"))
        assert result["assignedTo"] == wanted
        assert result["mayDecide"] is False
        [link] = result["extReviewerLinks"]
        assert link["email"] == "ann@example.org"
        assert (await assert_ok(holder(workspace, link["link"]).get(f"/reviews/{review_id}")))["reviewId"] == review_id
        shown = await row(workspace, review_id)
        assert set(shown["assigneeIds"]) == {editor["userId"], group}
        assert shown["external"] is True
        assert "extReviewerLinks" not in await workspace.review(review_id), "a link is shown once"
        [entry] = await history(workspace, review_id, "review.assigned")
        assert entry["actor"]["name"] == reviewer["email"]
        assert entry["details"] == {
            "from": {"users": [reviewer["email"]], "groups": [], "external": []},
            "to": wanted,
            "note": "Not mine",
        }
        assert "ext_" not in str(entry)

    async def test_duplicates_are_removed(self, workspace: Workspace, people: People) -> None:
        editor, _ = people["editor"]
        group = await make_group(workspace)
        review_id = await pending(workspace)
        result = await assert_ok(
            assign(
                workspace.owner,
                review_id,
                users=[editor["email"], editor["email"].upper()],
                groups=[group, group],
                external=["Ann@Example.org", "ann@example.org"],
            )
        )
        assert result["assignedTo"] == {"users": [editor["email"]], "groups": [group], "external": ["ann@example.org"]}
        assert len(result["extReviewerLinks"]) == 1

    async def test_no_reviewers(self, workspace: Workspace, people: People) -> None:
        """Then any reviewer can decide it."""
        _, client = people["editor"]
        review_id = await pending(workspace, assignTo=[people["reviewer"][0]["email"]], extReviewers=["a@example.org"])
        await assert_error(respond(client, review_id), 403, "not_assigned")
        result = await assert_ok(assign(workspace.owner, review_id))
        assert result["assignedTo"] == NOBODY
        assert "extReviewerLinks" not in result
        form_id = result["formId"]
        reviews = await assert_ok(workspace.agent.get("/reviews", params={"formId": form_id, "assignedTo": "nobody"}))
        assert [review["reviewId"] for review in reviews["items"]] == [review_id]
        await assert_ok(respond(client, review_id))

    async def test_no_change_is_not_logged(self, workspace: Workspace, people: People) -> None:
        email = people["editor"][0]["email"]
        review_id = await pending(workspace, assignTo=[email])
        await assert_ok(assign(workspace.owner, review_id, users=[email]))
        assert await history(workspace, review_id, "review.assigned") == []
        await assert_ok(assign(workspace.owner, review_id, users=[email], note="You, really"))
        assert len(await history(workspace, review_id, "review.assigned")) == 1

    async def test_during_a_retry(self, workspace: Workspace, people: People) -> None:
        """The new reviewers see it in their lists in that state."""
        person, client = await workspace.make_person()
        review_id = await pending(workspace)
        await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter"}))
        await assert_ok(assign(workspace.owner, review_id, users=[person["email"]]))

        async def mine(**params: Any) -> list[str]:
            reviews = await assert_ok(client.get("/reviews", params={"assignedTo": "me", **params}))
            return [review["reviewId"] for review in reviews["items"]]

        assert await mine(retryRequested=True) == [review_id]
        assert await mine(retryRequested=False) == []
        assert (await assert_ok(client.get("/inbox/counts")))["views"]["mine"] == 0

    async def test_by_an_update_of_the_agent(self, workspace: Workspace, people: People) -> None:
        """The history shows it as well. The user who has taken the review keeps it."""
        (editor, client), (reviewer, _) = people["editor"], people["reviewer"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form, assignTo=[editor["email"]]))["reviewId"]
        await assert_ok(client.post(f"/reviews/{review_id}/take"))
        await workspace.request(form, updateForReviewId=review_id)
        assert (await workspace.review(review_id))["takenBy"]["userId"] == editor["userId"]
        await assert_ok(client.post(f"/reviews/{review_id}/handBack"))
        await workspace.request(form, updateForReviewId=review_id, assignTo=[reviewer["email"]])
        review = await workspace.review(review_id)
        assert review["assignedTo"]["users"] == [reviewer["email"]]
        [entry] = await history(workspace, review_id, "review.assigned")
        assert entry["actor"]["kind"] == "key"
        assert entry["details"]["to"]["users"] == [reviewer["email"]]


class TestLinks:
    async def test_remaining_reviewers_keep_their_link(self, workspace: Workspace) -> None:
        review = await workspace.request(
            await workspace.make_form(), extReviewers=["ann@example.org", "bob@example.org"]
        )
        review_id = review["reviewId"]
        ann, bob = (holder(workspace, link["link"]) for link in review["extReviewerLinks"])
        result = await assert_ok(assign(workspace.owner, review_id, external=["ann@example.org", "cem@example.org"]))
        assert [link["email"] for link in result["extReviewerLinks"]] == ["cem@example.org"]
        await assert_ok(ann.get(f"/reviews/{review_id}"))
        await assert_error(bob.get(f"/reviews/{review_id}"), 410, "link_reassigned")
        await assert_error(respond(bob, review_id), 410, "link_reassigned")
        result = await assert_ok(assign(workspace.owner, review_id, external=["bob@example.org"]))
        [again] = result["extReviewerLinks"]
        await assert_error(bob.get(f"/reviews/{review_id}"), 410, "link_reassigned")
        await assert_error(ann.get(f"/reviews/{review_id}"), 410, "link_reassigned")
        await assert_ok(respond(holder(workspace, again["link"]), review_id))
        assert (await workspace.review(review_id))["reviewResult"]["respondingUser"] == "bob@example.org"

    async def test_expired_links_are_renewed(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        review_id = review["reviewId"]
        old = holder(workspace, review["extReviewerLinks"][0]["link"])
        await db.execute(
            "update external_reviewers set expires_at = now() - interval '1 second' where review_id = $1", review_id
        )
        result = await assert_ok(assign(workspace.owner, review_id, external=["ann@example.org"]))
        await assert_error(old.get(f"/reviews/{review_id}"), 410, "link_expired")
        await assert_ok(holder(workspace, result["extReviewerLinks"][0]["link"]).get(f"/reviews/{review_id}"))
        assert (await workspace.review(review_id))["assignedTo"]["external"] == ["ann@example.org"]

    async def test_many(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        emails = [f"{number}@example.org" for number in range(50)]
        result = await assert_ok(assign(workspace.owner, review_id, external=emails))
        assert [link["email"] for link in result["extReviewerLinks"]] == emails
        assert len({link["link"] for link in result["extReviewerLinks"]}) == 50
        await assert_error(assign(workspace.owner, review_id, external=[*emails, "50@example.org"]), 422)


class TestRefused:
    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "users"),
            ({"users": [], "groups": []}, "external"),
            ({**NOBODY, "users": None}, "users"),
            ({**NOBODY, "users": "ann@example.com"}, "users"),
            ({**NOBODY, "users": ["no address"]}, "users[0]"),
            ({**NOBODY, "users": ["nobody@example.com"]}, "users[0]"),
            ({**NOBODY, "groups": ["grp_unknown"]}, "groups[0]"),
            ({**NOBODY, "groups": [7]}, "groups[0]"),
            ({**NOBODY, "groups": ["g" * 129]}, "groups[0]"),
            ({**NOBODY, "groups": ["grp"] * 201}, "groups"),
            ({**NOBODY, "external": ["no address"]}, "external[0]"),
            ({**NOBODY, "external": [None]}, "external[0]"),
            ({**NOBODY, "note": ""}, "note"),
            ({**NOBODY, "note": "n" * 10_001}, "note"),
            ({**NOBODY, "assignTo": []}, "assignTo"),
        ],
    )
    async def test_bad_body(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        review_id = await pending(workspace)
        problem = await assert_error(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body), 422, "invalid")
        error_at(problem, path)
        assert await history(workspace, review_id, "review.assigned") == []

    async def test_error_names_every_unknown_reviewer(
        self, workspace: Workspace, other_workspace: Workspace, people: People
    ) -> None:
        gone, _ = await workspace.make_person()
        await assert_ok(workspace.owner.delete(f"/users/{gone['userId']}"))
        foreign, _ = await other_workspace.make_person()
        group = await make_group(other_workspace)
        review_id = await pending(workspace)
        users = [people["editor"][0]["email"], gone["email"], foreign["email"]]
        problem = await assert_error(assign(workspace.owner, review_id, users=users, groups=[group]), 422)
        assert {error["path"]: error["code"] for error in problem["errors"]} == {
            "users[1]": "unknown_member",
            "users[2]": "unknown_member",
            "groups[0]": "unknown_group",
        }
        assert (await workspace.review(review_id))["assignedTo"] == NOBODY

    async def test_who_may(self, workspace: Workspace, people: People) -> None:
        """Its reviewers and admins; any reviewer if it has none."""
        reviewer, review = people["reviewer"]
        free = await pending(workspace)
        await assert_error(assign(people["viewer"][1], free), 403, "forbidden")
        await assert_ok(assign(people["editor"][1], free, users=[reviewer["email"]]))
        await assert_error(assign(people["editor"][1], free), 403, "not_assigned")
        await assert_ok(assign(review, free, users=[reviewer["email"], people["editor"][0]["email"]]))
        await assert_ok(assign(people["editor"][1], free, users=[reviewer["email"]]))
        await assert_ok(assign(people["admin"][1], free, external=["ann@example.org"]))
        await assert_error(assign(review, free), 403, "not_assigned")

    async def test_not_by_keys_and_links(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        outside = holder(workspace, review["extReviewerLinks"][0]["link"])
        for client in (workspace.agent, workspace.manager, outside):
            for call in (
                assign(client, review["reviewId"]),
                client.post(f"/reviews/{review['reviewId']}/take"),
                client.post(f"/reviews/{review['reviewId']}/handBack"),
            ):
                await assert_error(call, 403, "forbidden")
        await assert_error(assign(workspace.public, review["reviewId"]), 401)

    async def test_decided_or_unknown(self, workspace: Workspace, other_workspace: Workspace) -> None:
        review_id = await pending(workspace)
        await assert_error(assign(other_workspace.owner, review_id), 404, "not_found")
        await assert_error(assign(workspace.owner, "rev_unknown"), 404, "not_found")
        await workspace.decide(review_id)
        problem = await assert_error(
            assign(workspace.owner, review_id, external=["a@example.org"]), 409, "already_responded"
        )
        assert problem["response"] == "approved"


class TestAtTheSameMoment:
    async def test_reassigned_and_decided(self, workspace: Workspace) -> None:
        """Either the former reviewer decided it, or it was reassigned; never both."""
        form = await workspace.make_form()
        outcomes: set[str] = set()
        for turn in range(12):
            created_review = await workspace.request(form, extReviewers=["ann@example.org"])
            review_id = created_review["reviewId"]
            outside = holder(workspace, created_review["extReviewerLinks"][0]["link"])
            calls = [respond(outside, review_id), assign(workspace.owner, review_id, external=["bob@example.org"])]
            if turn % 2:
                calls.reverse()
            responses = await asyncio.gather(*calls)
            decided, assigned = responses[:: -1 if turn % 2 else 1]
            review = await workspace.review(review_id)
            if decided.status_code == 200:
                assert (assigned.status_code, assigned.json()["code"]) == (409, "already_responded")
                assert review["reviewResult"]["respondingUser"] == "ann@example.org"
                outcomes.add("decided")
            else:
                assert (decided.status_code, decided.json()["code"]) == (410, "link_reassigned")
                assert assigned.status_code == 200
                assert review["state"] == "pending"
                outcomes.add("reassigned")
        assert outcomes

    async def test_link_ends_while_its_response_waits(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """The response came through a valid link and waits for the lock on the review's row, held by a reassignment."""
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        review_id = review["reviewId"]
        outside = holder(workspace, review["extReviewerLinks"][0]["link"])
        async with db.transaction():
            await db.execute("select from reviews where review_id = $1 for update", review_id)
            pending_response = asyncio.create_task(respond(outside, review_id))
            while not await db.fetchval(  # noqa: ASYNC110 - the database rings no bell
                "select exists (select from pg_stat_activity where wait_event = 'transactionid')"
            ):
                await asyncio.sleep(0.01)
            await db.execute(
                "update external_reviewers set ended = 'reassigned', ended_at = now() where review_id = $1", review_id
            )
            await db.execute("update reviews set updated_at = now() where review_id = $1", review_id)
        await assert_error(pending_response, 410, "link_reassigned")
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_concurrent_reassignments(self, workspace: Workspace, people: People) -> None:
        """The last one applies as a whole: two changes are never mixed."""
        review_id = await pending(workspace)
        wishes = [
            {"users": [people[role][0]["email"]], "external": [f"{role}{number}@example.org"]}
            for number in range(3)
            for role in people
        ]
        await asyncio.gather(*(assert_ok(assign(workspace.owner, review_id, **wish)) for wish in wishes))
        assert (await workspace.review(review_id))["assignedTo"] in [{**NOBODY, **wish} for wish in wishes]
        entries = await history(workspace, review_id, "review.assigned")
        assert len(entries) == len(wishes)
        for before, after in itertools.pairwise(entries):
            assert before["details"]["to"] == after["details"]["from"]


class TestGroups:
    async def test_current_members_can_decide(self, workspace: Workspace, people: People) -> None:
        (editor, first), (reviewer, second) = people["editor"], people["reviewer"]
        group = await make_group(workspace, editor)
        review_id = await pending(workspace)
        await assert_ok(assign(workspace.owner, review_id, groups=[group]))
        assert (await assert_ok(first.get(f"/reviews/{review_id}")))["mayDecide"] is True
        assert (await assert_ok(second.get(f"/reviews/{review_id}")))["mayDecide"] is False
        await assert_ok(workspace.owner.patch(f"/groups/{group}", json={"members": [reviewer["email"]]}))
        await assert_error(respond(first, review_id), 403, "not_assigned")
        await assert_ok(respond(second, review_id))

    async def test_group_of_a_claimed_review_can_not_be_deleted(self, workspace: Workspace, people: People) -> None:
        editor, client = people["editor"]
        group = await make_group(workspace, editor)
        review_id = await pending(workspace, assignToGroups=[group])
        await assert_ok(client.post(f"/reviews/{review_id}/take"))
        await assert_error(workspace.owner.delete(f"/groups/{group}"), 409, "group_in_use")
        await assert_ok(respond(client, review_id))
        await assert_ok(workspace.owner.delete(f"/groups/{group}"))
