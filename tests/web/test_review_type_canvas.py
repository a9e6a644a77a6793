"""The canvas: fields and boxes placed by mouse, keyboard and touch, copied, nested and edited."""

import re
from typing import Any

import pytest
from playwright.async_api import expect
from review_type_helpers import (
    WIDE,
    assert_no_errors,
    at_version,
    changes_text,
    drag,
    drag_announcement,
    drag_by_touch,
    empty_box,
    empty_canvas,
    entry,
    kinds,
    label,
    open_editor,
    order,
    palette,
    preview,
    publish_new,
    published,
    saved_form,
    settings,
    tab,
)
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors
from web_helpers import button

TABLET = {"viewport": {"width": 1366, "height": 1024}, "has_touch": True}
BUILT = [["columns", ["headline"], ["score"]], ["group", "channels"]]


def check_built(form: dict[str, Any]) -> None:
    assert kinds(form["layout"]) == BUILT
    assert [field["type"] for field in form["fields"]] == ["text", "number", "list"]
    [rule] = form["rules"]
    assert rule["effect"] == "show"
    assert rule["target"] == next(node["id"] for node in form["layout"] if node["kind"] == "group")
    [condition] = rule["when"]["all"]
    assert condition == {"field": "score.value", "operation": "greaterThanOrEqual", "value": 5}


def plain(*names: str) -> dict[str, Any]:
    """A review type with text fields, stacked."""
    fields = [{"id": name, "type": "text", "label": name.capitalize()} for name in names]
    return {"fields": fields, "layout": None, "rules": [], "titleField": names[0]}


class TestBuilding:
    async def test_by_mouse(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types", workspace.owner, **WIDE)
        await button(page, "Create review type").first.click()  # An empty list has another one.
        await page.get_by_role("dialog").get_by_role("button", name="Blank").click()
        await button(page, "Start blank").click()
        await drag(page, palette(page, "Columns"), empty_canvas(page))
        await expect(entry(page, "2 columns")).to_be_visible()
        await drag(page, palette(page, "Text"), empty_box(page).nth(0))
        await label(page, "Headline")
        await drag(page, palette(page, "Number"), empty_box(page).nth(0))
        await label(page, "Score")
        # After the columns: below everything else on the canvas.
        await button(page, "Review type").click()
        await palette(page, "Group").click()
        await page.get_by_label("Group heading").fill("Publishing")
        await drag(page, palette(page, "List"), empty_box(page).nth(0))
        await label(page, "Channels")
        await tab(page, "Rules").click()
        await button(page, "Add rule").click()
        await page.get_by_label("Field", exact=True).select_option("Score")
        await page.get_by_label("Value").fill("5")
        await expect(page.get_by_text("Show Publishing when Score is at least 5.")).to_be_visible()
        await tab(page, "Design").click()
        await expect(preview(page).get_by_text("Publishing")).to_be_visible()
        await preview(page).get_by_label("Score").fill("3")
        await expect(preview(page).get_by_text("Publishing")).to_be_hidden()
        check_built(await publish_new(workspace, page))

    @pytest.mark.slow
    async def test_by_keyboard_only(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await expect(empty_canvas(page)).to_be_visible()
        press = page.keyboard.press

        async def add(kind: str) -> None:
            await press("a")
            await expect(page.get_by_role("dialog")).to_be_visible()
            await page.keyboard.type(kind)
            await press("Enter")
            await expect(page.get_by_role("dialog")).to_be_hidden()

        async def named(words: str, control: str = "Field label") -> None:
            await expect(page.get_by_label(control)).to_be_focused()
            await page.keyboard.type(words)
            await press("Escape")

        await add("columns")
        await expect(page.get_by_label("Number of columns")).to_be_focused()
        await press("Escape")
        await expect(entry(page, "2 columns")).to_be_focused()
        await add("text")
        await named("Headline")
        await expect(entry(page, "Headline (Text)")).to_be_focused()
        # First next to it, then one step further: into the next column.
        await add("number")
        await named("Score")
        await expect(entry(page, "Score (Number)")).to_be_focused()
        await press("Alt+ArrowDown")
        await expect(entry(page, "Score (Number)")).to_be_focused()
        await add("group")
        await named("Publishing", "Group heading")
        await expect(entry(page, "Publishing (Group)")).to_be_focused()
        await press("Alt+ArrowDown")
        await expect(entry(page, "Publishing (Group)")).to_be_focused()
        await add("list")
        await named("Channels")
        await expect(entry(page, "Channels (List)")).to_be_focused()
        # Undone and redone.
        await press("Control+z")
        await press("Control+Shift+z")
        await tab(page, "Rules").focus()
        await press("Enter")
        await expect(button(page, "Add rule")).to_be_visible()
        await button(page, "Add rule").focus()
        await press("Enter")
        await page.get_by_label("Field", exact=True).focus()
        await page.keyboard.type("S")  # letters a second apart are separate steps
        await expect(page.get_by_label("Operator")).to_have_value("score.value greaterThanOrEqual")
        await page.get_by_label("Value").focus()
        await press("Control+a")
        await page.keyboard.type("5")
        await press("Control+s")
        await expect(button(page.get_by_role("dialog", name="Publish version 1?"), "Publish")).to_be_focused()
        await press("Enter")
        check_built(await saved_form(workspace, page))


class TestDragging:
    @pytest.mark.slow
    async def test_by_keyboard(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(**plain("one", "two", "three"))
        page = await open_editor(visitors, workspace, form)
        await page.get_by_role("button", name="Drag One").focus()
        said = drag_announcement(page)
        await page.keyboard.press("Space")
        await expect(said).to_contain_text("One: ")
        while "at the end" not in await said.inner_text():
            await changes_text(said, lambda: page.keyboard.press("ArrowDown"))
        await page.keyboard.press("Space")
        await expect(said).to_contain_text("Dropped One. New position: at the end.")
        after = await published(workspace, page, form, 2)
        assert order(after) == ["two", "three", "one"]

    @pytest.mark.slow
    async def test_escape_cancels(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(**plain("one", "two"))
        page = await open_editor(visitors, workspace, form)
        await page.get_by_role("button", name="Drag One").focus()
        await page.keyboard.press("Space")
        await expect(drag_announcement(page)).to_contain_text("One: ")
        await page.keyboard.press("Escape")
        await expect(drag_announcement(page)).to_contain_text("Move canceled. One stays where it was.")
        await expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    @pytest.mark.slow
    async def test_by_touch_from_the_palette(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **TABLET)
        await drag_by_touch(page, palette(page, "Group"), empty_canvas(page))
        await expect(entry(page, "Group (Group)")).to_be_visible()
        await drag_by_touch(page, palette(page, "Number"), empty_box(page).first)
        await label(page, "Score")
        form = await publish_new(workspace, page)
        assert kinds(form["layout"]) == [["group", "score"]]

    async def test_by_touch_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(**plain("one", "two", "three"))
        page = await open_editor(visitors, workspace, form, **PHONE)
        last = page.get_by_role("button", name="Drag Three")
        await drag_by_touch(page, page.get_by_role("button", name="Drag One"), last, "before Three")
        await button(page, "Publish").click()
        after = await at_version(workspace, page, form, 2)
        assert order(after) == ["two", "one", "three"]

    @pytest.mark.slow
    async def test_no_keyboard_hint_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **PHONE)
        await button(page, "Tap to add a field").click()
        await page.get_by_role("dialog").get_by_role("option", name=re.compile("^Number ")).click()
        await expect(entry(page, "Number (Number)")).to_be_visible()


@pytest.mark.slow
class TestNesting:
    async def test_nested_groups(self, workspace: Workspace, visitors: Visitors) -> None:
        """A group has columns, a column a grid, the grid fields; then everything is taken out again."""
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await drag(page, palette(page, "Group"), empty_canvas(page))
        await page.get_by_label("Group heading").fill("Outer")
        await drag(page, palette(page, "Columns"), empty_box(page).first)
        await page.get_by_label("Number of columns").fill("3")
        await expect(empty_box(page)).to_have_count(3)
        await drag(page, palette(page, "Grid"), empty_box(page).nth(1))
        await drag(page, palette(page, "Text"), empty_box(page).nth(1))
        await label(page, "Inner")
        at_the_end = re.compile("^Add field: at the end of Grid")
        await drag(page, palette(page, "Number"), page.get_by_role("button", name=at_the_end))
        await label(page, "Amount")
        await drag(page, palette(page, "Date"), empty_box(page).first)
        await label(page, "Day")
        form = await publish_new(workspace, page)
        assert kinds(form["layout"]) == [["group", ["columns", ["day"], [["grid", "inner", "amount"]], []]]]
        # A whole box moves with its content, but never into itself.
        await drag(
            page,
            page.get_by_role("button", name=re.compile("^Drag Grid")),
            page.get_by_role("button", name="Drag Day"),
            "before Day in column 1",
        )
        await entry(page, "3 columns").click()
        await button(settings(page), "Remove columns, keep fields").click()
        after = await published(workspace, page, form, 2)
        assert kinds(after["layout"]) == [["group", ["grid", "inner", "amount"], "day"]]


@pytest.mark.slow
class TestCopying:
    async def test_within_a_review_type(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(rules=[])
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Publishing (Group)").click()
        await page.keyboard.press("Control+c")
        await page.keyboard.press("Control+v")
        await expect(page.get_by_role("button", name="Publishing (Group)", exact=True)).to_have_count(2)
        after = await published(workspace, page, form, 2)
        assert kinds(after["layout"])[-2:] == [["group", "channel", "tags"], ["group", "channel2", "tags2"]]
        by_id = {field["id"]: field for field in after["fields"]}
        assert by_id["channel2"]["options"] == by_id["channel"]["options"]
        assert len({field["path"] for field in after["fields"]}) == len(after["fields"])

    async def test_cut_and_paste(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form(**plain("one", "two", "three"))
        page = await open_editor(visitors, workspace, form)
        await entry(page, "One (Text)").click()
        await page.keyboard.press("Control+x")
        await expect(entry(page, "One (Text)")).to_have_count(0)
        await entry(page, "Three (Text)").click()
        await page.keyboard.press("Control+v")
        await expect(entry(page, "One (Text)")).to_be_visible()
        after = await published(workspace, page, form, 2)
        assert order(after) == ["two", "three", "one"]

    @pytest.mark.parametrize("same_tab", [True, False], ids=["one-tab", "two-tabs"])
    async def test_between_review_types(self, workspace: Workspace, visitors: Visitors, same_tab: bool) -> None:
        source = await workspace.make_form(name=unique("Source"))
        target = await workspace.make_form(name=unique("Target"), **plain("headline"))
        page = await open_editor(visitors, workspace, source)
        await entry(page, "Publishing (Group)").click()
        await page.keyboard.press("Control+c")
        await expect(page.get_by_text("Publishing copied")).to_be_attached()
        if same_tab:
            await page.get_by_role("link", name="Back to review types").click()
            await page.get_by_role("link", name=re.compile(target["name"])).click()
        else:
            page = await visitors.open_tab(page.context, f"/review-types/{target['formId']}")
        await entry(page, "Headline (Text)").click()
        await page.keyboard.press("Control+v")
        await expect(entry(page, "Channel (Dropdown)")).to_be_visible()
        after = await published(workspace, page, target, 2)
        assert kinds(after["layout"]) == ["headline", ["group", "channel", "tags"]]
        copied = {field["id"]: field for field in after["fields"]}
        assert copied["tags"] == next(field for field in source["fields"] if field["id"] == "tags")


@pytest.mark.slow
class TestSettings:
    async def test_fields_of_a_list(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await drag(page, palette(page, "List"), empty_canvas(page))
        await label(page, "Steps")
        panel = settings(page)
        await panel.get_by_role("button", name="Add field").click()
        inside = panel.get_by_role("group").filter(has=page.get_by_role("button", name="Add field"))
        await inside.get_by_label("Label").fill("Minutes")
        await inside.get_by_label("Type").select_option("Number")
        await inside.get_by_label("Help text").fill("How long it takes.")
        await inside.get_by_label("Default").fill("15")
        await assert_no_errors(page)
        [steps] = (await publish_new(workspace, page))["fields"]
        child = steps["item"][-1]
        assert (child["label"], child["type"]) == ("Minutes", "number")
        assert (child["help"], child["default"]) == ("How long it takes.", 15)

    async def test_error_is_at_its_field(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        least = settings(page).get_by_label("Minimum")
        await least.fill("20")
        await expect(settings(page).get_by_role("alert").first).to_be_visible()
        await expect(page.locator("[data-entry=field]", has_text="Score").locator(".text-bad").first).to_be_visible()
        # The error list leads there from anywhere.
        await button(page, "Review type").click()
        await page.get_by_role("button", name=re.compile("error")).first.click()
        await page.get_by_role("menuitem", name=re.compile("Score")).first.click()
        await expect(page.get_by_label("Field label")).to_have_value("Score")
        await least.fill("0")
        await assert_no_errors(page)

    async def test_error_of_a_child_is_at_the_child(self, workspace: Workspace, visitors: Visitors) -> None:
        items = [{"id": "name", "type": "text", "label": "Name"}, {"id": "amount", "type": "number", "label": "Amount"}]
        field = {"id": "lines", "type": "table", "label": "Lines", "columns": items}
        form = await workspace.make_form(fields=[field], layout=None, rules=[], titleField=None)
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Lines (Table)").click()
        panel = settings(page)
        await panel.get_by_role("button", name=re.compile("^Name")).click()
        await panel.get_by_label(re.compile("Pattern", re.IGNORECASE)).fill("(")
        await expect(panel.get_by_role("alert")).to_have_count(1)
        marked = panel.get_by_role("img", name="Has an error")
        await expect(marked).to_have_count(1)
        await expect(panel.get_by_role("button", name=re.compile("^Name")).locator("[role=img]")).to_be_visible()
        await panel.get_by_label(re.compile("Pattern", re.IGNORECASE)).fill("[a-z]+")
        await expect(marked).to_have_count(0)


@pytest.mark.slow
class TestChecking:
    async def test_failed_check_can_be_retried(self, workspace: Workspace, visitors: Visitors) -> None:
        page = await open_editor(visitors, workspace, await workspace.make_form(**plain("one", "two")))
        await assert_no_errors(page)
        await page.route("**/forms/check", lambda route: route.fulfill(status=429, json={"code": "rate_limited"}))
        await entry(page, "Two (Text)").click()
        await label(page, "Three")
        await expect(page.get_by_text("Couldn't check for errors")).to_be_visible()
        await page.unroute("**/forms/check")
        await button(page, "Try again").click()
        await assert_no_errors(page)
        await expect(page.get_by_text("Couldn't check for errors")).to_be_hidden()

    async def test_publish_lists_the_errors(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        page = await open_editor(visitors, workspace, form)
        await entry(page, "Score (Number)").click()
        await settings(page).get_by_label("Minimum").fill("20")
        await expect(page.get_by_text("1 error")).to_be_visible()
        await button(page, "Publish").click()
        await page.get_by_role("menuitem", name=re.compile("^Score:")).click()
        await expect(page.get_by_label("Field label")).to_have_value("Score")
        # A rule is named by what it shows or hides.
        await entry(page, "Score (Number)").click()
        await page.keyboard.press("Delete")
        await page.keyboard.press("Control+s")
        await expect(page.get_by_role("menuitem", name=re.compile("^Rule for Publishing:")).first).to_be_visible()
        assert (await assert_ok(workspace.owner.get(f"/forms/{form['formId']}")))["version"] == 1

    async def test_new_review_type_without_fields_lists_its_errors(
        self, workspace: Workspace, visitors: Visitors
    ) -> None:
        page = await visitors.open("/review-types/new", workspace.owner, **WIDE)
        await expect(empty_canvas(page)).to_be_visible()
        await button(page, "Publish").click()
        await expect(page.get_by_role("menuitem").first).to_be_visible()
        await expect(page.get_by_role("dialog")).to_have_count(0)
