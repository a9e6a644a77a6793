"""A worker killed while it sends a mail: before the mark, the mail is sent again; after it, it isn't."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from mail_helpers import invite, wait_for_mail_state
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.crashed_worker import die_while_sending
from support.in_process import Service, StartService
from support.mail_server import MailServer, RecipientBehavior, mail_server
from support.service_process import RunningService, running_service

from signoff.notifications.mail.channel import MailChannel
from signoff.platform.db import Database


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as made:
        yield made


async def held_mail(
    mailing: Service | RunningService, server: MailServer, where: str
) -> tuple[Workspace, str, RecipientBehavior]:
    workspace = await sign_in_workspace(mailing)
    email = f"{unique('killed-at-' + where)}@example.com"
    behaviour = server.set_behavior(email, hold_at=where)
    await invite(workspace, email)
    return workspace, email, behaviour


async def held(behaviour: RecipientBehavior) -> None:
    assert await asyncio.to_thread(behaviour.held.wait, 60)


async def check_sent_again(workspace: Workspace, email: str, server: MailServer) -> None:
    await server.wait_for_mail(email, within=120)
    sent = await wait_for_mail_state(workspace, email, "sent")
    assert sent["attempts"] == 1, "the attempt that was lost came to nothing"
    assert len(server.mails_to(email)) == 1


async def check_unclear(workspace: Workspace, email: str, server: MailServer) -> None:
    """The server has it, and the worker never got the response: sending it again would be a duplicate."""
    await server.wait_for_mail(email)
    unclear = await wait_for_mail_state(workspace, email, "unclear", within=120)
    assert "We don't know whether it arrived" in unclear["error"]
    assert len(server.mails_to(email)) == 1
    await assert_ok(workspace.owner.post(f"/mails/{unclear['mailId']}/resend"))
    again = await server.wait_for_mail(email, 2)
    assert again.message["Message-ID"] == server.mails_to(email)[0].message["Message-ID"]
    await wait_for_mail_state(workspace, email, "sent")
    assert len(server.mails_to(email)) == 2


class TestLost:
    """The message stays claimed by a worker that was cut off in the middle of it and wrote nothing."""

    @pytest.fixture
    async def mailing(self, server: MailServer, start_service: StartService) -> AsyncIterator[Service]:
        lost = {"worker_lost_after": 1}
        async with start_service(**server.settings, **lost, smtp_timeout=120, worker=False) as service:
            yield service

    async def hand_over_and_die(self, mailing: Service, behaviour: RecipientBehavior) -> None:
        db = await Database.connect(mailing.dsn(), size=2)
        await die_while_sending(db, mailing.settings, MailChannel(db, mailing.settings), held(behaviour))
        await db.close()

    @pytest.mark.parametrize(
        ("where", "state", "check"),
        [("recipient", "waiting", check_sent_again), ("end", "sending", check_unclear)],
        ids=["before the mark", "after the mark"],
    )
    async def test_during_the_content(
        self, mailing: Service, server: MailServer, where: str, state: str, check: Callable[..., Awaitable[None]]
    ) -> None:
        workspace, email, behaviour = await held_mail(mailing, server, where)
        await self.hand_over_and_die(mailing, behaviour)
        assert (await wait_for_mail_state(workspace, email))["state"] == state
        server.release(behaviour)
        await mailing.worker.start()
        await check(workspace, email, server)

    async def test_stopped_before_the_marker_is_sent_after_restart(
        self, start_service: StartService, server: MailServer
    ) -> None:
        async with start_service(**server.settings, smtp_timeout=120, shutdown_grace=0.2) as service:
            workspace, email, behaviour = await held_mail(service, server, "recipient")
            await held(behaviour)
            await service.worker.stop()
            server.release(behaviour)
            await service.worker.start()
            await check_sent_again(workspace, email, server)


@pytest.fixture(scope="module")
def killable(server: MailServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    lost = {"worker_lost_after": 1, "poll_interval": 0.1}
    folder = tmp_path_factory.mktemp("killed")
    with running_service(folder, **server.settings, **lost, smtp_timeout=120, shutdown_grace=1) as service:
        yield service


@pytest.mark.slow
@pytest.mark.timeout(300)
class TestKilled:
    async def kill_while_held(self, killable: RunningService, behaviour: RecipientBehavior) -> None:
        await held(behaviour)
        os.kill(killable.child("worker"), signal.SIGKILL)

    async def test_before_the_marker_is_sent_again(self, killable: RunningService, server: MailServer) -> None:
        workspace, email, behaviour = await held_mail(killable, server, "recipient")
        await self.kill_while_held(killable, behaviour)
        assert (await wait_for_mail_state(workspace, email))["state"] == "waiting"
        server.release(behaviour)
        await check_sent_again(workspace, email, server)

    async def test_after_the_marker_is_not_sent_again(self, killable: RunningService, server: MailServer) -> None:
        workspace, email, behaviour = await held_mail(killable, server, "end")
        await self.kill_while_held(killable, behaviour)
        assert (await wait_for_mail_state(workspace, email))["state"] == "sending"
        server.release(behaviour)
        await check_unclear(workspace, email, server)


def wait_until_gone(process: int) -> None:
    until = time.monotonic() + 60
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_stopped_by_a_signal_before_the_marker(tmp_path: Path) -> None:
    with (
        mail_server() as server,
        running_service(tmp_path, **server.settings, smtp_timeout=120, shutdown_grace=0.5) as service,
    ):
        workspace, email, behaviour = await held_mail(service, server, "recipient")
        await held(behaviour)
        worker = service.child("worker")
        os.kill(worker, signal.SIGTERM)
        await asyncio.to_thread(wait_until_gone, worker)
        server.release(behaviour)
        await server.wait_for_mail(email, within=60)
        await wait_for_mail_state(workspace, email, "sent")
        assert len(server.mails_to(email)) == 1
