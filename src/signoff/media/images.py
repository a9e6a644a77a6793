"""Images: inspected, decoded completely once, and transformed. Everything here blocks, so it's called in threads.

libvips decodes as a stream if the format allows it; otherwise `Picture.memory` is what decoding takes. Only the loaders
named here are ever called; those that libvips itself considers unsafe for untrusted files are disabled.
"""

import ctypes
import logging
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyvips

from signoff.forms.fields.transform import Transform
from signoff.media.errors import DAMAGED, MediaRejected
from signoff.media.resize_plan import ResizePlan, offset, plan_resize
from signoff.platform.messages import msg
from signoff.platform.storage import storage_unavailable

logging.getLogger("pyvips").setLevel(logging.ERROR)  # errors in a file are reported to its sender
pyvips.block_untrusted_set(True)  # pyright: ignore
pyvips.operation_block_set("VipsForeignLoadRaw", False)  # pyright: ignore  # for BMP; it never guesses what a file is
pyvips.cache_set_max(0)  # pyright: ignore
pyvips.concurrency_set(1)  # pyright: ignore  # several images are worked on at once; each by one thread

Image: Final[Any] = pyvips.Image


def _share_memory_between_threads() -> None:
    """Limit the C library's memory arenas: it keeps freed memory per thread, for every large image a thread has
    processed.

    With two arenas for all threads, a process that handled many uploads stays smaller. Other C libraries have no such
    setting.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_MAX_ARENAS, 2)


_MAX_ARENAS: Final = -8  # M_ARENA_MAX
_share_memory_between_threads()

MAX_FRAMES: Final = 5_000
MAX_MEMORY: Final = 1024**3

_LOADERS: Final = {
    "image/png": Image.pngload,
    "image/jpeg": Image.jpegload,
    "image/gif": Image.gifload,
    "image/webp": Image.webpload,
    "image/avif": Image.heifload,
    "image/tiff": Image.tiffload,
}
_ANIMATED: Final = frozenset({"image/gif", "image/webp"})
_BYTES_PER_PIXEL: Final = {"image/gif": 4, "image/webp": 8, "image/avif": 16}
"""Measured for the formats that are decoded as a whole."""
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
_DAMAGED: Final = ("truncated", DAMAGED)


@dataclass(frozen=True, slots=True)
class Picture:
    """The data in an image's header. `width` and `height` are those of one frame, as displayed."""

    file: Path
    content_type: str
    width: int
    height: int
    frames: int
    orientation: int
    memory: int


def inspect_image(file: Path, content_type: str, most_pixels: int) -> Picture:
    """Read only the header, so that a small file that claims to be a huge image costs nothing."""
    if content_type in _ANIMATED:
        _ensure_few_frames(file, content_type)
    try:
        image = _load(file, content_type)
        orientation = _number(image, "orientation", 1)
        frame_height = _number(image, "page-height", image.height) if content_type in _ANIMATED else image.height
    except pyvips.Error:  # pyright: ignore
        raise MediaRejected(*_DAMAGED) from None
    frames = max(1, image.height // frame_height)
    pixels = image.width * image.height
    if pixels > most_pixels:
        raise MediaRejected(
            "too_many_pixels", msg("has {pixels} pixels; the limit is {limit}", pixels=pixels, limit=most_pixels)
        )
    memory = pixels * _bytes_per_pixel(image, content_type)
    if memory > MAX_MEMORY:
        raise MediaRejected(
            "too_many_pixels", msg("has {pixels} pixels, which is too many for its format", pixels=pixels)
        )
    size = (frame_height, image.width) if orientation in _ROTATED else (image.width, frame_height)
    return Picture(file, content_type, *size, frames, orientation, memory)


def decode(picture: Picture) -> None:
    """Decode the image completely, to be sure that what is stored can be displayed."""
    try:
        _load(picture.file, picture.content_type).avg()
    except pyvips.Error:  # pyright: ignore
        raise MediaRejected(*_DAMAGED) from None


def transform_to(target: Path, picture: Picture, transform: Transform, most_pixels: int) -> str:
    """Write the transformed image without any metadata, and return its content type.

    An animated GIF or WebP stays animated. The picture has been decoded before, so an error here isn't caused by the
    file.
    """
    made = plan_resize(picture.width, picture.height, transform)
    pixels = max(made.canvas_width * made.canvas_height, made.width * made.height) * picture.frames
    if pixels > most_pixels:
        message = msg(
            "would have {pixels} pixels after resizing; the limit is {limit}", pixels=pixels, limit=most_pixels
        )
        raise MediaRejected("too_many_pixels", message)
    try:
        image = (
            _render_animation(picture, made, transform)
            if picture.frames > 1
            else _render_still(picture, made, transform)
        )
        content_type = _choose_content_type(picture.content_type, image)
        saver, options = _SAVERS[content_type]
        getattr(image, saver)(str(target), keep="none", **options)
    except pyvips.Error as error:  # pyright: ignore
        raise storage_unavailable(error) from error
    return content_type


def memory_to_transform(picture: Picture, transform: Transform) -> int:
    """Return the approximate number of bytes. A still image that is only resized is streamed, if its format allows
    it.
    """
    made = plan_resize(picture.width, picture.height, transform)
    pixels = max(made.canvas_width * made.canvas_height, made.width * made.height)
    if picture.frames > 1:
        return picture.memory + picture.frames * (picture.width * picture.height + pixels) * 4
    whole = picture.orientation > 1 or transform.position in {"entropy", "attention"}
    return picture.memory + pixels * max(_BYTES_PER_PIXEL.get(picture.content_type, 0), 4 if whole else 0)


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
        raise MediaRejected(*_DAMAGED)
    start, header_size, width, height, _, bits, packing = struct.unpack_from("<I I i i H H I", header, 10)
    if header_size < 40 or bits not in {24, 32} or packing != 0:
        raise MediaRejected("not_media", msg("is in an unsupported BMP format; use PNG or JPEG"))
    bands, row = bits // 8, (abs(width) * bits // 8 + 3) // 4 * 4
    if width <= 0 or height == 0 or start + row * abs(height) > file.stat().st_size:
        raise MediaRejected(*_DAMAGED)
    stripes = Image.rawload(str(file), row, abs(height), 1, offset=start, access="random")
    pixels = stripes.crop(0, 0, width * bands, abs(height)).bandfold(factor=bands)
    image = pixels[2].bandjoin([pixels[1], pixels[0]]).copy(interpretation="srgb")
    return image.flipver() if height > 0 else image


def _number(image: Any, name: str, otherwise: int) -> int:
    return int(image.get(name)) if image.get_typeof(name) else otherwise


def _bytes_per_pixel(image: Any, content_type: str) -> int:
    if _number(image, "interlaced", 0):  # progressive JPEG, interlaced PNG
        return image.bands * (2 if image.format in {"ushort", "short"} else 1) + 1
    return _BYTES_PER_PIXEL.get(content_type, 0)


def _ensure_few_frames(file: Path, content_type: str) -> None:
    """Count frames before decoding, because the decoder allocates memory for every frame of the file."""
    with file.open("rb") as content:
        frames = _frames_of_webp(content) if content_type == "image/webp" else _frames_of_gif(content)
    if frames > MAX_FRAMES:
        raise MediaRejected("too_many_pixels", msg("has more than {limit} frames", limit=MAX_FRAMES))


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
            raise MediaRejected(*_DAMAGED)
        content.seek(1, 1)  # the extension's label, or the code size
        while (length := content.read(1)) != b"\0":
            if not length:
                raise MediaRejected(*_DAMAGED)
            content.seek(length[0], 1)
    return frames


def _color_table(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _render_still(picture: Picture, made: ResizePlan, transform: Transform) -> Any:
    turned = picture.orientation in _ROTATED
    across, down = (made.height, made.width) if turned else (made.width, made.height)
    image = _scale(_load(picture.file, picture.content_type), across, down)
    if picture.orientation > 1:
        image = image.copy_memory().autorot()
    if made.then == "cut" and transform.position in {"entropy", "attention"}:
        image = image.copy_memory()
        return image.smartcrop(made.canvas_width, made.canvas_height, interesting=transform.position)
    return _fit_canvas(image, made, transform.position, transform.background)


def _render_animation(picture: Picture, made: ResizePlan, transform: Transform) -> Any:
    """Transform each frame separately; the interesting region of the first determines the crop of all."""
    whole = _load(picture.file, picture.content_type).copy_memory()
    height = whole.height // picture.frames
    frames = [
        _scale(whole.crop(0, at * height, whole.width, height), made.width, made.height) for at in range(picture.frames)
    ]
    if made.then == "cut" and transform.position in {"entropy", "attention"}:
        first = frames[0].copy_memory().smartcrop(made.canvas_width, made.canvas_height, interesting=transform.position)
        left, top = -first.xoffset, -first.yoffset
        frames = [frame.crop(left, top, made.canvas_width, made.canvas_height) for frame in frames]
    else:
        frames = [_fit_canvas(frame, made, transform.position, transform.background) for frame in frames]
    joined = Image.arrayjoin(frames, across=1).copy()
    joined.set_type(pyvips.GValue.gint_type, "page-height", made.canvas_height)  # pyright: ignore
    for name in ("delay", "loop"):
        if whole.get_typeof(name):
            joined.set_type(whole.get_typeof(name), name, whole.get(name))
    return joined


def _scale(image: Any, width: int, height: int) -> Any:
    scaled = image.thumbnail_image(width, height=height, size="force", no_rotate=True, output_profile="srgb")
    return scaled.colourspace("srgb")


def _fit_canvas(image: Any, made: ResizePlan, position: str, background: str | None) -> Any:
    across, down = made.canvas_width - image.width, made.canvas_height - image.height
    if made.then == "cut":
        return image.crop(*offset(position, -across, -down), made.canvas_width, made.canvas_height)
    if made.then == "nothing":
        return image
    color = _color(background or "black")
    if color[3] < 255 and not image.hasalpha():
        image = image.addalpha()
    left, top = offset(position, across, down)
    fill = color[: image.bands]
    return image.embed(left, top, made.canvas_width, made.canvas_height, extend="background", background=fill)


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


def image_size(file: Path, content_type: str) -> tuple[int, int]:
    """Return the size of an image that we wrote."""
    image = _load(file, content_type)
    return image.width, _number(image, "page-height", image.height)
