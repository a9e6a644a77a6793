"""The steps in the review type editor that lead to its screenshots."""

import re

from playwright.async_api import Locator, Page, expect

TEMPLATE = "Support reply"


def _button(place: Page | Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def _section(page: Page, name: str) -> Locator:
    sections = page.get_by_role("navigation", name="Review type", exact=True)
    return sections.get_by_role("button", name=re.compile(f"^{name}"))


async def wait_for_list(page: Page) -> None:
    await page.get_by_role("link", name="Social post").wait_for()


async def preview_template(page: Page) -> None:
    await wait_for_list(page)
    await _button(page, "Create review type").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name=re.compile(f"^{TEMPLATE}")).click()
    await dialog.get_by_text("Articles the reply is based on.").wait_for()


async def use_template(page: Page) -> None:
    await preview_template(page)
    await _button(page, "Use template").click()
    await _button(page, "Escalation (Group)").wait_for()


async def edit(page: Page) -> None:
    await use_template(page)
    await page.get_by_role("region", name="Preview").get_by_text("Maya Chen").wait_for()
    await _button(page, "Tone (Rating)").click()


async def edit_on_phone(page: Page) -> None:
    await use_template(page)
    await _button(page, "Reply (Markdown)").click()


async def edit_rule(page: Page) -> None:
    """The template's rule, with a second condition."""
    await use_template(page)
    await _section(page, "Rules").click()
    await _button(page, "Add condition").click()
    await page.get_by_label("Field", exact=True).last.select_option("Tone")
    await page.get_by_label("Operator").last.select_option("is at most")
    await page.get_by_label("Value").last.fill("3")
    await page.get_by_label("Match").select_option("any of these are true")


async def confirm_publishing(page: Page) -> None:
    await page.get_by_role("link", name="Social post").click()
    await _button(page, "Channels (Buttons)").click()
    await page.keyboard.press("Delete")
    await _button(page, "Headline (Text)").click()
    await page.get_by_label("Field label").fill("Title")
    await _button(page, "Publish").click()
    await page.get_by_role("dialog").get_by_text("These changes may break").wait_for()


async def test_draft(page: Page) -> None:
    await use_template(page)
    await _button(page, "Publish").click()
    await _button(page.get_by_role("dialog"), "Publish").click()
    await expect(page).to_have_url(re.compile("/review-types/frm_"))
    await _section(page, "Test").click()
    await page.get_by_role("region", name="Result", exact=True).get_by_text("Charged twice in October").wait_for()
