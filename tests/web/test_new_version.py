"""A deploy while tabs are open: files of the older build are gone. Nobody loses text, and the page keeps working."""

import re

import pytest
from playwright.async_api import Page, Request, Route, expect
from support.api import Workspace
from support.browser import Visitors
from web_helpers import button, open_review, pane, request_review

MISSING = re.compile(r"/static/.+\.js$")
ENTRY = re.compile(r'(<script[^>]+src="[^"]*?)([^/"]+)(\.js")')


class Deploy:
    """From now on, the page's old files are gone, and the service has a newer build. A page loaded later works."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.loads = 0
        self.helps = True

    async def happen(self) -> None:
        await self.page.route(MISSING, self._file)
        await self.page.route(lambda url: url.rstrip("/").count("/") == 2, self.index)
        self.page.on("request", self.count)

    def count(self, request: Request) -> None:
        if request.is_navigation_request():
            self.loads += 1

    async def _file(self, route: Route) -> None:
        if self.loads > 0 and self.helps:
            await route.continue_()
        else:
            await route.fulfill(status=404, json={"code": "not_found"})

    async def index(self, route: Route) -> None:
        if route.request.is_navigation_request():
            await route.continue_()
            return
        answer = await route.fetch()
        await route.fulfill(response=answer, body=ENTRY.sub(r"\1newer\3", await answer.text()))


class TestDeploy:
    async def test_navigation_loads_the_new_version(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "First")
        page = await visitors.open("/", workspace.owner)
        visitors.watches[-1].expected += ["Failed to fetch dynamically imported module", "status of 404"]
        await open_review(page, "First")
        await page.get_by_label("Headline").fill("What I typed")
        deploy = Deploy(page)
        await deploy.happen()
        await page.get_by_role("link", name="Insights").click()
        await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
        assert deploy.loads == 1
        await page.goto("/")
        await open_review(page, "First")
        await expect(page.get_by_label("Headline")).to_have_value("What I typed")

    @pytest.mark.slow
    async def test_missing_chunk_offers_a_reload(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "First")
        page = await visitors.open("/", workspace.owner)
        visitors.watches[-1].expected += ["Failed to fetch dynamically imported module", "status of 404"]
        await open_review(page, "First")
        deploy = Deploy(page)
        await deploy.happen()
        headline = page.get_by_label("Headline")
        await headline.fill("What I typed")
        await page.locator("body").click(position={"x": 2, "y": 2})
        await page.keyboard.press("?")
        banner = page.get_by_role("complementary", name="New version")
        await expect(banner).to_contain_text("A new version of Signoff is available")
        assert deploy.loads == 0
        await expect(headline).to_have_value("What I typed")
        await button(banner, "Reload").click()
        await expect(pane(page, "First").get_by_label("Headline")).to_have_value("What I typed")
        assert deploy.loads == 1

    @pytest.mark.slow
    async def test_no_endless_reloading(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/", workspace.owner)
        visitors.watches[-1].expected += ["Failed to fetch dynamically imported module", "status of 404"]
        await expect(page.get_by_role("region", name="Review list", exact=True)).to_be_visible()
        deploy = Deploy(page)
        deploy.helps = False
        chunk = re.compile(r"/static/insights-page.+\.js$")
        await page.route(chunk, lambda route: route.fulfill(status=404, json={}))
        await page.route(lambda url: url.rstrip("/").count("/") == 2, deploy.index)
        page.on("request", deploy.count)
        await page.get_by_role("link", name="Insights").click()
        await expect(page.get_by_text("Reload the page to continue.")).to_be_visible()
        await expect(page.get_by_role("complementary", name="Sidebar")).to_be_visible()  # the shell stays
        assert deploy.loads == 1
