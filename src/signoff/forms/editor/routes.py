"""Endpoints that the review type editor needs in addition to reading and saving."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response

from signoff.accounts.dependencies import CanEditForms, CanRead
from signoff.forms import actions, queries
from signoff.forms.codegen.generator import Language, source_code
from signoff.forms.codegen.openapi import RESPONSES as CODE_RESPONSES
from signoff.forms.editor import checks, comparison, dry_run, import_export
from signoff.forms.editor.import_export import unsupported_format
from signoff.forms.editor.schemas import (
    Check,
    Comparison,
    Duplicating,
    ExportedForm,
    FormCheck,
    ImportedForm,
    Restoring,
    Sample,
    SampledForm,
    Templates,
    TriedOut,
    TryOut,
    VersionNumber,
    version_query,
)
from signoff.forms.errors import AgentGone
from signoff.forms.form_templates import load_templates
from signoff.forms.inference.form_builder import infer_form
from signoff.forms.schemas import Form, FormId, Version
from signoff.platform import examples
from signoff.platform.errors import NotFound
from signoff.platform.http.documentation import document_errors, document_response, invalid
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.messages import msg, reader_language

router = APIRouter(route_class=JsonRoute, tags=["Review types"])


@router.post(
    "/forms/check",
    operation_id="checkForm",
    summary="Validate a review type",
    responses=document_errors(NotFound(msg("review type"), examples.FORM_ID)),
)
async def check_form(caller: CanRead, check: FormCheck) -> Check:
    """Validates a definition without saving it. Returns errors, warnings, and changes that would break agents or
    webhooks.
    """
    return await checks.check_form(caller, check)


@router.post(
    "/forms/preview",
    operation_id="tryOutForm",
    summary="Preview a review type",
    responses=document_response(TriedOut, NotFound(msg("review type"), examples.FORM_ID)),
)
async def try_out(caller: CanRead, body: TryOut) -> Response:
    """Returns what a reviewer would see for this definition, and the event it would produce. Saves nothing."""
    return json_response(await dry_run.dry_run_form(caller, body))


@router.post("/forms/fromSample", operation_id="makeFormFromSample", summary="Generate a review type from sample data")
async def form_of_sample(caller: CanRead, body: Sample) -> SampledForm:
    """Generates a definition from sample `data`. The same sample always gives the same result."""
    del caller
    return infer_form(body.sample, body.name)


@router.get("/forms/templates", operation_id="listFormTemplates", summary="List templates")
async def list_templates(caller: CanRead) -> Templates:
    """Returns review type templates with sample data."""
    del caller
    return load_templates(reader_language())


@router.post(
    "/forms/import",
    operation_id="importForm",
    summary="Import a review type",
    status_code=201,
    responses=document_errors(invalid("signoff", "unsupported_format", unsupported_format("form/2"))),
)
async def import_form(caller: CanEditForms, document: Annotated[dict[str, Any], Body()]) -> ImportedForm:
    """Creates a review type from an export. To link it to an agent, add `agentId`."""
    return await import_export.import_form(caller, document)


@router.get(
    "/forms/{formId}/export",
    operation_id="exportForm",
    summary="Export a review type",
    responses=document_response(ExportedForm),
)
async def export_form(caller: CanRead, form_id: FormId) -> Response:
    """Returns the current version as a file without account-specific IDs."""
    name, document = await import_export.export_form(caller, form_id)
    return json_response(document, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/forms/{formId}/versions/{version}", operation_id="getFormVersion", summary="Get a version")
async def get_version(caller: CanRead, form_id: FormId, version: VersionNumber) -> Version:
    """Returns one version with its definition."""
    return await queries.get_version(caller.db, caller.account_id, form_id, version)


@router.get("/forms/{formId}/compare", operation_id="compareFormVersions", summary="Compare versions")
async def compare_versions(
    caller: CanRead,
    form_id: FormId,
    from_version: Annotated[
        int | None, version_query("from", "The older version. Defaults to the one before `to`.")
    ] = None,
    to_version: Annotated[int | None, version_query("to", "The newer version. Defaults to the current one.")] = None,
) -> Comparison:
    """Returns the differences between two versions and which of them break agents or webhooks."""
    return await comparison.compare_versions(caller, form_id, from_version, to_version)


@router.get(
    "/forms/{formId}/code",
    operation_id="getFormCode",
    summary="Generate types for a review type",
    response_class=Response,
    responses=CODE_RESPONSES,
)
async def get_code(
    caller: CanRead,
    form_id: FormId,
    language: Annotated[Language, Query(description="Language of the generated types.")],
    version: Annotated[int | None, version_query("version", "Defaults to the current one.")] = None,
) -> Response:
    """Returns source code that defines types for `data`, `responseValues`, and the event."""
    source = await source_code(caller, form_id, language, version)
    headers = {"Content-Disposition": f'inline; filename="{source.file_name}"'}
    return Response(source.text, media_type=source.media_type, headers=headers)


@router.post("/forms/{formId}/restore", operation_id="restoreFormVersion", summary="Restore a version")
async def restore_version(caller: CanEditForms, form_id: FormId, body: Restoring) -> Form:
    """Saves an earlier version's definition as a new version."""
    return await actions.restore_version(caller, form_id, body.version)


@router.post(
    "/forms/{formId}/unarchive",
    operation_id="unarchiveForm",
    summary="Unarchive a review type",
    responses=document_errors(AgentGone(examples.AGENT_ID)),
)
async def unarchive_form(caller: CanEditForms, form_id: FormId) -> Form:
    """Allows new reviews of this type again."""
    return await actions.unarchive_form(caller, form_id)


@router.post(
    "/forms/{formId}/duplicate", operation_id="duplicateForm", summary="Duplicate a review type", status_code=201
)
async def duplicate_form(caller: CanEditForms, form_id: FormId, body: Duplicating) -> Form:
    """Creates a new review type with the same definition."""
    return await import_export.duplicate_form(caller, form_id, body.name)
