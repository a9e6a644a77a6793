"""The interface of a chat app: what it can do, and its errors.

An app has credentials and posts cards to channels. It may also edit and find posts, and let people decide. It knows
nothing about reviews or the database; all its calls use the guarded client.
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
    """An account's connection to an app."""

    account_id: str
    app: str
    credentials: Mapping[str, Any]
    team_id: str | None = None
    """The app's own ID of the connected workspace."""
    org_id: str | None = None

    @property
    def can_update(self) -> bool:
        """Whether posts can be edited. If not, a second, short post says how the review ended."""
        return BOT_TOKEN in self.credentials


@dataclass(frozen=True, slots=True)
class ConnectedWorkspace:
    """The app's own description of the workspace it's connected to."""

    name: str | None = None
    team_id: str | None = None
    org_id: str | None = None


class ChatApp(Protocol):
    name: str
    can_decide: bool

    async def connect(self, connection: Connection) -> ConnectedWorkspace:
        """Check the credentials and return what they connect to. Raises their error, as far as the app can be asked."""
        ...

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        """Post a card. Returns a reference for editing the post; empty if that isn't possible."""
        ...

    async def update(self, connection: Connection, ref: str, card: Card) -> None: ...

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        """Post how the review ended. Only for apps whose posts can't be edited."""
        ...

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        """Return the reference of a post that may have been created at `since`, or None if it wasn't. Raises
        `PostLookupUnsupported`.
        """
        ...


class ChatAppError(Exception):
    """A call failed. `code` is short and can be stored; the text is for people."""

    code: str

    def __init__(self, why: Message, code: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.code = code or self.code


class CredentialsRejected(ChatAppError):
    """The app doesn't accept the credentials, so all calls fail until someone fixes that."""


class ChannelError(ChatAppError):
    """The channel doesn't exist, or we have no access. Other channels may work."""


class ChatAppRateLimited(ChatAppError):
    """Rate limited: nothing was done. Make no calls for `pause` seconds."""

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
    """The app couldn't be reached or had an internal error. Nothing was done."""

    code = "not_reached"


class PostOutcomeUnknown(ChatAppError):
    """The connection was lost during the call, so it may have succeeded or not."""

    code = "unsure"


class PostDeleted(ChatAppError):
    """Someone deleted the post, or the app no longer lets us edit it."""

    code = "post_gone"


class PostRejected(ChatAppError):
    """The app won't accept this post, so a retry is pointless."""

    code = "not_taken"


class PostLookupUnsupported(ChatAppError):
    """The app can't say whether a post was created."""

    code = "cannot_tell"
