"""A workspace with demo data, without the program that plays its agents: nothing changes."""

from typing import Any

from support.api import Workspace
from support.in_process import Service
from support.service_process import RunningService

from signoff.demo.seed.seeder import seed_workspace
from signoff.platform.db import Database, Row
from signoff.platform.settings import Settings, load_settings

# The queue has jobs of all accounts; its content is checked separately.
QUEUE = ("jobs", "alembic_version")


def settings_of(service: Service | RunningService) -> Settings:
    own = {
        name.removeprefix("SIGNOFF_").lower(): value
        for name, value in service.env.items()
        if name.startswith("SIGNOFF_")
    }
    return load_settings(**own)


async def plan(db: Database, account_id: str) -> None:
    """What the first start on an empty data directory stores."""
    await db.execute("insert into demo_workspaces (account_id) values ($1)", account_id)


async def mark_as_demo(service: Service, workspace: Workspace, *, filled: bool) -> None:
    """Makes what's there the demo's own."""
    db = await Database.connect(service.dsn(), size=1)
    try:
        await db.execute(
            """
            insert into demo_workspaces (account_id, filled_at, agents, forms)
            values ($1, case when $2 then now() end, array(select agent_id from agents where account_id = $1),
                    array(select form_id from forms where account_id = $1))
            on conflict (account_id) do update set
                filled_at = excluded.filled_at, agents = excluded.agents, forms = excluded.forms
            """,
            workspace.account_id,
            filled,
        )
    finally:
        await db.close()


async def fill_workspace(service: Service | RunningService, db: Database) -> None:
    await seed_workspace(db, settings_of(service), service.workspace["accountId"], lambda _: None)


async def tables(db: Database) -> dict[str, bool]:
    """Every table, and whether its rows name their account."""
    rows = await db.fetch(
        """
        select t.table_name as name, exists (
            select from information_schema.columns c
            where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'account_id') as named
        from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
        """
    )
    return {row["name"]: row["named"] for row in rows if row["name"] not in QUEUE}


async def rows_of(db: Database, table: str) -> list[Row]:
    return await db.fetch(f"select * from {table}")  # noqa: S608


async def count_rows(db: Database) -> dict[str, int]:
    return {name: len(await rows_of(db, name)) for name in await tables(db)}


def texts(value: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, dict):
        return [text for held in value.values() for text in texts(held)]
    if isinstance(value, list):
        return [text for held in value for text in texts(held)]
    return [value] if isinstance(value, str) else []
