"""Decode base64 content to a file in chunks: it's large, and the encoded text is already in memory."""

import binascii
import re
from pathlib import Path
from typing import Final

from signoff.platform.messages import Message, msg

PIECE: Final = 1024 * 1024

_DATA_URL: Final = re.compile(r"data:[^,]{0,300};base64,")
_STANDARD_ALPHABET: Final = bytes.maketrans(b"-_", b"+/")
_WHITE_SPACE: Final = " \t\r\n\f\v"
_TAIL_LENGTH: Final = 64


class BadBase64(Exception):
    """The message follows the value's name, such as "isn't valid base64"."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class Base64TooLarge(Exception):
    """It decodes to more bytes than the limit."""


def write_decoded(text: str, to: Path, max_bytes: int) -> None:
    """Decode raw base64 or a data URL, in either alphabet, with whitespace anywhere, and with complete padding or
    none.
    """
    prefix = _DATA_URL.match(text)
    begin, end = prefix.end() if prefix else 0, _end_of_content(text)
    written, rest = 0, b""
    with to.open("wb") as file:
        for start in range(begin, end, PIECE):
            piece = rest + _characters(text[start : min(end, start + PIECE)])
            whole = len(piece) // 4 * 4
            written += file.write(_decode(piece[:whole]))
            rest = piece[whole:]
            if written > max_bytes:
                raise Base64TooLarge
        padding, needed = text[end:].count("="), -len(rest) % 4
        if needed == 3 or padding not in (0, needed):
            raise BadBase64(msg("isn't valid base64: it's truncated or has wrong padding"))
        written += file.write(_decode(rest + b"=" * needed))
    if written > max_bytes:
        raise Base64TooLarge


def _end_of_content(text: str) -> int:
    """Return where the padding and whitespace at the end start. Doesn't copy the text unless there's a lot of them."""
    tail = text[-_TAIL_LENGTH:].rstrip("=" + _WHITE_SPACE)
    if not tail:
        return len(text.rstrip("=" + _WHITE_SPACE))
    return max(0, len(text) - _TAIL_LENGTH) + len(tail)


def _characters(piece: str) -> bytes:
    try:
        characters = piece.encode("ascii").translate(_STANDARD_ALPHABET, _WHITE_SPACE.encode())
    except UnicodeEncodeError:
        raise BadBase64(msg("isn't valid base64: it contains invalid characters")) from None
    if b"=" in characters:
        raise BadBase64(msg("isn't valid base64: there's data after the padding"))
    return characters


def _decode(characters: bytes) -> bytes:
    try:
        return binascii.a2b_base64(characters, strict_mode=True)
    except binascii.Error:
        raise BadBase64(msg("isn't valid base64: it contains invalid characters")) from None
