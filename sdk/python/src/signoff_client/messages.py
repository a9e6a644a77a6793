"""Chat messages between members and the agent in a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypedDict

from signoff_client.errors import OtherText
from signoff_client.files import StoredFile
from signoff_client.flow import Call, Flow, Retrying, ask, new_key, place, reading, writing
from signoff_client.values import read_time

BETWEEN_PIECES = 0.2
"""Seconds. Language models return a few letters at a time: too little for a request each."""


@dataclass(frozen=True)
class Message:
    message_id: str
    session_id: str
    role: Literal["human", "agent"]
    text: str
    created_at: datetime
    attachments: tuple[StoredFile, ...]
    user: Mapping[str, str] | None
    """The author, `{id, email, name}`. None for the agent."""
    state: Literal["complete", "streaming", "interrupted"]
    raw: Mapping[str, Any] = field(repr=False)


def read_message(raw: Mapping[str, Any], session_id: str) -> Message:
    attached = (StoredFile(each["url"], each["name"], each["size"], each["contentType"]) for each in raw["attachments"])
    return Message(
        message_id=raw.get("messageId") or raw["id"],
        session_id=session_id,
        role=raw["role"],
        text=raw["text"],
        created_at=read_time(raw["createdAt"]),
        attachments=tuple(attached),
        user=raw.get("user"),
        state=raw.get("state", "complete"),
        raw=raw,
    )


class MessageOptions(TypedDict, total=False):
    attachments: Sequence[StoredFile | str]
    """Uploaded files or their URLs."""
    review_id: str
    """A review of this session to show in the chat."""
    agent_id: str
    """The session's agent. Required only if the session doesn't exist yet."""
    idempotency_key: str
    """The same key within 24 hours doesn't send the message twice. For a reply, use the event's ID.

    A streamed message that was interrupted resumes if the text is the same, and raises `OtherText` if it isn't.
    """


def say(session_id: str, text: str, options: MessageOptions, retrying: Retrying) -> Flow[Message]:
    return (yield from _write(session_id, {"text": text}, options, retrying))


def list_messages(
    session_id: str, after: str | None, before: str | None, limit: int, retrying: Retrying
) -> Flow[list[Message]]:
    call = reading(place("sessions", session_id, "messages"), after=after, before=before, limit=limit)
    answer = yield from ask(call, retrying)
    return [read_message(each, session_id) for each in answer["items"]]


def set_working(session_id: str, working: bool, text: str | None) -> Call:
    return writing("PUT", place("sessions", session_id, "working"), {"working": working, "text": text})


class Growing:
    """A message that is streamed. Each piece has an offset, so sending it twice adds it once.

    With the caller's idempotency key, a part may already exist from before a crash.
    """

    def __init__(self, session_id: str, options: MessageOptions, retrying: Retrying) -> None:
        self._session_id, self._options, self._retrying = session_id, options, retrying
        self._path = ""
        self._sent = 0
        self._waiting = ""
        self._there = ""
        self._sent_at = retrying.clock()

    def begin(self) -> Flow[Message | None]:
        """Returns the message if it's already complete and there's nothing to add."""
        message = yield from _write(self._session_id, {"text": "", "streaming": True}, self._options, self._retrying)
        self._path = place("sessions", self._session_id, "messages", message.message_id, "pieces")
        self._there = message.text
        return message if message.state == "complete" else None

    def add(self, piece: str) -> Flow[None]:
        self._waiting += piece
        if self._there and not self._caught_up():
            return
        if self._waiting and self._retrying.clock() - self._sent_at >= BETWEEN_PIECES:
            yield from self._send(done=False)

    def end(self) -> Flow[Message]:
        if self._there and not self._caught_up():
            raise OtherText(self._there, self._waiting)
        return (yield from self._send(done=True))

    def _caught_up(self) -> bool:
        """Whether the existing text was repeated in full. From then on, only new text is sent."""
        if not self._waiting.startswith(self._there[: len(self._waiting)]):
            raise OtherText(self._there, self._waiting)
        if len(self._waiting) < len(self._there):
            return False
        self._sent, self._waiting, self._there = len(self._there), self._waiting[len(self._there) :], ""
        return True

    def _send(self, done: bool) -> Flow[Message]:
        text, self._waiting = self._waiting, ""
        body = {"offset": self._sent, "text": text, "done": done}
        answer = yield from ask(writing("POST", self._path, body), self._retrying)
        self._sent += len(text)
        self._sent_at = self._retrying.clock()
        return read_message(answer, self._session_id)


def _write(session_id: str, body: dict[str, Any], options: MessageOptions, retrying: Retrying) -> Flow[Message]:
    if "attachments" in options:
        body["attachments"] = [
            {"url": each.url, "name": each.name} if isinstance(each, StoredFile) else {"url": each}
            for each in options["attachments"]
        ]
    body |= {"reviewId": options["review_id"]} if "review_id" in options else {}
    body |= {"agentId": options["agent_id"]} if "agent_id" in options else {}
    key = options.get("idempotency_key") or new_key()
    answer = yield from ask(writing("POST", place("sessions", session_id, "messages"), body, key=key), retrying)
    return read_message(answer, session_id)
