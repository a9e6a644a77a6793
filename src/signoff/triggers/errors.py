from typing import Literal

from signoff.platform.errors import Conflict, Problem, TooManyRequests


class NotATrigger(Conflict):
    code, title = "not_a_trigger", "The review type is no trigger form"


class NoAgent(Conflict):
    code, title = "no_agent", "The trigger form belongs to no agent"


class FormChanged(Conflict):
    code, title = "form_changed", "The form was changed meanwhile"


class FormClosed(Problem):
    """Unlike an unknown token, which is a 404: whoever followed a link that worked is told that it does no more."""

    status, code, title = 410, "form_closed", "The form is closed"

    def __init__(self) -> None:
        super().__init__("This form is not open to the public any more.")


class ChallengeExpired(Conflict):
    code, title = "challenge_expired", "The challenge has expired"


class ChallengeUsed(Conflict):
    code, title = "challenge_used", "The challenge was used before"


class TooManySubmissions(TooManyRequests):
    code, title = "too_many_submissions", "Too many submissions"

    def __init__(self, scope: Literal["link", "address"], retry_after: int) -> None:
        whose = "this form" if scope == "link" else "your network"
        super().__init__(f"Too much came in through {whose} lately. Try again later.", retry_after, scope=scope)
