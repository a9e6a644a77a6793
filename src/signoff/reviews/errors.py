from signoff.platform.errors import Conflict, Forbidden
from signoff.platform.messages import msg


class AlreadyResponded(Conflict):
    code, title = "already_responded", msg("Review already decided")


class ContentReplaced(Conflict):
    code, title = "content_replaced", msg("Content updated by agent")


class RetryPending(Conflict):
    code, title = "retry_pending", msg("Changes already requested")


class RetryNotAllowed(Conflict):
    code, title = "retry_not_allowed", msg("Change requests not allowed")


class AlreadyTaken(Conflict):
    code, title = "already_taken", msg("Review already claimed")


class NotTaken(Conflict):
    code, title = "not_taken", msg("Review not claimed")


class NoRetryPending(Conflict):
    code, title = "no_retry_pending", msg("No pending change request")


class RemindedJustNow(Conflict):
    code, title = "reminded_just_now", msg("Agent reminded recently")


class NoTimeLimit(Conflict):
    code, title = "no_time_limit", msg("No deadline to extend")


class NotRequester(Forbidden):
    code, title = "not_requester", msg("Review requested by another key")


class NotAssigned(Forbidden):
    code, title = "not_assigned", msg("Review assigned to someone else")
