"""Replies to chat messages: shows that it's working, streams the reply, and sometimes requests a review in the chat."""

import asyncio
import re

from signoff.demo.agent.api_client import ApiClient
from signoff.demo.agent.chat_replies import Reply, reply_to
from signoff.demo.agent.console import print_line, quote
from signoff.demo.agent.context import AgentContext
from signoff.demo.agent.webhook_receiver import Event

THINKING_SECONDS = 1.0
PIECE_INTERVAL = 0.15
PIECE = re.compile(r"\S+\s*(?:\S+\s*){0,5}")
"""About six words. `offset` counts characters, so the pieces must include every character."""
REVIEW_TYPE = "Support reply"


class ChatHandler:
    def __init__(self, api: ApiClient, context: AgentContext) -> None:
        self._api = api
        self._context = context

    async def handle(self, event: Event) -> None:
        agent = self._context.agents.get(event["agentId"], "Demo")
        text, who = event["message"]["text"], event["message"]["user"]
        print_line(agent, f"{who['name'] or who['email']} wrote: {quote(text)}")
        session = f"/sessions/{event['sessionId']}"
        await self._api.put(f"{session}/working", {"working": True, "text": "Looking it up"})
        await asyncio.sleep(THINKING_SECONDS)
        reply = reply_to(text, asked_before=sum(message["role"] == "human" for message in event["history"]) > 1)
        await self._write_in_pieces(session, reply.text, once=event["eventId"])
        print_line(agent, f"replied: {quote(reply.text.partition(chr(10))[0])}")
        if reply.draft is not None and REVIEW_TYPE in self._context.review_types:
            await self._request_review(event, session, reply)
            print_line(agent, "requested a review in the chat")

    async def _write_in_pieces(self, session: str, text: str, *, once: str) -> None:
        """Stream the text. A piece that is sent twice is added once, because it has an offset."""
        message = await self._api.post(f"{session}/messages", {"streaming": True, "text": ""}, once=once)
        pieces = f"{session}/messages/{message['messageId']}/pieces"
        offset = 0
        for piece in PIECE.findall(text):
            await self._api.post(pieces, {"offset": offset, "text": piece})
            offset += len(piece)
            await asyncio.sleep(PIECE_INTERVAL)
        await self._api.post(pieces, {"offset": offset, "text": "", "done": True})

    async def _request_review(self, event: Event, session: str, reply: Reply) -> None:
        """Request a review in the same session, and send a message that shows it in the chat."""
        review_type = self._context.review_types[REVIEW_TYPE]
        body = {
            "formId": review_type.form_id,
            "agentId": review_type.agent_id,
            "sessionId": event["sessionId"],
            "data": {**(reply.draft or {}), "question": event["message"]["text"]},
            "meta": {"askedInChat": True},
        }
        review = await self._api.post("/requestReview", body, once=f"{event['eventId']}-review")
        message = {"text": "OK to send this reply?", "reviewId": review["reviewId"]}
        await self._api.post(f"{session}/messages", message, once=f"{event['eventId']}-shown")
