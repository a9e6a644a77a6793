"""The demo's agent: the events it gets, its reactions, and its output in the terminal."""

import json
import re
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import psutil
import pytest
from demo_helpers import FirstRunUser, agent_of, new_demo
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook
from support.terminal import PATIENCE, wait_until

from signoff.demo.agent.chat_replies import reply_to
from signoff.demo.agent.console import plain, quote
from signoff.demo.agent.revisions import revise
from signoff.demo.availability import plan_demo
from signoff.platform.db import Database
from signoff.platform.settings import load_settings


@pytest.fixture(scope="module")
def first_run_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstRunUser]:
    with new_demo(tmp_path_factory.mktemp("demo")) as (_, serve):
        user = FirstRunUser(serve())
        user.wait_until_ready()
        yield user
        assert user.serving.press_ctrl_c() == 0
        assert "Traceback" not in user.serving.output


def agent_named(first_run_user: FirstRunUser, name: str) -> dict[str, Any]:
    return next(agent for agent in first_run_user.get("/agents")["items"] if agent["name"] == name)


def test_link_is_printed_first(first_run_user: FirstRunUser) -> None:
    """The link doesn't wait for the demo to be set up."""
    first_run_user.serving.wait_for("Demo data is ready")
    lines = first_run_user.serving.output
    assert lines.index("Signoff is running at") < lines.index("token=") < lines.index("Creating demo data")
    assert lines.index("Creating demo data") < lines.index("Demo data is ready")


class TestDecisions:
    def test_approved_with_a_change(self, first_run_user: FirstRunUser) -> None:
        review = first_run_user.wait_for_review("Social post")
        first_run_user.approve(review, headline="Another headline, by hand")
        # Two posts can have the same title, and others are approved unchanged.
        done = r"after \d+ s \(edited Headline\) → published \(simulated\)"
        line = rf"Content agent .* approved “{re.escape(review['title'])}” {done}"
        wait_until(lambda: re.search(line, first_run_user.serving.output))

    def test_rejected_with_a_reason(self, first_run_user: FirstRunUser) -> None:
        review = first_run_user.wait_for_review("Invoice approval")
        reason = "paid \x1b[31mlast week"
        first_run_user.post(f"/reviews/{review['reviewId']}/response", response="rejected", reason=reason)
        line = first_run_user.serving.wait_for(f"rejected “{review['title']}”")
        assert "(reason: “paid [31mlast week”) → saved as a lesson learned" in line

    def test_repeated_delivery_is_handled_once(self, first_run_user: FirstRunUser) -> None:
        review = first_run_user.wait_for_review("Product photos")
        decided = first_run_user.approve(review)
        line = f"approved “{review['title']}”"
        first_run_user.serving.wait_for(line)
        before = first_run_user.serving.output.count(line)
        path = f"/webhooks/deliveries/{decided['webhookDeliveryId']}"
        wait_until(lambda: first_run_user.get(path)["status"] == "succeeded")
        first_run_user.post(f"{path}/retry")
        wait_until(
            lambda: len(first_run_user.get(path)["attempts"]) == 2 and first_run_user.get(path)["status"] == "succeeded"
        )
        # The agent handles its events in order, so the next one proves that the second delivery did nothing.
        following = first_run_user.wait_for_review("Support reply")
        first_run_user.approve(following)
        first_run_user.serving.wait_for(f"approved “{following['title']}”")
        assert first_run_user.serving.output.count(line) == before


def test_a_retry_gets_another_draft(first_run_user: FirstRunUser) -> None:
    review = first_run_user.wait_for_review("Support reply")
    path = f"/reviews/{review['reviewId']}"
    before = first_run_user.get(path)["data"]
    first_run_user.post(f"{path}/retry", instructions="Warmer, please", fieldIds=["reply"])
    after = wait_until(lambda: (found := first_run_user.get(path)).get("revision") == 2 and found)
    assert "retryRequested" not in after
    assert after["data"]["reply"] != before["reply"]
    assert {**after["data"], "reply": None} == {**before, "reply": None}
    first_run_user.serving.wait_for("changes requested: “Warmer, please”")


def test_every_pending_review_can_be_retried(first_run_user: FirstRunUser) -> None:
    """Past ones too, whatever their review type."""
    rows = [
        row
        for row in first_run_user.get("/reviews", state="pending", limit=200)["items"]
        if not row["sessionId"].startswith("demo-agent-") and not row["retryRequested"]
    ]
    requests = dict[str, dict[str, Any]]()
    for row in rows:
        path = f"/reviews/{row['reviewId']}"
        before = first_run_user.get(path)
        response = first_run_user.http.post(f"{path}/retry", json={"instructions": "Shorter, please"})
        if response.is_success:
            requests[path] = before
        else:
            assert response.json()["code"] == "retry_not_allowed", response.text
    assert requests
    for path, before in requests.items():
        after = wait_until(
            lambda path=path, before=before: (r := first_run_user.get(path))["revision"] > before["revision"] and r
        )
        assert after["data"] != before["data"]


def test_a_chat_gets_a_reply_and_a_review_request(first_run_user: FirstRunUser) -> None:
    agent = agent_named(first_run_user, "Support agent")
    session = f"/sessions/{first_run_user.post('/sessions', agentId=agent['agentId'])['sessionId']}"
    first_run_user.post(f"{session}/messages", text="Where is order 4711?")

    def answers() -> list[dict[str, Any]]:
        items = first_run_user.get(f"{session}/messages")["items"]
        return [message for message in items if message["role"] == "agent" and message["state"] == "complete"]

    shown = wait_until(lambda: next((message for message in answers() if message.get("reviewId")), None))
    assert "**4711**" in answers()[0]["text"]
    review = first_run_user.get(f"/reviews/{shown['reviewId']}")
    assert review["data"]["question"] == "Where is order 4711?"
    first_run_user.approve(review)
    wait_until(lambda: any("Sent" in message["text"] for message in answers()))
    first_run_user.serving.wait_for("wrote: “Where is order 4711?”")
    assert first_run_user.get(session)["working"] is None


BODY = json.dumps({"event": "review.completed", "reviewId": "rev_x", "agentId": "agt_x"}).encode()


def forged(**headers: str) -> dict[str, str]:
    """Signed with an unknown secret."""
    number, moment = f"whd_{uuid.uuid4().hex}", datetime.now(UTC)
    signature = Webhook("whsec_" + "QUJD" * 8).sign(number, moment, BODY.decode())
    right = {"id": number, "timestamp": str(int(moment.timestamp())), "signature": signature}
    return {f"webhook-{name}": value for name, value in (right | headers).items()}


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (BODY, dict),
        (b"", dict),
        (BODY, forged),
        (BODY, lambda: forged(signature="v1")),
        (BODY, lambda: forged(signature="v1,%%% v2,x")),
        (BODY, lambda: forged(timestamp="yesterday")),
        (b"\xff\xfe", forged),
    ],
    ids=["unsigned", "empty", "another secret", "no signature", "not base64", "no time", "no text"],
)
def test_a_forged_webhook_is_rejected(
    first_run_user: FirstRunUser, body: bytes, headers: Callable[[], dict[str, str]]
) -> None:
    address = agent_named(first_run_user, "Content agent")["webhookUrl"]
    before = first_run_user.serving.output.count("rejected a webhook")
    assert httpx.post(address, content=body, headers=headers(), timeout=60).status_code == 401
    wait_until(lambda: first_run_user.serving.output.count("rejected a webhook") > before)


def test_test_event_of_the_settings_page(first_run_user: FirstRunUser) -> None:
    agent = agent_named(first_run_user, "Back office agent")
    tried = first_run_user.post(f"/agents/{agent['agentId']}/testEvent")
    assert (tried["ok"], tried["response"]["statusCode"]) == (True, 204)


EVERYWHERE = "0.0.0.0"  # noqa: S104


@pytest.mark.parametrize(
    ("settings", "plays"),
    [
        ({}, True),
        ({"demo": True}, True),
        ({"demo": False}, False),
        ({"host": "localhost"}, True),
        ({"host": "::1"}, True),
        ({"host": EVERYWHERE}, False),
        ({"host": EVERYWHERE, "allowed_networks": "127.0.0.0/8"}, True),
        ({"allowed_networks": "127.0.0.1/32"}, True),
        ({"allowed_networks": "::1/128"}, False),
        ({"allowed_networks": ""}, False),
        ({"database_url": "postgresql://x/y"}, False),
    ],
)
async def test_runs_only_in_the_demo(first_run_user: FirstRunUser, settings: dict[str, Any], plays: bool) -> None:
    """It doesn't run where webhooks couldn't reach it: the demo never allows more than the operator did."""
    db = await Database.connect(first_run_user.serving.dsn(), size=1)
    try:
        assert await plan_demo(load_settings(**settings), db) == plays
    finally:
        await db.close()


@pytest.mark.slow
class TestRestarts:
    def test_the_api_is_restarted(self, first_run_user: FirstRunUser) -> None:
        agent = wait_until(lambda: agent_of(first_run_user.serving))
        victim = first_run_user.serving.child("api")
        offspring = victim.children()
        victim.kill()
        first_run_user.serving.wait_for('"process":"api"')
        assert psutil.wait_procs([victim, *offspring], timeout=PATIENCE)[1] == []
        wait_until(first_run_user.serving.is_ready)
        review = first_run_user.wait_for_review("Social post")
        first_run_user.approve(review)
        first_run_user.serving.wait_for(f"approved “{review['title']}”")
        assert agent.is_running()

    def test_the_agent_is_killed(self, first_run_user: FirstRunUser) -> None:
        """It's restarted with another key, and the deliveries find it."""
        former = wait_until(lambda: agent_of(first_run_user.serving))
        key = former.environ()["SIGNOFF_API_KEY"]
        address = agent_named(first_run_user, "Content agent")["webhookUrl"]
        former.kill()
        again = wait_until(lambda: (agent := agent_of(first_run_user.serving)) and agent.pid != former.pid and agent)
        wait_until(lambda: "SIGNOFF_API_KEY" in again.environ())
        assert again.environ()["SIGNOFF_API_KEY"] != key
        assert not [name for name in again.environ() if name.startswith("SIGNOFF_DATA")]
        with httpx.Client(
            base_url=first_run_user.serving.api, headers={"x-api-key": key}, timeout=60
        ) as with_the_former:
            wait_until(lambda: with_the_former.get("/authCheck").status_code == 401)
        assert agent_named(first_run_user, "Content agent")["webhookUrl"] == address
        assert [key["name"] for key in first_run_user.get("/apiKeys")["items"]] == ["Demo agent"]
        review = first_run_user.wait_for_review("Invoice approval")
        first_run_user.approve(review)
        first_run_user.serving.wait_for(f"approved “{review['title']}”")


POST: dict[str, Any] = {
    "headline": "Sale",
    "text": "One. Two! Three. Four.",
    "photo": "http://x/media/1",
    "where": "blog",
    "rows": [1, 2, 3],
    "confidence": 3,
    "really": True,
    "when": "2026-12-01",
    "absent": None,
    "draft": {"subject": "Hm", "kept": 1},
}
FIELDS: list[dict[str, Any]] = [
    {"id": "headline", "type": "text"},
    {"id": "text", "type": "markdown"},
    {"id": "photo", "type": "image"},
    {"id": "where", "type": "buttons", "options": [{"id": "blog"}, {"id": "mail"}]},
    {"id": "rows", "type": "list"},
    {"id": "confidence", "type": "rating"},
    {"id": "really", "type": "boolean"},
    {"id": "when", "type": "date"},
    {"id": "absent", "type": "text"},
    {"id": "subject", "type": "text", "path": "draft.subject"},
]
WARMER = "So glad you're here! Hm\n\nWarmly, everyone at Mill Street Pottery"


class TestAnotherDraft:
    """In a real agent, a language model would write it."""

    @pytest.mark.parametrize(
        ("instructions", "fields", "expected"),
        [
            ("much shorter", [], {"text": "One. Two!"}),
            ('replace "two" with "2"', [], {"text": "One. 2! Three. Four."}),
            ("say “zwei” instead of “Two”", ["text"], {"text": "One. zwei! Three. Four."}),
            ("mention the weather", ["headline"], {"headline": "Sale\n\nMention the weather."}),
            ("another picture", ["photo"], {"photo": "http://x/media/2"}),
            ("not there", ["where", "rows"], {"where": "mail", "rows": [2, 3, 1]}),
            ("warmer", ["subject"], {"draft": {"subject": WARMER, "kept": 1}}),
            ("make it 5", ["confidence"], {"confidence": 5}),
            ("hm", ["confidence", "really"], {"confidence": 2, "really": False}),
            ("", ["when", "absent", "unknown"], {"text": "One. Two! Three. Four.\n\nOnce more, with feeling."}),
        ],
    )
    def test_by_instructions(self, instructions: str, fields: list[str], expected: dict[str, Any]) -> None:
        pictures = ["http://x/media/1", "http://x/media/2"]
        assert revise(POST, FIELDS, instructions, fields, pictures) == {**POST, **expected}

    @given(
        st.dictionaries(
            st.sampled_from([field["id"] for field in FIELDS]),
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.lists(st.text()),
        ),
        st.text() | st.sampled_from(["shorter", "warmer", "formal and plain", 'replace "a" with "a"', "5"]),
        st.lists(st.sampled_from([*(field["id"] for field in FIELDS), "missing"])),
    )
    def test_is_always_different(self, data: dict[str, Any], instructions: str, fields: list[str]) -> None:
        revised = revise(data, FIELDS, instructions, fields, [])
        assert [name for name, value in revised.items() if value is not None and value != data.get(name)]


@given(st.text())
def test_control_characters_are_not_printed(text: str) -> None:
    assert plain(text).isprintable()
    assert quote(text).isprintable()
    assert len(quote(text)) <= 80


@given(st.text(), st.booleans())
def test_every_message_gets_a_reply(text: str, asked_before: bool) -> None:
    assert reply_to(text, asked_before=asked_before).text.strip()
