"""Images: inspected, decoded completely once, and resized. Runs only in the decoder process.

libvips decodes as a stream if the format allows it; otherwise `ImageHeader.memory` is what decoding takes. Only the
loaders named here are ever called; those that libvips itself considers unsafe for untrusted files are disabled.
"""

import errno
import logging
import os
import struct
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyvips

from signoff.media.decoder.files import (
    DECODED_BYTES_PER_PIXEL,
    MAX_FRAMES,
    ImageHeader,
    Problem,
    ResizedImage,
    Undecodable,
)
from signoff.media.resize_plan import ResizePlan, offset

logging.getLogger("pyvips").setLevel(logging.ERROR)  # errors in a file are reported to its sender
pyvips.block_untrusted_set(True)  # pyright: ignore
pyvips.operation_block_set("VipsForeignLoadRaw", False)  # pyright: ignore  # for BMP; it never guesses what a file is
pyvips.cache_set_max(0)  # pyright: ignore
pyvips.concurrency_set(1)  # pyright: ignore  # several images are worked on at once; each by one thread

Image: Final[Any] = pyvips.Image

_LOADERS: Final = {
    "image/png": Image.pngload,
    "image/jpeg": Image.jpegload,
    "image/gif": Image.gifload,
    "image/webp": Image.webpload,
    "image/avif": Image.heifload,
    "image/tiff": Image.tiffload,
}
_ANIMATED: Final = frozenset({"image/gif", "image/webp"})
_MAX_SIDE: Final = {"image/jpeg": 65_535, "image/gif": 65_535, "image/webp": 16_383, "image/avif": 16_384}
_SAVERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "image/png": ("pngsave", {}),
    "image/jpeg": ("jpegsave", {"Q": 85, "optimize_coding": True}),
    "image/gif": ("gifsave", {}),
    "image/webp": ("webpsave", {"Q": 85}),
    "image/avif": ("heifsave", {"Q": 60, "effort": 1, "compression": "av1"}),
}
_ALPHA: Final = frozenset({"image/png", "image/gif", "image/webp", "image/avif"})
_ROTATED: Final = range(5, 9)
"""EXIF orientations that rotate the image by 90 degrees."""
_NAMED_COLORS: Final = {"transparent": "#00000000", "black": "#000000", "white": "#ffffff"}
_DISK_ERRORS: Final = tuple(
    os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
)


def inspect_image(file: Path, content_type: str) -> ImageHeader:
    """Read only the header, so that a small file that claims to be a huge image costs nothing."""
    if content_type in _ANIMATED:
        _ensure_few_frames(file, content_type)
    try:
        image = _load(file, content_type)
        orientation = _number(image, "orientation", 1)
        frame_height = _number(image, "page-height", image.height) if content_type in _ANIMATED else image.height
    except pyvips.Error:  # pyright: ignore
        raise Undecodable from None
    frames = max(1, image.height // frame_height)
    pixels = image.width * image.height
    memory = pixels * _bytes_per_pixel(image, content_type)
    size = (frame_height, image.width) if orientation in _ROTATED else (image.width, frame_height)
    return ImageHeader(*size, frames, pixels, orientation, memory)


def decode_image(file: Path, content_type: str) -> None:
    """Decode the image completely, to be sure that what is stored can be displayed."""
    try:
        _load(file, content_type).avg()
    except pyvips.Error:  # pyright: ignore
        raise Undecodable from None


def resize_image(
    file: Path,
    content_type: str,
    header: ImageHeader,
    plan: ResizePlan,
    position: str,
    background: str | None,
    target: Path,
) -> ResizedImage:
    """Write the resized image without any metadata. An animated GIF or WebP stays animated.

    Raises `OSError` if the disk is full.
    """
    try:
        image = (
            _render_animation(file, content_type, header.frames, plan, position, background)
            if header.frames > 1
            else _render_still(file, content_type, header.orientation, plan, position, background)
        )
        result_type = _choose_content_type(content_type, image)
        saver, options = _SAVERS[result_type]
        getattr(image, saver)(str(target), keep="none", **options)
        result = _load(target, result_type)
        return ResizedImage(result_type, result.width, _number(result, "page-height", result.height))
    except pyvips.Error as error:  # pyright: ignore
        if any(reason in str(error) for reason in _DISK_ERRORS):
            raise OSError(str(error)) from error
        raise Undecodable from None


def _load(file: Path, content_type: str) -> Any:
    if content_type == "image/bmp":
        return _load_bitmap(file)
    every_frame = {"n": -1} if content_type in _ANIMATED else {}
    return _LOADERS[content_type](str(file), access="sequential", fail_on="error", **every_frame)


def _load_bitmap(file: Path) -> Any:
    """Load an uncompressed BMP, which libvips doesn't support: rows of blue, green, red, from the bottom up."""
    with file.open("rb") as content:
        header = content.read(54)
    if len(header) < 54:
        raise Undecodable
    start, header_size, width, height, _, bits, packing = struct.unpack_from("<I I i i H H I", header, 10)
    if header_size < 40 or bits not in {24, 32} or packing != 0:
        raise Undecodable(Problem.UNSUPPORTED_BITMAP)
    bands, row = bits // 8, (abs(width) * bits // 8 + 3) // 4 * 4
    if width <= 0 or height == 0 or start + row * abs(height) > file.stat().st_size:
        raise Undecodable
    stripes = Image.rawload(str(file), row, abs(height), 1, offset=start, access="random")
    pixels = stripes.crop(0, 0, width * bands, abs(height)).bandfold(factor=bands)
    image = pixels[2].bandjoin([pixels[1], pixels[0]]).copy(interpretation="srgb")
    return image.flipver() if height > 0 else image


def _number(image: Any, name: str, otherwise: int) -> int:
    return int(image.get(name)) if image.get_typeof(name) else otherwise


def _bytes_per_pixel(image: Any, content_type: str) -> int:
    if _number(image, "interlaced", 0):  # progressive JPEG, interlaced PNG
        return image.bands * (2 if image.format in {"ushort", "short"} else 1) + 1
    return DECODED_BYTES_PER_PIXEL.get(content_type, 0)


def _ensure_few_frames(file: Path, content_type: str) -> None:
    """Count frames before decoding, because the decoder allocates memory for every frame of the file."""
    with file.open("rb") as content:
        frames = _frames_of_webp(content) if content_type == "image/webp" else _frames_of_gif(content)
    if frames > MAX_FRAMES:
        raise Undecodable(Problem.TOO_MANY_FRAMES)


def _frames_of_webp(content: BinaryIO) -> int:
    frames = 0
    content.seek(12)
    while frames <= MAX_FRAMES and len(chunk := content.read(8)) == 8:
        frames += chunk[:4] == b"ANMF"
        length = struct.unpack("<I", chunk[4:])[0]
        content.seek(length + length % 2, 1)
    return frames


def _frames_of_gif(content: BinaryIO) -> int:
    """Count the frames up to the block that ends the file: the decoder would accept a truncated one."""
    frames = 0
    screen = content.read(13).ljust(13)
    content.seek(_color_table(screen[10]), 1)
    while frames <= MAX_FRAMES and (block := content.read(1)) != b"\x3b":
        if block == b"\x2c":
            frames += 1
            content.seek(_color_table(content.read(9).ljust(9)[8]), 1)
        elif block != b"\x21":
            raise Undecodable
        content.seek(1, 1)  # the extension's label, or the code size
        while (length := content.read(1)) != b"\0":
            if not length:
                raise Undecodable
            content.seek(length[0], 1)
    return frames


def _color_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _render_still(
    file: Path, content_type: str, orientation: int, plan: ResizePlan, position: str, background: str | None
) -> Any:
    turned = orientation in _ROTATED
    across, down = (plan.height, plan.width) if turned else (plan.width, plan.height)
    image = _scale(_load(file, content_type), across, down)
    if orientation > 1:
        image = image.copy_memory().autorot()
    if plan.then == "cut" and position in {"entropy", "attention"}:
        image = image.copy_memory()
        return image.smartcrop(plan.canvas_width, plan.canvas_height, interesting=position)
    return _fit_canvas(image, plan, position, background)


def _render_animation(
    file: Path, content_type: str, count: int, plan: ResizePlan, position: str, background: str | None
) -> Any:
    """Transform each frame separately; the interesting region of the first determines the crop of all."""
    whole = _load(file, content_type).copy_memory()
    height = whole.height // count
    frames = [_scale(whole.crop(0, at * height, whole.width, height), plan.width, plan.height) for at in range(count)]
    if plan.then == "cut" and position in {"entropy", "attention"}:
        first = frames[0].copy_memory().smartcrop(plan.canvas_width, plan.canvas_height, interesting=position)
        left, top = -first.xoffset, -first.yoffset
        frames = [frame.crop(left, top, plan.canvas_width, plan.canvas_height) for frame in frames]
    else:
        frames = [_fit_canvas(frame, plan, position, background) for frame in frames]
    joined = Image.arrayjoin(frames, across=1).copy()
    joined.set_type(pyvips.GValue.gint_type, "page-height", plan.canvas_height)  # pyright: ignore
    for name in ("delay", "loop"):
        if whole.get_typeof(name):
            joined.set_type(whole.get_typeof(name), name, whole.get(name))
    return joined


def _scale(image: Any, width: int, height: int) -> Any:
    scaled = image.thumbnail_image(width, height=height, size="force", no_rotate=True, output_profile="srgb")
    return scaled.colourspace("srgb")


def _fit_canvas(image: Any, plan: ResizePlan, position: str, background: str | None) -> Any:
    across, down = plan.canvas_width - image.width, plan.canvas_height - image.height
    if plan.then == "cut":
        return image.crop(*offset(position, -across, -down), plan.canvas_width, plan.canvas_height)
    if plan.then == "nothing":
        return image
    color = _color(background or "black")
    if color[3] < 255 and not image.hasalpha():
        image = image.addalpha()
    left, top = offset(position, across, down)
    fill = color[: image.bands]
    return image.embed(left, top, plan.canvas_width, plan.canvas_height, extend="background", background=fill)


def _color(text: str) -> list[int]:
    digits = _NAMED_COLORS.get(text, text).removeprefix("#")
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    return [int(digits.ljust(8, "f")[at : at + 2], 16) for at in range(0, 8, 2)]


def _choose_content_type(content_type: str, image: Any) -> str:
    """Return the format to write: the original one if it can be written, can store the image, and browsers can
    display it; otherwise PNG.
    """
    height = _number(image, "page-height", image.height)
    fits = max(image.width, height) <= _MAX_SIDE.get(content_type, image.width + height)
    holds = content_type in _ALPHA or not image.hasalpha()
    return content_type if content_type in _SAVERS and fits and holds else "image/png"
