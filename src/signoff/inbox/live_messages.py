"""The messages sent to a browser as server-sent events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from signoff.inbox.audit_log_tail import Entry
from signoff.platform.db import Executor
from signoff.reviews.review_list import review_rows
from signoff.sessions import queries as sessions
from signoff.sessions.live_updates import SessionUpdate, parse_update

REVIEW_ACTIONS: Final = "review."
SESSION_ACTIONS: Final = "session."
TRANSIENT_ACTIONS: Final = ("session.piece", "session.working", "session.typing")
"""They change nothing in a session's row."""
ACTIONS_FOR_EVERYONE: Final = ("agent.", "form.", "group.", "delivery.", "run.", "absence.")
"""The audit log's other actions that everyone may see; the rest is for those who may read the log."""
MEDIA_COPIED: Final = "review.media_copied"
"""Not an action in the log: media was copied in the background, or the copy failed."""


@dataclass(frozen=True, slots=True)
class LiveMessage:
    text: bytes
    for_administrators: bool = False
    only_for: str | None = None
    """Member ID."""
    not_for: frozenset[str] = frozenset()
    """Members who get another message instead."""

    @property
    def named(self) -> frozenset[str]:
        """Members for whom it matters who they are."""
        return self.not_for if self.only_for is None else self.not_for | {self.only_for}

    def is_for(self, user_id: str, *, may_administer: bool) -> bool:
        if self.for_administrators and not may_administer:
            return False
        return self.only_for in {None, user_id} and user_id not in self.not_for

    def numbered(self, position: int) -> bytes:
        """Number the message. `position` is where a browser that has this message resumes."""
        return b"id: %d\n%s" % (position, self.text)


def message(event: str, data: Any, *, for_administrators: bool = False) -> LiveMessage:
    # JSON only contains escaped line breaks, so it fits on one line.
    return LiveMessage(b"event: %s\ndata: %s\n\n" % (event.encode(), orjson.dumps(data)), for_administrators)


HELLO: Final = message("hello", {})
RESET: Final = message("reset", {})


def presence(present: dict[str, list[dict[str, str]]]) -> LiveMessage:
    return message("presence", {"reviews": present})


def format_messages(
    messages: Sequence[LiveMessage], before: int, position: int, user_id: str, *, may_administer: bool
) -> bytes:
    """Format the messages. Only the last one has an ID: if the connection breaks in between, the others are sent again.

    If there are none, send a comment with the position, so that people who may not see much don't fall far behind.
    """
    shown = [each for each in messages if each.is_for(user_id, may_administer=may_administer)]
    if not shown:
        return b": still here\nid: %d\n\n" % position
    *others, last = shown
    return b"".join([*(each.numbered(before) for each in others), last.numbered(position)])


async def build_messages(
    db: Executor, account_id: str, entries: Sequence[Entry], subjects: Sequence[str] = ()
) -> list[LiveMessage]:
    """Build the messages: one per review, with its current row and its last action. `subjects` are changes that
    aren't in the log: reviews whose media was copied, and short-lived changes of sessions.
    """
    words = [parse_update(subject) for subject in subjects]
    copied = [subject for subject, word in zip(subjects, words, strict=True) if word is None]
    changes: dict[str, tuple[str, str]] = dict.fromkeys(copied, (MEDIA_COPIED, "system"))
    of_sessions: dict[SessionUpdate, None] = {}
    others: list[LiveMessage] = []
    for entry in entries:
        if entry.action.startswith(REVIEW_ACTIONS):
            changes.pop(entry.object_id, None)  # to move it to its latest change
            changes[entry.object_id] = (entry.action, entry.actor_id)
        elif entry.action.startswith(SESSION_ACTIONS):
            of_sessions[SessionUpdate(entry.action, entry.object_id, entry.actor_id)] = None
        else:
            hidden = not entry.action.startswith(ACTIONS_FOR_EVERYONE)
            change = {"action": entry.action, "objectId": entry.object_id}
            others.append(message("change", change, for_administrators=hidden))
    of_sessions |= dict.fromkeys(word for word in words if word is not None)
    others += await _session_messages(db, account_id, list(of_sessions))
    if not changes:
        return others
    rows = await review_rows(db, account_id, list(changes))
    reviews: list[LiveMessage] = []
    for review_id, (action, actor_id) in changes.items():
        row = rows.get(review_id)
        if row is None and action == MEDIA_COPIED:
            continue  # deleted in the meantime, which the log reports
        data = {"reviewId": review_id, "action": action, "actorId": actor_id}
        reviews.append(message("review", {**data, "row": row}))
    return [*reviews, *others]


async def _session_messages(db: Executor, account_id: str, words: Sequence[SessionUpdate]) -> list[LiveMessage]:
    """Build the messages of sessions, each with the session's row if that may have changed, including unread counts
    for participants.
    """
    changed = list({word.session_id for word in words if word.action not in TRANSIENT_ACTIONS})
    rows = await sessions.session_rows(db, account_id, changed) if changed else {}
    unread = await sessions.count_unread_by_user(db, account_id, changed) if changed else {}
    messages: list[LiveMessage] = []
    for word in words:
        data = {"sessionId": word.session_id, "action": word.action, "actorId": word.actor_id}
        row = None if word.action in TRANSIENT_ACTIONS else rows.get(word.session_id)
        if row is None:
            messages.append(message("session", data))
            continue
        people = unread.get(word.session_id, {})
        messages.append(replace(message("session", {**data, "row": row}), not_for=frozenset(people)))
        for user_id, count in people.items():
            own = message("session", {**data, "row": {**row, "unread": count}})
            messages.append(replace(own, only_for=user_id))
    return messages
