"""Remove the demo: what it created is deleted, what people created stays. `docs/demo.md` explains this to users.

The demo owns its agents, review types, groups, and members, recorded when the workspace was filled, and everything that
belongs to these: reviews, chats, runs, events, and files, whoever caused them. An agent of the demo stays if people
created review types or reviews for it.

First, the demo is closed: nothing can be requested from it anymore. Then its reviews and chats are erased in small
transactions, which lock nothing else, and finally the rest. If that's interrupted, the next call continues.
"""

import asyncio
from contextlib import suppress
from typing import Final

from signoff.accounts.actors import Actor, system_actor
from signoff.accounts.audit_log import writer
from signoff.accounts.setup import find_unclaimed_owner
from signoff.accounts.usage.meter import recount_usage
from signoff.demo.availability import find_demo
from signoff.demo.errors import NoDemo
from signoff.demo.state import HAS_OWN_CONTENT, Demo, lock_demo
from signoff.platform.db import Database, Executor
from signoff.platform.sql import Sql
from signoff.reviews.assignments import unassign
from signoff.reviews.deletion import erase_reviews
from signoff.sessions.deletion import erase_sessions
from signoff.webhooks.deliveries import delete_deliveries

_BATCH_SIZE: Final = 50
_STRAGGLERS: Final = 0.5
"""Seconds in which requests end that found a review type open just before it was closed."""

_REVIEWS: Final = Sql(
    """
    select review_id from reviews where account_id = :account_id and form_id = any(:forms::text[])
    order by review_id limit {most} for update
    """,
    most=_BATCH_SIZE,
)
# A chat with one of the demo's agents stays if it includes a review of someone's own review type.
_SESSIONS: Final = Sql(
    """
    select session_id from sessions s where account_id = :account_id and agent_id = any(:agents::text[])
      and not exists (select from reviews r where (r.account_id, r.session_id) = (s.account_id, s.session_id))
    order by session_id limit {most} for update
    """,
    most=_BATCH_SIZE,
)
_DELETE_AGENTS: Final = Sql(
    """
    delete from agents a using demo_workspaces d
    where d.account_id = :account_id and a.agent_id = any(d.agents) and not {has_own_content}
    returning agent_id as id
    """,
    has_own_content=HAS_OWN_CONTENT,
)
# A member as whom someone has signed in, with a sign-in link, has become a real one.
_DELETE_PEOPLE: Final = Sql(
    """
    with people as (
        delete from users u using demo_workspaces d
        where d.account_id = :account_id and u.user_id = any(d.people)
          and u.password_hash is null and u.last_sign_in_at is null
          and not exists (select from oidc_subjects o where o.user_id = u.user_id)
        returning u.user_id
    ), sent as (
        delete from mails m using people p where m.user_id = p.user_id returning m.mail_id
    ), messages as (
        delete from outgoing_messages o using sent where o.message_id = sent.mail_id
    )
    select user_id as id from people
    """
)


async def remove_demo(db: Database, account_id: str, actor: Actor) -> None:
    """Remove the demo. Raises `NoDemo` if there is none."""
    async with db.transaction() as tx:
        demo = await lock_demo(tx, account_id)
        if demo is None:
            raise NoDemo
        if demo.is_filled:
            await _close(tx, demo)
    if demo.is_filled:  # Otherwise nothing here is the demo's.
        await asyncio.sleep(_STRAGGLERS)
        more = True
        while more:
            async with db.transaction() as tx:
                more = await _erase_batch(tx, demo)
    async with db.transaction() as tx:
        if await lock_demo(tx, account_id) is None:
            raise NoDemo  # Another process was faster.
        if demo.is_filled:
            await _erase_rest(tx, demo)
        await tx.execute(
            """
            update demo_workspaces set removed_at = now(), people = '{}', agents = '{}', forms = '{}', groups = '{}',
                key_id = null, webhook_url = null
            where account_id = $1
            """,
            account_id,
        )
        await writer.record_audit(tx, actor, "demo.removed", account_id)


async def _close(tx: Executor, demo: Demo) -> None:
    """Archive the review types, and delete the keys of the demo's program, including those of earlier starts."""
    await tx.execute("update forms set archived_at = now() where form_id = any($1) and archived_at is null", demo.forms)
    keys = await tx.fetch(
        "delete from api_keys where account_id = $1 and (key_id = $2 or created_by = 'system') returning key_id",
        demo.account_id,
        demo.key_id,
    )
    await writer.erase_entries(tx, demo.account_id, [row["key_id"] for row in keys])


async def _erase_batch(tx: Executor, demo: Demo) -> bool:
    """Erase some of the demo's reviews or, once there are none, of its chats. Returns whether there were any."""
    rows = await _REVIEWS.fetch(tx, account_id=demo.account_id, forms=demo.forms)
    if rows:
        await erase_reviews(tx, demo.account_id, [row["review_id"] for row in rows])
        return True
    rows = await _SESSIONS.fetch(tx, account_id=demo.account_id, agents=demo.agents)
    await erase_sessions(tx, demo.account_id, [row["session_id"] for row in rows])
    return bool(rows)


async def _erase_rest(tx: Executor, demo: Demo) -> None:
    account_id = demo.account_id
    # Waits for those who are creating a review type for one of these agents, which then stays.
    await tx.execute("select from agents where agent_id = any($1) order by agent_id for update", demo.agents)
    while await _erase_batch(tx, demo):
        pass
    await tx.execute("delete from forms where form_id = any($1)", demo.forms)
    agents = [row["id"] for row in await _DELETE_AGENTS.fetch(tx, account_id=account_id)]
    people = [row["id"] for row in await _DELETE_PEOPLE.fetch(tx, account_id=account_id)]
    await delete_deliveries(tx, account_id, "agent_id", agents)
    await tx.execute(
        "update agents set webhook_url = null where agent_id = any($1) and webhook_url = $2",
        demo.agents,
        demo.webhook_url,
    )
    await tx.execute("delete from groups where group_id = any($1)", demo.groups)
    await unassign(tx, account_id, [*people, *demo.groups])
    await writer.erase_entries(tx, account_id, [*demo.forms, *agents, *people, *demo.groups])
    await recount_usage(tx, account_id)


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
