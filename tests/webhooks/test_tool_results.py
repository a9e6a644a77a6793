"""What tools answer, and what of it each review's event carries."""

import asyncio
import json
from itertools import chain, repeat

from aiohttp import web
from support.api import Workspace, ok, unique
from support.receiver import Answer, Call, Receiver

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


class TestAtTheSameMoment:
    async def test_each_event_carries_its_own_result(self, workspace: Workspace, receiver: Receiver) -> None:
        """The answers are held until all tools are called, so that their attempts are recorded together."""
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
        after = (await ok(workspace.agent.get("/events", params={"agentId": agent["agentId"]})))["nextCursor"]
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
