"""Reviews in Slack and Mattermost: from the settings page to a channel that stays correct, whatever happens."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from aiohttp import web
from chat_app_helpers import SETTINGS, SIGNING_SECRET, ChatSetup, wait_for_text, wait_until
from support.api import DATA, assert_error, assert_ok, error_at, sign_in_workspace, unique
from support.catalogs import catalogs
from support.crashed_worker import die_while_sending
from support.in_process import Service, StartService
from support.mattermost_server import MattermostServer
from support.second_account import open_second_account
from support.service_process import RunningService, running_service
from support.slack_server import Channel, HeldCall, SlackServer, buttons, heading, texts

from signoff.notifications.chat_apps import channel as post_channel
from signoff.notifications.chat_apps import post_planner
from signoff.notifications.chat_apps.card_builder import build_card
from signoff.notifications.chat_apps.cards import Card
from signoff.notifications.chat_apps.channel import PostChannel
from signoff.notifications.chat_apps.post_planner import plan_posts
from signoff.notifications.chat_apps.registry import build_apps
from signoff.platform.clock import now
from signoff.platform.db import Database
from signoff.platform.guarded_http import GuardedClient
from signoff.platform.outbox.messages import LOST_ATTEMPT, queue_again
from signoff.platform.outbox.sender import OutgoingMessage, Postponed
from signoff.platform.settings import Settings, load_settings


@pytest.fixture(scope="module")
async def slack() -> AsyncIterator[SlackServer]:
    server = SlackServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def mattermost() -> AsyncIterator[MattermostServer]:
    server = MattermostServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def running(slack: SlackServer, start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(slack_api_url=f"{slack.url}/api", **SETTINGS) as service:
        yield service


@asynccontextmanager
async def open_chat_setup(
    service: Service | RunningService, slack: SlackServer, mattermost: MattermostServer
) -> AsyncIterator[ChatSetup]:
    space, db = await sign_in_workspace(service), await Database.connect(service.dsn(), size=8)
    made = ChatSetup(service, space, db, slack, mattermost)
    await made.connect()
    yield made
    await space.close()
    await db.close()


@pytest.fixture(scope="module")
async def chat_setup(running: Service, slack: SlackServer, mattermost: MattermostServer) -> AsyncIterator[ChatSetup]:
    async with open_chat_setup(running, slack, mattermost) as made:
        yield made


@pytest.fixture
async def impatient(
    start_service: StartService, slack: SlackServer, mattermost: MattermostServer
) -> AsyncIterator[ChatSetup]:
    """For a service with a short timeout for responses."""
    settings = {**SETTINGS, "chat_app_timeout": 1}
    async with (
        start_service(slack_api_url=f"{slack.url}/api", **settings) as service,
        open_chat_setup(service, slack, mattermost) as made,
    ):
        yield made


@pytest.fixture
async def own_slack(running: Service, slack: SlackServer, mattermost: MattermostServer) -> AsyncIterator[ChatSetup]:
    """A separate account that only this test connects."""
    space, db = await open_second_account(running), await Database.connect(running.dsn(), size=2)
    made = ChatSetup(running, space, db, slack, mattermost)
    await made.connect_slack(slack.workspace())
    yield made
    await space.close()
    await db.close()


@pytest.fixture(scope="module")
async def team(running: Service, slack: SlackServer, mattermost: MattermostServer) -> AsyncIterator[ChatSetup]:
    """A separate account whose Mattermost is connected with a bot token."""
    space, db = await open_second_account(running), await Database.connect(running.dsn(), size=2)
    made = ChatSetup(running, space, db, slack, mattermost)
    await connect_bot(made, mattermost.bot())
    yield made
    await space.close()
    await db.close()


@pytest.fixture
def short_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a summary change again soon."""
    monkeypatch.setattr(post_planner, "SUMMARY_WAITS", 0.5)


class Entry(NamedTuple):
    account_id: str
    action: str
    object_id: str


# More copies of an existing review, which nobody is notified of.
COPY = """
    insert into reviews (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state)
    select account_id, review_id || $3::text || n, agent_id, form_id, form_version, form_name, session_id, title, state
    from reviews cross join generate_series(1, $4) as n where account_id = $1 and review_id = $2
    returning review_id
"""


# Their content.
COPY_REVISIONS = """
    insert into review_revisions
    select (jsonb_populate_record(v, jsonb_build_object('review_id', copy))).*
    from review_revisions v cross join unnest($3::text[]) as copy where account_id = $1 and review_id = $2
"""


class Rollback(Exception):
    """Raised to roll back a transaction."""


class TestConnecting:
    async def test_credentials_are_never_shown(self, chat_setup: ChatSetup) -> None:
        answer = await chat_setup.workspace.owner.get("/chatApps")
        assert answer.status_code == 200
        for secret in (chat_setup.token, SIGNING_SECRET, chat_setup.hook):
            assert secret not in answer.text
        slack, mattermost = answer.json()["items"]
        assert (slack["app"], slack["state"], slack["workspace"]) == ("slack", "connected", "Acme")
        assert (slack["canUpdate"], slack["canDecide"], slack["troubledChannels"]) == (True, True, [])
        assert (mattermost["app"], mattermost["state"], mattermost["workspace"]) == (
            "mattermost",
            "connected",
            "127.0.0.1",
        )
        assert (mattermost["canUpdate"], mattermost["canDecide"]) == (False, False)
        log = await assert_ok(chat_setup.workspace.owner.get("/auditLog", params={"action": "chat_app.connected"}))
        assert chat_setup.token not in str(log)
        assert chat_setup.hook not in str(log)

    async def test_invalid_slack_token(self, chat_setup: ChatSetup) -> None:
        body = {"botToken": "xoxb-wrong-wrong"}
        problem = await assert_error(chat_setup.workspace.owner.put("/chatApps/slack", json=body), 422, "invalid")
        assert error_at(problem, "botToken")["code"] == "invalid_auth"
        assert (await chat_setup.app("slack"))["state"] == "connected", "what was there stays"

    async def test_unreachable_slack(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        slack.trouble("auth.test", "", web.Response(status=500))
        await assert_error(
            chat_setup.workspace.owner.put("/chatApps/slack", json={"botToken": chat_setup.token}),
            503,
            "chat_app_not_reached",
        )

    @pytest.mark.parametrize(
        ("app", "body", "path"),
        [
            ("slack", {}, "botToken"),
            ("slack", {"botToken": None}, "botToken"),
            ("slack", {"botToken": ""}, "botToken"),
            ("slack", {"botToken": "xoxb-a\r\nx-evil: 1"}, "botToken"),
            ("slack", {"botToken": "x" * 401}, "botToken"),
            ("slack", {"botToken": 7}, "botToken"),
            ("slack", {"botToken": "xoxb-1234567", "signingSecret": "short"}, "signingSecret"),
            ("slack", {"botToken": "xoxb-1234567", "token": "x"}, "token"),
            ("mattermost", {}, "webhookUrl"),
            ("mattermost", {"webhookUrl": "ftp://chat.example.com"}, "webhookUrl"),
            ("mattermost", {"webhookUrl": "http://user:pass@chat.example.com/"}, "webhookUrl"),
            ("mattermost", {"webhookUrl": None, "serverUrl": None, "botToken": None}, "webhookUrl"),
            ("mattermost", {"serverUrl": "https://chat.example.com"}, "botToken"),
            ("mattermost", {"botToken": "x" * 26}, "serverUrl"),
            ("mattermost", {"serverUrl": "https://chat.example.com", "botToken": "a\r\nx-evil: 1"}, "botToken"),
            ("mattermost", {"serverUrl": "https://chat.example.com/?a=b", "botToken": "x" * 26}, "serverUrl"),
            ("mattermost", {"serverUrl": "https://chat.example.com/#a", "botToken": "x" * 26}, "serverUrl"),
            ("mattermost", {"serverUrl": "file:///etc/passwd", "botToken": "x" * 26}, "serverUrl"),
            ("mattermost", {"serverUrl": 7, "botToken": "x" * 26}, "serverUrl"),
            ("mattermost", {"webhookUrl": "https://chat.example.com/hooks/x", "botToken": "x" * 26}, "botToken"),
        ],
    )
    async def test_malformed_credentials(self, chat_setup: ChatSetup, app: str, body: Any, path: str) -> None:
        problem = await assert_error(chat_setup.workspace.owner.put(f"/chatApps/{app}", json=body), 422, "invalid")
        error_at(problem, path)

    async def test_only_admins(self, chat_setup: ChatSetup) -> None:
        _, reviewer = await chat_setup.workspace.make_person("reviewer")
        _, editor = await chat_setup.workspace.make_person("editor")
        for client in (reviewer, editor, chat_setup.workspace.agent):
            await assert_error(client.get("/chatApps"), 403)
            await assert_error(client.put("/chatApps/slack", json={"botToken": chat_setup.token}), 403)
            await assert_error(client.delete("/chatApps/slack"), 403)
            await assert_error(client.post("/chatApps/slack/test", json={"channel": "C1"}), 403)
            await assert_error(client.get("/chatApps/slack/channels"), 403)
        await assert_error(chat_setup.workspace.public.get("/chatApps"), 401)

    async def test_only_users_and_the_signing_secret_only_by_owners(
        self, chat_setup: ChatSetup, slack: SlackServer
    ) -> None:
        """With the secret, anyone can sign a click as anyone: if a key could set it, keys could decide."""
        other = await open_second_account(chat_setup.service)
        _, admin = await other.make_person("admin")
        plain = {"botToken": slack.workspace()}
        signed, hook = {**plain, "signingSecret": SIGNING_SECRET}, {"webhookUrl": chat_setup.mattermost.hook()}
        for credentials in (plain, signed):
            await assert_error(other.manager.put("/chatApps/slack", json=credentials), 403, "person_needed")
        await assert_error(other.manager.put("/chatApps/mattermost", json=hook), 403, "person_needed")
        await assert_error(admin.put("/chatApps/slack", json=signed), 403, "owner_needed")
        assert {app["state"] for app in (await assert_ok(admin.get("/chatApps")))["items"]} == {"absent"}
        await assert_ok(other.owner.put("/chatApps/slack", json=signed))
        assert (await assert_ok(admin.get("/chatApps")))["items"][0]["canDecide"] is True
        await assert_ok(admin.put("/chatApps/slack", json=plain))
        assert (await assert_ok(admin.get("/chatApps")))["items"][0]["canDecide"] is False, "the secret is gone"
        await assert_ok(admin.put("/chatApps/mattermost", json=hook))

    async def test_no_other_app(self, chat_setup: ChatSetup) -> None:
        for path in ("/chatApps/teams", "/chatApps/teams/channels"):
            answer = await chat_setup.workspace.owner.request("DELETE" if path.endswith("teams") else "GET", path)
            assert answer.status_code in {400, 404}

    async def test_another_account_has_no_access(self, chat_setup: ChatSetup) -> None:
        other = await open_second_account(chat_setup.service)
        apps = (await assert_ok(other.owner.get("/chatApps")))["items"]
        assert {app["state"] for app in apps} == {"absent"}
        await assert_error(other.owner.get("/chatApps/slack/channels"), 404, "not_found")
        for call in (
            other.owner.delete("/chatApps/slack"),
            other.owner.post("/chatApps/slack/test", json={"channel": "C1"}),
            other.owner.put("/chatApps/slack/channels", json={"default": "C1"}),
        ):
            await assert_error(call, 409, "chat_app_not_connected")
        agent = await chat_setup.workspace.make_agent()
        await assert_ok(other.owner.put("/chatApps/mattermost", json={"webhookUrl": chat_setup.mattermost.hook()}))
        body = {"agents": {agent["agentId"]: "town-square"}}
        problem = await assert_error(other.owner.put("/chatApps/mattermost/channels", json=body), 422)
        error_at(problem, f"agents.{agent['agentId']}")
        assert (await chat_setup.app("slack"))["state"] == "connected"


class TestChannels:
    async def test_review_type_overrides_agent_overrides_default(
        self, chat_setup: ChatSetup, slack: SlackServer
    ) -> None:
        general, of_agent, of_form = slack.channel(), slack.channel(), slack.channel()
        first, second = await chat_setup.workspace.make_agent(), await chat_setup.workspace.make_agent()
        plain, own, silent = [await chat_setup.workspace.make_form(first) for _ in range(3)]
        other = await chat_setup.workspace.make_form(second)
        before = await assert_ok(chat_setup.workspace.owner.get("/chatApps/slack/channels"))
        wanted = {
            "default": general.id,
            "agents": {**before["agents"], first["agentId"]: of_agent.id},
            "forms": {**before["forms"], own["formId"]: of_form.id, silent["formId"]: ""},
        }
        assert await assert_ok(chat_setup.workspace.owner.put("/chatApps/slack/channels", json=wanted)) == wanted
        try:
            for form, title in ((silent, "silent"), (plain, "plain"), (own, "own"), (other, "other")):
                await chat_setup.workspace.request(form, data={**DATA, "draft": {"headline": title}})
            await wait_for_text(general, "other")
            await wait_for_text(of_agent, "plain")
            await wait_for_text(of_form, "own")
            shown = "".join(str(channel.messages) for channel in (general, of_agent, of_form))
            assert "silent" not in shown
            assert [len(channel.messages) for channel in (general, of_agent, of_form)] == [1, 1, 1]
        finally:
            await assert_ok(
                chat_setup.workspace.owner.put("/chatApps/slack/channels", json={**wanted, "default": None})
            )

    @pytest.mark.parametrize(
        "body",
        [
            {"default": 7},
            {"default": "two words"},
            {"default": "<!channel>"},
            {"default": "x" * 101},
            {"agents": {"agt_nobody": "C1"}},
            {"forms": {"frm_nothing": "C1"}},
            {"forms": []},
            {"others": {}},
        ],
    )
    async def test_invalid_channels(self, chat_setup: ChatSetup, body: Any) -> None:
        before = await assert_ok(chat_setup.workspace.owner.get("/chatApps/slack/channels"))
        await assert_error(chat_setup.workspace.owner.put("/chatApps/slack/channels", json=body), 422, "invalid")
        assert await assert_ok(chat_setup.workspace.owner.get("/chatApps/slack/channels")) == before

    async def test_the_test_button(
        self, chat_setup: ChatSetup, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        channel, room = slack.channel(), mattermost.channel()
        outcome = await assert_ok(chat_setup.workspace.owner.post("/chatApps/slack/test", json={"channel": channel.id}))
        assert (outcome["delivered"], outcome["code"]) == (True, None)
        assert "Signoff is connected" in "".join(texts(channel.messages[0]))
        assert (await assert_ok(chat_setup.workspace.owner.post("/chatApps/mattermost/test", json={"channel": room})))[
            "delivered"
        ]
        assert len(mattermost.posts(room)) == 1
        wrong = await assert_ok(chat_setup.workspace.owner.post("/chatApps/slack/test", json={"channel": "C-nowhere"}))
        assert (wrong["delivered"], wrong["code"]) == (False, "channel_not_found")
        assert (await chat_setup.app("slack"))["troubledChannels"] == [], "nothing goes there"
        await assert_error(chat_setup.workspace.owner.post("/chatApps/slack/test", json={"channel": ""}), 422)


class TestPosts:
    async def test_post_is_updated(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        message = await wait_for_text(channel, "Pending")
        shown = "\n".join(texts(message))
        agent = await assert_ok(chat_setup.workspace.agent.get(f"/agents/{form['agentId']}"))
        for words in ("Autumn news", agent["name"], "Leaves fall.", "Open review"):
            assert words in shown
        assert buttons(message)["open"]["url"].endswith(f"/reviews/{review_id}")
        assert set(buttons(message)) == {"open"}, "deciding from chat is off"
        await assert_ok(
            chat_setup.workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."})
        )
        await wait_for_text(channel, "Waiting on agent")
        changed = {**DATA, "draft": {"headline": "Winter news"}}
        await chat_setup.workspace.request(form, data=changed, updateForReviewId=review_id)
        await wait_for_text(channel, "Winter news")
        await wait_for_text(channel, "Pending")
        await chat_setup.workspace.decide(review_id)
        await wait_for_text(channel, "Approved by ")
        await assert_ok(chat_setup.workspace.agent.delete(f"/reviews/{review_id}"))
        gone = await wait_for_text(channel, "Deleted by ")
        assert "Winter" not in str(gone), "what was in it is gone from the channel too"
        assert len(channel.messages) == 1
        assert len(slack.of("chat.postMessage", channel.id)) == 1

    async def test_is_in_the_workspaces_language(
        self, chat_setup: ChatSetup, slack: SlackServer, tmp_path: Path
    ) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        german = {"Pending": "Offen", "Approved by {name}": "Genehmigt von {name}", "Open review": "Prüfung öffnen"}
        with catalogs(tmp_path, de=german):
            try:
                await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": "de"}))
                review_id = (await chat_setup.workspace.request(form))["reviewId"]
                message = await wait_for_text(channel, "Offen")
                assert "Prüfung öffnen" in "\n".join(texts(message))
                await chat_setup.workspace.decide(review_id)
                await wait_for_text(channel, "Genehmigt von ")
            finally:
                await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": None}))

    async def test_latin_names_in_arabic_posts_are_isolated(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        try:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": "ar"}))
            review_id = (await chat_setup.workspace.request(form))["reviewId"]
            review = await assert_ok(chat_setup.workspace.agent.get(f"/reviews/{review_id}"))
            await wait_for_text(channel, f"\u2068{review['formName']}\u2069 · \u2068")
            await chat_setup.workspace.decide(review_id)
            await wait_for_text(channel, "وافق عليها \u2068")
        finally:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": None}))

    @pytest.mark.parametrize("control", ["\u202d", "\u202e", "\u202b", "\u2067", "\u2068", "\u2069", "\u202c"])
    async def test_titles_rearrange_nothing_after_them(
        self, chat_setup: ChatSetup, slack: SlackServer, mattermost: MattermostServer, control: str
    ) -> None:
        channel, name = slack.channel(), mattermost.channel()
        hostile = f"invoice{control}gnp.exe"
        for where in (channel, name):
            form = await chat_setup.form_in(where, name=f"Type{control}", decideFromChat=True)
            data = {"draft": {"headline": hostile, "body": hostile}}
            await chat_setup.workspace.request(form, data=data, title=hostile)
        message = await wait_until(lambda: channel.messages and channel.messages[0])
        post = await wait_until(lambda: mattermost.posts(name) and mattermost.posts(name)[0])
        assert heading(message).endswith("invoicegnp.exe")
        assert control not in "".join((message["text"], *texts(message), str(post)))
        assert "signoff_approve" not in buttons(message), "what it removed isn't shown"

    async def test_review_types_are_in_the_workspaces_language(
        self, chat_setup: ChatSetup, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        options = [{"id": "bank", "label": "Bank"}, {"id": "cash", "label": "Cash"}]
        members: dict[str, Any] = {
            "name": "Payout",
            "titleField": None,
            "layout": None,
            "rules": [],
            "fields": [{"id": "channel", "type": "dropdown", "label": "Channel", "options": options}],
            "translations": {
                "de": {
                    "name": "Auszahlung <!channel> *sofort*",
                    "fields": {"channel": {"label": "Weg", "options": {"cash": {"label": "Bar"}}}},
                },
                "fr": {"name": "Paiement"},
            },
        }
        in_slack, in_mattermost = slack.channel(), mattermost.channel()
        forms = [await chat_setup.form_in(place, **members) for place in (in_slack, in_mattermost)]
        _, french = await chat_setup.workspace.make_person("reviewer")
        await assert_ok(french.patch("/auth/me", json={"language": "fr"}))
        try:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": "de"}))
            for form in forms:
                body = {"formId": form["formId"], "data": {"channel": "cash"}}
                await assert_ok(chat_setup.workspace.agent.post("/requestReview", json=body))
            message = await wait_for_text(in_slack, "Weg\nBar")
            await wait_until(lambda: mattermost.posts(in_mattermost))
        finally:
            await assert_ok(chat_setup.workspace.owner.patch("/account", json={"language": None}))
        title, about, *_ = texts(message)
        assert title.endswith(" Auszahlung <!channel> *sofort*")
        assert about.startswith("Auszahlung <!channel> *sofort* · ")
        assert "<!channel>" not in message["text"]
        [post] = mattermost.posts(in_mattermost)
        assert post["title"] == r"Auszahlung <\!channel\> \*sofort\*"
        assert post["fields"] == [{"short": True, "title": "Weg", "value": "Bar"}]

    async def test_mattermost_webhook_reports_the_decision_in_a_second_post(
        self, chat_setup: ChatSetup, mattermost: MattermostServer
    ) -> None:
        room = mattermost.channel()
        form = await chat_setup.form_in(room)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await wait_until(lambda: len(mattermost.posts(room)) == 1)
        await assert_ok(
            chat_setup.workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."})
        )
        await chat_setup.workspace.decide(review_id, "rejected")
        await wait_until(lambda: len(mattermost.posts(room)) == 2)
        first, second = mattermost.posts(room)
        assert first["title"] == "Autumn news"
        assert "Rejected by" in second["text"]

    async def test_reviews_that_need_no_decision_are_not_posted(
        self, chat_setup: ChatSetup, slack: SlackServer
    ) -> None:
        channel = slack.channel()
        automatic = await chat_setup.form_in(channel, autoApprove=True)
        await chat_setup.workspace.request(automatic)
        await chat_setup.marker(channel)
        assert channel.messages == []

    async def test_planning_twice_posts_once(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        entries = [Entry(chat_setup.workspace.account_id, "review.requested", review_id)] * 3
        for _ in range(2):
            async with chat_setup.db.transaction() as tx:
                await plan_posts(tx, entries)
        await wait_for_text(channel, "Pending")
        async with chat_setup.db.transaction() as tx:
            await plan_posts(tx, entries)
        await chat_setup.marker(channel)
        assert len(channel.messages) == 1

    async def test_slow_earlier_update_does_not_overwrite_the_last_state(
        self, chat_setup: ChatSetup, slack: SlackServer
    ) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await wait_for_text(channel, "Pending")
        slow = slack.hold("chat.update", channel.id, after=False)
        await assert_ok(
            chat_setup.workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."})
        )
        await asyncio.wait_for(slow.arrived.wait(), 20)
        await chat_setup.workspace.decide(review_id)
        slow.release.set()
        await wait_for_text(channel, "Approved by ")
        shown = ["".join(texts(sent)) for sent in slack.of("chat.update", channel.id)]
        assert len(shown) == 2
        assert "Waiting on agent" in shown[0]
        assert "Approved by" in shown[1]

    async def test_removed_message_is_not_posted_again(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await wait_for_text(channel, "Pending")
        channel.messages.clear()
        await chat_setup.workspace.decide(review_id)
        await wait_until(lambda: slack.of("chat.update", channel.id))
        await chat_setup.marker(channel)
        assert channel.messages == []
        app = await chat_setup.app("slack")
        assert (app["state"], app["troubledChannels"]) == ("connected", [])


class TestErrors:
    async def test_rate_limited(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        slack.trouble("chat.postMessage", channel.id, web.Response(status=429, headers={"retry-after": "1"}))
        await chat_setup.workspace.request(form)
        await wait_for_text(channel, "Pending")
        assert len(slack.of("chat.postMessage", channel.id)) == 2
        assert (await chat_setup.app("slack"))["troubledChannels"] == []

    async def test_rate_limit_holds_back_all_posts(self, own_slack: ChatSetup, slack: SlackServer) -> None:
        limited, other = slack.channel(), slack.channel()
        slack.trouble("chat.postMessage", limited.id, web.Response(status=429, headers={"retry-after": "3000"}))
        await own_slack.workspace.request(await own_slack.form_in(limited))
        first = await wait_for_message(own_slack, limited, is_paused)
        assert (first["state"], first["attempt_count"], len(first["attempts"])) == ("queued", 0, 1)
        await own_slack.workspace.request(await own_slack.form_in(other))
        second = await wait_for_message(own_slack, other, is_paused)
        assert (second["attempts"], slack.of("chat.postMessage", other.id)) == ([], [])
        await own_slack.db.execute("update chat_connections set paused_until = null")
        await queue_again(own_slack.db, first["message_id"], second["message_id"])
        await wait_for_text(limited, "Pending")
        await wait_for_text(other, "Pending")

    @pytest.mark.parametrize("after", [True, False])
    async def test_lost_response(self, impatient: ChatSetup, slack: SlackServer, after: bool) -> None:
        """Slack is asked whether it has the post."""
        mail_setup, channel = impatient, slack.channel()
        form = await mail_setup.form_in(channel)
        if after:
            lost: Any = slack.hold("chat.postMessage", channel.id, after=True)
        else:
            slack.trouble("chat.postMessage", channel.id, web.Response(status=502))
        await mail_setup.workspace.request(form)
        await wait_for_text(channel, "Pending")
        await wait_until(lambda: slack.of("conversations.history", channel.id))
        await mail_setup.marker(channel)
        assert len(channel.messages) == 1
        if after:
            lost.release.set()

    async def test_archived_channel_does_not_affect_others(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        channel, other = slack.channel(), slack.channel()
        form, fine = await chat_setup.form_in(channel), await chat_setup.form_in(other)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await wait_for_text(channel, "Pending")
        channel.archived = True
        await chat_setup.workspace.decide(review_id)
        await chat_setup.workspace.request(fine)
        await wait_for_text(other, "Pending")
        trouble = await _trouble(chat_setup, channel.id)
        assert (trouble["code"], bool(trouble["why"]), bool(trouble["since"])) == ("is_archived", True, True)
        assert (await chat_setup.app("slack"))["state"] == "connected"
        channel.archived = False
        assert (await assert_ok(chat_setup.workspace.owner.post("/chatApps/slack/test", json={"channel": channel.id})))[
            "delivered"
        ]
        await wait_for_text(channel, "Approved by ", 0)
        await wait_until_no_error(chat_setup)

    async def test_failed_post_is_retried_and_waiting_update_canceled(
        self, own_slack: ChatSetup, slack: SlackServer
    ) -> None:
        channel, owner = slack.channel(), own_slack.workspace.owner
        channel.archived = True
        form = await own_slack.form_in(channel)
        review_id = (await own_slack.workspace.request(form))["reviewId"]

        async def message(state: str, error: str = "") -> dict[str, Any]:
            async with asyncio.timeout(60):
                while True:
                    items = (await assert_ok(owner.get("/outgoingMessages", params={"channel": "chat"})))["items"]
                    if items and items[0]["state"] == state and error in items[0].get("error", ""):
                        return items[0]
                    await asyncio.sleep(0.05)

        failed = await message("failed")
        assert (failed["destination"], failed["subject"]["reviewId"]) == (channel.id, review_id)
        channel.archived = False
        await assert_ok(owner.post(f"/outgoingMessages/{failed['messageId']}/retry"))
        await wait_for_text(channel, "Pending")
        await message("sent")
        slack.trouble("chat.update", channel.id, web.Response(status=429, headers={"retry-after": "3000"}))
        await own_slack.workspace.decide(review_id)
        waiting = await message("queued", "Rate limited")
        canceled = await assert_ok(owner.post(f"/outgoingMessages/{waiting['messageId']}/cancel"))
        assert (canceled["state"], canceled["canceled"]) == ("failed", True)
        assert "Pending" in "\n".join(texts(channel.messages[0])), "the update wasn't sent"

    async def test_revoked_token_is_shown_and_does_not_affect_others(
        self, chat_setup: ChatSetup, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        channel, room = slack.channel(), mattermost.channel()
        form = await chat_setup.form_in(channel)
        await chat_setup.choose(form["formId"], room)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await wait_for_text(channel, "Pending")
        team = slack.tokens.pop(chat_setup.token)
        await chat_setup.workspace.decide(review_id)
        await wait_until(lambda: len(mattermost.posts(room)) == 2)
        app = await _state(chat_setup, "refused")
        assert app["code"] == "invalid_auth"
        assert "Reinstall the Slack app" in app["why"]
        meanwhile = (await chat_setup.workspace.request(form, data={**DATA, "draft": {"headline": "meanwhile"}}))[
            "reviewId"
        ]
        await wait_until(lambda: len(mattermost.posts(room)) == 3)
        fresh = slack.workspace(team_id=team["team_id"])
        await chat_setup.connect_slack(fresh)
        await wait_for_text(channel, "Approved by ", 0)
        assert (await chat_setup.app("slack"))["state"] == "connected"
        await chat_setup.workspace.decide(meanwhile)
        await chat_setup.marker(channel)
        assert "meanwhile" not in str(channel.messages), "what came while it was refused is not posted later"

    async def test_removed_webhook(self, chat_setup: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel()
        form = await chat_setup.form_in(room)
        mattermost.remove(chat_setup.hook)
        try:
            await chat_setup.workspace.request(form)
            app = await _state(chat_setup, "refused", "mattermost")
            assert "Invalid webhook" in app["why"]
            assert (await chat_setup.app("slack"))["state"] == "connected"
        finally:
            chat_setup.hook = mattermost.hook()
            await chat_setup.connect()

    async def test_unreachable_for_long(self, chat_setup: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel()
        form = await chat_setup.form_in(room)
        mattermost.trouble(room, *(web.Response(status=503) for _ in range(4)))
        await chat_setup.workspace.request(form)
        trouble = await _trouble(chat_setup, room, "mattermost")
        assert trouble["code"] == "not_reached"
        await chat_setup.workspace.request(form)
        await wait_until(lambda: len(mattermost.posts(room)) == 1)
        await wait_until_no_error(chat_setup, "mattermost")


class TestBurst:
    async def test_many_reviews_become_one_post(
        self, chat_setup: ChatSetup, slack: SlackServer, short_retries: None
    ) -> None:
        channel = slack.channel()
        form = await chat_setup.form_in(channel)
        many = await asyncio.gather(*(chat_setup.workspace.request(form) for _ in range(20)))
        counted, deadline = 0, time.monotonic() + 60
        while counted < 20:
            assert time.monotonic() < deadline, "not all of them were planned for"
            rows = await chat_setup.db.fetch(
                """
                select p.kind, count(distinct p.post_id) as posts, count(*) as reviews
                from chat_posts p join chat_posted_reviews r using (post_id) where p.channel = $1 group by p.kind
                """,
                channel.id,
            )
            counted = sum(row["reviews"] for row in rows)
            await asyncio.sleep(0.05)
        found = {row["kind"]: row for row in rows}
        singles = found["review"]["posts"] if "review" in found else 0
        assert singles <= 8, "so many are no burst yet"
        assert found["summary"]["posts"] == 1
        await wait_until(lambda: len(channel.messages) == singles + 1)
        (index,) = [n for n, each in enumerate(channel.messages) if " new reviews" in "".join(texts(each))]
        await wait_for_text(channel, f"{20 - singles} pending", index)
        for each in many:
            await chat_setup.workspace.decide(each["reviewId"])
        await wait_for_text(channel, "All decided", index)
        assert len(channel.messages) == singles + 1

    async def test_next_burst_is_added_to_the_summary(
        self, chat_setup: ChatSetup, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        """In a transaction that is rolled back, so that nothing is posted in between."""
        form = await chat_setup.form_in(slack.channel())
        await chat_setup.choose(form["formId"], mattermost.channel())
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        account_id = chat_setup.workspace.account_id

        with suppress(Rollback):
            async with chat_setup.db.transaction() as tx:

                async def burst(name: str, *, waiting: bool = False) -> dict[str, str]:
                    """The summary in each app that counts three new reviews."""
                    rows = await tx.fetch(COPY, account_id, review_id, name, 3)
                    ids = [row["review_id"] for row in rows]
                    await tx.execute("update reviews set retry_requested = $2 where review_id = any($1)", ids, waiting)
                    await plan_posts(tx, [Entry(account_id, "review.requested", each) for each in ids], burst=2)
                    found = await tx.fetch(
                        """
                    select distinct p.app, p.post_id from chat_posts p join chat_posted_reviews r using (post_id)
                    where r.review_id = any($1) and p.kind = 'summary'
                    """,
                        ids,
                    )
                    assert len(found) == 2, "one for each app"
                    return {row["app"]: row["post_id"] for row in found}

                async def change(posts: dict[str, str], sql: str) -> None:
                    await tx.execute(sql, list(posts.values()))

                first = await burst("a")
                assert await burst("b", waiting=True) == first, "also those that were sent back already"
                posted = """
                    with posts as (update chat_posts set posted_at = now() where post_id = any($1) returning post_id)
                    update outgoing_messages o set state = 'sent', due_at = null, settled_at = now()
                    from posts where o.message_id = post_id
                """
                await change(first, posted)
                third = await burst("c")
                assert third["slack"] == first["slack"]
                assert third["mattermost"] != first["mattermost"], "what was posted there is not changed any more"
                earlier = (
                    "update chat_posted_reviews set created_at = now() - interval '11 minutes' where post_id = any($1)"
                )
                await change(third, earlier)
                fourth = await burst("d")
                assert fourth["slack"] != first["slack"], "it was long ago, whatever was decided since"
                await change(fourth, "update chat_posts set shown = 'left' where post_id = any($1)")
                fifth = await burst("e")
                assert fifth["slack"] != fourth["slack"]
                raise Rollback


class TestAttempts:
    async def test_expired_claim_posts_nothing(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        place = slack.channel()
        await chat_setup.workspace.request(await chat_setup.form_in(place))
        await wait_for_message(chat_setup, place, lambda message: message["state"] == "sent")
        [post_id] = (
            await chat_setup.db.fetchrow(
                "update chat_posts set posted_at = null, shown = null where channel = $1 returning post_id", place.id
            )
            or []
        )
        app = Mock()
        app.name = "slack"

        async def taken_by_another() -> bool:
            return False

        message = OutgoingMessage(post_id, "", "", now(), 0, None, taken_by_another)
        with pytest.raises(Postponed):
            await PostChannel(chat_setup.db, load_settings(), {"slack": app}).send(message)
        app.post.assert_not_called()

    async def test_unexpected_error_is_retried(
        self, chat_setup: ChatSetup, slack: SlackServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        failed = set[str]()

        async def build(db: Database, settings: Settings, post: Any, *args: Any) -> Card:
            if post.post_id not in failed:  # an earlier test's post may be updated meanwhile
                failed.add(post.post_id)
                raise ValueError("no")
            return await build_card(db, settings, post, *args)

        monkeypatch.setattr(post_channel, "build_card", build)
        place = slack.channel()
        await chat_setup.workspace.request(await chat_setup.form_in(place))
        await wait_for_text(place, "Pending")
        message = await wait_for_message(chat_setup, place, lambda message: message["state"] == "sent")
        assert [attempt["ok"] for attempt in message["attempts"]] == [False, True]
        assert "ValueError" in message["attempts"][0]["error"]

    async def test_changed_while_it_is_created(self, chat_setup: ChatSetup, slack: SlackServer) -> None:
        place = slack.channel()
        slow = slack.hold("chat.postMessage", place.id, after=True)
        form = await chat_setup.form_in(place)
        review_id = (await chat_setup.workspace.request(form))["reviewId"]
        await asyncio.wait_for(slow.arrived.wait(), 30)
        await chat_setup.workspace.decide(review_id)
        await wait_for_message(chat_setup, place, lambda message: message["again_at"])
        slow.release.set()
        await wait_for_text(place, "Approved by ")
        assert len(slack.of("chat.postMessage", place.id)) == 1
        assert len(slack.of("chat.update", place.id)) == 1

    async def test_two_workers(
        self, start_service: StartService, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        """Each post is created once and ends in the last state, whichever worker sends it."""
        settings = {"slack_api_url": f"{slack.url}/api", **SETTINGS, "chat_burst": 100}
        async with (
            start_service(**settings) as service,
            start_service(beside=service, **settings),
            open_chat_setup(service, slack, mattermost) as made,
        ):
            place = slack.channel()
            form = await made.form_in(place)
            reviews = [(await made.workspace.request(form))["reviewId"] for _ in range(12)]
            await wait_until(lambda: len(place.messages) == len(reviews))
            for review_id in reviews:
                await assert_ok(
                    made.workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."})
                )
                await made.workspace.decide(review_id)
            for index in range(len(reviews)):
                await wait_for_text(place, "Approved by ", index)
            assert len(slack.of("chat.postMessage", place.id)) == len(reviews)


class TestDisconnecting:
    async def test_everything_is_deleted(self, chat_setup: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel()
        form = await chat_setup.form_in(room)
        await chat_setup.workspace.request(form)
        await wait_until(lambda: len(mattermost.posts(room)) == 1)
        await assert_ok(chat_setup.workspace.owner.delete("/chatApps/mattermost"))
        await assert_error(chat_setup.workspace.owner.delete("/chatApps/mattermost"), 409, "chat_app_not_connected")
        assert (await chat_setup.app("mattermost"))["state"] == "absent"
        for table in ("chat_connections", "chat_channels", "chat_posts"):
            left = await chat_setup.db.fetchval(
                f"select count(*) from {table} where account_id = $1 and app = 'mattermost'",  # noqa: S608
                chat_setup.workspace.account_id,
            )
            assert left == 0, table
        assert await read_messages(chat_setup, "mattermost") == []
        await chat_setup.connect()
        assert (await assert_ok(chat_setup.workspace.owner.get("/chatApps/mattermost/channels")))["forms"] == {}

    async def test_waiting_posts_are_not_sent(self, own_slack: ChatSetup, slack: SlackServer) -> None:
        waiting = slack.channel()
        slack.trouble("chat.postMessage", waiting.id, web.Response(status=429, headers={"retry-after": "3000"}))
        await own_slack.workspace.request(await own_slack.form_in(waiting))
        await wait_for_message(own_slack, waiting, is_paused)
        await assert_ok(own_slack.workspace.owner.delete("/chatApps/slack"))
        assert await read_messages(own_slack, "slack") == []

    async def test_post_that_is_being_sent(
        self, own_slack: ChatSetup, slack: SlackServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The app is disconnected right before the post is handed over."""
        reading = HeldRead()
        monkeypatch.setattr(post_channel, "build_card", reading)
        place = slack.channel()
        await own_slack.workspace.request(await own_slack.form_in(place))
        await asyncio.wait_for(reading.reached.wait(), 30)
        await assert_ok(own_slack.workspace.owner.delete("/chatApps/slack"))
        reading.release.set()
        await own_slack.connect_slack(own_slack.token)
        other = slack.channel()
        await own_slack.workspace.request(await own_slack.form_in(other))
        await wait_for_text(other, "Pending")
        assert slack.of("chat.postMessage", place.id) == []


class TestMattermostBot:
    """In a separate account: the other one's Mattermost is connected with a webhook."""

    async def test_credentials_are_never_shown(self, team: ChatSetup, chat_setup: ChatSetup) -> None:
        answer = await team.workspace.owner.get("/chatApps")
        log = await team.workspace.owner.get("/auditLog", params={"action": "chat_app.connected"})
        assert "chat_app.connected" in log.text
        for text in (answer.text, log.text):
            assert team.token not in text
        app = await team.app("mattermost")
        assert (app["state"], app["workspace"], app["canUpdate"], app["canDecide"]) == (
            "connected",
            "127.0.0.1",
            True,
            False,
        )
        assert (await chat_setup.app("mattermost"))["canUpdate"] is False, "the other account has a webhook"

    async def test_invalid_mattermost_token(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        body = {"serverUrl": mattermost.url, "botToken": "x" * 26}
        problem = await assert_error(team.workspace.owner.put("/chatApps/mattermost", json=body), 422, "invalid")
        assert error_at(problem, "botToken")["code"] == "invalid_token"
        body = {"serverUrl": f"{mattermost.url}/elsewhere", "botToken": team.token}
        await assert_error(team.workspace.owner.put("/chatApps/mattermost", json=body), 503, "chat_app_not_reached")
        assert (await team.app("mattermost"))["state"] == "connected", "what was there stays"

    async def test_keys_can_not_connect_it(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        body = {"serverUrl": mattermost.url, "botToken": mattermost.bot()}
        await assert_error(team.workspace.manager.put("/chatApps/mattermost", json=body), 403, "person_needed")

    async def test_post_is_updated(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        await assert_ok(team.workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Shorter."}))
        await wait_until_shown(team, room, "Waiting on agent")
        changed = {**DATA, "draft": {"headline": "Winter news"}}
        await team.workspace.request(form, data=changed, updateForReviewId=review_id)
        await wait_until_shown(team, room, "Winter news")
        await team.workspace.decide(review_id)
        await wait_until_shown(team, room, "Approved by ")
        await assert_ok(team.workspace.agent.delete(f"/reviews/{review_id}"))
        await wait_until_shown(team, room, "Deleted by ")
        assert "Winter" not in str(mattermost.channels[room]), "what was in it is gone from the channel too"
        assert len(mattermost.posts(room)) == mattermost.called("POST", room) == 1

    async def test_summary_is_updated(self, team: ChatSetup, mattermost: MattermostServer, short_retries: None) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        account_id = team.workspace.account_id
        rows = await team.db.fetch(COPY, account_id, review_id, "x", 3)
        ids = [row["review_id"] for row in rows]
        await team.db.execute(COPY_REVISIONS, account_id, review_id, ids)
        async with team.db.transaction() as tx:
            await plan_posts(tx, [Entry(account_id, "review.requested", each) for each in ids], burst=2)
        await wait_until_shown(team, room, "3 pending", 1)
        await team.workspace.decide(ids[0])
        await wait_until_shown(team, room, "2 pending", 1)
        assert len(mattermost.posts(room)) == 2

    async def test_deleted_post_is_not_posted_again(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room, other = mattermost.channel_id(), mattermost.channel_id()
        form, marker = await team.form_in(room), await team.form_in(other)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        mattermost.channels[room].clear()
        await team.workspace.decide(review_id)
        await wait_until_posts_gone(team, room)
        await team.workspace.request(marker)
        await wait_until_shown(team, other, "Pending")
        assert mattermost.posts(room) == []
        app = await team.app("mattermost")
        assert (app["state"], app["troubledChannels"]) == ("connected", [])

    async def test_rate_limited(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        mattermost.trouble(room, web.Response(status=429, headers={"retry-after": "1"}))
        await team.workspace.request(form)
        await wait_until_shown(team, room, "Pending")
        assert mattermost.called("POST", room) == 2
        assert (await team.app("mattermost"))["troubledChannels"] == []

    @pytest.mark.parametrize("after", [True, False])
    async def test_lost_response(self, impatient: ChatSetup, mattermost: MattermostServer, after: bool) -> None:
        """Mattermost is asked whether it has the post."""
        team, room = impatient, mattermost.channel_id()
        await connect_bot(team, mattermost.bot())
        form = await team.form_in(room)
        lost = HeldCall(after=True)
        mattermost.trouble(room, lost if after else web.Response(status=502))
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until(lambda: mattermost.called("GET", room))
        await wait_until_shown(team, room, "Pending")
        await team.workspace.decide(review_id)
        await wait_until_shown(team, room, "Approved by ")
        assert len(mattermost.posts(room)) == 1
        lost.release.set()

    async def test_unreachable_for_long(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        mattermost.trouble(room, *(web.Response(status=503) for _ in range(4)))
        await team.workspace.request(form)
        assert (await _trouble(team, room, "mattermost"))["code"] == "not_reached"
        await team.workspace.request(form)
        await wait_until_shown(team, room, "Pending")
        await wait_until_no_error(team, "mattermost")

    async def test_bot_added_to_the_channel_again(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        mattermost.left.add(room)
        await team.workspace.decide(review_id)
        assert (await _trouble(team, room, "mattermost"))["code"] == "no_permission"
        mattermost.left.discard(room)
        assert (await assert_ok(team.workspace.owner.post("/chatApps/mattermost/test", json={"channel": room})))[
            "delivered"
        ]
        await wait_until_shown(team, room, "Approved by ", 0)
        await wait_until_no_error(team, "mattermost")

    async def test_new_token_of_the_same_bot(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        room = mattermost.channel_id()
        form = await team.form_in(room)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        bot = mattermost.bots.pop(team.token)
        await team.workspace.decide(review_id)
        app = await _state(team, "refused", "mattermost")
        assert (app["code"], "Create a new token" in app["why"]) == ("invalid_token", True)
        await connect_bot(team, mattermost.bot(bot))
        await wait_until_shown(team, room, "Approved by ")
        assert (await team.app("mattermost"))["state"] == "connected"

    async def test_from_a_webhook_to_a_bot_and_back(self, team: ChatSetup, mattermost: MattermostServer) -> None:
        """A bot can't edit posts of the webhook, and vice versa: they stay unchanged."""
        room, named = mattermost.channel_id(), mattermost.channel()
        form, of_hook = await team.form_in(room), await team.form_in(named)
        review_id = (await team.workspace.request(form))["reviewId"]
        await wait_until_shown(team, room, "Pending")
        await assert_ok(team.workspace.owner.put("/chatApps/mattermost", json={"webhookUrl": mattermost.hook()}))
        assert (await team.app("mattermost"))["canUpdate"] is False
        second = (await team.workspace.request(of_hook))["reviewId"]
        await wait_until(lambda: len(mattermost.posts(named)) == 1)
        await connect_bot(team, team.token)
        await team.workspace.decide(review_id)
        await team.workspace.decide(second)
        await team.workspace.request(of_hook)
        assert (await _trouble(team, named, "mattermost"))["code"] == "not_a_channel_id"
        assert len(mattermost.posts(named)) == 1
        assert "Pending" in str(mattermost.posts(room))
        await team.choose(of_hook["formId"], "")
        await wait_until_no_error(team, "mattermost")


class PostedReview:
    """A review in both apps, which have the posts and hold back their responses."""

    def __init__(self, chat_setup: ChatSetup) -> None:
        self.chat_setup, self.slack, self.mattermost = chat_setup, chat_setup.slack, chat_setup.mattermost
        self.channel, self.room = chat_setup.slack.channel(), chat_setup.mattermost.channel()
        self.in_slack = chat_setup.slack.hold("chat.postMessage", self.channel.id, after=True)
        self.in_mattermost = HeldCall(after=True)
        chat_setup.mattermost.trouble(self.room, self.in_mattermost)

    async def request(self) -> str:
        form = await self.chat_setup.form_in(self.channel, name=unique("killed"))
        await self.chat_setup.choose(form["formId"], self.room)
        return (await self.chat_setup.workspace.request(form))["reviewId"]

    async def arrived(self) -> None:
        both = asyncio.gather(self.in_slack.arrived.wait(), self.in_mattermost.arrived.wait())
        await asyncio.wait_for(both, 30)

    def release(self) -> None:
        self.in_slack.release.set()
        self.in_mattermost.release.set()

    async def check(self) -> None:
        """Slack can be asked; Mattermost can't."""
        await wait_for_text(self.channel, "Approved by ", within=90)
        await wait_until(lambda: len(self.mattermost.posts(self.room)) == 2, within=90)
        assert "Approved by" in self.mattermost.posts(self.room)[1]["text"]
        assert len(self.channel.messages) == 1
        assert len(self.slack.of("chat.postMessage", self.channel.id)) == 1


class TestKilled:
    """Both apps have the post, and the worker never got the response."""

    async def test_lost_between_posting_and_recording(
        self, start_service: StartService, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        address = f"{slack.url}/api"
        async with (
            start_service(slack_api_url=address, **SETTINGS, worker=False, worker_lost_after=1) as service,
            open_chat_setup(service, slack, mattermost) as mail_setup,
            GuardedClient(service.settings.outgoing_networks, limit=4) as client,
        ):
            told = PostedReview(mail_setup)
            review_id = await told.request()
            async with mail_setup.db.transaction() as tx:
                await plan_posts(tx, [Entry(mail_setup.workspace.account_id, "review.requested", review_id)])
            apps = build_apps(client, service.settings)
            posts = PostChannel(mail_setup.db, service.settings, apps)
            await die_while_sending(mail_setup.db, service.settings, posts, told.arrived())
            told.release()
            await mail_setup.workspace.decide(review_id)
            await service.worker.start()
            await told.check()
            for place in (told.channel, told.room):
                message = await wait_for_message(mail_setup, place, lambda message: message["state"] == "sent")
                assert (message["attempts"][0]["error"], message["handed_over_at"]) == (LOST_ATTEMPT, None)

    async def test_lost_between_the_second_post_and_recording(
        self, start_service: StartService, slack: SlackServer, mattermost: MattermostServer
    ) -> None:
        """A webhook's second message, which says how the review ended, isn't posted twice either."""
        async with (
            start_service(slack_api_url=f"{slack.url}/api", **SETTINGS, worker_lost_after=1) as service,
            open_chat_setup(service, slack, mattermost) as made,
            GuardedClient(service.settings.outgoing_networks, limit=4) as client,
        ):
            room = mattermost.channel()
            review_id = (await made.workspace.request(await made.form_in(room)))["reviewId"]
            await wait_until(lambda: mattermost.posts(room))
            await wait_for_message(made, room, lambda message: message["state"] == "sent")
            await service.worker.stop()
            await made.workspace.decide(review_id)
            async with made.db.transaction() as tx:
                await plan_posts(tx, [Entry(made.workspace.account_id, "review.completed", review_id)])
            lost = HeldCall(after=True)
            mattermost.trouble(room, lost)
            posts = PostChannel(made.db, service.settings, build_apps(client, service.settings))
            await die_while_sending(made.db, service.settings, posts, lost.arrived.wait())
            lost.release.set()
            await service.worker.start()
            message = await wait_for_message(made, room, lambda message: message["state"] == "sent")
            assert message["attempts"][1]["error"] == LOST_ATTEMPT
            assert len(mattermost.posts(room)) == 2

    @pytest.mark.slow
    async def test_killed_between_posting_and_recording(
        self, slack: SlackServer, mattermost: MattermostServer, tmp_path: Path
    ) -> None:
        settings = {**SETTINGS, "chat_app_timeout": 3, "worker_lost_after": 1, "poll_interval": 0.1}
        with running_service(tmp_path, slack_api_url=f"{slack.url}/api", **settings) as service:
            async with open_chat_setup(service, slack, mattermost) as mail_setup:
                told = PostedReview(mail_setup)
                review_id = await told.request()
                await told.arrived()
                os.kill(service.child("worker"), signal.SIGKILL)
                told.release()
                await mail_setup.workspace.decide(review_id)
                await told.check()


class HeldRead:
    """Building a card takes until it's released."""

    def __init__(self) -> None:
        self.reached, self.release = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args: Any) -> Card:
        card = await build_card(*args)
        self.reached.set()
        await self.release.wait()
        return card


async def read_messages(chat_setup: ChatSetup, app: str) -> list[dict[str, Any]]:
    """The outgoing messages of the account's posts in an app."""
    account_id = chat_setup.workspace.account_id
    rows = await chat_setup.db.fetch(
        "select * from outgoing_messages where channel = 'chat' and destination = $1", f"{app}:{account_id}"
    )
    return [dict(row) for row in rows]


def is_paused(message: dict[str, Any]) -> bool:
    return message["due_at"] is not None and message["due_at"] > now() + timedelta(minutes=40)


async def wait_for_message(
    chat_setup: ChatSetup, channel: Channel | str, holds: Callable[[dict[str, Any]], Any]
) -> dict[str, Any]:
    """The message of the channel's only post, once this holds."""
    name = channel if isinstance(channel, str) else channel.id
    deadline, query = (
        time.monotonic() + 30,
        """
        select o.* from outgoing_messages o join chat_posts p on p.post_id = o.message_id where p.channel = $1
    """,
    )
    while (row := await chat_setup.db.fetchrow(query, name)) is None or not holds(dict(row)):
        assert time.monotonic() < deadline, row
        await asyncio.sleep(0.03)
    return dict(row)


async def _trouble(chat_setup: ChatSetup, channel: str, app: str = "slack") -> dict[str, Any]:
    """The channel's error, once there is one."""
    found = await _app(
        chat_setup, app, lambda shown: any(each["channel"] == channel for each in shown["troubledChannels"])
    )
    return next(each for each in found["troubledChannels"] if each["channel"] == channel)


async def _app(chat_setup: ChatSetup, app: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + 30
    while not holds(found := await chat_setup.app(app)):
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.05)
    return found


async def _state(chat_setup: ChatSetup, state: str, app: str = "slack") -> dict[str, Any]:
    return await _app(chat_setup, app, lambda shown: shown["state"] == state)


async def connect_bot(chat_setup: ChatSetup, token: str) -> None:
    chat_setup.token = token
    body = {"serverUrl": chat_setup.mattermost.url, "botToken": token}
    await assert_ok(chat_setup.workspace.owner.put("/chatApps/mattermost", json=body))


async def wait_until_shown(chat_setup: ChatSetup, channel: str, words: str, index: int = -1) -> None:
    """Wait until the Mattermost post says that."""
    posts = chat_setup.mattermost.posts
    await wait_until(lambda: len(posts(channel)) > max(index, 0) and words in str(posts(channel)[index]))


async def wait_until_posts_gone(chat_setup: ChatSetup, channel: str) -> None:
    deadline = time.monotonic() + 30
    while await chat_setup.db.fetchval("select shown from chat_posts where channel = $1", channel) != "left":
        assert time.monotonic() < deadline, "it is still to be changed"
        await asyncio.sleep(0.03)


async def wait_until_no_error(chat_setup: ChatSetup, app: str = "slack") -> None:
    await _app(chat_setup, app, lambda shown: not shown["troubledChannels"])
