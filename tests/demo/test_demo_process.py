"""When there is a demo, how it starts and stops with the service, and how it's removed. Starts are slow, so tests share
them."""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import psutil
import pytest
from demo_helpers import FirstRunUser, agent_of, new_demo
from support.service_process import free_port
from support.terminal import PATIENCE, Serving, Terminal, assert_one_line, wait_until

EVERYWHERE = "0.0.0.0"  # noqa: S104
OPTIONS = ("init", "--email", "anna@example.com", "--password", "correct horse battery", "--json")


@pytest.mark.slow
@pytest.mark.timeout(600)  # Four starts, one after another.
def test_interrupted_created_replaced_and_removed(tmp_path: Path) -> None:
    folder, copy = tmp_path / "demo", tmp_path / "copy"
    folder.mkdir()
    copy.mkdir()
    with new_demo(folder) as (terminal, serve):
        stop_while_it_is_made(serve())
        make(serve())
        subprocess.run(["cp", "-a", terminal.data_dir, copy / "data"], check=True)
        remove_while_it_is_played(terminal, serve("--demo"))
    with new_demo(copy) as (terminal, serve):
        init_takes_the_place_of(terminal, serve())


def stop_while_it_is_made(serving: Serving) -> None:
    serving.wait_for("Creating demo data")
    maker = serving.child("signoff.demo")
    maker.suspend()  # However fast it is, it isn't done before it's told to stop.
    family, api = serving.family(), serving.child("api")
    os.killpg(serving.process.pid, signal.SIGINT)
    wait_until(lambda: not api.is_running())
    maker.resume()
    assert serving.process.wait(PATIENCE) == 0
    assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []
    assert "Demo data is ready" not in serving.output
    assert "Traceback" not in serving.output


def make(serving: Serving) -> None:
    """Stops the service after it has created the demo, before anyone has signed in."""
    serving.wait_for("Demo data is ready")
    serving.wait_for("requested a review")
    assert "token=" in serving.output
    assert serving.press_ctrl_c() == 0
    assert "Traceback" not in serving.output


def remove_while_it_is_played(terminal: Terminal, serving: Serving) -> None:
    newcomer = FirstRunUser(serving)
    agent = wait_until(lambda: agent_of(serving))
    assert "Creating demo data" not in serving.output

    refusal = terminal.run_anew("demo", "remove", typed="n\n")
    assert refusal.returncode == 1
    assert newcomer.get("/demo")["state"] == "ready"
    refused = terminal.run(*OPTIONS)
    assert_one_line(refused.stderr, "A workspace already exists on this server. Nothing was changed.")
    assert newcomer.get("/demo")["state"] == "ready"

    removed = terminal.run_anew("demo", "remove", typed="y\n")
    assert (removed.returncode, removed.stderr) == (0, "")
    assert newcomer.get("/demo")["state"] == "none"
    assert newcomer.get("/agents")["items"] == []
    assert agent.wait(PATIENCE) in (0, None)
    serving.wait_for("Stopping.")

    # It isn't restarted, and the service continues.
    assert agent_of(serving) is None
    assert '"process":"demo"' not in serving.output
    assert '"status":5' not in serving.output
    assert newcomer.get("/auth/me")
    assert serving.press_ctrl_c() == 0


def init_takes_the_place_of(terminal: Terminal, serving: Serving) -> None:
    """On a copy of a demo that nobody has signed in to, while its agent runs."""
    serving.wait_for("requested a review")
    agent = wait_until(lambda: agent_of(serving))
    result = terminal.run(*OPTIONS)
    assert (result.returncode, result.stderr) == (0, "")
    key = json.loads(result.stdout)["manageKey"]
    agents = httpx.get(f"{serving.api}/agents", headers={"x-api-key": key}, timeout=60)
    assert (agents.status_code, agents.json()["items"]) == (200, [])
    assert agent.wait(PATIENCE) in (0, None)
    assert '"process":"demo"' not in serving.output
    assert '"status":5' not in serving.output
    refused = terminal.run("demo", "remove", "--yes")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, "has no demo")


@pytest.mark.usefixtures("forked")
def test_option_overrides_the_setting(tmp_path: Path) -> None:
    """The demo in the setting would be rejected; the option takes precedence."""
    terminal = Terminal(tmp_path)
    with socket.create_server(("127.0.0.1", terminal.port)):
        refused = terminal.run("serve", "--no-demo", demo=True, allowed_networks="")
    assert_one_line(refused.stderr, "Can't listen")


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"database_url": f"postgresql://nobody@127.0.0.1:{free_port()}/none"}, "requires the embedded database"),
        ({"host": EVERYWHERE}, "SIGNOFF_HOST=0.0.0.0"),
        ({"allowed_networks": ""}, "SIGNOFF_ALLOWED_NETWORKS"),
    ],
)
@pytest.mark.usefixtures("forked")
def test_requested_where_it_is_not_possible(tmp_path: Path, settings: dict[str, object], part: str) -> None:
    terminal = Terminal(tmp_path)
    refused = terminal.run("serve", "--demo", **settings)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, part)
    assert not terminal.data_dir.exists()


@pytest.mark.usefixtures("forked")
def test_nothing_to_remove(tmp_path: Path) -> None:
    refused = Terminal(tmp_path).run("demo", "remove", "--yes")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, "Data directory", "doesn't exist")
