"""Slack: a bot that posts to channels and edits its posts, and buttons for decisions.

Slack's API is called directly: `docs/decisions/0022-slack-over-the-guarded-client.md` says why. Untrusted text is sent
in `plain_text` objects, in which Slack doesn't parse markup or mentions.
"""

from datetime import datetime
from typing import Any, Final, cast
from urllib.parse import urlencode

import orjson

from signoff.notifications.chat_apps.adapter import (
    ChannelError,
    ChatAppError,
    ChatAppRateLimited,
    ChatAppUnreachable,
    ConnectedWorkspace,
    Connection,
    CredentialsRejected,
    PostDeleted,
    PostLookupUnsupported,
    PostOutcomeUnknown,
    PostRejected,
)
from signoff.notifications.chat_apps.api_call import call
from signoff.notifications.chat_apps.cards import Card, CardStatus
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.messages import Message, msg

APPROVE, REJECT = "signoff_approve", "signoff_reject"
EVENT: Final = "signoff_post"
MAX_HEADING_LENGTH, MAX_FIELD_LENGTH, MAX_TEXT_LENGTH = 150, 500, 1000
LOOK_BEFORE, MAX_SCANNED_POSTS = 300.0, 200
"""Seconds, because the clocks of Slack and this machine may differ; and the number of messages."""

MARKS: dict[CardStatus, str] = {
    "open": "🟡",
    "waiting": "🔵",
    "approved": "✅",
    "rejected": "⛔",
    "deleted": "🗑️",
    "summary": "📥",
}
UNKNOWN_TOKEN = msg("Slack doesn't recognize this token. Reinstall the Slack app and enter its new bot token.")
_MISSING_SCOPE = msg(
    "The Slack app is missing a scope. Add the scopes listed under “Slack and Mattermost” in the Signoff docs, and "
    "reinstall the app."
)
_ACCESS_DENIED = msg("Slack denied the app access to the workspace. Ask your Slack admin.")
_REFUSALS: dict[str, Message] = {
    "invalid_auth": UNKNOWN_TOKEN,
    "not_authed": UNKNOWN_TOKEN,
    "not_allowed_token_type": msg("This isn't a bot token. Enter the one that starts with xoxb-."),
    "account_inactive": msg(
        "The Slack app was removed from the workspace. Reinstall the Slack app and enter its new bot token."
    ),
    "token_revoked": msg("The token was revoked. Reinstall the Slack app and enter its new bot token."),
    "token_expired": msg("The token has expired. Reinstall the Slack app and enter its new bot token."),
    "missing_scope": _MISSING_SCOPE,
    "no_permission": _MISSING_SCOPE,
    "access_denied": _ACCESS_DENIED,
    "team_access_not_granted": _ACCESS_DENIED,
    "org_login_required": msg("The Slack workspace is being migrated. Try again after the migration."),
    "ekm_access_denied": msg("Posting is disabled for this workspace. Ask your Slack admin."),
}
_CHANNEL_ERRORS: dict[str, Message] = {
    "channel_not_found": msg("Channel not found. If it's private, invite the app first."),
    "is_archived": msg("This channel is archived. Choose another."),
    "not_in_channel": msg("The app isn't in this channel. Invite it first."),
    "restricted_action": msg("Posting in this channel is restricted. Choose another."),
    "restricted_action_read_only_channel": msg("This channel is read-only. Choose another."),
}
_POST_GONE_ERRORS = {"message_not_found", "cant_update_message", "edit_window_closed"}
_SERVER_ERRORS = {"internal_error", "fatal_error", "service_unavailable", "request_timeout"}


class Slack:
    name = "slack"
    can_decide = True

    def __init__(self, client: GuardedClient, api_url: str, time_limit: float) -> None:
        self._client = client
        self._api_url = api_url.rstrip("/")
        self._time_limit = time_limit

    async def connect(self, connection: Connection) -> ConnectedWorkspace:
        data = await self._call(connection, "auth.test", {})
        return ConnectedWorkspace(_text(data.get("team")), _text(data.get("team_id")), _text(data.get("enterprise_id")))

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        data = await self._call(connection, "chat.postMessage", {"channel": channel, **_message(card)})
        return f"{data.get('channel')}:{data.get('ts')}"

    async def update(self, connection: Connection, ref: str, card: Card) -> None:
        channel, _, timestamp = ref.partition(":")
        await self._call(connection, "chat.update", {"channel": channel, "ts": timestamp, **_message(card)})

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        raise NotImplementedError("posts are changed")

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        """Find a post: each has its ID as metadata. Requires the scopes for reading channels, which the app may
        lack.
        """
        params = {
            "channel": channel,
            "oldest": f"{since.timestamp() - LOOK_BEFORE:.6f}",
            "limit": MAX_SCANNED_POSTS,
            "include_all_metadata": "true",
        }
        try:
            data = await self._call(connection, "conversations.history", params, read=True)
        except (CredentialsRejected, ChannelError, PostRejected) as error:
            raise PostLookupUnsupported(error.why, error.code) from error
        for message in cast(list[Any], data.get("messages") or []):
            if _post_id(message) == card.post_id:
                return f"{channel}:{message.get('ts')}"
        if data.get("has_more"):
            raise PostLookupUnsupported(msg("The channel has too many newer messages to search."))
        return None

    async def get_profile(self, connection: Connection, user_id: str) -> dict[str, Any]:
        """Return a member's Slack profile."""
        data = await self._call(connection, "users.info", {"user": user_id}, read=True)
        return data.get("user") or {}

    async def send_ephemeral(self, response_url: str, text: str) -> None:
        """Send a message that only the person who clicked can see. The URL was in the signed request of the click."""
        body = orjson.dumps({"response_type": "ephemeral", "replace_original": False, "text": escape(text)})
        await call(self._client, response_url, body, {"content-type": "application/json"}, self._time_limit)

    async def _call(
        self, connection: Connection, method: str, arguments: dict[str, Any], *, read: bool = False
    ) -> dict[str, Any]:
        """Methods that read only take their arguments as a form."""
        headers = {
            "authorization": f"Bearer {connection.credentials['botToken']}",
            "content-type": "application/x-www-form-urlencoded" if read else "application/json; charset=utf-8",
        }
        body = urlencode(arguments).encode() if read else orjson.dumps(arguments)
        answer = await call(self._client, f"{self._api_url}/{method}", body, headers, self._time_limit)
        if answer.status >= 500 or answer.truncated:
            raise PostOutcomeUnknown(msg("Slack returned an error ({code}).", code=str(answer.status)))
        try:
            answered = orjson.loads(answer.body)
        except orjson.JSONDecodeError:
            raise ChatAppUnreachable(
                msg("Unexpected response from Slack ({code}, not JSON).", code=str(answer.status))
            ) from None
        data = cast(dict[str, Any], answered) if isinstance(answered, dict) else {}
        if data.get("ok") is not True:
            raise _error(data)
        return data


def escape(text: str) -> str:
    """Escape text where Slack reads markup: mentions, links, and formatting need these characters."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _error(data: dict[str, Any]) -> ChatAppError:
    code = str(data.get("error") or "no_error")[:100]
    if code in _REFUSALS:
        return CredentialsRejected(_missing(data) or _REFUSALS[code], code)
    if code in _CHANNEL_ERRORS:
        return ChannelError(_CHANNEL_ERRORS[code], code)
    if code in _POST_GONE_ERRORS:
        return PostDeleted(msg("Slack returned an error ({code}).", code=code), code)
    if code in _SERVER_ERRORS:
        return PostOutcomeUnknown(msg("Slack returned an error ({code}).", code=code), code)
    if code in {"ratelimited", "rate_limited"}:
        return ChatAppRateLimited(30)
    return PostRejected(msg("Slack returned an error ({code}).", code=code), code)


def _missing(data: dict[str, Any]) -> Message | None:
    """Return the scope that Slack reports as missing."""
    if data.get("error") != "missing_scope" or not data.get("needed"):
        return None
    return msg(
        "The Slack app is missing a scope ({scope}). Add the scopes listed under “Slack and Mattermost” in the "
        "Signoff docs, and reinstall the app.",
        scope=str(data["needed"])[:300],
    )


def _message(card: Card) -> dict[str, Any]:
    heading = f"{MARKS[card.standing]} {card.title}"
    whole = msg("{title}: {state}. {about}", title=card.title, state=card.words, about=card.about)
    return {
        # Read by notifications and screen readers. Slack parses markup in it.
        "text": escape(_cut(whole.localize(card.language), MAX_TEXT_LENGTH)),
        "blocks": _blocks(card, heading),
        "metadata": {"event_type": EVENT, "event_payload": {"post_id": card.post_id}},
        "parse": "none",
        "link_names": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _blocks(card: Card, heading: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": _plain(heading, MAX_HEADING_LENGTH)},
        {"type": "context", "elements": [_plain(card.about, MAX_FIELD_LENGTH)]},
    ]
    if card.values:
        fields = [_plain(f"{label}\n{text}", MAX_FIELD_LENGTH) for label, text in card.values]
        blocks.append({"type": "section", "fields": fields})
    blocks.append({"type": "section", "text": _plain(card.words, MAX_FIELD_LENGTH)})
    blocks.append({"type": "actions", "block_id": card.post_id, "elements": _buttons(card)})
    return blocks


def _buttons(card: Card) -> list[dict[str, Any]]:
    decide = [
        {
            "type": "button",
            "action_id": action,
            "value": card.click,
            "style": style,
            "text": _plain(label.localize(card.language)),
        }
        for action, style, label in ((APPROVE, "primary", msg("Approve")), (REJECT, "danger", msg("Reject")))
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
