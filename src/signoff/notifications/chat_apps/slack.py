"""Slack: a bot that posts into channels and changes its posts, and buttons with which people decide.

Its few methods are called by ourselves: `docs/decisions/0022-slack-over-the-guarded-client.md` says why. What others
wrote goes into `plain_text` objects, in which Slack knows no markup and no mentions.
"""

from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import urlencode

import orjson

from signoff.notifications.chat_apps.adapter import (
    CannotTell,
    ChannelTrouble,
    ChatAppTrouble,
    Connection,
    NotReached,
    NotTaken,
    Place,
    PostGone,
    Refused,
    SlowDown,
    Unsure,
)
from signoff.notifications.chat_apps.api_call import call
from signoff.notifications.chat_apps.cards import Card, Standing
from signoff.platform.guarded_http import GuardedClient

APPROVE, REJECT = "signoff_approve", "signoff_reject"
EVENT: Final = "signoff_post"
LONGEST_HEADING, LONGEST_FIELD, LONGEST_TEXT = 150, 500, 1000
LOOK_BEFORE, MOST_LOOKED_AT = 300.0, 200
"""Seconds, for the clocks of Slack and this machine may differ; and messages."""

MARKS: dict[Standing, str] = {
    "open": "🟡",
    "waiting": "🔵",
    "approved": "✅",
    "rejected": "⛔",
    "deleted": "🗑️",
    "summary": "📥",
}
_NEW_TOKEN = "Install the Slack app in the workspace again and enter its bot token here."  # noqa: S105
_REFUSALS: dict[str, str] = {
    "invalid_auth": f"Slack does not know the token. {_NEW_TOKEN}",
    "not_authed": f"Slack does not know the token. {_NEW_TOKEN}",
    "not_allowed_token_type": "This is another kind of token. Enter the bot token, which begins with xoxb-.",
    "account_inactive": f"The Slack app was removed from the workspace. {_NEW_TOKEN}",
    "token_revoked": f"The token was revoked. {_NEW_TOKEN}",
    "token_expired": f"The token has expired. {_NEW_TOKEN}",
    "missing_scope": "The Slack app lacks a permission. Give it the scopes that the guide lists and install it again.",
    "no_permission": "The Slack app lacks a permission. Give it the scopes that the guide lists and install it again.",
    "access_denied": "Slack denies the app access to the workspace. Ask who administers Slack.",
    "team_access_not_granted": "Slack denies the app access to the workspace. Ask who administers Slack.",
    "org_login_required": "The Slack workspace is being moved. Test again when that is over.",
    "ekm_access_denied": "Who administers Slack has suspended posting. Ask them.",
}
_CHANNEL_TROUBLES: dict[str, str] = {
    "channel_not_found": "There is no such channel, or it is private and the app was not invited. "
    "Choose another one, or invite the app.",
    "is_archived": "The channel is archived. Choose another one.",
    "not_in_channel": "The app is not in the channel. Invite it there.",
    "restricted_action": "Who administers Slack lets only some people post there. Choose another channel.",
    "restricted_action_read_only_channel": "The channel is for reading only. Choose another one.",
}
_GONE = {"message_not_found", "cant_update_message", "edit_window_closed"}
_NOT_WELL = {"internal_error", "fatal_error", "service_unavailable", "request_timeout"}


class Slack:
    name = "slack"
    can_decide = True

    def __init__(self, client: GuardedClient, api_url: str, time_limit: float) -> None:
        self._client = client
        self._api_url = api_url.rstrip("/")
        self._time_limit = time_limit

    async def connect(self, connection: Connection) -> Place:
        said = await self._call(connection, "auth.test", {})
        return Place(_text(said.get("team")), _text(said.get("team_id")), _text(said.get("enterprise_id")))

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        said = await self._call(connection, "chat.postMessage", {"channel": channel, **_message(card)})
        return f"{said.get('channel')}:{said.get('ts')}"

    async def update(self, connection: Connection, ref: str, card: Card) -> None:
        channel, _, moment = ref.partition(":")
        await self._call(connection, "chat.update", {"channel": channel, "ts": moment, **_message(card)})

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        raise NotImplementedError("posts are changed")

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        """Every post carries its ID as metadata. Needs the scopes to read channels, which the app may lack."""
        asked = {
            "channel": channel,
            "oldest": f"{since.timestamp() - LOOK_BEFORE:.6f}",
            "limit": MOST_LOOKED_AT,
            "include_all_metadata": "true",
        }
        try:
            said = await self._call(connection, "conversations.history", asked, read=True)
        except (Refused, ChannelTrouble, NotTaken) as error:
            raise CannotTell(str(error), error.code) from error
        for message in cast(list[Any], said.get("messages") or []):
            if _post_id(message) == card.post_id:
                return f"{channel}:{message.get('ts')}"
        if said.get("has_more"):
            raise CannotTell("Too much was written in the channel since.")
        return None

    async def person(self, connection: Connection, user_id: str) -> dict[str, Any]:
        """A member's profile, as Slack has it."""
        said = await self._call(connection, "users.info", {"user": user_id}, read=True)
        return said.get("user") or {}

    async def whisper(self, response_url: str, text: str) -> None:
        """To the one who clicked, for their eyes only. The address came with the click, under its signature."""
        body = orjson.dumps({"response_type": "ephemeral", "replace_original": False, "text": escaped(text)})
        await call(self._client, response_url, body, {"content-type": "application/json"}, self._time_limit)

    async def _call(
        self, connection: Connection, method: str, arguments: dict[str, Any], *, read: bool = False
    ) -> dict[str, Any]:
        """Methods that read take their arguments as a form only."""
        headers = {
            "authorization": f"Bearer {connection.credentials['botToken']}",
            "content-type": "application/x-www-form-urlencoded" if read else "application/json; charset=utf-8",
        }
        body = urlencode(arguments).encode() if read else orjson.dumps(arguments)
        answer = await call(self._client, f"{self._api_url}/{method}", body, headers, self._time_limit)
        if answer.status >= 500 or answer.truncated:
            raise Unsure(f"Slack is not well: it answered {answer.status}.")
        try:
            answered = orjson.loads(answer.body)
        except orjson.JSONDecodeError:
            raise NotReached(f"What answered is not Slack: {answer.status}, and no JSON.") from None
        said = cast(dict[str, Any], answered) if isinstance(answered, dict) else {}
        if said.get("ok") is not True:
            raise _trouble(said)
        return said


def escaped(text: str) -> str:
    """For the places where Slack reads markup: no mention, no link, no formatting can begin without these."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _trouble(said: dict[str, Any]) -> ChatAppTrouble:
    code = str(said.get("error") or "no_error")[:100]
    if code in _REFUSALS:
        needed = f" It needs {said['needed']}." if code == "missing_scope" and said.get("needed") else ""
        return Refused(_REFUSALS[code] + needed[:300], code)
    if code in _CHANNEL_TROUBLES:
        return ChannelTrouble(_CHANNEL_TROUBLES[code], code)
    if code in _GONE:
        return PostGone(f"Slack says: {code}.", code)
    if code in _NOT_WELL:
        return Unsure(f"Slack is not well: {code}.", code)
    if code in {"ratelimited", "rate_limited"}:
        return SlowDown(30)
    return NotTaken(f"Slack says: {code}.", code)


def _message(card: Card) -> dict[str, Any]:
    heading = f"{MARKS[card.standing]} {card.title}"
    return {
        # What notifications and screen readers read. Here Slack knows markup.
        "text": escaped(_cut(f"{card.title}: {card.words}. {card.about}", LONGEST_TEXT)),
        "blocks": _blocks(card, heading),
        "metadata": {"event_type": EVENT, "event_payload": {"post_id": card.post_id}},
        "parse": "none",
        "link_names": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _blocks(card: Card, heading: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": _plain(heading, LONGEST_HEADING)},
        {"type": "context", "elements": [_plain(card.about, LONGEST_FIELD)]},
    ]
    if card.values:
        fields = [_plain(f"{label}\n{text}", LONGEST_FIELD) for label, text in card.values]
        blocks.append({"type": "section", "fields": fields})
    blocks.append({"type": "section", "text": _plain(card.words, LONGEST_FIELD)})
    blocks.append({"type": "actions", "block_id": card.post_id, "elements": _buttons(card)})
    return blocks


def _buttons(card: Card) -> list[dict[str, Any]]:
    decide = [
        {"type": "button", "action_id": action, "value": card.click, "style": style, "text": _plain(label)}
        for action, style, label in ((APPROVE, "primary", "Approve"), (REJECT, "danger", "Reject"))
        if card.click is not None
    ]
    return [*decide, {"type": "button", "action_id": "open", "url": card.link, "text": _plain(card.link_label)}]


def _plain(text: str, longest: int = 75) -> dict[str, Any]:
    return {"type": "plain_text", "emoji": False, "text": _cut(text, longest) or "-"}


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None


def _post_id(message: Any) -> Any:
    try:
        return message["metadata"]["event_payload"]["post_id"]
    except (KeyError, TypeError):
        return None
