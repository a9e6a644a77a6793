"""`signoff serve`, from its start to every way it can end."""

import os
import re
import signal
import socket
import time
from collections.abc import Callable

import httpx
import psutil
import pytest
from support.service_process import RunningService, free_port, is_ready
from support.terminal import PATIENCE, Serving, Terminal, assert_one_line, wait_until


def assert_gone(processes: list[psutil.Process]) -> None:
    assert processes
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []


class TestStart:
    @pytest.mark.slow
    def test_twice_in_an_unusual_relative_folder(self, new_terminal: Terminal) -> None:
        name = "Ünser Ordner, 数据"
        serving = new_terminal.serve(data_dir=name)
        assert serving.wait_for("Signoff is running at") == f"Signoff is running at {serving.url}"
        link = re.search(r"\S+/sign-in\?token=(\S+)", serving.wait_for("Sign in"))
        assert link
        visit = httpx.post(f"{serving.url}/api/v1/auth/link", json={"token": link[1]}, timeout=60)
        assert visit.status_code == 200
        family = serving.family()
        assert serving.press_ctrl_c() == 0
        assert_gone(family)
        assert (new_terminal.folder / name).stat().st_mode & 0o777 == 0o700

        again = new_terminal.serve(data_dir=name)
        again.wait_for("Signoff is running at")
        assert httpx.get(f"{again.url}/api/v1/auth/me", cookies=visit.cookies, timeout=60).status_code == 200
        assert again.press_ctrl_c() == 0
        assert "Sign in" not in again.output
        assert "demo" not in serving.output  # SIGNOFF_DEMO=0
        assert "Traceback" not in serving.output + again.output

    def test_second_service_on_one_data_directory(self, service: RunningService, new_terminal: Terminal) -> None:
        for port in (new_terminal.port, service.env["SIGNOFF_PORT"]):
            refused = new_terminal.run("serve", data_dir=service.data_dir, port=port)
            assert (refused.returncode, refused.stdout) == (1, "")
            assert_one_line(refused.stderr, f"already running with data directory {service.data_dir}", service.url)
        assert httpx.get(f"{service.url}/readyz", timeout=60).status_code == 200

    def test_port_in_use(self, new_terminal: Terminal) -> None:
        with socket.create_server(("127.0.0.1", new_terminal.port)):
            refused = new_terminal.run("serve")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert_one_line(refused.stderr, f"Can't listen on 127.0.0.1:{new_terminal.port}: Address already in use")
        assert not (new_terminal.data_dir / "postgres").exists()

    def test_unusable_data_directory(self, new_terminal: Terminal) -> None:
        (new_terminal.folder / "file").touch()
        refused = new_terminal.run("serve", data_dir=new_terminal.folder / "file" / "data")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert_one_line(refused.stderr, "Not a directory. Set SIGNOFF_DATA_DIR")

    def test_unreachable_database(self, new_terminal: Terminal) -> None:
        refused = new_terminal.run("serve", database_url=f"postgresql://nobody@127.0.0.1:{free_port()}/none")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert_one_line(refused.stderr, "Can't use the database", "Connection refused")

    @pytest.mark.slow
    def test_on_an_outside_database(
        self, service: RunningService, new_database: Callable[[], str], new_terminal: Terminal
    ) -> None:
        serving = new_terminal.serve(database_url=new_database())
        serving.wait_for("token=")
        assert new_terminal.run("init", "--email", "a@example.com", "--password", "correct horse").returncode == 0
        assert serving.press_ctrl_c() == 0
        assert not (new_terminal.data_dir / "postgres").exists()
        assert httpx.get(f"{service.url}/readyz", timeout=60).status_code == 200


def test_dead_worker_is_restarted(service: RunningService) -> None:
    """`test_recovery.py` covers every other process that can die."""
    victim = service.child("worker")
    os.kill(victim, signal.SIGKILL)

    def another() -> bool:
        try:
            return service.child("worker") != victim
        except LookupError:
            return False

    wait_until(another)
    assert is_ready(service.url)


class TestStop:
    def test_stops_everything_it_started(self, serving: Serving) -> None:
        assert serving.wait_for("Signoff is running at") == f"Signoff is running at {serving.url}"
        link = re.search(r"\S+/sign-in\?token=(\S+)", serving.wait_for("Sign in"))
        assert link
        visit = httpx.post(f"{serving.url}/api/v1/auth/link", json={"token": link[1]}, timeout=60)
        assert visit.status_code == 200
        assert httpx.get(f"{serving.url}/api/v1/auth/me", cookies=visit.cookies, timeout=60).status_code == 200
        family = serving.family()
        assert serving.press_ctrl_c() == 0
        assert_gone(family)
        assert "demo" not in serving.output  # SIGNOFF_DEMO=0
        assert "Traceback" not in serving.output

    @pytest.mark.slow
    def test_pending_request_is_finished(self, serving: Serving) -> None:
        family = serving.family()
        body = b'{"email": "nobody@example.com", "password": "not the password"}'
        head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", httpx.URL(serving.url).port or 0), timeout=PATIENCE) as line:
            line.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:10])
            time.sleep(0.3)
            serving.process.send_signal(signal.SIGTERM)
            time.sleep(0.7)
            line.sendall(body[10:])
            assert line.recv(1000).startswith(b"HTTP/1.1 401 ")
        assert serving.process.wait(PATIENCE) == 0
        assert_gone(family)

    @pytest.mark.slow
    def test_kill_leaves_no_process_behind(self, serving: Serving, terminal: Terminal) -> None:
        family = serving.family()
        assert len(family) >= 5  # API and its worker process, our worker, PostgreSQL and its launcher
        serving.process.kill()
        assert_gone(family)
        assert terminal.run("migrate").returncode == 0

    @pytest.mark.slow
    def test_at_any_time_during_startup(self, terminal: Terminal) -> None:
        for moment in (0.5, 1.5, 2.5):
            serving = terminal.serve()
            time.sleep(moment)
            family = serving.family()
            serving.press_ctrl_c()
            assert psutil.wait_procs(family, timeout=PATIENCE)[1] == []
