"""The media types that are stored and served. Nothing else ever leaves the storage."""

from enum import StrEnum
from typing import Final


class MediaKind(StrEnum):
    IMAGE = "image"
    VIDEO = "video"


IMAGES: Final = frozenset({MediaKind.IMAGE})
VIDEOS: Final = frozenset({MediaKind.VIDEO})
IMAGES_AND_VIDEOS: Final = IMAGES | VIDEOS

EXTENSIONS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/avif": "avif",
    "image/tiff": "tiff",
    "image/bmp": "bmp",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
    "video/webm": "webm",
    "video/x-matroska": "mkv",
    "video/ogg": "ogv",
    "video/x-msvideo": "avi",
    "video/mpeg": "mpg",
}
"""Every content type that is served, with its file extension."""


def media_kind(content_type: str) -> MediaKind:
    return MediaKind(content_type.partition("/")[0])
