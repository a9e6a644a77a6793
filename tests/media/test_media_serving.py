"""`GET /media/…`: what browsers and agents load."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sample_files import mp4, new_seed, png
from stored_files import Stored
from support.api import Workspace, sign_in_workspace
from support.in_process import Service
from support.second_account import open_second_account
from support.service_process import RunningService, running_service
from upload_helpers import upload

MIB = 1024 * 1024


@pytest.fixture(scope="module")
async def film(stored: Stored) -> tuple[str, bytes]:
    """URL and content of a file that is larger than the pieces in which it's sent."""
    content = mp4(data=os.urandom(3 * MIB + 17))
    [file] = await upload(stored.workspace, content)
    return file["downloadURL"], content


@pytest.fixture(scope="module")
def client(real_service: RunningService) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=real_service.url, timeout=60) as client:
        yield client


class TestWhole:
    async def test_headers(self, stored: Stored, film: tuple[str, bytes]) -> None:
        address, content = film
        response = await stored.workspace.public.get(address)
        assert response.status_code == 200
        assert response.content == content
        expected = {
            "content-type": "video/mp4",
            "content-length": str(len(content)),
            "accept-ranges": "bytes",
            "cache-control": "private, max-age=31536000, immutable",
            "x-content-type-options": "nosniff",
            "content-security-policy": "default-src 'none'; sandbox",
            "content-disposition": f'inline; filename="{address.rpartition("/")[2]}.mp4"',
        }
        assert {name: response.headers.get(name) for name in expected} == expected
        assert "set-cookie" not in response.headers

    async def test_head(self, stored: Stored, film: tuple[str, bytes]) -> None:
        head, get = [await getattr(stored.workspace.public, name)(film[0]) for name in ("head", "get")]
        assert head.content == b""
        for name in ("content-type", "content-length", "etag", "cache-control", "content-disposition"):
            assert head.headers[name] == get.headers[name]

    async def test_not_modified(self, stored: Stored, film: tuple[str, bytes]) -> None:
        etag = (await stored.workspace.public.head(film[0])).headers["etag"]
        for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            response = await stored.workspace.public.get(film[0], headers={"if-none-match": known})
            assert (response.status_code, response.content) == (304, b"")
            assert response.headers["etag"] == etag
        assert (await stored.workspace.public.head(film[0], headers={"if-none-match": '"other"'})).status_code == 200

    async def test_other_methods(self, stored: Stored, film: tuple[str, bytes]) -> None:
        for method in ("POST", "PUT", "DELETE"):
            assert (await stored.workspace.public.request(method, film[0])).status_code == 405


class TestRanges:
    @pytest.mark.parametrize(
        ("asked", "start", "end"),
        [
            ("bytes=0-0", 0, 1),
            ("bytes=0-99", 0, 100),
            ("bytes=100-", 100, None),
            ("bytes=-100", -100, None),
            ("bytes=-99999999999", 0, None),
            ("bytes=5-99999999999", 5, None),
            ("bytes=1048570-2097160", 1048570, 2097161),
            ("bytes=0-", 0, None),
        ],
    )
    async def test_one(self, stored: Stored, film: tuple[str, bytes], asked: str, start: int, end: int | None) -> None:
        address, content = film
        response = await stored.workspace.public.get(address, headers={"range": asked})
        part = content[start:end]
        first = start % len(content)
        assert response.status_code == 206
        assert response.content == part
        assert response.headers["content-length"] == str(len(part))
        assert response.headers["content-range"] == f"bytes {first}-{first + len(part) - 1}/{len(content)}"

    @pytest.mark.parametrize(
        "asked",
        ["bytes=0-1,5-6", "bytes=-", "bytes=5-2", "bytes=a-b", "lines=1-2", "bytes", "", "bytes=--5", "bytes=1"],
    )
    async def test_invalid_range_returns_the_whole_file(
        self, stored: Stored, film: tuple[str, bytes], asked: str
    ) -> None:
        response = await stored.workspace.public.head(film[0], headers={"range": asked})
        assert (response.status_code, response.headers["content-length"]) == (200, str(len(film[1])))

    @pytest.mark.parametrize("asked", ["bytes=99999999-", "bytes=99999999-100000000", "bytes=-0"])
    async def test_beyond_the_end(self, stored: Stored, film: tuple[str, bytes], asked: str) -> None:
        response = await stored.workspace.public.get(film[0], headers={"range": asked})
        assert response.status_code == 416
        assert response.json()["code"] == "range_not_satisfiable"
        assert response.headers["content-range"] == f"bytes */{len(film[1])}"

    async def test_if_range(self, stored: Stored, film: tuple[str, bytes]) -> None:
        whole = await stored.workspace.public.head(film[0])
        for known, status in (
            (whole.headers["etag"], 206),
            (whole.headers["last-modified"], 206),
            ('"another"', 200),
            (f"W/{whole.headers['etag']}", 200),
        ):
            headers = {"range": "bytes=0-9", "if-range": known}
            assert (await stored.workspace.public.head(film[0], headers=headers)).status_code == status

    async def test_if_none_match_comes_first(self, stored: Stored, film: tuple[str, bytes]) -> None:
        headers = {"range": "bytes=0-9", "if-none-match": "*"}
        assert (await stored.workspace.public.get(film[0], headers=headers)).status_code == 304


class TestUnknown:
    @pytest.mark.parametrize(
        "path",
        [
            "/media/",
            "/media/x",
            "/media/{account}",
            "/media/{account}/",
            "/media/{account}/med_0",
            "/media/{account}/{media}/",
            "/media/{account}/{media}/x",
            "/media//{account}/{media}",
            "/media/{account}/../{account}/{media}",
            "/media/{account}%2F{media}x",
            "/media/..%2f..%2fetc%2fpasswd",
            "/media/%2e%2e/%2e%2e/run.json",
            "/media/{account}/..%5c..%5crun.json",
            "/media/{account}/{media}%00",
            "/media/{account}/{media}.png",
            "/media/acc_other/{media}",
            "/media/{account}/" + "a" * 5000,
            "/media/.signoff-probe",
        ],
    )
    async def test_is_not_found(self, real_service: RunningService, real_workspace: Workspace, path: str) -> None:
        [file] = await upload(real_workspace, png(seed=8))
        account, media = file["downloadURL"].split("/")[-2:]
        request = f"GET {path.format(account=account, media=media)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        response = send_raw(real_service.url, request)
        assert response.startswith(b"HTTP/1.1 404"), response
        assert b"application/problem+json" in response

    async def test_media_of_another_account(self, workspace: Workspace, service: Service) -> None:
        other = await open_second_account(service)
        [theirs] = await upload(other, png(seed=new_seed()))
        swapped = theirs["downloadURL"].replace(other.account_id, workspace.account_id)
        assert (await workspace.public.get(swapped)).status_code == 404

    @settings(max_examples=60, deadline=None)
    @given(path=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
    def test_only_media_is_served(self, client: httpx.Client, path: str) -> None:
        assume(path not in {".", ".."})  # these are sent in another form
        assert client.get(f"/media/{quote(path, safe='')}").status_code in {404, 400}

    async def test_lost_object(self, stored: Stored) -> None:
        before = stored.objects()
        [file] = await upload(stored.workspace, png(seed=new_seed()))
        [key] = stored.objects() - before
        stored.lose(key)
        response = await stored.workspace.public.get(file["downloadURL"])
        assert response.status_code == 404
        assert "object missing from storage" in stored.service.log.read_text()


def send_raw(url: str, request: str) -> bytes:
    where = urlsplit(url)
    with socket.create_connection((where.hostname, where.port), timeout=30) as line:
        line.sendall(request.encode())
        return b"".join(iter(lambda: line.recv(65536), b""))


class TestInterrupted:
    async def test_client_disconnect_ends_the_transfer(self, stored: Stored, film: tuple[str, bytes]) -> None:
        for _ in range(5):
            async with stored.workspace.public.stream("GET", film[0]) as response:
                async for _ in response.aiter_raw(1000):
                    break
        assert (await stored.workspace.public.get(film[0])).content == film[1]

    @pytest.mark.slow
    async def test_shutdown_during_a_transfer(self, tmp_path: Path) -> None:
        """With a reader who has stopped reading, so that the transfer can't end."""
        with running_service(tmp_path, max_file_bytes=100 * MIB, shutdown_grace=1) as service:
            workspace = await sign_in_workspace(service)
            [file] = await upload(workspace, mp4(data=bytes(60 * MIB)))
            where = urlsplit(file["downloadURL"])
            with socket.create_connection((where.hostname, where.port), timeout=30) as line:
                line.sendall(f"GET {where.path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
                assert line.recv(100).startswith(b"HTTP/1.1 200")
                service.process.send_signal(signal.SIGTERM)
                assert service.process.wait(60) == 0
            for word in ("panicked", "Fatal Python error", "Segmentation", "core dumped", "Traceback"):
                assert word not in service.log.read_text()
            await workspace.close()
