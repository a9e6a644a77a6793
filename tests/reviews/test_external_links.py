"""Links of people without an account: GET shows, POST decides; a link opens its review and its media and nothing else;
and once it has ended, it says why."""

import asyncio
import base64
import hashlib
import itertools
import re
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from support.api import DATA, Workspace, assert_error, assert_ok, error_at, sign_in_workspace, unique
from support.in_process import Service, StartService
from time_travel import is_waited_for

from signoff.platform.db import Database
from signoff.reviews.housekeeping import delete_expired_rows

PICTURES = [
    {"id": "photo", "type": "image", "label": "Photo"},
    {"id": "caption", "type": "text", "label": "Caption"},
]
SCANNERS: list[dict[str, str]] = [
    {},
    {"Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"X-Moz": "prefetch"},
    {"User-Agent": "Mozilla/5.0 (compatible; Microsoft Office Protocol Discovery)"},
    {"User-Agent": "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0) SafeLinks"},
    {"User-Agent": "Barracuda Sentinel (EE)"},
    {"User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"},
    {"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)", "From": "googlebot(at)googlebot.com"},
]


def respond(client: httpx.AsyncClient, review_id: str) -> Any:
    return client.post(f"/reviews/{review_id}/response", json={"response": "approved"})


def token_of(link: str) -> str:
    return httpx.URL(link).params["token"]


def holder(workspace: Workspace, link: str) -> httpx.AsyncClient:
    return workspace.client(**{"x-review-token": token_of(link)})


async def request_review(workspace: Workspace, *emails: str, **members: Any) -> tuple[str, list[str]]:
    """The review and the links."""
    review = await workspace.request(await workspace.make_form(), extReviewers=list(emails), **members)
    return review["reviewId"], [link["link"] for link in review["extReviewerLinks"]]


def picture(word: str) -> str:
    """A small PNG in base64, different for each word."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    line = b"\0" + hashlib.sha256(word.encode()).digest()[:24]
    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(line * 8)) + chunk(b"IEND", b"")
    return base64.b64encode(file).decode()


async def request_with_picture(workspace: Workspace, colour: str, **members: Any) -> dict[str, Any]:
    form = await workspace.make_form(fields=PICTURES, layout=None, rules=[], titleField="caption")
    data = {"photo": picture(colour), "caption": colour}
    config = {"fields": {"photo": {"isBase64": True}}}
    body = {"formId": form["formId"], "data": data, "config": config, **members}
    return await assert_ok(workspace.agent.post("/requestReview", json=body))


@pytest.fixture(scope="module")
async def signed(start_service: StartService) -> AsyncIterator[Workspace]:
    async with start_service(media_addresses="signed") as service:
        workspace = await sign_in_workspace(service)
        yield workspace
        await workspace.close()


class TestLanguage:
    """`lang` of the request, for the page and the email of the external reviewers."""

    @staticmethod
    async def _shown(workspace: Workspace, link: str) -> Any:
        async with holder(workspace, link) as client:
            review_id = httpx.URL(link).path.rpartition("/")[2]
            return (await assert_ok(client.get(f"/reviews/{review_id}"))).get("language")

    @pytest.mark.parametrize(("asked", "shown"), [("de", "de"), ("de-AT", "de"), ("ZH-hant-TW", "zh-Hans")])
    async def test_is_on_the_page(self, workspace: Workspace, asked: str, shown: str) -> None:
        _, [link] = await request_review(workspace, "eva@example.com", lang=asked)
        assert await self._shown(workspace, link) == shown

    async def test_without_a_language(self, workspace: Workspace) -> None:
        _, [link] = await request_review(workspace, "eva@example.com")
        assert await self._shown(workspace, link) is None

    async def test_is_for_external_reviewers_only(self, workspace: Workspace) -> None:
        review_id, _ = await request_review(workspace, "eva@example.com", lang="de")
        assert "language" not in await assert_ok(workspace.owner.get(f"/reviews/{review_id}"))

    async def test_an_update_keeps_changes_and_clears_it(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        review = await workspace.request(form, extReviewers=["eva@example.com"], lang="de")
        link = review["extReviewerLinks"][0]["link"]
        members: list[tuple[dict[str, Any], str | None]] = [({}, "de"), ({"lang": "fr"}, "fr"), ({"lang": None}, None)]
        for member, shown in members:
            await workspace.request(form, updateForReviewId=review["reviewId"], **member)
            assert await self._shown(workspace, link) == shown

    @pytest.mark.parametrize("tag", ["tlh", "", "de_AT", "d" * 36])
    async def test_unknown(self, workspace: Workspace, tag: str) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, "lang": tag}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        assert [error["path"] for error in problem["errors"]] == ["lang"]

    async def test_error_names_unknown_languages(self, workspace: Workspace) -> None:
        form = await workspace.make_form()
        body = {"formId": form["formId"], "data": DATA, "lang": "tlh"}
        problem = await assert_error(workspace.agent.post("/requestReview", json=body), 422, "invalid")
        said = "must be one of en, de, fr, es, pt-BR, ja, zh-Hans, and ar, not 'tlh'"
        assert error_at(problem, "lang")["message"] == said


class TestOpening:
    @pytest.mark.parametrize("times", [2 * len(SCANNERS), pytest.param(50, marks=pytest.mark.slow)])
    async def test_decides_nothing(self, signed: Workspace, times: int) -> None:
        """Repeated with GET and HEAD, as mail scanners do: every URL that a link leads to."""
        review = await request_with_picture(signed, "red", extReviewers=["ann@example.org"])
        review_id, link = review["reviewId"], review["extReviewerLinks"][0]["link"]
        outside = holder(signed, link)
        before = await signed.review(review_id)
        photo = (await assert_ok(outside.get(f"/reviews/{review_id}")))["data"]["photo"]
        page = (await signed.public.get(link)).text
        files = re.findall(r'(?:src|href)="(?:\./|/)?((?:static/|icon)[^"]+)"', page)
        root = str(signed.url).removesuffix("/api/v1")
        addresses = [
            link,
            link.partition("?")[0],
            f"{link}&utm_source=mail",
            *(f"{root}/{file}" for file in files),
            f"{signed.url}/reviews/{review_id}",
            *(f"{signed.url}/reviews/{review_id}/{part}" for part in ("form", "suggestion", "draft", "revisions")),
            f"{signed.url}/reviews/{review_id}/response",
            f"{signed.url}/reviews/{review_id}/retry",
            photo,
        ]
        token = {"x-review-token": token_of(link)}

        async def open_once(address: str, number: int, method: str, headers: dict[str, str]) -> None:
            with_token = token if number % 2 or address.startswith(signed.url) else {}
            response = await signed.public.request(method, address, headers={**headers, **with_token})
            assert response.status_code in {200, 405}, (method, address, response.text)
            assert response.status_code == 200 or address.endswith(("/response", "/retry"))

        ways = list(itertools.product(("GET", "HEAD"), SCANNERS))
        for address in addresses:
            turns = zip(range(times), itertools.cycle(ways), strict=False)
            await asyncio.gather(*(open_once(address, number, *way) for number, way in turns))
        after = await signed.review(review_id)
        assert after["state"] == "pending"
        signatures = re.compile(r"\?expires=\d+&signature=\w+")
        assert signatures.sub("", str(after)) == signatures.sub("", str(before))
        assert len((await assert_ok(signed.agent.get(f"/reviews/{review_id}/history")))["items"]) == 1
        await assert_ok(respond(outside, review_id))

    async def test_page_accepts_no_post(self, workspace: Workspace) -> None:
        review_id, [link] = await request_review(workspace, "ann@example.org")
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert (await workspace.public.request(method, link, json={"response": "approved"})).status_code == 405
        assert (await workspace.review(review_id))["state"] == "pending"

    async def test_page_is_the_same_for_every_token(self, workspace: Workspace) -> None:
        """It reveals nothing: its script checks the link, with the token in a header."""
        _, [link] = await request_review(workspace, "ann@example.org")

        async def page(address: str) -> str:
            response = await workspace.public.get(address)
            assert response.headers["referrer-policy"] in {"no-referrer", "same-origin"}
            assert "no-store" in response.headers["cache-control"]
            return re.sub(r'content="[\w-]{22}"', "", response.text)

        assert await page(link) == await page(link.replace(token_of(link), "ext_unknown"))
        assert token_of(link) not in await page(link)


class TestGrantsNothingElse:
    @pytest.mark.parametrize("whose", ["mine", "another's"])
    async def test_on_any_other_endpoint(self, signed: Workspace, whose: str) -> None:
        """Every operation of the document, with the link's token, for its own review and for another."""
        mine = await request_with_picture(signed, "blue", extReviewers=["ann@example.org"])
        other = await request_with_picture(signed, "green", extReviewers=["bob@example.org"])
        outside = holder(signed, mine["extReviewerLinks"][0]["link"])
        document = await assert_ok(signed.public.get("/openapi.json"))
        needed = {
            ("get", "/reviews/{reviewId}"),
            ("get", "/reviews/{reviewId}/form"),
            ("get", "/reviews/{reviewId}/suggestion"),
            ("get", "/reviews/{reviewId}/revisions"),
            ("get", "/reviews/{reviewId}/draft"),
            ("put", "/reviews/{reviewId}/draft"),
            ("delete", "/reviews/{reviewId}/draft"),
            ("post", "/reviews/{reviewId}/response"),
            ("post", "/reviews/{reviewId}/retry"),
        }
        # If they can request changes, they can also remind the agent and cancel the request.
        allowed = needed | {("delete", "/reviews/{reviewId}/retry"), ("post", "/reviews/{reviewId}/retry/remind")}
        # The response says only that an email was sent.
        allowed |= {("post", "/reviews/{reviewId}/link/renew")}
        review_id = (mine if whose == "mine" else other)["reviewId"]
        opened: set[tuple[str, str]] = set()
        for path, item in document["paths"].items():
            for method, operation in item.items():
                if not operation["security"]:
                    continue  # for everyone, with a link or without
                place = re.sub(r"\{(\w+)\}", lambda name: _value(name[1], review_id), path)
                # Calls for another's review are sent in full; the reviewer's own must not change.
                body = {} if whose == "mine" else _example(operation)
                sent = {"json": body} if "requestBody" in operation else {}
                response = await outside.request(method.upper(), place, **sent)
                if response.status_code not in {401, 403, 404}:
                    opened.add((method, path))
        if whose == "mine":
            assert needed <= opened <= allowed
        else:
            assert not opened
        for review in (mine, other):
            assert (await signed.review(review["reviewId"]))["state"] == "pending"

    async def test_only_media_of_its_review(self, signed: Workspace) -> None:
        mine = await request_with_picture(signed, "navy", extReviewers=["ann@example.org"])
        other = await request_with_picture(signed, "olive")
        review_id = mine["reviewId"]
        outside = holder(signed, mine["extReviewerLinks"][0]["link"])
        foreign = (await signed.review(other["reviewId"]))["data"]["photo"].partition("?")[0]
        shown = await assert_ok(outside.get(f"/reviews/{review_id}"))
        assert (await signed.public.get(shown["data"]["photo"])).status_code == 200
        assert (await signed.public.get(shown["data"]["photo"].partition("?")[0])).status_code == 403
        suggested = await assert_ok(outside.get(f"/reviews/{review_id}/suggestion"))
        assert (await signed.public.get(suggested["values"]["photo"])).status_code == 200
        assert (await outside.get(foreign)).status_code == 403, "the token opens no media by itself"
        draft = {"data": {"photo": foreign, "caption": foreign}, "revision": 1}
        await assert_ok(outside.put(f"/reviews/{review_id}/draft", json=draft))
        responses = [await outside.get(f"/reviews/{review_id}{place}") for place in ("", "/draft", "/suggestion")]
        response = await outside.post(
            f"/reviews/{review_id}/response", json={"response": "approved", "data": {"caption": foreign}}
        )
        assert response.status_code == 200
        for rejected in (*responses, response):
            assert f"{foreign}?" not in rejected.text, "nobody outside has an address signed that they bring along"

    async def test_only_permissions_of_the_review(self, workspace: Workspace) -> None:
        person, _ = await workspace.make_person()
        review_id, [ann, _] = await request_review(
            workspace, "ann@example.org", "bob@example.org", assignTo=[person["email"]], meta={"secret": "of the agent"}
        )
        outside = holder(workspace, ann)
        for place in ("", "/form", "/suggestion", "/draft", "/revisions"):
            text = (await outside.get(f"/reviews/{review_id}{place}")).text
            for hidden in ("bob@example.org", person["email"], "of the agent"):
                assert hidden not in text


def _example(operation: dict[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("example", {})


def _value(name: str, review_id: str) -> str:
    return {"reviewId": review_id, "version": "1"}.get(name, "unknown")


class TestEndings:
    async def test_decided_with_the_link(self, workspace: Workspace) -> None:
        review_id, [link] = await request_review(workspace, "ann@example.org")
        outside = holder(workspace, link)
        result = (await assert_ok(respond(outside, review_id)))["reviewResult"]
        for call in (outside.get(f"/reviews/{review_id}"), respond(outside, review_id), outside.get("/reviews")):
            problem = await assert_error(call, 410, "link_answered")
            assert problem["byYou"] is True
            assert problem["response"] == "approved"
            assert problem["respondingUser"] == "ann@example.org"
            assert problem["respondedAt"] == result["respondedAt"]

    async def test_decided_by_someone_else(self, workspace: Workspace) -> None:
        review_id, [ann, bob] = await request_review(workspace, "ann@example.org", "bob@example.org")
        await assert_ok(respond(holder(workspace, bob), review_id))
        problem = await assert_error(holder(workspace, ann).get(f"/reviews/{review_id}"), 410, "link_answered")
        assert problem["byYou"] is False
        assert problem["respondingUser"] == "bob@example.org"
        review_id, [ann] = await request_review(workspace, "ann@example.org")
        decided = await workspace.decide(review_id, "rejected")
        problem = await assert_error(holder(workspace, ann).get(f"/reviews/{review_id}"), 410, "link_answered")
        assert problem["respondingUser"] == decided["reviewResult"]["respondingUser"]
        assert problem["response"] == "rejected"

    async def test_deleted(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        """Nothing of the review or the person is kept, except that the link was valid once."""
        review_id, [ann, bob] = await request_review(workspace, "ann@example.org", "bob@example.org")
        body: dict[str, Any] = {"users": [], "groups": [], "external": ["ann@example.org"]}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        for link in (ann, bob):
            problem = await assert_error(holder(workspace, link).get(f"/reviews/{review_id}"), 410, "link_deleted")
            assert set(problem) == {"type", "title", "status", "detail", "code"}
        assert await db.fetchval("select count(*) from external_reviewers where review_id = $1", review_id) == 0
        review_id, [link] = await request_review(workspace, "ann@example.org")
        await workspace.decide(review_id)
        await assert_ok(workspace.agent.delete(f"/reviews/{review_id}"))
        await assert_error(holder(workspace, link).get(f"/reviews/{review_id}"), 410, "link_deleted")

    async def test_reassigned(self, workspace: Workspace) -> None:
        """It stays so after the decision: a former reviewer doesn't see who decided."""
        review_id, [link] = await request_review(workspace, "ann@example.org")
        body: dict[str, Any] = {"users": [], "groups": [], "external": []}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        for _ in range(2):
            problem = await assert_error(holder(workspace, link).get(f"/reviews/{review_id}"), 410, "link_reassigned")
            assert set(problem) == {"type", "title", "status", "detail", "code"}
            if (await workspace.review(review_id))["state"] == "pending":
                await workspace.decide(review_id)

    async def test_expired(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review_id, [link] = await request_review(workspace, "ann@example.org")
        outside = holder(workspace, link)
        await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review_id)
        problem = await assert_error(outside.get(f"/reviews/{review_id}"), 410, "link_expired")
        assert set(problem) == {"type", "title", "status", "detail", "code"}
        await assert_error(respond(outside, review_id), 410, "link_expired")
        assert (await workspace.review(review_id))["state"] == "pending"
        await workspace.decide(review_id)
        problem = await assert_error(outside.get(f"/reviews/{review_id}"), 410, "link_expired")
        assert "respondingUser" not in problem, "who decided is told to those who were still asked"

    @pytest.mark.parametrize("ending", ["link_expired", "link_reassigned", "link_answered"])
    async def test_language_of_the_page(self, workspace: Workspace, db: asyncpg.Connection, ending: str) -> None:
        review_id, [link] = await request_review(workspace, "ann@example.org", lang="de")
        if ending == "link_expired":
            await db.execute("update external_reviewers set expires_at = now() where review_id = $1", review_id)
        elif ending == "link_reassigned":
            body: dict[str, Any] = {"users": [], "groups": [], "external": []}
            await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        else:
            await workspace.decide(review_id)
        problem = await assert_error(holder(workspace, link).get(f"/reviews/{review_id}"), 410, ending)
        assert problem["language"] == "de"

    @pytest.mark.parametrize("ending", ["link_answered", "link_reassigned"])
    async def test_during_a_long_poll(self, service: Service, workspace: Workspace, ending: str) -> None:
        review_id, [ann, bob] = await request_review(workspace, "ann@example.org", "bob@example.org")
        waiting = asyncio.create_task(holder(workspace, ann).get(f"/reviews/{review_id}", params={"wait": 30}))
        await is_waited_for(service, review_id)
        if ending == "link_reassigned":
            body: dict[str, Any] = {"users": [], "groups": [], "external": ["bob@example.org"]}
            await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        else:
            await assert_ok(respond(holder(workspace, bob), review_id))
        problem = await assert_error(waiting, 410, ending)
        assert "reviewResult" not in problem

    @pytest.mark.parametrize("token", ["", "ext_", "ext_unknown", "x" * 5_000, "' or true --", "%00"])
    async def test_unknown(self, workspace: Workspace, token: str) -> None:
        review_id, _ = await request_review(workspace, "ann@example.org")
        client = workspace.client(**{"x-review-token": token})
        await assert_error(client.get(f"/reviews/{review_id}"), 401, "unauthenticated")

    async def test_reason_is_kept_for_a_month(
        self, workspace: Workspace, service: Service, db: asyncpg.Connection
    ) -> None:
        review_id, [ann, bob] = await request_review(workspace, "ann@example.org", "bob@example.org")
        body: dict[str, Any] = {"users": [], "groups": [], "external": ["bob@example.org"]}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        database = await Database.connect(service.dsn(), size=1)
        try:
            for days, status in ((29, 410), (31, 401)):
                await db.execute(
                    "update external_reviewers set expires_at = now() - make_interval(days => $2) where review_id = $1",
                    review_id,
                    days,
                )
                await delete_expired_rows(database)
                await assert_error(holder(workspace, ann).get(f"/reviews/{review_id}"), status)
        finally:
            await database.close()
        await assert_error(holder(workspace, bob).get(f"/reviews/{review_id}"), 410, "link_expired")
        assert (await workspace.review(review_id))["assignedTo"]["external"] == ["bob@example.org"]

    async def test_concurrent_responses(self, workspace: Workspace) -> None:
        for _ in range(5):
            review_id, links = await request_review(workspace, "ann@example.org", "bob@example.org")
            outside = [holder(workspace, link) for link in (*links, *links)]
            results = await asyncio.gather(*(respond(client, review_id) for client in outside))
            assert [response.status_code for response in results].count(200) == 1
            codes = {result.json()["code"] for result in results if result.status_code != 200}
            assert codes <= {"already_responded", "link_answered"}


class TestRenewal:
    """A reviewer whose link has expired gets a new one by email, without help from anyone."""

    @staticmethod
    async def _expired(workspace: Workspace, db: asyncpg.Connection, **members: Any) -> tuple[str, str, str]:
        """The review, the reviewer's email, and their link."""
        email = f"{unique('ann')}@example.org"
        review_id, [link] = await request_review(workspace, email, **members)
        await db.execute(
            "update external_reviewers set expires_at = now() - interval '1 second' where review_id = $1", review_id
        )
        return review_id, email, link

    @staticmethod
    def _renew(workspace: Workspace, review_id: str, link: str) -> Any:
        return holder(workspace, link).post(f"/reviews/{review_id}/link/renew")

    @staticmethod
    async def _mails(db: asyncpg.Connection, email: str) -> int:
        return await db.fetchval("select count(*) from mails where to_email = $1", email)

    async def test_a_new_link_is_mailed_and_nothing_else_is_said(
        self, workspace: Workspace, db: asyncpg.Connection
    ) -> None:
        review_id, email, link = await self._expired(workspace, db)
        sent = await self._mails(db, email)
        response = await self._renew(workspace, review_id, link)
        assert (response.status_code, response.json()) == (202, {"accepted": True})
        assert await self._mails(db, email) == sent + 1
        assert await db.fetchval(
            "select expires_at > now() from external_reviewers where review_id = $1 and ended is null", review_id
        )
        await assert_error(holder(workspace, link).get(f"/reviews/{review_id}"), 410, "link_expired")
        history = (await assert_ok(workspace.owner.get(f"/reviews/{review_id}/history")))["items"]
        assert [(entry["action"], entry["actor"]["name"]) for entry in history][-1] == ("review.link_renewed", email)

    async def test_many_requests_send_one_mail(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review_id, email, link = await self._expired(workspace, db)
        sent = await self._mails(db, email)
        results = await asyncio.gather(*(self._renew(workspace, review_id, link) for _ in range(5)))
        assert {response.status_code for response in results} == {202}
        assert await self._mails(db, email) == sent + 1
        await db.execute(
            "update audit_log set at = at - interval '5 minutes' where action = 'review.link_renewed' "
            "and object_id = $1",
            review_id,
        )
        await assert_ok(self._renew(workspace, review_id, link))
        assert await self._mails(db, email) == sent + 2

    async def test_of_a_decided_review_says_nothing_of_who_decided(
        self, workspace: Workspace, db: asyncpg.Connection
    ) -> None:
        review_id, email, link = await self._expired(workspace, db)
        sent = await self._mails(db, email)
        await workspace.decide(review_id)
        problem = await assert_error(self._renew(workspace, review_id, link), 409, "already_responded")
        assert set(problem) == {"type", "title", "status", "detail", "code"}
        assert await self._mails(db, email) == sent

    async def test_not_for_former_reviewers(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review_id, email, link = await self._expired(workspace, db)
        await assert_ok(self._renew(workspace, review_id, link))
        sent = await self._mails(db, email)
        body: dict[str, Any] = {"users": [], "groups": [], "external": []}
        await assert_ok(workspace.owner.put(f"/reviews/{review_id}/assignees", json=body))
        await assert_error(self._renew(workspace, review_id, link), 410, "link_reassigned")
        assert await self._mails(db, email) == sent

    async def test_not_for_another_review(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        _, email, link = await self._expired(workspace, db)
        other, _ = await request_review(workspace, email)
        await assert_error(self._renew(workspace, other, link), 404, "not_found")

    async def test_not_without_a_link(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review_id, _, _ = await self._expired(workspace, db)
        for client in (workspace.public, workspace.agent, workspace.owner):
            await assert_error(client.post(f"/reviews/{review_id}/link/renew"), 401, "unauthenticated")
        await assert_error(
            self._renew(workspace, review_id, "https://signoff.test/?token=ext_unknown"), 401, "unauthenticated"
        )


class TestToken:
    async def test_is_long_and_stored_as_a_hash(self, workspace: Workspace, db: asyncpg.Connection) -> None:
        review_id, links = await request_review(workspace, "ann@example.org", "bob@example.org")
        tokens = [token_of(link) for link in links]
        assert len(set(tokens)) == 2
        assert all(re.fullmatch(r"ext_[\w-]{43}", token) for token in tokens)
        rows = await db.fetch("select * from external_reviewers where review_id = $1", review_id)
        assert not any(token in str(dict(row)) for token in tokens for row in rows)

    async def test_is_not_logged(self, workspace: Workspace, service: Service, tmp_path: Path) -> None:
        review_id, [link] = await request_review(workspace, "ann@example.org")
        await workspace.public.get(link)
        await assert_ok(respond(holder(workspace, link), review_id))
        entries = await assert_ok(workspace.owner.get("/auditLog", params={"objectId": review_id}))
        assert token_of(link) not in str(entries)
        assert token_of(link) not in service.log.read_text()

    async def test_is_ignored_for_signed_in_users(self, workspace: Workspace) -> None:
        """A link in the header takes precedence over the cookie: the caller acts as the link's reviewer."""
        review_id, [link] = await request_review(workspace, "ann@example.org")
        person, client = await workspace.make_person()
        headers = {"x-review-token": token_of(link)}
        await assert_error(client.get("/reviews", headers=headers), 403, "forbidden")
        response = await assert_ok(
            client.post(f"/reviews/{review_id}/response", json={"response": "approved"}, headers=headers)
        )
        assert response["reviewResult"]["respondingUser"] == "ann@example.org"
        assert response["reviewResult"]["data"] == DATA
        assert person["email"] not in str(response)
