"""Approving and rejecting in Slack: only users with permission can, and others see why not."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import pytest
from aiohttp import web
from chat_app_helpers import SETTINGS, SIGNING_SECRET, ChatSetup, wait_for_text, wait_until
from support.api import DATA, FORM, assert_error, assert_ok, sign_in_workspace, unique
from support.catalogs import catalogs
from support.in_process import Service, StartService
from support.mattermost_server import MattermostServer
from support.prepared_data_dir import EMAIL
from support.second_account import open_second_account
from support.slack_server import Channel, SlackServer, buttons, click, signed, texts

from signoff.notifications.chat_apps import click_jobs
from signoff.notifications.chat_apps.adapter import ChatAppRateLimited
from signoff.notifications.chat_apps.click_jobs import ClickJob
from signoff.notifications.chat_apps.slack import APPROVE, REJECT
from signoff.platform.db import Database, Executor
from signoff.platform.ids import new_id
from signoff.platform.settings import Settings
from signoff.reviews.decisions import decide_review


@pytest.fixture(scope="module")
async def slack() -> AsyncIterator[SlackServer]:
    server = SlackServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def running(slack: SlackServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(slack_api_url=f"{slack.url}/api", **{**SETTINGS, "chat_burst": 1000}) as service:
        yield service


@pytest.fixture(scope="module")
async def chat_setup(running: Service, slack: SlackServer) -> AsyncIterator[ChatSetup]:
    space, db = await sign_in_workspace(running), await Database.connect(running.dsn(), size=4)
    made = ChatSetup(running, space, db, slack, MattermostServer())
    await made.connect_slack(slack.workspace())
    yield made
    await space.close()
    await db.close()


@pytest.fixture(scope="module")
async def channel(chat_setup: ChatSetup, slack: SlackServer) -> Channel:
    return slack.channel()


@pytest.fixture(scope="module")
async def form(chat_setup: ChatSetup, channel: Channel) -> dict[str, Any]:
    return await chat_setup.form_in(channel, decideFromChat=True)


async def posted(
    chat_setup: ChatSetup, form: dict[str, Any], channel: Channel, **members: Any
) -> tuple[str, dict[str, Any]]:
    """A new review, and its message in the channel."""
    title = unique("to-decide")
    members = {"data": {**DATA, "draft": {"headline": title}}, **members}
    review_id = (await chat_setup.workspace.request(form, **members))["reviewId"]
    link = f"/reviews/{review_id}"
    found = await wait_until(
        lambda: [message for message in channel.messages if buttons(message)["open"]["url"].endswith(link)]
    )
    return review_id, found[0]


async def send(chat_setup: ChatSetup, request: dict[str, Any]) -> httpx.Response:
    return await chat_setup.workspace.public.post("/slack/interactivity", **request)


async def clicked(chat_setup: ChatSetup, message: dict[str, Any], person: str, action: str = APPROVE) -> str:
    """Click as Slack reports it; returns where Slack expects an error message."""
    url = chat_setup.slack.response_url()
    payload = click(message, action, person, chat_setup.team_id, url)
    answer = await send(chat_setup, signed(SIGNING_SECRET, payload))
    assert answer.status_code == 200, answer.text
    assert answer.content == b""
    return url


async def wait_for_rejection(chat_setup: ChatSetup, url: str) -> str:
    (message,) = await wait_until(lambda: chat_setup.slack.whispers.get(url))
    assert message["response_type"] == "ephemeral"
    assert message["replace_original"] is False
    return message["text"]


async def state_of(chat_setup: ChatSetup, review_id: str) -> str:
    return (await chat_setup.workspace.review(review_id))["state"]


class TestPermissions:
    @pytest.mark.parametrize(("action", "response"), [(APPROVE, "approved"), (REJECT, "rejected")])
    async def test_member_decides(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel, action: str, response: str
    ) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        assert set(buttons(message)) == {"open", APPROVE, REJECT}
        owner = chat_setup.slack.person(EMAIL.upper(), chat_setup.token)
        url = await clicked(chat_setup, message, owner, action)
        review = await assert_ok(chat_setup.workspace.agent.get(f"/reviews/{review_id}", params={"wait": 20}))
        assert review["state"] == "responded"
        result = review["reviewResult"]
        assert (result["response"], result["respondingUser"]) == (response, EMAIL)
        await wait_until(lambda: f"{response.capitalize()} by" in str(channel.messages))
        index = [each["ts"] for each in channel.messages].index(message["ts"])
        changed = await wait_for_text(channel, f"{response.capitalize()} by", index)
        assert set(buttons(changed)) == {"open"}, "there is nothing to decide any more"
        assert url not in chat_setup.slack.whispers, "the post says it"

    async def test_only_assigned_reviewers_decide(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        asked, _ = await chat_setup.workspace.make_person("reviewer")
        other, _ = await chat_setup.workspace.make_person("reviewer")
        review_id, message = await posted(chat_setup, form, channel, assignTo=[asked["email"]])
        url = await clicked(chat_setup, message, chat_setup.slack.person(other["email"], chat_setup.token))
        assert "assigned" in await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"
        await clicked(chat_setup, message, chat_setup.slack.person(asked["email"], chat_setup.token))
        review = await assert_ok(chat_setup.workspace.agent.get(f"/reviews/{review_id}", params={"wait": 20}))
        assert review["reviewResult"]["respondingUser"] == asked["email"]

    async def test_unknown_users_can_not_decide(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        slack, token = chat_setup.slack, chat_setup.token
        viewer, _ = await chat_setup.workspace.make_person("viewer")
        invited = await assert_ok(
            chat_setup.workspace.owner.post(
                "/users", json={"email": f"{unique('never-came')}@example.com", "name": "Never", "role": "reviewer"}
            )
        )
        left, _ = await chat_setup.workspace.make_person("reviewer")
        await assert_ok(chat_setup.workspace.owner.patch(f"/users/{left['userId']}", json={"disabled": True}))
        _, renamed = await chat_setup.workspace.make_person("reviewer")
        claimed = f"{unique('claimed')}@example.com"
        await assert_ok(
            renamed.patch("/auth/me", json={"email": claimed, "currentPassword": "a password that is long"})
        )
        elsewhere = await open_second_account(chat_setup.service)
        foreign = (await assert_ok(elsewhere.owner.get("/auth/me")))["user"]["email"]
        people = {
            slack.person("stranger@example.com", token): "isn't an active member",
            slack.person(viewer["email"], token): "Viewer",
            slack.person(left["email"], token): "isn't an active member",
            slack.person(invited["email"], token): "isn't an active member",
            slack.person(EMAIL, token, is_email_confirmed=None): "no email address we can match",
            slack.person(claimed, token): "isn't an active member",
            slack.person(foreign, token): "isn't an active member",
            slack.person(None, token): "no email address we can match",
            slack.person(EMAIL, token, is_bot=True): "no email address we can match",
            slack.person(EMAIL, token, deleted=True): "no email address we can match",
            slack.person(EMAIL, token, team_id="T-elsewhere"): "no email address we can match",
            slack.person(EMAIL, token, is_email_confirmed=False): "no email address we can match",
            "U-nobody": "couldn't verify your identity",
        }
        review_id, message = await posted(chat_setup, form, channel)
        urls = {await clicked(chat_setup, message, person): words for person, words in people.items()}
        for url, words in urls.items():
            assert words in await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"


class TestLanguage:
    async def test_reply_to_a_click_is_in_the_users_language(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel, tmp_path: Path
    ) -> None:
        french = {"Your decision wasn't saved. {reason}": "Votre décision non enregistrée. {reason}"}
        viewer, client = await chat_setup.workspace.make_person("viewer")
        await assert_ok(client.patch("/auth/me", json={"language": "fr"}))
        _, message = await posted(chat_setup, form, channel)
        with catalogs(tmp_path, fr=french):
            known = await clicked(chat_setup, message, chat_setup.slack.person(viewer["email"], chat_setup.token))
            unknown = await clicked(
                chat_setup, message, chat_setup.slack.person("stranger@example.com", chat_setup.token)
            )
            assert (await wait_for_rejection(chat_setup, known)).startswith("Votre décision")
            assert (await wait_for_rejection(chat_setup, unknown)).startswith("Your decision wasn't saved.")

    async def test_a_translation_that_the_post_cut_leaves_it_to_the_inbox(
        self, chat_setup: ChatSetup, channel: Channel
    ) -> None:
        """Although the buttons are there, on a post from before the workspace chose another language."""
        fields = [{"id": "way", "type": "dropdown", "options": [{"id": "cash", "label": "Cash"}]}]
        texts = {"de": {"fields": {"way": {"options": {"cash": {"label": "bar " * 60}}}}}}
        members: dict[str, Any] = {"titleField": None, "layout": None, "rules": [], "decideFromChat": True}
        form = await chat_setup.form_in(channel, **members, fields=fields, translations=texts)
        review_id, message = await posted(chat_setup, form, channel, data={"way": "cash"})
        assert APPROVE in buttons(message)
        owner = chat_setup.slack.person(EMAIL, chat_setup.token)
        try:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": "de"}))
            _, german = await posted(chat_setup, form, channel, data={"way": "cash"})
            url = await clicked(chat_setup, message, owner)
            assert "ganze" in await wait_for_rejection(chat_setup, url)
        finally:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": None}))
        assert set(buttons(german)) == {"open"}
        assert await state_of(chat_setup, review_id) == "pending"


class TestWhen:
    async def test_already_decided(self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        await chat_setup.workspace.decide(review_id, "rejected")
        url = await clicked(chat_setup, message, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "already decided this review" in await wait_for_rejection(chat_setup, url)
        assert (await chat_setup.workspace.review(review_id))["reviewResult"]["response"] == "rejected"

    async def test_changed_content(self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        await chat_setup.workspace.request(form, updateForReviewId=review_id)
        url = await clicked(chat_setup, message, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "revision" in await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"

    async def test_deleted(self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        await assert_ok(chat_setup.workspace.agent.delete(f"/reviews/{review_id}"))
        url = await clicked(chat_setup, message, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "deleted" in await wait_for_rejection(chat_setup, url)

    async def test_only_review_types_that_allow_it(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        """Also for a forged click: it's signed with the account's own secret, and still rejected."""
        plain = await chat_setup.form_in(channel)
        assert plain["decideFromChat"] is False
        review_id, message = await posted(chat_setup, plain, channel)
        assert set(buttons(message)) == {"open"}
        _, deciding = await posted(chat_setup, form, channel)
        buttons(deciding)[APPROVE]["value"] = f"{review_id}:1"
        url = await clicked(chat_setup, deciding, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "decided in the inbox" in await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"

    async def test_no_buttons_for_invalid_values(self, chat_setup: ChatSetup, channel: Channel) -> None:
        verdict = {"id": "verdict", "type": "dropdown", "options": [{"id": "a", "label": "A"}], "required": True}
        choosing = {"fields": [*FORM["fields"], verdict], "layout": None, "rules": []}
        form = await chat_setup.form_in(channel, decideFromChat=True, **choosing)
        _, message = await posted(chat_setup, form, channel)
        assert set(buttons(message)) == {"open"}

    @pytest.mark.parametrize(
        "more",
        [{"body": "x" * 201}, {"amount": 1_000_000}, {"draft": {"headline": "x" * 180}}],
        ids=["cut", "unmapped", "long title"],
    )
    async def test_no_buttons_if_the_card_is_incomplete(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel, more: dict[str, Any]
    ) -> None:
        """A click on a message from before that rule changes nothing either."""
        review_id, message = await posted(chat_setup, form, channel, data={**DATA, **more})
        assert set(buttons(message)) == {"open"}
        _, deciding = await posted(chat_setup, form, channel)
        buttons(deciding)[APPROVE]["value"] = f"{review_id}:1"
        url = await clicked(chat_setup, deciding, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "doesn't show the whole review" in await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"

    async def test_slack_unavailable_during_user_lookup(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        chat_setup.slack.trouble("users.info", "", web.Response(status=429, headers={"retry-after": "1"}))
        await clicked(chat_setup, message, chat_setup.slack.person(EMAIL, chat_setup.token))
        review = await assert_ok(chat_setup.workspace.agent.get(f"/reviews/{review_id}", params={"wait": 20}))
        assert review["state"] == "responded"


class TestExecution:
    """The job, with a Slack that says what the test wants."""

    @pytest.fixture
    async def click_id(self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel) -> str:
        """A click by the owner without a job."""
        review_id, _ = await posted(chat_setup, form, channel)
        click_id = new_id("clk")
        await chat_setup.db.execute(
            """
            insert into chat_clicks
                (click_id, account_id, app, request, person, review_id, revision, response, response_url)
            values ($1, $2, 'slack', $1, 'U1', $3, 1, 'approved', 'http://127.0.0.1:1/')
            """,
            click_id,
            chat_setup.workspace.account_id,
            review_id,
        )
        return click_id

    def clicks(self, chat_setup: ChatSetup, slack: Any) -> ClickJob:
        return ClickJob(chat_setup.db, Settings(), slack)

    def slack_that_knows_the_owner(self, chat_setup: ChatSetup) -> Any:
        owner = {"team_id": chat_setup.team_id, "is_email_confirmed": True, "profile": {"email": EMAIL}}
        return Mock(get_profile=AsyncMock(return_value=owner), send_ephemeral=AsyncMock())

    async def found(self, chat_setup: ChatSetup, click_id: str) -> tuple[str, str]:
        """The click's outcome, and the review's state."""
        row = await chat_setup.db.fetchrow(
            "select c.outcome, r.state from chat_clicks c join reviews r using (review_id) where click_id = $1",
            click_id,
        )
        assert row is not None
        return row["outcome"], row["state"]

    async def test_crash_after_the_decision_reports_success(
        self, chat_setup: ChatSetup, click_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def decide_and_crash_after_commit(tx: Executor, *args: Any) -> None:
            await decide_review(tx, *args)
            tx.after_commit(Mock(side_effect=KeyboardInterrupt))

        slack = self.slack_that_knows_the_owner(chat_setup)
        with monkeypatch.context() as patch:
            patch.setattr(click_jobs, "decide_review", decide_and_crash_after_commit)
            with pytest.raises(KeyboardInterrupt):
                await self.clicks(chat_setup, slack).carry_out(click_id)
        assert await self.found(chat_setup, click_id) == ("decided", "responded")
        await self.clicks(chat_setup, slack).carry_out(click_id)
        slack.send_ephemeral.assert_not_called()

    async def test_expired_click(self, chat_setup: ChatSetup, click_id: str) -> None:
        await chat_setup.db.execute(
            "update chat_clicks set created_at = now() - interval '11 minutes' where click_id = $1", click_id
        )
        slack = self.slack_that_knows_the_owner(chat_setup)
        await self.clicks(chat_setup, slack).carry_out(click_id)
        outcome, state = await self.found(chat_setup, click_id)
        assert ("took too long" in outcome, state) == (True, "pending")
        slack.send_ephemeral.assert_called_once()

    async def test_slack_rate_limit_longer_than_the_timeout(self, chat_setup: ChatSetup, click_id: str) -> None:
        slack = Mock(get_profile=AsyncMock(side_effect=ChatAppRateLimited(3600)), send_ephemeral=AsyncMock())
        await self.clicks(chat_setup, slack).carry_out(click_id)
        outcome, state = await self.found(chat_setup, click_id)
        assert ("couldn't verify" in outcome, state) == (True, "pending")

    async def test_trigger_forms_have_no_buttons(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        """A forged click doesn't decide either."""
        starting = await chat_setup.form_in(channel, decideFromChat=True, trigger=True, allowRetry=False)
        review_id, message = await posted(chat_setup, starting, channel)
        assert set(buttons(message)) == {"open"}
        _, deciding = await posted(chat_setup, form, channel)
        buttons(deciding)[APPROVE]["value"] = f"{review_id}:1"
        url = await clicked(chat_setup, deciding, chat_setup.slack.person(EMAIL, chat_setup.token))
        assert "decided in the inbox" in await wait_for_rejection(chat_setup, url)


class TestSignature:
    async def test_unsigned_request(self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        owner = chat_setup.slack.person(EMAIL, chat_setup.token)
        payload = click(message, APPROVE, owner, chat_setup.team_id, chat_setup.slack.response_url())
        good = signed(SIGNING_SECRET, payload)
        changed = signed(SIGNING_SECRET, {**payload, "user": {"id": "U-other"}})
        requests = [
            signed("another secret", payload),
            signed(SIGNING_SECRET, payload, moment=time.time() - 400),
            signed(SIGNING_SECRET, payload, moment=time.time() + 400),
            {**good, "content": changed["content"]},
            {**good, "headers": {"content-type": good["headers"]["content-type"]}},
            {**good, "headers": {**good["headers"], "x-slack-signature": ""}},
            {**good, "headers": {**good["headers"], "x-slack-request-timestamp": "soon"}},
            signed(SIGNING_SECRET, {**payload, "team": {"id": "T-unknown"}}),
            signed(SIGNING_SECRET, {**payload, "team": None}),
            signed(SIGNING_SECRET, {**payload, "team": {"id": "T\x00"}}),
            signed(SIGNING_SECRET, None),
            signed(SIGNING_SECRET, None, body=b"payload={"),
            signed(SIGNING_SECRET, None, body=b"\xff\xfe"),
            signed(SIGNING_SECRET, None, body=b"&" * 1000),
            signed(SIGNING_SECRET, None, body=b""),
        ]
        for request in requests:
            await assert_error(send(chat_setup, request), 401, "slack_signature_invalid")
        await assert_error(send(chat_setup, signed(SIGNING_SECRET, None, body=b"x" * 2_000_000)), 413, "too_large")
        await chat_setup.marker(chat_setup.slack.channel())
        assert await state_of(chat_setup, review_id) == "pending"
        assert (await send(chat_setup, good)).status_code == 200, "and it would have worked"
        await assert_ok(chat_setup.workspace.agent.get(f"/reviews/{review_id}", params={"wait": 20}))

    async def test_repeated_request_counts_once(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        await chat_setup.workspace.decide(review_id)
        url = chat_setup.slack.response_url()
        payload = click(message, APPROVE, chat_setup.slack.person(EMAIL, chat_setup.token), chat_setup.team_id, url)
        request = signed(SIGNING_SECRET, payload)
        for _ in range(3):
            assert (await send(chat_setup, request)).status_code == 200
        await wait_for_rejection(chat_setup, url)
        again = await clicked(chat_setup, message, chat_setup.slack.person(EMAIL, chat_setup.token), REJECT)
        await wait_for_rejection(chat_setup, again)
        assert len(chat_setup.slack.whispers[url]) == 1

    async def test_signed_requests_without_a_decision_are_ignored(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        review_id, message = await posted(chat_setup, form, channel)
        owner = chat_setup.slack.person(EMAIL, chat_setup.token)
        payload = click(message, APPROVE, owner, chat_setup.team_id, chat_setup.slack.response_url())
        action = payload["actions"][0]
        for other in (
            {"type": "view_submission"},
            {"actions": []},
            {"actions": None},
            {"actions": [None, 7, {}]},
            {"actions": [{**action, "action_id": "open"}]},
            {"actions": [{**action, "value": "rev_x"}]},
            {"actions": [{**action, "value": f"{review_id}:٣"}]},
            {"actions": [{**action, "value": f"{review_id}:01"}]},
            {"actions": [{**action, "value": f"{review_id}:0"}]},
            {"actions": [{**action, "value": None}]},
            {"user": None},
        ):
            assert (await send(chat_setup, signed(SIGNING_SECRET, {**payload, **other}))).status_code == 200
        await chat_setup.marker(chat_setup.slack.channel())
        assert await state_of(chat_setup, review_id) == "pending"

    async def test_another_account_with_the_same_slack_can_not_decide(
        self, chat_setup: ChatSetup, form: dict[str, Any], channel: Channel
    ) -> None:
        """Its own secret is valid for its own reviews only, whatever review the click names."""
        other = await open_second_account(chat_setup.service)
        token, secret = chat_setup.slack.workspace(team_id=chat_setup.team_id), "fedcba9876543210fedcba9876543210"
        await assert_ok(other.owner.put("/chatApps/slack", json={"botToken": token, "signingSecret": secret}))
        review_id, message = await posted(chat_setup, form, channel)
        url = chat_setup.slack.response_url()
        payload = click(message, APPROVE, chat_setup.slack.person(EMAIL, token), chat_setup.team_id, url)
        assert (await send(chat_setup, signed(secret, payload))).status_code == 200
        assert await wait_for_rejection(chat_setup, url)
        assert await state_of(chat_setup, review_id) == "pending"

    async def test_without_a_signing_secret_there_are_no_buttons(self, chat_setup: ChatSetup) -> None:
        channel = chat_setup.slack.channel()
        form = await chat_setup.form_in(channel, decideFromChat=True)
        await assert_ok(chat_setup.workspace.owner.put("/chatApps/slack", json={"botToken": chat_setup.token}))
        try:
            assert (await chat_setup.app("slack"))["canDecide"] is False
            _, message = await posted(chat_setup, form, channel)
            assert set(buttons(message)) == {"open"}
            answer = await send(chat_setup, signed(SIGNING_SECRET, {"team": {"id": chat_setup.team_id}}))
            assert answer.status_code == 401
        finally:
            await chat_setup.connect_slack(chat_setup.token)
        assert "xoxb" not in "".join(texts(message))
