from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from signoff.accounts.authentication import get_context
from signoff.accounts.dependencies import CanAdminister
from signoff.notifications.chat_apps import connections, queries
from signoff.notifications.chat_apps.clicks import record_click
from signoff.notifications.chat_apps.registry import build_apps
from signoff.notifications.chat_apps.schemas import (
    App,
    Channels,
    ChatApps,
    ChatAppTest,
    ChatAppTestOutcome,
    MattermostCredentials,
    SlackCredentials,
)
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import ERROR_RESPONSE

INTERACTIVITY_PATH = "/slack/interactivity"

router = APIRouter(route_class=JsonRoute, tags=["Chat apps"])
# Slack sends a form.
interactivity = APIRouter(tags=["Chat apps"])


@router.get("/chatApps")
async def list_chat_apps(caller: CanAdminister) -> ChatApps:
    """Returns all chat apps and their status. Credentials are never returned."""
    apps = build_apps(caller.context.outgoing, caller.settings)
    return ChatApps(items=await queries.list_apps(caller.db, caller.account_id, apps))


@router.put("/chatApps/slack", status_code=204, responses={503: ERROR_RESPONSE})
async def connect_slack(caller: CanAdminister, credentials: SlackCredentials) -> None:
    """Connects a Slack workspace or updates its credentials, and checks the token with Slack.

    Only for signed-in admins; `signingSecret` requires an owner.
    """
    await connections.connect(caller, "slack", credentials.model_dump(by_alias=True, exclude_none=True))


@router.put("/chatApps/mattermost", status_code=204, responses={503: ERROR_RESPONSE})
async def connect_mattermost(caller: CanAdminister, credentials: MattermostCredentials) -> None:
    """Connects a Mattermost server, or replaces its credentials. Send either `serverUrl` and `botToken`, or
    `webhookUrl`.

    Checks the token with the server. A webhook can't be checked without posting, so send a test message.

    Only for signed-in admins.
    """
    given = credentials.model_dump(by_alias=True, exclude_none=True)
    connections.check_mattermost_credentials(given)
    await connections.connect(caller, "mattermost", given)


@router.delete("/chatApps/slack", status_code=204, responses={409: ERROR_RESPONSE})
async def disconnect_slack(caller: CanAdminister) -> None:
    """Deletes the credentials and channel settings. Existing posts stay in the channel."""
    await connections.disconnect(caller, "slack")


@router.delete("/chatApps/mattermost", status_code=204, responses={409: ERROR_RESPONSE})
async def disconnect_mattermost(caller: CanAdminister) -> None:
    """Deletes the credentials and channel settings. Existing posts stay in the channel."""
    await connections.disconnect(caller, "mattermost")


@router.post("/chatApps/{app}/test", responses={409: ERROR_RESPONSE})
async def test_chat_app(caller: CanAdminister, app: App, test: ChatAppTest) -> ChatAppTestOutcome:
    """Posts a test message to a channel and returns the result. If it succeeds, posting resumes."""
    return await connections.test(caller, app, test.channel)


@router.get("/chatApps/{app}/channels")
async def get_chat_app_channels(caller: CanAdminister, app: App) -> Channels:
    """Returns the channel for each agent and review type that has its own."""
    return await queries.get_channels(caller.db, caller.account_id, app)


@router.put("/chatApps/{app}/channels", responses={409: ERROR_RESPONSE})
async def put_chat_app_channels(caller: CanAdminister, app: App, channels: Channels) -> Channels:
    """Replaces the channel settings. Existing posts stay where they are."""
    await connections.choose_channels(caller, app, channels)
    return await queries.read_channels(caller.db, caller.account_id, app)


@interactivity.post(
    INTERACTIVITY_PATH,
    response_class=PlainTextResponse,
    # Slack only accepts an empty response as an acknowledgment.
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}, "example": ""}}}, 401: ERROR_RESPONSE},
)
async def take_slack_click(request: Request) -> PlainTextResponse:
    """Called by Slack, with its signature, when someone clicks Approve or Reject. Responds before the decision is
    processed.
    """
    headers = request.headers
    timestamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    await record_click(get_context(request), timestamp, signature, await request.body())
    return PlainTextResponse("")
