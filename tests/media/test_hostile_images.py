"""Files that cost much more than their size suggests. The cost is measured in the service's own process."""

import asyncio
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from sample_files import Image, gif, inflating_chunk, new_seed, plain_png, png, png_chunk
from stored_files import close
from support.api import Workspace, sign_in_workspace
from support.in_process import StartService
from support.service_process import RunningService
from upload_helpers import codes, fetch_media, try_upload, upload


@dataclass
class Memory:
    """The memory of the process that responds."""

    process: psutil.Process

    def megabytes(self) -> float:
        """Its peak."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise LookupError("VmHWM")


@pytest.fixture
def memory(real_service: RunningService) -> Memory:
    above = psutil.Process(real_service.child("api"))
    return Memory(max([above, *above.children(recursive=True)], key=lambda process: process.memory_info().rss))


def black(side: int) -> Any:
    return Image.black(side, side)


class TestBombs:
    @pytest.mark.parametrize(
        "make",
        [
            pytest.param(lambda: plain_png(30_000, 30_000), id="png"),
            pytest.param(
                lambda: plain_png(2, 2).replace(struct.pack(">II", 2, 2), b"\x7f\xff\xff\xff" * 2),
                id="png that claims all there is",
            ),
            pytest.param(lambda: gif(65_535, 65_535), id="gif canvas"),
            pytest.param(lambda: gif(4_000, 4_000, frames=50), id="gif frames"),
            pytest.param(lambda: gif(1, 1, frames=1_200_000), id="gif of a million frames"),
            pytest.param(lambda: black(10_100).webpsave_buffer(effort=0, lossless=True), id="webp"),
            pytest.param(lambda: black(12_000).webpsave_buffer(effort=0), id="large webp", marks=pytest.mark.slow),
            pytest.param(lambda: black(10_100).jpegsave_buffer(interlace=True), id="progressive jpeg"),
            pytest.param(
                lambda: black(16_000).jpegsave_buffer(interlace=True),
                id="large progressive jpeg",
                marks=pytest.mark.slow,
            ),
            pytest.param(lambda: black(12_000).tiffsave_buffer(compression="deflate"), id="tiff"),
            pytest.param(
                lambda: black(40_000).tiffsave_buffer(compression="deflate"), id="large tiff", marks=pytest.mark.slow
            ),
        ],
    )
    async def test_uses_little_memory(
        self, real_workspace: Workspace, memory: Memory, make: Callable[[], bytes]
    ) -> None:
        content = await asyncio.to_thread(make)
        before = memory.megabytes()
        [(place, code)] = codes(await try_upload(real_workspace, content))
        assert place == "files[0]"
        assert code in {"too_many_pixels", "truncated"}
        assert memory.megabytes() - before < 60

    @pytest.mark.parametrize("name", [b"zTXt", b"iCCP", b"iTXt"])
    async def test_inflating_chunk(self, real_workspace: Workspace, memory: Memory, name: bytes) -> None:
        before = memory.megabytes()
        await try_upload(real_workspace, plain_png(20, 10, inflating_chunk(name)))
        assert memory.megabytes() - before < 150

    async def test_many_chunks(self, real_workspace: Workspace) -> None:
        chunks = png_chunk(b"tEXt", b"a\0b") * 200_000
        response = await try_upload(real_workspace, plain_png(20, 10, chunks))
        assert response.status_code in {200, 422}

    async def test_as_a_transform(self, real_workspace: Workspace) -> None:
        response = await try_upload(real_workspace, plain_png(30_000, 30_000), config='{"width": 10}')
        assert codes(response) == [("files[0]", "too_many_pixels")]

    async def test_service_still_works(self, real_workspace: Workspace, real_service: RunningService) -> None:
        content = png(seed=new_seed())
        [file] = await upload(real_workspace, content)
        assert await fetch_media(real_workspace, file["downloadURL"]) == content
        assert "ended unexpectedly" not in real_service.log.read_text()


async def test_limits_are_settings(start_service: StartService) -> None:
    async with start_service(max_image_pixels=10_000, max_file_bytes=100_000, worker=False) as service:
        workspace = await sign_in_workspace(service)
        await upload(workspace, png(100, 100))
        assert codes(await try_upload(workspace, png(101, 100))) == [("files[0]", "too_many_pixels")]
        assert (await try_upload(workspace, bytes(100_001))).json()["code"] == "file_too_large"
        await close(workspace)
