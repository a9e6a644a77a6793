"""`signoff doctor`: its findings and its advice."""

import asyncio
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import psycopg
import pytest
from support.identity_provider import CLIENT_ID, IdentityProvider, Misbehavior
from support.in_process import Databases
from support.mattermost_server import MattermostServer
from support.prepared_data_dir import FOUNDED
from support.service_process import RunningService, free_port
from support.slack_server import SlackServer
from support.terminal import Terminal, wait_until

from signoff.platform.machine import read_machine


def examine(terminal: Terminal, **settings: object) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the first finding of each check."""
    result = terminal.run("doctor", "--json", **settings)
    assert result.stderr == ""
    findings = json.loads(result.stdout)
    return result.returncode, {finding["subject"]: finding for finding in reversed(findings)}


@pytest.fixture
def mail_server() -> Iterator[int]:
    """Accepts one EHLO and the password of `anna`, and supports no encryption."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            line, _ = server.accept()
            with line, line.makefile("rwb", 0) as stream:
                stream.write(b"220 hello\r\n")
                while order := stream.readline():
                    replies = {b"EHLO": b"250-hello\r\n250 AUTH PLAIN\r\n", b"AUTH": b"235 welcome\r\n"}
                    stream.write(replies.get(order[:4].upper(), b"221 bye\r\n"))

        threading.Thread(target=talk, daemon=True).start()
        yield server.getsockname()[1]


def mail_settings(port: int) -> dict[str, object]:
    return {
        "smtp_host": "127.0.0.1",
        "smtp_port": port,
        "smtp_security": "none",
        "mail_from": "Signoff <signoff@example.com>",
    }


def test_before_the_first_start(new_terminal: Terminal) -> None:
    """With the command that people type."""
    response = new_terminal.run_anew("doctor", "--json")
    assert (response.returncode, response.stderr) == (0, "")
    code, findings = examine(new_terminal)
    assert {finding["subject"] for finding in json.loads(response.stdout)} == findings.keys()
    assert code == 0
    assert {findings[part]["state"] for part in ("data directory", "database", "storage")} == {"warning"}
    assert not new_terminal.data_dir.exists()


def test_while_stopped(terminal: Terminal) -> None:
    code, findings = examine(terminal)
    assert code == 0
    states = {subject: finding["state"] for subject, finding in findings.items()}
    assert states.pop("email") == "warning"
    checks = ("settings", "public URL", "networks", "processes", "data directory", "database", "clock", "migrations")
    assert states == dict.fromkeys((*checks, "queue", "storage"), "ok")
    assert "no worker is running" in findings["queue"]["found"]
    assert not (terminal.data_dir / "media").exists()


def test_while_the_service_runs(service: RunningService, new_terminal: Terminal) -> None:
    code, findings = examine(new_terminal, data_dir=service.data_dir)
    assert code == 0
    assert f"PID {service.process.pid}" in findings["data directory"]["found"]
    assert "a worker is running" in findings["queue"]["found"]
    assert (findings["service"]["state"], findings["service"]["found"]) == ("ok", f"ready at {service.url}")


@pytest.mark.slow
def test_a_worker_that_stopped_responding(terminal: Terminal) -> None:
    serving = terminal.serve(liveness_timeout=0)  # it isn't replaced during the check
    serving.wait_for("Signoff is running at")
    wait_until(lambda: readiness(serving.url)["worker"] == "ok")
    worker = serving.child("worker")
    worker.suspend()
    with psycopg.connect(serving.dsn()) as connection:
        connection.execute("update worker_heartbeats set seen_at = now() - interval '40 seconds'")
    assert readiness(serving.url) == {
        "status": "ok",
        **dict.fromkeys(("database", "queue", "storage"), "ok"),
        "worker": "no heartbeat",
    }
    _, findings = examine(terminal)
    assert findings["service"]["found"] == "no worker heartbeat"
    assert f"(PID {worker.pid}) for " in findings["worker"]["found"]
    assert "no worker is running" in findings["queue"]["found"]

    api = serving.child("api")
    frozen = [worker, api, *api.children(recursive=True)]
    for process in frozen:
        process.suspend()
    _, findings = examine(terminal)
    for process in frozen:  # so that they can end
        process.resume()
    assert "no response" in findings["service"]["found"]
    assert serving.press_ctrl_c() == 0


def readiness(url: str) -> dict[str, str]:
    return httpx.get(f"{url}/readyz", timeout=60).json()


def test_human_readable_table(new_terminal: Terminal) -> None:
    result = new_terminal.run("doctor", database_url=f"postgresql://x@127.0.0.1:{free_port()}/x")
    assert result.returncode == 1
    rows = [line.split()[:2] for line in result.stdout.splitlines()]
    assert all(row in rows for row in (["✓", "settings"], ["!", "email"], ["✗", "database"]))


def test_empty_database(new_database: Callable[[], str], new_terminal: Terminal) -> None:
    code, findings = examine(new_terminal, database_url=new_database())
    assert code == 1
    assert "signoff migrate" in findings["migrations"]["advice"]


@pytest.fixture
def database(databases: Databases) -> str:
    """A workspace in its own database."""
    return databases.new(FOUNDED)


def test_newer_schema(database: str, new_terminal: Terminal) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    code, findings = examine(new_terminal, database_url=database)
    assert code == 1
    assert "9999 is from a newer version" in findings["migrations"]["found"]
    assert "Upgrade Signoff" in findings["migrations"]["advice"]
    assert "signoff migrate" not in findings["migrations"]["advice"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_keeps_file_owners(terminal: Terminal) -> None:
    home = terminal.data_dir / "postgres"
    subprocess.run(["chown", "-R", "0:0", home], check=True)
    before = {path: path.lstat().st_uid for path in [home, *home.rglob("*")]}
    code, findings = examine(terminal)
    assert (code, findings["database"]["state"]) == (0, "warning")
    assert "not checked" in findings["database"]["found"]
    assert {path: path.lstat().st_uid for path in [home, *home.rglob("*")]} == before


async def test_slack(database: str, new_terminal: Terminal) -> None:
    slack = SlackServer()
    runner = await slack.start()
    token = slack.workspace("Acme")
    with psycopg.connect(database) as connection:
        connection.execute(
            """
            insert into chat_connections (account_id, app, credentials, workspace, connected_by)
            select account_id, 'slack', %s, 'Acme', 'user_x' from accounts
            """,
            [json.dumps({"botToken": token})],
        )
    settings = {"database_url": database, "slack_api_url": f"{slack.url}/api"}
    try:
        _, findings = await asyncio.to_thread(examine, new_terminal, **settings)
        assert (findings["Slack"]["state"], findings["Slack"]["found"]) == ("ok", "connected to Acme")
        del slack.tokens[token]
        code, findings = await asyncio.to_thread(examine, new_terminal, **settings)
        assert (code, findings["Slack"]["state"]) == (1, "error")
        assert "rejected our credentials" in findings["Slack"]["found"]
        assert token not in json.dumps(findings)
    finally:
        await runner.cleanup()
    _, findings = examine(new_terminal, **settings)
    assert (findings["Slack"]["state"], "can't reach" in findings["Slack"]["found"]) == ("warning", True)
    with psycopg.connect(database) as connection:
        hook = json.dumps({"webhookUrl": "https://chat.example.com/hooks/x"})
        connection.execute("update chat_connections set app = 'mattermost', credentials = %s", [hook])
        connection.execute("update chat_connections set state = 'refused', why = 'Invalid webhook.'")
    _, findings = examine(new_terminal, **settings)
    assert "stopped posting to Acme: Invalid webhook." in findings["Mattermost"]["found"]


async def test_mattermost_with_a_bot_token(database: str, new_terminal: Terminal) -> None:
    mattermost = MattermostServer()
    runner = await mattermost.start()
    token = mattermost.bot()
    with psycopg.connect(database) as connection:
        connection.execute(
            """
            insert into chat_connections (account_id, app, credentials, workspace, connected_by)
            select account_id, 'mattermost', %s, 'chat.example.com', 'user_x' from accounts
            """,
            [json.dumps({"serverUrl": mattermost.url, "botToken": token})],
        )
    try:
        _, findings = await asyncio.to_thread(examine, new_terminal, database_url=database)
        assert (findings["Mattermost"]["state"], findings["Mattermost"]["found"]) == (
            "ok",
            "connected to chat.example.com",
        )
        del mattermost.bots[token]
        code, findings = await asyncio.to_thread(examine, new_terminal, database_url=database)
        assert (code, findings["Mattermost"]["state"]) == (1, "error")
        assert "rejected our credentials" in findings["Mattermost"]["found"]
        assert token not in json.dumps(findings)
    finally:
        await runner.cleanup()
    _, findings = examine(new_terminal, database_url=database)
    assert (findings["Mattermost"]["state"], "can't reach" in findings["Mattermost"]["found"]) == ("warning", True)


async def test_identity_provider(new_terminal: Terminal) -> None:
    provider = IdentityProvider()
    runner = await provider.start()
    settings = {"oidc_issuer": provider.url, "oidc_client_id": CLIENT_ID}
    expected = [
        (Misbehavior(), "ok", "has a valid discovery document"),
        (Misbehavior(discovery={"issuer": "https://elsewhere.example.com"}), "error", "document is invalid (issuer)"),
        (Misbehavior(discovery_status=404), "error", "status 404"),
    ]
    try:
        for provider.wrong, state, words in expected:
            _, findings = await asyncio.to_thread(examine, new_terminal, **settings)
            assert findings["identity provider"]["state"] == state
            assert words in findings["identity provider"]["found"]
    finally:
        await runner.cleanup()
    code, findings = examine(new_terminal, **settings)
    assert (code, "no response" in findings["identity provider"]["found"]) == (1, True)


def test_mail(new_terminal: Terminal, mail_server: int) -> None:
    code, findings = examine(new_terminal, **mail_settings(mail_server), smtp_user="anna", smtp_password="secret")
    assert (code, findings["email"]["state"]) == (0, "ok")
    code, findings = examine(new_terminal, **mail_settings(free_port()))
    assert (code, findings["email"]["state"]) == (1, "error")


def test_client_settings_are_not_reported(new_terminal: Terminal) -> None:
    _, findings = examine(new_terminal, url="https://signoff.example.com", api_key="sgn_some")
    assert findings["settings"]["state"] == "ok"


def test_loopback_behind_a_public_url(new_terminal: Terminal) -> None:
    proxied: dict[str, object] = {"host": "127.0.0.1", "public_url": "https://localhost.localdomain"}
    _, findings = examine(new_terminal, **proxied)
    assert (findings["networks"]["state"], findings["networks"]["found"]) == (
        "ok",
        "webhooks can reach the public internet only",
    )
    _, findings = examine(new_terminal, **proxied, allowed_networks="127.0.0.0/8")
    assert findings["networks"]["state"] == "warning"
    assert "SIGNOFF_ALLOWED_NETWORKS" in findings["networks"]["advice"]


def test_number_of_processes(new_terminal: Terminal) -> None:
    _, findings = examine(new_terminal, api_processes=64, worker_processes=1)
    assert "`signoff serve` runs 64 API processes and 1 worker on " in findings["processes"]["found"]
    assert findings["processes"]["state"] == ("warning" if read_machine().cores < 64 else "ok")
    _, findings = examine(new_terminal)
    assert findings["processes"]["state"] == "ok"


def test_too_few_database_connections(new_database: Callable[[], str], new_terminal: Terminal) -> None:
    _, findings = examine(
        new_terminal, database_url=new_database(), api_processes=20, worker_processes=10, database_pool_size=20
    )
    assert "allows 500 connections, but 20 API processes and 10 workers can use 640" in findings["database"]["found"]


def test_risky_settings(new_terminal: Terminal) -> None:
    new_terminal.data_dir.mkdir()
    new_terminal.data_dir.chmod(0o755)  # whatever umask this process has
    code, findings = examine(
        new_terminal, prot=1, host="::", allowed_networks="0.0.0.0/0", storage_url="file:///proc/nowhere"
    )
    assert code == 1
    assert findings["settings"]["advice"] == "Did you mean SIGNOFF_PORT?"
    assert "SIGNOFF_PUBLIC_URL" in findings["public URL"]["advice"]
    assert "169.254.169.254" in findings["networks"]["found"]
    assert "chmod 700" in findings["data directory"]["advice"]
    assert findings["storage"]["state"] == "error"
