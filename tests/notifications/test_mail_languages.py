"""Emails in their reader's language."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import httpx
import pytest
from mail_helpers import invite
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.catalogs import Translations, catalogs
from support.in_process import Service, StartService
from support.mail_server import MailServer, mail_server
from test_mail_composer import HOSTILE, SETTINGS, Page, compose_message, contexts, part, review

from signoff.notifications.mail import composer
from signoff.notifications.mail.mail_types import MAIL_TYPES, Digest, ReviewRequested
from signoff.platform.clock import now
from signoff.platform.dates import format_recent_time, format_time, read_zone
from signoff.platform.db import Database
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.messages import LANGUAGES, babel_locale

PENDING = ("You have {count} pending review in {workspace}", "You have {count} pending reviews in {workspace}")
GERMAN: Translations = {
    "Open review": "Prüfung öffnen",
    "{name} requested your review: {title}": "{name} bittet um Prüfung: {title}",
    "{name} invited you to {workspace} on Signoff": "{name} hat dich zu {workspace} auf Signoff eingeladen",
    "{name} invited you to join {workspace} as {role}.": "Werde {role} in {workspace}, bittet {name}.",
    "a reviewer": "Prüfer:in",
    "waiting since {time}": "wartet seit {time}",
    "{agent} requested a review.": "Eine Prüfung für {agent}.",
    "Review requested": "Prüfung angefordert",
    "{news}: {title}": "{news} / {title}",
    "Unsubscribe from review emails?": "Keine E-Mails mehr?",
    "You're unsubscribed": "Abbestellt",
    "Yes": "Ja",
    PENDING: ("{count} offene Prüfung in {workspace}", "{count} offene Prüfungen in {workspace}"),
}
FRENCH: Translations = {
    "{name} requested your review: {title}": "{name} demande votre avis : {title}",
    "{news}: {title}": "{news} : {title}",
    "Review requested": "Avis demandé",
}
ARABIC: Translations = {
    PENDING: tuple(f"{form} {{count}} {{workspace}}" for form in ("zero", "one", "two", "few", "other", "many")),
    "{agent} requested a review.": "طلب {agent} مراجعة.",
    "Open review": "فتح المراجعة",
}


@pytest.fixture(scope="module", autouse=True)
def languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with catalogs(tmp_path_factory.mktemp("catalogs"), de=GERMAN, fr=FRENCH, ar=ARABIC):
        yield


def compose_mail(
    kind: str, context: dict[str, Any], language: str, workspace: str = "Acme", zone: str | None = None
) -> EmailMessage:
    content = composer.compose_mail(
        SETTINGS,
        mail_id="mal_1",
        kind=kind,
        to="ann@example.com",
        context=context,
        workspace=workspace,
        written_at=now(),
        language=language,
        zone=read_zone(zone),
    ).content
    return message_from_bytes(content, policy=policy.default)  # type: ignore[return-value]


class TestMailTexts:
    def test_subject_and_both_parts(self) -> None:
        message = compose_mail("review_requested", {"reviews": [review()]}, "de")
        assert message["Subject"] == "Prüfung angefordert / Autumn news"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert "Eine Prüfung für Writer." in words
            assert "Prüfung öffnen" in words or "Open review:" in words

    def test_nested_messages_and_markup(self) -> None:
        context = {"link": "https://x", "invited_by": "Eda", "role": "reviewer", "expires_at": "2026-11-22T09:30:00Z"}
        message = compose_mail("invitation", context, "de")
        assert "Werde Prüfer:in in Acme, bittet Eda." in part(message, "plain")
        html = '<p style="margin:0">Werde Prüfer:in in <strong dir="auto">Acme</strong>, bittet <strong dir="auto">Eda'
        assert html in part(message, "html")

    def test_dates(self) -> None:
        message = compose_mail("digest", {"reviews": [review()], "every": "day"}, "de")
        assert "wartet seit 15. November, 08:00 UTC" in part(message, "plain")
        assert "wartet seit 15. November, 08:00 UTC" in Page(part(message, "html")).words

    def test_numbers(self) -> None:
        context = {"reviews": [review()], "more": 1233, "every": "day"}
        assert compose_mail("digest", context, "de")["Subject"] == "1.234 offene Prüfungen in Acme"

    @pytest.mark.parametrize(
        ("count", "form"),
        [(0, "zero"), (1, "one"), (2, "two"), (3, "few"), (11, "many"), (100, "other"), (103, "few"), (111, "many")],
    )
    def test_arabic_plurals(self, count: int, form: str) -> None:
        digest = Digest.model_validate({"reviews": [review()], "more": 0, "every": "day"})
        subject = digest.model_copy(update={"more": count - 1}).subject("Acme")
        assert subject.localize("ar") == f"{form} {count} \u2068Acme\u2069"

    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_arabic_is_right_to_left(self, kind: str) -> None:
        html = part(compose_mail(kind, contexts()[kind], "ar"), "html")
        assert '<html lang="ar" dir="rtl">' in html
        assert '<table role="presentation" lang="ar" dir="rtl"' in html
        assert 'class="card" align="right"' in html

    @pytest.mark.parametrize("kind", ["review_requested", "reminder", "digest", "external_review"])
    def test_titles_and_review_types_keep_their_direction(self, kind: str) -> None:
        html = part(compose_mail(kind, contexts("Autumn news")[kind], "ar"), "html")
        shown = re.sub(r"<title>.*?</title>|<div style=\"display:none.*?</div>", "", html)
        assert "Autumn news" in shown
        assert all('dir="auto"' in tag for tag in re.findall(r"<[^<]*>Autumn news", shown))

    @pytest.mark.parametrize("language", ["de", "ar"])
    @pytest.mark.parametrize("word", HOSTILE)
    def test_hostile_titles_stay_text(self, word: str, language: str) -> None:
        quiet = Page(part(compose_mail("review_requested", {"reviews": [review(title="quiet")]}, language), "html"))
        message = compose_mail("review_requested", {"reviews": [review(title=word, agent_name=word)]}, language, word)
        assert Page(part(message, "html")).tags == quiet.tags
        assert "49" not in part(message, "plain")
        assert not set("\u202e\u2066\u202c") & set(part(message, "html") + part(message, "plain"))

    def test_placeholders_in_a_title_are_not_replaced(self) -> None:
        title = "{news} {count} {0} {agent.__class__} %s"
        message = compose_mail("review_requested", {"reviews": [review(title=title, agent_name=title)]}, "de")
        assert message["Subject"] == f"Prüfung angefordert / {title}"
        for words in (Page(part(message, "html")).words, part(message, "plain")):
            assert f"Eine Prüfung für {title}." in words

    @pytest.mark.parametrize("kind", list(MAIL_TYPES))
    def test_english_by_default(self, kind: str) -> None:
        default = compose_message(kind, contexts()[kind]).content
        assert b'lang=3D"en" dir=3D"ltr"' in default or b'<html lang="en" dir="ltr">' in default

    @pytest.mark.parametrize(
        ("language", "zone", "text"),
        [
            ("en", None, "November 22, 2026, 09:30 UTC"),
            ("en", "America/New_York", "November 22, 2026, 04:30 UTC-5"),
            ("de", "Europe/Berlin", "22. November 2026, 10:30 UTC+1"),
            ("ja", "Asia/Tokyo", "2026年11月22日 18:30 UTC+9"),
            ("ar", "Asia/Kolkata", "22 نوفمبر 2026، 15:00 UTC+5:30"),
            ("de", "Europe/Atlantis", "22. November 2026, 09:30 UTC"),
        ],
    )
    def test_times_are_in_the_readers_time_zone(self, language: str, zone: str | None, text: str) -> None:
        context = {"link": "https://x", "invited_by": "Eda", "role": "reviewer", "expires_at": "2026-11-22T09:30:00Z"}
        message = compose_mail("invitation", context, language, zone=zone)
        assert text in part(message, "plain")
        assert text in Page(part(message, "html")).words

    def test_summer_time(self) -> None:
        moment = datetime(2026, 7, 22, 9, 30, tzinfo=UTC)
        assert format_time(moment, babel_locale("de"), read_zone("Europe/Berlin")) == "22. Juli 2026, 11:30 UTC+2"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_dates_have_no_year(self, language: str) -> None:
        assert "2026" not in format_recent_time(datetime(2026, 11, 22, 10, 30, tzinfo=UTC), babel_locale(language))


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as made:
        yield made


@pytest.fixture(scope="module")
async def running(server: MailServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(**server.settings, mail_collect_seconds=0, poll_interval=0.1) as service:
        yield service


@pytest.fixture(scope="module")
async def workspace(running: Service) -> AsyncIterator[Workspace]:
    made = await sign_in_workspace(running)
    yield made
    await made.close()


@pytest.fixture(autouse=True)
async def no_default(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    yield
    if "workspace" in request.fixturenames:
        await choose_for_all(request.getfixturevalue("workspace"), None)


async def choose_for_all(workspace: Workspace, language: str | None) -> None:
    await assert_ok(workspace.owner.patch("/account", json={"language": language}))


def address(word: str) -> str:
    return f"{unique(word)}@example.com"


async def ask_external_reviewer(workspace: Workspace, server: MailServer, **members: Any) -> str:
    """The subject of the email, without the sender."""
    email = address("outside")
    await workspace.request(await workspace.make_form(), title="Autumn", extReviewers=[email], **members)
    return str((await server.wait_for_mail(email)).message["Subject"])


class TestReaders:
    async def test_members_choice(self, workspace: Workspace, server: MailServer) -> None:
        await choose_for_all(workspace, "de")
        invited, client = await workspace.make_person("reviewer")
        await assert_ok(client.patch("/auth/me", json={"language": "fr"}))
        await workspace.request(await workspace.make_form(), title="Autumn", assignTo=[invited["email"]])
        mail = await server.wait_for_mail(invited["email"], 2)
        assert mail.message["Subject"] == "Avis demandé : Autumn"
        assert '<html lang="fr" dir="ltr">' in mail.html

    async def test_members_time_zone(self, workspace: Workspace, server: MailServer) -> None:
        invited, client = await workspace.make_person("reviewer")
        await assert_ok(client.patch("/auth/me", json={"preferences": {"timeZone": "Asia/Tokyo"}}))
        await assert_ok(workspace.public.post("/auth/forgotPassword", json={"email": invited["email"]}))
        mail = await server.wait_for_mail(invited["email"], 2)
        assert re.search(r"expires on \w+ \d+, \d{4}, \d\d:\d\d UTC\+9\.", mail.text)

    async def test_workspace_default(self, workspace: Workspace, server: MailServer) -> None:
        await choose_for_all(workspace, "de")
        email = address("invited")
        await invite(workspace, email)
        assert "auf Signoff eingeladen" in (await server.wait_for_mail(email)).message["Subject"]

    async def test_english_without_any_choice(self, workspace: Workspace, server: MailServer) -> None:
        email = address("invited")
        await invite(workspace, email)
        assert "invited you to" in (await server.wait_for_mail(email)).message["Subject"]

    async def test_external_reviewer(self, workspace: Workspace, server: MailServer) -> None:
        assert "requested your review: Autumn" in await ask_external_reviewer(workspace, server)
        assert "demande votre avis : Autumn" in await ask_external_reviewer(workspace, server, lang="fr-CA")
        await choose_for_all(workspace, "de")
        assert "bittet um Prüfung: Autumn" in await ask_external_reviewer(workspace, server)
        assert "demande votre avis : Autumn" in await ask_external_reviewer(workspace, server, lang="fr")

    async def test_external_reviewer_who_is_added_later(self, workspace: Workspace, server: MailServer) -> None:
        asked = await workspace.request(await workspace.make_form(), title="Autumn", lang="fr")
        email = address("later")
        body = {"users": [], "groups": [], "external": [email]}
        await assert_ok(workspace.owner.put(f"/reviews/{asked['reviewId']}/assignees", json=body))
        assert "demande votre avis : Autumn" in (await server.wait_for_mail(email)).message["Subject"]

    async def test_values(self, workspace: Workspace, server: MailServer) -> None:
        form = await workspace.make_form(
            fields=[{"id": "urgent", "type": "boolean", "label": "Urgent"}], layout=None, rules=[], titleField=None
        )
        email = address("outside")
        body = {"formId": form["formId"], "data": {"urgent": True}, "extReviewers": [email], "lang": "de"}
        await assert_ok(workspace.agent.post("/requestReview", json=body))
        assert "Urgent: Ja" in (await server.wait_for_mail(email)).text

    async def test_test_mail(self, workspace: Workspace, server: MailServer) -> None:
        await choose_for_all(workspace, "ar")
        sent = await assert_ok(workspace.owner.post("/account/mail/test"))
        assert '<html lang="ar" dir="rtl">' in server.mails_to(sent["to"])[-1].html

    async def test_page_to_unsubscribe(self, workspace: Workspace, server: MailServer) -> None:
        invited, _ = await workspace.make_person("reviewer")
        await workspace.request(await workspace.make_form(), title="Autumn", assignTo=[invited["email"]])
        link = (await server.wait_for_mail(invited["email"], 2)).find_link("/unsubscribe?token=")
        where = {"url": "/notifications/unsubscribe", "params": {"token": httpx.URL(link).params["token"]}}
        german = {"accept": "text/html", "accept-language": "de-AT"}
        asking = await workspace.public.get(**where, headers=german)
        done = await workspace.public.post(**where, headers=german)
        assert "Keine E-Mails mehr?" in asking.text
        assert '<html lang="de" dir="ltr">' in asking.text
        assert asking.headers["content-language"] == "de"
        assert "Abbestellt" in done.text
        arabic = await workspace.public.get(**where, headers={"accept-language": "ar"})
        assert '<html lang="ar" dir="rtl">' in arabic.text


DECISION: dict[str, Any] = {
    "name": "Payout",
    "titleField": None,
    "layout": None,
    "rules": [],
    "fields": [
        {"id": "urgent", "type": "boolean", "label": "Urgent", "trueLabel": "Today", "falseLabel": "Can wait"},
        {"id": "channel", "type": "dropdown", "label": "Channel", "options": [{"id": "bank", "label": "Bank"}]},
    ],
    "translations": {
        "de": {
            "name": "Auszahlung",
            "fields": {
                "urgent": {"label": "Eilt", "trueLabel": "Heute"},
                "channel": {"options": {"bank": {"label": "Überweisung"}}},
            },
        },
        "fr": {"fields": {"channel": {"label": "Moyen"}}},
        "pt-BR": {"name": "Pagamento"},
        "ar": {"name": "صرف <b>المبلغ</b>", "fields": {"urgent": {"label": "<img src=x>&amp; عاجل"}}},
        "en": {"fields": {"channel": {"label": "Paid by"}}},
    },
}
DECIDED = {"urgent": True, "channel": "bank"}


async def decision(workspace: Workspace, **members: Any) -> dict[str, Any]:
    """A request of the type above."""
    form = await workspace.make_form(**DECISION)
    body = {"formId": form["formId"], "data": DECIDED, **members}
    return await assert_ok(workspace.agent.post("/requestReview", json=body))


class TestReviewTypes:
    async def test_each_reader_of_one_review_gets_their_own_language(
        self, workspace: Workspace, server: MailServer
    ) -> None:
        expected = {
            "de": ("Prüfung angefordert / Auszahlung", "Eilt: Heute", "Channel: Überweisung"),
            "fr": ("Avis demandé : Payout", "Urgent: Today", "Moyen: Bank"),
            "ja": ("Review requested: Payout", "Urgent: Today", "Channel: Bank"),
            "en": ("Review requested: Payout", "Urgent: Today", "Paid by: Bank"),
        }
        readers: dict[str, str] = {}
        for language in expected:
            invited, client = await workspace.make_person("reviewer")
            await assert_ok(client.patch("/auth/me", json={"language": language}))
            readers[language] = invited["email"]
        await decision(workspace, assignTo=list(readers.values()))
        for language, (subject, *values) in expected.items():
            mail = await server.wait_for_mail(readers[language], 2)
            assert mail.message["Subject"] == subject
            assert [line for line in mail.text.splitlines() if ": " in line and "http" not in line] == values
            shown = Page(mail.html).words
            assert [word for value in values for word in value.split(": ") if word not in shown] == []

    @pytest.mark.parametrize(
        ("asked", "words"),
        [
            ({"lang": "pt-PT"}, "Pagamento"),
            ({"lang": "de-AT"}, "Auszahlung"),
            ({"lang": "es"}, "Payout"),
            ({}, "Payout"),
        ],
    )
    async def test_external_reviewer(
        self, workspace: Workspace, server: MailServer, asked: dict[str, str], words: str
    ) -> None:
        email = address("outside")
        await decision(workspace, extReviewers=[email], **asked)
        mail = await server.wait_for_mail(email)
        assert str(mail.message["Subject"]).endswith(f": {words}")
        assert words in mail.text
        assert words in Page(mail.html).words

    async def test_the_workspaces_default(self, workspace: Workspace, server: MailServer) -> None:
        await choose_for_all(workspace, "de")
        email = address("outside")
        await decision(workspace, extReviewers=[email])
        assert "Eilt: Heute" in (await server.wait_for_mail(email)).text

    async def test_right_to_left_and_hostile_texts_stay_text(self, workspace: Workspace, server: MailServer) -> None:
        email = address("outside")
        await decision(workspace, extReviewers=[email], lang="ar")
        html = (await server.wait_for_mail(email)).html
        assert '<span dir="auto">صرف &lt;b&gt;المبلغ&lt;/b&gt;</span>' in html
        assert (
            'dir="auto" style="font-size:13px;line-height:18px;color:#5d5d57">&lt;img src=x&gt;&amp;amp; عاجل' in html
        )
        assert "<img" not in html

    async def test_what_a_program_reads_is_the_original(self, workspace: Workspace, server: MailServer) -> None:
        await choose_for_all(workspace, "de")
        email = address("outside")
        asked = await decision(workspace, extReviewers=[email], lang="de")
        assert "Auszahlung" in (await server.wait_for_mail(email)).text
        review = await assert_ok(
            workspace.agent.get(f"/reviews/{asked['reviewId']}", headers={"accept-language": "de"})
        )
        assert (review["formName"], review["data"]) == ("Payout", DECIDED)

    async def test_a_later_version_changes_no_earlier_review(self, workspace: Workspace, server: MailServer) -> None:
        form = await workspace.make_form(**DECISION)
        asked = await assert_ok(
            workspace.agent.post("/requestReview", json={"formId": form["formId"], "data": DECIDED})
        )
        changed = {"fields": DECISION["fields"][:1], "translations": {"de": {"name": "Anderes"}}}
        await assert_ok(workspace.manager.patch(f"/forms/{form['formId']}", json=changed))
        await choose_for_all(workspace, "de")
        email = address("later")
        body = {"users": [], "groups": [], "external": [email]}
        await assert_ok(workspace.owner.put(f"/reviews/{asked['reviewId']}/assignees", json=body))
        mail = await server.wait_for_mail(email)
        assert "Auszahlung" in mail.message["Subject"]
        assert "Channel: Überweisung" in mail.text

    async def test_the_whole_mail_is_in_the_language_of_its_values(
        self, workspace: Workspace, server: MailServer, running: Service
    ) -> None:
        """Whatever the reader chooses between writing and sending the mail."""
        invited, client = await workspace.make_person("reviewer")
        await server.wait_for_mail(invited["email"])
        await assert_ok(client.patch("/auth/me", json={"language": "de"}))
        context = ReviewRequested.model_validate({"reviews": [review(title=None)], "language": "fr"})
        db = await Database.connect(running.dsn(), size=1)
        try:
            async with db.transaction() as tx:
                await enqueue_mail(
                    tx,
                    "review_requested",
                    account_id=workspace.account_id,
                    to=invited["email"],
                    context=context.model_dump(),
                    user_id=invited["userId"],
                )
        finally:
            await db.close()
        mail = await server.wait_for_mail(invited["email"], 2)
        assert '<html lang="fr" dir="ltr">' in mail.html
