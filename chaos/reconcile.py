"""Whether everything adds up. Each rule reads the evidence and names what disagrees; none knows how it was gathered."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from chaos.evidence import Call, Delivery, Event, Evidence, RequestedReview, Review, group_by, tool_response

Rule = Callable[[Evidence], Iterator[str]]
RULES: dict[str, Rule] = {}

DECISIONS = ("review.approved", "review.rejected")


def rule(promise: str) -> Callable[[Rule], Rule]:
    def keep(function: Rule) -> Rule:
        RULES[promise] = function
        return function

    return keep


def reconcile(evidence: Evidence) -> dict[str, list[str]]:
    """What disagrees, by promise; a promise that was kept has an empty list."""
    return {promise: list(check(evidence)) for promise, check in RULES.items()}


@rule("every accepted request exists, once")
def _check_accepted_once(evidence: Evidence) -> Iterator[str]:
    stored = group_by(evidence.reviews, "nonce")
    for request in evidence.requests:
        there = [review.review_id for review in stored.get(request.nonce, [])]
        if not request.review_ids:
            yield f"request {request.key} was never answered; stored for it: {there}"
        elif len(request.review_ids) > 1:
            yield f"request {request.key} was answered with several reviews: {sorted(request.review_ids)}"
        elif there != list(request.review_ids):
            yield f"request {request.key} was answered with {sorted(request.review_ids)}; stored: {there}"


@rule("nothing exists that nobody asked for")
def _check_requests(evidence: Evidence) -> Iterator[str]:
    nonces = {request.nonce for request in evidence.requests}
    for review in evidence.reviews:
        if review.nonce not in nonces:
            yield f"review {review.review_id} was asked for by nobody ({review.nonce})"
    if evidence.requests_metered != (expected := len(evidence.reviews) + sum(r.revision - 1 for r in evidence.reviews)):
        yield f"{evidence.requests_metered} requests were metered, {expected} are stored"


@rule("every update made one revision")
def _check_revisions(evidence: Evidence) -> Iterator[str]:
    updates = group_by(evidence.updates, "review_id")
    for review in evidence.reviews:
        expected = [update.nonce for update in updates.get(review.review_id, [])]
        if not all(update.accepted for update in updates.get(review.review_id, [])):
            yield f"an update of {review.review_id} was never answered"
        elif review.revision != 1 + len(expected) or (expected and review.nonces[1:] != expected):
            yield f"review {review.review_id} is at revision {review.revision}, with {review.nonces}; sent: {expected}"


@rule("every accepted decision stands")
def _check_decisions_kept(evidence: Evidence) -> Iterator[str]:
    reviews = {review.review_id: review for review in evidence.reviews}
    for decided in evidence.decisions:
        review = reviews.get(decided.review_id)
        if decided.outcome == "unknown":
            yield f"{decided.user_id} never learned what became of the decision on {decided.review_id}"
        elif decided.outcome == "accepted" and (
            review is None
            or (review.state, review.user_id, review.response) != ("responded", decided.user_id, decided.response)
        ):
            yield f"{decided.user_id} {decided.response} {decided.review_id}, which is {review}"


@rule("no review was decided twice")
def _check_decided_once(evidence: Evidence) -> Iterator[str]:
    decisions = group_by([decided for decided in evidence.decisions if decided.outcome == "accepted"], "review_id")
    requests = {review_id: request for request in evidence.requests for review_id in request.review_ids}
    completed = Counter(event.review_id for event in evidence.events if event.event == "review.completed")
    for review in evidence.reviews:
        responded = int(review.state == "responded")
        request = requests.get(review.review_id)
        by_people = len(decisions.get(review.review_id, []))
        by_itself = int(request is not None and request.auto_approved)
        if by_people + by_itself != responded:
            yield f"review {review.review_id} is {review.state}; decisions accepted: {by_people + by_itself}"
        if completed[review.review_id] != responded:
            yield f"review {review.review_id} is {review.state}; completed events: {completed[review.review_id]}"


@rule("of two who decide at once, one is refused")
def _check_concurrent_decisions(evidence: Evidence) -> Iterator[str]:
    for review_id, both in group_by([each for each in evidence.decisions if each.is_concurrent], "review_id").items():
        outcomes = sorted(each.outcome for each in both)
        if outcomes != ["accepted"] + ["conflict"] * (len(both) - 1):
            yield f"review {review_id} was decided at once by {len(both)}, with {outcomes}"


@rule("every event reached the receiver, and its delivery succeeded")
def _check_events_arrived(evidence: Evidence) -> Iterator[str]:
    deliveries = {delivery.delivery_id: delivery for delivery in evidence.deliveries}
    taken = {(call.event_id, call.delivery_id) for call in evidence.calls if call.is_accepted}
    for event in evidence.events:
        delivery = deliveries.get(event.delivery_id or "")
        if delivery is None:
            yield f"event {event.event_id} ({event.event}) has no delivery"
            continue
        if delivery.status != "succeeded":
            yield f"delivery {delivery.delivery_id} of {event.event_id} is {delivery.status}"
        if (event.event_id, delivery.delivery_id) not in taken:
            yield f"the receiver never took event {event.event_id} ({event.event}), {delivery.delivery_id}"
    for name, count in (
        Counter(e.event_id for e in evidence.events) - Counter({e.event_id for e in evidence.events})
    ).items():
        yield f"event {name} was listed {count + 1} times"
    known = {event.delivery_id for event in evidence.events}
    for delivery_id, delivery in deliveries.items():
        if delivery.target == "agent" and delivery_id not in known:
            yield f"delivery {delivery_id} belongs to no event"


@rule("what arrived is what was decided")
def _check_decisions_delivered(evidence: Evidence) -> Iterator[str]:
    """Response, person and values: in every copy that reached a receiver, and in the event that is pulled."""
    stories = _check_event_content(evidence)
    told: list[Call | Event] = [*evidence.calls, *evidence.events]
    for each in told:
        if each.event != "review.completed":
            continue
        place = f"{each.event_id} ({each.target if isinstance(each, Call) else 'pulled'})"
        review_id = each.body.get("reviewId")
        if review_id not in stories:
            yield f"event {place} is about {review_id}, which nobody decided"
            continue
        result = each.body.get("reviewResult") or {}
        found = {
            "response": result.get("response"),
            "user": result.get("respondingUserId"),
            "data": result.get("data"),
            "arguments": result.get("approvedArguments"),
            "nonce": (each.body.get("meta") or {}).get("nonce"),
        }
        if found != (expected := stories[review_id]):
            yield f"event {place} of {review_id} says {found}, decided was {expected}"


def _check_event_content(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """What an event has to say of each review that was decided."""
    requests = {review_id: request for request in evidence.requests for review_id in request.review_ids}
    updates = group_by(evidence.updates, "review_id")
    by_people = {each.review_id: each for each in evidence.decisions if each.outcome == "accepted"}
    stories: dict[str, dict[str, Any]] = {}
    for review_id, request in requests.items():
        latest = [request, *updates.get(review_id, [])][-1]
        if (decided := by_people.get(review_id)) is not None:
            stories[review_id] = _expected_content(latest, decided.response, decided.user_id, decided.edits)
        elif request.auto_approved:
            stories[review_id] = _expected_content(latest, "approved", "system", {})
    return stories


def _expected_content(content: Any, response: str, user_id: str, edits: dict[str, Any]) -> dict[str, Any]:
    data = content.data | edits
    return {
        "response": response,
        "user": user_id,
        "data": data,
        "arguments": data if response == "approved" else None,
        "nonce": content.nonce,
    }


@rule("every retry and every message was told once")
def _check_one_event_each(evidence: Evidence) -> Iterator[str]:
    retries = Counter(
        (event.review_id, retry.get("instructions"))
        for event in evidence.events
        if event.event == "review.retry_requested" and (retry := event.body.get("retry") or {}) is not None
    )
    for retried in evidence.retries:
        if (count := retries.pop((retried.review_id, retried.instructions), 0)) != 1:
            yield f"{retried.user_id} requested changes of {retried.review_id}; events: {count}"
    for (review_id, instructions), count in retries.items():
        yield f"{count} events say that changes of {review_id} were requested ({instructions}); nobody did"
    messages = Counter(
        (message.get("id"), message.get("text"))
        for event in evidence.events
        if event.event == "session.human_message" and (message := event.body.get("message") or {}) is not None
    )
    for message in evidence.messages:
        if (count := messages.pop((message.message_id, message.nonce), 0)) != 1:
            yield f"message {message.message_id} ({message.nonce}) was told by {count} events"
    for (message_id, text), count in messages.items():
        yield f"{count} events tell of message {message_id} ({text}), which is not there"


@rule("the tool is called for what was approved, and its answer reaches the agent")
def _check_tools(evidence: Evidence) -> Iterator[str]:
    request = {review_id: request for request in evidence.requests for review_id in request.review_ids}
    deliveries = group_by([each for each in evidence.deliveries if each.target == "tool"], "review_id")
    taken = {call.delivery_id for call in evidence.calls if call.is_accepted and call.target == "tool"}
    events = {event.review_id: event for event in evidence.events if event.event == "review.completed"}
    for review in evidence.reviews:
        of_tool: list[Delivery] = deliveries.pop(review.review_id, [])
        expected = int(_uses_tool(request.get(review.review_id), review))
        if len(of_tool) != expected:
            yield f"review {review.review_id} is {review.response}; tool deliveries: {len(of_tool)}, not {expected}"
        for delivery in of_tool:
            if delivery.delivery_id not in taken:
                yield f"the tool never took {delivery.delivery_id} of {review.review_id}"
        event = events.get(review.review_id)
        if event is not None:
            yield from _tool_result(evidence, event, of_tool)
    for review_id in deliveries:
        yield f"the tool was called for {review_id}, which is not there"


def _uses_tool(request: RequestedReview | None, review: Review) -> bool:
    return request is not None and request.uses_tool and review.response == "approved"


def _tool_result(evidence: Evidence, event: Event, of_tool: list[Delivery]) -> Iterator[str]:
    """There exactly if the first attempt succeeded that wasn't repeated at once, and the tool's own answer for this
    review. An attempt that was assumed lost, and whose response came before it was repeated, is the last one.
    """
    assert event.review_id is not None
    decisive = [
        next((attempt for attempt in delivery.attempts if not attempt.is_repeated_at_once), delivery.attempts[-1])
        for delivery in of_tool
        if delivery.attempts
    ]
    answered_first = any(attempt.ok for attempt in decisive)
    expected = {"toolResult": tool_response(event.review_id)} if answered_first else {}
    sent = [call.body for call in evidence.calls if call.event_id == event.event_id and call.target == "agent"]
    for body in (event.body, *sent):
        found = {name: body[name] for name in ("toolResult",) if name in body}
        if found != expected:
            yield f"event {event.event_id} of {event.review_id} has {found}, expected: {expected}"


@rule("the audit webhook gets a copy of every event")
def _check_audit_copies(evidence: Evidence) -> Iterator[str]:
    copies = Counter(call.event_id for call in evidence.calls if call.is_accepted and call.target == "audit")
    deliveries = Counter(delivery.event for delivery in evidence.deliveries if delivery.target == "audit")
    for event in evidence.events:
        if not copies[event.event_id]:
            yield f"the audit webhook never took {event.event_id} ({event.event})"
    if deliveries != (expected := Counter(event.event for event in evidence.events)):
        yield f"the audit webhook has the deliveries {dict(deliveries)}, expected: {dict(expected)}"
    for delivery in evidence.deliveries:
        if delivery.target != "agent" and delivery.status != "succeeded":
            yield f"delivery {delivery.delivery_id} to {delivery.target} is {delivery.status}"


LIVE = "a live stream shows every review as it is"


@rule(LIVE)
def _check_live_stream(evidence: Evidence) -> Iterator[str]:
    for review in evidence.reviews:
        if (seen := evidence.live.get(review.review_id)) != review.state:
            yield f"the stream last said that {review.review_id} is {seen}; it is {review.state}"
    if evidence.live_resets:
        yield f"the stream gave up {evidence.live_resets} times and said to read everything again"


@rule("every delivery record agrees with what the receiver saw")
def _check_attempt_records(evidence: Evidence) -> Iterator[str]:
    calls = group_by(evidence.calls, "delivery_id")
    for delivery in evidence.deliveries:
        seen = Counter(call.status for call in calls.pop(delivery.delivery_id, []))
        told = Counter(attempt.status for attempt in delivery.attempts if attempt.status is not None)
        unclear = sum(attempt.may_have_arrived for attempt in delivery.attempts)
        story = f"seen {dict(seen)}, recorded {[(a.status, a.error) for a in delivery.attempts]}"
        if invented := told - seen:
            yield f"delivery {delivery.delivery_id} records answers that nobody gave, {dict(invented)}: {story}"
        if (seen - told).total() > unclear:
            yield f"delivery {delivery.delivery_id}: the receiver saw calls that no attempt accounts for: {story}"
        yield from _check_delivery(delivery)
    for delivery_id in calls:
        yield f"the receiver got {delivery_id}, which the service does not know"


def _check_delivery(delivery: Delivery) -> Iterator[str]:
    """The record agrees with itself."""
    last = delivery.attempts[-1] if delivery.attempts else None
    if delivery.attempt_count != sum(attempt.counts for attempt in delivery.attempts):
        yield f"delivery {delivery.delivery_id} counts {delivery.attempt_count} of {len(delivery.attempts)} attempts"
    if (delivery.status == "succeeded") != (last is not None and last.ok):
        yield f"delivery {delivery.delivery_id} is {delivery.status} after {last}"
    if any(attempt.is_known_success for attempt in delivery.attempts[:-1]):
        yield f"delivery {delivery.delivery_id} was tried again after it had succeeded: {delivery.attempts}"


@rule("every repetition is the same call, and genuine")
def _check_repeated_calls(evidence: Evidence) -> Iterator[str]:
    for delivery_id, calls in group_by(evidence.calls, "delivery_id").items():
        if len({(call.event_id, call.digest) for call in calls}) > 1:
            yield f"delivery {delivery_id} came with different bodies: {sorted({call.digest for call in calls})}"
        if not all(call.genuine for call in calls):
            yield f"delivery {delivery_id} came with a signature that is wrong"


@rule("the audit log is complete")
def _check_audit_log(evidence: Evidence) -> Iterator[str]:
    entries = Counter(evidence.audit)
    retries = Counter(retry.review_id for retry in evidence.retries)
    for review in evidence.reviews:
        expected = {
            "review.requested": 1,
            "review.updated": review.revision - 1,
            "review.retry_requested": retries[review.review_id],
            **{decision: int(decision == f"review.{review.response}") for decision in DECISIONS},
        }
        found = {action: entries[action, review.review_id] for action in expected}
        if found != expected:
            yield f"review {review.review_id} has the entries {found}, expected: {expected}"
    for session_id, messages in group_by(evidence.messages, "session_id").items():
        if (found_here := entries["session.message", session_id]) != len(messages):
            yield f"session {session_id} has {len(messages)} messages, and {found_here} entries"


@rule("every chat message is there, once and in order")
def _check_messages(evidence: Evidence) -> Iterator[str]:
    stored = group_by(evidence.messages, "nonce")
    written = {each.nonce: each for each in evidence.sent_messages}
    for each in evidence.sent_messages:
        there = [message.message_id for message in stored.get(each.nonce, [])]
        if len(each.message_ids) != 1 or there != list(each.message_ids):
            yield f"message {each.key} was answered with {sorted(each.message_ids)}; stored: {there}"
    for session_id, messages in group_by(evidence.messages, "session_id").items():
        if [message.number for message in messages] != list(range(1, len(messages) + 1)):
            yield f"session {session_id} has messages numbered {[message.number for message in messages]}"
        places = [written[message.nonce].place for message in messages if message.nonce in written]
        if places != sorted(places):
            yield f"session {session_id} has messages in another order than they were written: {places}"
        if strangers := [message.message_id for message in messages if message.nonce not in written]:
            yield f"session {session_id} has messages that nobody wrote: {strangers}"


@rule("chat messages arrived in their order")
def _check_message_order(evidence: Evidence) -> Iterator[str]:
    first_call: dict[str, int] = {}
    first_success: dict[str, int] = {}
    for moment, call in enumerate(evidence.calls):
        first_call.setdefault(call.delivery_id, moment)
        if _is_success(call.status):
            first_success.setdefault(call.delivery_id, moment)
    for target in ("agent", "audit"):
        in_line = [each for each in evidence.deliveries if each.line_number is not None and each.target == target]
        for session_id, deliveries in group_by(in_line, "session_id").items():
            ordered = [each.delivery_id for each in sorted(deliveries, key=lambda each: each.line_number)]
            for earlier, later in pairwise(ordered):
                if later in first_call and first_call[later] < first_success.get(earlier, len(evidence.calls)):
                    yield f"session {session_id}, {target}: {later} came before {earlier} was taken"


@rule("all media is there and can be read")
def _check_media(evidence: Evidence) -> Iterator[str]:
    reviews = {review.review_id: review for review in evidence.reviews}
    for request in evidence.requests:
        for review_id in request.review_ids & reviews.keys():
            for picture in request.pictures:
                copy = reviews[review_id].copies.get(picture)
                if copy is None:
                    yield f"review {review_id} has no copy of {picture}"
                elif copy in evidence.unreadable:
                    yield f"review {review_id}: {copy} cannot be read: {evidence.unreadable[copy]}"


@rule("every call was answered in the end, as it should be")
def _check_responses(evidence: Evidence) -> Iterator[str]:
    yield from evidence.unexpected_responses


@rule("no client saw an internal error")
def _check_no_internal_errors(evidence: Evidence) -> Iterator[str]:
    """What cannot be done now is refused with 502, 503 or 504; a 500 is a fault of ours."""
    for answer, count in evidence.status_counts.items():
        if answer.endswith(" 500"):
            yield f"{answer}, {count} times"


@rule("no process failed in a way that it did not foresee")
def _check_logs(evidence: Evidence) -> Iterator[str]:
    yield from evidence.errors


@rule("a rate is kept, with Redis and without")
def _check_rate_limit(evidence: Evidence) -> Iterator[str]:
    if evidence.rated.get("200", 0) > evidence.rated.get("allowed", 0):
        yield f"{evidence.rated['200']} calls succeeded, at most {evidence.rated['allowed']} should have"
    if evidence.rated and not evidence.rated.get("200"):
        yield "not one call of the account with a rate succeeded"


@rule("nothing is under way any more")
def _check_nothing_unfinished(evidence: Evidence) -> Iterator[str]:
    yield from evidence.unfinished


@rule("no connection, transaction or lock is left over")
def _check_no_leftovers(evidence: Evidence) -> Iterator[str]:
    yield from evidence.leftovers


def _is_success(status: int | None) -> bool:
    return status is not None and 200 <= status < 300
