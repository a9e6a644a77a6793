from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from signoff.accounts.dependencies import CanEditForms, CanRead
from signoff.forms import actions, queries
from signoff.forms.preview import preview
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
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.schemas import Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Review types"])

# The action validates the whole body, so that all errors are reported together. The content is documented in
# `signoff.openapi.review_types`.
RawForm = Annotated[dict[str, Any], Body()]


@router.get("/forms")
async def list_forms(
    caller: CanRead,
    agent_id: Annotated[str | None, Query(alias="agentId", max_length=128)] = None,
    archived: bool = False,
    cursor: FormCursor = None,
    limit: Limit = 50,
) -> Page[FormRow]:
    """Returns review types without definitions, oldest first."""
    forms = await queries.list_forms(
        caller.db, caller.account_id, agent_id=agent_id, archived=archived, after=cursor, limit=limit + 1
    )
    return make_page(forms, limit, lambda form: form.form_id)


@router.post("/forms", status_code=201)
async def create_form(caller: CanEditForms, raw: RawForm) -> Form:
    """Creates a review type. If the definition has errors, the response lists all of them."""
    return await actions.create_form(caller, raw)


@router.get("/forms/{formId}")
async def get_form(caller: CanRead, form_id: FormId) -> Form:
    return queries.to_form(await queries.get_form_row(caller.db, caller.account_id, form_id))


@router.patch("/forms/{formId}", responses={409: {}})
async def change_form(caller: CanEditForms, form_id: FormId, raw: RawForm) -> Form:
    """Updates the given properties and creates a new version.

    Pass `version` to fail if someone else saved in between.
    """
    return await actions.update_form(caller, form_id, raw)


@router.delete("/forms/{formId}", status_code=204)
async def archive_form(caller: CanEditForms, form_id: FormId) -> None:
    """Stops new reviews of this type. Existing reviews aren't affected."""
    await actions.archive_form(caller, form_id)


@router.get("/forms/{formId}/versions")
async def list_versions(
    caller: CanRead, form_id: FormId, cursor: VersionCursor = None, limit: Limit = 50
) -> Page[Version]:
    """Returns every version, newest first."""
    before = int(cursor) if cursor else None
    versions = await queries.list_versions(caller.db, caller.account_id, form_id, before=before, limit=limit + 1)
    return make_page(versions, limit, lambda version: str(version.version))


@router.post("/forms/{formId}/preview")
async def preview_form(caller: CanRead, form_id: FormId, request: PreviewRequest) -> Preview:
    """Returns what a reviewer would see for this request, and the initial `responseValues`."""
    row = await queries.get_form_row(caller.db, caller.account_id, form_id)
    return preview(row["definition"], request.data, request.config)
