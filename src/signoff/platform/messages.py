"""Texts that the service writes for people, in all supported languages.

`msg("{name} isn't a member.", name=name)` is English text that remembers its template and values, so it can be
localized later, when the reader is known. `make messages` collects the templates into `src/signoff/locales`, with one
catalog per language. Text missing from a catalog stays English.
"""

import gettext
import re
import unicodedata
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal, LiteralString, cast, get_args

from babel import Locale
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.units import format_unit
from markupsafe import Markup, escape

from signoff.platform.clock import iso
from signoff.platform.dates import format_day, format_time

ENGLISH: Final = "en"
Language = Literal["en", "de", "fr", "es", "pt-BR", "ja", "zh-Hans", "ar"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
RIGHT_TO_LEFT: Final = frozenset({"ar"})
PLAIN: Final = (str, int, float, bool, type(None))
VERBATIM: Final = "{text}"
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
# Character classes of Unicode's bidirectional algorithm that run against the text around them.
_LEFT_TO_RIGHT_CLASSES: Final = frozenset({"L", "EN"})
_RIGHT_TO_LEFT_CLASSES: Final = frozenset({"R", "AL", "AN"})
CATALOGS: Final = Path(__file__).parent.parent / "locales"

_DIRECTION_CONTROLS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]+")

_UNITS: Final = {1: "kilobyte", 2: "megabyte", 3: "gigabyte"}

_reader: ContextVar[str] = ContextVar("reader", default=ENGLISH)


class Message(str):
    """English text that can be localized."""

    __slots__ = ("params", "plural", "template")

    template: str
    plural: str | None
    """The template for a `count` other than one, if it differs."""
    params: Mapping[str, Any]

    def __new__(cls, template: str, plural: str | None, params: Mapping[str, Any]) -> "Message":
        english = template if plural is None or params["count"] == 1 else plural
        message = super().__new__(cls, _fill(english, params, ENGLISH, isolated=False))
        message.template, message.plural, message.params = template, plural, params
        return message

    def __reduce__(self) -> tuple[type["Message"], tuple[str, str | None, Mapping[str, Any]]]:
        return type(self), (self.template, self.plural, self.params)

    def localize(self, language: str) -> str:
        """Return the text for a reader. Values in another direction, such as a Latin name in Arabic, are isolated."""
        return _fill(self._format_in(language), self.params, language, isolated=self.template != VERBATIM)

    def _format_in(self, language: str) -> str:
        if language == ENGLISH:
            return self.template if self.plural is None or self.params["count"] == 1 else self.plural
        catalog = _catalog(language)
        if self.plural is None:
            return catalog.gettext(self.template)
        return catalog.ngettext(self.template, self.plural, self.params["count"])

    def markup(self, language: str) -> Markup:
        """Return HTML: everything that isn't already markup is escaped, both the template and the values."""
        return escape(self._format_in(language)).format_map(
            _localize_parameters(self.params, language, isolated=self.template != VERBATIM)
        )


@dataclass(frozen=True, slots=True)
class Term:
    """A value of the API, and how people read it: the role `admin` is "Admin" in a sentence."""

    code: str
    name: Any


class ByteSize(int):
    """A number of bytes, and how people read it: 65,536 bytes are "64 KiB" in a sentence."""

    __slots__ = ()


class AtLeast(int):
    """A number that was only counted up to here, and how people read it: "1,000+"."""

    __slots__ = ()


class AnyOf(tuple[Any, ...]):
    """A list of which one item applies: "a, b, or c"."""

    __slots__ = ()


def msg(template: LiteralString, /, **params: Any) -> Message:
    """Build a message. `{name}` in the template stands for the value `name`.

    It's text, a number, a date, a time, a `Term`, another message, or a list of these (`AnyOf` for "or").
    """
    return Message(template, None, params)


def msgs(one: LiteralString, many: LiteralString, /, *, count: int, **params: Any) -> Message:
    """Build a message that depends on `count`: `msgs("{count} review", "{count} reviews", count=3)`."""
    return Message(one, many, {"count": count, **params})


def verbatim(text: str) -> Message:
    """Wrap text that is the same in every language, such as a value or another program's output."""
    return Message(VERBATIM, None, {"text": text})


def localize(text: str, language: str) -> str:
    """Localize text. Text that isn't a message, such as a member's name, stays as it is."""
    return text.localize(language) if isinstance(text, Message) else text


def localize_in_context(context: str, text: str, language: str) -> str:
    """Localize a text that `make messages` collects with this context, from elsewhere than `msg`."""
    return text if language == ENGLISH else _catalog(language).pgettext(context, text)


def list_params(text: str) -> dict[str, Any]:
    """Return the values in a message, for programs."""
    if not isinstance(text, Message) or text.template == VERBATIM:
        return {}
    return {name: _plain(value) for name, value in text.params.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Term):
        return value.code
    if isinstance(value, ByteSize):
        return int(value)
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("Sequence[Any]", value)]
    return value if type(value) in PLAIN else str(value)


def template_functions(language: str, *, html: bool) -> dict[str, Callable[..., str]]:
    """Return `msg` and `msgs` for a Jinja template in this language, and `localize` for messages built elsewhere."""

    def write(message: Message) -> str:
        return message.markup(language) if html else message.localize(language)

    def write_msg(template: str, **params: Any) -> str:
        return write(Message(template, None, params))

    def write_msgs(one: str, many: str, **params: Any) -> str:
        return write(Message(one, many, params))

    def write_any(text: str) -> str:
        return write(text) if isinstance(text, Message) else text

    return {"msg": write_msg, "msgs": write_msgs, "localize": write_any}


def isolate(text: str, language: str) -> str:
    """Keep text in another direction from reordering the text around it.

    URLs stay as they are, because mail clients would make the invisible characters part of the link.
    """
    opposite = _LEFT_TO_RIGHT_CLASSES if language in RIGHT_TO_LEFT else _RIGHT_TO_LEFT_CLASSES
    if text.startswith(("https://", "http://")) or opposite.isdisjoint(map(unicodedata.bidirectional, text)):
        return text
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"


def strip_direction_controls(text: str) -> str:
    """Remove characters that change the text direction: a title must not rearrange the text after it."""
    return _DIRECTION_CONTROLS.sub("", text)


def _fill(template: str, params: Mapping[str, Any], language: str, *, isolated: bool) -> str:
    return template.format_map(_localize_parameters(params, language, isolated=isolated))


def _localize_parameters(params: Mapping[str, Any], language: str, *, isolated: bool) -> dict[str, Any]:
    return {name: _localize_parameter(value, language, isolated=isolated) for name, value in params.items()}


def _localize_parameter(value: Any, language: str, *, isolated: bool) -> Any:
    if isinstance(value, Message):
        return value.localize(language) if isolated else str(value)
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return isolate(value, language) if isolated else value
    if isinstance(value, Term):
        return _localize_parameter(value.name, language, isolated=isolated)
    if isinstance(value, ByteSize):
        return format_bytes(value, language)
    if isinstance(value, AtLeast):
        return f"{format_number(int(value), language)}+"
    if isinstance(value, datetime):
        return format_time(value, babel_locale(language))
    if isinstance(value, date):
        return format_day(value, babel_locale(language))
    if type(value) in (int, float):
        return format_number(value, language)
    if isinstance(value, list | tuple):
        items = [str(_localize_parameter(item, language, isolated=isolated)) for item in cast("Sequence[Any]", value)]
        return join_items(items, language, "or" if isinstance(value, AnyOf) else "standard")
    return value


def format_number(number: float, language: str, *, grouped: bool = True) -> str:
    """Write all digits of a number. Very large and very small ones keep their exponent, like in JavaScript."""
    exact = Decimal(str(number))
    if not -7 <= exact.adjusted() <= 20:
        return str(number)
    if language == ENGLISH:
        return (f"{exact:,f}" if grouped else f"{exact:f}").removesuffix(".0")
    return format_decimal(exact, locale=babel_locale(language), group_separator=grouped, decimal_quantization=False)


def format_bytes(number: int, language: str) -> str:
    """Write an amount in the largest unit in which it's whole, otherwise rounded down to two decimals."""
    for power in (3, 2, 1):
        if number and number % 1024**power == 0:
            return f"{format_number(number // 1024**power, language)} {' KMG'[power]}iB"
        if number and number % 1000**power == 0:
            break
    else:
        power = 3 if number >= 1000**3 else 2 if number >= 1000**2 else 1
    amount = number * 100 // 1000**power / 100
    return format_unit(amount, f"digital-{_UNITS[power]}", length="short", locale=babel_locale(language))


def join_items(items: Sequence[str], language: str, style: Literal["standard", "or"] = "standard") -> str:
    """Write a list: "a, b, and c" in English."""
    return format_list(items, style=style, locale=babel_locale(language))


@cache
def babel_locale(language: str) -> Locale:
    return Locale.parse(language, sep="-")


@cache
def _catalog(language: str) -> gettext.NullTranslations:
    path = CATALOGS / f"{language}.po"
    if language not in LANGUAGES or not path.exists():
        return gettext.NullTranslations()
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=babel_locale(language)))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@contextmanager
def answering_in(language: str) -> Generator[None]:
    """While a request is answered: the language of whoever sent it."""
    token = _reader.set(language)
    try:
        yield
    finally:
        _reader.reset(token)


def reader_language() -> str:
    """English where no request is answered."""
    return _reader.get()


def choose_language(*choices: str | None, accepted: str | None = None) -> str:
    """Return the first preference that is set, such as a member's and then their workspace's. `accepted` is the
    browser's.
    """
    return next((choice for choice in choices if choice in LANGUAGES), None) or negotiate(accepted)


def negotiate(accepted: str | None) -> str:
    """Choose the language for an `Accept-Language` header."""
    for tag in _preferred(accepted or ""):
        if (language := match_language(tag)) is not None:
            return language
    return ENGLISH


def match_language(tag: str) -> Language | None:
    """Return our language for a tag such as `de-AT` or `zh-CN`."""
    parts = tag.lower().split("-")
    return next((language for language in LANGUAGES if language.split("-")[0].lower() == parts[0]), None)


def _preferred(accepted: str) -> Sequence[str]:
    weighted: list[tuple[float, str]] = []
    for item in accepted[:1000].split(","):
        tag, _, weight = item.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if quality > 0:
            weighted.append((quality, tag.strip()))
    return [tag for _, tag in sorted(weighted, key=lambda each: -each[0])]
