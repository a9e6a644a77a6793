from typing import Any

import httpx
import pytest
from accounts_helpers import Join, NewClient, Workspace, errors_of, key_id_of, problem_of

DEFAULTS = {
    "email": "each",
    "emailIsDefault": True,
    "digestHour": 8,
    "digestHourIsDefault": True,
    "agents": {},
    "shortcuts": True,
    "theme": "system",
    "timeZone": None,
    "browserNotifications": False,
}


async def change(client: httpx.AsyncClient, preferences: Any) -> httpx.Response:
    return await client.patch("/auth/me", json={"preferences": preferences})


async def preferences_of(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.get("/auth/me")).json()["preferences"]


class TestPreferences:
    async def test_defaults(self, owner: httpx.AsyncClient) -> None:
        assert await preferences_of(owner) == DEFAULTS

    async def test_changes_only_given_fields(self, owner: httpx.AsyncClient) -> None:
        response = await change(owner, {"theme": "dark", "timeZone": "Europe/Berlin"})
        assert response.json()["preferences"] == {**DEFAULTS, "theme": "dark", "timeZone": "Europe/Berlin"}
        await change(owner, {"shortcuts": False, "browserNotifications": True, "email": "daily"})
        await change(owner, {"timeZone": None})
        assert await preferences_of(owner) == {
            **DEFAULTS,
            "email": "daily",
            "emailIsDefault": False,
            "shortcuts": False,
            "theme": "dark",
            "browserNotifications": True,
        }

    async def test_agents_are_replaced_together(self, owner: httpx.AsyncClient) -> None:
        ids = [
            (await owner.post("/agents", json={"name": name})).json()["agentId"] for name in ("Writer", "Translator")
        ]
        await change(owner, {"agents": {ids[0]: "none"}})
        response = await change(owner, {"agents": {ids[1]: "hourly"}})
        assert response.json()["preferences"]["agents"] == {ids[1]: "hourly"}
        assert (await change(owner, {"agents": {}})).json()["preferences"]["agents"] == {}

    async def test_back_to_the_default(self, owner: httpx.AsyncClient) -> None:
        await change(owner, {"email": "none", "digestHour": 0})
        response = await change(owner, {"email": None, "digestHour": None})
        assert response.json()["preferences"] == DEFAULTS

    async def test_empty_change(self, owner: httpx.AsyncClient) -> None:
        assert (await change(owner, {})).json()["preferences"] == DEFAULTS

    async def test_together_with_the_name(self, owner: httpx.AsyncClient) -> None:
        response = await owner.patch("/auth/me", json={"name": "Anna", "preferences": {"theme": "light"}})
        assert (response.json()["user"]["name"], response.json()["preferences"]["theme"]) == ("Anna", "light")

    @pytest.mark.parametrize(
        ("preferences", "error"),
        [
            (None, ("preferences", "null_not_allowed")),
            ([], ("preferences", "model_type")),
            ({"email": "always"}, ("preferences.email", "literal_error")),
            ({"digestHour": 24}, ("preferences.digestHour", "less_than_equal")),
            ({"digestHour": -1}, ("preferences.digestHour", "greater_than_equal")),
            ({"digestHour": "8"}, ("preferences.digestHour", "int_type")),
            ({"digestHour": 8.5}, ("preferences.digestHour", "int_type")),
            ({"agents": None}, ("preferences.agents", "null_not_allowed")),
            ({"agents": ["agt_x"]}, ("preferences.agents", "dict_type")),
            ({"agents": {"agt_x": "each"}}, ("preferences.agents.agt_x", "unknown_agent")),
            ({"agents": {f"agt_{n}": "each" for n in range(501)}}, ("preferences.agents", "too_long")),
            ({"shortcuts": "yes"}, ("preferences.shortcuts", "bool_type")),
            ({"shortcuts": 1}, ("preferences.shortcuts", "bool_type")),
            ({"browserNotifications": None}, ("preferences.browserNotifications", "null_not_allowed")),
            ({"theme": "Dark"}, ("preferences.theme", "literal_error")),
            ({"timeZone": ""}, ("preferences.timeZone", "unknown_time_zone")),
            ({"timeZone": "Mars/Olympus"}, ("preferences.timeZone", "unknown_time_zone")),
            ({"timeZone": "../../etc/passwd"}, ("preferences.timeZone", "unknown_time_zone")),
            ({"timeZone": "europe/berlin"}, ("preferences.timeZone", "unknown_time_zone")),
            ({"timeZone": "x" * 101}, ("preferences.timeZone", "string_too_long")),
            ({"timeZone": 1}, ("preferences.timeZone", "string_type")),
            ({"time_zone": "UTC"}, ("preferences.time_zone", "extra_forbidden")),
            ({"colour": "red"}, ("preferences.colour", "extra_forbidden")),
        ],
    )
    async def test_refused(self, owner: httpx.AsyncClient, preferences: Any, error: tuple[str, str]) -> None:
        await change(owner, {"theme": "dark"})
        assert errors_of(await change(owner, preferences)) == {error}
        assert await preferences_of(owner) == {**DEFAULTS, "theme": "dark"}

    async def test_are_private(self, owner: httpx.AsyncClient, join: Join) -> None:
        viewer = await join("viewer")
        assert (await change(viewer, {"theme": "dark"})).status_code == 200
        assert await preferences_of(owner) == DEFAULTS

    async def test_not_for_keys(self, manage: httpx.AsyncClient) -> None:
        assert problem_of(await change(manage, {"theme": "dark"})) == (403, "person_needed")

    async def test_are_not_in_the_audit_log(self, owner: httpx.AsyncClient) -> None:
        await change(owner, {"theme": "dark"})
        log = (await owner.get("/auditLog", params={"action": "user.profile_changed"})).json()
        assert log["items"] == []


class TestMyGroups:
    async def test_by_name(self, owner: httpx.AsyncClient, join: Join) -> None:
        editor = await join("editor")
        group_ids = {
            name: (await owner.post("/groups", json={"name": name, "members": [await key_id_of(editor)]})).json()[
                "groupId"
            ]
            for name in ("legal", "Design")
        }
        await owner.post("/groups", json={"name": "Others", "members": [await key_id_of(owner)]})
        groups = (await editor.get("/auth/me")).json()["groups"]
        assert groups == [{"groupId": group_ids[name], "name": name} for name in ("Design", "legal")]

    async def test_none(self, owner: httpx.AsyncClient) -> None:
        assert (await owner.get("/auth/me")).json()["groups"] == []

    async def test_in_the_sign_in_response(self, new_client: NewClient, workspace: Workspace) -> None:
        credentials = {"email": workspace.email, "password": workspace.password}
        response = (await new_client().post("/auth/login", json=credentials)).json()
        assert (response["groups"], response["preferences"]) == ([], DEFAULTS)
