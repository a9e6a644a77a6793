"""The editor of review types: built by mouse, by keyboard and from a sample, by two people, and used by an agent."""

import asyncio
import json
import os
import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from support.api import Workspace, ok
from support.browser import PHONE, Visitors, serious_findings
from web_support import button, pane

WIDE = {"viewport": {"width": 1600, "height": 1000}}
LONG_MS = 20_000


def entry(page: Page, name: str) -> Locator:
    """An entry of the canvas, by its label and kind: `Score (Number)`."""
    return page.get_by_role("button", name=name, exact=True)


def palette(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Palette").get_by_role("button", name=re.compile(f"^Add {name}:"))


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Parts of the review type").get_by_role("button", name=re.compile(name))


def preview(page: Page) -> Locator:
    return page.get_by_role("region", name="Preview")


async def drag(page: Page, what: Locator, place: Locator) -> None:
    """With the mouse, in steps, as a hand does it."""
    start, end = await what.bounding_box(), await place.bounding_box()
    assert start is not None
    assert end is not None
    await page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(start["x"] + start["width"] / 2 + 12, start["y"] + start["height"] / 2 + 12, steps=3)
    await page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    await page.wait_for_timeout(80)
    await page.mouse.up()


async def label(page: Page, words: str) -> None:
    await page.get_by_label("Label of the field").fill(words)


async def saved_form(office: Workspace, page: Page) -> dict[str, Any]:
    await expect(page.get_by_text("Version 1", exact=True)).to_be_visible(timeout=LONG_MS)
    await page.wait_for_url(re.compile("/review-types/frm_"))
    form_id = page.url.split("/review-types/")[1].split("?")[0]
    return await ok(office.owner.get(f"/forms/{form_id}"))


def kinds(layout: list[dict[str, Any]]) -> list[Any]:
    """The tree without identifiers: what holds what."""
    shown: list[Any] = []
    for node in layout:
        if node["kind"] == "columns":
            shown.append(["columns", *[kinds(column) for column in node["columns"]]])
        elif node["kind"] == "field":
            shown.append(node["field"])
        else:
            shown.append([node["kind"], *kinds(node["children"])])
    return shown


BUILT = [["columns", ["headline"], ["score"]], ["group", "channels"]]


def check_built(form: dict[str, Any]) -> None:
    assert kinds(form["layout"]) == BUILT
    assert [field["type"] for field in form["fields"]] == ["text", "number", "list"]
    [rule] = form["rules"]
    assert rule["effect"] == "show"
    assert rule["target"] == next(node["id"] for node in form["layout"] if node["kind"] == "group")
    [condition] = rule["when"]["all"]
    assert condition == {"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}


class TestBuilding:
    async def test_by_mouse(self, office: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", office.owner, **WIDE)
        await button(page, "New review type").click()
        await page.get_by_role("dialog").get_by_role("button", name="Blank").click()
        await drag(page, palette(page, "Columns"), button(page, "Add the first field"))
        await expect(entry(page, "2 columns")).to_be_visible()
        empty = page.get_by_role("button", name=re.compile("^Add a field into the empty box"))
        await drag(page, palette(page, "Text"), empty.nth(0))
        await label(page, "Headline")
        await drag(page, palette(page, "Number"), empty.nth(0))
        await label(page, "Score")
        # Behind the columns: below everything else on the canvas.
        await page.get_by_role("button", name="← The review type").click()
        await palette(page, "Group").click()
        await page.get_by_label("Heading of the group").fill("Publishing")
        await drag(page, palette(page, "List"), empty.nth(0))
        await label(page, "Channels")
        await tab(page, "Rules").click()
        await button(page, "Add a rule").click()
        await page.get_by_label("Field", exact=True).select_option("Score")
        await page.get_by_label("Value").fill("5")
        await expect(page.get_by_text("Show Publishing when Score is at least 5.")).to_be_visible()
        await tab(page, "Design").click()
        await expect(preview(page).get_by_text("Publishing")).to_be_visible()
        await preview(page).get_by_label("Score").fill("3")
        await expect(preview(page).get_by_text("Publishing")).to_be_hidden()
        await button(page, "Save").click()
        check_built(await saved_form(office, page))

    async def test_by_keyboard_only(self, office: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", office.owner, **WIDE)
        await expect(button(page, "Add the first field")).to_be_visible()
        press = page.keyboard.press

        async def add(kind: str) -> None:
            await press("a")
            await expect(page.get_by_role("dialog")).to_be_visible()
            await page.keyboard.type(kind)
            await press("Enter")
            await expect(page.get_by_role("dialog")).to_be_hidden()

        async def named(words: str, control: str = "Label of the field") -> None:
            await expect(page.get_by_label(control)).to_be_focused()
            await page.keyboard.type(words)
            await press("Escape")

        await add("columns")
        await press("Escape")
        await expect(entry(page, "2 columns")).to_be_focused()
        await add("text")
        await named("Headline")
        await expect(entry(page, "Headline (Text)")).to_be_focused()
        # Beside it first, then one step on: into the next column.
        await add("number")
        await named("Score")
        await expect(entry(page, "Score (Number)")).to_be_focused()
        await press("Alt+ArrowDown")
        await add("group")
        await named("Publishing", "Heading of the group")
        await expect(entry(page, "Publishing (Group)")).to_be_focused()
        await press("Alt+ArrowDown")
        await add("list")
        await named("Channels")
        await expect(entry(page, "Channels (List)")).to_be_focused()
        # Taken back and done again.
        await page.keyboard.press("Control+z")
        await page.keyboard.press("Control+Shift+z")
        await tab(page, "Rules").focus()
        await press("Enter")
        await expect(button(page, "Add a rule")).to_be_visible()
        await button(page, "Add a rule").focus()
        await press("Enter")
        await page.get_by_label("Field", exact=True).focus()
        await page.keyboard.type("Score")
        await expect(page.get_by_label("Operation")).to_have_value("score.value greaterThanOrEqual")
        await page.get_by_label("Value").focus()
        await press("Control+a")
        await page.keyboard.type("5")
        await press("Control+s")
        check_built(await saved_form(office, page))

    async def test_dragged_with_the_keyboard(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await page.get_by_role("button", name="Drag Headline").focus()
        await page.keyboard.press("Space")
        for _ in range(3):
            await page.wait_for_timeout(120)
            await page.keyboard.press("ArrowDown")
        await page.wait_for_timeout(120)
        await page.keyboard.press("Space")
        await expect(page.get_by_text("Not saved yet")).to_be_visible()
        await page.keyboard.press("Control+s")
        await expect(page.get_by_text("Version 2", exact=True)).to_be_visible(timeout=LONG_MS)
        after = await ok(office.owner.get(f"/forms/{form['formId']}"))
        assert kinds(after["layout"]) != kinds(form["layout"])
        assert {field["id"] for field in after["fields"]} == {field["id"] for field in form["fields"]}


class TestStarting:
    async def test_from_a_sample(self, office: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", office.owner, **WIDE)
        await button(page, "New review type").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("button", name="From a sample").click()
        sample = {"subject": "Your order", "confidence": 0.92, "send_at": "2026-05-01", "urgent": True}
        await dialog.get_by_label("What the agent would send").fill(json.dumps(sample))
        await button(page, "Make the fields").click()
        await expect(entry(page, "Subject (Text)").or_(button(page, "Go on to the editor"))).to_be_visible()
        if await button(page, "Go on to the editor").count():
            await button(page, "Go on to the editor").click()
        await expect(preview(page).get_by_label("Subject")).to_have_value("Your order")
        await button(page, "Save").click()
        form = await saved_form(office, page)
        assert {field["path"] for field in form["fields"]} == set(sample)

    async def test_from_a_template(self, office: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", office.owner, **WIDE)
        await button(page, "New review type").click()
        await page.get_by_role("dialog").get_by_role("button", name=re.compile("^Support reply")).click()
        await button(page, "Use this template").click()
        await expect(page.get_by_role("heading", name="Support reply")).to_be_visible()
        await button(page, "Save").click()
        assert (await saved_form(office, page))["fields"]


class TestTwoPeople:
    async def test_the_second_sees_the_first_and_saves_both(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Score (Number)").click()
        await label(page, "Points")
        fields = [{**field, "label": "Text"} if field["id"] == "body" else field for field in form["fields"]]
        await ok(office.manager.patch(f"/forms/{form['formId']}", json={"fields": fields, "version": 1}))
        await page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Somebody else saved first")).to_be_visible()
        await expect(dialog.get_by_text("Points (Number)")).to_be_visible()
        await expect(dialog.get_by_text("Both changed it")).to_have_count(0)
        await dialog.get_by_role("button", name="Save both together").click()
        await expect(page.get_by_text("Version 3", exact=True)).to_be_visible(timeout=LONG_MS)
        labels = {
            field["id"]: field["label"] for field in (await ok(office.owner.get(f"/forms/{form['formId']}")))["fields"]
        }
        assert (labels["score"], labels["body"]) == ("Points", "Text")

    async def test_a_clash_is_decided_knowingly(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Score (Number)").click()
        await label(page, "Mine")
        fields = [{**field, "label": "Theirs"} if field["id"] == "score" else field for field in form["fields"]]
        await ok(office.manager.patch(f"/forms/{form['formId']}", json={"fields": fields, "version": 1}))
        await page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Both changed it")).to_be_visible()
        await dialog.get_by_role("radio", name="Theirs").check()
        await dialog.get_by_role("button", name="Save both together").click()
        await expect(dialog).to_be_hidden()
        await expect(entry(page, "Theirs (Number)")).to_be_visible()


class TestSafety:
    async def test_a_reload_loses_nothing_and_leaving_asks(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Score (Number)").click()
        await label(page, "Points")
        await expect(entry(page, "Points (Number)")).to_be_visible()
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.accept()))
        await page.reload()
        await expect(entry(page, "Points (Number)")).to_be_visible()
        await page.get_by_role("link", name="Insights").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Leave without saving?")).to_be_visible()
        await button(page, "Discard the changes").click()
        await page.wait_for_url(re.compile("/insights"))
        await page.goto(f"/review-types/{form['formId']}")
        await expect(entry(page, "Score (Number)")).to_be_visible()

    async def test_publishing_says_what_breaks(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        await office.request(form)
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Body (Long text)").click()
        await page.keyboard.press("Delete")
        await button(page, "Publish").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("1 open review stays")).to_be_visible()
        await expect(dialog.get_by_text("This may break agents and receivers")).to_be_visible()
        await button(dialog, "Publish").click()
        await expect(page.get_by_text("Version 2", exact=True)).to_be_visible(timeout=LONG_MS)

    async def test_undo_without_limit(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Headline (Text)").click()
        for _ in range(12):
            await page.keyboard.press("Control+d")
        await expect(page.get_by_role("button", name=re.compile(r"^Headline \(Text\)"))).to_have_count(13)
        for _ in range(12):
            await page.keyboard.press("Control+z")
        await expect(page.get_by_role("button", name=re.compile(r"^Headline \(Text\)"))).to_have_count(1)
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    async def test_a_rule_about_a_removed_field_is_a_fault_at_the_rule(
        self, office: Workspace, visitors: Visitors
    ) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}", office.owner, **WIDE)
        await entry(page, "Score (Number)").click()
        await page.keyboard.press("Delete")
        await page.get_by_role("button", name=re.compile("fault")).first.click()
        await page.get_by_role("menuitem", name=re.compile("Rule")).click()
        await expect(page.get_by_role("article").get_by_text("There is no field")).to_be_visible()


class TestAgent:
    async def test_the_pasted_curl_makes_a_review_that_looks_like_the_preview(
        self, office: Workspace, visitors: Visitors
    ) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}?tab=try", office.owner, **WIDE)
        shown = preview(page)
        await expect(shown.get_by_label("Headline")).to_be_visible()
        labels = await shown.locator("[data-field] [id$=-label]").all_inner_texts()
        pasted = await page.get_by_role("region", name="Request").inner_text()
        env = {**os.environ, "SIGNOFF_API_KEY": office.agent.headers["x-api-key"], "no_proxy": "127.0.0.1"}
        process = await asyncio.create_subprocess_exec(
            "sh", "-c", pasted, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        answer, trouble = await process.communicate()
        assert process.returncode == 0, trouble
        review_id = json.loads(answer)["reviewId"]
        await page.goto(f"/reviews/{review_id}")
        review = pane(page, "Headline")
        await expect(review.get_by_label("Headline")).to_have_value("Headline")
        assert await review.locator("[data-field] [id$=-label]").all_inner_texts() == labels

    async def test_edits_in_the_preview_change_what_comes_back(self, office: Workspace, visitors: Visitors) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}?tab=try", office.owner, **WIDE)
        await preview(page).get_by_label("Headline").fill("Changed here")
        back = page.get_by_role("region", name="What comes back")
        await expect(back).to_contain_text("Changed here")
        await page.get_by_label("What comes back").first.select_option("event")
        await expect(back).to_contain_text("review.completed")


class TestLooks:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("part", ["", "?tab=rules", "?tab=behaviour", "?tab=try", "?tab=versions", "?tab=code"])
    async def test_editor_is_accessible(self, office: Workspace, visitors: Visitors, part: str, scheme: str) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types/{form['formId']}{part}", office.owner, color_scheme=scheme, **WIDE)
        await expect(page.get_by_role("heading", name=form["name"]).first).to_be_visible()
        if not part:
            await entry(page, "Score (Number)").click()
        await page.wait_for_timeout(900)
        assert await serious_findings(page) == []

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    async def test_list_and_gallery_are_accessible(self, office: Workspace, visitors: Visitors, scheme: str) -> None:
        form = await office.make_form()
        page = await visitors.open("/review-types", office.owner, color_scheme=scheme)
        await expect(page.get_by_role("link", name=re.compile(form["name"]))).to_be_visible()
        assert await serious_findings(page) == []
        await button(page, "New review type").click()
        await expect(button(page, "Use this template")).to_be_visible()
        assert await serious_findings(page) == []

    @pytest.mark.parametrize("path", ["", "/{form}", "/{form}?tab=rules", "/{form}?tab=behaviour", "/{form}?tab=try"])
    async def test_a_phone(self, office: Workspace, visitors: Visitors, path: str) -> None:
        form = await office.make_form()
        page = await visitors.open(f"/review-types{path.format(form=form['formId'])}", office.owner, **PHONE)
        await expect(page.get_by_role("main").first).to_be_visible()
        await page.wait_for_timeout(700)
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]

    async def test_a_reviewer_may_not(self, office: Workspace, visitors: Visitors) -> None:
        _, reviewer = await office.make_person("reviewer")
        page = await visitors.open("/review-types", reviewer)
        await expect(page.get_by_text("For editors only")).to_be_visible()
        await expect(page.get_by_role("link", name="Review types")).to_be_hidden()
