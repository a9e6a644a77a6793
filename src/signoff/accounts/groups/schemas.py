from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

from signoff.accounts.schemas import MAX_EMAIL_LENGTH
from signoff.platform import examples
from signoff.platform.schemas import Name, PatchModel, RequestModel, ResponseModel, example

GroupId = Annotated[str, Path(alias="groupId", max_length=128, description="Group ID.", examples=[examples.GROUP_ID])]
Members = Annotated[
    list[Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH)]],
    Field(max_length=1000, description="Member IDs or emails."),
]


class NewGroup(RequestModel):
    model_config = example({"name": "Editors", "members": [examples.EDITOR]})

    name: Name
    members: Members = Field([])


class GroupChange(PatchModel):
    """Leave a property out to keep its value. `members` replaces all members."""

    model_config = example({"members": [examples.EDITOR_ID, examples.USER_ID]})

    name: Name | None = None
    members: Members | None = None


class GroupMember(ResponseModel):
    user_id: str
    email: str
    name: str


class Group(ResponseModel):
    model_config = example(
        {
            "groupId": examples.GROUP_ID,
            "name": "Editors",
            "members": [{"userId": examples.EDITOR_ID, "email": examples.EDITOR, "name": "Eda Torres"}],
            "createdAt": examples.JOINED_AT,
        }
    )

    group_id: str
    name: str
    members: list[GroupMember]
    created_at: str
