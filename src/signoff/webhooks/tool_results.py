"""What a tool webhook's answer becomes: the event's `toolResult`."""

import orjson

from signoff.platform.guarded_http import Answer
from signoff.platform.json_values import deeper_than

LONGEST_ANSWER = 1024 * 1024
DEEPEST_ANSWER = 100


def tool_result_of(answer: Answer) -> str | None:
    """The answer's JSON, as the text that the tool sent; None where there is no result."""
    if answer.truncated:
        return None
    try:
        result = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        return None
    return None if deeper_than(result, DEEPEST_ANSWER) else answer.body.decode()
