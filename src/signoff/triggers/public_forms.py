"""Visitors of a public link: anonymous people who see one empty form, can submit it, and can do nothing else."""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from signoff.accounts.actors import Actor
from signoff.accounts.context import AppContext, Caller, get_context
from signoff.accounts.plans import PLANS
from signoff.accounts.sign_in.throttle import client_network
from signoff.platform.clock import iso, now
from signoff.platform.db import Executor, Row
from signoff.platform.errors import ErrorDetail, InvalidRequest, NotFound
from signoff.platform.http.json_routes import Gate
from signoff.platform.idempotency import Idempotency, KeyReused, find_stored_response
from signoff.platform.messages import msg
from signoff.triggers.challenges import NONCE_BYTES, build_challenge, check_solution, extra_bits
from signoff.triggers.errors import FormClosed, FormNotFound, NoAgent, NotATrigger, challenge_used
from signoff.triggers.queries import agent_name, build_suggestion, read_latest_trigger
from signoff.triggers.rate_limits import count_submissions, enforce_call_rate, reserve_submission
from signoff.triggers.schemas import ChallengeAnswer, LinkToken, PublicSubmission, Received
from signoff.triggers.submissions import TriggerInput, submit_trigger_form

NOBODY, NOBODYS_ID = "public form", "public"
RECEIVED = Received().model_dump()
MAX_COPIES = 20
"""Media URLs per submission: each one is fetched, and strangers must not make us fetch thousands."""


@dataclass(frozen=True, slots=True)
class PublicVisitor:
    context: AppContext
    link: Row
    ip: str | None
    request_id: str | None

    @property
    def form_id(self) -> str:
        return self.link["form_id"]

    @property
    def client(self) -> str | None:
        return client_network(self.ip)

    def as_caller(self, email: str | None = None) -> Caller:
        """Return a caller in the form's account without any permission."""
        account_id = self.link["account_id"]
        who = Actor(
            "external",
            account_id,
            NOBODYS_ID,
            email or NOBODY,
            frozenset(),
            ip=self.ip,
            request_id=self.request_id,
        )
        return Caller(who, self.context, PLANS[self.link["plan"]])


class _PublicVisitorGate(Gate):
    """Lets everyone in who has the URL of an open public form."""

    async def __call__(self, request: Request, token: LinkToken) -> PublicVisitor:
        return await self.admit_once(request)

    async def admit(self, request: Request) -> PublicVisitor:
        context = get_context(request.app)
        ip: str | None = request.scope.get("client_ip")
        await enforce_call_rate(context.rates, client_network(ip))
        link = await context.db.fetchrow(
            """
            select l.token, l.form_id, l.account_id, l.secret, l.per_hour, a.name as workspace, a.plan,
                   l.ended_at is not null or f.archived_at is not null as ended
            from public_links l join accounts a using (account_id) join forms f using (form_id)
            where l.token = $1
            """,
            request.path_params["token"],
        )
        if link is None:
            raise FormNotFound
        if link["ended"]:
            raise FormClosed
        return PublicVisitor(context, link, ip, request.scope.get("request_id"))


PublicFormVisitor = Annotated[PublicVisitor, Depends(_PublicVisitorGate())]


async def get_public_trigger(visitor: PublicVisitor) -> dict[str, Any]:
    caller = visitor.as_caller()
    try:
        form, agent_id = await read_latest_trigger(caller, visitor.form_id)
    except (NotATrigger, NoAgent, NotFound):
        raise FormClosed from None
    return {
        "formName": form.name,
        "agentName": await agent_name(caller, agent_id),
        "workspace": visitor.link["workspace"],
        "version": form.version,
        "definition": {"version": form.version, "name": form.name, **form.definition.to_json()},
        "suggestion": build_suggestion(caller.settings, caller.account_id, form),
    }


async def create_challenge(visitor: PublicVisitor) -> ChallengeAnswer:
    """Issue a challenge. It's harder while the form is busy, so that spam costs most when it hurts most."""
    at = now()
    used = await count_submissions(visitor.context.db, visitor.form_id, at)
    bits = visitor.context.settings.public_form_bits + extra_bits(used, visitor.link["per_hour"])
    challenge = build_challenge(visitor.link["secret"], bits, at, secrets.token_bytes(NONCE_BYTES))
    return ChallengeAnswer(challenge=challenge.text, bits=bits, expires_at=iso(challenge.expires_at))


async def submit_public_form(visitor: PublicVisitor, body: PublicSubmission, raw: bytes) -> dict[str, Any]:
    """Submit the form. A challenge is valid for one submission. Repeating it, such as after a lost response,
    returns the same response.
    """
    at = now()
    if body.website:
        raise InvalidRequest([ErrorDetail("website", "must_be_empty", msg("must be empty"))])
    challenge = check_solution(visitor.link["secret"], body.challenge, body.solution, at)
    caller = visitor.as_caller(body.email)
    idempotency = Idempotency(f"public:{challenge.nonce}", hashlib.sha256(raw).digest())

    async def admit(tx: Executor) -> None:
        if not await tx.fetchval(
            "select true from public_links where token = $1 and ended_at is null for share", visitor.link["token"]
        ):
            raise FormClosed
        await reserve_submission(
            tx,
            visitor.form_id,
            visitor.client,
            per_hour=visitor.link["per_hour"],
            per_client=visitor.context.settings.public_form_rate,
            now=at,
        )

    start = TriggerInput(body.data, len(raw), version=body.version, meta=_about_visitor(body), most_copies=MAX_COPIES)
    try:
        first = await find_stored_response(caller.db, caller.account_id, idempotency)
        if first is not None:
            return first
        return await submit_trigger_form(caller, visitor.form_id, start, idempotency, admit=admit, answer=RECEIVED)
    except KeyReused:
        raise challenge_used() from None
    except (NotATrigger, NoAgent, NotFound):
        raise FormClosed from None


def _about_visitor(body: PublicSubmission) -> dict[str, Any] | None:
    """Return what visitors say about themselves, which nobody has verified."""
    visitor = {name: value for name, value in (("name", body.name), ("email", body.email)) if value}
    return {"visitor": visitor} if visitor else None
