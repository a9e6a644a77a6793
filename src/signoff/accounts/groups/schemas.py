from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.schemas import MAX_EMAIL_LENGTH
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel

GroupId = Annotated[str, Path(alias="groupId", max_length=128, description="Group ID.", examples=[examples.GROUP_ID])]
Members = Annotated[
    list[Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]],
    Field(max_length=1000, description="Member IDs or emails."),
]


class NewGroup(RequestModel):
    name: Name
    members: Members = Field([])


class GroupChange(PatchModel):
    """Leave a property out to keep its value. `members` replaces all members."""

    name: Name | None = None
    members: Members | None = None


class GroupMember(ResponseModel):
    user_id: str
    email: str
    name: str


class Group(ResponseModel):
    group_id: str
    name: str
    members: list[GroupMember]
    created_at: str
