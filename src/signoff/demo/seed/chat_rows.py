"""Convert a conversation to its session's rows."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from signoff.demo.seed.content.chats import AGENT
from signoff.demo.seed.content.models import OWNER, SeedChat, SeedMessage
from signoff.demo.seed.review_rows import ReviewSeeder
from signoff.demo.seed.rows import build_id
from signoff.demo.seed.workspace import log

PAUSE: Final = timedelta(minutes=3)
"""Between two messages."""


def seed_chats(chats: Sequence[SeedChat], seeder: ReviewSeeder) -> None:
    for chat in chats:
        _seed_chat(chat, seeder)


def _seed_chat(chat: SeedChat, seeder: ReviewSeeder) -> None:
    workspace, rows = seeder.workspace, seeder.rows
    began = seeder.rhythm.now - timedelta(hours=chat.hours_ago)
    session_id, agent_id = build_id("ses", began), workspace.agents[chat.agent]
    place = {"account_id": workspace.account_id, "session_id": session_id}
    log(rows, workspace.people[chat.messages[0].by], began, "session.started", session_id, {"agentId": agent_id})
    at = began
    for number, message in enumerate(chat.messages, 1):
        at = began + number * PAUSE
        _seed_message(message, number, at, place, seeder)
    rows.add(
        "sessions",
        **place,
        agent_id=agent_id,
        name=chat.name,
        created_at=began,
        active_at=at,
        message_count=len(chat.messages),
        chat=True,
    )
    _add_participants(chat, place, began, seeder)


def _seed_message(message: SeedMessage, number: int, at: datetime, place: dict[str, str], seeder: ReviewSeeder) -> None:
    workspace, rows = seeder.workspace, seeder.rows
    by_agent = message.by == AGENT
    author = workspace.key if by_agent else workspace.people[message.by]
    message_id = build_id("msg", at)
    review = None
    if message.review is not None:
        review = seeder.seed_review(message.review, at - timedelta(seconds=2), place["session_id"])
    attachments: list[dict[str, Any]] | None = None
    if message.attached is not None:
        media = workspace.pictures[message.attached]
        name = f"{message.attached}.png"
        attachments = [{"mediaId": media.media_id, "name": name, "contentType": media.content_type, "size": media.size}]
        rows.add("message_media", account_id=workspace.account_id, message_id=message_id, media_id=media.media_id)
    rows.add(
        "messages",
        **place,
        number=number,
        message_id=message_id,
        role="agent" if by_agent else "human",
        author_id=author.id,
        text=message.text,
        attachments=attachments,
        review_id=review.review_id if review else None,
        streaming=False,
        heard_at=at,
        created_at=at,
        updated_at=at,
    )
    log(rows, author, at, "session.message", place["session_id"], {"messageId": message_id})


def _add_participants(chat: SeedChat, place: dict[str, str], began: datetime, seeder: ReviewSeeder) -> None:
    """Add participants. Those who wrote have read everything; the owner, if they participate, everything except the
    end.
    """
    end = len(chat.messages)
    read = {message.by: end for message in chat.messages if message.by != AGENT}
    if chat.with_owner:
        read[OWNER] = end - 2
    for name, number in read.items():
        seeder.rows.add(
            "session_people",
            **place,
            user_id=seeder.workspace.people[name].id,
            since=began,
            read_number=number,
            unread=number < end,
        )
