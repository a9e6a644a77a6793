"""Signed URLs: stored unsigned, signed in every response, accepted as they were returned."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_review_helpers import BASE64, b64, fetch_stored, media_form, serve, status_of, wait_for_copies
from sample_files import new_seed, png
from support.api import Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Receiver
from support.second_account import open_second_account

from signoff.media.signed_payloads import sign_media_urls, signing_time, strip_media_signatures
from signoff.platform.settings import Settings


@pytest.fixture(scope="module")
async def signing_service(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(media_addresses="signed", webhook_retry_schedule="0.1,0.1") as running:
        yield running


@pytest.fixture(scope="module")
async def workspace(signing_service: Service) -> AsyncIterator[Workspace]:
    signed_in = await sign_in_workspace(signing_service)
    yield signed_in
    await signed_in.close()


def plain(address: str) -> str:
    assert "signature" in httpx.URL(address).params, f"{address} is not signed"
    return address.partition("?")[0]


async def opens(address: str, content: bytes) -> None:
    assert await fetch_stored(address) == content
    assert await status_of(plain(address)) == 403


async def test_signed_in_every_response_and_event(workspace: Workspace, receiver: Receiver) -> None:
    path = "/" + unique("signed")
    receiver.answer(path, [500, 200])
    form = await media_form(workspace, allowRetry=True)
    content, elsewhere = png(seed=new_seed()), png(seed=new_seed())
    url = serve(receiver, elsewhere)
    data = {"draft": {"photo": b64(content)}, "photos": [url]}
    created_review = await workspace.request(form, data=data, config=BASE64, webhookUrl=receiver.url + path)
    review = await wait_for_copies(workspace, created_review["reviewId"], url)
    assert list(review["fileCache"]) == [url]
    await opens(review["data"]["draft"]["photo"], content)
    await opens(review["fileCache"][url], elsewhere)
    revisions = await assert_ok(workspace.agent.get(f"/reviews/{created_review['reviewId']}/revisions"))
    await opens(revisions["items"][0]["data"]["draft"]["photo"], content)
    decided = await workspace.decide(created_review["reviewId"])
    await opens(decided["reviewResult"]["data"]["draft"]["photo"], content)
    first, second = await receiver.wait_for(path, 2)
    assert first.body == second.body, "the same bytes on every attempt"
    await opens(first.json["reviewResult"]["data"]["draft"]["photo"], content)
    await opens(first.json["reviewResult"]["responseValues"]["photo"]["value"], content)
    await opens(first.json["fileCache"][url], elsewhere)
    pulled = (await assert_ok(workspace.agent.get("/events", params={"agentId": form["agentId"]})))["items"]
    [event] = [event for event in pulled if event.get("reviewId") == created_review["reviewId"]]
    await opens(event["fileCache"][url], elsewhere)
    query = {"formId": form["formId"], "fieldIds": "photo"}
    [remembered] = await assert_ok(workspace.agent.get("/fetchResponses", params=query))
    await opens(remembered["fields"]["photo"]["approvedValue"], content)


async def test_signed_in_a_retry_event(workspace: Workspace, receiver: Receiver) -> None:
    path = "/" + unique("retry")
    form = await media_form(workspace, allowRetry=True)
    content = png(seed=new_seed())
    review = await workspace.request(
        form, data={"draft": {"photo": b64(content)}}, config=BASE64, webhookUrl=receiver.url + path
    )
    await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "Again"}))
    [call] = await receiver.wait_for(path)
    await opens(call.json["data"]["draft"]["photo"], content)


async def test_signed_urls_can_be_sent_back(workspace: Workspace) -> None:
    """For a page that sends everything back, and for an agent that uses what it read, they mean the stored media."""
    form = await media_form(workspace, fields=[{"id": "photo", "type": "image"}, {"id": "note", "type": "text"}])
    content = png(seed=new_seed())
    config = {"fields": {"photo": {"isBase64": True}}}
    data = {"photo": b64(content), "note": "n", "own": {"also": "kept"}}
    review = await workspace.request(form, data=data, config=config)
    shown = (await workspace.review(review["reviewId"]))["data"]
    again = await workspace.request(form, data={**shown, "own": [shown["photo"]]})
    shown_again = (await workspace.review(again["reviewId"]))["data"]
    assert plain(shown_again["photo"]) == plain(shown["photo"])
    await opens(shown_again["own"][0], content)
    decided = await workspace.decide(again["reviewId"], data=shown_again)
    await opens(decided["reviewResult"]["data"]["photo"], content)
    decided = await workspace.decide(
        review["reviewId"], data={"photo": shown["photo"].replace("signature=", "signature=0")}
    )
    await opens(decided["reviewResult"]["data"]["photo"], content)


async def test_another_accounts_url_stays_private(signing_service: Service, workspace: Workspace) -> None:
    """An agent can write any text; reading it back gives no access."""
    other = await open_second_account(signing_service)
    uploaded = await assert_ok(other.agent.post("/uploadFiles", files={"f": ("a.png", png(seed=new_seed()))}))
    theirs = plain(uploaded["files"][0]["downloadURL"])
    form = await media_form(workspace)
    review = await workspace.request(form, data={"note": theirs, "own": [theirs]})
    assert (await workspace.review(review["reviewId"]))["data"] == {"note": theirs, "own": [theirs]}
    body = {"formId": form["formId"], "data": {"draft": {"photo": theirs}}}
    problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422)
    assert problem["errors"][0]["code"] == "unknown_media"


async def test_stored_without_a_signature(signing_service: Service, workspace: Workspace) -> None:
    form = await media_form(workspace)
    review = await workspace.request(form, data={"draft": {"photo": b64(png(seed=new_seed()))}}, config=BASE64)
    shown = (await workspace.review(review["reviewId"]))["data"]
    again = await workspace.request(form, data=shown)
    await workspace.decide(again["reviewId"])
    connection = await asyncpg.connect(signing_service.dsn())
    try:
        texts = await connection.fetch(
            """
            select data::text from review_revisions where review_id = any($1)
            union all select data::text from review_results where review_id = any($1)
            union all select payload::text from events where review_id = any($1)
            """,
            [review["reviewId"], again["reviewId"]],
        )
    finally:
        await connection.close()
    assert len(texts) == 4
    assert all("/media/" in row[0] and "signature" not in row[0] for row in texts)


SIGNED = Settings(media_addresses="signed", media_secret="s" * 20, public_url="https://signoff.example.com")
OPEN = Settings(public_url="https://signoff.example.com")
OURS = "https://signoff.example.com/media/acc_1/med_1"
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([OURS, "/media/acc_1/med_2", "https://elsewhere.example.com/media/acc_1/med_1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


class TestSignedPayloads:
    @given(json_values)
    def test_round_trip(self, value: Any) -> None:
        before = json.dumps(value)
        out = sign_media_urls(SIGNED, "acc_1", value)
        assert strip_media_signatures(SIGNED, out) == value
        assert sign_media_urls(SIGNED, "acc_1", out) == out or "expires" in json.dumps(out)
        assert json.dumps(value) == before, "the original is left alone"
        assert json.dumps(out).count("signature=") == before.count(f'"{OURS}"') + before.count('"/media/acc_1/med_2"')
        assert sign_media_urls(SIGNED, "acc_2", value) == value

    @given(json_values)
    def test_unchanged_without_signing(self, value: Any) -> None:
        assert sign_media_urls(OPEN, "acc_1", value) is value
        assert strip_media_signatures(OPEN, value) is value

    @given(st.integers(0, 10_000_000))
    def test_time_of_signing(self, seconds: int) -> None:
        """The same signature for half of a URL's lifetime, and at least half of it is always left."""
        first = datetime(2026, 11, 15, tzinfo=UTC)
        at = first + timedelta(seconds=seconds)
        moment = signing_time(SIGNED, first, at)
        half = timedelta(hours=SIGNED.media_address_hours) / 2
        assert at - half < moment <= at
        assert (moment - first) % half == timedelta(0)
        assert signing_time(SIGNED, first, first - timedelta(seconds=seconds)) == first
