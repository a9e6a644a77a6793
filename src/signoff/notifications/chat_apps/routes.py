from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from signoff.accounts.access import Administrator, service_of
from signoff.notifications.chat_apps import connections, queries
from signoff.notifications.chat_apps.clicks import note_click
from signoff.notifications.chat_apps.registry import apps_of
from signoff.notifications.chat_apps.schemas import (
    App,
    Channels,
    ChatApps,
    ChatAppTest,
    ChatAppTestOutcome,
    MattermostCredentials,
    SlackCredentials,
)
from signoff.platform.http import JsonRoute
from signoff.platform.schemas import ERROR

INTERACTIVITY_PATH = "/slack/interactivity"

router = APIRouter(route_class=JsonRoute, tags=["Chat apps"])
# Slack sends a form.
interactivity = APIRouter(tags=["Chat apps"])


@router.get("/chatApps")
async def list_chat_apps(caller: Administrator) -> ChatApps:
    """Every chat app there is, and how it stands. What was entered to connect it is never shown."""
    apps = apps_of(caller.service.outgoing, caller.settings)
    return ChatApps(items=await queries.list_apps(caller.db, caller.account_id, apps))


@router.put("/chatApps/slack", status_code=204, responses={503: ERROR})
async def connect_slack(caller: Administrator, credentials: SlackCredentials) -> None:
    """Connect a Slack workspace, or enter other credentials. Slack is asked whether it takes the token.

    Only for signed-in administrators, and with a `signingSecret` only for owners.
    """
    await connections.connect(caller, "slack", credentials.model_dump(by_alias=True, exclude_none=True))


@router.put("/chatApps/mattermost", status_code=204, responses={503: ERROR})
async def connect_mattermost(caller: Administrator, credentials: MattermostCredentials) -> None:
    """Connect a Mattermost server, or replace its credentials. Send either `serverUrl` and `botToken`, or `webhookUrl`.

    The server is asked whether it accepts the token. A webhook can't be checked without posting: send a test message.

    Only for signed-in administrators.
    """
    given = credentials.model_dump(by_alias=True, exclude_none=True)
    connections.check_mattermost_credentials(given)
    await connections.connect(caller, "mattermost", given)


@router.delete("/chatApps/slack", status_code=204, responses={409: ERROR})
async def disconnect_slack(caller: Administrator) -> None:
    """Forget the credentials, the channels and the posts. What was posted stays as it is."""
    await connections.disconnect(caller, "slack")


@router.delete("/chatApps/mattermost", status_code=204, responses={409: ERROR})
async def disconnect_mattermost(caller: Administrator) -> None:
    """Forget the credentials, the channels and the posts. What was posted stays as it is."""
    await connections.disconnect(caller, "mattermost")


@router.post("/chatApps/{app}/test", responses={409: ERROR})
async def test_chat_app(caller: Administrator, app: App, test: ChatAppTest) -> ChatAppTestOutcome:
    """Post a test message to a channel at once, and see how it goes. If it works again, posts go on."""
    return await connections.test(caller, app, test.channel)


@router.get("/chatApps/{app}/channels")
async def get_chat_app_channels(caller: Administrator, app: App) -> Channels:
    """Which channel reviews go to, for each agent and review type that has one of its own."""
    return await queries.get_channels(caller.db, caller.account_id, app)


@router.put("/chatApps/{app}/channels", responses={409: ERROR})
async def put_chat_app_channels(caller: Administrator, app: App, channels: Channels) -> Channels:
    """Say anew which channel reviews go to. What is there stays where it is."""
    await connections.choose_channels(caller, app, channels)
    return await queries.read_channels(caller.db, caller.account_id, app)


@interactivity.post(
    INTERACTIVITY_PATH,
    response_class=PlainTextResponse,
    # Slack takes nothing but an empty answer for the click being noted.
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}, "example": ""}}}, 401: ERROR},
)
async def take_slack_click(request: Request) -> PlainTextResponse:
    """What Slack calls when somebody clicks Approve or Reject, signed by it. The answer comes before the decision."""
    headers = request.headers
    timestamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    await note_click(service_of(request), timestamp, signature, await request.body())
    return PlainTextResponse("")
