from typing import Any, Literal

from signoff.platform import examples
from signoff.platform.schemas import ResponseModel, example

ActorKind = Literal["user", "key", "external", "system"]


class EntryActor(ResponseModel):
    kind: ActorKind
    id: str
    name: str


class Entry(ResponseModel):
    model_config = example(
        {
            "entryId": examples.ENTRY_ID,
            "at": examples.RESPONDED_AT,
            "actor": {"kind": "user", "id": examples.EDITOR_ID, "name": examples.EDITOR},
            "action": "review.approved",
            "objectId": examples.REVIEW_ID,
            "details": {"revision": 1},
            "ip": "203.0.113.7",
            "requestId": "req_01a1de9085da7c21f48e0b65d39a",
        }
    )

    entry_id: str
    at: str
    actor: EntryActor
    action: str
    object_id: str
    details: dict[str, Any] | None
    ip: str | None
    request_id: str | None
