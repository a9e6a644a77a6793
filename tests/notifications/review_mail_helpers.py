"""Helpers for tests of review mails: an account whose mails are due when the test says so."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx
from support.api import DATA, Workspace, assert_ok
from support.in_process import Service
from support.mail_server import MailServer, ReceivedMail
from support.second_account import open_second_account
from support.service_process import RunningService

from signoff.notifications.review_mails.digests import Digests, schedule
from signoff.notifications.review_mails.instant_mails import InstantMails
from signoff.notifications.review_mails.recipients import DIGEST_PLAN_SQL, read_person
from signoff.platform.clock import now
from signoff.platform.db import Database

# As the service writes them: more copies of an existing review.
COPY = """
    with reviews as (
        insert into reviews
            (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state)
        select account_id, review_id || 'x' || n, agent_id, form_id, form_version, form_name, session_id, title, state
        from reviews cross join generate_series(1, $3) as n where account_id = $1 and review_id = $2
        returning account_id, review_id
    )
    insert into audit_log (account_id, actor_kind, actor_id, actor_name, action, object_id)
    select account_id, 'key', 'key_x', 'agent', 'review.requested', review_id from reviews
"""


@dataclass
class Member:
    user_id: str
    email: str
    client: httpx.AsyncClient

    async def set_preferences(self, **preferences: Any) -> dict[str, Any]:
        changed = await assert_ok(self.client.patch("/auth/me", json={"preferences": preferences}))
        return changed["preferences"]


@dataclass
class MailSetup:
    workspace: Workspace
    owner: Member
    service: Service | RunningService
    server: MailServer
    db: Database
    clients: list[httpx.AsyncClient] = field(default_factory=list)

    async def add_member(self, role: str = "reviewer", **preferences: Any) -> Member:
        invited, client = await self.workspace.make_person(role)
        self.clients.append(client)
        member = Member(invited["userId"], invited["email"], client)
        await self.server.wait_for_mail(member.email)  # the invitation: mails after it are news
        if preferences:
            await member.set_preferences(**preferences)
        return member

    async def make_form(self, **members: Any) -> dict[str, Any]:
        return await self.workspace.make_form(**members)

    async def request(self, form: dict[str, Any], *assigned: Member, title: str = "Autumn", **members: Any) -> str:
        data = {**DATA, "draft": {"headline": title}}
        to = {"assignTo": [member.email for member in assigned]} if assigned else {}
        return (await self.workspace.request(form, data=data, **to, **members))["reviewId"]

    async def copy_review(self, review_id: str, times: int) -> None:
        """Insert more requests like it."""
        await self.db.execute(COPY, self.workspace.account_id, review_id, times)

    async def wait_until_planned(self) -> None:
        """Wait until mails are planned for everything in the audit log."""
        highest = await self.db.fetchval("select max(entry_id) from audit_log")
        deadline = time.monotonic() + 60
        while await self.db.fetchval("select position from log_cursors") < highest:
            assert time.monotonic() < deadline, "nobody follows the log"
            await asyncio.sleep(0.03)

    async def send_due_mails(self, *members: Member, at: datetime | None = None) -> list[bool]:
        """Send collected news now. Returns for each user whether they got a mail."""
        await self.wait_until_planned()
        is_sent: list[bool] = []
        for member in members:
            moment = at or await self.next_mail_at(member) or now()
            is_sent.append(await InstantMails(self.db, lambda due=moment: due).send(member.user_id))
        return is_sent

    async def send_mail(self, member: Member) -> ReceivedMail:
        """Send collected news, and return the mail."""
        before = len(self.server.mails_to(member.email))
        assert await self.send_due_mails(member) == [True], "there was nothing to tell"
        return await self.server.wait_for_mail(member.email, before + 1)

    async def send_digest(self, member: Member, moment: datetime) -> int:
        """The number of digests that the user gets if the worker runs now."""
        count = await Digests(self.db, lambda: moment).send(member.user_id)
        # As if time had passed: the news isn't new any more.
        await self.db.execute(
            "update notified_people set hourly_sent_at = now() where user_id = $1 and hourly_sent_at is not null",
            member.user_id,
        )
        return count

    async def start_digests(self, member: Member, moment: datetime) -> None:
        """As if the user had just chosen this, whatever the worker has computed from the real clock."""
        # If two workers plan it, the second finds it done.
        await Digests(self.db, lambda: moment).plan()
        person = await read_person(self.db, member.user_id)
        assert person is not None
        plan = await self.db.fetchval("select digest_plan from notified_people where user_id = $1", member.user_id)
        await schedule(self.db, person, moment, instead_of=plan)

    async def planned_digest(self, member: Member) -> datetime:
        """The time of the daily digest, once it's planned with the current settings."""
        query = f"""
            select next_daily_at from notified_people p join users u using (user_id) join accounts a on
            a.account_id = u.account_id where user_id = $1 and p.digest_plan = {DIGEST_PLAN_SQL}
            """  # noqa: S608
        until = time.monotonic() + 60
        while (at := await self.db.fetchval(query, member.user_id)) is None:
            assert time.monotonic() < until, "no digest is planned"
            await asyncio.sleep(0.1)
        return at

    async def next_mail_at(self, member: Member) -> datetime | None:
        """When the user's next mail is due."""
        await self.wait_until_planned()
        return await self.db.fetchval("select mail_at from notified_people where user_id = $1", member.user_id)


@asynccontextmanager
async def open_mail_setup(service: Service | RunningService, server: MailServer) -> AsyncIterator[MailSetup]:
    workspace = await open_second_account(service)
    db = await Database.connect(service.dsn(), size=4)
    me = await assert_ok(workspace.owner.get("/auth/me"))
    owner = Member(me["user"]["userId"], me["user"]["email"], workspace.owner)
    mail_setup = MailSetup(workspace, owner, service, server, db)
    try:
        yield mail_setup
    finally:
        await db.close()
        await workspace.close()
        for client in mail_setup.clients:
            await client.aclose()


def reviews_in(mail: ReceivedMail) -> list[str]:
    """The IDs of the reviews that the mail links to, each once, in order."""
    return list(dict.fromkeys(re.findall(r"/reviews/(rev_\w+)", mail.text)))
