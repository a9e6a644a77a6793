"""Images, videos, sounds and files: an address, or for an image also its content in base64."""

import re
from dataclasses import dataclass
from typing import Final

from signoff.forms.fields.field import FieldType
from signoff.forms.fields.shape import INVALID, FieldConfig, Read, Shape, wrong_type
from signoff.forms.fields.text import LINK_PATTERN, is_web_address
from signoff.platform.faults import Fault
from signoff.platform.json_values import Json, JsonObject

OWN_MEDIA_PATTERN: Final = r"^/media(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(\?[A-Za-z0-9._~=&%-]*)?$"
"""The service's own media storage may be addressed without a host; no spelling of `..` leads out of it."""

MAX_ADDRESS: Final = 8_192

_DATA_URL_PATTERN: Final = r"data:image/[A-Za-z0-9.+-]{1,40}(?:;[A-Za-z0-9=.+-]{1,40}){0,4};base64,"
BASE64_PATTERN: Final = rf"^(?:{_DATA_URL_PATTERN})?[A-Za-z0-9+/_-][A-Za-z0-9+/_\s-]{{15}}"

_OWN_MEDIA: Final = re.compile(OWN_MEDIA_PATTERN[1:-1])
_DATA_URL: Final = re.compile(_DATA_URL_PATTERN)
_BASE64_START: Final = re.compile(r"[A-Za-z0-9+/_-][A-Za-z0-9+/_\s-]{15,}={0,2}\s*")
_JPEG_START: Final = "/9j/"
_LOOKED_AT: Final = 256
"""How much of a base64 text is looked at here: decoding it is what ingestion does."""


@dataclass(frozen=True, slots=True)
class MediaShape(Shape):
    takes_base64: bool = False

    def read(self, value: Json, config: FieldConfig, where: str, faults: list[Fault]) -> Read:
        if not isinstance(value, str):
            return wrong_type(value, "a string", where, faults)
        if is_media_address(value):
            return value
        encoded = self.takes_base64 and looks_like_base64(value)
        if encoded and config.is_base64:
            return value
        if encoded and (not value.startswith("/") or value.startswith(_JPEG_START)):
            faults.append(Fault(where, "base64_not_declared", "is base64; say isBase64: true in the field's config"))
        else:
            faults.append(Fault(where, "bad_media_address", "must be an http:// or https:// address"))
        return INVALID

    def schema(self) -> JsonObject:
        address: JsonObject = {
            "type": "string",
            "pattern": f"{LINK_PATTERN}|{OWN_MEDIA_PATTERN}",
            "maxLength": MAX_ADDRESS,
        }
        if not self.takes_base64:
            return address
        content: JsonObject = {
            "type": "string",
            "pattern": BASE64_PATTERN,
            "description": "Base64, raw or as a data URL; the field's config has to say isBase64: true",
        }
        return {"anyOf": [address, content]}


def is_media_address(text: str) -> bool:
    return len(text) <= MAX_ADDRESS and (is_web_address(text) or _OWN_MEDIA.fullmatch(text) is not None)


def looks_like_base64(text: str) -> bool:
    """Raw base64 or a data URL, judged by its beginning."""
    start = _DATA_URL.match(text)
    begin = start.end() if start else 0
    return _BASE64_START.fullmatch(text[begin : begin + _LOOKED_AT]) is not None


def _media(name: str, summary: str, *, takes_base64: bool = False) -> FieldType:
    return FieldType(
        name=name,
        summary=summary,
        value="string, a URL" + ("; in a request also base64" if takes_base64 else ""),
        shape=lambda _: MediaShape(takes_base64),
        media=True,
        editable=False,
    )


TYPES: Final = (
    _media("image", "An image", takes_base64=True),
    _media("video", "A video"),
    _media("audio", "A sound recording"),
    _media("file", "A file to download"),
)
