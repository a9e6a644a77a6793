"""Drafts on slow and failing connections: no edit is lost, and the service gets no useless requests."""

import asyncio
import re

import pytest
from playwright.async_api import Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button, open_review, request_review

DRAFT = re.compile(r"/draft$")


async def draft_of(workspace: Workspace, review_id: str) -> str | None:
    draft = await assert_ok(workspace.owner.get(f"/reviews/{review_id}/draft"))
    return draft["draft"] and draft["draft"]["data"]["draft"]["headline"]


async def opened(workspace: Workspace, visitors: Visitors, title: str) -> tuple[Page, str]:
    [review_id] = await request_review(workspace, await workspace.make_form(), title)
    page = await visitors.open("/", workspace.owner, clock=True)
    await open_review(page, title)
    return page, review_id


class TestSlowLink:
    async def test_one_save_at_a_time_and_the_latest_text_last(self, workspace: Workspace, visitors: Visitors) -> None:
        page, review_id = await opened(workspace, visitors, "Slow")
        first, let_go = asyncio.Event(), asyncio.Event()
        under_way, most, saved = 0, 0, 0

        async def slowly(route: Route) -> None:
            nonlocal under_way, most, saved
            if route.request.method != "PUT":
                await route.continue_()
                return
            under_way += 1
            most = max(most, under_way)
            first.set()
            await let_go.wait()
            response = await route.fetch()
            under_way -= 1
            saved += 1
            await route.fulfill(response=response)

        await page.route(DRAFT, slowly)
        headline = page.get_by_label("Headline")
        await headline.fill("One")
        await page.clock.run_for(1_000)
        await first.wait()
        # Two more pauses in typing, each long enough for a save.
        for text in ("One two", "One two three"):
            await headline.fill(text)
            await page.clock.run_for(1_000)
        assert most == 1
        let_go.set()
        await page.clock.resume()
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        assert (most, saved) == (1, 2)
        assert await draft_of(workspace, review_id) == "One two three"


@pytest.mark.slow
class TestRefused:
    async def test_shows_the_error_and_stops_saving(self, workspace: Workspace, visitors: Visitors) -> None:
        page, review_id = await opened(workspace, visitors, "Refused")
        asked = 0

        async def refuse(route: Route) -> None:
            nonlocal asked
            if route.request.method != "PUT":
                await route.continue_()
                return
            asked += 1
            problem = {
                "status": 403,
                "code": "forbidden",
                "title": "Forbidden",
                "detail": "You can't edit this review.",
            }
            await route.fulfill(status=403, json=problem, content_type="application/problem+json")

        await page.route(DRAFT, refuse)
        headline = page.get_by_label("Headline")
        await headline.fill("Mine")
        await page.clock.run_for(1_000)
        await expect(page.get_by_text("Couldn't save your draft.")).to_be_visible()
        await expect(page.get_by_text("You can't edit this review.")).to_be_visible()
        await page.clock.run_for(10 * 60_000)
        assert asked == 1
        await page.unroute(DRAFT)
        await page.reload()
        await expect(page.get_by_label("Headline")).to_have_value("Mine")
        await page.clock.run_for(1_000)
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        assert await draft_of(workspace, review_id) == "Mine"

    async def test_respects_retry_after(self, workspace: Workspace, visitors: Visitors) -> None:
        page, review_id = await opened(workspace, visitors, "Limited")
        asked = 0

        async def limit(route: Route) -> None:
            nonlocal asked
            if route.request.method != "PUT":
                await route.continue_()
                return
            asked += 1
            if asked > 1:
                await route.continue_()
                return
            await route.fulfill(status=429, headers={"retry-after": "60"}, json={"code": "rate_limited", "status": 429})

        await page.route(DRAFT, limit)
        await page.get_by_label("Headline").fill("Later")
        await page.clock.run_for(1_000)
        await expect(button(page, "Try again")).to_be_visible()
        await page.clock.run_for(50_000)
        assert asked == 1
        await page.clock.run_for(15_000)
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        assert await draft_of(workspace, review_id) == "Later"
