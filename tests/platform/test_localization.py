"""Texts in the reader's language."""

import pickle
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from babel.messages.pofile import read_po
from jinja2 import Environment
from markupsafe import Markup
from pydantic import TypeAdapter, ValidationError
from support.catalogs import Translations, catalogs

from signoff.platform.errors import ErrorDetail, InvalidQuery, NotFound
from signoff.platform.messages import (
    CATALOGS,
    LANGUAGES,
    AnyOf,
    ByteSize,
    Message,
    Term,
    choose_language,
    list_params,
    localize,
    match_language,
    msg,
    msgs,
    negotiate,
    template_functions,
    verbatim,
)
from signoff.platform.validation_messages import message_for


@pytest.fixture
def german(tmp_path: Path) -> Iterator[None]:
    translations: Translations = {
        "member": "Mitglied",
        "No {kind} found with ID '{id}'.": "{kind} mit der ID „{id}“ nicht gefunden.",
        ("{count} review", "{count} reviews"): ("{count} Prüfung", "{count} Prüfungen"),
        "one of {names}": "eines von {names}",
        "<{name}>": "«{name}»",
    }
    with catalogs(tmp_path, de=translations):
        yield


class TestEnglish:
    def test_is_text(self) -> None:
        assert msg("{name} isn't a member", name="Eda") == "Eda isn't a member"

    @pytest.mark.parametrize(("count", "text"), [(0, "0 reviews"), (1, "1 review"), (1500, "1,500 reviews")])
    def test_plural(self, count: int, text: str) -> None:
        assert msgs("{count} review", "{count} reviews", count=count) == text

    @pytest.mark.parametrize(
        ("size", "text"),
        [
            (64 * 1024, "64 KiB"),
            (20 * 1024**2, "20 MiB"),
            (10 * 1000**3, "10 GB"),
            (9_999_999_999, "9.99 GB"),
            (1_025, "1.02 kB"),
            (0, "0 kB"),
        ],
    )
    def test_sizes(self, size: int, text: str) -> None:
        message = msg("{size}", size=ByteSize(size))
        assert message == text
        assert list_params(message) == {"size": size}

    def test_values_are_never_templates(self) -> None:
        assert msg("{name}", name="{other} {0} %s") == "{other} {0} %s"

    def test_lists(self) -> None:
        assert msg("one of {names}", names=["a", "b", "c"]) == "one of a, b, and c"

    def test_alternatives(self) -> None:
        assert msg("{names}", names=AnyOf(["a", "b", "c"])) == "a, b, or c"
        assert msg("{names}", names=AnyOf(["a", "b"])) == "a or b"

    def test_numbers_keep_their_digits(self) -> None:
        assert msg("at least {limit}", limit=0.0001) == "at least 0.0001"
        assert msg("at least {limit}", limit=0.0001).localize("de") == "at least 0,0001"

    def test_terms_dates_and_times(self) -> None:
        role = Term("admin", msg("Admin"))
        moment = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
        message = msg("{role} {day} {moment}", role=role, day=moment.date(), moment=moment)
        assert message == "Admin November 22, 2026 November 22, 2026, 09:30 UTC"
        assert message.localize("ja") == "管理者 2026年11月22日 2026年11月22日 9:30 UTC"
        assert list_params(message) == {"role": "admin", "day": "2026-11-22", "moment": "2026-11-22T09:30:00.000Z"}

    def test_survives_pickling(self) -> None:
        message = pickle.loads(pickle.dumps(msgs("{count} review", "{count} reviews", count=2)))  # noqa: S301 — made here
        assert (message, message.params) == ("2 reviews", {"count": 2})


@pytest.mark.usefixtures("german")
class TestOtherLanguages:
    @pytest.mark.parametrize(("count", "text"), [(1, "1 Prüfung"), (1500, "1.500 Prüfungen")])
    def test_plural(self, count: int, text: str) -> None:
        assert msgs("{count} review", "{count} reviews", count=count).localize("de") == text

    def test_messages_within_messages(self) -> None:
        missing = NotFound(msg("member"), "usr_1").body("de")
        assert missing["detail"] == "No member found with ID 'usr_1'."
        assert missing["localized"]["detail"] == "Mitglied mit der ID „usr_1“ nicht gefunden."

    def test_lists(self) -> None:
        assert msg("one of {names}", names=["a", "b", "c"]).localize("de") == "eines von a, b und c"

    def test_numbers_of_any_size(self) -> None:
        numbers = [1234.5, 9_007_199_254_740_993, 1.2345678901234567e20, 0.00001, 1e300, 1e-300]
        german = ["1.234,5", "9.007.199.254.740.993", "123.456.789.012.345.670.000", "0,00001", "1e+300", "1e-300"]
        assert [msg("{limit}", limit=each).localize("de") for each in numbers] == german
        english = ["1,234.5", "9,007,199,254,740,993", "123,456,789,012,345,670,000", "0.00001", "1e+300", "1e-300"]
        assert [msg("{limit}", limit=each) for each in numbers] == english

    def test_missing_translation_is_english(self) -> None:
        assert msg("{name} left", name="Eda").localize("de") == "Eda left"

    def test_an_unknown_language_is_english(self) -> None:
        assert msg("member").localize("tlh") == "member"

    def test_plain_text_is_unchanged(self) -> None:
        assert localize("member", "de") == "member"

    def test_html_is_escaped_in_text_and_values(self) -> None:
        assert msg("<{name}>", name="<b>").markup("de") == Markup("«&lt;b&gt;»")
        assert msg("<{name}>", name=Markup("<b>x</b>")).markup("en") == Markup("&lt;<b>x</b>&gt;")

    def test_templates(self) -> None:
        template = Environment(autoescape=True).from_string("{{ msgs('{count} review', '{count} reviews', count=n) }}")
        assert template.render(**template_functions("de", html=True), n=2) == "2 Prüfungen"


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 recenzja"), (2, "2 recenzje"), (5, "5 recenzji"), (12, "12 recenzji"), (22, "22 recenzje")],
)
def test_a_language_with_three_plural_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, text: str
) -> None:
    monkeypatch.setattr("signoff.platform.messages.LANGUAGES", (*LANGUAGES, "pl"))
    forms = ("{count} recenzja", "{count} recenzje", "{count} recenzji")
    with catalogs(tmp_path, pl={("{count} review", "{count} reviews"): forms}):
        assert msgs("{count} review", "{count} reviews", count=count).localize("pl") == text


class TestAllowedValues:
    """Of a member with a fixed set of values, from pydantic's own English list."""

    MESSAGES: ClassVar = {
        "en": "must be 'a', 'b', or 'c or d'",
        "de": "muss 'a', 'b' oder 'c or d' sein",
        "fr": "doit être 'a', 'b' ou 'c or d'",
        "es": "debe ser 'a', 'b' o 'c or d'",
        "pt-BR": "deve ser 'a', 'b' ou 'c or d'",
        "ja": "'a'、'b'、または'c or d'を指定してください",
        "zh-Hans": "必须是 'a'、'b'或'c or d'",
        "ar": "يجب أن يكون \u2068'a'\u2069 أو \u2068'b'\u2069 أو \u2068'c or d'\u2069",
    }

    def _message(self, allowed: Any) -> Message:
        with pytest.raises(ValidationError) as failed:
            TypeAdapter(allowed).validate_python("?")
        return message_for(failed.value.errors()[0])

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_are_listed_in_each_language(self, language: str) -> None:
        message = self._message(Literal["a", "b", "c or d"])
        assert message.localize(language) == self.MESSAGES[language]

    @pytest.mark.parametrize(
        ("allowed", "text"), [(Literal["a"], "must be 'a'"), (Literal[1, "it's"], 'must be 1 or "it\'s"')]
    )
    def test_of_other_sets(self, allowed: Any, text: str) -> None:
        assert self._message(allowed) == text

    def test_programs_get_the_values(self) -> None:
        assert list_params(self._message(Literal["a", "b", "c"])) == {"values": ["a", "b", "c"]}


class TestChoosing:
    @pytest.mark.parametrize(
        ("choices", "accepted", "language"),
        [
            (("ja", "de"), "fr", "ja"),
            ((None, "de"), "fr", "de"),
            ((None, None), "fr", "fr"),
            ((None, None), None, "en"),
            (("tlh", "de"), None, "de"),
        ],
    )
    def test_first_available_language(
        self, choices: tuple[str | None, ...], accepted: str | None, language: str
    ) -> None:
        assert choose_language(*choices, accepted=accepted) == language


class TestParams:
    def test_are_for_programs(self) -> None:
        assert list_params(msg("{a} {b}", a=1.5, b=["x", "y"])) == {"a": 1.5, "b": ["x", "y"]}

    @pytest.mark.parametrize("text", ["plain", verbatim("{a}")])
    def test_of_other_texts(self, text: str) -> None:
        assert list_params(text) == {}

    def test_in_a_problem(self) -> None:
        problem = InvalidQuery(
            msg("{a}", a=1), [ErrorDetail("q", "too_long", msgs("{count} x", "{count} xs", count=2))]
        ).body()
        assert problem["params"] == {"a": 1}
        assert problem["errors"] == [{"path": "q", "code": "too_long", "message": "2 xs", "params": {"count": 2}}]
        assert "localized" not in problem


class TestNegotiation:
    @pytest.mark.parametrize(
        ("accepted", "language"),
        [
            (None, "en"),
            ("", "en"),
            ("de", "de"),
            ("de-AT,de;q=0.9,en;q=0.8", "de"),
            ("nl,fr;q=0.5", "fr"),
            ("en;q=0.1, ja", "ja"),
            ("de;q=0, fr;q=0.1", "fr"),
            ("pt-PT", "pt-BR"),
            ("zh-CN", "zh-Hans"),
            ("*", "en"),
            (";;;q=,=,", "en"),
            ("de;q=nan", "en"),
            ("x" * 100_000, "en"),
        ],
    )
    def test_of_browser_headers(self, accepted: str | None, language: str) -> None:
        assert negotiate(accepted) == language

    def test_every_language_matches_itself(self) -> None:
        assert [match_language(language) for language in LANGUAGES] == list(LANGUAGES)


def placeholders(text: str) -> set[str]:
    names: set[str] = set()

    class Names(dict[str, Any]):
        def __missing__(self, name: str) -> str:
            names.add(name)
            return ""

    text.format_map(Names())
    return names


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_use_the_same_placeholders(language: str) -> None:
    with (CATALOGS / f"{language}.po").open("rb") as file:
        catalog = read_po(file)
    for message in catalog:
        if not message.id:
            continue
        english = message.id if isinstance(message.id, tuple) else (message.id,)
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in filter(None, translated):
            wanted = set.union(*map(placeholders, english))
            assert placeholders(text) | {"count"} == wanted | {"count"}, f"{language}: {message.id}"
            assert "count" in wanted or "count" not in placeholders(text), f"{language}: {message.id}"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_message_is_translated(language: str) -> None:
    with (CATALOGS / f"{language}.po").open("rb") as file:
        catalog = read_po(file, locale=language.replace("-", "_"))
    forms = {message.id: message.string if isinstance(message.id, tuple) else (message.string,) for message in catalog}
    assert len(forms) > 500
    assert not [english for english, translated in forms.items() if english and not all(translated)]
    plurals = [translated for english, translated in forms.items() if isinstance(english, tuple)]
    assert {len(translated) for translated in plurals} == {catalog.num_plurals}


@pytest.mark.parametrize(("count", "form"), [(2, "حرفين"), (3, "أحرف"), (11, "حرفًا"), (99, "حرفًا"), (100, "حرف")])
def test_arabic_plural_forms_are_in_the_order_of_the_formula(count: int, form: str) -> None:
    """Not in the order in which CLDR lists them: `many` comes last."""
    said = msgs(
        "The message has {count} character. Send the next chunk with `offset` {offset}.",
        "The message has {count} characters. Send the next chunk with `offset` {offset}.",
        count=count,
        offset="1",
    ).localize("ar")
    assert f" {form}." in said
