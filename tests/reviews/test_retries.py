"""Retries: a reviewer requests changes, the agent sends new content, and the review continues as a new revision."""

import asyncio
from typing import Any

import asyncpg
import httpx
import pytest
from review_fields import as_agents_see
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver

NEWER = {**DATA, "body": "Newer"}


async def ask_retry(client: httpx.AsyncClient, review_id: str, **body: Any) -> httpx.Response:
    return await client.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter, please", **body})


async def update(workspace: Workspace, form: dict[str, Any], review_id: str, **members: Any) -> httpx.Response:
    body = {"formId": form["formId"], "data": NEWER, "updateForReviewId": review_id, **members}
    return await workspace.agent.post("/requestReview", json=body)


class TestRetry:
    async def test_waits_for_the_agent(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["reviewer"]
        created_review = await workspace.request(await workspace.make_form())
        result = await assert_ok(ask_retry(client, created_review["reviewId"], fieldIds=["headline", "body"]))
        review = await workspace.review(created_review["reviewId"])
        assert as_agents_see(result) == review
        assert review["state"] == "pending"
        assert review["revision"] == 1
        assert review["retryRequested"] == {
            "at": review["retryRequested"]["at"],
            "by": person["email"],
            "instructions": "Shorter, please",
            "fieldIds": ["headline", "body"],
        }
        assert review["retryRequested"]["at"] >= review["createdAt"]
        params = {"formId": review["formId"]}
        [row] = (await assert_ok(workspace.agent.get("/reviews", params=params)))["items"]
        assert row["retryRequested"] is True

    async def test_event(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("retry")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        form = await workspace.make_form(agent)
        review = await workspace.request(form, meta={"ticket": "A-17"})
        await assert_ok(ask_retry(workspace.owner, review["reviewId"], fieldIds=["body"]))
        [call] = await receiver.wait_for(path)
        event = call.json
        me = await assert_ok(workspace.owner.get("/auth/me"))
        retry = event.pop("retry")
        assert {name: retry[name] for name in ("instructions", "fieldIds", "by")} == {
            "instructions": "Shorter, please",
            "fieldIds": ["body"],
            "by": me["user"]["email"],
        }
        assert event == {
            "event": "review.retry_requested",
            "eventId": event["eventId"],
            "accountId": workspace.account_id,
            "agentId": agent["agentId"],
            "sessionId": review["sessionId"],
            "deliveryId": call.headers["webhook-id"],
            "createdAt": event["createdAt"],
            "reviewId": review["reviewId"],
            "formId": form["formId"],
            "formName": form["name"],
            "revision": 1,
            "data": DATA,
            "responseValues": {
                "headline": {"value": "Autumn news", "wasEdited": False},
                "body": {"value": "Leaves fall.", "wasEdited": False},
                "score": {"value": 7, "wasEdited": False},
                "channel": {"value": None},
                "tags": {"value": []},
            },
            "meta": {"ticket": "A-17"},
            "svcLink": review["svcLink"],
        }
        assert (await workspace.delivery(event["deliveryId"], "succeeded"))["event"] == "review.retry_requested"

    async def test_of_the_whole_review(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("retry")
        form = await workspace.make_form(webhookUrl=receiver.url + path, toolWebhookUrl=f"{receiver.url}{path}/tool")
        created_review = await workspace.request(form)
        review = await assert_ok(ask_retry(workspace.owner, created_review["reviewId"]))
        assert review["retryRequested"]["fieldIds"] == []
        [call] = await receiver.wait_for(path)
        assert call.json["retry"]["fieldIds"] == []
        assert "meta" not in call.json
        assert receiver.at(f"{path}/tool") == []

    async def test_not_allowed(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(allowRetry=False))
        await assert_error(ask_retry(workspace.owner, review["reviewId"]), 409, "retry_not_allowed")
        assert "retryRequested" not in await workspace.review(review["reviewId"])

    async def test_twice(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("retry")
        review = await workspace.request(await workspace.make_form(webhookUrl=receiver.url + path))
        results = await asyncio.gather(*(ask_retry(workspace.owner, review["reviewId"]) for _ in range(5)))
        assert sorted(response.status_code for response in results) == [200, 409, 409, 409, 409]
        await assert_error(ask_retry(workspace.owner, review["reviewId"]), 409, "retry_pending")
        [delivery] = (
            await assert_ok(workspace.agent.get("/webhooks/deliveries", params={"reviewId": review["reviewId"]}))
        )["items"]
        await workspace.delivery(delivery["deliveryId"], "succeeded")
        assert len(receiver.at(path)) == 1

    async def test_of_an_earlier_revision(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        await assert_ok(update(workspace, form, review["reviewId"]))
        problem = await assert_error(
            ask_retry(workspace.owner, review["reviewId"], revision=1), 409, "content_replaced"
        )
        assert problem["revision"] == 2
        await assert_ok(ask_retry(workspace.owner, review["reviewId"], revision=2))

    async def test_can_be_decided_instead(self, workspace: Workspace) -> None:
        created_review = await workspace.request(await workspace.make_form())
        await assert_ok(ask_retry(workspace.owner, created_review["reviewId"]))
        review = await workspace.decide(created_review["reviewId"], "rejected")
        assert "retryRequested" not in review

    async def test_by_an_external_reviewer(self, workspace: Workspace) -> None:
        created_review = await workspace.request(await workspace.make_form(), extReviewers=["ann@example.org"])
        token = httpx.URL(created_review["extReviewerLinks"][0]["link"]).params["token"]
        review = await assert_ok(ask_retry(workspace.client(**{"x-review-token": token}), created_review["reviewId"]))
        assert review["retryRequested"]["by"] == "ann@example.org"

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"instructions": None}, "instructions"),
            ({"instructions": "  "}, "instructions"),
            ({"instructions": 17}, "instructions"),
            ({"instructions": "x" * 10_001}, "instructions"),
            ({"fieldIds": "body"}, "fieldIds"),
            ({"fieldIds": ["body", "nothing"]}, "fieldIds[1]"),
            ({"revision": "1"}, "revision"),
            ({"more": 1}, "more"),
        ],
    )
    async def test_bad_body(self, workspace: Workspace, body: dict[str, Any], path: str) -> None:
        review = await workspace.request(await workspace.make_form())
        problem = await assert_error(ask_retry(workspace.owner, review["reviewId"], **body), 422, "invalid")
        assert error_at(problem, path)
        assert "retryRequested" not in await workspace.review(review["reviewId"])


class TestUpdate:
    async def test_new_revision(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        created_review = await workspace.request(form, meta={"n": 1})
        await assert_ok(ask_retry(workspace.owner, created_review["reviewId"], fieldIds=["body"]))
        before = await workspace.review(created_review["reviewId"])
        result = await assert_ok(update(workspace, form, created_review["reviewId"], meta={"n": 2}, title="Second"))
        assert result == {name: created_review[name] for name in ("reviewId", "sessionId", "svcLink")}
        review = await workspace.review(created_review["reviewId"])
        assert review["revision"] == 2
        assert review["data"] == NEWER
        assert review["meta"] == {"n": 2}
        assert review["title"] == "Second"
        assert review["state"] == "pending"
        assert "retryRequested" not in review
        assert review["createdAt"] == before["createdAt"]
        revisions = (await assert_ok(workspace.agent.get(f"/reviews/{created_review['reviewId']}/revisions")))["items"]
        assert [revision["revision"] for revision in revisions] == [1, 2]
        assert [revision["data"] for revision in revisions] == [DATA, NEWER]
        assert [revision["meta"] for revision in revisions] == [{"n": 1}, {"n": 2}]
        assert revisions[0]["retry"] == before["retryRequested"]
        assert "retry" not in revisions[1]

    async def test_result_has_the_new_content(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form()
        created_review = await workspace.request(form, webhookUrl=receiver.url + path)
        await assert_ok(update(workspace, form, created_review["reviewId"]))
        review = await workspace.decide(created_review["reviewId"], revision=2)
        assert review["reviewResult"]["data"] == NEWER
        [call] = await receiver.wait_for(path)
        assert call.json["reviewResult"]["data"] == NEWER

    async def test_revisions_keep_nulls(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        data = {**DATA, "score": None, "deep": [{"a": None}]}
        review = await workspace.request(form, data=data, meta={"none": None})
        [revision] = (await assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}/revisions")))["items"]
        assert revision["data"] == data
        assert revision["meta"] == {"none": None}

    async def test_second_retry(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        for revision in (1, 2):
            await assert_ok(ask_retry(workspace.owner, review["reviewId"]))
            await assert_ok(update(workspace, form, review["reviewId"]))
            assert (await workspace.review(review["reviewId"]))["revision"] == revision + 1

    async def test_without_a_retry(self, workspace: Workspace) -> None:
        form = await workspace.make_form(allowRetry=False)
        review = await workspace.request(form)
        await assert_ok(update(workspace, form, review["reviewId"]))
        assert (await workspace.review(review["reviewId"]))["data"] == NEWER

    async def test_of_a_decided_review(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        first = await workspace.decide(review["reviewId"])
        problem = await assert_error(update(workspace, form, review["reviewId"]), 409, "already_responded")
        assert problem["respondingUser"] == first["reviewResult"]["respondingUser"]
        assert await workspace.review(review["reviewId"]) == as_agents_see(first)

    async def test_keeps_fixed_fields(self, workspace: Workspace) -> None:
        form, other = await workspace.make_form(), await workspace.make_form()
        review = await workspace.request(form)
        members = {"agentId": other["agentId"], "sessionId": "another", "data": {"score": "x"}, "title": 1}
        problem = await assert_error(update(workspace, other, review["reviewId"], **members), 422, "invalid")
        paths = {error["path"] for error in problem["errors"]}
        assert paths == {"formId", "agentId", "sessionId", "data.score", "title"}
        same = {"agentId": form["agentId"], "sessionId": review["sessionId"]}
        await assert_ok(update(workspace, form, review["reviewId"], **same))

    async def test_agent_is_optional(self, workspace: Workspace) -> None:
        form, agent = await workspace.make_form(agentId=None), await workspace.make_agent()
        review = await workspace.request(form, agentId=agent["agentId"])
        await assert_ok(update(workspace, form, review["reviewId"]))

    async def test_is_validated(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        problem = await assert_error(update(workspace, form, review["reviewId"], data={"score": "x"}), 422)
        assert error_at(problem, "data.score")
        assert (await workspace.review(review["reviewId"]))["revision"] == 1

    async def test_is_validated_by_the_pinned_version(self, workspace: Workspace) -> None:
        """A review keeps the review-type version it was created with, also when its content is replaced."""
        form = await workspace.make_form()
        created_review = await workspace.request(form)
        change = {"fields": [{"id": "body", "type": "number"}], "titleField": None, "layout": None, "rules": None}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=change))
        await assert_ok(update(workspace, form, created_review["reviewId"]))
        review = await workspace.review(created_review["reviewId"])
        assert review["formVersion"] == 1
        assert review["data"] == NEWER

    async def test_omitted_fields_stay(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, _ = people["reviewer"]
        group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group")}))
        form = await workspace.make_form()
        config = {"fields": {"channel": {"options": [{"id": "fax", "label": "Fax"}]}}}
        reviewers = {
            "assignTo": [person["email"]],
            "assignToGroups": [group["groupId"]],
            "extReviewers": ["ann@example.org"],
        }
        created_review = await workspace.request(form, title="Mine", meta={"n": 1}, config=config, **reviewers)
        await assert_ok(update(workspace, form, created_review["reviewId"]))
        review = await workspace.review(created_review["reviewId"])
        assert review["data"] == NEWER
        assert (review["title"], review["meta"], review["config"]) == ("Mine", {"n": 1}, config)
        assert review["assignedTo"] == {
            "users": [person["email"]],
            "groups": [group["groupId"]],
            "external": ["ann@example.org"],
        }
        await assert_ok(update(workspace, form, created_review["reviewId"], assignTo=[]))
        review = await workspace.review(created_review["reviewId"])
        assert review["assignedTo"] == {"users": [], "groups": [group["groupId"]], "external": ["ann@example.org"]}
        assert (review["title"], review["meta"], review["config"]) == ("Mine", {"n": 1}, config)

    async def test_null_clears(self, workspace: Workspace, receiver: Receiver, people: dict[str, Any]) -> None:
        person, _ = people["reviewer"]
        paths = {name: "/" + unique("hook") for name in ("request", "form")}
        form = await workspace.make_form(webhookUrl=receiver.url + paths["form"])
        config = {"fields": {"channel": {"options": [{"id": "fax", "label": "Fax"}]}}}
        created_review = await workspace.request(
            form,
            title="Mine",
            meta={"n": 1},
            config=config,
            webhookUrl=receiver.url + paths["request"],
            assignTo=[person["email"]],
            extReviewers=["ann@example.org"],
        )
        names = ("title", "meta", "config", "webhookUrl", "assignTo", "assignToGroups", "extReviewers")
        result = await assert_ok(update(workspace, form, created_review["reviewId"], **dict.fromkeys(names)))
        assert "extReviewerLinks" not in result
        review = await workspace.review(created_review["reviewId"])
        assert review["title"] == "Autumn news", "the title field's text"
        assert {"meta", "config"}.isdisjoint(review)
        assert review["assignedTo"] == {"users": [], "groups": [], "external": []}
        await workspace.decide(created_review["reviewId"])
        [call] = await receiver.wait_for(paths["form"])
        assert "meta" not in call.json
        assert receiver.at(paths["request"]) == []

    async def test_title_follows_the_content(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        await assert_ok(
            update(workspace, form, review["reviewId"], data={**DATA, "draft": {"headline": "Winter news"}})
        )
        assert (await workspace.review(review["reviewId"]))["title"] == "Winter news"

    async def test_links_of_external_reviewers(self, workspace: Workspace) -> None:
        """The response has one for each, even if the update names none; and every issued link works."""
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["ann@example.org", "bob@example.org"])
        review_id = review["reviewId"]
        given_links = review["extReviewerLinks"]
        for members in ({}, {"extReviewers": ["bob@example.org", "ann@example.org"]}, {"title": "Other"}):
            links = (await assert_ok(update(workspace, form, review_id, **members)))["extReviewerLinks"]
            assert {link["email"] for link in links} == {"ann@example.org", "bob@example.org"}
            given_links += links
        assert len({link["link"] for link in given_links}) == 8
        for link in given_links:
            token = httpx.URL(link["link"]).params["token"]
            assert (await assert_ok(workspace.client(**{"x-review-token": token}).get(f"/reviews/{review_id}")))[
                "revision"
            ] == 4
        result = await assert_ok(update(workspace, form, review_id, extReviewers=["bob@example.org"]))
        assert [link["email"] for link in result["extReviewerLinks"]] == ["bob@example.org"]
        for link in given_links:
            token = httpx.URL(link["link"]).params["token"]
            call = workspace.client(**{"x-review-token": token}).get(f"/reviews/{review_id}")
            if link["email"] == "bob@example.org":
                await assert_ok(call)
            else:
                await assert_error(call, 410, "link_reassigned")

    async def test_expired_links_stay_expired(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["ann@example.org"])
        review_id = review["reviewId"]
        await assert_ok(update(workspace, form, review_id))
        await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review_id)
        [link] = (await assert_ok(update(workspace, form, review_id)))["extReviewerLinks"]
        old, new = (
            httpx.URL(expired_link["link"]).params["token"] for expired_link in (review["extReviewerLinks"][0], link)
        )
        await assert_error(
            workspace.client(**{"x-review-token": old}).get(f"/reviews/{review_id}"), 410, "link_expired"
        )
        await assert_ok(workspace.client(**{"x-review-token": new}).get(f"/reviews/{review_id}"))
        assert (await workspace.review(review_id))["assignedTo"]["external"] == ["ann@example.org"]

    async def test_run(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, workflow={})
        run = review["workflowRunId"]
        await assert_ok(update(workspace, form, review["reviewId"]))
        assert (await workspace.review(review["reviewId"]))["workflowRunId"] == run
        result = await assert_ok(update(workspace, form, review["reviewId"], workflow={"runName": "Named later"}))
        assert result["workflowRunId"] == run
        assert (await workspace.review(review["reviewId"]))["workflowRunId"] == run

    async def test_concurrent_updates(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        scores = range(8)
        results = await asyncio.gather(
            *(update(workspace, form, review["reviewId"], data={**DATA, "score": score}) for score in scores)
        )
        assert {response.status_code for response in results} == {200}
        revisions = (await assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}/revisions")))["items"]
        assert [revision["revision"] for revision in revisions] == list(range(1, 10))
        assert sorted(revision["data"]["score"] for revision in revisions[1:]) == list(scores)


class TestManyAtOnce:
    async def test_more_updates_than_the_service_has_connections(self, workspace: Workspace) -> None:
        """Each finds its reviewers within its own transaction: if it held one connection and waited for another, as
        many at once as there are connections would deadlock."""
        person, _ = await workspace.make_person()
        form = await workspace.make_form(defaultReviewers={"users": [person["email"]], "groups": [], "external": []})
        review_id = (await workspace.request(form))["reviewId"]
        async with asyncio.timeout(90):
            results = await asyncio.gather(*(update(workspace, form, review_id) for _ in range(50)))
        assert {response.status_code for response in results} == {200}
        assert (await workspace.review(review_id))["revision"] == 51


class TestHistory:
    async def test_lists_everything_in_order(self, workspace: Workspace, people: dict[str, Any]) -> None:
        person, client = people["reviewer"]
        form = await workspace.make_form()
        review = await workspace.request(form)
        await assert_ok(ask_retry(client, review["reviewId"], fieldIds=["body"]))
        await assert_ok(update(workspace, form, review["reviewId"]))
        await workspace.decide(review["reviewId"], "rejected")
        history = (await assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}/history")))["items"]
        assert [entry["action"] for entry in history] == [
            "review.requested",
            "review.retry_requested",
            "review.updated",
            "review.rejected",
        ]
        assert [entry["actor"]["kind"] for entry in history] == ["key", "user", "key", "user"]
        assert history[1]["actor"] == {"kind": "user", "id": person["userId"], "name": person["email"]}
        assert history[1]["details"]["instructions"] == "Shorter, please"
        assert history[2]["details"] == {"revision": 2}
        moments = [entry["at"] for entry in history]
        assert moments == sorted(moments)
