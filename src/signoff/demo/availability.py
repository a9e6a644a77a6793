"""Whether a demo is possible: in a workspace that nobody has signed in to, on the embedded database."""

from ipaddress import ip_address

from signoff.platform.db import Database
from signoff.platform.logs import get_logger
from signoff.platform.settings import Settings

log = get_logger("demo")

AGENT_HOST = "127.0.0.1"
"""Where the demo's agent receives webhooks: only on this machine."""


def demo_blocker(settings: Settings) -> str | None:
    """Return the reason why a demo can't run with these settings, as a sentence; None if it can."""
    if settings.database_url is not None:
        return "Demo data requires the embedded database, but SIGNOFF_DATABASE_URL is set."
    if any(ip_address(AGENT_HOST) in network for network in settings.outgoing_networks):
        return None
    if settings.allowed_networks is not None:
        return f"The demo agent receives webhooks on {AGENT_HOST}, which SIGNOFF_ALLOWED_NETWORKS doesn't allow."
    return (
        f"The demo agent receives webhooks on {AGENT_HOST}, which is blocked while "
        f"SIGNOFF_HOST={settings.host} exposes Signoff to the network."
    )


async def plan_demo(settings: Settings, db: Database) -> bool:
    """Return whether to run the demo's program. Plans a demo if one is possible and wanted."""
    if settings.database_url is not None:
        return False
    if settings.demo is False:
        await _delete_plan(db)
        return False
    why_not = demo_blocker(settings)
    await (_plan(db) if why_not is None else _delete_plan(db))
    is_planned = await find_demo(db) is not None
    if why_not is not None and (is_planned or await _is_possible(db)):
        log.info("demo not available", why=why_not)
    elif settings.demo and not is_planned:
        log.info("demo not available", why="Demo data is only added once, to a new workspace.")
    return is_planned and why_not is None


async def _plan(db: Database) -> None:
    """Record that it's to be filled, so a start that is killed before that is no special case for the next one."""
    await db.execute(
        f"""
        insert into demo_workspaces (account_id) select account_id from accounts where {_IS_UNUSED}
        on conflict do nothing
        """  # noqa: S608 - constants only
    )


async def _delete_plan(db: Database) -> None:
    """Delete a plan that was never filled: otherwise it would be filled later, among what people have created."""
    await db.execute("delete from demo_workspaces where filled_at is null and removed_at is null")


async def _is_possible(db: Database) -> bool:
    return await db.fetchval(f"select exists (select 1 from accounts where {_IS_UNUSED})")  # noqa: S608 - constants only


async def find_demo(db: Database) -> str | None:
    """Return the account that is a demo, filled or planned. Also None in a database from before demos."""
    if await db.fetchval("select to_regclass('demo_workspaces')") is None:
        return None
    return await db.fetchval("select account_id from demo_workspaces where removed_at is null limit 1")


# The only workspace has never been signed in to, and was never a demo.
_IS_UNUSED = """
    (select count(*) from accounts) = 1
    and not exists (select 1 from demo_workspaces)
    and not exists (select 1 from agents)
    and not exists (select 1 from forms)
    and not exists (select 1 from api_keys)
    and not exists (select 1 from users where password_hash is not null or last_sign_in_at is not null)
    and (select count(*) from users) = 1
"""
