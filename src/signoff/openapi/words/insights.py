"""The operations under "Insights"."""

from signoff.insights.errors import InsightsTooSlow
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import ErrorDetail, InvalidQuery, summarize_errors
from signoff.platform.messages import msg, msgs

_BEFORE = ErrorDetail("to", "out_of_order", msg("can't be before `from`"))

OPERATIONS: Operations = {
    ("get", "/insights"): Words(
        "getInsights",
        "Get insights",
        problems=(
            InvalidQuery(summarize_errors([_BEFORE]), [_BEFORE]),
            InsightsTooSlow(
                msgs(
                    "This took longer than {count} second. Choose a shorter period or a single agent.",
                    "This took longer than {count} seconds. Choose a shorter period or a single agent.",
                    count=15,
                )
            ),
        ),
    ),
}
