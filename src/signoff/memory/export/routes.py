from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from signoff.accounts.dependencies import CanRead
from signoff.forms.errors import unknown_field
from signoff.forms.schemas import RequiredFormId
from signoff.memory.export.cursor import CURSOR_PATTERN
from signoff.memory.export.errors import ParquetNotInstalled
from signoff.memory.export.openapi import RESPONSES
from signoff.memory.export.query_params import Format, Shape, read_export
from signoff.memory.export.writer import MEDIA_TYPES, write_export
from signoff.platform import examples
from signoff.platform.errors import NotFound
from signoff.platform.http.documentation import document_errors, invalid_query
from signoff.platform.http.json_routes import JsonRoute
from signoff.platform.http.streams import stream_response
from signoff.platform.messages import msg

router = APIRouter(route_class=JsonRoute, tags=["Memory"])


@router.get(
    "/responses/export",
    operation_id="exportResponses",
    summary="Export decisions",
    response_class=StreamingResponse,
    responses=RESPONSES
    | document_errors(
        NotFound(msg("review type"), examples.FORM_ID),
        invalid_query("fieldIds", "unknown_field", unknown_field("heading")),
        ParquetNotInstalled(),
    ),
)
async def export_responses(
    request: Request,
    caller: CanRead,
    form_id: RequiredFormId,
    file_format: Annotated[Format, Query(alias="format", description="File format.")] = "jsonl",
    shape: Annotated[
        Shape,
        Query(
            description="`pairs`: suggested and approved values side by side. `sft`: conversations that end with the "
            "approved value. `dpo`: pairs of preferred and rejected answers, as text. "
            "`dpo-conversational`: the same pairs, as lists of messages."
        ),
    ] = "pairs",
    field_ids: Annotated[
        str | None,
        Query(
            alias="fieldIds",
            max_length=20_000,
            description="Field IDs, comma-separated. Defaults to all.",
            examples=["headline,score"],
        ),
    ] = None,
    filter_response: Annotated[
        Literal["approved", "rejected"] | None,
        Query(alias="filterResponse", description="Only reviews with this response."),
    ] = None,
    after: Annotated[
        str | None,
        Query(pattern=CURSOR_PATTERN, description="`cursor` of the last row received, to resume after it."),
    ] = None,
    limit: Annotated[
        int | None, Query(ge=1, le=10_000_000, description="Maximum number of reviews to scan. Defaults to all.")
    ] = None,
) -> Response:
    """Exports decisions as a file, oldest first. Rows are streamed in the order in which reviews were decided. If
    something fails, the connection closes early; to resume, pass the last row's `cursor` as `after`.
    """
    export = await read_export(
        caller.db,
        caller.account_id,
        form_id,
        shape=shape,
        field_ids=field_ids,
        response=filter_response,
        after=after,
        limit=limit,
    )
    headers = {"Content-Disposition": f'attachment; filename="{export.form_id}-{shape}.{file_format}"'}
    if export.next_cursor is not None:
        headers["x-next-cursor"] = export.next_cursor
    return await stream_response(
        request, write_export(caller.db, export, file_format), MEDIA_TYPES[file_format], headers
    )
