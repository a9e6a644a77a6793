"""Both chat apps have the same interface: the same tests pass for either, whatever its server does."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import ip_network
from typing import Any, cast

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from support.mattermost_server import MattermostServer
from support.slack_server import HeldCall, SlackServer, buttons, heading, texts

from signoff.notifications.chat_apps import mattermost, slack
from signoff.notifications.chat_apps.adapter import (
    ChannelError,
    ChatApp,
    ChatAppRateLimited,
    ChatAppUnreachable,
    Connection,
    CredentialsRejected,
    PostDeleted,
    PostLookupUnsupported,
    PostOutcomeUnknown,
    PostRejected,
)
from signoff.notifications.chat_apps.card_builder import review_status
from signoff.notifications.chat_apps.cards import Card
from signoff.notifications.chat_apps.click_jobs import profile_address
from signoff.notifications.chat_apps.clicks import is_recent, is_signed, parse_click
from signoff.notifications.chat_apps.post_planner import channel_for
from signoff.platform.guarded_http import GuardedClient
from signoff.reviews.summary import MAX_TITLE_LENGTH

LOOPBACK = (ip_network("127.0.0.0/8"),)
TIME_LIMIT, SHORT_TIME_LIMIT = 5.0, 0.5
CARD = Card(
    post_id="cpo_1",
    title="Autumn news",
    about="Review AI draft · Writer",
    values=(("Body", "Leaves fall."), ("Score", "7")),
    standing="open",
    words="Pending",
    link="http://127.0.0.1:8080/reviews/rev_1",
    link_label="Open review",
)
ENDED = replace(CARD, standing="approved", words="Approved by Ann")
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class AppSetup:
    """An app with its own server, connection and channel."""

    app: ChatApp
    connection: Connection
    channel: str
    shown: Callable[[], list[str]]
    """Everything that each message in the channel says."""
    trouble: Callable[..., None]
    withdraw: Callable[[], None]
    """The credentials are taken away."""
    elsewhere: Callable[[str], tuple[ChatApp, Connection]]
    """The same app at another address."""
    impatient: ChatApp
    """The same app, which waits for an answer for a short while only."""


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[GuardedClient]:
    async with GuardedClient(LOOPBACK, limit=20) as made:
        yield made


@pytest.fixture(scope="module")
async def slack_server() -> AsyncIterator[SlackServer]:
    server = SlackServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(scope="module")
async def mattermost_server() -> AsyncIterator[MattermostServer]:
    server = MattermostServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


def slack_setup(client: GuardedClient, server: SlackServer) -> AppSetup:
    token, channel = server.workspace(), server.channel()

    def trouble(*answers: Any) -> None:
        for method in ("chat.postMessage", "chat.update"):
            server.trouble(method, channel.id, *answers)

    return AppSetup(
        slack.Slack(client, f"{server.url}/api", TIME_LIMIT),
        Connection("acc_1", "slack", {"botToken": token}),
        channel.id,
        lambda: ["\n".join(texts(message)) for message in channel.messages],
        trouble,
        lambda: cast(None, server.tokens.pop(token)),
        lambda url: (slack.Slack(client, url, TIME_LIMIT), Connection("acc_1", "slack", {"botToken": token})),
        slack.Slack(client, f"{server.url}/api", SHORT_TIME_LIMIT),
    )


def mattermost_setup(client: GuardedClient, server: MattermostServer) -> AppSetup:
    hook, channel = server.hook(), server.channel()
    app = mattermost.Mattermost(client, TIME_LIMIT)
    return AppSetup(
        app,
        Connection("acc_1", "mattermost", {"webhookUrl": hook}),
        channel,
        lambda: [str(post) for post in server.posts(channel)],
        lambda *answers: server.trouble(channel, *answers),
        lambda: server.remove(hook),
        lambda url: (app, Connection("acc_1", "mattermost", {"webhookUrl": url})),
        mattermost.Mattermost(client, SHORT_TIME_LIMIT),
    )


def bot_setup(client: GuardedClient, server: MattermostServer) -> AppSetup:
    token, channel = server.bot(), server.channel_id()
    app = mattermost.Mattermost(client, TIME_LIMIT)

    def connection(url: str) -> Connection:
        return Connection("acc_1", "mattermost", {"serverUrl": url, "botToken": token})

    return AppSetup(
        app,
        connection(server.url),
        channel,
        lambda: [str(post) for post in server.posts(channel)],
        lambda *answers: server.trouble(channel, *answers),
        lambda: cast(None, server.bots.pop(token)),
        lambda url: (app, connection(url)),
        mattermost.Mattermost(client, SHORT_TIME_LIMIT),
    )


@pytest.fixture(params=["slack", "mattermost", "mattermost bot"])
def app_setup(
    request: pytest.FixtureRequest,
    client: GuardedClient,
    slack_server: SlackServer,
    mattermost_server: MattermostServer,
) -> AppSetup:
    if request.param == "slack":
        return slack_setup(client, slack_server)
    if request.param == "mattermost bot":
        return bot_setup(client, mattermost_server)
    return mattermost_setup(client, mattermost_server)


async def end_post(app_setup: AppSetup, ref: str) -> None:
    if app_setup.connection.can_update:
        await app_setup.app.update(app_setup.connection, ref, ENDED)
    else:
        await app_setup.app.follow_up(app_setup.connection, app_setup.channel, ENDED)


class TestEitherApp:
    async def test_card_is_complete(self, app_setup: AppSetup) -> None:
        await app_setup.app.connect(app_setup.connection)
        await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)
        (shown,) = app_setup.shown()
        for words in (
            "Autumn news",
            "Review AI draft",
            "Writer",
            "Body",
            "Leaves fall.",
            "Score",
            "7",
            "Pending",
        ):
            assert words in shown, words

    async def test_final_state_is_posted(self, app_setup: AppSetup) -> None:
        ref = await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)
        await end_post(app_setup, ref)
        shown = app_setup.shown()
        assert "Approved by Ann" in shown[-1]
        assert len(shown) == (1 if app_setup.connection.can_update else 2)

    async def test_unknown_channel(self, app_setup: AppSetup) -> None:
        with pytest.raises(ChannelError):
            await app_setup.app.post(app_setup.connection, "nowhere", CARD)

    async def test_revoked_credentials(self, app_setup: AppSetup) -> None:
        app_setup.withdraw()
        with pytest.raises(CredentialsRejected) as refused:
            await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)
        assert refused.value.code
        assert "enter" in str(refused.value), "says what to do"

    @pytest.mark.parametrize(
        ("said", "pause"), [("7", 7), ("0", 1), ("soon", 10), ("99999", 3600), ("", 10), ("-3", 10)]
    )
    async def test_rate_limited(self, app_setup: AppSetup, said: str, pause: float) -> None:
        app_setup.trouble(web.Response(status=429, headers={"retry-after": said}))
        with pytest.raises(ChatAppRateLimited) as slow:
            await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)
        assert slow.value.pause == pause
        assert app_setup.shown() == []

    async def test_server_error(self, app_setup: AppSetup) -> None:
        app_setup.trouble(web.Response(status=503, text="<html>down</html>"))
        with pytest.raises((ChatAppUnreachable, PostOutcomeUnknown)):
            await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)

    async def test_slow_server(self, app_setup: AppSetup) -> None:
        held = HeldCall(after=True)
        app_setup.trouble(held)
        with pytest.raises(PostOutcomeUnknown):
            await app_setup.impatient.post(app_setup.connection, app_setup.channel, CARD)
        held.release.set()

    async def test_redirects_are_not_followed(self, app_setup: AppSetup) -> None:
        app_setup.trouble(web.Response(status=307, headers={"location": "http://127.0.0.1:1/"}))
        with pytest.raises((ChatAppUnreachable, PostRejected)):
            await app_setup.app.post(app_setup.connection, app_setup.channel, CARD)

    async def test_unreachable_server(self, app_setup: AppSetup) -> None:
        app, connection = app_setup.elsewhere("http://127.0.0.1:1")
        with pytest.raises(ChatAppUnreachable):
            await app.post(connection, app_setup.channel, CARD)

    @pytest.mark.parametrize("host", ["169.254.169.254", "10.0.0.1", "[::1]", "192.168.0.1"])
    async def test_private_networks_are_not_called(self, app_setup: AppSetup, host: str) -> None:
        app, connection = app_setup.elsewhere(f"http://{host}/hooks/x")
        with pytest.raises(ChatAppUnreachable) as blocked:
            await app.post(connection, app_setup.channel, CARD)
        assert blocked.value.code == "blocked_address"

    async def test_huge_reviews_are_truncated(self, app_setup: AppSetup) -> None:
        huge = replace(CARD, title="t" * 5000, about="a" * 5000, values=(("l" * 3000, "v" * 3000),) * 3)
        await app_setup.app.post(app_setup.connection, app_setup.channel, huge)
        assert len(app_setup.shown()) == 1


class TestSlack:
    async def test_markup_is_escaped(self, client: GuardedClient, slack_server: SlackServer) -> None:
        side = slack_setup(client, slack_server)
        hostile = "<!channel> <@U1> *b* <https://evil.example|safe> &lt;"
        await side.app.post(side.connection, side.channel, replace(CARD, title=hostile, values=((hostile, hostile),)))
        (message,) = slack_server.channels[side.channel].messages
        assert "<" not in message["text"]
        assert message["text"].startswith("&lt;!channel&gt;")
        kinds = {text["type"] for text in _text_objects(message["blocks"])}
        assert kinds == {"plain_text"}
        assert (message["link_names"], message["unfurl_links"], message["parse"]) == (False, False, "none")

    async def test_limits_of_blocks(self, client: GuardedClient, slack_server: SlackServer) -> None:
        side = slack_setup(client, slack_server)
        await side.app.post(
            side.connection, side.channel, replace(CARD, title="t" * 500, values=(("l" * 999, "v" * 9999),))
        )
        (message,) = slack_server.channels[side.channel].messages
        assert len(heading(message)) <= 150
        assert all(len(text["text"]) <= 2000 for text in _text_objects(message["blocks"]))

    async def test_buttons_only_if_the_review_type_allows_them(
        self, client: GuardedClient, slack_server: SlackServer
    ) -> None:
        side = slack_setup(client, slack_server)
        await side.app.post(side.connection, side.channel, CARD)
        await side.app.post(side.connection, side.channel, replace(CARD, click="rev_1:3"))
        plain, deciding = slack_server.channels[side.channel].messages
        assert set(buttons(plain)) == {"open"}
        assert set(buttons(deciding)) == {"open", slack.APPROVE, slack.REJECT}
        assert buttons(deciding)[slack.APPROVE]["value"] == "rev_1:3"

    async def test_finds_its_post(self, client: GuardedClient, slack_server: SlackServer) -> None:
        side = slack_setup(client, slack_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        await side.app.post(side.connection, side.channel, replace(CARD, post_id="cpo_2"))
        assert await side.app.find(side.connection, side.channel, CARD, datetime.now(UTC)) == ref
        other = replace(CARD, post_id="cpo_3")
        assert await side.app.find(side.connection, side.channel, other, datetime.now(UTC)) is None

    async def test_unknown_without_the_history_scope(self, client: GuardedClient, slack_server: SlackServer) -> None:
        side = slack_setup(client, slack_server)
        lacks = web.json_response({"ok": False, "error": "missing_scope", "needed": "channels:history"})
        slack_server.trouble("conversations.history", side.channel, lacks)
        with pytest.raises(PostLookupUnsupported):
            await side.app.find(side.connection, side.channel, CARD, LONG_AGO)

    @pytest.mark.parametrize(
        ("error", "trouble"),
        [
            ("token_revoked", CredentialsRejected),
            ("account_inactive", CredentialsRejected),
            ("missing_scope", CredentialsRejected),
            ("is_archived", ChannelError),
            ("not_in_channel", ChannelError),
            ("message_not_found", PostDeleted),
            ("internal_error", PostOutcomeUnknown),
            ("ratelimited", ChatAppRateLimited),
            ("invalid_blocks", PostRejected),
            ("something_new", PostRejected),
        ],
    )
    async def test_errors(
        self, client: GuardedClient, slack_server: SlackServer, error: str, trouble: type[Exception]
    ) -> None:
        side = slack_setup(client, slack_server)
        side.trouble(web.json_response({"ok": False, "error": error}))
        with pytest.raises(trouble):
            await side.app.post(side.connection, side.channel, CARD)

    @pytest.mark.parametrize("text", ["", "[]", "null", '{"ok": "yes"}', "{", '{"ok": false, "error": 7}'])
    async def test_invalid_responses(self, client: GuardedClient, slack_server: SlackServer, text: str) -> None:
        side = slack_setup(client, slack_server)
        side.trouble(web.Response(text=text))
        with pytest.raises((ChatAppUnreachable, PostRejected)):
            await side.app.post(side.connection, side.channel, CARD)


def _text_objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [text for each in value for text in _text_objects(each)]
    if not isinstance(value, dict):
        return []
    own = [value] if isinstance(value.get("text"), str) else []
    return own + [text for each in value.values() for text in _text_objects(each)]


class TestMattermostBot:
    async def test_the_token_is_checked(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = bot_setup(client, mattermost_server)
        place = await side.app.connect(side.connection)
        assert (place.name, place.team_id) == (
            "127.0.0.1",
            mattermost_server.bots[side.connection.credentials["botToken"]],
        )
        side.withdraw()
        with pytest.raises(CredentialsRejected) as refused:
            await side.app.connect(side.connection)
        assert refused.value.code == "invalid_token"

    async def test_server_url_with_a_trailing_slash(
        self, client: GuardedClient, mattermost_server: MattermostServer
    ) -> None:
        side = bot_setup(client, mattermost_server)
        app, connection = side.elsewhere(f"{mattermost_server.url}/")
        await app.post(connection, side.channel, CARD)
        assert len(side.shown()) == 1

    @pytest.mark.parametrize("path", ["/elsewhere", "/hooks"])
    async def test_other_servers(self, client: GuardedClient, mattermost_server: MattermostServer, path: str) -> None:
        app, connection = bot_setup(client, mattermost_server).elsewhere(mattermost_server.url + path)
        with pytest.raises(ChatAppUnreachable, match="doesn't point to a Mattermost server"):
            await app.connect(connection)

    @pytest.mark.parametrize("text", ["", "[]", "null", "{}", "{", '{"id": 7}', '{"id": "../x"}'])
    async def test_invalid_responses(
        self, client: GuardedClient, mattermost_server: MattermostServer, text: str
    ) -> None:
        side = bot_setup(client, mattermost_server)
        side.trouble(web.Response(text=text))
        with pytest.raises(ChatAppUnreachable):
            await side.app.post(side.connection, side.channel, CARD)

    @pytest.mark.parametrize("name", ["town-square", "../users/me", "A" * 26, "a" * 27])
    async def test_channels_are_given_by_id(
        self, client: GuardedClient, mattermost_server: MattermostServer, name: str
    ) -> None:
        side = bot_setup(client, mattermost_server)
        before = len(mattermost_server.calls)
        with pytest.raises(ChannelError, match="channel's info"):
            await side.app.post(side.connection, name, CARD)
        assert len(mattermost_server.calls) == before

    async def test_deleted_post(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        mattermost_server.channels[side.channel].clear()
        with pytest.raises(PostDeleted, match="deleted"):
            await side.app.update(side.connection, ref, ENDED)

    async def test_post_of_another_bot(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side, other = bot_setup(client, mattermost_server), bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        with pytest.raises(PostDeleted):
            await other.app.update(other.connection, ref, ENDED)
        assert "Pending" in side.shown()[0]

    async def test_bot_removed_from_the_channel(
        self, client: GuardedClient, mattermost_server: MattermostServer
    ) -> None:
        side = bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        mattermost_server.left.add(side.channel)
        for call in (
            side.app.update(side.connection, ref, ENDED),
            side.app.post(side.connection, side.channel, CARD),
        ):
            with pytest.raises(ChannelError, match="Add it"):
                await call

    async def test_an_archived_channel(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        mattermost_server.archived.add(side.channel)
        for call in (
            side.app.update(side.connection, ref, ENDED),
            side.app.post(side.connection, side.channel, CARD),
        ):
            with pytest.raises(ChannelError) as trouble:
                await call
            assert trouble.value.code == "is_archived"

    @pytest.mark.parametrize(
        ("status", "code", "trouble"),
        [
            (400, "api.context.invalid_param.app_error", ChannelError),
            (400, "model.post.is_valid.props.app_error", PostRejected),
            (413, "", PostRejected),
            (503, "", ChatAppUnreachable),
            (500, "", PostOutcomeUnknown),
        ],
    )
    async def test_errors(
        self,
        client: GuardedClient,
        mattermost_server: MattermostServer,
        status: int,
        code: str,
        trouble: type[Exception],
    ) -> None:
        side = bot_setup(client, mattermost_server)
        side.trouble(web.json_response({"id": code, "message": "no"}, status=status))
        with pytest.raises(trouble):
            await side.app.post(side.connection, side.channel, CARD)

    async def test_edit_after_the_time_limit(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        late = {"id": "api.post.update_post.permissions_time_limit.app_error", "message": "Post edit time limit"}
        side.trouble(web.json_response(late, status=400))
        with pytest.raises(PostDeleted):
            await side.app.update(side.connection, ref, ENDED)

    async def test_finds_its_post(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = bot_setup(client, mattermost_server)
        ref = await side.app.post(side.connection, side.channel, CARD)
        await side.app.update(side.connection, ref, ENDED)
        await side.app.post(side.connection, side.channel, replace(CARD, post_id="cpo_2"))
        assert await side.app.find(side.connection, side.channel, CARD, datetime.now(UTC)) == ref
        other = replace(CARD, post_id="cpo_3")
        assert await side.app.find(side.connection, side.channel, other, datetime.now(UTC)) is None

    async def test_full_page_is_conclusive_only_if_it_goes_back_far_enough(
        self, client: GuardedClient, mattermost_server: MattermostServer
    ) -> None:
        side = bot_setup(client, mattermost_server)
        await side.app.post(side.connection, side.channel, CARD)
        posts = mattermost_server.channels[side.channel]
        posts += [{**posts[0], "id": f"other{n}", "props": {}} for n in range(mattermost.MAX_SCANNED_POSTS)]
        with pytest.raises(PostLookupUnsupported):
            await side.app.find(side.connection, side.channel, CARD, datetime.now(UTC))
        posts[-1]["create_at"] = int(LONG_AGO.timestamp() * 1000)
        assert await side.app.find(side.connection, side.channel, CARD, datetime.now(UTC)) is None

    @pytest.mark.parametrize(
        "answer",
        [
            web.Response(status=403, text="{}"),
            web.Response(status=401, text="{}"),
            web.Response(text="{}"),
            web.Response(text='{"order": 7, "posts": []}'),
            web.Response(text='{"order": ["a"], "posts": {"a": null}}'),
        ],
    )
    async def test_empty_list(
        self, client: GuardedClient, mattermost_server: MattermostServer, answer: web.Response
    ) -> None:
        side = bot_setup(client, mattermost_server)
        side.trouble(answer)
        with pytest.raises(PostLookupUnsupported):
            await side.app.find(side.connection, side.channel, CARD, LONG_AGO)


class TestMattermost:
    @given(st.lists(st.sampled_from([*"@:![]()<>#~`*_ abchannel/wW.", "www.", "http://", "@channel"]), max_size=40))
    def test_escapes_mentions_images_and_links(self, pieces: list[str]) -> None:
        text = "".join(pieces)
        written = mattermost.escape(text)
        for forbidden in ("@channel", "@all", "@here", "://", "](", "www."):
            assert forbidden not in written.lower()
        assert "![" not in written.replace("\\!", "")
        assert written.replace("\\", "").replace("\u200b", "") == text.replace("\\", "")

    @pytest.mark.parametrize(
        ("status", "trouble"),
        [(503, ChatAppUnreachable), (500, PostOutcomeUnknown), (502, PostOutcomeUnknown), (504, PostOutcomeUnknown)],
    )
    async def test_unknown_post_after_a_server_error(
        self, client: GuardedClient, mattermost_server: MattermostServer, status: int, trouble: type[Exception]
    ) -> None:
        side = mattermost_setup(client, mattermost_server)
        side.trouble(web.Response(status=status))
        with pytest.raises(trouble):
            await side.app.post(side.connection, side.channel, CARD)

    async def test_webhook_locked_to_a_channel(
        self, client: GuardedClient, mattermost_server: MattermostServer
    ) -> None:
        side = mattermost_setup(client, mattermost_server)
        locked = {"id": "web.incoming_webhook.channel_locked.app_error", "message": "no"}
        side.trouble(web.json_response(locked, status=403))
        with pytest.raises(ChannelError):
            await side.app.post(side.connection, side.channel, CARD)

    async def test_channel_with_a_number_sign(self, client: GuardedClient, mattermost_server: MattermostServer) -> None:
        side = mattermost_setup(client, mattermost_server)
        await side.app.post(side.connection, f"#{side.channel}", CARD)
        assert len(side.shown()) == 1


STATES: dict[str, Any] = {
    "phase": "open",
    "timed_out": False,
    "auto_approved": False,
    "responding_user": "ann@example.com",
    "responding_name": "Ann",
}


class TestPureDecisions:
    @pytest.mark.parametrize(
        ("review", "standing", "words"),
        [
            ({}, "open", "Pending"),
            ({"phase": "waiting"}, "waiting", "Waiting on agent (changes requested)"),
            ({"phase": "approved"}, "approved", "Approved by Ann"),
            ({"phase": "approved", "responding_name": None}, "approved", "Approved by ann@example.com"),
            ({"phase": "approved", "auto_approved": True}, "approved", "Auto-approved"),
            ({"phase": "approved", "timed_out": True}, "approved", "Auto-approved (deadline passed)"),
            ({"phase": "rejected"}, "rejected", "Rejected by Ann"),
            ({"phase": "submitted"}, "approved", "Submitted by Ann"),
            ({"phase": "rejected", "timed_out": True}, "rejected", "Auto-rejected (deadline passed)"),
        ],
    )
    def test_state_of_a_review(self, review: dict[str, Any], standing: str, words: str) -> None:
        assert review_status(cast(Any, {**STATES, **review})) == (standing, words)

    @pytest.mark.parametrize(
        ("channels", "channel"),
        [
            ({}, ""),
            ({("default", ""): "d"}, "d"),
            ({("default", ""): "d", ("agent", "a1"): "a"}, "a"),
            ({("default", ""): "d", ("agent", "a1"): "a", ("form", "f1"): "f"}, "f"),
            ({("default", ""): "d", ("agent", "a1"): "a", ("form", "f1"): ""}, ""),
            ({("default", ""): "d", ("agent", "a1"): ""}, ""),
            ({("default", ""): "d", ("agent", "a2"): "a", ("form", "f2"): "f"}, "d"),
        ],
    )
    def test_choice_of_the_channel(self, channels: Mapping[tuple[str, str], str], channel: str) -> None:
        assert channel_for(channels, {"form_id": "f1", "agent_id": "a1"}) == channel

    def test_equal_cards_have_equal_digests(self) -> None:
        assert CARD.digest == replace(CARD, post_id="cpo_9").digest
        different = [
            replace(CARD, words="x"),
            replace(CARD, title="x"),
            replace(CARD, values=()),
            replace(CARD, click="x"),
        ]
        assert len({CARD.digest, *(card.digest for card in different)}) == 5

    @pytest.mark.parametrize("profile", [{"deleted": True}, {"is_bot": True}, {"is_stranger": True}])
    def test_only_members_of_the_workspace(self, profile: dict[str, Any]) -> None:
        connection = Connection("acc_1", "slack", {}, team_id="T1", org_id="E1")
        person = {"team_id": "T1", "is_email_confirmed": True, "profile": {"email": "Ann@Example.com"}}
        assert profile_address(person, connection) == "ann@example.com"
        assert profile_address({**person, **profile}, connection) is None
        assert profile_address({**person, "is_email_confirmed": False}, connection) is None
        assert profile_address({**person, "is_email_confirmed": None}, connection) is None
        assert profile_address({**person, "team_id": "T2"}, connection) is None
        of_the_org = {**person, "team_id": "T2", "enterprise_user": {"enterprise_id": "E1"}}
        assert profile_address(of_the_org, connection) == "ann@example.com"
        assert profile_address({**person, "profile": {"email": "ann"}}, connection) is None
        assert profile_address({**person, "profile": {}}, connection) is None
        assert profile_address({}, Connection("acc_1", "slack", {})) is None

    @pytest.mark.parametrize(
        ("timestamp", "recent"),
        [("0", False), ("-300", False), ("", False), ("1e9", False), ("٣", False), ("9" * 30, False)],
    )
    def test_old_and_invalid_timestamps(self, timestamp: str, recent: bool) -> None:
        assert is_recent(timestamp, time.time()) is recent

    def test_five_minutes(self) -> None:
        assert is_recent("1000", 1300)
        assert not is_recent("1000", 1301)
        assert is_recent("1300", 1000)
        assert not is_recent("1301", 1000)

    def test_signature_matches_the_slack_docs(self) -> None:
        # The example that Slack publishes.
        body = (
            b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&"
            b"channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&"
            b"response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&"
            b"trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
        )
        signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
        assert is_signed("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body, signature)
        assert not is_signed("8f742231b10e8888abcd99yyyzzz85a5", "1531420619", body, signature)
        assert not is_signed("another secret", "1531420618", body, signature)

    @given(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.text(max_size=8)
            | st.sampled_from(["block_actions", "rev_1:1"]),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["type", "actions", "user", "id", "value", "action_id", "response_url"]),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=12,
        )
    )
    def test_any_payload_is_read_safely(self, payload: Any) -> None:
        if isinstance(payload, dict):
            parse_click(payload)


def test_shown_titles_are_not_truncated() -> None:
    assert all(len(f"{mark} ") + MAX_TITLE_LENGTH <= slack.MAX_HEADING_LENGTH for mark in slack.MARKS.values())
