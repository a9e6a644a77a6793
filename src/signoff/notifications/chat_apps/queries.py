from collections.abc import Mapping
from typing import Final

from signoff.notifications.chat_apps import adapter
from signoff.notifications.chat_apps.schemas import Channels, ChannelState, ChatApp
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

_CONNECTIONS: Final = Sql(
    """
    select app, state, code, why, since, workspace, connected_by, credentials ? 'signingSecret' as signed,
        credentials ? :bot_token as can_update
    from chat_connections where account_id = :account_id
    """
)
_CHANNEL_ERRORS: Final = Sql(
    "select app, channel, code, why, since from chat_channel_troubles where account_id = :account_id order by channel"
)


async def list_apps(db: Executor, account_id: str, apps: Mapping[str, adapter.ChatApp]) -> list[ChatApp]:
    """List every app, connected or not."""
    rows = await _CONNECTIONS.fetch(db, account_id=account_id, bot_token=adapter.BOT_TOKEN)
    troubles = await _CHANNEL_ERRORS.fetch(db, account_id=account_id)
    connected = {row["app"]: row for row in rows}
    return [_to_app(app, connected.get(name), troubles) for name, app in apps.items()]


def _to_app(app: adapter.ChatApp, row: Row | None, troubles: list[Row]) -> ChatApp:
    if row is None:
        return ChatApp.model_validate(
            {
                "app": app.name,
                "state": "absent",
                "can_update": False,
                "can_decide": False,
                "troubled_channels": [],
            }
        )
    return ChatApp.model_validate(
        {
            "app": app.name,
            "state": row["state"],
            "code": row["code"],
            "why": row["why"],
            "since": iso(row["since"]),
            "workspace": row["workspace"],
            "connected_by": row["connected_by"],
            "can_update": row["can_update"],
            "can_decide": app.can_decide and row["signed"],
            "troubled_channels": [
                ChannelState(channel=each["channel"], code=each["code"], why=each["why"], since=iso(each["since"]))
                for each in troubles
                if each["app"] == app.name
            ],
        }
    )


_IS_CONNECTED: Final = Sql("select exists (select from chat_connections where account_id = :account_id and app = :app)")


async def get_channels(db: Executor, account_id: str, app: str) -> Channels:
    """Return the channels of a connected app."""
    if not await _IS_CONNECTED.fetch_value(db, account_id=account_id, app=app):
        raise NotFound(msg("connected chat app"), app)
    return await read_channels(db, account_id, app)


_READ_CHANNELS: Final = Sql(
    """
    select scope, subject_id, channel from chat_channels where account_id = :account_id and app = :app
    order by subject_id
    """
)


async def read_channels(db: Executor, account_id: str, app: str) -> Channels:
    rows = await _READ_CHANNELS.fetch(db, account_id=account_id, app=app)
    return Channels(
        default=next((row["channel"] for row in rows if row["scope"] == "default"), None),
        agents={row["subject_id"]: row["channel"] for row in rows if row["scope"] == "agent"},
        forms={row["subject_id"]: row["channel"] for row in rows if row["scope"] == "form"},
    )
