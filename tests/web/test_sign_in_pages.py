"""Signing in: with a password, with one-time links, and through external links."""

import re

import httpx
import pytest
from playwright.async_api import expect
from support.api import Workspace, assert_ok, unique
from support.browser import PHONE, Visitors
from web_helpers import button

PASSWORD = "a password that is long"


class TestPassword:
    async def test_sign_in_and_out(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _ = await workspace.make_person("reviewer")
        page = await visitors.open("/")
        await expect(page).to_have_url(re.compile("/sign-in"))
        await page.get_by_label("Email", exact=True).fill(person["email"])
        await page.get_by_label("Password", exact=True).fill("not the password")
        await button(page, "Sign in").click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await page.get_by_label("Password", exact=True).fill(PASSWORD)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("main").first).to_be_visible()
        await expect(page).not_to_have_url(re.compile("/sign-in"))
        await page.get_by_role("button", name=re.compile(person["name"])).first.click()
        await page.get_by_role("menuitem", name="Sign out").click()
        await expect(page).to_have_url(re.compile("/sign-in"))
        await page.goto("/")
        await expect(page).to_have_url(re.compile("/sign-in"))

    async def test_redirects_only_to_own_pages(self, workspace: Workspace, visitors: Visitors) -> None:
        """Whatever the link says, it leads to our own pages."""
        for evil in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
            page = await visitors.open("/sign-in?next=" + httpx.QueryParams({"n": evil})["n"], workspace.owner)
            await expect(page.get_by_role("main").first).to_be_visible()
            assert page.url.startswith(visitors.url)


class TestLinks:
    @pytest.mark.slow
    async def test_invitation(self, workspace: Workspace, visitors: Visitors) -> None:
        email = f"{unique('new')}@example.com"
        invited = await assert_ok(workspace.owner.post("/users", json={"email": email, "role": "reviewer"}))
        page = await visitors.open(invited["invitationLink"])
        await expect(page.get_by_text(email).first).to_be_visible()
        await page.get_by_label("Your name").fill("New Person")
        await page.get_by_label(re.compile("[Pp]assword"), exact=False).first.fill(PASSWORD)
        await page.get_by_role("button", name=re.compile("Join|Continue|Start|Sign in")).click()
        await expect(page).not_to_have_url(re.compile("/sign-in"))
        await expect(page.get_by_text("New Person").first).to_be_visible()
        again = await visitors.open(invited["invitationLink"])
        await expect(again.get_by_text(re.compile("used")).first).to_be_visible()

    @pytest.mark.slow
    async def test_password_reset(self, workspace: Workspace, visitors: Visitors) -> None:
        person, _ = await workspace.make_person("reviewer")
        link = (await assert_ok(workspace.owner.post(f"/users/{person['userId']}/signInLink")))["signInLink"]
        page = await visitors.open(link)
        await page.get_by_label(re.compile("[Pp]assword"), exact=False).first.fill("another long password")
        await page.locator("form button[type=submit]").click()
        await expect(page).not_to_have_url(re.compile("/sign-in"))
        login = {"email": person["email"], "password": "another long password"}
        await assert_ok(workspace.public.post("/auth/login", json=login))


@pytest.mark.slow
class TestEntry:
    async def test_on_a_phone(self, workspace: Workspace, visitors: Visitors) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["client@example.org"], title="For our client")
        [link] = [link["link"] for link in review["extReviewerLinks"]]
        for _ in range(3):  # opening decides nothing
            await workspace.public.get(link)
        page = await visitors.open(link, **PHONE)
        await expect(page.get_by_role("heading", name="For our client")).to_be_visible()
        assert "token" not in page.url, "the token stays out of what is shared and looked at"
        await page.get_by_label("Headline").fill("As the client wants it")
        await button(page, "Approve").tap()
        await expect(page.get_by_text("Thanks! You approved this.")).to_be_visible()
        result = (await workspace.review(review["reviewId"]))["reviewResult"]
        assert result["respondingUser"] == "client@example.org"
        assert result["data"]["draft"]["headline"] == "As the client wants it"

    async def test_expired_link(self, workspace: Workspace, visitors: Visitors) -> None:
        review = await workspace.request(await workspace.make_form(), extReviewers=["client@example.org"])
        [link] = [link["link"] for link in review["extReviewerLinks"]]
        await workspace.decide(review["reviewId"])
        page = await visitors.open(link)
        await expect(page.get_by_text(re.compile("already approved|doesn't work"))).to_be_visible()
        strange = await visitors.open(f"/external/{review['reviewId']}?token=ext_unknown")
        await expect(strange.get_by_text("This link doesn't work")).to_be_visible()
