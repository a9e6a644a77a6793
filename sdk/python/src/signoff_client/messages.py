"""Chat messages between members and the agent in a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypedDict

from signoff_client.api_requests import (
    ApiRequest,
    Flow,
    RetryPolicy,
    build_path,
    get_request,
    json_request,
    new_idempotency_key,
    send_json,
)
from signoff_client.errors import MessageConflict
from signoff_client.serialization import parse_time
from signoff_client.uploads import StoredFile

PIECE_INTERVAL = 0.2
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


def parse_message(raw: Mapping[str, Any], session_id: str) -> Message:
    attached = (StoredFile(each["url"], each["name"], each["size"], each["contentType"]) for each in raw["attachments"])
    return Message(
        message_id=raw.get("messageId") or raw["id"],
        session_id=session_id,
        role=raw["role"],
        text=raw["text"],
        created_at=parse_time(raw["createdAt"]),
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

    A streamed message that was interrupted resumes if the text is the same, and raises `MessageConflict` if it isn't.
    """


def send_message(session_id: str, text: str, options: MessageOptions, policy: RetryPolicy) -> Flow[Message]:
    return (yield from _post_message(session_id, {"text": text}, options, policy))


def list_messages(
    session_id: str, after: str | None, before: str | None, limit: int, policy: RetryPolicy
) -> Flow[list[Message]]:
    request = get_request(build_path("sessions", session_id, "messages"), after=after, before=before, limit=limit)
    page = yield from send_json(request, policy)
    return [parse_message(each, session_id) for each in page["items"]]


def set_working(session_id: str, working: bool, text: str | None) -> ApiRequest:
    return json_request("PUT", build_path("sessions", session_id, "working"), {"working": working, "text": text})


class StreamingMessage:
    """A message that is streamed. Each piece has an offset, so sending it twice adds it once.

    With the caller's idempotency key, a part may already exist from before a crash.
    """

    def __init__(self, session_id: str, options: MessageOptions, policy: RetryPolicy) -> None:
        self._session_id, self._options, self._policy = session_id, options, policy
        self._path = ""
        self._offset = 0
        self._buffer = ""
        self._existing_text = ""
        self._sent_at = policy.clock()

    def start(self) -> Flow[Message | None]:
        """Returns the message if it's already complete and there's nothing to add."""
        message = yield from _post_message(
            self._session_id, {"text": "", "streaming": True}, self._options, self._policy
        )
        self._path = build_path("sessions", self._session_id, "messages", message.message_id, "pieces")
        self._existing_text = message.text
        return message if message.state == "complete" else None

    def add(self, piece: str) -> Flow[None]:
        self._buffer += piece
        if self._existing_text and not self._caught_up():
            return
        if self._buffer and self._policy.clock() - self._sent_at >= PIECE_INTERVAL:
            yield from self._send(done=False)

    def finish(self) -> Flow[Message]:
        if self._existing_text and not self._caught_up():
            raise MessageConflict(self._existing_text, self._buffer)
        return (yield from self._send(done=True))

    def _caught_up(self) -> bool:
        """Whether the existing text was repeated in full. From then on, only new text is sent."""
        if not self._buffer.startswith(self._existing_text[: len(self._buffer)]):
            raise MessageConflict(self._existing_text, self._buffer)
        if len(self._buffer) < len(self._existing_text):
            return False
        self._offset = len(self._existing_text)
        self._buffer = self._buffer[self._offset :]
        self._existing_text = ""
        return True

    def _send(self, done: bool) -> Flow[Message]:
        text, self._buffer = self._buffer, ""
        body = {"offset": self._offset, "text": text, "done": done}
        message = yield from send_json(json_request("POST", self._path, body), self._policy)
        self._offset += len(text)
        self._sent_at = self._policy.clock()
        return parse_message(message, self._session_id)


def _post_message(session_id: str, body: dict[str, Any], options: MessageOptions, policy: RetryPolicy) -> Flow[Message]:
    if "attachments" in options:
        body["attachments"] = [
            {"url": each.url, "name": each.name} if isinstance(each, StoredFile) else {"url": each}
            for each in options["attachments"]
        ]
    body |= {"reviewId": options["review_id"]} if "review_id" in options else {}
    body |= {"agentId": options["agent_id"]} if "agent_id" in options else {}
    key = options.get("idempotency_key") or new_idempotency_key()
    message = yield from send_json(
        json_request("POST", build_path("sessions", session_id, "messages"), body, key=key), policy
    )
    return parse_message(message, session_id)
