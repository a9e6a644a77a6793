"""Inspect and resize files in the decoder processes, within the limits of the settings."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from signoff.forms.fields.transform import Transform
from signoff.media.content_types import EXTENSIONS, MediaKind, media_kind
from signoff.media.decoder.files import (
    ENCODED_BYTES_PER_PIXEL,
    MAX_FRAMES,
    ImageHeader,
    Problem,
    ResizedImage,
    Undecodable,
)
from signoff.media.decoder.pool import DecoderPool
from signoff.media.errors import DAMAGED, MediaRejected
from signoff.media.resize_plan import ResizePlan, plan_resize
from signoff.platform.messages import msg
from signoff.platform.settings import Settings

MAX_MEMORY: Final = 1024**3
LARGE_IMAGE_BYTES: Final = 64 * 1024 * 1024
"""Images that need more than this are decoded one at a time."""

_REJECTIONS: Final = {
    Problem.DAMAGED: ("truncated", DAMAGED),
    Problem.TOO_MANY_FRAMES: ("too_many_pixels", msg("has more than {limit} frames", limit=MAX_FRAMES)),
    Problem.UNSUPPORTED_BITMAP: ("not_media", msg("is in an unsupported BMP format; use PNG or JPEG")),
    Problem.NO_VIDEO_TRACK: ("not_media", msg("has no video track")),
}

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that has been decoded completely."""

    file: Path
    content_type: str
    header: ImageHeader


class Decoder:
    """Raises `MediaRejected` for a file that can't be decoded, whatever it does to the process that tries."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool = DecoderPool(settings.media_process_timeout)
        self._large = asyncio.Lock()

    async def inspect_image(self, file: Path, content_type: str) -> Picture:
        """Read the header, and then decode the image completely if it isn't too large."""
        header = await self._run("inspect_image", _read_header, file, content_type)
        most = self._settings.max_image_pixels
        if header.pixels > most:
            raise MediaRejected(
                "too_many_pixels", msg("has {pixels} pixels; the limit is {limit}", pixels=header.pixels, limit=most)
            )
        if header.memory > MAX_MEMORY:
            message = msg("has {pixels} pixels, which is too many for its format", pixels=header.pixels)
            raise MediaRejected("too_many_pixels", message)
        await self._run("decode_image", _read_nothing, file, content_type, memory=header.memory)
        return Picture(file, content_type, header)

    async def resize_image(self, picture: Picture, transform: Transform, target: Path) -> ResizedImage:
        """Write the resized image to `target`."""
        header, most = picture.header, self._settings.max_image_pixels
        plan = plan_resize(header.width, header.height, transform)
        pixels = _pixels(plan) * header.frames
        if pixels > most:
            message = msg("would have {pixels} pixels after resizing; the limit is {limit}", pixels=pixels, limit=most)
            raise MediaRejected("too_many_pixels", message)
        return await self._run(
            "resize_image",
            _read_resized,
            picture.file,
            picture.content_type,
            memory=_memory_to_resize(picture, plan, transform.position),
            header=asdict(header),
            plan=asdict(plan),
            position=transform.position,
            background=transform.background,
            target=str(target),
        )

    async def check_video(self, file: Path, content_type: str) -> None:
        await self._run("check_video", _read_nothing, file, content_type)

    async def close(self) -> None:
        await self._pool.close()

    async def _run(
        self, call: str, read: Callable[[Any], Result], file: Path, content_type: str, *, memory: int = 0, **more: Any
    ) -> Result:
        turn = self._large if memory > LARGE_IMAGE_BYTES else nullcontext()
        try:
            async with turn:
                return await self._pool.run(
                    call, read, memory=memory, file=str(file), content_type=content_type, **more
                )
        except Undecodable as error:
            raise MediaRejected(*_REJECTIONS[error.problem]) from None


def _pixels(plan: ResizePlan) -> int:
    return max(plan.canvas_width * plan.canvas_height, plan.width * plan.height)


def _memory_to_resize(picture: Picture, plan: ResizePlan, position: str) -> int:
    """Return the approximate number of bytes. A still image that is only resized is streamed, if its format allows
    it.
    """
    header, pixels = picture.header, _pixels(plan)
    encoded = pixels * header.frames * ENCODED_BYTES_PER_PIXEL.get(picture.content_type, 0)
    if header.frames > 1:
        return header.memory + header.frames * (header.width * header.height + pixels) * 4 + encoded
    whole = header.orientation > 1 or position in {"entropy", "attention"}
    return header.memory + (pixels * 4 if whole else 0) + encoded


# What the process answers is checked: a file may have taken it over.


def _read_nothing(result: Any) -> None:
    if result is not None:
        raise ValueError("unexpected result")


def _read_header(result: Any) -> ImageHeader:
    header = ImageHeader(**result)
    _ensure_counts(header.width, header.height, header.frames, header.pixels, header.orientation)
    _ensure_counts(header.memory, least=0)
    return header


def _read_resized(result: Any) -> ResizedImage:
    image = ResizedImage(**result)
    _ensure_counts(image.width, image.height)
    if image.content_type not in EXTENSIONS or media_kind(image.content_type) is not MediaKind.IMAGE:
        raise ValueError("unexpected content type")
    return image


def _ensure_counts(*numbers: Any, least: int = 1) -> None:
    if not all(type(number) is int and least <= number < 2**53 for number in numbers):
        raise ValueError("unexpected number")
