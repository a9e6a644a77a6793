"""Walks through the editor of review types, to where the pictures of its guide are taken."""

import re

from playwright.async_api import Locator, Page, expect

TEMPLATE = "Support reply"


def _button(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def _part(page: Page, name: str) -> Locator:
    parts = page.get_by_role("navigation", name="Review type", exact=True)
    return parts.get_by_role("button", name=re.compile(f"^{name}"))


async def wait_for_the_list(page: Page) -> None:
    await page.get_by_role("link", name="Social post").wait_for()


async def look_at_a_template(page: Page) -> None:
    await wait_for_the_list(page)
    await _button(page, "Create review type").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name=re.compile(f"^{TEMPLATE}")).click()
    await dialog.get_by_text("Articles the reply is based on.").wait_for()


async def begin_with_a_template(page: Page) -> None:
    await look_at_a_template(page)
    await _button(page, "Use template").click()
    await _button(page, "Escalation (Group)").wait_for()


async def design(page: Page) -> None:
    await begin_with_a_template(page)
    await page.get_by_role("region", name="Preview").get_by_text("Maya Chen").wait_for()
    await _button(page, "Tone (Rating)").click()


async def design_on_a_phone(page: Page) -> None:
    await begin_with_a_template(page)
    await _button(page, "Reply (Markdown)").click()


async def write_a_rule(page: Page) -> None:
    """The one that the template brings, with a second condition."""
    await begin_with_a_template(page)
    await _part(page, "Rules").click()
    await _button(page, "Add condition").click()
    await page.get_by_label("Field", exact=True).last.select_option("Tone")
    await page.get_by_label("Operator").last.select_option("is at most")
    await page.get_by_label("Value").last.fill("3")
    await page.get_by_label("Match").select_option("any of these are true")


async def ask_to_publish(page: Page) -> None:
    await page.get_by_role("link", name="Social post").click()
    await _button(page, "Channels (Buttons)").click()
    await page.keyboard.press("Delete")
    await _button(page, "Headline (Text)").click()
    await page.get_by_label("Field label").fill("Title")
    await _button(page, "Publish").click()
    await page.get_by_role("dialog").get_by_text("These changes may break").wait_for()


async def try_it(page: Page) -> None:
    await begin_with_a_template(page)
    await _button(page, "Publish").click()
    await _button(page.get_by_role("dialog"), "Publish").click()
    await expect(page).to_have_url(re.compile("/review-types/frm_"))
    await _part(page, "Test").click()
    await page.get_by_role("region", name="Result", exact=True).get_by_text("Charged twice in October").wait_for()
