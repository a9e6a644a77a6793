"""Whether a workspace is a demo: one row, which stays when the demo is removed, so that it is not offered twice."""

from dataclasses import dataclass

from signoff.demo.schemas import DemoState
from signoff.platform.db import Executor


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo that was planned and not removed."""

    account_id: str
    is_filled: bool
    people: list[str]
    """User IDs of the colleagues who were made up."""
    agents: list[str]
    key_id: str | None


async def hold_demo(tx: Executor, account_id: str) -> Demo | None:
    """The account's demo, for this transaction alone: who fills or removes it at the same moment waits."""
    row = await tx.fetchrow(
        """
        select account_id, filled_at is not null as is_filled, people, agents, key_id from demo_workspaces
        where account_id = $1 and removed_at is null for update
        """,
        account_id,
    )
    return None if row is None else Demo(**row)


async def read_state(db: Executor, account_id: str) -> DemoState:
    filled = await db.fetchval(
        "select filled_at is not null from demo_workspaces where account_id = $1 and removed_at is null", account_id
    )
    if filled is None:
        return DemoState(state="none", done=0.0)
    # It is filled in one transaction: until that is over, nobody else sees anything of it.
    return DemoState(state="ready", done=1.0) if filled else DemoState(state="filling", done=0.0)
