"""The URLs where people open a review."""

from signoff.platform.settings import Settings


def review_url(settings: Settings, review_id: str) -> str:
    return f"{settings.url}/reviews/{review_id}"


def named_links(settings: Settings, review_id: str) -> dict[str, str]:
    """Return `svcLink`, and the same link with the deployment's own prefix."""
    return dict.fromkeys(settings.named("{}Link"), review_url(settings, review_id))


def external_review_url(settings: Settings, review_id: str, token: str) -> str:
    return f"{settings.url}/external/{review_id}?token={token}"
