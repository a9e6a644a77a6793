"""The wheels as people install them, in empty environments."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from support.service_process import free_port, is_ready, service_env

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0
FORM = {
    "name": "Post",
    "fields": [{"id": "headline", "type": "text", "label": "Headline"}],
    "autoApprove": True,
}
ASK = """
import sys
from signoff_client import Client

with Client() as client:
    result = client.request_review(sys.argv[1], {"headline": "Autumn is here"}).wait(timeout=60)
print(result.response, result.values["headline"])
"""


def uv(*arguments: object) -> str:
    command = shutil.which("uv") or str(ROOT / ".uv/bin/uv")
    done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def installed(package: Path, folder: Path) -> Path:
    """The programs of an environment with the package and its dependencies, in their newest versions."""
    uv("build", "--quiet", "--wheel", "--out-dir", folder / "wheel", package)
    [wheel] = (folder / "wheel").glob("*.whl")
    uv("venv", "--quiet", "--python", sys.executable, folder / "environment")
    uv("pip", "install", "--quiet", "--python", folder / "environment/bin/python", wheel)
    return folder / "environment/bin"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_service_and_client_install(tmp_path: Path) -> None:
    programs = installed(ROOT, tmp_path / "service")
    port = free_port()
    env = {**service_env(tmp_path / "data", port), "PATH": f"{programs}:/usr/bin:/bin"}
    env = {name: value for name, value in env.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    init = ("init", "--email", "owner@example.com", "--password", "correct horse battery", "--json")
    result = subprocess.run(
        [programs / "signoff", *init], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert result.returncode == 0, result.stderr
    workspace = json.loads(result.stdout)
    log = tmp_path / "serve.log"
    with log.open("wb") as output:
        serving = subprocess.Popen([programs / "signoff", "serve"], env=env, cwd=tmp_path, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + PATIENCE
        while not is_ready(workspace["url"]):
            assert serving.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        page = httpx.get(workspace["url"], timeout=60)
        script = re.search(r'src="\./(static/[^"]+\.js)"', page.text)
        assert script, page.text
        assert httpx.get(f"{workspace['url']}/{script[1]}", timeout=60).status_code == 200

        headers = {"x-api-key": workspace["manageKey"]}
        with httpx.Client(base_url=f"{workspace['url']}/api/v1", headers=headers, timeout=60) as http:
            agent = http.post("/agents", json={"name": "Newsroom"}).json()
            form = http.post("/forms", json={**FORM, "agentId": agent["agentId"]}).json()
        client = installed(ROOT / "sdk/python", tmp_path / "client")
        requested = subprocess.run(
            [client / "python", "-c", ASK, form["formId"]],
            cwd=tmp_path,
            env={"SIGNOFF_URL": workspace["url"], "SIGNOFF_API_KEY": workspace["apiKey"]},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (requested.stdout.strip(), requested.returncode) == ("approved Autumn is here", 0), requested.stderr
    finally:
        serving.terminate()
        assert serving.wait(PATIENCE) == 0
    assert "Traceback" not in log.read_text()
