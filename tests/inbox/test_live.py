"""`GET /live`: changes reach every open browser, whichever process made them."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from inbox_helpers import open_live_stream, sign_in_again
from support.api import DATA, Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.connections import api_processes, client_of
from support.in_process import Service, StartService
from support.prepared_data_dir import SIGNOFF
from support.second_account import open_second_account
from support.service_process import free_port, new_client, running_service, service_env

from signoff.platform.db import Database
from signoff.platform.pubsub import account_topic, publish_subject


@pytest.mark.slow
async def test_decision_through_another_api_process(tmp_path: Path) -> None:
    """`signoff serve` with two: the browser follows one, and the decision is made through the other."""
    with running_service(tmp_path, api_processes=2) as service:
        workspace = await sign_in_workspace(service)
        review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
        one, two = api_processes(service.process.pid)
        async with client_of(one, service.url) as following, client_of(two, service.url) as deciding:
            following.cookies = deciding.cookies = workspace.owner.cookies
            async with open_live_stream(following) as browser:
                await assert_ok(deciding.post(f"/reviews/{review_id}/response", json={"response": "approved"}))
                await browser.review(review_id, "review.approved")
        await workspace.close()


class TestChanges:
    async def test_a_review_from_request_to_deletion(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as browser:
            review_id = (await workspace.request(form, title="News"))["reviewId"]
            review = await browser.review(review_id, "review.requested")
            rows = (await assert_ok(workspace.owner.get("/reviews", params={"formId": form["formId"]})))["items"]
            assert review.data["row"] == rows[0]
            await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."}))
            assert (await browser.review(review_id, "review.retry_requested")).data["row"]["retryRequested"] is True
            await workspace.request(form, updateForReviewId=review_id)
            assert (await browser.review(review_id, "review.updated")).data["row"]["revision"] == 2
            await workspace.decide(review_id)
            review = await browser.review(review_id, "review.approved")
            assert review.data["row"]["state"] == "responded"
            assert review.data["actorId"] == (await assert_ok(workspace.owner.get("/auth/me")))["user"]["userId"]
            await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
            assert (await browser.review(review_id, "review.deleted")).data["row"] is None

    async def test_two_browsers(self, workspace: Workspace, people: dict[str, Any]) -> None:
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as one, open_live_stream(people["viewer"][1]) as two:
            review_id = (await workspace.request(form))["reviewId"]
            first, second = await one.review(review_id), await two.review(review_id)
            assert first.data == second.data

    async def test_auto_approved(self, workspace: Workspace) -> None:
        form = await workspace.make_form(autoApprove=True)
        async with open_live_stream(workspace.owner) as browser:
            review_id = (await workspace.request(form))["reviewId"]
            assert (await browser.review(review_id, "review.approved")).data["row"]["autoApproved"] is True

    async def test_other_changes(self, workspace: Workspace, people: dict[str, Any]) -> None:
        async with open_live_stream(workspace.owner) as owner, open_live_stream(people["reviewer"][1]) as reviewer:
            key = await assert_ok(workspace.owner.post("/apiKeys", json={"name": unique("key")}))
            group = await assert_ok(workspace.owner.post("/groups", json={"name": unique("group")}))
            agent = await workspace.make_agent()
            for browser in (owner, reviewer):
                await browser.change("agent.created", agent["agentId"])
                await browser.change("group.created", group["groupId"])
            await owner.change("key.created", key["keyId"])
            hidden = ("key.", "user.", "account.")
            assert not [event for event in reviewer.of("change") if event.data["action"].startswith(hidden)]

    async def test_copied_media(self, workspace: Workspace, service: Service) -> None:
        """Reported by the worker: it isn't in the audit log."""
        review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
        db = await Database.connect(service.dsn(), size=1)
        try:
            async with open_live_stream(workspace.owner) as browser:
                publish_subject(db, account_topic(workspace.account_id), "rev_nothing")
                publish_subject(db, account_topic(workspace.account_id), review_id)
                review = await browser.review(review_id, "review.media_copied")
                assert review.data["row"]["reviewId"] == review_id
                assert "rev_nothing" not in str(browser.events)
        finally:
            await db.close()

    async def test_many_at_once(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as browser:
            reviews = await asyncio.gather(*(workspace.request(form) for _ in range(60)))
            for review in reviews:
                await browser.review(review["reviewId"])

    async def test_nothing_of_other_accounts(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form, theirs = await workspace.make_form(), await other_workspace.make_form()
        async with open_live_stream(workspace.owner) as ours, open_live_stream(other_workspace.owner) as others:
            secret = (await other_workspace.request(theirs, title="Secret"))["reviewId"]
            await assert_ok(other_workspace.owner.put(f"/reviews/{secret}/presence"))
            await others.review(secret)
            await others.present(secret, {(await assert_ok(other_workspace.owner.get("/auth/me")))["user"]["userId"]})
            review_id = (await workspace.request(form))["reviewId"]
            await ours.review(review_id)
            assert secret not in str(ours.events)
            assert review_id not in str(others.events)

    async def test_late_commit(self, workspace: Workspace, service: Service) -> None:
        """It has a lower number than an entry that is seen first."""
        form = await workspace.make_form()
        connection = await asyncpg.connect(service.dsn())
        try:
            async with open_live_stream(workspace.owner) as browser:
                transaction = connection.transaction()
                await transaction.start()
                await connection.execute(
                    "insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)"
                    " values ($1, 'system', 'system', 'system', 'agent.late', 'agt_late')",
                    workspace.account_id,
                )
                review_id = (await workspace.request(form))["reviewId"]
                known = (await browser.review(review_id)).id
                await transaction.commit()
                await browser.change("agent.late", "agt_late")
            async with open_live_stream(workspace.owner, after=known) as again:
                await again.change("agent.late", "agt_late")
        finally:
            await connection.close()


class TestReconnect:
    @pytest.fixture
    async def workspace(self, service: Service) -> AsyncIterator[Workspace]:
        """A workspace with a short log: in a long one, a connection that opens during a transaction starts far back."""
        second_account = await open_second_account(service)
        yield second_account
        await second_account.close()

    async def test_sends_missed_changes_first(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as browser:
            review_id = (await workspace.request(form))["reviewId"]
            known = (await browser.review(review_id)).id
        missed = [(await workspace.request(form))["reviewId"] for _ in range(3)]
        await workspace.decide(missed[0])
        await assert_ok(workspace.agent.delete(f"/reviews/{missed[1]}"))
        async with open_live_stream(workspace.owner, after=known) as browser:
            decided = await browser.review(missed[0])
            assert decided.data["action"] == "review.approved"
            assert decided.data["row"]["state"] == "responded"
            assert (await browser.review(missed[1])).data["row"] is None
            assert (await browser.review(missed[2])).data["action"] == "review.requested"
            assert browser.events[0].event == "hello"
            # After a lost connection, the missed events are sent.
            assert {event.id for event in browser.events if event.event in {"hello", "review"}} == {known}
            after = browser.of("presence")[0].id
            assert int(after) >= int(known)
        again = True
        async with asyncio.timeout(60):
            while again:  # the position stays back while an older entry is still being written
                async with open_live_stream(workspace.owner, after=after) as browser:
                    await browser.until(lambda: browser.of("presence"))
                    again, after = missed[0] in str(browser.of("review")), browser.of("presence")[0].id

    async def test_never_repeats_changes(self, workspace: Workspace, service: Service) -> None:
        """A feed that starts during a transaction isn't sure of the latest entries; the browser was."""
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as browser:
            review_id = (await workspace.request(form))["reviewId"]
            known = (await browser.review(review_id)).id
        missed = (await workspace.request(form))["reviewId"]
        connection = await asyncpg.connect(service.dsn())
        try:
            async with connection.transaction():
                await connection.fetchval("select pg_current_xact_id()::text")
                async with open_live_stream(workspace.owner, after=known) as browser:
                    await browser.review(missed)
                    later = (await workspace.request(form))["reviewId"]
                    await browser.review(later)
                    assert min(int(event.id) for event in browser.events) == int(known)
        finally:
            await connection.close()

    async def test_with_a_query_parameter(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        async with open_live_stream(workspace.owner) as browser:
            known = browser.of("hello")[0].id
        review_id = (await workspace.request(form))["reviewId"]
        async with open_live_stream(workspace.owner, query=known) as browser:
            await browser.review(review_id)

    async def test_too_long_disconnected(self, workspace: Workspace, service: Service) -> None:
        async with open_live_stream(workspace.owner) as browser:
            known = browser.of("hello")[0].id
        connection = await asyncpg.connect(service.dsn())
        try:
            await connection.execute(
                "insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)"
                " select $1, 'system', 'system', 'system', 'agent.many', 'agt_many' from generate_series(1, 1001)",
                workspace.account_id,
            )
        finally:
            await connection.close()
        async with open_live_stream(workspace.owner, after=known) as browser:
            await browser.until(lambda: browser.of("presence"))
            assert [event.event for event in browser.events[:3]] == ["hello", "reset", "presence"]
            position = browser.of("presence")[0].id
        async with open_live_stream(workspace.owner, after=position) as browser:
            await browser.until(lambda: browser.of("presence"))
            assert not browser.of("reset")

    async def test_too_many_changes(self, workspace: Workspace, service: Service) -> None:
        connection = await asyncpg.connect(service.dsn())
        try:
            async with open_live_stream(workspace.owner) as browser:
                await connection.execute(
                    "insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)"
                    " select $1, 'system', 'system', 'system', 'agent.flood', 'agt_x' from generate_series(1, 2500)",
                    workspace.account_id,
                )
                await browser.until(lambda: browser.of("reset"))
                agent = await workspace.make_agent()
                await browser.change("agent.created", agent["agentId"])
                assert "agent.flood" not in str(browser.events)
        finally:
            await connection.close()

    @pytest.mark.parametrize("known", ["x", "-1", "1.5", "9" * 18, "9" * 30, "' or 1=1", ""])
    async def test_unknown_event_id(self, workspace: Workspace, known: str) -> None:
        async with open_live_stream(workspace.owner, after=known) as browser:
            await browser.until(lambda: browser.of("presence"))
            assert browser.of("reset")

    @pytest.mark.parametrize("known", ["x", "-1", "", "9" * 19])
    async def test_unknown_query_parameter(self, workspace: Workspace, known: str) -> None:
        await assert_error(workspace.owner.get("/live", params={"after": known}), 400, "invalid_query")


class TestAccess:
    async def test_only_for_users(self, workspace: Workspace) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["out@example.org"])
        token = httpx.URL(review["extReviewerLinks"][0]["link"]).params["token"]
        await assert_error(workspace.agent.get("/live"), 403, "person_needed")
        await assert_error(workspace.manager.get("/live"), 403, "person_needed")
        await assert_error(workspace.public.get("/live", headers={"x-review-token": token}), 403, "person_needed")
        await assert_error(workspace.public.get("/live"), 401)

    async def test_headers(self, workspace: Workspace) -> None:
        async with open_live_stream(workspace.owner) as browser:
            headers = browser.response.headers
            assert headers["content-type"].startswith("text/event-stream")
            assert headers["cache-control"] == "no-store"
            assert headers["x-accel-buffering"] == "no"
        response = await workspace.owner.head("/live")
        assert response.status_code == 200
        assert response.content == b""

    async def test_ends_when_signed_out(self, workspace: Workspace) -> None:
        _, client = await workspace.make_person("reviewer")
        async with open_live_stream(client) as browser, open_live_stream(workspace.owner) as other:
            await assert_ok(sign_in_again(client).post("/auth/logout"))
            await browser.wait_until_ended()
            assert not other.has_ended

    async def test_ends_when_disabled(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person("reviewer")
        async with open_live_stream(client) as browser:
            await assert_ok(workspace.owner.delete(f"/users/{person['userId']}"))
            await browser.wait_until_ended()

    async def test_new_permissions_apply_immediately(self, workspace: Workspace) -> None:
        person, client = await workspace.make_person("reviewer")
        async with open_live_stream(client) as browser:
            await assert_ok(workspace.owner.patch(f"/users/{person['userId']}", json={"role": "admin"}))
            await browser.change("user.changed", person["userId"])


class TestPresence:
    async def test_joins_and_leaves(self, workspace: Workspace, people: dict[str, Any]) -> None:
        (reviewer, client), (viewer, other) = people["reviewer"], people["viewer"]
        review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
        async with open_live_stream(workspace.owner) as browser:
            await assert_ok(client.put(f"/reviews/{review_id}/presence"))
            await browser.present(review_id, {reviewer["userId"]})
            await assert_ok(other.put(f"/reviews/{review_id}/presence"))
            await browser.present(review_id, {reviewer["userId"], viewer["userId"]})
            async with open_live_stream(client) as late:
                await late.present(review_id, {reviewer["userId"], viewer["userId"]})
            await assert_ok(client.delete(f"/reviews/{review_id}/presence"))
            await browser.present(review_id, {viewer["userId"]})
            await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
            await browser.present(review_id, set())

    async def test_times_out(self, workspace: Workspace, service: Service) -> None:
        person, client = await workspace.make_person("reviewer")
        review_id = (await workspace.request(await workspace.make_form()))["reviewId"]
        connection = await asyncpg.connect(service.dsn())
        try:
            async with open_live_stream(workspace.owner) as browser:
                await assert_ok(client.put(f"/reviews/{review_id}/presence"))
                await browser.present(review_id, {person["userId"]})
                await connection.execute(
                    "update review_presence set seen_at = now() - interval '31 seconds' where review_id = $1", review_id
                )
                await browser.present(review_id, set())
        finally:
            await connection.close()


class TestProcesses:
    async def test_second_process_and_shutdown(self, start_service: StartService) -> None:
        """Two on one database: each reports the other's changes. Stopping one ends its streams."""
        async with start_service(worker=False) as service, start_service(worker=False, beside=service) as second:
            workspace = await sign_in_workspace(service)
            there = new_client(second.api)
            there.cookies = workspace.owner.cookies
            form = await workspace.make_form()
            async with open_live_stream(workspace.owner) as one, open_live_stream(there) as two:
                review_id = (await workspace.request(form))["reviewId"]
                await two.review(review_id, "review.requested")
                await assert_ok(there.post(f"/reviews/{review_id}/response", json={"response": "approved"}))
                await one.review(review_id, "review.approved")
                second.app.state.context.pubsub.stop()  # as at a SIGTERM
                await two.wait_until_ended(within=20)
                assert not one.has_ended
                review = await workspace.request(form)
                await one.review(review["reviewId"])
                service.app.state.context.pubsub.stop()
                await one.wait_until_ended(within=20)

    @pytest.mark.slow
    async def test_separate_process_and_shutdown(self, tmp_path: Path) -> None:
        """Two API processes on one database: each reports the other's changes. Stopping one ends its streams."""
        with running_service(tmp_path, shutdown_grace=30) as service:
            workspace = await sign_in_workspace(service)
            port = free_port()
            env = service_env(tmp_path / "second", port, database_url=service.dsn(), shutdown_grace=30)
            with (tmp_path / "second.log").open("wb") as output:
                second = subprocess.Popen([*SIGNOFF, "api"], env=env, stdout=output, stderr=output)  # noqa: ASYNC220
            try:
                url = f"http://127.0.0.1:{port}"
                async with asyncio.timeout(60), httpx.AsyncClient(timeout=60) as probe:
                    while True:
                        try:
                            if (await probe.get(f"{url}/readyz")).status_code == 200:
                                break
                        except httpx.TransportError:
                            await asyncio.sleep(0.05)
                there = httpx.AsyncClient(base_url=f"{url}/api/v1", cookies=workspace.owner.cookies, timeout=60)
                form = await workspace.make_form()
                async with open_live_stream(workspace.owner) as one, open_live_stream(there) as two:
                    review_id = (await workspace.request(form))["reviewId"]
                    await two.review(review_id, "review.requested")
                    await assert_ok(there.post(f"/reviews/{review_id}/response", json={"response": "approved"}))
                    await one.review(review_id, "review.approved")
                    second.send_signal(signal.SIGTERM)
                    await two.wait_until_ended(within=20)  # and not after the 30 seconds that running requests get
                    assert not one.has_ended
                    review = await assert_ok(
                        workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DATA})
                    )
                    await one.review(review["reviewId"])
                    service.process.send_signal(signal.SIGTERM)
                    await one.wait_until_ended(within=20)
                await asyncio.to_thread(second.wait, 60)
                assert '"path":"/api/v1/live"' in (tmp_path / "second.log").read_text()
            finally:
                second.terminate()
                second.wait(60)
