"""A review whose every value is an attack stays text."""

from typing import Any

import pytest
from playwright.async_api import Page, expect
from support.api import Workspace
from support.browser import ANIMATIONS_FINISHED, Visitors

SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\'"</textarea>{{7*7}}${7*7}'
MARKDOWN = (
    "[click](javascript:window.hacked=1) <script>window.hacked=1</script> "
    "![x](https://evil.example/pixel.png) <iframe srcdoc='<script>parent.hacked=1</script>'></iframe>"
)
STYLE = "*{background:url(https://evil.example/css)}"
HTML = (
    f'<p onclick="window.hacked=1">{SCRIPT}</p><a href="javascript:window.hacked=1">x</a>'
    f"<svg><script>window.hacked=1</script></svg><style>{STYLE}</style>"
)
FIELDS: list[dict[str, Any]] = [
    {"id": "text", "type": "text", "label": SCRIPT[:100]},
    {"id": "long", "type": "longText", "help": SCRIPT},
    {"id": "markdown", "type": "markdown"},
    {"id": "rich", "type": "richText"},
    {"id": "read_rich", "type": "richText", "editable": False},
    {"id": "read_markdown", "type": "markdown", "editable": False},
    {"id": "code", "type": "code", "language": "html"},
    {"id": "json", "type": "json"},
    {"id": "email", "type": "email"},
    {"id": "link", "type": "link"},
    {"id": "label", "type": "label", "text": MARKDOWN},
    {"id": "choice", "type": "dropdown"},
    {"id": "several", "type": "checkboxes"},
    {"id": "image", "type": "image"},
    {"id": "video", "type": "video"},
    {"id": "audio", "type": "audio"},
    {"id": "file", "type": "file"},
    {"id": "list", "type": "list", "item": [{"id": "t", "type": "text"}, {"id": "l", "type": "link"}]},
    {"id": "table", "type": "table", "columns": [{"id": "t", "type": "text"}, {"id": "m", "type": "markdown"}]},
]
OPTIONS = {"options": [{"id": SCRIPT[:100], "label": SCRIPT}, {"id": "b", "label": MARKDOWN}], "default": "b"}
ELSEWHERE = 'https://evil.example/"onload="window.hacked=1.png'
DATA: dict[str, Any] = {
    "text": SCRIPT,
    "long": SCRIPT,
    "markdown": MARKDOWN,
    "rich": HTML,
    "read_rich": HTML,
    "read_markdown": MARKDOWN,
    "code": SCRIPT,
    "json": {SCRIPT: [SCRIPT, {"__proto__": SCRIPT, "constructor": 1}]},
    "email": SCRIPT,
    "link": "https://evil.example/" + "%22%3E%3Cscript%3E",
    "choice": OPTIONS,
    "several": OPTIONS,
    "image": ELSEWHERE,
    "video": ELSEWHERE,
    "audio": ELSEWHERE,
    "file": ELSEWHERE,
    "list": [{"t": SCRIPT, "l": "https://evil.example/"}],
    "table": [{"t": SCRIPT, "m": MARKDOWN}],
}


LATER = """() => new Promise(done => {
  const own = new Image()
  own.onload = own.onerror = () => setTimeout(done)
  own.src = 'x?later'
})"""
"""An image like those of the attack, asked for after them: when it has failed, they have."""


async def _is_unharmed(page: Page) -> None:
    await expect(page.get_by_role("main").first).to_be_visible()
    await page.evaluate(ANIMATIONS_FINISHED)
    await page.evaluate(LATER)
    assert await page.evaluate("window.hacked") is None
    assert await page.locator("script:not([src])").count() == 0
    assert await page.locator("iframe, object, embed").count() == 0
    assert await page.locator("a[href^='javascript:' i]").count() == 0
    assert await page.locator("main [onclick], main [onerror], main [onload]").count() == 0


class TestHostileContent:
    async def test_stays_text(self, workspace: Workspace, visitors: Visitors) -> None:
        """Closing a page checks that it contacted no other host and reported no error: hostile markup that reaches the
        browser's parser shows up there as a policy violation, even if it could do no harm."""
        agent = await workspace.make_agent(name=SCRIPT[:90])
        form = await workspace.make_form(
            agent, name=SCRIPT[:150], fields=FIELDS, layout=None, rules=None, titleField="text"
        )
        review = await workspace.request(form, data=DATA, meta={"k": SCRIPT, "_svcWorkflow": {"runName": SCRIPT}})
        page = await visitors.open(f"/reviews/{review['reviewId']}?view=all", workspace.owner)
        await expect(page.get_by_text("window.hacked=1").first).to_be_visible()
        for name in ("code", "json"):  # editors that are loaded when needed
            await expect(page.locator(f"[data-field={name}] .cm-content")).to_be_visible()
        await _is_unharmed(page)
        rich = page.locator("[data-field=rich]")
        await rich.get_by_role("button", name="Edit").click()
        await expect(rich.get_by_role("textbox")).to_contain_text("{{7*7}}")
        await _is_unharmed(page)

        await page.get_by_role("button", name="History").click()
        await expect(page.get_by_role("heading", name="Deliveries")).to_be_visible()
        await _is_unharmed(page)

        await workspace.decide(review["reviewId"], "rejected", reason=SCRIPT)
        await page.goto(f"/reviews/{review['reviewId']}")
        await expect(page.get_by_text("Rejected").first).to_be_visible()
        await _is_unharmed(page)

    @pytest.mark.slow
    async def test_in_lists_search_and_settings(self, workspace: Workspace, visitors: Visitors) -> None:
        agent = await workspace.make_agent(name=SCRIPT[:90], description=SCRIPT)
        await workspace.request(await workspace.make_form(agent), title=SCRIPT)
        page = await visitors.open("/sign-in", workspace.owner)
        for path in ("/?view=all&q=%3Cscript%3Ealert(1)%3C/script%3E", "/?view=all", "/settings/agents", "/insights"):
            await page.goto(path)
            await _is_unharmed(page)


class TestSlowPatterns:
    async def test_never_run_in_the_page(self, workspace: Workspace, visitors: Visitors) -> None:
        """A backtracking matcher would need longer than the age of the universe. The server matches in linear time."""
        field = {"id": "name", "type": "text", "label": "Name", "editable": True, "pattern": "^(a+)+b$"}
        form = await workspace.make_form(fields=[field], layout=[], rules=[], titleField=None)
        review_id = (await workspace.request(form, data={"name": "a" * 60}))["reviewId"]
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        name = page.get_by_role("textbox", name="Name")
        await name.fill("a" * 61)
        await page.get_by_role("button", name="Approve", exact=True).click()
        await page.goto("/insights")  # sends the held decision
        await page.goto(f"/reviews/{review_id}")
        await name.fill("a" * 61 + "b")
        await expect(name).to_have_value("a" * 61 + "b")
        assert (await workspace.review(review_id))["state"] == "pending"
