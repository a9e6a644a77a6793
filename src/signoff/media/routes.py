from fastapi import APIRouter, Request, Response

from signoff.accounts.access import service_of
from signoff.accounts.identity import Participant
from signoff.media import file_responses, uploads
from signoff.media.schemas import Uploaded, upload_body
from signoff.media.urls import MEDIA_PATH

UPLOAD_PATH = "/uploadFiles"

router = APIRouter(tags=["Media"])
files = APIRouter(include_in_schema=False)
"""Outside of the API: what browsers fetch."""


@router.post(UPLOAD_PATH, openapi_extra={"requestBody": upload_body()})
async def upload_files(caller: Participant, request: Request) -> Uploaded:
    """Put images and videos into the media storage. The addresses in the answer can be values of a review request, and
    attachments of messages.

    All files of a call are kept, or none. Media that no review and no message uses is removed after some time.
    For people who may decide, and keys with the scope `reviews:write`.
    """
    return await uploads.upload(caller, request.headers.get("content-type", ""), request.stream())


@files.get(MEDIA_PATH + "/{place:path}")
async def get_media(request: Request) -> Response:
    return await file_responses.serve(service_of(request), request)
