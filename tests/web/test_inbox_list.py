"""The list: views, search, changes by others, bulk decisions, and very long lists."""

import asyncio
import re

import pytest
from playwright.async_api import Page, Request, Route, expect
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button, open_review, pane, request_review, row


class TestLive:
    async def test_two_browsers(self, workspace: Workspace, visitors: Visitors) -> None:
        """What one member or an agent does, the other sees without doing anything."""
        _, colleague = await workspace.make_person("reviewer")
        form = await workspace.make_form()
        mine = await visitors.open("/?view=all", workspace.owner)
        theirs = await visitors.open("/?view=all", colleague)
        await expect(mine.get_by_role("main")).to_be_visible()
        await expect(theirs.get_by_role("main")).to_be_visible()
        [review_id] = await request_review(workspace, form, "Just in")
        for page in (mine, theirs):
            await expect(row(page, "Just in")).to_be_visible()
        await assert_ok(colleague.post(f"/reviews/{review_id}/response", json={"response": "approved"}))
        await expect(row(mine, "Just in")).to_be_hidden()
        [deleted] = await request_review(workspace, form, "Soon gone")
        await expect(row(mine, "Soon gone")).to_be_visible()
        await assert_ok(workspace.agent.delete(f"/reviews/{deleted}"))
        await expect(row(mine, "Soon gone")).to_be_hidden()

    @pytest.mark.slow
    async def test_change_before_the_stream_connects(self, workspace: Workspace, visitors: Visitors) -> None:
        """A change after the list was read and before the stream connects isn't missed."""
        form = await workspace.make_form()
        [decided] = await request_review(workspace, form, "Soon decided")
        page = await visitors.open("/settings/profile", workspace.owner)
        let_go = asyncio.Event()

        async def hold(route: Route) -> None:
            await let_go.wait()
            await route.continue_()

        await page.route(re.compile("/api/v1/live"), hold)
        await page.goto("/?view=all")
        await expect(row(page, "Soon decided")).to_be_visible()
        await request_review(workspace, form, "In between")
        await workspace.decide(decided)
        let_go.set()
        await expect(row(page, "In between")).to_be_visible()
        await expect(row(page, "Soon decided")).to_be_hidden()

    @pytest.mark.slow
    async def test_presence(self, workspace: Workspace, visitors: Visitors) -> None:
        person, colleague = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Crowded")
        mine = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        theirs = await visitors.open(f"/reviews/{review_id}", colleague)
        await expect(mine.get_by_text(f"{person['name']} is also viewing")).to_be_visible()
        await theirs.context.close()

    @pytest.mark.slow
    async def test_counts(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await visitors.open("/?view=all", workspace.owner)
        await request_review(workspace, form, "One", "Two", "Three")
        await expect(page.get_by_role("link", name=re.compile("All pending.*3"))).to_be_visible()

    @pytest.mark.slow
    async def test_many_tabs(self, workspace: Workspace, visitors: Visitors) -> None:
        """More tabs than a browser has connections to a host: one holds the connection for all, and another one takes
        over."""
        form = await workspace.make_form()
        first = await visitors.open("/?view=all", workspace.owner)
        holds_line: list[Page] = []
        first.context.on("request", lambda request: _note_line(request, holds_line))
        # A tab that opened later would hold the connection if it was faster.
        await first.wait_for_function(
            "async () => (await navigator.locks.query()).held.some(({ name }) => name.startsWith('signoff.live '))"
        )
        tabs = [first, *[await visitors.open_tab(first.context, "/?view=all") for _ in range(7)]]
        await request_review(workspace, form, "In every tab")
        for tab in tabs:
            await expect(row(tab, "In every tab")).to_be_visible()
        assert set(holds_line) <= {first}
        holds_line.clear()
        await first.close()
        await request_review(workspace, form, "After the change")
        for tab in tabs[1:]:
            await expect(row(tab, "After the change")).to_be_visible()
        assert len(set(holds_line)) == 1

    @pytest.mark.slow
    async def test_later_tabs_show_presence(self, workspace: Workspace, visitors: Visitors) -> None:
        person, colleague = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Crowded")
        await visitors.open(f"/reviews/{review_id}", colleague)
        mine = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await expect(mine.get_by_text(f"{person['name']} is also viewing")).to_be_visible()
        late = await visitors.open_tab(mine.context, f"/reviews/{review_id}")
        await expect(late.get_by_text(f"{person['name']} is also viewing")).to_be_visible()

    @pytest.mark.slow
    async def test_signing_out_affects_all_tabs(self, workspace: Workspace, visitors: Visitors) -> None:
        """Other tabs send what they hold first, also a busy tab; then none shows anything any more."""
        person, client = await workspace.make_person("reviewer")
        [review_id] = await request_review(workspace, await workspace.make_form(), "Held back")
        first = await visitors.open(f"/reviews/{review_id}", client)
        second = await visitors.open_tab(first.context, "/?view=all")
        await button(pane(first, "Held back"), "Approve").click()
        await button(second, person["name"]).click()
        await first.evaluate("setTimeout(() => { const end = Date.now() + 2000; while (Date.now() < end); })")
        await second.get_by_role("menuitem", name="Sign out").click()
        for tab in (first, second):
            await expect(tab).to_have_url(re.compile("/sign-in"))
        assert (await workspace.review(review_id))["reviewResult"]["response"] == "approved"


class TestViews:
    @pytest.mark.slow
    async def test_mine_unassigned_and_decided(self, workspace: Workspace, visitors: Visitors) -> None:
        person, client = await workspace.make_person("reviewer")
        form = await workspace.make_form()
        await request_review(workspace, form, "For anybody")
        await request_review(workspace, form, "For me", assignTo=[person["email"]])
        [done] = await request_review(workspace, form, "Done")
        await workspace.decide(done)
        page = await visitors.open("/?view=mine", client)
        await expect(row(page, "For me")).to_be_visible()
        await expect(row(page, "For anybody")).to_be_hidden()
        await page.get_by_role("link", name=re.compile("Unassigned")).click()
        await expect(row(page, "For anybody")).to_be_visible()
        await expect(row(page, "For me")).to_be_hidden()
        await page.get_by_role("link", name=re.compile("Decided")).click()
        await expect(row(page, "Done")).to_be_visible()

    @pytest.mark.slow
    async def test_search(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Red herring", "Blue whale")
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Blue whale").wait_for()
        await page.keyboard.press("/")
        await page.keyboard.type("blu")
        await expect(row(page, "Red herring")).to_be_hidden()
        await expect(row(page, "Blue whale")).to_be_visible()
        await expect(page).to_have_url(re.compile("q=blu"))
        await page.keyboard.press("Escape")
        await expect(row(page, "Red herring")).to_be_visible()

    @pytest.mark.slow
    async def test_of_a_run(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        workflow = {"_svcWorkflow": {"runId": "run-9", "runName": "Newsletter"}}
        await request_review(workspace, form, "In the run", meta=workflow)
        await request_review(workspace, form, "Outside")
        page = await visitors.open("/?view=all&run=run-9", workspace.owner)
        await expect(row(page, "In the run")).to_be_visible()
        await expect(row(page, "Outside")).to_be_hidden()

    @pytest.mark.slow
    async def test_from_a_review_to_its_run(self, workspace: Workspace, visitors: Visitors) -> None:
        """All its steps, also decided ones."""
        form = await workspace.make_form()
        workflow = {"_svcWorkflow": {"runId": "run-8", "runName": "Weekly"}}
        done, waits = await request_review(workspace, form, "Done", "Waits", meta=workflow)
        await workspace.decide(done)
        page = await visitors.open(f"/reviews/{waits}?view=all", workspace.owner)
        await page.get_by_role("link", name="Run: Weekly").click()
        for title in ("Done", "Waits"):
            await expect(row(page, title)).to_be_visible()
        await expect(button(page, "Remove filter: Run: Weekly")).to_be_visible()

    @pytest.mark.slow
    async def test_sorts(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Older", "Newer")
        page = await visitors.open("/?view=all", workspace.owner)
        rows = page.locator("[data-review]")
        await expect(rows).to_contain_text(["Newer", "Older"])
        await button(page, "Sort: newest first").click()
        await page.get_by_role("menuitemradio", name="Oldest first").click()
        await expect(rows).to_contain_text(["Older", "Newer"])
        await expect(button(page, "Sort: oldest first")).to_be_visible()

    @pytest.mark.slow
    async def test_has_one_heading(self, workspace: Workspace, visitors: Visitors) -> None:
        """The list's, or that of the open review."""
        await request_review(workspace, await workspace.make_form(), "Head of all")
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(page.get_by_role("heading", level=1)).to_have_text("All pending 1")
        await open_review(page, "Head of all")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Head of all")
        await expect(page.get_by_role("heading", level=2, name="All pending")).to_be_visible()
        await page.goto("/reviews/rev_unknown")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Review not found")

    @pytest.mark.slow
    async def test_empty(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(page.get_by_text("No agents yet")).to_be_visible()
        await page.get_by_role("link", name="Add agent").click()
        await expect(page).to_have_url(re.compile("/settings/agents"))


class TestManyAtOnce:
    async def test_result_for_each_review(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        good, lost = await request_review(workspace, form, "Fine", "Taken by another")
        bad = (await workspace.request(form, data={"draft": {"headline": ""}, "score": 7}, title="Not fine"))[
            "reviewId"
        ]
        page = await visitors.open("/?view=all", workspace.owner)
        for title in ("Fine", "Taken by another", "Not fine"):
            await row(page, title).hover()
            await page.get_by_label(f"Select “{title}”", exact=True).check()
        await expect(page.get_by_text("3 selected")).to_be_visible()
        await button(page, "Approve…").click()
        dialog = page.get_by_role("dialog")
        # Nobody has opened them: the page says so before the decision.
        await expect(button(dialog, "Approve 3 reviews")).to_be_disabled()
        await dialog.get_by_role("checkbox").check()
        await workspace.decide(lost, "rejected")
        await button(dialog, "Approve 3 reviews").click()
        await expect(dialog.get_by_text("1 of 3 approved")).to_be_visible()
        await expect(dialog.get_by_role("listitem").filter(has_text=re.compile("^Headline: "))).to_be_visible()
        assert (await workspace.review(good))["reviewResult"]["response"] == "approved"
        assert (await workspace.review(lost))["reviewResult"]["response"] == "rejected"
        assert (await workspace.review(bad))["state"] == "pending"

    @pytest.mark.slow
    async def test_only_of_one_type(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Apple")
        await request_review(workspace, await workspace.make_form(name="Other type"), "Pear")
        page = await visitors.open("/?view=all", workspace.owner)
        apple, pear = (page.get_by_label(f"Select “{title}”", exact=True) for title in ("Apple", "Pear"))
        await row(page, "Apple").hover()
        await apple.check()
        await expect(pear).to_be_disabled()
        await expect(pear).to_have_accessible_description("You can only decide reviews of one type at a time.")
        await row(page, "Pear").click(modifiers=["Shift"])
        await expect(page.get_by_text("1 selected")).to_be_visible()
        await expect(button(page, "Approve…")).to_be_visible()
        await apple.uncheck()
        await expect(pear).to_be_enabled()

    @pytest.mark.slow
    async def test_trigger_forms(self, workspace: Workspace, visitors: Visitors) -> None:
        """They are filled out one by one: there is nothing to approve."""
        await request_review(workspace, await workspace.make_form(trigger=True), "Fill me in")
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Fill me in").hover()
        await page.get_by_label("Select “Fill me in”", exact=True).check()
        await expect(page.get_by_text("These reviews can only be submitted, not approved or rejected")).to_be_visible()
        await expect(button(page, "Approve…")).to_be_hidden()


class TestKeyboard:
    async def test_palette_and_help(self, workspace: Workspace, visitors: Visitors) -> None:
        await request_review(workspace, await workspace.make_form(), "Find me")
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Find me").wait_for()
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog")).to_contain_text("Next review")
        await page.keyboard.press("Escape")
        await page.keyboard.press("Control+k")
        await page.keyboard.type("insights")
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(re.compile("/insights"))

    @pytest.mark.slow
    async def test_typing_right_after_a_shortcut(self, workspace: Workspace, visitors: Visitors) -> None:
        """The keys are for what the shortcut opens, however slow the connection: the page below never gets an `a` that
        approves."""
        [review_id] = await request_review(workspace, await workspace.make_form(), "Not by accident")
        page = await visitors.open("/?view=all", workspace.owner)
        await open_review(page, "Not by accident")
        held = asyncio.Event()

        async def hold(route: Route) -> None:
            await held.wait()
            await route.continue_()

        await page.route("**/static/**", hold)
        await page.keyboard.press("Control+k")
        await page.keyboard.type("approve")
        await expect(page.get_by_role("combobox", name="Search or jump to")).to_have_value("approve")
        await page.keyboard.press("Escape")
        await page.keyboard.press("w")
        await page.keyboard.type("ada")
        await expect(page.get_by_role("dialog")).to_contain_text("Reviewers")
        held.set()
        await expect(page.get_by_role("combobox", name="Reviewers")).to_be_focused()
        assert (await workspace.review(review_id))["state"] == "pending"

    @pytest.mark.slow
    async def test_switched_off(self, workspace: Workspace, visitors: Visitors) -> None:
        await assert_ok(workspace.owner.patch("/auth/me", json={"preferences": {"shortcuts": False}}))
        [review_id] = await request_review(workspace, await workspace.make_form(), "Safe from keys")
        page = await visitors.open("/?view=all", workspace.owner)
        await expect(button(await open_review(page, "Safe from keys"), "Approve")).to_be_enabled()
        await page.keyboard.press("a")
        await expect(button(pane(page, "Safe from keys"), "Approve")).to_be_visible()
        assert (await workspace.review(review_id))["state"] == "pending"


@pytest.mark.slow
class TestManyReviews:
    async def test_scrolls_to_the_end(self, workspace: Workspace, visitors: Visitors) -> None:
        """Only visible rows are rendered, and pages load while scrolling: every row, in order."""
        form = await workspace.make_form()
        await request_review(workspace, form, *(f"Number {number:03d}" for number in range(260)))
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Number 259").wait_for()
        assert await page.locator("[data-review]").count() < 80
        seen = await _scroll_through(page)
        assert seen == [f"Number {number:03d}" for number in reversed(range(260))]

    async def test_new_reviews_do_not_move_the_list(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        await request_review(workspace, form, *(f"Number {number:03d}" for number in range(60)))
        page = await visitors.open("/?view=all", workspace.owner)
        await row(page, "Number 059").wait_for()
        await page.locator("[data-scroller=reviews]").evaluate("list => list.scrollTo(0, 900)")
        read = row(page, "Number 040")
        await expect(read).to_be_visible()
        before = await read.bounding_box()
        await request_review(workspace, form, "Breaking news")
        await expect(page.get_by_text("1 new review")).to_be_visible()
        after = await read.bounding_box()
        assert before is not None
        assert after is not None
        assert abs(before["y"] - after["y"]) <= 1
        await page.get_by_text("1 new review").click()
        await expect(row(page, "Breaking news")).to_be_visible()


def _note_line(request: Request, holds_line: list[Page]) -> None:
    if "/api/v1/live" in request.url:
        holds_line.append(request.frame.page)


async def _scroll_through(page: Page) -> list[str]:
    """Every title from the top of the list to its end, as it becomes visible."""
    seen: dict[str, None] = {}
    scroller = page.locator("[data-scroller=reviews]")
    for _ in range(200):
        for text in await page.locator("[data-review]").all_inner_texts():
            if (match := re.search(r"Number \d+", text)) is not None:
                seen.setdefault(match.group(), None)
        at_end = await scroller.evaluate(
            """async list => {
                const before = [list.scrollTop, list.scrollHeight].join()
                list.scrollBy(0, 500)
                // Rows that came into sight are drawn in the frame after the next.
                for (const _ of [1, 2, 3]) await new Promise(requestAnimationFrame)
                await new Promise(done => setTimeout(done, 60))
                return before === [list.scrollTop, list.scrollHeight].join()
            }"""
        )
        if at_end and len(seen) >= 260:
            break
    return sorted(seen, reverse=True)
