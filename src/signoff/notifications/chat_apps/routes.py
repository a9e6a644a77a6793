from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from signoff.accounts.context import get_context
from signoff.accounts.dependencies import CanAdminister
from signoff.accounts.errors import OwnerRequired, SignInRequired
from signoff.agents.errors import unknown_agent
from signoff.notifications.chat_apps import connections, mattermost, queries, slack
from signoff.notifications.chat_apps.clicks import NOT_SIGNED, record_click
from signoff.notifications.chat_apps.connections import ADMIN_CONNECTS, OWNER_SETS_SIGNING_SECRET
from signoff.notifications.chat_apps.errors import ChatAppNotConnected, ChatAppNotReached, SlackSignatureInvalid
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
from signoff.platform import examples
from signoff.platform.http.documentation import document_errors, invalid
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.messages import msg
from signoff.platform.request_body import PUBLIC_FORM, body_too_large

INTERACTIVITY_PATH = "/slack/interactivity"

router = APIRouter(route_class=JsonRoute, tags=["Chat apps"])
# Slack sends a form.
interactivity = APIRouter(tags=["Chat apps"])

TIMED_OUT = msg("Timed out waiting for a response.")


@router.get("/chatApps", operation_id="listChatApps", summary="List chat apps")
async def list_chat_apps(caller: CanAdminister) -> ChatApps:
    """Returns all chat apps and their status. Credentials are never returned."""
    apps = build_apps(caller.context.outgoing, caller.settings)
    return ChatApps(items=await queries.list_apps(caller.db, caller.account_id, apps))


@router.put(
    "/chatApps/slack",
    operation_id="connectSlack",
    summary="Connect Slack",
    status_code=204,
    responses=document_errors(
        SignInRequired(ADMIN_CONNECTS),
        OwnerRequired(OWNER_SETS_SIGNING_SECRET),
        invalid("botToken", "invalid_auth", slack.UNKNOWN_TOKEN, slack.UNKNOWN_TOKEN),
        ChatAppNotReached(TIMED_OUT),
    ),
    openapi_extra={"security": [{"session": []}]},
)
async def connect_slack(caller: CanAdminister, credentials: SlackCredentials) -> None:
    """Connects a Slack workspace or updates its credentials, and checks the token with Slack.

    Requires signing in as an admin; API keys can't connect chat apps. Only owners can set `signingSecret`.
    """
    await connections.connect(caller, "slack", credentials.model_dump(by_alias=True, exclude_none=True))


@router.put(
    "/chatApps/mattermost",
    operation_id="connectMattermost",
    summary="Connect Mattermost",
    status_code=204,
    responses=document_errors(
        SignInRequired(ADMIN_CONNECTS),
        invalid("botToken", "invalid_token", mattermost.UNKNOWN_TOKEN),
        ChatAppNotReached(TIMED_OUT),
    ),
    openapi_extra={"security": [{"session": []}]},
)
async def connect_mattermost(caller: CanAdminister, credentials: MattermostCredentials) -> None:
    """Connects a Mattermost server, or replaces its credentials. Send either `serverUrl` and `botToken`, or
    `webhookUrl`.

    Checks the token with the server. A webhook can't be checked without posting, so send a test message.

    Requires signing in as an admin; API keys can't connect chat apps.
    """
    given = credentials.model_dump(by_alias=True, exclude_none=True)
    connections.check_mattermost_credentials(given)
    await connections.connect(caller, "mattermost", given)


@router.delete(
    "/chatApps/slack",
    operation_id="disconnectSlack",
    summary="Disconnect Slack",
    status_code=204,
    responses=document_errors(ChatAppNotConnected("slack")),
)
async def disconnect_slack(caller: CanAdminister) -> None:
    """Deletes the credentials and channel settings. Existing posts stay in the channel."""
    await connections.disconnect(caller, "slack")


@router.delete(
    "/chatApps/mattermost",
    operation_id="disconnectMattermost",
    summary="Disconnect Mattermost",
    status_code=204,
    responses=document_errors(ChatAppNotConnected("mattermost")),
)
async def disconnect_mattermost(caller: CanAdminister) -> None:
    """Deletes the credentials and channel settings. Existing posts stay in the channel."""
    await connections.disconnect(caller, "mattermost")


@router.post(
    "/chatApps/{app}/test",
    operation_id="testChatApp",
    summary="Send a test message",
    responses=document_errors(ChatAppNotConnected("slack")),
)
async def test_chat_app(caller: CanAdminister, app: App, test: ChatAppTest) -> ChatAppTestOutcome:
    """Posts a test message to a channel and returns the result. If it succeeds, posting resumes."""
    return await connections.test(caller, app, test.channel)


@router.get("/chatApps/{app}/channels", operation_id="getChatAppChannels", summary="Get channel settings")
async def get_chat_app_channels(caller: CanAdminister, app: App) -> Channels:
    """Returns the channel for each agent and review type that has its own."""
    return await queries.get_channels(caller.db, caller.account_id, app)


@router.put(
    "/chatApps/{app}/channels",
    operation_id="putChatAppChannels",
    summary="Update channel settings",
    responses=document_errors(
        ChatAppNotConnected("slack"),
        invalid(f"agents.{examples.AGENT_ID}", "unknown_agent", unknown_agent(examples.AGENT_ID)),
    ),
)
async def put_chat_app_channels(caller: CanAdminister, app: App, channels: Channels) -> Channels:
    """Replaces the channel settings. Existing posts stay where they are."""
    await connections.choose_channels(caller, app, channels)
    return await queries.read_channels(caller.db, caller.account_id, app)


@interactivity.post(
    INTERACTIVITY_PATH,
    operation_id="takeSlackClick",
    summary="Handle a Slack action",
    response_class=PlainTextResponse,
    # Slack only accepts an empty response as an acknowledgment.
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}, "example": ""}}},
        **document_errors(SlackSignatureInvalid(NOT_SIGNED), body_too_large(PUBLIC_FORM.bytes)),
    },
)
async def receive_slack_click(request: Request) -> PlainTextResponse:
    """Slack calls this endpoint, with a signed request, when someone clicks Approve or Reject. Responds before the
    decision is processed.
    """
    headers = request.headers
    timestamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    await record_click(get_context(request.app), timestamp, signature, await request.body())
    return PlainTextResponse("")
