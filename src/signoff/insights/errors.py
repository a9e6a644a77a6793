from signoff.platform.errors import ServiceUnavailable
from signoff.platform.messages import msg, msgs


class InsightsTooSlow(ServiceUnavailable):
    code, title = "insights_too_slow", msg("Insights timed out")

    def __init__(self, seconds: int) -> None:
        super().__init__(
            msgs(
                "This took longer than {count} second. Choose a shorter period or a single agent.",
                "This took longer than {count} seconds. Choose a shorter period or a single agent.",
                count=seconds,
            )
        )
