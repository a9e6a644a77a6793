"""What a browser is told, as Server-Sent Events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from signoff.inbox.log_reader import Entry
from signoff.platform.db import Executor
from signoff.reviews.listing import rows_of

OF_REVIEWS: Final = "review."
FOR_EVERYBODY: Final = ("agent.", "form.", "group.", "delivery.")
"""Of the other actions in the audit log; the rest is for those who may read it."""
MEDIA_COPIED: Final = "review.media_copied"
"""No action in the log: media was copied in the background, or cannot be."""


@dataclass(frozen=True, slots=True)
class Message:
    text: bytes
    for_administrators: bool = False

    def numbered(self, position: int) -> bytes:
        """`position` is where a browser goes on that has this message and comes back."""
        return b"id: %d\n%s" % (position, self.text)


def message(event: str, data: Any, *, for_administrators: bool = False) -> Message:
    # JSON has no line breaks but escaped ones, so one line holds it.
    return Message(b"event: %s\ndata: %s\n\n" % (event.encode(), orjson.dumps(data)), for_administrators)


HELLO: Final = message("hello", {})
RESET: Final = message("reset", {})


def presence(present: dict[str, list[dict[str, str]]]) -> Message:
    return message("presence", {"reviews": present})


async def messages_of(
    db: Executor, account_id: str, entries: Sequence[Entry], copied: Sequence[str] = ()
) -> list[Message]:
    """Each review once, with its row as it is now and the last that was done to it."""
    changes: dict[str, tuple[str, str]] = dict.fromkeys(copied, (MEDIA_COPIED, "system"))
    others: list[Message] = []
    for entry in entries:
        if entry.action.startswith(OF_REVIEWS):
            changes.pop(entry.object_id, None)  # to stand where it changed last
            changes[entry.object_id] = (entry.action, entry.actor_id)
        else:
            hidden = not entry.action.startswith(FOR_EVERYBODY)
            change = {"action": entry.action, "objectId": entry.object_id}
            others.append(message("change", change, for_administrators=hidden))
    if not changes:
        return others
    rows = {row.review_id: row for row in await rows_of(db, account_id, list(changes))}
    reviews: list[Message] = []
    for review_id, (action, actor_id) in changes.items():
        row = rows.get(review_id)
        if row is None and action == MEDIA_COPIED:
            continue  # deleted meanwhile, which the log tells
        data = {"reviewId": review_id, "action": action, "actorId": actor_id}
        shown = None if row is None else row.model_dump(by_alias=True, exclude_none=True)
        reviews.append(message("review", {**data, "row": shown}))
    return [*reviews, *others]
