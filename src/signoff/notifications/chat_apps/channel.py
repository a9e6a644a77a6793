"""Chat posts as outgoing messages: an attempt compares a post with its review, and creates or updates it.

Updating a post twice is harmless; creating it twice isn't. If an earlier attempt may have created it, the app is asked.
If the app can't tell, the post counts as created: better none than two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from signoff.notifications.chat_apps.adapter import (
    ChannelError,
    ChatApp,
    ChatAppError,
    ChatAppRateLimited,
    Connection,
    CredentialsRejected,
    PostDeleted,
    PostLookupUnsupported,
    PostOutcomeUnknown,
    PostRejected,
)
from signoff.notifications.chat_apps.card_builder import build_card
from signoff.notifications.chat_apps.cards import Card
from signoff.notifications.chat_apps.connection_status import (
    clear_channel_error,
    get_connection,
    pause_connection,
    record_channel_error,
    record_rejection,
)
from signoff.notifications.chat_apps.posts import LEFT, POST_CHANNEL, Post, PostChange, read_post, record_changes
from signoff.platform.db import Database, Executor
from signoff.platform.logs import get_logger
from signoff.platform.outbox.retry_policy import SENT, AttemptOutcome, RetryPolicy
from signoff.platform.outbox.sender import FinishedAttempt, MessageGone, OutgoingMessage, Postponed
from signoff.platform.settings import Settings

log = get_logger("chat apps")

UPDATE_PAUSE: Final = 3600.0
UPDATE_RETRIES: Final = 72
"""After the schedule, updates of a post are retried every hour for three days. A new post isn't: it'd come too late."""
_RETRY_NOW: Final = AttemptOutcome(at_once=True, counts=False)


class PostChannel:
    name = POST_CHANNEL
    at_most_once = False
    destination_concurrency: int | None

    def __init__(self, db: Database, settings: Settings, apps: Mapping[str, ChatApp]) -> None:
        self._db = db
        self._settings = settings
        self._apps = apps
        self.concurrency = self.destination_concurrency = settings.chat_concurrency
        self.policy = RetryPolicy((*settings.chat_app_retry_schedule, *[UPDATE_PAUSE] * UPDATE_RETRIES))

    async def send(self, message: OutgoingMessage) -> AttemptOutcome:
        post = await read_post(self._db, message.message_id)
        status = post and await get_connection(self._db, post.account_id, post.app)
        if post is None or status is None:
            raise MessageGone  # the app was disconnected
        may_exist = message.handed_over_at is not None
        if status.refused:  # outdated posts are updated after the next connect
            return AttemptOutcome(error="The app rejects the credentials.", permanent=True, ask_first=may_exist)
        if status.paused_for > 0:
            raise Postponed(status.paused_for)
        app, connection = self._apps[post.app], status.connection
        card = await build_card(self._db, self._settings, post, app, connection)
        try:
            if message.handed_over_at is not None:
                return await self._find(app, connection, post, card, message.handed_over_at)
            return await self._show(app, connection, post, card, message)
        except ChatAppError as error:
            log.warning("post not sent", app=app.name, post=post.post_id, code=error.code, why=str(error))
            return await self._handle_error(error, connection, post, message)

    async def settle(self, tx: Executor, attempts: Sequence[FinishedAttempt]) -> None:
        await record_changes(tx, [attempt.outcome.result for attempt in attempts if attempt.outcome.result is not None])

    async def _show(
        self, app: ChatApp, connection: Connection, post: Post, card: Card, message: OutgoingMessage
    ) -> AttemptOutcome:
        ref = None
        if post.shown in {card.digest, LEFT}:
            return SENT
        if post.posted_at is None:
            if card.ended:  # it was over before anyone could be notified
                return AttemptOutcome(result=PostChange(post.post_id, LEFT))
            await _hand_over(message)
            ref = await app.post(connection, post.channel, card)
        elif connection.can_update:
            await app.update(connection, post.ref or "", card)
        elif card.ended:
            await _hand_over(message)
            await app.follow_up(connection, post.channel, card)
        else:
            return SENT
        await clear_channel_error(self._db, connection, post.channel)
        return AttemptOutcome(result=PostChange(post.post_id, card.digest, ref))

    async def _find(
        self, app: ChatApp, connection: Connection, post: Post, card: Card, since: datetime
    ) -> AttemptOutcome:
        """Ask the app whether it has the post. The next attempt goes on from there."""
        try:
            ref = await app.find(connection, post.channel, card, since)
        except PostLookupUnsupported as error:
            log.warning("post may not have arrived", app=app.name, post=post.post_id, why=str(error))
            # A post that can't be found can't be edited either, but a follow-up can still say how its review ended.
            is_followed_up = post.posted_at is not None or not card.ended
            shown = LEFT if connection.can_update else card.digest if is_followed_up else None
            change = PostChange(post.post_id, shown, post.ref or "")
            return replace(_RETRY_NOW, error=f"Couldn't check whether the post arrived: {error}", result=change)
        if ref is None:
            return replace(_RETRY_NOW, error="The post didn't arrive.")
        change = PostChange(post.post_id, None, ref)
        return replace(_RETRY_NOW, error="The post arrived, but the app's response was lost.", result=change)

    async def _handle_error(
        self, error: ChatAppError, connection: Connection, post: Post, message: OutgoingMessage
    ) -> AttemptOutcome:
        ask_first = message.handed_over_at is not None or isinstance(error, PostOutcomeUnknown)
        outcome = AttemptOutcome(error=str(error), ask_first=ask_first)
        match error:
            case ChatAppRateLimited():
                await pause_connection(self._db, connection, error.pause)
                return replace(outcome, retry_after=error.pause, counts=False)
            case CredentialsRejected():
                await record_rejection(self._db, connection, error)
                return replace(outcome, permanent=True)
            case PostDeleted() | PostRejected():
                return replace(outcome, permanent=True, result=PostChange(post.post_id, LEFT))
            case _:
                retries = len(self._settings.chat_app_retry_schedule)
                if not isinstance(error, ChannelError) and message.attempt_count < retries:
                    return outcome
                await record_channel_error(self._db, connection, post.channel, error)
                is_new = post.posted_at is None and not ask_first
                return replace(outcome, permanent=is_new, retry_after=UPDATE_PAUSE)


async def _hand_over(message: OutgoingMessage) -> None:
    if not await message.hand_over():
        raise Postponed(0)  # the app was disconnected, or the claim has expired
