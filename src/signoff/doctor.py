"""`signoff doctor`: check everything the service needs, and say how to fix what's wrong.

Nothing is changed, except for a small object that is written to the storage and deleted again, and a mark in Redis that
expires within a second.
"""

import asyncio
import json
import os
import shutil
import smtplib
import socket
import ssl
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import asyncpg
import httpx
from obstore.exceptions import BaseError as StorageError

from signoff.accounts.oidc.errors import OidcUnavailable
from signoff.accounts.oidc.provider import IdentityProvider
from signoff.notifications.chat_apps.adapter import ChatApp, ChatAppError, Connection, CredentialsRejected
from signoff.notifications.chat_apps.registry import build_apps
from signoff.platform import migrate
from signoff.platform.data_directory import SERVE, find_data_directory_owner, open_database
from signoff.platform.db import DATABASE_ERRORS
from signoff.platform.embedded_postgres import EmbeddedPostgresError
from signoff.platform.embedded_postgres.os_users import server_os_user
from signoff.platform.errors import CommandError
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.machine import read_machine
from signoff.platform.parent_process import SUPERVISOR_PID_ENV
from signoff.platform.rate_limits import BucketsUnreachable, Rate
from signoff.platform.redis_buckets import RedisBuckets
from signoff.platform.settings import LOOPBACK_NETWORKS, Settings, is_loopback
from signoff.platform.storage import open_storage, probe_storage, storage_folder
from signoff.processes.process_plan import ProcessPlan, plan_processes

TIMEOUT_SECONDS = 10
LOW_SPACE_BYTES = 1024**3
LATE_AFTER_SECONDS = 60
NOTICEABLE_SKEW, HARMFUL_SKEW = 2.0, 60.0
CLIENT_SETTINGS = {"SIGNOFF_URL", "SIGNOFF_API_KEY"}
"""For the Python client and `signoff mcp`, which may run next to the service and share its environment."""
CLOUD_METADATA = ip_address("169.254.169.254")


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    state: State
    found: str
    advice: str = ""


def _ok(subject: str, found: str) -> Finding:
    return Finding(subject, State.OK, found)


def _warning(subject: str, found: str, advice: str) -> Finding:
    return Finding(subject, State.WARNING, found, advice)


def _error(subject: str, found: str, advice: str) -> Finding:
    return Finding(subject, State.ERROR, found, advice)


def run_checks(settings: Settings) -> list[Finding]:
    return [
        *check_settings(settings, os.environ),
        *check_public_url(settings),
        *check_networks(settings),
        *check_processes(settings),
        *check_data_dir(settings.data_dir),
        *check_database(settings),
        *check_storage(settings),
        *check_redis(settings),
        *check_mail(settings),
        *check_oidc(settings),
    ]


def check_settings(settings: Settings, environment: Iterable[str]) -> Iterator[Finding]:
    known = {f"SIGNOFF_{name.upper()}" for name in Settings.model_fields}
    given = {name for name in environment if name.startswith("SIGNOFF_")} - {SUPERVISOR_PID_ENV} - CLIENT_SETTINGS
    for name in sorted(given - known):
        meant = get_close_matches(name, known, n=1)
        yield _warning(
            "settings",
            f"{name} isn't a known setting and is ignored",
            f"Did you mean {meant[0]}?" if meant else "Run `signoff settings` for the full list.",
        )
    yield _ok("settings", f"{len(given & known)} of {len(known)} settings set; the rest use defaults")


def check_public_url(settings: Settings) -> Iterator[Finding]:
    parts = urlsplit(settings.url)
    host = parts.hostname or ""
    open_to_others = not is_loopback(settings.host)
    if settings.public_url is None and open_to_others:
        yield _warning(
            "public URL",
            f"not set: links use {settings.url}",
            "Set SIGNOFF_PUBLIC_URL to the URL that your team and agents use.",
        )
        return
    try:
        socket.getaddrinfo(host, parts.port)
    except OSError:
        yield _error("public URL", f"can't resolve {host}", "Fix SIGNOFF_PUBLIC_URL or the DNS record.")
        return
    if parts.scheme == "http" and not is_loopback(host):
        yield _warning(
            "public URL",
            f"{settings.url} isn't encrypted: passwords and keys are sent in plain text",
            "Put a TLS reverse proxy in front of Signoff and set SIGNOFF_PUBLIC_URL to its https URL.",
        )
    else:
        yield _ok("public URL", settings.url)


def check_networks(settings: Settings) -> Iterator[Finding]:
    networks = settings.outgoing_networks
    listed = ", ".join(["the public internet", *map(str, networks)]) if networks else "the public internet only"
    if any(CLOUD_METADATA in network for network in networks):
        yield _warning(
            "networks",
            f"webhooks can reach {listed}, including the cloud metadata service at {CLOUD_METADATA}",
            "Limit SIGNOFF_ALLOWED_NETWORKS to the networks of your webhook endpoints.",
        )
    elif not settings.is_private and any(
        network.version == loopback.version and network.overlaps(loopback)  # pyright: ignore[reportArgumentType]
        for network in networks
        for loopback in LOOPBACK_NETWORKS
    ):
        yield _warning(
            "networks",
            f"webhooks can reach {listed}, so anyone who can set a webhook can call services on this machine",
            "Remove the loopback network from SIGNOFF_ALLOWED_NETWORKS.",
        )
    else:
        yield _ok("networks", f"webhooks can reach {listed}")


def check_processes(settings: Settings) -> Iterator[Finding]:
    machine = read_machine()
    plan = plan_processes(settings, machine)
    cores = f"{machine.cores} core" if machine.cores == 1 else f"{machine.cores} cores"
    found = f"`signoff serve` runs {_list_processes(plan)} on {cores}"
    if plan.api > machine.cores:
        yield _warning("processes", found, "More API processes than cores are slower. Lower SIGNOFF_API_PROCESSES.")
    else:
        yield _ok("processes", found)


def _list_processes(plan: ProcessPlan) -> str:
    apis = "1 API process" if plan.api == 1 else f"{plan.api} API processes"
    workers = "1 worker" if plan.workers == 1 else f"{plan.workers} workers"
    return f"{apis} and {workers}"


def check_data_dir(folder: Path) -> Iterator[Finding]:
    folder = folder.absolute()
    subject = "data directory"
    if not _exists(folder):
        parent = next(parent for parent in folder.parents if _exists(parent))
        if os.access(parent, os.W_OK | os.X_OK):
            yield _warning(subject, f"{folder} doesn't exist yet", "`signoff serve` creates it.")
        else:
            yield _error(
                subject,
                f"{folder} doesn't exist and can't be created in {parent}",
                "Set SIGNOFF_DATA_DIR to a directory this user can write to.",
            )
        return
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield _error(
            subject,
            f"{folder} isn't a writable directory",
            "Run Signoff as the directory's owner, `chown` the directory, or change SIGNOFF_DATA_DIR.",
        )
        return
    if folder.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield _warning(subject, f"other users on this machine can read {folder}", f"Run `chmod 700 {folder}`.")
    free = shutil.disk_usage(folder).free
    if free < LOW_SPACE_BYTES:
        yield _warning(
            subject,
            f"only {free / 1024**2:.0f} MB of disk space left",
            ("Free up space or move the data directory to a larger disk."),
        )
    holder = find_data_directory_owner(folder)
    if holder is not None and holder.command == SERVE:
        yield from _check_service(holder.local_url)
    running = f"in use by `signoff {holder.command}` (PID {holder.pid})" if holder else "not in use"
    yield _ok(subject, f"{folder}: {running}, {free / 1024**3:.0f} GB free")


def _check_service(url: str) -> Iterator[Finding]:
    """Check what the running service reports about itself."""
    try:
        answer = httpx.get(f"{url}/readyz", timeout=TIMEOUT_SECONDS, trust_env=False)
        report = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        yield _error(
            "service",
            f"no response from {url}: {error or type(error).__name__}",
            "If this continues, `signoff serve` restarts the API. See the log of `signoff serve` for what the API is "
            "waiting for.",
        )
        return
    if "waitingFor" in report:
        yield _error("service", f"waiting for {report['waitingFor']}", "See the log of `signoff serve`.")
    elif not answer.is_success:
        missing = ", ".join(name for name, state in report.items() if state == "unreachable")
        yield _error("service", f"can't reach: {missing}", "See below, and the log of `signoff serve`.")
    elif report.get("worker") == "no heartbeat":
        yield _warning("service", "no worker heartbeat", "`signoff serve` restarts the worker. See its log.")
    else:
        yield _ok("service", f"ready at {url}")


def _exists(path: Path) -> bool:
    return os.access(path, os.F_OK)  # `Path.exists` raises if this user may not look.


def check_database(settings: Settings) -> Iterable[Finding]:
    if settings.database_url is None and not _exists(settings.data_dir / "postgres"):
        return [_warning("database", "not created yet", "`signoff serve` or `signoff init` creates it.")]
    if settings.database_url is None and (user := _next_owner(settings.data_dir)):
        return [
            _warning(
                "database",
                f"not checked: PostgreSQL will run as {user}, which doesn't own the database files",
                f"`signoff serve` changes the owner of {settings.data_dir.absolute() / 'postgres'} to {user}.",
            )
        ]
    try:
        with open_database(settings, "doctor") as dsn:
            return asyncio.run(_check_database(dsn, settings))
    except DATABASE_ERRORS as error:
        return [
            _error(
                "database",
                f"can't connect: {error or type(error).__name__}",
                ("Check SIGNOFF_DATABASE_URL and that PostgreSQL is running and accepts connections from this machine.")
                if settings.database_url
                else f"See the log in {settings.data_dir.absolute() / 'postgres' / 'log'}.",
            )
        ]
    except (EmbeddedPostgresError, CommandError) as error:
        return [_error("database", str(error), "Fix this error, then run `signoff doctor` again.")]


def _next_owner(data_dir: Path) -> str | None:
    """Return the account that PostgreSQL's files would belong to after a start as root, if they don't already."""
    home = data_dir.absolute() / "postgres"
    if find_data_directory_owner(data_dir) is not None:
        return None
    account = server_os_user(home)
    return None if account.owns(home) else account.name or str(account.uid)


async def _check_database(dsn: str, settings: Settings) -> list[Finding]:
    connection = await cast(Any, asyncpg).connect(dsn, timeout=TIMEOUT_SECONDS, command_timeout=TIMEOUT_SECONDS)
    try:
        findings = [await _check_server(connection, settings), await _check_clock(connection)]
        migrations = await _check_migrations(connection)
        findings.append(migrations)
        if migrations.state is State.OK:
            findings += await _check_queue(connection, settings.worker_lost_after)
            findings += await _check_chat_apps(connection, settings)
        return findings
    finally:
        await connection.close()


async def _check_server(connection: Any, settings: Settings) -> Finding:
    version = connection.get_server_version()
    name = f"PostgreSQL {version.major}.{version.minor}"
    if version.major < migrate.MIN_POSTGRESQL_VERSION:
        return _error(
            "database", f"{name} isn't supported", f"Upgrade to PostgreSQL {migrate.MIN_POSTGRESQL_VERSION} or newer."
        )
    allowed = int(await connection.fetchval("select current_setting('max_connections')"))
    plan = plan_processes(settings, read_machine())
    if allowed < plan.connections:
        return _warning(
            "database",
            f"{name} allows {allowed} connections, but {_list_processes(plan)} can use {plan.connections}",
            "Lower SIGNOFF_DATABASE_POOL_SIZE or raise `max_connections` in PostgreSQL.",
        )
    return _ok("database", f"{name}, at most {allowed} connections")


async def _check_clock(connection: Any) -> Finding:
    before = datetime.now(UTC)
    theirs = await connection.fetchval("select clock_timestamp()")
    ours = before + (datetime.now(UTC) - before) / 2
    skew = abs((theirs - ours).total_seconds())
    description = f"{skew:.1f} s off from the database server's clock"
    if skew > HARMFUL_SKEW:
        return _error(
            "clock", description, "Sync both clocks with NTP. Receivers reject webhooks with a wrong timestamp."
        )
    if skew > NOTICEABLE_SKEW:
        return _warning("clock", description, "Sync both clocks with NTP.")
    return _ok("clock", description)


async def _check_migrations(connection: Any) -> Finding:
    expected = migrate.latest_revision()
    tables = await connection.fetchval("select to_regclass('alembic_version') is not null")
    current = await connection.fetchval("select version_num from alembic_version") if tables else None
    if current is not None and current not in migrate.known_revisions():
        return _error(
            "migrations",
            f"schema {current} is from a newer version of Signoff; this version has {expected}",
            "Upgrade Signoff.",
        )
    if current != expected:
        description = f"schema {current}, expected {expected}" if current else "the database is empty"
        return _error("migrations", description, "Run `signoff migrate` (`signoff serve` does this on startup).")
    return _ok("migrations", f"schema {current}, up to date")


async def _check_workers(connection: Any, lost_after: float) -> list[Finding]:
    silent = await connection.fetch(
        """
        select host, pid, extract(epoch from now() - seen_at)::float8 as seconds from worker_heartbeats
        where seen_at < now() - make_interval(secs => $1) order by seen_at
        """,
        lost_after,
    )
    return [
        _warning(
            "worker",
            f"no heartbeat from the worker on {row['host']} (PID {row['pid']}) for {row['seconds']:.0f} s",
            "`signoff serve` replaces a worker that stops responding. If you started this worker with `signoff "
            "worker`, restart it.",
        )
        for row in silent
        if not (row["host"] == socket.gethostname() and not _is_running(row["pid"]))
    ]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


async def _check_queue(connection: Any, lost_after: float) -> list[Finding]:
    row = await connection.fetchrow(
        """
        select count(*) filter (where not is_claimed) as waiting,
               count(*) filter (where has_failed) as failed,
               count(*) filter (where is_claimed and due_at < now()) as abandoned,
               extract(epoch from now() - min(due_at) filter (where not is_claimed))::float as overdue,
               exists (
                   select from worker_heartbeats where seen_at > now() - make_interval(secs => $1)
               ) as worked
        from (
            select due_at, claimed_at is not null as is_claimed, failure_count > 0 as has_failed from jobs
            union all
            select due_at, state <> 'queued', false from outgoing_messages where due_at is not null
        ) as work
        """,
        lost_after,
    )
    remedy = (
        "Start another worker with `signoff worker`."
        if row["worked"]
        else "Start a worker with `signoff serve` or `signoff worker`."
    )
    worker = "a worker is running" if row["worked"] else "no worker is running"
    findings = list[Finding]()
    if (row["overdue"] or 0) > LATE_AFTER_SECONDS:
        findings.append(_warning("queue", f"oldest job is {row['overdue']:.0f} s overdue; {worker}", remedy))
    if row["abandoned"]:
        description = f"no worker heartbeat for {lost_after:g} s (jobs affected: {row['abandoned']})"
        findings.append(
            _warning("queue", description, (f"A running worker picks up these jobs automatically; {worker}."))
        )
    if row["failed"]:
        description = f"failed jobs: {row['failed']}"
        findings.append(
            _warning("queue", description, "They're retried automatically. See the worker log for the reason.")
        )
    return await _check_workers(connection, lost_after) + (
        findings or [_ok("queue", f"jobs queued: {row['waiting']}, none overdue; {worker}")]
    )


def check_storage(settings: Settings) -> Iterator[Finding]:
    if settings.storage_url is None and not _exists(settings.data_dir):
        yield _warning("storage", "not created yet", "`signoff serve` creates it in the data directory.")
        return
    try:
        asyncio.run(_use_storage(settings))
    except (OSError, StorageError, ValueError) as error:
        reason = (str(error) or "no response").splitlines()[0]
        yield _error(
            "storage",
            f"can't use {settings.storage}: {reason}",
            "Check SIGNOFF_STORAGE_URL, its credentials, and its permissions.",
        )
    else:
        yield _ok("storage", f"{settings.storage}: write, read, and delete work")


async def _use_storage(settings: Settings) -> None:
    folder = storage_folder(settings)
    was_there = folder is None or _exists(folder)
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await probe_storage(open_storage(settings))
    finally:
        if folder is not None and not was_there and _exists(folder):
            folder.rmdir()  # The service creates it, as the user that it runs as.


async def _check_chat_apps(connection: Any, settings: Settings) -> list[Finding]:
    rows = await connection.fetch(
        """
        select account_id, app, credentials::text, workspace, team_id, org_id, state, why
        from chat_connections order by account_id, app
        """
    )
    async with GuardedClient(settings.outgoing_networks, limit=1) as client:
        apps = build_apps(client, settings)
        return [await _check_chat_app(apps[row["app"]], row) for row in rows]


async def _check_chat_app(app: ChatApp, row: Any) -> Finding:
    subject = {"slack": "Slack", "mattermost": "Mattermost"}[app.name]
    workspace = row["workspace"] or row["account_id"]
    advice = f"Connect {subject} again in the workspace's settings."
    known = Connection(row["account_id"], app.name, json.loads(row["credentials"]), row["team_id"], row["org_id"])
    try:
        await app.connect(known)
    except CredentialsRejected as error:
        return _error(subject, f"{workspace} rejected our credentials: {error}", advice)
    except ChatAppError as error:
        return _warning(subject, f"can't reach {workspace}: {error}", "Check the network, then try again.")
    if row["state"] == "refused":
        return _error(subject, f"stopped posting to {workspace}: {row['why']}", advice)
    return _ok(subject, f"connected to {workspace}")


def check_oidc(settings: Settings) -> Iterator[Finding]:
    if settings.oidc_issuer is None:
        return
    try:
        asyncio.run(_read_discovery(settings))
    except OidcUnavailable as error:
        yield _error(
            "identity provider",
            f"can't use {settings.oidc_issuer}: {error.reason}",
            "Check SIGNOFF_OIDC_ISSUER: it must be exactly the `issuer` in the provider's discovery document.",
        )
    else:
        yield _ok("identity provider", f"{settings.oidc_issuer} has a valid discovery document")


async def _read_discovery(settings: Settings) -> None:
    provider = IdentityProvider(settings)
    try:
        await provider.metadata()
    finally:
        await provider.close()


def check_redis(settings: Settings) -> Iterator[Finding]:
    if settings.redis_url is None:
        return
    parts = urlsplit(settings.redis_url)
    place = parts.path if parts.scheme == "unix" else parts.hostname or "this machine"
    try:
        asyncio.run(_use_redis(settings.redis_url))
    except (BucketsUnreachable, ValueError) as error:
        yield _warning(
            "Redis",
            f"can't use {place}, so each API process enforces rate limits separately: {error}",
            "Check SIGNOFF_REDIS_URL: host, port, user, and password.",
        )
    else:
        yield _ok("Redis", f"{place} works; API processes share rate limits")


async def _use_redis(url: str) -> None:
    shared = RedisBuckets(url)
    try:
        await shared.take("doctor", Rate(per_second=1, burst=10))
    finally:
        await shared.close()


def check_mail(settings: Settings) -> Iterator[Finding]:
    host = settings.smtp_host
    if host is None:
        yield _warning(
            "email",
            f"no mail server configured: emails are saved as files in {settings.data_dir.absolute() / 'mails'}",
            "Set SIGNOFF_SMTP_HOST to send email.",
        )
        return
    try:
        with _mail_server(settings, host) as server:
            server.ehlo()
            if settings.smtp_security == "starttls":
                server.starttls(context=_mail_certificates(settings))
                server.ehlo()
            if settings.smtp_user is not None:
                server.login(settings.smtp_user, settings.smtp_password or "")
    except (OSError, smtplib.SMTPException) as error:
        yield _error(
            "email",
            f"can't use {host}: {error}",
            "Check SIGNOFF_SMTP_HOST, SIGNOFF_SMTP_PORT, SIGNOFF_SMTP_SECURITY, and the credentials.",
        )
        return
    if settings.mail_from is None:
        yield _warning(
            "email",
            f"emails are sent from the default address, {settings.sender}",
            "Set SIGNOFF_MAIL_FROM to an address your mail server can send from.",
        )
    yield _ok("email", f"connected to {host}" + (" and signed in" if settings.smtp_user is not None else ""))


def _mail_server(settings: Settings, host: str) -> smtplib.SMTP:
    port = settings.smtp_port or 0
    if settings.smtp_security == "tls":
        return smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_SECONDS, context=_mail_certificates(settings))
    return smtplib.SMTP(host, port or (587 if settings.smtp_security == "starttls" else 25), timeout=TIMEOUT_SECONDS)


def _mail_certificates(settings: Settings) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=settings.smtp_ca_file)
