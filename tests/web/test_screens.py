"""Every screen: no serious axe findings, nothing wider than a phone, and a small first load."""

import gzip
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, Request, Response, expect
from support.api import Workspace
from support.browser import ANIMATIONS_FINISHED, PHONE, Visitors, serious_findings, visitors_of
from support.in_process import Service
from support.second_account import open_second_account
from web_helpers import open_review, request_review

SCREENS = {
    "inbox": "/?view=all",
    "decided": "/?view=decided",
    "insights": "/insights",
    "profile": "/settings/profile",
    "workspace": "/settings/workspace",
    "people": "/settings/people",
    "groups": "/settings/groups",
    "keys": "/settings/keys",
    "agents": "/settings/agents",
    "outgoing messages": "/settings/outgoing-messages",
    "audit log": "/settings/audit-log",
    "API reference": "/api/v1/docs",
}
MOST_SCRIPT = 257_300
"""Bytes of script, compressed, that the sign-in page or the inbox loads, including the review pane loaded ahead."""


async def _settled(page: Page) -> None:
    await expect(page.get_by_role("main").first).to_be_visible()
    await page.wait_for_load_state("load")
    await page.evaluate(ANIMATIONS_FINISHED)


@pytest.fixture(scope="module")
async def tour(browser: Browser, service: Service) -> AsyncIterator[Page]:
    """One page that visits every screen, in a workspace with content on each."""
    workspace = await open_second_account(service)
    form = await workspace.make_form()
    first, *_ = await request_review(workspace, form, "One", "Two", "Rather a long headline " * 8)
    await workspace.decide(first)
    async with visitors_of(browser, service.url) as visitors:
        yield await visitors.open("/sign-in", workspace.owner)


class TestAccessible:
    @pytest.mark.parametrize(
        # With thousands of elements, axe takes a minute.
        "screen",
        [pytest.param(name, marks=[pytest.mark.slow] if name == "API reference" else []) for name in SCREENS],
    )
    async def test_screen(self, tour: Page, screen: str) -> None:
        await tour.goto(SCREENS[screen])
        await _settled(tour)
        assert await serious_findings(tour) == []
        size = tour.viewport_size
        assert size is not None
        await tour.set_viewport_size(PHONE["viewport"])
        assert await tour.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        await tour.set_viewport_size(size)

    async def test_review(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Look at me")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Look at me")
        await review.get_by_label("Headline").fill("")
        await review.get_by_role("button", name="Approve", exact=True).click()
        await expect(review.get_by_label("Headline")).to_have_attribute("aria-invalid", "true")
        assert await serious_findings(page) == []

    async def test_history(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Look at me")
        page = await visitors.open("/?view=all", workspace.owner)
        review = await open_review(page, "Look at me")
        await review.get_by_role("button", name="History").click()
        await expect(page.get_by_role("heading", name="Deliveries")).to_be_visible()
        assert await serious_findings(page) == []

    @pytest.mark.parametrize("path", ["/sign-in", "/sign-in?token=sgl_unknown", "/external/rev_x?token=ext_x"])
    async def test_public_page(self, visitors: Visitors, path: str) -> None:
        page = await visitors.open(path)
        await _settled(page)
        assert await serious_findings(page) == []


@pytest.mark.slow
class TestReducedMotion:
    async def test_theme_change_is_not_animated(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner)
        await expect(page.get_by_text("No review types yet")).to_be_visible()
        await expect(page.get_by_role("status").filter(has_text="Loading")).to_have_count(0)
        await _settled(page)
        await page.emulate_media(color_scheme="dark")
        moving = "() => document.getAnimations().map(({ transitionProperty }) => transitionProperty)"
        assert await page.evaluate(moving) == []


class TestFits:
    @pytest.mark.slow
    @pytest.mark.parametrize("screen", SCREENS)
    async def test_a_phone(self, workspace: Workspace, visitors: Visitors, screen: str) -> None:
        await request_review(workspace, await workspace.make_form(), "Rather a long headline " * 8)
        page = await visitors.open(SCREENS[screen], workspace.owner, **PHONE)
        await _settled(page)
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]

    async def test_zoom(self, workspace: Workspace, visitors: Visitors) -> None:
        """At 200% zoom, a window of 1280 pixels has room for 640."""
        await request_review(workspace, await workspace.make_form(), "Large letters")
        page = await visitors.open("/?view=all", workspace.owner, viewport={"width": 640, "height": 480})
        review = await open_review(page, "Large letters")
        await expect(review.get_by_role("button", name="Approve", exact=True)).to_be_in_viewport()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 640


class TestFirstLoad:
    @pytest.mark.parametrize("path", ["/sign-in", "/?view=all"])
    async def test_is_small(self, workspace: Workspace, visitors: Visitors, path: str) -> None:
        client = workspace.owner if path != "/sign-in" else None
        page = await visitors.open("about:blank", client)
        scripts: list[Response] = []

        def remember(response: Response) -> None:
            if "javascript" in response.headers.get("content-type", ""):
                scripts.append(response)

        page.on("response", remember)
        last = "/static/pane-" if client else "/static/sign-in-page-"
        async with page.expect_response(lambda response: last in response.url):
            await page.goto(visitors.url + path)
        await _settled(page)
        size = sum([len(gzip.compress(await script.body())) for script in scripts])
        assert 0 < size < MOST_SCRIPT

    async def test_review_is_preloaded(self, workspace: Workspace, visitors: Visitors) -> None:
        """The next review is loaded ahead: opening it needs nothing from the service."""
        [later, _] = await request_review(workspace, await workspace.make_form(), "Next", "Now")
        page = await visitors.open("/?view=all", workspace.owner)
        paths = [f"/reviews/{later}{part}" for part in ("", "/suggestion", "/draft")]
        async with AsyncExitStack() as loaded:
            for path in paths:
                await loaded.enter_async_context(page.expect_request_finished(partial(_is_of, path)))
            await open_review(page, "Now")
        await page.context.set_offline(True)
        await page.keyboard.press("j")
        await expect(page.get_by_label("Headline")).to_have_value("Next")
        await page.context.close()
        # The calls it missed while offline failed, and aren't the page's error.
        visitors.watches[-1].errors.clear()


def _is_of(path: str, request: Request) -> bool:
    return urlsplit(request.url).path.endswith(path)
