"""The whole service as users run it: `signoff serve`, with its database, worker, search index, and deliveries."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import psutil
import psycopg

from bench.baseline_app import CREATE_TABLE
from bench.deliveries import start_receiver
from bench.environment import PASSWORD, Environment, initialize, run_process, wait_for
from chaos.processes import free_port
from signoff.accounts.passwords import passwords
from signoff.accounts.users.actions import insert_user
from signoff.platform.db import Database

MEMBERS = 16
STREAMS = 1_000
DRAIN_TIMEOUT = 1_800.0
DRAIN_POLL = 0.1

# Work that the requests so far have caused and that isn't done. A claimed job or message is due again if its worker
# dies. Mails and reminders that are due later aren't part of it.
IS_IDLE = """
    select not exists (select from jobs where claimed_at is not null or due_at <= now())
       and not exists (select from outgoing_messages where due_at <= now() or state = 'sending')
       and (select min(position) from log_cursors) >= (select last_value from audit_log_entry_id_seq)
"""
BACKLOG = """
    select (select count(*) from jobs where claimed_at is not null or due_at <= now())
         + (select count(*) from outgoing_messages where due_at <= now() or state = 'sending')
"""


@dataclass
class Service:
    environment: Environment
    data_dir: Path
    process: "subprocess.Popen[bytes]"
    receiver: "subprocess.Popen[str]"
    """The agent's webhook endpoint."""
    cookies: list[str]
    """Of the members who are signed in."""

    @property
    def api(self) -> str:
        return f"{self.environment.url}/api/v1"

    def processes(self) -> dict[str, psutil.Process]:
        """The processes by their role. Each can have children."""
        roles = {"supervisor": psutil.Process(self.process.pid), "receiver": psutil.Process(self.receiver.pid)}
        for child in roles["supervisor"].children():
            roles[find_role(child.cmdline())] = child
        return roles

    def wait_until_idle(self) -> float:
        """Wait until everything that the requests caused is done. Returns the seconds that this took."""
        began = time.monotonic()
        with psycopg.connect(self.environment.dsn, autocommit=True, application_name="bench") as connection:
            while connection.execute(IS_IDLE).fetchone() != (True,):
                if time.monotonic() - began > DRAIN_TIMEOUT:
                    raise TimeoutError(f"the service still has {self.backlog()} jobs and messages to do")
                time.sleep(DRAIN_POLL)
        return time.monotonic() - began

    def backlog(self) -> int:
        """The number of jobs and messages to do."""
        return self.environment.value(BACKLOG)

    def pending(self) -> list[str]:
        with psycopg.connect(self.environment.dsn) as connection:
            rows = connection.execute("select review_id from reviews where state = 'pending' order by review_id")
            return [review_id for (review_id,) in rows.fetchall()]

    @contextmanager
    def bare(self) -> Iterator[tuple[Environment, psutil.Process]]:
        """Run the baseline beside the service, on the same database server. Yield its environment and its process."""
        port = free_port()
        environment = replace(
            self.environment,
            port=port,
            env=self.environment.env | {"SIGNOFF_PORT": str(port), "SIGNOFF_DATABASE_URL": self.environment.dsn},
        )
        environment.execute(CREATE_TABLE)
        with environment.server("bare") as process:
            yield environment, psutil.Process(process.pid)


def find_role(command: list[str]) -> str:
    """Return the role of a child of `signoff serve`. The API's server renames itself."""
    if any(word.endswith("watchdog.py") for word in command):
        return "PostgreSQL"
    return "worker" if "worker" in command else "API"


@contextmanager
def start_service(folder: Path) -> Iterator[Service]:
    folder.chmod(0o711)  # As root, the database runs as another user, who must be able to reach its files.
    data_dir, log, port = folder / "data", folder / "serve.log", free_port()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SIGNOFF_", "PG"))} | {
        "SIGNOFF_DATA_DIR": str(data_dir),
        "SIGNOFF_PORT": str(port),
        "SIGNOFF_LOG_FORMAT": "json",
        "SIGNOFF_DEMO": "0",
        "SIGNOFF_CLIENT_CONNECTIONS": str(2 * STREAMS),  # All come from this machine.
    }
    created = initialize(env)
    with (
        start_receiver() as (webhook_url, receiver),
        run_process([sys.executable, "-m", "signoff", "serve"], env, log) as process,
    ):
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/readyz", log)
        dsn = json.loads((data_dir / "run.json").read_text())["dsn"]
        account_id = created["accountId"]
        environment = Environment(dsn, env, "", "", account_id, created["apiKey"], created["manageKey"], port)
        environment.create_review_type(webhook_url)
        emails = asyncio.run(_insert_members(dsn, account_id))
        yield Service(environment, data_dir, process, receiver, [_sign_in(url, email) for email in emails])


async def _insert_members(dsn: str, account_id: str) -> list[str]:
    emails = [f"member-{number}@example.com" for number in range(MEMBERS)]
    db = await Database.connect(dsn, size=1)
    try:
        password_hash = await passwords.hash(PASSWORD)
        async with db.transaction() as tx:
            for email in emails:
                await insert_user(tx, account_id, email, None, "reviewer", password_hash)
    finally:
        await db.close()
    return emails


def _sign_in(url: str, email: str) -> str:
    response = httpx.post(f"{url}/api/v1/auth/login", json={"email": email, "password": PASSWORD}, timeout=60)
    return "; ".join(f"{name}={value}" for name, value in response.raise_for_status().cookies.items())
