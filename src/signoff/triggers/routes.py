import hashlib
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from signoff.accounts.dependencies import CanEditForms, CanRead, SignedInDecider
from signoff.accounts.errors import FairUseExceeded
from signoff.agents.schemas import AgentFilter
from signoff.forms.fields.error_messages import EMPTY
from signoff.forms.schemas import FormId
from signoff.platform import examples
from signoff.platform.http.documentation import document_errors, document_response, invalid
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.idempotency import Idempotency, find_stored_response, key_reused
from signoff.triggers import public_forms, public_links, queries
from signoff.triggers.challenges import not_solved
from signoff.triggers.errors import (
    FormClosed,
    FormNotFound,
    LinkNotFound,
    TooManySubmissions,
    challenge_expired,
    challenge_used,
    form_changed,
    no_agent,
    not_a_trigger,
)
from signoff.triggers.public_forms import PublicFormVisitor
from signoff.triggers.schemas import (
    ChallengeAnswer,
    PublicLink,
    PublicLinkTerms,
    PublicSubmission,
    PublicTrigger,
    Received,
    TriggerForm,
    Triggers,
    TriggerSubmission,
    WorkflowStarted,
)
from signoff.triggers.submissions import TriggerInput, submit_trigger_form

PUBLIC_PATH = "/public/"

router = APIRouter(route_class=JsonRoute, tags=["Trigger forms"])
public = APIRouter(route_class=JsonRoute, tags=["Public forms"])

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        examples=["newsletter-2026-11"],
        description="If you send the same key and body again within 24 hours, you get the original response and the "
        "workflow isn't started again.",
    ),
]


CLOSED = (FormNotFound(), FormClosed(), TooManySubmissions("address", 1))


@router.get("/triggers", operation_id="listTriggers", summary="List trigger forms")
async def list_triggers(caller: CanRead, agent_id: AgentFilter = None) -> Triggers:
    """Returns up to 1,000 trigger forms, sorted by name."""
    return await queries.list_triggers(caller, agent_id)


@router.get(
    "/triggers/{formId}",
    operation_id="getTrigger",
    summary="Get a trigger form",
    responses=document_response(TriggerForm, not_a_trigger(), no_agent()),
)
async def get_trigger(caller: CanRead, form_id: FormId) -> Response:
    """Returns the current form and its initial values."""
    return json_response(await queries.get_trigger(caller, form_id))


@router.post(
    "/triggers/{formId}/submissions",
    operation_id="submitTrigger",
    summary="Submit a trigger form",
    status_code=201,
    responses=document_response(
        WorkflowStarted,
        form_changed(2),
        not_a_trigger(),
        no_agent(),
        key_reused(),
        FairUseExceeded("reviewRequests", 20_000, 20_000, examples.MONTH_ENDS),
        invalid("data.draft.headline", "required", EMPTY),
        status=201,
    ),
)
async def submit_trigger(
    request: Request, caller: SignedInDecider, form_id: FormId, body: TriggerSubmission, key: IdempotencyKey = None
) -> Response:
    """Submits a trigger form. Creates a session, a run, and a submitted review, and notifies the agent."""
    raw = await request.body()
    idempotency = None
    if key is not None:
        body_hash = hashlib.sha256(form_id.encode() + b"\n" + raw).digest()
        idempotency = Idempotency(f"{caller.scope} {key}", body_hash)
    # Before any other check: what was valid for the original request needn't be valid now.
    first = idempotency and await find_stored_response(caller.db, caller.account_id, idempotency)
    if first is not None:
        return json_response(first, status=201)
    start = TriggerInput(body.data, len(raw), body.version, body.title, body.session_id, body.run_name)
    return json_response(await submit_trigger_form(caller, form_id, start, idempotency), status=201)


@router.get(
    "/forms/{formId}/publicLink",
    operation_id="getPublicLink",
    summary="Get a public link",
    responses=document_errors(LinkNotFound()),
)
async def get_public_link(caller: CanEditForms, form_id: FormId) -> PublicLink:
    """Returns the link where anyone can fill out this form."""
    return await public_links.get_public_link(caller, form_id)


@router.put(
    "/forms/{formId}/publicLink",
    operation_id="publishForm",
    summary="Turn on a public link",
    responses=document_errors(not_a_trigger(), no_agent()),
)
async def put_public_link(caller: CanEditForms, form_id: FormId, terms: PublicLinkTerms) -> PublicLink:
    """Creates a public link, or updates its hourly limit. The URL stays the same."""
    return await public_links.publish_form(caller, form_id, terms)


@router.delete(
    "/forms/{formId}/publicLink", operation_id="unpublishForm", summary="Turn off a public link", status_code=204
)
async def delete_public_link(caller: CanEditForms, form_id: FormId) -> None:
    """Removes the public link. Has no effect if there isn't one."""
    await public_links.unpublish_form(caller, form_id)


@router.post(
    "/forms/{formId}/publicLink/rotate",
    operation_id="rotatePublicLink",
    summary="Replace a public link",
    responses=document_errors(LinkNotFound()),
)
async def rotate_public_link(caller: CanEditForms, form_id: FormId) -> PublicLink:
    """Creates a new link with the same settings. The old one stops working immediately."""
    return await public_links.rotate_link(caller, form_id)


@public.get(
    PUBLIC_PATH + "triggers/{token}",
    operation_id="getPublicTrigger",
    summary="Get a public form",
    responses=document_response(PublicTrigger, *CLOSED),
)
async def get_public_trigger(visitor: PublicFormVisitor) -> Response:
    """Returns the current form and its initial values."""
    return json_response(await public_forms.get_public_trigger(visitor))


@public.post(
    PUBLIC_PATH + "triggers/{token}/challenge",
    operation_id="getChallenge",
    summary="Create a challenge",
    responses=document_errors(*CLOSED),
)
async def post_challenge(visitor: PublicFormVisitor) -> ChallengeAnswer:
    """Returns a proof-of-work challenge that prevents spam. The client must solve a new one for each submission."""
    return await public_forms.create_challenge(visitor)


@public.post(
    PUBLIC_PATH + "triggers/{token}/submissions",
    operation_id="submitPublicTrigger",
    summary="Submit a public form",
    status_code=201,
    responses=document_response(
        Received,
        *CLOSED,
        form_changed(2),
        challenge_expired(),
        challenge_used(),
        invalid("solution", "not_solved", not_solved(16)),
        FairUseExceeded("reviewRequests", 20_000, 20_000, examples.MONTH_ENDS),
        status=201,
    ),
)
async def submit_publicly(request: Request, visitor: PublicFormVisitor, body: PublicSubmission) -> Response:
    """Submits a public form. Submitting the same response again returns the original result."""
    return json_response(await public_forms.submit_public_form(visitor, body, await request.body()), status=201)
