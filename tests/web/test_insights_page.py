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
