"""The worker's side of a post: one job reads the current state of its review, and creates or updates the post.

Whatever order jobs run in, the last state is shown: a job first claims the post, then reads, then calls the app;
another one waits for it and reads again. No call is made inside a transaction.

A post is created once, as far as the app allows it. `posting_at` is written before the call. If a job finds it without
`posted_at`, it's unknown whether the app has the post, so the job asks the app. If the app can't tell, the post counts
as created: better none than two.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from signoff.notifications.chat_apps.adapter import (
    ChannelError,
    ChatApp,
    ChatAppError,
    ChatAppRateLimited,
    ChatAppUnreachable,
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
from signoff.notifications.chat_apps.post_planner import LEFT, POST_JOB
from signoff.platform.db import Database, Executor, Row
from signoff.platform.jobs.queue import enqueue_sql, wake_workers
from signoff.platform.jobs.runner import RetryLater
from signoff.platform.logs import get_logger
from signoff.platform.settings import Settings

log = get_logger("chat apps")

CALLS_OF_ONE_JOB: Final = 3


@dataclass(frozen=True, slots=True)
class _Claim:
    post: Row
    until: datetime

    @property
    def post_id(self) -> str:
        return self.post["post_id"]


class PostJob:
    def __init__(self, db: Database, settings: Settings, apps: Mapping[str, ChatApp]) -> None:
        self._db = db
        self._settings = settings
        self._apps = apps

    async def show(self, post_id: str, _: int) -> bool:
        """The job. It leaves the post in a correct state, whatever state it was in, and also if it runs twice."""
        claim = await self._claim(post_id)
        if claim is None:
            return False  # the app was disconnected in the meantime
        try:
            await self._show(claim)
        except BaseException:
            await self._release(claim, queued=True)  # the job isn't finished and runs again
            raise
        return False

    async def _claim(self, post_id: str) -> _Claim | None:
        """Claim the post for longer than one job's few calls can take: after that, the job that claimed it must be
        dead.
        """
        row = await self._db.fetchrow(
            """
            update chat_posts set claimed_until = clock_timestamp() + make_interval(secs => $2), queued = false
            where post_id = $1 and (claimed_until is null or claimed_until < clock_timestamp())
            returning *
            """,
            post_id,
            CALLS_OF_ONE_JOB * self._settings.chat_app_timeout + 5,
        )
        if row is not None:
            return _Claim(row, row["claimed_until"])
        if await self._db.fetchval("select exists (select from chat_posts where post_id = $1)", post_id):
            raise RetryLater(self._settings.poll_interval)
        return None

    async def _release(self, claim: _Claim, *, queued: bool = False) -> None:
        await self._db.execute(
            """
            update chat_posts set claimed_until = null, queued = $3 or queued
            where post_id = $1 and claimed_until = $2
            """,
            claim.post_id,
            claim.until,
            queued,
        )

    async def _show(self, claim: _Claim) -> None:
        post, app = claim.post, self._apps[claim.post["app"]]
        connection = await get_connection(self._db, post["account_id"], app.name)
        if connection is None or connection.refused:
            await self._release(claim)  # outdated posts are updated after the next connect
            return
        if connection.paused_for > 0:
            raise RetryLater(connection.paused_for)
        card = await build_card(self._db, self._settings, post, app, connection.connection)
        try:
            await self._bring_up_to_date(claim, app, connection.connection, card)
        except ChatAppRateLimited as error:
            await pause_connection(self._db, connection.connection, error.pause)
            raise RetryLater(error.pause) from None
        except CredentialsRejected as error:
            log.warning("a chat app refuses", app=app.name, account=post["account_id"], code=error.code)
            await record_rejection(self._db, connection.connection, error)
            await self._release(claim)
        except ChannelError as error:
            log.warning("a channel takes no posts", app=app.name, account=post["account_id"], code=error.code)
            await record_channel_error(self._db, connection.connection, post["channel"], error)
            await self._release(claim)
        except (PostDeleted, PostRejected) as error:
            log.warning("a post is let be", app=app.name, post=claim.post_id, code=error.code, why=str(error))
            await self._record(claim, shown=LEFT)
        except (ChatAppUnreachable, PostOutcomeUnknown) as error:
            await self._try_again(claim, connection.connection, error)

    async def _bring_up_to_date(self, claim: _Claim, app: ChatApp, connection: Connection, card: Card) -> None:
        post = claim.post
        if post["shown"] in {card.digest, LEFT}:
            await self._record(claim, shown=post["shown"])
        elif post["posted_at"] is None:
            await self._create_post(claim, app, connection, card)
        elif connection.can_update:
            await app.update(connection, post["ref"], card)
            await self._record_success(claim, connection, card)
        elif card.ended:
            await self._follow_up(claim, app, connection, card)
        else:
            await self._record(claim, shown=post["shown"])

    async def _create_post(self, claim: _Claim, app: ChatApp, connection: Connection, card: Card) -> None:
        post = claim.post
        if post["posting_at"] is not None:
            try:
                ref = await app.find(connection, post["channel"], card, post["posting_at"])
            except PostLookupUnsupported as error:
                log.warning("whether a post was made is not known", app=app.name, post=claim.post_id, why=str(error))
                await self._treat_as_posted(claim, app, connection, card)
                return
            if ref is not None:
                await self._note_found(claim, ref)
                await app.update(connection, ref, card)
                await self._record_success(claim, connection, card)
                return
        if card.ended:
            await self._record(claim, shown=LEFT)  # it was over before anyone could be notified
            return
        if not await self._mark(claim, posting=True):
            raise RetryLater(self._settings.poll_interval)  # it took too long, and another job holds the post now
        try:
            ref = await app.post(connection, post["channel"], card)
        except PostOutcomeUnknown:
            raise
        except ChatAppError:
            await self._mark(claim, posting=False)
            raise
        await self._record_success(claim, connection, card, ref=ref)

    async def _treat_as_posted(self, claim: _Claim, app: ChatApp, connection: Connection, card: Card) -> None:
        """Treat the post as created. A post that can't be found can't be edited either, but a follow-up can still
        say that its review has ended.
        """
        if connection.can_update:
            await self._record(claim, shown=LEFT, posted=True)
            return
        await self._note_found(claim, "")
        if card.ended:
            await self._follow_up(claim, app, connection, card)
        else:
            await self._record(claim, shown=card.digest, posted=True)

    async def _follow_up(self, claim: _Claim, app: ChatApp, connection: Connection, card: Card) -> None:
        """Mark it before the call: a follow-up can't be searched for, and must not appear twice."""
        if not await self._mark_shown(claim, card.digest):
            raise RetryLater(self._settings.poll_interval)
        try:
            await app.follow_up(connection, claim.post["channel"], card)
        except PostOutcomeUnknown:
            log.warning("whether a follow-up was posted is not known", app=app.name, post=claim.post_id)
        except ChatAppError:
            await self._mark_shown(claim, claim.post["shown"])
            raise
        await self._record_success(claim, connection, card)

    async def _mark(self, claim: _Claim, *, posting: bool) -> bool:
        """Return whether this job still holds the claim; if not, nothing was marked."""
        marked = await self._db.fetchval(
            """
            update chat_posts set posting_at = case when $3 then clock_timestamp() end
            where post_id = $1 and claimed_until = $2 returning post_id
            """,
            claim.post_id,
            claim.until,
            posting,
        )
        return marked is not None

    async def _mark_shown(self, claim: _Claim, shown: str | None) -> bool:
        """Return whether this job still holds the claim; if not, nothing was marked."""
        marked = await self._db.fetchval(
            "update chat_posts set shown = $3 where post_id = $1 and claimed_until = $2 returning post_id",
            claim.post_id,
            claim.until,
            shown,
        )
        return marked is not None

    async def _note_found(self, claim: _Claim, ref: str) -> None:
        await self._db.execute(
            "update chat_posts set ref = $3, posted_at = now() where post_id = $1 and claimed_until = $2",
            claim.post_id,
            claim.until,
            ref,
        )

    async def _record_success(
        self, claim: _Claim, connection: Connection, card: Card, *, ref: str | None = None
    ) -> None:
        await self._record(claim, shown=card.digest, ref=ref, posted=True)
        await clear_channel_error(self._db, connection, claim.post["channel"])

    async def _record(self, claim: _Claim, *, shown: str | None, ref: str | None = None, posted: bool = False) -> None:
        """Record that it shows the state that was wanted when it was claimed, or a later one."""
        await self._db.execute(
            """
            update chat_posts set
                shown = $3, ref = coalesce($4, ref), done = greatest(done, $6), attempts = 0, claimed_until = null,
                posted_at = case when $5 then coalesce(posted_at, now()) else posted_at end
            where post_id = $1 and claimed_until = $2
            """,
            claim.post_id,
            claim.until,
            shown,
            ref,
            posted,
            claim.post["wanted"],
        )

    async def _try_again(self, claim: _Claim, connection: Connection, error: ChatAppError) -> None:
        attempts: int = claim.post["attempts"]
        schedule = self._settings.chat_app_retry_schedule
        await self._db.execute("update chat_posts set attempts = attempts + 1 where post_id = $1", claim.post_id)
        log.warning("a chat app could not be reached", app=connection.app, post=claim.post_id, why=str(error))
        if attempts < len(schedule):
            raise RetryLater(schedule[attempts]) from None
        await record_channel_error(self._db, connection, claim.post["channel"], error)
        await self._release(claim)


async def retry_stale_posts(tx: Executor, account_id: str, app: str) -> None:
    """Once the app accepts posts again, update those that couldn't be edited in the meantime. Rows are locked in
    the same order as in planning.
    """
    await tx.execute(
        f"""
        with those as (
            select post_id from chat_posts
            where account_id = $1 and app = $2 and done < wanted and coalesce(posted_at, posting_at) is not null
              and not queued
            order by post_id for update
        ), behind as (
            update chat_posts p set queued = true, attempts = 0 from those where p.post_id = those.post_id
            returning p.post_id
        )
        {enqueue_sql(POST_JOB, "select post_id, now() from behind")}
        """,  # noqa: S608
        account_id,
        app,
    )
    wake_workers(tx)


async def clean_up_posts(db: Database) -> None:
    """Retry posts that are outdated; delete those older than three months, and processed clicks."""
    await db.execute(
        f"""
        with those as (
            select p.post_id from chat_posts p join chat_connections c using (account_id, app)
            where c.state = 'connected'
              and p.done < p.wanted and coalesce(p.posted_at, p.posting_at) is not null and not p.queued
              and p.touched_at between now() - interval '3 days' and now() - interval '10 minutes'
            order by p.post_id for update of p
        ), behind as (
            update chat_posts p set queued = true, attempts = 0 from those where p.post_id = those.post_id
            returning p.post_id
        )
        {enqueue_sql(POST_JOB, "select post_id, now() from behind")}
        """  # noqa: S608
    )
    await db.execute(
        """
        with old as (
            select post_id from chat_posts p
            where p.created_at < now() - interval '90 days' and p.touched_at < now() - interval '30 days'
              and not exists (
                  select from chat_posted_reviews x join reviews r using (account_id, review_id)
                  where x.post_id = p.post_id and r.state = 'pending')
            order by post_id for update
        )
        delete from chat_posts p using old where p.post_id = old.post_id
        """
    )
    await db.execute("delete from chat_clicks where created_at < now() - interval '7 days'")
