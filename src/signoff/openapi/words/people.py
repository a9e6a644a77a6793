"""The operations under "People"."""

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
    ("get", "/auth/me/absence"): Words("getOwnAbsence", "See when one is away"),
    ("put", "/auth/me/absence"): Words(
        "setOwnAbsence",
        "Say that one is away",
        problems=(
            Invalid(
                [
                    Fault("until", "in_the_past", "must be in the future"),
                    Fault("delegate", "cannot_decide", f"{story.EDITOR!r} is a viewer, who cannot decide reviews"),
                ]
            ),
        ),
    ),
    ("delete", "/auth/me/absence"): Words("endOwnAbsence", "Be back"),
    ("get", "/users"): Words("listUsers", "List people"),
    ("post", "/users"): Words(
        "inviteUser",
        "Invite a person",
        problems=(accounts.EmailTaken(story.EDITOR), accounts.OwnerNeeded("Only an owner can make another owner.")),
    ),
    ("get", "/users/{userId}"): Words("getUser", "Fetch a person", "One person of the account."),
    ("patch", "/users/{userId}"): Words(
        "changeUser",
        "Change a person",
        problems=(
            _LAST_OWNER,
            _OWNER_NEEDED,
            _NOT_YOURSELF,
            accounts.InvitationHeld("An API key invited this member. Approve the invitation to let them in."),
        ),
    ),
    ("delete", "/users/{userId}"): Words(
        "disableUser", "Disable a person", problems=(_LAST_OWNER, _OWNER_NEEDED, _NOT_YOURSELF)
    ),
    ("post", "/users/{userId}/approveInvitation"): Words(
        "approveInvitation",
        "Approve an invitation by an API key",
        problems=(
            accounts.PersonNeeded("Only a signed-in admin can approve an invitation."),
            accounts.InvitationNotHeld("This member isn't waiting for approval."),
        ),
    ),
    ("post", "/users/{userId}/signInLink"): Words(
        "makeSignInLink",
        "Make a one-time sign-in link",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can make a sign-in link."),
            accounts.OwnerNeeded("Only an owner can make a sign-in link for an owner."),
            accounts.UserDisabled("A disabled person cannot sign in. Enable them first."),
        ),
    ),
}
