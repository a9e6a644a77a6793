from signoff.agents.event_names import DEFAULT_EVENTS
from signoff.agents.schemas import Agent
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

AGENT_COLUMNS = "agent_id, name, description, webhook_url, webhook_events, chat, created_at, updated_at"


def to_agent(row: Row) -> Agent:
    return Agent(
        agent_id=row["agent_id"],
        name=row["name"],
        description=row["description"],
        webhook_url=row["webhook_url"],
        webhook_events=row["webhook_events"] or list(DEFAULT_EVENTS),
        chat=row["chat"],
        created_at=iso(row["created_at"]),
        updated_at=iso(row["updated_at"]),
    )


GET_AGENT = Sql(
    "select {columns} from agents where account_id = :account_id and agent_id = :agent_id and deleted_at is null",
    columns=AGENT_COLUMNS,
)


async def get_agent(db: Executor, account_id: str, agent_id: str) -> Agent:
    row = await GET_AGENT.fetch_one(db, account_id=account_id, agent_id=agent_id)
    if row is None:
        raise NotFound(msg("agent"), agent_id)
    return to_agent(row)


LIST_AGENTS = Sql(
    """
    select {columns} from agents
    where account_id = :account_id and deleted_at is null and agent_id > :after
    order by agent_id limit :limit
    """,
    columns=AGENT_COLUMNS,
)


async def list_agents(db: Executor, account_id: str, after: str | None, limit: int) -> list[Agent]:
    rows = await LIST_AGENTS.fetch(db, account_id=account_id, after=after or "", limit=limit)
    return [to_agent(row) for row in rows]
