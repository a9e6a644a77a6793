from typing import Any, Literal

from signoff.platform.schemas import ResponseModel

ActorKind = Literal["user", "key", "external", "system"]


class EntryActor(ResponseModel):
    kind: ActorKind
    id: str
    name: str


class Entry(ResponseModel):
    entry_id: str
    at: str
    actor: EntryActor
    action: str
    object_id: str
    details: dict[str, Any] | None
    ip: str | None
    request_id: str | None
