"""The audit log: who did what, when, and from where, written in the transaction of the change.

An entry is also what wakes those who wait for a change: readers of the log, browsers of the account, and whoever waits
for the object.
"""

from collections.abc import Sequence
from typing import Any, Final

from signoff.accounts.actors import Actor
from signoff.platform.db import Executor
from signoff.platform.event_log import EventLog
from signoff.platform.pubsub import account_topic, publish
from signoff.platform.sql import Sql

AUDIT_LOG_TOPIC: Final = "audit_log"
"""The topic for new entries of any account."""

INSERT_ENTRY: Final = Sql(
    """
    insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id, details, ip, request_id)
    values (:account_id, :actor_kind, :actor_id, :actor_name, :action, :object_id, :details, :ip, :request_id)
    """
).then(lambda db, entry: publish_entry(db, entry["account_id"], entry["object_id"]))


def publish_entry(db: Executor, account_id: str, object_id: str) -> None:
    """Wake those who wait. Statements with `INSERT_ENTRY` do this themselves."""
    publish(db, AUDIT_LOG_TOPIC, account_topic(account_id), object_id)


def audit_entry(actor: Actor, action: str, object_id: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters of `INSERT_ENTRY`, which can be the last part of a statement that writes something else."""
    return {
        "account_id": actor.account_id,
        "actor_kind": actor.kind,
        "actor_id": actor.id,
        "actor_name": actor.name,
        "action": action,
        "object_id": object_id,
        "details": details,
        "ip": actor.ip,
        "request_id": actor.request_id,
    }


def follow_audit_log() -> EventLog:
    """Return the end of the log as this process knows it, for all its readers."""
    return EventLog("audit_log", "audit_log_entry_id_seq")


async def record_audit(
    tx: Executor, actor: Actor, action: str, object_id: str, details: dict[str, Any] | None = None
) -> None:
    """Write an entry. `tx` is the transaction of the change. `details` never contains a secret."""
    await INSERT_ENTRY.execute(tx, **audit_entry(actor, action, object_id, details))


async def erase_entries(tx: Executor, account_id: str, object_ids: Sequence[str]) -> None:
    """Delete the entries about objects that are deleted without a trace."""
    await tx.execute("delete from audit_log where account_id = $1 and object_id = any($2)", account_id, object_ids)
