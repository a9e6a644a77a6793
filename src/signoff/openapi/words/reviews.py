"""The operations under "Reviews"."""

from signoff.accounts.errors import ReviewLinkReassigned
from signoff.accounts.external_links import LINK_REASSIGNED
from signoff.openapi import story
from signoff.openapi.words.common_problems import FAIR_USE_EXCEEDED, KEY_REUSED
from signoff.openapi.words.wording import Operations, Words, invalid
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import msg
from signoff.reviews import errors as reviews

_RESPONDED = reviews.AlreadyResponded(
    msg(
        "{who} already decided this review on {when}.",
        who=story.EDITOR,
        when=story.RESPONDED,
    ),
    respondingUser=story.EDITOR,
    respondingUserId=story.EDITOR_ID,
    respondedAt=story.RESPONDED_AT,
    response="approved",
)
_REPLACED = reviews.ContentReplaced(
    msg(
        "The agent updated this review to revision {current} while you were looking at revision {seen}. "
        "Check the new content and decide again.",
        current="2",
        seen="1",
    ),
    revision=2,
)
_NOT_ASSIGNED = reviews.NotAssigned(
    msg("You can't act on this review because it's assigned to someone else. Ask an admin to reassign it.")
)
_TAKEN = reviews.AlreadyTaken(
    msg("{email} has already claimed this review.", email=story.EDITOR),
    takenBy={"userId": story.EDITOR_ID, "name": "Eda Torres", "email": story.EDITOR, "at": story.REQUESTED_AT},
)
_NO_RETRY = reviews.NoRetryPending(
    msg("No changes are pending. Either none were requested, or the agent already sent them.")
)
_NOT_A_MEMBER = msg("'{email}' isn't a member of this workspace", email="nobody@example.com")

OPERATIONS: Operations = {
    ("post", "/requestReview"): Words(
        "requestReview",
        "Request a review",
        problems=(
            InvalidRequest(
                [
                    ErrorDetail(
                        "data.score",
                        "wrong_type",
                        msg("must be {expected}, not {type}", expected=msg("a number"), type=msg("a string")),
                    ),
                    ErrorDetail(
                        "assignTo[0]",
                        "unknown_member",
                        _NOT_A_MEMBER,
                    ),
                ]
            ),
            KEY_REUSED,
            _RESPONDED,
            FAIR_USE_EXCEEDED,
        ),
    ),
    ("get", "/reviews"): Words("listReviews", "List reviews"),
    ("get", "/batches/{batchId}"): Words("getBatch", "Get a batch"),
    ("get", "/reviews/{reviewId}"): Words("getReview", "Get a review"),
    ("delete", "/reviews/{reviewId}"): Words("deleteReview", "Delete a review"),
    ("delete", "/deleteReview"): Words("deleteReviewByBody", "Delete a review (ID in body)"),
    ("post", "/reviews/{reviewId}/response"): Words(
        "submitResponse",
        "Approve or reject a review",
        problems=(
            _RESPONDED,
            _REPLACED,
            _NOT_ASSIGNED,
            invalid("data.draft.headline", "required", msg("can't be empty")),
        ),
    ),
    ("post", "/reviews/{reviewId}/retry"): Words(
        "requestRetry",
        "Request changes",
        problems=(
            _RESPONDED,
            _REPLACED,
            _NOT_ASSIGNED,
            reviews.RetryNotAllowed(
                msg("This review type doesn't let reviewers request changes. Approve or reject the review instead.")
            ),
            reviews.RetryPending(
                msg("Changes were already requested. Wait for the agent, or withdraw the request first.")
            ),
            invalid("fieldIds[0]", "unknown_field", msg("no field with ID '{id}' in this review type", id="heading")),
        ),
    ),
    ("put", "/reviews/{reviewId}/assignees"): Words(
        "assignReview",
        "Reassign a review",
        problems=(
            _RESPONDED,
            _NOT_ASSIGNED,
            invalid(
                "users[0]",
                "unknown_member",
                _NOT_A_MEMBER,
            ),
        ),
    ),
    ("post", "/reviews/{reviewId}/media/retry"): Words("retryReviewMedia", "Copy media again"),
    ("post", "/reviews/{reviewId}/take"): Words(
        "takeReview", "Claim a review", problems=(_RESPONDED, _NOT_ASSIGNED, _TAKEN)
    ),
    ("post", "/reviews/{reviewId}/handBack"): Words(
        "handBackReview",
        "Release a review",
        problems=(_RESPONDED, _TAKEN, reviews.NotTaken(msg("This review isn't claimed."))),
    ),
    ("delete", "/reviews/{reviewId}/retry"): Words(
        "withdrawRetry", "Withdraw a change request", problems=(_RESPONDED, _NOT_ASSIGNED, _NO_RETRY)
    ),
    ("post", "/reviews/{reviewId}/retry/remind"): Words(
        "remindAgent", "Remind the agent", problems=(_RESPONDED, _NOT_ASSIGNED, _NO_RETRY)
    ),
    ("post", "/reviews/{reviewId}/extend"): Words(
        "extendReview",
        "Extend a deadline",
        problems=(
            _RESPONDED,
            _NOT_ASSIGNED,
            reviews.NoTimeLimit(msg("This review has no upcoming deadline to extend.")),
        ),
    ),
    ("post", "/reviews/{reviewId}/link/renew"): Words(
        "renewReviewLink",
        "Renew a review link",
        problems=(
            reviews.AlreadyResponded(msg("This review was already decided. There's nothing left to do.")),
            ReviewLinkReassigned(LINK_REASSIGNED),
        ),
    ),
    ("get", "/reviews/{reviewId}/revisions"): Words("listReviewRevisions", "List revisions"),
    ("get", "/reviews/{reviewId}/history"): Words("listReviewHistory", "List a review's history"),
    ("get", "/reviews/{reviewId}/form"): Words("getReviewForm", "Get a review's review type"),
    ("get", "/reviews/{reviewId}/suggestion"): Words("getReviewSuggestion", "Get a review's initial values"),
    ("get", "/reviews/{reviewId}/draft"): Words("getDraft", "Get your draft"),
    ("put", "/reviews/{reviewId}/draft"): Words("saveDraft", "Save your draft", problems=(_RESPONDED,)),
    ("delete", "/reviews/{reviewId}/draft"): Words("deleteDraft", "Delete your draft"),
    ("put", "/reviews/{reviewId}/presence"): Words("enterReview", "Mark a review as open"),
    ("delete", "/reviews/{reviewId}/presence"): Words("leaveReview", "Mark a review as closed"),
}
