"""Helpers for the browser tests: finding things on the page by name, as people do."""

import re
from typing import Any

from playwright.async_api import Locator, Page, expect
from support.api import Workspace


def row(page: Page, title: str) -> Locator:
    """In the list of reviews."""
    return page.locator("[data-scroller=reviews]").get_by_role("link", name=re.compile(re.escape(title)))


def pane(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=f"Review: {title}")


def button(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


async def open_review(page: Page, title: str) -> Locator:
    await row(page, title).click()
    opened = pane(page, title)
    await expect(opened).to_be_visible()
    return opened


async def choose_option(field: Locator, option: str) -> None:
    """Chooses an option of a searchable list, by keyboard."""
    await field.click()
    await field.page.keyboard.type(option)
    await expect(field.page.get_by_role("option", name=option, exact=True)).to_be_visible()
    await field.page.keyboard.press("Enter")
    await expect(field).to_contain_text(option)


async def pass_undo_time(page: Page) -> None:
    """Moves the page's clock to the time when the held decision is sent."""
    await page.clock.fast_forward(6_000)


async def queued_decisions(page: Page) -> list[str]:
    """The reviews whose decisions the page holds or is sending, oldest first."""
    return await page.evaluate("""() => Object.entries(sessionStorage)
        .filter(([key]) => key.startsWith('signoff.decisions.'))
        .map(([, stored]) => JSON.parse(stored))
        .sort((a, b) => a.createdAt - b.createdAt)
        .map(({ reviewId }) => reviewId)""")


async def send_now(page: Page) -> None:
    """A decision is held for a few seconds; leaving the page sends it immediately."""
    await page.goto("/insights")


async def request_review(workspace: Workspace, form: dict[str, Any], *headlines: str, **members: Any) -> list[str]:
    """Reviews with these headlines, oldest first."""
    review_ids: list[str] = []
    for headline in headlines:
        data = {"draft": {"headline": headline}, "body": f"Body of {headline}", "score": 7}
        review_ids.append((await workspace.request(form, data=data, **members))["reviewId"])
    return review_ids
