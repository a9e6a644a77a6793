"""The processes that decode files: they may crash, hang, or need too much memory without affecting anything else."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from sample_files import Image, box, new_seed, png
from stored_files import close
from support.api import Workspace, sign_in_workspace
from support.in_process import StartService
from support.service_process import RunningService, running_service
from upload_helpers import codes, try_upload, upload, wait_until

from signoff.media.decoder import pool as pool_module
from signoff.media.decoder.files import ImageHeader, Undecodable
from signoff.media.decoder.pool import MAX_PEAK_BYTES, MAX_PROCESSES, SPARE_BYTES, DecoderPool
from signoff.platform.storage import StorageUnavailable

MB = 1024 * 1024
NEVER = 3600.0


def decoders(parent: int) -> dict[int, psutil.Process]:
    """The decoder processes of a process and its descendants, by ID."""
    found: dict[int, psutil.Process] = {}
    for process in psutil.Process(parent).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if "signoff.media.decoder" in process.cmdline():
                found[process.pid] = process
    return found


def peak_memory(process: psutil.Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


class Decoders:
    """A pool, and the processes that it has started."""

    def __init__(self, pool: DecoderPool, others: set[int]) -> None:
        self.pool = pool
        self._others = others

    def running(self) -> dict[int, psutil.Process]:
        return {pid: process for pid, process in decoders(os.getpid()).items() if pid not in self._others}

    async def the_only(self) -> psutil.Process:
        """Wait until one is left: those that are ending take a moment."""
        await wait_until(lambda: len(self.running()) == 1)
        [process] = self.running().values()
        return process

    async def inspect(self, file: Path, content_type: str = "image/png") -> ImageHeader:
        return await self.pool.run(
            "inspect_image", lambda result: ImageHeader(**result), file=str(file), content_type=content_type
        )

    async def decode(self, file: Path, content_type: str, memory: int) -> None:
        await self.pool.run(
            "decode_image", lambda result: result, memory=memory, file=str(file), content_type=content_type
        )


@asynccontextmanager
async def open_pool(job_seconds: float = NEVER, **options: Any) -> AsyncGenerator[Decoders]:
    others = set(decoders(os.getpid()))
    pool = DecoderPool(job_seconds, **{"idle_seconds": NEVER} | options)
    try:
        yield Decoders(pool, others)
    finally:
        await pool.close()


@pytest.fixture
async def opened() -> AsyncGenerator[Decoders]:
    async with open_pool() as pool:
        yield pool


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image.png"
    path.write_bytes(png(60, 40))
    return path


class Endless:
    """A file without content and without end: whoever opens it hangs."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._handle: int | None = None

    def is_being_read(self) -> bool:
        """Whether a process has opened it."""
        if self._handle is None:
            with contextlib.suppress(OSError):
                self._handle = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
        return self._handle is not None

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[list[Endless]]:
    files = [Endless(tmp_path / f"endless-{number}") for number in range(MAX_PROCESSES + 1)]
    yield files
    for file in files:
        file.close()


class TestCrash:
    @pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
    async def test_during_a_job(
        self, opened: Decoders, endless: list[Endless], image: Path, number: signal.Signals
    ) -> None:
        job = asyncio.create_task(opened.inspect(endless[0].path))
        await wait_until(endless[0].is_being_read)
        victim = await opened.the_only()
        victim.send_signal(number)
        with pytest.raises(Undecodable):
            await job
        assert (await opened.inspect(image)).width == 60
        assert (await opened.the_only()).pid != victim.pid

    async def test_while_idle_goes_unnoticed(self, opened: Decoders, image: Path) -> None:
        await opened.inspect(image)
        victim = await opened.the_only()
        victim.kill()
        assert (await opened.inspect(image)).width == 60
        assert (await opened.the_only()).pid != victim.pid

    async def test_of_a_used_process_repeats_the_job_once(
        self, opened: Decoders, endless: list[Endless], image: Path
    ) -> None:
        await opened.inspect(image)
        first = await opened.the_only()
        job = asyncio.create_task(opened.inspect(endless[0].path))
        await wait_until(endless[0].is_being_read)
        first.suspend()  # so that it doesn't answer at the end of the file
        endless[0].close()
        first.kill()
        await wait_until(lambda: not psutil.pid_exists(first.pid))  # It holds the file open until it has ended.
        await wait_until(endless[0].is_being_read)
        second = await opened.the_only()
        assert second.pid != first.pid
        second.kill()
        with pytest.raises(Undecodable):
            await job
        await wait_until(lambda: not opened.running())

    async def test_by_a_bug(self, opened: Decoders, image: Path) -> None:
        with pytest.raises(Undecodable):
            await opened.pool.run("unknown", lambda result: result)
        assert (await opened.inspect(image)).width == 60

    async def test_invalid_answer(self, opened: Decoders, image: Path) -> None:
        def read(result: Any) -> None:
            raise ValueError

        with pytest.raises(Undecodable):
            await opened.pool.run("inspect_image", read, file=str(image), content_type="image/png")
        assert (await opened.inspect(image)).width == 60

    async def test_at_the_start(self, image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """That isn't the file's fault, so it's an error that callers retry."""
        monkeypatch.setenv("PYTHONHOME", "/nowhere")
        async with open_pool() as opened:
            with pytest.raises(StorageUnavailable):
                await opened.inspect(image)
            await wait_until(lambda: not opened.running())


class TestTime:
    async def test_hang(self, endless: list[Endless]) -> None:
        async with open_pool(job_seconds=0.2) as opened:
            with pytest.raises(Undecodable):
                await opened.inspect(endless[0].path)
            await wait_until(lambda: not opened.running())

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    async def test_signal_to_all_processes(self, opened: Decoders, image: Path, number: signal.Signals) -> None:
        """Only the parent ends the process, when its own work is done."""
        await opened.inspect(image)
        process = await opened.the_only()
        process.send_signal(number)
        await opened.inspect(image)
        assert (await opened.the_only()).pid == process.pid

    async def test_canceled(self, opened: Decoders, endless: list[Endless]) -> None:
        job = asyncio.create_task(opened.inspect(endless[0].path))
        await wait_until(endless[0].is_being_read)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        await wait_until(lambda: not opened.running())

    async def test_idle(self, image: Path) -> None:
        async with open_pool(idle_seconds=0.05) as opened:
            await opened.inspect(image)
            await wait_until(lambda: not opened.running())
            await opened.inspect(image)

    async def test_closed_during_a_job(self, opened: Decoders, endless: list[Endless], image: Path) -> None:
        await asyncio.gather(opened.inspect(image), opened.inspect(image))
        job = asyncio.create_task(opened.inspect(endless[0].path))
        await wait_until(endless[0].is_being_read)
        await opened.pool.close()
        assert not opened.running()
        with pytest.raises(StorageUnavailable):
            await job


def black_webp(side: int) -> bytes:
    """Decoding it takes 8 bytes per pixel."""
    return Image.black(side, side).webpsave_buffer(lossless=True, effort=0)


class TestMemory:
    async def test_bound(self, opened: Decoders, tmp_path: Path) -> None:
        """Decoding would take 300 MB, but the job doesn't say so."""
        bomb = tmp_path / "bomb.webp"
        bomb.write_bytes(await asyncio.to_thread(lambda: black_webp(6_200)))
        small = tmp_path / "small.webp"
        small.write_bytes(black_webp(100))
        await opened.decode(small, "image/webp", 0)
        process = await opened.the_only()
        before = process.memory_info().rss
        with pytest.raises(Undecodable):
            await opened.decode(bomb, "image/webp", 0)
        if process.is_running():
            assert peak_memory(process) - before < SPARE_BYTES + 16 * MB
        await opened.decode(small, "image/webp", 0)

    async def test_large_image_replaces_the_process(self, opened: Decoders, tmp_path: Path, image: Path) -> None:
        large = tmp_path / "large.webp"
        large.write_bytes(await asyncio.to_thread(lambda: black_webp(4_500)))
        header = await opened.inspect(large, "image/webp")
        assert header.memory > MAX_PEAK_BYTES
        first = await opened.the_only()
        await opened.decode(large, "image/webp", header.memory)
        await wait_until(lambda: not opened.running())
        await opened.inspect(image)
        assert (await opened.the_only()).pid != first.pid

    async def test_replaced_after_many_jobs(
        self, opened: Decoders, image: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pool_module, "MAX_JOBS", 3)
        used = set[int]()
        for _ in range(7):
            await opened.inspect(image)
            used |= opened.running().keys()
        assert len(used) <= 3  # 1 to 3, 4 to 6, and 7; processes that have ended may not be seen
        monkeypatch.setattr(pool_module, "MAX_JOBS", 1)
        await opened.inspect(image)
        await wait_until(lambda: not opened.running())


async def test_limited_number(opened: Decoders, endless: list[Endless]) -> None:
    jobs = [asyncio.create_task(opened.inspect(file.path)) for file in endless]
    *first, last = endless
    await wait_until(lambda: all(file.is_being_read() for file in first))
    assert len(opened.running()) == MAX_PROCESSES
    assert not last.is_being_read()
    for process in opened.running().values():
        process.kill()
    await wait_until(last.is_being_read)
    (await opened.the_only()).kill()
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    assert all(isinstance(outcome, Undecodable) for outcome in outcomes)


async def test_concurrent_jobs(opened: Decoders, tmp_path: Path) -> None:
    files: list[Path] = []
    for width in range(10, 40):
        files.append(tmp_path / f"{width}.png")
        files[-1].write_bytes(png(width, 10))
    headers = await asyncio.gather(*map(opened.inspect, files))
    assert [header.width for header in headers] == list(range(10, 40))
    assert len(opened.running()) <= MAX_PROCESSES


async def test_full_disk(opened: Decoders, image: Path) -> None:
    header = await opened.inspect(image)
    plan = {"width": 600, "height": 400, "canvas_width": 600, "canvas_height": 400}
    with pytest.raises(StorageUnavailable):
        await opened.pool.run(
            "resize_image",
            lambda result: result,
            file=str(image),
            content_type="image/png",
            header={name: getattr(header, name) for name in header.__slots__},
            plan=plan,
            position="center",
            background=None,
            target="/dev/full",
        )


async def test_has_no_secrets(opened: Decoders, image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNOFF_SMTP_PASSWORD", "very secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very secret")
    await opened.inspect(image)
    process = await opened.the_only()
    assert "very secret" not in str(process.environ())
    assert not process.net_connections()


PARENT = """
import asyncio, sys
from signoff.media.decoder.pool import DecoderPool

async def main():
    pool = DecoderPool(3600)
    await pool.run("inspect_image", print, file=sys.argv[1], content_type="image/png")
    print("decoded", flush=True)
    await pool.run("inspect_image", print, file=sys.argv[2], content_type="image/png")
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("is_busy", [True, False])
async def test_ends_with_a_killed_parent(image: Path, endless: list[Endless], is_busy: bool) -> None:
    files = str(image), str(endless[0].path if is_busy else image)
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, *files, stdout=PIPE)
    assert parent.stdout is not None
    await parent.stdout.readuntil(b"decoded\n")
    if is_busy:
        await wait_until(endless[0].is_being_read)
    running = decoders(parent.pid)
    parent.kill()
    await parent.wait()
    await wait_until(lambda: not any(process.is_running() for process in running.values()))
    assert running


class TestService:
    async def test_survives_a_crash(self, real_workspace: Workspace, real_service: RunningService) -> None:
        api = psutil.Process(real_service.child("api"))
        for _ in range(3):
            await upload(real_workspace, png(seed=new_seed()))
            for process in decoders(api.pid).values():
                process.send_signal(signal.SIGSEGV)
        await upload(real_workspace, png(seed=new_seed()))
        assert real_service.child("api") == api.pid

    async def test_nested_video(self, workspace: Workspace) -> None:
        film = b""
        for _ in range(3_000):
            film = box(b"trak", film)
        content = box(b"ftyp", b"isom", bytes(4)) + box(b"moov", film)
        assert codes(await try_upload(workspace, content)) == [("files[0]", "truncated")]

    @pytest.mark.slow
    async def test_hang(self, start_service: StartService) -> None:
        async with start_service(media_process_timeout=8, worker=False) as service:
            workspace = await sign_in_workspace(service)
            before = decoders(os.getpid()).keys()
            await upload(workspace, png(seed=new_seed()))
            for pid, process in decoders(os.getpid()).items():
                if pid not in before:
                    process.suspend()
            assert codes(await try_upload(workspace, png(seed=new_seed()))) == [("files[0]", "truncated")]
            await upload(workspace, png(seed=new_seed()))
            await close(workspace)

    @pytest.mark.slow
    async def test_shutdown_during_a_job(self, tmp_path: Path) -> None:
        with running_service(tmp_path, shutdown_grace=1) as service:
            workspace = await sign_in_workspace(service)
            await upload(workspace, png(seed=new_seed()))
            running = decoders(service.child("api"))
            for process in running.values():
                process.suspend()
            call = asyncio.create_task(try_upload(workspace, png(seed=new_seed())))
            await wait_until(lambda: any((service.data_dir / "incoming").rglob("tmp*/*")))
            os.kill(service.child("api"), signal.SIGTERM)
            await wait_until(lambda: not any(process.is_running() for process in running.values()))
            call.cancel()
            await close(workspace)
