"""Remove the demo: what it created is deleted in one transaction. What people created stays.

The demo owns its agents, review types, group, and members, recorded or dated when the workspace was filled, and
everything that belongs to these: reviews, chats, runs, events, and files, whoever caused them. An agent of the demo
stays if people created review types for it. `docs/demo.md` explains this to users.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import asyncpg

from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.setup import find_unclaimed_owner
from signoff.demo.availability import find_demo
from signoff.demo.errors import NoDemo
from signoff.demo.state import Demo, lock_demo
from signoff.media.references import DELETE_MEDIA_JOB
from signoff.platform.db import Database, Executor
from signoff.platform.errors import ServiceUnavailable
from signoff.platform.jobs.queue import PGQUEUER_SETTINGS as QUEUE
from signoff.platform.jobs.queue import enqueue
from signoff.platform.messages import msg

T = TypeVar("T")

_OF_REVIEW: Final = "review_id in (select id from gone_reviews)"
_OF_SESSION: Final = "session_id in (select id from gone_sessions)"

_REMOVED: Final = {
    "review_assignees": f"{_OF_REVIEW} or assignee_id = any($2)",
    "review_assignees_before": f"{_OF_REVIEW} or assignee_id = any($2)",
    "review_drafts": _OF_REVIEW,
    "review_news": _OF_REVIEW,
    "review_presence": _OF_REVIEW,
    "review_results": _OF_REVIEW,
    "review_revisions": _OF_REVIEW,
    "review_search": _OF_REVIEW,
    "review_meta": _OF_REVIEW,
    "external_reviewers": _OF_REVIEW,
    "idempotency_keys": "answer ->> 'reviewId' in (select id from gone_reviews)",
    "deliveries": f"{_OF_REVIEW} or {_OF_SESSION} or agent_id = any($2)",
    "events": f"{_OF_REVIEW} or {_OF_SESSION} or agent_id = any($2)",
    "message_media": f"message_id in (select message_id from messages where account_id = $1 and {_OF_SESSION})",  # noqa: S608
    "messages": _OF_SESSION,
    "session_people": _OF_SESSION,
    "session_typing": _OF_SESSION,
    "session_working": _OF_SESSION,
    "sessions": _OF_SESSION,
    "media_copies": _OF_REVIEW,
    "media_uses": _OF_REVIEW,
    "chat_clicks": _OF_REVIEW,
    "chat_posts": """
        post_id in (select post_id from chat_posted_reviews where account_id = $1 and review_id in
                    (select id from gone_reviews))
        and post_id not in (select post_id from chat_posted_reviews where account_id = $1 and review_id not in
                            (select id from gone_reviews))
    """,
    "chat_posted_reviews": _OF_REVIEW,
    "chat_channels": "subject_id = any($2)",
    "reviews": _OF_REVIEW,
    "batches": "batch_id not in (select batch_id from reviews where account_id = $1 and batch_id is not null)",
    "runs": "run_id in (select id from gone_runs)",
    "forms": "form_id = any($2)",
    "agents": "agent_id = any($2)",
    "groups": "group_id = any($2)",
}
"""By table, the rows of the account ($1) to delete; $2 has the IDs of the demo. Each table comes before those that
it refers to.
"""

_CHANGED: Final = ("media", "usage_counts", "usage_terms", "audit_log", "mails", "outgoing_messages")

_LOCK_TIMEOUT: Final = "400ms"
"""Shorter than PostgreSQL's deadlock timeout, so that the removal gives way, never anyone else."""
_MAX_ATTEMPTS: Final = 25
_PAUSE: Final = 0.1
_STRAGGLERS: Final = 0.5

_SIGN_IN_MAILS: Final = ("invitation", "password_reset")


@dataclass(frozen=True, slots=True)
class _DemoContent:
    """What the demo created, before anything was removed."""

    demo: Demo
    forms: list[str]
    agents: list[str]
    """The agents to delete."""
    groups: list[str]

    @property
    def ids(self) -> list[str]:
        return [*self.forms, *self.agents, *self.groups, *self.demo.people]


async def remove_demo(db: Database, account_id: str, actor: Actor) -> None:
    """Remove all of it or nothing; raises `NoDemo` if there is no demo.

    Runs twice, because a request that found one of the demo's review types just before may write its review just after.
    """
    made = await _retry_while_locked(db, lambda tx: _remove(tx, account_id, actor))
    if made is not None:
        await asyncio.sleep(_STRAGGLERS)
        await _retry_while_locked(db, lambda tx: _clear(tx, made))


async def _retry_while_locked(db: Database, work: Callable[[Executor], Awaitable[T]]) -> T:
    for _ in range(_MAX_ATTEMPTS):
        try:
            async with db.transaction() as tx:
                return await work(tx)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await asyncio.sleep(_PAUSE)
    raise ServiceUnavailable(msg("The workspace is busy right now. Try again in a few minutes."))


async def _remove(tx: Executor, account_id: str, actor: Actor) -> _DemoContent | None:
    demo = await lock_demo(tx, account_id)
    if demo is None:
        raise NoDemo
    made = None
    if demo.is_filled:  # Otherwise nothing here is the demo's.
        await _lock_tables(tx)
        made = await _find_content(tx, demo)
        await _clear(tx, made)
    await tx.execute(
        """
        update demo_workspaces set removed_at = now(), people = '{}', agents = '{}', key_id = null, webhook_url = null
        where account_id = $1
        """,
        account_id,
    )
    await writer.record_audit(tx, actor, "demo.removed", account_id)
    return made


async def _find_content(tx: Executor, demo: Demo) -> _DemoContent:
    """Find the demo's objects. The workspace was empty when it was filled, and the demo backdates its rows:
    whatever is older is the demo's.
    """
    forms = await tx.fetch(
        "select form_id from forms where account_id = $1 and created_at <= $2", demo.account_id, demo.filled_at
    )
    groups = await tx.fetch(
        "select group_id from groups where account_id = $1 and created_at <= $2", demo.account_id, demo.filled_at
    )
    agents = await tx.fetch(
        """
        select agent_id from unnest($2::text[]) as a (agent_id) where not exists (
            select from forms f where f.account_id = $1 and f.agent_id = a.agent_id and f.created_at > $3)
        """,
        demo.account_id,
        demo.agents,
        demo.filled_at,
    )
    return _DemoContent(
        demo,
        [row["form_id"] for row in forms],
        [row["agent_id"] for row in agents],
        [row["group_id"] for row in groups],
    )


async def _clear(tx: Executor, made: _DemoContent) -> None:
    account_id = made.demo.account_id
    await _lock_tables(tx)
    await _collect_ids(tx, made)
    await _delete_jobs(tx, account_id)
    await _delete_dependent_rows(tx, made)
    for table, which in _REMOVED.items():
        # Review types and links to them refer to each other's rows, so links and versions were deleted before.
        values = [account_id, made.ids] if "$2" in which else [account_id]
        await tx.execute(f"delete from {table} where account_id = $1 and ({which})", *values)  # noqa: S608
    await _remove_files(tx, account_id)
    await _detach_remaining(tx, made)
    await _delete_members_and_log(tx, made)
    await _recount_usage(tx, account_id)


async def _lock_tables(tx: Executor) -> None:
    """Block all other writes until the end; reads continue. It takes a moment, in the embedded database."""
    await tx.execute(f"set local lock_timeout = '{_LOCK_TIMEOUT}'")
    # Readers of the log have either handled an entry or find it deleted.
    await tx.fetch("select from log_cursors order by reader for update")
    await tx.execute(f"lock table {', '.join((*_REMOVED, *_CHANGED))} in exclusive mode")


async def _collect_ids(tx: Executor, made: _DemoContent) -> None:
    """Record for this transaction what belongs to the demo's objects."""
    account_id = made.demo.account_id
    for table in ("gone_reviews", "gone_sessions", "gone_runs", "gone_media", "gone_others"):
        await tx.execute(f"create temp table if not exists {table} (id text primary key) on commit drop")
        await tx.execute(f"truncate {table}")
    await tx.execute(
        "insert into gone_reviews select review_id from reviews where account_id = $1 and form_id = any($2)",
        account_id,
        made.forms,
    )
    # Delete a chat with one of the demo's agents, unless it includes a review of someone's own review type.
    await tx.execute(
        """
        insert into gone_sessions select session_id from sessions s where account_id = $1 and agent_id = any($2)
        and not exists (select from reviews r where r.account_id = $1 and r.session_id = s.session_id
                        and r.review_id not in (select id from gone_reviews))
        """,
        account_id,
        made.demo.agents,
    )
    await tx.execute(
        """
        insert into gone_runs
        select distinct run_id from reviews where account_id = $1 and run_id is not null
           and review_id in (select id from gone_reviews)
        except select run_id from reviews where account_id = $1 and review_id not in (select id from gone_reviews)
        """,
        account_id,
    )
    await tx.execute(
        f"""
        insert into gone_media
        select media_id from media m where account_id = $1
          and (exists (select from media_uses u where u.account_id = $1 and u.media_id = m.media_id
                       and u.{_OF_REVIEW})
               or exists (select from message_media x join messages y using (account_id, message_id)
                          where x.account_id = $1 and x.media_id = m.media_id and y.{_OF_SESSION}))
          and not exists (select from media_uses u where u.account_id = $1 and u.media_id = m.media_id
                          and not u.{_OF_REVIEW})
          and not exists (select from message_media x join messages y using (account_id, message_id)
                          where x.account_id = $1 and x.media_id = m.media_id and not y.{_OF_SESSION})
        """,  # noqa: S608
        account_id,
    )
    # Objects that jobs, outgoing messages, and the log refer to: deliveries, chat messages, copies of media, and posts.
    await tx.execute(
        f"""
        insert into gone_others
        select delivery_id from deliveries where account_id = $1
           and ({_OF_REVIEW} or {_OF_SESSION} or agent_id = any($2))
        union select message_id from messages where account_id = $1 and {_OF_SESSION}
        union select copy_id from media_copies where account_id = $1 and {_OF_REVIEW}
        union select post_id from chat_posts where account_id = $1 and {_REMOVED["chat_posts"]}
        union select unnest($3::text[])
        """,  # noqa: S608
        account_id,
        made.agents,
        made.ids,
    )


_REMOVED_IDS: Final = """
    (select id from gone_reviews union all select id from gone_sessions union all select id from gone_runs
     union all select id from gone_media union all select id from gone_others)
"""


async def _delete_jobs(tx: Executor, account_id: str) -> None:
    """Delete waiting jobs and messages. A running one finds nothing to do."""
    await tx.execute("delete from outgoing_messages where message_id in (select id from gone_others)")
    await tx.execute(
        f"""
        delete from {QUEUE.queue_table}
        where status = 'queued' and (
            starts_with(convert_from(payload, 'UTF8'), $1 || '/') and entrypoint <> '{DELETE_MEDIA_JOB}'
                and split_part(convert_from(payload, 'UTF8'), '/', 2) in {_REMOVED_IDS}
            or convert_from(payload, 'UTF8') in (select id from gone_others)
        )
        """,  # noqa: S608
        account_id,
    )


_DELETE_FILES: Final = enqueue(DELETE_MEDIA_JOB, "select :account_id || '/' || id, now() from gone_media")


async def _remove_files(tx: Executor, account_id: str) -> None:
    """Delete the files with the jobs that always delete media: an unreachable storage is retried.

    Files that are still being uploaded have no row yet, and are removed once they've been unused for long enough, like
    all others.
    """
    await _DELETE_FILES.execute(tx, account_id=account_id)
    await tx.execute("delete from media where account_id = $1 and media_id in (select id from gone_media)", account_id)


async def _delete_dependent_rows(tx: Executor, made: _DemoContent) -> None:
    await tx.execute("delete from response_facets where review_id in (select id from gone_reviews)")
    await tx.execute("delete from group_members where group_id = any($1)", made.groups)
    for table in ("public_submissions", "public_links", "form_versions"):
        await tx.execute(f"delete from {table} where form_id = any($1)", made.forms)  # noqa: S608


async def _detach_remaining(tx: Executor, made: _DemoContent) -> None:
    """Detach what stays from the demo: agents lose its URL, and reviews assigned only to demo members become
    unassigned.
    """
    await tx.execute(
        "update agents set webhook_url = null where account_id = $1 and agent_id = any($2) and webhook_url = $3",
        made.demo.account_id,
        made.demo.agents,
        made.demo.webhook_url,
    )
    await tx.execute(
        """
        update reviews r set assigned = false where account_id = $1 and assigned and state = 'pending'
          and not exists (select from review_assignees a where a.account_id = $1 and a.review_id = r.review_id)
          and not exists (select from external_reviewers e where e.account_id = $1 and e.review_id = r.review_id)
        """,
        made.demo.account_id,
    )


async def _delete_members_and_log(tx: Executor, made: _DemoContent) -> None:
    """Delete demo members, the program's keys, and mails and log entries about deleted objects."""
    demo = made.demo
    await tx.execute(
        """
        with deleted as (
            delete from mails m where account_id = $1 and (user_id = any($2) or exists (
                select from gone_reviews g where position(g.id in m.context::text) > 0))
            returning m.mail_id
        )
        delete from outgoing_messages o using deleted where o.message_id = deleted.mail_id
        """,
        demo.account_id,
        demo.people,
    )
    # A demo member as whom someone has signed in, with a sign-in link, has become a real one.
    await tx.execute(
        """
        delete from users u where account_id = $1 and user_id = any($2)
          and password_hash is null and last_sign_in_at is null
          and not exists (select from oidc_subjects o where o.user_id = u.user_id)
        """,
        demo.account_id,
        demo.people,
    )
    # The keys of the demo's agent are ours, including those of earlier starts.
    keys = await tx.fetch(
        "delete from api_keys where account_id = $1 and (key_id = $2 or created_by = 'system') returning key_id",
        demo.account_id,
        demo.key_id,
    )
    await tx.execute(
        f"""
        delete from audit_log where account_id = $1 and (object_id in {_REMOVED_IDS} or object_id = any($2))
            and object_id not in (select user_id from users where account_id = $1)
        """,  # noqa: S608
        demo.account_id,
        [row["key_id"] for row in keys],
    )


async def _recount_usage(tx: Executor, account_id: str) -> None:
    """Recalculate usage for what stays. A worker saves the plan and the seats, which no longer include demo members."""
    await tx.execute("delete from usage_terms where account_id = $1", account_id)
    await tx.execute("delete from usage_counts where account_id = $1", account_id)
    await tx.execute(
        """
        insert into usage_counts (account_id, month, requests, bytes)
        select account_id, date_trunc('month', created_at at time zone 'UTC')::date, count(*),
               sum(octet_length(data::text))
        from review_revisions where account_id = $1 group by 1, 2
        """,
        account_id,
    )


async def remove_unused_demo(db: Database) -> None:
    """Leave the workspace as if there had never been a demo, unless someone has signed in."""
    account_id = await find_demo(db)
    if account_id is None or await find_unclaimed_owner(db) is None:
        return
    with suppress(NoDemo):  # Another process was faster.
        await remove_demo(db, account_id, system_actor(account_id, "command line"))
    # Its row would keep the account; a workspace that someone has set up never becomes a demo.
    await db.execute(
        """
        delete from demo_workspaces where account_id = $1 and removed_at is not null
          and not exists (select 1 from users where account_id = $1 and last_sign_in_at is not null)
        """,
        account_id,
    )
