"""Uploads are data sent to the service: metered by sent bytes, and rejected beyond fair use like requests."""

import struct
import zlib
from collections.abc import AsyncGenerator

import pytest
from rate_limit_helpers import has_rate_headers
from support.api import Workspace, assert_error, assert_ok
from support.in_process import Service, StartService
from support.second_account import open_second_account
from usage_helpers import put_usage

from signoff.accounts.usage.months import month_start
from signoff.platform.clock import now
from signoff.platform.db import Database

BYTES = 10_000_000_000


@pytest.fixture(scope="module")
async def fair_use_service(start_service: StartService) -> AsyncGenerator[Service]:
    async with start_service(fair_use="refuse") as running:
        yield running


@pytest.fixture
async def account(fair_use_service: Service) -> AsyncGenerator[Workspace]:
    workspace = await open_second_account(fair_use_service)
    yield workspace
    await workspace.close()


@pytest.fixture
async def database(fair_use_service: Service) -> AsyncGenerator[Database]:
    db = await Database.connect(fair_use_service.dsn(), size=1)
    yield db
    await db.close()


def png(shade: int) -> bytes:
    """A single gray pixel."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, shade]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


async def used(account: Workspace) -> tuple[int, int]:
    usage = await assert_ok(account.owner.get("/usage"))
    return usage["reviewRequests"]["used"], usage["dataBytes"]["used"]


class TestUploads:
    async def test_count_sent_bytes(self, account: Workspace) -> None:
        first, second = png(1), png(2)
        await assert_ok(account.agent.post("/uploadFiles", files={"a": first, "b": second}))
        assert await used(account) == (0, len(first) + len(second))
        await assert_ok(account.agent.post("/uploadFiles", files={"a": first}))  # stored once, sent twice
        assert await used(account) == (0, 2 * len(first) + len(second))

    async def test_rejected_uploads_do_not_count(self, account: Workspace) -> None:
        await assert_error(account.agent.post("/uploadFiles", files={"a": png(1), "b": b"no picture"}), 422)
        await assert_error(account.agent.post("/uploadFiles", files={"a": png(1)[:-20]}), 422)
        assert await used(account) == (0, 0)

    async def test_at_the_limit(self, account: Workspace, database: Database) -> None:
        await assert_ok(account.owner.patch("/account", json={"plan": "starter"}))
        picture = png(3)
        await put_usage(database, account.account_id, month_start(now()), 0, BYTES - len(picture))
        await assert_ok(account.agent.post("/uploadFiles", files={"a": picture}))
        response = await account.agent.post("/uploadFiles", files={"a": picture})
        assert has_rate_headers(response)
        assert int(response.headers["retry-after"]) >= 1
        assert (response.status_code, response.json()["code"]) == (429, "fair_use_exceeded")
        assert (response.json()["limit"], response.json()["used"]) == ("dataBytes", BYTES)
        assert await used(account) == (0, BYTES)


class TestRequests:
    async def test_rejected_if_fair_use_is_enforced(self, account: Workspace, database: Database) -> None:
        form = await account.make_form()
        await assert_ok(account.owner.patch("/account", json={"plan": "business"}))
        await put_usage(database, account.account_id, month_start(now()), 10_000)
        body = {"formId": form["formId"], "data": {"draft": {"headline": "News"}}}
        await assert_error(account.agent.post("/requestReview", json=body), 429, "fair_use_exceeded")
        assert (await assert_ok(account.owner.get("/usage")))["enforced"] is True
