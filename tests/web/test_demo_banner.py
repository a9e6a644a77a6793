"""The banner of a demo workspace: from its being filled to an empty one, in the browser."""

import re

import asyncpg
from playwright.async_api import Locator, Page, Route, expect
from support.api import Workspace, ok
from support.browser import AT_REST, Visitors
from support.service import RunningService
from web_support import button, request_named, row


def banner(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Demo")


async def call_it_a_demo(service: RunningService, office: Workspace, *, filled: bool) -> None:
    db = await asyncpg.connect(service.dsn())
    try:
        await db.execute(
            """
            insert into demo_workspaces (account_id, filled_at) values ($1, case when $2 then now() end)
            on conflict (account_id) do update set filled_at = excluded.filled_at
            """,
            office.account_id,
            filled,
        )
    finally:
        await db.close()


class TestBanner:
    async def test_nothing_is_said_elsewhere(self, office: Workspace, visitors: Visitors) -> None:
        await request_named(office, await office.make_form(), "Real work")
        page = await visitors.open("/?view=all", office.owner)
        await row(page, "Real work").wait_for()
        await expect(banner(page)).to_be_hidden()

    async def test_what_came_meanwhile_is_shown(
        self, office: Workspace, visitors: Visitors, service: RunningService
    ) -> None:
        """Who came while the workspace was filled sees what is in it once it is."""
        await call_it_a_demo(service, office, filled=False)
        await request_named(office, await office.make_form(), "Filled in")
        page = await visitors.open("/settings/profile", office.owner)

        async def show_nothing_yet(route: Route) -> None:
            await route.fulfill(json={"items": [], "nextCursor": None})

        lists = re.compile(r"/api/v1/reviews\?")
        await page.route(lists, show_nothing_yet)
        await page.goto("/?view=all")
        await expect(banner(page)).to_contain_text("being set up")
        await page.evaluate(AT_REST)
        await expect(page.get_by_text("Everything is decided")).to_be_visible()
        await page.unroute(lists)
        await call_it_a_demo(service, office, filled=True)
        await expect(banner(page)).to_contain_text("Demo workspace")
        await expect(row(page, "Filled in")).to_be_visible()

    async def test_only_owners_are_led_out(
        self, office: Workspace, visitors: Visitors, service: RunningService
    ) -> None:
        _, colleague = await office.make_person("admin")
        await call_it_a_demo(service, office, filled=True)
        page = await visitors.open("/?view=all", colleague)
        await expect(banner(page)).to_be_visible()
        await expect(button(page, "Start empty…")).to_be_hidden()

    async def test_out_of_it(self, office: Workspace, visitors: Visitors, service: RunningService) -> None:
        await call_it_a_demo(service, office, filled=True)
        await request_named(office, await office.make_form(name="Made up"), "Made-up work")
        page = await visitors.open("/?view=all", office.owner)
        await row(page, "Made-up work").wait_for()
        await button(page, "Start empty…").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("1 agent and 1 review type of your own go, too")
        await button(dialog, "Cancel").click()
        await expect(row(page, "Made-up work")).to_be_visible()
        await button(page, "Start empty…").click()
        await expect(button(dialog, "Remove it all")).to_be_disabled()
        name = (await ok(office.owner.get("/auth/me")))["account"]["name"]
        await dialog.get_by_label("type the workspace's name").fill(name)
        await button(dialog, "Remove it all").click()
        await expect(row(page, "Made-up work")).to_be_hidden()
        await expect(page.get_by_role("main")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        assert (await office.owner.get("/agents")).json()["items"] == []

    async def test_somebody_was_faster(self, office: Workspace, visitors: Visitors, service: RunningService) -> None:
        await call_it_a_demo(service, office, filled=True)
        page = await visitors.open("/?view=all", office.owner)
        await button(page, "Start empty…").click()
        (await office.owner.delete("/demo")).raise_for_status()
        await button(page.get_by_role("dialog"), "Remove it all").click()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await expect(page.get_by_role("main")).to_be_visible()
        await expect(banner(page)).to_be_hidden()
        visitors.watches[-1].errors.clear()  # The refusal is one, for the browser.
