"""The operations under "Groups"."""

from signoff.accounts import errors as accounts
from signoff.openapi.words.wording import Operations, Words, invalid

_GROUP_NAME_TAKEN = accounts.GroupNameTaken("Editors")
_UNKNOWN_MEMBER = invalid("members[0]", "unknown_member", "there is no person 'nobody@example.com' in this account")

OPERATIONS: Operations = {
    ("get", "/groups"): Words("listGroups", "List groups"),
    ("post", "/groups"): Words("createGroup", "Create a group", problems=(_GROUP_NAME_TAKEN, _UNKNOWN_MEMBER)),
    ("get", "/groups/{groupId}"): Words("getGroup", "Get a group", "Returns a group with its members."),
    ("patch", "/groups/{groupId}"): Words(
        "changeGroup", "Update a group", problems=(_GROUP_NAME_TAKEN, _UNKNOWN_MEMBER)
    ),
    ("delete", "/groups/{groupId}"): Words(
        "deleteGroup",
        "Delete a group",
        problems=(accounts.GroupInUse("Pending reviews assigned to this group: 3."),),
    ),
}
