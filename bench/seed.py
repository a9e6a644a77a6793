"""Fill the database with decided reviews, as if they had come over the last year."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from bench.copying import BUILD_SETTINGS, bulk_load, copy_lines
from bench.environment import Environment
from signoff.reviews.facets import response_facets

CHUNK = 20_000
PAYLOAD = 500
"""Characters in each review's longest field."""
TABLES = {
    "reviews": "account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state, response, "
    "responding_user, responding_user_id, responded_at, webhook_delivery_id, created_at",
    "review_revisions": "account_id, review_id, revision, data, created_at",
    "review_results": "account_id, review_id, data, response_values",
    "sessions": "account_id, session_id, agent_id, created_at",
    "audit_log": "account_id, at, actor_kind, actor_id, actor_name, action, object_id",
    "events": "account_id, event_id, event, agent_id, session_id, review_id, payload, created_at",
    "outgoing_messages": "message_id, account_id, channel, destination, state, attempt_count, max_attempts, attempts, "
    "first_ok, duration_ms, settled_at, updated_at, created_at",
    "deliveries": "delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id, review_id, "
    "form_id, form_name, triggered_at",
    "response_facets": "facet, responded_at, review_id",
}
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Chunk:
    """The reviews with the numbers after `start`, up to `end`. The last of all is of now."""

    account_id: str
    agent_id: str
    form_id: str
    start: int
    end: int
    last: int
    now: datetime
    payload: int


def seed_reviews(environment: Environment, start: int, upto: int, payload: int = PAYLOAD) -> None:
    began = time.perf_counter()
    names = environment.account_id, environment.agent_id, environment.form_id
    now = datetime.now(UTC)
    chunks = [Chunk(*names, begin, min(begin + CHUNK, upto), upto, now, payload) for begin in range(start, upto, CHUNK)]
    with bulk_load(environment.dsn, list(TABLES)) as connection:
        # Facets come in no order, so even the primary key is built at the end.
        connection.execute("alter table response_facets drop constraint response_facets_pkey")
        for chunk in chunks:
            lines = generate(chunk)
            with connection.transaction():
                for table, columns in TABLES.items():
                    copy_lines(connection, table, columns, lines[table])
        copied = time.perf_counter()
        connection.execute(BUILD_SETTINGS)
        connection.execute("alter table response_facets add primary key (facet, responded_at, review_id)")
    environment.execute("vacuum (analyze)")
    done = time.perf_counter()
    rate, total_rate = (upto - start) / (copied - began), (upto - start) / (done - began)
    print(f"{upto - start:,} reviews: copied {rate:,.0f}/s, with indexes {total_rate:,.0f}/s", flush=True)


def generate(chunk: Chunk) -> dict[str, list[str]]:
    """Return the rows of each table in COPY's text format."""
    account, agent, form = chunk.account_id, chunk.agent_id, chunk.form_id
    lines: dict[str, list[str]] = {table: [] for table in TABLES}
    text = "x" * chunk.payload
    event = f'{{"body" : "{"x" * (chunk.payload + 200)}"}}'
    attempts = '[{"ok": true, "statusCode": 200, "durationMs": 48}]'
    for n in range(chunk.start + 1, chunk.end + 1):
        at = (chunk.now - YEAR * (1 - n / chunk.last)).isoformat()
        review, session, delivery, event_id = f"rev_{n:026}", f"ses_{n:026}", f"whd_{n:026}", f"evt_{n:026}"
        channel = "blog" if n % 2 == 0 else "mail"
        data: dict[str, Any] = {"draft": {"headline": f"Past review {n}"}, "body": text, "score": n % 10}
        values: dict[str, Any] = {
            "headline": {"value": f"Past review {n}", "wasEdited": n % 3 == 0},
            "body": {"value": text, "wasEdited": False},
            "score": {"value": n % 10, "wasEdited": False},
            "channel": {"value": channel},
        }
        suggested, response_values = orjson.dumps(data).decode(), orjson.dumps(values).decode()
        decided = orjson.dumps({**data, "channel": channel}).decode()
        lines["reviews"].append(
            f"{account}\t{review}\t{agent}\t{form}\t1\tBench\t{session}\tPast review\tresponded\tapproved\t"
            f"bench@example.com\tusr_bench\t{at}\t{delivery}\t{at}\n"
        )
        lines["review_revisions"].append(f"{account}\t{review}\t1\t{suggested}\t{at}\n")
        lines["review_results"].append(f"{account}\t{review}\t{decided}\t{response_values}\n")
        lines["sessions"].append(f"{account}\t{session}\t{agent}\t{at}\n")
        lines["audit_log"].append(f"{account}\t{at}\tkey\tkey_bench\tbench\treview.requested\t{review}\n")
        lines["events"].append(
            f"{account}\t{event_id}\treview.completed\t{agent}\t{session}\t{review}\t{event}\t{at}\n"
        )
        lines["outgoing_messages"].append(
            f"{delivery}\t{account}\twebhook\thttp://127.0.0.1\tsent\t1\t7\t{attempts}\tt\t48\t{at}\t{at}\t{at}\n"
        )
        lines["deliveries"].append(
            f"{delivery}\t{account}\t{event_id}\treview.completed\tagent\tagent\thttp://127.0.0.1/\t{agent}\t{session}"
            f"\t{review}\t{form}\tBench\t{at}\n"
        )
        lines["response_facets"] += [
            f"\\\\x{facet.hex()}\t{at}\t{review}\n" for facet in response_facets(account, form, "approved", values)
        ]
    return lines
