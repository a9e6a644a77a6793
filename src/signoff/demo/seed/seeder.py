"""Fill the workspace: a month of work, done by the services, in one transaction."""

from collections.abc import Callable
from functools import partial
from typing import Final

from signoff.agents.actions import update_agent
from signoff.agents.schemas import AgentChange
from signoff.demo.seed.content import back_office, newsroom, support_desk
from signoff.demo.seed.content.chats import CHATS
from signoff.demo.seed.content.users import COLLEAGUES
from signoff.demo.seed.deliveries import deliver_all
from signoff.demo.seed.history import History
from signoff.demo.seed.media import store_images
from signoff.demo.seed.stories import Stories
from signoff.demo.seed.timing import Rhythm, schedule_cases
from signoff.demo.seed.workspace import OPENED, DemoWorkspace, find_owner, open_workspace
from signoff.demo.state import lock_demo
from signoff.platform.clock import now
from signoff.platform.db import Database, Executor
from signoff.platform.settings import Settings

CASES: Final = (*newsroom.CASES, *support_desk.CASES, *back_office.CASES)
_DRAWN, _PLAYED, _DELIVERED = 0.3, 0.8, 0.95
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
        rhythm = Rhythm(now())
        async with History.open(db, tx) as history:
            workspace = DemoWorkspace(history, settings, account_id, pictures, await find_owner(tx, account_id))
            await _play_month(workspace, rhythm, lambda part: progress(_DRAWN + part * (_PLAYED - _DRAWN)))
            await deliver_all(workspace, rhythm.now)
            progress(_DELIVERED)
            await history.do(rhythm.now, partial(_detach_webhooks, workspace))
        await _mark_as_filled(tx, workspace)
    progress(1.0)


async def _play_month(workspace: DemoWorkspace, rhythm: Rhythm, progress: Callable[[float], None]) -> None:
    stories = Stories(workspace, rhythm)
    stories.start(rhythm.now - OPENED, open_workspace(workspace, rhythm.now))
    for case, requested_at in schedule_cases(CASES, rhythm):
        stories.start_review(case, requested_at)
    for chat in CHATS:
        stories.start_chat(chat)
    await stories.play(progress)


async def _detach_webhooks(workspace: DemoWorkspace) -> None:
    """The demo's program sets its own URL when it starts."""
    for agent_id in workspace.agents.values():
        await update_agent(
            workspace.caller(workspace.system), agent_id, AgentChange.model_validate({"webhookUrl": None})
        )


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


async def _mark_as_filled(tx: Executor, workspace: DemoWorkspace) -> None:
    """Also move the log reader past the history: nobody is notified of made-up events."""
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
        [workspace.people[name].id for name in COLLEAGUES],
        list(workspace.agents.values()),
        [form.form_id for form in workspace.forms.values()],
        list(workspace.groups.values()),
    )
