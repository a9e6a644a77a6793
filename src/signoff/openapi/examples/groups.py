"""The editors' group."""

from typing import Any

from signoff.platform.examples import EDITOR, EDITOR_ID, GROUP_ID, JOINED_AT, USER_ID

EXAMPLES: dict[str, Any] = {
    "NewGroup": {"name": "Editors", "members": [EDITOR]},
    "GroupChange": {"members": [EDITOR_ID, USER_ID]},
    "Group": {
        "groupId": GROUP_ID,
        "name": "Editors",
        "members": [{"userId": EDITOR_ID, "email": EDITOR, "name": "Eda Torres"}],
        "createdAt": JOINED_AT,
    },
}
