"""The deliveries of the month's events: nearly all immediately, some after a while, a few failed."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from multidict import CIMultiDict, CIMultiDictProxy

from signoff.demo.seed.workspace import OPENED, DemoWorkspace
from signoff.platform import clock
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient, HttpResponse
from signoff.platform.guarded_http.errors import OutboundTimeoutError
from signoff.platform.messages import msg
from signoff.platform.outbox.retry_policy import AttemptOutcome
from signoff.platform.outbox.sender import OutboxSender, OutgoingMessage, Postponed
from signoff.platform.settings import Settings
from signoff.webhooks.channel import WebhookChannel

LATENCY: Final = timedelta(milliseconds=40)
TIMEOUT_SECONDS: Final = 15
SETTLED_AFTER: Final = timedelta(days=2)
POSTPONED: Final = 38 * 3600.0
RETRY_AFTER: Final = {"retry-after": "86400"}


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    status: int
    """0 means there was no response."""
    reason: str
    headers: Mapping[str, str] | None = None


SUCCESS: Final = SampleAnswer(200, "OK")
UNAVAILABLE: Final = SampleAnswer(503, "Service Unavailable")
BUSY: Final = SampleAnswer(503, "Service Unavailable", RETRY_AFTER)
SERVER_ERROR: Final = SampleAnswer(500, "Internal Server Error")
GONE: Final = SampleAnswer(410, "Gone")
TIMEOUT: Final = SampleAnswer(0, "")
TROUBLE: Final = {
    4: (SERVER_ERROR,) * 100,
    11: (GONE,),
    17: (TIMEOUT,),
    23: (UNAVAILABLE, UNAVAILABLE),
    41: (SERVER_ERROR,),
}
"""Answers before a success, by the place of a delivery among the older ones."""


class SampleReceiver(GuardedClient):
    """Answers like an agent that usually works."""

    def __init__(self) -> None:
        self.answers: dict[str, list[SampleAnswer]] = {}
        """What isn't a success, by delivery."""

    async def post(self, url: str, *, headers: Mapping[str, str], **request: object) -> HttpResponse:
        answers = self.answers.get(headers["webhook-id"])
        answer = answers.pop(0) if answers else SUCCESS
        if answer is TIMEOUT:
            raise OutboundTimeoutError(msg("Timed out waiting for a response."))
        return HttpResponse(
            answer.status, answer.reason, CIMultiDictProxy(CIMultiDict(answer.headers or {})), b"", False
        )


class PastChannel(WebhookChannel):
    """Attempts that take as long as real ones would have taken."""

    def __init__(
        self, db: Database, client: GuardedClient, settings: Settings, triggered: Mapping[str, datetime]
    ) -> None:
        super().__init__(db, client, settings)
        self.concurrency = 1
        self.triggered = triggered
        self.postponed: str | None = None

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        if message.message_id == self.postponed:
            raise Postponed(POSTPONED)
        # The one before it in its session releases it, which can be long before it's triggered.
        if (early := self.triggered[message.message_id] - clock.now()) > timedelta():
            raise Postponed(early.total_seconds())
        outcome = await super().send(message)
        return replace(outcome, seconds=LATENCY.total_seconds() if "statusCode" in outcome.details else TIMEOUT_SECONDS)


async def deliver_all(workspace: DemoWorkspace, now: datetime) -> None:
    """Do the worker's work, from the first delivery on."""
    db, receiver = workspace.db, SampleReceiver()
    rows = await db.fetch(
        "select delivery_id, triggered_at, review_id from deliveries where account_id = $1 order by delivery_id desc",
        workspace.account_id,
    )
    triggered = {row["delivery_id"]: row["triggered_at"] for row in rows}
    newest = [row["delivery_id"] for row in rows if row["review_id"] is not None]
    settled = [delivery_id for delivery_id in newest if triggered[delivery_id] < now - SETTLED_AFTER]
    receiver.answers = {settled[place]: list(answers) for place, answers in TROUBLE.items()}
    receiver.answers[newest[0]] = [UNAVAILABLE, BUSY]
    channel = PastChannel(db, receiver, workspace.settings, triggered)
    channel.postponed = newest[1]
    sender = OutboxSender(db, workspace.settings, [channel])

    async def send_due() -> tuple[bool, float | None]:
        pause = await sender.start_due(lambda: None)
        attempts = list(sender.attempts)
        if attempts:
            await asyncio.wait(attempts)
        return bool(attempts), pause

    at = now - OPENED
    while at < now:
        is_busy, pause = await db.do(at, send_due)
        if not is_busy and pause is None:
            break
        at += LATENCY if is_busy else timedelta(seconds=pause or 0) + LATENCY
