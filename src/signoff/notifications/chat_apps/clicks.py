"""Clicks on Approve or Reject in Slack: verified, recorded, and processed by the worker.

Slack expects a response within three seconds and signs its requests. A request is trusted if its signature was made
with the account's own signing secret, at most five minutes ago; it counts once. The account is the one whose secret it
was signed with, and never taken from the request alone.
"""

import hmac
import re
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, cast
from urllib.parse import parse_qs

import orjson

from signoff.accounts.context import AppContext
from signoff.notifications.chat_apps.errors import SlackSignatureInvalid
from signoff.notifications.chat_apps.slack import APPROVE, REJECT
from signoff.platform.db import Database, Row
from signoff.platform.ids import new_id
from signoff.platform.jobs.queue import enqueue
from signoff.platform.messages import msg
from signoff.platform.sql import Sql

CLICK_JOB: Final = "chat.decide"
MAX_AGE: Final = 300.0
"""Seconds, as Slack recommends."""
RESPONSES: Final = {APPROVE: "approved", REJECT: "rejected"}
_REVISION: Final = re.compile(r"[1-9][0-9]{0,7}")
NOT_SIGNED: Final = msg("The Slack signature is invalid, or the request is more than five minutes old.")


@dataclass(frozen=True, slots=True)
class Click:
    person: str
    review_id: str
    revision: int
    response: str
    response_url: str | None


_INSERT_CLICK: Final = Sql(
    """
    with recorded as (
        insert into chat_clicks
            (click_id, account_id, app, request, person, review_id, revision, response, response_url)
        values (
            :click_id,
            coalesce(
                (select account_id from reviews where account_id = any(:accounts) and review_id = :review_id),
                :any_account),
            'slack', :request, :person, :review_id, :revision, :response, :response_url)
        on conflict (request) do nothing returning click_id
    )
    {enqueue}
    """,
    enqueue=enqueue(CLICK_JOB, "select click_id, now() from recorded"),
)


async def record_click(context: AppContext, timestamp: str, signature: str, body: bytes) -> None:
    """Record a click. Raises `SlackSignatureInvalid`. Other signed requests, such as for opening a link, are
    ignored.
    """
    payload = _payload(body)
    if not is_recent(timestamp, time.time()):
        raise SlackSignatureInvalid(NOT_SIGNED)
    accounts = await _find_signing_accounts(context, _parse_team(payload), timestamp, signature, body)
    click = parse_click(payload)
    if click is None:
        return
    await _INSERT_CLICK.execute(
        context.db,
        click_id=new_id("clk"),
        accounts=accounts,
        any_account=accounts[0],  # the person who clicked is told that the review was deleted
        request=signature,
        person=click.person,
        review_id=click.review_id,
        revision=click.revision,
        response=click.response,
        response_url=click.response_url,
    )


_SIGNING_SECRETS: Final = Sql(
    """
    select account_id, credentials ->> 'signingSecret' as secret from chat_connections
    where app = 'slack' and team_id = :team_id
    """
)


async def _find_signing_accounts(
    context: AppContext, team_id: str | None, timestamp: str, signature: str, body: bytes
) -> list[str]:
    """Return the accounts. A Slack workspace may be connected to several."""
    rows: list[Row] = []
    if team_id is not None:
        rows = await _SIGNING_SECRETS.fetch(context.db, team_id=team_id)
    secrets = {row["account_id"]: row["secret"] for row in rows if row["secret"]}
    signed = [account for account, secret in secrets.items() if is_signed(secret, timestamp, body, signature)]
    if not signed:
        raise SlackSignatureInvalid(NOT_SIGNED)
    return signed


def is_recent(timestamp: str, now: float) -> bool:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 12):
        return False
    return abs(now - int(timestamp)) <= MAX_AGE


def is_signed(secret: str, timestamp: str, body: bytes, signature: str) -> bool:
    made = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, sha256).hexdigest()
    return hmac.compare_digest(f"v0={made}".encode(), signature.encode("utf-8", "surrogateescape"))


def _payload(body: bytes) -> dict[str, Any]:
    """Parse the payload. It's empty for anything that isn't from Slack, for which there's no valid signature either."""
    try:
        sent = parse_qs(body.decode(), max_num_fields=10).get("payload", ["{}"])[0]
        read = orjson.loads(sent)
    except ValueError:  # also invalid JSON and invalid UTF-8
        return {}
    return cast(dict[str, Any], read) if isinstance(read, dict) else {}


def _parse_team(payload: dict[str, Any]) -> str | None:
    """Return the workspace in which the app is installed."""
    team = _at(payload, "team", "id")
    return team if isinstance(team, str) and "\x00" not in team else None


def parse_click(payload: dict[str, Any]) -> Click | None:
    """Parse a click; None if it isn't on one of our decision buttons."""
    actions, person, url = payload.get("actions"), _at(payload, "user", "id"), payload.get("response_url")
    if payload.get("type") != "block_actions" or not isinstance(actions, list) or not isinstance(person, str):
        return None
    for action in cast(list[Any], actions):
        response = RESPONSES.get(str(_at(action, "action_id")))
        review_id, _, revision = str(_at(action, "value")).partition(":")
        if response and review_id.startswith("rev_") and _REVISION.fullmatch(revision):
            clean = "\x00" not in review_id + person
            address = url if isinstance(url, str) and "\x00" not in url and len(url) < 2000 else None
            return Click(person[:100], review_id[:100], int(revision), response, address) if clean else None
    return None


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = cast(dict[str, Any], value).get(name) if isinstance(value, dict) else None
    return value


_DELETE_OLD_CLICKS: Final = Sql("delete from chat_clicks where created_at < now() - interval '7 days'")


async def delete_old_clicks(db: Database) -> None:
    await _DELETE_OLD_CLICKS.execute(db)
