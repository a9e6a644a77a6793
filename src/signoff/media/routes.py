from fastapi import APIRouter, Request, Response

from signoff.accounts.authentication import get_context
from signoff.accounts.dependencies import ChatParticipant
from signoff.media import file_responses, uploads
from signoff.media.schemas import Uploaded, upload_body
from signoff.media.urls import MEDIA_PATH

UPLOAD_PATH = "/uploadFiles"

router = APIRouter(tags=["Files"])
files = APIRouter(include_in_schema=False)
"""Not part of the API: what browsers fetch."""


@router.post(UPLOAD_PATH, openapi_extra={"requestBody": upload_body()})
async def upload_files(caller: ChatParticipant, request: Request) -> Uploaded:
    """Stores images and videos. Use the returned URLs as values in review requests or as message attachments.

    Either all files are stored or none. Files that no review or message uses are deleted after a while. Requires a
    role that can decide, or the `reviews:write` scope.
    """
    return await uploads.upload(caller, request.headers.get("content-type", ""), request.stream())


@files.get(MEDIA_PATH + "/{place:path}")
async def get_media(request: Request) -> Response:
    return await file_responses.media_response(get_context(request), request)
