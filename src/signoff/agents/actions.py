"""Actions on agents. Each is one transaction with its audit entry."""

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.agents.errors import agent_in_use
from signoff.agents.queries import COLUMNS, to_agent
from signoff.agents.schemas import Agent, AgentChange, AgentWithSecret, NewAgent
from signoff.platform.errors import NotFound
from signoff.platform.ids import new_id
from signoff.platform.messages import msg
from signoff.platform.tokens import ROTATION_OVERLAP, new_webhook_secret


async def create_agent(caller: Caller, new: NewAgent) -> AgentWithSecret:
    agent_id, secret = new_id("agt"), new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            insert into agents
                (agent_id, account_id, name, description, webhook_url, webhook_secret, chat, webhook_events)
            values ($1, $2, $3, $4, $5, $6, $7, $8) returning {COLUMNS}
            """,  # noqa: S608
            agent_id,
            caller.account_id,
            new.name,
            new.description,
            new.webhook_url,
            secret,
            new.chat,
            new.webhook_events,
        )
        assert row is not None
        await writer.record_audit(tx, caller.actor, "agent.created", agent_id, {"name": new.name})
    return AgentWithSecret(**to_agent(row).model_dump(), webhook_secret=secret)


async def update_agent(caller: Caller, agent_id: str, change: AgentChange) -> Agent:
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            update agents set
                name = coalesce($3, name),
                description = coalesce($4, description),
                webhook_url = case when $5 then $6 else webhook_url end,
                chat = coalesce($7, chat),
                webhook_events = case when $8 then $9 else webhook_events end,
                updated_at = now()
            where account_id = $1 and agent_id = $2 and deleted_at is null
            returning {COLUMNS}
            """,  # noqa: S608
            caller.account_id,
            agent_id,
            change.name,
            change.description,
            "webhook_url" in change.model_fields_set,
            change.webhook_url,
            change.chat,
            "webhook_events" in change.model_fields_set,
            change.webhook_events,
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


async def rotate_secret(caller: Caller, agent_id: str) -> AgentWithSecret:
    secret = new_webhook_secret()
    async with caller.db.transaction() as tx:
        row = await tx.fetchrow(
            f"""
            update agents set
                previous_secret = webhook_secret,
                previous_secret_until = now() + interval '{ROTATION_OVERLAP}',
                webhook_secret = $3,
                updated_at = now()
            where account_id = $1 and agent_id = $2 and deleted_at is null
            returning {COLUMNS}
            """,  # noqa: S608
            caller.account_id,
            agent_id,
            secret,
        )
        if row is None:
            raise NotFound(msg("agent"), agent_id)
        await writer.record_audit(tx, caller.actor, "agent.secret_rotated", agent_id)
    return AgentWithSecret(**to_agent(row).model_dump(), webhook_secret=secret)
