"""The worker's side of a delivery: each job makes at most one attempt and records its result."""

import asyncio
import random
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial

import asyncpg

from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient, OutboundError
from signoff.platform.jobs.queue import wake_workers
from signoff.platform.jobs.runner import DATABASE_ERRORS, RetryLater
from signoff.platform.logs import get_logger
from signoff.platform.metrics import DELIVERIES_UNDER_WAY, DELIVERY_ATTEMPTS, JOBS_HANDED_BACK
from signoff.platform.pubsub import publish
from signoff.platform.settings import Settings
from signoff.webhooks import attempts, delivery_order
from signoff.webhooks.attempts import LOST_ATTEMPT, AttemptResult, DeliveryClaim
from signoff.webhooks.destination_limits import DestinationBusy, DestinationLimiter, Slot
from signoff.webhooks.events import render_event, sign_event_urls
from signoff.webhooks.retry_policy import AttemptOutcome, decide_retry, parse_retry_after
from signoff.webhooks.signatures import sign_headers
from signoff.webhooks.tool_results import MAX_RESPONSE_BYTES, NO_RESULT, NOT_STORED, ToolResult, read_tool_result

log = get_logger("webhooks")

MAX_READ_BYTES = 64 * 1024
WORKER_LOST = AttemptOutcome(error=LOST_ATTEMPT, at_once=True)
UNSTORABLE = (asyncpg.DataError, asyncpg.ProgramLimitExceededError, UnicodeError)
"""The database's errors for a record that it will never accept."""
RECORDED_LATE = "This attempt was answered, but the answer couldn't be recorded before the attempt was taken for lost."
INTERRUPTED = AttemptOutcome(error="Signoff was shut down during this attempt.", at_once=True)


class DeliveryJob:
    def __init__(self, db: Database, client: GuardedClient, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._db = db
        self._read = partial(attempts.read_due_deliveries, order_wait=settings.chat_order_wait)
        self._claim = partial(attempts.claim_deliveries, lost_after=settings.worker_lost_after)
        self._lanes = DestinationLimiter(settings.webhook_concurrency_per_destination)
        self._under_way: dict[str, float] = {}
        self._broken_off = False
        DELIVERIES_UNDER_WAY.set_function(lambda: len(self._under_way))

    async def deliver(self, delivery_id: str, job_id: int) -> bool:
        """The job. It leaves the delivery in a correct state, whatever state it was in, and also if it runs twice.

        Returns True if the job was removed together with recording the result.
        """
        delivery = await self._db.batched(self._read, delivery_id)
        if delivery is None:
            return False  # deleted in the meantime
        if delivery.lost_attempt is not None:
            log.warning("delivery attempt lost: worker stopped", delivery=delivery_id)
            await self._finish_attempt(delivery, job_id, delivery.lost_attempt, WORKER_LOST)
            return True
        if delivery.claimed_for > 0:
            raise RetryLater(delivery.claimed_for)
        if not delivery.due:
            return False  # finished, or another job will run when it's due
        if wait := self._get_recheck_delay(delivery):
            raise RetryLater(wait)
        try:
            turn = await self._lanes.turn(delivery.url)
        except DestinationBusy as full:
            JOBS_HANDED_BACK.inc()
            raise RetryLater(full.pause) from None
        with ExitStack() as slot_stack, ExitStack() as claim:
            slot_stack.callback(turn.end)
            began = await self._db.batched(self._claim, delivery_id)
            if began is None:
                return False  # another worker was faster
            claim.enter_context(self._keep_renewed(delivery_id))
            outcome, tool_result = await self._attempt(delivery, job_id, turn, began)
            slot_stack.close()  # the next call doesn't wait for our record
            await self._finish_attempt(delivery, job_id, began, outcome, turn.took, tool_result)
        return True

    @contextmanager
    def _keep_renewed(self, delivery_id: str) -> Generator[None]:
        """Have `keep_claims` renew the claim until the attempt is recorded, however long that takes."""
        self._under_way[delivery_id] = time.monotonic()
        try:
            yield
        finally:
            del self._under_way[delivery_id]

    def _get_recheck_delay(self, claim: DeliveryClaim) -> float:
        patience = self._settings.chat_order_wait - claim.waited
        return delivery_order.ordering_delay(claim.places_ahead, claim.next_attempt_ahead, patience)

    async def _attempt(
        self, claim: DeliveryClaim, job_id: int, turn: Slot, began: datetime
    ) -> tuple[AttemptOutcome, ToolResult]:
        try:
            with turn:
                return await self._call(claim)
        except asyncio.CancelledError:
            await asyncio.shield(self._finish_attempt(claim, job_id, began, INTERRUPTED))
            raise

    async def _call(self, claim: DeliveryClaim) -> tuple[AttemptOutcome, ToolResult]:
        """Return how the call ended, and a tool's response."""
        event = render_event(claim.payload, claim.delivery_id, claim.tool_result)
        body = sign_event_urls(self._settings, claim.account_id, event).encode()
        is_tool = claim.target == "tool"
        try:
            answer = await self._client.post(
                claim.url,
                body=body,
                headers=sign_headers(claim.secrets, claim.delivery_id, int(time.time()), body),
                timeout=self._settings.webhook_timeout,
                max_answer_bytes=MAX_RESPONSE_BYTES if is_tool else MAX_READ_BYTES,
            )
        except OutboundError as error:
            return INTERRUPTED if self._broken_off else AttemptOutcome(error=f"{error.code}: {error}"), NO_RESULT
        outcome = AttemptOutcome(
            status_code=answer.status,
            status_text=answer.reason[:200],
            retry_after=parse_retry_after(answer.status, answer.headers.get("retry-after"), now()),
        )
        return outcome, read_tool_result(answer) if is_tool and outcome.ok else NO_RESULT

    async def _finish_attempt(
        self,
        claim: DeliveryClaim,
        job_id: int,
        began: datetime,
        outcome: AttemptOutcome,
        seconds: float | None = None,
        tool_result: ToolResult = NO_RESULT,
    ) -> None:
        settings = self._settings
        decision = decide_retry(
            outcome,
            attempt=claim.attempt_count + 1,
            last=claim.max_attempts,
            manual=claim.manual,
            schedule=settings.webhook_retry_schedule,
            jitter=settings.webhook_retry_jitter,
            chance=random.random(),  # noqa: S311
        )
        ending = AttemptResult(
            claim.delivery_id,
            began,
            decision.status,
            decision.pause,
            outcome.ok,
            outcome.status_code,
            outcome.status_text,
            outcome.error,
            None if seconds is None else int(seconds * 1000),
            tool_result.text,
            tool_result.note,
            job_id,
        )
        if await self._record(ending):
            lets_next_go = claim.target == "tool" or (claim.in_line and decision.status != "retrying")
            if lets_next_go or (decision.status == "retrying" and decision.pause < settings.poll_interval):
                wake_workers(self._db)
            if claim.target == "tool":
                publish(self._db, claim.account_id)  # the event that waited for it can now be pulled
            DELIVERY_ATTEMPTS.labels(claim.target, "ok" if outcome.ok else "failed").observe(seconds or 0)
        else:
            await self._record_late(ending)

    async def _record(self, ending: AttemptResult) -> bool:
        """Retry until the attempt is recorded: otherwise it would be considered lost, and the receiver called again.

        A response that can't be stored is left out, because the attempt itself must not be lost.
        """
        tries = 0
        while True:
            try:
                return await self._db.batched(attempts.record_attempts, ending)
            except UNSTORABLE as error:
                if ending.tool_result is None:
                    raise
                log.error("tool response can't be stored", delivery=ending.delivery_id, error=str(error))
                ending = replace(ending, tool_result=None, note=NOT_STORED)
            except DATABASE_ERRORS as error:
                if self._broken_off:
                    log.error("delivery attempt ended without a record", delivery=ending.delivery_id, error=str(error))
                    raise
                if not tries:
                    log.warning(
                        "delivery attempt not recorded yet; retrying", delivery=ending.delivery_id, error=str(error)
                    )
                tries += 1
                await asyncio.sleep(self._settings.poll_interval)

    async def _record_late(self, ending: AttemptResult) -> None:
        """Record the response although another worker has considered the attempt lost."""
        log.warning("delivery claim expired during attempt", delivery=ending.delivery_id)
        if ending.status_code is not None:
            await attempts.record_late(self._db, ending, RECORDED_LATE)

    async def keep_claims(self) -> None:
        """Renew the claims of attempts that take long, alongside the jobs, so that nobody considers them lost."""
        lost_after = self._settings.worker_lost_after
        renew_every = lost_after / 3
        while True:
            await asyncio.sleep(renew_every)
            long_ago = time.monotonic() - renew_every
            slow = [delivery_id for delivery_id, since in self._under_way.items() if since < long_ago]
            if slow:
                try:
                    await attempts.renew_claims(self._db, slow, lost_after=lost_after)
                except DATABASE_ERRORS as error:
                    log.error("could not renew delivery claims", error=str(error))

    async def stop(self, grace: float) -> None:
        """Start nothing new, give running attempts some time, then abort them and record that."""
        self._lanes.close()
        until = time.monotonic() + grace
        while self._under_way and time.monotonic() < until:  # noqa: ASYNC110 - once, at the end of a process
            await asyncio.sleep(0.05)
        self._broken_off = True
        await self._client.close()
