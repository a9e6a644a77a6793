"""A restore returns the same data: compared by content, through the API, on every kind of storage."""

import asyncio
import signal
import subprocess
from pathlib import Path
from typing import Any, LiteralString

import httpx
import psycopg
import pytest
from alembic import command
from backup_helpers import (
    PICTURES,
    Backup,
    SeededInstance,
    Target,
    contents,
    create_backup,
    files,
    keep_requesting,
    new_target,
    run,
)
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool
from support.api import assert_ok, sign_in_workspace
from support.prepared_data_dir import SIGNOFF
from support.service_process import RunningService, free_port, service_env, wait_ready

from media.s3_server import S3Server
from signoff.backup import console
from signoff.backup.delivery_hold import HARMLESS_JOBS, hold_deliveries
from signoff.notifications.review_mails.digests import Digests
from signoff.platform import migrate as migrations
from signoff.platform.db import Database


def test_restores_everything(backup: Backup, target: Target) -> None:
    assert backup.file.stat().st_mode & 0o777 == 0o600
    assert not list(backup.file.parent.glob("*.partial"))
    restored = target.restore(backup.file)
    assert contents(target.dsn) == backup.contents
    assert len(backup.files) >= PICTURES
    assert files(target.media) == backup.files
    assert restored.rows == backup.manifest.tables
    assert (restored.files, restored.held) == (len(backup.files), None)
    assert {path.stat().st_mode & 0o077 for path in target.media.rglob("*")} == {0}
    with pytest.raises(Exception, match="The database isn't empty"):
        target.restore(backup.file)


async def test_backup_during_requests(seeded: SeededInstance, target: Target, tmp_path: Path) -> None:
    service, file = seeded.service, tmp_path / "busy.tar"
    workspace = await sign_in_workspace(service)
    fields = [{"id": "photo", "type": "image", "label": "Photo"}]
    form = await workspace.make_form(fields=fields, titleField=None, layout=None, rules=[])
    stop = asyncio.Event()
    coming = asyncio.create_task(keep_requesting(service, form["formId"], stop))
    await asyncio.to_thread(create_backup, service, file)
    stop.set()
    review = await coming
    await asyncio.to_thread(target.restore, file)
    # Of the reviews requested during the backup, the first ones are there without gaps, each with its image.
    listed_rows = target.fetch(f"select review_id from reviews where form_id = '{form['formId']}'")  # noqa: S608
    assert {review_id for (review_id,) in listed_rows} == set(review[: len(listed_rows)])
    stored_media = {
        f"{account_id}/{media_id}" for account_id, media_id in target.fetch("select account_id, media_id from media")
    }
    assert stored_media <= files(target.media).keys()
    await workspace.close()


@pytest.mark.slow
async def test_backup_during_requests_and_restart(
    seeded: SeededInstance, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With the command line, into a directory that doesn't exist, and then started there."""
    service, file = seeded.service, tmp_path / "busy.tar"
    workspace = await sign_in_workspace(service)
    fields = [{"id": "photo", "type": "image", "label": "Photo"}]
    form = await workspace.make_form(fields=fields, titleField=None, layout=None, rules=[])
    stop = asyncio.Event()
    coming = asyncio.create_task(keep_requesting(service, form["formId"], stop))
    result = await asyncio.to_thread(run, "backup", file, env=service.env)
    stop.set()
    review = await coming
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""

    folder = tmp_path_factory.mktemp("again")
    env = service_env(folder / "data", free_port(), webhook_retry_schedule="3600")
    checked = await asyncio.to_thread(run, "backup", "--check", file, env=env)
    assert (checked.returncode, checked.stdout) == (0, result.stdout)
    restored = await asyncio.to_thread(run, "restore", file, env=env)
    assert restored.returncode == 0, restored.stderr
    assert "Restored and verified" in restored.stdout
    process = start_serving(env, folder / "serve.log")
    url = f"http://127.0.0.1:{env['SIGNOFF_PORT']}"
    again = RunningService(url, folder / "data", env, service.workspace, process, folder / "serve.log")
    try:
        await asyncio.to_thread(wait_ready, again)
        there = await sign_in_workspace(again)  # with the same password
        for review_id in (seeded.decided, seeded.pending):
            before, now = await workspace.review(review_id), await there.review(review_id)
            assert {**now, "svcLink": ""} == {**before, "svcLink": ""}
        talk = [message["text"] for message in (await assert_ok(there.agent.get("/sessions/talk-0/messages")))["items"]]
        assert talk == ["Hello, 你好 👋", "Hello yourself"]
        picture = seeded.picture.replace(service.url, url)
        assert (await there.public.get(picture)).content == (await workspace.public.get(seeded.picture)).content
        # Of the reviews requested during the backup, the first ones are there without gaps, each with its image.
        listed_ids = await everything(there.agent, form["formId"])
        assert listed_ids == review[: len(listed_ids)]
        for review_id in listed_ids:
            photo = (await there.review(review_id))["data"]["photo"]
            assert (await there.public.get(photo.replace(service.url, url))).status_code == 200
        # And it keeps working.
        await there.decide(seeded.pending)
    finally:
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait, 60)
    for space in (workspace, there):
        await space.close()


def start_serving(env: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
    with log.open("wb") as output:
        return subprocess.Popen([*SIGNOFF, "serve"], env=env, stdout=output, stderr=output)


async def everything(client: httpx.AsyncClient, form_id: str) -> list[str]:
    ids, cursor = list[str](), None
    while True:
        query: dict[str, Any] = {"formId": form_id, "order": "oldest", "limit": 200}
        page = await assert_ok(client.get("/reviews", params=query if cursor is None else {**query, "cursor": cursor}))
        ids += [row["reviewId"] for row in page["items"]]
        if not (cursor := page.get("nextCursor")):
            return ids


def test_from_disk_to_a_bucket_and_back(
    seeded: SeededInstance, backup: Backup, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = S3Server(tmp_path / "s3")
    try:
        for name, value in bucket.env.items():
            monkeypatch.setenv(name, value)
        storage = "s3://bucket/some/prefix"
        target.restore(backup.file, storage_url=storage)
        assert files(bucket.folder / "some/prefix") == backup.files
        assert not target.media.exists()
        with pytest.raises(Exception, match="storage s3://bucket/some/prefix isn't empty"):
            new_target(seeded.service, tmp_path).restore(backup.file, storage_url=storage)

        second = tmp_path / "second.tar"
        manifest = create_backup(seeded.service, second, database_url=target.dsn, storage_url=storage)
        assert manifest.tables == backup.manifest.tables
        assert (manifest.media, manifest.missing) == (backup.manifest.media, [])
        back = new_target(seeded.service, tmp_path)
        back.restore(second)
        assert files(back.media) == backup.files
        assert contents(back.dsn) == contents(target.dsn)
    finally:
        bucket.stop()


def test_paused_copy_sends_nothing(seeded: SeededInstance, backup: Backup, target: Target) -> None:
    query = "select count(*) from outgoing_messages where state in ('queued', 'sending')"
    jobs = "select distinct name from jobs"
    with psycopg.connect(seeded.service.dsn()) as connection:
        waiting = connection.execute(query).fetchone()
        other_jobs = {name for (name,) in connection.execute(jobs)} - set(HARMLESS_JOBS)
    assert waiting is not None
    assert waiting[0] >= 1
    assert other_jobs
    restored = target.restore(backup.file, hold=True)
    assert restored.held is not None
    assert restored.held["outgoing_messages"] == waiting[0]
    assert restored.held["jobs"] >= 1
    assert target.fetch(query) == [(0,)]
    assert {name for (name,) in target.fetch(jobs)} <= set(HARMLESS_JOBS)
    held = f"select state, is_stopped from outgoing_messages where message_id = '{seeded.waiting}'"  # noqa: S608
    assert target.fetch(held) == [("failed", True)]
    assert target.fetch("select count(*) from outgoing_messages where settled_at is null") == [(0,)]


def test_older_schema_is_migrated(seeded: SeededInstance, target: Target, tmp_path: Path) -> None:
    make_schema(target.dsn, "0003")
    with psycopg.connect(target.dsn, autocommit=True) as connection:
        connection.execute("insert into accounts (account_id, name, audit_webhook_secret) values ('acc_1', 'Old', 's')")
    old = tmp_path / "old.tar"
    assert create_backup(seeded.service, old, database_url=target.dsn).revision == "0003"
    newer = new_target(seeded.service, tmp_path)
    newer.restore(old, hold=True)
    assert newer.fetch("select name from accounts") == [("Old",)]
    assert newer.fetch("select version_num > '0003' from alembic_version") == [(True,)]
    assert newer.fetch("select count(*) from messages") == [(0,)]


def make_schema(dsn: str, revision: str) -> None:
    """As an earlier release would have created it."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    with engine.connect() as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()
    engine.dispose()


def test_queued_deliveries_are_sent_after_the_restore(seeded: SeededInstance, backup: Backup, target: Target) -> None:
    target.restore(backup.file)
    message = f"select state from outgoing_messages where message_id = '{seeded.waiting}' and due_at is not null"  # noqa: S608
    assert target.fetch(message) == [("queued",)]


def test_mails_and_chat_posts_are_held_too(backup: Backup, target: Target) -> None:
    target.restore(backup.file)
    with psycopg.connect(target.dsn) as connection:
        connection.execute(
            """
            insert into outgoing_messages
                (message_id, account_id, channel, destination, state, due_at, claimed_at, settled_at)
            select prefix || state, account_id, channel, 'somewhere', state, due_at, claimed_at, settled_at
            from accounts, (values ('mal_', 'mail'), ('cpo_', 'chat')) as c (prefix, channel),
                           (values ('queued', now(), null, null), ('sending', now(), now(), null),
                                   ('sent', null, null, now())) as m (state, due_at, claimed_at, settled_at)
            """
        )
        connection.execute(
            """
            insert into chat_connections (account_id, app, credentials, connected_by)
            select account_id, 'slack', '{}', 'somebody' from accounts
            """
        )
        connection.execute("update log_cursors set position = 1")
        unsent = "select count(*) from outgoing_messages where settled_at is null"
        [waiting] = connection.execute(unsent).fetchone() or ()
        held = hold_deliveries(connection)
        assert waiting >= 4
        assert (held["outgoing_messages"], held["chat_connections"], held["log_cursors"]) == (waiting, 1, 1)
        seen = "select position = (select max(entry_id) from audit_log) from log_cursors"
        assert connection.execute(seen).fetchall() == [(True,)]
        assert console.format_held(held).startswith("Held: ")
        assert hold_deliveries(connection)["log_cursors"] == 0
        messages = connection.execute(
            "select message_id, state from outgoing_messages where message_id ~ '^(mal|cpo)_(q|s)' order by 1"
        ).fetchall()
        assert messages == [
            (f"{prefix}_{state}", "sent" if state == "sent" else "failed")
            for prefix in ("cpo", "mal")
            for state in ("queued", "sending", "sent")
        ]
        assert connection.execute("select state, code from chat_connections").fetchall() == [("refused", "held")]


OUTDATED_PLAN = """
    insert into notified_people (user_id, account_id, digest_plan, next_hourly_at, next_daily_at, news_from, mail_at)
    select user_id, account_id, 'settings before the last change', now(), now(), 1, now() from users
    on conflict (user_id) do update set
        digest_plan = excluded.digest_plan, next_hourly_at = now(), next_daily_at = now(),
        news_from = 1, mail_at = now()
"""
NO_PLAN_YET = "delete from notified_people"


@pytest.mark.parametrize("state", [OUTDATED_PLAN, NO_PLAN_YET], ids=["outdated", "none"])
async def test_digests_are_held(backup: Backup, target: Target, state: LiteralString) -> None:
    """Only someone who changes their settings gets one, even if the original had yet to schedule the next."""
    await asyncio.to_thread(target.restore, backup.file)
    with psycopg.connect(target.dsn) as connection:
        connection.execute("""update users set preferences = preferences || '{"email": "daily"}'""")
        connection.execute(state)
        hold_deliveries(connection)
    db = await Database.connect(target.dsn, size=1)
    scheduled = "select user_id from notified_people where coalesce(next_hourly_at, next_daily_at, mail_at) is not null"
    try:
        await Digests(db).plan()
        assert await db.fetch(scheduled) == []
        user_id = await db.fetchval(
            """
            update users set preferences = preferences || '{"digest_hour": 3}'
            where user_id = (select user_id from users where password_hash is not null limit 1) returning user_id
            """
        )
        await Digests(db).plan()
        assert [row["user_id"] for row in await db.fetch(scheduled)] == [user_id]
    finally:
        await db.close()
