"""A storage that doesn't work, and processes that are killed."""

import asyncio
import hashlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import psutil
import pytest
from s3_server import S3Server
from sample_files import mp4, new_seed, png
from stored_files import Stored, close
from support.api import sign_in_workspace
from support.in_process import StartService
from support.service_process import running_service, wait_ready
from upload_helpers import fetch_media, try_upload, upload, wait_until


async def rows(dsn: str) -> int:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval("select count(*) from media")
    finally:
        await connection.close()


async def test_unreachable_bucket(start_service: StartService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket = await asyncio.to_thread(S3Server, tmp_path / "s3")
    for name, value in bucket.env.items():
        monkeypatch.setenv(name, value)
    async with start_service(storage_url="s3://bucket", worker=False) as service:
        workspace = await sign_in_workspace(service)
        [file] = await upload(workspace, png(seed=new_seed()))
        await asyncio.to_thread(bucket.stop)
        before = len(service.log.read_text())
        for response in (
            await try_upload(workspace, png(seed=new_seed())),
            await workspace.public.get(file["downloadURL"]),
        ):
            assert response.status_code == 503
            assert response.json()["code"] == "storage_unavailable"
            assert response.json()["requestId"] == response.headers["x-request-id"]
            assert response.headers["retry-after"] == "5"
            assert "127.0.0.1" not in response.text
        assert await rows(service.dsn()) == 1
        log = service.log.read_text()[before:]
        assert "storage error" in log
        assert "database unreachable" not in log
        assert (await workspace.agent.get("/authCheck")).status_code == 200
        await close(workspace)


async def test_unusable_folder(start_service: StartService) -> None:
    """There is a file in place of the account's folder."""
    async with start_service(worker=False) as service:
        workspace = await sign_in_workspace(service)
        folder = service.data_dir / "media" / workspace.account_id
        folder.write_text("in the way")
        response = await try_upload(workspace, png(seed=new_seed()))
        assert response.status_code == 503
        assert response.json()["code"] == "storage_unavailable"
        assert await rows(service.dsn()) == 0
        folder.unlink()
        assert len(await upload(workspace, png(seed=new_seed()))) == 1
        await close(workspace)


@pytest.mark.slow
async def test_killed_during_an_upload(tmp_path: Path) -> None:
    content = mp4(data=bytes(5_000_000))
    head = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.mp4"\r\n\r\n' + content

    async def body() -> AsyncIterator[bytes]:
        yield head
        await asyncio.Event().wait()

    with running_service(tmp_path) as service:
        workspace = await sign_in_workspace(service)
        stored = Stored(service, service.data_dir / "media", workspace)
        headers = {"content-type": "multipart/form-data; boundary=x"}
        call = asyncio.create_task(workspace.agent.post("/uploadFiles", content=body(), headers=headers))
        await wait_until(lambda: len(stored.incoming()) == 1)
        above = psutil.Process(service.child("api"))
        for process in (*above.children(recursive=True), above):
            process.send_signal(signal.SIGKILL)
        call.cancel()  # it's still sending and would never read from the connection
        await asyncio.to_thread(wait_ready, service)
        await wait_until(lambda: not stored.incoming(), 60)  # by the process that replaced it
        assert stored.objects() == set()
        assert await rows(service.dsn()) == 0
        [file] = await upload(workspace, content)
        assert await fetch_media(workspace, file["downloadURL"]) == content
        await close(workspace)


async def test_same_file_can_be_stored_after_a_kill(stored_on_disk: Stored) -> None:
    """A killed upload left an object and its announcement: they don't block the next one."""
    content = png(seed=new_seed())
    connection = await asyncpg.connect(stored_on_disk.service.dsn())
    try:
        account_id = stored_on_disk.workspace.account_id
        await connection.execute(
            "insert into media_arriving (account_id, media_id) values ($1, 'med_lost')", account_id
        )
        (stored_on_disk.folder / account_id).mkdir(exist_ok=True, parents=True)
        (stored_on_disk.folder / account_id / "med_lost").write_bytes(content)
        [file] = await upload(stored_on_disk.workspace, content)
        assert not file["downloadURL"].endswith("med_lost")
        digest = hashlib.sha256(content).digest()
        assert await connection.fetchval("select count(*) from media where sha256 = $1", digest) == 1
        await connection.execute("delete from media_arriving where media_id = 'med_lost'")
    finally:
        (stored_on_disk.folder / account_id / "med_lost").unlink()
        await connection.close()
