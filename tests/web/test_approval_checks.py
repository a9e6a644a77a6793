"""What Approve waits for and mentions, and how focus leaves a field."""

import asyncio
import re
import struct
import zlib
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect
from support.api import Workspace, assert_ok
from support.browser import Visitors
from web_helpers import button, open_review, queued_decisions, request_review


def png(shade: int) -> bytes:
    """An image of one pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, shade]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


async def make_review(workspace: Workspace, fields: list[dict[str, Any]], data: dict[str, Any]) -> str:
    form = await workspace.make_form(fields=fields, layout=[], rules=[], titleField=None)
    return (await workspace.request(form, data=data))["reviewId"]


async def when_decided(workspace: Workspace, page: Page, review_id: str) -> dict[str, Any]:
    await expect(page.get_by_text("Approved").first).to_be_visible()
    await page.goto("/insights")  # leaving sends the held decision
    async with asyncio.timeout(30):
        while True:
            review = await workspace.review(review_id)
            if review["state"] == "responded":
                return review["reviewResult"]
            await asyncio.sleep(0.05)


def bar(page: Page) -> Locator:
    return page.locator("footer")


async def request_picture(workspace: Workspace) -> tuple[str, str]:
    """An image's URL, and the ID of a review with it."""
    stored = await assert_ok(workspace.agent.post("/uploadFiles", files={"file": ("old.png", png(20), "image/png")}))
    old = stored["files"][0]["downloadURL"]
    fields = [{"id": "picture", "type": "image", "label": "Picture", "editable": True}]
    return old, await make_review(workspace, fields, {"picture": old})


class TestUpload:
    async def test_approve_waits_for_it(self, workspace: Workspace, visitors: Visitors) -> None:
        old, review_id = await request_picture(workspace)
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        goes_on = asyncio.Event()

        async def slow(route: Route) -> None:
            await goes_on.wait()
            await route.continue_()

        await page.route("**/uploadFiles", slow)
        await page.locator("input[type=file]").set_input_files(
            {"name": "new.png", "mimeType": "image/png", "buffer": png(200)}
        )
        await expect(bar(page).get_by_text("Uploading new.png…")).to_be_visible()
        await button(page, "Approve").click()
        await expect(page.get_by_role("region", name="Waiting")).to_contain_text("Your approval will be sent")
        assert await queued_decisions(page) == []
        goes_on.set()
        result = await when_decided(workspace, page, review_id)
        assert result["data"]["picture"] != old

    @pytest.mark.slow
    async def test_failed_upload_is_not_approved(self, workspace: Workspace, visitors: Visitors) -> None:
        _, review_id = await request_picture(workspace)
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        released = asyncio.Event()

        async def refuse(route: Route) -> None:
            await released.wait()
            await route.fulfill(status=413, json={"code": "too_large", "detail": "The file is too large."})

        await page.route("**/uploadFiles", refuse)
        await page.locator("input[type=file]").set_input_files(
            {"name": "huge.png", "mimeType": "image/png", "buffer": png(200)}
        )
        await button(page, "Approve").click()
        await page.get_by_role("region", name="Waiting").wait_for()
        released.set()
        confirmation = page.get_by_role("region", name="Approve")
        await expect(confirmation).to_contain_text("Couldn't upload huge.png: The file is too large")
        assert await queued_decisions(page) == []
        assert (await workspace.review(review_id))["state"] == "pending"
        # Another value makes it irrelevant.
        await button(confirmation, "Cancel").click()
        await page.get_by_role("textbox", name="Picture").fill("https://example.com/other.png")
        await expect(bar(page).get_by_text("huge.png")).to_be_hidden()


@pytest.mark.slow
class TestUploadToATrigger:
    """Starting an agent waits for uploads like approving does."""

    @pytest.fixture
    async def form(self, workspace: Workspace) -> dict[str, Any]:
        fields = [{"id": "picture", "type": "image", "label": "Picture"}]
        agent = await workspace.make_agent(name="Painter")
        return await workspace.make_form(
            agent, trigger=True, allowRetry=False, fields=fields, layout=[], rules=[], titleField=None
        )

    async def sent(self, workspace: Workspace, form: dict[str, Any]) -> list[dict[str, Any]]:
        return (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"]

    async def test_start_waits_for_it(self, workspace: Workspace, visitors: Visitors, form: dict[str, Any]) -> None:
        page = await visitors.open(f"/triggers/{form['formId']}", workspace.owner)
        goes_on = asyncio.Event()

        async def slow(route: Route) -> None:
            await goes_on.wait()
            await route.continue_()

        await page.route("**/uploadFiles", slow)
        await page.locator("input[type=file]").set_input_files(
            {"name": "new.png", "mimeType": "image/png", "buffer": png(200)}
        )
        await button(page, "Start workflow").click()
        waiting = page.get_by_role("region", name="Waiting")
        await expect(waiting).to_contain_text("The workflow will start when the upload finishes")
        assert await self.sent(workspace, form) == []
        goes_on.set()
        await expect(page.get_by_role("heading", name="Workflow started")).to_be_visible()
        [row] = await self.sent(workspace, form)
        assert (await workspace.review(row["reviewId"]))["reviewResult"]["data"]["picture"]

    async def test_failed_upload_is_mentioned(
        self, workspace: Workspace, visitors: Visitors, form: dict[str, Any]
    ) -> None:
        page = await visitors.open(f"/triggers/{form['formId']}", workspace.owner)

        async def refuse(route: Route) -> None:
            await route.fulfill(status=413, json={"code": "too_large", "detail": "The file is too large."})

        await page.route("**/uploadFiles", refuse)
        await page.locator("input[type=file]").set_input_files(
            {"name": "huge.png", "mimeType": "image/png", "buffer": png(200)}
        )
        await expect(page.get_by_text("The file is too large").first).to_be_visible()
        await button(page, "Start workflow").dblclick()
        confirmation = page.get_by_role("region", name="Start")
        await expect(confirmation).to_contain_text("Couldn't upload huge.png: The file is too large")
        assert await self.sent(workspace, form) == []
        await button(confirmation, "Start anyway").click()
        await expect(page.get_by_role("heading", name="Workflow started")).to_be_visible()


@pytest.mark.slow
class TestLongText:
    async def test_truncated_text_must_be_viewed(self, workspace: Workspace, visitors: Visitors) -> None:
        fields = [{"id": "body", "type": "longText", "label": "Body", "editable": False}]
        review_id = await make_review(workspace, fields, {"body": "word " * 5000 + "the end"})
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        mentioned = bar(page).get_by_text("5,007 of 25,007 characters not shown in “Body”")
        await expect(mentioned).to_be_visible()
        await button(page, "Approve").click()
        await expect(page.get_by_role("heading", name="Approve anyway?")).to_be_visible()
        await bar(page).get_by_role("button", name=re.compile("View")).click()
        await expect(button(page, "Show all 25,007 characters")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("the end")).to_be_visible()
        await expect(mentioned).to_be_hidden()
        await button(page, "Approve").click()
        await when_decided(workspace, page, review_id)


class TestLongTable:
    async def test_unviewed_rows_are_mentioned(self, workspace: Workspace, visitors: Visitors) -> None:
        column = {"id": "name", "type": "text", "label": "Name"}
        fields = [{"id": "lines", "type": "table", "label": "Lines", "columns": [column]}]
        rows = [{"name": f"Line {number}"} for number in range(120)]
        review_id = await make_review(workspace, fields, {"lines": rows})
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await expect(page.get_by_text("1\N{EN DASH}50 of 120").first).to_be_visible()
        notice = "70 of 120 rows not viewed in “Lines”"
        await expect(bar(page).get_by_text(notice)).to_be_visible()

        # Approve takes a second step, which pressing the same key again doesn't confirm.
        await button(page, "Approve").click()
        confirmation = page.get_by_role("region", name="Approve")
        await expect(confirmation).to_contain_text(notice)
        await expect(button(confirmation, "Approve anyway")).to_be_enabled()
        await page.keyboard.press("a")
        await expect(confirmation).to_be_visible()

        # The header stays visible while the rows scroll.
        await button(confirmation, f"View: {notice}").click()
        await expect(page.get_by_text("51\N{EN DASH}100 of 120").first).to_be_visible()
        await page.get_by_role("textbox").last.scroll_into_view_if_needed()
        await expect(page.get_by_role("columnheader", name="Name")).to_be_in_viewport()
        await expect(bar(page).get_by_text("20 of 120 rows not viewed in “Lines”")).to_be_visible()

        # Once every row has been shown, there is no notice.
        await button(bar(page), "View: 20 of 120 rows not viewed in “Lines”").click()
        await expect(bar(page).get_by_text("not viewed")).to_be_hidden()
        await button(page, "Approve").click()
        assert len((await when_decided(workspace, page, review_id))["data"]["lines"]) == 120

    @pytest.mark.slow
    async def test_approve_anyway(self, workspace: Workspace, visitors: Visitors) -> None:
        fields = [
            {"id": "tags", "type": "list", "label": "Tags", "item": [{"id": "t", "type": "text", "label": "Tag"}]}
        ]
        review_id = await make_review(workspace, fields, {"tags": [{"t": str(number)} for number in range(21)]})
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await expect(bar(page).get_by_text("1 of 21 items not viewed in “Tags”")).to_be_visible()
        await button(page, "Approve").click()
        await button(page, "Approve anyway").click()
        await when_decided(workspace, page, review_id)


async def refuse_draft(route: Route) -> None:
    await route.fulfill(status=403, json={"code": "forbidden", "detail": "Not now."})


class TestManyWithEdits:
    async def decide(self, choice: str, workspace: Workspace, visitors: Visitors) -> list[str]:
        """Approves three reviews together; the drafts of two change the headline, one of them only in this browser."""
        ids = await request_review(workspace, await workspace.make_form(), "Saved", "Unsaved", "Untouched")
        page = await visitors.open("/?view=all&order=oldest", workspace.owner)
        for title in ("Saved", "Unsaved", "Untouched"):
            review = await open_review(page, title)
            await expect(button(review, "Approve")).to_be_enabled()
            await page.keyboard.press("x")
            if title == "Unsaved":
                await page.route("**/draft", refuse_draft)
            if title != "Untouched":
                await review.get_by_label("Headline").fill(f"My {title}")
            if title == "Saved":
                await expect(review.get_by_text("Saved", exact=True)).to_be_visible()
        await page.unroute("**/draft")
        await button(page.get_by_role("region", name="Selected reviews"), "Approve…").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("2 of 3 have edits you haven't submitted")
        await expect(dialog).to_contain_text("My Unsaved")
        assert {(await workspace.review(object_id))["state"] for object_id in ids} == {"pending"}
        await button(dialog, choice).click()
        await expect(dialog).to_contain_text("3 of 3 approved")
        results = [(await workspace.review(object_id))["reviewResult"] for object_id in ids]
        return [result["data"]["draft"]["headline"] for result in results]

    async def test_approve_with_my_edits(self, workspace: Workspace, visitors: Visitors) -> None:
        approved = await self.decide("Approve with my edits", workspace, visitors)
        assert approved == ["My Saved", "My Unsaved", "Untouched"]

    @pytest.mark.slow
    async def test_approve_originals(self, workspace: Workspace, visitors: Visitors) -> None:
        assert await self.decide("Approve originals", workspace, visitors) == ["Saved", "Unsaved", "Untouched"]

    @pytest.mark.slow
    async def test_draft_without_changes(self, workspace: Workspace, visitors: Visitors) -> None:
        """Its row shows the first values of the review, like a row without a draft."""
        [review_id] = await request_review(workspace, await workspace.make_form(), "Same")
        draft = {"data": {"draft": {"headline": "Same"}}, "revision": 1}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/draft", json=draft))
        page = await visitors.open("/?view=all", workspace.owner)
        await page.get_by_label("Select “Same”", exact=True).check()
        await button(page.get_by_role("region", name="Selected reviews"), "Approve…").click()
        await expect(page.get_by_role("dialog")).to_contain_text("Body of Same")


OPTIONS = [{"id": "blog", "label": "Blog"}, {"id": "mail", "label": "Mail"}]


@pytest.mark.slow
class TestEscape:
    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ({"type": "text"}, "Some words"),
            ({"type": "longText"}, "Some words"),
            ({"type": "richText"}, "<p>Some words</p>"),
            ({"type": "code", "language": "python"}, "words = 1"),
            ({"type": "json"}, {"words": 1}),
            ({"type": "number"}, 5),
            ({"type": "table", "columns": [{"id": "c", "type": "text", "label": "Cell"}]}, [{"c": "words"}]),
        ],
        ids=["text", "longText", "richText", "code", "json", "number", "table"],
    )
    async def test_leaves_the_field(
        self, field: dict[str, Any], value: Any, workspace: Workspace, visitors: Visitors
    ) -> None:
        review_id = await make_review(workspace, [{"id": "it", "label": "It", **field}], {"it": value})
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await expect(button(page, "Approve")).to_be_enabled()
        edited = page.locator("[data-field=it]").locator(
            ".cm-content, [contenteditable=true], textarea, input:not([type=file])"
        )
        opener = page.locator("[data-field=it] [data-option=write][aria-pressed=false]")
        if await opener.count():  # rich text is shown before it's edited
            await opener.click()
        await edited.first.click()
        await expect(edited.first).to_be_focused()
        before = await page.locator("[data-field=it]").inner_text()
        await page.keyboard.press("Escape")
        await expect(page.locator("[data-field=it]")).to_be_focused()
        # Keys are shortcuts again, and none of them reaches the text.
        await page.keyboard.press("r")
        await expect(page.get_by_role("region", name="Reject")).to_be_visible()
        assert await page.locator("[data-field=it]").inner_text() == before

    async def test_closes_a_menu_first(self, workspace: Workspace, visitors: Visitors) -> None:
        fields = [{"id": "it", "label": "It", "type": "dropdown", "options": OPTIONS}]
        review_id = await make_review(workspace, fields, {"it": "blog"})
        page = await visitors.open(f"/reviews/{review_id}?view=all", workspace.owner)
        await expect(button(page, "Approve")).to_be_enabled()
        menu = page.locator("[data-field=it]").get_by_role("combobox")
        await menu.click()
        await expect(page.get_by_role("listbox")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("listbox")).to_be_hidden()
        await expect(menu).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.locator("[data-field=it]")).to_be_focused()
        # Only then does it close the review.
        await page.keyboard.press("Escape")
        await page.wait_for_url(re.compile(r"/\?view=all"))

    async def test_is_in_the_help(self, workspace: Workspace, visitors: Visitors) -> None:
        review_id = await make_review(workspace, [{"id": "it", "label": "It", "type": "text"}], {"it": "x"})
        page = await visitors.open(f"/reviews/{review_id}", workspace.owner)
        await expect(button(page, "Approve")).to_be_enabled()
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog").get_by_text("Leave field")).to_be_visible()
