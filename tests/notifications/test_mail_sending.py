"""Mails from the event to a real mail server, with and without errors."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from mail_helpers import enqueue_test_mail, get_token, invite, wait_for_mail_state, wait_until_gone
from support.api import DATA, Workspace, assert_error, assert_ok, sign_in_workspace, unique
from support.in_process import Service, StartService
from support.mail_server import PASSWORD, USER, MailServer, mail_server
from support.prepared_data_dir import EMAIL
from support.second_account import open_second_account
from support.service_process import new_client

from signoff.accounts.errors import TooManyPasswordResets
from signoff.accounts.sign_in.password_resets import _ensure_few_requests
from signoff.notifications.mail.unsubscribe_links import link_secret, unsubscribe_token
from signoff.platform.db import Database
from signoff.platform.mail_outbox import enqueue_mail


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailServer]:
    with mail_server("starttls", tmp_path_factory.mktemp("certificate"), password=PASSWORD) as made:
        yield made


@pytest.fixture(scope="module")
async def mailing(server: MailServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(
        **server.settings, mail_retry_schedule="0.2,0.2", mail_collect_seconds=0, smtp_timeout=60, poll_interval=0.1
    ) as service:
        yield service


@pytest.fixture(scope="module")
async def workspace(mailing: Service) -> AsyncIterator[Workspace]:
    made = await sign_in_workspace(mailing)
    yield made
    await made.close()


@pytest.fixture(scope="module")
async def db(mailing: Service) -> AsyncIterator[Database]:
    made = await Database.connect(mailing.dsn(), size=8)
    yield made
    await made.close()


def address(word: str) -> str:
    return f"{unique(word)}@example.com"


class TestInvitation:
    async def test_the_link_in_the_mail_works(self, workspace: Workspace, server: MailServer) -> None:
        email = address("invited")
        invited = await invite(workspace, email, name="Ina")
        mail = await server.wait_for_mail(email)
        assert mail.tls
        assert mail.signed_in_as == USER
        me = await assert_ok(workspace.owner.get("/auth/me"))
        assert mail.message["Subject"] == f"{me['user']['name']} invited you to Acme on Signoff"
        link = mail.find_link("/sign-in?token=")
        assert link == invited["invitationLink"]
        assert f'href="{link}"' in mail.html
        info = await assert_ok(workspace.public.post("/auth/linkInfo", json={"token": get_token(link)}))
        assert info["email"] == email
        sent = await wait_for_mail_state(workspace, email, "sent")
        assert (sent["kind"], sent["attempts"], sent["error"]) == ("invitation", 1, None)
        assert sent["userId"] == invited["userId"]

    async def test_only_the_user_gets_the_link_not_the_key(self, workspace: Workspace, server: MailServer) -> None:
        email = address("by-key")
        invited = await assert_ok(workspace.manager.post("/users", json={"email": email, "role": "reviewer"}))
        assert invited["invitationLink"] is None
        approved = await assert_ok(workspace.owner.post(f"/users/{invited['userId']}/approveInvitation"))
        assert approved["invitationLink"] in (await server.wait_for_mail(email)).text

    async def test_link_is_deleted_after_sending(self, workspace: Workspace, server: MailServer, db: Database) -> None:
        email = address("secret")
        invited = await invite(workspace, email)
        await wait_for_mail_state(workspace, email, "sent")
        row = await db.fetchrow("select * from mails where to_email = $1", email)
        assert row is not None
        assert row["context"] is None
        assert get_token(invited["invitationLink"]) not in str(dict(row))
        assert "token" not in (await workspace.owner.get("/mails")).text

    async def test_no_mail_without_an_invite(self, workspace: Workspace, server: MailServer) -> None:
        email = address("twice")
        await invite(workspace, email)
        await assert_error(workspace.owner.post("/users", json={"email": email, "role": "viewer"}), 409, "email_taken")
        marker = address("marker")
        await invite(workspace, marker)
        for recipient in (email, marker):  # they're sent at the same time
            await server.wait_for_mail(recipient)
        assert len(server.mails_to(email)) == 1

    async def test_hostile_names(self, workspace: Workspace, server: MailServer) -> None:
        name = '<img src=x onerror=alert(1)>\r\nBcc: victim@example.com "'
        await assert_ok(workspace.owner.patch("/auth/me", json={"name": name}))
        email = address("hostile")
        await invite(workspace, email)
        await assert_ok(workspace.owner.patch("/auth/me", json={"name": "Ann"}))
        mail = await server.wait_for_mail(email)
        assert "Bcc" not in mail.message
        assert "<img" not in mail.html
        assert "&lt;img" in mail.html

    @pytest.mark.parametrize("email", ["a@example.com\r\nBcc: v@example.com", "A <a@example.com>", "a@b@example.com"])
    async def test_injected_addresses(self, workspace: Workspace, email: str) -> None:
        await assert_error(workspace.owner.post("/users", json={"email": email, "role": "viewer"}), 422)


class TestExternalReviewers:
    async def test_named_in_the_request(self, workspace: Workspace, server: MailServer) -> None:
        email, agent = address("outside"), await workspace.make_agent()
        form = await workspace.make_form(agent)
        body = "<script>alert(1)</script> " + "long " * 100
        asked = await workspace.request(form, extReviewers=[email], data={**DATA, "body": body, "score": 3})
        mail = await server.wait_for_mail(email)
        assert mail.message["Subject"] == f"{agent['name']} requested your review: Autumn news"
        link = mail.find_link("/external/")
        assert link == asked["extReviewerLinks"][0]["link"]
        assert "<script>" not in mail.html
        assert "Score: 3" in mail.text
        assert "Channel" not in mail.text, "the rules hide it"
        shown = next(line for line in mail.text.splitlines() if line.startswith("Body: "))
        assert len(shown) <= len("Body: ") + 200
        assert shown.endswith("…")
        headers = {"x-review-token": get_token(link)}
        review = await assert_ok(workspace.public.get(f"/reviews/{asked['reviewId']}", headers=headers))
        assert review["state"] == "pending", "opening the link decided nothing"
        async with new_client(workspace.url) as scanner:
            assert (await scanner.get(link)).status_code == 200
        assert (await workspace.review(asked["reviewId"]))["state"] == "pending"
        done = await assert_ok(
            workspace.public.post(
                f"/reviews/{asked['reviewId']}/response", headers=headers, json={"response": "approved"}
            )
        )
        assert done["reviewResult"]["respondingUser"] == email

    async def test_named_by_the_review_type(self, workspace: Workspace, server: MailServer) -> None:
        email = address("default")
        form = await workspace.make_form(defaultReviewers={"users": [], "groups": [], "external": [email]})
        asked = await workspace.request(form)
        assert (await server.wait_for_mail(email)).find_link("/external/") == asked["extReviewerLinks"][0]["link"]

    async def test_once_with_an_idempotency_key(self, workspace: Workspace, server: MailServer) -> None:
        email, form = address("idempotent"), await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, "extReviewers": [email]}
        headers = {"idempotency-key": unique("key")}
        calls = [assert_ok(workspace.agent.post("/requestReview", json=body, headers=headers)) for _ in range(5)]
        answers = await asyncio.gather(*calls)
        assert len({answer["reviewId"] for answer in answers}) == 1
        mail = await server.wait_for_mail(email)
        await wait_for_mail_state(workspace, email, "sent")
        assert len(server.mails_to(email)) == 1
        assert mail.find_link("/external/") == answers[0]["extReviewerLinks"][0]["link"]

    async def test_added_later_by_a_user(self, workspace: Workspace, server: MailServer) -> None:
        first, second = address("first"), address("second")
        asked = await workspace.request(await workspace.make_form(), extReviewers=[first])
        await server.wait_for_mail(first)
        change = {"users": [], "groups": [], "external": [first, second]}
        answer = await assert_ok(workspace.owner.put(f"/reviews/{asked['reviewId']}/assignees", json=change))
        mail = await server.wait_for_mail(second)
        assert mail.find_link("/external/") == answer["extReviewerLinks"][0]["link"]
        await wait_for_mail_state(workspace, second, "sent")
        assert len(server.mails_to(first)) == 1, "who has a link gets no second one"

    @pytest.mark.parametrize("named", [True, False])
    async def test_are_notified_of_new_content(self, workspace: Workspace, server: MailServer, named: bool) -> None:
        """Also users who requested it, and users whom the update doesn't name."""
        email, form = address("told"), await workspace.make_form()
        asked = await workspace.request(form, extReviewers=[email])
        place, first = f"/reviews/{asked['reviewId']}", await server.wait_for_mail(email)
        headers = {"x-review-token": get_token(first.find_link("/external/"))}
        await assert_ok(
            workspace.public.post(f"{place}/retry", headers=headers, json={"instructions": "Winter, please"})
        )
        data = {**DATA, "draft": {"headline": "Winter news"}}
        members = {"extReviewers": [email]} if named else {}
        answer = await workspace.request(form, updateForReviewId=asked["reviewId"], data=data, **members)
        mail = await server.wait_for_mail(email, 2)
        assert mail.message["Subject"] == "Updated for your review: Winter news"
        assert "Please review the new revision." in mail.text
        assert mail.find_link("/external/") == answer["extReviewerLinks"][0]["link"]
        for each in (first, mail):
            headers = {"x-review-token": get_token(each.find_link("/external/"))}
            assert (await assert_ok(workspace.public.get(place, headers=headers)))["revision"] == 2

    @pytest.mark.parametrize("end", ["deleted", "reassigned"])
    async def test_is_not_sent_once_the_link_has_ended(
        self, workspace: Workspace, server: MailServer, db: Database, end: str
    ) -> None:
        email, stays, form = address("ended"), address("stays"), await workspace.make_form()
        for each in (email, stays):
            server.set_behavior(each, at_recipient=["450 4.2.1 Busy"] * 3)
        asked = await workspace.request(form, extReviewers=[email, stays])
        await wait_for_mail_state(workspace, email, "failed")
        if end == "deleted":
            await assert_ok(workspace.agent.delete(f"/reviews/{asked['reviewId']}"))
        else:
            body: dict[str, Any] = {"users": [], "groups": [], "external": [stays]}
            await assert_ok(workspace.owner.put(f"/reviews/{asked['reviewId']}/assignees", json=body))
        mail = await wait_for_mail_state(workspace, email, "failed")
        assert mail["error"] == "The review link no longer works."
        await assert_error(workspace.owner.post(f"/mails/{mail['mailId']}/resend"), 409, "mail_content_gone")
        assert await db.fetchval("select context from mails where mail_id = $1", mail["mailId"]) is None
        other = await wait_for_mail_state(workspace, stays, "failed")
        assert (other["error"] == "The review link no longer works.") is (end == "deleted")

    async def test_no_mail_for_auto_approved_reviews(self, workspace: Workspace, server: MailServer) -> None:
        email, marker, form = address("auto"), address("marker"), await workspace.make_form()
        await workspace.request(form, extReviewers=[email], autoApprove=True)
        await workspace.request(form, extReviewers=[marker])
        await server.wait_for_mail(marker)
        assert server.mails_to(email) == []


class TestForgottenPassword:
    async def test_the_link_in_the_mail_sets_a_password(self, workspace: Workspace, server: MailServer) -> None:
        person, _ = await workspace.make_person()
        await server.wait_for_mail(person["email"])
        answer = await workspace.public.post("/auth/forgotPassword", json={"email": f" {person['email'].upper()} "})
        assert (answer.status_code, answer.content) == (202, b'{"accepted":true}')
        mail = await server.wait_for_mail(person["email"], 2)
        assert mail.message["Subject"] == "Reset your Signoff password"
        token = get_token(mail.find_link("/sign-in?token="))
        visitor = workspace.client()
        await assert_ok(visitor.post("/auth/link", json={"token": token, "password": "a brand new password"}))
        login = {"email": person["email"], "password": "a brand new password"}
        await assert_ok(workspace.client().post("/auth/login", json=login))
        await assert_error(visitor.post("/auth/link", json={"token": token}), 401, "link_used")

    async def test_same_response_for_everyone(self, workspace: Workspace, server: MailServer) -> None:
        person, _ = await workspace.make_person()
        disabled, _ = await workspace.make_person()
        await assert_ok(workspace.owner.delete(f"/users/{disabled['userId']}"))
        asked = [person["email"], disabled["email"], address("nobody"), "no address", ""]
        answers = [await workspace.public.post("/auth/forgotPassword", json={"email": email}) for email in asked]
        assert {(answer.status_code, answer.content) for answer in answers} == {(202, b'{"accepted":true}')}
        names = [sorted(name for name in answer.headers if name != "x-request-id") for answer in answers]
        assert all(each == names[0] for each in names)
        await server.wait_for_mail(person["email"], 2)
        await wait_for_mail_state(workspace, person["email"], "sent")
        assert len(server.mails_to(disabled["email"])) == 1, "the invitation alone"
        assert all(server.mails_to(email) == [] for email in asked[2:])

    async def test_concurrent_requests_send_few_mails(
        self, workspace: Workspace, server: MailServer, db: Database
    ) -> None:
        person, _ = await workspace.make_person()
        body = {"email": person["email"]}
        await asyncio.gather(*(workspace.public.post("/auth/forgotPassword", json=body) for _ in range(8)))
        await wait_until_gone(
            db,
            """select 1 from jobs where name = 'sign_in.reset'
               union all select 1 from outgoing_messages where settled_at is null""",
        )
        assert len(server.mails_to(person["email"])) == 1 + 3

    async def test_too_many_requests_of_a_client(self, tmp_path_factory: pytest.TempPathFactory, db: Database) -> None:
        """Counted by client, whatever emails it names; clients are distinguished by their address."""
        await db.execute(
            """
            insert into password_reset_requests (request_id, email, client)
            select 'pwr_filled_' || n, 'x@example.com', '192.0.2.7' from generate_series(1, 30) n on conflict do nothing
            """
        )
        count = "select count(*) from password_reset_requests where client = '192.0.2.7'"
        assert await db.fetchval(count) == 30
        async with db.transaction() as tx:
            with pytest.raises(TooManyPasswordResets):
                await _ensure_few_requests(tx, "192.0.2.7")
            await _ensure_few_requests(tx, "192.0.2.8")

    async def test_from_another_origin(self, workspace: Workspace) -> None:
        headers = {"sec-fetch-site": "cross-site"}
        await assert_error(workspace.public.post("/auth/forgotPassword", json={"email": EMAIL}, headers=headers), 403)

    async def test_sign_in_page_knows_that_mails_are_sent(self, workspace: Workspace) -> None:
        assert (await assert_ok(workspace.public.get("/auth/methods")))["mail"] is True


class TestServerErrors:
    async def test_busy_server_is_retried(self, workspace: Workspace, server: MailServer) -> None:
        email = address("busy")
        server.set_behavior(email, at_recipient=["450 4.2.1 Busy"], at_end=["451 4.3.0 Later"])
        await invite(workspace, email)
        await server.wait_for_mail(email)
        sent = await wait_for_mail_state(workspace, email, "sent")
        assert (sent["attempts"], sent["error"]) == (3, None)
        assert len(server.mails_to(email)) == 1

    async def test_fails_after_all_retries_and_can_be_sent_manually(
        self, workspace: Workspace, server: MailServer
    ) -> None:
        email = address("busy-long")
        server.set_behavior(email, at_recipient=["450 4.2.1 Busy"] * 3)
        invited = await invite(workspace, email)
        failed = await wait_for_mail_state(workspace, email, "failed")
        assert failed["attempts"] == 3
        assert "450 4.2.1 Busy" in failed["error"]
        again = await assert_ok(workspace.owner.post(f"/mails/{failed['mailId']}/resend"))
        assert again["state"] == "waiting"
        assert (await server.wait_for_mail(email)).find_link("/sign-in") == invited["invitationLink"]
        sent = await wait_for_mail_state(workspace, email, "sent")
        assert (sent["mailId"], sent["attempts"]) == (failed["mailId"], 1)
        entries = await assert_ok(workspace.owner.get("/auditLog", params={"action": "mail.resent"}))
        assert entries["items"][0]["objectId"] == failed["mailId"]

    async def test_rejection_fails_with_the_servers_message(self, workspace: Workspace, server: MailServer) -> None:
        email = address("refused")
        server.set_behavior(email, at_recipient=["550 5.1.1 Nobody of that name"])
        await invite(workspace, email)
        failed = await wait_for_mail_state(workspace, email, "failed")
        assert failed["attempts"] == 1
        assert failed["error"] == "Mail server response: 550 5.1.1 Nobody of that name"
        assert failed["settledAt"]

    async def test_lost_connection_is_unclear_and_not_retried(self, workspace: Workspace, server: MailServer) -> None:
        email = address("cut")
        server.set_behavior(email, at_end=["take and cut"])
        await invite(workspace, email)
        unclear = await wait_for_mail_state(workspace, email, "unclear")
        assert "Connection lost" in unclear["error"]
        listed = await assert_ok(workspace.owner.get("/mails", params={"state": "unclear"}))
        assert unclear["mailId"] in {mail["mailId"] for mail in listed["items"]}
        assert len(server.mails_to(email)) == 1
        await assert_ok(workspace.owner.post(f"/mails/{unclear['mailId']}/resend"))
        await server.wait_for_mail(email, 2)
        one, two = server.mails_to(email)
        assert one.message["Message-ID"] == two.message["Message-ID"], "whoever has it twice can tell"

    async def test_slow_server_does_not_delay_other_mails(self, workspace: Workspace, server: MailServer) -> None:
        slow, quick = address("slow"), address("quick")
        behaviour = server.set_behavior(slow, hold_at="end")
        await invite(workspace, slow)
        await asyncio.to_thread(behaviour.held.wait, 20)
        under_way = await wait_for_mail_state(workspace, slow, "sending")
        await assert_error(workspace.owner.post(f"/mails/{under_way['mailId']}/resend"), 409, "mail_under_way")
        await invite(workspace, quick)
        await server.wait_for_mail(quick)
        server.release(behaviour)
        await wait_for_mail_state(workspace, slow, "sent")
        assert len(server.mails_to(slow)) == 1


class TestOnce:
    @pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.slow)])
    async def test_many_enqueued_twice(
        self, workspace: Workspace, server: MailServer, db: Database, count: int
    ) -> None:
        word, to = unique("once"), address("many")
        orders = [enqueue_test_mail(db, workspace.account_id, to, f"{word}-{n % count}") for n in range(2 * count)]
        made = await asyncio.gather(*orders)
        assert sum(mail_id is not None for mail_id in made) == count
        await server.wait_for_mail(to, count, within=150)
        await wait_until_gone(
            db,
            """
            select 1 from mails m join outgoing_messages o on o.message_id = m.mail_id
            where m.to_email = $1 and o.state <> 'sent'
            """,
            to,
        )
        assert len({mail.message["Message-ID"] for mail in server.mails_to(to)}) == len(server.mails_to(to)) == count

    async def test_same_key_in_another_account_is_independent(self, mailing: Service, db: Database) -> None:
        other = await open_second_account(mailing)
        word = unique("word")
        for account_id in (mailing.workspace["accountId"], other.account_id):
            assert await enqueue_test_mail(db, account_id, address("word"), word)

    async def test_rolled_back_mails_are_not_sent(self, workspace: Workspace, server: MailServer, db: Database) -> None:
        to = address("rolled-back")
        with suppress(ZeroDivisionError):
            async with db.transaction() as tx:
                await enqueue_mail(tx, "test", account_id=workspace.account_id, to=to, context={"asked_by": "Ann"})
                raise ZeroDivisionError
        marker = address("marker")
        await enqueue_test_mail(db, workspace.account_id, marker)
        await server.wait_for_mail(marker)
        assert server.mails_to(to) == []

    async def test_mail_that_can_not_be_composed_fails_immediately(self, workspace: Workspace, db: Database) -> None:
        to = address("broken")
        async with db.transaction() as tx:
            await enqueue_mail(tx, "nonsense", account_id=workspace.account_id, to=to, context={})
        failed = await wait_for_mail_state(workspace, to, "failed")
        assert "nonsense" in failed["error"]


class TestAdministration:
    async def test_only_for_admins(self, workspace: Workspace) -> None:
        _, reviewer = await workspace.make_person()
        for call in (reviewer.get("/mails"), reviewer.post("/mails/mal_x/resend"), reviewer.post("/account/mail/test")):
            await assert_error(call, 403)
        await assert_error(workspace.agent.get("/mails"), 403)
        await assert_error(workspace.public.get("/mails"), 401)
        assert (await workspace.manager.get("/mails")).status_code == 200

    async def test_no_mails_of_other_accounts(self, workspace: Workspace, mailing: Service, server: MailServer) -> None:
        email = address("ours")
        server.set_behavior(email, at_recipient=["550 No"])
        await invite(workspace, email)
        mail = await wait_for_mail_state(workspace, email, "failed")
        other = await open_second_account(mailing)
        assert (await assert_ok(other.owner.get("/mails")))["items"] == []
        await assert_error(other.owner.post(f"/mails/{mail['mailId']}/resend"), 404)
        await assert_error(workspace.owner.post("/mails/mal_unknown/resend"), 404)

    async def test_sent_mails_can_not_be_retried(self, workspace: Workspace) -> None:
        email = address("sent")
        await invite(workspace, email)
        sent = await wait_for_mail_state(workspace, email, "sent")
        await assert_error(workspace.owner.post(f"/mails/{sent['mailId']}/resend"), 409, "mail_sent")

    async def test_deleted_content(self, workspace: Workspace, server: MailServer, db: Database) -> None:
        email = address("gone")
        server.set_behavior(email, at_recipient=["550 No"])
        await invite(workspace, email)
        failed = await wait_for_mail_state(workspace, email, "failed")
        await db.execute("update mails set context = null where mail_id = $1", failed["mailId"])
        await assert_error(workspace.owner.post(f"/mails/{failed['mailId']}/resend"), 409, "mail_content_gone")

    async def test_pages(self, workspace: Workspace) -> None:
        for _ in range(4):
            await invite(workspace, address("paged"))
        first = await assert_ok(workspace.owner.get("/mails", params={"limit": 2}))
        second = await assert_ok(workspace.owner.get("/mails", params={"limit": 2, "cursor": first["nextCursor"]}))
        ids = [mail["mailId"] for mail in first["items"] + second["items"]]
        assert ids == sorted(ids, reverse=True)
        assert len(set(ids)) == 4
        await assert_error(workspace.owner.get("/mails", params={"state": "lost"}), 400)

    async def test_test_mail_reports_its_result(self, workspace: Workspace, server: MailServer) -> None:
        outcome = await assert_ok(workspace.owner.post("/account/mail/test"))
        assert (outcome["delivered"], outcome["to"], outcome["via"]) == (True, EMAIL, "smtp")
        assert server.mails_to(EMAIL)[-1].message["Subject"] == "Test email from Acme"
        server.set_behavior(EMAIL, at_recipient=["550 5.7.1 Not from you"])
        outcome = await assert_ok(workspace.owner.post("/account/mail/test"))
        assert outcome["delivered"] is False
        assert "550 5.7.1 Not from you" in outcome["detail"]
        await assert_error(workspace.manager.post("/account/mail/test"), 403, "person_needed")


class TestUnsubscribing:
    ADDRESS = "/notifications/unsubscribe"

    @pytest.fixture
    async def member(self, workspace: Workspace, db: Database) -> tuple[str, httpx.AsyncClient]:
        """One of the user's tokens, and their client."""
        person, client = await workspace.make_person()
        return unsubscribe_token(await link_secret(db), person["userId"]), client

    async def preferences(self, client: httpx.AsyncClient) -> str:
        return (await assert_ok(client.get("/auth/me")))["preferences"]["email"]

    async def test_one_click(self, workspace: Workspace, member: tuple[str, httpx.AsyncClient]) -> None:
        token, client = member
        for _ in range(2):
            answer = await workspace.public.post(
                self.ADDRESS,
                params={"token": token},
                data={"List-Unsubscribe": "One-Click"},
                headers={"sec-fetch-site": "cross-site"},
            )
            assert answer.status_code == 200
            assert answer.json()["unsubscribed"] is True
        assert await self.preferences(client) == "none"
        entries = await assert_ok(workspace.owner.get("/auditLog", params={"action": "user.unsubscribed"}))
        me = (await assert_ok(client.get("/auth/me")))["user"]["userId"]
        assert len([entry for entry in entries["items"] if entry["objectId"] == me]) == 1

    async def test_opening_the_link_changes_nothing(
        self, workspace: Workspace, member: tuple[str, httpx.AsyncClient]
    ) -> None:
        token, client = member
        page = await workspace.public.get(self.ADDRESS, params={"token": token})
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert '<form method="post"' in page.text
        assert await self.preferences(client) == "each"

    async def test_also_removes_exceptions_for_agents(
        self, workspace: Workspace, member: tuple[str, httpx.AsyncClient], db: Database
    ) -> None:
        token, client = member
        me = (await assert_ok(client.get("/auth/me")))["user"]["userId"]
        await db.execute(
            """update users set preferences = '{"email": "none", "agents": {"agt_x": "each"}}' where user_id = $1""", me
        )
        await assert_ok(workspace.public.post(self.ADDRESS, params={"token": token}))
        assert await db.fetchval("select preferences from users where user_id = $1", me) == {"email": "none"}

    async def test_invalid_tokens(self, workspace: Workspace, member: tuple[str, httpx.AsyncClient]) -> None:
        token, client = member
        scope, user_id, signature = token.split(":")
        owner = (await assert_ok(workspace.owner.get("/auth/me")))["user"]["userId"]
        forged = [
            f"{scope}:{owner}:{signature}",
            f"other:{user_id}:{signature}",
            token[:-1],
            token + "x",
            "",
            ":::",
            "ä🎈",
            f"{scope}:{user_id}:",
        ]
        for wrong in forged:
            for call in (workspace.public.get, workspace.public.post):
                await assert_error(call(self.ADDRESS, params={"token": wrong}), 401, "unsubscribe_link_invalid")
        await assert_error(workspace.public.post(self.ADDRESS), 400)
        assert await self.preferences(client) == "each"
