from signoff.platform.errors import Conflict, Forbidden


class AlreadyResponded(Conflict):
    code, title = "already_responded", "The review is decided already"


class ContentReplaced(Conflict):
    code, title = "content_replaced", "The agent replaced the content meanwhile"


class RetryPending(Conflict):
    code, title = "retry_pending", "A retry was asked for already"


class RetryNotAllowed(Conflict):
    code, title = "retry_not_allowed", "This review type does not allow retries"


class KeyReused(Conflict):
    code, title = "idempotency_key_reused", "The idempotency key belongs to another request"


class NotAssigned(Forbidden):
    code, title = "not_assigned", "The review is assigned to others"
