"""The page of an external link: on a phone, without an account; and one page for each way it can end."""

from typing import Any

import asyncpg
import httpx
import pytest
from playwright.async_api import Page, expect
from support.api import Workspace, assert_ok
from support.browser import PHONE, Visitors, serious_findings
from support.in_process import Service
from web_helpers import button

NOBODY: dict[str, Any] = {"users": [], "groups": [], "external": []}


async def ask(
    workspace: Workspace, *emails: str, title: str = "For our client", **members: Any
) -> tuple[str, list[str]]:
    review = await workspace.request(await workspace.make_form(), extReviewers=list(emails), title=title, **members)
    return review["reviewId"], [link["link"] for link in review["extReviewerLinks"]]


async def heading(page: Page, name: str) -> None:
    await expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


async def fits_a_phone(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    assert await serious_findings(page) == []


class TestOnAPhone:
    async def test_reads_edits_and_rejects(self, workspace: Workspace, visitors: Visitors) -> None:
        review_id, [link] = await ask(workspace, "client@example.org")
        page = await visitors.open(link, **PHONE)
        await heading(page, "For our client")
        assert "token" not in page.url
        await fits_a_phone(page)
        for name in ("Approve", "Reject"):
            box = await button(page, name).bounding_box()
            assert box is not None
            assert box["height"] >= 44
        assert await page.get_by_text("Assign").count() == 0, "that is nobody's business outside"
        await page.get_by_label("Body").fill("Not like this")
        await button(page, "Reject").tap()
        await page.get_by_label("Reason (optional)").fill("Wrong year")
        await page.get_by_role("button", name="Reject").last.tap()
        await expect(page.get_by_text("Thanks! You rejected this.")).to_be_visible()
        result = (await workspace.review(review_id))["reviewResult"]
        assert result["respondingUser"] == "client@example.org"
        assert result["reason"] == "Wrong year"
        await page.reload()
        await heading(page, "You rejected this")

    async def test_opening_and_prefetching_decide_nothing(self, workspace: Workspace, visitors: Visitors) -> None:
        """Also with scripts running, as in some mail scanners."""
        review_id, [link] = await ask(workspace, "client@example.org")
        for headers in ({"Purpose": "prefetch"}, {"Sec-Purpose": "prefetch"}, {}):
            page = await visitors.open(link, extra_http_headers=headers)
            await heading(page, "For our client")
        assert (await workspace.review(review_id))["state"] == "pending"

    @pytest.mark.slow
    async def test_returns_in_the_same_tab(self, workspace: Workspace, visitors: Visitors) -> None:
        _, [link] = await ask(workspace, "client@example.org")
        page = await visitors.open(link, **PHONE)
        await heading(page, "For our client")
        await page.reload()
        await heading(page, "For our client")


@pytest.mark.slow
class TestEndings:
    async def test_decided_by_someone_else(self, workspace: Workspace, visitors: Visitors) -> None:
        review_id, [link] = await ask(workspace, "client@example.org")
        decided = await workspace.decide(review_id)
        page = await visitors.open(link, **PHONE)
        await heading(page, "This was already approved")
        await expect(
            page.get_by_text(f"{decided['reviewResult']['respondingUser']} submitted a decision")
        ).to_be_visible()
        await fits_a_phone(page)

    async def test_deleted(self, workspace: Workspace, visitors: Visitors) -> None:
        review_id, [link] = await ask(workspace, "client@example.org")
        await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        page = await visitors.open(link, **PHONE)
        await heading(page, "This review was deleted")
        await fits_a_phone(page)

    async def test_reassigned(self, workspace: Workspace, visitors: Visitors) -> None:
        review_id, [link] = await ask(workspace, "client@example.org")
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=NOBODY))
        page = await visitors.open(link, **PHONE)
        await heading(page, "This review was reassigned")
        await fits_a_phone(page)

    async def test_expired(self, workspace: Workspace, visitors: Visitors, service: Service) -> None:
        review_id, [link] = await ask(workspace, "client@example.org")
        db = await asyncpg.connect(service.dsn())
        await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review_id)
        await db.close()
        page = await visitors.open(link, **PHONE)
        await heading(page, "This link has expired")
        await expect(page.get_by_text("Ask whoever sent you the link for a new one.")).to_be_visible()
        assert await button(page, "Request a new link").count() == 0, "no mail server"
        await fits_a_phone(page)

    async def test_expired_in_the_language_of_the_request(
        self, workspace: Workspace, visitors: Visitors, service: Service
    ) -> None:
        review_id, [link] = await ask(workspace, "client@example.org", lang="ar")
        db = await asyncpg.connect(service.dsn())
        await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review_id)
        await db.close()
        page = await visitors.open(link, **PHONE)
        await heading(page, "انتهت صلاحية هذا الرابط")
        await expect(page.locator("html")).to_have_attribute("dir", "rtl")

    @pytest.mark.parametrize("token", ["", "?token=ext_unknown"])
    async def test_unknown(self, workspace: Workspace, visitors: Visitors, token: str) -> None:
        review_id, _ = await ask(workspace, "client@example.org")
        page = await visitors.open(f"/external/{review_id}{token}", **PHONE)
        await heading(page, "This link doesn't work")
        await fits_a_phone(page)

    async def test_unknown_for_another_review(self, workspace: Workspace, visitors: Visitors) -> None:
        (one, [link]), (other, _) = await ask(workspace, "a@example.org"), await ask(workspace, "b@example.org")
        page = await visitors.open(link.replace(one, other))
        await heading(page, "This link doesn't work")

    async def test_while_open(self, workspace: Workspace, visitors: Visitors) -> None:
        """The edits don't count any more, and the page says why."""
        review_id, [link] = await ask(workspace, "client@example.org")
        page = await visitors.open(link, **PHONE)
        await page.get_by_label("Headline").fill("Too late")
        body = {**NOBODY, "external": ["other@example.org"]}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        await button(page, "Approve").tap()
        await heading(page, "This review was reassigned")
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_offline_does_not_end_the_link(self, workspace: Workspace, visitors: Visitors) -> None:
        _, [link] = await ask(workspace, "client@example.org")
        page = await visitors.open("/sign-in")
        await page.route("**/api/v1/reviews/**", lambda route: route.fulfill(status=429, body="{}"))
        await page.goto(str(httpx.URL(link).raw_path, "ascii"))
        await expect(page.get_by_text("Couldn't load the review")).to_be_visible()
        await page.unroute("**/api/v1/reviews/**")
        await button(page, "Try again").click()
        await heading(page, "For our client")
