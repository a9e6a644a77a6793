"""Trigger forms in a browser: by a member, and by a visitor on a phone."""

from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect
from review_type_helpers import tab
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors, serious_findings
from web_helpers import button

FIELDS: list[dict[str, Any]] = [
    {"id": "topic", "type": "text", "label": "Topic", "required": True, "maxLength": 20},
    {"id": "count", "type": "number", "label": "How many", "min": 1, "max": 10, "default": 3},
    {"id": "details", "type": "longText", "label": "Details"},
]
RULES = [
    {"target": "details", "effect": "show", "when": {"field": "count.value", "operation": ">", "value": 5}},
]


async def make_trigger(workspace: Workspace, **members: Any) -> dict[str, Any]:
    agent = await workspace.make_agent(name="Newsletter writer")
    return await workspace.make_form(
        agent,
        **{
            "name": unique("Ask for a newsletter"),
            "trigger": True,
            "allowRetry": False,
            "titleField": "topic",
            "fields": FIELDS,
            "layout": None,
            "rules": RULES,
            **members,
        },
    )


async def publish(workspace: Workspace, form: dict[str, Any], **terms: Any) -> str:
    """The path of its page."""
    link = await assert_ok(workspace.manager.put(f"/forms/{form['formId']}/publicLink", json=terms))
    return f"/f/{link['link'].rpartition('/')[2]}"


async def submitted(workspace: Workspace, form: dict[str, Any]) -> list[dict[str, Any]]:
    return (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]


async def fill_in_and_send(page: Page, topic: str) -> None:
    await page.get_by_label("Topic").fill(topic)
    await button(page, "Submit").click()


async def sign_in_as(page: Page, client: httpx.AsyncClient) -> None:
    """In the same tab."""
    origin = await page.evaluate("location.origin")
    await page.context.clear_cookies()
    await page.context.add_cookies(
        [{"name": cookie.name, "value": str(cookie.value), "url": origin} for cookie in client.cookies.jar]
    )
    await page.reload()


class TestMembers:
    async def test_start_from_the_sidebar(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open("/", workspace.owner)
        await page.get_by_role("link", name=f"Start {form['name']}").click()
        await expect(page.get_by_role("heading", name=form["name"])).to_be_visible()
        await button(page, "Start workflow").click()
        await expect(page.get_by_text("This field is required.")).to_be_visible()
        await expect(page.get_by_label("Topic")).to_be_focused()
        await page.get_by_label("Topic").fill("Autumn")
        await expect(page.get_by_label("Details")).to_be_hidden()
        await page.get_by_label("How many").fill("7")
        await page.get_by_label("Details").fill("Leaves.")
        await page.get_by_label("Run name (optional)").fill("November")
        assert await serious_findings(page) == []
        await page.keyboard.press("Control+Enter")
        await expect(page.get_by_role("heading", name="Workflow started")).to_be_focused()
        await page.get_by_role("link", name="View submission").click()
        await expect(page.get_by_role("region", name="Review: Autumn")).to_contain_text("Submitted")
        [row] = await submitted(workspace, form)
        review = await workspace.review(row["reviewId"])
        assert review["reviewResult"]["data"] == {"topic": "Autumn", "count": 7, "details": "Leaves."}

    @pytest.mark.slow
    async def test_start_from_the_palette(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open("/", workspace.owner)
        await expect(page.get_by_role("link", name=f"Start {form['name']}")).to_be_visible()
        await page.keyboard.press("Control+k")
        await page.keyboard.type("start ask")
        await page.get_by_role("option", name=f"Start {form['name']}").click()
        await expect(page.get_by_role("heading", name=form["name"])).to_be_visible()

    @pytest.mark.slow
    async def test_keep_values_after_a_failure(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open(f"/triggers/{form['formId']}", workspace.owner)
        await page.get_by_label("Topic").fill("Autumn")
        await page.reload()
        await expect(page.get_by_label("Topic")).to_have_value("Autumn")
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": "Another name"}))
        await expect(page.get_by_role("heading", name="Another name")).to_be_visible()
        await expect(page.get_by_label("Topic")).to_have_value("Autumn")
        await button(page, "Start workflow").click()
        await expect(page.get_by_role("heading", name="Workflow started")).to_be_visible()

    @pytest.mark.slow
    async def test_do_not_see_drafts_of_others(self, visitors: Visitors, workspace: Workspace) -> None:
        """A tab outlives a sign-in."""
        form = await make_trigger(workspace)
        _, colleague = await workspace.make_person("reviewer")
        page = await visitors.open(f"/triggers/{form['formId']}", workspace.owner)
        await page.get_by_label("Topic").fill("Between us")
        await sign_in_as(page, colleague)
        await expect(page.get_by_label("Topic")).to_have_value("")
        await page.get_by_label("Topic").fill("Something else")
        await sign_in_as(page, workspace.owner)
        await expect(page.get_by_label("Topic")).to_have_value("Between us")

    @pytest.mark.slow
    async def test_are_not_interrupted_by_a_new_version(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open(f"/triggers/{form['formId']}", workspace.owner)
        await page.get_by_label("Topic").fill("Autumn")
        changed = [{**FIELDS[0], "label": "Subject"}, *FIELDS[1:]]
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"fields": changed}))
        await expect(
            page.get_by_text("This form was updated. Loading the new version keeps your answers")
        ).to_be_visible()
        await page.get_by_label("Topic").fill("Autumn leaves")
        await button(page, "Start workflow").click()
        await expect(page.get_by_text("Check the form and start again.")).to_be_visible()
        await expect(page.get_by_label("Subject")).to_have_value("Autumn leaves")
        await expect(
            page.get_by_text("This form was updated. Loading the new version keeps your answers")
        ).to_have_count(0)
        await button(page, "Start workflow").click()
        await expect(page.get_by_role("heading", name="Workflow started")).to_be_visible()
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_viewers_can_not_start(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        _, viewer = await workspace.make_person("viewer")
        page = await visitors.open(f"/triggers/{form['formId']}", viewer)
        await expect(page.get_by_text("Viewers can't start workflows.")).to_be_visible()
        await expect(button(page, "Start workflow")).to_have_count(0)


class TestVisitors:
    async def test_fill_in_a_form_on_a_phone(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open(await publish(workspace, form), **PHONE)
        await expect(page.get_by_role("heading", name=form["name"])).to_be_visible()
        await button(page, "Submit").click()
        await expect(page.get_by_text("This field is required.")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        assert await serious_findings(page) == []
        await page.get_by_label("Email (optional)").fill("kim@example.org")
        await fill_in_and_send(page, "Autumn")
        await expect(page.get_by_text("Your response was submitted.")).to_be_visible()
        [row] = await submitted(workspace, form)
        assert row["respondingUser"] == "kim@example.org"
        await button(page, "Submit another response").click()
        await fill_in_and_send(page, "Winter")
        await expect(page.get_by_text("Your response was submitted.")).to_be_visible()
        assert [submission["title"] for submission in await submitted(workspace, form)] == ["Winter", "Autumn"]

    @pytest.mark.slow
    async def test_see_that_they_are_offline(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open(await publish(workspace, form), **PHONE)
        await page.get_by_label("Topic").fill("Autumn")
        await page.route("**/submissions", lambda route: route.abort())
        await button(page, "Submit").click()
        await expect(page.get_by_role("alert")).to_contain_text("You're offline.")
        await expect(page.get_by_label("Topic")).to_have_value("Autumn")
        await page.unroute("**/submissions")
        await button(page, "Submit").click()
        await expect(page.get_by_text("Your response was submitted.")).to_be_visible()
        # The browser logs the failed call in its console.
        visitors.watches[-1].errors.clear()

    @pytest.mark.slow
    async def test_see_the_rate_limit(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        path = await publish(workspace, form, perHour=1)
        page = await visitors.open(path)
        await fill_in_and_send(page, "Autumn")
        await expect(page.get_by_text("Your response was submitted.")).to_be_visible()
        await button(page, "Submit another response").click()
        await fill_in_and_send(page, "Winter")
        await expect(page.get_by_role("alert")).to_contain_text("This form is getting too many responses.")
        await expect(page.get_by_label("Topic")).to_have_value("Winter")

    @pytest.mark.slow
    async def test_see_that_it_is_closed(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        path = await publish(workspace, form)
        page = await visitors.open(path)
        await page.get_by_label("Topic").fill("Autumn")
        await assert_ok(workspace.manager.delete(f"/forms/{form['formId']}/publicLink"))
        await button(page, "Submit").click()
        await expect(page.get_by_role("alert")).to_contain_text("This form was just closed.")
        await expect(page.get_by_label("Topic")).to_have_value("Autumn")
        await page.reload()
        await expect(page.get_by_role("heading", name="This form is closed")).to_be_visible()
        other = await visitors.open("/f/pub_unknown")
        await expect(other.get_by_role("heading", name="Form not found")).to_be_visible()


@pytest.mark.slow
class TestEditor:
    async def test_opens_and_closes_a_form(self, visitors: Visitors, workspace: Workspace) -> None:
        form = await make_trigger(workspace)
        page = await visitors.open(f"/review-types/{form['formId']}?tab=behavior", workspace.owner)
        await tab(page, "Settings").click()
        await page.get_by_role("switch", name="Anyone with the link can submit").click()
        link = page.get_by_role("link", name="/f/pub_")
        await expect(link).to_be_visible()
        first = await link.get_attribute("href")
        assert first is not None
        public = await visitors.open(first)
        await expect(public.get_by_role("heading", name=form["name"])).to_be_visible()
        await button(page, "Replace link").click()
        await button(page.get_by_role("dialog"), "Replace link").click()
        await expect(link).not_to_have_attribute("href", first)
        await page.get_by_role("switch", name="Anyone with the link can submit").click()
        await button(page, "Turn off link").click()
        await expect(link).to_have_count(0)
