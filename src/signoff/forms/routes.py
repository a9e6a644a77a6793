from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from signoff.accounts.dependencies import CanEditForms, CanRead
from signoff.agents.schemas import AgentFilter
from signoff.forms import actions, queries
from signoff.forms.errors import VersionConflict
from signoff.forms.fields.error_messages import NUMBER, must_be, one_of
from signoff.forms.preview import preview
from signoff.forms.rules import UNKNOWN_TARGET
from signoff.forms.schemas import (
    Form,
    FormCursor,
    FormId,
    FormRow,
    Preview,
    PreviewRequest,
    Version,
    VersionCursor,
)
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.http.documentation import document_errors, invalid
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Review types"])

# The action validates the whole body, so that all errors are reported together. The content is documented in
# `signoff.openapi.review_types`.
RawForm = Annotated[dict[str, Any], Body()]

INVALID_FORM = InvalidRequest(
    [
        ErrorDetail("fields[1].type", "unknown_type", one_of(["text", "longText", "markdown", "…"])),
        ErrorDetail("rules[0].target", "unknown_target", UNKNOWN_TARGET),
    ]
)


@router.get("/forms", operation_id="listForms", summary="List review types")
async def list_forms(
    caller: CanRead,
    agent_id: AgentFilter = None,
    archived: Annotated[bool, Query(description="Return archived review types instead of active ones.")] = False,
    cursor: FormCursor = None,
    limit: Limit = 50,
) -> Page[FormRow]:
    """Returns review types without definitions, oldest first."""
    forms = await queries.list_forms(
        caller.db, caller.account_id, agent_id=agent_id, archived=archived, after=cursor, limit=limit + 1
    )
    return make_page(forms, limit, lambda form: form.form_id)


@router.post(
    "/forms",
    operation_id="createForm",
    summary="Create a review type",
    status_code=201,
    responses=document_errors(INVALID_FORM),
)
async def create_form(caller: CanEditForms, raw: RawForm) -> Form:
    """Creates a review type. If the definition has errors, the response lists all of them."""
    return await actions.create_form(caller, raw)


@router.get("/forms/{formId}", operation_id="getForm", summary="Get a review type")
async def get_form(caller: CanRead, form_id: FormId) -> Form:
    """Returns the current version of a review type."""
    return queries.to_form(await queries.get_form_row(caller.db, caller.account_id, form_id))


@router.patch(
    "/forms/{formId}",
    operation_id="changeForm",
    summary="Update a review type",
    responses=document_errors(VersionConflict(1, 2, examples.EDITOR, examples.RESPONDED), INVALID_FORM),
)
async def change_form(caller: CanEditForms, form_id: FormId, raw: RawForm) -> Form:
    """Updates the given properties and creates a new version.

    If you send `version` and someone else has saved a newer one, the request fails.
    """
    return await actions.update_form(caller, form_id, raw)


@router.delete("/forms/{formId}", operation_id="archiveForm", summary="Archive a review type", status_code=204)
async def archive_form(caller: CanEditForms, form_id: FormId) -> None:
    """Stops new reviews of this type. Existing reviews aren't affected."""
    await actions.archive_form(caller, form_id)


@router.get("/forms/{formId}/versions", operation_id="listFormVersions", summary="List versions")
async def list_versions(
    caller: CanRead, form_id: FormId, cursor: VersionCursor = None, limit: Limit = 50
) -> Page[Version]:
    """Returns every version, newest first."""
    before = int(cursor) if cursor else None
    versions = await queries.list_versions(caller.db, caller.account_id, form_id, before=before, limit=limit + 1)
    return make_page(versions, limit, lambda version: str(version.version))


@router.post(
    "/forms/{formId}/preview",
    operation_id="previewForm",
    summary="Preview a request",
    responses=document_errors(invalid("data.score", "wrong_type", must_be(NUMBER, "seven"))),
)
async def preview_form(caller: CanRead, form_id: FormId, request: PreviewRequest) -> Preview:
    """Returns what a reviewer would see for this request, and the initial `responseValues`."""
    row = await queries.get_form_row(caller.db, caller.account_id, form_id)
    return preview(row["definition"], request.data, request.config)
