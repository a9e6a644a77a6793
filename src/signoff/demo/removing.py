"""Removing the demo: the account is emptied, in one transaction, but for the people who can sign in and their keys."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import asyncpg

from signoff.accounts import audit
from signoff.accounts.actors import Actor
from signoff.demo.errors import NoDemo
from signoff.demo.state import Demo, hold_demo
from signoff.media.uses import REMOVE
from signoff.platform.db import Database, Executor
from signoff.platform.errors import Unavailable
from signoff.platform.queue import SETTINGS as QUEUE
from signoff.platform.queue import enqueue

EMPTIED: Final = (
    "review_assignees",
    "review_assignees_before",
    "review_drafts",
    "review_news",
    "review_presence",
    "review_results",
    "review_revisions",
    "review_search",
    "external_reviewers",
    "idempotency_keys",
    "deliveries",
    "events",
    "message_media",
    "messages",
    "session_people",
    "session_typing",
    "session_working",
    "sessions",
    "runs",
    "media_copies",
    "media_uses",
    "media",
    "reviews",
    "forms",
    "agents",
    "saved_views",
    "absences",
    "notified_people",
    "groups",
    "chat_clicks",
    "chat_posted_reviews",
    "chat_posts",
    "chat_channel_troubles",
    "chat_channels",
    "chat_connections",
    "usage_counts",
    "usage_terms",
)
"""Tables that lose every row of the account, each before those that it refers to."""

_PATIENCE: Final = "400ms"
"""Shorter than the time after which the database looks for deadlocks: it is us who give way, and nobody else."""
_TRIES: Final = 25
_PAUSE: Final = 0.1
_STRAGGLERS: Final = 0.5

_ABOUT_SIGNING_IN: Final = ("invitation", "password_reset")


async def remove_demo(db: Database, account_id: str, actor: Actor) -> None:
    """All of it, or nothing; raises `NoDemo` if there is none. Who calls it wakes the workers: jobs remove the files.

    Whatever others write in the account at the same moment is written before, and goes too, or finds nothing any more.
    Who had found what they need a moment before may write a moment later: so it is emptied once more.
    """
    demo = await _patiently(db, lambda tx: _remove(tx, account_id, actor))
    if demo.is_filled:
        await asyncio.sleep(_STRAGGLERS)
        await _patiently(db, lambda tx: _empty(tx, demo))


async def _patiently(db: Database, work: Callable[[Executor], Awaitable[Demo]]) -> Demo:
    for _ in range(_TRIES):
        try:
            async with db.transaction() as tx:
                return await work(tx)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await asyncio.sleep(_PAUSE)
    raise Unavailable("The workspace is too busy to be emptied. Try again in a while.")


async def _remove(tx: Executor, account_id: str, actor: Actor) -> Demo:
    demo = await hold_demo(tx, account_id)
    if demo is None:
        raise NoDemo
    if demo.is_filled:  # Else nothing here is the demo's.
        await _empty(tx, demo)
    await tx.execute(
        """
        update demo_workspaces set removed_at = now(), people = '{}', agents = '{}', key_id = null, webhook_url = null
        where account_id = $1
        """,
        account_id,
    )
    await audit.record(tx, actor, "demo.removed", account_id)
    return demo


async def _empty(tx: Executor, demo: Demo) -> Demo:
    await _shut_others_out(tx)
    await _forget_jobs(tx, demo.account_id)
    await _remove_files(tx, demo.account_id)
    await _empty_what_names_no_account(tx, demo.account_id)
    for table in EMPTIED:
        await tx.execute(f"delete from {table} where account_id = $1", demo.account_id)  # noqa: S608
    await _thin_out(tx, demo)
    return demo


async def _shut_others_out(tx: Executor) -> None:
    """Nobody writes from here to the end; reading goes on. It takes a moment, in a database of our own."""
    await tx.execute(f"set local lock_timeout = '{_PATIENCE}'")
    # Who follows the log, to tell people of what is new, has planned for an entry or finds it gone.
    await tx.fetchval("select position from followed_log where one for update")
    await tx.execute(f"lock table {', '.join((*EMPTIED, 'audit_log', 'mails'))} in exclusive mode")


async def _forget_jobs(tx: Executor, account_id: str) -> None:
    """Those that wait. One that is under way finds nothing to do."""
    await tx.execute(
        f"""
        delete from {QUEUE.queue_table}
        where status = 'queued' and (
            starts_with(convert_from(payload, 'UTF8'), $1 || '/') and entrypoint <> '{REMOVE}'
            or convert_from(payload, 'UTF8') in (select delivery_id from deliveries where account_id = $1)
        )
        """,  # noqa: S608
        account_id,
    )


async def _remove_files(tx: Executor, account_id: str) -> None:
    """By the jobs that remove media at other times too: a storage that is out of reach is tried again.

    What is still arriving has no row of media yet, and goes when it was forgotten for long enough, as elsewhere.
    """
    media = "select account_id || '/' || media_id, now() from media where account_id = $1"
    await tx.execute(enqueue(REMOVE, media), account_id)


async def _empty_what_names_no_account(tx: Executor, account_id: str) -> None:
    of_forms = "form_id in (select form_id from forms where account_id = $1)"
    for rows in (
        "response_facets where review_id in (select review_id from reviews where account_id = $1)",
        f"public_submissions where {of_forms}",
        "group_members where group_id in (select group_id from groups where account_id = $1)",
    ):
        await tx.execute(f"delete from {rows}", account_id)  # noqa: S608
    # Review types and links to them refer to each other's rows, so what names review types goes first.
    await tx.execute("delete from public_links where account_id = $1", account_id)
    await tx.execute(f"delete from form_versions where {of_forms}", account_id)  # noqa: S608


async def _thin_out(tx: Executor, demo: Demo) -> None:
    """What stays of the log: the account itself, who came, and which keys they made."""
    await tx.execute(
        "delete from mails where account_id = $1 and (kind <> all($2) or user_id = any($3))",
        demo.account_id,
        list(_ABOUT_SIGNING_IN),
        demo.people,
    )
    # One whom somebody has played, by a link for signing in, has become a person.
    await tx.execute(
        """
        delete from users u where account_id = $1 and user_id = any($2)
          and password_hash is null and last_sign_in_at is null
          and not exists (select from oidc_subjects o where o.user_id = u.user_id)
        """,
        demo.account_id,
        demo.people,
    )
    # The small program's keys are the service's own, this one and those of earlier starts.
    await tx.execute(
        "delete from api_keys where account_id = $1 and (key_id = $2 or created_by = 'system')",
        demo.account_id,
        demo.key_id,
    )
    await tx.execute(
        """
        delete from audit_log where account_id = $1 and object_id <> $1
            and object_id not in (select user_id from users where account_id = $1)
            and object_id not in (select key_id from api_keys where account_id = $1)
        """,
        demo.account_id,
    )
