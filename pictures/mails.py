"""Mails as a mail program shows them: the letter is written as the worker writes it, and its HTML part opened alone."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast
from urllib.parse import quote

from playwright.async_api import Page

from signoff.notifications.mail.composer import write_letter
from signoff.platform.settings import Settings

SETTINGS = Settings(public_url="https://signoff.example.com", mail_from="Signoff <signoff@example.com>")
WRITTEN_AT = datetime(2026, 11, 15, 8, 0, tzinfo=UTC)
EXPIRES_AT = "2026-11-29T08:00:00.000Z"
LINK = "https://signoff.example.com/external/rev_01a1de8ac9c0?token=ext_…"
WAITING = [
    ("Why our blue changed", "Social post", "Campaign writer", "2026-11-13T15:20:00.000Z"),
    ("Refund for order 10-4471", "Refund", "Support agent", "2026-11-14T07:05:00.000Z"),
    ("Charged twice in October", "Support reply", "Support agent", "2026-11-14T09:41:00.000Z"),
    ("Autumn newsletter, second draft", "Newsletter", "Campaign writer", "2026-11-14T16:30:00.000Z"),
]
VALUES = [
    {
        "label": "Body",
        "text": "We looked at our old blue next to yours, on paper and on screens, and found it too cold. …",
    },
    {"label": "Where", "text": "Blog, LinkedIn"},
    {"label": "When", "text": "2026-11-17"},
]
CONTEXTS: dict[str, dict[str, Any]] = {
    "invitation": {"link": LINK, "invited_by": "Mara Lind", "role": "reviewer", "expires_at": EXPIRES_AT},
    "external_review": {
        "review_id": "rev_01a1de8ac9c0",
        "link": LINK,
        "asked_by": "Mara Lind",
        "form_name": "Social post",
        "title": "Why our blue changed",
        "values": VALUES,
        "expires_at": EXPIRES_AT,
    },
    "review_requested": {
        "reviews": [
            {
                "review_id": "rev_01a1de8ac9c0",
                "title": "Why our blue changed",
                "form_name": "Social post",
                "agent_name": "Campaign writer",
                "values": VALUES,
            }
        ]
    },
    "digest": {
        "reviews": [
            {
                "review_id": f"rev_{number}",
                "title": title,
                "form_name": form,
                "agent_name": agent,
                "waiting_since": since,
            }
            for number, (title, form, agent, since) in enumerate(WAITING)
        ],
        "more": 8,
        "every": "day",
    },
}


def open_mail(kind: str) -> Callable[[Page], Awaitable[None]]:
    async def walk(page: Page) -> None:
        # An address that carries the page itself: nothing is loaded, and no policy of ours stands in the way.
        await page.goto(f"data:text/html;charset=utf-8,{quote(html_of(kind))}")

    return walk


def html_of(kind: str) -> str:
    letter = write_letter(
        SETTINGS,
        mail_id="mal_picture",
        kind=kind,
        to="ben@example.com",
        context=CONTEXTS[kind],
        workspace="Northwind Paper",
        written_at=WRITTEN_AT,
        unsubscribe_url="https://signoff.example.com/api/v1/notifications/unsubscribe?token=uns",
    )
    message = cast(EmailMessage, message_from_bytes(letter.content, policy=policy.default))
    part = message.get_body(("html",))
    assert part is not None
    return part.get_content()
