"""System-wide invariants that no part tests on its own. ARCHITECTURE.md lists them."""

import ast
import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from aiohttp import web
from support.api import DATA, Workspace, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.receiver import Call, Receiver

SOURCES = Path(__file__).parents[2] / "src" / "signoff"
OPEN_TRANSACTIONS = """
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
"""


@pytest.fixture(scope="module")
async def own_service(start_service: StartService) -> AsyncIterator[Service]:
    """A separate service, because its database is changed in ways that would break other tests."""
    async with start_service() as service:
        yield service


@pytest.fixture(scope="module")
async def own_workspace(own_service: Service) -> Workspace:
    return await sign_in_workspace(own_service)


@pytest.fixture
async def database(own_service: Service) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(own_service.dsn())
    yield connection
    await connection.close()


class TestOneTransaction:
    """State, audit entry, event, deliveries and jobs are written together."""

    WRITTEN = ("reviews", "review_results", "events", "deliveries", "outgoing_messages", "audit_log", "jobs")

    @asynccontextmanager
    async def refused_by(self, database: asyncpg.Connection, table: str) -> AsyncIterator[None]:
        """Makes the table read-only."""
        await database.execute("""
            create or replace function refuse() returns trigger language plpgsql
            as $$ begin raise exception 'refused for a test'; end $$
        """)
        await database.execute(f"create trigger refuse before insert or update on {table} execute function refuse()")
        try:
            yield
        finally:
            await database.execute(f"drop trigger refuse on {table}")

    async def written(self, database: asyncpg.Connection, review_id: str) -> dict[str, Any]:
        counted = ("review_results", "events", "deliveries")
        return {
            "review": await database.fetchrow("select * from reviews where review_id = $1", review_id),
            "audit": await database.fetchval("select count(*) from audit_log"),
            **{
                table: await database.fetchval(f"select count(*) from {table} where review_id = $1", review_id)  # noqa: S608
                for table in counted
            },
        }

    @pytest.mark.parametrize("table", WRITTEN)
    async def test_decision_is_atomic(
        self, own_workspace: Workspace, receiver: Receiver, database: asyncpg.Connection, table: str
    ) -> None:
        path = "/" + unique("whole")
        form = await own_workspace.make_form()
        review_id = (await own_workspace.request(form, webhookUrl=receiver.url + path))["reviewId"]
        before = await self.written(database, review_id)
        async with self.refused_by(database, table):
            answer = await own_workspace.owner.post(f"/reviews/{review_id}/response", json={"response": "approved"})
            assert answer.status_code == 500
        assert await self.written(database, review_id) == before
        await own_workspace.decide(review_id)
        [call] = await receiver.wait_for(path)
        assert call.json["reviewId"] == review_id

    @pytest.mark.parametrize("table", ["reviews", "review_revisions", "audit_log"])
    async def test_request_is_atomic(self, own_workspace: Workspace, database: asyncpg.Connection, table: str) -> None:
        form = await own_workspace.make_form()
        count = "select (select count(*) from reviews) + (select count(*) from audit_log)"
        before = await database.fetchval(count)
        async with self.refused_by(database, table):
            asked = {"formId": form["formId"], "data": DATA}
            assert (await own_workspace.agent.post("/requestReview", json=asked)).status_code == 500
        assert await database.fetchval(count) == before

    async def test_no_http_calls_inside_a_transaction(
        self, database: asyncpg.Connection, own_workspace: Workspace, receiver: Receiver
    ) -> None:
        """A transaction around the call would stay open until the receiver has responded."""
        path = "/" + unique("outside")

        async def answer_when_none_is_open(_: Call) -> web.StreamResponse:
            async with asyncio.timeout(5):
                while await database.fetchval(OPEN_TRANSACTIONS):  # noqa: ASYNC110 - nobody tells of it
                    await asyncio.sleep(0.01)
            return web.Response()

        receiver.answer(path, answer_when_none_is_open)
        form = await own_workspace.make_form()
        asked = await own_workspace.request(form, webhookUrl=receiver.url + path)
        decided = await own_workspace.decide(asked["reviewId"])
        record = await own_workspace.delivery(decided["webhookDeliveryId"], "succeeded")
        assert len(record["attempts"]) == 1


class TestPayloads:
    """Lists and counts read narrow tables: they respond while the payload tables are unavailable."""

    HEAVY = ("review_revisions", "review_drafts", "form_versions")

    @pytest.fixture
    async def _without_payloads(
        self, own_workspace: Workspace, database: asyncpg.Connection, receiver: Receiver
    ) -> AsyncIterator[None]:
        form = await own_workspace.make_form()
        await own_workspace.request(form, webhookUrl=receiver.url + "/" + unique("narrow"))
        for table in self.HEAVY:
            await database.execute(f"alter table {table} rename to {table}_away")
        yield
        for table in self.HEAVY:
            await database.execute(f"alter table {table}_away rename to {table}")

    @pytest.mark.usefixtures("_without_payloads")
    @pytest.mark.parametrize(
        "path",
        ["/reviews", "/reviews?state=pending", "/reviews?q=autumn", "/inbox/counts", "/runs", "/sessions",
         "/webhooks/deliveries", "/outgoingMessages", "/auditLog", "/agents"],
    )  # fmt: skip
    async def test_stay_out_of_lists(self, own_workspace: Workspace, path: str) -> None:
        await assert_ok(own_workspace.owner.get(path))

    @pytest.mark.usefixtures("_without_payloads")
    async def test_are_read_for_one_review(self, own_workspace: Workspace) -> None:
        """If they weren't unavailable, the lists would prove nothing."""
        review_id = (await assert_ok(own_workspace.owner.get("/reviews")))["items"][0]["reviewId"]
        assert (await own_workspace.owner.get(f"/reviews/{review_id}")).status_code == 500


class TestConnections:
    async def test_are_returned_to_the_pool_clean(self, own_service: Service, own_workspace: Workspace) -> None:
        """After calls of all kinds, also failed ones: no settings, listeners, locks or session objects are left."""
        form = await own_workspace.make_form()
        asked = [await own_workspace.request(form) for _ in range(3)]
        await own_workspace.decide(asked[0]["reviewId"])
        await own_workspace.owner.post(f"/reviews/{asked[0]['reviewId']}/response", json={"response": "approved"})
        for path in (
            "/reviews?q=autumn",
            "/insights",
            f"/fetchResponses?formId={form['formId']}&fieldIds=body",
            "/users",
        ):
            await assert_ok(own_workspace.owner.get(path))
        pool = own_service.app.state.context.db.pool
        held = [await pool.acquire() for _ in range(pool.get_size())]
        try:
            for connection in held:
                left = await connection.fetch("""
                    select name, setting from pg_settings
                           where source = 'session' and setting is distinct from reset_val
                    union all select 'listening', * from pg_listening_channels()
                    union all select 'lock', objid::text from pg_locks
                              where locktype = 'advisory' and pid = pg_backend_pid()
                    union all select 'table', relname from pg_class where relnamespace = pg_my_temp_schema()
                """)
                assert [tuple(row) for row in left] == []
        finally:
            for connection in held:
                await pool.release(connection)


class TestSecrets:
    async def test_are_stored_as_hashes_and_never_logged(
        self, own_service: Service, own_workspace: Workspace, database: asyncpg.Connection
    ) -> None:
        """Secrets that are only compared appear in no row of any table and not in the log."""
        asked = await own_workspace.request(await own_workspace.make_form(), extReviewers=["someone@example.org"])
        made = await assert_ok(own_workspace.owner.post("/apiKeys", json={"name": unique("key")}))
        _, member = await own_workspace.make_person()
        secrets = {
            "key": made["apiKey"],
            "session": next(iter(member.cookies.values())),
            "link": httpx.URL(asked["extReviewerLinks"][0]["link"]).params["token"],
        }
        everything = own_service.log.read_text()
        for (table,) in await database.fetch(
            "select quote_ident(tablename) from pg_tables where schemaname = 'public'"
        ):
            rows = await database.fetch(f"select t::text from {table} as t")  # noqa: S608
            everything += "".join(row[0] for row in rows)
        assert asked["reviewId"] in everything
        assert [name for name, secret in secrets.items() if secret in everything] == []


class TestOutgoingCalls:
    """Every call to a user-supplied URL uses `GuardedClient`."""

    CLIENTS = ("aiohttp", "httpx", "requests", "urllib.request", "http.client", "urllib3")
    # The guard itself; code that calls only the service; URLs that the operator configured.
    ALLOWED = (
        "platform/guarded_http",
        "demo/agent",
        "mcp_server",
        "processes/supervisor.py",
        "doctor.py",
        "accounts/oidc",
    )

    def test_use_the_guarded_client(self) -> None:
        strange = [
            f"{path.relative_to(SOURCES)} imports {name}"
            for path in sorted(SOURCES.rglob("*.py"))
            for name in imported(path)
            if name.startswith(self.CLIENTS)
            if not path.relative_to(SOURCES).as_posix().startswith(self.ALLOWED)
        ]
        assert not strange


class TestPureDecisions:
    """Clock, randomness and database are parameters, so that a decision depends only on its arguments."""

    PURE = ("platform/outbox/retry_policy.py", "forms/rules.py", "platform/operators.py", "accounts/actors.py")
    IMPURE = ("asyncio", "random", "secrets", "time", "asyncpg", "signoff.platform.db", "signoff.platform.clock")

    @pytest.mark.parametrize("name", PURE)
    def test_use_no_clock_randomness_or_database(self, name: str) -> None:
        assert not [module for module in imported(SOURCES / name) if module in self.IMPURE]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
