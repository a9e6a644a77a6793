"""The two small pages behind the unsubscribe link: they work without the web app, scripts, or a sign-in."""

import secrets

from fastapi import Response

from signoff.notifications.mail.mail_types import addresses
from signoff.notifications.mail.rendering import render, without_direction_controls
from signoff.platform.db import Row
from signoff.platform.settings import Settings


def asking_page(settings: Settings, token: str, receiver: Row, language: str) -> Response:
    return _page(settings, receiver, language, token=token, ended=receiver["choice"] == "none")


def done_page(settings: Settings, receiver: Row, language: str) -> Response:
    return _page(settings, receiver, language, token="", ended=True)


def _page(settings: Settings, receiver: Row, language: str, **known: object) -> Response:
    nonce = secrets.token_urlsafe(16)
    shown = without_direction_controls({"email": receiver["email"], "workspace": receiver["workspace"]})
    text = render("unsubscribe.html", language, {**addresses(settings), **shown, "nonce": nonce, **known})
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {
        "content-security-policy": policy,
        "cache-control": "no-store",
        "content-language": language,
        "vary": "accept-language",
    }
    return Response(text, 200, headers, "text/html")
