"""The content of mails and how they are composed. Whatever people and agents write, it can't change the mail's
structure."""

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff.notifications.mail import composer
from signoff.notifications.mail.composer import MAX_SUBJECT_LENGTH, ComposedMail
from signoff.notifications.mail.mail_types import MAIL_TYPES
from signoff.platform.errors import InvalidRequest
from signoff.platform.mail_outbox import ensure_single_address
from signoff.platform.settings import Settings

SETTINGS = Settings(public_url="https://signoff.example.com", mail_from="Signoff <signoff@example.com>")
UNSUBSCRIBE = "https://signoff.example.com/api/v1/notifications/unsubscribe?token=email:usr_1:x"
SOON = "2026-11-22T09:30:00.000Z"
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><b>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "line\r\nBcc: victim@example.com\r\n\r\nbody",
    "\u202egnp.exe\u202c and \u2066x\u2069",
    "\n.\n\n--===\nContent-Type: text/html\n\n<b>",
    "=?utf-8?q?=0D=0ABcc=3A_victim=40example=2Ecom?=",
    "x" * 5000,
]


def review(**members: Any) -> dict[str, Any]:
    return {
        "review_id": "rev_1",
        "title": "Autumn news",
        "form_name": "Newsletter",
        "agent_name": "Writer",
        "values": [{"label": "Body", "text": "Leaves fall."}],
        "waiting_since": "2026-11-15T08:00:00.000Z",
        **members,
    }


def contexts(word: str = "Autumn news") -> dict[str, dict[str, Any]]:
    link = "https://signoff.example.com/sign-in?token=sgl_x"
    shown = [{"label": word, "text": word}]
    one = review(title=word, form_name=word, agent_name=word, values=shown)
    return {
        "invitation": {"link": link, "invited_by": word, "role": "editor", "expires_at": SOON},
        "password_reset": {"link": link, "expires_at": SOON},
        "email_confirmation": {"link": link, "before": word, "expires_at": SOON},
        "email_changed": {"email": word},
        "external_review": {
            "review_id": "rev_1",
            "link": link,
            "asked_by": word,
            "form_name": word,
            "title": word,
            "values": shown,
            "expires_at": SOON,
        },
        "review_requested": {"reviews": [one]},
        "digest": {"reviews": [one, one], "more": 980, "every": "day"},
        "reminder": {"reviews": [one, one]},
        "test": {"asked_by": word},
    }


def compose_mail(
    kind: str, context: dict[str, Any], workspace: str = "Acme", to: str = "ann@example.com"
) -> EmailMessage:
    content = compose_message(kind, context, workspace, to).content
    assert content.isascii()
    return message_from_bytes(content, policy=policy.default)  # type: ignore[return-value]


def compose_message(
    kind: str, context: dict[str, Any], workspace: str = "Acme", to: str = "ann@example.com"
) -> ComposedMail:
    return composer.compose_mail(
        SETTINGS,
        mail_id="mal_1",
        kind=kind,
        to=to,
        context=context,
        workspace=workspace,
        written_at=datetime(2026, 11, 15, 9, 30, tzinfo=UTC),
        unsubscribe_url=UNSUBSCRIBE,
    )


def part(message: EmailMessage, subtype: str) -> str:
    found = message.get_body((subtype,))
    assert found is not None
    return found.get_content()


class Page(HTMLParser):
    """What a mail client would display."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data

    @property
    def links(self) -> list[str]:
        return [value or "" for name, value in self.attributes if name == "href"]


HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress"}
HEADERS |= {"MIME-Version", "Content-Type", "List-Unsubscribe", "List-Unsubscribe-Post"}


@pytest.mark.parametrize("kind", list(MAIL_TYPES))
class TestEveryMail:
    def test_has_both_parts_one_button_and_its_origin(self, kind: str) -> None:
        message = compose_mail(kind, contexts()[kind])
        assert message.get_content_type() == "multipart/alternative"
        page, text = Page(part(message, "html")), part(message, "plain")
        assert part(message, "html").count('class="button-words"') == 1
        for words in (page.words, text):
            assert "Acme" in words
            assert "https://signoff.example.com" in words
        [button] = re.findall(r'class="button-words" href="([^"]+)"', part(message, "html"))
        assert button in text
        assert "prefers-color-scheme: dark" in part(message, "html")
        assert message["Message-ID"] == "<mal_1@example.com>"
        assert message["Date"].datetime == datetime(2026, 11, 15, 9, 30, tzinfo=UTC)

    def test_loads_nothing_from_other_hosts(self, kind: str) -> None:
        page = Page(part(compose_mail(kind, contexts()[kind]), "html"))
        assert not {"img", "link", "script", "iframe", "form", "video"} & set(page.tags)
        assert not {"src", "background", "srcset"} & {name for name, _ in page.attributes}
        assert all(link.startswith("https://signoff.example.com/") for link in page.links)

    def test_unsubscribe_only_where_allowed(self, kind: str) -> None:
        message = compose_mail(kind, contexts()[kind])
        if MAIL_TYPES[kind].may_unsubscribe:
            assert message["List-Unsubscribe"] == f"<{UNSUBSCRIBE}>"
            assert (
                f"\r\nList-Unsubscribe: <{UNSUBSCRIBE}>\r\n".encode() in compose_message(kind, contexts()[kind]).content
            )
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            assert UNSUBSCRIBE in Page(part(message, "html")).links
            assert UNSUBSCRIBE in part(message, "plain")
        else:
            assert message["List-Unsubscribe"] is None
            assert "nsubscribe" not in part(message, "html") + part(message, "plain")

    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_texts(self, kind: str, word: str) -> None:
        plain = compose_mail(kind, contexts("quiet")[kind], workspace="quiet")
        message = compose_mail(kind, contexts(word)[kind], workspace=word)
        assert set(message.keys()) <= HEADERS
        assert len(message.get_all("To")) == 1
        assert message["To"] == "ann@example.com"
        assert "\n" not in message["Subject"]
        assert len(message["Subject"]) <= MAX_SUBJECT_LENGTH
        page = Page(part(message, "html"))
        assert page.tags == Page(part(plain, "html")).tags, "the words became markup"
        assert {name for name, _ in page.attributes} == {name for name, _ in Page(part(plain, "html")).attributes}
        assert "49" not in part(message, "plain") or "49" in word
        for turning in "\u202e\u2066\u202c":
            assert turning not in part(message, "html") + part(message, "plain") + message["Subject"]
        assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]

    def test_wrong_context_is_rejected(self, kind: str) -> None:
        with pytest.raises(ValueError, match="surplus"):
            compose_mail(kind, {**contexts()[kind], "surplus": 1})
        with pytest.raises(ValueError, match="Field required"):
            compose_mail(kind, {})


@settings(deadline=None)
@given(st.text(max_size=400), st.text(max_size=100))
def test_any_text_leaves_the_mail_valid(word: str, workspace: str) -> None:
    message = compose_mail("external_review", contexts(word)["external_review"], workspace=workspace)
    assert set(message.keys()) <= HEADERS
    assert message["To"] == "ann@example.com"
    assert [each.get_content_type() for each in message.iter_parts()] == ["text/plain", "text/html"]
    assert Page(part(message, "html")).links[0] == "https://signoff.example.com/sign-in?token=sgl_x"


class TestInvitation:
    def test_names_the_inviter(self) -> None:
        message = compose_mail("invitation", contexts("Mara")["invitation"])
        assert message["Subject"] == "Mara invited you to Acme on Signoff"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert "Mara invited you to join Acme as a" in words

    def test_invite_by_a_key_names_the_workspace(self) -> None:
        message = compose_mail("invitation", contexts("Acme")["invitation"])
        assert message["Subject"] == "You're invited to Acme on Signoff"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert "You're invited to join Acme as a" in words


class TestReviews:
    def test_one_in_full(self) -> None:
        message = compose_mail("review_requested", {"reviews": [review()]})
        assert message["Subject"] == "Review requested: Autumn news"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert "Leaves fall." in words
        assert "https://signoff.example.com/reviews/rev_1" in Page(part(message, "html")).links

    def test_several_and_more(self) -> None:
        message = compose_mail("review_requested", {"reviews": [review()] * 20, "more": 980})
        assert message["Subject"] == "1,000 reviews are waiting for you in Acme"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert words.count("Newsletter · Writer") == 20
            assert "and 980 more" in words

    def test_more_than_were_counted(self) -> None:
        message = compose_mail("reminder", {"reviews": [review()] * 20, "more": 980, "is_exact": False})
        assert message["Subject"] == "Reminder: 1,000+ reviews are still waiting for you in Acme"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert "1,000+ reviews are still waiting for you" in words
            assert "and 980+ more" in words

    def test_review_without_a_title_shows_its_type(self) -> None:
        assert compose_mail("reminder", {"reviews": [review(title=None)]})["Subject"] == "Reminder: Newsletter"

    def test_digest(self) -> None:
        one = compose_mail("digest", {"reviews": [review()], "every": "hour"})
        assert one["Subject"] == "You have 1 pending review in Acme"
        assert "waiting since November 15, 08:00 UTC" in part(one, "plain")


class TestAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            "",
            "ann",
            "@example.com",
            "ann@",
            "ann@example.com\r\nBcc: victim@example.com",
            "ann@example.com\nBcc: victim@example.com",
            "Ann\r\nBcc: victim@example.com <ann@example.com>",
            "Ann <ann@example.com>",
            "ann@example.com, bob@example.com",
            "ann@example.com;bob@example.com",
            "ann@b@example.com",
            "ann @example.com",
            "ann@exam\u2028ple.com",
            "ann\x00@example.com",
            "<ann@example.com>",
            '"ann\r\n"@example.com',
            "x" * 400 + "@example.com",
        ],
    )
    def test_refused(self, address: str) -> None:
        with pytest.raises(InvalidRequest):
            ensure_single_address(address)
        with pytest.raises(InvalidRequest):
            compose_mail("test", contexts()["test"], to=address)

    @given(st.emails())
    def test_accepted(self, address: str) -> None:
        if not re.search(r'["\\\[\]]', address):
            assert ensure_single_address(address) == address

    @given(st.text(max_size=60))
    def test_accepted_addresses_are_one_line(self, address: str) -> None:
        try:
            ensure_single_address(address)
        except InvalidRequest:
            return
        assert len(address.splitlines()) == 1
        assert address.count("@") == 1
        assert not re.search(r"\s", address)


@given(
    st.lists(st.text(st.sampled_from("abcäéłж漢字😀"), min_size=1, max_size=12), min_size=1, max_size=20).map(" ".join)
)
def test_subjects_keep_all_spaces(title: str) -> None:
    """Also where a long subject in any script continues on the next line of its header."""
    content = compose_message("reminder", {"reviews": [review(title=title)]}).content
    message = message_from_bytes(content, policy=policy.default)
    assert message["Subject"] == composer.to_subject(f"Reminder: {title}")
    header = content.partition(b"\r\n\r\n")[0]
    assert header.isascii()
    assert b"?==?" not in header
    assert all(len(line) <= 78 for line in header.split(b"\r\n") if b"=?" in line)
