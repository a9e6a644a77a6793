"""Settings that members change in the browser, and their effects."""

import asyncio
import re

import pytest
from playwright.async_api import Download, Route, expect
from support.api import Workspace, assert_error, assert_ok, unique
from support.browser import PHONE, Visitors, serious_findings
from support.receiver import Receiver
from web_helpers import button, request_review


class TestKeys:
    async def test_created_used_and_revoked(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/keys", workspace.owner)
        await page.get_by_role("button", name="Create key").first.click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Name").fill("My program")
        await dialog.get_by_role("button", name="Create key").click()
        key = await dialog.get_by_label("API key").input_value()
        client = workspace.client(**{"x-api-key": key})
        await assert_ok(client.get("/authCheck"))
        await dialog.get_by_role("button", name="Close", exact=True).dblclick()
        await expect(dialog.get_by_text("You haven't copied this yet.")).to_be_visible()
        await expect(dialog.get_by_label("API key")).to_have_value(key)
        await button(dialog, "Close without copying").click()
        await expect(dialog).to_have_count(0)
        await button(page, "Revoke My program").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(page.get_by_text(re.compile("[Rr]evoked")).first).to_be_visible()
        await assert_error(client.get("/authCheck"), 401)
        await client.aclose()

    @pytest.mark.slow
    async def test_say_on_a_phone_when_they_were_used_and_expire(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        """Without the table's column headings."""
        api_key = await assert_ok(
            workspace.owner.post("/apiKeys", json={"name": "Nightly import", "scopes": ["reviews:read"]})
        )
        page = await visitors.open("/settings/keys", workspace.owner, **PHONE)
        unused = page.get_by_role("row").filter(has_text="Nightly import")
        await expect(unused.get_by_text("Never used · Never expires")).to_be_visible()
        client = workspace.client(**{"x-api-key": api_key["apiKey"]})
        await assert_ok(client.get("/authCheck"))
        await client.aclose()
        await page.reload()
        await expect(unused.get_by_text(re.compile("Last used .* · Never expires"))).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.slow
class TestAgents:
    async def test_with_review_types_cannot_be_deleted_and_says_why(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        agent = await workspace.make_agent(name="Writer")
        form = await workspace.make_form(agent)
        page = await visitors.open("/settings/agents", workspace.owner)
        await button(page, "More actions for Writer").click()
        delete = page.get_by_role("menuitem", name="Delete…")
        await expect(delete).to_be_disabled()
        await expect(delete).to_contain_text("it has 1 review type. Archive the review type or move it")
        await assert_ok(workspace.owner.delete(f"/forms/{form['formId']}"))
        await page.reload()
        await button(page, "More actions for Writer").click()
        await delete.click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(page.get_by_text("Writer", exact=True)).to_have_count(0)

    async def test_send_a_test_event(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        agent = await workspace.make_agent(name="Tester", webhookUrl=receiver.url + path)
        page = await visitors.open("/settings/agents", workspace.owner)
        await button(page, "Send test event…").click()
        dialog = page.get_by_role("dialog")
        assert receiver.at(path) == []  # opening the dialog sends nothing
        await button(dialog, "Send").click()
        [call, *_] = await receiver.wait_for(path)
        assert call.json["event"] == "test"
        assert call.json["agentId"] == agent["agentId"]
        assert "webhook-signature" in call.headers
        await expect(dialog.get_by_text("Delivered. The endpoint returned 200 OK.")).to_be_visible()


@pytest.mark.slow
class TestOutgoingMessages:
    async def test_retry_of_many(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [410, 410, 200])
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        reviews = await request_review(workspace, form, "One", "Two")
        for review_id in reviews:
            await workspace.decide(review_id)
        for review_id in reviews:
            await workspace.delivery((await workspace.review(review_id))["webhookDeliveryId"], "dead")
        page = await visitors.open("/settings/deliveries", workspace.owner)  # the page's earlier name
        await page.get_by_label("Agent", exact=True).select_option(form["agentId"])
        await page.get_by_label("Status").select_option("Failed")
        boxes = page.get_by_role("table").get_by_role("checkbox")
        await expect(boxes).to_have_count(3)  # one for all
        for box in await boxes.all():
            await box.check()
        await page.get_by_role("button", name="Retry").first.click()
        await page.get_by_role("dialog").get_by_role("button", name="Retry").click()
        await receiver.wait_for(path, 4)
        results = page.get_by_role("dialog").get_by_role("list", name="Results")
        await expect(results.get_by_role("listitem")).to_have_count(2)
        await page.keyboard.press("Escape")

    async def test_details_of_a_delivery(self, workspace: Workspace, visitors: Visitors, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        receiver.answer(path, [410])
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        [review_id] = await request_review(workspace, form, "One")
        await workspace.decide(review_id)
        delivery_id = (await workspace.review(review_id))["webhookDeliveryId"]
        await workspace.delivery(delivery_id, "dead")
        page = await visitors.open(f"/settings/outgoing-messages?open={delivery_id}", workspace.owner)
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text(receiver.url + path)).to_be_visible()
        await expect(dialog.get_by_role("listitem")).to_contain_text("410 Gone")
        await expect(dialog.get_by_text('"event": "review.completed"')).to_be_visible()
        assert await serious_findings(page) == []

    async def test_viewer_sees_neither_emails_nor_actions(
        self, workspace: Workspace, visitors: Visitors, receiver: Receiver
    ) -> None:
        path = "/" + unique("hook")
        form = await workspace.make_form(await workspace.make_agent(webhookUrl=receiver.url + path))
        [review_id] = await request_review(workspace, form, "One")
        await workspace.decide(review_id)
        _, viewer = await workspace.make_person("viewer")
        page = await visitors.open("/settings/outgoing-messages", viewer)
        await expect(page.get_by_role("button", name="review.completed").first).to_be_visible()
        await expect(page.get_by_role("checkbox")).to_have_count(0)
        channels = page.get_by_role("group", name="Channel").get_by_role("button")
        await expect(channels).to_have_text(["All", "Webhooks", "Copies of files"])


@pytest.mark.slow
class TestAuditLog:
    async def test_export_has_more_than_the_page_shows(self, workspace: Workspace, visitors: Visitors) -> None:
        for number in range(60):
            await assert_ok(workspace.owner.post("/groups", json={"name": f"Group {number}", "members": []}))
        page = await visitors.open("/settings/audit-log?action=group.created", workspace.owner)
        await expect(page.get_by_text("50 entries so far")).to_be_visible()
        async with page.expect_download() as started:
            await button(page, "Export CSV").click()
        exported = await asyncio.to_thread((await (await started.value).path()).read_text)
        assert exported.count("group.created") >= 60

    async def test_a_canceled_export_saves_nothing(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/audit-log", workspace.owner)
        export = button(page, "Export CSV")
        await expect(export).to_be_enabled()
        held: list[Route] = []

        async def hold(route: Route) -> None:
            held.append(route)

        saved: list[Download] = []
        page.on("download", lambda download: saved.append(download))
        await page.route("**/api/v1/auditLog?*limit=200*", hold)
        await export.click()
        await expect(page.get_by_text("Exporting… 0 entries so far")).to_be_visible()
        await button(page, "Cancel export").click()
        await expect(page.get_by_text("Exporting…")).to_have_count(0)
        await page.unroute("**/api/v1/auditLog?*limit=200*", hold)
        assert len(held) == 1
        assert saved == []
        async with page.expect_download():
            await export.click()


class TestPeople:
    async def test_viewer_sees_only_own_settings(self, workspace: Workspace, visitors: Visitors) -> None:
        _, viewer = await workspace.make_person("viewer")
        page = await visitors.open("/settings/profile", viewer)
        await expect(page.get_by_role("heading", name="Profile").first).to_be_visible()
        await expect(page.get_by_role("link", name="API keys")).to_be_hidden()
        await page.goto("/settings/keys")
        await expect(page.get_by_role("button", name="Create key")).to_be_hidden()


@pytest.mark.slow
class TestTheme:
    async def test_dark(self, workspace: Workspace, visitors: Visitors) -> None:
        await assert_ok(workspace.owner.patch("/auth/me", json={"preferences": {"theme": "dark"}}))
        page = await visitors.open("/?view=all", workspace.owner, color_scheme="light")
        await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
