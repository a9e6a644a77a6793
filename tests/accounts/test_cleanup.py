import httpx
from accounts_helpers import NewClient, Workspace, problem_of, token_from_link

from signoff.accounts.cleanup import delete_expired
from signoff.accounts.setup import create_first_run_link
from signoff.platform.db import Database
from signoff.platform.settings import Settings
from signoff.platform.tokens import token_hash


class TestPurgeExpired:
    async def test_keeps_unexpired_rows(
        self,
        owner: httpx.AsyncClient,
        client: httpx.AsyncClient,
        workspace: Workspace,
        db: Database,
        settings: Settings,
    ) -> None:
        token = token_from_link(await create_first_run_link(db, settings, workspace.user_id))
        await client.post("/auth/login", json={"email": workspace.email, "password": "wrong horse battery"})
        await delete_expired(db)
        assert (await owner.get("/auth/me")).status_code == 200
        assert await db.fetchval("select count(*) from sign_in_failures where email = $1", workspace.email) == 1
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200

    async def test_removes_expired_rows(
        self, owner: httpx.AsyncClient, new_client: NewClient, workspace: Workspace, db: Database, settings: Settings
    ) -> None:
        recent, old = [token_from_link(await create_first_run_link(db, settings, workspace.user_id)) for _ in range(2)]
        age = "update sign_in_links set expires_at = now() - $2::text::interval where token_hash = $1"
        await db.execute(age, token_hash(recent), "29 days")
        await db.execute(age, token_hash(old), "31 days")
        await db.execute("update sign_in_sessions set expires_at = now() where user_id = $1", workspace.user_id)
        await new_client().post("/auth/login", json={"email": workspace.email, "password": "wrong horse battery"})
        await db.execute(
            "update sign_in_failures set failed_at = now() - interval '16 minutes' where email = $1", workspace.email
        )
        await delete_expired(db)
        await delete_expired(db)
        assert await db.fetchval("select count(*) from sign_in_sessions where user_id = $1", workspace.user_id) == 0
        assert await db.fetchval("select count(*) from sign_in_failures where email = $1", workspace.email) == 0
        client = new_client()
        assert problem_of(await client.post("/auth/link", json={"token": recent})) == (401, "link_expired")
        assert problem_of(await client.post("/auth/link", json={"token": old})) == (401, "link_invalid")
