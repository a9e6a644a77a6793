"""Mattermost, connected in one of two ways.

A bot token posts and edits its posts through the REST API (v4). An incoming webhook can only post, so a short second
post says how a review ended.
"""

import re
from datetime import datetime
from typing import Any, Final, NoReturn, cast
from urllib.parse import urlsplit

import orjson

from signoff.notifications.chat_apps.adapter import (
    ChannelError,
    ChatAppError,
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
from signoff.platform.guarded_http import GuardedClient, HttpResponse
from signoff.platform.messages import isolate, msg

UNKNOWN_TOKEN = msg(
    "Mattermost rejected the bot token. Create a new token for the bot and enter it in Settings → Chat apps."
)

ID: Final = re.compile(r"[a-z0-9]{26}")
LOOK_BEFORE, MAX_SCANNED_POSTS = 300.0, 200
"""Seconds, because the server's clock may differ from ours; and the maximum number of posts on a page."""
POST_ID: Final = "signoff_post_id"
"""The property of a post with our own ID of it."""
NO_PERMISSION: Final = "no_permission"

_COLORS: dict[CardStatus, str] = {
    "open": "#d29922",
    "waiting": "#388bfd",
    "approved": "#2da44e",
    "rejected": "#cf222e",
    "deleted": "#8c959f",
    "summary": "#8c959f",
}
_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#!>~|]")
_MENTION_OR_EMOJI_OR_ADDRESS = re.compile(r"[@:]|www(?=\.)", re.IGNORECASE)
# Invisible between two characters, and what contains it is no longer a name, an emoji, or a URL.
_NOTHING = "\u200b"


class Mattermost:
    name = "mattermost"
    can_decide = False

    def __init__(self, client: GuardedClient, time_limit: float) -> None:
        self._client = client
        self._time_limit = time_limit

    async def connect(self, connection: Connection) -> ConnectedWorkspace:
        """Check the credentials. A webhook can't be checked without posting; the test button does that.

        A bot can edit only its own posts, so the bot's ID says whether earlier posts can still be edited.
        """
        if not connection.can_update:
            return ConnectedWorkspace(urlsplit(str(connection.credentials["webhookUrl"])).hostname)
        data = await self._call_api(connection, "GET", "users/me")
        return ConnectedWorkspace(urlsplit(str(connection.credentials["serverUrl"])).hostname, _parse_id(data))

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        if not connection.can_update:
            await self._send(connection, channel, {"attachments": [_attachment(card)]})
            return ""
        message = {"channel_id": _channel_id(channel), "message": "", "props": _props(card)}
        return _parse_id(await self._call_api(connection, "POST", "posts", message))

    async def update(self, connection: Connection, ref: str, card: Card) -> None:
        try:
            await self._call_api(connection, "PUT", f"posts/{ref}/patch", {"props": _props(card)})
        except PostRejected as error:
            raise PostDeleted(error.why, error.code) from error
        except ChannelError as error:
            if error.code != NO_PERMISSION:
                raise
            await self._explain(connection, ref)

    async def _explain(self, connection: Connection, ref: str) -> NoReturn:
        """Find the reason: Mattermost's error is the same if the post was deleted and if the bot was removed from
        the channel.
        """
        try:
            await self._call_api(connection, "GET", f"posts/{ref}")
        except PostRejected as error:
            raise PostDeleted(msg("The post was deleted."), error.code) from error
        raise PostDeleted(msg("Mattermost doesn't let the bot edit the post."))

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        attachment = {
            "fallback": _one_line(card),
            "color": _COLORS[card.standing],
            "text": f"**{escape(card.words)}** · [{escape(isolate(card.title, card.language))}]({card.link})",
        }
        await self._send(connection, channel, {"attachments": [attachment]})

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        if not connection.can_update:
            raise PostLookupUnsupported(msg("Incoming webhooks can't read posts."))
        try:
            path = f"channels/{_channel_id(channel)}/posts?page=0&per_page={MAX_SCANNED_POSTS}"
            data = await self._call_api(connection, "GET", path)
        except (CredentialsRejected, ChannelError, PostRejected) as error:
            raise PostLookupUnsupported(error.why, error.code) from error
        try:
            posts: list[dict[str, Any]] = [data["posts"][each] for each in data["order"]]
            post_ids = [post["id"] for post in posts if (post["props"] or {}).get(POST_ID) == card.post_id]
            oldest = min((post["create_at"] for post in posts), default=0) / 1000
        except (AttributeError, KeyError, TypeError):
            raise PostLookupUnsupported(msg("Mattermost didn't return the channel's posts.")) from None
        if post_ids:
            return str(post_ids[0])
        if len(posts) >= MAX_SCANNED_POSTS and oldest > since.timestamp() - LOOK_BEFORE:
            raise PostLookupUnsupported(msg("The channel has too many newer messages to search."))
        return None

    async def _send(self, connection: Connection, channel: str, message: dict[str, Any]) -> None:
        body = orjson.dumps({"channel": channel.removeprefix("#"), "text": "", **message})
        url = connection.credentials["webhookUrl"]
        answer = await call(self._client, url, body, {"content-type": "application/json"}, self._time_limit)
        if not 200 <= answer.status < 300:
            raise _webhook_error(answer)

    async def _call_api(
        self, connection: Connection, method: str, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        url = f"{str(connection.credentials['serverUrl']).rstrip('/')}/api/v4/{path}"
        headers = {"authorization": f"Bearer {connection.credentials['botToken']}", "content-type": "application/json"}
        content = None if body is None else orjson.dumps(body)
        answer = await call(self._client, url, content, headers, self._time_limit, method)
        if answer.status == 401:
            raise CredentialsRejected(
                UNKNOWN_TOKEN,
                "invalid_token",
            )
        if (trouble := _server_error(answer)) is not None:
            raise trouble
        if answer.truncated:
            raise PostOutcomeUnknown(msg("The response from Mattermost is incomplete."))
        data = _object(answer.body)
        if data is None:
            raise ChatAppUnreachable(
                msg(
                    "The server URL doesn't point to a Mattermost server: the response ({code}) isn't JSON.",
                    code=str(answer.status),
                )
            )
        if not 200 <= answer.status < 300:
            raise _api_error(answer)
        return data


def escape(text: str) -> str:
    """Escape text wherever Mattermost reads Markdown: no mention of a whole channel, no external image."""
    return _MENTION_OR_EMOJI_OR_ADDRESS.sub(lambda found: found[0] + _NOTHING, _MARKDOWN.sub(r"\\\g<0>", text))


def _one_line(card: Card) -> str:
    return msg("{title}: {state}", title=card.title, state=card.words).localize(card.language)


def _attachment(card: Card) -> dict[str, Any]:
    fields = [{"short": len(text) < 60, "title": escape(label), "value": escape(text)} for label, text in card.values]
    return {
        "fallback": _one_line(card),
        "color": _COLORS[card.standing],
        "title": escape(card.title),
        "title_link": card.link,
        "text": f"{escape(card.about)}\n{escape(card.words)} · [{card.link_label}]({card.link})",
        "fields": fields,
    }


def _props(card: Card) -> dict[str, Any]:
    """Return all properties: an edit replaces the post's existing ones."""
    return {"attachments": [_attachment(card)], POST_ID: card.post_id}


def _channel_id(channel: str) -> str:
    """Return the channel's ID, which the API requires. Two teams can have channels with the same name."""
    if not ID.fullmatch(channel):
        raise ChannelError(
            msg("This isn't a channel ID. Enter the ID from the bottom of the channel's info panel in Mattermost."),
            "not_a_channel_id",
        )
    return channel


def _parse_id(data: dict[str, Any]) -> str:
    value = data.get("id")
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise ChatAppUnreachable(msg("The server URL doesn't point to a Mattermost server: the response has no ID."))
    return value


def _api_error(answer: HttpResponse) -> ChatAppError:
    code, message = _parse_error(answer)
    if "deleted" in code:
        return ChannelError(msg("This channel is archived. Choose another."), "is_archived")
    if answer.status == 403:
        return ChannelError(
            msg("The bot can't post in this channel. Add it to the team and the channel, or choose another channel."),
            NO_PERMISSION,
        )
    if "invalid_param" in code:  # the channel's ID is the only part of the request that can be wrong
        return ChannelError(msg("Mattermost has no channel with this ID. Choose another."), "channel_not_found")
    return PostRejected(
        msg("Mattermost returned {code}: {error}", code=str(answer.status), error=message),
        code or f"status_{answer.status}",
    )


def _server_error(answer: HttpResponse) -> ChatAppError | None:
    if answer.status == 503:
        return ChatAppUnreachable(msg("Mattermost returned an error ({code}).", code="503"))
    if answer.status >= 500 and answer.status != 501:
        return PostOutcomeUnknown(
            msg("Mattermost returned an error ({code}).", code=str(answer.status))
        )  # it may have posted before that
    return None


def _webhook_error(answer: HttpResponse) -> ChatAppError:
    """Convert an error by its name, not by its status, which differs between versions."""
    if (trouble := _server_error(answer)) is not None:
        return trouble
    code, message = _parse_error(answer)
    if "channel_locked" in code:
        return ChannelError(
            msg("This webhook is locked to another channel. Use that channel, or unlock the webhook in Mattermost."),
            code,
        )
    if "channel" in code:
        return ChannelError(msg("Mattermost can't post to this channel: {error}", error=message), code)
    if answer.status in {400, 401, 403, 404, 410, 501} and (not code or "webhook" in code):
        return CredentialsRejected(
            msg(
                "Mattermost rejected the webhook ({error}). Create a new incoming webhook and enter its URL.",
                error=message,
            ),
            code or f"status_{answer.status}",
        )
    return PostRejected(
        msg("Mattermost returned {code}: {error}", code=str(answer.status), error=message),
        code or f"status_{answer.status}",
    )


def _parse_error(answer: HttpResponse) -> tuple[str, str]:
    data = _object(answer.body) or {}
    code, message = str(data.get("id") or ""), str(data.get("message") or "")
    printable = "".join(each for each in message if each.isprintable())[:200]
    return code[:100], printable or f"status {answer.status}"


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        data = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return cast(dict[str, Any], data) if isinstance(data, dict) else None
