"""`signoff init`: creates the workspace and its keys once."""

import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest
from argon2 import extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY
from support.service_process import RunningService
from support.terminal import Serving, Terminal, assert_one_line

EMAIL, PASSWORD = "Anna@Example.com", "correct horse battery"
OPTIONS = ("init", "--email", EMAIL, "--password", PASSWORD)


def test_before_the_first_start(new_terminal: Terminal) -> None:
    result = new_terminal.run(*OPTIONS, "--name", "Acme", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    workspace = json.loads(result.stdout)
    assert list(workspace) == ["accountId", "userId", "apiKey", "manageKey", "url"]
    assert workspace["url"] == f"http://127.0.0.1:{new_terminal.port}"

    again = new_terminal.run(*OPTIONS, "--json")
    assert (again.returncode, again.stdout) == (1, "")
    assert_one_line(again.stderr, "A workspace already exists on this server. Nothing was changed.")


@pytest.mark.slow
def test_while_the_service_runs(terminal: Terminal, serving: Serving) -> None:
    """It replaces the workspace that the service created itself, once; a setup link printed before stops working."""
    token = serving.wait_for("token=").partition("token=")[2]
    with ThreadPoolExecutor(2) as together:
        attempts = list(together.map(lambda _: terminal.run(*OPTIONS, "--json", port=1), range(2)))
    assert sorted(attempt.returncode for attempt in attempts) == [0, 1]
    workspace = json.loads("".join(attempt.stdout for attempt in attempts))
    assert workspace["url"] == serving.url
    signed_in = httpx.post(f"{serving.api}/auth/login", json={"email": EMAIL, "password": PASSWORD}, timeout=60)
    assert signed_in.status_code == 200
    assert signed_in.json()["user"]["userId"] == workspace["userId"]
    assert httpx.get(f"{serving.api}/agents", headers={"x-api-key": workspace["apiKey"]}, timeout=60).status_code == 200
    assert httpx.post(f"{serving.api}/auth/link", json={"token": token}, timeout=60).status_code == 401


def test_followed_by_the_first_start(service: RunningService) -> None:
    """It finds the workspace: its keys work, and nobody needs a link."""
    for key in (service.workspace["apiKey"], service.workspace["manageKey"]):
        assert httpx.get(f"{service.api}/agents", headers={"x-api-key": key}, timeout=60).status_code == 200
    assert "token=" not in service.log.read_text()


def test_on_an_existing_workspace(service: RunningService, new_terminal: Terminal) -> None:
    refused = new_terminal.run(*OPTIONS, data_dir=service.data_dir)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert (
        httpx.post(f"{service.api}/auth/login", json={"email": EMAIL, "password": PASSWORD}, timeout=60).status_code
        == 401
    )
    key = service.workspace["apiKey"]
    assert httpx.get(f"{service.api}/agents", headers={"x-api-key": key}, timeout=60).status_code == 200


@pytest.mark.parametrize(
    ("email", "password", "named"),
    [("nobody", PASSWORD, "email"), (EMAIL, "short", "password"), (EMAIL, "", "password")],
)
def test_invalid_options(new_terminal: Terminal, email: str, password: str, named: str) -> None:
    refused = new_terminal.run("init", "--email", email, "--password", password, "--json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert_one_line(refused.stderr, f"signoff: {named}: ")
    assert not new_terminal.data_dir.exists()


def test_human_readable_output(terminal: Terminal) -> None:
    result = terminal.run(*OPTIONS)
    assert result.returncode == 0
    assert "apiKey     sgn_" in result.stdout


async def test_hashes_the_password_at_full_cost(
    new_terminal: Terminal, empty_databases: Callable[[], Awaitable[str]]
) -> None:
    """With the full cost, unlike the hashes of the tests."""
    dsn = await empty_databases()
    assert new_terminal.run(*OPTIONS, database_url=dsn).returncode == 0
    with psycopg.connect(dsn) as connection:
        [(stored,)] = connection.execute("select password_hash from users").fetchall()
    assert extract_parameters(stored) == RFC_9106_LOW_MEMORY
