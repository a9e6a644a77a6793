from fastapi import APIRouter, Request, Response

from signoff.accounts.context import get_context
from signoff.accounts.dependencies import ChatParticipant
from signoff.accounts.errors import FairUseExceeded
from signoff.media import file_responses, uploads
from signoff.media.errors import DAMAGED
from signoff.media.multipart import file_too_large, incomplete_form, not_a_form
from signoff.media.schemas import Uploaded, upload_body
from signoff.media.uploads import refused_file
from signoff.media.urls import MEDIA_PATH
from signoff.platform import examples
from signoff.platform.http.documentation import document_errors, invalid

UPLOAD_PATH = "/uploadFiles"

router = APIRouter(tags=["Files"])
files = APIRouter(include_in_schema=False)
"""Not part of the API: what browsers fetch."""


@router.post(
    UPLOAD_PATH,
    operation_id="uploadFiles",
    summary="Upload files",
    openapi_extra={"requestBody": upload_body()},
    responses=document_errors(
        incomplete_form(),
        file_too_large("cover.png", 0, 20_971_520),
        not_a_form("application/json"),
        invalid("files[1]", "truncated", refused_file("cover.png", DAMAGED)),
        FairUseExceeded("dataBytes", 20_000_000_000, 20_000_000_000, examples.MONTH_ENDS),
    ),
)
async def upload_files(caller: ChatParticipant, request: Request) -> Uploaded:
    """Stores images and videos. Use the returned URLs as values in review requests or as message attachments.

    Either all files are stored or none. Files that no review or message uses are deleted after a while. Requires a
    role that can decide, or the `reviews:write` scope.
    """
    return await uploads.upload(caller, request.headers.get("content-type", ""), request.stream())


@files.get(MEDIA_PATH + "/{place:path}")
async def get_media(request: Request) -> Response:
    return await file_responses.media_response(get_context(request.app), request)
