"""The available chat apps. A new one implements `adapter.ChatApp` and is registered here."""

from collections.abc import Mapping
from typing import Literal

from signoff.notifications.chat_apps.adapter import ChatApp
from signoff.notifications.chat_apps.mattermost import Mattermost
from signoff.notifications.chat_apps.slack import Slack
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.settings import Settings

AppName = Literal["slack", "mattermost"]


def build_slack(client: GuardedClient, settings: Settings) -> Slack:
    return Slack(client, settings.slack_api_url, settings.chat_app_timeout)


def build_apps(client: GuardedClient, settings: Settings) -> Mapping[str, ChatApp]:
    return {
        "slack": build_slack(client, settings),
        "mattermost": Mattermost(client, settings.chat_app_timeout),
    }
