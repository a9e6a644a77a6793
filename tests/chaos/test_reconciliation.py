"""Every rule of the reconciliation can fail: a correct record, and records that each break one rule."""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from chaos.evidence import (
    LOST,
    Attempt,
    Call,
    Decision,
    Delivery,
    Event,
    Evidence,
    Message,
    RequestedReview,
    RetryRequest,
    Review,
    SentMessage,
    UpdatedReview,
    tool_response,
)
from chaos.reconcile import LIVE, RULES, reconcile
from chaos.report import report

PICTURE, COPY = "http://127.0.0.1/pictures/n1-0.png", "http://127.0.0.1/media/n1.png"


def completed(review_id: str, response: str, user_id: str, data: dict[str, Any], nonce: str, **more: Any) -> Any:
    approved = {"approvedArguments": copy.deepcopy(data)} if response == "approved" else {}
    result = {"response": response, "respondingUserId": user_id, "data": data, **approved}
    return {"reviewId": review_id, "reviewResult": result, "meta": {"nonce": nonce}, **more}


BODIES: dict[str, dict[str, Any]] = {
    "evt_1": completed("rev_1", "approved", "usr_a", {"headline": "Better", "score": 7}, "n1"),
    "evt_2": {"reviewId": "rev_2", "retry": {"instructions": "Shorter."}},
    "evt_3": completed("rev_2", "rejected", "usr_b", {"headline": "Two again"}, "n4"),
    "evt_4": completed("rev_3", "approved", "system", {"headline": "Three"}, "n3"),
    "evt_5": {"message": {"id": "msg_1", "text": "n5"}},
    "evt_6": {"message": {"id": "msg_2", "text": "n6"}},
}
WITH_RESULT = BODIES | {"evt_1": BODIES["evt_1"] | {"toolResult": tool_response("rev_1")}}
"""As the agent gets them. The tool answered for the first review at once, and not for the third."""
EVENTS = {
    "evt_1": "review.completed",
    "evt_2": "review.retry_requested",
    "evt_3": "review.completed",
    "evt_4": "review.completed",
    "evt_5": "session.human_message",
    "evt_6": "session.human_message",
}


def call(delivery_id: str, event_id: str, status: int | None, target: str = "agent", chat: str | None = None) -> Call:
    body = copy.deepcopy((WITH_RESULT if target == "agent" else BODIES)[event_id])
    return Call(delivery_id, event_id, EVENTS[event_id], event_id[-2:], True, status, chat, target, body)


def delivery(
    number: int, event_id: str, *attempts: Attempt, review: str | None = None, target: str = "agent"
) -> Delivery:
    chat, line = ("chat-1", number - 4) if review is None and target == "agent" else (None, None)
    attempt_list = list(attempts or (Attempt(True, 200),))
    return Delivery(
        f"whd_{number}", EVENTS[event_id], "succeeded", len(attempt_list), attempt_list, review, chat, line, target
    )


def sound() -> Evidence:
    """A review with an image that two users decided at once, one that was updated, one auto-approved, and a chat.

    The first and the third have a tool, and the tool's first call for the third failed.
    """
    lost = "The worker stopped during this attempt. We don't know whether the event arrived."
    ok = Attempt(True, 200)
    return Evidence(
        requests=[
            RequestedReview(
                "key-1",
                "n1",
                {"headline": "One", "score": 7},
                pictures=[PICTURE],
                uses_tool=True,
                attempts_made=2,
                review_ids={"rev_1"},
            ),
            RequestedReview("key-2", "n2", {"headline": "Two"}, attempts_made=1, review_ids={"rev_2"}),
            RequestedReview(
                "key-3",
                "n3",
                {"headline": "Three"},
                auto_approved=True,
                uses_tool=True,
                attempts_made=1,
                review_ids={"rev_3"},
            ),
        ],
        updates=[UpdatedReview("key-4", "n4", "rev_2", {"headline": "Two again"}, accepted=True)],
        retries=[RetryRequest("rev_2", "usr_b", "Shorter.")],
        decisions=[
            Decision("rev_1", "usr_a", "approved", {"headline": "Better"}, "accepted", is_concurrent=True),
            Decision("rev_1", "usr_b", "rejected", {}, "conflict", is_concurrent=True),
            Decision("rev_2", "usr_b", "rejected", {}, "accepted"),
        ],
        sent_messages=[
            SentMessage("chat-1", "key-5", "n5", 1, {"msg_1"}),
            SentMessage("chat-1", "key-6", "n6", 2, {"msg_2"}),
        ],
        status_counts={"POST /requestReview 200": 4, "POST /requestReview 503": 1},
        rated={"200": 12, "429": 30, "allowed": 40},
        live={"rev_1": "responded", "rev_2": "responded", "rev_3": "responded"},
        calls=[
            call("whd_1", "evt_1", 500),
            call("whd_2", "evt_2", 200),
            call("whd_1", "evt_1", 200),
            call("whd_3", "evt_3", None),
            call("whd_5", "evt_5", 200, chat="chat-1"),
            call("whd_3", "evt_3", 200),
            call("whd_4", "evt_4", 200),
            call("whd_6", "evt_6", 200, chat="chat-1"),
            call("whd_7", "evt_1", 200, "tool"),
            call("whd_8", "evt_4", 500, "tool"),
            call("whd_8", "evt_4", 200, "tool"),
            *(call(f"whd_1{number}", f"evt_{number}", 200, "audit") for number in range(1, 7)),
        ],
        reviews=[
            Review("rev_1", "n1", "responded", 1, "approved", "usr_a", "whd_1", {PICTURE: COPY}, ["n1"]),
            Review("rev_2", "n2", "responded", 2, "rejected", "usr_b", "whd_3", {}, ["n2", "n4"]),
            Review("rev_3", "n3", "responded", 1, "approved", "system", "whd_4", {}, ["n3"]),
        ],
        deliveries=[
            delivery(1, "evt_1", Attempt(False, 500), ok, review="rev_1"),
            delivery(2, "evt_2", review="rev_2"),
            delivery(3, "evt_3", Attempt(False, error=lost), ok, review="rev_2"),
            delivery(4, "evt_4", review="rev_3"),
            delivery(5, "evt_5"),
            delivery(6, "evt_6"),
            delivery(7, "evt_1", review="rev_1", target="tool"),
            delivery(8, "evt_4", Attempt(False, 500), ok, review="rev_3", target="tool"),
            *(delivery(10 + number, f"evt_{number}", target="audit") for number in range(1, 7)),
        ],
        events=[
            Event(
                event_id,
                EVENTS[event_id],
                body.get("reviewId"),
                f"whd_{event_id[-1]}",
                None if "reviewId" in body else "chat-1",
                copy.deepcopy(body),
            )
            for event_id, body in WITH_RESULT.items()
        ],
        messages=[Message("chat-1", "msg_1", 1, "n5"), Message("chat-1", "msg_2", 2, "n6")],
        audit=[
            ("review.requested", "rev_1"),
            ("review.requested", "rev_2"),
            ("review.requested", "rev_3"),
            ("review.retry_requested", "rev_2"),
            ("review.updated", "rev_2"),
            ("review.approved", "rev_1"),
            ("review.rejected", "rev_2"),
            ("review.approved", "rev_3"),
            ("session.message", "chat-1"),
            ("session.message", "chat-1"),
        ],
        requests_metered=4,
    )


Tamper = Callable[[Evidence], Any]

ONCE = "every accepted request exists, once"
ASKED_FOR = "nothing exists that nobody asked for"
REVISIONS = "every update made one revision"
STANDS = "every accepted decision stands"
DECIDED_ONCE = "no review was decided twice"
AT_ONCE = "of two who decide at once, one is refused"
ARRIVED = "every event reached the receiver, and its delivery succeeded"
DELIVERED = "what arrived is what was decided"
TOLD = "every retry and every message was told once"
TOOLS = "the tool is called for what was approved, and its answer reaches the agent"
COPIES = "the audit webhook gets a copy of every event"
AGREES = "every delivery record agrees with what the receiver saw"
SAME = "every repetition is the same call, and genuine"
AUDIT = "the audit log is complete"
CHAT = "every chat message is there, once and in order"
CHAT_ORDER = "chat messages arrived in their order"
MEDIA = "all media is there and can be read"
ANSWERED = "every call was answered in the end, as it should be"
UNFORESEEN = "no process failed in a way that it did not foresee"
NO_500 = "no client saw an internal error"
RATE = "a rate is kept, with Redis and without"
FINISHED = "nothing is under way any more"
LEFT = "no connection, transaction or lock is left over"

DOCTORED: list[tuple[str, str, Tamper]] = [
    (ONCE, "a review is missing", lambda e: e.reviews.pop(0)),
    (ONCE, "a request made two", lambda e: e.reviews.append(Review("rev_9", "n1", "pending", 1))),
    (ONCE, "a request was answered with two", lambda e: e.requests[0].review_ids.add("rev_9")),
    (ONCE, "another was answered than stored", lambda e: setattr(e.requests[0], "review_ids", {"rev_9"})),
    (ONCE, "a request was never answered", lambda e: e.requests[0].review_ids.clear()),
    (ASKED_FOR, "a review out of nowhere", lambda e: e.reviews.append(Review("rev_9", "n9", "pending", 1))),
    (ASKED_FOR, "a review without a mark", lambda e: setattr(e.reviews[0], "nonce", None)),
    (ASKED_FOR, "metered twice", lambda e: setattr(e, "requests_metered", 5)),
    (REVISIONS, "an update is missing", lambda e: setattr(e.reviews[1], "revision", 1)),
    (REVISIONS, "an update was stored twice", lambda e: setattr(e.reviews[1], "revision", 3)),
    (REVISIONS, "an update has other content", lambda e: setattr(e.reviews[1], "nonces", ["n2", "n9"])),
    (REVISIONS, "an update was never answered", lambda e: setattr(e.updates[0], "accepted", False)),
    (STANDS, "a decision is lost", lambda e: setattr(e.reviews[0], "state", "pending")),
    (STANDS, "a decision is another's", lambda e: setattr(e.reviews[0], "user_id", "usr_b")),
    (STANDS, "a decision is the opposite", lambda e: setattr(e.reviews[0], "response", "rejected")),
    (STANDS, "a decision without an answer", lambda e: setattr(e.decisions[2], "outcome", "unknown")),
    (STANDS, "the review is gone", lambda e: e.reviews.pop(1)),
    (DECIDED_ONCE, "two were accepted", lambda e: setattr(e.decisions[1], "outcome", "accepted")),
    (DECIDED_ONCE, "decided by nobody", lambda e: e.decisions.pop(2)),
    (DECIDED_ONCE, "two events", lambda e: e.events.append(Event("evt_9", "review.completed", "rev_1", "whd_1"))),
    (DECIDED_ONCE, "no event", lambda e: e.events.pop(0)),
    (AT_ONCE, "both accepted", lambda e: setattr(e.decisions[1], "outcome", "accepted")),
    (AT_ONCE, "both refused", lambda e: setattr(e.decisions[0], "outcome", "conflict")),
    (ARRIVED, "a delivery is dead", lambda e: setattr(e.deliveries[0], "status", "dead")),
    (ARRIVED, "a delivery is missing", lambda e: e.deliveries.pop(0)),
    (ARRIVED, "no delivery at all", lambda e: setattr(e.events[0], "delivery_id", None)),
    (ARRIVED, "the receiver never took it", lambda e: setattr(e.calls[2], "status", 500)),
    (ARRIVED, "the receiver got another event", lambda e: setattr(e.calls[6], "event_id", "evt_9")),
    (ARRIVED, "an event is listed twice", lambda e: e.events.append(copy.copy(e.events[1]))),
    (ARRIVED, "a delivery of nothing", lambda e: e.deliveries.append(Delivery("whd_9", "x", "dead", 0, []))),
    *[
        (DELIVERED, f"{what} in call {place}", lambda e, place=place, change=change: change(e.calls[place].body))
        for place in (2, 5, 6, 8, 11)
        for what, change in [
            ("another response", lambda body: body["reviewResult"].update(response="other")),
            ("another person", lambda body: body["reviewResult"].update(respondingUserId="usr_z")),
            ("other values", lambda body: body["reviewResult"]["data"].update(headline="Worse")),
            ("other arguments", lambda body: body["reviewResult"].update(approvedArguments={"headline": "Worse"})),
            ("a value more", lambda body: body["reviewResult"]["data"].update(amount=1)),
            ("another request", lambda body: body["meta"].update(nonce="n9")),
            ("another review", lambda body: body.update(reviewId="rev_2" if body["reviewId"] == "rev_1" else "rev_1")),
        ]
    ],
    (DELIVERED, "the edits are lost", lambda e: e.events[0].body["reviewResult"]["data"].update(headline="One")),
    (DELIVERED, "the first content", lambda e: e.events[2].body["reviewResult"]["data"].update(headline="Two")),
    (DELIVERED, "nobody decided it", lambda e: e.decisions.pop(2)),
    (TOLD, "a retry was never told", lambda e: e.events.pop(1)),
    (TOLD, "a retry was told twice", lambda e: e.events.append(copy.copy(e.events[1]))),
    (TOLD, "other instructions", lambda e: e.events[1].body["retry"].update(instructions="Longer.")),
    (TOLD, "a retry of nobody", lambda e: e.retries.pop()),
    (TOLD, "a message was never told", lambda e: e.events.pop()),
    (TOLD, "a message was told twice", lambda e: e.events.append(copy.copy(e.events[5]))),
    (TOLD, "another message", lambda e: e.events[5].body["message"].update(text="n5")),
    (TOOLS, "the tool was not called", lambda e: e.deliveries.pop(6)),
    (TOOLS, "the tool never took it", lambda e: setattr(e.calls[8], "status", 500)),
    (TOOLS, "called twice", lambda e: e.deliveries.append(copy.copy(e.deliveries[6]))),
    (TOOLS, "called for a rejected one", lambda e: setattr(e.reviews[0], "response", "rejected")),
    (TOOLS, "called where there is none", lambda e: setattr(e.requests[0], "uses_tool", False)),
    (TOOLS, "called for no review", lambda e: setattr(e.deliveries[6], "review_id", "rev_9")),
    (TOOLS, "the result of another", lambda e: e.calls[2].body.update(toolResult=tool_response("rev_3x"))),
    (TOOLS, "the result is lost", lambda e: e.calls[2].body.pop("toolResult")),
    (TOOLS, "the result is lost when pulled", lambda e: e.events[0].body.pop("toolResult")),
    (TOOLS, "a result without an answer", lambda e: e.events[3].body.update(toolResult=None)),
    *[(COPIES, f"copy {place} is missing", lambda e, place=place: e.calls.pop(place)) for place in range(11, 17)],
    (COPIES, "a delivery is missing", lambda e: e.deliveries.pop()),
    (COPIES, "one too many", lambda e: e.deliveries.append(copy.copy(e.deliveries[-1]))),
    (COPIES, "a copy is dead", lambda e: setattr(e.deliveries[-1], "status", "dead")),
    (LIVE, "a review was never shown", lambda e: e.live.pop("rev_1")),
    (LIVE, "a decision was never shown", lambda e: e.live.update(rev_2="pending")),
    (LIVE, "the stream gave up", lambda e: setattr(e, "live_resets", 1)),
    (AGREES, "an answer that nobody gave", lambda e: e.calls.pop(6)),
    (AGREES, "another answer", lambda e: setattr(e.deliveries[0].attempts[0], "status", 502)),
    (AGREES, "a call that is not recorded", lambda e: e.calls.append(copy.copy(e.calls[6]))),
    (AGREES, "an unclear one less", lambda e: setattr(e.deliveries[2].attempts[0], "error", "connection_refused: x")),
    (AGREES, "a stranger at the receiver", lambda e: e.calls.append(Call("whd_9", "evt_9", "x", "gg", True, 200))),
    (AGREES, "miscounted", lambda e: setattr(e.deliveries[0], "attempt_count", 3)),
    (AGREES, "succeeded without a success", lambda e: setattr(e.deliveries[3].attempts[0], "ok", False)),
    (AGREES, "tried again after a success", lambda e: setattr(e.deliveries[0].attempts[0], "ok", True)),
    (
        AGREES,
        "tried again after a success with an error",
        lambda e: vars(e.deliveries[0].attempts[0]).update(ok=True, error="timeout: x"),
    ),
    (SAME, "another body", lambda e: setattr(e.calls[2], "digest", "zz")),
    (SAME, "another event", lambda e: setattr(e.calls[2], "event_id", "evt_9")),
    (SAME, "a wrong signature", lambda e: setattr(e.calls[4], "genuine", False)),
    *[(AUDIT, f"entry {place} is missing", lambda e, place=place: e.audit.pop(place)) for place in range(10)],
    *[
        (AUDIT, f"entry {place} is there twice", lambda e, place=place: e.audit.append(e.audit[place]))
        for place in range(10)
    ],
    (CHAT, "a message is missing", lambda e: e.messages.pop()),
    (CHAT, "a message is there twice", lambda e: e.messages.append(Message("chat-1", "msg_3", 3, "n6"))),
    (CHAT, "a message was answered twice", lambda e: e.sent_messages[0].message_ids.add("msg_9")),
    (CHAT, "a message was never answered", lambda e: e.sent_messages[0].message_ids.clear()),
    (CHAT, "a gap", lambda e: setattr(e.messages[1], "number", 3)),
    (
        CHAT,
        "another order",
        lambda e: (setattr(e.sent_messages[0], "place", 2), setattr(e.sent_messages[1], "place", 1)),
    ),
    (CHAT, "a message of nobody", lambda e: e.messages.append(Message("chat-1", "msg_3", 3, "n9"))),
    (CHAT_ORDER, "the second came first", lambda e: e.calls.insert(0, e.calls.pop(7))),
    (CHAT_ORDER, "the first was refused", lambda e: setattr(e.calls[4], "status", 500)),
    (MEDIA, "no copy", lambda e: e.reviews[0].copies.clear()),
    (MEDIA, "a copy that cannot be read", lambda e: e.unreadable.update({COPY: "404"})),
    (ANSWERED, "gave up", lambda e: e.unexpected_responses.append("POST /requestReview")),
    (NO_500, "an internal error", lambda e: e.status_counts.update({"POST /requestReview 500": 1})),
    (UNFORESEEN, "a worker died", lambda e: e.errors.append("worker-1: ended with KeyError")),
    (RATE, "too many", lambda e: e.rated.update({"200": 41})),
    (RATE, "none at all", lambda e: e.rated.update({"200": 0})),
    (FINISHED, "a job", lambda e: e.unfinished.append("job 1")),
    (LEFT, "a lock", lambda e: e.leftovers.append("a lock")),
]


def test_valid_record_passes() -> None:
    assert {promise: lines for promise, lines in reconcile(sound()).items() if lines} == {}


def test_late_response_passes() -> None:
    """The worker was frozen, another one assumed its attempt lost and retried it, and then the first continued."""
    evidence = sound()
    evidence.calls[3].status = 200
    late = evidence.deliveries[2].attempts[0]
    late.ok, late.status, late.error, late.is_late = True, 200, None, True
    assert reconcile(evidence)[AGREES] == []


OK = Attempt(True, 200)
LOST_ONE = Attempt(False, None, LOST)
LATE = Attempt(True, 200, is_late=True)


@pytest.mark.parametrize(
    ("attempts", "has_result"),
    [([LATE], True), ([LATE, OK], True), ([LOST_ONE, LOST_ONE, OK], True), ([LATE, Attempt(False, 500), OK], False)],
)
def test_event_waits_for_the_attempt_that_repeats_a_lost_one(attempts: list[Attempt], has_result: bool) -> None:
    evidence = sound()
    evidence.deliveries[6].attempts = attempts
    assert (reconcile(evidence)[TOOLS] == []) is has_result


@pytest.mark.parametrize(
    ("promise", "tamper"),
    [(promise, tamper) for promise, _, tamper in DOCTORED],
    ids=[f"{promise}: {what}" for promise, what, _ in DOCTORED],
)
def test_altered_record_fails(promise: str, tamper: Tamper) -> None:
    evidence = sound()
    tamper(evidence)
    result = reconcile(evidence)[promise]
    assert result
    assert result[0] in report(evidence, reconcile(evidence), Counter(), seed=1)


def test_every_rule_can_fail() -> None:
    assert {promise for promise, _, _ in DOCTORED} == set(RULES)
