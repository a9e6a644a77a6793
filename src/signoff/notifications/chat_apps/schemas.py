from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.notifications.chat_apps.registry import AppName
from signoff.platform import examples
from signoff.platform.schemas import LocalizedAnswer, RequestModel, ResponseModel, Text, WebhookUrl, example

App = Annotated[AppName, Path(alias="app", description="Chat app: `slack` or `mattermost`.", examples=["slack"])]
# Without characters that could break a header or a URL.
Secret = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[!-~]{10,400}$")]
Channel = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\s\x00-\x1f\x7f<>]{0,100}$")]
NamedChannel = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\s\x00-\x1f\x7f<>]{1,100}$")]


class SlackCredentials(RequestModel):
    model_config = example({"botToken": "xoxb-example-token", "signingSecret": "0123456789abcdef"})

    bot_token: Secret = Field(description="Bot token of the Slack app installed in your Slack workspace: `xoxb-…`.")
    signing_secret: Secret | None = Field(
        None,
        description=(
            "Signing secret of the Slack app. Only needed to approve and reject in Slack. Only owners can set it."
        ),
    )


class MattermostCredentials(RequestModel):
    """Either a bot token and its server, or an incoming webhook."""

    model_config = example({"serverUrl": "https://chat.example.com", "botToken": "9xuqwrwgstrb3mzrxb83nb357a"})

    server_url: Annotated[WebhookUrl, StringConstraints(pattern=r"^[^?#]+$")] | None = Field(
        None, description="URL of the Mattermost server, such as `https://chat.example.com`. Required with a bot token."
    )
    bot_token: Secret | None = Field(
        None, description="Token of a bot account. With a token, posts are kept up to date, and channels are set by ID."
    )
    webhook_url: WebhookUrl | None = Field(
        None,
        description="URL of an incoming webhook. A webhook can't edit posts, so a second post announces the "
        "decision. Channels are set by name.",
    )


class ChannelState(ResponseModel):
    """A channel that Signoff can't post to."""

    channel: str
    code: str
    why: str = Field(description="What's wrong and how to fix it.")
    since: str


class ChatApp(ResponseModel):
    app: AppName
    state: Literal["absent", "connected", "refused"] = Field(
        description="`refused`: the app rejected the credentials. Nothing is posted until you fix them."
    )
    code: Annotated[str | None, Field(description="Error code from the app.")] = None
    why: str | None = Field(None, description="If `refused`: what's wrong and how to fix it.")
    since: str | None = Field(None, description="When this state began.")
    workspace: str | None = Field(None, description="Name of the connected workspace.")
    connected_by: str | None = None
    can_update: bool = Field(
        description="Whether posts are kept up to date (needs a bot token). Otherwise, a second post announces the "
        "decision."
    )
    can_decide: bool = Field(description="Whether people can approve and reject in the app (needs a signing secret).")
    troubled_channels: list[ChannelState] = Field(description="Channels that reject posts.")


class ChatApps(ResponseModel):
    model_config = example(
        {
            "items": [
                {
                    "app": "slack",
                    "state": "connected",
                    "code": None,
                    "why": None,
                    "since": examples.BEGAN_AT,
                    "workspace": "Acme",
                    "connectedBy": examples.OWNER,
                    "canUpdate": True,
                    "canDecide": True,
                    "troubledChannels": [
                        {
                            "channel": "C024BE91L",
                            "code": "is_archived",
                            "why": "This channel is archived. Choose another.",
                            "since": examples.REQUESTED_AT,
                        }
                    ],
                }
            ]
        }
    )

    items: list[ChatApp]


class Channels(RequestModel):
    """Channels for reviews. A review type's channel overrides the agent's, which overrides the default. Use "" to
    post nowhere.
    """

    model_config = example(
        {"default": "C024BE7LR", "agents": {examples.AGENT_ID: "C024BE91L"}, "forms": {examples.FORM_ID: ""}}
    )

    default: Channel | None = Field(None, description="Default channel.")
    agents: dict[Annotated[str, StringConstraints(max_length=128)], Channel] = Field(
        {}, max_length=1000, description="Keyed by agent ID."
    )
    forms: dict[Annotated[str, StringConstraints(max_length=128)], Channel] = Field(
        {}, max_length=1000, description="Keyed by review type ID."
    )


class ChatAppTest(RequestModel):
    model_config = example({"channel": "C024BE91L"})

    channel: NamedChannel


class ChatAppTestOutcome(LocalizedAnswer):
    model_config = example(
        {
            "delivered": True,
            "channel": "C024BE91L",
            "code": None,
            "detail": "Check C024BE91L for the test message.",
            "durationMs": 184,
        }
    )

    delivered: bool
    channel: str
    code: Annotated[str | None, Field(description="Error code from the app.")]
    detail: Text
    duration_ms: int
