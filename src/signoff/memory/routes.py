from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from signoff.accounts.context import Caller
from signoff.accounts.dependencies import CanRead
from signoff.accounts.fast_route import FastRoute
from signoff.forms.schemas import RequiredFormId
from signoff.media.signed_payloads import sign_media_urls
from signoff.memory.query_params import FILTERS, read_conditions, read_field_ids, read_response
from signoff.memory.response_formats import format_responses
from signoff.memory.responses import read_responses
from signoff.memory.schemas import Responses
from signoff.memory.search import ResponseSearch, search_responses
from signoff.platform import examples
from signoff.platform.errors import ErrorDetail, InvalidQuery, NotFound, summarize_errors
from signoff.platform.http.documentation import document_errors, invalid_query
from signoff.platform.http.json_routes import allow_query, json_response
from signoff.platform.messages import msg
from signoff.platform.operators import UNKNOWN_OPERATION

router = APIRouter(route_class=FastRoute, tags=["Memory"])

FieldIds = Annotated[
    str,
    Query(
        alias="fieldIds",
        max_length=20_000,
        description="Field IDs or `meta.<key>` names, comma-separated.",
        examples=["headline,score"],
    ),
]
FilterResponse = Annotated[
    Literal["approved", "rejected"] | None,
    Query(alias="filterResponse", description="Only reviews with this response."),
]
GroupByField = Annotated[bool, Query(alias="groupByField", description="Group by field instead of by review.")]
ApprovedOnly = Annotated[
    bool, Query(alias="approvedValuesOnly", description="Only approved values from approved reviews.")
]
RejectedOnly = Annotated[
    bool, Query(alias="rejectedValuesOnly", description="Only suggested values from rejected reviews.")
]
Limit = Annotated[
    int,
    Query(
        ge=1,
        le=500,
        description="Maximum number of responses. If your plan allows fewer, `x-limit-applied` tells you the limit.",
    ),
]

LIMIT_APPLIED, SCAN_LIMITED = "x-limit-applied", "x-scan-limited"
HEADERS: dict[str, Any] = {
    LIMIT_APPLIED: {
        "description": "Your plan's limit, if lower than `limit`.",
        "schema": {"type": "integer"},
        "example": 100,
    },
    SCAN_LIMITED: {
        "description": "These filters aren't indexed, so only this many of the newest responses were scanned.",
        "schema": {"type": "integer"},
        "example": 20000,
    },
}
RESPONSES = {
    200: {"model": Responses, "description": "OK", "headers": HEADERS},
    **document_errors(NotFound(msg("review type"), examples.FORM_ID)),
}
# RFC 9745: the date of the deprecation. The successor supports everything that this endpoint does.
DEPRECATION = {"Deprecation": "@1793491200", "Link": '<fetchResponses>; rel="successor-version"'}


@router.get(
    "/fetchResponses",
    operation_id="fetchResponses",
    summary="Get past decisions",
    responses=RESPONSES
    | document_errors(invalid_query("filterResponseValues[0].operation", "unknown_operation", UNKNOWN_OPERATION)),
)
@allow_query("")
async def fetch_responses(
    caller: CanRead,
    form_id: RequiredFormId,
    field_ids: FieldIds,
    filter_response: FilterResponse = None,
    filter_response_values: Annotated[
        str | None,
        Query(
            alias=FILTERS,
            max_length=20_000,
            description="JSON array of `{field, operation, value}` filters, as a string.",
            examples=['[{"field": "score.value", "operation": ">=", "value": 5}]'],
        ),
    ] = None,
    group_by_field: GroupByField = False,
    approved_values_only: ApprovedOnly = False,
    rejected_values_only: RejectedOnly = False,
    limit: Limit = 20,
) -> Response:
    """Returns past decisions, newest first, for prompts and evaluation."""
    return await _answer(
        caller,
        form_id,
        field_ids,
        filter_response,
        filter_response_values,
        group_by_field=group_by_field,
        approved_only=approved_values_only,
        rejected_only=rejected_values_only,
        limit=limit,
    )


@router.get(
    "/queryResponses",
    operation_id="queryResponses",
    summary="Get past decisions (legacy)",
    responses=RESPONSES,
    deprecated=True,
)
@allow_query("")
async def query_responses(
    request: Request,
    caller: CanRead,
    form_id: RequiredFormId,
    field_ids: FieldIds,
    filter_response: FilterResponse = None,
    group_by_field: GroupByField = False,
    approved_values_only: ApprovedOnly = False,
    rejected_values_only: RejectedOnly = False,
    limit: Limit = 20,
) -> Response:
    """Older version of `GET /fetchResponses`, without filters by value."""
    if FILTERS in request.query_params:  # ignoring it would return what the caller wanted to exclude
        error = ErrorDetail(FILTERS, "unknown_parameter", msg("is only supported by /fetchResponses"))
        raise InvalidQuery(summarize_errors([error]), [error])
    answer = await _answer(
        caller,
        form_id,
        field_ids,
        filter_response,
        None,
        group_by_field=group_by_field,
        approved_only=approved_values_only,
        rejected_only=rejected_values_only,
        limit=limit,
    )
    answer.headers.update(DEPRECATION)
    return answer


async def _answer(
    caller: Caller,
    form_id: str,
    field_ids_text: str,
    filter_response: str | None,
    filters: str | None,
    *,
    group_by_field: bool,
    approved_only: bool,
    rejected_only: bool,
    limit: int,
) -> Response:
    conditions = read_conditions(filters)
    response, only = read_response(filter_response, approved_only=approved_only, rejected_only=rejected_only)
    field_ids = await read_field_ids(caller.db, caller.account_id, form_id, field_ids_text)
    ceiling = caller.plan.memory_ceiling
    search = ResponseSearch(
        caller.account_id,
        form_id,
        response,
        conditions,
        limit=min(limit, ceiling),
        most_looked_at=caller.settings.memory_scan_rows,
    )
    result = await search_responses(caller.db, search)
    responses = await read_responses(caller.db, caller.account_id, form_id, result.review_ids, field_ids)
    headers = {LIMIT_APPLIED: str(ceiling)} if limit > ceiling else {}
    if not result.complete:
        headers[SCAN_LIMITED] = str(result.looked_at)
    answer = format_responses(responses, field_ids, by_field=group_by_field, only=only)
    return json_response(sign_media_urls(caller.settings, caller.account_id, answer), headers=headers)
