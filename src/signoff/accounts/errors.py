"""Errors of actions on members, keys, and the account."""

import math
from datetime import datetime
from typing import Any, Literal

from signoff.accounts.actors import AUTO_APPROVE, TIME_OUT_USER
from signoff.platform.clock import iso, now
from signoff.platform.errors import ApiError, Conflict, Forbidden, NotFound, TooManyRequests, Unauthenticated
from signoff.platform.messages import ByteSize, Message, msg, msgs
from signoff.platform.rate_limits import Rate


class InvalidCredentials(Unauthenticated):
    """The same for an unknown email, a wrong password, and a deactivated member, so that nobody can tell them apart."""

    code, title = "invalid_credentials", msg("Incorrect email or password")

    def __init__(self) -> None:
        super().__init__(msg("The email or password is incorrect."))


class TooManySignInFailures(TooManyRequests):
    code, title = "too_many_failures", msg("Too many failed sign-in attempts")

    def __init__(self, retry_after: int) -> None:
        super().__init__(msg("Too many failed sign-in attempts. Wait a few minutes and try again."), retry_after)


class TooManyPasswordResets(TooManyRequests):
    code, title = "too_many_resets", msg("Too many password reset requests")

    def __init__(self, retry_after: int) -> None:
        super().__init__(msg("Too many password reset requests from your network. Try again later."), retry_after)


class TooManyEmailChanges(TooManyRequests):
    code, title = "too_many_email_changes", msg("Too many email changes")

    def __init__(self, retry_after: int) -> None:
        super().__init__(msg("You've requested too many email changes. Try again in an hour."), retry_after)


class RateLimited(TooManyRequests):
    code, title = "rate_limited", msg("Rate limit exceeded")

    def __init__(self, rate: Rate, retry_after: int) -> None:
        super().__init__(
            msgs(
                "Your plan allows {count} API request per second, with bursts of up to {burst}. Wait the number of "
                "seconds in Retry-After, then try again.",
                "Your plan allows {count} API requests per second, with bursts of up to {burst}. Wait the number of "
                "seconds in Retry-After, then try again.",
                count=rate.per_second,
                burst=rate.burst,
            ),
            retry_after,
        )


class FairUseExceeded(TooManyRequests):
    code, title = "fair_use_exceeded", msg("Monthly usage limit reached")

    def __init__(
        self, limit: Literal["reviewRequests", "dataBytes"], used: int, included: int, until: datetime
    ) -> None:
        if limit == "reviewRequests":
            detail = msg(
                "This request would exceed your plan's limit of {included} review requests per month ({used} used). "
                "Usage resets on {until}.",
                used=used,
                included=included,
                until=until,
            )
        else:
            detail = msg(
                "This request would exceed your plan's limit of {included} of data per month ({used} used). Usage "
                "resets on {until}.",
                used=ByteSize(used),
                included=ByteSize(included),
                until=until,
            )
        super().__init__(
            detail,
            max(1, math.ceil((until - now()).total_seconds())),
            limit=limit,
            used=used,
            included=included,
        )


class LinkInvalid(Unauthenticated):
    code, title = "link_invalid", msg("Invalid sign-in link")


class LinkUsed(LinkInvalid):
    code, title = "link_used", msg("Sign-in link already used")

    def __init__(self) -> None:
        super().__init__(msg("This sign-in link has already been used. Each link works once."))


class LinkExpired(LinkInvalid):
    code, title = "link_expired", msg("Sign-in link expired")

    def __init__(self) -> None:
        super().__init__(msg("This sign-in link has expired. Ask an admin for a new one."))


class ReviewLinkEnded(ApiError):
    """An external reviewer's link no longer works. Each reason has its own code."""

    status, code, title = 410, "link_ended", msg("Review link no longer works")


def already_decided(who: str, when: datetime) -> Message:
    if who in (AUTO_APPROVE, TIME_OUT_USER):
        return msg("This review was already decided automatically on {when}.", when=when)
    return msg("{who} already decided this review on {when}.", who=who, when=when)


class ReviewLinkAnswered(ReviewLinkEnded):
    code, title = "link_answered", msg("Review already decided")

    def __init__(self, who: str, when: datetime, response: str | None, *, by_you: bool, **members: Any) -> None:
        super().__init__(
            already_decided(who, when),
            respondingUser=who,
            respondedAt=iso(when),
            **({} if response is None else {"response": response}),
            byYou=by_you,
            **members,
        )


class ReviewLinkDeleted(ReviewLinkEnded):
    code, title = "link_deleted", msg("Review deleted")


class ReviewLinkReassigned(ReviewLinkEnded):
    code, title = "link_reassigned", msg("Review reassigned")


class ReviewLinkExpired(ReviewLinkEnded):
    code, title = "link_expired", msg("Review link expired")


class ApiKeyRequired(Forbidden):
    code, title = "key_needed", msg("API key required")

    def __init__(self) -> None:
        super().__init__(msg("Use an API key. Only agents can call this endpoint."))


class SignInRequired(Forbidden):
    code, title = "person_needed", msg("Sign-in required")


class OwnerRequired(Forbidden):
    code, title = "owner_needed", msg("Owner role required")


class CannotChangeSelf(Forbidden):
    code, title = "not_yourself", msg("You can't change your own role")

    def __init__(self) -> None:
        super().__init__(msg("You can't change your own role or deactivate yourself. Ask another admin."))


class LastOwner(Conflict):
    code, title = "last_owner", msg("Last owner")

    def __init__(self) -> None:
        super().__init__(msg("This is the only owner. Make another member an owner first."))


class EmailTaken(Conflict):
    code, title = "email_taken", msg("Email already in use")

    def __init__(self, email: str) -> None:
        super().__init__(msg("A member with the email '{email}' already exists.", email=email))


class EmailChangeInvalid(Conflict):
    code, title = "email_change_invalid", msg("Invalid confirmation link")

    def __init__(self) -> None:
        super().__init__(
            msg(
                "This confirmation link has expired, was already used, was replaced by a newer one, or belongs to "
                "another member. Change your email again in your profile."
            )
        )


class EmailNotFound(NotFound):
    def __init__(self, email: str) -> None:
        ApiError.__init__(self, msg("No member with the email '{email}'.", email=email))


class UserDisabled(Conflict):
    code, title = "user_disabled", msg("Member deactivated")


class InvitationHeld(Conflict):
    code, title = "invitation_held", msg("Invite pending approval")


class InvitationNotHeld(Conflict):
    code, title = "invitation_not_held", msg("No invite to approve")

    def __init__(self) -> None:
        super().__init__(msg("This member isn't waiting for approval."))


class ProfileChanged(Conflict):
    code, title = "profile_changed", msg("Profile changed")

    def __init__(self) -> None:
        super().__init__(msg("Your profile changed while you were saving. Reload and try again."))


class GroupNameTaken(Conflict):
    code, title = "group_name_taken", msg("Group name already in use")

    def __init__(self, name: str) -> None:
        super().__init__(msg("A group named '{name}' already exists. Choose another name.", name=name))


class GroupInUse(Conflict):
    code, title = "group_in_use", msg("Group has pending reviews")


class KeyRevoked(Conflict):
    code, title = "key_revoked", msg("API key revoked")

    def __init__(self) -> None:
        super().__init__(msg("Revoked keys can't be changed. Create a new key."))


class AlreadySetUp(Conflict):
    code, title = "already_set_up", msg("Workspace already exists")


IN_THE_PAST = msg("must be in the future")
