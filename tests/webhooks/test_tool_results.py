"""The responses of tools, and the part that each review's event carries."""

import asyncio
import json
from itertools import chain, repeat

import pytest
from aiohttp import web
from support.api import Workspace, assert_ok, unique
from support.receiver import Answer, Call, Receiver

from signoff.webhooks.tool_results import NOT_TEXT, SHORTENED, TOO_DEEP, TOO_LONG

ABSENT = "(absent)"
ANSWERS = [
    "[1,2]",
    "[[1],2]",
    "[[1,2],[3,4]]",
    "[]",
    "null",
    "7",
    '"text"',
    "true",
    '{"a":[1]}',
    '[{"b":[]}]',
    "[null]",
]


class TestConcurrent:
    async def test_each_event_carries_its_own_result(self, workspace: Workspace, receiver: Receiver) -> None:
        """The responses are held until all tools are called, so that their attempts are recorded together."""
        word = unique("together")
        answers = list(chain.from_iterable(repeat(ANSWERS, 3)))
        everybody = asyncio.Barrier(len(answers))

        def tool(text: str) -> Answer:
            async def answer(_: Call) -> web.StreamResponse:
                await everybody.wait()
                return web.Response(text=text, content_type="application/json")

            return answer

        reviews: list[str] = []
        for number, text in enumerate(answers):
            url = receiver.answer(f"/{word}/tool/{number}", tool(text))
            form = await workspace.make_form(toolWebhookUrl=url)
            asked = await workspace.request(form, webhookUrl=f"{receiver.url}/{word}/agent/{number}")
            reviews.append(asked["reviewId"])
        decided = await asyncio.gather(*(workspace.decide(review_id) for review_id in reviews))
        for number, (text, review) in enumerate(zip(answers, decided, strict=True)):
            [call] = await receiver.wait_for(f"/{word}/agent/{number}")
            assert call.json["reviewId"] == review["reviewId"]
            assert f'"toolResult":{text}}}' in call.body.decode()
            record = await workspace.delivery(review["toolWebhookDeliveryId"], "succeeded")
            assert len(record["attempts"]) == 1
            assert len(receiver.at(f"/{word}/tool/{number}")) == 1

    async def test_pulled_events_carry_the_same(self, workspace: Workspace, receiver: Receiver) -> None:
        agent = await workspace.make_agent()
        after = (await assert_ok(workspace.agent.get("/events", params={"agentId": agent["agentId"]})))["nextCursor"]
        expected: dict[str, str] = {}
        for text in ANSWERS:
            url = receiver.answer("/" + unique("tool"), web.Response(text=text, content_type="application/json"))
            form = await workspace.make_form(agent, toolWebhookUrl=url)
            asked = await workspace.request(form)
            await workspace.decide(asked["reviewId"])
            expected[asked["reviewId"]] = text
        found: dict[str, str] = {}
        while len(found) < len(expected):
            answer = await workspace.agent.get(
                "/events", params={"agentId": agent["agentId"], "after": after, "wait": 10}
            )
            page = answer.json()
            after = page["nextCursor"]
            for event in page["items"]:
                found[event["reviewId"]] = event["toolResult"]
        assert found == {review_id: json.loads(text) for review_id, text in expected.items()}


class TestForms:
    """Each type of response, as seen in the agent's event and in the record of the call."""

    @pytest.mark.parametrize(
        ("body", "result", "note"),
        [
            pytest.param(b"done, thanks", "done, thanks", None, id="text"),
            pytest.param("grün \0".encode(), "grün \0", None, id="any-text"),
            pytest.param(b'\xef\xbb\xbf{"a": 1}', {"a": 1}, None, id="byte-order-mark"),
            pytest.param(b'"\\u0000"', "\0", None, id="nul"),
            pytest.param(b"{'a': 1}", "{'a': 1}", None, id="nearly-json"),
            pytest.param(b"x" * 64_000, "x" * 64_000, None, id="longest-text"),
            pytest.param("ä".encode() * 40_000, "ä" * 32_000, SHORTENED, id="longer-text"),
            pytest.param(b"y" + "ä".encode() * 40_000, "y" + "ä" * 31_999, SHORTENED, id="cut-between-characters"),
            pytest.param(b"x" * 2_000_000, "x" * 64_000, SHORTENED, id="very-long-text"),
            pytest.param(b"[" + b"1," * 600_000 + b"1]", ABSENT, TOO_LONG, id="very-long-json"),
            pytest.param(b"\xff\xd8\xff\xe0", ABSENT, NOT_TEXT, id="picture"),
            pytest.param(b"[" * 200 + b"]" * 200, ABSENT, TOO_DEEP, id="deep"),
            pytest.param(b"[" * 5000 + b"]" * 5000, ABSENT, TOO_DEEP, id="deeper-than-the-parser"),
            pytest.param(b"", ABSENT, None, id="nothing"),
            pytest.param(b" \n", ABSENT, None, id="blank"),
        ],
    )
    async def test_result_by_response(
        self, workspace: Workspace, receiver: Receiver, body: bytes, result: object, note: str | None
    ) -> None:
        async def tool(_: Call) -> web.StreamResponse:
            return web.Response(body=body)

        word = unique("form")
        form = await workspace.make_form(toolWebhookUrl=receiver.answer(f"/{word}/tool", tool))
        asked = await workspace.request(form, webhookUrl=f"{receiver.url}/{word}/agent")
        review = await workspace.decide(asked["reviewId"])
        [call] = await receiver.wait_for(f"/{word}/agent")
        assert call.json.get("toolResult", ABSENT) == result
        record = await workspace.delivery(review["toolWebhookDeliveryId"], "succeeded")
        [attempt] = record["attempts"]
        assert attempt.get("note") == note
        assert len(receiver.at(f"/{word}/tool")) == 1
