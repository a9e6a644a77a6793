"""`verify`: accepts exactly what the service signs; compared with the library of the convention."""

import asyncio
import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sdk_helpers import Sdk
from standardwebhooks import Webhook
from support.api import Workspace, assert_ok, unique
from support.receiver import Call, Receiver

from signoff_client import Event, HumanMessage, InvalidSignature, RetryRequested, ReviewCompleted, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
EVENT = {"event": "later.kind", "agentId": "agt_1", "createdAt": "2026-11-15T02:59:27.720Z"}
BODY = json.dumps(EVENT).encode()


def signed(body: bytes = BODY, *, secret: str = SECRET, at: int | None = None, name: str = "whd_1") -> dict[str, str]:
    """Signed by the convention's own library."""
    at = int(time.time()) if at is None else at
    signature = Webhook(secret).sign(name, datetime.fromtimestamp(at, UTC), body.decode())
    return {"webhook-id": name, "webhook-timestamp": str(at), "webhook-signature": signature}


class TestGenuine:
    def test_future_event_type(self) -> None:
        event = verify(SECRET, signed(), BODY)
        assert (type(event), event.name, event.agent_id, event.raw) == (Event, "later.kind", "agt_1", EVENT)

    def test_text_instead_of_bytes(self) -> None:
        body = json.dumps({**EVENT, "text": "Blätter 🍁"}, ensure_ascii=False)
        assert verify(SECRET, signed(body.encode()), body).raw["text"] == "Blätter 🍁"

    @pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
    def test_headers_in_any_case(self, case: Any) -> None:
        assert verify(SECRET, {case(name): value for name, value in signed().items()}, BODY)

    @pytest.mark.parametrize("secrets", [[OTHER, SECRET], (SECRET, OTHER), {SECRET}])
    def test_any_of_several_secrets(self, secrets: Any) -> None:
        assert verify(secrets, signed(), BODY)

    def test_any_of_several_signatures(self) -> None:
        headers = signed()
        headers["webhook-signature"] = (
            f"v2,abc {signed(secret=OTHER)['webhook-signature']} {headers['webhook-signature']}"
        )
        assert verify(SECRET, headers, BODY)

    @pytest.mark.parametrize(("off", "taken"), [(-301, False), (-299, True), (0, True), (299, True), (301, False)])
    def test_time(self, off: int, taken: bool) -> None:
        headers = signed(at=1_800_000_000 + off)
        if taken:
            verify(SECRET, headers, BODY, now=1_800_000_000)
        else:
            with pytest.raises(InvalidSignature, match="seconds off"):
                verify(SECRET, headers, BODY, now=1_800_000_000)
        verify(SECRET, headers, BODY, now=1_800_000_000, tolerance=1000)


class TestForged:
    @pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
    @pytest.mark.parametrize(
        "value", [None, "", " ", "\ud800", "é", "1" * 100_000, "v1,", "0", "-1", "1e9", "nan", "٣"]
    )
    def test_invalid_header(self, name: str, value: str | None) -> None:
        headers: dict[str, str] = signed()
        headers.pop(name) if value is None else headers.update({name: value})
        with pytest.raises(InvalidSignature):
            verify(SECRET, headers, BODY)

    def test_duplicate_header(self) -> None:
        with pytest.raises(InvalidSignature):
            verify(SECRET, {**signed(), "Webhook-Id": "whd_2"}, BODY)

    def test_invalid_utf8(self) -> None:
        strange: Any = {b"webhook-id": b"x", 1: 2, "webhook-timestamp": ["1"], "webhook-signature": None}
        with pytest.raises(InvalidSignature):
            verify(SECRET, strange, BODY)

    @pytest.mark.parametrize("body", [BODY + b" ", b"", BODY[:-1], BODY.replace(b"agt_1", b"agt_2"), b"\xff"])
    def test_another_body(self, body: bytes) -> None:
        with pytest.raises(InvalidSignature, match="No matching signature"):
            verify(SECRET, signed(), body)

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"[]",
            b"null",
            b"{}",
            b'"event"',
            b"{",
            b"[" * 100_000,
            b'{"event":"review.completed","agentId":"a","createdAt":"x"}',
            b'{"event":"review.completed","agentId":"a","createdAt":"2026-01-01T00:00:00Z"}',
            b'{"event":"session.human_message","agentId":"a","createdAt":"2026-01-01T00:00:00Z","history":3}',
            b'{"event":["x"],"agentId":"a","createdAt":7}',
        ],
        ids=lambda body: body[:30].decode(),
    )
    def test_signed_without_an_event(self, body: bytes) -> None:
        with pytest.raises(InvalidSignature):
            verify(SECRET, signed(body), body)

    def test_another_secret(self) -> None:
        with pytest.raises(InvalidSignature):
            verify([OTHER], signed(), BODY)

    @pytest.mark.parametrize("secrets", ["", "whsec_", "whsec_?", [], [SECRET, "ü"]])
    def test_no_secret(self, secrets: Any) -> None:
        with pytest.raises(ValueError, match="secret"):
            verify(secrets, signed(), BODY)


class TestProperties:
    @given(
        st.text(st.characters(exclude_categories=["Cs"])),
        st.text(st.sampled_from("abc_0129.-"), min_size=1),
        st.integers(1_000_000_000, 4_000_000_000),
    )
    def test_any_signed_body_is_accepted(self, text: str, name: str, at: int) -> None:
        body = json.dumps({**EVENT, "text": text}, ensure_ascii=False).encode()
        assert verify(SECRET, signed(body, at=at, name=name), body, now=at).raw["text"] == text

    @given(
        st.dictionaries(
            st.sampled_from(["webhook-id", "webhook-timestamp", "webhook-signature", "Webhook-Id", "x"]),
            st.text() | st.sampled_from(list(signed().values())),
        ),
        st.binary() | st.just(BODY),
        st.integers(0, 255),
    )
    def test_any_other_body_is_rejected(self, headers: dict[str, str], body: bytes, flip: int) -> None:
        """Any input raises the same error, and one changed bit of a signature is rejected."""
        if {**signed(), **headers} != signed():
            with pytest.raises(InvalidSignature):
                verify(OTHER, headers, body)
        headers = signed()
        raw = bytearray(headers["webhook-signature"].encode())
        raw[3 + flip % 42] ^= 1
        headers["webhook-signature"] = raw.decode("latin-1")
        with pytest.raises(InvalidSignature):
            verify(SECRET, headers, BODY)


class TestDeliveries:
    async def test_real_deliveries(self, sdk: Sdk, workspace: Workspace, receiver: Receiver) -> None:
        """A retry, a decision and a chat message, as delivered; and the same ones pulled."""
        path = "/" + unique("hook")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path, chat="on")
        form = await workspace.make_form(agent)
        secret = agent["webhookSecret"]
        review = await workspace.request(form, meta={"ticket": 1}, workflow={"runId": unique("run")})
        await assert_ok(workspace.owner.post(f"/reviews/{review['reviewId']}/retry", json={"instructions": "Again"}))
        await receiver.wait_for(path)
        await workspace.request(form, updateForReviewId=review["reviewId"], meta={"ticket": 2})
        await workspace.decide(review["reviewId"], data={"score": 9})
        await receiver.wait_for(path, 2)
        await assert_ok(workspace.owner.post(f"/sessions/{review['sessionId']}/messages", json={"text": "Thank you"}))
        calls = await receiver.wait_for(path, 3)
        retry, completed, message = [is_genuine(secret, call) for call in calls]

        assert isinstance(retry, RetryRequested)
        assert (retry.result.response, retry.revision, retry.result.meta) == ("retry_requested", 1, {"ticket": 1})
        assert retry.result.retry is not None
        assert retry.result.retry.instructions == "Again"
        assert isinstance(completed, ReviewCompleted)
        assert (completed.review_id, completed.form_id) == (review["reviewId"], form["formId"])
        assert (completed.session_id, completed.agent_id) == (review["sessionId"], agent["agentId"])
        assert completed.run_id is not None
        assert completed.result.approved
        assert completed.result.values["score"] == 9
        assert completed.result.response_values is not None
        assert completed.result.response_values["score"] == {"value": 9, "wasEdited": True}
        assert completed.delivery_id == calls[1].headers["webhook-id"]
        assert isinstance(message, HumanMessage)
        assert (message.message.text, message.message.role) == ("Thank you", "human")
        assert message.history[-1] == message.message or message.history[-1].text == "Thank you"
        assert message.message.user is not None
        assert message.message.user["email"] == "owner@example.com"

        pulled = await sdk.items(sdk.client.stream_events(agent_id=agent["agentId"], wait=0))
        assert pulled == [retry, completed, message]

    async def test_during_a_secret_rotation(self, workspace: Workspace, receiver: Receiver) -> None:
        path = "/" + unique("hook")
        agent = await workspace.make_agent(webhookUrl=receiver.url + path)
        rotated = await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/rotateSecret"))
        outcome = await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/testEvent"))
        assert outcome["ok"]
        [call] = await receiver.wait_for(path)
        for secret in (agent["webhookSecret"], rotated["webhookSecret"]):
            assert is_genuine(secret, call).name == "test"
        with pytest.raises(InvalidSignature):
            is_genuine(SECRET, call)


def is_genuine(secret: str, call: Call) -> Event:
    return verify(secret, call.headers, call.body)


async def test_async_receiver(receiver: Receiver, workspace: Workspace) -> None:
    """A receiver that passes headers in its framework's own mapping."""
    path = "/" + unique("hook")
    agent = await workspace.make_agent(webhookUrl=receiver.url + path)
    events: asyncio.Queue[Event] = asyncio.Queue()

    async def take(call: Call) -> Any:
        from aiohttp import web

        events.put_nowait(verify(agent["webhookSecret"], call.request.headers, call.body))
        return web.Response()

    receiver.answer(path, take)
    await assert_ok(workspace.manager.post(f"/agents/{agent['agentId']}/testEvent"))
    assert (await events.get()).name == "test"
