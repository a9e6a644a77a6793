"""The operations under "Sign-in"."""

from signoff.accounts import errors as accounts
from signoff.accounts.sign_in.links import UNKNOWN_LINK
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.messages import msg

_TOO_MANY_FAILURES = accounts.TooManySignInFailures(
    msg("Too many failed sign-in attempts. Wait a few minutes and try again."), 417
)
_LINK_PROBLEMS = (
    accounts.LinkInvalid(UNKNOWN_LINK),
    accounts.LinkUsed(msg("This sign-in link has already been used. Each link works once.")),
    accounts.LinkExpired(msg("This sign-in link has expired. Ask an admin for a new one.")),
)

OPERATIONS: Operations = {
    ("get", "/auth/methods"): Words("listSignInMethods", "List sign-in methods"),
    ("post", "/auth/login"): Words(
        "signIn", "Sign in with a password", problems=(accounts.InvalidCredentials(), _TOO_MANY_FAILURES)
    ),
    ("post", "/auth/forgotPassword"): Words(
        "forgotPassword",
        "Request a password reset",
        problems=(
            accounts.TooManyPasswordResets(
                msg("Too many password reset requests from your network. Try again later."), 1800
            ),
        ),
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
            accounts.ProfileChanged(msg("Your account changed while you were saving. Reload and try again.")),
            _TOO_MANY_FAILURES,
            accounts.TooManyEmailChanges(msg("You've changed your email too many times. Try again in an hour."), 1800),
            invalid("currentPassword", "wrong_password", msg("is incorrect")),
            invalid("preferences.agents.agt_x", "unknown_agent", msg("isn't an agent in this account")),
        ),
    ),
    ("post", "/auth/confirmEmail"): Words(
        "confirmEmail",
        "Confirm a new email address",
        problems=(accounts.EmailChangeInvalid(msg("This confirmation link has expired.")),),
    ),
    ("get", "/auth/sessions"): Words("listOwnSessions", "List your sessions"),
    ("delete", "/auth/sessions/{sessionId}"): Words("endOwnSession", "End a session"),
    ("delete", "/auth/sessions"): Words("endOtherSessions", "End all other sessions"),
}
