"""Everything that's sent, in one list. No worker runs, so messages stay in the state that a test gives them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
from support.api import Workspace, assert_error, assert_ok, unique
from support.in_process import Service, StartService
from support.second_account import open_second_account

from signoff.notifications.chat_apps.post_planner import queue_posts
from signoff.outgoing_messages import queries
from signoff.outgoing_messages.queries import MessageFilter
from signoff.platform.db import Database, Executor
from signoff.platform.ids import new_id
from signoff.platform.mail_outbox import enqueue_mail

SECRET_LINK = "https://signoff.example.com/sign-in?token=very-secret"
HOOK = "https://hooks.example.com/path/secret?key=1"


@pytest.fixture(scope="module")
async def idle_service(start_service: StartService) -> AsyncIterator[Service]:
    async with start_service(worker=False) as service:
        yield service


@dataclass
class Sent:
    """An account and its messages."""

    workspace: Workspace
    db: Database
    service: Service
    form: dict[str, Any]

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.workspace.owner

    async def webhook(self, url: str = HOOK) -> str:
        requested = await self.workspace.request(self.form, webhookUrl=url)
        return (await self.workspace.decide(requested["reviewId"]))["webhookDeliveryId"]

    async def mail(self, to: str = "sam@example.com") -> str:
        context = {"link": SECRET_LINK, "invited_by": "Ann", "role": "viewer", "expires_at": "2026-12-01T00:00:00Z"}
        async with self.db.transaction() as tx:
            mail_id = await enqueue_mail(tx, "invitation", account_id=self.workspace.account_id, to=to, context=context)
        assert mail_id is not None
        return mail_id

    async def post(self, channel: str = "C024BE7LR", **members: Any) -> str:
        review = await self.workspace.request(self.form, **members)
        account_id, post_id = self.workspace.account_id, new_id("cpo")
        async with self.db.transaction() as tx:
            await tx.execute(
                """
                insert into chat_connections (account_id, app, credentials, connected_by)
                values ($1, 'slack', '{"botToken": "xoxb-secret"}', 'ann') on conflict do nothing
                """,
                account_id,
            )
            await tx.execute(
                """
                insert into chat_posts (post_id, account_id, app, channel, kind)
                values ($1, $2, 'slack', $3, 'review')
                """,
                post_id,
                account_id,
                channel,
            )
            await tx.execute(
                """
                insert into chat_posted_reviews (account_id, review_id, app, channel, post_id)
                values ($1, $2, 'slack', $3, $4)
                """,
                account_id,
                review["reviewId"],
                channel,
                post_id,
            )
            await queue_posts(tx, [post_id])
        return post_id

    async def copy(self) -> str:
        fields = [{"id": "photo", "type": "image"}]
        form = await self.workspace.make_form(titleField=None, layout=None, rules=[], fields=fields)
        url = f"https://cdn.example.com/{unique('photo')}.png?signature=secret"
        review = await self.workspace.request(form, data={"photo": url})
        return await self.db.fetchval("select copy_id from media_copies where review_id = $1", review["reviewId"])

    async def one_of_each(self) -> dict[str, str]:
        """Oldest first."""
        return {
            "webhook": await self.webhook(),
            "mail": await self.mail(),
            "chat": await self.post(),
            "media": await self.copy(),
        }

    async def set_state(self, message_id: str, state: str, error: str | None = None) -> None:
        """As if a worker had done it."""
        await self.db.execute(
            """
            update outgoing_messages set state = $2, error = $3, attempt_count = 1,
                attempts = '[{"at": "2026-11-01T00:00:00.000Z", "ok": false, "error": "it failed", "durationMs": 7}]',
                due_at = case when $2 in ('queued', 'sending') then now() + interval '1 hour' end,
                claimed_at = case when $2 = 'sending' then now() end,
                handed_over_at = case when $2 = 'sending' then now() end,
                settled_at = case when $2 not in ('queued', 'sending') then now() end
            where message_id = $1
            """,
            message_id,
            state,
            error,
        )
        await self.db.execute(
            """
            update media_copies set state = case when $2 = 'failed' then 'failed' else 'pending' end
            where copy_id = $1
            """,
            message_id,
            state,
        )

    async def listed(self, client: httpx.AsyncClient | None = None, /, **params: Any) -> list[str]:
        page = await assert_ok((client or self.owner).get("/outgoingMessages", params=params))
        return [row["messageId"] for row in page["items"]]

    async def get(self, message_id: str) -> dict[str, Any]:
        return await assert_ok(self.owner.get(f"/outgoingMessages/{message_id}"))

    async def act(self, message_id: str, action: str) -> dict[str, Any]:
        return await assert_ok(self.owner.post(f"/outgoingMessages/{message_id}/{action}"))

    async def refuse(self, message_id: str, action: str, code: str) -> None:
        await assert_error(self.owner.post(f"/outgoingMessages/{message_id}/{action}"), 409, code)


@pytest.fixture
async def sent(idle_service: Service) -> AsyncIterator[Sent]:
    """An account of its own for each test, without other messages."""
    workspace, db = await open_second_account(idle_service), await Database.connect(idle_service.dsn(), size=2)
    yield Sent(workspace, db, idle_service, await workspace.make_form())
    await workspace.close()
    await db.close()


class TestList:
    async def test_every_channel(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        page = await assert_ok(sent.owner.get("/outgoingMessages"))
        assert [row["messageId"] for row in page["items"]] == list(ids.values())[::-1]
        assert page["nextCursor"] is None
        media, chat, mail, webhook = page["items"]
        assert [row["channel"] for row in page["items"]] == ["media", "chat", "mail", "webhook"]
        assert {row["state"] for row in page["items"]} == {"queued"}
        assert webhook["destination"] == "https://hooks.example.com"
        assert (webhook["subject"]["text"], webhook["subject"]["target"]) == ("review.completed", "agent")
        assert webhook["subject"]["formName"] == sent.form["name"]
        assert webhook["maxAttempts"] == 7
        assert (mail["destination"], mail["subject"]) == (
            "sam@example.com",
            {"text": "Invite", "mailId": ids["mail"], "mailKind": "invitation"},
        )
        assert (chat["destination"], chat["subject"]["chatApp"]) == ("C024BE7LR", "slack")
        assert chat["subject"]["text"].startswith("Post about ")
        assert chat["subject"]["agentId"] == sent.form["agentId"]
        assert (media["destination"], media["subject"]["text"]) == ("https://cdn.example.com", "Copy of an image")
        assert media["subject"]["reviewId"].startswith("rev_")
        assert [row["actions"] for row in page["items"]] == [[], ["retry", "cancel"], ["retry", "cancel"], ["cancel"]]

    async def test_no_secrets(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        answers = [await sent.owner.get("/outgoingMessages")]
        answers += [await sent.owner.get(f"/outgoingMessages/{message_id}") for message_id in ids.values()]
        for answer in answers:
            assert answer.status_code == 200
            assert "secret" not in answer.text

    async def test_filters(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        for channel, message_id in ids.items():
            assert await sent.listed(channel=channel) == [message_id]
        await sent.set_state(ids["mail"], "failed")
        await sent.set_state(ids["webhook"], "failed")
        await sent.set_state(ids["media"], "sent")
        assert await sent.listed(state="failed") == [ids["mail"], ids["webhook"]]
        assert await sent.listed(state="failed", channel="mail") == [ids["mail"]]
        assert await sent.listed(state="sent") == [ids["media"]]
        assert await sent.listed(state="queued") == [ids["chat"]]
        assert await sent.listed(state="unclear") == []
        assert await sent.listed(destination="sam@example.com") == [ids["mail"]]
        assert await sent.listed(destination="https://hooks.example.com", state="failed") == [ids["webhook"]]
        assert await sent.listed(destination="https://hooks.example.com", state="sent") == []
        assert await sent.listed(destination="' or true --") == []

    @pytest.mark.parametrize("state", ["queued", "sending", "sent", "failed"])
    async def test_states_of_deliveries(self, sent: Sent, state: str) -> None:
        """A delivery in progress has an index of its own, and two statuses while it waits."""
        first, second = await sent.webhook(), await sent.webhook()
        await sent.set_state(first, state)
        await sent.set_state(second, "sent" if state == "failed" else "failed")
        for filters in ({}, {"agentId": sent.form["agentId"]}, {"formId": sent.form["formId"]}):
            assert await sent.listed(state=state, **filters) == [first]
        assert (await sent.get(first))["state"] == state

    async def test_filters_of_deliveries(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        for filters in (
            {"agentId": sent.form["agentId"]},
            {"formId": sent.form["formId"]},
            {"target": "agent"},
            {"event": "review.completed"},
        ):
            assert await sent.listed(**filters) == [ids["webhook"]]
            assert await sent.listed(**filters, channel="mail") == []
        assert await sent.listed(target="tool") == []
        assert await sent.listed(event="' or true --") == []

    async def test_times(self, sent: Sent) -> None:
        ids = list((await sent.one_of_each()).values())
        moments = [(await sent.get(message_id))["createdAt"] for message_id in ids]
        assert await sent.listed(since=moments[2]) == [ids[3], ids[2]]
        assert await sent.listed(until=moments[2]) == [ids[1], ids[0]]
        assert await sent.listed(since="0001-01-01T00:00:00Z", until="9999-12-31T00:00:00Z") == ids[::-1]
        assert await sent.listed(since="2099-01-01T00:00:00Z") == []
        assert await sent.listed(until="2001-01-01T00:00:00Z") == []

    async def test_in_pages(self, sent: Sent) -> None:
        ids = [message_id for _ in range(2) for message_id in (await sent.one_of_each()).values()]
        assert await self._read_pages(sent, limit=3) == [ids[::-1][:3], ids[::-1][3:6], ids[::-1][6:]]

    async def test_in_pages_without_an_index(self, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
        """A page may be short, or empty, and the next one continues."""
        monkeypatch.setattr(queries, "MAX_CHECKED", 3)
        mail = await sent.mail("rare@example.com")
        for number in range(4):
            await sent.mail(f"other-{number}@example.com")
        assert await self._read_pages(sent, limit=2, destination="rare@example.com") == [[], [mail]]

    @staticmethod
    async def _read_pages(sent: Sent, **params: Any) -> list[list[str]]:
        pages, cursor = list[list[str]](), None
        while True:
            found = await assert_ok(
                sent.owner.get("/outgoingMessages", params=params | ({"cursor": cursor} if cursor else {}))
            )
            pages.append([row["messageId"] for row in found["items"]])
            if (cursor := found["nextCursor"]) is None:
                return pages

    @pytest.mark.parametrize(
        "params",
        [
            {"channel": "fax"},
            {"channel": "' or true --"},
            {"state": "lost"},
            {"target": "nobody"},
            {"since": "yesterday"},
            {"until": "9999-12-31T23:59:59-14:00"},
            {"destination": "x" * 401},
            {"cursor": "whd_1"},
            {"limit": "0"},
            {"unknown": "1"},
        ],
    )
    async def test_bad_query(self, sent: Sent, params: dict[str, str]) -> None:
        await assert_error(sent.owner.get("/outgoingMessages", params=params), 400, "invalid_query")


class TestPermissions:
    async def test_without_administer(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        _, viewer = await sent.workspace.make_person("viewer")
        _, reviewer = await sent.workspace.make_person("reviewer")
        for client in (viewer, reviewer, sent.workspace.agent):
            assert await sent.listed(client) == [ids["media"], ids["webhook"]]
            for channel in ("mail", "chat"):
                await assert_error(client.get("/outgoingMessages", params={"channel": channel}), 403, "forbidden")
                for action in ("", "/retry", "/cancel"):
                    call = client.request("POST" if action else "GET", f"/outgoingMessages/{ids[channel]}{action}")
                    await assert_error(call, 403, "forbidden")
        for message_id in (ids["media"], ids["webhook"]):
            assert (await assert_ok(viewer.get(f"/outgoingMessages/{message_id}")))["actions"] == []
            await assert_error(viewer.post(f"/outgoingMessages/{message_id}/cancel"), 403, "forbidden")
        assert (await assert_ok(reviewer.get(f"/outgoingMessages/{ids['webhook']}")))["actions"] == ["cancel"]
        assert (await assert_ok(reviewer.post(f"/outgoingMessages/{ids['webhook']}/cancel")))["canceled"] is True

    async def test_keys(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        assert len(await sent.listed(sent.workspace.manager)) == 4
        await assert_ok(sent.workspace.manager.post(f"/outgoingMessages/{ids['mail']}/cancel"))
        await sent.set_state(ids["media"], "failed")
        await assert_error(sent.workspace.manager.post(f"/outgoingMessages/{ids['media']}/retry"), 403, "forbidden")
        await assert_error(sent.workspace.public.get("/outgoingMessages"), 401)

    async def test_another_account(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        stranger = await open_second_account(sent.service)
        assert await sent.listed(stranger.owner) == []
        for message_id in (*ids.values(), "whd_unknown", "' or true --"):
            await assert_error(stranger.owner.get(f"/outgoingMessages/{message_id}"), 404, "not_found")
            for action in ("retry", "cancel"):
                await assert_error(stranger.owner.post(f"/outgoingMessages/{message_id}/{action}"), 404, "not_found")
        assert {(await sent.get(message_id))["state"] for message_id in ids.values()} == {"queued"}


class TestOne:
    @pytest.mark.parametrize("channel", ["webhook", "mail", "chat", "media"])
    async def test_attempts(self, sent: Sent, channel: str) -> None:
        message_id = (await sent.one_of_each())[channel]
        error = "550 " + "😀" * 5000
        await sent.set_state(message_id, "failed", error)
        message = await sent.get(message_id)
        assert message["error"] == error
        assert message["attempts"] == [
            {"at": "2026-11-01T00:00:00.000Z", "ok": False, "isManual": False, "error": "it failed", "durationMs": 7}
        ]
        assert message["settledAt"]
        assert "retry" in message["actions"]

    async def test_localized(self, sent: Sent) -> None:
        mail_id = await sent.mail()
        path, german = f"/outgoingMessages/{mail_id}", {"accept-language": "de"}
        subject = (await assert_ok(sent.owner.get(path, headers=german)))["subject"]
        assert (subject["text"], subject["localized"]["language"]) == ("Invite", "de")
        assert subject["localized"]["text"] != "Invite"


class TestRetry:
    @pytest.mark.parametrize("channel", ["webhook", "mail", "chat", "media"])
    async def test_failed(self, sent: Sent, channel: str) -> None:
        message_id = (await sent.one_of_each())[channel]
        await sent.set_state(message_id, "failed", "it failed")
        message = await sent.act(message_id, "retry")
        assert (message["state"], message["canceled"], len(message["attempts"])) == ("queued", False, 1)
        assert "settledAt" not in message

    async def test_waiting(self, sent: Sent) -> None:
        """What waits for its next attempt is sent now, except for deliveries, which keep their schedule."""
        ids = await sent.one_of_each()
        for message_id in ids.values():
            await sent.set_state(message_id, "queued")
        due = (await sent.get(ids["mail"]))["nextAttemptAt"]
        for channel in ("mail", "chat"):
            assert (await sent.act(ids[channel], "retry"))["nextAttemptAt"] < due
        await sent.refuse(ids["webhook"], "retry", "delivery_under_way")

    async def test_sending(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        for message_id in ids.values():
            await sent.set_state(message_id, "sending")
            assert "retry" not in (await sent.get(message_id))["actions"]
        await sent.refuse(ids["webhook"], "retry", "delivery_under_way")
        await sent.refuse(ids["mail"], "retry", "mail_under_way")
        await sent.refuse(ids["chat"], "retry", "message_under_way")
        await sent.refuse(ids["media"], "retry", "message_under_way")

    async def test_sent(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        for message_id in ids.values():
            await sent.set_state(message_id, "sent")
        assert (await sent.act(ids["webhook"], "retry"))["state"] == "queued"
        await sent.refuse(ids["mail"], "retry", "mail_sent")
        await sent.refuse(ids["chat"], "retry", "message_settled")
        await sent.refuse(ids["media"], "retry", "message_settled")

    async def test_mail_without_content(self, sent: Sent) -> None:
        mail_id = await sent.mail()
        await sent.set_state(mail_id, "failed")
        await sent.db.execute("update mails set context = null where mail_id = $1", mail_id)
        assert (await sent.get(mail_id))["actions"] == []
        await sent.refuse(mail_id, "retry", "mail_content_gone")

    @pytest.mark.parametrize("channel", ["webhook", "mail", "chat", "media"])
    @pytest.mark.parametrize("action", ["retry", "cancel"])
    async def test_twice_at_once(self, sent: Sent, channel: str, action: str) -> None:
        """Whoever comes second is refused, or changes nothing more."""
        message_id = (await sent.one_of_each())[channel]
        if action == "retry":
            await sent.set_state(message_id, "failed")
        answers = await asyncio.gather(*(sent.owner.post(f"/outgoingMessages/{message_id}/{action}") for _ in range(2)))
        statuses = sorted(answer.status_code for answer in answers)
        if (channel, action) == ("media", "cancel"):
            assert statuses == [409, 409]
            return
        assert statuses in ([200, 200], [200, 409])
        assert (await sent.get(message_id))["state"] == ("queued" if action == "retry" else "failed")


class TestCancel:
    @pytest.mark.parametrize("channel", ["webhook", "mail", "chat"])
    async def test_then_retry(self, sent: Sent, channel: str) -> None:
        message_id = (await sent.one_of_each())[channel]
        canceled = await sent.act(message_id, "cancel")
        assert (canceled["state"], canceled["canceled"], canceled["actions"]) == ("failed", True, ["retry"])
        assert await sent.db.fetchval("select due_at from outgoing_messages where message_id = $1", message_id) is None
        again = await sent.act(message_id, "retry")
        assert (again["state"], again["canceled"], again.get("settledAt")) == ("queued", False, None)

    async def test_names_who_did_it(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        me = (await assert_ok(sent.owner.get("/auth/me")))["user"]["email"]
        for channel, action in (("mail", "mail.canceled"), ("chat", "chat_post.canceled")):
            canceled = await sent.act(ids[channel], "cancel")
            assert canceled["error"].startswith("Canceled by ")
            [entry] = (await assert_ok(sent.owner.get("/auditLog", params={"action": action})))["items"]
            assert entry["objectId"] == ids[channel]
            assert entry["actor"]["name"] == me or me in str(entry)

    async def test_settled(self, sent: Sent) -> None:
        for state in ("sent", "failed"):
            ids = await sent.one_of_each()
            for message_id in ids.values():
                await sent.set_state(message_id, state)
            await sent.refuse(ids["webhook"], "cancel", "delivery_settled")
            await sent.refuse(ids["mail"], "cancel", "message_settled")
            await sent.refuse(ids["chat"], "cancel", "message_settled")
            await sent.refuse(ids["media"], "cancel", "message_not_cancelable")

    async def test_sending(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        for message_id in ids.values():
            await sent.set_state(message_id, "sending")
        assert (await sent.act(ids["webhook"], "cancel"))["canceled"] is True, "no further attempts"
        await sent.refuse(ids["mail"], "cancel", "mail_under_way")
        await sent.refuse(ids["chat"], "cancel", "message_under_way")

    async def test_mail_that_no_server_has_yet(self, sent: Sent) -> None:
        mail_id = await sent.mail()
        await sent.set_state(mail_id, "sending")
        await sent.db.execute("update outgoing_messages set handed_over_at = null where message_id = $1", mail_id)
        assert (await sent.act(mail_id, "cancel"))["state"] == "failed"

    async def test_canceled_post_stays_away(self, sent: Sent) -> None:
        """A change of its review doesn't bring it back; a manual retry does."""
        post_id = await sent.post()
        await sent.act(post_id, "cancel")
        async with sent.db.transaction() as tx:
            await queue_posts(tx, [post_id])
        assert (await sent.get(post_id))["state"] == "failed"
        await sent.act(post_id, "retry")
        await sent.set_state(post_id, "sent")
        async with sent.db.transaction() as tx:
            await queue_posts(tx, [post_id])
        assert (await sent.get(post_id))["state"] == "queued"

    async def test_canceled_update_of_a_post(self, sent: Sent) -> None:
        """The next change updates the post, with all attempts."""
        post_id = await sent.post()
        await sent.db.execute("update chat_posts set posted_at = now(), ref = '1.2' where post_id = $1", post_id)
        await sent.act(post_id, "cancel")
        async with sent.db.transaction() as tx:
            await queue_posts(tx, [post_id])
        message = await sent.get(post_id)
        assert (message["state"], message["canceled"]) == ("queued", False)


class TestMany:
    async def test_outcomes(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        wanted = [*ids.values(), ids["mail"], "whd_unknown"]
        items = (await assert_ok(sent.owner.post("/outgoingMessages/cancel", json={"messageIds": wanted})))["items"]
        assert [item["messageId"] for item in items] == [*ids.values(), "whd_unknown"]
        assert [item["ok"] for item in items] == [True, True, True, False, False]
        assert [item["error"]["code"] for item in items[3:]] == ["message_not_cancelable", "not_found"]
        await sent.set_state(ids["media"], "failed")
        items = (await assert_ok(sent.owner.post("/outgoingMessages/retry", json={"messageIds": wanted[:4]})))["items"]
        assert all(item["ok"] for item in items)

    async def test_as_a_reviewer(self, sent: Sent) -> None:
        ids = await sent.one_of_each()
        _, reviewer = await sent.workspace.make_person("reviewer")
        body = {"messageIds": [ids["webhook"], ids["mail"]]}
        items = (await assert_ok(reviewer.post("/outgoingMessages/cancel", json=body)))["items"]
        assert [(item["ok"], item.get("error", {}).get("code")) for item in items] == [
            (True, None),
            (False, "forbidden"),
        ]

    @pytest.mark.parametrize("ids", [[], ["x"] * 201, ["x" * 129], [7], "whd_1"])
    async def test_bad_choice(self, sent: Sent, ids: Any) -> None:
        await assert_error(sent.owner.post("/outgoingMessages/retry", json={"messageIds": ids}), 422)


async def test_reads_indexes_only(idle_service: Service) -> None:
    """Also with many messages, and with statistics from when there were none."""
    workspace, db = await open_second_account(idle_service), await Database.connect(idle_service.dsn(), size=1)
    try:
        for table in ("outgoing_messages", "mails"):
            await db.execute(f"alter table {table} set (autovacuum_enabled = false)")
        await db.execute("analyze outgoing_messages, mails, deliveries, chat_posts, media_copies")
        await db.execute(
            """
            with message as (
                insert into outgoing_messages (message_id, account_id, channel, destination, state, settled_at)
                select 'mal_' || lpad(to_hex(number), 28, '0'), $1, 'mail', 'mail server',
                    case number % 1000 when 0 then 'failed' else 'sent' end, now()
                from generate_series(1, 5000) as number
                returning message_id, account_id
            )
            insert into mails (mail_id, account_id, kind, to_email)
            select message_id, account_id, 'test', message_id || '@example.com' from message
            """,
            workspace.account_id,
        )
        for only, found, most in (
            (MessageFilter(), 20, 100),
            (MessageFilter(channel="mail"), 20, 100),
            (MessageFilter(state="failed"), 5, 100),
            (MessageFilter(state="failed", channel="mail"), 5, 100),
            (MessageFilter(destination="nobody@example.com"), 0, 4 * queries.MAX_CHECKED),
        ):
            async with db.transaction() as tx:
                before = await _count_rows_read(tx)
                page = await queries.list_messages(Mock(db=tx, account_id=workspace.account_id), only, None, 20)
                assert await _count_rows_read(tx) - before <= most, only
            assert len(page.items) == found
    finally:
        await workspace.close()
        await db.close()


async def _count_rows_read(tx: Executor) -> int:
    """The reads of this connection alone."""
    return await tx.fetchval(
        """
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int from pg_stat_xact_user_tables
        where relname in ('outgoing_messages', 'mails', 'deliveries', 'chat_posts', 'media_copies')
        """
    )
