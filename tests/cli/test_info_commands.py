"""The commands of `signoff` that need no service."""

import json
from importlib.metadata import version

import pytest
from support.terminal import Terminal, assert_one_line

from signoff.platform.settings import Settings


def test_settings(new_terminal: Terminal) -> None:
    table = new_terminal.run("settings", "--markdown").stdout.splitlines()
    names = [line.split("`")[1] for line in table[2:]]
    assert names == [f"SIGNOFF_{name.upper()}" for name in Settings.model_fields]
    assert "| `SIGNOFF_WEBHOOK_RETRY_SCHEDULE` | `5,300,1800,7200,18000,36000` |" in "\n".join(table)
    assert "SIGNOFF_DATA_DIR" in new_terminal.run_anew("settings").stdout


def test_version(new_terminal: Terminal) -> None:
    response = new_terminal.run_anew("--version")
    assert (response.returncode, response.stdout, response.stderr) == (0, f"signoff {version('signoff')}\n", "")


def test_openapi(new_terminal: Terminal) -> None:
    result = new_terminal.run("openapi")
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["openapi"].startswith("3.")
    assert not new_terminal.data_dir.exists()


@pytest.mark.parametrize("command", ["serve", "api", "worker", "migrate", "doctor", "openapi"])
def test_wrong_setting(new_terminal: Terminal, command: str) -> None:
    refused = new_terminal.run(command, port="eighty")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert_one_line(refused.stderr, "signoff: SIGNOFF_PORT='eighty': ")


@pytest.mark.parametrize("command", ["api", "worker"])
def test_parts_of_a_cluster_need_a_database(new_terminal: Terminal, command: str) -> None:
    refused = new_terminal.run(command)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert_one_line(refused.stderr, "SIGNOFF_DATABASE_URL isn't set", "signoff serve")
