"""Emails as an email app shows them: composed as the worker does, with the HTML part opened on its own."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast
from urllib.parse import quote

from playwright.async_api import Page

from screenshots.languages import POSTS
from signoff.notifications.mail.composer import compose_mail
from signoff.platform.messages import join_items
from signoff.platform.settings import Settings

Step = Callable[[Page], Awaitable[None]]
SETTINGS = Settings(public_url="https://signoff.example.com", mail_from="Signoff <signoff@example.com>")
WRITTEN_AT = datetime(2026, 11, 15, 8, 0, tzinfo=UTC)
EXPIRES_AT = "2026-11-29T08:00:00.000Z"
LINK = "https://signoff.example.com/external/rev_01a1de8ac9c0?token=ext_…"
PENDING = [
    ("Why our blue changed", "Social post", "Content agent", "2026-11-13T15:20:00.000Z"),
    ("Lid missing from my teapot", "Support reply", "Support agent", "2026-11-14T07:05:00.000Z"),
    ("Ridgeline Clay", "Invoice approval", "Back office agent", "2026-11-14T09:41:00.000Z"),
    ("Workshop dates for January", "Social post", "Content agent", "2026-11-14T16:30:00.000Z"),
]
EXTERNAL_REVIEW: dict[str, Any] = {
    "review_id": "rev_01a1de8ac9c0",
    "link": LINK,
    "asked_by": "Mara Lind",
    "form_name": "Social post",
    "title": "Why our blue changed",
    "values": [
        {"label": "Post", "text": "The mine closed, so we made 214 test tiles. Number 187 won."},
        {"label": "Channels", "text": "LinkedIn and Blog"},
    ],
    "expires_at": EXPIRES_AT,
}


def _localized_review(language: str) -> dict[str, Any]:
    post = POSTS[language]
    return {
        **EXTERNAL_REVIEW,
        "form_name": post.review_type,
        "title": post.headline,
        "values": [
            {"label": post.labels["text"], "text": post.text.replace("*", "")},
            {"label": post.labels["channel"], "text": join_items([post.labels["blog"], "LinkedIn"], language)},
        ],
    }


DIGEST: dict[str, Any] = {
    "reviews": [
        {"review_id": f"rev_{number}", "title": title, "form_name": form, "agent_name": agent, "waiting_since": since}
        for number, (title, form, agent, since) in enumerate(PENDING)
    ],
    "more": 8,
    "every": "day",
}


def open_external_review(language: str = "en") -> Step:
    context = EXTERNAL_REVIEW if language == "en" else _localized_review(language)
    return _open("external_review", context, language)


def open_digest() -> Step:
    return _open("digest", DIGEST)


def _open(kind: str, context: dict[str, Any], language: str = "en") -> Step:
    async def open_email(page: Page) -> None:
        # As a data URL, the page loads nothing and has no policy of ours.
        await page.goto(f"data:text/html;charset=utf-8,{quote(_html(kind, context, language))}")

    return open_email


def _html(kind: str, context: dict[str, Any], language: str) -> str:
    mail = compose_mail(
        SETTINGS,
        mail_id="mal_picture",
        kind=kind,
        to="ben@example.com",
        context=context,
        workspace="Northwind Pottery",
        written_at=WRITTEN_AT,
        language=language,
        unsubscribe_url="https://signoff.example.com/api/v1/notifications/unsubscribe?token=uns",
    )
    message = cast(EmailMessage, message_from_bytes(mail.content, policy=policy.default))
    part = message.get_body(("html",))
    assert part is not None
    return part.get_content()
