"""The operations under "Groups"."""

from signoff.accounts import errors as accounts
from signoff.accounts.assignee_lookup import not_a_member
from signoff.accounts.groups.actions import group_in_use
from signoff.openapi.words.wording import Operations, Words, invalid

_GROUP_NAME_TAKEN = accounts.GroupNameTaken("Editors")
_UNKNOWN_MEMBER = invalid("members[0]", "unknown_member", not_a_member("nobody@example.com"))

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
        problems=(group_in_use(3),),
    ),
}
