"""What the decoder process and the process that asks it have in common. It imports nothing, so that decoding starts
fast.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_FRAMES: Final = 5_000
READY: Final = b"ready\n"

DECODED_BYTES_PER_PIXEL: Final = {"image/gif": 4, "image/webp": 8, "image/avif": 16}
"""What decoding takes, measured for the formats that are decoded as a whole."""
ENCODED_BYTES_PER_PIXEL: Final = {"image/jpeg": 7, "image/gif": 10, "image/webp": 8, "image/avif": 12}
"""What writing takes, measured for the formats that are written as a whole."""


class Problem(StrEnum):
    """Why a file can't be decoded."""

    DAMAGED = "damaged"
    TOO_MANY_FRAMES = "too_many_frames"
    UNSUPPORTED_BITMAP = "unsupported_bitmap"
    NO_VIDEO_TRACK = "no_video_track"


class Undecodable(Exception):
    def __init__(self, problem: Problem = Problem.DAMAGED) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """`width` and `height` are those of one frame, as displayed."""

    width: int
    height: int
    frames: int
    pixels: int
    """Of all frames."""
    orientation: int
    memory: int
    """The number of bytes that decoding takes. 0 if the image is decoded as a stream."""


@dataclass(frozen=True, slots=True)
class ResizedImage:
    content_type: str
    width: int
    height: int
