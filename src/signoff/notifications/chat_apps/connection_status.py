"""The status of a connection: whether the app accepts our posts, and which channels have errors."""

from dataclasses import dataclass

from signoff.notifications.chat_apps.adapter import ChatAppError, Connection
from signoff.platform.db import Executor

MAX_REASON_LENGTH = 500


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    connection: Connection
    refused: bool
    paused_for: float
    """Seconds during which the app wants no calls."""


async def get_connection(db: Executor, account_id: str, app: str) -> ConnectionStatus | None:
    row = await db.fetchrow(
        """
        select account_id, app, credentials, team_id, org_id, state,
               greatest(extract(epoch from paused_until - now()), 0)::float8 as paused_for
        from chat_connections where account_id = $1 and app = $2
        """,
        account_id,
        app,
    )
    if row is None:
        return None
    connection = Connection(row["account_id"], row["app"], row["credentials"], row["team_id"], row["org_id"])
    return ConnectionStatus(connection, row["state"] == "refused", row["paused_for"] or 0.0)


async def record_rejection(db: Executor, connection: Connection, error: ChatAppError) -> None:
    """Record that these credentials were refused, unless they've been replaced in the meantime."""
    await db.execute(
        """
        update chat_connections set state = 'refused', code = $4, why = $5, since = now()
        where account_id = $1 and app = $2 and credentials = $3 and state = 'connected'
        """,
        connection.account_id,
        connection.app,
        dict(connection.credentials),
        error.code,
        str(error)[:MAX_REASON_LENGTH],
    )


async def pause_connection(db: Executor, connection: Connection, seconds: float) -> None:
    await db.execute(
        """
        update chat_connections set paused_until = greatest(paused_until, now() + make_interval(secs => $3))
        where account_id = $1 and app = $2
        """,
        connection.account_id,
        connection.app,
        seconds,
    )


async def record_channel_error(db: Executor, connection: Connection, channel: str, error: ChatAppError) -> None:
    await db.execute(
        """
        insert into chat_channel_troubles as t (account_id, app, channel, code, why)
        select account_id, app, $3, $4, $5 from chat_connections where account_id = $1 and app = $2
        on conflict (account_id, app, channel) do update set code = excluded.code, why = excluded.why,
            since = case when t.code = excluded.code then t.since else now() end
        """,
        connection.account_id,
        connection.app,
        channel,
        error.code,
        str(error)[:MAX_REASON_LENGTH],
    )


async def clear_channel_error(db: Executor, connection: Connection, channel: str) -> None:
    await db.execute(
        "delete from chat_channel_troubles where account_id = $1 and app = $2 and channel = $3",
        connection.account_id,
        connection.app,
        channel,
    )
