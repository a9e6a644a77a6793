"""Notification preferences in the browser, and browser notifications."""

import asyncio
import re
import time
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect
from support.api import DATA, Workspace, assert_ok
from support.browser import PHONE, Visitors
from web_helpers import choose_option, request_review, row

# Real notifications, recorded as they are created; and a page whose visibility the test controls.
WATCHED = """
    window.shown = []
    window.isHidden = false
    const Real = window.Notification
    window.Notification = class extends Real {
      constructor(title, options) {
        super(title, options)
        window.shown.push({ title, body: options.body, itself: this })
      }
    }
    Object.defineProperty(Document.prototype, 'visibilityState', {
      get: () => (window.isHidden ? 'hidden' : 'visible'),
    })
"""


async def wait_for_notification(page: Page, *titles: str) -> None:
    """Once these reviews are in the page's list, moves its clock past the time in which it collects news."""
    for title in titles:
        await expect(row(page, title)).to_be_attached()
    await page.clock.fast_forward(5_000)


async def hide_page(page: Page, *, away: bool = True) -> None:
    await page.evaluate(
        "away => { window.isHidden = away; document.dispatchEvent(new Event('visibilitychange')) }", away
    )


async def shown(page: Page, count: int) -> list[dict[str, Any]]:
    await page.wait_for_function("count => window.shown.length >= count", arg=count)
    return await page.evaluate("window.shown.map(({ title, body }) => ({ title, body }))")


async def saved(workspace: Workspace, **defaults: Any) -> None:
    deadline = time.monotonic() + 20
    while (await assert_ok(workspace.owner.get("/account")))["notificationDefaults"] != defaults:
        assert time.monotonic() < deadline, f"{defaults} is not saved"
        await asyncio.sleep(0.05)


@pytest.mark.slow
class TestMails:
    async def test_preferences_with_an_exception_and_the_next_mail(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        agent = await workspace.make_agent(name="Translator")
        _, ann = await workspace.make_person()
        page = await visitors.open("/settings/profile", ann, timezone_id="Europe/Berlin")
        choice = page.get_by_label("Email me about pending reviews")
        await expect(choice.locator("option:checked")).to_have_text("Workspace default (For each review)")
        await expect(
            page.get_by_text("About 30 seconds after a review needs your decision, you get an email")
        ).to_be_visible()
        await choice.select_option("Daily digest")
        await expect(page.get_by_text(re.compile(r"Next daily digest: .* \(UTC\)"))).to_be_visible()
        await page.get_by_label("Daily digest time").select_option("5:00 PM")
        await page.get_by_role("button", name="Use browser time zone (Europe/Berlin)").click()
        await expect(page.get_by_text(re.compile(r"at 5:00 PM \(Europe/Berlin\)"))).to_be_visible()
        await page.get_by_label("Add exception for an agent").select_option("Translator")
        await page.get_by_label("Emails about reviews from Translator").select_option("For each review")
        await expect(page.get_by_text("About 30 seconds after")).to_be_visible()
        chosen = (await assert_ok(ann.get("/auth/me")))["preferences"]
        assert (chosen["email"], chosen["digestHour"], chosen["timeZone"]) == ("daily", 17, "Europe/Berlin")
        assert chosen["agents"] == {agent["agentId"]: "each"}
        await page.get_by_role("button", name="Remove exception for Translator").click()
        await expect(page.get_by_label("Emails about reviews from Translator")).to_be_hidden()
        await choice.select_option("Workspace default")
        await expect(choice.locator("option:checked")).to_have_text("Workspace default (For each review)")
        await ann.aclose()

    async def test_choices_are_saved_in_order(self, workspace: Workspace, visitors: Visitors) -> None:
        agent = await workspace.make_agent(name="Translator")
        _, ann = await workspace.make_person()
        page = await visitors.open("/settings/profile", ann)
        sent: list[str] = []
        released = asyncio.Event()

        async def hold_the_first(route: Route) -> None:
            if route.request.method == "PATCH":
                sent.append(route.request.post_data or "")
                if len(sent) == 1:
                    await released.wait()
            await route.continue_()

        await page.route("**/auth/me", hold_the_first)
        await page.get_by_label("Add exception for an agent").select_option("Translator")
        exception = page.get_by_label("Emails about reviews from Translator")
        await exception.select_option("Hourly digest")
        await exception.select_option("Daily digest")
        await expect(exception.locator("option:checked")).to_have_text("Daily digest")
        assert len(sent) == 1
        released.set()
        await expect(page.get_by_text(re.compile("Next daily digest"))).to_be_visible()
        assert len(sent) == 3
        await expect(exception.locator("option:checked")).to_have_text("Daily digest")
        chosen = (await assert_ok(ann.get("/auth/me")))["preferences"]
        assert chosen["agents"] == {agent["agentId"]: "daily"}
        await ann.aclose()

    async def test_the_workspaces_default(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/settings/workspace", workspace.owner, **PHONE)
        part = page.locator("section", has=page.get_by_role("heading", name="Notifications"))
        await part.get_by_label("Emails about pending reviews").select_option("Daily digest")
        await saved(workspace, email="daily", digestHour=8, timeZone=None)
        await choose_option(part.get_by_label("Time zone"), "Asia/Tokyo")
        await saved(workspace, email="daily", digestHour=8, timeZone="Asia/Tokyo")
        await page.goto("/settings/profile")
        choice = page.get_by_label("Email me about pending reviews")
        await expect(choice.locator("option:checked")).to_have_text("Workspace default (Daily digest)")


class TestBrowserNotifications:
    async def test_turned_on_shown_and_clicked(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await visitors.open("/sign-in", workspace.owner, clock=True, permissions=["notifications"])
        await page.add_init_script(WATCHED)
        await page.goto("/settings/profile")
        await page.get_by_role("switch", name="Browser notifications").click()
        await expect(page.get_by_role("switch", name="Browser notifications")).to_be_checked()
        await page.goto("/?view=all")
        # While someone looks at the page, the review is visible there.
        await request_review(workspace, form, "Seen")
        await expect(page.get_by_text("Seen").first).to_be_visible()
        await wait_for_notification(page, "Seen")
        assert await shown(page, 0) == []

        await hide_page(page)
        ok_ = await workspace.owner.post("/requestReview", json={"formId": form["formId"], "data": DATA})
        assert ok_.is_success, "what oneself does is no news"
        [review_id] = await request_review(workspace, form, "Harvest")
        await wait_for_notification(page, "Harvest")
        assert await shown(page, 1) == [{"title": "Harvest", "body": "Review AI draft needs your review"}]
        await page.evaluate("window.shown[0].itself.dispatchEvent(new Event('click'))")
        await expect(page).to_have_url(re.compile(f"/reviews/{review_id}"))

        # A burst is a single notification.
        names = ("One", "Two", "Three", "Four", "Five")
        await asyncio.gather(*(request_review(workspace, form, name) for name in names))
        await wait_for_notification(page, *names)
        [_, burst] = await shown(page, 2)
        assert burst["title"] == "5 reviews need your decision"
        assert burst["body"].endswith("and 2 more")

        # Someone looks at another page of the same browser.
        other = await visitors.open_tab(page.context, "/?view=all")
        await request_review(workspace, form, "Winter")
        await expect(other.get_by_text("Winter").first).to_be_visible()
        await wait_for_notification(page, "Winter")
        assert len(await shown(page, 0)) == 2
        # It would have come before the notifications after nobody looks any more.
        await other.close()
        await request_review(workspace, form, "Spring")
        await wait_for_notification(page, "Spring")
        [_, _, latest] = await shown(page, 3)
        assert latest["title"] == "Spring"

    @pytest.mark.slow
    async def test_denied_by_the_browser(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/sign-in", workspace.owner)
        await page.add_init_script("Notification.requestPermission = async () => 'denied'")
        await page.goto("/settings/profile")
        await page.get_by_role("switch", name="Browser notifications").click()
        await expect(page.get_by_text("Your browser blocks notifications from this site")).to_be_visible()
        await expect(page.get_by_role("switch", name="Browser notifications")).not_to_be_checked()
