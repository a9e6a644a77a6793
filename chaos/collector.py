"""Collects what the service reports after a run: from the API, and from the database what no endpoint returns."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

import aiohttp
import psycopg
from psycopg.rows import dict_row

from chaos.client import Client
from chaos.cluster import Cluster
from chaos.embedded import EmbeddedService
from chaos.evidence import Attempt, Delivery, Event, Evidence, Message, Review
from chaos.load import Load
from chaos.receiver import picture
from signoff.notifications.notification_loop import LOCK as LOG_LOCK
from signoff.platform.outbox.sender import RECORDED_LATE

CONCURRENCY = 12

UNFINISHED = """
    select 'job ' || job_id || ' (' || name || ', ' || subject || ') is due ' || due_at::text as what
    from jobs where due_at < now() + interval '10 minutes'
    union all
    select channel || ' message ' || message_id || ' is ' || state || coalesce(', due ' || due_at::text, '')
    from outgoing_messages
    where settled_at is null and (channel = 'webhook' or due_at < now() + interval '10 minutes')
    union all
    select 'the copy of ' || url || ' for ' || review_id || ' is ' || state from media_copies where state = 'pending'
"""

# A transaction that is open and idle holds locks for nobody; a lock that is not granted waits for one.
# One worker follows the audit log, and holds a lock for as long as it lives.
LEFTOVERS_WHILE_IDLE = f"""
    select 'connection ' || pid || ' of ' || application_name || ' is ' || state as what
    from pg_stat_activity
    where datname = 'signoff' and state like 'idle in transaction%' and state_change < now() - interval '5 seconds'
    union all
    select 'process ' || pid || ' waits for a ' || mode || ' lock' from pg_locks where not granted
    union all
    select 'process ' || pid || ' holds the advisory lock ' || classid || '/' || objid from pg_locks
    where locktype = 'advisory' and (classid, objid) <> ({LOG_LOCK >> 32}, {LOG_LOCK & 0xFFFFFFFF})
"""

LEFTOVERS_AFTER_STOP = """
    select 'connection ' || pid || ' of ' || application_name || ' is still there' as what
    from pg_stat_activity where datname = 'signoff' and pid <> pg_backend_pid()
"""


def unfinished(cluster: Cluster | EmbeddedService) -> list[str]:
    return _query(cluster, UNFINISHED)


def leftovers_while_idle(cluster: Cluster | EmbeddedService) -> list[str]:
    return _query(cluster, LEFTOVERS_WHILE_IDLE)


def leftovers_after_stop(cluster: Cluster | EmbeddedService) -> list[str]:
    return _query(cluster, LEFTOVERS_AFTER_STOP)


def _query(cluster: Cluster | EmbeddedService, query: str) -> list[str]:
    with psycopg.connect(cluster.postgres.dsn, application_name="chaos", row_factory=dict_row) as connection:
        return [row["what"] for row in connection.execute(query)]  # type: ignore[arg-type]


async def collect(evidence: Evidence, load: Load) -> None:
    """Read everything that a key and the owner can read through nginx."""
    reader, owner = load.agent, load.owner
    rows = [row async for row in _pages(reader, "/reviews")]
    evidence.reviews = await _gather(rows, lambda row: _review(reader, row["reviewId"]))
    listed = [row async for row in _pages(reader, "/webhooks/deliveries")]
    evidence.deliveries = await _gather(listed, lambda row: _delivery(reader, row["deliveryId"]))
    evidence.events = [event async for event in _events(reader)]
    evidence.audit = [(entry["action"], entry["objectId"]) async for entry in _pages(owner, "/auditLog")]
    for session_id in load.sessions:
        evidence.messages += await _messages(reader, session_id)
    evidence.requests_metered = (await owner.get("/usage"))["reviewRequests"]["used"]
    copies = {copy: original for review in evidence.reviews for original, copy in review.copies.items()}
    found = await _gather(copies.items(), lambda pair: _find_difference(reader, *pair))
    evidence.unreadable = {copy: error for copy, error in zip(copies, found, strict=True) if error}


async def _gather(items: Iterable[Any], read: Callable[[Any], Awaitable[Any]]) -> list[Any]:
    """Keep the order, and read a few at a time."""
    limit = asyncio.Semaphore(CONCURRENCY)

    async def one(item: Any) -> Any:
        async with limit:
            return await read(item)

    return await asyncio.gather(*(one(item) for item in items))


async def _pages(client: Client, path: str) -> AsyncIterator[Any]:
    cursor = ""
    while True:
        page = await client.get(f"{path}?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        for item in page["items"]:
            yield item
        if not (cursor := page.get("nextCursor")):
            return


async def _events(client: Client) -> AsyncIterator[Event]:
    cursor = ""
    while True:
        page = await client.get(f"/events?limit=500&after={cursor}")
        for event in page["items"]:
            yield Event(
                event["eventId"],
                event["event"],
                event.get("reviewId"),
                event.get("deliveryId"),
                event["sessionId"],
                event,
            )
        if page["nextCursor"] == cursor:
            return
        cursor = page["nextCursor"]


async def _review(client: Client, review_id: str) -> Review:
    body = await client.get(f"/reviews/{review_id}")
    result = body.get("reviewResult") or {}
    nonces = [(body.get("meta") or {}).get("nonce")]
    if body["revision"] > 1:
        revisions = (await client.get(f"/reviews/{review_id}/revisions"))["items"]
        ordered = sorted(revisions, key=lambda revision: revision["revision"])
        nonces = [(revision.get("meta") or {}).get("nonce") for revision in ordered]
    return Review(
        review_id,
        nonces[0],
        body["state"],
        body["revision"],
        result.get("response"),
        result.get("respondingUserId"),
        body.get("webhookDeliveryId"),
        body.get("fileCache") or {},
        nonces,
    )


async def _delivery(client: Client, delivery_id: str) -> Delivery:
    body = await client.get(f"/webhooks/deliveries/{delivery_id}")
    attempts = [
        Attempt(
            attempt["ok"],
            attempt.get("statusCode") or None,
            attempt.get("error"),
            is_late=attempt.get("note") == RECORDED_LATE,
        )
        for attempt in body["attempts"]
    ]
    return Delivery(
        delivery_id,
        body["event"],
        body["status"],
        body["attemptCount"],
        attempts,
        body.get("reviewId"),
        body.get("sessionId"),
        body.get("lineNumber"),
        body["target"],
    )


async def _messages(client: Client, session_id: str) -> list[Message]:
    found: list[Message] = []
    before = ""
    while True:
        page = await client.get(f"/sessions/{session_id}/messages?limit=100" + (f"&before={before}" if before else ""))
        found = [Message(session_id, item["messageId"], item["number"], item["text"]) for item in page["items"]] + found
        if not (before := page.get("nextBefore")):
            return found


async def _find_difference(client: Client, copy: str, original: str) -> str | None:
    """Why the copy isn't what the URL served, pixel for pixel."""
    try:
        status, content = await client.content(copy)
    except (aiohttp.ClientError, TimeoutError) as error:
        return repr(error)
    if status != 200:
        return f"{status} {content[:200]!r}"
    return None if _pixels(content) == _pixels(picture(original.rpartition("/")[2].removesuffix(".png"))) else "changed"


def _pixels(content: bytes) -> bytes:
    import pyvips

    return pyvips.Image.new_from_buffer(content, "").write_to_memory()
