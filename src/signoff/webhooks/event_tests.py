"""Test events: sent to an agent's webhook immediately, signed like real ones, and shown with the response.

A test isn't a delivery: only the audit log records it, and it's never retried.
"""

import time
from collections.abc import Mapping

import orjson
from multidict import CIMultiDictProxy

from signoff.accounts.audit_log import writer
from signoff.accounts.context import Caller
from signoff.platform.clock import iso, now
from signoff.platform.errors import NotFound
from signoff.platform.guarded_http import HttpResponse, OutboundError
from signoff.platform.ids import new_id
from signoff.platform.messages import Message, msg
from signoff.webhooks.errors import no_webhook
from signoff.webhooks.schemas import TestAnswer, TestOutcome, TestRequest
from signoff.webhooks.signatures import sign_headers

EVENT = "test"
MESSAGE = "This is a test. Somebody asked Signoff to show that its events arrive here."
MAX_BODY_LENGTH = 10_000
MAX_BODY_BYTES = 4 * MAX_BODY_LENGTH
"""No character takes more than four bytes."""
MAX_HEADERS, MAX_HEADER_LENGTH = 50, 1_000


async def send_test_event(caller: Caller, agent_id: str) -> TestOutcome:
    """Send a test event. The call is made outside any transaction, and recorded afterwards."""
    url, secrets = await _read_agent(caller, agent_id)
    delivery_id = new_id("whd")
    body = orjson.dumps(
        {
            "event": EVENT,
            "accountId": caller.account_id,
            "agentId": agent_id,
            "deliveryId": delivery_id,
            "createdAt": iso(now()),
            "message": MESSAGE,
        }
    )
    headers = sign_headers(secrets, delivery_id, int(time.time()), body)
    began = time.perf_counter()
    answer, error = await _call(caller, url, body, headers)
    outcome = TestOutcome(
        delivery_url=url,
        request=TestRequest(headers=headers, body=body.decode()),
        response=_to_test_answer(answer) if answer is not None else None,
        error=error,
        duration_ms=int((time.perf_counter() - began) * 1000),
        ok=answer is not None and 200 <= answer.status < 300,
    )
    details = {"ok": outcome.ok, "statusCode": answer.status} if answer is not None else {"ok": False, "error": error}
    await writer.record_audit(caller.db, caller.actor, "agent.tested", agent_id, details)
    return outcome


async def _read_agent(caller: Caller, agent_id: str) -> tuple[str, list[str]]:
    row = await caller.db.fetchrow(
        """
        select webhook_url,
               case when previous_secret_until > now() then array[webhook_secret, previous_secret]
                    else array[webhook_secret] end as secrets
        from agents where account_id = $1 and agent_id = $2 and deleted_at is null
        """,
        caller.account_id,
        agent_id,
    )
    if row is None:
        raise NotFound(msg("agent"), agent_id)
    if row["webhook_url"] is None:
        raise no_webhook()
    return row["webhook_url"], row["secrets"]


async def _call(
    caller: Caller, url: str, body: bytes, headers: Mapping[str, str]
) -> tuple[HttpResponse | None, Message | None]:
    """Return the response, or the error that prevented one."""
    try:
        answer = await caller.context.outgoing.post(
            url,
            body=body,
            headers=headers,
            timeout=caller.settings.webhook_timeout,
            max_answer_bytes=MAX_BODY_BYTES,
        )
    except OutboundError as error:
        return None, msg("{code}: {error}", code=error.code, error=error.message)
    return answer, None


def _to_test_answer(answer: HttpResponse) -> TestAnswer:
    text = answer.body.decode("utf-8", "replace")
    return TestAnswer(
        status_code=answer.status,
        status_text=answer.reason[:200],
        headers=_headers_to_json(answer.headers),
        body=text[:MAX_BODY_LENGTH],
        body_cut=answer.truncated or len(text) > MAX_BODY_LENGTH,
    )


def _headers_to_json(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Return the headers in lowercase. One that was sent several times is shown once, with all its values."""
    shown: dict[str, str] = {}
    for name, value in headers.items():
        name, value = _text(name).lower(), _text(value)
        if name in shown:
            shown[name] = f"{shown[name]}, {value}"[:MAX_HEADER_LENGTH]
        elif len(shown) < MAX_HEADERS:
            shown[name[:MAX_HEADER_LENGTH]] = value[:MAX_HEADER_LENGTH]
    return shown


def _text(header: str) -> str:
    """Remove lone surrogates, which JSON can't contain: headers may hold any bytes, and the client keeps invalid
    text as such.
    """
    return header.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
