"""Who can update a review, and whose choice of reviewers an update keeps."""

from typing import Any

import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]
NEWER = {**DATA, "body": "Newer"}
NOBODY: dict[str, list[str]] = {"users": [], "groups": [], "external": []}


async def update(client: httpx.AsyncClient, form: dict[str, Any], review_id: str, **members: Any) -> httpx.Response:
    body = {"formId": form["formId"], "data": NEWER, "updateForReviewId": review_id, **members}
    return await client.post("/requestReview", json=body)


async def make_key(workspace: Workspace, **members: Any) -> tuple[dict[str, Any], httpx.AsyncClient]:
    key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": unique("key"), **members}))
    return key, workspace.client(**{"x-api-key": key["apiKey"]})


async def request_with(client: httpx.AsyncClient, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    return await assert_ok(client.post("/requestReview", json={"formId": form["formId"], "data": DATA, **members}))


def holder(workspace: Workspace, link: dict[str, str]) -> httpx.AsyncClient:
    return workspace.client(**{"x-review-token": httpx.URL(link["link"]).params["token"]})


class TestWhoMayUpdate:
    @pytest.mark.parametrize("members", [{}, {"extReviewers": ["mallory@example.org"]}])
    async def test_not_another_key(self, workspace: Workspace, members: dict[str, Any]) -> None:
        _, mallory = await make_key(workspace)
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        before = await workspace.review(review_id)
        await assert_error(update(mallory, form, review_id, **members), 403, "not_requester")
        assert await workspace.review(review_id) == before

    async def test_not_another_key_of_a_decided_review(self, workspace: Workspace) -> None:
        """It doesn't even learn who decided."""
        _, mallory = await make_key(workspace)
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        await workspace.decide(review_id)
        problem = await assert_error(update(mallory, form, review_id), 403, "not_requester")
        assert "respondingUser" not in problem

    async def test_a_key_that_replaces_the_one_that_requested_it(self, workspace: Workspace) -> None:
        first, client = await make_key(workspace)
        form = await workspace.make_form()
        review_id = (await request_with(client, form))["reviewId"]
        await assert_ok(workspace.owner.delete(f"/apiKeys/{first['keyId']}"))
        second, next_client = await make_key(workspace, replaces=first["keyId"])
        assert second["replaces"] == first["keyId"]
        await assert_ok(update(next_client, form, review_id))
        _, last_client = await make_key(workspace, replaces=second["keyId"])
        await assert_ok(update(last_client, form, review_id))
        _, other = await make_key(workspace)
        await assert_error(update(other, form, review_id), 403, "not_requester")

    async def test_the_old_key_and_the_new_one_while_both_work(self, workspace: Workspace) -> None:
        first, old = await make_key(workspace)
        _, new = await make_key(workspace, replaces=first["keyId"])
        form = await workspace.make_form()
        review_id = (await request_with(new, form))["reviewId"]
        await assert_ok(update(old, form, review_id))

    async def test_a_key_replaces_only_itself(self, workspace: Workspace) -> None:
        """Otherwise a key that manages reviews could take them over, and with them the permission to decide."""
        first, _ = await make_key(workspace)
        manager_id, manager = await make_key(workspace, scopes=["manage", "reviews:write"])
        body = {"name": "x", "replaces": first["keyId"]}
        await assert_error(manager.post("/apiKeys", json=body), 403, "person_needed")
        await assert_ok(workspace.owner.delete(f"/apiKeys/{first['keyId']}"))
        await assert_error(manager.post("/apiKeys", json=body), 403, "person_needed")
        successor = await assert_ok(manager.post("/apiKeys", json={"name": "x", "replaces": manager_id["keyId"]}))
        assert successor["replaces"] == manager_id["keyId"]

    async def test_only_a_key_of_the_account_can_be_replaced(
        self, workspace: Workspace, other_workspace: Workspace
    ) -> None:
        theirs, _ = await make_key(other_workspace)
        for key_id in ("key_nothing", theirs["keyId"]):
            body = {"name": "x", "replaces": key_id}
            problem = await assert_error(workspace.owner.post("/apiKeys", json=body), 422, "invalid")
            error = error_at(problem, "replaces")
            assert error["code"] == "unknown_key"
            assert error["message"] == f"must be the ID of one of your API keys, not '{key_id}'"

    async def test_keys_can_not_update_requests_of_users(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review_id = (await request_with(workspace.owner, form))["reviewId"]
        await assert_error(update(workspace.agent, form, review_id), 403, "not_requester")
        await assert_ok(update(workspace.owner, form, review_id))

    async def test_unassigned_editor_can_replace_content_but_not_reviewers(
        self, workspace: Workspace, people: People
    ) -> None:
        (asked, _), (me, editor) = people["reviewer"], people["editor"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form, assignTo=[asked["email"]]))["reviewId"]
        for members in ({"assignTo": [me["email"]]}, {"extReviewers": ["me@example.org"]}, {"assignTo": None}):
            await assert_error(update(editor, form, review_id, **members), 403, "not_assigned")
        assert (await workspace.review(review_id))["revision"] == 1
        await assert_ok(update(editor, form, review_id))
        review = await workspace.review(review_id)
        assert review["revision"] == 2
        assert review["assignedTo"] == {**NOBODY, "users": [asked["email"]]}
        await assert_error(
            editor.post(f"/reviews/{review_id}/response", json={"response": "approved"}), 403, "not_assigned"
        )

    async def test_admin_can_replace_reviewers(self, workspace: Workspace, people: People) -> None:
        (asked, _), (other, admin) = people["reviewer"], people["admin"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form, assignTo=[asked["email"]]))["reviewId"]
        await assert_ok(update(admin, form, review_id, assignTo=[other["email"]]))
        assert (await workspace.review(review_id))["assignedTo"]["users"] == [other["email"]]
        result = await assert_ok(update(workspace.agent, form, review_id, assignTo=[asked["email"]]))
        assert result["reviewersKept"] is True, "they are a person's choice now"

    async def test_another_accounts_review_looks_unknown(
        self, workspace: Workspace, other_workspace: Workspace
    ) -> None:
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        await assert_error(update(other_workspace.agent, form, review_id), 404)


class TestReviewersStay:
    """A key's update never replaces reviewers that a user or the review type chose, and adds none."""

    TAKEOVERS: tuple[dict[str, Any], ...] = (
        {"extReviewers": ["mallory@example.org"]},
        {"assignTo": []},
        {"assignTo": None},
        {"assignToGroups": []},
    )

    async def check(self, workspace: Workspace, form: dict[str, Any], review_id: str) -> None:
        before = await workspace.review(review_id)
        for members in self.TAKEOVERS:
            result = await assert_ok(update(workspace.agent, form, review_id, **members))
            assert result["reviewersKept"] is True
            assert result.get("extReviewerLinks", []) == []
            review = await workspace.review(review_id)
            assert review["assignedTo"] == before["assignedTo"]
            assert review.get("takenBy") == before.get("takenBy")
            assert review["data"] == NEWER

    async def test_of_the_review_type(self, workspace: Workspace, people: People) -> None:
        person, _ = people["reviewer"]
        form = await workspace.make_form(defaultReviewers={"users": [person["email"]]})
        await self.check(workspace, form, (await workspace.request(form))["reviewId"])

    async def test_chosen_by_a_user(self, workspace: Workspace, people: People) -> None:
        person, _ = people["reviewer"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        wanted = {**NOBODY, "users": [person["email"]]}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=wanted))
        await self.check(workspace, form, review_id)

    async def test_that_a_user_removed(self, workspace: Workspace, people: People) -> None:
        person, _ = people["reviewer"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form, assignTo=[person["email"]]))["reviewId"]
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=NOBODY))
        await self.check(workspace, form, review_id)

    async def test_external_ones_chosen_by_a_user(self, workspace: Workspace) -> None:
        """The key doesn't get their links either."""
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        wanted = {**NOBODY, "external": ["counsel@example.org"]}
        [link] = (await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=wanted)))[
            "extReviewerLinks"
        ]
        await self.check(workspace, form, review_id)
        assert (await assert_ok(update(workspace.agent, form, review_id)))["extReviewerLinks"] == []
        [shown] = (await assert_ok(update(workspace.owner, form, review_id)))["extReviewerLinks"]
        for token in (link, shown):
            assert (await assert_ok(holder(workspace, token).get(f"/reviews/{review_id}")))["data"] == NEWER

    async def test_while_a_user_has_taken_it(self, workspace: Workspace, people: People) -> None:
        person, client = people["reviewer"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form, assignTo=[person["email"]]))["reviewId"]
        await assert_ok(client.post(f"/reviews/{review_id}/take"))
        await self.check(workspace, form, review_id)
        await assert_ok(client.post(f"/reviews/{review_id}/handBack"))
        result = await assert_ok(update(workspace.agent, form, review_id, assignTo=None))
        assert "reviewersKept" not in result
        assert (await workspace.review(review_id))["assignedTo"] == NOBODY

    async def test_except_its_own_choice(self, workspace: Workspace, people: People) -> None:
        (person, _), (other, _) = people["reviewer"], people["editor"]
        form = await workspace.make_form(defaultReviewers={"users": [other["email"]]})
        review_id = (await workspace.request(form, assignTo=[person["email"]]))["reviewId"]
        result = await assert_ok(update(workspace.agent, form, review_id, assignTo=[other["email"]]))
        assert "reviewersKept" not in result
        assert (await workspace.review(review_id))["assignedTo"]["users"] == [other["email"]]


class TestMembersAreNotExternal:
    async def test_on_any_route(self, workspace: Workspace, people: People) -> None:
        person, _ = people["reviewer"]
        form = await workspace.make_form()
        review_id = (await workspace.request(form))["reviewId"]
        named = ["ann@example.org", person["email"].upper()]
        body = {"formId": form["formId"], "data": DATA, "extReviewers": named}
        reassigned = {**NOBODY, "external": named}
        defaults = {"defaultReviewers": {"external": named}}
        calls = {
            "extReviewers[1]": workspace.agent.post("/requestReview", json=body),
            "extReviewers[1] ": update(workspace.agent, form, review_id, extReviewers=named),
            "external[1]": workspace.owner.put(f"/reviews/{review_id}/assignees", json=reassigned),
            "defaultReviewers.external[1]": workspace.manager.patch(f"/forms/{form['formId']}", json=defaults),
        }
        for path, call in calls.items():
            error = error_at(await assert_error(call, 422, "invalid"), path.strip())
            assert error["code"] == "is_member"
            assert person["email"] in error["message"]

    async def test_including_former_members(self, workspace: Workspace) -> None:
        leaver, _ = await workspace.make_person()
        await assert_ok(workspace.owner.delete(f"/users/{leaver['userId']}"))
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, "extReviewers": [leaver["email"]]}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "extReviewers[0]")["code"] == "is_member"

    async def test_default_who_joined_is_assigned_as_a_member(self, workspace: Workspace) -> None:
        email = f"{unique('joins')}@example.com"
        form = await workspace.make_form(defaultReviewers={"external": [email, "ann@example.org"]})
        await assert_ok(workspace.owner.post("/users", json={"email": email, "name": "x", "role": "reviewer"}))
        created_review = await workspace.request(form)
        assert [link["email"] for link in created_review["extReviewerLinks"]] == ["ann@example.org"]
        review = await workspace.review(created_review["reviewId"])
        assert review["assignedTo"] == {"users": [email], "groups": [], "external": ["ann@example.org"]}

    async def test_same_email_in_another_account_is_allowed(
        self, workspace: Workspace, other_workspace: Workspace
    ) -> None:
        theirs, _ = await other_workspace.make_person()
        await workspace.request(await workspace.make_form(), extReviewers=[theirs["email"]])


class TestReviewTypeWithoutExternalReviewers:
    async def test_allows_them_by_default(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        assert form["allowExternalReviewers"] is True

    async def test_rejects_them_on_every_route(self, workspace: Workspace) -> None:
        form = await workspace.make_form(allowExternalReviewers=False)
        review_id = (await workspace.request(form))["reviewId"]
        named = ["ann@example.org"]
        body = {"formId": form["formId"], "data": DATA, "extReviewers": named}
        wanted = {**NOBODY, "external": named}
        defaults = {"defaultReviewers": {"external": named}}
        calls = [
            ("extReviewers", workspace.agent.post("/requestReview", json=body)),
            ("extReviewers", update(workspace.agent, form, review_id, extReviewers=named)),
            ("external", workspace.owner.put(f"/reviews/{review_id}/assignees", json=wanted)),
            ("defaultReviewers.external", workspace.manager.patch(f"/forms/{form['formId']}", json=defaults)),
        ]
        for path, call in calls:
            assert error_at(await assert_error(call, 422, "invalid"), path)["code"] == "external_not_allowed"

    async def test_can_not_be_disabled_with_default_external_reviewers(self, workspace: Workspace) -> None:
        form = await workspace.make_form(defaultReviewers={"external": ["ann@example.org"]})
        change = {"allowExternalReviewers": False}
        problem = await assert_error(workspace.manager.patch(f"/forms/{form['formId']}", json=change), 422)
        assert error_at(problem, "defaultReviewers.external")["code"] == "external_not_allowed"
        changed = {**change, "defaultReviewers": NOBODY}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=changed))

    async def test_rejects_new_ones_for_pending_reviews_too(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["ann@example.org"])
        review_id, [given] = review["reviewId"], review["extReviewerLinks"]
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"allowExternalReviewers": False}))
        wanted = {**NOBODY, "external": ["bob@example.org"]}
        for path, call in (
            ("extReviewers", update(workspace.agent, form, review_id, extReviewers=["bob@example.org"])),
            ("external", workspace.owner.put(f"/reviews/{review_id}/assignees", json=wanted)),
        ):
            assert error_at(await assert_error(call, 422, "invalid"), path)["code"] == "external_not_allowed"
        await assert_ok(holder(workspace, given).post(f"/reviews/{review_id}/response", json={"response": "approved"}))

    async def test_empty_lists_are_no_reviewers(self, workspace: Workspace) -> None:
        form = await workspace.make_form(allowExternalReviewers=False)
        await workspace.request(form, extReviewers=[])


class TestExternalDecisionsAreMarked:
    async def test_in_the_review_and_the_event(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form(webhookUrl=receiver.url + path)
        review = await workspace.request(form, extReviewers=["ann@example.org"])
        [link] = review["extReviewerLinks"]
        await assert_ok(
            holder(workspace, link).post(f"/reviews/{review['reviewId']}/response", json={"response": "approved"})
        )
        assert (await workspace.review(review["reviewId"]))["reviewResult"]["external"] is True
        [call] = await receiver.wait_for(path)
        assert call.json["reviewResult"]["external"] is True

    async def test_not_for_members(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form(webhookUrl=receiver.url + path)
        created_review = await workspace.request(form, extReviewers=["ann@example.org"])
        review = await workspace.decide(created_review["reviewId"])
        [call] = await receiver.wait_for(path)
        assert "external" not in review["reviewResult"]
        assert "external" not in call.json["reviewResult"]
