"""`POST /reviews/{reviewId}/response`: who can decide, how values are validated, and who is first."""

import asyncio
from typing import Any

import asyncpg
import httpx
import pytest
from review_fields import as_agents_see
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver

RULED: dict[str, Any] = {
    **FORM,
    "fields": [*FORM["fields"], {"id": "reason", "type": "text", "required": True}],
    "rules": [
        *FORM["rules"],
        {
            "target": "reason",
            "effect": "hide",
            "when": {"field": "score.value", "operation": "greaterThan", "value": 5},
        },
    ],
}
TRIGGER: dict[str, Any] = {
    "trigger": True,
    "fields": [{"id": "topic", "type": "text", "required": True}],
    "titleField": None,
    "layout": None,
    "rules": None,
}


async def respond(client: httpx.AsyncClient, review_id: str, **body: Any) -> httpx.Response:
    return await client.post(f"/reviews/{review_id}/response", json={"response": "approved", **body})


async def pending(workspace: Workspace, form: dict[str, Any] | None = None, **members: Any) -> str:
    review = await workspace.request(form or await workspace.make_form(), **members)
    return review["reviewId"]


class TestIdempotency:
    async def test_repeated_request(self, workspace: Workspace) -> None:
        review_id, other = await pending(workspace), await pending(workspace)
        headers = {"Idempotency-Key": unique("key")}
        body = {"response": "approved", "data": {"draft": {"headline": "Mine"}}}
        path = f"/reviews/{review_id}/response"
        first = await assert_ok(workspace.owner.post(path, json=body, headers=headers))
        again = await assert_ok(workspace.owner.post(path, json=body, headers=headers))
        assert again["reviewResult"] == first["reviewResult"]
        problem = await assert_error(workspace.owner.post(path, json={"response": "approved"}, headers=headers), 409)
        assert problem["code"] == "idempotency_key_reused"
        # Without the key, it's another decision. Each member and each review has its own keys.
        await assert_error(workspace.owner.post(path, json=body), 409, "already_responded")
        _, colleague = await workspace.make_person()
        await assert_error(colleague.post(path, json=body, headers=headers), 409, "already_responded")
        await assert_ok(workspace.owner.post(f"/reviews/{other}/response", json=body, headers=headers))

    async def test_concurrent_requests(self, workspace: Workspace) -> None:
        path = f"/reviews/{await pending(workspace)}/response"
        headers = {"Idempotency-Key": unique("key")}
        decided = await asyncio.gather(
            *(assert_ok(workspace.owner.post(path, json={"response": "approved"}, headers=headers)) for _ in range(8))
        )
        assert len({str(review["reviewResult"]) for review in decided}) == 1

    async def test_rejected_request_does_not_use_the_key(self, workspace: Workspace) -> None:
        path = f"/reviews/{await pending(workspace)}/response"
        headers = {"Idempotency-Key": unique("key")}
        await assert_error(
            workspace.owner.post(path, json={"response": "approved", "revision": 7}, headers=headers), 409
        )
        await assert_ok(workspace.owner.post(path, json={"response": "approved"}, headers=headers))


def link_holder(workspace: Workspace, link: str) -> httpx.AsyncClient:
    """A client with only the token of an external link."""
    return workspace.client(**{"x-review-token": httpx.URL(link).params["token"]})


class Decision:
    """A review that sends its result to a receiver, so that a test can check what the agent got."""

    def __init__(self, workspace: Workspace, receiver: Receiver) -> None:
        self.workspace = workspace
        self.receiver = receiver
        self.path = "/" + unique("decision")

    async def ask(self, form: dict[str, Any] | None = None, **members: Any) -> str:
        return await pending(self.workspace, form, webhookUrl=self.receiver.url + self.path, **members)

    async def event(self) -> dict[str, Any]:
        [call] = await self.receiver.wait_for(self.path)
        return call.json


@pytest.fixture
def decision(workspace: Workspace, receiver: Receiver) -> Decision:
    return Decision(workspace, receiver)


class TestValues:
    async def test_untouched(self, workspace: Workspace, decision: Decision) -> None:
        review_id = await decision.ask()
        review = await workspace.decide(review_id)
        assert review["reviewResult"]["data"] == DATA
        event = await decision.event()
        assert event["reviewResult"]["responseValues"] == {
            "headline": {"value": "Autumn news", "wasEdited": False},
            "body": {"value": "Leaves fall.", "wasEdited": False},
            "score": {"value": 7, "wasEdited": False},
            "channel": {"value": None},
            "tags": {"value": []},
        }
        assert event["reviewResult"]["approvedArguments"] == DATA

    async def test_arguments_are_returned_as_sent(self, workspace: Workspace, decision: Decision) -> None:
        sent = {**DATA, "tags": ["a"], "own": {"not": ["mapped", None]}}
        review_id = await decision.ask(data=sent)
        review = await workspace.decide(review_id, data={"score": 8, "channel": "mail"})
        result = review["reviewResult"]
        assert result["changed"] == ["score", "channel"]
        assert result["approvedArguments"] == {**sent, "score": 8, "channel": "mail"}
        assert result["data"]["tags"] == [{"id": "a", "label": "A"}]
        event = (await decision.event())["reviewResult"]
        assert {name: event[name] for name in result} == result
        assert (await workspace.review(review_id))["reviewResult"] == result

    async def test_edits(self, workspace: Workspace, decision: Decision) -> None:
        review_id = await decision.ask()
        data = {"draft": {"headline": "Winter news"}, "body": "Leaves fall.", "score": 7.0}
        review = await workspace.decide(review_id, data=data)
        assert review["data"] == DATA
        assert review["reviewResult"]["data"] == {**DATA, "draft": {"headline": "Winter news"}}
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert values["headline"] == {"value": "Winter news", "wasEdited": True}
        assert values["body"]["wasEdited"] is False
        assert values["score"] == {"value": 7, "wasEdited": False}

    async def test_white_space_is_a_change(self, workspace: Workspace, decision: Decision) -> None:
        await workspace.decide(await decision.ask(), data={"body": "Leaves fall. "})
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert values["body"] == {"value": "Leaves fall. ", "wasEdited": True}
        assert values["headline"]["wasEdited"] is False

    async def test_omitted_fields_stay(self, workspace: Workspace, decision: Decision) -> None:
        review_id = await decision.ask(data={**DATA, "extra": [1]})
        review = await workspace.decide(review_id, data={"score": 9})
        assert review["reviewResult"]["data"] == {**DATA, "score": 9, "extra": [1]}

    async def test_null_clears(self, workspace: Workspace, decision: Decision) -> None:
        review = await workspace.decide(await decision.ask(), data={"body": None, "score": None})
        assert review["reviewResult"]["data"] == {"draft": {"headline": "Autumn news"}, "body": "", "score": None}
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert values["body"] == {"value": "", "wasEdited": True}
        assert values["score"] == {"value": None, "wasEdited": True}

    async def test_choices(self, workspace: Workspace, decision: Decision) -> None:
        review = await workspace.decide(await decision.ask(), data={"channel": "mail", "tags": ["b", "a"]})
        assert review["reviewResult"]["data"]["channel"] == "mail"
        assert sorted(review["reviewResult"]["data"]["tags"], key=str) == [
            {"id": "a", "label": "A"},
            {"id": "b", "label": "B"},
        ]
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert values["channel"] == {"value": "mail"}
        assert set(values["tags"]) == {"value"}
        assert sorted(values["tags"]["value"], key=str) == [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]

    async def test_choices_of_the_request(self, workspace: Workspace, decision: Decision) -> None:
        offer = {"options": [{"id": "x", "label": "Ex"}, {"id": "y", "label": "Why"}], "default": "x"}
        review_id = await decision.ask(data={**DATA, "channel": offer, "tags": {**offer, "default": None}})
        await assert_error(respond(workspace.owner, review_id, data={"channel": "mail"}), 422)
        review = await workspace.decide(review_id, data={"channel": "y", "tags": ["x"]})
        assert review["data"]["channel"] == offer
        assert review["reviewResult"]["data"]["channel"] == "y"
        assert review["reviewResult"]["data"]["tags"] == [{"id": "x", "label": "Ex"}]

    async def test_preselected_choice(self, workspace: Workspace, decision: Decision) -> None:
        review = await workspace.decide(await decision.ask(data={**DATA, "channel": "blog", "tags": ["a"]}))
        assert review["reviewResult"]["data"]["channel"] == "blog"
        assert review["reviewResult"]["data"]["tags"] == [{"id": "a", "label": "A"}]

    async def test_whole_data_sent_back(self, workspace: Workspace, decision: Decision) -> None:
        data = {**DATA, "extra": {"kept": None}, "tags": {"options": [{"id": "x", "label": "X"}]}}
        review_id = await decision.ask(data=data)
        review = await workspace.decide(review_id, data={**data, "body": "New"})
        assert review["reviewResult"]["data"]["extra"] == {"kept": None}
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert {name for name, entry in values.items() if entry.get("wasEdited")} == {"body"}


class TestValidation:
    async def test_approval_keeps_the_limits(self, workspace: Workspace) -> None:
        review_id = await pending(workspace, data={"draft": {"headline": ""}, "body": "x", "score": 11})
        problem = await assert_error(respond(workspace.owner, review_id), 422, "invalid")
        assert {error["path"] for error in problem["errors"]} == {"data.draft.headline", "data.score"}
        assert (await workspace.review(review_id))["state"] == "pending"
        problem = await assert_error(respond(workspace.owner, review_id, data={"score": 12, "channel": "nothing"}), 422)
        assert {error["path"] for error in problem["errors"]} >= {"data.draft.headline", "data.score", "data.channel"}
        fixed = {"draft": {"headline": "Now"}, "score": 10}
        assert (await workspace.decide(review_id, data=fixed))["reviewResult"]["data"]["score"] == 10

    async def test_rejection_checks_types_only(self, workspace: Workspace) -> None:
        review_id = await pending(workspace, data={"draft": {"headline": ""}, "score": 11})
        problem = await assert_error(respond(workspace.owner, review_id, response="rejected", data={"score": "x"}), 422)
        assert error_at(problem, "data.score")
        assert (await workspace.decide(review_id, "rejected"))["reviewResult"]["response"] == "rejected"

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "response"),
            ({"response": None}, "response"),
            ({"response": "maybe"}, "response"),
            ({"response": "APPROVED"}, "response"),
            ({"response": True}, "response"),
            ({"response": "approved", "data": []}, "data"),
            ({"response": "approved", "data": "x"}, "data"),
            ({"response": "approved", "revision": "1"}, "revision"),
            ({"response": "approved", "revision": True}, "revision"),
            ({"response": "approved", "revision": 0}, "revision"),
            ({"response": "approved", "revision": 1.5}, "revision"),
            ({"response": "approved", "comment": "x"}, "comment"),
            ({"response": "approved", "data": {"nothing": 1}}, "data.nothing"),
            ({"response": "approved", "data": {"draft": {"by": "me"}}}, "data.draft.by"),
            ({"response": "approved", "data": {"draft": "text"}}, "data.draft"),
            ({"response": "approved", "data": {"body": 17}}, "data.body"),
            ({"response": "approved", "data": {"body": "a\0b"}}, "data.body"),
        ],
    )
    async def test_bad_body(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        review_id = await pending(workspace)
        problem = await assert_error(workspace.owner.post(f"/reviews/{review_id}/response", json=body), 422, "invalid")
        assert error_at(problem, path)
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_read_only_field(self, workspace: Workspace, decision: Decision) -> None:
        fields = [{"id": "fixed", "type": "text", "editable": False, "required": True}, {"id": "free", "type": "text"}]
        form = await workspace.make_form(fields=fields, titleField=None, layout=None, rules=None)
        review_id = await decision.ask(form, data={"fixed": "", "free": "y"})
        problem = await assert_error(respond(workspace.owner, review_id, data={"fixed": "changed"}), 422)
        assert error_at(problem, "data.fixed")["code"] == "not_editable"
        review = await workspace.decide(review_id, data={"fixed": "", "free": "z"})
        assert review["reviewResult"]["data"] == {"fixed": "", "free": "z"}

    async def test_field_hidden_by_the_request(self, workspace: Workspace) -> None:
        review_id = await pending(workspace, data={"draft": {"headline": "H"}, "score": None})
        for data in ({"score": 3}, {"body": "x"}):
            problem = await assert_error(respond(workspace.owner, review_id, data=data), 422)
            assert error_at(problem, f"data.{next(iter(data))}")["code"] == "field_not_shown"
        await workspace.decide(review_id, data={"score": None, "body": None})

    async def test_deep_data(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        body = '{"response": "approved", "data": {"body": ' + "[" * 900 + "]" * 900 + "}}"
        await assert_error(workspace.owner.post(f"/reviews/{review_id}/response", content=body), 422)


class TestRules:
    async def test_hidden_is_absent_and_not_validated(self, workspace: Workspace, decision: Decision) -> None:
        form = await workspace.make_form(**RULED)
        review_id = await decision.ask(form, data={**DATA, "reason": "", "channel": "blog"})
        review = await workspace.decide(review_id)
        assert "reason" not in review["reviewResult"]["data"]
        event = await decision.event()
        assert "reason" not in event["reviewResult"]["data"]
        assert "reason" not in event["reviewResult"]["responseValues"]
        assert event["reviewResult"]["responseValues"]["channel"] == {"value": "blog"}

    async def test_rules_use_edited_values(self, workspace: Workspace, decision: Decision) -> None:
        form = await workspace.make_form(**RULED)
        review_id = await decision.ask(form, data={**DATA, "reason": "", "channel": "blog"})
        problem = await assert_error(respond(workspace.owner, review_id, data={"score": 2}), 422)
        assert [error["path"] for error in problem["errors"]] == ["data.reason"]
        review = await workspace.decide(review_id, data={"score": 2, "reason": "Too dull"})
        assert review["reviewResult"]["data"]["reason"] == "Too dull"
        assert "channel" not in review["reviewResult"]["data"]
        values = (await decision.event())["reviewResult"]["responseValues"]
        assert set(values) == {"headline", "body", "score", "reason"}


class TestWhoMayDecide:
    async def test_no_key(self, workspace: Workspace) -> None:
        review_id = await pending(workspace)
        every = await assert_ok(
            workspace.owner.post(
                "/apiKeys", json={"name": "all", "scopes": ["reviews:write", "reviews:read", "manage"]}
            )
        )
        for client in (workspace.agent, workspace.manager, workspace.client(**{"x-api-key": every["apiKey"]})):
            await assert_error(respond(client, review_id), 403, "forbidden")
            await assert_error(client.post(f"/reviews/{review_id}/retry", json={"instructions": "x"}), 403, "forbidden")
        await assert_error(respond(workspace.public, review_id), 401)
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_key_with_a_session_cookie(self, workspace: Workspace, people: dict[str, Any]) -> None:
        """A caller that sends a key acts as that key, also if the cookie belongs to a user."""
        review_id = await pending(workspace)
        _, client = people["reviewer"]
        headers = {"x-api-key": workspace.agent.headers["x-api-key"]}
        call = client.post(f"/reviews/{review_id}/response", json={"response": "approved"}, headers=headers)
        await assert_error(call, 403, "forbidden")

    async def test_another_origin(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review_id = await pending(workspace)
        _, client = people["reviewer"]
        for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
            call = client.post(f"/reviews/{review_id}/response", json={"response": "approved"}, headers=headers)
            await assert_error(call, 403, "cross_origin")

    async def test_viewers_can_not(self, workspace: Workspace, people: dict[str, Any]) -> None:
        viewer, client = people["viewer"]
        review_id = await pending(workspace, assignTo=[viewer["email"]])
        await assert_error(respond(client, review_id), 403, "forbidden")

    async def test_any_reviewer_when_nobody_is_assigned(self, workspace: Workspace, people: dict[str, Any]) -> None:
        for role in ("reviewer", "editor", "admin"):
            person, client = people[role]
            review = await assert_ok(respond(client, await pending(workspace)))
            assert review["reviewResult"]["respondingUser"] == person["email"]
            assert review["reviewResult"]["respondingUserId"] == person["userId"]

    async def test_only_the_assigned_and_admins(self, workspace: Workspace, people: dict[str, Any]) -> None:
        form = await workspace.make_form()
        assigned, client = people["reviewer"]
        for _ in range(2):
            review_id = await pending(workspace, form, assignTo=[assigned["email"]])
            await assert_error(respond(people["editor"][1], review_id), 403, "not_assigned")
            retry = people["editor"][1].post(f"/reviews/{review_id}/retry", json={"instructions": "x"})
            await assert_error(retry, 403, "not_assigned")
            await assert_ok(respond(client, review_id))
            client = people["admin"][1]

    async def test_group_member(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["reviewer"]
        group = await assert_ok(
            workspace.owner.post("/groups", json={"name": unique("g"), "members": [person["email"]]})
        )
        review_id = await pending(workspace, assignToGroups=[group["groupId"]])
        await assert_error(respond(people["editor"][1], review_id), 403, "not_assigned")
        await assert_ok(respond(client, review_id))

    async def test_former_member(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person()
        review_id = await pending(workspace, assignTo=[person["email"]])
        await assert_ok(workspace.owner.delete(f"/users/{person['userId']}"))
        await assert_error(respond(client, review_id), 401)


class TestExternalReviewer:
    async def test_can_read_and_decide_only_their_review(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        created_review = await workspace.request(form, extReviewers=["ann@example.org"])
        other = await workspace.request(form)
        holder = link_holder(workspace, created_review["extReviewerLinks"][0]["link"])
        review_id = created_review["reviewId"]
        shown = await assert_ok(holder.get(f"/reviews/{review_id}"))
        assert shown["data"] == DATA
        await assert_ok(holder.get(f"/reviews/{review_id}/revisions"))
        for place in ("", "/revisions"):
            foreign = await assert_error(holder.get(f"/reviews/{other['reviewId']}{place}"), 404, "not_found")
            unknown = await assert_error(holder.get(f"/reviews/rev_nothing{place}"), 404, "not_found")
            assert foreign["detail"].replace(other["reviewId"], "…") == unknown["detail"].replace("rev_nothing", "…")
        await assert_error(respond(holder, other["reviewId"]), 404, "not_found")
        for method, place in (
            ("GET", "/reviews"),
            ("GET", "/agents"),
            ("GET", f"/reviews/{review_id}/history"),
            ("GET", "/webhooks/deliveries"),
            ("DELETE", f"/reviews/{review_id}"),
        ):
            await assert_error(holder.request(method, place), 403, "forbidden")
        review = await assert_ok(respond(holder, review_id, data={"body": "By Ann"}))
        assert review["reviewResult"]["respondingUser"] == "ann@example.org"
        assert review["reviewResult"]["data"]["body"] == "By Ann"

    async def test_can_not_decide_other_reviews(self, workspace: Workspace, people: dict[str, Any]) -> None:
        """Assigned reviews, also if the assignee is external."""
        review_id = await pending(workspace, extReviewers=["ann@example.org"])
        await assert_error(respond(people["reviewer"][1], review_id), 403, "not_assigned")

    async def test_expired(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        holder = link_holder(workspace, review["extReviewerLinks"][0]["link"])
        await db.execute(
            "update external_reviewers set expires_at = now() - interval '1 second' where review_id = $1",
            review["reviewId"],
        )
        await assert_error(holder.get(f"/reviews/{review['reviewId']}"), 410, "link_expired")
        await assert_error(respond(holder, review["reviewId"]), 410, "link_expired")

    @pytest.mark.parametrize("token", ["", "ext_wrong", "' or true --"])
    async def test_wrong_token(self, workspace: Workspace, token: str) -> None:
        review_id = await pending(workspace, extReviewers=["ann@example.org"])
        client = workspace.client(**{"x-review-token": token})
        await assert_error(client.get(f"/reviews/{review_id}"), 401)
        await assert_error(respond(client, review_id), 401)

    async def test_token_in_the_url_is_not_accepted(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        await assert_error(workspace.public.get(f"/reviews/{review['reviewId']}", params={"token": token}), 401)


class TestRevision:
    async def test_must_be_the_current_one(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_id = await pending(workspace, form)
        await workspace.request(form, data={**DATA, "body": "Newer"}, updateForReviewId=review_id)
        problem = await assert_error(respond(workspace.owner, review_id, revision=1), 409, "content_replaced")
        assert problem["revision"] == 2
        await assert_error(respond(workspace.owner, review_id, revision=3), 409, "content_replaced")
        assert (await workspace.review(review_id))["state"] == "pending"
        review = await assert_ok(respond(workspace.owner, review_id, revision=2))
        assert review["reviewResult"]["data"]["body"] == "Newer"

    async def test_concurrent_update(self, workspace: Workspace) -> None:
        """Either the decision was first and the update is rejected, or vice versa; never both, and neither is lost."""
        form = await workspace.make_form()
        for _ in range(6):
            review_id = await pending(workspace, form)
            body = {"formId": form["formId"], "data": {**DATA, "body": "Newer"}, "updateForReviewId": review_id}
            update, decided = await asyncio.gather(
                workspace.agent.post("/requestReview", json=body),
                respond(workspace.owner, review_id, revision=1),
            )
            assert (update.status_code, decided.status_code) in {(200, 409), (409, 200)}, (update.text, decided.text)
            review = await workspace.review(review_id)
            assert review["state"] == ("responded" if decided.is_success else "pending")
            assert review["revision"] == (2 if update.is_success else 1)


class TestAlreadyResponded:
    async def test_error_has_user_and_time(self, workspace: Workspace, people: dict[str, Any]) -> None:
        review_id = await pending(workspace)
        first = await workspace.decide(review_id, data={"body": "First"})
        _, client = people["reviewer"]
        problem = await assert_error(respond(client, review_id, response="rejected"), 409, "already_responded")
        result = first["reviewResult"]
        assert problem["respondingUser"] == result["respondingUser"]
        assert problem["respondingUserId"] == result["respondingUserId"]
        assert problem["respondedAt"] == result["respondedAt"]
        assert problem["response"] == "approved"
        assert result["respondingUser"] in problem["detail"]
        await assert_error(
            client.post(f"/reviews/{review_id}/retry", json={"instructions": "x"}), 409, "already_responded"
        )
        assert await workspace.review(review_id) == as_agents_see(first)

    async def test_two_concurrent_decisions(
        self, workspace: Workspace, decision: Decision, people: dict[str, Any]
    ) -> None:
        review_id = await decision.ask()
        results = await asyncio.gather(
            respond(people["reviewer"][1], review_id, data={"body": "reviewer"}),
            respond(people["editor"][1], review_id, response="rejected", data={"body": "editor"}),
        )
        assert sorted(response.status_code for response in results) == [200, 409]
        [winner] = [result.json() for result in results if result.is_success]
        [loser] = [answer.json() for answer in results if not answer.is_success]
        assert loser["respondingUser"] == winner["reviewResult"]["respondingUser"]
        assert (await workspace.review(review_id))["reviewResult"] == winner["reviewResult"]

    async def test_a_locked_review_holds_up_no_other(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await workspace.make_form()
        locked, *others = [await pending(workspace, form) for _ in range(6)]
        async with db.transaction():
            await db.execute("select from reviews where review_id = $1 for no key update", locked)
            waiting = asyncio.create_task(respond(workspace.owner, locked))
            await asyncio.gather(*(assert_ok(respond(workspace.owner, review_id)) for review_id in others))
            assert not waiting.done()
        await assert_ok(waiting)

    async def test_reassigned_at_the_same_moment(self, workspace: Workspace, people: dict[str, Any]) -> None:
        """Either the decision or the reassignment is first; nobody decides what they were not asked."""
        form = await workspace.make_form()
        (editor, _), (reviewer, client) = people["editor"], people["reviewer"]
        for _ in range(10):
            review_id = await pending(workspace, form, assignTo=[reviewer["email"]])
            path = f"/reviews/{review_id}/assignees"
            assigned, decided = await asyncio.gather(
                workspace.owner.put(path, json={"users": [editor["email"]], "groups": [], "external": []}),
                respond(client, review_id),
            )
            assert {assigned.status_code, decided.status_code} in ({200, 409}, {200, 403})
            actions = [
                entry["action"]
                for entry in (await assert_ok(workspace.agent.get(f"/reviews/{review_id}/history")))["items"]
            ]
            assert actions[1:] == ["review.approved" if decided.is_success else "review.assigned"]

    async def test_ten_concurrent_decisions(self, workspace: Workspace, decision: Decision, receiver: Receiver) -> None:
        emails = [f"ext{number}@example.org" for number in range(9)]
        created_review = await workspace.request(
            await workspace.make_form(), webhookUrl=receiver.url + decision.path, extReviewers=emails
        )
        clients = [link_holder(workspace, link["link"]) for link in created_review["extReviewerLinks"]]
        calls = [
            respond(
                client,
                created_review["reviewId"],
                response=("approved", "rejected")[number % 2],
                data={"score": number},
            )
            for number, client in enumerate([*clients, workspace.owner])
        ]
        responses = await asyncio.gather(*calls)
        # A response sent before the decision gets a conflict; one sent after it, that the link has ended.
        refusals = [
            (response.status_code, response.json()["code"]) for response in responses if not response.is_success
        ]
        assert len(refusals) == 9
        assert set(refusals) <= {(409, "already_responded"), (410, "link_answered")}
        assert responses[-1].status_code in {200, 409}, "a member has no link that could end"
        [winner] = [answer.json() for answer in responses if answer.is_success]
        assert set(winner) >= {"mayDecide", "allowRetry", "agentName"}
        review = await workspace.review(created_review["reviewId"])
        assert review["reviewResult"] == winner["reviewResult"]
        event = await decision.event()
        assert event["reviewResult"]["respondingUser"] == review["reviewResult"]["respondingUser"]
        await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        params = {"reviewId": created_review["reviewId"]}
        assert len((await assert_ok(workspace.agent.get("/webhooks/deliveries", params=params)))["items"]) == 1
        history = await assert_ok(workspace.agent.get(f"/reviews/{created_review['reviewId']}/history"))
        assert [entry["action"] for entry in history["items"]] == [
            "review.requested",
            f"review.{review['reviewResult']['response']}",
        ]
        assert len(receiver.at(decision.path)) == 1


class TestTriggerForm:
    async def test_submitted_without_a_response(self, workspace: Workspace, decision: Decision) -> None:
        form = await workspace.make_form(**TRIGGER)
        review_id = await decision.ask(form, data={"topic": ""})
        for response in ("approved", "rejected"):
            problem = await assert_error(respond(workspace.owner, review_id, response=response), 422)
            assert error_at(problem, "response")
        address = f"/reviews/{review_id}/response"
        problem = await assert_error(workspace.owner.post(address, json={}), 422)
        assert error_at(problem, "data.topic")
        review = await assert_ok(workspace.owner.post(address, json={"data": {"topic": "Autumn"}}))
        assert review["state"] == "responded"
        assert set(review["reviewResult"]) == {
            "respondingUser",
            "respondingUserId",
            "respondedAt",
            "data",
            "changed",
            "approvedArguments",
        }
        assert review["reviewResult"]["approvedArguments"] == {"topic": "Autumn"}
        event = await decision.event()
        assert event["event"] == "trigger.submitted"
        assert "response" not in event["reviewResult"]
        assert event["reviewResult"]["data"] == {"topic": "Autumn"}
        assert event["reviewResult"]["responseValues"]["topic"]["value"] == "Autumn"
        record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
        assert record["event"] == "trigger.submitted"

    async def test_tool_is_not_called(self, workspace: Workspace, decision: Decision, receiver: Receiver) -> None:
        """The tool webhook is for approved reviews, and nothing is approved here."""
        tool = "/" + unique("tool")
        form = await workspace.make_form(**TRIGGER, toolWebhookUrl=receiver.url + tool)
        review_id = await decision.ask(form, data={"topic": "x"})
        review = await assert_ok(workspace.owner.post(f"/reviews/{review_id}/response", json={}))
        await decision.event()
        assert "toolWebhookDeliveryId" not in review
        assert receiver.at(tool) == []
