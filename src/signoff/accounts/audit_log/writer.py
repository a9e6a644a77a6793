"""The audit log: who did what, when, and from where, written in the transaction of the change."""

from typing import Any

from signoff.accounts.actors import Actor
from signoff.platform.db import Executor

COLUMNS = "account_id, actor_kind, actor_id, actor_name, action, object_id, details, ip, request_id"


def audit_row(actor: Actor, action: str, object_id: str, details: dict[str, Any] | None = None) -> tuple[Any, ...]:
    """Return the values of one row in the order of `COLUMNS`, for a statement that also writes something else."""
    return (
        actor.account_id,
        actor.kind,
        actor.id,
        actor.name,
        action,
        object_id,
        details,
        actor.ip,
        actor.request_id,
    )


async def record_audit(
    tx: Executor, actor: Actor, action: str, object_id: str, details: dict[str, Any] | None = None
) -> None:
    """Write an entry. `tx` is the transaction of the change. `details` never contains a secret."""
    await tx.execute(
        f"insert into audit_log ({COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",  # noqa: S608
        *audit_row(actor, action, object_id, details),
    )
