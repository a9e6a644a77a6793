"""Images, videos, sounds, and files: a URL, or for an image also base64 content."""

import re
from dataclasses import dataclass
from typing import Final

from signoff.forms.fields.error_messages import STRING
from signoff.forms.fields.field import FieldType
from signoff.forms.fields.schema_fragments import on_one_line
from signoff.forms.fields.text import LINK_PATTERN, is_web_address
from signoff.forms.fields.value_type import INVALID, FieldConfig, ReadResult, ValueType, report_wrong_type
from signoff.platform.errors import ErrorDetail
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.messages import msg

OWN_MEDIA_PATTERN: Final = r"^/media(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(\?[A-Za-z0-9._~=&%-]*)?$"
"""The service's own media storage may be addressed without a host; no spelling of `..` can escape it."""

MAX_ADDRESS: Final = 8_192
_ADDRESS_PATTERN: Final = f"{LINK_PATTERN}|{OWN_MEDIA_PATTERN}"
ADDRESS_SCHEMA: Final = on_one_line(_ADDRESS_PATTERN, maxLength=MAX_ADDRESS)

_DATA_URL: Final = "data:image/[A-Za-z0-9.+-]{1,40}(;[A-Za-z0-9=.+-]{1,40}){0,4};base64,"
_SPACE, _CONTENT = r"[ \t\r\n]", r"[A-Za-z0-9+/_ \t\r\n-]"
BASE64_PATTERN: Final = f"^({_DATA_URL})?[A-Za-z0-9+/_-]({_CONTENT}{{255}}|{_CONTENT}{{15,}}={{0,2}}{_SPACE}*$)"
"""Only the first 256 characters are checked here: ingestion decodes the rest."""

_OWN_MEDIA: Final = re.compile(OWN_MEDIA_PATTERN[1:-1])
_BASE64: Final = re.compile(BASE64_PATTERN)
_JPEG_START: Final = "/9j/"


@dataclass(frozen=True, slots=True)
class MediaValueType(ValueType):
    takes_base64: bool = False

    def read(self, value: Json, config: FieldConfig, where: str, errors: list[ErrorDetail]) -> ReadResult:
        if not isinstance(value, str):
            return report_wrong_type(value, STRING, where, errors)
        if is_media_address(value):
            return value
        encoded = self.takes_base64 and looks_like_base64(value)
        if encoded and config.is_base64:
            return value
        if encoded and (not value.startswith("/") or value.startswith(_JPEG_START)):
            errors.append(
                ErrorDetail(where, "base64_not_declared", msg("is base64; set `isBase64: true` in the field's config"))
            )
        else:
            errors.append(
                ErrorDetail(where, "bad_media_address", msg("must be a URL that starts with http:// or https://"))
            )
        return INVALID

    def schema(self) -> JsonObject:
        if not self.takes_base64:
            return ADDRESS_SCHEMA
        content: JsonObject = {
            "type": "string",
            "pattern": BASE64_PATTERN,
            "description": "Base64, raw or as a data URL; the field's config must set isBase64: true",
        }
        return {"anyOf": [ADDRESS_SCHEMA, content]}


def is_media_address(text: str) -> bool:
    return len(text) <= MAX_ADDRESS and (is_web_address(text) or _OWN_MEDIA.fullmatch(text) is not None)


def looks_like_base64(text: str) -> bool:
    """Whether it starts like raw base64 or a data URL."""
    return _BASE64.match(text) is not None


def _media(name: str, summary: str, *, takes_base64: bool = False, copied: bool = False) -> FieldType:
    return FieldType(
        name=name,
        summary=summary,
        category="media",
        value="text",
        value_summary="string, a URL" + ("; in a request, also base64" if takes_base64 else ""),
        limits={"maxLength": MAX_ADDRESS, "pattern": _ADDRESS_PATTERN},
        value_type=lambda _: MediaValueType(takes_base64),
        copied=copied,
        editable=False,
    )


TYPES: Final = (
    _media("image", "An image", takes_base64=True, copied=True),
    _media("video", "A video", copied=True),
    _media("audio", "Audio"),
    _media("file", "File download"),
)
