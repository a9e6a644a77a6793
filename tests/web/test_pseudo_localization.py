"""Every text longer and with accents: shows texts that don't fit, and texts that aren't in the catalog."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import ANIMATIONS_FINISHED, PHONE, Visitors
from web_helpers import request_review

WEB = Path(__file__).parents[2] / "web"
WIDE = {"viewport": {"width": 1280, "height": 800}}
SCREENS = (
    "/?view=all",
    "/insights",
    "/review-types",
    "/settings/profile",
    "/settings/workspace",
    "/settings/outgoing-messages",
)

# Replaces Japanese, whose dates and numbers contain no Latin words either.
LANGUAGE = "ja"

# Texts of the page and of its attributes, except for user content and texts that are the same in every language.
TEXTS = """() => {
  const skipped = 'bdi, code, kbd, pre, script, style, time, noscript, input, textarea, [lang]:not(html), [dir=auto]'
  const isShown = element => !element.closest(skipped) && element.getClientRects().length > 0
  const texts = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) if (isShown(walk.currentNode.parentElement)) texts.push(walk.currentNode.data)
  for (const name of ['aria-label', 'placeholder'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (isShown(element)) texts.push(element.getAttribute(name))
  return texts
}"""
WORD = re.compile(r"\b[a-z]{3,}\b", re.IGNORECASE)
ACCENT = re.compile(r"[^\x00-\x7f]")
OWN = re.compile(
    r"[\w.+-]+@[\w.-]+|agent-\d+|Other|Review AI draft|Rather a long headline.*|127\.0\.0\.1\S*|Chrome|Linux|UTC"
)
"""What the test's workspace is called, and those in it."""


@pytest.fixture(scope="module")
async def catalog() -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        "node", "pseudo-catalog.ts", cwd=WEB, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PATH": path}
    )
    written, _ = await process.communicate()
    assert process.returncode == 0
    return written.decode()


async def open_pseudo_localized(visitors: Visitors, workspace: Workspace, catalog: str, wide: bool) -> Page:
    async def answer(route: Route) -> None:
        await route.fulfill(body=catalog, content_type="text/javascript")

    await assert_ok(workspace.owner.patch("/auth/me", json={"language": LANGUAGE}))
    page = await visitors.open("about:blank", workspace.owner, **(WIDE if wide else PHONE))
    await page.route(re.compile(rf"/static/{LANGUAGE}-[^/]+\.js$"), answer)
    return page


@pytest.mark.parametrize("wide", [True, False], ids=["wide", "phone"])
async def test_every_screen(workspace: Workspace, visitors: Visitors, catalog: str, wide: bool) -> None:
    [review_id] = await request_review(workspace, await workspace.make_form(), "Rather a long headline " * 8)
    page = await open_pseudo_localized(visitors, workspace, catalog, wide)
    for path in (*SCREENS, f"/reviews/{review_id}?view=all"):
        await page.goto(visitors.url + path)
        await expect(page.get_by_role("main").first).to_be_visible()
        await page.evaluate(ANIMATIONS_FINISHED)
        too_wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, f"{path} is too wide by {too_wide} pixels"
        texts = [OWN.sub("", text) for text in await page.evaluate(TEXTS)]
        assert any(ACCENT.search(text) for text in texts), f"{path} isn't translated"
        assert [text for text in texts if WORD.search(text) and not ACCENT.search(text)] == [], path
