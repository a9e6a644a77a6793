"""`POST /uploadFiles`."""

import asyncio
import hashlib
import json
import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest
from sample_files import jpeg, mp4, new_seed, png
from stored_files import Stored
from support.api import Workspace, assert_ok
from support.in_process import Service
from support.second_account import open_second_account
from support.service_process import RunningService
from upload_helpers import codes, fetch_media, try_upload, upload, wait_until

MIB = 1024 * 1024


async def rows_with(service: Service, content: bytes) -> int:
    connection = await asyncpg.connect(service.dsn())
    try:
        return await connection.fetchval(
            "select count(*) from media where sha256 = $1", hashlib.sha256(content).digest()
        )
    finally:
        await connection.close()


class TestResponse:
    async def test_records(self, stored: Stored) -> None:
        image, film = png(seed=new_seed()), mp4(data=str(new_seed()).encode())
        files = [("photo", ("Übersicht.png", image)), ("film", ("a/b/../holiday.mp4", film, "text/plain"))]
        uploads = await assert_ok(stored.workspace.agent.post("/uploadFiles", files=files))
        assert uploads["success"] is True
        assert uploads["count"] == 2
        assert [set(file) for file in uploads["files"]] == [{"downloadURL", "originalName", "size", "contentType"}] * 2
        assert [file["originalName"] for file in uploads["files"]] == ["Übersicht.png", "holiday.mp4"]
        assert [file["size"] for file in uploads["files"]] == [len(image), len(film)]
        assert [file["contentType"] for file in uploads["files"]] == ["image/png", "video/mp4"]
        served = [await fetch_media(stored.workspace, file["downloadURL"]) for file in uploads["files"]]
        assert served == [image, film]

    async def test_urls_start_with_our_url(self, stored: Stored) -> None:
        [file] = await upload(stored.workspace, png(seed=new_seed()))
        start = f"{stored.service.url}/media/{stored.workspace.account_id}/med_"
        assert file["downloadURL"].startswith(start)
        assert len(file["downloadURL"]) - len(start) >= 32

    async def test_order_and_duplicate_names(self, workspace: Workspace) -> None:
        contents = [png(seed=new_seed()) for _ in range(6)]
        files = [("same", ("same.png", content)) for content in contents]
        uploads = await assert_ok(workspace.agent.post("/uploadFiles", files=files))
        assert [await fetch_media(workspace, file["downloadURL"]) for file in uploads["files"]] == contents

    async def test_fifty(self, workspace: Workspace) -> None:
        assert len(await upload(workspace, *(png(9, 9, seed=new_seed()) for _ in range(50)))) == 50

    async def test_users_can_upload(self, workspace: Workspace) -> None:
        response = await workspace.owner.post("/uploadFiles", files={"a": png(seed=new_seed())})
        assert response.status_code == 200

    async def test_files_are_private_on_disk(self, real_service: RunningService, real_workspace: Workspace) -> None:
        on_disk = Stored(real_service, real_service.data_dir / "media", real_workspace)
        before = on_disk.objects()
        await upload(real_workspace, png(seed=new_seed()))
        [key] = on_disk.objects() - before
        assert (on_disk.folder / key).stat().st_mode & 0o777 == 0o600


class TestOnce:
    async def test_same_content_is_stored_once(self, stored: Stored) -> None:
        content = png(seed=new_seed())
        [first] = await upload(stored.workspace, content)
        before = stored.objects()
        [second, third] = await upload(stored.workspace, content, content)
        assert first["downloadURL"] == second["downloadURL"] == third["downloadURL"]
        assert stored.objects() == before

    async def test_twice_in_one_call(self, stored: Stored) -> None:
        content, before = png(seed=new_seed()), stored.objects()
        [first, second] = await upload(stored.workspace, content, content)
        assert first["downloadURL"] == second["downloadURL"]
        assert len(stored.objects() - before) == 1

    async def test_concurrent(self, stored: Stored) -> None:
        content, before = png(seed=new_seed()), stored.objects()
        results = await asyncio.gather(*(upload(stored.workspace, content) for _ in range(8)))
        assert len({file["downloadURL"] for [file] in results}) == 1
        assert await fetch_media(stored.workspace, results[0][0]["downloadURL"]) == content
        assert await rows_with(stored.service, content) == 1
        await wait_until(lambda: len(stored.objects() - before) == 1)  # the later duplicates are removed by a job

    async def test_separate_for_each_account(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        content = png(seed=new_seed())
        [ours], [theirs] = await upload(workspace, content), await upload(other, content)
        assert ours["downloadURL"] != theirs["downloadURL"]
        assert other.account_id in theirs["downloadURL"]


class TestConfig:
    async def test_sent_as_a_file(self, workspace: Workspace) -> None:
        files = [
            ("config", ("config.json", b'{"width": 20}', "application/json")),
            ("a", ("a.png", png(seed=new_seed()))),
        ]
        uploads = await assert_ok(workspace.agent.post("/uploadFiles", files=files))
        assert uploads["count"] == 1

    async def test_sent_after_the_files(self, workspace: Workspace) -> None:
        files = [("a", ("a.png", png(80, 80, seed=new_seed()))), ("config", (None, b'{"width": 20}'))]
        uploads = await assert_ok(workspace.agent.post("/uploadFiles", files=files))
        content = await fetch_media(workspace, uploads["files"][0]["downloadURL"])
        assert content[16:24] == (20).to_bytes(4) * 2  # the size in a PNG's header

    async def test_empty_is_like_none(self, workspace: Workspace) -> None:
        content = png(seed=new_seed())
        [file] = await upload(workspace, content, config="")
        assert file["size"] == len(content)

    @pytest.mark.parametrize("config", ["{", "width=5", "{'width': 5}", '{"width": NaN}', "\x00", "\ufeff{}"])
    async def test_invalid_json(self, workspace: Workspace, config: str) -> None:
        response = await try_upload(workspace, png(), config=config)
        assert response.status_code == 400
        assert "config" in response.json()["detail"]

    async def test_image_instead_of_json(self, workspace: Workspace) -> None:
        files = [("config", ("a.png", png())), ("b", ("b.png", png()))]
        response = await workspace.agent.post("/uploadFiles", files=files)
        assert response.status_code == 400

    async def test_too_large(self, workspace: Workspace) -> None:
        response = await try_upload(workspace, png(), config=json.dumps({"background": "#" * 70_000}))
        assert response.status_code == 413
        assert "config" in response.json()["detail"]

    async def test_twice(self, workspace: Workspace) -> None:
        files = [("config", (None, b"{}")), ("config", (None, b"{}")), ("a", ("a.png", png()))]
        assert (await workspace.agent.post("/uploadFiles", files=files)).status_code == 400


class TestRefused:
    @pytest.mark.parametrize("content_type", ["application/json", "text/plain", "multipart/mixed; boundary=x", ""])
    async def test_other_media_types(self, workspace: Workspace, content_type: str) -> None:
        headers = {"content-type": content_type}
        response = await workspace.agent.post("/uploadFiles", content=b"{}", headers=headers)
        assert response.status_code == 415
        assert response.json()["code"] == "unsupported_media_type"

    @pytest.mark.parametrize(
        ("content_type", "body"),
        [
            ("multipart/form-data", b"--x--"),
            ("multipart/form-data; boundary=", b"--x--"),
            ("multipart/form-data; boundary=" + "x" * 300, b"--x--"),
            ("multipart/form-data; boundary=x", b""),
            ("multipart/form-data; boundary=x", b"no form"),
            ("multipart/form-data; boundary=x", b"--y\r\n\r\n--y--\r\n"),
            ("multipart/form-data; boundary=x", b"--x\r\n\r\nno header\r\n--x--\r\n"),
            (
                "multipart/form-data; boundary=x",
                b"--x\r\nContent-Disposition: attachment; name=a\r\n\r\na\r\n--x--\r\n",
            ),
            ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n"),
            (
                "multipart/form-data; boundary=x",
                b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nabc',
            ),
            ("multipart/form-data; boundary=x", b"--x\r\n" + b"A" * 100_000 + b": b\r\n\r\na\r\n--x--\r\n"),
        ],
    )
    async def test_malformed(self, workspace: Workspace, content_type: str, body: bytes) -> None:
        headers = {"content-type": content_type}
        response = await workspace.agent.post("/uploadFiles", content=body, headers=headers)
        assert response.status_code == 400, response.text
        assert response.json()["code"] == "malformed_request"

    async def test_no_file(self, workspace: Workspace) -> None:
        response = await workspace.agent.post("/uploadFiles", files=[("note", (None, b"x")), ("config", (None, b"{}"))])
        assert codes(response) == [("files", "required")]

    async def test_too_many_files(self, stored_on_disk: Stored) -> None:
        response = await try_upload(stored_on_disk.workspace, *[png(9, 9)] * 51)
        assert response.status_code == 413
        assert response.json()["maxFiles"] == 50

    async def test_too_many_fields(self, workspace: Workspace) -> None:
        files = [(f"note{number}", (None, b"x")) for number in range(101)]
        assert (await workspace.agent.post("/uploadFiles", files=files)).status_code == 413

    async def test_one_rejected_file_rejects_all(self, stored: Stored) -> None:
        good, before = png(seed=new_seed()), stored.objects()
        assert codes(await try_upload(stored.workspace, good, b"not an image")) == [("files[1]", "not_media")]
        assert await rows_with(stored.service, good) == 0
        assert stored.objects() == before
        assert stored.incoming() == []

    async def test_who_may(self, workspace: Workspace, service: Service) -> None:
        files = {"a": png()}
        assert (await workspace.public.post("/uploadFiles", files=files)).status_code == 401
        new = {"name": "reader", "scopes": ["reviews:read"]}
        key = (await assert_ok(workspace.manager.post("/apiKeys", json=new)))["apiKey"]
        async with workspace.client(**{"x-api-key": key}) as reader:
            assert (await reader.post("/uploadFiles", files=files)).status_code == 403


class TestSize:
    async def test_just_at_the_limit(self, stored: Stored) -> None:
        content = mp4(data=b"")
        content = mp4(data=bytes(20 * MIB - len(content)))
        assert len(content) == 20 * MIB
        [file] = await upload(stored.workspace, content)
        assert file["size"] == 20 * MIB
        assert await fetch_media(stored.workspace, file["downloadURL"]) == content

    async def test_one_byte_more(self, stored: Stored) -> None:
        good, before = jpeg(seed=new_seed()), stored.objects()
        response = await try_upload(stored.workspace, good, mp4(data=bytes(20 * MIB + 1 - len(mp4(data=b"")))))
        assert response.status_code == 413
        problem = response.json()
        assert (problem["code"], problem["file"], problem["index"]) == ("file_too_large", "file1.bin", 1)
        assert "'file1.bin'" in problem["detail"]
        assert await rows_with(stored.service, good) == 0
        assert stored.objects() == before
        assert stored.incoming() == []

    async def test_several_files_larger_than_the_body_limit(self, workspace: Workspace) -> None:
        contents = [mp4(data=bytes(11 * MIB) + str(new_seed()).encode()) for _ in range(3)]
        assert len(await upload(workspace, *contents)) == 3

    async def test_huge_content_length_is_rejected_immediately(self, real_workspace: Workspace) -> None:
        workspace = real_workspace
        headers = {"content-type": "multipart/form-data; boundary=x", "content-length": str(10**12)}
        assert workspace.agent.headers["x-api-key"]
        request = f"POST {urlsplit(workspace.url).path}/uploadFiles HTTP/1.1\r\nhost: x\r\n"
        request += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        request += f"x-api-key: {workspace.agent.headers['x-api-key']}\r\n\r\n--x\r\n"
        response = await asyncio.to_thread(send_raw, workspace.url, request.encode())
        assert response.startswith(b"HTTP/1.1 413")

    async def test_error_reaches_a_client_that_is_still_sending(self, workspace: Workspace) -> None:
        files = [("a", ("a.mp4", mp4(data=bytes(45 * MIB))))]
        assert (await workspace.agent.post("/uploadFiles", files=files)).status_code == 413
        assert (await workspace.public.post("/uploadFiles", files=files)).status_code == 401


def send_raw(url: str, request: bytes) -> bytes:
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as line:
        line.sendall(request)
        return line.recv(4096)


class TestInterrupted:
    async def test_nothing_is_stored(self, stored: Stored) -> None:
        good, before = png(seed=new_seed()), stored.objects()
        sent = asyncio.Event()
        head = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.png"\r\n\r\n' + good
        more = b'\r\n--x\r\nContent-Disposition: form-data; name="b"; filename="b.png"\r\n\r\n' + bytes(600_000)

        async def body() -> AsyncIterator[bytes]:
            yield head + more
            sent.set()
            await asyncio.Event().wait()

        headers = {"content-type": "multipart/form-data; boundary=x"}
        call = asyncio.create_task(stored.workspace.agent.post("/uploadFiles", content=body(), headers=headers))
        await sent.wait()
        await wait_until(lambda: len(stored.incoming()) == 2)
        call.cancel()
        await wait_until(lambda: not stored.incoming())
        assert await rows_with(stored.service, good) == 0
        assert stored.objects() == before
        with pytest.raises((asyncio.CancelledError, httpx.HTTPError)):
            await call
