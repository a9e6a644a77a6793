"""Prepare the demo's agent: fill the workspace, and provide a key, a URL, and secrets.

The agent gets all of it in its environment and nothing else from us: it's a program that only knows HTTP.
"""

import json
import os
import socket
from collections.abc import Callable, Mapping

from signoff.accounts.actors import DEFAULT_SCOPES, Actor, system_actor
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.audit_log import writer
from signoff.demo.availability import AGENT_HOST, find_demo
from signoff.platform.db import Database, Executor
from signoff.platform.parent_process import SUPERVISOR_PID_ENV
from signoff.platform.settings import Settings

KEY_NAME = "Demo agent"


async def set_up_agent(settings: Settings, dsn: str, progress: Callable[[float], None]) -> dict[str, str] | None:
    """Return the agent's environment; None if the demo no longer exists."""
    db = await Database.connect(dsn, size=3, application="signoff demo")
    try:
        account_id = await find_demo(db)
        if account_id is None:
            return None
        if not await db.fetchval("select filled_at is not null from demo_workspaces where account_id = $1", account_id):
            from signoff.demo.seed.seeder import seed_workspace  # Slow to import, and needed once.

            await seed_workspace(db, settings, account_id, progress)
        return await _prepare_secrets(db, settings, account_id)
    finally:
        await db.close()


async def _prepare_secrets(db: Database, settings: Settings, account_id: str) -> dict[str, str] | None:
    actor = system_actor(account_id, "demo")
    async with db.transaction() as tx:
        demo = await tx.fetchrow(
            """
            select agents, key_id, webhook_url from demo_workspaces
            where account_id = $1 and filled_at is not null and removed_at is null for update
            """,
            account_id,
        )
        if demo is None:
            return None  # Removed while it was being filled, or someone has started working there.
        port = _free_port(demo["webhook_url"])
        webhook_url = f"http://{AGENT_HOST}:{port}/webhooks"
        api_key, key_id = await _new_key(tx, actor, demo["key_id"])
        await _set_requester(tx, account_id, demo["agents"], key_id)
        await _update_webhooks(tx, actor, demo["agents"], demo["webhook_url"], webhook_url)
        secrets = await tx.fetch(
            "select agent_id, webhook_secret from agents where account_id = $1 and agent_id = any($2)",
            account_id,
            demo["agents"],
        )
        await tx.execute(
            "update demo_workspaces set key_id = $2, webhook_url = $3 where account_id = $1",
            account_id,
            key_id,
            webhook_url,
        )
    return {
        **_drop_own_settings(os.environ),
        "SIGNOFF_URL": _nearest_url(settings),
        "SIGNOFF_API_KEY": api_key,
        "DEMO_PORT": str(port),
        "DEMO_SECRETS": json.dumps({row["agent_id"]: row["webhook_secret"] for row in secrets}),
        "DEMO_PARENT": os.environ.get(SUPERVISOR_PID_ENV, str(os.getppid())),
    }


async def _new_key(tx: Executor, actor: Actor, former: str | None) -> tuple[str, str]:
    """Create a key that only the agent ever sees. The previous one is deleted: one in the list is enough."""
    gone = await tx.fetchval(
        "delete from api_keys where account_id = $1 and key_id = $2 returning key_id", actor.account_id, former
    )
    if gone is not None:
        await writer.record_audit(tx, actor, "key.revoked", gone, {"name": KEY_NAME})
    made = await insert_key(tx, actor, KEY_NAME, DEFAULT_SCOPES, actor.id)
    return made.api_key, made.key_id


async def _set_requester(tx: Executor, account_id: str, agents: list[str], key_id: str) -> None:
    """Make the agent's key the requester of its reviews: only that key can update them, and the keys of earlier
    starts no longer exist.
    """
    await tx.execute(
        """
        update reviews r set requested_by = $3
        where account_id = $1 and agent_id = any($2) and state = 'pending'
          and not exists (select from api_keys k where k.account_id = $1 and k.lineage_id = r.requested_by)
          and not exists (select from users u where u.account_id = $1 and u.user_id = r.requested_by)
        """,
        account_id,
        agents,
        key_id,
    )


async def _update_webhooks(tx: Executor, actor: Actor, agents: list[str], former: str | None, address: str) -> None:
    """Update the webhook URLs that are still the demo's own; one that a person entered stays."""
    if address == former:
        return
    moved = await tx.fetch(
        """
        update agents set webhook_url = $4
        where account_id = $1 and agent_id = any($2) and deleted_at is null and webhook_url is not distinct from $3
        returning agent_id
        """,
        actor.account_id,
        agents,
        former,
        address,
    )
    for row in moved:
        await writer.record_audit(tx, actor, "agent.changed", row["agent_id"], {"webhookUrl": address})


def _free_port(former: str | None) -> int:
    """Return the previous port if it's free, so that pending deliveries still arrive; otherwise any."""
    preferred = int(former.rpartition(":")[2].partition("/")[0]) if former else 0
    for port in (preferred, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((AGENT_HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"no port is free on {AGENT_HOST}")


def _nearest_url(settings: Settings) -> str:
    """Return the service's URL on this machine, whatever proxy others use."""
    return settings.model_copy(update={"public_url": None}).url


def _drop_own_settings(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith("SIGNOFF_")}
