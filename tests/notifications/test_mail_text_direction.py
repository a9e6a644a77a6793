"""Names in one direction within emails in the other."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from test_mail_composer import SETTINGS, contexts, part, review

from signoff.notifications.mail import composer
from signoff.notifications.mail.mail_types import MAIL_TYPES
from signoff.platform.clock import now

LATIN, ARABIC = "Autumn news", "أخبار الخريف"
ISOLATES = re.compile("[\u2066-\u2069]")


def compose_mail(kind: str, context: dict[str, Any], language: str, workspace: str = LATIN) -> EmailMessage:
    content = composer.compose_mail(
        SETTINGS,
        mail_id="mal_1",
        kind=kind,
        to="ann@example.com",
        context=context,
        workspace=workspace,
        written_at=now(),
        language=language,
    ).content
    return message_from_bytes(content, policy=policy.default)  # type: ignore[return-value]


def unisolated(text: str, name: str) -> list[str]:
    """Return the lines that have both this name, outside of an isolate, and text in the other direction."""
    other = re.compile("[A-Za-z]" if name == ARABIC else "[\u0600-\u06ff]")
    rest = re.sub("\u2068[^\u2068\u2069]*\u2069", "", text)
    return [line for line in rest.splitlines() if name in line and other.search(line)]


class TestArabicMail:
    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_latin_names_are_isolated(self, kind: str) -> None:
        message = compose_mail(kind, contexts(LATIN)[kind], "ar")
        html = re.sub(rf'dir="auto"[^>]*>{LATIN}', "", part(message, "html"))
        assert "\u2068" in message["Subject"] + part(message, "plain")
        for text in (message["Subject"], part(message, "plain"), html):
            assert unisolated(text, LATIN) == []
            assert text.count("\u2068") == text.count("\u2069")

    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_arabic_names_are_not(self, kind: str) -> None:
        message = compose_mail(kind, contexts(ARABIC)[kind], "ar", ARABIC)
        assert f"\u2068{ARABIC}" not in message["Subject"] + part(message, "plain") + part(message, "html")

    def test_links_stay_links(self) -> None:
        text = part(compose_mail("review_requested", {"reviews": [review()]}, "ar"), "plain")
        assert re.findall("https?://[^ \n]*[\u2066-\u2069]", text) == []

    def test_a_shortened_subject_closes_its_isolate(self) -> None:
        subject = compose_mail("review_requested", {"reviews": [review(title="x" * 300)]}, "ar")["Subject"]
        assert subject.endswith("x…\u2069")

    def test_a_title_cannot_end_its_isolate(self) -> None:
        subject = compose_mail("review_requested", {"reviews": [review(title="a\u2069b\u202ec")]}, "ar")["Subject"]
        assert subject.endswith("\u2068abc\u2069")


class TestEnglishMail:
    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_latin_names_stay_as_they_are(self, kind: str) -> None:
        message = compose_mail(kind, contexts(LATIN)[kind], "en")
        assert ISOLATES.findall(message["Subject"] + part(message, "plain") + part(message, "html")) == []

    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_arabic_names_are_isolated(self, kind: str) -> None:
        message = compose_mail(kind, contexts(ARABIC)[kind], "en", ARABIC)
        # Labels and values on separate lines are isolated as well.
        assert unisolated(message["Subject"], ARABIC) == []
        lines = unisolated(part(message, "plain"), ARABIC)
        assert [line for line in lines if "http" not in line] == []
