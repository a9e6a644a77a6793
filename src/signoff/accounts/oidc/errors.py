"""Errors of a sign-in through an identity provider.

They happen during a redirect, so the person is sent to the sign-in page with the error's code.
"""

from signoff.platform.errors import (
    ApiError,
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    ServiceUnavailable,
    Unauthenticated,
)
from signoff.platform.messages import Message, msg


class OidcNotConfigured(NotFound):
    code, title = "oidc_not_configured", msg("Single sign-on not configured")

    def __init__(self) -> None:
        ApiError.__init__(self, msg("Single sign-on isn't set up on this server. Sign in with your password."))


class NextRefused(BadRequest):
    code, title = "next_refused", msg("Invalid redirect path")


class OidcDenied(Unauthenticated):
    code, title = "oidc_denied", msg("Single sign-on denied")


class StateMissing(Unauthenticated):
    code, title = "oidc_state_missing", msg("Sign-in not found")


class StateForeign(Unauthenticated):
    code, title = "oidc_state_foreign", msg("Sign-in started in another browser")


class StateExpired(Unauthenticated):
    code, title = "oidc_state_expired", msg("Sign-in timed out")


class StateReused(Unauthenticated):
    code, title = "oidc_state_reused", msg("Sign-in already completed")


class OidcTokenInvalid(Unauthenticated):
    code, title = "oidc_token_invalid", msg("Invalid response from identity provider")


class EmailUnverified(Forbidden):
    code, title = "oidc_email_unverified", msg("Email not verified")


class EmailMissing(Forbidden):
    code, title = "oidc_email_missing", msg("No email from identity provider")


class EmailInvalid(Forbidden):
    code, title = "oidc_email_invalid", msg("Invalid email from identity provider")


class NotInvited(Forbidden):
    code, title = "oidc_not_invited", msg("Not invited")


class PersonDisabled(Forbidden):
    code, title = "oidc_person_disabled", msg("Member deactivated")


class EmailLinked(Conflict):
    code, title = "oidc_email_linked", msg("Email linked to another identity")


class OidcUnavailable(ServiceUnavailable):
    code, title = "oidc_unavailable", msg("Identity provider unavailable")

    def __init__(self, detail: Message, *, reason: str) -> None:
        """`reason` is for the operator only and never part of a response."""
        super().__init__(detail)
        self.reason = reason
