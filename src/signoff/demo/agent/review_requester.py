"""Requests reviews at intervals, but never more than reviewers can handle."""

import asyncio
import random
import uuid
from collections import Counter

from signoff.demo.agent.api_client import ApiClient, RequestRejected
from signoff.demo.agent.console import print_line, quote
from signoff.demo.agent.context import AgentContext
from signoff.demo.agent.drafts import SampleDraft, next_draft

MAX_PENDING = 6
OWN_SESSION = "demo-agent-"
"""The prefix of our session IDs. It identifies our own reviews after a restart."""
JITTER = 0.25


class ReviewRequester:
    def __init__(self, api: ApiClient, context: AgentContext) -> None:
        self._api = api
        self._context = context
        self._requested = Counter[str]()
        """Number of requests by title."""

    async def request_repeatedly(self, pace: float) -> None:
        while True:
            waiting = await self._list_pending_titles()
            draft = next_draft(self._context, waiting, self._requested)
            if draft is not None and len(waiting) < MAX_PENDING:
                await self._request_review(draft)
            await asyncio.sleep(pace * random.uniform(1 - JITTER, 1 + JITTER))  # noqa: S311

    async def _list_pending_titles(self) -> list[str]:
        pending = await self._api.get("/reviews", state="pending", limit=200)
        return [row["title"] for row in pending["items"] if row["sessionId"].startswith(OWN_SESSION)]

    async def _request_review(self, draft: SampleDraft) -> None:
        self._requested[draft.title] += 1
        number = uuid.uuid4().hex
        body = {"formId": draft.review_type.form_id, "sessionId": OWN_SESSION + number, "data": draft.data}
        agent = self._context.agents[draft.review_type.agent_id]
        try:
            await self._api.post("/requestReview", body, once=number)
        except RequestRejected as refusal:  # Someone changed the review type, and the draft doesn't match it anymore.
            print_line(agent, f"couldn't request a review of {quote(draft.title)}: {refusal}")
        else:
            print_line(agent, f"requested a review: {quote(draft.title)}")
