"""Mails: the next one, and the status of one."""

from typing import Any

from signoff.platform.examples import EDITOR, MAIL_ID, OUTSIDER, OWNER, REQUESTED_AT

EXAMPLES: dict[str, Any] = {
    "NextMail": {
        "each": True,
        "collectSeconds": 30,
        "newsAt": None,
        "digest": "daily",
        "digestAt": "2026-11-16T07:00:00.000Z",
        "timeZone": "Europe/Berlin",
    },
    "Mail": {
        "mailId": MAIL_ID,
        "kind": "external_review",
        "to": OUTSIDER,
        "userId": None,
        "state": "waiting",
        "attempts": 1,
        "error": "Mail server response: 450 4.2.1 Mailbox busy",
        "createdAt": REQUESTED_AT,
        "nextAttemptAt": "2026-11-15T09:31:00.412Z",
        "settledAt": None,
    },
    "TestMail": {
        "delivered": True,
        "to": OWNER,
        "via": "smtp",
        "detail": "Accepted by mail.example.com.",
        "durationMs": 212,
    },
    "Unsubscribed": {"unsubscribed": True, "email": EDITOR},
}
