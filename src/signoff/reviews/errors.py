from signoff.platform.errors import Conflict, Forbidden


class AlreadyResponded(Conflict):
    code, title = "already_responded", "The review is decided already"


class ContentReplaced(Conflict):
    code, title = "content_replaced", "The agent replaced the content meanwhile"


class RetryPending(Conflict):
    code, title = "retry_pending", "A retry was asked for already"


class RetryNotAllowed(Conflict):
    code, title = "retry_not_allowed", "This review type does not allow retries"


class AlreadyTaken(Conflict):
    code, title = "already_taken", "Somebody else has taken the review"


class NotTaken(Conflict):
    code, title = "not_taken", "Nobody has taken the review"


class NoRetryPending(Conflict):
    code, title = "no_retry_pending", "The review does not wait for the agent"


class RemindedJustNow(Conflict):
    code, title = "reminded_just_now", "The agent was reminded a moment ago"


class NoTimeLimit(Conflict):
    code, title = "no_time_limit", "There is no time limit to extend"


class NotRequester(Forbidden):
    code, title = "not_requester", "Another key requested this review"


class NotAssigned(Forbidden):
    code, title = "not_assigned", "The review is assigned to others"
