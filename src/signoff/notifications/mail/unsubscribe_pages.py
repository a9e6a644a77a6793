"""The two small pages behind the link that ends mails: they work without the web app, a script or a sign-in."""

import secrets

from fastapi import Response

from signoff.notifications.mail.composer import templates
from signoff.notifications.mail.mail_types import addresses
from signoff.platform.db import Row
from signoff.platform.settings import Settings


def asking_page(settings: Settings, token: str, receiver: Row) -> Response:
    return _page(settings, receiver, token=token, ended=receiver["choice"] == "none")


def done_page(settings: Settings, receiver: Row) -> Response:
    return _page(settings, receiver, token="", ended=True)


def _page(settings: Settings, receiver: Row, **known: object) -> Response:
    nonce = secrets.token_urlsafe(16)
    text = (
        templates()
        .get_template("unsubscribe.html")
        .render(**addresses(settings), email=receiver["email"], workspace=receiver["workspace"], nonce=nonce, **known)
    )
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {"content-security-policy": policy, "cache-control": "no-store"}
    return Response(text, 200, headers, "text/html")
