"""A screenshot of each field type: one review with the examples of its docs page."""

import json
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page
from support.api import Workspace, assert_ok

from signoff.demo.seed.content.images import mug

PAGE = Path(__file__).parents[1] / "docs" / "field-types.md"
SECTION = re.compile(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PREFIX = "field-"
# Pixels around a field: its whole border, but nothing of its neighbors.
MARGIN = 10


@dataclass(frozen=True)
class Example:
    """A section of the page: the field's definition and the JSON of its table. Cells without JSON are prose."""

    kind: str
    field: dict[str, Any]
    sent: Any
    is_sent: bool
    submitted: Any
    is_changed: bool
    back: dict[str, Any] | None


ROWS = ("definition", "the agent sends", "the reviewer sends", "result")


def examples() -> list[Example]:
    found = list[Example]()
    for section in SECTION.finditer(PAGE.read_text()):
        rows = dict(re.findall(r"^\| ([a-z ]+) \| (.+) \|$", section[2], re.MULTILINE))
        field, sent, submitted, back = (_read(rows[name]) for name in ROWS)
        found.append(Example(section[1], field[0], *sent, *submitted, back[0]))
    return found


def _read(cell: str) -> tuple[Any, bool]:
    """Return the JSON of a cell, and whether there is any."""
    return (json.loads(cell.strip("`")), True) if cell.startswith("`") else (None, False)


NAMES = {f"{PREFIX}{each.kind}" for each in examples()}


# The browser records a second of a zooming image.
RECORD = """async content => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + content
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {width: 640, height: 480})
    const recorder = new MediaRecorder(canvas.captureStream(25), {mimeType: 'video/webm;codecs=vp8'})
    const chunks = []
    recorder.ondataavailable = ({data}) => chunks.push(data)
    const stopped = new Promise(resolve => { recorder.onstop = resolve })
    recorder.start()
    for (let step = 0; step < 30; step++) {
        canvas.getContext('2d').drawImage(image, -step, -step, 640 + 2 * step, 480 + 2 * step)
        await new Promise(resolve => setTimeout(resolve, 40))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
    return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}"""


async def record_video(browser: Browser, image: bytes) -> bytes:
    """Return a WebM file."""
    page = await browser.new_page()
    recorded = await page.evaluate(RECORD, b64encode(image).decode())
    await page.close()
    return b64decode(recorded)


async def create_review(workspace: Workspace, browser: Browser) -> str:
    """Create a review with every field, and return the path of its page."""
    fields = examples()
    agent = await assert_ok(workspace.manager.post("/agents", json={"name": "All fields"}))
    form = {"name": "All fields", "agentId": agent["agentId"], "fields": [each.field for each in fields]}
    form_id = (await assert_ok(workspace.manager.post("/forms", json=form)))["formId"]
    data = {each.field["id"]: each.sent for each in fields if each.is_sent}
    files = {"image": mug(1, scene=1), "video": await record_video(browser, mug(1, scene=1))}
    for each in fields:
        if content := files.get(each.kind):
            uploaded = await assert_ok(workspace.agent.post("/uploadFiles", files={"file": (each.kind, content)}))
            data[each.field["id"]] = uploaded["files"][0]["downloadURL"]
    review = await assert_ok(workspace.agent.post("/requestReview", json={"formId": form_id, "data": data}))
    return f"/reviews/{review['reviewId']}"


async def take(page: Page, name: str, folder: Path) -> None:
    """Take one field, on a page tall enough for all of them."""
    kind = name.removeprefix(PREFIX)
    field_id = next(each.field["id"] for each in examples() if each.kind == kind)
    field = page.locator(f'[data-field="{field_id}"]')
    await field.scroll_into_view_if_needed()
    await page.wait_for_timeout(300)  # for editors that load on demand
    box = await field.bounding_box()
    assert box is not None, name
    clip = {
        "x": max(box["x"] - MARGIN, 0),
        "y": max(box["y"] - MARGIN, 0),
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"] + 2 * MARGIN,
    }
    await page.screenshot(path=folder / f"{name}.png", clip=clip)  # pyright: ignore[reportArgumentType]
