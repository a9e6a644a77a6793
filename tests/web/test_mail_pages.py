"""Mails in the browser: forgotten passwords, the unsubscribe link, and mails that weren't sent."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from playwright.async_api import Browser, expect
from support.api import Workspace, assert_ok, sign_in_workspace, unique
from support.browser import PHONE, Visitors, listening, serious_findings, visitors_of
from support.in_process import Service, StartService
from support.mail_server import MailServer, mail_server
from support.prepared_data_dir import EMAIL
from support.second_account import open_second_account
from web_helpers import button

from signoff.notifications.mail.unsubscribe_links import link_secret, unsubscribe_url
from signoff.platform.db import Database
from signoff.platform.settings import Settings


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as started:
        yield started


@pytest.fixture(scope="module")
async def mail_service(server: MailServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(**server.settings, mail_retry_schedule="600") as service, listening(service):
        yield service


@pytest.fixture(scope="module")
async def mail_workspace(mail_service: Service) -> Workspace:
    return await sign_in_workspace(mail_service)


@pytest.fixture
async def mail_visitors(browser: Browser, mail_service: Service) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, mail_service.url) as mail_visitors:
        yield mail_visitors


class TestForgottenPassword:
    async def test_reset_from_the_sign_in_page(
        self, mail_workspace: Workspace, mail_visitors: Visitors, server: MailServer
    ) -> None:
        person, _ = await mail_workspace.make_person()
        await server.wait_for_mail(person["email"])  # the invitation
        page = await mail_visitors.open("/sign-in")
        await button(page, "Forgot your password?").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Email", exact=True).fill(person["email"])
        await button(dialog, "Send reset link").click()
        await expect(dialog.get_by_text("we emailed you a reset link")).to_be_visible()
        link = (await server.wait_for_mail(person["email"], 2)).find_link("/sign-in?token=")
        page = await mail_visitors.open(link)
        await page.get_by_label(re.compile("[Pp]assword"), exact=False).first.fill("a quite different password")
        await page.locator("form button[type=submit]").click()
        await expect(page).not_to_have_url(re.compile("/sign-in"))
        login = {"email": person["email"], "password": "a quite different password"}
        await assert_ok(mail_workspace.public.post("/auth/login", json=login))

    @pytest.mark.slow
    async def test_does_not_reveal_accounts(self, mail_visitors: Visitors, server: MailServer) -> None:
        page = await mail_visitors.open("/sign-in", **PHONE)
        await button(page, "Forgot your password?").tap()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Email", exact=True).fill("nobody@example.com")
        await button(dialog, "Send reset link").tap()
        await expect(dialog.get_by_text("we emailed you a reset link")).to_be_visible()
        assert server.mails_to("nobody@example.com") == []

    @pytest.mark.slow
    async def test_without_a_mail_server_shows_whom_to_ask(self, visitors: Visitors) -> None:
        page = await visitors.open("/sign-in")
        await button(page, "Forgot your password?").click()
        await expect(page.get_by_role("dialog").get_by_text("Ask a workspace admin.")).to_be_visible()


class TestExpiredReviewLink:
    async def test_its_page_emails_a_new_one(
        self, mail_service: Service, mail_workspace: Workspace, mail_visitors: Visitors, server: MailServer
    ) -> None:
        email = f"{unique('client')}@example.org"
        form = await mail_workspace.make_form()
        review = await mail_workspace.request(form, extReviewers=[email], title="For our client")
        old = (await server.wait_for_mail(email)).find_link("/external/")
        db = await Database.connect(mail_service.dsn(), size=1)
        await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review["reviewId"])
        await db.close()
        page = await mail_visitors.open(old, **PHONE)
        await expect(page.get_by_role("heading", name="This link has expired", level=1)).to_be_visible()
        assert await serious_findings(page) == []
        await button(page, "Request a new link").tap()
        await expect(page.get_by_role("heading", name="Check your email", level=1)).to_be_visible()
        assert await serious_findings(page) == []
        page = await mail_visitors.open((await server.wait_for_mail(email, 2)).find_link("/external/"), **PHONE)
        await expect(page.get_by_role("heading", name="For our client", level=1)).to_be_visible()
        await button(page, "Approve").tap()
        await expect(page.get_by_text("Thanks! You approved this.")).to_be_visible()
        page = await mail_visitors.open(old, **PHONE)
        await button(page, "Request a new link").tap()
        await expect(page.get_by_text("This review was already decided.")).to_be_visible()


@pytest.mark.slow
class TestNewAddress:
    async def test_takes_effect_when_the_link_is_opened(
        self, mail_workspace: Workspace, mail_visitors: Visitors, server: MailServer
    ) -> None:
        person, client = await mail_workspace.make_person()
        email = f"{unique('new')}@example.com"
        page = await mail_visitors.open("/settings/profile", client)
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_label("Current password", exact=True).first.fill("a password that is long")
        await button(page, "Change email").click()
        await expect(page.get_by_text(f"open the link we sent to {email}")).to_be_visible()
        await expect(page.get_by_label("Email", exact=True)).to_have_value(person["email"])
        link = (await server.wait_for_mail(email)).find_link("/settings/profile?confirmEmail=")
        page = await mail_visitors.open(link, client, **PHONE)
        await expect(page.get_by_text(f"Your email address is now {email}.")).to_be_visible()
        await expect(page.get_by_label("Email", exact=True)).to_have_value(email)
        await expect(page).not_to_have_url(re.compile("confirmEmail"))
        assert (await assert_ok(client.get("/auth/me")))["user"]["email"] == email


@pytest.mark.slow
class TestInvitedByKey:
    async def test_an_admin_approves(
        self, mail_workspace: Workspace, mail_visitors: Visitors, server: MailServer
    ) -> None:
        email = f"{unique('by-key')}@example.com"
        await assert_ok(mail_workspace.manager.post("/users", json={"email": email, "role": "admin"}))
        page = await mail_visitors.open("/settings/people", mail_workspace.owner)
        row = page.get_by_role("row").filter(has_text=email)
        await expect(row.get_by_text("Needs approval")).to_be_visible()
        await button(row, "Approve").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Invite link")).to_be_visible()
        await button(dialog, "Done").click()
        await button(dialog, "Close without copying").click()
        await expect(row.get_by_text("Needs approval")).to_have_count(0)
        await server.wait_for_mail(email)


@pytest.mark.slow
class TestMailSettings:
    async def test_test_mail(self, mail_workspace: Workspace, mail_visitors: Visitors, server: MailServer) -> None:
        page = await mail_visitors.open("/settings/workspace", mail_workspace.owner)
        await button(page, "Send test email").click()
        await expect(page.get_by_text(f"Test email sent to {EMAIL}.")).to_be_visible()
        assert server.mails_to(EMAIL)[-1].message["Subject"] == "Test email from Acme"
        server.set_behavior(EMAIL, at_recipient=["550 5.7.1 Not from <b>you</b>"])
        await button(page, "Send test email").click()
        await expect(page.get_by_text("550 5.7.1 Not from <b>you</b>")).to_be_visible()

    async def test_unsent_mails_can_be_retried(
        self, mail_service: Service, mail_visitors: Visitors, server: MailServer
    ) -> None:
        mail_workspace = await open_second_account(mail_service)
        email = f"{unique('bounced')}@example.com"
        server.set_behavior(email, at_recipient=["550 5.1.1 Nobody of that name"])
        await assert_ok(mail_workspace.owner.post("/users", json={"email": email, "role": "reviewer"}))
        await failed_mail(mail_workspace)
        page = await mail_visitors.open("/settings/workspace", mail_workspace.owner)
        await page.get_by_role("link", name="Failed emails").click()
        row = page.get_by_role("row").filter(has_text=email)
        await expect(row.get_by_text("550 5.1.1 Nobody of that name")).to_be_visible()
        await button(row, "Invite").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_role("listitem")).to_contain_text("550 5.1.1 Nobody of that name")
        await button(dialog, "Retry").click()
        await expect(dialog.get_by_text("Sent").first).to_be_visible()
        await button(dialog, "Close").last.click()
        await expect(page.get_by_text("No messages match these filters")).to_be_visible()
        await server.wait_for_mail(email)

    async def test_invite_dialog_mentions_the_mail(self, mail_workspace: Workspace, mail_visitors: Visitors) -> None:
        email = f"{unique('newcomer')}@example.com"
        page = await mail_visitors.open("/settings/people", mail_workspace.owner)
        await page.get_by_role("button", name=re.compile("Invite")).first.click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("Email").fill(email)
        await button(dialog, "Send invite").click()
        await expect(dialog.get_by_text(f"We also emailed this link to {email}.")).to_be_visible()

    async def test_without_a_mail_server_it_creates_a_link(self, workspace: Workspace, visitors: Visitors) -> None:
        email = f"{unique('newcomer')}@example.com"
        page = await visitors.open("/settings/people", workspace.owner)
        await page.get_by_role("button", name=re.compile("Invite")).first.click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_text("Email isn't set up, so you'll get a link to share.")).to_be_visible()
        await dialog.get_by_label("Email").fill(email)
        await button(dialog, "Create invite link").click()
        await expect(dialog.get_by_text(f"Send this link to {email}.")).to_be_visible()
        await expect(dialog.get_by_label("Invite link")).to_have_value(re.compile("/sign-in\\?token="))


class TestUnsubscribing:
    async def test_asks_for_confirmation(
        self, mail_service: Service, mail_workspace: Workspace, mail_visitors: Visitors
    ) -> None:
        person, client = await mail_workspace.make_person()
        db = await Database.connect(mail_service.dsn(), size=1)
        link = unsubscribe_url(Settings(public_url=mail_service.url), await link_secret(db), person["userId"])
        await db.close()
        page = await mail_visitors.open(link, **PHONE)
        await expect(page.get_by_text(person["email"])).to_be_visible()
        assert await choice(client) == "each"
        await button(page, "Unsubscribe").tap()
        await expect(page.get_by_role("status", name="")).to_contain_text("You're unsubscribed")
        assert await choice(client) == "none"


async def choice(client: httpx.AsyncClient) -> str:
    return (await assert_ok(client.get("/auth/me")))["preferences"]["email"]


async def failed_mail(mail_workspace: Workspace) -> None:
    """Waits until there is one."""
    async with asyncio.timeout(30):
        while True:
            if (await assert_ok(mail_workspace.owner.get("/mails", params={"state": "failed"})))["items"]:
                return
            await asyncio.sleep(0.05)
