"""Exports larger than memory: memory use, slow clients, clients that disconnect, a lost database."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import httpx
import psutil
import pyarrow.parquet
import pytest
from export_helpers import DRAFT, exported, lines
from support.api import Workspace, assert_ok, workspace_of
from support.in_process import Service, StartService
from support.service_process import RunningService, running_service

REVIEWS = 10_000
FILL = """
    with made as (
        select 'rev_' || lpad(to_hex(1794476175520 + n), 12, '0') || lpad(to_hex(n), 16, '0') as review_id, n,
               '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' as at,
               repeat(md5(n::text), 190) as text
        from generate_series($5::integer + 1, $5::integer + $3::integer) as n
    ), reviews_made as (
        insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, state,
                             response, responding_user, responding_user_id, responded_at, created_at)
        select $1, review_id, $4, $2, 1, 'Wide', 'ses_x', 'responded', 'approved', 'a', 'a', at, at from made
    ), revisions_made as (
        insert into review_revisions (account_id, review_id, revision, data)
        select $1, review_id, 1, json_build_object('headline', n::text, 'body', text) from made
    )
    insert into review_results (account_id, review_id, data, response_values)
    select $1, review_id, '{}', json_build_object(
        'headline', json_build_object('value', 'edited ' || n, 'wasEdited', true),
        'body', json_build_object('value', text, 'wasEdited', false)) from made
"""


@pytest.fixture(scope="module")
async def own_service(start_service: StartService) -> AsyncIterator[Service]:
    """A separate service, because its database is lost during the test."""
    async with start_service(worker=False) as running:
        yield running


@pytest.fixture(scope="module")
async def own_workspace(own_service: Service) -> AsyncIterator[Workspace]:
    async with workspace_of(own_service) as workspace:
        yield workspace


class MeasuredService(NamedTuple):
    """A separate process, so that its memory can be measured."""

    service: RunningService
    workspace: Workspace
    form: dict[str, Any]


@pytest.fixture(scope="module")
async def measured_service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MeasuredService]:
    with running_service(tmp_path_factory.mktemp("export")) as service:
        async with workspace_of(service) as workspace:
            yield MeasuredService(service, workspace, await create_responses(service, workspace, REVIEWS, after=0))


async def create_responses(
    service: Service | RunningService, workspace: Workspace, count: int, after: int
) -> dict[str, Any]:
    """Numbered from the one after `after`: no two review types have the same numbers."""
    form = await workspace.make_form(**DRAFT)
    connection = await asyncpg.connect(service.dsn())
    try:
        await connection.execute(FILL, workspace.account_id, form["formId"], count, form["agentId"], after)
        await connection.execute("analyze reviews, review_revisions, review_results")
    finally:
        await connection.close()
    return form


@pytest.fixture(scope="module")
async def many_responses(own_service: Service, own_workspace: Workspace) -> dict[str, Any]:
    """A review type with ten thousand decided reviews of some 12 KB each."""
    return await create_responses(own_service, own_workspace, REVIEWS, after=0)


def memory_of_api(service: RunningService) -> int:
    parent = psutil.Process(service.child("api"))
    return sum(process.memory_info().rss for process in (parent, *parent.children(recursive=True)))


def streaming(workspace: Workspace, form: dict[str, Any], **params: Any) -> Any:
    return workspace.agent.stream("GET", "/responses/export", params={"formId": form["formId"], **params})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file_format", "shape", "least"),
    [
        ("jsonl", "pairs", 110),
        ("csv", "pairs", 110),
        ("parquet", "pairs", 0),
        ("jsonl", "dpo", 110),
        ("parquet", "dpo-conversational", 0),
    ],
)
async def test_memory_stays_flat(measured_service: MeasuredService, file_format: str, shape: str, least: int) -> None:
    own_service, own_workspace, wide = measured_service
    params = {"format": file_format, "shape": shape}
    await exported(own_workspace.agent, wide, **params, limit=1000)  # loaded modules stay loaded
    before, most, received = memory_of_api(own_service), 0, 0
    async with streaming(own_workspace, wide, **params) as response:
        async for piece in response.aiter_bytes(4 * 1024 * 1024):
            received += len(piece)
            most = max(most, memory_of_api(own_service))
    assert received >= least * 1024 * 1024
    assert most - before < 60 * 1024 * 1024


@pytest.mark.slow
async def test_memory_stays_flat_with_a_slow_client(measured_service: MeasuredService) -> None:
    """A client that doesn't read occupies neither memory nor a database connection."""
    own_service, own_workspace, wide = measured_service
    await exported(own_workspace.agent, wide, limit=1000)
    connection = await asyncpg.connect(own_service.dsn())
    try:
        before, read_before = memory_of_api(own_service), await wait_until_settled(connection)
        async with streaming(own_workspace, wide) as response:
            await anext(response.aiter_bytes(1024))
            read = await wait_until_settled(connection) - read_before
            assert read < REVIEWS, "everything was read though nobody took it"
            assert await busy_connections(connection) == 0
            assert memory_of_api(own_service) - before < 60 * 1024 * 1024
    finally:
        await connection.close()


async def test_stalled_client_that_leaves_holds_no_resources(
    own_service: Service, own_workspace: Workspace, many_responses: dict[str, Any]
) -> None:
    """Neither a database connection while it stalls, nor anything after that."""
    connection, ended = await asyncpg.connect(own_service.dsn()), wait_until_exports_ended(own_service)
    try:
        async with streaming(own_workspace, many_responses) as response:
            await anext(response.aiter_bytes(1024))
            async with asyncio.timeout(20):
                while await busy_connections(connection):  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(0.02)
            assert wait_until_exports_ended(own_service) == ended
        async with asyncio.timeout(20):
            while wait_until_exports_ended(own_service) == ended:  # noqa: ASYNC110 - it's in the log
                await asyncio.sleep(0.02)
    finally:
        await connection.close()


@pytest.mark.slow
async def test_client_disconnect_ends_the_export(measured_service: MeasuredService) -> None:
    own_service, own_workspace, wide = measured_service
    connection = await asyncpg.connect(own_service.dsn())
    try:
        before, ended = await wait_until_settled(connection), wait_until_exports_ended(own_service)
        async with streaming(own_workspace, wide) as response:
            await anext(response.aiter_bytes(1024))
        async with asyncio.timeout(30):
            while wait_until_exports_ended(own_service) == ended:  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.02)
        assert await wait_until_settled(connection) - before < REVIEWS
    finally:
        await connection.close()


async def test_every_line_is_exported_in_order(own_workspace: Workspace, many_responses: dict[str, Any]) -> None:
    async with streaming(own_workspace, many_responses, fieldIds="headline") as response:
        fields = [json.loads(line)["fields"] async for line in response.aiter_lines()]
    numbers = [int(field["headline"]["suggestedValue"]) for field in fields]
    assert numbers == list(range(1, REVIEWS + 1))


async def test_parquet_row_groups_are_limited(
    own_workspace: Workspace, many_responses: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "export.parquet"
    with path.open("wb") as file:
        async with streaming(own_workspace, many_responses, format="parquet") as response:
            async for piece in response.aiter_bytes():
                file.write(piece)
    file = pyarrow.parquet.ParquetFile(path)
    assert file.metadata.num_rows == REVIEWS
    assert file.metadata.num_row_groups > 10
    numbers = [int(number) for number in file.read(["headline.suggested"]).column(0).to_pylist()]
    assert numbers == list(range(1, REVIEWS + 1))


async def test_deletion_during_the_export(own_service: Service, own_workspace: Workspace) -> None:
    """Responses deleted before their turn are left out; all others are there."""
    count = 3_000
    form = await create_responses(own_service, own_workspace, count, after=REVIEWS)
    last = (await lines(own_workspace.agent, form, after=cursor_of(REVIEWS + count - 1), fieldIds="headline"))[0]
    async with streaming(own_workspace, form) as response:
        taken = response.aiter_lines()
        first = await anext(taken)
        await assert_ok(own_workspace.agent.delete(f"/reviews/{last['reviewId']}"))
        rest = [line async for line in taken]
    exported_ids = [json.loads(line)["reviewId"] for line in (first, *rest)]
    assert len(exported_ids) == count - 1
    assert last["reviewId"] not in exported_ids


@pytest.mark.parametrize("file_format", ["jsonl", "csv", "parquet"])
async def test_lost_database_aborts_the_export(
    own_service: Service, own_workspace: Workspace, many_responses: dict[str, Any], file_format: str
) -> None:
    """The client must not take half a file for a whole one."""
    database = urlsplit(own_service.dsn()).path.strip("/")
    connection = await asyncpg.connect(elsewhere(own_service.dsn()))
    try:
        async with streaming(own_workspace, many_responses, format=file_format) as response:
            taken = response.aiter_bytes(1024)
            await anext(taken)
            await connection.execute(f'alter database "{database}" allow_connections false')
            await connection.execute(
                "select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = $1", database
            )
            with pytest.raises(httpx.RemoteProtocolError):
                [piece async for piece in taken]
    finally:
        await connection.execute(f'alter database "{database}" allow_connections true')
        await connection.close()
    assert len(await lines(own_workspace.agent, many_responses, limit=3)) == 3


async def test_parquet_is_an_extra(own_workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else works without it."""
    form = await own_workspace.make_form(**DRAFT)
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    params = {"formId": form["formId"]}
    response = await own_workspace.manager.get("/responses/export", params={**params, "format": "parquet"})
    assert response.status_code == 422
    assert response.json()["code"] == "parquet_not_installed"
    assert "signoff[parquet]" in response.json()["detail"]
    csv = await own_workspace.manager.get("/responses/export", params={**params, "format": "csv"})
    assert csv.status_code == 200


@pytest.mark.slow
def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It's an optional extra; everything else works without it."""
    missing = tmp_path / "missing" / "pyarrow"
    missing.mkdir(parents=True)
    (missing / "__init__.py").write_text("raise ModuleNotFoundError('No module named pyarrow', name='pyarrow')")
    monkeypatch.setenv("PYTHONPATH", str(missing.parent))
    with (
        running_service(tmp_path) as service,
        httpx.Client(
            base_url=service.api, headers={"x-api-key": service.workspace["manageKey"]}, timeout=60
        ) as manager,
    ):
        agent = manager.post("/agents", json={"name": "agent"}).json()["agentId"]
        form = manager.post("/forms", json={**DRAFT, "name": "form", "agentId": agent}).json()
        params = {"formId": form["formId"]}
        response = manager.get("/responses/export", params={**params, "format": "parquet"})
        assert response.status_code == 422
        assert response.json()["code"] == "parquet_not_installed"
        assert "signoff[parquet]" in response.json()["detail"]
        assert manager.get("/responses/export", params={**params, "format": "csv"}).status_code == 200


def cursor_of(number: int) -> str:
    seconds = 1767225600 + number  # 2026-01-01 and this many seconds
    return f"{seconds}000000_rev_{1794476175520 + number:012x}{number:016x}"


def elsewhere(dsn: str) -> str:
    """The same server, another database."""
    return urlunsplit(urlsplit(dsn)._replace(path="/postgres"))


def wait_until_exports_ended(service: Service | RunningService) -> int:
    return len(re.findall(r'"path": ?"/api/v1/responses/export"', service.log.read_text()))


async def wait_until_settled(connection: Any) -> int:
    """The total number of payload reads, once it no longer changes."""
    read, previous = -1, -2
    while read != previous:
        previous = read
        await asyncio.sleep(1.5)  # backends report their statistics at most once a second
        read = await connection.fetchval(
            "select idx_tup_fetch from pg_stat_user_tables where relname = 'review_results'"
        )
    return read


async def busy_connections(connection: Any) -> int:
    return await connection.fetchval(
        "select count(*) from pg_stat_activity where datname = current_database() "
        "and application_name = 'signoff api' and state <> 'idle'"
    )
