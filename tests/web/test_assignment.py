"""Reviewers: shown, changed, claimed and released, in two browsers at once; and out of office."""

import re
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, expect
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors, serious_findings
from web_helpers import button, open_review, pane, request_review, row

Member = tuple[dict[str, Any], httpx.AsyncClient]


@pytest.fixture
async def ann(workspace: Workspace) -> Member:
    return await named(workspace, "Ann Lee")


@pytest.fixture
async def ben(workspace: Workspace) -> Member:
    return await named(workspace, "Ben Oz")


async def named(workspace: Workspace, name: str, role: str = "reviewer") -> Member:
    person, client = await workspace.make_person(role)
    await assert_ok(client.patch("/auth/me", json={"name": name}))
    return {**person, "name": name}, client


async def choose(page: Page, *typed: str) -> None:
    """Chooses reviewers in the dialog, by keyboard."""
    field = page.get_by_role("dialog").get_by_role("combobox")
    await expect(field).to_be_focused()
    for text in typed:
        await page.keyboard.type(text)
        await expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()
        await page.keyboard.press("Enter")


class TestReassign:
    async def test_in_two_browsers(self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "Autumn news", assignTo=[ann[0]["email"]])
        hers = await visitors.open("/?view=mine", ann[1])
        his = await visitors.open("/?view=mine", ben[1])
        review = await open_review(hers, "Autumn news")
        await expect(his.get_by_text("Nothing assigned to you")).to_be_visible()
        await expect(review.get_by_label("Headline")).to_be_visible()

        await hers.keyboard.press("w")
        await choose(hers, "Ben")
        await button(hers.get_by_role("dialog"), "Remove Ann Lee").click()
        await expect(hers.get_by_role("dialog").get_by_text("You'll lose access.")).to_be_visible()
        await hers.get_by_label("Note (optional)").fill("Yours, I think")
        await hers.keyboard.press("Control+Enter")
        await expect(hers.get_by_role("dialog")).to_have_count(0)

        await expect(row(his, "Autumn news")).to_be_visible()
        await expect(hers.get_by_text("You can't decide this review: it's assigned to Ben Oz.")).to_be_visible()
        theirs = await open_review(his, "Autumn news")
        await button(theirs, "History").click()
        await expect(his.get_by_text("Yours, I think")).to_be_visible()
        await expect(his.get_by_text(f"assigned this to {ben[0]['email']}")).to_be_visible()
        assert (await workspace.review(review_id))["assignedTo"]["users"] == [ben[0]["email"]]

    @pytest.mark.slow
    async def test_to_a_group_and_an_external_reviewer(
        self, workspace: Workspace, visitors: Visitors, ann: Member
    ) -> None:
        await assert_ok(workspace.owner.post("/groups", json={"name": "Legal", "members": [ann[0]["email"]]}))
        [review_id] = await request_review(workspace, await workspace.make_form(), "For lawyers")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await pane(page, "For lawyers").get_by_role("button", name="Unassigned. Assign reviewers").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("any reviewer can decide")).to_be_visible()
        await choose(page, "Leg", "counsel@partner.example")
        await button(dialog, "Assign").click()
        await expect(dialog.get_by_text("You won't be able to see the link again.")).to_be_visible()
        link = await dialog.get_by_label("counsel@partner.example").input_value()
        await page.mouse.click(5, 5)
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_visible()
        await expect(dialog.get_by_text("Email isn't set up")).to_be_visible()
        await button(dialog, "Done").click()
        await expect(dialog).to_have_count(0)

        stranger = await visitors.open(link, **PHONE)
        await expect(stranger.get_by_role("heading", name="For lawyers")).to_be_visible()
        assigned = (await workspace.review(review_id))["assignedTo"]
        assert assigned["external"] == ["counsel@partner.example"]
        assert len(assigned["groups"]) == 1

    @pytest.mark.slow
    async def test_conflict_with_another_change(
        self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member
    ) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "For whom")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await pane(page, "For whom").get_by_role("button", name="Unassigned. Assign reviewers").click()
        dialog = page.get_by_role("dialog")
        await choose(page, ann[0]["email"])
        body = {"users": [ben[0]["email"]], "groups": [], "external": []}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        await expect(dialog.get_by_text("Someone else changed the reviewers.")).to_be_visible()
        await choose(page, ann[0]["email"])
        await button(dialog, "Assign").click()
        await expect(dialog).to_have_count(0)
        users = (await workspace.review(review_id))["assignedTo"]["users"]
        assert sorted(users) == sorted([ann[0]["email"], ben[0]["email"]])

    @pytest.mark.slow
    async def test_shows_who_is_out_of_office(
        self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member
    ) -> None:
        away = {"from": "2020-01-01T00:00:00Z", "until": "2040-01-01T00:00:00Z", "delegate": ben[0]["email"]}
        await assert_ok(ann[1].put("/auth/me/absence", json=away))
        [review_id] = await request_review(workspace, await workspace.make_form(), "Autumn news")
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await expect(pane(page, "Autumn news").get_by_label("Headline")).to_be_visible()
        await page.keyboard.press("w")
        option = page.get_by_role("dialog").get_by_role("option", name=re.compile("Ann Lee"))
        await expect(option).to_contain_text("Out of office until")
        assert await serious_findings(page) == []

    @pytest.mark.slow
    async def test_on_a_phone(self, workspace: Workspace, visitors: Visitors, ann: Member) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Autumn news")
        page = await visitors.open(f"/reviews/{review_id}?view=all", ann[1], **PHONE)
        await button(pane(page, "Autumn news"), "More actions").tap()
        await page.get_by_role("menuitem", name="Claim").tap()
        await expect(page.get_by_text("Claimed by you", exact=True)).to_be_visible()
        await button(pane(page, "Autumn news"), "More actions").tap()
        await page.get_by_role("menuitem", name="Assign reviewers…").tap()
        await expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_visible()
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390


@pytest.mark.slow
class TestTake:
    async def test_in_two_browsers(self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Autumn news")
        hers = await visitors.open(f"/reviews/{review_id}?view=all", ann[1])
        his = await visitors.open(f"/reviews/{review_id}?view=all", ben[1])
        for page in (hers, his):
            await expect(pane(page, "Autumn news").get_by_label("Headline")).to_be_visible()
        await hers.keyboard.press("i")
        await expect(pane(hers, "Autumn news").get_by_text("Claimed by you", exact=True)).to_be_visible()
        await expect(pane(his, "Autumn news").get_by_text("Claimed by Ann Lee", exact=True)).to_be_visible()
        await expect(pane(his, "Autumn news").get_by_text("claimed this review")).to_be_visible()
        await expect(button(pane(his, "Autumn news"), "Approve")).to_have_count(0)
        await expect(row(his, "Autumn news")).to_contain_text("Claimed by Ann Lee")
        await expect(row(hers, "Autumn news")).to_contain_text("Claimed by you")
        assert (await workspace.review(review_id))["takenBy"]["name"] == "Ann Lee"

        await hers.keyboard.press("Shift+I")
        await expect(button(pane(his, "Autumn news"), "Approve")).to_be_visible()
        await button(pane(his, "Autumn news"), "Claim").click()
        await expect(pane(hers, "Autumn news").get_by_text("Claimed by Ben Oz", exact=True)).to_be_visible()

    async def test_too_late_shows_an_error(self, workspace: Workspace, visitors: Visitors, ann: Member) -> None:
        """The other one took it while this page was disconnected."""
        _, other = await named(workspace, "Other", "editor")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Autumn news")
        page = await visitors.open(f"/reviews/{review_id}?view=all", ann[1])
        await expect(button(pane(page, "Autumn news"), "Claim")).to_be_visible()
        await page.route("**/api/v1/reviews/*/take", lambda route: slowly(route, other, review_id))
        await button(pane(page, "Autumn news"), "Claim").click()
        await expect(page.get_by_text("has already claimed this review")).to_be_visible()
        await expect(pane(page, "Autumn news").get_by_text("Claimed by Other", exact=True)).to_be_visible()


async def slowly(route: Any, other: httpx.AsyncClient, review_id: str) -> None:
    await assert_ok(other.post(f"/reviews/{review_id}/take"))
    await route.continue_()


class TestOutOfOffice:
    @pytest.mark.slow
    async def test_set_in_the_profile(self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member) -> None:
        page = await visitors.open("/settings/profile", ann[1], timezone_id="Asia/Tokyo")
        part = page.locator("section", has=page.get_by_role("heading", name="Out of office"))
        await part.get_by_label("Starts").fill("2036-12-20T08:00")
        await part.get_by_label("Ends").fill("2036-12-31T18:30")
        await part.get_by_label("Delegate").select_option(ben[0]["email"])
        await button(part, "Turn on out of office").click()
        await expect(part.get_by_text("will be your delegate")).to_be_visible()
        await expect(part.get_by_role("status")).to_have_text("Saved")
        assert await assert_ok(ann[1].get("/auth/me/absence")) == {
            "from": "2036-12-19T23:00:00.000Z",
            "until": "2036-12-31T09:30:00.000Z",
            "delegate": ben[0]["email"],
        }
        await expect(part.get_by_label("Starts")).to_have_value("2036-12-20T08:00")
        assert await serious_findings(page) == []
        await button(part, "Cancel out of office").click()
        await expect(part.get_by_text("will be your delegate")).to_have_count(0)
        await expect(part.get_by_label("Starts")).to_have_value("")

    @pytest.mark.slow
    async def test_errors_are_at_their_field(
        self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member
    ) -> None:
        page = await visitors.open("/settings/profile", ann[1])
        part = page.locator("section", has=page.get_by_role("heading", name="Out of office"))
        await part.get_by_label("Starts").fill("2020-12-20T08:00")
        await part.get_by_label("Ends").fill("2020-12-31T18:30")
        await part.get_by_label("Delegate").select_option(ben[0]["email"])
        await button(part, "Turn on out of office").click()
        await expect(part.get_by_text("Must be in the future.")).to_be_visible()
        await expect(part.get_by_label("Ends")).to_have_attribute("aria-invalid", "true")

    async def test_delegate_sees_whom_they_cover(
        self, workspace: Workspace, visitors: Visitors, ann: Member, ben: Member
    ) -> None:
        """As soon as the other one is out of office."""
        title = unique("News")
        await request_review(workspace, await workspace.make_form(), title, assignTo=[ann[0]["email"]])
        page = await visitors.open("/?view=mine", ben[1])
        await expect(page.get_by_text("Nothing assigned to you")).to_be_visible()
        away = {"from": "2020-01-01T00:00:00Z", "until": "2040-01-01T00:00:00Z", "delegate": ben[0]["email"]}
        await assert_ok(ann[1].put("/auth/me/absence", json=away))
        await expect(row(page, title)).to_contain_text("Assigned to you as delegate")
        review = await open_review(page, title)
        await expect(review.get_by_text("Delegate for Ann Lee", exact=True)).to_be_visible()
        await expect(button(review, "Approve")).to_be_visible()
        await assert_ok(ann[1].delete("/auth/me/absence"))
        await expect(page.get_by_text("Nothing assigned to you")).to_be_visible()
