"""A service with other settings: another short prefix, no private network, a second API."""

import asyncio
import socket
import time
from collections.abc import AsyncGenerator

import pytest
from support.api import DATA, FORM, Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Receiver
from support.second_api import second_api
from support.service_process import new_client


@pytest.fixture(scope="module")
async def abc(service: Service, workspace: Workspace) -> AsyncGenerator[Workspace]:
    """The same account through another API on the same database, as in a cluster, with the short prefix `abc`."""
    async with second_api(service, name_prefix="abc") as url:
        clients = [new_client(f"{url}/api/v1") for _ in range(4)]
        for client, known in zip(
            clients, (workspace.agent, workspace.manager, workspace.owner, workspace.public), strict=True
        ):
            client.headers = known.headers
            client.cookies = known.cookies
        yield Workspace(f"{url}/api/v1", workspace.account_id, *clients)
        for client in clients:
            await client.aclose()


class TestNamePrefix:
    async def test_is_used_for_all_ids(self, abc: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("abc")
        form = await abc.make_form(webhookUrl=receiver.url + path)
        meta = {"_abcWorkflow": {"runName": "Newsletter"}}
        created_review = await abc.request(form, meta=meta)
        assert set(created_review) == {"reviewId", "sessionId", "svcLink", "abcLink", "workflowRunId"}
        await assert_ok(abc.owner.post(f"/reviews/{created_review['reviewId']}/retry", json={"instructions": "Again"}))
        review = await abc.decide(created_review["reviewId"])
        assert review["abcLink"] == review["svcLink"] == created_review["abcLink"] == created_review["svcLink"]
        assert review["workflowRunId"] == created_review["workflowRunId"]
        await receiver.wait_for(path, 2)
        for call in receiver.at(path):
            assert call.json["abcLink"] == call.json["svcLink"] == created_review["abcLink"]
            assert call.json["meta"] == meta

    async def test_auto_approval(self, abc: Workspace) -> None:
        form = await abc.make_form()
        review = await abc.request(form, meta={"_abcAutoApprove": True})
        assert (await abc.review(review["reviewId"]))["state"] == "responded"
        review = await abc.request(form, meta={"_svcAutoApprove": True, "_svcWorkflow": {}})
        assert "workflowRunId" in review
        assert (await abc.review(review["reviewId"]))["state"] == "responded"
        review = await abc.request(form, meta={"_xyzAutoApprove": True, "_xyzWorkflow": {}})
        assert "workflowRunId" not in review
        assert (await abc.review(review["reviewId"]))["state"] == "pending"

    async def test_errors(self, abc: Workspace) -> None:
        form = await abc.make_form()
        body = {"formId": form["formId"], "data": DATA, "meta": {"_abcWorkflow": {"runId": "a b"}}}
        problem = await assert_error(abc.agent.post("/requestReview", json=body), 422)
        assert [error["path"] for error in problem["errors"]] == ["meta._abcWorkflow.runId"]


class TestSecondApi:
    async def test_new_version_applies_immediately(self, workspace: Workspace, abc: Workspace) -> None:
        form = await workspace.make_form()
        for version in range(1, 4):
            for caller in (workspace, abc):
                review = await caller.request(form)
                assert (await caller.review(review["reviewId"]))["formVersion"] == version
            change = {"name": f"Version {version + 1}"}
            await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=change))

    async def test_disabled_auto_approval_applies_immediately(self, workspace: Workspace, abc: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        await abc.request(form)
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"autoApprove": False}))
        review = await abc.request(form)
        assert (await abc.review(review["reviewId"]))["state"] == "pending"

    async def test_archiving_applies_immediately(self, workspace: Workspace, abc: Workspace) -> None:
        form = await workspace.make_form()
        await abc.request(form)
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}"))
        body = {"formId": form["formId"], "data": DATA}
        await assert_error(abc.agent.post("/requestReview", json=body), 404, "not_found")

    async def test_one_of_two_decisions_wins(self, workspace: Workspace, abc: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form)
        body = {"response": "approved"}
        calls = [
            caller.owner.post(f"/reviews/{review['reviewId']}/response", json=body) for caller in (workspace, abc) * 3
        ]
        responses = await asyncio.gather(*calls)
        assert sorted(response.status_code for response in responses) == [200] + [409] * 5

    async def test_sessions_work_on_both(self, workspace: Workspace, abc: Workspace) -> None:
        """Both write the same new sessions and runs, in batches of any order, and don't block each other."""
        form = await workspace.make_form()
        names = [unique("session") for _ in range(20)]
        calls = [
            client.request(form, sessionId=name, workflow={"runId": name, "runName": name})
            for client, order in ((workspace, names), (abc, names[::-1]))
            for name in order
        ]
        started = time.monotonic()
        await asyncio.gather(*calls)
        assert time.monotonic() - started < 10
        rows = await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"], "limit": 200}))
        assert sorted(row["sessionId"] for row in rows["items"]) == sorted(names * 2)


class TestNoAllowedNetwork:
    async def test_loopback_is_blocked(self, start_service: StartService) -> None:
        """Only the public internet is allowed: no connection is made, and the record says why."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.setblocking(False)
            port = listener.getsockname()[1]
            async with start_service(allowed_networks="", webhook_retry_schedule="0.1") as running:
                workspace = await sign_in_workspace(running)
                agent = await workspace.make_agent()
                form = await assert_ok(workspace.manager.post("/forms", json={**FORM, "agentId": agent["agentId"]}))
                urls = [f"http://{host}:{port}/hook" for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]")]
                for url in urls:
                    created_review = await workspace.request(form, webhookUrl=url)
                    review = await workspace.decide(created_review["reviewId"])
                    record = await workspace.delivery(review["webhookDeliveryId"], "dead")
                    assert len(record["attempts"]) == 2
                    for attempt in record["attempts"]:
                        assert attempt["ok"] is False
                        assert attempt["error"].startswith("blocked_address")
                        assert attempt["statusCode"] == 0
            with pytest.raises(BlockingIOError):
                listener.accept()
