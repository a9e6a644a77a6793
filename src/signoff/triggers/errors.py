from typing import Literal

from signoff.platform.errors import ApiError, Conflict, NotFound, TooManyRequests
from signoff.platform.messages import msg


class NotATrigger(Conflict):
    code, title = "not_a_trigger", msg("Not a trigger form")


class NoAgent(Conflict):
    code, title = "no_agent", msg("Trigger form has no agent")


class FormChanged(Conflict):
    code, title = "form_changed", msg("Form changed")


class FormClosed(ApiError):
    """The link used to work, unlike an unknown token, which is a 404."""

    status, code, title = 410, "form_closed", msg("Form closed")

    def __init__(self) -> None:
        super().__init__(msg("This form is no longer accepting responses."))


class ChallengeExpired(Conflict):
    code, title = "challenge_expired", msg("Challenge expired")


class ChallengeUsed(Conflict):
    code, title = "challenge_used", msg("Challenge already used")


class TooManySubmissions(TooManyRequests):
    code, title = "too_many_submissions", msg("Too many submissions")

    def __init__(self, scope: Literal["link", "address"], retry_after: int) -> None:
        if scope == "link":
            detail = msg("This form has received too many responses. Try again later.")
        else:
            detail = msg("Too many responses from your network. Try again later.")
        super().__init__(detail, retry_after, scope=scope)


class FormNotFound(NotFound):
    """Doesn't repeat the token: it may differ from a valid one by a single typo."""

    def __init__(self) -> None:
        ApiError.__init__(self, msg("No form found at this URL. Check the link."))


class LinkNotFound(NotFound):
    def __init__(self) -> None:
        ApiError.__init__(self, msg("This review type has no public link."))


def not_a_trigger() -> NotATrigger:
    return NotATrigger(
        msg("This review type isn't a trigger form, so it can't be submitted. Only agents can send requests for it.")
    )


def no_agent() -> NoAgent:
    return NoAgent(msg("This trigger form has no agent to send submissions to. Link an agent to it first."))


def form_changed(version: int) -> FormChanged:
    detail = msg(
        "This form was updated to version {version} while you were filling it out. Reload and submit again.",
        version=str(version),
    )
    return FormChanged(detail, version=version)


def challenge_expired() -> ChallengeExpired:
    return ChallengeExpired(msg("The challenge expired after 30 minutes. Request a new one."))


def challenge_used() -> ChallengeUsed:
    return ChallengeUsed(msg("This challenge was already used. Request a new one."))
