from datetime import datetime

from signoff.accounts.errors import already_decided
from signoff.platform.clock import iso
from signoff.platform.errors import Conflict, Forbidden
from signoff.platform.messages import msg


class AlreadyResponded(Conflict):
    code, title = "already_responded", msg("Review already decided")

    def __init__(self, who: str, who_id: str | None, when: datetime, response: str | None) -> None:
        super().__init__(
            already_decided(who, when),
            respondingUser=who,
            respondingUserId=who_id,
            respondedAt=iso(when),
            response=response,
        )


class NothingToDecide(AlreadyResponded):
    """Doesn't say who decided: that's only for those who could still decide then."""

    def __init__(self) -> None:
        Conflict.__init__(self, msg("This review was already decided. There's nothing left to do."))


class ContentReplaced(Conflict):
    code, title = "content_replaced", msg("Content updated by agent")

    def __init__(self, seen: int, current: int) -> None:
        super().__init__(
            msg(
                "The agent updated this review to revision {current} while you were looking at revision {seen}. "
                "Check the new content and decide again.",
                current=str(current),
                seen=str(seen),
            ),
            revision=current,
        )


class RetryPending(Conflict):
    code, title = "retry_pending", msg("Changes already requested")

    def __init__(self) -> None:
        super().__init__(
            msg("Changes were already requested. Wait for the agent, or withdraw the change request first.")
        )


class RetryNotAllowed(Conflict):
    code, title = "retry_not_allowed", msg("Change requests not allowed")

    def __init__(self) -> None:
        super().__init__(
            msg("This review type doesn't let reviewers request changes. Approve or reject the review instead.")
        )


class AlreadyTaken(Conflict):
    code, title = "already_taken", msg("Review already claimed")

    def __init__(self, user_id: str, name: str, email: str, at: datetime) -> None:
        super().__init__(
            msg("{email} has already claimed this review.", email=email),
            takenBy={"userId": user_id, "name": name, "email": email, "at": iso(at)},
        )


class NotTaken(Conflict):
    code, title = "not_taken", msg("Review not claimed")

    def __init__(self) -> None:
        super().__init__(msg("This review isn't claimed."))


class NoRetryPending(Conflict):
    code, title = "no_retry_pending", msg("No pending change request")

    def __init__(self) -> None:
        super().__init__(
            msg(
                "No change request is pending. Either no one requested changes, or the agent already sent a new "
                "revision."
            )
        )


class RemindedJustNow(Conflict):
    code, title = "reminded_just_now", msg("Agent reminded recently")


class NoTimeLimit(Conflict):
    code, title = "no_time_limit", msg("No deadline to extend")

    def __init__(self) -> None:
        super().__init__(msg("This review has no upcoming deadline to extend."))


class DeadlinePaused(NoTimeLimit):
    def __init__(self) -> None:
        Conflict.__init__(
            self,
            msg("The deadline is paused while the agent works on the requested changes. You can extend it afterward."),
        )


class NotRequester(Forbidden):
    code, title = "not_requester", msg("Review requested by another API key")


class NotAssigned(Forbidden):
    code, title = "not_assigned", msg("Review assigned to someone else")

    def __init__(self) -> None:
        super().__init__(
            msg("You can't act on this review because it's assigned to someone else. Ask an admin to reassign it.")
        )
