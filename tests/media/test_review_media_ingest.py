"""Images that a request contains as base64, and URLs of media that is stored already."""

import asyncio
import base64
import json
import textwrap
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from media_review_helpers import BASE64, b64, fetch_stored, is_kept, media_form, media_id, status_of, wait_until
from sample_files import gif, jpeg, mp4, new_seed, opened, plain_png, png
from support.api import Workspace, assert_error, assert_ok, error_at, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Receiver
from support.second_account import open_second_account


@pytest.fixture(scope="module")
async def form(workspace: Workspace) -> dict[str, Any]:
    return await media_form(workspace)


@pytest.fixture(scope="module")
async def other_workspace(service: Service) -> Workspace:
    return await open_second_account(service)


@pytest.fixture(scope="module")
async def small_service(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(max_file_bytes=50_000, max_image_pixels=100_000) as running:
        yield running


@pytest.fixture(scope="module")
async def small(small_service: Service) -> AsyncIterator[Workspace]:
    workspace = await sign_in_workspace(small_service)
    yield workspace
    await workspace.close()


async def upload(workspace: Workspace, content: bytes, name: str = "a.png") -> str:
    uploaded = await assert_ok(workspace.agent.post("/uploadFiles", files={"file": (name, content)}))
    return uploaded["files"][0]["downloadURL"]


def own_address(workspace: Workspace, address: str) -> None:
    assert httpx.URL(address).path.startswith("/media/" + workspace.account_id)


SPELLINGS = {
    "raw": b64,
    "data URL": lambda content: "data:image/png;base64," + b64(content),
    "data URL of another type": lambda content: "data:image/jpeg;base64," + b64(content),
    "data URL with parameters": lambda content: "data:image/png;name=a.png;charset=x;base64," + b64(content),
    "url-safe": lambda content: base64.urlsafe_b64encode(content).decode(),
    "without padding": lambda content: b64(content).rstrip("="),
    "in lines": lambda content: "\n".join(textwrap.wrap(b64(content), 76)) + "\n",
    "in lines, as e-mail has them": lambda content: "\r\n".join(textwrap.wrap(b64(content), 64)),
}


class TestBase64:
    @pytest.mark.parametrize("spelling", SPELLINGS)
    async def test_replaced_by_a_url(self, workspace: Workspace, form: dict[str, Any], spelling: str) -> None:
        content = png(seed=new_seed())
        data = {"draft": {"photo": SPELLINGS[spelling](content), "own": [1]}, "note": "as it was"}
        created_review = await workspace.request(form, data=data, config=BASE64)
        review = await workspace.review(created_review["reviewId"])
        address = review["data"]["draft"]["photo"]
        own_address(workspace, address)
        assert review["data"] == {"draft": {"photo": address, "own": [1]}, "note": "as it was"}
        assert review["config"] == BASE64
        assert await fetch_stored(address) == content

    async def test_in_lists_and_tables(self, workspace: Workspace, form: dict[str, Any]) -> None:
        first, second, third, fourth = (png(seed=new_seed()) for _ in range(4))
        elsewhere = "http://127.0.0.1:9/x.png"
        data = {
            "photos": [b64(first), elsewhere, b64(second)],
            "pairs": [{"note": "none"}, {"photo": b64(third), "note": "with", "own": {"a": 1}}, {"photo": None}],
            "rows": [{"cell": b64(fourth), "text": "t"}],
            "sound": elsewhere,
        }
        review = await workspace.request(form, data=data, config=BASE64)
        shown = (await workspace.review(review["reviewId"]))["data"]
        addresses = [
            shown["photos"][0],
            shown["photos"][2],
            shown["pairs"][1]["photo"],
            shown["rows"][0]["cell"],
        ]
        assert [await fetch_stored(address) for address in addresses] == [first, second, third, fourth]
        assert shown == {
            "photos": [addresses[0], elsewhere, addresses[1]],
            "pairs": [{"note": "none"}, {"photo": addresses[2], "note": "with", "own": {"a": 1}}, {"photo": None}],
            "rows": [{"cell": addresses[3], "text": "t"}],
            "sound": elsewhere,
        }

    async def test_a_default_in_the_config(self, workspace: Workspace, form: dict[str, Any]) -> None:
        content = png(seed=new_seed())
        config = {"fields": {"photo": {"isBase64": True, "default": b64(content)}}}
        created_review = await workspace.request(form, data={}, config=config)
        review = await workspace.review(created_review["reviewId"])
        address = review["config"]["fields"]["photo"]["default"]
        assert await fetch_stored(address) == content
        decided = await workspace.decide(created_review["reviewId"])
        assert decided["reviewResult"]["data"] == {"draft": {"photo": address}}

    async def test_transformed(self, workspace: Workspace, form: dict[str, Any]) -> None:
        child = {"isBase64": True, "transform": {"height": 10}}
        config = {
            "fields": {
                "photo": {"isBase64": True, "transform": {"width": 20, "height": 20, "fit": "cover"}},
                "photos": {"listItemConfig": {"photo": child}},
            }
        }
        content = jpeg(80, 40, seed=new_seed())
        data = {"draft": {"photo": b64(content)}, "photos": [b64(content)]}
        review = await workspace.request(form, data=data, config=config)
        shown = (await workspace.review(review["reviewId"]))["data"]
        sizes = [
            (image.width, image.height)
            for image in [opened(await fetch_stored(photo)) for photo in (shown["draft"]["photo"], shown["photos"][0])]
        ]
        assert sizes == [(20, 20), (20, 10)]

    async def test_same_content_is_stored_once(self, workspace: Workspace, form: dict[str, Any]) -> None:
        content = png(seed=new_seed())
        bodies = [{"data": {"draft": {"photo": b64(content)}, "photos": [b64(content)] * 3}, "config": BASE64}] * 4
        created_reviews = await asyncio.gather(*(workspace.request(form, **body) for body in bodies))
        reviews = [await workspace.review(created_review["reviewId"]) for created_review in created_reviews]
        addresses = {
            address for review in reviews for address in (review["data"]["draft"]["photo"], *review["data"]["photos"])
        }
        assert len(addresses) == 1

    async def test_not_shared_between_accounts(
        self, workspace: Workspace, other_workspace: Workspace, form: dict[str, Any]
    ) -> None:
        content = png(seed=new_seed())
        theirs = await media_form(other_workspace)
        body = {"data": {"draft": {"photo": b64(content)}}, "config": BASE64}
        addresses = []
        for account, type_ in ((workspace, form), (other_workspace, theirs)):
            review = await account.review((await account.request(type_, **body))["reviewId"])
            addresses.append(review["data"]["draft"]["photo"])
            own_address(account, addresses[-1])
        assert media_id(addresses[0]) != media_id(addresses[1])

    @pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
    async def test_very_many_in_one_list(self, workspace: Workspace, form: dict[str, Any], count: int) -> None:
        base = new_seed()
        contents = [png(4, 4, seed=base + number) for number in range(count)]
        review = await workspace.request(form, data={"photos": [b64(content) for content in contents]}, config=BASE64)
        shown = (await workspace.review(review["reviewId"]))["data"]["photos"]
        assert len(shown) == count
        for number in (0, 1, count // 2 - 1, count - 1):
            assert await fetch_stored(shown[number]) == contents[number]

    async def test_result_has_the_url(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        path = "/" + unique("base64")
        content = png(seed=new_seed())
        review = await workspace.request(
            form, data={"draft": {"photo": b64(content)}}, config=BASE64, webhookUrl=receiver.url + path
        )
        address = (await workspace.review(review["reviewId"]))["data"]["draft"]["photo"]
        await workspace.decide(review["reviewId"])
        [call] = await receiver.wait_for(path)
        assert call.json["reviewResult"]["data"] == {"draft": {"photo": address}}
        assert call.json["reviewResult"]["responseValues"]["photo"] == {"value": address}
        assert call.json["fileCache"] == {}

    async def test_auto_approved(self, workspace: Workspace, form: dict[str, Any], receiver: Receiver) -> None:
        path = "/" + unique("auto")
        content = png(seed=new_seed())
        data = {"draft": {"photo": b64(content)}, "photos": [b64(content)]}
        created_review = await workspace.request(
            form, data=data, config=BASE64, autoApprove=True, webhookUrl=receiver.url + path
        )
        review = await workspace.review(created_review["reviewId"])
        address = review["data"]["draft"]["photo"]
        assert await fetch_stored(address) == content
        assert review["reviewResult"]["data"] == {"draft": {"photo": address}, "photos": [address]}
        [call] = await receiver.wait_for(path)
        assert call.json["reviewResult"]["responseValues"]["photos"]["value"] == [address]
        assert b64(content) not in call.body.decode()

    async def test_replaced_content(self, workspace: Workspace, form: dict[str, Any]) -> None:
        first, second = png(seed=new_seed()), png(seed=new_seed())
        review = await workspace.request(form, data={"draft": {"photo": b64(first)}}, config=BASE64)
        await workspace.request(
            form, data={"draft": {"photo": b64(second)}}, config=BASE64, updateForReviewId=review["reviewId"]
        )
        revisions = (await assert_ok(workspace.agent.get(f"/reviews/{review['reviewId']}/revisions")))["items"]
        addresses = [revision["data"]["draft"]["photo"] for revision in revisions]
        assert [await fetch_stored(address) for address in addresses] == [first, second]

    async def test_during_a_change_of_the_review_type(self, workspace: Workspace) -> None:
        """A request that has to be validated again is validated from the original."""
        form = await media_form(workspace)
        content = png(seed=new_seed())
        body = {"data": {"draft": {"photo": b64(content)}}, "config": BASE64}

        async def change() -> None:
            for number in range(5):
                await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json={"name": f"Version {number}"}))

        *review, _ = await asyncio.gather(*(workspace.request(form, **body) for _ in range(10)), change())
        for created_review in review:
            assert (
                await fetch_stored((await workspace.review(created_review["reviewId"]))["data"]["draft"]["photo"])
                == content
            )


class TestIdempotency:
    async def test_in_sequence(self, workspace: Workspace, form: dict[str, Any]) -> None:
        body = {"formId": form["formId"], "data": {"draft": {"photo": b64(png(seed=new_seed()))}}, "config": BASE64}
        headers = {"Idempotency-Key": unique("key")}
        reviews = [
            await assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers)) for _ in range(2)
        ]
        assert reviews[0] == reviews[1]
        changed = {**body, "data": {"draft": {"photo": b64(png(seed=new_seed()))}}}
        await assert_error(
            workspace.agent.post("/requestReview", json=changed, headers=headers), 409, "idempotency_key_reused"
        )

    async def test_concurrent(self, workspace: Workspace, form: dict[str, Any]) -> None:
        body = {"formId": form["formId"], "data": {"draft": {"photo": b64(png(seed=new_seed()))}}, "config": BASE64}
        headers = {"Idempotency-Key": unique("key")}
        reviews = await asyncio.gather(
            *(assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers)) for _ in range(5))
        )
        assert len({response["reviewId"] for response in reviews}) == 1

    async def test_of_an_update(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data={})
        data = {"draft": {"photo": b64(png(seed=new_seed()))}}
        body = {"formId": form["formId"], "data": data, "config": BASE64, "updateForReviewId": review["reviewId"]}
        headers = {"Idempotency-Key": unique("key")}
        for _ in range(2):
            await assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers))
        assert (await workspace.review(review["reviewId"]))["revision"] == 2


HOSTILE = {
    "HTML": (b"<html><body onload=alert(1)>hello there</body></html>", "active_content"),
    "SVG": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "active_content"),
    "text": (b"just some words that are long enough to be read", "not_media"),
    "zip": (b"PK\x03\x04" + bytes(100), "not_media"),
    "cut short": (png(200, 200)[:-300], None),
    "only its beginning": (png()[:30], None),
    "a video": (mp4(data=b"in the place of a picture"), "wrong_kind"),
    "a bomb": (plain_png(20_000, 20_000), "too_many_pixels"),
    "a bomb of frames": (gif(10_000, 10_000, frames=3), None),
}


PADDED = b64(png() + bytes(1 - len(png()) % 3 + 3))
assert PADDED.endswith("==")


class TestRefused:
    @pytest.mark.parametrize("kind", HOSTILE)
    async def test_not_an_image(self, service: Service, workspace: Workspace, form: dict[str, Any], kind: str) -> None:
        content, code = HOSTILE[kind]
        good = png(seed=new_seed())
        data = {"draft": {"photo": b64(good)}, "photos": [b64(good), b64(content)]}
        body = {"formId": form["formId"], "data": data, "config": BASE64}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        [error] = problem["errors"]
        assert error["path"] == "data.photos[1]"
        assert code is None or error["code"] == code, error
        assert not await is_kept(service, content)
        assert not await is_kept(service, good), "with one error, nothing is kept"

    @pytest.mark.parametrize(
        "text",
        [
            PADDED[:-1],
            PADDED[:300] + "!" + PADDED[300:],
            PADDED + "=",
            PADDED[:-3],
            "A" * 1001,
            PADDED[:301] + "=" + PADDED[302:],
            PADDED + "é",
        ],
    )
    async def test_invalid_base64(self, workspace: Workspace, form: dict[str, Any], text: str) -> None:
        body = {"formId": form["formId"], "data": {"draft": {"photo": text}}, "config": BASE64}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert [(error["path"], error["code"]) for error in problem["errors"]] == [("data.draft.photo", "bad_base64")]

    async def test_reports_all_errors(self, workspace: Workspace, form: dict[str, Any]) -> None:
        data = {
            "draft": {"photo": PADDED[:-1]},
            "photos": [b64(b"no image at all, but words"), b64(png()), f"/media/{workspace.account_id}/med_unknown"],
            "pairs": [{"photo": b64(mp4())}],
        }
        body = {"formId": form["formId"], "data": data, "config": BASE64}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert {error["path"]: error["code"] for error in problem["errors"]} == {
            "data.draft.photo": "bad_base64",
            "data.photos[0]": "not_media",
            "data.photos[2]": "unknown_media",
            "data.pairs[0].photo": "wrong_kind",
        }

    async def test_nothing_is_written(self, workspace: Workspace) -> None:
        form = await media_form(workspace)
        body = {"formId": form["formId"], "data": {"draft": {"photo": b64(bytes(100))}}, "config": BASE64}
        await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert (await assert_ok(workspace.agent.get("/reviews", params={"formId": form["formId"]})))["items"] == []

    async def test_an_update(self, workspace: Workspace, form: dict[str, Any]) -> None:
        review = await workspace.request(form, data={"note": "first"})
        data = {"draft": {"photo": b64(bytes(100))}}
        body = {"formId": form["formId"], "data": data, "config": BASE64, "updateForReviewId": review["reviewId"]}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        error_at(problem, "data.draft.photo")
        assert (await workspace.review(review["reviewId"]))["revision"] == 1

    async def test_update_of_a_decided_review_stores_nothing(
        self, service: Service, workspace: Workspace, form: dict[str, Any]
    ) -> None:
        review = await workspace.request(form, data={"note": "first"})
        await workspace.decide(review["reviewId"])
        content = png(seed=new_seed())
        data = {"draft": {"photo": b64(content)}}
        body = {"formId": form["formId"], "data": data, "config": BASE64, "updateForReviewId": review["reviewId"]}
        await assert_error(workspace.agent.post("/requestReview", json=body), 409, "already_responded")
        assert not await is_kept(service, content)

    async def test_too_large(self, small: Workspace) -> None:
        form = await media_form(small)
        noise = png(200, 200, seed=3, compression=0)
        assert len(noise) > 50_000
        body = {"formId": form["formId"], "data": {"draft": {"photo": b64(noise)}}, "config": BASE64}
        problem = await assert_error(small.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "data.draft.photo")["code"] == "too_large"

    async def test_too_many_pixels(self, small: Workspace) -> None:
        form = await media_form(small)
        body = {"formId": form["formId"], "data": {"draft": {"photo": b64(plain_png(500, 500))}}, "config": BASE64}
        problem = await assert_error(small.agent.post("/requestReview", json=body), 422)
        assert error_at(problem, "data.draft.photo")["code"] == "too_many_pixels"

    async def test_rejected_request_leaves_no_files(self, small_service: Service, small: Workspace) -> None:
        form = await media_form(small)
        for content in (png()[:-40], bytes(300), png(seed=new_seed())):
            body = {"formId": form["formId"], "data": {"photos": [b64(content)] * 20}, "config": BASE64}
            await small.agent.post("/requestReview", json=body)

        async def empty() -> bool:
            files = [path for path in (small_service.data_dir / "incoming").rglob("*") if path.is_file()]
            return all(path.name == ".lock" for path in files)

        await wait_until(empty)


class TestStoredMedia:
    async def test_an_uploaded_image(self, workspace: Workspace, form: dict[str, Any]) -> None:
        address = await upload(workspace, png(seed=new_seed()))
        created_review = await workspace.request(form, data={"draft": {"photo": address}, "photos": [address]})
        review = await workspace.review(created_review["reviewId"])
        assert review["data"] == {"draft": {"photo": address}, "photos": [address]}
        assert "fileCache" not in review

    async def test_equivalent_urls_are_normalized(self, workspace: Workspace, form: dict[str, Any]) -> None:
        address = await upload(workspace, png(seed=new_seed()))
        spellings = [httpx.URL(address).path, address + "?expires=1&signature=abc", address]
        review = await workspace.request(form, data={"photos": spellings})
        assert (await workspace.review(review["reviewId"]))["data"] == {"photos": [address] * 3}

    async def test_a_video_for_a_video(self, workspace: Workspace, form: dict[str, Any]) -> None:
        video, image = await upload(workspace, mp4(), "a.mp4"), await upload(workspace, png(seed=new_seed()))
        await workspace.request(form, data={"clip": video})
        body = {"formId": form["formId"], "data": {"clip": image, "draft": {"photo": video}}}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
        assert {error["path"]: error["code"] for error in problem["errors"]} == {
            "data.clip": "wrong_kind",
            "data.draft.photo": "wrong_kind",
        }

    async def test_that_does_not_exist(self, workspace: Workspace, form: dict[str, Any]) -> None:
        address = await upload(workspace, png(seed=new_seed()))
        for unknown in (address + "0", address[:-1], "/media/x/y", "/media/x", f"/media/{workspace.account_id}"):
            body = {"formId": form["formId"], "data": {"draft": {"photo": unknown}}}
            problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
            assert error_at(problem, "data.draft.photo")["code"] == "unknown_media", unknown

    async def test_of_another_account(
        self, workspace: Workspace, other_workspace: Workspace, form: dict[str, Any]
    ) -> None:
        content = png(seed=new_seed())
        theirs = await upload(other_workspace, content)
        ours_by_their_id = theirs.replace(other_workspace.account_id, workspace.account_id)
        responses = []
        for address in (theirs, ours_by_their_id):
            body = {"formId": form["formId"], "data": {"draft": {"photo": address}}}
            problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
            responses.append(error_at(problem, "data.draft.photo"))
        assert responses[0] == responses[1]
        assert responses[0]["code"] == "unknown_media"
        assert await status_of(theirs) == 200

    async def test_a_thousand_references_to_one_file(self, workspace: Workspace, form: dict[str, Any]) -> None:
        address = await upload(workspace, png(seed=new_seed()))
        review = await workspace.request(form, data={"photos": [address] * 1000})
        assert (await workspace.review(review["reviewId"]))["data"]["photos"] == [address] * 1000

    async def test_deleted_default_of_the_review_type_is_ignored(self, workspace: Workspace) -> None:
        missing = f"/media/{workspace.account_id}/med_gone"
        form = await media_form(workspace, fields=[{"id": "logo", "type": "image", "default": missing}])
        review = await workspace.request(form, data={})
        assert (await workspace.review(review["reviewId"]))["data"] == {}


async def test_review_type_without_media_accepts_similar_values(workspace: Workspace) -> None:
    form = await workspace.make_form()
    text = b64(png())
    created_review = await workspace.request(form, data={"body": text, "draft": {"headline": "a"}})
    review = await workspace.review(created_review["reviewId"])
    assert review["data"]["body"] == text
    assert "fileCache" not in review
    assert "mediaNotices" not in review
    assert json.dumps(review).count("/media/") == 0
