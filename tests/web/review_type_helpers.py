"""Helpers for the tests of the review-type editor: its parts by name, and drag and drop."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import FloatRect, Locator, Page, expect
from support.api import Workspace, assert_ok
from web_helpers import button

WIDE: dict[str, Any] = {"viewport": {"width": 1600, "height": 1000}}


def entry(page: Page, name: str) -> Locator:
    """An entry of the canvas, by its label and type: `Score (Number)`."""
    return page.get_by_role("button", name=name, exact=True)


def empty_canvas(page: Page) -> Locator:
    """Its text depends on whether there is a mouse or touch."""
    return page.get_by_role(
        "button", name=re.compile("^(Drag a field here, or press A to add one|Tap to add a field)$")
    )


def empty_box(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Add field: in empty "))


def palette(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Fields", exact=True).get_by_role("button", name=re.compile(f"^Add {name}:"))


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Review type", exact=True).get_by_role("button", name=re.compile(name))


def preview(page: Page) -> Locator:
    return page.get_by_role("region", name="Preview")


def settings(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Properties", exact=True)


def drag_announcement(page: Page) -> Locator:
    """What screen readers announce during a drag."""
    return page.locator("[id^=DndLiveRegion]")


async def open_editor(
    visitors: Any, workspace: Workspace, form: dict[str, Any], part: str = "", **options: Any
) -> Page:
    page = await visitors.open(f"/review-types/{form['formId']}{part}", workspace.owner, **(options or WIDE))
    await expect(page.locator("main > header")).to_be_visible()
    return page


async def label(page: Page, words: str) -> None:
    await page.get_by_label("Field label").fill(words)


async def assert_no_errors(page: Page) -> None:
    await expect(page.get_by_text("No errors")).to_be_visible()


async def published(workspace: Workspace, page: Page, form: dict[str, Any], version: int) -> dict[str, Any]:
    """Publish by shortcut, and read the result over the API."""
    await page.keyboard.press("Control+s")
    return await at_version(workspace, page, form, version)


async def at_version(workspace: Workspace, page: Page, form: dict[str, Any], version: int) -> dict[str, Any]:
    badge = page.locator("main > header").get_by_text(f"Version {version}", exact=True)
    await expect(badge).to_be_visible()
    return await assert_ok(workspace.owner.get(f"/forms/{form['formId']}"))


async def publish_new(workspace: Workspace, page: Page) -> dict[str, Any]:
    """Publish a new review type, which asks first, and read it over the API."""
    await button(page, "Publish").click()
    dialog = page.get_by_role("dialog", name="Publish version 1?")
    await expect(dialog.get_by_text("Agents can use this review type as soon as you publish it.")).to_be_visible()
    await button(dialog, "Publish").click()
    return await saved_form(workspace, page)


async def saved_form(workspace: Workspace, page: Page) -> dict[str, Any]:
    """A new review type, once it's saved."""
    await page.wait_for_url(re.compile("/review-types/frm_"))
    form_id = page.url.split("/review-types/")[1].split("?")[0]
    return await at_version(workspace, page, {"formId": form_id}, 1)


def kinds(layout: list[dict[str, Any]]) -> list[Any]:
    """The tree without IDs: which container has what."""
    shown: list[Any] = []
    for node in layout:
        if node["kind"] == "columns":
            shown.append(["columns", *[kinds(column) for column in node["columns"]]])
        elif node["kind"] == "field":
            shown.append(node["field"])
        else:
            shown.append([node["kind"], *kinds(node["children"])])
    return shown


def order(form: dict[str, Any]) -> list[Any]:
    """The layout. Stacked fields need none: their own order says it."""
    return kinds(form["layout"]) or [field["id"] for field in form["fields"]]


async def place_description(place: Locator) -> str:
    """The name of an empty place while something is dragged over it."""
    name = await place.get_attribute("aria-label")
    return "top of the page" if name is None else name.removeprefix("Add field: ")


async def box_of(what: Locator) -> FloatRect:
    await what.scroll_into_view_if_needed()
    box = await what.bounding_box()
    assert box is not None
    return box


async def drag(page: Page, what: Locator, place: Locator, words: str | None = None) -> None:
    """With the mouse, in steps: drops once the page says that it's over the place."""
    words = words or await place_description(place)
    start, end = await box_of(what), await box_of(place)
    await page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    await page.mouse.down()
    await page.mouse.move(start["x"] + start["width"] / 2 + 12, start["y"] + start["height"] / 2 + 12, steps=2)
    await page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    await expect(drag_announcement(page)).to_contain_text(f": {words}.")
    await page.mouse.up()


async def drag_by_touch(page: Page, what: Locator, place: Locator, words: str | None = None) -> None:
    """By touch: holds until it's picked up, moves, and lifts once it's over the place."""
    words = words or await place_description(place)
    start, end = await box_of(what), await box_of(place)
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    to_x, to_y = end["x"] + end["width"] / 2, end["y"] + end["height"] / 2
    finger = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": at_x, "y": at_y} for at_x, at_y in points]
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    await changes_text(drag_announcement(page), lambda: touch("touchStart", (x, y)))
    for step in range(1, 9):
        await touch("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    await expect(drag_announcement(page)).to_contain_text(f": {words}.")
    await touch("touchEnd")
    await finger.detach()


async def changes_text(place: Locator, act: Callable[[], Awaitable[None]]) -> str:
    """Do something, and wait until the element's text changes."""
    before = await place.inner_text()
    await act()
    await expect(place).not_to_have_text(before)
    return await place.inner_text()
