"""Generated images and videos: valid ones and hostile ones."""

import itertools
import struct
import zlib
from typing import Any

import pyvips

Image: Any = pyvips.Image
MOST_SEEDS = 251**3
_seeds = itertools.count(10_000, 1_001)


def picture(width: int = 60, height: int = 40, *, seed: int = 1) -> Any:
    """Three bands of a pattern that is unique for its size and seed, up to MOST_SEEDS."""
    pattern = Image.xyz(width, height)
    a, b, c = seed % 251, seed // 251 % 251, seed // 251**2 % 251
    bands = [(pattern[0] * (a + 3)) % 256, (pattern[1] * (b + 7)) % 256, (pattern[0] + pattern[1] * (c + 1)) % 256]
    return bands[0].bandjoin(bands[1:]).cast("uchar").copy(interpretation="srgb")


def new_seed() -> int:
    """A seed for an image that no other test has; the next thousand are free too."""
    return next(_seeds)


def png(width: int = 60, height: int = 40, *, seed: int = 1, **options: Any) -> bytes:
    return picture(width, height, seed=seed).pngsave_buffer(**options)


def jpeg(width: int = 60, height: int = 40, *, seed: int = 1, orientation: int | None = None, **options: Any) -> bytes:
    image = picture(width, height, seed=seed)
    if orientation is not None:
        image = image.copy()
        image.set_type(pyvips.GValue.gint_type, "orientation", orientation)
        image.set_type(
            pyvips.GValue.gstr_type, "exif-ifd3-GPSLatitude", "52/1 31/1 0/1 (52, 31, 0, Rational, 3 c, 24 b)"
        )
    return image.jpegsave_buffer(**options)


def webp(width: int = 60, height: int = 40, *, seed: int = 1) -> bytes:
    return picture(width, height, seed=seed).webpsave_buffer(lossless=True)


def avif(width: int = 64, height: int = 40, *, seed: int = 1) -> bytes:
    return picture(width, height, seed=seed).heifsave_buffer(compression="av1", effort=0)


def tiff(width: int = 60, height: int = 40, *, seed: int = 1) -> bytes:
    return picture(width, height, seed=seed).tiffsave_buffer()


def bmp(width: int = 61, height: int = 40, *, seed: int = 1, bits: int = 24) -> bytes:
    """Rows from bottom to top, blue first, each padded to four bytes."""
    image = picture(width, height, seed=seed)
    swapped = image[2].bandjoin([image[1], image[0]] + ([image[0]] if bits == 32 else []))
    pixels = swapped.flipver().write_to_memory()
    row = width * bits // 8
    rows = b"".join(pixels[at : at + row].ljust((row + 3) // 4 * 4, b"\0") for at in range(0, len(pixels), row))
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, len(rows), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54) + header + rows


def animation(kind: str = "gif", frames: int = 4, width: int = 40, height: int = 20) -> bytes:
    joined = Image.arrayjoin([picture(width, height, seed=seed) for seed in range(1, frames + 1)], across=1).copy()
    joined.set_type(pyvips.GValue.gint_type, "page-height", height)
    joined.set_type(pyvips.GValue.array_int_type, "delay", [70] * frames)
    return joined.gifsave_buffer() if kind == "gif" else joined.webpsave_buffer(lossless=True)


def opened(content: bytes) -> Any:
    return Image.new_from_buffer(content, "").copy_memory()


# Harmful images ------------------------------------------------------------------------------------------------


def png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def plain_png(width: int, height: int, extra: bytes = b"", *, interlaced: bool = False) -> bytes:
    """Black, one byte per pixel: several thousand times smaller than its unpacked size."""
    rows = packed_zeros((1 + width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, interlaced)
    start = b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
    return start + extra + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b"")


def inflating_chunk(name: bytes, size: int = 100_000_000) -> bytes:
    return png_chunk(name, b"x\0\0" + packed_zeros(size))


def packed_zeros(size: int) -> bytes:
    """This many zeros as packed by zlib, without the time that takes: a packed million, repeated as needed."""
    million = 1_000_000
    packer = zlib.compressobj(9)
    start = packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(bytes(million)) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.compress(bytes(size % million)) + packer.flush()
    checksum = struct.pack(">I", size % 65_521 << 16 | 1)
    return start + piece * (size // million) + end[:-4] + checksum


def gif(width: int, height: int, *, frames: int = 1, tail: bytes = b"") -> bytes:
    """Each frame as large as the canvas, with one pixel of data."""
    screen = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x02\x44\x01\x00"
    return screen + frame * frames + b"\x3b" + tail


# Videos --------------------------------------------------------------------------------------------------------


def box(name: bytes, *inner: bytes) -> bytes:
    content = b"".join(inner)
    return struct.pack(">I", 8 + len(content)) + name + content


def mp4(*, brand: bytes = b"isom", handler: bytes = b"vide", data: bytes = b"frames") -> bytes:
    said = box(b"hdlr", bytes(8), handler, bytes(13))
    film = box(b"moov", box(b"mvhd", bytes(100)), box(b"trak", box(b"tkhd", bytes(84)), box(b"mdia", said)))
    return box(b"ftyp", brand, bytes(4), brand, b"mp42") + film + box(b"mdat", data)


def element(number: int, *inner: bytes, length: bytes | None = None) -> bytes:
    content = b"".join(inner)
    size = (1 << 28 | len(content)).to_bytes(4) if length is None else length
    return number.to_bytes((number.bit_length() + 7) // 8) + size + content


def webm(*, doctype: bytes = b"webm", track_type: int = 1, live: bool = False) -> bytes:
    kind = b"\x42\x82" + bytes([0x80 | len(doctype)]) + doctype
    tracks = element(0x1654AE6B, element(0xAE, element(0xD7, b"\x01"), element(0x83, bytes([track_type]))))
    inner = (element(0x1549A966, b"info"), tracks, element(0x1F43B675, bytes(50)))
    segment = element(0x18538067, *inner, length=b"\x01" + b"\xff" * 7 if live else None)
    return element(0x1A45DFA3, kind) + segment


def ogg_page(content: bytes, *, first: bool = False, serial: int = 1) -> bytes:
    lengths = bytes([255] * (len(content) // 255) + [len(content) % 255])
    flags = 2 if first else 0
    return b"OggS" + struct.pack("<BBqIIIB", 0, flags, 0, serial, 0, 0, len(lengths)) + lengths + content


def ogg(start: bytes = b"\x80theora") -> bytes:
    return ogg_page(start + bytes(35), first=True) + ogg_page(bytes(1000)) + ogg_page(bytes(70))


def avi(kind: bytes = b"vids") -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return name + struct.pack("<I", len(content)) + content

    header = chunk(
        b"LIST", b"hdrl" + chunk(b"avih", bytes(56)) + chunk(b"LIST", b"strl" + chunk(b"strh", kind + bytes(52)))
    )
    return chunk(b"RIFF", b"AVI " + header + chunk(b"LIST", b"movi" + bytes(64)))


def mpeg() -> bytes:
    return b"\0\0\x01\xba" + bytes(10) + b"\0\0\x01\xe0" + bytes(64) + b"\0\0\x01\xb9"
