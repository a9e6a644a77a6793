"""When a demo is planned, and that own content is never taken for demo content."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from signoff.accounts.actors import DEFAULT_SCOPES, system_actor
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.setup import create_account, ensure_workspace
from signoff.accounts.users.actions import insert_user
from signoff.demo.availability import find_demo, plan_demo
from signoff.demo.errors import NoDemo
from signoff.demo.removal import remove_demo
from signoff.demo.seed.seeder import seed_workspace
from signoff.demo.state import read_state
from signoff.platform.db import Database
from signoff.platform.settings import Settings, load_settings

Touch = Callable[[Database, str], Awaitable[Any]]


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return load_settings(data_dir=tmp_path_factory.mktemp("offered"))


@pytest.fixture
async def account_id(empty_db: Database) -> str:
    """The account ID of the workspace that a first start creates."""
    assert await ensure_workspace(empty_db)
    return await empty_db.fetchval("select account_id from accounts")


async def add_agent(db: Database, account_id: str) -> None:
    await db.execute(
        "insert into agents (agent_id, account_id, name, webhook_secret) values ('agt_own', $1, 'Own', 'x')", account_id
    )


async def add_review_type(db: Database, account_id: str) -> None:
    await db.execute(
        "insert into forms (form_id, account_id, name, version) values ('frm_own', $1, 'Own', 1)", account_id
    )


async def add_person(db: Database, account_id: str) -> None:
    await insert_user(db, account_id, "second@example.com", None, "reviewer")


TOUCHED: dict[str, Touch] = {
    "an agent": add_agent,
    "a review type": add_review_type,
    "a second person": add_person,
    "a key": lambda db, account_id: insert_key(db, system_actor(account_id, "test"), "own", DEFAULT_SCOPES, "test"),
    "a password": lambda db, _: db.execute("update users set password_hash = 'x'"),
    "a sign-in": lambda db, _: db.execute("update users set last_sign_in_at = now()"),
    "a second account": lambda db, _: create_account(db, email="b@example.com", password_hash=None, name="B"),
    "a demo that was removed": lambda db, account_id: db.execute(
        "insert into demo_workspaces (account_id, removed_at) values ($1, now())", account_id
    ),
}


async def test_available_before_the_first_sign_in(empty_db: Database, account_id: str, settings: Settings) -> None:
    assert await plan_demo(settings, empty_db)
    assert await find_demo(empty_db) == account_id


@pytest.mark.parametrize("touch", TOUCHED.values(), ids=TOUCHED.keys())
async def test_not_available_in_a_used_workspace(
    empty_db: Database, account_id: str, settings: Settings, touch: Touch
) -> None:
    await touch(empty_db, account_id)
    assert not await plan_demo(settings, empty_db)
    assert await find_demo(empty_db) is None


class TestPlannedButUsed:
    """The start that planned it was interrupted, or seeding failed, and members have started to work."""

    @pytest.fixture
    async def planned(self, empty_db: Database, account_id: str, settings: Settings) -> str:
        assert await plan_demo(settings, empty_db)
        return account_id

    @pytest.mark.parametrize("touch", [add_agent, add_review_type, add_person])
    async def test_is_not_seeded(self, empty_db: Database, planned: str, settings: Settings, touch: Touch) -> None:
        await touch(empty_db, planned)
        before = await empty_db.fetchval("select count(*) from agents")
        await seed_workspace(empty_db, settings, planned, lambda _: None)
        assert await empty_db.fetchval("select count(*) from agents") == before
        assert await find_demo(empty_db) is None

    async def test_is_not_deleted(self, empty_db: Database, planned: str) -> None:
        await add_agent(empty_db, planned)
        await remove_demo(empty_db, planned, system_actor(planned, "test"))
        assert await empty_db.fetchval("select name from agents") == "Own"
        with pytest.raises(NoDemo):
            await remove_demo(empty_db, planned, system_actor(planned, "test"))

    async def test_a_start_without_the_demo_cancels_it(
        self, empty_db: Database, planned: str, settings: Settings
    ) -> None:
        assert not await plan_demo(settings.model_copy(update={"demo": False}), empty_db)
        assert await empty_db.fetchval("select count(*) from demo_workspaces") == 0

    async def test_waiting_ends_without_a_worker(self, empty_db: Database, planned: str) -> None:
        assert (await read_state(empty_db, planned)).state == "filling"
        await empty_db.execute("update demo_workspaces set planned_at = now() - interval '1 hour'")
        assert (await read_state(empty_db, planned)).state == "none"


async def test_an_older_database(empty_db: Database) -> None:
    await empty_db.execute("drop table demo_workspaces")
    assert await find_demo(empty_db) is None
