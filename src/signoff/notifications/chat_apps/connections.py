"""Admin actions for chat apps: connect, test, choose channels, disconnect."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.accounts.errors import OwnerRequired, SignInRequired
from signoff.agents.errors import unknown_agent
from signoff.notifications.chat_apps.adapter import (
    ChatApp,
    ChatAppError,
    ConnectedWorkspace,
    Connection,
    CredentialsRejected,
)
from signoff.notifications.chat_apps.cards import test_card
from signoff.notifications.chat_apps.connection_status import (
    clear_channel_error,
    get_connection,
    record_channel_error,
    record_rejection,
)
from signoff.notifications.chat_apps.errors import ChatAppNotConnected, ChatAppNotReached
from signoff.notifications.chat_apps.posts import delete_posts, retry_stale_posts
from signoff.notifications.chat_apps.queries import read_channels
from signoff.notifications.chat_apps.registry import AppName, build_apps
from signoff.notifications.chat_apps.schemas import Channels, ChatAppTestOutcome
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import choose_language, msg
from signoff.platform.sql import Rows, Sql

_LOCK_CONNECTION: Final = Sql(
    "select app, team_id from chat_connections where account_id = :account_id and app = :app for update"
)
_SAVE_CONNECTION: Final = Sql(
    """
    insert into chat_connections (account_id, app, credentials, workspace, team_id, org_id, connected_by)
    values (:account_id, :app, :credentials, :workspace, :team_id, :org_id, :connected_by)
    on conflict (account_id, app) do update set
        credentials = excluded.credentials, workspace = excluded.workspace, team_id = excluded.team_id,
        org_id = excluded.org_id, connected_by = excluded.connected_by, connected_at = now(),
        state = 'connected', code = null, why = null, since = now(), paused_until = null
    """
)
_DELETE_CONNECTION: Final = Sql("delete from chat_connections where account_id = :account_id and app = :app")
_READ_ACCOUNT: Final = Sql("select name, language from accounts where account_id = :account_id")
_IS_CHANNEL_USED: Final = Sql(
    """
    select exists (
        select from chat_channels where account_id = :account_id and app = :app and channel = :channel)
    """
)
# Only if it still has these credentials.
_CLEAR_REJECTION: Final = Sql(
    """
    update chat_connections set state = 'connected', code = null, why = null, since = now(), paused_until = null
    where account_id = :account_id and app = :app and credentials = :credentials and state = 'refused'
    """
)
_KNOWN_AGENTS: Final = Sql("select agent_id from agents where account_id = :account_id and agent_id = any(:ids)")
_KNOWN_FORMS: Final = Sql("select form_id from forms where account_id = :account_id and form_id = any(:ids)")


@dataclass(frozen=True, slots=True)
class _ChannelRow:
    scope: str
    subject_id: str
    channel: str


_DELETE_CHANNELS: Final = Sql("delete from chat_channels where account_id = :account_id and app = :app")
_INSERT_CHANNELS: Final = Sql(
    """
    insert into chat_channels (account_id, app, scope, subject_id, channel)
    select :account_id, :app, scope, subject_id, channel from {channels} c
    """,
    channels=Rows("channels", _ChannelRow),
)
# An error of a channel that is no longer used doesn't matter.
_DELETE_UNUSED_CHANNEL_ERRORS: Final = Sql(
    """
    delete from chat_channel_troubles t
    where account_id = :account_id and app = :app and not exists (
        select from chat_channels c where c.account_id = :account_id and c.app = :app and c.channel = t.channel)
    """
)

ADMIN_CONNECTS = msg("Only a signed-in admin can connect a chat app.")
OWNER_SETS_SIGNING_SECRET = msg(
    "Only an owner can set the signing secret, because anyone who has it can decide reviews as any member."
)


async def connect(caller: Caller, app_name: AppName, credentials: Mapping[str, Any]) -> None:
    """Connect an app. Credentials are checked with the app first, if possible, and not stored if refused."""
    _ensure_may_connect(caller, credentials)
    connection = Connection(caller.account_id, app_name, credentials)
    place = await _try_connecting(_app(caller, app_name), connection)
    async with caller.db.transaction() as tx:
        before = await _LOCK_CONNECTION.fetch_one(tx, account_id=caller.account_id, app=app_name)
        if before is not None and before["team_id"] != place.team_id:
            # A different workspace: posts in the previous one can't be reached with these credentials.
            await delete_posts(tx, caller.account_id, app_name)
        await _save_connection(tx, caller, connection, place)
        await retry_stale_posts(tx, caller.account_id, app_name)
        await writer.record_audit(tx, caller.actor, "chat_app.connected", app_name, {"workspace": place.name})


def _ensure_may_connect(caller: Caller, credentials: Mapping[str, Any]) -> None:
    """Check who connects. Only people decide reviews, and whoever knows the signing secret can sign a click in
    anyone's name. So no key may enter one, and only people who could give themselves any role anyway.
    """
    if caller.actor.kind != "user":
        raise SignInRequired(ADMIN_CONNECTS)
    if credentials.get("signingSecret") is not None and caller.actor.role != "owner":
        raise OwnerRequired(OWNER_SETS_SIGNING_SECRET)


def check_mattermost_credentials(given: Mapping[str, Any]) -> None:
    """Require either a bot's credentials or a webhook."""
    of_bot = [name for name in ("serverUrl", "botToken") if name in given]
    if "webhookUrl" in given:
        errors = [ErrorDetail(name, "not_allowed", msg("can't be combined with webhookUrl")) for name in of_bot]
    elif of_bot:
        missing = {"serverUrl", "botToken"} - set(of_bot)
        errors = [ErrorDetail(name, "required", msg("is required with {field}", field=of_bot[0])) for name in missing]
    else:
        errors = [ErrorDetail("webhookUrl", "required", msg("is required unless you send serverUrl and botToken"))]
    if errors:
        raise InvalidRequest(errors)


async def _try_connecting(app: ChatApp, connection: Connection) -> ConnectedWorkspace:
    try:
        return await app.connect(connection)
    except CredentialsRejected as error:
        raise InvalidRequest([ErrorDetail("botToken", error.code, error.why)], error.why) from None
    except ChatAppError as error:
        raise ChatAppNotReached(error.why) from error


async def _save_connection(tx: Executor, caller: Caller, connection: Connection, place: ConnectedWorkspace) -> None:
    await _SAVE_CONNECTION.execute(
        tx,
        account_id=connection.account_id,
        app=connection.app,
        credentials=dict(connection.credentials),
        workspace=place.name,
        team_id=place.team_id,
        org_id=place.org_id,
        connected_by=caller.actor.name,
    )


async def disconnect(caller: Caller, app_name: AppName) -> None:
    """Delete the credentials, channels, and posts. Messages in the channels stay as they are."""
    async with caller.db.transaction() as tx:
        if await _LOCK_CONNECTION.fetch_one(tx, account_id=caller.account_id, app=app_name) is None:
            raise ChatAppNotConnected(app_name)
        await delete_posts(tx, caller.account_id, app_name)
        await _DELETE_CONNECTION.execute(tx, account_id=caller.account_id, app=app_name)
        await writer.record_audit(tx, caller.actor, "chat_app.disconnected", app_name)


async def test(caller: Caller, app_name: AppName, channel: str) -> ChatAppTestOutcome:
    """Post a test message immediately, while someone waits for it. If it arrives, earlier errors are resolved."""
    connection = await get_connection(caller.db, caller.account_id, app_name)
    if connection is None:
        raise ChatAppNotConnected(app_name)
    workspace = await _READ_ACCOUNT.fetch_one(caller.db, account_id=caller.account_id)
    assert workspace is not None
    card = test_card(workspace["name"], caller.actor.name, caller.settings.url)
    card = card.localize(choose_language(workspace["language"]))
    began, code = time.perf_counter(), None
    try:
        await _app(caller, app_name).post(connection.connection, channel, card)
        detail = msg("Check {channel} for the test message.", channel=channel)
    except ChatAppError as error:
        code, detail = error.code, error.why
        if isinstance(error, CredentialsRejected):
            await record_rejection(caller.db, connection.connection, error)
        else:
            await _record_error_if_used(caller, connection.connection, channel, error)
    else:
        await _clear_errors(caller, connection.connection, channel)
    return ChatAppTestOutcome(
        delivered=code is None,
        channel=channel,
        code=code,
        detail=detail,
        duration_ms=int((time.perf_counter() - began) * 1000),
    )


async def _record_error_if_used(caller: Caller, connection: Connection, channel: str, error: ChatAppError) -> None:
    """Record a channel error only if the channel is in use: otherwise only the person who tries it out needs to
    know.
    """
    if await _IS_CHANNEL_USED.fetch_value(caller.db, account_id=caller.account_id, app=connection.app, channel=channel):
        await record_channel_error(caller.db, connection, channel, error)


async def _clear_errors(caller: Caller, connection: Connection, channel: str) -> None:
    async with caller.db.transaction() as tx:
        await _LOCK_CONNECTION.fetch_one(tx, account_id=connection.account_id, app=connection.app)
        await retry_stale_posts(tx, connection.account_id, connection.app)
        await clear_channel_error(tx, connection, channel)
        await _CLEAR_REJECTION.execute(
            tx,
            account_id=connection.account_id,
            app=connection.app,
            credentials=dict(connection.credentials),
        )


async def choose_channels(caller: Caller, app_name: AppName, channels: Channels) -> None:
    """Replace all channel settings: whatever is left out no longer has a channel of its own."""
    async with caller.db.transaction() as tx:
        if await _LOCK_CONNECTION.fetch_one(tx, account_id=caller.account_id, app=app_name) is None:
            raise ChatAppNotConnected(app_name)
        before = await read_channels(tx, caller.account_id, app_name)
        await _check(tx, caller.account_id, channels, before)
        if before == channels:
            return
        await _replace_channels(tx, caller.account_id, app_name, channels)
        await writer.record_audit(tx, caller.actor, "chat_app.channels_changed", app_name, channels.model_dump())


async def _check(tx: Executor, account_id: str, channels: Channels, before: Channels) -> None:
    """Check the settings. Deleted objects may stay: whoever saves other channels needn't know about them."""
    agents = {row[0] for row in await _KNOWN_AGENTS.fetch(tx, account_id=account_id, ids=list(channels.agents))}
    forms = {row[0] for row in await _KNOWN_FORMS.fetch(tx, account_id=account_id, ids=list(channels.forms))}
    errors = [
        ErrorDetail(f"agents.{agent_id}", "unknown_agent", unknown_agent(agent_id))
        for agent_id in channels.agents
        if agent_id not in agents and agent_id not in before.agents
    ] + [
        ErrorDetail(f"forms.{form_id}", "unknown_form", msg("must be the ID of a review type, not '{id}'", id=form_id))
        for form_id in channels.forms
        if form_id not in forms and form_id not in before.forms
    ]
    if errors:
        raise InvalidRequest(errors)


async def _replace_channels(tx: Executor, account_id: str, app_name: AppName, channels: Channels) -> None:
    rows = [_ChannelRow("default", "", channels.default)] if channels.default is not None else []
    rows += [_ChannelRow("agent", agent_id, channel) for agent_id, channel in channels.agents.items()]
    rows += [_ChannelRow("form", form_id, channel) for form_id, channel in channels.forms.items()]
    await _DELETE_CHANNELS.execute(tx, account_id=account_id, app=app_name)
    await _INSERT_CHANNELS.execute(tx, account_id=account_id, app=app_name, channels=rows)
    await _DELETE_UNUSED_CHANNEL_ERRORS.execute(tx, account_id=account_id, app=app_name)


def _app(caller: Caller, app_name: AppName) -> ChatApp:
    return build_apps(caller.context.outgoing, caller.settings)[app_name]
