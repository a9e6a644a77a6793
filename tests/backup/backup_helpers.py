"""A service to back up, databases to restore into, and functions that compare them."""

import asyncio
import hashlib
import itertools
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from aiohttp import web
from psycopg import sql
from support.api import DATA, Workspace, assert_ok, sign_in_workspace
from support.prepared_data_dir import SIGNOFF
from support.receiver import Receiver
from support.service_process import RunningService

from media.sample_files import png
from signoff.backup.manifest import Manifest
from signoff.backup.restore import Restored, restore_backup
from signoff.backup.writer import write_backup
from signoff.platform.settings import Settings, load_settings

PICTURES = 12

_numbers = itertools.count(1)


def ignore_progress(_: str, __: int | None) -> Callable[[int], None]:
    return lambda _: None


@dataclass
class SeededInstance:
    service: RunningService
    decided: str
    pending: str
    picture: str
    waiting: str
    """A delivery that failed once, and is tried again in an hour."""


@dataclass
class Backup:
    file: Path
    manifest: Manifest
    contents: dict[str, str]
    files: dict[str, str]
    """What was in the tables and in the storage when it was made."""


@dataclass
class Target:
    """An empty database in the service's own cluster, and a folder for media that doesn't exist yet."""

    dsn: str
    folder: Path

    @property
    def media(self) -> Path:
        return self.folder / "media"

    @property
    def settings(self) -> Settings:
        return load_settings(data_dir=self.folder, database_url=self.dsn)

    def restore(self, backup: Path, *, hold: bool = False, **settings: Any) -> Restored:
        wanted = load_settings(data_dir=self.folder, database_url=self.dsn, **settings)
        return restore_backup(wanted, backup, ignore_progress, hold=hold)

    def fetch(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.dsn) as connection:
            return connection.execute(query).fetchall()  # pyright: ignore

    def tables(self) -> int:
        return self.fetch(
            "select count(*) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
        )[0][0]


def new_target(service: RunningService, folder: Path) -> Target:
    number = next(_numbers)
    with psycopg.connect(service.dsn(), autocommit=True) as connection:
        name = f"target_{number}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
        connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    return Target(service.dsn().replace("/signoff?", f"/{name}?"), folder / f"target-{number}")


def settings_of(service: RunningService, **others: Any) -> Settings:
    return load_settings(data_dir=service.data_dir, **others)


def create_backup(service: RunningService, file: Path, **others: Any) -> Manifest:
    return write_backup(settings_of(service, **others), file, ignore_progress)


def run(*arguments: object, env: dict[str, str], **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*SIGNOFF, *map(str, arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, **options)


def contents(dsn: str) -> dict[str, str]:
    """A hash of the rows of each table, in any order."""
    with psycopg.connect(dsn) as connection:
        tables = connection.execute(
            """
            select relname from pg_class where relkind = 'r' and relpersistence = 'p'
            and relnamespace = 'public'::regnamespace order by 1
            """
        ).fetchall()
        query = "select md5(coalesce(string_agg(t::text, e'\\n' order by t::text collate \"C\"), '')) from {} t"
        contents_by_path = dict[str, str]()
        for (name,) in tables:
            row = connection.execute(sql.SQL(query).format(sql.Identifier(name))).fetchone()
            assert row is not None
            contents_by_path[name] = row[0]
        return contents_by_path


def files(folder: Path) -> dict[str, str]:
    """The hash of every file below the folder, by relative path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


async def seed_instance(service: RunningService) -> SeededInstance:
    workspace, receiver = await sign_in_workspace(service), Receiver()
    runner = await receiver.start()
    url = receiver.answer("/agent", web.Response(status=503))
    agent = await workspace.make_agent(webhookUrl=url, chat="on")
    form = await workspace.make_form(agent)
    contents = {f"p{n}": (f"p{n}.png", png(seed=n, width=40 + n)) for n in range(PICTURES)}
    uploaded: Any = await assert_ok(workspace.agent.post("/uploadFiles", files=contents))
    reviews = [await workspace.request(form, title=f"Review {n}", sessionId=f"talk-{n % 3}") for n in range(9)]
    shown = await workspace.make_form(
        agent, fields=[{"id": "photo", "type": "image", "label": "Photo"}], titleField=None, layout=None, rules=[]
    )
    picture = uploaded["files"][0]["downloadURL"]
    await workspace.request(shown, data={"photo": picture})
    done = await workspace.decide(reviews[0]["reviewId"], reason="Good.")
    waiting = await workspace.delivery(done["webhookDeliveryId"], "retrying")
    await workspace.decide(reviews[1]["reviewId"], "rejected")
    await assert_ok(workspace.owner.post(f"/reviews/{reviews[2]['reviewId']}/retry", json={"instructions": "Again."}))
    await assert_ok(workspace.owner.post("/sessions/talk-0/messages", json={"text": "Hello, 你好 👋"}))
    await assert_ok(workspace.agent.post("/sessions/talk-0/messages", json={"text": "Hello yourself"}))
    await workspace.make_person()
    await _wait_until_settled(workspace)
    await workspace.close()
    await runner.cleanup()
    return SeededInstance(service, reviews[0]["reviewId"], reviews[5]["reviewId"], picture, waiting["deliveryId"])


async def _wait_until_settled(workspace: Workspace) -> None:
    """Waits until every delivery was attempted, mails were written, and reviews can be searched."""
    async with asyncio.timeout(30):
        while True:
            deliveries = await assert_ok(workspace.manager.get("/webhooks/deliveries", params={"status": "pending"}))
            searched = await assert_ok(workspace.manager.get("/reviews", params={"q": "Review"}))
            if not deliveries["items"] and len(searched["items"]) >= 9:
                return
            await asyncio.sleep(0.05)


async def keep_requesting(service: RunningService, form_id: str, stop: asyncio.Event) -> list[str]:
    """Requests reviews, each with its own image, until told to stop."""
    review_ids = list[str]()
    headers = {"x-api-key": service.workspace["apiKey"]}
    async with httpx.AsyncClient(base_url=service.api, headers=headers, timeout=60) as client:
        while not stop.is_set():
            picture = png(seed=10_000 + len(review_ids))
            sent: Any = await assert_ok(client.post("/uploadFiles", files={"p": ("p.png", picture)}))
            body = {"formId": form_id, "data": {"photo": sent["files"][0]["downloadURL"], **DATA}}
            review_ids.append((await assert_ok(client.post("/requestReview", json=body)))["reviewId"])
    return review_ids
