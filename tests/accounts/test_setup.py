import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from accounts_helpers import PASSWORD, token_from_link

from signoff.accounts.errors import AlreadySetUp
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import (
    PLACEHOLDER_EMAIL,
    Workspace,
    create_first_run_link,
    create_workspace,
    ensure_workspace,
    find_unclaimed_owner,
)
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.errors import InvalidRequest, NotFound
from signoff.platform.settings import Settings
from signoff.platform.tokens import token_hash


async def counts(db: Database) -> dict[str, int]:
    tables = ("accounts", "users", "api_keys", "audit_log")
    return {table: await db.fetchval(f"select count(*) from {table}") for table in tables}  # noqa: S608


class TestCreateWorkspace:
    async def test_creates_account_owner_and_keys(self, empty_db: Database) -> None:
        workspace = await create_workspace(empty_db, email=" Anna@Example.COM ", password=PASSWORD, name="Acme")
        account = await empty_db.fetchrow("select * from accounts")
        user = await empty_db.fetchrow("select * from users")
        keys = await empty_db.fetch("select * from api_keys order by name")
        assert account is not None
        assert user is not None
        assert (account["account_id"], account["name"], account["plan"]) == (
            workspace.account_id,
            "Acme",
            "self-hosted",
        )
        assert account["audit_webhook_secret"].startswith("whsec_")
        assert (user["user_id"], user["email"], user["name"]) == (workspace.user_id, "anna@example.com", "anna")
        assert user["role"] == "owner"
        assert await passwords.matches(PASSWORD, user["password_hash"])
        assert [(key["name"], key["scopes"]) for key in keys] == [
            ("default", ["reviews:write", "reviews:read"]),
            ("manage", ["manage"]),
        ]
        assert [key["hash"] for key in keys] == [token_hash(workspace.api_key), token_hash(workspace.manage_key)]
        assert workspace.api_key.startswith("sgn_")
        actions = await empty_db.fetch("select action, account_id from audit_log order by entry_id")
        assert [row["action"] for row in actions] == ["account.created", "user.created", "key.created", "key.created"]
        assert {row["account_id"] for row in actions} == {workspace.account_id}

    async def test_without_name_and_password(self, empty_db: Database) -> None:
        await create_workspace(empty_db, email="anna@example.com", password=None, name=None)
        assert await empty_db.fetchval("select name from accounts") == "My workspace"
        assert await empty_db.fetchval("select password_hash from users") is None

    async def test_second_call_changes_nothing(self, empty_db: Database) -> None:
        await create_workspace(empty_db, email="anna@example.com", password=None, name=None)
        before = await counts(empty_db)
        with pytest.raises(AlreadySetUp):
            await create_workspace(empty_db, email="bob@example.com", password=PASSWORD, name="Other")
        assert await ensure_workspace(empty_db) is False
        assert await counts(empty_db) == before

    async def test_concurrent_calls(self, empty_db: Database) -> None:
        attempts = [
            create_workspace(empty_db, email=f"owner{n}@example.com", password=None, name=None) for n in range(8)
        ]
        outcomes = Counter(type(outcome) for outcome in await asyncio.gather(*attempts, return_exceptions=True))
        assert outcomes == {Workspace: 1, AlreadySetUp: 7}
        assert await counts(empty_db) == {"accounts": 1, "users": 1, "api_keys": 2, "audit_log": 4}

    async def test_reports_all_errors_and_changes_nothing(self, empty_db: Database) -> None:
        with pytest.raises(InvalidRequest) as refused:
            await create_workspace(empty_db, email="nobody", password="short", name="  ")
        assert [error.path for error in refused.value.errors] == ["email", "password", "name"]
        assert set((await counts(empty_db)).values()) == {0}


class TestEnsureWorkspace:
    async def test_on_an_empty_database(self, empty_db: Database) -> None:
        assert await ensure_workspace(empty_db) is True
        assert await empty_db.fetchval("select email from users") == PLACEHOLDER_EMAIL
        assert (await counts(empty_db))["api_keys"] == 0

    async def test_processes_starting_together(self, empty_db: Database) -> None:
        results = await asyncio.gather(*(ensure_workspace(empty_db) for _ in range(6)))
        assert sorted(results) == [False] * 5 + [True]
        assert (await counts(empty_db))["accounts"] == 1


class TestOverThePlaceholder:
    async def test_placeholder_never_used(self, empty_db: Database, settings: Settings) -> None:
        await ensure_workspace(empty_db)
        await create_first_run_link(empty_db, settings)
        workspace = await create_workspace(empty_db, email="anna@example.com", password=None, name="Acme")
        assert await counts(empty_db) == {"accounts": 1, "users": 1, "api_keys": 2, "audit_log": 4}
        assert await empty_db.fetchval("select account_id from users") == workspace.account_id
        assert await empty_db.fetchval("select count(*) from sign_in_links") == 0

    @pytest.mark.parametrize("trace", ["last_sign_in_at = now()", "password_hash = 'x'"])
    async def test_placeholder_in_use(self, empty_db: Database, trace: str) -> None:
        await ensure_workspace(empty_db)
        await empty_db.execute(f"update users set {trace}")  # noqa: S608
        before = await counts(empty_db)
        with pytest.raises(AlreadySetUp):
            await create_workspace(empty_db, email="anna@example.com", password=None, name=None)
        assert await counts(empty_db) == before


class TestFirstRunOwner:
    async def test_none_in_an_empty_database(self, empty_db: Database) -> None:
        assert await find_unclaimed_owner(empty_db) is None

    async def test_until_the_first_sign_in(self, empty_db: Database) -> None:
        await ensure_workspace(empty_db)
        owner = await empty_db.fetchval("select user_id from users")
        assert await find_unclaimed_owner(empty_db) == owner
        await empty_db.execute("update users set last_sign_in_at = now()")
        assert await find_unclaimed_owner(empty_db) is None

    async def test_not_an_owner_with_a_password(self, empty_db: Database) -> None:
        await create_workspace(empty_db, email="anna@example.com", password=PASSWORD, name=None)
        assert await find_unclaimed_owner(empty_db) is None


class TestFirstRunLink:
    async def test_is_for_the_first_owner_and_lasts_a_day(self, empty_db: Database, settings: Settings) -> None:
        workspace = await create_workspace(empty_db, email="anna@example.com", password=None, name=None)
        link = await create_first_run_link(empty_db, settings)
        row = await empty_db.fetchrow("select * from sign_in_links")
        assert row is not None
        assert (row["token_hash"], row["user_id"]) == (token_hash(token_from_link(link)), workspace.user_id)
        assert timedelta(hours=23, minutes=59) < row["expires_at"] - now() <= timedelta(hours=24)

    async def test_unknown_user(self, empty_db: Database, settings: Settings) -> None:
        with pytest.raises(NotFound):
            await create_first_run_link(empty_db, settings)
        await ensure_workspace(empty_db)
        with pytest.raises(NotFound):
            await create_first_run_link(empty_db, settings, "usr_unknown")
