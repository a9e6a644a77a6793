"""The operations under "Sign-in"."""

from signoff.accounts import errors as accounts
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid

_TOO_MANY_FAILURES = accounts.TooManyFailures(
    "Too many sign-ins failed for this address or from this client. Try again later.", 417
)
_LINK_PROBLEMS = (
    accounts.LinkInvalid("This sign-in link is unknown or was withdrawn."),
    accounts.LinkUsed("This sign-in link was used before. Each works once."),
    accounts.LinkExpired("This sign-in link has expired. Ask an administrator for a new one."),
)

OPERATIONS: Operations = {
    ("get", "/auth/methods"): Words("listSignInMethods", "List sign-in methods"),
    ("post", "/auth/login"): Words(
        "signIn", "Sign in with a password", problems=(accounts.InvalidCredentials(), _TOO_MANY_FAILURES)
    ),
    ("post", "/auth/forgotPassword"): Words(
        "forgotPassword",
        "Request a password reset",
        problems=(accounts.TooManyResets("Too many links were asked for from this client. Try again later.", 1800),),
    ),
    ("post", "/auth/link"): Words(
        "useSignInLink",
        "Sign in with a sign-in link",
        problems=_LINK_PROBLEMS,
    ),
    ("post", "/auth/linkInfo"): Words("getLinkInfo", "Get sign-in link details", problems=_LINK_PROBLEMS),
    ("post", "/auth/logout"): Words("signOut", "Sign out"),
    ("get", "/auth/me"): Words("getMe", "Get the current member"),
    ("patch", "/auth/me"): Words(
        "changeProfile",
        "Update your profile",
        problems=(
            accounts.EmailTaken(story.EDITOR),
            accounts.ProfileChanged("The person was disabled or got another password at the same moment."),
            _TOO_MANY_FAILURES,
            accounts.TooManyEmailChanges("You changed your address too often. Try again in an hour.", 1800),
            invalid("currentPassword", "wrong_password", "is not the current password"),
            invalid("preferences.agents.agt_x", "unknown_agent", "is not an agent of this account"),
        ),
    ),
    ("post", "/auth/confirmEmail"): Words(
        "confirmEmail",
        "Confirm a new email address",
        problems=(accounts.EmailChangeInvalid("This confirmation link has expired."),),
    ),
    ("get", "/auth/sessions"): Words("listOwnSessions", "List your sessions"),
    ("delete", "/auth/sessions/{sessionId}"): Words("endOwnSession", "End a session"),
    ("delete", "/auth/sessions"): Words("endOtherSessions", "End all other sessions"),
}
