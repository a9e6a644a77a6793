"""Mattermost: an incoming webhook, which posts and cannot do more. A short second post says how a review ended."""

import re
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson

from signoff.notifications.chat_apps.adapter import (
    CannotTell,
    ChannelTrouble,
    ChatAppTrouble,
    Connection,
    NotReached,
    NotTaken,
    Place,
    Refused,
    Unsure,
)
from signoff.notifications.chat_apps.calling import call
from signoff.notifications.chat_apps.cards import Card, Standing
from signoff.platform.guarded_http import Answer, GuardedClient

_COLOURS: dict[Standing, str] = {
    "open": "#d29922",
    "waiting": "#388bfd",
    "approved": "#2da44e",
    "rejected": "#cf222e",
    "deleted": "#8c959f",
    "summary": "#8c959f",
}
_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#!>~|]")
_MENTION_OR_EMOJI_OR_ADDRESS = re.compile(r"[@:]|www(?=\.)", re.IGNORECASE)
# Between two characters it is not seen, and what it stands in is no name, emoji or address any more.
_NOTHING = "\u200b"


class Mattermost:
    name = "mattermost"
    can_update = False
    can_decide = False

    def __init__(self, client: GuardedClient, time_limit: float) -> None:
        self._client = client
        self._time_limit = time_limit

    async def connect(self, connection: Connection) -> Place:
        """A webhook cannot be asked without posting. The test button posts."""
        return Place(urlsplit(str(connection.credentials["webhookUrl"])).hostname)

    async def post(self, connection: Connection, channel: str, card: Card) -> str:
        fields = [
            {"short": len(text) < 60, "title": escaped(label), "value": escaped(text)} for label, text in card.values
        ]
        attachment = {
            "fallback": f"{card.title}: {card.words}",
            "color": _COLOURS[card.standing],
            "title": escaped(card.title),
            "title_link": card.link,
            "text": f"{escaped(card.about)}\n{escaped(card.words)} · [{card.link_label}]({card.link})",
            "fields": fields,
        }
        await self._send(connection, channel, {"attachments": [attachment]})
        return ""

    async def update(self, connection: Connection, ref: str, card: Card) -> None:
        raise NotImplementedError("posts cannot be changed")

    async def follow_up(self, connection: Connection, channel: str, card: Card) -> None:
        attachment = {
            "fallback": f"{card.title}: {card.words}",
            "color": _COLOURS[card.standing],
            "text": f"**{escaped(card.words)}** · [{escaped(card.title)}]({card.link})",
        }
        await self._send(connection, channel, {"attachments": [attachment]})

    async def find(self, connection: Connection, channel: str, card: Card, since: datetime) -> str | None:
        raise CannotTell("A webhook cannot be asked what was posted.")

    async def _send(self, connection: Connection, channel: str, message: dict[str, Any]) -> None:
        body = orjson.dumps({"channel": channel.removeprefix("#"), "text": "", **message})
        url = connection.credentials["webhookUrl"]
        answer = await call(self._client, url, body, {"content-type": "application/json"}, self._time_limit)
        if not 200 <= answer.status < 300:
            raise _trouble(answer)


def escaped(text: str) -> str:
    """As it is, wherever Mattermost reads Markdown: no mention of a whole channel, no picture from elsewhere."""
    return _MENTION_OR_EMOJI_OR_ADDRESS.sub(lambda found: found[0] + _NOTHING, _MARKDOWN.sub(r"\\\g<0>", text))


def _trouble(answer: Answer) -> ChatAppTrouble:
    """By the name of the error rather than by the status, which differs between versions."""
    code, message = _said(answer)
    if answer.status == 503:
        return NotReached("Mattermost is not well: it answered 503.")
    if answer.status >= 500 and answer.status != 501:
        return Unsure(f"Mattermost is not well: it answered {answer.status}.")  # it may have posted before that
    if "channel_locked" in code:
        return ChannelTrouble("The webhook is bound to another channel. Name that one, or unlock the webhook.", code)
    if "channel" in code:
        return ChannelTrouble(f"Mattermost does not find the channel, or may not post there: {message}", code)
    if answer.status in {400, 401, 403, 404, 410, 501} and (not code or "webhook" in code):
        return Refused(
            f"Mattermost does not take the webhook ({message}). Make a new incoming webhook and enter its address.",
            code or f"status_{answer.status}",
        )
    return NotTaken(f"Mattermost says {answer.status}: {message}", code or f"status_{answer.status}")


def _said(answer: Answer) -> tuple[str, str]:
    try:
        said = orjson.loads(answer.body)
        code, message = str(said.get("id") or ""), str(said.get("message") or "")
    except (orjson.JSONDecodeError, AttributeError):
        code, message = "", ""
    printable = "".join(each for each in message if each.isprintable())[:200]
    return code[:100], printable or f"status {answer.status}"
