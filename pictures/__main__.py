"""Starts a service of its own, fills it, walks through it in Chromium and writes `docs/pictures/*.png`.

`python -m pictures NAME …` takes only the pictures of these names, and leaves the others alone.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright
from support.api import Workspace, open_workspace
from support.browser import ARGUMENTS, PHONE, Visitors, chromium_path, visitors_of
from support.receiver import Receiver
from support.service_process import RunningService, running_service

from pictures import chatting, designing, fields, mails
from pictures.history import give_a_past
from pictures.office import Office

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DESK: dict[str, Any] = {"viewport": {"width": 1360, "height": 850}}
WIDE: dict[str, Any] = {"viewport": {"width": 1600, "height": 940}}
HIGH: dict[str, Any] = {"viewport": {"width": 1360, "height": 4400}}
LETTER: dict[str, Any] = {"viewport": {"width": 720, "height": 700}}
Walk = Callable[[Page], Awaitable[object]]


async def stay(page: Page) -> None:
    pass


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


PICTURES: list[tuple[str, str, Walk, dict[str, Any]]] = [
    ("inbox", "/?view=all", open_social_post, DESK),
    ("inbox-dark", "/?view=all", open_social_post, {**DESK, "color_scheme": "dark"}),
    ("review-edited", "/?view=all", edit_headline, DESK),
    ("palette", "/?view=all", open_palette, DESK),
    ("inbox-phone", "/?view=all", stay, PHONE),
    ("review-phone", "/?view=all", open_social_post, PHONE),
    ("insights", "/insights", stay, {"viewport": {"width": 1360, "height": 1240}}),
    ("deliveries", "/settings/deliveries", stay, DESK),
    ("review-types", "/review-types", designing.wait_for_the_list, DESK),
    ("review-type-templates", "/review-types", designing.look_at_a_template, DESK),
    ("review-type-editor", "/review-types", designing.design, WIDE),
    ("review-type-editor-dark", "/review-types", designing.design, {**WIDE, "color_scheme": "dark"}),
    ("review-type-rules", "/review-types", designing.write_a_rule, DESK),
    ("review-type-publish", "/review-types", designing.ask_to_publish, DESK),
    ("review-type-phone", "/review-types", designing.design_on_a_phone, PHONE),
    ("mail-review", "/?view=all", mails.open_mail("external_review"), LETTER),
    ("mail-review-dark", "/?view=all", mails.open_mail("review_requested"), {**LETTER, "color_scheme": "dark"}),
    ("mail-digest", "/?view=all", mails.open_mail("digest"), LETTER),
    ("mail-phone", "/?view=all", mails.open_mail("review_requested"), PHONE),
    # Last, because it saves a review type, which would be in the lists.
    ("review-type-try", "/review-types", designing.try_it, WIDE),
]


CHATS: dict[str, dict[str, Any]] = {
    "chat": WIDE,
    "chat-dark": {**WIDE, "color_scheme": "dark"},
    "chat-phone": PHONE,
}


async def take_pictures(service: RunningService, wanted: set[str]) -> None:
    receiver = Receiver()
    runner = await receiver.start()
    workspace = await open_workspace(service)
    await workspace.owner.patch("/auth/me", json={"name": "Mara Lind"})
    if wanted - fields.NAMES:
        await fill_the_office(service, workspace, receiver)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        async with visitors_of(browser, service.url) as visitors:
            for name, path, walk, options in (each for each in PICTURES if each[0] in wanted):
                await _take(visitors, name, path, walk, client=workspace.owner, **options)
            # After the others, because it adds to what they show.
            if chats := {name: options for name, options in CHATS.items() if name in wanted}:
                path = await chatting.converse(workspace)
                for name, options in chats.items():
                    await _take(visitors, name, path, chatting.walk_of(name), client=workspace.owner, **options)
            if types := sorted(fields.NAMES & wanted):
                page = await visitors.open(await fields.request(workspace, browser), client=workspace.owner, **HIGH)
                for name in types:
                    await fields.take(page, name, FOLDER)
        await browser.close()
    await runner.cleanup()


async def fill_the_office(service: RunningService, workspace: Workspace, receiver: Receiver) -> None:
    office = Office(workspace.agent, workspace.manager, workspace.owner)
    reviews = await office.fill(receiver.answer("/agent", [200]))
    for number, review_id in enumerate(reviews[:16]):
        await office.decide(review_id, "rejected" if number % 5 == 4 else "approved")
    await receiver.wait_for("/agent", 16)
    await give_a_past(service.dsn())


async def _take(visitors: Visitors, name: str, path: str, walk: Walk, **options: Any) -> None:
    page = await visitors.open(path, **options)
    await page.get_by_role("main").first.wait_for()
    await walk(page)
    await page.wait_for_timeout(600)  # what is being drawn is drawn to its end
    await page.screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    names = {name for name, *_ in PICTURES} | set(CHATS) | fields.NAMES
    if unknown := set(sys.argv[1:]) - names:
        sys.exit(f"There are no pictures named {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}.")
    FOLDER.mkdir(exist_ok=True)
    # Another built app than the package's, as for the tests.
    settings = {"web_app": app} if (app := os.environ.get("SIGNOFF_WEB_APP")) else {}
    with tempfile.TemporaryDirectory() as folder, running_service(Path(folder), **settings) as service:
        asyncio.run(take_pictures(service, set(sys.argv[1:]) or names))


main()
