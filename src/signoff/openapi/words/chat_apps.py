"""The operations under "Chat apps"."""

from signoff.accounts import errors as accounts
from signoff.notifications.chat_apps import errors as chat_apps
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault

_NOT_CONNECTED = chat_apps.ChatAppNotConnected("Slack is not connected.")

OPERATIONS: Operations = {
    ("get", "/chatApps"): Words("listChatApps", "List chat apps"),
    ("put", "/chatApps/slack"): Words(
        "connectSlack",
        "Connect Slack",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can connect a chat app."),
            accounts.OwnerNeeded("Only an owner can enter a signing secret: with it one can decide in anybody's name."),
            Invalid([Fault("botToken", "invalid_auth", "Slack does not know the token.")]),
            chat_apps.ChatAppNotReached("The host took too long to answer. Nothing was changed."),
        ),
    ),
    ("put", "/chatApps/mattermost"): Words(
        "connectMattermost",
        "Connect Mattermost",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can connect a chat app."),
            Invalid([Fault("botToken", "invalid_token", "Mattermost doesn't accept the bot token.")]),
            chat_apps.ChatAppNotReached("The host took too long to answer. Nothing was changed."),
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
            Invalid([Fault(f"agents.{story.AGENT_ID}", "unknown_agent", f"there is no agent '{story.AGENT_ID}'")]),
        ),
    ),
    ("post", "/slack/interactivity"): Words(
        "takeSlackClick",
        "Handle a Slack action",
        problems=(
            chat_apps.SlackSignatureInvalid(
                "The request is not signed by a Slack app that is connected here, or it is older than five minutes."
            ),
        ),
    ),
}
