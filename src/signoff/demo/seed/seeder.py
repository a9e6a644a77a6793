"""Fill the workspace: a month of work, written in one transaction, all or nothing."""

from collections.abc import Callable
from typing import Any, Final

from signoff.demo.seed.chat_rows import seed_chats
from signoff.demo.seed.content import back_office, newsroom, support_desk
from signoff.demo.seed.content.chats import CHATS
from signoff.demo.seed.deliveries import DeliverySeeder
from signoff.demo.seed.media import store_images
from signoff.demo.seed.review_rows import ReviewSeeder
from signoff.demo.seed.rows import Rows
from signoff.demo.seed.timing import Rhythm, schedule_cases
from signoff.demo.seed.workspace import DemoWorkspace, create_workspace_rows
from signoff.demo.state import lock_demo
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor
from signoff.platform.settings import Settings
from signoff.reviews.jobs import index_review

CASES: Final = (*newsroom.CASES, *support_desk.CASES, *back_office.CASES)
_DRAWN, _TOLD, _WRITTEN = 0.4, 0.6, 0.7
"""The approximate progress after each part."""


async def seed_workspace(db: Database, settings: Settings, account_id: str, progress: Callable[[float], None]) -> None:
    """Fill the workspace that is planned as a demo. One that is already filled, or removed, is left as it is.

    So is one in which someone has started working since it was planned: it's no longer a demo. Images are stored before
    the rest is committed; if that never happens, they're removed like other unused media.
    """
    async with db.transaction() as tx:
        demo = await lock_demo(tx, account_id)
        if demo is None or demo.is_filled or await _is_in_use(tx, account_id):
            return
        progress(0.0)
        pictures = await store_images(db, settings, account_id, lambda part: progress(part * _DRAWN))
        rows = Rows()
        workspace = await create_workspace_rows(tx, settings, rows, account_id, pictures)
        rhythm = Rhythm(now())
        seeder = ReviewSeeder(workspace, rows, rhythm)
        for case, requested_at in schedule_cases(CASES, rhythm):
            seeder.seed_review(case, requested_at)
        seed_chats(CHATS, seeder)
        deliveries = DeliverySeeder(workspace, rows, rhythm.now)
        deliveries.deliver_all()
        _count_usage(rows, account_id)
        progress(_TOLD)
        await rows.write(tx)
        progress(_WRITTEN)
        await _index_content(tx, rows, account_id, lambda part: progress(_WRITTEN + part * (1 - _WRITTEN)))
        await seeder.order_jobs(tx)
        await _skip_notifications(tx, workspace)
    progress(1.0)


async def _is_in_use(tx: Executor, account_id: str) -> bool:
    """Whether someone has started working, which cancels the plan. A first sign-in isn't enough: the owner may be
    waiting for the demo.
    """
    in_use = await tx.fetchval(
        """
        select exists (select from agents where account_id = $1) or exists (select from forms where account_id = $1)
            or exists (select from sessions where account_id = $1)
            or (select count(*) from users where account_id = $1) > 1
        """,
        account_id,
    )
    if in_use:
        await tx.execute("delete from demo_workspaces where account_id = $1", account_id)
    return in_use


def _count_usage(rows: Rows, account_id: str) -> None:
    """Count usage: one request for each revision, in its month; media and messages only count by size."""
    months: dict[Any, list[int]] = {}
    for row in rows.of("review_revisions"):
        count = months.setdefault(row["created_at"].date().replace(day=1), [0, 0])
        count[0] += 1
        count[1] += len(str(row["data"]))
    for month, (requests, size) in months.items():
        rows.add("usage_counts", account_id=account_id, month=month, requests=requests, bytes=size)


async def _index_content(tx: Executor, rows: Rows, account_id: str, progress: Callable[[float], None]) -> None:
    """Index reviews for search, and decisions for the memory."""
    reviews = [row["review_id"] for row in rows.of("reviews")]
    for number, review_id in enumerate(reviews, 1):
        await index_review(tx, f"{account_id}/{review_id}")
        progress(number / len(reviews))
    await tx.execute(
        """
        insert into response_facets (facet, responded_at, review_id)
        select f.facet, r.responded_at, r.review_id
        from reviews r join review_results x using (account_id, review_id)
        cross join lateral response_facets_of(r.account_id, r.form_id, r.response, x.response_values::jsonb)
            as f (facet)
        where r.account_id = $1 and r.state = 'responded'
        """,
        account_id,
    )


async def _skip_notifications(tx: Executor, workspace: DemoWorkspace) -> None:
    """Move the log reader past these entries: nobody is notified of made-up events."""
    await tx.execute(
        """
        update log_cursors set position = greatest(
            position, (select max(entry_id) from audit_log where account_id = $1)) where reader = 'notifications'
        """,
        workspace.account_id,
    )
    await tx.execute(
        """
        update demo_workspaces set filled_at = now(), people = $2, agents = $3, forms = $4, groups = $5
        where account_id = $1
        """,
        workspace.account_id,
        list(workspace.colleagues.values()),
        list(workspace.agents.values()),
        [form.form_id for form in workspace.forms.values()],
        [workspace.group_id],
    )
