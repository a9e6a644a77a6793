"""Starts a service, fills it over the API, and takes `docs/pictures/*.png` in Chromium.

`python -m screenshots NAME …` takes only these screenshots.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Page, async_playwright
from support.api import Workspace, sign_in_workspace
from support.browser import ARGUMENTS, PHONE, Visitors, chromium_path, visitors_of
from support.receiver import Receiver
from support.service_process import RunningService, running_service

from screenshots import chat, editor, emails, fields
from screenshots.history import create_history
from screenshots.languages import POSTS
from screenshots.workspace import Content

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1360, "height": 850}}
WIDE: Final[dict[str, Any]] = {"viewport": {"width": 1600, "height": 940}}
TALL: Final[dict[str, Any]] = {"viewport": {"width": 1360, "height": 4400}}
EMAIL: Final[dict[str, Any]] = {"viewport": {"width": 720, "height": 700}}
DARK: Final[dict[str, Any]] = {"color_scheme": "dark"}


async def _stay(page: Page) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Screenshot:
    name: str
    path: str
    options: dict[str, Any]
    """Of the browser context."""
    prepare: Callable[[Page], Awaitable[object]] = field(default=_stay)
    """What to do on the page first."""


async def open_social_post(page: Page) -> None:
    await page.get_by_role("link", name="Why our blue changed").click()
    await page.get_by_label("Headline").wait_for()


async def edit_headline(page: Page) -> None:
    await open_social_post(page)
    await page.get_by_label("Headline").fill("Why our blue has changed")
    await page.get_by_text("Saved").wait_for()


async def open_palette(page: Page) -> None:
    await page.get_by_role("link", name="Why our blue changed").wait_for()
    await page.keyboard.press("Control+k")


def open_post_in(language: str) -> Callable[[Page], Awaitable[None]]:
    post = POSTS[language]

    async def open_post(page: Page) -> None:
        await page.get_by_role("link", name=post.headline).click()
        await page.get_by_label(post.labels["headline"]).wait_for()

    return open_post


SCREENSHOTS: Final = [
    Screenshot("inbox", "/?view=all", DESKTOP, open_social_post),
    Screenshot("inbox-dark", "/?view=all", DESKTOP | DARK, open_social_post),
    Screenshot("review-edited", "/?view=all", DESKTOP, edit_headline),
    Screenshot("palette", "/?view=all", DESKTOP, open_palette),
    Screenshot("inbox-phone", "/?view=all", PHONE),
    Screenshot("review-phone", "/?view=all", PHONE, open_social_post),
    Screenshot("insights", "/insights", {"viewport": {"width": 1360, "height": 1240}}),
    Screenshot("outgoing-messages", "/settings/outgoing-messages", DESKTOP),
    Screenshot("review-types", "/review-types", DESKTOP, editor.wait_for_list),
    Screenshot("review-type-templates", "/review-types", DESKTOP, editor.preview_template),
    Screenshot("review-type-editor", "/review-types", WIDE, editor.edit),
    Screenshot("review-type-editor-dark", "/review-types", WIDE | DARK, editor.edit),
    Screenshot("review-type-rules", "/review-types", DESKTOP, editor.edit_rule),
    Screenshot("review-type-publish", "/review-types", DESKTOP, editor.confirm_publishing),
    Screenshot("review-type-phone", "/review-types", PHONE, editor.edit_on_phone),
    Screenshot("mail-review", "/?view=all", EMAIL, emails.open_external_review()),
    Screenshot("mail-review-ar", "/?view=all", EMAIL, emails.open_external_review("ar")),
    Screenshot("mail-digest", "/?view=all", {"viewport": {"width": 720, "height": 750}}, emails.open_digest()),
    # Last, because it publishes a review type that would be in the lists.
    Screenshot("review-type-try", "/review-types", WIDE, editor.test_draft),
]
# These add content, so they're taken after the others.
CHATS: Final = [
    Screenshot("chat", "", WIDE, chat.open_review),
    Screenshot("chat-dark", "", WIDE | DARK, chat.open_review),
    Screenshot("chat-phone", "", PHONE, chat.wait_for_chat),
]
LOCALIZED: Final = [
    Screenshot(f"inbox-{language}", "/?view=all", DESKTOP | {"locale": language}, open_post_in(language))
    for language in POSTS
]


async def take_screenshots(service: RunningService, names: set[str]) -> None:
    receiver = Receiver()
    runner = await receiver.start()
    workspace = await sign_in_workspace(service)
    await workspace.owner.patch("/auth/me", json={"name": "Mara Lind"})
    content = Content(workspace.agent, workspace.manager, workspace.owner)
    if names - fields.NAMES:
        await create_content(content, service, receiver)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        async with visitors_of(browser, service.url) as visitors:
            for screenshot in _selected(SCREENSHOTS, names):
                await _take(visitors, workspace, screenshot, screenshot.path)
            if chats := _selected(CHATS, names):
                path = await chat.create_chat(workspace)
                for screenshot in chats:
                    await _take(visitors, workspace, screenshot, path)
            for language, screenshot in zip(POSTS, LOCALIZED, strict=True):
                if screenshot.name in names:
                    await content.add_post(POSTS[language])
                    await _take(visitors, workspace, screenshot, screenshot.path)
            if wanted := sorted(fields.NAMES & names):
                await _take_fields(visitors, workspace, browser, wanted)
        await browser.close()
    await runner.cleanup()


async def create_content(content: Content, service: RunningService, receiver: Receiver) -> None:
    reviews = await content.create(receiver.answer("/agent", [200]))
    for number, review_id in enumerate(reviews[:16]):
        await content.decide(review_id, "rejected" if number % 5 == 4 else "approved")
    await receiver.wait_for("/agent", 16)
    await create_history(service.dsn())


def _selected(screenshots: list[Screenshot], names: set[str]) -> list[Screenshot]:
    return [each for each in screenshots if each.name in names]


async def _take(visitors: Visitors, workspace: Workspace, screenshot: Screenshot, path: str) -> None:
    page = await visitors.open(path, client=workspace.owner, **screenshot.options)
    await page.get_by_role("main").first.wait_for()
    await screenshot.prepare(page)
    await page.wait_for_timeout(1500)  # for images and editors to appear, and the decision to unlock
    await page.screenshot(path=FOLDER / f"{screenshot.name}.png")


async def _take_fields(visitors: Visitors, workspace: Workspace, browser: Browser, names: list[str]) -> None:
    page = await visitors.open(await fields.create_review(workspace, browser), client=workspace.owner, **TALL)
    for name in names:
        await fields.take(page, name, FOLDER)


def main() -> None:
    names = {each.name for each in (*SCREENSHOTS, *CHATS, *LOCALIZED)} | fields.NAMES
    if unknown := set(sys.argv[1:]) - names:
        sys.exit(f"Unknown screenshots: {', '.join(sorted(unknown))}. Available: {', '.join(sorted(names))}.")
    FOLDER.mkdir(exist_ok=True)
    # A web app built elsewhere, as in the tests.
    settings = {"web_app": app} if (app := os.environ.get("SIGNOFF_WEB_APP")) else {}
    with tempfile.TemporaryDirectory() as folder, running_service(Path(folder), **settings) as service:
        asyncio.run(take_screenshots(service, set(sys.argv[1:]) or names))


main()
