"""The status of a connection: whether the app accepts our posts, and which channels have errors."""

from dataclasses import dataclass
from typing import Final

from signoff.notifications.chat_apps.adapter import ChatAppError, Connection
from signoff.platform.db import Executor
from signoff.platform.sql import Sql

MAX_REASON_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    connection: Connection
    refused: bool
    paused_for: float
    """Seconds during which the app wants no calls."""


_READ_CONNECTION: Final = Sql(
    """
    select credentials, team_id, org_id, state,
        coalesce(greatest(extract(epoch from paused_until - now()), 0), 0)::float8 as paused_for
    from chat_connections where account_id = :account_id and app = :app
    """
)


async def get_connection(db: Executor, account_id: str, app: str) -> ConnectionStatus | None:
    row = await _READ_CONNECTION.fetch_one(db, account_id=account_id, app=app)
    if row is None:
        return None
    connection = Connection(account_id, app, row["credentials"], row["team_id"], row["org_id"])
    return ConnectionStatus(connection, row["state"] == "refused", row["paused_for"])


_RECORD_REJECTION: Final = Sql(
    """
    update chat_connections set state = 'refused', code = :code, why = :why, since = now()
    where account_id = :account_id and app = :app and credentials = :credentials and state = 'connected'
    """
)


async def record_rejection(db: Executor, connection: Connection, error: ChatAppError) -> None:
    """Record that these credentials were refused, unless they've been replaced in the meantime."""
    await _RECORD_REJECTION.execute(
        db,
        account_id=connection.account_id,
        app=connection.app,
        credentials=dict(connection.credentials),
        code=error.code,
        why=str(error)[:MAX_REASON_LENGTH],
    )


_PAUSE_CONNECTION: Final = Sql(
    """
    update chat_connections set paused_until = greatest(paused_until, now() + make_interval(secs => :seconds))
    where account_id = :account_id and app = :app
    """
)


async def pause_connection(db: Executor, connection: Connection, seconds: float) -> None:
    await _PAUSE_CONNECTION.execute(db, account_id=connection.account_id, app=connection.app, seconds=seconds)


_RECORD_CHANNEL_ERROR: Final = Sql(
    """
    insert into chat_channel_troubles as t (account_id, app, channel, code, why)
    select account_id, app, :channel, :code, :why from chat_connections where account_id = :account_id and app = :app
    on conflict (account_id, app, channel) do update set code = excluded.code, why = excluded.why,
        since = case when t.code = excluded.code then t.since else now() end
    """
)


async def record_channel_error(db: Executor, connection: Connection, channel: str, error: ChatAppError) -> None:
    await _RECORD_CHANNEL_ERROR.execute(
        db,
        account_id=connection.account_id,
        app=connection.app,
        channel=channel,
        code=error.code,
        why=str(error)[:MAX_REASON_LENGTH],
    )


_CLEAR_CHANNEL_ERROR: Final = Sql(
    "delete from chat_channel_troubles where account_id = :account_id and app = :app and channel = :channel"
)


async def clear_channel_error(db: Executor, connection: Connection, channel: str) -> None:
    await _CLEAR_CHANNEL_ERROR.execute(db, account_id=connection.account_id, app=connection.app, channel=channel)
