"""Agents over HTTP: created, updated, deleted, their secret rotated."""

import asyncio
import json
import re
from typing import Any

import pytest
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, error_at, unique
from support.in_process import Service
from support.second_account import open_second_account

MEMBERS = {"agentId", "name", "description", "webhookUrl", "webhookEvents", "chat", "createdAt", "updatedAt"}
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


async def get(workspace: Workspace, agent: dict[str, Any]) -> dict[str, Any]:
    return await assert_ok(workspace.manager.get(f"/agents/{agent['agentId']}"))


async def change(workspace: Workspace, agent: dict[str, Any], **members: Any) -> dict[str, Any]:
    return await assert_ok(workspace.manager.patch(f"/agents/{agent['agentId']}", json=members))


class TestCreate:
    async def test_every_field(self, workspace: Workspace) -> None:
        body = {
            "name": "Newsletter bot",
            "description": "Writes <b>news</b>",
            "webhookUrl": "https://agent.example.com/hooks?x=1",
            "chat": "replyOnly",
        }
        response = await workspace.manager.post("/agents", json=body)
        assert response.status_code == 201
        agent = response.json()
        assert set(agent) == MEMBERS | {"webhookSecret"}
        assert body.items() <= agent.items()
        assert re.fullmatch(r"agt_[A-Za-z0-9_-]+", agent["agentId"])
        assert agent["webhookSecret"].startswith("whsec_")
        assert TIMESTAMP.fullmatch(agent["createdAt"])
        shown = await get(workspace, agent)
        assert set(shown) == MEMBERS
        assert shown.items() <= agent.items()

    async def test_name_is_enough(self, workspace: Workspace) -> None:
        agent = await assert_ok(workspace.manager.post("/agents", json={"name": "  Bot  "}))
        assert agent["name"] == "Bot"
        assert agent["description"] == ""
        assert agent["webhookUrl"] is None
        assert agent["chat"] == "off"
        assert (await assert_ok(workspace.manager.post("/agents", json={"name": "B", "webhookUrl": None})))[
            "webhookUrl"
        ] is None

    @pytest.mark.parametrize("chat", ["off", "on", "replyOnly"])
    async def test_chat(self, workspace: Workspace, chat: str) -> None:
        assert (await workspace.make_agent(chat=chat))["chat"] == chat

    @pytest.mark.parametrize(
        ("members", "path"),
        [
            ({"name": None}, "name"),
            ({"name": ""}, "name"),
            ({"name": "   "}, "name"),
            ({"name": "x" * 201}, "name"),
            ({"name": "a\0b"}, "name"),
            ({"name": 17}, "name"),
            ({"description": None}, "description"),
            ({"description": 17}, "description"),
            ({"description": "x" * 4001}, "description"),
            ({"webhookUrl": ""}, "webhookUrl"),
            ({"webhookUrl": "ftp://example.com"}, "webhookUrl"),
            ({"webhookUrl": "http://u:p@example.com"}, "webhookUrl"),
            ({"webhookUrl": 17}, "webhookUrl"),
            ({"chat": None}, "chat"),
            ({"chat": "reply_only"}, "chat"),
            ({"chat": True}, "chat"),
            ({"agentId": "agt_mine"}, "agentId"),
            ({"webhookSecret": "whsec_mine"}, "webhookSecret"),
        ],
        ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:40],
    )
    async def test_invalid_field(self, workspace: Workspace, members: dict[str, Any], path: str) -> None:
        problem = await assert_error(workspace.manager.post("/agents", json={"name": "Bot", **members}), 422, "invalid")
        assert [error["path"] for error in problem["errors"]] == [path]

    async def test_reports_all_errors(self, workspace: Workspace) -> None:
        body = {"webhookUrl": "nowhere", "chat": "loud", "colour": "red"}
        problem = await assert_error(workspace.manager.post("/agents", json=body), 422, "invalid")
        assert {error["path"] for error in problem["errors"]} == {"name", "webhookUrl", "chat", "colour"}


class TestChange:
    async def test_changes_only_given_fields(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent(description="Old", webhookUrl="https://example.com/a", chat="on")
        changed = await change(workspace, agent, name="Renamed", webhookUrl="https://example.com/b")
        expected = {name: agent[name] for name in MEMBERS - {"updatedAt"}}
        expected |= {"name": "Renamed", "webhookUrl": "https://example.com/b"}
        assert expected.items() <= changed.items()
        assert set(changed) == MEMBERS
        assert changed["updatedAt"] >= agent["updatedAt"]
        assert await get(workspace, agent) == changed

    async def test_null(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent(webhookUrl="https://example.com/a")
        assert (await change(workspace, agent, name="Kept"))["webhookUrl"] == "https://example.com/a"
        assert (await change(workspace, agent, webhookUrl=None))["webhookUrl"] is None
        for member in ("name", "description", "chat"):
            problem = await assert_error(
                workspace.manager.patch(f"/agents/{agent['agentId']}", json={member: None}), 422
            )
            assert error_at(problem, member)
        assert (await change(workspace, agent, description=""))["description"] == ""

    async def test_chat(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        for chat in ("on", "replyOnly", "off"):
            assert (await change(workspace, agent, chat=chat))["chat"] == chat
        await assert_error(workspace.manager.patch(f"/agents/{agent['agentId']}", json={"chat": "loud"}), 422)

    async def test_unknown_field(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        body = {"name": "Renamed", "webhookURL": "https://example.com"}
        problem = await assert_error(workspace.manager.patch(f"/agents/{agent['agentId']}", json=body), 422)
        assert error_at(problem, "webhookURL")
        assert (await get(workspace, agent))["name"] == agent["name"]

    async def test_concurrent_changes(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        await asyncio.gather(
            change(workspace, agent, name="Renamed"),
            change(workspace, agent, description="Described"),
            change(workspace, agent, chat="on"),
        )
        after = await get(workspace, agent)
        assert (after["name"], after["description"], after["chat"]) == ("Renamed", "Described", "on")


class TestList:
    async def test_pages(self, workspace: Workspace) -> None:
        agent_ids = [(await workspace.make_agent())["agentId"] for _ in range(5)]
        seen: list[dict[str, Any]] = []
        params: dict[str, Any] = {"limit": 2}
        while True:
            page = await assert_ok(workspace.manager.get("/agents", params=params))
            seen += page["items"]
            params["cursor"] = page["nextCursor"]
            if page["nextCursor"] is None:
                break
        identifiers = [agent["agentId"] for agent in seen]
        assert identifiers == sorted(set(identifiers))
        assert set(agent_ids) <= set(identifiers)
        assert all(set(agent) == MEMBERS for agent in seen)

    @pytest.mark.parametrize("params", [{"limit": "0"}, {"limit": "201"}, {"limit": "x"}, {"cursor": "aaa"}])
    async def test_bad_query(self, workspace: Workspace, params: dict[str, str]) -> None:
        await assert_error(workspace.manager.get("/agents", params=params), 400, "invalid_query")


class TestDelete:
    async def test_deletes_the_agent(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        response = await workspace.manager.delete(f"/agents/{agent['agentId']}")
        assert response.status_code == 204
        place = f"/agents/{agent['agentId']}"
        await assert_error(workspace.manager.get(place), 404, "not_found")
        await assert_error(workspace.manager.patch(place, json={"name": "x"}), 404, "not_found")
        await assert_error(workspace.manager.post(f"{place}/rotateSecret"), 404, "not_found")
        await assert_error(workspace.manager.delete(place), 404, "not_found")
        body = {"name": "x", "agentId": agent["agentId"], "fields": [{"id": "a", "type": "text"}]}
        assert error_at(await assert_error(workspace.manager.post("/forms", json=body), 422), "agentId")

    async def test_not_while_it_has_forms(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        problem = await assert_error(workspace.manager.delete(f"/agents/{agent['agentId']}"), 409, "agent_in_use")
        assert "1 review type." in problem["detail"]
        await workspace.request(form)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))

    async def test_keeps_its_reviews(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        form = await workspace.make_form(agent)
        done, waiting = await workspace.request(form), await workspace.request(form)
        await workspace.decide(done["reviewId"])
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        await assert_ok(workspace.manager.delete(f"/agents/{agent['agentId']}"))
        assert (await workspace.review(done["reviewId"]))["agentId"] == agent["agentId"]
        rows = (await assert_ok(workspace.agent.get("/reviews", params={"agentId": agent["agentId"]})))["items"]
        assert {row["reviewId"] for row in rows} == {done["reviewId"], waiting["reviewId"]}
        assert (await workspace.decide(waiting["reviewId"]))["state"] == "responded"
        await assert_ok(workspace.agent.delete(f"/reviews/{done['reviewId']}"))

    async def test_while_a_form_is_created_for_it(self, workspace: Workspace) -> None:
        """In either order, there is never a review type without its agent."""
        for _ in range(10):
            agent = await workspace.make_agent()
            response, deleted = await asyncio.gather(
                workspace.manager.post("/forms", json={**FORM, "agentId": agent["agentId"]}),
                workspace.manager.delete(f"/agents/{agent['agentId']}"),
            )
            assert (response.status_code, deleted.status_code) in {(201, 409), (422, 204)}
            if response.is_success:
                form = response.json()
                await assert_ok(workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA}))


class TestRotateSecret:
    async def test_creates_a_new_secret_each_time(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        first = await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/rotateSecret"))
        second = await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/rotateSecret"))
        assert set(first) == MEMBERS | {"webhookSecret"}
        assert len({agent["webhookSecret"], first["webhookSecret"], second["webhookSecret"]}) == 3
        assert "webhookSecret" not in await get(workspace, agent)


class TestWhoMay:
    async def test_roles_and_scopes(self, workspace: Workspace) -> None:
        agent = await workspace.make_agent()
        place = f"/agents/{agent['agentId']}"
        writes: list[tuple[str, str, Any]] = [
            ("POST", "/agents", {"name": "Bot"}),
            ("PATCH", place, {"name": "Renamed"}),
            ("POST", f"{place}/rotateSecret", None),
            ("DELETE", place, None),
        ]
        reads: list[tuple[str, str, Any]] = [("GET", "/agents", None), ("GET", place, None)]
        for role in ("reviewer", "viewer"):
            _, client = await workspace.make_person(role)
            for method, path, body in writes:
                await assert_error(client.request(method, path, json=body), 403, "forbidden")
            for method, path, _ in reads:
                await assert_ok(client.request(method, path))
        for method, path, body in writes:
            await assert_error(workspace.agent.request(method, path, json=body), 403, "forbidden")
        for method, path, _ in reads:
            await assert_ok(workspace.agent.request(method, path))
        for method, path, body in (*writes, *reads):
            await assert_error(workspace.public.request(method, path, json=body), 401)
        writing = await assert_ok(workspace.owner.post("/apiKeys", json={"name": "w", "scopes": ["reviews:write"]}))
        await assert_error(workspace.client(**{"x-api-key": writing["apiKey"]}).get("/agents"), 403, "forbidden")
        _, editor = await workspace.make_person("editor")
        for method, path, body in (*reads, *writes):
            await assert_ok(editor.request(method, path, json=body))

    async def test_another_account(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        theirs = await other.make_agent(name=unique("theirs"))
        for method, place, body in (
            ("GET", "", None),
            ("PATCH", "", {"name": "Mine now"}),
            ("DELETE", "", None),
            ("POST", "/rotateSecret", None),
        ):
            texts = []
            for agent_id in (theirs["agentId"], "agt_nothing"):
                call = workspace.owner.request(method, f"/agents/{agent_id}{place}", json=body)
                texts.append(json.dumps(await assert_error(call, 404, "not_found")).replace(agent_id, "…"))
            assert texts[0] == texts[1]
        assert (await get(other, theirs))["name"] == theirs["name"]
        assert theirs["name"] not in (await workspace.manager.get("/agents", params={"limit": 200})).text

    @pytest.mark.parametrize("agent_id", ["'", "%3Cscript%3E", "..%2f", "%27%20or%201=1--"])
    async def test_hostile_identifiers(self, workspace: Workspace, agent_id: str) -> None:
        await assert_error(workspace.manager.get(f"/agents/{agent_id}"), 404)
