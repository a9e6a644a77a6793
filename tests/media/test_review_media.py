"""Media stays as long as reviews use it: it's deleted with the last one, stays for earlier revisions, and may come from
reviewers."""

import asyncio
from typing import Any

import pytest
from media_review_helpers import (
    BASE64,
    b64,
    fetch_stored,
    fetches,
    is_kept,
    media_form,
    serve,
    status_of,
    wait_for_copies,
    wait_until,
    wait_until_gone,
)
from sample_files import mp4, new_seed, png
from support.api import Workspace, assert_error, assert_ok, error_at
from support.in_process import Service
from support.receiver import Receiver
from support.second_account import open_second_account

EDITABLE = [{"id": "photo", "type": "image", "editable": True}, {"id": "note", "type": "text"}]


@pytest.fixture(scope="module")
async def form(workspace: Workspace) -> dict[str, Any]:
    return await media_form(workspace)


async def delete(workspace: Workspace, review_id: str) -> None:
    await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))


async def with_image(workspace: Workspace, form: dict[str, Any], content: bytes, **members: Any) -> tuple[str, str]:
    """A review that shows an image, and its URL."""
    body = {"data": {"draft": {"photo": b64(content)}}, "config": BASE64, **members}
    created_review = await workspace.request(form, **body)
    review = await workspace.review(created_review["reviewId"])
    return created_review["reviewId"], review["data"]["draft"]["photo"]


async def upload(workspace: Workspace, content: bytes, client: Any = None) -> str:
    uploaded = await assert_ok((client or workspace.agent).post("/uploadFiles", files={"file": ("a.png", content)}))
    return uploaded["files"][0]["downloadURL"]


class TestDeleting:
    async def test_removes_the_media(
        self, service: Service, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content, elsewhere = png(seed=new_seed()), png(seed=new_seed())
        url = serve(receiver, elsewhere)
        data = {"draft": {"photo": b64(content)}, "photos": [url]}
        created_review = await workspace.request(form, data=data, config=BASE64)
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        addresses = [review["data"]["draft"]["photo"], review["fileCache"][url]]
        await delete(workspace, created_review["reviewId"])
        for address, gone_content in zip(addresses, (content, elsewhere), strict=True):
            assert await status_of(address) == 404, "at once, not only when its object is removed"
            assert not await is_kept(service, gone_content)
        objects = service.data_dir / "media" / workspace.account_id

        async def removed() -> bool:
            return not any((objects / address.rsplit("/", 1)[1]).exists() for address in addresses)

        await wait_until(removed)

    async def test_keeps_media_of_other_reviews(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = png(seed=new_seed())
        url = serve(receiver, content)
        first, address = await with_image(workspace, form, content)
        second = await workspace.request(form, data={"draft": {"photo": url}})
        review = await wait_for_copies(workspace, second["reviewId"], url)
        assert review["fileCache"][url] == address
        third = await workspace.request(form, data={"photos": [address]})
        for review_id in (first, second["reviewId"]):
            await delete(workspace, review_id)
            assert await fetch_stored(address) == content
        await delete(workspace, third["reviewId"])
        await wait_until_gone(address)

    async def test_of_decided_and_updated_reviews(self, workspace: Workspace, form: dict[str, Any]) -> None:
        first, second = png(seed=new_seed()), png(seed=new_seed())
        review_id, address = await with_image(workspace, form, first)
        _, later = await with_image(workspace, form, second, updateForReviewId=review_id)
        assert [await fetch_stored(url) for url in (address, later)] == [first, second], (
            "earlier revisions stay readable"
        )
        await workspace.decide(review_id)
        assert await fetch_stored(address) == first
        await delete(workspace, review_id)
        await wait_until_gone(address)
        await wait_until_gone(later)

    async def test_the_same_content_again(self, workspace: Workspace, form: dict[str, Any]) -> None:
        """Deleted and requested again: it's stored again, under another URL."""
        content = png(seed=new_seed())
        first, address = await with_image(workspace, form, content)
        await delete(workspace, first)
        _, again = await with_image(workspace, form, content)
        assert again != address
        await wait_until_gone(address)
        assert await fetch_stored(again) == content

    async def test_during_new_references(self, workspace: Workspace, form: dict[str, Any]) -> None:
        """At any moment, the new review either keeps the media or stores it again."""
        content = png(seed=new_seed())
        for _ in range(12):
            review_id, _ = await with_image(workspace, form, content)
            calls = [with_image(workspace, form, content) for _ in range(3)]
            _, *responses = await asyncio.gather(delete(workspace, review_id), *calls)
            for _, address in responses:
                assert await fetch_stored(address) == content
            await asyncio.gather(*(delete(workspace, call) for call, _ in responses))

    async def test_during_a_download(self, workspace: Workspace, form: dict[str, Any]) -> None:
        """A request with the URL either finds and keeps the file, or is rejected."""
        outcomes = set()
        for _ in range(12):
            review_id, address = await with_image(workspace, form, png(seed=new_seed()))
            body = {"formId": form["formId"], "data": {"photos": [address]}}
            response, _ = await asyncio.gather(
                workspace.agent.post("/requestReview", json=body), delete(workspace, review_id)
            )
            outcomes.add(response.status_code)
            if response.status_code == 200:
                await fetch_stored(address)
            else:
                assert response.status_code == 422
                assert response.json()["errors"][0]["code"] == "unknown_media"
                await wait_until_gone(address)
        assert outcomes <= {200, 422}

    async def test_during_a_copy_of_the_same_content(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = png(seed=new_seed())
        url = serve(receiver, content)
        for _ in range(6):
            review_id, _ = await with_image(workspace, form, content)
            created_review = await workspace.request(form, data={"photos": [url]})
            await delete(workspace, review_id)
            review = await wait_for_copies(workspace, created_review["reviewId"], url)
            assert await fetch_stored(review["fileCache"][url]) == content
            await delete(workspace, created_review["reviewId"])

    async def test_two_deletions_with_the_same_media_do_not_deadlock(
        self, workspace: Workspace, form: dict[str, Any]
    ) -> None:
        """Reviews with the same media, deleted and created at once in any order, don't block each other."""
        contents = [png(seed=new_seed()) for _ in range(4)]

        async def come_and_go(order: list[bytes]) -> None:
            for _ in range(6):
                data = {"photos": [b64(content) for content in order]}
                review = await workspace.request(form, data=data, config=BASE64)
                await delete(workspace, review["reviewId"])

        await asyncio.gather(*(come_and_go(contents[n:] + contents[:n]) for n in range(4)))


class TestMediaOfReviewers:
    async def test_uploaded_in_a_response(self, workspace: Workspace) -> None:
        form = await media_form(workspace, fields=EDITABLE)
        review = await workspace.request(form, data={"photo": "http://127.0.0.1:9/a.png"})
        review_id, content = review["reviewId"], png(seed=new_seed())
        address = await upload(workspace, content)
        decided = await workspace.decide(review_id, data={"photo": address})
        assert decided["reviewResult"]["data"] == {"photo": address}
        other = await workspace.request(form, data={"photo": address})
        await delete(workspace, other["reviewId"])
        assert await fetch_stored(address) == content, "the decided review uses it"
        await delete(workspace, review_id)
        await wait_until_gone(address)

    async def test_external_urls_are_copied_too(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await media_form(workspace, fields=EDITABLE)
        created_review = await workspace.request(form, data={"photo": "http://127.0.0.1:9/a.png"})
        content = png(seed=new_seed())
        url = serve(receiver, content)
        await workspace.decide(created_review["reviewId"], data={"photo": url})

        async def there() -> dict[str, Any] | None:
            review = await workspace.review(created_review["reviewId"])
            return review if url in review["fileCache"] else None

        review = await wait_until(there)
        assert await fetch_stored(review["fileCache"][url]) == content

    async def test_unknown_is_rejected(self, service: Service, workspace: Workspace) -> None:
        form = await media_form(workspace, fields=EDITABLE)
        other = await open_second_account(service)
        theirs = await upload(other, png(seed=new_seed()))
        video = (await assert_ok(workspace.agent.post("/uploadFiles", files={"f": ("a.mp4", mp4())})))["files"][0]
        review = await workspace.request(form, data={"photo": "http://127.0.0.1:9/a.png"})
        for address, code in (
            (theirs, "unknown_media"),
            (theirs.replace(other.account_id, workspace.account_id), "unknown_media"),
            (video["downloadURL"], "wrong_kind"),
        ):
            body = {"response": "approved", "data": {"photo": address}}
            call = workspace.owner.post(f"/reviews/{review['reviewId']}/response", json=body)
            assert error_at(await assert_error(call, 422), "data.photo")["code"] == code
        assert (await workspace.review(review["reviewId"]))["state"] == "pending"

    async def test_a_value_of_an_earlier_revision(self, workspace: Workspace, receiver: Receiver) -> None:
        form = await media_form(workspace, fields=EDITABLE)
        first, second = (serve(receiver, png(seed=new_seed())) for _ in range(2))
        review = await workspace.request(form, data={"photo": first})
        await wait_for_copies(workspace, review["reviewId"], first)
        await workspace.request(form, data={"photo": second}, updateForReviewId=review["reviewId"])
        await wait_for_copies(workspace, review["reviewId"], first, second)
        decided = await workspace.decide(review["reviewId"], data={"photo": first})
        assert decided["reviewResult"]["data"] == {"photo": first}
        assert first in decided["fileCache"]
        assert fetches(receiver, first) == 1


class TestShape:
    async def test_absent_without_media(self, workspace: Workspace, form: dict[str, Any]) -> None:
        created_review = await workspace.request(form, data={"note": "n"})
        review = await workspace.review(created_review["reviewId"])
        assert "fileCache" not in review
        assert "mediaNotices" not in review
        decided = await workspace.decide(created_review["reviewId"])
        assert decided["fileCache"] == {}
        assert "mediaNotices" not in decided
