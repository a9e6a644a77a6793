"""The banner of a demo workspace: from its being filled to an empty one, in the browser."""

import re

import asyncpg
import pytest
from playwright.async_api import Locator, Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import AT_REST, Visitors
from support.in_process import Service
from web_helpers import button, request_named, row


def banner(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Demo")


async def call_it_a_demo(service: Service, office: Workspace, *, filled: bool) -> None:
    db = await asyncpg.connect(service.dsn())
    try:
        await db.execute(
            """
            insert into demo_workspaces (account_id, filled_at, agents)
            values ($1, case when $2 then now() end, array(select agent_id from agents where account_id = $1))
            on conflict (account_id) do update set filled_at = excluded.filled_at, agents = excluded.agents
            """,
            office.account_id,
            filled,
        )
    finally:
        await db.close()


class TestBanner:
    @pytest.mark.slow
    async def test_nothing_is_said_elsewhere(self, office: Workspace, visitors: Visitors) -> None:
        await request_named(office, await office.make_form(), "Real work")
        page = await visitors.open("/?view=all", office.owner)
        await row(page, "Real work").wait_for()
        await expect(banner(page)).to_be_hidden()

    @pytest.mark.slow
    async def test_what_came_meanwhile_is_shown(self, office: Workspace, visitors: Visitors, service: Service) -> None:
        """Who came while the workspace was filled sees what is in it once it is."""
        await call_it_a_demo(service, office, filled=False)
        await request_named(office, await office.make_form(), "Filled in")
        page = await visitors.open("/settings/profile", office.owner)

        async def show_nothing_yet(route: Route) -> None:
            await route.fulfill(json={"items": [], "nextCursor": None})

        lists = re.compile(r"/api/v1/reviews\?")
        await page.route(lists, show_nothing_yet)
        await page.goto("/?view=all")
        await expect(banner(page)).to_contain_text("Setting up the demo")
        await page.evaluate(AT_REST)
        await expect(page.get_by_text("You're all caught up")).to_be_visible()
        await page.unroute(lists)
        await call_it_a_demo(service, office, filled=True)
        await expect(banner(page)).to_contain_text("Demo workspace")
        await expect(row(page, "Filled in")).to_be_visible()

    @pytest.mark.slow
    async def test_only_owners_are_led_out(self, office: Workspace, visitors: Visitors, service: Service) -> None:
        _, colleague = await office.make_person("admin")
        await call_it_a_demo(service, office, filled=True)
        page = await visitors.open("/?view=all", colleague)
        await expect(banner(page)).to_be_visible()
        await expect(button(page, "Remove demo…")).to_be_hidden()

    @pytest.mark.slow
    async def test_out_of_it(self, office: Workspace, visitors: Visitors, service: Service) -> None:
        """What was there when it became a demo is the demo's, and goes. What people make in it stays."""
        await request_named(office, await office.make_form(name="Made up"), "Made-up work")
        await call_it_a_demo(service, office, filled=True)
        own = await office.make_form(name="Mine")
        await request_named(office, own, "Real work")
        page = await visitors.open("/?view=all", office.owner)
        await row(page, "Made-up work").wait_for()
        await button(page, "Remove demo…").click()
        dialog = page.get_by_role("dialog")
        kept = dialog.get_by_role("region", name="Kept")
        await expect(kept).to_contain_text("1 agent you created or use")
        await expect(kept).to_contain_text("1 review type you created, with its reviews")
        await button(dialog, "Cancel").click()
        await expect(row(page, "Made-up work")).to_be_visible()
        await button(page, "Remove demo…").click()
        await button(dialog, "Remove demo").click()
        await expect(row(page, "Made-up work")).to_be_hidden()
        await expect(row(page, "Real work")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        agents = (await assert_ok(office.owner.get("/agents")))["items"]
        assert [agent["agentId"] for agent in agents] == [own["agentId"]]

    @pytest.mark.slow
    async def test_changed_review_types_are_counted(
        self, office: Workspace, visitors: Visitors, service: Service
    ) -> None:
        form = await office.make_form(name="Made up")
        await call_it_a_demo(service, office, filled=True)
        await assert_ok(office.owner.patch(f"/forms/{form['formId']}", json={"name": "Changed"}))
        page = await visitors.open("/?view=all", office.owner)
        await button(page, "Remove demo…").click()
        await expect(page.get_by_role("dialog")).to_contain_text("You changed 1 demo review type.")

    @pytest.mark.slow
    async def test_somebody_was_faster(self, office: Workspace, visitors: Visitors, service: Service) -> None:
        await call_it_a_demo(service, office, filled=True)
        page = await visitors.open("/?view=all", office.owner)
        await button(page, "Remove demo…").click()
        (await office.owner.delete("/demo")).raise_for_status()
        await button(page.get_by_role("dialog"), "Remove demo").click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await expect(page.get_by_role("main")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        visitors.watches[-1].errors.clear()  # The refusal is one, for the browser.
