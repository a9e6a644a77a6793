"""The prompt that an answer belongs to, as messages or as plain text.

An agent that sends the prompt it used as `meta.prompt` gets that prompt back. Without one, the prompt is a single user
message, built from the review type and the values that the reviewer couldn't change.
"""

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

from signoff.memory.export.reader import DecidedReview
from signoff.platform.json_values import Json

Message: TypeAlias = "dict[str, str]"


def prompt_messages(review: DecidedReview, built: str) -> list[Message]:
    """The review's `meta.prompt` if it's a prompt, otherwise the one that was built for it."""
    given = None if review.meta is None else review.meta.get("prompt")
    if isinstance(given, str) and given.strip():
        return [user_message(given)]
    if isinstance(given, list) and given and _are_messages(given):
        return given
    return [user_message(built)]


def user_message(content: str) -> Message:
    return {"role": "user", "content": content}


def assistant_message(content: str) -> Message:
    return {"role": "assistant", "content": content}


def plain_prompt(messages: Sequence[Message]) -> str:
    """A prompt for trainers that take text: a single message as it is, several with their roles."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n\n".join(f"{message['role']}: {message['content']}" for message in messages)


def to_json(messages: Sequence[Message]) -> list[Json]:
    return [{**message} for message in messages]


def _are_messages(values: list[Json]) -> "TypeGuard[list[Message]]":
    """Exactly `role` and `content`: a tool call can't be dropped from a message without changing what it says."""
    return all(
        isinstance(value, dict)
        and value.keys() == {"role", "content"}
        and all(isinstance(member, str) for member in value.values())
        for value in values
    )
