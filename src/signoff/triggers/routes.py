import hashlib
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response

from signoff.accounts.dependencies import CanEditForms, CanRead, SignedInDecider
from signoff.forms.schemas import FormId
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.idempotency import Idempotency, find_stored_response
from signoff.platform.schemas import ERROR_RESPONSE
from signoff.triggers import public_forms, public_links, queries
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
        description="If you send the same key and body again within 24 hours, you get the original response and the "
        "workflow isn't started again.",
    ),
]


def _document_response(model: Any, status: int = 200, *errors: int) -> dict[int | str, dict[str, Any]]:
    """For routes that write their answer themselves: what OpenAPI shall say about it."""
    return {status: {"model": model, "description": "OK"}, **dict.fromkeys(errors, ERROR_RESPONSE)}


@router.get("/triggers")
async def list_triggers(
    caller: CanRead, agent_id: Annotated[str | None, Query(alias="agentId", max_length=128)] = None
) -> Triggers:
    """Returns up to 1,000 trigger forms, sorted by name."""
    return await queries.list_triggers(caller, agent_id)


@router.get("/triggers/{formId}", responses=_document_response(TriggerForm, 200, 409))
async def get_trigger(caller: CanRead, form_id: FormId) -> Response:
    """Returns the current form and its initial values."""
    return json_response(await queries.get_trigger(caller, form_id))


@router.post("/triggers/{formId}/submissions", status_code=201, responses=_document_response(WorkflowStarted, 201, 409))
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


@router.get("/forms/{formId}/publicLink")
async def get_public_link(caller: CanEditForms, form_id: FormId) -> PublicLink:
    """Returns the link where anyone can fill out this form."""
    return await public_links.get_public_link(caller, form_id)


@router.put("/forms/{formId}/publicLink", responses={409: ERROR_RESPONSE})
async def put_public_link(caller: CanEditForms, form_id: FormId, terms: PublicLinkTerms) -> PublicLink:
    """Creates a public link, or updates its hourly limit. The URL stays the same."""
    return await public_links.publish_form(caller, form_id, terms)


@router.delete("/forms/{formId}/publicLink", status_code=204)
async def delete_public_link(caller: CanEditForms, form_id: FormId) -> None:
    """Removes the public link. Has no effect if there isn't one."""
    await public_links.unpublish_form(caller, form_id)


@router.post("/forms/{formId}/publicLink/rotate")
async def rotate_public_link(caller: CanEditForms, form_id: FormId) -> PublicLink:
    """Creates a new link with the same settings. The old one stops working immediately."""
    return await public_links.rotate_link(caller, form_id)


@public.get(PUBLIC_PATH + "triggers/{token}", responses=_document_response(PublicTrigger, 200, 410, 429))
async def get_public_trigger(visitor: PublicFormVisitor) -> Response:
    """Returns the current form and its initial values."""
    return json_response(await public_forms.get_public_trigger(visitor))


@public.post(PUBLIC_PATH + "triggers/{token}/challenge", responses={410: ERROR_RESPONSE, 429: ERROR_RESPONSE})
async def post_challenge(visitor: PublicFormVisitor) -> ChallengeAnswer:
    """Returns a proof-of-work challenge that each submission must solve, to prevent spam."""
    return await public_forms.create_challenge(visitor)


@public.post(
    PUBLIC_PATH + "triggers/{token}/submissions",
    status_code=201,
    responses=_document_response(Received, 201, 409, 410, 429),
)
async def submit_publicly(request: Request, visitor: PublicFormVisitor, body: PublicSubmission) -> Response:
    """Submits a public form. Submitting the same response again returns the original result."""
    return json_response(await public_forms.submit_public_form(visitor, body, await request.body()), status=201)
