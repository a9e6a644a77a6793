from collections.abc import Awaitable, Callable

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, errors_of, key_id_of, problem_of, token_from_link

from signoff.accounts.setup import PLACEHOLDER_EMAIL, create_first_run_link, ensure_workspace
from signoff.app import create_app
from signoff.platform.db import Database
from signoff.platform.settings import Settings, load_settings


class TestMethods:
    async def test_password_only(self, client: httpx.AsyncClient, workspace: Workspace) -> None:
        response = await client.get("/auth/methods")
        assert response.status_code == 200
        body = response.json()
        assert (body["password"], body["oidc"]) == (True, None)
        assert isinstance(body["firstRun"], bool)

    async def test_first_run_until_the_owner_signs_in(
        self, empty_databases: Callable[[], Awaitable[str]], settings: Settings
    ) -> None:
        dsn = await empty_databases()
        app = create_app(load_settings(**{**settings.model_dump(), "oidc_issuer": None}), dsn)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://signoff.example.com/api/v1"
            ) as client,
        ):
            db: Database = app.state.context.db
            assert (await client.get("/auth/methods")).json()["firstRun"] is False
            await ensure_workspace(db)
            assert (await client.get("/auth/methods")).json()["firstRun"] is True
            token = token_from_link(await create_first_run_link(db, settings))
            info = (await client.post("/auth/linkInfo", json={"token": token})).json()
            assert info == {
                "purpose": "first_run",
                "email": PLACEHOLDER_EMAIL,
                "accountName": "My workspace",
                "hasPassword": False,
            }
            assert (await client.get("/auth/methods")).json()["firstRun"] is True
            await client.post("/auth/link", json={"token": token})
            assert (await client.get("/auth/methods")).json()["firstRun"] is False


class TestLinkInfo:
    async def test_an_invitation(self, owner: httpx.AsyncClient, client: httpx.AsyncClient) -> None:
        email = f"invited-{await key_id_of(owner)}@example.com"
        invited = (await owner.post("/users", json={"email": email, "role": "reviewer"})).json()
        token = token_from_link(invited["invitationLink"])
        for _ in range(3):  # reading the link doesn't use it up
            response = await client.post("/auth/linkInfo", json={"token": token})
            assert response.json() == {
                "purpose": "invitation",
                "email": email,
                "accountName": "Acme",
                "hasPassword": False,
            }
            assert "set-cookie" not in response.headers
        assert (await client.post("/auth/link", json={"token": token})).status_code == 200
        assert problem_of(await client.post("/auth/linkInfo", json={"token": token})) == (401, "link_used")

    async def test_a_forgotten_password(
        self, owner: httpx.AsyncClient, client: httpx.AsyncClient, workspace: Workspace
    ) -> None:
        link = (await owner.post(f"/users/{workspace.user_id}/signInLink")).json()["signInLink"]
        info = (await client.post("/auth/linkInfo", json={"token": token_from_link(link)})).json()
        assert (info["purpose"], info["hasPassword"]) == ("password_reset", True)

    async def test_of_a_former_member(self, owner: httpx.AsyncClient, join: Join, new_client: NewClient) -> None:
        editor = await join("editor")
        user_id = await key_id_of(editor)
        link = (await owner.post(f"/users/{user_id}/signInLink")).json()["signInLink"]
        await owner.patch(f"/users/{user_id}", json={"disabled": True})
        response = await new_client().post("/auth/linkInfo", json={"token": token_from_link(link)})
        assert problem_of(response) == (401, "link_invalid")

    async def test_expired(self, owner: httpx.AsyncClient, client: httpx.AsyncClient, db: Database) -> None:
        user_id = await key_id_of(owner)
        link = (await owner.post(f"/users/{user_id}/signInLink")).json()["signInLink"]
        await db.execute("update sign_in_links set expires_at = now() where user_id = $1", user_id)
        response = await client.post("/auth/linkInfo", json={"token": token_from_link(link)})
        assert problem_of(response) == (401, "link_expired")

    @pytest.mark.parametrize("token", ["", "sgl_nobodys", "' or true --", "💥"])
    async def test_unknown(self, client: httpx.AsyncClient, token: str) -> None:
        assert problem_of(await client.post("/auth/linkInfo", json={"token": token})) == (401, "link_invalid")

    @pytest.mark.parametrize(
        ("body", "error"),
        [
            ({}, ("token", "missing")),
            ({"token": None}, ("token", "string_type")),
            ({"token": 1}, ("token", "string_type")),
            ({"token": "x" * 201}, ("token", "string_too_long")),
            ({"token": "x", "password": "y"}, ("password", "extra_forbidden")),
        ],
    )
    async def test_refused(self, client: httpx.AsyncClient, body: dict[str, object], error: tuple[str, str]) -> None:
        assert errors_of(await client.post("/auth/linkInfo", json=body)) == {error}

    async def test_from_another_origin(self, client: httpx.AsyncClient) -> None:
        response = await client.post("/auth/linkInfo", json={"token": "x"}, headers={"sec-fetch-site": "cross-site"})
        assert problem_of(response) == (403, "cross_origin")
