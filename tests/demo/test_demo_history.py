"""The demo's past: what services write gets the time of the history, everywhere, and nobody else notices."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial

from signoff.accounts.setup import ensure_workspace
from signoff.accounts.users.actions import insert_user
from signoff.demo.seed.history import History
from signoff.platform import clock
from signoff.platform.db import Database
from signoff.platform.ids import id_at, new_id

THEN = datetime(2025, 3, 4, 9, 30, tzinfo=UTC)


class TestClock:
    async def test_is_set_for_one_task_only(self) -> None:
        is_set, is_read = asyncio.Event(), asyncio.Event()

        async def live_in_the_past() -> None:
            with clock.set_clock(THEN):
                is_set.set()
                await is_read.wait()
                assert clock.now() == THEN
                assert new_id("rev").startswith(id_at("rev", THEN))
            assert clock.now() > THEN

        past = asyncio.create_task(live_in_the_past())
        await is_set.wait()
        assert clock.now() > THEN
        assert not new_id("rev").startswith(id_at("rev", THEN))
        is_read.set()
        await past


class TestHistory:
    async def test_times_of_statements_and_defaults(self, empty_db: Database) -> None:
        assert await ensure_workspace(empty_db)
        account_id = await empty_db.fetchval("select account_id from accounts")
        later = THEN + timedelta(days=1)
        async with empty_db.transaction() as tx, History.open(empty_db, tx) as history:
            for at, name in ((THEN, "ada"), (later, "bob")):
                email = f"{name}@example.com"
                await history.do(at, partial(insert_user, history, account_id, email, name, "reviewer"))
            update = "update users set last_sign_in_at = now() - interval '1 hour' where name = 'ada'"
            await history.do(later, partial(history.execute, update))
        rows = await empty_db.fetch("select name, created_at, last_sign_in_at from users where name <> 'owner'")
        assert {row["name"]: (row["created_at"], row["last_sign_in_at"]) for row in rows} == {
            "ada": (THEN, later - timedelta(hours=1)),
            "bob": (later, None),
        }
        owner = await empty_db.fetchrow("select created_at, now() as now from users where name = 'owner'")
        assert owner is not None
        assert THEN + timedelta(days=2) < owner["created_at"] < owner["now"]
        assert not await empty_db.fetchval("select exists (select from pg_namespace where nspname = 'demo_clock')")
