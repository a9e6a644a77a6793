"""A file's bytes alone decide whether it's accepted."""

from collections.abc import Callable

import pytest
from sample_files import (
    animation,
    avi,
    avif,
    bmp,
    box,
    element,
    gif,
    jpeg,
    mp4,
    mpeg,
    new_seed,
    ogg,
    plain_png,
    png,
    tiff,
    webm,
    webp,
)
from support.api import Workspace
from upload_helpers import codes, fetch_media, try_upload, upload

ACCEPTED: dict[str, tuple[Callable[[], bytes], str]] = {
    "png": (lambda: png(seed=new_seed()), "image/png"),
    "interlaced png": (lambda: png(seed=new_seed(), interlace=True), "image/png"),
    "jpeg": (lambda: jpeg(seed=new_seed()), "image/jpeg"),
    "progressive jpeg": (lambda: jpeg(seed=new_seed(), interlace=True), "image/jpeg"),
    "gif": (lambda: animation(frames=1), "image/gif"),
    "animated gif": (lambda: animation(frames=5), "image/gif"),
    "webp": (lambda: webp(seed=new_seed()), "image/webp"),
    "animated webp": (lambda: animation("webp"), "image/webp"),
    "avif": (lambda: avif(seed=new_seed()), "image/avif"),
    "tiff": (lambda: tiff(seed=new_seed()), "image/tiff"),
    "bmp": (lambda: bmp(seed=new_seed()), "image/bmp"),
    "bmp with 32 bits": (lambda: bmp(seed=new_seed(), bits=32), "image/bmp"),
    "one pixel": (lambda: png(1, 1, seed=new_seed()), "image/png"),
    "mp4": (mp4, "video/mp4"),
    "m4v": (lambda: mp4(brand=b"M4V "), "video/mp4"),
    "mov": (lambda: mp4(brand=b"qt  "), "video/quicktime"),
    "mov without brand": (lambda: mp4()[24:], "video/quicktime"),
    "mp4 whose last box goes on to the end": (lambda: mp4() + b"\0\0\0\0mdat" + bytes(99), "video/mp4"),
    "mp4 with a long length": (lambda: mp4() + b"\0\0\0\1free" + (16 + 5).to_bytes(8) + bytes(5), "video/mp4"),
    "webm": (webm, "video/webm"),
    "live webm": (lambda: webm(live=True), "video/webm"),
    "mkv": (lambda: webm(doctype=b"matroska"), "video/x-matroska"),
    "ogg": (ogg, "video/ogg"),
    "avi": (avi, "video/x-msvideo"),
    "mpeg": (mpeg, "video/mpeg"),
}


@pytest.mark.parametrize("name", ACCEPTED)
async def test_accepted(workspace: Workspace, name: str) -> None:
    make, content_type = ACCEPTED[name]
    content = make()
    [file] = await upload(workspace, content)
    assert (file["contentType"], file["size"]) == (content_type, len(content))
    served = await workspace.public.get(file["downloadURL"])
    assert served.content == content
    assert served.headers["content-type"] == content_type


REJECTED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "one byte": (b"\x89", "not_media"),
    "zeros": (bytes(5000), "not_media"),
    "text": (b"Hello, this is only text.", "not_media"),
    "html": (b"<!DOCTYPE html><script>alert(1)</script>", "active_content"),
    "html after white space": (b"\xef\xbb\xbf \r\n\t<html>", "active_content"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "active_content"),
    "svg with a declaration": (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "active_content"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "not_media"),
    "zip": (b"PK\x03\x04" + bytes(60), "not_media"),
    "elf": (b"\x7fELF" + bytes(60), "not_media"),
    "exe": (b"MZ" + bytes(60), "not_media"),
    "wav": (b"RIFF\x24\0\0\0WAVEfmt ", "not_media"),
    "mp3": (b"ID3\x04" + bytes(60), "not_media"),
    "portable pixmap": (b"P6\n1 1\n255\n\0\0\0", "not_media"),
    "heic": (box(b"ftyp", b"heic", bytes(4), b"mif1heic") + bytes(200), "not_media"),
    "png that is only a beginning": (b"\x89PNG\r\n\x1a\n", "truncated"),
    "png and then html": (b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>", "truncated"),
    "jpeg and then html": (b"\xff\xd8\xff<html><script>alert(1)</script>", "truncated"),
    "gif and then html": (b"GIF89a<html><script>alert(1)</script></html>", "truncated"),
    "webp of another kind": (b"RIFF\x24\0\0\0WEBPNOPE" + bytes(40), "truncated"),
    "tiff without a directory": (b"II*\0\xff\xff\xff\x7f" + bytes(40), "truncated"),
    "bmp of an old kind": (bmp()[:28] + b"\x08\0" + bmp()[30:], "not_media"),
    "bmp with a negative width": (bmp()[:18] + b"\xff\xff\xff\xff" + bmp()[22:], "truncated"),
    "cut png": (png(200, 200)[:-500], "truncated"),
    "cut jpeg": (jpeg(200, 200)[: len(jpeg(200, 200)) // 2], "truncated"),
    "cut gif": (animation(frames=3)[:-300], "truncated"),
    "cut webp": (webp(200, 200)[:-200], "truncated"),
    "cut avif": (avif(200, 200)[:-100], "truncated"),
    "cut tiff": (tiff(200, 200)[: len(tiff(200, 200)) // 2], "truncated"),
    "cut bmp": (bmp()[:-1], "truncated"),
    "png with a changed byte": (png(99, 99)[:300] + b"\xff\xff\xff" + png(99, 99)[303:], "truncated"),
    "cut mp4": (mp4()[:-3], "truncated"),
    "mp4 without a film": (box(b"ftyp", b"isom", bytes(4)) + box(b"mdat", bytes(50)), "truncated"),
    "mp4 with a wrong length": (mp4() + b"\0\0\0\x04free", "truncated"),
    "mp4 with sound only": (mp4(handler=b"soun"), "not_media"),
    "m4a": (mp4(brand=b"M4A "), "not_media"),
    "cut webm": (webm()[:-3], "truncated"),
    "webm with sound only": (webm(track_type=2), "not_media"),
    "webm without a segment": (webm()[:16], "truncated"),
    "ebml of another kind": (element(0x1A45DFA3, b"\x42\x82\x85other") + bytes(50), "not_media"),
    "cut ogg": (ogg()[:-3], "truncated"),
    "ogg with sound only": (ogg(b"\x01vorbis"), "not_media"),
    "cut avi": (avi()[:-3], "truncated"),
    "avi with sound only": (avi(b"auds"), "not_media"),
    "mpeg with sound only": (mpeg().replace(b"\0\0\x01\xe0", b"\0\0\x01\xc0"), "not_media"),
}


@pytest.mark.parametrize("name", REJECTED)
async def test_rejected(workspace: Workspace, name: str) -> None:
    content, code = REJECTED[name]
    assert codes(await try_upload(workspace, content)) == [("files[0]", code)]


async def test_declared_type_and_name_are_ignored(workspace: Workspace) -> None:
    content = png(seed=new_seed())
    files = [("a", ("page.html", content, "text/html"))]
    response = await workspace.agent.post("/uploadFiles", files=files)
    [file] = response.json()["files"]
    assert file["contentType"] == "image/png"
    assert (await workspace.public.get(file["downloadURL"])).headers["content-type"] == "image/png"


async def test_polyglot_image(workspace: Workspace) -> None:
    """It's a valid image by every check, and the headers keep browsers from treating it as more."""
    content = gif(1, 1, tail=b"/*\n=1;alert(1)//<script>alert(1)</script>*/")
    [file] = await upload(workspace, content)
    served = await workspace.public.get(file["downloadURL"])
    assert served.headers["content-type"] == "image/gif"
    assert served.headers["x-content-type-options"] == "nosniff"
    assert served.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert await fetch_media(workspace, file["downloadURL"]) == content


async def test_error_names_every_rejected_file(workspace: Workspace) -> None:
    response = await try_upload(workspace, png(seed=new_seed()), b"text", plain_png(5, 5)[:-20], b"")
    assert codes(response) == [("files[1]", "not_media"), ("files[2]", "truncated"), ("files[3]", "empty")]
    assert "'file1.bin'" in response.json()["errors"][0]["message"]
