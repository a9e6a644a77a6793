"""Nobody approves what they haven't seen: content that has just appeared can't be decided yet."""

import re

import pytest
from playwright.async_api import Locator, Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import PHONE, Visitors
from web_helpers import button, open_review, pane, queued_decisions, request_review, row

# The browser paints nothing new until the frames are released, so the lock stays closed however long a test takes.
HOLD_FRAMES = """() => {
  const [request, cancel] = [window.requestAnimationFrame, window.cancelAnimationFrame]
  const held = new Map()
  let last = 0
  window.requestAnimationFrame = run => { held.set(--last, run); return last }
  window.cancelAnimationFrame = id => { if (!held.delete(id)) cancel(id) }
  window.releaseFrames = () => {
    Object.assign(window, { requestAnimationFrame: request, cancelAnimationFrame: cancel })
    for (const run of held.values()) request(run)
  }
}"""
ALL_OPEN = "/?view=all&order=oldest"


async def hold_frames(page: Page) -> None:
    await page.evaluate(HOLD_FRAMES)


async def release_frames(page: Page) -> None:
    await page.evaluate("window.releaseFrames()")


async def press_where_it_is(page: Page, target: Locator) -> None:
    """Like a second click: it hits whatever is there, ready or not."""
    box = await target.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def tap_where_it_is(page: Page, target: Locator) -> None:
    box = await target.bounding_box()
    assert box is not None
    await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def approve_by(page: Page, way: str, approve: Locator) -> None:
    match way:
        case "mouse":
            await press_where_it_is(page, approve)
        case "touch":
            await tap_where_it_is(page, approve)
        case _:
            await page.keyboard.press(way)


async def approve_ready(review: Locator) -> None:
    await expect(button(review, "Approve")).to_be_enabled()


class TestNextReview:
    @pytest.mark.parametrize(
        "way",
        [
            "mouse",
            pytest.param("touch", marks=pytest.mark.slow),
            "a",
            pytest.param("Control+Enter", marks=pytest.mark.slow),
        ],
    )
    async def test_second_press_does_not_approve_it(self, way: str, workspace: Workspace, visitors: Visitors) -> None:
        first, second, _ = await request_review(workspace, await workspace.make_form(), "First", "Second", "Third")
        page = await visitors.open(ALL_OPEN, workspace.owner, **(PHONE if way == "touch" else {}))
        approve = button(await open_review(page, "First"), "Approve")
        await expect(approve).to_be_enabled()
        await hold_frames(page)
        await approve_by(page, way, approve)

        approve = button(pane(page, "Second"), "Approve")
        await expect(approve).to_be_visible()
        await approve_by(page, way, approve)
        assert await queued_decisions(page) == [first]
        await expect(approve).to_have_attribute("aria-disabled", "true")

        await release_frames(page)
        await expect(approve).to_be_enabled()
        await approve_by(page, way, approve)
        await expect(pane(page, "Third")).to_be_visible()
        assert await queued_decisions(page) == [first, second]

    @pytest.mark.slow
    async def test_opened_by_enter(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "From the list")
        page = await visitors.open(ALL_OPEN, workspace.owner)
        await row(page, "From the list").wait_for()
        await hold_frames(page)
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        review = pane(page, "From the list")
        await expect(button(review, "Approve")).to_be_visible()
        await page.keyboard.press("a")
        assert await queued_decisions(page) == []
        # Opening a panel isn't locked, deciding in it is.
        await page.keyboard.press("r")
        await page.keyboard.press("Control+Enter")
        assert await queued_decisions(page) == []
        await expect(review.get_by_role("region", name="Reject")).to_be_visible()

    @pytest.mark.slow
    async def test_double_click_on_reject(self, workspace: Workspace, visitors: Visitors) -> None:
        """The panel's button may already be under the pointer."""
        await request_review(workspace, await workspace.make_form(), "Not by accident")
        page = await visitors.open(ALL_OPEN, workspace.owner)
        review = await open_review(page, "Not by accident")
        await expect(button(review, "Approve")).to_be_enabled()
        await hold_frames(page)
        await button(review, "Reject").click()
        reject = button(review.get_by_role("region", name="Reject"), "Reject")
        await press_where_it_is(page, reject)
        assert await queued_decisions(page) == []
        await release_frames(page)
        await reject.click()
        await expect(page.get_by_text("Rejected").first).to_be_visible()

    @pytest.mark.slow
    async def test_double_click_does_not_undo(self, workspace: Workspace, visitors: Visitors) -> None:
        """After the last review the bar shows Undo where Approve was."""
        [review_id] = await request_review(workspace, await workspace.make_form(), "The last one")
        page = await visitors.open(f"/reviews/{review_id}?view=decided", workspace.owner)
        approve = button(page, "Approve")
        await expect(approve).to_be_enabled()
        await hold_frames(page)
        await approve.click()
        await press_where_it_is(page, page.locator("footer").get_by_role("button", name=re.compile("^Undo")))
        assert await queued_decisions(page) == [review_id]


class TestChangedContent:
    @pytest.mark.slow
    @pytest.mark.parametrize("way", ["mouse", "a"])
    async def test_a_new_revision(self, way: str, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        [review_id] = await request_review(workspace, form, "First version")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        approve = button(page, "Approve")
        await expect(approve).to_be_enabled()
        await hold_frames(page)
        data = {"draft": {"headline": "Second version"}, "body": "Other", "score": 7}
        await workspace.request(form, data=data, updateForReviewId=review_id)
        await expect(page.get_by_label("Headline")).to_have_value("Second version")
        await approve_by(page, way, approve)
        assert await queued_decisions(page) == []
        await release_frames(page)
        await expect(approve).to_be_enabled()
        await approve_by(page, way, approve)
        await expect(page.get_by_text("Approved").first).to_be_visible()

    @pytest.mark.slow
    async def test_placeholder_is_not_content(self, workspace: Workspace, visitors: Visitors) -> None:
        column = {"id": "a", "type": "text", "label": "A"}
        fields = [{"id": "rows", "type": "table", "label": "Rows", "columns": [column]}]
        form = await workspace.make_form(fields=fields, layout=[], rules=[], titleField=None)
        review_id = (await workspace.request(form, data={"rows": [{"a": "seen"}]}))["reviewId"]
        page = await visitors.open("/insights", workspace.owner, clock=True)
        held: list[Route] = []
        await page.route(re.compile("/static/table-"), lambda route: held.append(route))
        await page.goto(f"/reviews/{review_id}")
        approve = button(page, "Approve")
        await expect(approve).to_be_visible()
        await page.clock.run_for(2_000)  # frames go by, and only the placeholder is painted
        await expect(approve).to_have_attribute("aria-disabled", "true")
        for route in held:
            await route.continue_()
        await expect(page.locator("tbody tr")).to_have_count(1)
        await expect(approve).to_be_enabled()

    async def test_a_link_page(self, workspace: Workspace, visitors: Visitors) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["client@example.org"])
        page = await visitors.open("about:blank")
        await page.add_init_script(f"({HOLD_FRAMES})()")
        await page.goto(review["extReviewerLinks"][0]["link"])
        approve = button(page, "Approve")
        await expect(approve).to_be_visible()
        await press_where_it_is(page, approve)
        await page.keyboard.press("a")
        await expect(approve).to_have_attribute("aria-disabled", "true")
        await release_frames(page)
        await approve.click()
        await expect(page.get_by_text("Thanks! You approved this.")).to_be_visible()

    @pytest.mark.slow
    async def test_many_at_once(self, workspace: Workspace, visitors: Visitors) -> None:
        ids = await request_review(workspace, await workspace.make_form(), "One", "Two")
        page = await visitors.open(ALL_OPEN, workspace.owner)
        for title in ("One", "Two"):
            await approve_ready(await open_review(page, title))
            await page.keyboard.press("x")
        selected = page.get_by_role("region", name="Selected reviews")
        await button(selected, "Approve…").click()
        dialog = page.get_by_role("dialog")
        await expect(button(dialog, "Approve 2 reviews")).to_be_enabled()
        await button(dialog, "Cancel").click()
        await hold_frames(page)
        await button(selected, "Approve…").click()
        await expect(button(dialog, "Approve 2 reviews")).to_be_visible()
        await press_where_it_is(page, button(dialog, "Approve 2 reviews"))
        await expect(button(dialog, "Approve 2 reviews")).to_have_attribute("aria-disabled", "true")
        assert {(await workspace.review(object_id))["state"] for object_id in ids} == {"pending"}


@pytest.mark.slow
class TestGoTo:
    async def test_late_second_key_does_nothing(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Stays pending")
        page = await visitors.open("/insights", workspace.owner, clock=True)
        await page.goto(f"/reviews/{review_id}")
        await approve_ready(pane(page, "Stays pending"))
        await page.keyboard.press("g")
        await page.clock.fast_forward(1_600)
        await page.keyboard.press("a")
        await expect(page.get_by_text("You pressed A too long after G")).to_be_visible()
        assert await queued_decisions(page) == []
        assert (await assert_ok(workspace.agent.get(f"/reviews/{review_id}")))["state"] == "pending"
        await page.keyboard.press("a")
        await expect(page.get_by_text("Approved").first).to_be_visible()

    async def test_second_key_in_time_navigates(self, workspace: Workspace, visitors: Visitors) -> None:
        [review_id] = await request_review(workspace, await workspace.make_form(), "Left alone")
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await approve_ready(pane(page, "Left alone"))
        await page.keyboard.press("g")
        await page.keyboard.press("a")
        await page.wait_for_url(re.compile(r"/\?view=all"))
        assert await queued_decisions(page) == []
