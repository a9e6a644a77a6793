"""A full disk, for real: the data directory is on a small file system, if the test may mount one."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import httpx
import psycopg
import pytest
from support.terminal import Serving, Terminal, wait_until

pytestmark = pytest.mark.slow

SIZE = 160 * 1024 * 1024
FILLER = "filler"


class SmallDisk:
    def __init__(self, folder: Path) -> None:
        self.data_dir = folder / "data"
        self._filler = folder / FILLER

    def fill(self) -> None:
        """Fills the disk to the last byte. Space that the service frees afterward stays free."""
        with self._filler.open("wb", buffering=0) as file, suppress(OSError):
            for size in (1024 * 1024, 4096):
                with suppress(OSError):
                    while True:
                        file.write(b"\0" * size)

    def empty(self) -> None:
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path: Path, prepared_data_dir: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a file system")
    try:
        shutil.copytree(prepared_data_dir, folder / "data")
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def superuser(serving: Serving) -> psycopg.Connection:
    return psycopg.connect(serving.dsn().replace("signoff@/signoff", "postgres@/postgres"), autocommit=True)


def test_while_the_service_runs(new_terminal: Terminal, disk: SmallDisk) -> None:
    result = new_terminal.run(
        "init", "--email", "a@example.com", "--password", "correct horse", "--json", data_dir=disk.data_dir
    )
    headers = {"x-api-key": json.loads(result.stdout)["manageKey"]}
    serving = new_terminal.serve(data_dir=disk.data_dir)
    serving.wait_for("Signoff is running at")
    numbers = count()

    def create_agent() -> httpx.Response:
        body = {"name": f"Agent {next(numbers)}", "description": "x" * 500}
        return httpx.post(f"{serving.api}/agents", json=body, headers=headers, timeout=60)

    def refused() -> httpx.Response | None:
        rejected = create_agent()
        assert rejected.status_code in {200, 201, 503}, rejected.text
        return rejected if rejected.status_code == 503 else None

    assert create_agent().is_success
    disk.fill()
    response = wait_until(refused)
    assert response is not None
    assert response.json()["code"] == "unavailable"
    assert response.headers["retry-after"]

    # Without space for its log, PostgreSQL stops and can't restart. It keeps some reserve files.
    with suppress(psycopg.Error), superuser(serving) as connection:
        while True:
            connection.execute("select pg_logical_emit_message(true, 'test', 'x'), pg_switch_wal()")
    serving.wait_for("PostgreSQL exited unexpectedly")
    serving.wait_for("PostgreSQL failed to start")
    assert create_agent().status_code == 503

    disk.empty()
    wait_until(lambda: create_agent().is_success)
    wait_until(serving.is_ready)
    assert serving.press_ctrl_c() == 0
    assert "Traceback" not in serving.output


def test_during_startup(new_terminal: Terminal, disk: SmallDisk) -> None:
    serving = new_terminal.serve(data_dir=disk.data_dir)
    serving.wait_for("Signoff is running at")
    family = serving.family()
    serving.process.kill()
    serving.process.wait()
    wait_until(lambda: not any(process.is_running() for process in family))
    left_behind = (disk.data_dir / "run.json").read_bytes()
    assert left_behind

    disk.fill()
    refused = new_terminal.run("serve", data_dir=disk.data_dir)
    assert refused.returncode == 1
    assert "No space left on device" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert (disk.data_dir / "run.json").read_bytes() == left_behind

    disk.empty()
    new_terminal.serve(data_dir=disk.data_dir).wait_for("Signoff is running at")
