"""The operations under "Chat apps"."""

from signoff.accounts import errors as accounts
from signoff.notifications.chat_apps import errors as chat_apps
from signoff.notifications.chat_apps.clicks import NOT_SIGNED
from signoff.notifications.chat_apps.slack import UNKNOWN_TOKEN
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import msg

_NOT_CONNECTED = chat_apps.ChatAppNotConnected(
    msg("{app} isn't connected. Connect it in Settings → Chat apps.", app="Slack")
)

OPERATIONS: Operations = {
    ("get", "/chatApps"): Words("listChatApps", "List chat apps"),
    ("put", "/chatApps/slack"): Words(
        "connectSlack",
        "Connect Slack",
        problems=(
            accounts.SignInRequired(msg("Only a signed-in admin can connect a chat app.")),
            accounts.OwnerRequired(
                msg("Only an owner can set the signing secret, because it allows decisions on behalf of any member.")
            ),
            InvalidRequest([ErrorDetail("botToken", "invalid_auth", UNKNOWN_TOKEN)], UNKNOWN_TOKEN),
            chat_apps.ChatAppNotReached(
                msg("{error} Nothing was changed.", error=msg("Timed out waiting for a response."))
            ),
        ),
    ),
    ("put", "/chatApps/mattermost"): Words(
        "connectMattermost",
        "Connect Mattermost",
        problems=(
            accounts.SignInRequired(msg("Only a signed-in admin can connect a chat app.")),
            InvalidRequest(
                [
                    ErrorDetail(
                        "botToken",
                        "invalid_token",
                        msg(
                            "Mattermost doesn't accept the bot token. Create a new token for the bot and enter it here."
                        ),
                    )
                ]
            ),
            chat_apps.ChatAppNotReached(
                msg("{error} Nothing was changed.", error=msg("Timed out waiting for a response."))
            ),
        ),
    ),
    ("delete", "/chatApps/slack"): Words("disconnectSlack", "Disconnect Slack", problems=(_NOT_CONNECTED,)),
    ("delete", "/chatApps/mattermost"): Words(
        "disconnectMattermost", "Disconnect Mattermost", problems=(_NOT_CONNECTED,)
    ),
    ("post", "/chatApps/{app}/test"): Words("testChatApp", "Send a test message", problems=(_NOT_CONNECTED,)),
    ("get", "/chatApps/{app}/channels"): Words("getChatAppChannels", "Get channel settings"),
    ("put", "/chatApps/{app}/channels"): Words(
        "putChatAppChannels",
        "Update channel settings",
        problems=(
            _NOT_CONNECTED,
            InvalidRequest(
                [
                    ErrorDetail(
                        f"agents.{story.AGENT_ID}", "unknown_agent", msg("no agent with ID '{id}'", id=story.AGENT_ID)
                    )
                ]
            ),
        ),
    ),
    ("post", "/slack/interactivity"): Words(
        "takeSlackClick",
        "Handle a Slack action",
        problems=(chat_apps.SlackSignatureInvalid(NOT_SIGNED),),
    ),
}
