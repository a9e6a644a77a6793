"""Each field type, as the examples of its page have it: one review with all of them, a picture of each field."""

import json
import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page
from support.api import Workspace, ok

from signoff.demo.content.drawn import mug

PAGE = Path(__file__).parents[1] / "docs" / "field-types.md"
SECTION = re.compile(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PREFIX = "field-"
# Around a field: enough that its border is whole, and not so much that a neighbour shows.
MARGIN = 10


@dataclass(frozen=True)
class Example:
    """A section of the page: the field's definition, and the JSON in its table; what is not there is in words."""

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
    """The JSON of a cell, and whether it has any."""
    return (json.loads(cell.strip("`")), True) if cell.startswith("`") else (None, False)


NAMES = {f"{PREFIX}{each.kind}" for each in examples()}


# A second of a picture that moves, recorded by the browser itself.
RECORD = """async picture => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + picture
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {width: 640, height: 480})
    const recorder = new MediaRecorder(canvas.captureStream(25), {mimeType: 'video/webm;codecs=vp8'})
    const pieces = []
    recorder.ondataavailable = ({data}) => pieces.push(data)
    const stopped = new Promise(resolve => { recorder.onstop = resolve })
    recorder.start()
    for (let step = 0; step < 30; step++) {
        canvas.getContext('2d').drawImage(image, -step, -step, 640 + 2 * step, 480 + 2 * step)
        await new Promise(resolve => setTimeout(resolve, 40))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
    return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}"""


async def film(browser: Browser, picture: bytes) -> bytes:
    """A WebM."""
    page = await browser.new_page()
    recorded = await page.evaluate(RECORD, b64encode(picture).decode())
    await page.close()
    return b64decode(recorded)


async def request(workspace: Workspace, browser: Browser) -> str:
    """The address of a review that has them all."""
    given = examples()
    agent = await ok(workspace.manager.post("/agents", json={"name": "Every field"}))
    form = {"name": "Every field", "agentId": agent["agentId"], "fields": [each.field for each in given]}
    form_id = (await ok(workspace.manager.post("/forms", json=form)))["formId"]
    data = {each.field["id"]: each.sent for each in given if each.is_sent}
    pictures = {"image": mug(1, scene=1), "video": await film(browser, mug(1, scene=1))}
    for each in given:
        if content := pictures.get(each.kind):
            uploaded = await ok(workspace.agent.post("/uploadFiles", files={"file": (each.kind, content)}))
            data[each.field["id"]] = uploaded["files"][0]["downloadURL"]
    review = await ok(workspace.agent.post("/requestReview", json={"formId": form_id, "data": data}))
    return f"/reviews/{review['reviewId']}"


async def take(page: Page, name: str, folder: Path) -> None:
    """Of one field, on a page that is high enough for all of them."""
    kind = name.removeprefix(PREFIX)
    field_id = next(each.field["id"] for each in examples() if each.kind == kind)
    place = page.locator(f'[data-field="{field_id}"]')
    await place.scroll_into_view_if_needed()
    await page.wait_for_timeout(300)  # editors that are loaded when they are needed are drawn
    box = await place.bounding_box()
    assert box is not None, name
    around = {
        "x": max(box["x"] - MARGIN, 0),
        "y": max(box["y"] - MARGIN, 0),
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"] + 2 * MARGIN,
    }
    await page.screenshot(path=folder / f"{name}.png", clip=around)  # pyright: ignore[reportArgumentType]
