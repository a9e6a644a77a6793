from signoff.platform.errors import ServiceUnavailable
from signoff.platform.messages import msg


class InsightsTooSlow(ServiceUnavailable):
    code, title = "insights_too_slow", msg("Insights timed out")
