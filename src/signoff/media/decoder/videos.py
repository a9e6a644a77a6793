"""Videos: their containers' structure is checked as far as that is cheap. Their content isn't decoded.

A file passes if its parts lie within it, none is truncated, and it declares a video stream.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from signoff.media.decoder.files import Problem, Undecodable

MAX_PARTS: Final = 200_000
"""Per level. A real video of an accepted size has a few thousand at most."""
_MAX_BYTES_TO_PICTURE: Final = 1024 * 1024


def check_video(file: Path, content_type: str) -> None:
    """Raises `Undecodable`."""
    check = {
        "video/mp4": _check_boxes,
        "video/quicktime": _check_boxes,
        "video/webm": _check_matroska,
        "video/x-matroska": _check_matroska,
        "video/ogg": _check_ogg,
        "video/x-msvideo": _check_avi,
        "video/mpeg": _check_mpeg,
    }[content_type]
    size = file.stat().st_size
    with file.open("rb") as content:
        if not check(content, size):
            raise Undecodable(Problem.NO_VIDEO_TRACK)


def _read(content: BinaryIO, count: int) -> bytes:
    data = content.read(count)
    if len(data) < count:
        raise Undecodable
    return data


# MP4 and QuickTime: nested boxes, each with its length and its name ---------------------------------------------


def _check_boxes(content: BinaryIO, size: int) -> bool:
    boxes = list(_boxes(content, 0, size))
    films = [(start, end) for name, start, end in boxes if name == b"moov"]
    if not films:
        raise Undecodable
    return any(_has_picture(content, start, end) for start, end in films)


def _has_picture(content: BinaryIO, start: int, end: int) -> bool:
    for name, inner, inner_end in _boxes(content, start, end):
        if name in {b"trak", b"mdia"}:
            if _has_picture(content, inner, inner_end):
                return True
        elif name == b"hdlr" and inner_end - inner >= 12:
            content.seek(inner + 8)
            if _read(content, 4) == b"vide":
                return True
    return False


def _boxes(content: BinaryIO, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield each box's name, and the start and end of its content."""
    count = 0
    while end - start >= 8:
        content.seek(start)
        length, name = struct.unpack(">I4s", _read(content, 8))
        inner = start + 8
        if length == 1:
            (length,) = struct.unpack(">Q", _read(content, 8))
            inner += 8
        box_end = end if length == 0 else start + length
        count += 1
        if box_end > end or box_end < inner or count > MAX_PARTS:
            raise Undecodable
        yield name, inner, box_end
        start = box_end
    content.seek(start)
    if content.read(end - start).strip(b"\0"):  # QuickTime ends lists with zeros
        raise Undecodable


# Matroska and WebM: nested elements, with numbers of variable length --------------------------------------------

_SEGMENT, _TRACKS, _TRACK, _TRACK_TYPE, _CLUSTER = 0x18538067, 0x1654AE6B, 0xAE, 0x83, 0x1F43B675
_TYPE_VIDEO: Final = 1


def _check_matroska(content: BinaryIO, size: int) -> bool:
    for element, start, end in _elements(content, 0, size):
        if element == _SEGMENT:
            return _segment_has_picture(content, start, end)
    raise Undecodable


def _segment_has_picture(content: BinaryIO, start: int, end: int) -> bool:
    picture = False
    for element, inner, inner_end in _elements(content, start, end):
        if element == _TRACKS:
            tracks = [span for track, *span in _elements(content, inner, inner_end) if track == _TRACK]
            picture = picture or any(_is_picture(content, *span) for span in tracks)
    return picture


def _is_picture(content: BinaryIO, start: int, end: int) -> bool:
    for element, inner, inner_end in _elements(content, start, end):
        if element == _TRACK_TYPE:
            content.seek(inner)
            return int.from_bytes(_read(content, min(8, inner_end - inner))) == _TYPE_VIDEO
    return False


def _elements(content: BinaryIO, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield each element's ID, and the start and end of its content."""
    count = 0
    while start < end:
        content.seek(start)
        element, id_length = _variable(content, keep_marker=True)
        length, length_length = _variable(content, keep_marker=False)
        inner = start + id_length + length_length
        # All ones: the length was unknown when it was written, as in a live recording; the element extends to the end.
        unknown = length == (1 << 7 * length_length) - 1
        element_end = end if unknown else inner + length
        count += 1
        if element_end > end or count > MAX_PARTS:
            raise Undecodable
        yield element, inner, element_end
        start = element_end


def _variable(content: BinaryIO, *, keep_marker: bool) -> tuple[int, int]:
    """Read a number whose first byte gives its length by the leading zeros; returns the number and that length."""
    first = _read(content, 1)[0]
    if first == 0:
        raise Undecodable
    length = 9 - first.bit_length()
    value = int.from_bytes(bytes([first]) + _read(content, length - 1))
    return value if keep_marker else value & ((1 << 7 * length) - 1), length


# Other formats --------------------------------------------------------------------------------------------------


def _check_ogg(content: BinaryIO, size: int) -> bool:
    """Check the pages one after the other. The first page of each stream says what it contains."""
    at, count, picture = 0, 0, False
    while at < size:
        content.seek(at)
        header = _read(content, 27)
        if header[:4] != b"OggS" or (count := count + 1) > MAX_PARTS:
            raise Undecodable
        body = sum(_read(content, header[26]))
        if header[5] & 2:
            picture = picture or content.read(min(body, 8)).startswith((b"\x80theora", b"OVP80", b"BBCD\0"))
        at += 27 + header[26] + body
    if at != size:
        raise Undecodable
    return picture


def _check_avi(content: BinaryIO, size: int) -> bool:
    """Check one list, or several in a large file; the header of each stream says `vids` or something else."""
    at = 0
    while at < size:
        content.seek(at)
        name, length = struct.unpack("<4sI", _read(content, 8))
        if name != b"RIFF" or at + 8 + length > size:
            raise Undecodable
        at += 8 + length + length % 2
    content.seek(0)
    return b"strh" in (start := content.read(_MAX_BYTES_TO_PICTURE)) and b"vids" in start


def _check_mpeg(content: BinaryIO, _: int) -> bool:
    """Check a program stream: packets, with one of a video among the first."""
    start = content.read(_MAX_BYTES_TO_PICTURE)
    return any(b"\0\0\x01" + bytes([stream]) in start for stream in range(0xE0, 0xF0))
