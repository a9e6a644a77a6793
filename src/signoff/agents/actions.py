"""Actions on agents. Each is one transaction with its audit entry."""

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.agents.errors import agent_in_use
from signoff.agents.queries import AGENT_COLUMNS, to_agent
from signoff.agents.schemas import Agent, AgentChange, AgentWithSecret, NewAgent
from signoff.platform.errors import NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.sql import Sql
from signoff.platform.tokens import ROTATION_OVERLAP, new_webhook_secret

INSERT = Sql(
    """
    insert into agents
        (agent_id, account_id, name, description, webhook_url, webhook_secret, chat, webhook_events)
    values (:agent_id, :account_id, :name, :description, :webhook_url, :secret, :chat, :webhook_events)
    returning {columns}
    """,
    columns=AGENT_COLUMNS,
)


async def create_agent(caller: Caller, new: NewAgent) -> AgentWithSecret:
    agent_id, secret = new_id("agt"), new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await INSERT.fetch_one(
            tx,
            agent_id=agent_id,
            account_id=caller.account_id,
            name=new.name,
            description=new.description,
            webhook_url=new.webhook_url,
            secret=secret,
            chat=new.chat,
            webhook_events=new.webhook_events,
        )
        assert row is not None
        await writer.record_audit(tx, caller.actor, "agent.created", agent_id, {"name": new.name})
    return AgentWithSecret(**to_agent(row).model_dump(), webhook_secret=secret)


UPDATE = Sql(
    """
    update agents set
        name = coalesce(:name, name),
        description = coalesce(:description, description),
        webhook_url = case when :set_webhook_url then :webhook_url else webhook_url end,
        chat = coalesce(:chat, chat),
        webhook_events = case when :set_webhook_events then :webhook_events else webhook_events end,
        updated_at = now()
    where account_id = :account_id and agent_id = :agent_id and deleted_at is null
    returning {columns}
    """,
    columns=AGENT_COLUMNS,
)


async def update_agent(caller: Caller, agent_id: str, change: AgentChange) -> Agent:
    async with caller.db.transaction() as tx:
        row = await UPDATE.fetch_one(
            tx,
            account_id=caller.account_id,
            agent_id=agent_id,
            name=change.name,
            description=change.description,
            set_webhook_url="webhook_url" in change.model_fields_set,
            webhook_url=change.webhook_url,
            chat=change.chat,
            set_webhook_events="webhook_events" in change.model_fields_set,
            webhook_events=change.webhook_events,
        )
        if row is None:
            raise NotFound(msg("agent"), agent_id)
        await writer.record_audit(
            tx, caller.actor, "agent.changed", agent_id, change.model_dump(exclude_unset=True, by_alias=True)
        )
    return to_agent(row)


async def delete_agent(caller: Caller, agent_id: str) -> None:
    """Delete an agent. Its past reviews stay readable; its review types must be archived or moved first."""
    async with caller.db.transaction() as tx:
        known = await tx.fetchval(
            "select true from agents where account_id = $1 and agent_id = $2 and deleted_at is null for update",
            caller.account_id,
            agent_id,
        )
        if not known:
            raise NotFound(msg("agent"), agent_id)
        # Counted while holding the lock, so a review type that is just being created for the agent is included.
        forms = await tx.fetchval("select count(*) from forms where agent_id = $1 and archived_at is null", agent_id)
        if forms:
            raise agent_in_use(forms)
        await tx.execute("update agents set deleted_at = now() where agent_id = $1", agent_id)
        await writer.record_audit(tx, caller.actor, "agent.deleted", agent_id)


ROTATE_SECRET = Sql(
    """
    update agents set
        previous_secret = webhook_secret,
        previous_secret_until = now() + {overlap},
        webhook_secret = :secret,
        updated_at = now()
    where account_id = :account_id and agent_id = :agent_id and deleted_at is null
    returning {columns}
    """,
    overlap=ROTATION_OVERLAP,
    columns=AGENT_COLUMNS,
)


async def rotate_secret(caller: Caller, agent_id: str) -> AgentWithSecret:
    secret = new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await ROTATE_SECRET.fetch_one(tx, account_id=caller.account_id, agent_id=agent_id, secret=secret)
        if row is None:
            raise NotFound(msg("agent"), agent_id)
        await writer.record_audit(tx, caller.actor, "agent.secret_rotated", agent_id)
    return AgentWithSecret(**to_agent(row).model_dump(), webhook_secret=secret)
