"""Convert a conversation to its session's rows."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from signoff.demo.seed.content.chats import AGENT
from signoff.demo.seed.content.models import OWNER, SeedChat, SeedMessage
from signoff.demo.seed.review_rows import ReviewSeeder
from signoff.demo.seed.rows import id_of
from signoff.demo.seed.workspace import log

PAUSE: Final = timedelta(minutes=3)
"""Between two messages."""


def seed_chats(chats: Sequence[SeedChat], teller: ReviewSeeder) -> None:
    for chat in chats:
        _tell(chat, teller)


def _tell(chat: SeedChat, teller: ReviewSeeder) -> None:
    workspace, rows = teller.office, teller.rows
    began = teller.rhythm.now - timedelta(hours=chat.hours_ago)
    session_id, agent_id = id_of("ses", began), workspace.agents[chat.agent]
    place = {"account_id": workspace.account_id, "session_id": session_id}
    log(rows, workspace.people[chat.said[0].by], began, "session.started", session_id, {"agentId": agent_id})
    at = began
    for number, said in enumerate(chat.said, 1):
        at = began + number * PAUSE
        _say(said, number, at, place, teller)
    rows.add(
        "sessions",
        **place,
        agent_id=agent_id,
        name=chat.name,
        created_at=began,
        active_at=at,
        message_count=len(chat.said),
        chat=True,
    )
    _take_part(chat, place, began, teller)


def _say(said: SeedMessage, number: int, at: datetime, place: dict[str, str], teller: ReviewSeeder) -> None:
    workspace, rows = teller.office, teller.rows
    by_agent = said.by == AGENT
    author = workspace.key if by_agent else workspace.people[said.by]
    message_id = id_of("msg", at)
    review = None
    if said.review is not None:
        review = teller.tell(said.review, at - timedelta(seconds=2), place["session_id"])
    attachments: list[dict[str, Any]] | None = None
    if said.attached is not None:
        media = workspace.pictures[said.attached]
        name = f"{said.attached}.png"
        attachments = [{"mediaId": media.media_id, "name": name, "contentType": media.content_type, "size": media.size}]
        rows.add("message_media", account_id=workspace.account_id, message_id=message_id, media_id=media.media_id)
    rows.add(
        "messages",
        **place,
        number=number,
        message_id=message_id,
        role="agent" if by_agent else "human",
        author_id=author.id,
        text=said.text,
        attachments=attachments,
        review_id=review.review_id if review else None,
        streaming=False,
        heard_at=at,
        created_at=at,
        updated_at=at,
    )
    log(rows, author, at, "session.message", place["session_id"], {"messageId": message_id})


def _take_part(chat: SeedChat, place: dict[str, str], began: datetime, teller: ReviewSeeder) -> None:
    """Add participants. Those who wrote have read everything; the owner, if they participate, everything except the
    end.
    """
    end = len(chat.said)
    read = {said.by: end for said in chat.said if said.by != AGENT}
    if chat.with_owner:
        read[OWNER] = end - 2
    for name, number in read.items():
        teller.rows.add(
            "session_people",
            **place,
            user_id=teller.office.people[name].id,
            since=began,
            read_number=number,
            unread=number < end,
        )
