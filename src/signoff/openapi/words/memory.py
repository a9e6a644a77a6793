"""The operations under "Memory"."""

from signoff.memory.export.errors import ParquetNotInstalled
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import ErrorDetail, InvalidQuery, NotFound, summarize_errors
from signoff.platform.messages import msg
from signoff.platform.operators import UNKNOWN_OPERATION

_UNKNOWN_OPERATION = ErrorDetail("filterResponseValues[0].operation", "unknown_operation", UNKNOWN_OPERATION)
_UNKNOWN_FIELD = ErrorDetail(
    "fieldIds", "unknown_field", msg("no field with ID '{id}' in this review type", id="heading")
)

OPERATIONS: Operations = {
    ("get", "/fetchResponses"): Words(
        "fetchResponses",
        "Get past decisions",
        problems=(InvalidQuery(summarize_errors([_UNKNOWN_OPERATION]), [_UNKNOWN_OPERATION]),),
    ),
    ("get", "/queryResponses"): Words("queryResponses", "Get past decisions (legacy)"),
    ("get", "/responses/export"): Words(
        "exportResponses",
        "Export decisions",
        problems=(
            NotFound(msg("review type"), story.FORM_ID),
            InvalidQuery(summarize_errors([_UNKNOWN_FIELD]), [_UNKNOWN_FIELD]),
            ParquetNotInstalled(),
        ),
    ),
}
