from signoff.platform.errors import Unavailable


class InsightsTooSlow(Unavailable):
    code, title = "insights_too_slow", "Counting took too long"
