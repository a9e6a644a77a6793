"""The pages' examples, run unchanged against the real service.

A comment before a code block says how it's tested:

- `<!-- run -->`: it's run. All shell blocks of a page are one script, all Python blocks another, in order.
- `<!-- save as NAME -->`: it's saved under that name, where the blocks that are run find it.
- `<!-- output -->`: each of its lines appears in the output of the blocks before it; `…` matches anything.

Addresses and keys are in environment variables, as the pages tell people to set them; port 9000, on which the pages'
receivers listen, is replaced with a free one.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from aiohttp import web
from standardwebhooks import Webhook
from support.api import Workspace, assert_ok, unique
from support.prepared_data_dir import EMAIL, PASSWORD
from support.receiver import Receiver
from support.service_process import RunningService, free_port

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(
    r"^<!-- (run|output|save as (?P<name>[\w.-]+)) -->\n```(?P<language>\w*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
PATIENCE = 90.0


@dataclass(frozen=True)
class Block:
    mark: str
    language: str
    code: str


def blocks(page: str) -> list[Block]:
    results = [Block(m[1], m["language"], m["code"]) for m in BLOCK.finditer((ROOT / page).read_text())]
    assert results, f"{page} has no examples to run"
    return results


def script(page: str, language: str) -> str:
    return "\n".join(block.code for block in blocks(page) if (block.mark, block.language) == ("run", language))


def expected(page: str, language: str) -> list[str]:
    """The lines that blocks of this language print according to the page."""
    lines, latest = list[str](), ""
    for block in blocks(page):
        if block.mark == "run":
            latest = block.language
        elif block.mark == "output" and latest == language:
            lines += block.code.splitlines()
    return lines


def assert_printed(output: str, page: str, language: str) -> None:
    for line in expected(page, language):
        pattern = ".*".join(re.escape(part) for part in line.split("…"))
        assert re.search(f"^{pattern}$", output, re.MULTILINE), (
            f"{page} promises this line:\n{line}\nbut printed was:\n{output}"
        )


@dataclass
class ExampleRunner:
    """A reader's folder, with the environment that the pages describe."""

    folder: Path
    env: dict[str, str]
    port: int

    def prepare(self, page: str) -> None:
        (self.folder / ".venv").symlink_to(sys.prefix)
        for block in blocks(page):
            if block.mark.startswith("save as "):
                (self.folder / block.mark.removeprefix("save as ")).write_text(self._own_port(block.code))

    def run(self, page: str, language: str, *command: str) -> str:
        done = subprocess.run(
            [*command, self._patient(self._own_port(script(page, language)))],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def _own_port(self, code: str) -> str:
        return re.sub(r"\b9000\b", str(self.port), code)

    def _patient(self, code: str) -> str:
        """A longer timeout for busy machines."""
        return code.replace("sleep 1\n", "sleep 5\n").replace("time.sleep(1)", "time.sleep(5)")


@pytest.fixture
def runner(service: RunningService, tmp_path: Path) -> ExampleRunner:
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")},
        "SIGNOFF_DATA_DIR": str(service.data_dir),
        "API": service.api,
        "API_KEY": service.workspace["apiKey"],
        "MANAGE_KEY": service.workspace["manageKey"],
        "EMAIL": EMAIL,
        "PASSWORD": PASSWORD,
        "PYTHONUNBUFFERED": "1",
        "no_proxy": "127.0.0.1",
    }
    return ExampleRunner(tmp_path, env, free_port())


def shell() -> str:
    for program in ("bash", "curl"):
        if shutil.which(program) is None:
            pytest.skip(f"the shell examples need {program}, which this machine does not have")
    return str(shutil.which("bash"))


def run_shell(runner: ExampleRunner, page: str) -> None:
    bash = shell()
    runner.prepare(page)
    assert_printed(runner.run(page, "sh", bash, "-euo", "pipefail", "-c"), page, "sh")


def run_python(runner: ExampleRunner, page: str) -> None:
    runner.prepare(page)
    assert_printed(runner.run(page, "python", sys.executable, "-c"), page, "python")


def test_every_page_with_examples_is_run() -> None:
    pages = [page.relative_to(ROOT) for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"))]
    marked = [str(page) for page in pages if "<!-- run -->" in (ROOT / page).read_text()]
    assert [page for page in marked if f'"{page}"' not in Path(__file__).read_text()] == []


class TestReadme:
    async def test_python(self, runner: ExampleRunner, workspace: Workspace) -> None:
        """A review type that auto-approves replaces the reviewer."""
        agent = await workspace.make_agent()
        fields = [{"id": "headline", "type": "text"}]
        form = {"name": "Draft", "agentId": agent["agentId"], "fields": fields, "autoApprove": True}
        runner.env["FORM_ID"] = (await assert_ok(workspace.manager.post("/forms", json=form)))["formId"]
        runner.env |= {"SIGNOFF_URL": runner.env["API"], "SIGNOFF_API_KEY": runner.env["API_KEY"]}
        await asyncio.to_thread(run_python, runner, "README.md")


class TestQuickstart:
    @pytest.mark.slow
    def test_shell(self, runner: ExampleRunner) -> None:
        run_shell(runner, "docs/quickstart.md")

    @pytest.mark.slow
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/quickstart.md")


class TestAgents:
    async def test_shell(self, runner: ExampleRunner, workspace: Workspace) -> None:
        runner.env["FORM_ID"] = (await workspace.make_form())["formId"]
        await asyncio.to_thread(run_shell, runner, "docs/agents.md")

    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/agents.md")


class TestMemory:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/memory.md")


class TestMedia:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/media.md")


class TestEvents:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/events.md")


class TestExport:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/export.md")


class TestReviewTypes:
    async def test_shell(self, runner: ExampleRunner, workspace: Workspace) -> None:
        """Its commands change the review type that the page defines first."""
        page = "docs/review-types.md"
        definition = json.loads((ROOT / page).read_text().partition("```json\n")[2].partition("```")[0])
        definition["agentId"] = (await workspace.make_agent())["agentId"]
        del definition["defaultReviewers"]  # they aren't members of this workspace
        form = await assert_ok(workspace.manager.post("/forms", json=definition))
        runner.env["FORM_ID"] = form["formId"]
        await asyncio.to_thread(run_shell, runner, page)


class TestReviewTypeEditor:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/review-type-editor.md")


class TestPythonClient:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/python-client.md")


class TestInsights:
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/insights.md")


class TestBackup:
    def test_shell(self, runner: ExampleRunner) -> None:
        run_shell(runner, "docs/backup.md")
        assert (runner.folder / "signoff.tar").is_file()


class TestMcp:
    @pytest.mark.slow
    def test_python(self, runner: ExampleRunner) -> None:
        run_python(runner, "docs/mcp.md")


class TestWebhooks:
    async def test_shell(self, runner: ExampleRunner, workspace: Workspace, receiver: Receiver) -> None:
        gone = receiver.answer("/" + unique("gone"), [410])
        busy = receiver.answer("/" + unique("busy"), web.Response(status=503, headers={"retry-after": "3600"}))
        runner.env["DELIVERY_ID"] = await delivered(workspace, gone, "dead")
        runner.env["OTHER_DELIVERY_ID"] = await delivered(workspace, busy, "retrying")
        receiver.answer(urlsplit(gone).path, [200])
        await asyncio.to_thread(run_shell, runner, "docs/webhooks.md")
        record = await workspace.delivery(runner.env["DELIVERY_ID"], "succeeded")
        assert [attempt["scheduledBy"] for attempt in record["attempts"]] == ["inline", "manual"]

    @pytest.fixture
    async def agent(self, workspace: Workspace, runner: ExampleRunner) -> dict[str, str]:
        runner.prepare("docs/webhooks.md")
        created_agent = await workspace.make_agent(webhookUrl=f"http://127.0.0.1:{runner.port}/hook")
        runner.env["WEBHOOK_SECRET"] = created_agent["webhookSecret"]
        return created_agent

    async def test_python_receiver(self, runner: ExampleRunner, workspace: Workspace, agent: dict[str, str]) -> None:
        with listening(runner, sys.executable, "receiver.py") as output:
            await check_receiver(runner, workspace, agent, output)

    async def test_javascript_receiver(
        self, runner: ExampleRunner, workspace: Workspace, agent: dict[str, str]
    ) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.skip("the JavaScript example needs node, which this machine does not have")
        with listening(runner, node, "receiver.mjs") as output:
            await check_receiver(runner, workspace, agent, output)


async def delivered(workspace: Workspace, url: str, status: str) -> str:
    form = await workspace.make_form()
    created_review = await workspace.request(form, webhookUrl=url)
    review = await workspace.decide(created_review["reviewId"])
    return (await workspace.delivery(review["webhookDeliveryId"], status))["deliveryId"]


@contextmanager
def listening(runner: ExampleRunner, *command: str) -> Iterator[Path]:
    """The page's receiver as a separate process, once it responds; yields its output."""
    output = runner.folder / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=runner.folder, env=runner.env, stdout=file, stderr=file, start_new_session=True
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{runner.port}/", trust_env=False, timeout=60)
                break
            except httpx.TransportError:
                assert process.poll() is None, output.read_text()
                assert time.monotonic() < deadline, output.read_text()
                time.sleep(0.05)
        yield output
    finally:
        # The whole group: our node is a script that runs the real one as its child, which would outlive it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


async def check_receiver(runner: ExampleRunner, workspace: Workspace, agent: dict[str, str], output: Path) -> None:
    """It accepts what the service sends, once; it rejects what anyone else sends."""
    form = await workspace.make_form(agent)
    created_review = await workspace.request(form)
    review = await workspace.decide(created_review["reviewId"])
    record = await workspace.delivery(review["webhookDeliveryId"], "succeeded")
    delivery_id = record["deliveryId"]
    await assert_ok(workspace.manager.post(f"/webhooks/deliveries/{delivery_id}/retry"))
    while len(record["attempts"]) < 2:
        record = await workspace.delivery(delivery_id, "succeeded")

    signer, other = Webhook(agent["webhookSecret"]), Webhook("whsec_bm90IHRoZSBvbmUgdGhhdCBpcyBtZWFudA==")
    now = int(time.time())
    assert await post(runner, signer, now) == 204
    assert await post(runner, other, now) == 401
    assert await post(runner, signer, now - 600) == 401
    assert await post(runner, signer, now + 600) == 401
    assert await post(runner, signer, now, body=b'{"event": "forged", "deliveryId": "x"}') == 401

    received = await asyncio.to_thread(received_by, output, 2)
    assert received == [f"received review.completed {delivery_id}", "received test whd_by_hand"]


def received_by(output: Path, least: int) -> list[str]:
    """The receiver's lines about events, once there are this many: it prints after it has responded."""
    deadline = time.monotonic() + PATIENCE
    while True:
        lines = [line for line in output.read_text().splitlines() if line.startswith("received")]
        if len(lines) >= least or time.monotonic() > deadline:
            return lines
        time.sleep(0.05)


async def post(runner: ExampleRunner, signer: Webhook, at: int, body: bytes | None = None) -> int:
    """A manual call, signed for the time `at`; with `body`, the body differs from the signed one."""
    signed = b'{"event": "test", "deliveryId": "whd_by_hand"}'
    headers = {
        "webhook-id": "whd_by_hand",
        "webhook-timestamp": str(at),
        "webhook-signature": signer.sign("whd_by_hand", datetime.fromtimestamp(at, UTC), signed.decode()),
    }
    async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
        response = await client.post(f"http://127.0.0.1:{runner.port}/hook", content=body or signed, headers=headers)
    return response.status_code
