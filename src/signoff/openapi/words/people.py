"""The operations under "Members"."""

from signoff.accounts import errors as accounts
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import Invalid
from signoff.platform.faults import Fault

_OWNER_NEEDED = accounts.OwnerNeeded("Only an owner can make, change or disable an owner.")
_NOT_YOURSELF = accounts.NotYourself(
    "Nobody can change their own role or disable themselves. Ask another administrator."
)
_LAST_OWNER = accounts.LastOwner("This is the last owner of the account. Make another person owner first.")

OPERATIONS: Operations = {
    ("get", "/auth/me/absence"): Words("getOwnAbsence", "Get your out-of-office status"),
    ("put", "/auth/me/absence"): Words(
        "setOwnAbsence",
        "Turn on out of office",
        problems=(
            Invalid(
                [
                    Fault("until", "in_the_past", "must be in the future"),
                    Fault("delegate", "cannot_decide", f"{story.EDITOR!r} is a viewer, who cannot decide reviews"),
                ]
            ),
        ),
    ),
    ("delete", "/auth/me/absence"): Words("endOwnAbsence", "Turn off out of office"),
    ("get", "/users"): Words("listUsers", "List members"),
    ("post", "/users"): Words(
        "inviteUser",
        "Invite a member",
        problems=(accounts.EmailTaken(story.EDITOR), accounts.OwnerNeeded("Only an owner can make another owner.")),
    ),
    ("get", "/users/{userId}"): Words("getUser", "Get a member", "Returns a member."),
    ("patch", "/users/{userId}"): Words(
        "changeUser",
        "Update a member",
        problems=(
            _LAST_OWNER,
            _OWNER_NEEDED,
            _NOT_YOURSELF,
            accounts.InvitationHeld("An API key invited this member. Approve the invitation to let them in."),
        ),
    ),
    ("delete", "/users/{userId}"): Words(
        "disableUser", "Deactivate a member", problems=(_LAST_OWNER, _OWNER_NEEDED, _NOT_YOURSELF)
    ),
    ("post", "/users/{userId}/approveInvitation"): Words(
        "approveInvitation",
        "Approve an invite by an API key",
        problems=(
            accounts.PersonNeeded("Only a signed-in admin can approve an invitation."),
            accounts.InvitationNotHeld("This member isn't waiting for approval."),
        ),
    ),
    ("post", "/users/{userId}/signInLink"): Words(
        "makeSignInLink",
        "Create a sign-in link",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can make a sign-in link."),
            accounts.OwnerNeeded("Only an owner can make a sign-in link for an owner."),
            accounts.UserDisabled("A disabled person cannot sign in. Enable them first."),
        ),
    ),
}
