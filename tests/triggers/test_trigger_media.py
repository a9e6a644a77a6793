"""Images in trigger forms: uploaded, or external and copied."""

import asyncio
import secrets
from typing import Any

import pyvips
from aiohttp import web
from support.api import Workspace, assert_error, assert_ok, error_at, unique
from support.receiver import Receiver
from trigger_helpers import make_trigger, publish, submissions, visitor

FIELDS = [
    {"id": "photo", "type": "image", "label": "Photo"},
    {"id": "clip", "type": "video", "label": "Clip"},
    {"id": "others", "type": "list", "label": "Others", "item": [{"id": "picture", "type": "image"}]},
]


def png() -> bytes:
    """An image that no other test has."""
    image: Any = pyvips.Image.new_from_memory(secrets.token_bytes(30 * 20 * 3), 30, 20, 3, "uchar")  # pyright: ignore
    return image.pngsave_buffer()


async def upload(workspace: Workspace, content: bytes) -> str:
    uploaded = await assert_ok(workspace.owner.post("/uploadFiles", files={"file": ("photo.png", content)}))
    return uploaded["files"][0]["downloadURL"]


async def make_form(workspace: Workspace) -> dict[str, Any]:
    return await make_trigger(workspace, fields=FIELDS, rules=[], titleField=None)


async def copied(workspace: Workspace, review_id: str, url: str) -> str:
    async with asyncio.timeout(20):
        while True:
            cache = (await workspace.review(review_id)).get("fileCache", {})
            if url in cache:
                return cache[url]
            await asyncio.sleep(0.05)


async def gone(workspace: Workspace, address: str) -> None:
    async with asyncio.timeout(20):
        while True:
            if (await workspace.public.get(address)).status_code == 404:
                return
            await asyncio.sleep(0.05)


class TestMembers:
    async def test_uploaded_images_are_stored(self, workspace: Workspace) -> None:
        form, content = await make_form(workspace), png()
        first, second = await upload(workspace, content), await upload(workspace, png())
        data = {"photo": first, "others": [{"picture": second}]}
        submission = await assert_ok(
            workspace.owner.post(f"/triggers/{form['formId']}/submissions", json={"data": data})
        )
        review = await workspace.review(submission["reviewId"])
        assert review["reviewResult"]["data"]["photo"] == first
        assert (await workspace.public.get(first)).content == content
        await assert_ok(workspace.agent.delete(f"/reviews/{submission['reviewId']}"))
        await gone(workspace, first)

    async def test_external_urls_are_copied(self, workspace: Workspace, receiver: Receiver) -> None:
        form, content = await make_form(workspace), png()

        async def answer(_: Any) -> web.StreamResponse:
            return web.Response(body=content, content_type="image/png")

        url = receiver.answer(unique("/photo"), answer)
        body = {"data": {"photo": url}}
        submission = await assert_ok(workspace.owner.post(f"/triggers/{form['formId']}/submissions", json=body))
        stored = await copied(workspace, submission["reviewId"], url)
        assert (await workspace.public.get(stored)).status_code == 200
        assert (await workspace.review(submission["reviewId"]))["reviewResult"]["data"]["photo"] == url

    async def test_unknown_media_is_rejected(self, workspace: Workspace, other_workspace: Workspace) -> None:
        form = await make_form(workspace)
        foreign, own = await upload(other_workspace, png()), await upload(workspace, png())
        unknown = own[:-1] + ("1" if own.endswith("0") else "0")
        data = {"photo": foreign, "clip": own, "others": [{"picture": unknown}]}
        call = workspace.owner.post(f"/triggers/{form['formId']}/submissions", json={"data": data})
        problem = await assert_error(call, 422)
        assert error_at(problem, "data.photo")["code"] == "unknown_media"
        assert error_at(problem, "data.clip")["code"] == "wrong_kind"
        assert error_at(problem, "data.others[0]")["code"] == "unknown_media"
        assert await submissions(workspace, form) == []

    async def test_base64_is_rejected(self, workspace: Workspace) -> None:
        form = await make_form(workspace)
        for value in ("data:image/png;base64,iVBORw0KGgo=", "iVBORw0KGgo=", "javascript:alert(1)", 7):
            body = {"data": {"photo": value}}
            problem = await assert_error(
                workspace.owner.post(f"/triggers/{form['formId']}/submissions", json=body), 422
            )
            assert error_at(problem, "data.photo")


class TestVisitors:
    async def test_can_send_a_url(self, public_workspace: Workspace, receiver: Receiver) -> None:
        form, content = await make_form(public_workspace), png()

        async def answer(_: Any) -> web.StreamResponse:
            return web.Response(body=content, content_type="image/png")

        url = receiver.answer(unique("/public-photo"), answer)
        at = visitor(public_workspace, await publish(public_workspace, form))
        assert (await at.submit(data={"photo": url})).status_code == 201
        [row] = await submissions(public_workspace, form)
        assert await copied(public_workspace, row["reviewId"], url)

    async def test_number_of_fetched_urls_is_limited(self, public_workspace: Workspace) -> None:
        photos = {"id": "photos", "type": "list", "item": [{"id": "photo", "type": "image"}]}
        form = await make_trigger(public_workspace, fields=[photos], layout=None, rules=[], titleField=None)
        at = visitor(public_workspace, await publish(public_workspace, form))
        urls = [f"http://127.0.0.1:9/{number}.png" for number in range(21)]
        problem = await assert_error(at.submit(data={"photos": urls}), 422, "invalid")
        assert error_at(problem, "data")["code"] == "too_many_items"
        assert await submissions(public_workspace, form) == []

    async def test_can_not_upload(self, public_workspace: Workspace) -> None:
        await assert_error(public_workspace.public.post("/uploadFiles", files={"file": ("photo.png", png())}), 401)
