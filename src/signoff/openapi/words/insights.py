"""The operations under "Insights"."""

from signoff.insights.errors import InsightsTooSlow
from signoff.openapi.words.wording import Operations, Words
from signoff.platform.errors import BadQuery
from signoff.platform.faults import Fault

OPERATIONS: Operations = {
    ("get", "/insights"): Words(
        "getInsights",
        "Get insights",
        problems=(
            BadQuery("to: is before `from`.", [Fault("to", "out_of_order", "is before `from`")]),
            InsightsTooSlow("It was not done after 15 seconds. Ask about fewer days, or about one agent."),
        ),
    ),
}
