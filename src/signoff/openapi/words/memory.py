"""The operations under "Memory"."""

from signoff.memory.export.errors import ParquetNotInstalled
from signoff.openapi import story
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import BadQuery, NotFound
from signoff.platform.faults import Fault

OPERATIONS: Operations = {
    ("get", "/fetchResponses"): Words(
        "fetchResponses",
        "Get past decisions",
        problems=(
            BadQuery(
                "filterResponseValues[0].operation: is not an operation; known are equal, notEqual, …",
                [Fault("filterResponseValues[0].operation", "unknown_operation", "is not an operation; known are …")],
            ),
        ),
    ),
    ("get", "/queryResponses"): Words("queryResponses", "Get past decisions (legacy)"),
    ("get", "/responses/export"): Words(
        "exportResponses",
        "Export decisions",
        problems=(
            NotFound("review type", story.FORM_ID),
            BadQuery(
                "fieldIds: 'heading' is not a field of the review type.",
                [Fault("fieldIds", "unknown_field", "'heading' is not a field of the review type")],
            ),
            ParquetNotInstalled(),
        ),
    ),
}
