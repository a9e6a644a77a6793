"""Endpoints for client libraries: the available review types, and what a request for one of them contains.

Every valid key may use them, whatever its scopes: a key that can only request reviews has to know what to send.
"""

from collections.abc import AsyncGenerator

import orjson
from fastapi import APIRouter, Request, Response

from signoff.accounts.dependencies import AnyCredential
from signoff.agents.schemas import AgentFilter
from signoff.forms import queries
from signoff.forms.json_schema import config_schema, data_schema
from signoff.forms.schemas import FieldSchemas, RequiredFormId, ReviewForms
from signoff.forms.versions import get_form_version
from signoff.platform import examples
from signoff.platform.db import Database
from signoff.platform.errors import NotFound
from signoff.platform.http.documentation import document_errors, document_response
from signoff.platform.http.json_routes import JSON, JsonRoute, allow_query
from signoff.platform.http.streams import stream_response
from signoff.platform.messages import msg

router = APIRouter(route_class=JsonRoute, tags=["Review types"])


@router.get(
    "/fetchReviewForms",
    operation_id="fetchReviewForms",
    summary="List review types and their fields",
    responses=document_response(ReviewForms),
)
@allow_query("")
async def fetch_review_forms(
    request: Request,
    caller: AnyCredential,
    agent_id: AgentFilter = None,
) -> Response:
    """Returns every active review type with its fields, oldest first. For client libraries.

    **Access:** all members; any valid API key.
    """
    return await stream_response(request, _review_forms(caller.db, caller.account_id, agent_id), JSON)


@router.get(
    "/fetchSchemaForFormFields",
    operation_id="fetchSchemaForFormFields",
    summary="Get JSON Schemas for requests",
    responses=document_errors(NotFound(msg("review type"), examples.FORM_ID)),
)
@allow_query("")
async def fetch_schema_for_form_fields(caller: AnyCredential, form_id: RequiredFormId) -> FieldSchemas:
    """Returns JSON Schemas for the `data` and `config` of a request.

    **Access:** all members; any valid API key.
    """
    row = await queries.get_form_row(caller.db, caller.account_id, form_id)
    if row["archived_at"] is not None:
        raise NotFound(msg("review type"), form_id)
    definition = (await get_form_version(caller.db, form_id, row["version"])).definition
    return FieldSchemas(form_id=form_id, fields=data_schema(definition), config=config_schema(definition))


async def _review_forms(db: Database, account_id: str, agent_id: str | None) -> AsyncGenerator[bytes]:
    """Yield `{"forms": […]}` page by page: an account may have thousands of review types with 200 fields each."""
    begin, after = b'{"forms":[', ""
    while rows := await queries.list_forms_with_fields(db, account_id, agent_id=agent_id, after=after):
        forms = [
            {"id": row["form_id"], "name": row["name"], "agentId": row["agent_id"], "fields": row["fields"]}
            for row in rows
        ]
        yield begin + orjson.dumps(forms)[1:-1]
        begin, after = b",", rows[-1]["form_id"]
    yield (b'{"forms":[' if not after else b"") + b"]}"
