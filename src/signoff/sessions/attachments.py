"""Message attachments: files that were uploaded before, stored for as long as the message is."""

from collections.abc import Sequence
from typing import Any

from signoff.media.urls import parse_media_url
from signoff.platform.db import Executor
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.messages import msg
from signoff.platform.settings import Settings
from signoff.sessions.schemas import AttachmentBody

NOT_UPLOADED = msg("must be a `downloadURL` returned by `POST /uploadFiles`")

UNNAMED = "attachment"


async def attach_files(
    tx: Executor, settings: Settings, account_id: str, given: Sequence[AttachmentBody]
) -> list[dict[str, Any]]:
    """Return the attachments in stored form, and lock their media until the transaction ends. Each one that doesn't
    exist is an error.
    """
    if not given:
        return []
    places = [parse_media_url(settings, attachment.url) for attachment in given]
    media_ids = [place.media_id if place and place.account_id == account_id else "" for place in places]
    rows = await tx.fetch(
        """
        select media_id, content_type, size from media
        where account_id = $1 and media_id = any($2::text[]) order by media_id for key share
        """,
        account_id,
        sorted(set(media_ids)),
    )
    media = {row["media_id"]: row for row in rows}
    errors = [
        ErrorDetail(f"attachments[{index}].url", "not_uploaded", NOT_UPLOADED)
        for index, media_id in enumerate(media_ids)
        if media_id not in media
    ]
    if errors:
        raise InvalidRequest(errors)
    return [
        {
            "mediaId": media_id,
            "name": attachment.name or UNNAMED,
            "contentType": media[media_id]["content_type"],
            "size": media[media_id]["size"],
        }
        for attachment, media_id in zip(given, media_ids, strict=True)
    ]
