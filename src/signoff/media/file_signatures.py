"""Detect a file's type by its first bytes: its name and its declared type prove nothing."""

import struct
from pathlib import Path
from typing import BinaryIO, Final

from signoff.media.errors import MediaRejected
from signoff.platform.messages import msg

HEADER_BYTES: Final = 4096

_IMAGE_BRANDS: Final = {b"avif": "image/avif", b"avis": "image/avif"}
_UNREADABLE_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"crx ", b"jp2 ", b"jpx "}
)
_SOUND_BRANDS: Final = frozenset({b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "})
_QUICKTIME_STARTS: Final = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip"})


def detect_content_type(file: Path) -> str:
    """Return one of `content_types.EXTENSIONS`. Raises `MediaRejected` for everything else."""
    with file.open("rb") as content:
        start = content.read(HEADER_BYTES)
        if not start:
            raise MediaRejected("empty", msg("is empty"))
        content_type = _image(start) or _video(content, start)
    if content_type is None:
        raise _rejection(start)
    return content_type


def _image(start: bytes) -> str | None:
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if start.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if start.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "image/webp"
    if start.startswith((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")):
        return "image/tiff"
    if start.startswith(b"BM") and start[6:10] == b"\0\0\0\0":
        return "image/bmp"
    return None


def _video(content: BinaryIO, start: bytes) -> str | None:
    if start[4:8] == b"ftyp":
        return _type_by_brand(start)
    if start[4:8] in _QUICKTIME_STARTS:
        return "video/quicktime"
    if start.startswith(b"\x1a\x45\xdf\xa3"):
        # The document type is an element of the header: its ID, its length, its text.
        if b"\x42\x82\x84webm" in start[:256]:
            return "video/webm"
        return "video/x-matroska" if b"\x42\x82\x88matroska" in start[:256] else None
    if start.startswith(b"OggS"):
        return "video/ogg"
    if start.startswith(b"RIFF") and start[8:12] == b"AVI ":
        return "video/x-msvideo"
    return "video/mpeg" if start.startswith(b"\0\0\x01\xba") else None


def _type_by_brand(start: bytes) -> str:
    """Detect the type by brand. Images, sounds, and videos share this container; its brands, the major one first,
    say which it is.
    """
    (length,) = struct.unpack(">I", start[:4])
    brands = [start[8:12], *(start[at : at + 4] for at in range(16, min(length, len(start) - 3), 4))]
    for brand in brands:
        if brand in _IMAGE_BRANDS:
            return _IMAGE_BRANDS[brand]
    if brands[0] in _UNREADABLE_BRANDS:
        raise MediaRejected("not_media", msg("is in an unsupported image format; use JPEG, PNG, or WebP"))
    if brands[0] in _SOUND_BRANDS:
        raise MediaRejected("not_media", msg("is an audio file; upload an image or a video"))
    return "video/quicktime" if brands[0] == b"qt  " else "video/mp4"


def _rejection(start: bytes) -> MediaRejected:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<"):
        return MediaRejected("active_content", msg("is HTML, SVG, or XML, which can contain scripts; use PNG or JPEG"))
    return MediaRejected("not_media", msg("isn't a supported image or video"))
