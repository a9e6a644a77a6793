"""The banner of a demo workspace, from setting it up to removing it, in the browser."""

import re

import pytest
from playwright.async_api import Locator, Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import ANIMATIONS_FINISHED, Visitors
from support.in_process import Service
from support.seeded_workspace import mark_as_demo
from web_helpers import button, request_review, row


def banner(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Demo")


class TestBanner:
    @pytest.mark.slow
    async def test_hidden_without_the_demo(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Real work")
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Real work").wait_for()
        await expect(banner(page)).to_be_hidden()

    @pytest.mark.slow
    async def test_new_content_is_shown(self, workspace: Workspace, visitors: Visitors, service: Service) -> None:
        """A member who came while the workspace was being set up sees the content once it's there."""
        await mark_as_demo(service, workspace, filled=False)
        await request_review(workspace, await workspace.make_form(), "Filled in")
        page = await visitors.open("/settings/profile", workspace.owner)

        async def show_nothing_yet(route: Route) -> None:
            await route.fulfill(json={"items": [], "nextCursor": None})

        lists = re.compile(r"/api/v1/reviews\?")
        await page.route(lists, show_nothing_yet)
        await page.goto("/?view=all")
        await expect(banner(page)).to_contain_text("Setting up the demo")
        await page.evaluate(ANIMATIONS_FINISHED)
        await expect(page.get_by_text("You're all caught up")).to_be_visible()
        await page.unroute(lists)
        await mark_as_demo(service, workspace, filled=True)
        await expect(banner(page)).to_contain_text("Demo workspace")
        await expect(row(page, "Filled in")).to_be_visible()

    @pytest.mark.slow
    async def test_only_owners_can_remove_the_demo(
        self, workspace: Workspace, visitors: Visitors, service: Service
    ) -> None:
        _, colleague = await workspace.make_person("admin")
        await mark_as_demo(service, workspace, filled=True)
        page = await visitors.open("/?view=all", colleague)
        await expect(banner(page)).to_be_visible()
        await expect(button(page, "Remove demo…")).to_be_hidden()

    @pytest.mark.slow
    async def test_remove_the_demo(self, workspace: Workspace, visitors: Visitors, service: Service) -> None:
        """Content from before belongs to the demo and is removed. What members create in it stays."""
        await request_review(workspace, await workspace.make_form(name="Made up"), "Made-up work")
        await mark_as_demo(service, workspace, filled=True)
        own = await workspace.make_form(name="Mine")
        await request_review(workspace, own, "Real work")
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Made-up work").wait_for()
        await button(page, "Remove demo…").click()
        dialog = page.get_by_role("dialog")
        kept_section = dialog.get_by_role("region", name="Kept")
        await expect(kept_section).to_contain_text("1 agent you created or set up review types for")
        await expect(kept_section).to_contain_text("1 review type you created, with its reviews")
        await button(dialog, "Cancel").click()
        await expect(row(page, "Made-up work")).to_be_visible()
        await button(page, "Remove demo…").click()
        await button(dialog, "Remove demo").click()
        await expect(row(page, "Made-up work")).to_be_hidden()
        await expect(row(page, "Real work")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        agents = (await assert_ok(workspace.owner.get("/agents")))["items"]
        assert [agent["agentId"] for agent in agents] == [own["agentId"]]

    @pytest.mark.slow
    async def test_changed_review_types_are_counted(
        self, workspace: Workspace, visitors: Visitors, service: Service
    ) -> None:
        form = await workspace.make_form(name="Made up")
        await mark_as_demo(service, workspace, filled=True)
        await assert_ok(workspace.owner.patch(f"/forms/{form['formId']}", json={"name": "Changed"}))
        page = await visitors.open("/?view=all", workspace.owner)
        await button(page, "Remove demo…").click()
        await expect(page.get_by_role("dialog")).to_contain_text("You changed 1 demo review type.")

    @pytest.mark.slow
    async def test_already_removed(self, workspace: Workspace, visitors: Visitors, service: Service) -> None:
        await mark_as_demo(service, workspace, filled=True)
        page = await visitors.open("/?view=all", workspace.owner)
        await button(page, "Remove demo…").click()
        (await workspace.owner.delete("/demo")).raise_for_status()
        await button(page.get_by_role("dialog"), "Remove demo").click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await expect(page.get_by_role("main")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        visitors.watches[-1].errors.clear()  # The browser logs the refused call as an error.
