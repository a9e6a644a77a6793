"""Whether everything adds up. Each rule reads the evidence and names what disagrees; none knows how it was gathered."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from chaos.evidence import Delivery, Evidence, identified

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
def _accepted_once(evidence: Evidence) -> Iterator[str]:
    stored = identified(evidence.reviews, "nonce")
    for asked in evidence.asked:
        there = [review.review_id for review in stored.get(asked.nonce, [])]
        if not asked.review_ids:
            yield f"request {asked.key} was never answered; stored for it: {there}"
        elif len(asked.review_ids) > 1:
            yield f"request {asked.key} was answered with several reviews: {sorted(asked.review_ids)}"
        elif there != list(asked.review_ids):
            yield f"request {asked.key} was answered with {sorted(asked.review_ids)}; stored: {there}"


@rule("nothing exists that nobody asked for")
def _asked_for(evidence: Evidence) -> Iterator[str]:
    nonces = {asked.nonce for asked in evidence.asked}
    for review in evidence.reviews:
        if review.nonce not in nonces:
            yield f"review {review.review_id} was asked for by nobody ({review.nonce})"
    if evidence.requests_metered != (expected := len(evidence.reviews) + sum(r.revision - 1 for r in evidence.reviews)):
        yield f"{evidence.requests_metered} requests were metered, {expected} are stored"


@rule("every update made one revision")
def _revisions(evidence: Evidence) -> Iterator[str]:
    updates = identified(evidence.updated, "review_id")
    for review in evidence.reviews:
        expected = [update.nonce for update in updates.get(review.review_id, [])]
        if not all(update.accepted for update in updates.get(review.review_id, [])):
            yield f"an update of {review.review_id} was never answered"
        elif review.revision != 1 + len(expected) or (expected and review.nonces[1:] != expected):
            yield f"review {review.review_id} is at revision {review.revision}, with {review.nonces}; sent: {expected}"


@rule("every accepted decision stands")
def _decisions_stand(evidence: Evidence) -> Iterator[str]:
    reviews = {review.review_id: review for review in evidence.reviews}
    for decided in evidence.decided:
        review = reviews.get(decided.review_id)
        if decided.outcome == "unknown":
            yield f"{decided.user_id} never learned what became of the decision on {decided.review_id}"
        elif decided.outcome == "accepted" and (
            review is None
            or (review.state, review.user_id, review.response) != ("responded", decided.user_id, decided.response)
        ):
            yield f"{decided.user_id} {decided.response} {decided.review_id}, which is {review}"


@rule("no review was decided twice")
def _decided_once(evidence: Evidence) -> Iterator[str]:
    decisions = identified([decided for decided in evidence.decided if decided.outcome == "accepted"], "review_id")
    asked = {review_id: asked for asked in evidence.asked for review_id in asked.review_ids}
    completed = Counter(event.review_id for event in evidence.events if event.event == "review.completed")
    for review in evidence.reviews:
        responded = int(review.state == "responded")
        request = asked.get(review.review_id)
        by_people = len(decisions.get(review.review_id, []))
        by_itself = int(request is not None and request.auto_approved)
        if by_people + by_itself != responded:
            yield f"review {review.review_id} is {review.state}; decisions accepted: {by_people + by_itself}"
        if completed[review.review_id] != responded:
            yield f"review {review.review_id} is {review.state}; completed events: {completed[review.review_id]}"


@rule("of two who decide at once, one is refused")
def _one_of_two(evidence: Evidence) -> Iterator[str]:
    for review_id, both in identified([each for each in evidence.decided if each.at_once], "review_id").items():
        outcomes = sorted(each.outcome for each in both)
        if outcomes != ["accepted"] + ["conflict"] * (len(both) - 1):
            yield f"review {review_id} was decided at once by {len(both)}, with {outcomes}"


@rule("every event reached the receiver, and its delivery succeeded")
def _events_arrived(evidence: Evidence) -> Iterator[str]:
    deliveries = {delivery.delivery_id: delivery for delivery in evidence.deliveries}
    taken = {(call.event_id, call.delivery_id) for call in evidence.calls if _is_success(call.status) and call.genuine}
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
    for delivery_id in deliveries.keys() - known:
        yield f"delivery {delivery_id} belongs to no event"


@rule("every delivery record agrees with what the receiver saw")
def _records_agree(evidence: Evidence) -> Iterator[str]:
    calls = identified(evidence.calls, "delivery_id")
    for delivery in evidence.deliveries:
        seen = Counter(call.status for call in calls.pop(delivery.delivery_id, []))
        told = Counter(attempt.status for attempt in delivery.attempts if attempt.status is not None)
        unclear = sum(attempt.perhaps_arrived for attempt in delivery.attempts)
        story = f"seen {dict(seen)}, recorded {[(a.status, a.error) for a in delivery.attempts]}"
        if invented := told - seen:
            yield f"delivery {delivery.delivery_id} records answers that nobody gave, {dict(invented)}: {story}"
        if (seen - told).total() > unclear:
            yield f"delivery {delivery.delivery_id}: the receiver saw calls that no attempt accounts for: {story}"
        yield from _coherent(delivery)
    for delivery_id in calls:
        yield f"the receiver got {delivery_id}, which the service does not know"


def _coherent(delivery: Delivery) -> Iterator[str]:
    """The record agrees with itself."""
    last = delivery.attempts[-1] if delivery.attempts else None
    if delivery.attempt_count != len(delivery.attempts):
        yield f"delivery {delivery.delivery_id} counts {delivery.attempt_count} of {len(delivery.attempts)} attempts"
    if (delivery.status == "succeeded") != (last is not None and last.ok):
        yield f"delivery {delivery.delivery_id} is {delivery.status} after {last}"
    if any(attempt.ok for attempt in delivery.attempts[:-1]):
        yield f"delivery {delivery.delivery_id} was tried again after it had succeeded"


@rule("every repetition is the same call, and genuine")
def _repetitions(evidence: Evidence) -> Iterator[str]:
    for delivery_id, calls in identified(evidence.calls, "delivery_id").items():
        if len({(call.event_id, call.digest) for call in calls}) > 1:
            yield f"delivery {delivery_id} came with different bodies: {sorted({call.digest for call in calls})}"
        if not all(call.genuine for call in calls):
            yield f"delivery {delivery_id} came with a signature that is wrong"


@rule("the audit log is complete")
def _audit(evidence: Evidence) -> Iterator[str]:
    entries = Counter(evidence.audit)
    for review in evidence.reviews:
        expected = {
            "review.requested": 1,
            "review.updated": review.revision - 1,
            "review.retry_requested": evidence.retries_asked.get(review.review_id, 0),
            **{decision: int(decision == f"review.{review.response}") for decision in DECISIONS},
        }
        found = {action: entries[action, review.review_id] for action in expected}
        if found != expected:
            yield f"review {review.review_id} has the entries {found}, expected: {expected}"
    for session_id, messages in identified(evidence.messages, "session_id").items():
        if (found_here := entries["session.message", session_id]) != len(messages):
            yield f"session {session_id} has {len(messages)} messages, and {found_here} entries"


@rule("every chat message is there, once and in order")
def _messages(evidence: Evidence) -> Iterator[str]:
    stored = identified(evidence.messages, "nonce")
    written = {each.nonce: each for each in evidence.written}
    for each in evidence.written:
        there = [message.message_id for message in stored.get(each.nonce, [])]
        if len(each.message_ids) != 1 or there != list(each.message_ids):
            yield f"message {each.key} was answered with {sorted(each.message_ids)}; stored: {there}"
    for session_id, messages in identified(evidence.messages, "session_id").items():
        if [message.number for message in messages] != list(range(1, len(messages) + 1)):
            yield f"session {session_id} has messages numbered {[message.number for message in messages]}"
        places = [written[message.nonce].place for message in messages if message.nonce in written]
        if places != sorted(places):
            yield f"session {session_id} has messages in another order than they were written: {places}"
        if strangers := [message.message_id for message in messages if message.nonce not in written]:
            yield f"session {session_id} has messages that nobody wrote: {strangers}"


@rule("chat messages arrived in their order")
def _messages_in_order(evidence: Evidence) -> Iterator[str]:
    first_call: dict[str, int] = {}
    first_success: dict[str, int] = {}
    for moment, call in enumerate(evidence.calls):
        first_call.setdefault(call.delivery_id, moment)
        if _is_success(call.status):
            first_success.setdefault(call.delivery_id, moment)
    lines = identified([each for each in evidence.deliveries if each.line_number is not None], "session_id")
    for session_id, deliveries in lines.items():
        ordered = [each.delivery_id for each in sorted(deliveries, key=lambda each: each.line_number)]
        for earlier, later in pairwise(ordered):
            if later in first_call and first_call[later] < first_success.get(earlier, len(evidence.calls)):
                yield f"session {session_id}: {later} came before {earlier} was taken"


@rule("all media is there and can be read")
def _media(evidence: Evidence) -> Iterator[str]:
    reviews = {review.review_id: review for review in evidence.reviews}
    for asked in evidence.asked:
        for review_id in asked.review_ids & reviews.keys():
            for picture in asked.pictures:
                copy = reviews[review_id].copies.get(picture)
                if copy is None:
                    yield f"review {review_id} has no copy of {picture}"
                elif copy in evidence.unreadable:
                    yield f"review {review_id}: {copy} cannot be read: {evidence.unreadable[copy]}"


@rule("every call was answered in the end, as it should be")
def _answered(evidence: Evidence) -> Iterator[str]:
    yield from evidence.refused


@rule("no client saw an internal error")
def _no_internal_errors(evidence: Evidence) -> Iterator[str]:
    """What cannot be done now is refused with 502, 503 or 504; a 500 is a fault of ours."""
    for answer, count in evidence.statuses.items():
        if answer.endswith(" 500"):
            yield f"{answer}, {count} times"


@rule("no process failed in a way that it did not foresee")
def _no_faults(evidence: Evidence) -> Iterator[str]:
    yield from evidence.faults


@rule("a rate is kept, with Redis and without")
def _rate(evidence: Evidence) -> Iterator[str]:
    if evidence.rated.get("200", 0) > evidence.rated.get("allowed", 0):
        yield f"{evidence.rated['200']} calls succeeded, at most {evidence.rated['allowed']} should have"
    if evidence.rated and not evidence.rated.get("200"):
        yield "not one call of the account with a rate succeeded"


@rule("nothing is under way any more")
def _nothing_unfinished(evidence: Evidence) -> Iterator[str]:
    yield from evidence.unfinished


@rule("no connection, transaction or lock is left over")
def _nothing_left(evidence: Evidence) -> Iterator[str]:
    yield from evidence.leftovers


def _is_success(status: int | None) -> bool:
    return status is not None and 200 <= status < 300
