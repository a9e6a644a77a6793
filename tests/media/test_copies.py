"""External images and videos: copied in the background, limited, retried, and reported when that fails."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from media_review_helpers import (
    fetch_stored,
    fetches,
    is_kept,
    media_form,
    media_id,
    serve,
    serve_by,
    wait_for_copies,
    wait_for_notices,
    wait_until,
    wait_until_gone,
)
from sample_files import jpeg, mp4, new_seed, opened, png, webm
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.crashed_worker import die_while_sending
from support.in_process import Service, StartService
from support.receiver import Call, Receiver
from support.service_process import RunningService, new_client, running_service

from signoff.media.copies import CopyChannel, delete_old_copy_messages
from signoff.media.store import MediaStore
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.ids import new_id
from signoff.platform.storage import open_storage

LARGEST_IMAGE, LARGEST_VIDEO = 60_000, 200_000


@pytest.fixture(scope="module")
async def copying_service(start_service: StartService) -> AsyncIterator[Service]:
    """Fast retries, small limits, and only one allowed address of this machine."""
    async with start_service(
        media_retry_schedule="0.1,0.1,0.1",
        media_fetch_timeout=30,
        media_concurrency=4,
        max_file_bytes=LARGEST_IMAGE,
        max_video_bytes=LARGEST_VIDEO,
        allowed_networks="127.0.0.1/32",
    ) as running:
        yield running


@pytest.fixture(scope="module")
async def workspace(copying_service: Service) -> AsyncIterator[Workspace]:
    signed_in = await sign_in_workspace(copying_service)
    yield signed_in
    await signed_in.close()


@pytest.fixture(scope="module")
async def form(workspace: Workspace) -> dict[str, Any]:
    return await media_form(workspace)


def redirect_to(receiver: Receiver, target: str, status: int = 302) -> str:
    async def answer(_: Call) -> web.StreamResponse:
        return web.Response(status=status, headers={"location": target})

    return serve_by(receiver, answer)


class TestCopied:
    async def test_an_image_and_a_video(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        image, video = png(seed=new_seed()), mp4(data=os.urandom(5000))
        urls = serve(receiver, image), serve(receiver, video, "application/octet-stream")
        data = {"draft": {"photo": urls[0]}, "clip": urls[1], "note": "n"}
        created_review = await workspace.request(form, data=data)
        review = await wait_for_copies(workspace, created_review["reviewId"], *urls)
        assert review["data"] == data, "data keeps the original addresses"
        assert review["state"] == "pending"
        assert set(review["fileCache"]) == set(urls)
        async with new_client("") as client:
            responses = [await client.get(review["fileCache"][url]) for url in urls]
        assert [response.content for response in responses] == [image, video]
        assert [answer.headers["content-type"] for answer in responses] == ["image/png", "video/mp4"]

    async def test_type_is_detected_from_the_content(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = jpeg(seed=new_seed())
        url = serve(receiver, content, "text/html")
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        async with new_client("") as client:
            assert (await client.get(review["fileCache"][url])).headers["content-type"] == "image/jpeg"

    async def test_lists_and_tables(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        urls = [serve(receiver, png(seed=new_seed())) for _ in range(20)]
        data = {
            "photos": urls[:10],
            "pairs": [{"photo": url, "note": "n"} for url in urls[10:15]],
            "rows": [{"cell": url} for url in urls[15:]],
        }
        created_review = await workspace.request(form, data=data)
        review = await wait_for_copies(workspace, created_review["reviewId"], *urls)
        assert review["data"] == data
        assert len({media_id(address) for address in review["fileCache"].values()}) == 20
        assert [fetches(receiver, url) for url in urls] == [1] * 20

    async def test_same_url_in_several_fields_is_fetched_once(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        url = serve(receiver, png(80, 60, seed=new_seed()))
        config = {"fields": {"photo": {"transform": {"width": 8}}}}
        data = {"draft": {"photo": url}, "photos": [url] * 5}
        created_review = await workspace.request(form, data=data, config=config)
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert fetches(receiver, url) == 1
        assert opened(await fetch_stored(review["fileCache"][url])).width == 8, "the first field's wishes count"

    async def test_the_same_content_is_stored_once(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = png(seed=new_seed())
        urls = [serve(receiver, content) for _ in range(6)]
        created_reviews = [
            await workspace.request(form, data={"photos": urls[:3]}),
            await workspace.request(form, data={"photos": urls}),
        ]
        reviews = [
            await wait_for_copies(workspace, created_reviews[0]["reviewId"], *urls[:3]),
            await wait_for_copies(workspace, created_reviews[1]["reviewId"], *urls),
        ]
        assert len({address for review in reviews for address in review["fileCache"].values()}) == 1

    async def test_transformed(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        url = serve(receiver, jpeg(80, 40, seed=new_seed(), orientation=6))
        config = {"fields": {"photo": {"transform": {"width": 10, "height": 30, "fit": "fill"}}}}
        created_review = await workspace.request(form, data={"draft": {"photo": url}}, config=config)
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        image = opened(await fetch_stored(review["fileCache"][url]))
        assert (image.width, image.height) == (10, 30)

    async def test_a_default_of_the_review_type(self, workspace: Workspace, receiver: Receiver) -> None:
        url = serve(receiver, png(seed=new_seed()))
        form = await media_form(workspace, fields=[{"id": "logo", "type": "image", "default": url}])
        created_review = await workspace.request(form, data={})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert review["data"] == {}

    async def test_audio_and_files_are_not_copied(self, workspace: Workspace, receiver: Receiver) -> None:
        url, sound = (serve(receiver, png(seed=new_seed())) for _ in range(2))
        fields = [{"id": "a", "type": "audio"}, {"id": "f", "type": "file"}, {"id": "p", "type": "image"}]
        form = await media_form(workspace, fields=fields)
        created_review = await workspace.request(form, data={"a": sound, "f": sound, "p": url})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert set(review["fileCache"]) == {url}
        assert fetches(receiver, sound) == 0

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_redirected(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver, status: int
    ) -> None:
        content = png(seed=new_seed())
        target = serve(receiver, content)
        first = redirect_to(receiver, httpx.URL(target).path, status)
        url = redirect_to(receiver, first, status)
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert set(review["fileCache"]) == {url}
        assert await fetch_stored(review["fileCache"][url]) == content

    async def test_in_pieces(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        content = webm()

        async def answer(call: Call) -> web.StreamResponse:
            response = web.StreamResponse()
            response.enable_chunked_encoding()
            await response.prepare(call.request)
            for start in range(0, len(content), 20):
                await response.write(content[start : start + 20])
            return response

        url = serve_by(receiver, answer)
        created_review = await workspace.request(form, data={"clip": url})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert await fetch_stored(review["fileCache"][url]) == content

    async def test_long_url(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        url = serve(receiver, png(seed=new_seed())) + "?token=" + "a" * 5000
        review = await workspace.request(form, data={"draft": {"photo": url}})
        await wait_for_copies(workspace, review["reviewId"], url)

    async def test_event_contains_the_copies(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        path = "/" + unique("event")
        late = asyncio.Event()
        content = png(seed=new_seed())

        async def wait(_: Call) -> web.StreamResponse:
            await late.wait()
            return web.Response(body=content)

        quick, slow = serve(receiver, png(seed=new_seed())), serve_by(receiver, wait)
        created_review = await workspace.request(form, data={"photos": [quick, slow]}, webhookUrl=receiver.url + path)
        await wait_for_copies(workspace, created_review["reviewId"], quick)
        await workspace.decide(created_review["reviewId"])
        late.set()
        [call] = await receiver.wait_for(path)
        review = await wait_for_copies(workspace, created_review["reviewId"], quick, slow)
        assert call.json["fileCache"] == review["fileCache"]
        assert review["state"] == "responded"
        assert await fetch_stored(review["fileCache"][slow]) == content

    async def test_of_a_trigger_form(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("trigger")
        form = await media_form(workspace, trigger=True)
        url = serve(receiver, png(seed=new_seed()))
        created_review = await workspace.request(form, data={"draft": {"photo": url}}, webhookUrl=receiver.url + path)
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        await assert_ok(workspace.owner.post(f"/reviews/{created_review['reviewId']}/response", json={}))
        [call] = await receiver.wait_for(path)
        assert call.json["event"] == "trigger.submitted"
        assert call.json["fileCache"] == review["fileCache"]

    async def test_many_requests_at_once(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        urls = [[serve(receiver, png(seed=new_seed())) for _ in range(3)] for _ in range(15)]
        reviews = await asyncio.gather(*(workspace.request(form, data={"photos": url}) for url in urls))
        for one, url in zip(reviews, urls, strict=True):
            review = await wait_for_copies(workspace, one["reviewId"], *url)
            assert set(review["fileCache"]) == set(url)


class TestFailed:
    async def test_permanently(
        self, copying_service: Service, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        """Permanent failures aren't retried."""
        large = os.urandom(LARGEST_IMAGE + 1)

        async def endless(call: Call) -> web.StreamResponse:
            response = web.StreamResponse()
            response.enable_chunked_encoding()
            await response.prepare(call.request)
            try:
                for _ in range(1000):
                    await response.write(bytes(10_000))
            except ConnectionError:
                pass
            return response

        cases = {
            serve(receiver, b"<html><script>alert(1)</script></html>"): "HTML",
            serve(receiver, b"", "image/png"): "empty",
            serve(receiver, png(80, 80)[:-500]): "incomplete",
            serve(receiver, mp4()): "video",
            serve(receiver, large): "larger",
            serve_by(receiver, endless): "larger",
            receiver.answer("/" + unique("file"), [404]): "404",
            receiver.answer("/" + unique("file"), [410]): "410",
        }
        created_review = await workspace.request(form, data={"photos": list(cases), "note": "stays"})
        notices = await wait_for_notices(workspace, created_review["reviewId"], len(cases))
        for url, words in cases.items():
            assert words in notices[url], (words, notices[url])
            assert fetches(receiver, url) == 1
        review = await workspace.review(created_review["reviewId"])
        assert "fileCache" not in review
        assert review["data"]["photos"] == list(cases), "the original addresses stay"
        decided = await workspace.decide(created_review["reviewId"])
        assert decided["fileCache"] == {}
        assert len(decided["mediaNotices"]) == len(cases)

    async def test_image_instead_of_a_video(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        url = serve(receiver, png(seed=new_seed()), "video/mp4")
        review = await workspace.request(form, data={"clip": url})
        assert "image" in (await wait_for_notices(workspace, review["reviewId"]))[url]

    async def test_videos_may_be_larger(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        good, large = mp4(data=os.urandom(LARGEST_IMAGE * 2)), mp4(data=os.urandom(LARGEST_VIDEO))
        urls = serve(receiver, good), serve(receiver, large)
        reviews = [await workspace.request(form, data={"clip": url}) for url in urls]
        review = await wait_for_copies(workspace, reviews[0]["reviewId"], urls[0])
        assert await fetch_stored(review["fileCache"][urls[0]]) == good
        assert "larger" in (await wait_for_notices(workspace, reviews[1]["reviewId"]))[urls[1]]

    async def test_retried(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        content = png(seed=new_seed())
        statuses = [500, 503]

        async def recover(_: Call) -> web.StreamResponse:
            return web.Response(status=statuses.pop(0)) if statuses else web.Response(body=content)

        url = serve_by(receiver, recover)
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert await fetch_stored(review["fileCache"][url]) == content
        assert fetches(receiver, url) == 3
        assert "mediaNotices" not in review

    async def test_gives_up_after_all_attempts(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        url = receiver.answer("/" + unique("file"), [500])
        review = await workspace.request(form, data={"draft": {"photo": url}})
        assert "500" in (await wait_for_notices(workspace, review["reviewId"]))[url]
        assert fetches(receiver, url) == 4

    async def test_too_slow(self, receiver: Receiver, start_service: StartService) -> None:
        async def trickle(call: Call) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(call.request)
            try:
                for byte in png(seed=1):
                    await response.write(bytes([byte]))
                    await asyncio.sleep(0.3)
            except ConnectionError:
                pass
            return response

        url = serve_by(receiver, trickle)
        async with start_service(media_retry_schedule="0.1,0.1,0.1", media_fetch_timeout=0.3) as service:
            space = await sign_in_workspace(service)
            review = await space.request(await media_form(space), data={"draft": {"photo": url}})
            assert "Timed out" in (await wait_for_notices(space, review["reviewId"]))[url]
        assert fetches(receiver, url) == 4

    async def test_connection_lost(
        self, copying_service: Service, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = png(seed=new_seed())
        times = 0

        async def break_off(call: Call) -> web.StreamResponse:
            nonlocal times
            times += 1
            if times > 1:
                return web.Response(body=content)
            response = web.StreamResponse(headers={"content-length": str(len(content))})
            await response.prepare(call.request)
            await response.write(content[:50])
            assert call.request.transport is not None
            call.request.transport.close()
            return response

        url = serve_by(receiver, break_off)
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert await fetch_stored(review["fileCache"][url]) == content
        assert times == 2

    async def test_unreachable(self, workspace: Workspace, form: dict[str, Any]) -> None:
        url = "http://127.0.0.1:9/a.png"
        review = await workspace.request(form, data={"draft": {"photo": url}})
        assert "refused" in (await wait_for_notices(workspace, review["reviewId"]))[url]

    async def test_forbidden_url(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        """The service may reach 127.0.0.1 and nothing else of this machine; the receiver would see it."""
        target = serve(receiver, png(seed=new_seed()))
        forbidden = target.replace("127.0.0.1", "127.0.0.2")
        by_redirect = redirect_to(receiver, forbidden)
        by_name = target.replace("127.0.0.1", "[::ffff:127.0.0.2]")
        review = await workspace.request(form, data={"photos": [forbidden, by_redirect, by_name]})
        notices = await wait_for_notices(workspace, review["reviewId"], 3)
        for message in notices.values():
            assert "private or reserved IP address" in message
            assert "127.0.0.2" not in message
        assert fetches(receiver, by_redirect) == 1
        assert fetches(receiver, target) == 0

    async def test_too_many_redirects(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        url = serve(receiver, png(seed=new_seed()))
        for _ in range(6):
            url = redirect_to(receiver, url)
        circle = "/" + unique("circle")
        redirect = web.Response(status=302, headers={"location": circle})
        round_about = receiver.answer(circle, redirect)
        review = await workspace.request(form, data={"photos": [url, round_about]})
        notices = await wait_for_notices(workspace, review["reviewId"], 2)
        assert all("redirects more than 5 times" in message for message in notices.values())

    @pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://[", "http://a:b@127.0.0.1/"])
    async def test_invalid_redirect(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver, target: str
    ) -> None:
        url = redirect_to(receiver, target)
        review = await workspace.request(form, data={"draft": {"photo": url}})
        assert "URL" in (await wait_for_notices(workspace, review["reviewId"]))[url]
        assert fetches(receiver, url) == 1

    async def test_other_status_codes(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        """Only a 200 has the content."""
        image = png(seed=new_seed())

        def serve_with(status: int) -> str:
            async def answer(_: Call) -> web.StreamResponse:
                return web.Response(status=status, body=image)

            return serve_by(receiver, answer)

        urls = {serve_with(status): str(status) for status in (201, 206, 300, 403)}
        review = await workspace.request(form, data={"photos": list(urls)})
        notices = await wait_for_notices(workspace, review["reviewId"], len(urls))
        assert all(status in notices[url] for url, status in urls.items())

    async def test_retried_by_an_update(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        content = png(seed=new_seed())
        statuses = [404]

        async def recover(_: Call) -> web.StreamResponse:
            return web.Response(status=statuses.pop(0)) if statuses else web.Response(body=content)

        url = serve_by(receiver, recover)
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        await wait_for_notices(workspace, created_review["reviewId"])
        await workspace.request(form, data={"draft": {"photo": url}}, updateForReviewId=created_review["reviewId"])

        async def copied_now() -> dict[str, Any] | None:
            review = await workspace.review(created_review["reviewId"])
            return review if url in review.get("fileCache", {}) else None

        assert "mediaNotices" not in await wait_until(copied_now)


class TestUpdates:
    async def test_existing_copies_stay(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        first, second = serve(receiver, png(seed=new_seed())), serve(receiver, png(seed=new_seed()))
        review = await workspace.request(form, data={"photos": [first]})
        before = await wait_for_copies(workspace, review["reviewId"], first)
        await workspace.request(form, data={"photos": [first, second]}, updateForReviewId=review["reviewId"])
        after = await wait_for_copies(workspace, review["reviewId"], first, second)
        assert after["fileCache"][first] == before["fileCache"][first]
        assert fetches(receiver, first) == 1
        await workspace.request(form, data={"photos": []}, updateForReviewId=review["reviewId"])
        last = await workspace.review(review["reviewId"])
        assert last["fileCache"] == after["fileCache"], "earlier revisions stay readable, with their media"

    async def test_changed_transform(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        url = serve(receiver, png(80, 60, seed=new_seed()))

        def config(width: int) -> dict[str, Any]:
            return {"fields": {"photo": {"transform": {"width": width}}}}

        data = {"draft": {"photo": url}}
        created_review = await workspace.request(form, data=data, config=config(20))
        await wait_for_copies(workspace, created_review["reviewId"], url)
        await workspace.request(form, data=data, config=config(30), updateForReviewId=created_review["reviewId"])
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert opened(await fetch_stored(review["fileCache"][url])).width == 30


class TestDeletedDuringTheCopy:
    async def test_nothing_is_kept(
        self, copying_service: Service, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        content = png(seed=new_seed())
        arrived, go_on = asyncio.Event(), asyncio.Event()

        async def wait(_: Call) -> web.StreamResponse:
            arrived.set()
            await go_on.wait()
            return web.Response(body=content)

        url = serve_by(receiver, wait)
        review = await workspace.request(form, data={"draft": {"photo": url}})
        await asyncio.wait_for(arrived.wait(), 20)
        await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        go_on.set()
        marker = serve(receiver, png(seed=new_seed()))
        for _ in range(5):  # what comes after it is done
            later = await workspace.request(form, data={"draft": {"photo": marker}})
            await wait_for_copies(workspace, later["reviewId"], marker)
        assert not await is_kept(copying_service, content)

    async def test_before_it_starts(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        url = receiver.answer("/" + unique("file"), [500])
        review = await workspace.request(form, data={"draft": {"photo": url}})
        await assert_ok(workspace.agent.delete(f"/reviews/{review['reviewId']}"))
        assert (await workspace.agent.get(f"/reviews/{review['reviewId']}")).status_code == 404


class TestManyCopies:
    async def test_copies_do_not_hold_up_deliveries(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        go_on = asyncio.Event()
        under_way = most = 0

        async def hang(_: Call) -> web.StreamResponse:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            try:
                await asyncio.wait_for(go_on.wait(), 1)
            except TimeoutError:
                pass
            finally:
                under_way -= 1
            return web.Response(status=404)

        urls = [serve_by(receiver, hang) for _ in range(60)]
        hanging = await workspace.request(form, data={"photos": urls})
        path = "/" + unique("prompt")
        plain = await workspace.make_form(webhookUrl=receiver.url + path)
        for _ in range(5):
            review = await workspace.request(plain)
            await workspace.decide(review["reviewId"])
        await receiver.wait_for(path, 5)
        notices = (await workspace.review(hanging["reviewId"])).get("mediaNotices", [])
        assert len(notices) < 60, "the deliveries did not wait for the copies"
        go_on.set()
        await wait_for_notices(workspace, hanging["reviewId"], 60)
        assert most <= 4

    @pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
    async def test_very_many_in_one_list(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver, count: int
    ) -> None:
        content = png(4, 4, seed=new_seed())
        url = serve(receiver, content)
        urls = [f"{url}?n={number}" for number in range(count)]
        created_review = await workspace.request(form, data={"photos": urls})

        async def all_there() -> bool:
            return len((await workspace.review(created_review["reviewId"])).get("fileCache", {})) == count

        await wait_until(all_there, within=120)
        review = await workspace.review(created_review["reviewId"])
        assert len(set(review["fileCache"].values())) == 1
        assert fetches(receiver, url) == count
        address = review["fileCache"][urls[0]]
        await assert_ok(workspace.agent.delete(f"/reviews/{created_review['reviewId']}"))
        await wait_until_gone(address)


class InterruptedFile:
    """A file that is cut off halfway the first time."""

    def __init__(self, receiver: Receiver) -> None:
        self.content = mp4(data=os.urandom(100_000))
        self.arrived = asyncio.Event()
        self.url = serve_by(receiver, self._answer)

    async def _answer(self, call: Call) -> web.StreamResponse:
        if self.arrived.is_set():
            return web.Response(body=self.content)
        response = web.StreamResponse(headers={"content-length": str(len(self.content))})
        await response.prepare(call.request)
        await response.write(self.content[:50_000])
        self.arrived.set()
        await asyncio.sleep(60)
        return response


class TestWorkerLost:
    """During a copy, which is completed anyway, and nothing of the first attempt stays."""

    async def request(self, workspace: Workspace, film: InterruptedFile) -> str:
        form = await media_form(workspace)
        return (await workspace.request(form, data={"clip": film.url}))["reviewId"]

    async def check(
        self, service: Service | RunningService, workspace: Workspace, review_id: str, film: InterruptedFile
    ) -> None:
        async def there() -> dict[str, Any] | None:
            review = await workspace.review(review_id)
            assert "mediaNotices" not in review
            return review if review.get("fileCache") else None

        review = await wait_until(there, within=90)
        assert await fetch_stored(review["fileCache"][film.url]) == film.content

        async def nothing_left() -> bool:
            left = [path for path in (service.data_dir / "incoming").rglob("*") if path.is_file()]
            return all(path.name == ".lock" for path in left)

        await wait_until(nothing_left)

    async def test_lost(self, receiver: Receiver, start_service: StartService) -> None:
        """The message stays claimed by a worker that was cut off and wrote nothing."""
        film = InterruptedFile(receiver)
        async with start_service(worker=False, worker_lost_after=1, media_retry_schedule="0.1") as service:
            workspace = await sign_in_workspace(service)
            review_id = await self.request(workspace, film)
            db, configured = await Database.connect(service.dsn(), size=2), service.settings
            async with GuardedClient(configured.outgoing_networks, limit=1) as client:
                store = MediaStore(db, open_storage(configured), configured)
                channel = CopyChannel(db, store, client, configured)
                await die_while_sending(db, configured, channel, film.arrived.wait())
                await store.close()
            await db.close()
            await service.worker.start()
            await self.check(service, workspace, review_id, film)
        assert fetches(receiver, film.url) == 2

    async def test_stopped(self, receiver: Receiver, start_service: StartService) -> None:
        film = InterruptedFile(receiver)
        async with start_service(media_retry_schedule="0.1", shutdown_grace=0.2) as service:
            workspace = await sign_in_workspace(service)
            review_id = await self.request(workspace, film)
            await asyncio.wait_for(film.arrived.wait(), 20)
            await service.worker.stop()
            await service.worker.start()
            await self.check(service, workspace, review_id, film)
        assert fetches(receiver, film.url) == 2

    @pytest.mark.slow
    @pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
    async def test_by_a_signal(self, receiver: Receiver, tmp_path: Path, how: signal.Signals) -> None:
        film = InterruptedFile(receiver)
        soon = {"worker_lost_after": 1, "poll_interval": 0.1, "shutdown_grace": 1}
        with running_service(tmp_path, media_retry_schedule="0.1", **soon) as service:
            workspace = await sign_in_workspace(service)
            review_id = await self.request(workspace, film)
            await asyncio.wait_for(film.arrived.wait(), 20)
            os.kill(service.child("worker"), how)
            await self.check(service, workspace, review_id, film)
        assert fetches(receiver, film.url) == 2


async def test_old_attempts_are_deleted_except_of_failed_copies(empty_db: Database) -> None:
    """Somebody may still retry a failed copy."""
    await empty_db.execute(
        """
        insert into media_copies (copy_id, account_id, review_id, url_hash, url, kind, state)
        select 'cpy_00000000' || state, 'acc_1', 'rev_1', state::bytea, 'https://example.com', 'image', state
        from unnest(array['failed', 'pending']) as state
        """
    )
    await empty_db.execute(
        """
        insert into outgoing_messages (message_id, account_id, channel, destination, state, settled_at)
        select message_id, 'acc_1', 'media', 'x', case when message_id ~ 'pending' then 'queued' else 'failed' end,
            case when message_id !~ 'pending' then now() end
        from unnest($1::text[]) as m (message_id)
        """,
        [*(f"cpy_00000000{state}" for state in ("failed", "pending", "replaced")), new_id("cpy")],
    )
    await delete_old_copy_messages(empty_db)
    left = await empty_db.fetch("select message_id from outgoing_messages where message_id ~ '00000000' order by 1")
    assert [row["message_id"] for row in left] == ["cpy_00000000failed", "cpy_00000000pending"]
    assert await empty_db.fetchval("select count(*) from outgoing_messages") == 3


class TestRetriedByAUser:
    async def test_failed_then_copied(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        content = png(seed=new_seed())
        responses = [404]

        async def recover(_: Call) -> web.StreamResponse:
            return web.Response(status=responses.pop()) if responses else web.Response(body=content)

        url = serve_by(receiver, recover)
        created_review = await workspace.request(form, data={"draft": {"photo": url}})
        assert "404" in (await wait_for_notices(workspace, created_review["reviewId"]))[url]
        await workspace.decide(created_review["reviewId"])
        place = f"/reviews/{created_review['reviewId']}/media/retry"
        assert (await workspace.agent.post(place, json={})).status_code == 403, "it is for people"
        for _ in range(2):
            result = await assert_ok(workspace.owner.post(place, json={"url": url}))
            assert "mediaNotices" not in result
        review = await wait_for_copies(workspace, created_review["reviewId"], url)
        assert await fetch_stored(review["fileCache"][url]) == content
        assert fetches(receiver, url) == 2
        assert "mediaNotices" not in review
        history = await assert_ok(workspace.owner.get(f"/reviews/{created_review['reviewId']}/history"))
        entries = [entry for entry in history["items"] if entry["action"] == "review.media_retried"]
        assert [entry["details"] for entry in entries] == [{"files": 1}]

    async def test_other_urls_and_other_accounts(
        self, workspace: Workspace, form: dict[str, Any], receiver: Receiver
    ) -> None:
        url = receiver.answer("/" + unique("file"), [404])
        review = await workspace.request(form, data={"draft": {"photo": url}})
        await wait_for_notices(workspace, review["reviewId"])
        place = f"/reviews/{review['reviewId']}/media/retry"
        result = await assert_ok(workspace.owner.post(place, json={"url": f"{url}/other"}))
        assert result["mediaNotices"][0]["state"] == "failed"
        assert (await workspace.owner.post("/reviews/rev_nothing/media/retry", json={})).status_code == 404
        assert (await workspace.owner.post(place, json={"url": 7})).status_code == 422
        assert fetches(receiver, url) == 1

    async def test_is_shown_as_retrying(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        """The delays grow to an hour: nobody should have to wait that long to see that something is wrong."""
        going_on = asyncio.Event()

        async def fail_then_hang(call: Call) -> web.StreamResponse:
            if fetches(receiver, url) > 1:
                await going_on.wait()
            return web.Response(status=500)

        url = serve_by(receiver, fail_then_hang)
        review = await workspace.request(form, data={"draft": {"photo": url}})

        async def look() -> dict[str, Any] | None:
            return next(iter((await workspace.review(review["reviewId"])).get("mediaNotices", [])), None)

        try:
            notice = await wait_until(look)
            assert (notice["url"], notice["state"]) == (url, "retrying")
            assert "500" in notice["message"]
        finally:
            going_on.set()
