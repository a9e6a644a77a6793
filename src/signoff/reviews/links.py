"""Where people open a review."""

from signoff.platform.settings import Settings


def review_link(settings: Settings, review_id: str) -> str:
    return f"{settings.url}/reviews/{review_id}"


def external_link(settings: Settings, review_id: str, token: str) -> str:
    return f"{settings.url}/external/{review_id}?token={token}"
