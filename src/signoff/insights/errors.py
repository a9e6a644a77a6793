from signoff.platform.errors import Unavailable
from signoff.platform.messages import msg


class InsightsTooSlow(Unavailable):
    code, title = "insights_too_slow", msg("Insights timed out")
