"""Every statement that writes or reads a batch gives each row its own JSON, whatever the JSON contains."""

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import signoff
from signoff.accounts.actors import system_actor
from signoff.media.content_types import MediaKind
from signoff.media.copies import CopyRequest
from signoff.platform.db import Database
from signoff.platform.ids import new_id
from signoff.platform.messages import LANGUAGES
from signoff.platform.outbox.messages import AttemptRecord, Room, claim_messages, queue_messages_sql, record_attempts
from signoff.reviews.decisions import CompletedRow, Completion, complete_reviews
from signoff.reviews.facets import FacetRow
from signoff.reviews.inserts import ExternalRow, NewReview, RequestRow, insert_reviews
from signoff.reviews.review_media import IngestedMedia, attach_media
from signoff.webhooks.channel import FinishedDelivery, settle_deliveries
from signoff.webhooks.events import Destination, WebhookEvent, build_rows, emit_event

ACCOUNT, AGENT, FORM = "acc_batch", "agt_batch", "frm_batch"
ACCOUNTS = [
    (ACCOUNT, AGENT, FORM),
    ("acc_batch2", "agt_batch2", "frm_batch2"),
    ("acc_batch3", "agt_batch3", "frm_batch3"),
]
"""Of each account, its ID, and those of its agent and its review type."""
SOON = datetime(2030, 1, 1, tzinfo=UTC)
ACTOR = system_actor(ACCOUNT, "test")

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=3))
OBJECTS = st.dictionaries(TEXT, JSON, max_size=3)
# Lists first: an array of JSON treats them as more dimensions. Lists of equal length are the dangerous ones.
BATCHES = st.lists(st.lists(JSON, min_size=2, max_size=2) | JSON, min_size=1, max_size=6)
EVERY_RUN = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])

RAW = ["[1,2]", "[3,4]", "[[1],2]", "[]", "null", '"\\u0000"', '{"a":1,"a":2}', "1e400", "12345678901234567890123"]
"""JSON texts that a parser would change."""


@pytest.fixture(scope="module")
async def db(empty_databases: Any) -> AsyncGenerator[Database]:
    db = await Database.connect(await empty_databases(), size=4)
    for account_id, agent_id, form_id in ACCOUNTS:
        await db.execute(
            "insert into accounts (account_id, name, audit_webhook_secret) values ($1, 'A', 's')", account_id
        )
        await db.execute(
            "insert into agents (agent_id, account_id, name, webhook_secret) values ($1, $2, 'A', 's')",
            agent_id,
            account_id,
        )
        await db.execute(
            "insert into forms (form_id, account_id, agent_id, name, version) values ($1, $2, $3, 'F', 1)",
            form_id,
            account_id,
            agent_id,
        )
    yield db
    await db.close()


def new_review(data: dict[str, Any], config: Any = None, meta: Any = None, **columns: Any) -> NewReview:
    row: dict[str, Any] = {
        "account_id": ACCOUNT,
        "review_id": new_id("rev"),
        "agent_id": AGENT,
        "form_id": FORM,
        "form_version": 1,
        "form_name": "F",
        "session_id": "ses_batch",
        "run_id": None,
        "run_name": None,
        "prev_steps": None,
        "title": None,
        "given_title": None,
        "data": data,
        "config": config,
        "meta": meta,
        "webhook_url": None,
        "webhook_events": None,
        "key": None,
        "body_hash": None,
        "answer": None,
        "actor": ACTOR.columns,
        "reviewers_set_by": "request",
        "assigned": False,
        "size": 1,
    }
    return NewReview(RequestRow(**{**row, **columns}))


async def by_id(db: Database, query: str, ids: list[str]) -> list[Any]:
    """The rows in the order of their IDs, without the IDs."""
    rows = {row[0]: tuple(row)[1:] for row in await db.fetch(query, ids)}
    return [rows[each] for each in ids]


def orders(transforms: list[Any]) -> tuple[CopyRequest, ...]:
    return tuple(
        CopyRequest(f"https://example.com/{number}.png", MediaKind.IMAGE, transform, new_id("cpy"))
        for number, transform in enumerate(transforms)
    )


LISTS = st.none() | st.lists(TEXT, max_size=3)
LANGUAGE = st.none() | st.sampled_from(LANGUAGES)
# The same members and addresses in several reviews, so that rows of different reviews can be mixed up.
PEOPLE = st.lists(st.sampled_from(["usr_a", "usr_b", "grp_c"]) | TEXT.filter(bool), unique=True, max_size=3)
EMAILS = st.lists(st.sampled_from(["a@example.com", "b@example.com"]) | TEXT.filter(bool), unique=True, max_size=3)
EXPIRY = st.datetimes(datetime(2026, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
REVIEWERS = st.tuples(st.sampled_from(ACCOUNTS), OBJECTS, PEOPLE, EMAILS, EXPIRY, st.booleans())
ASKED = st.tuples(OBJECTS, st.none() | OBJECTS, st.none() | OBJECTS, LISTS, LISTS, LANGUAGE)


class TestReviews:
    @EVERY_RUN
    @given(asked=st.lists(ASKED, min_size=1, max_size=6), answers=st.lists(OBJECTS, min_size=6, max_size=6))
    async def test_requests(self, db: Database, asked: list[Any], answers: list[Any]) -> None:
        reviews = [
            new_review(
                *three,
                prev_steps=steps,
                webhook_events=events,
                external_language=language,
                key=new_id("key"),
                body_hash=b"h",
                answer=answer,
            )
            for (*three, steps, events, language), answer in zip(asked, answers, strict=False)
        ]
        assert await insert_reviews(db, reviews) == [True] * len(reviews)
        query = """select review_id, data, config, meta, prev_steps, webhook_events, external_language
                   from review_revisions
                   join reviews using (account_id, review_id) where review_id = any($1::text[])"""
        assert await by_id(db, query, [each.review_id for each in reviews]) == asked
        found = await db.fetch(
            """
            select review_id from review_search join unnest($1::text[], $2::text[]) as e (review_id, words)
                using (review_id) where document = to_tsvector('simple', words)
            """,
            [each.review_id for each in reviews],
            [each.row.words for each in reviews],
        )
        assert {row[0] for row in found} == {each.review_id for each in reviews}
        query = "select key, answer from idempotency_keys where key = any($1::text[])"
        kept = await by_id(db, query, [str(each.row.key) for each in reviews])
        assert kept == [(answer,) for answer in answers[: len(asked)]]

    @EVERY_RUN
    @given(asked=st.lists(REVIEWERS, min_size=1, max_size=6))
    async def test_reviewers(self, db: Database, asked: list[Any]) -> None:
        """Those of reviews that aren't inserted, here because their type has a new version, aren't either."""
        reviews: list[NewReview] = []
        for (account_id, agent_id, form_id), data, assignees, emails, expires_at, is_current in asked:
            of_account = {"account_id": account_id, "agent_id": agent_id, "form_id": form_id}
            review = new_review(
                data, **of_account, form_version=1 if is_current else 2, assigned=bool(assignees or emails)
            )
            externals = [ExternalRow(review.review_id, email, new_id("tok").encode(), expires_at) for email in emails]
            reviews.append(replace(review, assignees=assignees, externals=externals))
        inserted = [is_current for *_, is_current in asked]
        assert await insert_reviews(db, reviews) == inserted
        written = [review for review, is_current in zip(reviews, inserted, strict=True) if is_current]
        ids = [review.review_id for review in reviews]
        query = "select review_id, account_id, data from review_revisions where review_id = any($1::text[])"
        expected = [(review.row.account_id, review.row.data) for review in written]
        assert await by_id(db, query, [review.review_id for review in written]) == expected
        query = "select account_id, review_id, assignee_id from review_assignees where review_id = any($1::text[])"
        assert sorted(map(tuple, await db.fetch(query, ids))) == sorted(
            (review.row.account_id, review.review_id, assignee) for review in written for assignee in review.assignees
        )
        query = """select account_id, review_id, email, token_hash, expires_at from external_reviewers
                   where review_id = any($1::text[]) and ended is null"""
        assert sorted(map(tuple, await db.fetch(query, ids))) == sorted(
            (review.row.account_id, external.review_id, external.email, external.token_hash, external.expires_at)
            for review in written
            for external in review.externals
        )

    @EVERY_RUN
    @given(transforms=st.lists(st.none() | OBJECTS, min_size=1, max_size=4))
    async def test_media_of_a_review(self, db: Database, transforms: list[Any]) -> None:
        review_id = new_id("rev")
        await attach_media(db, ACCOUNT, review_id, IngestedMedia(copies=orders(transforms)))
        query = (
            "select review_id, json_agg(transform order by url) from media_copies where review_id = any($1) group by 1"
        )
        assert await by_id(db, query, [review_id]) == [(transforms,)]


class TestToolResults:
    @EVERY_RUN
    @given(results=BATCHES.map(lambda batch: [orjson.dumps(each).decode() for each in batch]))
    @example(results=RAW)
    async def test_each_event_gets_its_own(self, db: Database, results: list[str | None]) -> None:
        results = [*results, None]
        tools: list[str] = []
        for _ in results:
            tool = Destination("tool", "form", "https://example.com/tool")
            await emit_event(db, WebhookEvent("review.completed", ACCOUNT, AGENT, "ses_batch", {}), [tool], 7)
            tools.append(tool.delivery_id)
        query = "select delivery_id, event_id from deliveries where delivery_id = any($1::text[])"
        event_ids = [event_id for [event_id] in await by_id(db, query, tools)]
        finished = [
            FinishedDelivery(delivery_id, "sent", is_over=True, tool_result=result)
            for delivery_id, result in zip(tools, results, strict=True)
        ]
        async with db.transaction() as tx:
            await settle_deliveries(tx, finished)
        query = "select event_id, tool_result::text, waits_for from events where event_id = any($1::text[])"
        assert await by_id(db, query, event_ids) == [(result, None) for result in results]


STATES = st.sampled_from(["queued", "sent", "failed", "unclear"])
# No fractions: `jsonb` writes them in another way.
ATTEMPTS = st.dictionaries(
    TEXT, st.none() | TEXT | st.integers(0, 2**63 - 1) | st.lists(TEXT | st.lists(TEXT)), max_size=3
)
RESULTS = st.tuples(STATES, st.booleans(), st.none() | TEXT, ATTEMPTS)


DECISIONS = st.fixed_dictionaries(
    {
        "account": st.sampled_from(ACCOUNTS),
        "data": OBJECTS,
        "response_values": OBJECTS,
        "reason": st.none() | TEXT,
        "changed": st.lists(TEXT, max_size=3),
        "approved_arguments": st.none() | OBJECTS,
        "details": ATTEMPTS,
        "payload": JSON,
        "facets": st.lists(st.binary(min_size=16, max_size=16), unique=True, max_size=3),
        "targets": st.lists(st.sampled_from(["agent", "audit", "tool"]), unique=True),
        "state": st.sampled_from(["as read", "locked", "changed", "decided"]),
    }
)


class TestDecisions:
    @settings(EVERY_RUN, max_examples=40)
    @given(batch=st.lists(DECISIONS, min_size=1, max_size=5))
    async def test_each_review_gets_its_own(self, db: Database, batch: list[dict[str, Any]]) -> None:
        """Those that were changed or decided in the meantime get nothing."""
        completions = await self.prepare(db, batch)
        written = await complete_reviews(db, completions)
        expected = [each["state"] in ("as read", "locked") for each in batch]
        assert [row is not None for row in written] == expected
        pairs = list(zip(batch, completions, strict=True))
        decided = [pair for pair, is_expected in zip(pairs, expected, strict=True) if is_expected]
        ids = [each.row.review_id for each in completions]

        async def rows(query: str) -> list[tuple[Any, ...]]:
            """Of all these reviews."""
            return sorted((tuple(row) for row in await db.fetch(query, ids)), key=lambda row: row[:2])

        def expect(*rows: tuple[Any, ...]) -> list[tuple[Any, ...]]:
            return sorted(rows, key=lambda row: row[:2])

        results = """select review_id, account_id, data, response_values, reason, changed, approved_arguments
                     from review_results where review_id = any($1::text[])"""
        columns = ("data", "response_values", "reason", "changed", "approved_arguments")
        assert await rows(results) == expect(
            *(
                (made.row.review_id, made.row.account_id, *(wanted[name] for name in columns))
                for wanted, made in decided
            )
        )
        assert await rows(
            """select review_id, account_id, event_id, payload -> 'members' from events
               where review_id = any($1::text[])"""
        ) == expect(
            *(
                (made.row.review_id, made.row.account_id, made.event.event_id, wanted["payload"])
                for wanted, made in decided
            )
        )
        assert await rows(
            """select review_id, delivery_id, account_id, event_id, target, destination
               from deliveries join outgoing_messages using (account_id)
               where message_id = delivery_id and review_id = any($1::text[])"""
        ) == expect(
            *(
                (made.row.review_id, one.delivery_id, made.row.account_id, made.event.event_id, one.target, one.host)
                for _, made in decided
                for one in made.deliveries
            )
        )
        assert await rows("select review_id, facet from response_facets where review_id = any($1::text[])") == expect(
            *((made.row.review_id, facet) for wanted, made in decided for facet in wanted["facets"])
        )
        assert await rows(
            """select object_id, account_id, details from audit_log
               where object_id = any($1::text[]) and action = 'review.approved'"""
        ) == expect(*((made.row.review_id, made.row.account_id, wanted["details"]) for wanted, made in decided))
        keys = "select key, account_id from idempotency_keys where key = any($1::text[])"
        assert await rows(keys) == expect(*((made.row.review_id, made.row.account_id) for _, made in decided))

    async def prepare(self, db: Database, batch: list[dict[str, Any]]) -> list[Completion]:
        reviews = [
            new_review({}, account_id=account_id, agent_id=agent_id, form_id=form_id)
            for account_id, agent_id, form_id in (wanted["account"] for wanted in batch)
        ]
        await insert_reviews(db, reviews)
        ids = [review.review_id for review in reviews]
        versions = await by_id(db, "select review_id, xmin::text from reviews where review_id = any($1::text[])", ids)
        for review_id, wanted in zip(ids, batch, strict=True):
            if wanted["state"] in ("changed", "decided"):
                state = "responded" if wanted["state"] == "decided" else "pending"
                await db.execute("update reviews set state = $2 where review_id = $1", review_id, state)
        return [
            self.complete(review_id, version, wanted)
            for review_id, (version,), wanted in zip(ids, versions, batch, strict=True)
        ]

    def complete(self, review_id: str, version: str, wanted: dict[str, Any]) -> Completion:
        account_id, agent_id, form_id = wanted["account"]
        row = CompletedRow(
            account_id=account_id,
            review_id=review_id,
            row_version=version if wanted["state"] in ("as read", "changed") else None,
            response="approved",
            auto_approved=False,
            timed_out=False,
            at=SOON,
            agent_delivery_id=None,
            tool_delivery_id=None,
            edited_fields=None,
            absent_fields=None,
            data=wanted["data"],
            response_values=wanted["response_values"],
            reason=wanted["reason"],
            changed=wanted["changed"],
            approved_arguments=wanted["approved_arguments"],
            actor=ACTOR.columns,
            action="review.approved",
            details=wanted["details"],
            key=review_id,
            body_hash=b"h",
        )
        event = WebhookEvent(
            "review.completed", account_id, agent_id, "ses_batch", {"members": wanted["payload"]}, review_id, form_id
        )
        sent_to = [Destination(target, "agent", f"https://{target}.example.com/") for target in wanted["targets"]]
        facets = [FacetRow(facet, SOON, review_id) for facet in wanted["facets"]]
        return Completion(row, facets, *build_rows(event, sent_to, 7))


class TestOutgoingMessages:
    @EVERY_RUN
    @given(results=st.lists(RESULTS, min_size=1, max_size=6))
    async def test_each_message_gets_its_own_result(self, db: Database, results: list[Any]) -> None:
        ids, channel = [new_id("msg") for _ in results], new_id("chn")
        queue = queue_messages_sql("select unnest(:ids::text[]), :account_id, :channel, 'somewhere', now()")
        await queue.execute(db, ids=ids, account_id=ACCOUNT, channel=channel)
        claims = (await claim_messages(db, [Room(channel, len(ids))], lost_after=20)).claims
        claimed_at = {claim.message_id: claim.claimed_at for claim in claims}
        records = [
            AttemptRecord(message_id, claimed_at[message_id], state, 60.0, counts, error, attempt)
            for message_id, (state, counts, error, attempt) in zip(ids, results, strict=True)
        ]
        recorded = await record_attempts(db, records)
        assert recorded == {(record.message_id, record.claimed_at): record.state for record in records}
        query = """select message_id, state, attempt_count = 1, error, attempts -> 0 from outgoing_messages
                   where message_id = any($1::text[])"""
        assert await by_id(db, query, ids) == results


async def test_statements_are_not_planned_for_each_batch(empty_databases: Any) -> None:
    db = await Database.connect(await empty_databases(), size=1)
    try:
        for _ in range(10):
            await claim_messages(db, [Room("webhook", 1)], lost_after=20)
        plans = await db.fetchrow(
            "select custom_plans, generic_plans from pg_prepared_statements where statement like $1",
            "%update outgoing_messages%",
        )
        assert plans is not None
        assert tuple(plans) == (5, 5)
    finally:
        await db.close()


def test_no_statement_takes_an_array_of_json() -> None:
    """`platform/sql.py` says why."""
    folder = Path(signoff.__file__).parent
    sources = [path for path in folder.rglob("*") if path.suffix in {".py", ".sql"}]
    assert len(sources) > 300
    nesting = re.compile(r"jsonb?\s*\[\s*\](?!`)", re.IGNORECASE)
    found = [str(path.relative_to(folder)) for path in sources if nesting.search(path.read_text())]
    assert found == []
