"""The operations under "Members"."""

from signoff.accounts import errors as accounts
from signoff.accounts.out_of_office.actions import cannot_decide
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import msg

_OWNER_NEEDED = accounts.OwnerRequired(msg("Only an owner can add, change, or deactivate an owner."))
_NOT_YOURSELF = accounts.CannotChangeSelf(
    msg("You can't change your own role or deactivate yourself. Ask another admin.")
)
_LAST_OWNER = accounts.LastOwner(msg("This is the only owner. Make another member an owner first."))

OPERATIONS: Operations = {
    ("get", "/auth/me/absence"): Words("getOwnAbsence", "Get your out-of-office status"),
    ("put", "/auth/me/absence"): Words(
        "setOwnAbsence",
        "Turn on out of office",
        problems=(
            InvalidRequest(
                [
                    ErrorDetail("until", "in_the_past", msg("must be in the future")),
                    ErrorDetail("delegate", "cannot_decide", cannot_decide(story.EDITOR, "viewer")),
                ]
            ),
        ),
    ),
    ("delete", "/auth/me/absence"): Words("endOwnAbsence", "Turn off out of office"),
    ("get", "/users"): Words("listUsers", "List members"),
    ("post", "/users"): Words(
        "inviteUser",
        "Invite a member",
        problems=(
            accounts.EmailTaken(story.EDITOR),
            accounts.OwnerRequired(msg("Only an owner can add another owner.")),
        ),
    ),
    ("get", "/users/{userId}"): Words("getUser", "Get a member", "Returns a member."),
    ("patch", "/users/{userId}"): Words(
        "changeUser",
        "Update a member",
        problems=(
            _LAST_OWNER,
            _OWNER_NEEDED,
            _NOT_YOURSELF,
            accounts.InvitationHeld(msg("An API key invited this member. Approve the invite to let them in.")),
        ),
    ),
    ("delete", "/users/{userId}"): Words(
        "disableUser", "Deactivate a member", problems=(_LAST_OWNER, _OWNER_NEEDED, _NOT_YOURSELF)
    ),
    ("post", "/users/{userId}/approveInvitation"): Words(
        "approveInvitation",
        "Approve an invite by an API key",
        problems=(
            accounts.SignInRequired(msg("Only a signed-in admin can approve an invite.")),
            accounts.InvitationNotHeld(msg("This member isn't waiting for approval.")),
        ),
    ),
    ("post", "/users/{userId}/signInLink"): Words(
        "makeSignInLink",
        "Create a sign-in link",
        problems=(
            accounts.SignInRequired(msg("Only a signed-in admin can create a sign-in link.")),
            accounts.OwnerRequired(msg("Only an owner can create a sign-in link for an owner.")),
            accounts.UserDisabled(msg("This member is deactivated. Reactivate them first.")),
        ),
    ),
}
