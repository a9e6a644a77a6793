"""Taking a review assigns it to one member; handing it back restores the assignees."""

import asyncio
from typing import Any

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, unique

People = dict[str, tuple[dict[str, Any], httpx.AsyncClient]]


def take(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/take")


def hand_back(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/handBack")


def respond(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/response", json={"response": "approved"})


async def pending(workspace: Workspace, **members: Any) -> str:
    return (await workspace.request(await workspace.make_form(), **members))["reviewId"]


async def rows(client: httpx.AsyncClient, review: dict[str, Any], **params: Any) -> list[dict[str, Any]]:
    return (await assert_ok(client.get("/reviews", params={"formId": review["formId"], **params})))["items"]


async def actions(workspace: Workspace, review_id: str) -> list[str]:
    entries = (await assert_ok(workspace.agent.get(f"/reviews/{review_id}/history")))["items"]
    return [entry["action"] for entry in entries[1:]]


class TestTake:
    async def test_assigns_only_the_user(self, workspace: Workspace, people: People) -> None:
        (editor, first), (_, second) = people["editor"], people["reviewer"]
        review_id = await pending(workspace)
        review = await assert_ok(take(first, review_id))
        assert review["takenBy"].pop("at") >= review["createdAt"]
        assert review["takenBy"] == {"userId": editor["userId"], "name": editor["name"], "email": editor["email"]}
        assert review["assignedTo"] == {"users": [editor["email"]], "groups": [], "external": []}
        assert review["mayDecide"] is True
        assert (await assert_ok(second.get(f"/reviews/{review_id}")))["mayDecide"] is False
        await assert_error(respond(second, review_id), 403, "not_assigned")
        [row] = await rows(first, review, assignedTo="me")
        assert row["takenBy"] == editor["userId"]
        assert await rows(second, review, assignedTo="nobody") == []
        decided = await assert_ok(respond(first, review_id))
        assert decided["reviewResult"]["respondingUser"] == editor["email"]
        assert await actions(workspace, review_id) == ["review.taken", "review.approved"]

    async def test_from_other_reviewers(self, workspace: Workspace, people: People) -> None:
        (editor, first), (reviewer, second) = people["editor"], people["reviewer"]
        review_id = await pending(workspace, assignTo=[editor["email"], reviewer["email"]])
        review = await assert_ok(take(first, review_id))
        assert await rows(second, review, assignedTo="me") == []
        await assert_error(respond(second, review_id), 403, "not_assigned")
        problem = await assert_error(take(second, review_id), 409, "already_taken")
        assert problem["takenBy"]["userId"] == editor["userId"]
        assert editor["email"] in problem["detail"]

    async def test_by_a_member_of_the_group(self, workspace: Workspace, people: People) -> None:
        person, client = people["reviewer"]
        body = {"name": unique("takers"), "members": [person["email"]]}
        group = (await assert_ok(workspace.owner.post("/groups", json=body)))["groupId"]
        review_id = await pending(workspace, assignToGroups=[group])
        await assert_error(take(people["editor"][1], review_id), 403, "not_assigned")
        review = await assert_ok(take(client, review_id))
        assert review["assignedTo"]["groups"] == []
        assert (await rows(client, review, assignedTo="myGroups")) == []
        review = await assert_ok(hand_back(client, review_id))
        assert review["assignedTo"] == {"users": [], "groups": [group], "external": []}

    async def test_twice_by_the_same(self, workspace: Workspace, people: People) -> None:
        _, client = people["editor"]
        review_id = await pending(workspace)
        first = await assert_ok(take(client, review_id))
        assert await assert_ok(take(client, review_id)) == first
        assert await actions(workspace, review_id) == ["review.taken"]

    async def test_admins_can_decide_but_not_take_it(self, workspace: Workspace, people: People) -> None:
        review_id = await pending(workspace)
        await assert_ok(take(people["editor"][1], review_id))
        await assert_error(take(people["admin"][1], review_id), 409, "already_taken")
        assert (await assert_ok(people["admin"][1].get(f"/reviews/{review_id}")))["mayDecide"] is True
        await assert_ok(respond(people["admin"][1], review_id))

    async def test_external_reviewers_stay_assigned(self, workspace: Workspace, people: People) -> None:
        editor, client = people["editor"]
        created_review = await workspace.request(
            await workspace.make_form(), assignTo=[editor["email"]], extReviewers=["ann@example.org"]
        )
        review_id = created_review["reviewId"]
        token = httpx.URL(created_review["extReviewerLinks"][0]["link"]).params["token"]
        outside = workspace.client(**{"x-review-token": token})
        review = await assert_ok(take(client, review_id))
        assert review["assignedTo"]["external"] == ["ann@example.org"]
        assert "takenBy" not in await assert_ok(outside.get(f"/reviews/{review_id}")), (
            "who else is asked is not for them"
        )
        await assert_ok(respond(outside, review_id))

    async def test_refused(self, workspace: Workspace, other_workspace: Workspace, people: People) -> None:
        assigned = await pending(workspace, assignTo=[people["reviewer"][0]["email"]])
        await assert_error(take(people["editor"][1], assigned), 403, "not_assigned")
        await assert_error(take(people["viewer"][1], assigned), 403, "forbidden")
        await assert_error(take(workspace.agent, assigned), 403, "forbidden")
        await assert_error(take(workspace.public, assigned), 401)
        for client, review_id in ((other_workspace.owner, assigned), (workspace.owner, "rev_unknown")):
            await assert_error(take(client, review_id), 404, "not_found")
            await assert_error(hand_back(client, review_id), 404, "not_found")
        await workspace.decide(assigned)
        await assert_error(take(people["reviewer"][1], assigned), 409, "already_responded")
        await assert_error(hand_back(people["reviewer"][1], assigned), 409, "already_responded")

    async def test_leaves_nothing_behind_when_deleted(self, workspace: Workspace, people: People) -> None:
        editor, client = people["editor"]
        review_id = await pending(workspace, assignTo=[editor["email"]])
        await assert_ok(take(client, review_id))
        await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        await assert_error(hand_back(client, review_id), 404, "not_found")


class TestHandBack:
    async def test_restores_the_reviewers(self, workspace: Workspace, people: People) -> None:
        (editor, first), (reviewer, second) = people["editor"], people["reviewer"]
        group = (await assert_ok(workspace.owner.post("/groups", json={"name": unique("before")})))["groupId"]
        for before in (
            {"users": [], "groups": [], "external": []},
            {"users": sorted([editor["email"], reviewer["email"]]), "groups": [group], "external": ["ann@example.org"]},
        ):
            review_id = await pending(
                workspace,
                assignTo=before["users"],
                assignToGroups=before["groups"],
                extReviewers=before["external"],
            )
            await assert_ok(take(first, review_id))
            review = await assert_ok(hand_back(first, review_id))
            assert review["assignedTo"] == before
            assert "takenBy" not in review
            [row] = await rows(first, review)
            assert "takenBy" not in row
            entries = (await assert_ok(workspace.agent.get(f"/reviews/{review_id}/history")))["items"]
            taken, back = entries[1:]
            own = {"users": [editor["email"]], "groups": [], "external": before["external"]}
            assert (taken["action"], taken["details"]) == ("review.taken", {"from": before, "to": own})
            assert (back["action"], back["details"]) == ("review.handed_back", {"from": own, "to": before})
            await assert_ok(take(second, review_id))

    async def test_only_by_its_holder(self, workspace: Workspace, people: People) -> None:
        """Another page may not know yet that someone else took it."""
        (_, first), (reviewer, second) = people["editor"], people["reviewer"]
        review_id = await pending(workspace)
        await assert_error(hand_back(first, review_id), 409, "not_taken")
        await assert_ok(take(first, review_id))
        await assert_ok(hand_back(first, review_id))
        await assert_error(hand_back(first, review_id), 409, "not_taken")
        await assert_ok(take(second, review_id))
        problem = await assert_error(hand_back(first, review_id), 409, "already_taken")
        assert problem["takenBy"]["userId"] == reviewer["userId"]
        await assert_error(hand_back(people["admin"][1], review_id), 409, "already_taken")
        assert (await workspace.review(review_id))["takenBy"]["userId"] == reviewer["userId"]

    async def test_after_a_reassignment(self, workspace: Workspace, people: People) -> None:
        (editor, first), (reviewer, _) = people["editor"], people["reviewer"]
        review_id = await pending(workspace, assignTo=[editor["email"]])
        await assert_ok(take(first, review_id))
        body = {"users": [reviewer["email"]], "groups": [], "external": []}
        review = await assert_ok(first.put(f"/reviews/{review_id}/assignees", json=body))
        assert "takenBy" not in review
        await assert_error(hand_back(first, review_id), 409, "not_taken")
        assert (await workspace.review(review_id))["assignedTo"]["users"] == [reviewer["email"]]

    @pytest.mark.parametrize("change", [{"disabled": True}, {"role": "viewer"}])
    @pytest.mark.parametrize("asked", ["nobody", "a group", "the taker and another"])
    async def test_automatic_if_the_holder_can_no_longer_decide(
        self, workspace: Workspace, people: People, change: dict[str, Any], asked: str
    ) -> None:
        editor, other = people["editor"]
        person, client = await workspace.make_person()
        both = [person["email"], editor["email"]]
        members: dict[str, Any] = {"assignTo": both} if asked == "the taker and another" else {}
        if asked == "a group":
            group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group"), "members": both}))
            members = {"assignToGroups": [group["groupId"]]}
        review_id = await pending(workspace, **members)
        before = (await workspace.review(review_id))["assignedTo"]
        await assert_ok(take(client, review_id))
        await assert_error(respond(other, review_id), 403, "not_assigned")
        await assert_ok(workspace.owner.patch(f"/users/{person['userId']}", json=change))
        review = await workspace.review(review_id)
        assert "takenBy" not in review
        assert review["assignedTo"] == before
        assert (await actions(workspace, review_id))[-1] == "review.handed_back"
        await assert_ok(respond(other, review_id))


class TestAtTheSameMoment:
    async def test_concurrent_takes(self, workspace: Workspace, people: People) -> None:
        form = await workspace.make_form()
        for _ in range(10):
            review_id = (await workspace.request(form))["reviewId"]
            who = [people["editor"], people["reviewer"], people["admin"]]
            results = await asyncio.gather(*(take(client, review_id) for _, client in who))
            winners = [
                person["userId"]
                for (person, _), response in zip(who, results, strict=True)
                if response.status_code == 200
            ]
            assert [(result.status_code, result.json()["code"]) for result in results if result.status_code != 200] == [
                (409, "already_taken")
            ] * 2
            review = await workspace.review(review_id)
            assert [review["takenBy"]["userId"]] == winners
            assert await actions(workspace, review_id) == ["review.taken"]

    async def test_taken_and_decided(self, workspace: Workspace, people: People) -> None:
        (_, first), (_, second) = people["editor"], people["reviewer"]
        form = await workspace.make_form()
        for turn in range(10):
            review_id = (await workspace.request(form))["reviewId"]
            calls = [take(first, review_id), respond(second, review_id)]
            if turn % 2:
                calls.reverse()
            responses = await asyncio.gather(*calls)
            taken, decided = responses[:: -1 if turn % 2 else 1]
            statuses = taken.status_code, decided.status_code
            assert statuses in {(200, 403), (409, 200)}
            review = await workspace.review(review_id)
            assert ("takenBy" in review) == (statuses == (200, 403))
            assert review["state"] == ("pending" if statuses == (200, 403) else "responded")

    async def test_handed_back_and_taken(self, workspace: Workspace, people: People) -> None:
        """In either order, nobody loses a review after a success response."""
        (_, first), (reviewer, second) = people["editor"], people["reviewer"]
        form = await workspace.make_form()
        for _ in range(8):
            review_id = (await workspace.request(form))["reviewId"]
            await assert_ok(take(first, review_id))
            back, taken = await asyncio.gather(hand_back(first, review_id), take(second, review_id))
            assert back.status_code == 200
            holder = (await workspace.review(review_id)).get("takenBy", {}).get("userId")
            assert holder == (reviewer["userId"] if taken.status_code == 200 else None)
