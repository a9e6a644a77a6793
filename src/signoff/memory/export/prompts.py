"""The prompt of an answer, as messages or as plain text.

If an agent sends the prompt that it used as `meta.prompt`, the export has that prompt. Otherwise the prompt is a single
user message, built from the review type and the values that the reviewer couldn't change.
"""

from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

from signoff.memory.export.reader import DecidedReview
from signoff.platform.json_values import Json

Message: TypeAlias = "dict[str, str]"


def prompt_messages(review: DecidedReview, built: str) -> list[Message]:
    """Return the review's `meta.prompt` if it's a prompt, otherwise the generated one."""
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
    """Return the prompt for trainers that take text: a single message as it is, several with their roles."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n\n".join(f"{message['role']}: {message['content']}" for message in messages)


def to_json(messages: Sequence[Message]) -> list[Json]:
    return [{**message} for message in messages]


def _are_messages(values: list[Json]) -> "TypeGuard[list[Message]]":
    """Whether these are messages with exactly `role` and `content`: dropping a tool call would change a message's
    meaning.
    """
    return all(
        isinstance(value, dict)
        and value.keys() == {"role", "content"}
        and all(isinstance(member, str) for member in value.values())
        for value in values
    )
