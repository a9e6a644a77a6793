"""Images that are resized and cropped during the upload."""

import json
from typing import Any

import pytest
import pyvips
from sample_files import animation, avif, bmp, gif, jpeg, mp4, new_seed, opened, png, tiff, webp
from support.api import Workspace
from upload_helpers import codes, fetch_media, try_upload, upload


async def made(workspace: Workspace, content: bytes, **options: Any) -> tuple[Any, dict[str, Any]]:
    """The image that is served after the transform, and its record."""
    [file] = await upload(workspace, content, config=json.dumps(options))
    served = await fetch_media(workspace, file["downloadURL"])
    assert file["size"] == len(served)
    return opened(served), file


def bars(*colors: tuple[int, int, int], side: int = 60) -> bytes:
    """Squares of one color each, from left to right."""
    squares = [pyvips.Image.black(side, side).bandjoin([0, 0]) + list(color) for color in colors]
    return pyvips.Image.arrayjoin(squares).cast("uchar").copy(interpretation="srgb").pngsave_buffer()


RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def color_at(image: Any, x: int, y: int) -> tuple[int, ...]:
    return tuple(round(value) for value in image(x, y))


class TestFits:
    @pytest.mark.parametrize(
        ("options", "size"),
        [
            ({"width": 30, "height": 30}, (30, 30)),
            ({"width": 30, "height": 30, "fit": "contain"}, (30, 30)),
            ({"width": 30, "height": 30, "fit": "fill"}, (30, 30)),
            ({"width": 30, "height": 30, "fit": "inside"}, (30, 20)),
            ({"width": 30, "height": 30, "fit": "outside"}, (45, 30)),
            ({"width": 30}, (30, 20)),
            ({"height": 20}, (30, 20)),
            ({"width": 120, "height": None}, (120, 80)),
            ({"width": 120, "withoutEnlargement": True}, (60, 40)),
        ],
    )
    async def test_size(self, workspace: Workspace, options: dict[str, Any], size: tuple[int, int]) -> None:
        image, file = await made(workspace, png(60, 40, seed=new_seed()), **options)
        assert (image.width, image.height) == size
        assert file["contentType"] == "image/png"

    async def test_without_a_side_nothing_changes(self, workspace: Workspace) -> None:
        content = jpeg(seed=new_seed(), orientation=6)
        for config in ("{}", '{"fit": "inside", "width": null}'):
            [file] = await upload(workspace, content, config=config)
            assert await fetch_media(workspace, file["downloadURL"]) == content

    @pytest.mark.parametrize(("position", "color"), [("left", RED), ("center", GREEN), ("right bottom", BLUE)])
    async def test_crop(self, workspace: Workspace, position: str, color: tuple[int, int, int]) -> None:
        image, _ = await made(workspace, bars(RED, GREEN, BLUE), width=20, height=20, position=position)
        assert color_at(image, 10, 10) == color

    @pytest.mark.parametrize("position", ["entropy", "attention"])
    async def test_smart_crop(self, workspace: Workspace, position: str) -> None:
        noise = pyvips.Image.gaussnoise(60, 60, sigma=60, mean=128).bandjoin(
            [pyvips.Image.gaussnoise(60, 60, sigma=60, mean=128, seed=seed) for seed in (2, 3)]
        )
        plain = pyvips.Image.black(60, 60).bandjoin([0, 0]) + 128
        content = pyvips.Image.arrayjoin([plain, plain, noise]).cast("uchar").copy(interpretation="srgb")
        image, _ = await made(workspace, content.pngsave_buffer(), width=60, height=60, position=position)
        assert (image.width, image.height) == (60, 60)
        assert image.deviate() > 10

    @pytest.mark.parametrize(
        ("options", "corner"),
        [
            ({}, (0, 0, 0)),
            ({"background": "white"}, (255, 255, 255)),
            ({"background": "#336699"}, (51, 102, 153)),
            ({"background": "#369"}, (51, 102, 153)),
            ({"background": "transparent"}, (0, 0, 0, 0)),
            ({"background": "#33669980"}, (51, 102, 153, 128)),
        ],
    )
    async def test_padding(self, workspace: Workspace, options: dict[str, Any], corner: tuple[int, ...]) -> None:
        image, _ = await made(workspace, bars(RED, RED), width=60, height=60, fit="contain", **options)
        assert color_at(image, 0, 0) == corner
        assert color_at(image, 30, 30)[:3] == RED

    @pytest.mark.parametrize(("position", "padded"), [("top", 59), ("bottom", 0)])
    async def test_padding_position(self, workspace: Workspace, position: str, padded: int) -> None:
        content = bars(RED, RED)
        image, _ = await made(workspace, content, width=60, height=60, fit="contain", position=position)
        assert color_at(image, 30, padded) == (0, 0, 0)
        assert color_at(image, 30, 59 - padded) == RED


class TestFormats:
    @pytest.mark.parametrize(
        ("content", "content_type"),
        [
            (png(seed=901), "image/png"),
            (jpeg(seed=902), "image/jpeg"),
            (webp(seed=903), "image/webp"),
            (avif(seed=904), "image/avif"),
            (gif(60, 40), "image/gif"),
            (tiff(seed=905), "image/png"),
            (bmp(seed=906), "image/png"),
        ],
        ids=["png", "jpeg", "webp", "avif", "gif", "tiff", "bmp"],
    )
    async def test_keeps_formats_that_browsers_show(
        self, workspace: Workspace, content: bytes, content_type: str
    ) -> None:
        image, file = await made(workspace, content, width=30)
        assert file["contentType"] == content_type
        assert image.width == 30

    async def test_png_if_jpeg_can_not_hold_it(self, workspace: Workspace) -> None:
        options = {"width": 60, "height": 60, "fit": "contain", "background": "transparent"}
        image, file = await made(workspace, jpeg(seed=new_seed()), **options)
        assert file["contentType"] == "image/png"
        assert color_at(image, 0, 0) == (0, 0, 0, 0)

    async def test_png_if_too_long_for_webp(self, workspace: Workspace) -> None:
        image, file = await made(workspace, webp(4, 800, seed=new_seed()), width=100)
        assert file["contentType"] == "image/png"
        assert (image.width, image.height) == (100, 20_000)

    @pytest.mark.parametrize("space", ["b-w", "cmyk", "rgb16", "grey16"])
    async def test_other_colors(self, workspace: Workspace, space: str) -> None:
        image = opened(png(60, 40, seed=new_seed())).colourspace(space)
        content = image.jpegsave_buffer() if space == "cmyk" else image.pngsave_buffer()
        image, _ = await made(workspace, content, width=32, height=96, fit="contain", background="#ff0000")
        # The corner is so far from the image that no JPEG block contains some of both.
        assert color_at(image, 0, 0)[0] > 240
        assert color_at(image, 0, 0)[1] < 20

    async def test_bitmap_colors_are_right(self, workspace: Workspace) -> None:
        sent, (image, _) = opened(png(61, 40, seed=6)), await made(workspace, bmp(61, 40, seed=6), width=61)
        assert (sent - image).abs().max() == 0

    @pytest.mark.parametrize("kind", ["gif", "webp"])
    async def test_animation_stays(self, workspace: Workspace, kind: str) -> None:
        content = animation(kind, frames=4, width=40, height=20)
        [file] = await upload(workspace, content, config='{"width": 10, "height": 10}')
        served = await fetch_media(workspace, file["downloadURL"])
        load = pyvips.Image.gifload_buffer if kind == "gif" else pyvips.Image.webpload_buffer
        image = load(served, n=-1)
        assert (image.width, image.get("page-height"), image.get("n-pages")) == (10, 10, 4)
        assert image.get("delay") == [70] * 4

    @pytest.mark.parametrize("fit", ["contain", "inside"])
    @pytest.mark.parametrize("position", ["attention", "left"])
    async def test_animation_in_other_ways(self, workspace: Workspace, fit: str, position: str) -> None:
        options = {"width": 20, "height": 20, "fit": fit, "position": position}
        image, file = await made(workspace, animation(frames=3), **options)
        assert file["contentType"] == "image/gif"
        assert image.width == 20


class TestMetadata:
    @pytest.mark.parametrize("orientation", range(1, 9))
    async def test_orientation_is_applied(self, workspace: Workspace, orientation: int) -> None:
        content = jpeg(60, 40, seed=5, orientation=orientation)
        shown = opened(content).autorot()
        image, _ = await made(workspace, content, width=shown.width, height=shown.height)
        assert (image.width, image.height) == (shown.width, shown.height)
        assert (shown - image).abs().avg() < 8

    async def test_size_is_measured_after_rotation(self, workspace: Workspace) -> None:
        image, _ = await made(workspace, jpeg(60, 40, seed=new_seed(), orientation=6), width=20)
        assert (image.width, image.height) == (20, 30)

    async def test_metadata_is_removed(self, workspace: Workspace) -> None:
        content = jpeg(60, 40, seed=new_seed(), orientation=6)
        assert b"Exif" in content
        image, _ = await made(workspace, content, width=20)
        assert not [name for name in image.get_fields() if name.startswith(("exif", "xmp", "iptc", "icc"))]


class TestRefused:
    @pytest.mark.parametrize(
        ("config", "errors"),
        [
            ('{"width": 0}', [("config.width", "out_of_range")]),
            ('{"width": 10001}', [("config.width", "out_of_range")]),
            ('{"width": "10"}', [("config.width", "out_of_range")]),
            (
                '{"fit": "squash", "position": 5}',
                [("config.fit", "unknown_choice"), ("config.position", "unknown_choice")],
            ),
            ('{"background": "red;"}', [("config.background", "bad_color")]),
            ('{"withoutEnlargement": 1}', [("config.withoutEnlargement", "wrong_type")]),
            ('{"rotate": 90}', [("config.rotate", "unknown_member")]),
            ("null", [("config", "wrong_type")]),
            ("[]", [("config", "wrong_type")]),
        ],
    )
    async def test_invalid_options(self, workspace: Workspace, config: str, errors: list[tuple[str, str]]) -> None:
        assert codes(await try_upload(workspace, png(), config=config)) == errors

    async def test_video(self, workspace: Workspace) -> None:
        response = await try_upload(workspace, png(seed=new_seed()), mp4(), config='{"width": 20}')
        assert codes(response) == [("files[1]", "wrong_kind")]
        assert "'file1.bin' is a video" in response.json()["detail"]

    @pytest.mark.parametrize("options", [{"width": 10_000}, {"width": 10_000, "height": 1, "fit": "outside"}])
    async def test_too_large_result(self, workspace: Workspace, options: dict[str, Any]) -> None:
        response = await try_upload(workspace, png(1, 1000, seed=new_seed()), config=json.dumps(options))
        assert codes(response) == [("files[0]", "too_many_pixels")]
