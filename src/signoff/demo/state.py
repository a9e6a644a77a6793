"""Whether a workspace is a demo: one row, which stays when the demo is removed, so that it isn't offered again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from signoff.demo.schemas import DemoState, OwnWork
from signoff.platform.db import Executor
from signoff.platform.sql import Sql

CREATION_TIMEOUT: Final = "interval '10 minutes'"
# For the agent `a` and the demo `d`: whether people created review types, or reviews of these, for it.
HAS_OWN_CONTENT: Final = """
    (exists (select from forms f where f.agent_id = a.agent_id and f.form_id <> all(d.forms))
     or exists (select from reviews r where r.account_id = d.account_id and r.agent_id = a.agent_id
                and r.form_id <> all(d.forms)))
"""


@dataclass(frozen=True, slots=True)
class Demo:
    """A planned or filled demo that hasn't been removed."""

    account_id: str
    filled_at: datetime | None
    people: list[str]
    """User IDs of the demo members."""
    agents: list[str]
    forms: list[str]
    groups: list[str]
    key_id: str | None
    webhook_url: str | None

    @property
    def is_filled(self) -> bool:
        return self.filled_at is not None


async def lock_demo(tx: Executor, account_id: str) -> Demo | None:
    """Lock the account's demo for this transaction: a concurrent fill or removal waits."""
    row = await tx.fetchrow(
        """
        select account_id, filled_at, people, agents, forms, groups, key_id, webhook_url from demo_workspaces
        where account_id = $1 and removed_at is null for update
        """,
        account_id,
    )
    return None if row is None else Demo(**row)


_READ_STATE: Final = Sql(
    """
    select filled_at is not null as is_filled,
        (select count(*) from agents a where a.account_id = d.account_id and a.deleted_at is null
           and (a.agent_id <> all(d.agents) or {has_own_content})) as agents,
        (select count(*) from forms f where f.account_id = d.account_id
           and f.form_id <> all(d.forms)) as review_types,
        (select count(*) from forms f where f.form_id = any(d.forms) and f.version > 1) as edited
    from demo_workspaces d
    where account_id = :account_id and removed_at is null
      and (filled_at is not null or planned_at > now() - {creation_timeout})
    """,
    has_own_content=HAS_OWN_CONTENT,
    creation_timeout=CREATION_TIMEOUT,
)


async def read_state(db: Executor, account_id: str) -> DemoState:
    """Read the state. A plan that wasn't carried out within a while isn't worth waiting for."""
    row = await _READ_STATE.fetch_one(db, account_id=account_id)
    if row is None:
        return DemoState(state="none")
    if not row["is_filled"]:
        return DemoState(state="filling")
    own = OwnWork(agents=row["agents"], review_types=row["review_types"], edited_review_types=row["edited"])
    return DemoState(state="ready", own=own)


def describe_removal(demo: DemoState) -> str:
    """Return the question to confirm before it's removed."""
    question = (
        "Remove the demo's agents, review types, reviews, chats, group, and colleagues? Everything you created stays, "
        "including its reviews."
    )
    if demo.own is None or not demo.own.edited_review_types:
        return question
    return f"{question} Demo review types that you edited will also be deleted ({demo.own.edited_review_types})."
