from collections.abc import Mapping

from signoff.notifications.chat_apps import adapter
from signoff.notifications.chat_apps.schemas import Channels, ChannelState, ChatApp
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.errors import NotFound
from signoff.platform.messages import msg


async def list_apps(db: Executor, account_id: str, apps: Mapping[str, adapter.ChatApp]) -> list[ChatApp]:
    """List every app, connected or not."""
    rows = await db.fetch(
        """
        select app, state, code, why, since, workspace, connected_by, credentials ? 'signingSecret' as signed,
               credentials ? $2 as can_update
        from chat_connections where account_id = $1
        """,
        account_id,
        adapter.BOT_TOKEN,
    )
    troubles = await db.fetch(
        "select app, channel, code, why, since from chat_channel_troubles where account_id = $1 order by channel",
        account_id,
    )
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


async def get_channels(db: Executor, account_id: str, app: str) -> Channels:
    """Return the channels of a connected app."""
    if not await db.fetchval(
        "select exists (select from chat_connections where account_id = $1 and app = $2)", account_id, app
    ):
        raise NotFound(msg("connected chat app"), app)
    return await read_channels(db, account_id, app)


async def read_channels(db: Executor, account_id: str, app: str) -> Channels:
    rows = await db.fetch(
        "select scope, subject_id, channel from chat_channels where account_id = $1 and app = $2 order by subject_id",
        account_id,
        app,
    )
    return Channels(
        default=next((row["channel"] for row in rows if row["scope"] == "default"), None),
        agents={row["subject_id"]: row["channel"] for row in rows if row["scope"] == "agent"},
        forms={row["subject_id"]: row["channel"] for row in rows if row["scope"] == "form"},
    )
