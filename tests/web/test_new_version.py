"""A deploy while tabs are open: files of the older build are gone. Nobody loses text, and the page keeps working."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Request, Route, expect
from support.api import Workspace, workspace_of
from support.browser import Visitors, listening, visitors_of
from support.in_process import StartService
from web_helpers import button, open_review, pane, request_review

from signoff.pages.web_app import BUILT

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
        response = await route.fetch()
        await route.fulfill(response=response, body=ENTRY.sub(r"\1newer\3", await response.text()))


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


def rename_files(build: Path) -> None:
    """Make it another build: the names of all files in `static` change, and so do all references to them."""
    files = list((build / "static").iterdir())
    names = re.compile("|".join(sorted((re.escape(file.name) for file in files), key=len, reverse=True)))
    for file in (build / "index.html", *files):
        if file.suffix in {".html", ".js", ".css"}:
            file.write_text(names.sub(lambda match: newer(match[0]), file.read_text()))
    for file in files:
        file.rename(file.with_name(newer(file.name)))


def newer(name: str) -> str:
    return name.replace(".", "-newer.", 1)


@pytest.mark.slow
class TestUpgrade:
    async def test_open_tab_survives(self, browser: Browser, start_service: StartService, tmp_path: Path) -> None:
        """The service stops, gets a new build of the app, and starts again."""
        build = tmp_path / "app"
        shutil.copytree(BUILT, build)
        loads: list[str] = []
        async with (
            start_service(web_app=build, worker=False) as old,
            workspace_of(old) as workspace,
            visitors_of(browser, old.url) as visitors,
        ):
            await request_review(workspace, await workspace.make_form(), "First")
            async with listening(old):
                page = await visitors.open("/", workspace.owner)
                await page.get_by_role("link", name="Insights").click()
                await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
                await page.go_back()
                await open_review(page, "First")
                headline = page.get_by_label("Headline")
                await headline.fill("What I typed")
                old.app.state.context.pubsub.stop()  # as at a SIGTERM
            visitors.watches[-1].expected += ["net::ERR_", "Failed to fetch dynamically imported module"]
            page.on("request", lambda request: request.is_navigation_request() and loads.append(request.url))
            await page.get_by_role("link", name="Chats").click()
            await expect(page.get_by_text("Check your connection and try again.")).to_be_visible()
            await page.go_back()
            await expect(headline).to_have_value("What I typed")

            rename_files(build)
            port = old.settings.port
            async with start_service(beside=old, port=port, web_app=build, worker=False) as new, listening(new):
                await page.evaluate("dispatchEvent(new Event('online'))")
                banner = page.get_by_role("complementary", name="New version")
                await expect(banner).to_be_visible()
                assert loads == []
                # It was open before, so the old build could show it once more.
                await page.get_by_role("link", name="Insights").click()
                await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
                await expect(page.locator("script[src*='-newer.js']")).to_have_count(1)
                await expect(banner).to_have_count(0)
                await page.go_back()
                await expect(headline).to_have_value("What I typed")
                assert len(loads) == 1
                await page.close()
                new.app.state.context.pubsub.stop()
