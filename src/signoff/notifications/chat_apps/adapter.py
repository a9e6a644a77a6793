"""The shape of a chat app: what it can do, and what can go wrong with it.

An app has credentials, posts cards into channels, and perhaps changes posts later on, finds them again, and lets people
decide. It knows nothing of reviews or of the database; all its calls go through the guarded client.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from signoff.notifications.chat_apps.cards import Card
from signoff.platform.messages import Message, msgs

BOT_TOKEN: Final = "botToken"  # noqa: S105 - its name
"""The credential of every connection that can edit its posts. An incoming webhook can only create them."""


@dataclass(frozen=True, slots=True)
class Connection:
    """One account's connection to an app."""

    account_id: str
    app: str
    credentials: Mapping[str, Any]
    team_id: str | None = None
    """The app's own name of the workspace that is connected."""
    org_id: str | None = None

    @property
    def can_update(self) -> bool:
        """Whether posts can be edited. Where they can't, a short second one says how the review ended."""
        return BOT_TOKEN in self.credentials


@dataclass(frozen=True, slots=True)
class ConnectedWorkspace:
    """What the app says it is connected to."""

    name: str | None = None
    team_id: str | None = None
    org_id: str | None = None


class ChatApp(Protocol):
    name: str
    can_decide: bool

    async def connect(self, connection: Connection) -> ConnectedWorkspace:
        """What the credentials lead to. Raises what is wrong with them, as far as the app can be asked."""
        ...

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        """A reference by which the post can be changed; empty where it cannot."""
        ...

    async def update(self, connection: Connection, ref: str, card: Card) -> None: ...

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        """Say how the review ended, in a post of its own. Only where posts cannot be changed."""
        ...

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        """The reference of a post that may have been created at `since`, or None. Raises `PostLookupUnsupported`."""
        ...


class ChatAppError(Exception):
    """A call that did not do what it should; `code` is short and may be stored, the text is for people."""

    code: str

    def __init__(self, why: Message, code: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code or self.code


class CredentialsRejected(ChatAppError):
    """The app does not take the credentials, so it takes nothing until somebody does something about that."""


class ChannelError(ChatAppError):
    """The channel is not there, or not for us. Other channels may be fine."""


class ChatAppRateLimited(ChatAppError):
    """Nothing was done. To be tried again after `pause` seconds, and nothing else before."""

    code = "rate_limited"

    def __init__(self, pause: float) -> None:
        super().__init__(
            msgs(
                "Rate limited. Retrying in {count} second.",
                "Rate limited. Retrying in {count} seconds.",
                count=round(pause),
            )
        )
        self.pause = pause


class ChatAppUnreachable(ChatAppError):
    """The app could not be reached or was not well. Nothing was done."""

    code = "not_reached"


class PostOutcomeUnknown(ChatAppError):
    """The call was lost on its way there or back: it may have been done or not."""

    code = "unsure"


class PostDeleted(ChatAppError):
    """Somebody removed the post, or the app does not let us change it any more."""

    code = "post_gone"


class PostRejected(ChatAppError):
    """The app will not take this post, and would not a second time."""

    code = "not_taken"


class PostLookupUnsupported(ChatAppError):
    """The app cannot say whether a post was made."""

    code = "cannot_tell"
