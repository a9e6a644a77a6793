"""A worker killed while it hands a mail over: before the mark it is sent again, after it it is not."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mail_support import invite, mail_about
from support.api import Workspace, ok, open_workspace, unique
from support.mail_server import Behaviour, MailServer, mail_server
from support.service import RunningService, running_service

UNCLEAR_AFTER = 3


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as made:
        yield made


@pytest.fixture(scope="module")
def mailing(server: MailServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("killed")
    with running_service(
        folder, **server.settings, smtp_timeout=120, mail_unclear_after=UNCLEAR_AFTER, shutdown_grace=1
    ) as service:
        yield service


async def kill_while_held(mailing: RunningService, behaviour: Behaviour) -> None:
    await asyncio.to_thread(behaviour.held.wait, 60)
    os.kill(mailing.child("worker"), signal.SIGKILL)


async def held_mail(mailing: RunningService, server: MailServer, where: str) -> tuple[Workspace, str, Behaviour]:
    workspace = await open_workspace(mailing)
    email = f"{unique('killed-at-' + where)}@example.com"
    behaviour = server.behave(email, hold_at=where)
    await invite(workspace, email)
    return workspace, email, behaviour


@pytest.mark.timeout(300)
class TestKilled:
    async def test_before_the_mark_it_is_sent_again(self, mailing: RunningService, server: MailServer) -> None:
        workspace, email, behaviour = await held_mail(mailing, server, "recipient")
        await kill_while_held(mailing, behaviour)
        assert (await mail_about(workspace, email))["state"] == "waiting"
        server.release(behaviour)
        await server.mail_to(email, within=120)
        sent = await mail_about(workspace, email, "sent")
        assert sent["attempts"] == 1, "the attempt that was lost came to nothing"
        assert len(server.to(email)) == 1

    async def test_after_the_mark_it_is_not_sent_again(self, mailing: RunningService, server: MailServer) -> None:
        """The server has it and the worker never heard so: a second one would be one too many."""
        workspace, email, behaviour = await held_mail(mailing, server, "end")
        await kill_while_held(mailing, behaviour)
        assert (await mail_about(workspace, email))["state"] == "sending"
        server.release(behaviour)
        await server.mail_to(email)
        unclear = await mail_about(workspace, email, "unclear", within=120)
        assert "not known" in unclear["error"]
        assert len(server.to(email)) == 1
        await ok(workspace.owner.post(f"/mails/{unclear['mailId']}/resend"))
        again = await server.mail_to(email, 2)
        assert again.message["Message-ID"] == server.to(email)[0].message["Message-ID"]
        await mail_about(workspace, email, "sent")
        assert len(server.to(email)) == 2


def wait_until_gone(process: int) -> None:
    until = time.monotonic() + 60
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.timeout(300)
async def test_stopped_before_the_mark_it_is_sent_after_the_start(tmp_path: Path) -> None:
    with (
        mail_server() as server,
        running_service(tmp_path, **server.settings, smtp_timeout=120, shutdown_grace=0.5) as service,
    ):
        workspace, email, behaviour = await held_mail(service, server, "recipient")
        await asyncio.to_thread(behaviour.held.wait, 60)
        worker = service.child("worker")
        os.kill(worker, signal.SIGTERM)
        await asyncio.to_thread(wait_until_gone, worker)
        server.release(behaviour)
        await server.mail_to(email, within=60)
        await mail_about(workspace, email, "sent")
        assert len(server.to(email)) == 1
