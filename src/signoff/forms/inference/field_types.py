"""Choose the field type for a value: by the value itself, then by its property name."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from signoff.forms.fields.media import is_media_address
from signoff.forms.fields.text import is_date, is_datetime, is_web_address
from signoff.forms.inference.property_names import split_words
from signoff.platform.json_values import Json

LONG_LINE: Final = 120
MAX_INSPECTED_LENGTH: Final = 5_000
"""Characters of a text that are enough to detect its type."""


@dataclass(frozen=True, slots=True)
class InferredField:
    """A field type with settings."""

    type: str
    settings: dict[str, Any] = field(default_factory=dict[str, Any])


_EMAIL: Final = re.compile(r"[^@\s<>(),;:]{1,64}@[^@\s.,;:]+(?:\.[^@\s.,;:]+)+")
_HTML: Final = re.compile(
    r"</(p|div|span|h[1-6]|ul|ol|li|table|a|strong|em|b|i|u|body|html|section)>|<br\s{0,9}/?>", re.IGNORECASE
)
# Every repetition in these is bounded or ends with its line, so that no text makes them slow.
_MARKDOWN: Final = re.compile(
    r"^#{1,6} \S|^```|\*\*[^*\n]{1,300}\*\*|\[[^\]\n]{1,300}\]\([^)\s]{1,2000}\)"
    r"|^[-*+] \S.*\n[-*+] \S|^\d{1,3}[.)] \S.*\n\d{1,3}[.)] \S",
    re.MULTILINE,
)
_CODE: Final = {
    "diff": re.compile(r"^(diff --git |--- \S.*\n\+\+\+ \S|@@ -\d)", re.MULTILINE),
    "python": re.compile(r"^(def \w+\([^)\n]*\)|class \w+[(:]|from [\w.]+ import |import [\w.]+$)", re.MULTILINE),
    "javascript": re.compile(
        r"^(export |const \w+ = |let \w+ = |(async )?function \w*\(|import [^'\"\n]+ from ['\"])", re.MULTILINE
    ),
    "sql": re.compile(
        r"^\s*(select\b[^;]{1,2000}?\bfrom\b|insert into\b|update \w+ set\b|create table\b)", re.IGNORECASE
    ),
    "bash": re.compile(r"^#!.*\b(ba)?sh\b"),
}
_EXTENSIONS: Final = {
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "heic", "tif", "tiff"), "image"),
    **dict.fromkeys(("mp4", "webm", "mov", "m4v", "avi", "mkv", "ogv"), "video"),
    **dict.fromkeys(("mp3", "wav", "ogg", "oga", "m4a", "flac", "aac", "opus"), "audio"),
    **dict.fromkeys(("pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "csv", "zip", "odt", "ods", "rtf"), "file"),
}
_MEDIA_WORDS: Final = {
    **dict.fromkeys(("image", "images", "photo", "photos", "picture", "pictures", "thumbnail", "avatar"), "image"),
    **dict.fromkeys(("logo", "banner", "screenshot", "screenshots", "illustration", "artwork", "poster"), "image"),
    **dict.fromkeys(("video", "videos", "clip", "clips", "movie", "footage"), "video"),
    **dict.fromkeys(("audio", "recording", "voice", "podcast", "voiceover", "song"), "audio"),
    **dict.fromkeys(("file", "files", "attachment", "attachments", "pdf", "document", "invoice"), "file"),
}
_LONG_WORDS: Final = frozenset(
    {"body", "text", "content", "description", "message", "comment", "comments", "summary", "reply", "answer", "notes"}
    | {"note", "reason", "bio", "abstract", "explanation", "caption", "instructions", "transcript", "paragraph"}
)
_CODE_WORDS: Final = frozenset({"code", "script", "snippet", "diff", "patch", "sql", "query", "source", "stacktrace"})
_COUNT_WORDS: Final = frozenset(
    {"count", "quantity", "qty", "pages", "views", "likes", "shares", "age", "year", "seats", "employees", "attempts"}
)


def infer_field(name: str, value: Json) -> InferredField | None:
    """Return the field type for a scalar; None for values that need further inspection (arrays, objects)."""
    words = split_words(name)
    if value is None:
        return InferredField("longText" if _LONG_WORDS.intersection(words) else "text")
    if isinstance(value, bool):
        return InferredField("boolean")
    if isinstance(value, int | float):
        return _infer_number_field(words, value)
    return infer_text_field(words, value) if isinstance(value, str) else None


def _infer_number_field(words: Sequence[str], value: int | float) -> InferredField:
    if {"rating", "stars"}.intersection(words) and value in (1, 2, 3, 4, 5):
        return InferredField("rating")
    whole = isinstance(value, int) and bool(_COUNT_WORDS.intersection(words))
    return InferredField("number", {"integer": True} if whole else {})


def infer_text_field(words: Sequence[str], text: str) -> InferredField:
    if is_date(text):
        return InferredField("date")
    if is_datetime(text):
        return InferredField("datetime")
    if len(text) <= 254 and _EMAIL.fullmatch(text):
        return InferredField("email")
    if is_web_address(text):
        return InferredField(_infer_url_field(words, text))
    if text.startswith("/media/") and is_media_address(text):
        return InferredField(next((_MEDIA_WORDS[word] for word in words if word in _MEDIA_WORDS), "image"))
    if text.startswith("data:"):
        return InferredField("longText")
    return _infer_prose_field(words, text)


def _infer_url_field(words: Sequence[str], text: str) -> str:
    try:
        path = urlsplit(text).path
    except ValueError:  # a web address as we accept it may not be parseable
        return "link"
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    kind = _EXTENSIONS.get(extension) or next((_MEDIA_WORDS[word] for word in words if word in _MEDIA_WORDS), "link")
    return kind if kind == "link" or is_media_address(text) else "link"


def _infer_prose_field(words: Sequence[str], text: str) -> InferredField:
    if _is_json(text):
        return InferredField("code", {"language": "json"})
    if text.lstrip().startswith("<") and _HTML.search(text[:MAX_INSPECTED_LENGTH]):
        return InferredField("richText")
    fenced, several_lines = "```" in text, "\n" in text.strip()
    for language, pattern in _CODE.items():
        if (
            not fenced
            and pattern.search(text[:MAX_INSPECTED_LENGTH])
            and (several_lines or _CODE_WORDS.intersection(words))
        ):
            return InferredField("code", {"language": language})
    if _CODE_WORDS.intersection(words) and "\n" in text:
        return InferredField("code")
    if _MARKDOWN.search(text[:MAX_INSPECTED_LENGTH]):
        return InferredField("markdown")
    if "\n" in text or len(text) > LONG_LINE or _LONG_WORDS.intersection(words):
        return InferredField("longText")
    return InferredField("text")


def _is_json(text: str) -> bool:
    """Whether it's an object or array as JSON text."""
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("{}", "[]") or len(stripped) > 1_000_000:
        return False
    try:
        read = json.loads(stripped)
    except (ValueError, RecursionError):
        return False
    return isinstance(read, dict | list) and bool(read)  # pyright: ignore[reportUnknownArgumentType]


_TEXTS: Final = ("text", "longText", "markdown", "richText", "code", "email", "link", "date", "datetime")
_ADDRESSES: Final = ("link", "image", "video", "audio", "file")


def infer_common_field(kinds: Sequence[InferredField]) -> InferredField | None:
    """Return the one type that accepts all of them; None if only `json` does."""
    types = {kind.type for kind in kinds}
    if len(types) == 1:
        return kinds[0] if all(kind == kinds[0] for kind in kinds) else InferredField(kinds[0].type)
    if types <= {"number", "rating"}:
        return InferredField("number")
    if types <= set(_ADDRESSES):
        return InferredField("link")
    if types <= {*_TEXTS, *_ADDRESSES}:
        return InferredField("longText" if types & {"longText", "markdown", "richText", "code"} else "text")
    return None
