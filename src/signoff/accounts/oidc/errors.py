"""What can stand in the way of a sign-in through an identity provider.

The person is in the middle of a redirect then: they are sent to the sign-in page, which is told the code.
"""

from signoff.platform.errors import Conflict, Forbidden, Malformed, NotFound, Problem, Unauthenticated, Unavailable


class OidcNotConfigured(NotFound):
    code, title = "oidc_not_configured", "There is no identity provider"

    def __init__(self) -> None:
        Problem.__init__(self, "This installation has no identity provider to sign in through.")


class NextRefused(Malformed):
    code, title = "next_refused", "Not a path of this service"


class OidcDenied(Unauthenticated):
    code, title = "oidc_denied", "The identity provider did not sign the person in"


class StateMissing(Unauthenticated):
    code, title = "oidc_state_missing", "The sign-in was not begun in this browser"


class StateForeign(Unauthenticated):
    code, title = "oidc_state_foreign", "The sign-in was begun elsewhere"


class StateExpired(Unauthenticated):
    code, title = "oidc_state_expired", "The sign-in took too long"


class StateReused(Unauthenticated):
    code, title = "oidc_state_reused", "The sign-in was finished before"


class OidcTokenInvalid(Unauthenticated):
    code, title = "oidc_token_invalid", "The identity provider's answer cannot be accepted"


class EmailUnverified(Forbidden):
    code, title = "oidc_email_unverified", "The identity provider does not vouch for the e-mail address"


class EmailMissing(Forbidden):
    code, title = "oidc_email_missing", "The identity provider sent no email address"


class EmailInvalid(Forbidden):
    code, title = "oidc_email_invalid", "The identity provider sent an invalid email address"


class NotInvited(Forbidden):
    code, title = "oidc_not_invited", "Nobody invited this person"


class PersonDisabled(Forbidden):
    code, title = "oidc_person_disabled", "The person is disabled"


class EmailLinked(Conflict):
    code, title = "oidc_email_linked", "The e-mail address is another person's at the identity provider"


class OidcUnavailable(Unavailable):
    code, title = "oidc_unavailable", "The identity provider does not answer"

    def __init__(self, detail: str, *, reason: str) -> None:
        """`reason` is for the operator, and in no answer."""
        super().__init__(detail)
        self.reason = reason
