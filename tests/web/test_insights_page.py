"""Insights in the browser."""

import pytest
from playwright.async_api import Route, expect
from support.api import Workspace
from support.browser import Visitors
from web_helpers import button, request_review


@pytest.mark.slow
class TestCharts:
    async def test_one_that_could_not_be_loaded_is_tried_again(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "One")
        await workspace.decide(review_id)
        page = await visitors.open("/insights", workspace.owner)
        card = page.get_by_role("region", name="Outcomes by review type")
        await expect(card.get_by_text("1 decided")).to_be_visible()

        async def refuse(route: Route) -> None:
            await route.fulfill(status=403, json={"code": "forbidden", "detail": "Not now."})

        await page.route("**/api/v1/insights?*formId=*", refuse)
        await card.get_by_text("Trend").click()
        await expect(card.get_by_text("Couldn't load this chart")).to_be_visible()
        await page.unroute("**/api/v1/insights?*formId=*", refuse)
        await button(card, "Try again").click()
        await expect(card.get_by_text("Couldn't load this chart")).to_have_count(0)
        await expect(card.get_by_role("img").first).to_be_visible()


class TestPageError:
    async def test_stays_on_its_page(self, workspace: Workspace, visitors: Visitors) -> None:
        """The rest of the app keeps working, and the error is in the console once."""
        page = await visitors.open("/", workspace.owner)
        watch = visitors.watches[-1]
        watch.expected.append("TypeError")

        async def omit_everything(route: Route) -> None:
            await route.fulfill(json={})

        await page.route("**/api/v1/insights?*", omit_everything)
        await page.get_by_role("link", name="Insights").click()
        await expect(page.get_by_text("Couldn't load this page")).to_be_visible()
        assert len(watch.errors) == 1
        await page.get_by_role("link", name="Settings").click()
        await expect(page.get_by_role("heading", name="Profile")).to_be_visible()
        await page.go_back()
        await page.unroute("**/api/v1/insights?*", omit_everything)
        await button(page, "Try again").click()
        await expect(page.get_by_role("heading", name="Insights")).to_be_visible()
