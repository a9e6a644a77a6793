"""Trigger forms that anyone with the link can fill out."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from trigger_helpers import FILLED_IN, make_trigger, new_address, publish, solve, submissions, visitor

from signoff.triggers.challenges import build_challenge, is_solved

People = dict[str, tuple[dict[str, str], httpx.AsyncClient]]


def link_path(form: dict[str, Any]) -> str:
    return f"/forms/{form['formId']}/publicLink"


class TestPublishing:
    async def test_creates_a_permanent_link(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        await assert_error(workspace.manager.get(link_path(form)), 404)
        link = await assert_ok(workspace.owner.put(link_path(form), json={}))
        assert set(link) == {"link", "perHour", "createdAt", "createdBy"}
        assert link["perHour"] == 60
        assert link["createdBy"] == "owner@example.com"
        assert await assert_ok(workspace.manager.get(link_path(form))) == link
        changed = await assert_ok(workspace.manager.put(link_path(form), json={"perHour": 5}))
        assert changed == {**link, "perHour": 5}

    async def test_concurrent_calls_create_one_link(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        calls = (workspace.manager.put(link_path(form), json={}) for _ in range(6))
        links = await asyncio.gather(*(assert_ok(call) for call in calls))
        assert len({link["link"] for link in links}) == 1

    async def test_is_in_the_audit_log(self, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        await assert_ok(workspace.owner.put(link_path(form), json={"perHour": 7}))
        await assert_ok(workspace.owner.put(link_path(form), json={"perHour": 7}))
        await assert_ok(workspace.owner.post(f"{link_path(form)}/rotate"))
        await assert_ok(workspace.owner.delete(link_path(form)))
        await assert_ok(workspace.owner.delete(link_path(form)))
        log = await assert_ok(workspace.manager.get("/auditLog", params={"objectId": form["formId"]}))
        actions = [entry["action"] for entry in reversed(log["items"])]
        assert actions == ["form.created", "form.published", "form.link_rotated", "form.unpublished"]
        assert "pub_" not in json.dumps(log)

    @pytest.mark.parametrize("per_hour", [0, -1, 10_001, "60", 1.5, None, True])
    async def test_invalid_settings_are_rejected(self, workspace: Workspace, per_hour: Any) -> None:
        form = await make_trigger(workspace)
        problem = await assert_error(workspace.manager.put(link_path(form), json={"perHour": per_hour}), 422)
        assert error_at(problem, "perHour")

    async def test_only_for_trigger_forms(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        await assert_error(workspace.manager.put(link_path(form), json={}), 409, "not_a_trigger")
        gone = await make_trigger(workspace)
        await assert_ok(workspace.manager.delete(f"/forms/{gone['formId']}"))
        await assert_error(workspace.manager.put(link_path(gone), json={}), 404)

    async def test_needs_the_edit_permission(
        self, workspace: Workspace, other_workspace: Workspace, people: People
    ) -> None:
        form = await make_trigger(workspace)
        await assert_ok(people["editor"][1].put(link_path(form), json={}))
        for client in (people["reviewer"][1], people["viewer"][1], workspace.agent):
            await assert_error(client.get(link_path(form)), 403)
            await assert_error(client.put(link_path(form), json={}), 403)
            await assert_error(client.post(f"{link_path(form)}/rotate"), 403)
            await assert_error(client.delete(link_path(form)), 403)
        await assert_error(other_workspace.owner.get(link_path(form)), 404)
        await assert_error(other_workspace.owner.put(link_path(form), json={}), 404)
        await assert_error(other_workspace.owner.post(f"{link_path(form)}/rotate"), 404)
        await assert_error(other_workspace.owner.delete(link_path(form)), 404)
        await assert_error(workspace.public.get(link_path(form)), 401)


class TestViewing:
    async def test_shows_the_form_and_no_ids(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        shown = await assert_ok(at.client.get(at.path))
        assert set(shown) == {"formName", "agentName", "workspace", "version", "definition", "suggestion"}
        assert shown["workspace"] == "Acme"
        assert shown["suggestion"]["values"]["count"] == 3
        text = json.dumps(shown)
        for secret in (form["formId"], form["agentId"], public_workspace.account_id, "webhook", "eviewers"):
            assert secret not in text

    async def test_unknown_tokens_are_not_found(self, public_workspace: Workspace) -> None:
        for token in ("pub_unknown", "x", "%00", "x" * 129):
            response = await public_workspace.public.get(f"/public/triggers/{token}")
            assert response.status_code in {404, 400}

    @pytest.mark.parametrize("how", ["unpublished", "rotated", "archived", "no trigger any more"])
    async def test_ended_link_is_gone(self, public_workspace: Workspace, how: str) -> None:
        workspace = public_workspace
        form = await make_trigger(workspace)
        at = visitor(workspace, await publish(workspace, form))
        body = await at.body()
        path = f"/forms/{form['formId']}"
        match how:
            case "unpublished":
                await assert_ok(workspace.manager.delete(link_path(form)))
            case "rotated":
                await assert_ok(workspace.manager.post(f"{link_path(form)}/rotate"))
            case "archived":
                await assert_ok(workspace.manager.delete(path))
            case _:
                await assert_ok(workspace.manager.patch(path, json={"trigger": False}))
        await assert_error(at.client.get(at.path), 410, "form_closed")
        if how != "no trigger any more":
            await assert_error(at.client.post(f"{at.path}/challenge"), 410, "form_closed")
        await assert_error(at.send(body), 410, "form_closed")
        assert await submissions(workspace, form) == []

    async def test_a_rotated_link_works_under_its_new_address(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        old = await publish(public_workspace, form, perHour=9)
        link = await assert_ok(public_workspace.manager.post(f"{link_path(form)}/rotate"))
        new = link["link"].rpartition("/")[2]
        assert new != old
        assert link["perHour"] == 9
        assert (await visitor(public_workspace, new).submit()).status_code == 201

    async def test_restored_form_is_public_again(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        await assert_ok(public_workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_error(at.client.get(at.path), 410)
        await assert_ok(public_workspace.manager.post(f"/forms/{form['formId']}/unarchive"))
        await assert_ok(at.client.get(at.path))

    async def test_rotating_what_is_not_public(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        await assert_error(public_workspace.manager.post(f"{link_path(form)}/rotate"), 404)


class TestSubmitting:
    async def test_is_stored_and_sent(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        response = await at.submit()
        assert (response.status_code, response.json()) == (201, {"received": True})
        [row] = await submissions(public_workspace, form)
        review = await public_workspace.review(row["reviewId"])
        result = review["reviewResult"]
        assert (result["respondingUser"], result["respondingUserId"]) == ("public form", "public")
        assert "response" not in result
        assert "meta" not in review
        assert review["workflowRunId"].startswith("run_")

    async def test_stores_the_given_name_and_email(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        assert (await at.submit(name=" Kim ", email="Kim@Example.org", website="")).status_code == 201
        [row] = await submissions(public_workspace, form)
        review = await public_workspace.review(row["reviewId"])
        assert review["reviewResult"]["respondingUser"] == "kim@example.org"
        assert review["reviewResult"]["respondingUserId"] == "public"
        assert review["meta"] == {"visitor": {"name": "Kim", "email": "kim@example.org"}}
        history = await assert_ok(public_workspace.owner.get(f"/reviews/{row['reviewId']}/history"))
        assert history["items"][-1]["actor"] == {"kind": "external", "id": "public", "name": "kim@example.org"}

    async def test_email_of_a_member_is_not_trusted(self, public_workspace: Workspace) -> None:
        """Anyone can type an owner's email. It stays a visitor's claim."""
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        assert (await at.submit(email="owner@example.com")).status_code == 201
        [row] = await submissions(public_workspace, form)
        review = await public_workspace.review(row["reviewId"])
        assert review["reviewResult"]["respondingUserId"] == "public"

    async def test_reports_errors_and_keeps_the_challenge_valid(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        body = await at.body(data={})
        problem = await assert_error(at.send(body), 422)
        assert error_at(problem, "data.wish.topic")["code"] == "required"
        assert (await at.send({**body, "data": FILLED_IN})).status_code == 201

    async def test_hidden_field_is_a_honeypot(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        problem = await assert_error(at.submit(website="https://spam.example"), 422)
        assert error_at(problem, "website")["code"] == "must_be_empty"
        assert await submissions(public_workspace, form) == []

    async def test_changed_form_is_rejected(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        await assert_ok(public_workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Another"}))
        await assert_error(at.submit(version=1), 409, "form_changed")
        assert (await at.submit(version=2)).status_code == 201

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"data": None}, "data"),
            ({"data": "x"}, "data"),
            ({"challenge": None}, "challenge"),
            ({"challenge": "x" * 201}, "challenge"),
            ({"solution": 12}, "solution"),
            ({"solution": "x" * 65}, "solution"),
            ({"email": "no address"}, "email"),
            ({"name": "x" * 201}, "name"),
            ({"website": 7}, "website"),
            ({"title": "mine"}, "title"),
            ({"sessionId": "mine"}, "sessionId"),
        ],
    )
    async def test_invalid_bodies_are_rejected(
        self, public_workspace: Workspace, members: dict[str, Any], path: str
    ) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        problem = await assert_error(at.submit(**members), 422)
        assert error_at(problem, path)
        assert await submissions(public_workspace, form) == []

    async def test_too_large_body_is_rejected(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        await assert_error(at.submit(data={"wish": {"topic": "x" * 1_100_000}}), 413, "too_large")

    async def test_no_other_route_is_public(self, public_workspace: Workspace) -> None:
        """A token gives access only to its form."""
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form)
        for headers in ({"x-api-key": token}, {"x-review-token": token}):
            client = public_workspace.client(**headers)
            await assert_error(client.get("/reviews"), 401)
            await assert_error(client.get(f"/triggers/{form['formId']}"), 401)


class TestBotCheck:
    async def test_solution_works_once(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        body = await at.body()
        assert (await at.send(body)).status_code == 201
        await assert_error(at.send({**body, "data": {**FILLED_IN, "count": 4}}), 409, "challenge_used")
        assert len(await submissions(public_workspace, form)) == 1

    async def test_repeated_submission_gets_the_same_response(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        body = await at.body()
        responses = await asyncio.gather(*(at.send(body) for _ in range(6)))
        assert {response.status_code for response in responses} == {201}
        assert len(await submissions(public_workspace, form)) == 1

    async def test_concurrent_different_submissions(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        body = await at.body()
        bodies = [{**body, "data": {**FILLED_IN, "count": count}} for count in range(3, 8)]
        responses = await asyncio.gather(*(at.send(submission) for submission in bodies))
        assert sorted(response.status_code for response in responses) == [201, 409, 409, 409, 409]
        assert len(await submissions(public_workspace, form)) == 1

    async def test_forged_unsolved_and_foreign_ones_are_rejected(self, public_workspace: Workspace) -> None:
        form, other = await make_trigger(public_workspace), await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        elsewhere = visitor(public_workspace, await publish(public_workspace, other))
        problem = await assert_error(at.submit(**await elsewhere.solved()), 422)
        assert error_at(problem, "challenge")["code"] == "unknown_challenge"
        challenge = await assert_ok(at.client.post(f"{at.path}/challenge"))
        text, bits = challenge["challenge"], challenge["bits"]
        assert bits == 8
        forged = text.replace(f".{bits}.", ".1.")
        problem = await assert_error(at.submit(challenge=forged, solution=solve(forged, 1)), 422)
        assert error_at(problem, "challenge")["code"] == "unknown_challenge"
        # Any text solves one challenge in 256.
        unsolved = next(word for word in ("this", "that", "these", "those") if not is_solved(text, word, bits))
        problem = await assert_error(at.submit(challenge=text, solution=unsolved), 422)
        assert error_at(problem, "solution")["code"] == "not_solved"
        assert await submissions(public_workspace, form) == []

    async def test_rotation_ends_challenges_too(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        old = visitor(public_workspace, await publish(public_workspace, form))
        solved = await old.solved()
        link = await assert_ok(public_workspace.manager.post(f"{link_path(form)}/rotate"))
        new = visitor(public_workspace, link["link"].rpartition("/")[2])
        problem = await assert_error(new.submit(**solved), 422)
        assert error_at(problem, "challenge")["code"] == "unknown_challenge"

    async def test_expired_one_is_rejected(self, public_workspace: Workspace, public_db: asyncpg.Connection) -> None:
        """Signed as the service would have half an hour ago."""
        form = await make_trigger(public_workspace)
        at = visitor(public_workspace, await publish(public_workspace, form))
        secret = await public_db.fetchval("select secret from public_links where token = $1", at.token)
        old = build_challenge(secret, 4, datetime.now(UTC) - timedelta(minutes=31), b"n" * 16)
        await assert_error(at.submit(challenge=old.text, solution=solve(old.text, 4)), 409, "challenge_expired")

    async def test_costs_more_while_a_form_is_busy(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form, perHour=4)
        bits = []
        for _ in range(4):
            at = visitor(public_workspace, token)
            bits.append((await assert_ok(at.client.post(f"{at.path}/challenge")))["bits"])
            assert (await at.submit()).status_code == 201
        assert bits == [8, 8, 9, 10]


class TestLimits:
    async def test_of_a_link(self, public_workspace: Workspace, public_db: asyncpg.Connection) -> None:
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form, perHour=3)
        for _ in range(3):
            assert (await visitor(public_workspace, token).submit()).status_code == 201
        response = await visitor(public_workspace, token).submit()
        problem = response.json()
        assert (response.status_code, problem["code"], problem["scope"]) == (429, "too_many_submissions", "link")
        assert 3500 < int(response.headers["retry-after"]) <= 3600
        assert len(await submissions(public_workspace, form)) == 3
        await public_db.execute(
            "update public_submissions set at = at - interval '61 minutes' where form_id = $1", form["formId"]
        )
        assert (await visitor(public_workspace, token).submit()).status_code == 201
        count = await public_db.fetchval("select count(*) from public_submissions where form_id = $1", form["formId"])
        assert count == 1

    async def test_of_a_link_with_concurrent_submissions(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form, perHour=3)
        visitors = [visitor(public_workspace, token) for _ in range(8)]
        bodies = await asyncio.gather(*(at.body() for at in visitors))
        responses = await asyncio.gather(*(at.send(body) for at, body in zip(visitors, bodies, strict=True)))
        assert sorted(response.status_code for response in responses) == [201] * 3 + [429] * 5
        assert len(await submissions(public_workspace, form)) == 3

    async def test_of_an_address(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token, address = await publish(public_workspace, form), new_address()
        for _ in range(5):
            assert (await visitor(public_workspace, token, address).submit()).status_code == 201
        response = await visitor(public_workspace, token, address).submit()
        assert (response.status_code, response.json()["scope"]) == (429, "address")
        assert int(response.headers["retry-after"]) > 0
        assert (await visitor(public_workspace, token).submit()).status_code == 201

    async def test_an_ipv6_network_is_one_address(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form)
        for number in range(5):
            assert (await visitor(public_workspace, token, f"2001:db8::{number}").submit()).status_code == 201
        assert (await visitor(public_workspace, token, "2001:db8::ffff:1").submit()).status_code == 429

    async def test_of_calls_of_any_kind(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token, address = await publish(public_workspace, form), new_address()
        at = visitor(public_workspace, token, address)
        results = await asyncio.gather(*(at.client.get(at.path) for _ in range(100)))
        refusals = [response for response in results if response.status_code == 429]
        assert refusals
        assert all(int(refusal.headers["retry-after"]) > 0 for refusal in refusals)
        assert (await visitor(public_workspace, token).client.get(at.path)).status_code == 200

    async def test_rejected_submissions_do_not_count(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace)
        token = await publish(public_workspace, form, perHour=1)
        at = visitor(public_workspace, token)
        await assert_error(at.submit(data={}), 422)
        await assert_error(at.submit(website="x"), 422)
        assert (await at.submit()).status_code == 201

    async def test_repeats_a_response_at_the_limit(self, public_workspace: Workspace) -> None:
        form = await make_trigger(public_workspace, name=unique("full"))
        at = visitor(public_workspace, await publish(public_workspace, form, perHour=1))
        body = await at.body()
        assert (await at.send(body)).status_code == 201
        assert (await at.send(body)).status_code == 201
        assert (await visitor(public_workspace, at.token).submit()).status_code == 429
