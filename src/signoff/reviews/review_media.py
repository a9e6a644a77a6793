"""Media of reviews: process it with a request, return its copies, and release it."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from signoff.accounts.context import Caller
from signoff.forms.definition import Definition
from signoff.forms.fields.media import is_media_address
from signoff.forms.fields.value_type import FieldConfig
from signoff.forms.media_values import MediaValue, ValuePath, media_values
from signoff.forms.suggestion import Suggestion
from signoff.media.base64_decoder import BadBase64, Base64TooLarge, write_decoded
from signoff.media.content_types import IMAGES, MediaKind, media_kind
from signoff.media.copies import CopyRequest, new_copy_request, queue_copies_sql
from signoff.media.errors import MediaRejected
from signoff.media.references import add_references, release_references
from signoff.media.store import MediaStore, PreparedFile
from signoff.media.urls import parse_media_url, stored_media_url
from signoff.platform.db import Executor, Row
from signoff.platform.errors import MAX_REPORTED_ERRORS, ErrorDetail, InvalidRequest
from signoff.platform.json_values import JsonObject
from signoff.platform.messages import ByteSize, msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Rows, Sql

WRONG_KIND: Final = {
    MediaKind.IMAGE: msg("is a stored image, but this field expects a video"),
    MediaKind.VIDEO: msg("is a stored video, but this field expects an image"),
}


@dataclass(frozen=True, slots=True)
class IngestedMedia:
    """The images and videos of a request after processing. Only new contents have been stored; nothing else is
    written yet.
    """

    changes: dict[ValuePath, str] = field(default_factory=dict[ValuePath, str])
    """Replacements for what the request sent at these places: URLs in the media storage."""
    uses: frozenset[str] = frozenset()
    """The media that the review shows with those URLs."""
    copies: tuple[CopyRequest, ...] = ()
    """What is to be copied from other sites."""

    @property
    def is_empty(self) -> bool:
        return not self.uses and not self.copies


@dataclass(slots=True)
class _SortedValues:
    encoded: list[MediaValue]
    own: list[tuple[MediaValue, str]]
    """With the media's ID."""
    elsewhere: dict[str, CopyRequest]
    """By URL. If several fields have it, the first one's options are used."""
    errors: list[ErrorDetail]


async def ingest_media(
    caller: Caller, definition: Definition, data: JsonObject, configs: dict[str, FieldConfig]
) -> IngestedMedia:
    """Store base64 contents, look up stored media, and collect pending copies of other URLs.

    Raises `InvalidRequest` with all errors. Don't call it inside a transaction: it's slow.
    """
    sorted_values = _sort(caller.settings, caller.account_id, media_values(definition, data, configs))
    own = await _find_stored(caller.db, caller.account_id, sorted_values)
    stored = await _store_all(caller, sorted_values)
    if sorted_values.errors:
        raise InvalidRequest(sorted_values.errors[:MAX_REPORTED_ERRORS])
    changes = {
        value.place: stored_media_url(caller.settings, caller.account_id, media_id)
        for value, media_id in [*own, *stored]
        if value.place
    }
    uses = frozenset(media_id for _, media_id in [*own, *stored])
    return IngestedMedia(changes, uses, tuple(sorted_values.elsewhere.values()))


def find_submitted_media(
    definition: Definition, suggestion: Suggestion, review: Row, decided: JsonObject
) -> list[MediaValue]:
    """Return the media that a reviewer added."""
    known = {value.text for value in media_values(definition, review["data"], suggestion.configs)}
    return [value for value in media_values(definition, decided, suggestion.configs) if value.text not in known]


async def attach_submitted_media(
    tx: Executor, settings: Settings, review: Row, submitted: Sequence[MediaValue]
) -> None:
    """Process media that a reviewer added: their uploads are in use from now on, and other URLs are copied."""
    account_id, review_id = review["account_id"], review["review_id"]
    sorted_values = _sort(settings, account_id, submitted)
    own = await _find_stored(tx, account_id, sorted_values)
    if sorted_values.errors:
        raise InvalidRequest(sorted_values.errors[:MAX_REPORTED_ERRORS])
    ingested = IngestedMedia({}, frozenset(media_id for _, media_id in own), tuple(sorted_values.elsewhere.values()))
    try:
        await attach_media(tx, account_id, review_id, ingested)
    except MediaDeleted:
        raise InvalidRequest([error for value, _ in own for error in _unknown(value)]) from None


def _sort(settings: Settings, account_id: str, values: Iterable[MediaValue]) -> _SortedValues:
    found = _SortedValues([], [], {}, [])
    for value in values:
        if not is_media_address(value.text):
            found.encoded.append(value)
        elif (place := parse_media_url(settings, value.text)) is not None and place.account_id == account_id:
            found.own.append((value, place.media_id))
        elif place is not None or value.text.startswith("/"):
            found.errors += _unknown(value)
        elif value.text not in found.elsewhere:
            order = new_copy_request(value.text, MediaKind(value.field.type.name), value.config.transform)
            found.elsewhere[value.text] = order
    return found


def _unknown(value: MediaValue) -> list[ErrorDetail]:
    """Return the error for unknown media. A review type's default isn't the fault of a request that doesn't replace
    it.
    """
    return (
        [ErrorDetail(value.where, "unknown_media", msg("isn't a file in this account's storage"))]
        if value.place
        else []
    )


async def _find_stored(db: Executor, account_id: str, sorted_values: _SortedValues) -> list[tuple[MediaValue, str]]:
    """Return media that exists and has the field's type; the rest are errors."""
    if not sorted_values.own:
        return []
    rows = await db.fetch(
        "select media_id, content_type from media where account_id = $1 and media_id = any($2::text[])",
        account_id,
        list({media_id for _, media_id in sorted_values.own}),
    )
    kinds = {row["media_id"]: media_kind(row["content_type"]) for row in rows}
    good: list[tuple[MediaValue, str]] = []
    for value, media_id in sorted_values.own:
        kind = kinds.get(media_id)
        if kind is None:
            sorted_values.errors += _unknown(value)
        elif kind != value.field.type.name and value.place:
            sorted_values.errors.append(ErrorDetail(value.where, "wrong_kind", WRONG_KIND[kind]))
        else:
            good.append((value, media_id))
    return good


async def _store_all(caller: Caller, sorted_values: _SortedValues) -> list[tuple[MediaValue, str]]:
    """Store all contents of a request. All are inspected first: a single error means that none is stored."""
    if not sorted_values.encoded:
        return []
    media_store = caller.context.get(MediaStore)
    async with AsyncExitStack() as files:
        looks = (
            _prepare_file(media_store, files, value, caller.settings.max_file_bytes) for value in sorted_values.encoded
        )
        results = await asyncio.gather(*looks, return_exceptions=True)
        ready: list[PreparedFile] = []
        for result in results:
            if isinstance(result, ErrorDetail):
                sorted_values.errors.append(result)
            elif isinstance(result, BaseException):
                raise result
            else:
                ready.append(result)
        if sorted_values.errors:
            return []
        stored_files = await media_store.store_prepared(caller.account_id, ready)
    return [(value, media.media_id) for value, media in zip(sorted_values.encoded, stored_files, strict=True)]


async def _prepare_file(
    media_store: MediaStore, files: AsyncExitStack, value: MediaValue, max_bytes: int
) -> PreparedFile | ErrorDetail:
    """Return the content as it will be stored, or its error. The media store limits the concurrent work."""
    try:
        file = files.enter_context(media_store.temp_files.file())
        await media_store.work(lambda: write_decoded(value.text, file, max_bytes))
        return await files.enter_async_context(media_store.prepared(file, value.config.transform, kinds=IMAGES))
    except BadBase64 as error:
        return ErrorDetail(value.where, "bad_base64", error.message)
    except Base64TooLarge:
        return ErrorDetail(
            value.where,
            "too_large",
            msg("must be at most {limit}", limit=ByteSize(max_bytes)),
        )
    except MediaRejected as refusal:
        return ErrorDetail(value.where, refusal.code, refusal.message)


class MediaDeleted(Exception):
    """Media that existed during validation is gone: its last other use was released. Validate again."""


@dataclass(frozen=True, slots=True)
class ReviewCopy:
    """A row of `media_copies`: the order for a copy, and the review that it's for."""

    account_id: str
    review_id: str
    order: CopyRequest


ORDER_COPIES = Sql(
    """
    with ordered as (
        insert into media_copies as c (copy_id, account_id, review_id, url_hash, url, kind, transform)
        select order_copy_id, account_id, review_id, sha256(convert_to(order_url, 'UTF8')), order_url, order_kind,
               order_transform
        from {copies} as o
        on conflict (account_id, review_id, url_hash) do update set
            copy_id = excluded.copy_id, kind = excluded.kind, transform = excluded.transform,
            state = 'pending', media_id = null, error = null, next_try_at = null,
            updated_at = now()
        where c.state = 'failed' or c.kind <> excluded.kind
           or coalesce(c.transform::jsonb, 'null') <> coalesce(excluded.transform::jsonb, 'null')
        returning account_id, copy_id, url
    )
    {queue}
    """,
    copies=Rows("copies", ReviewCopy),
    queue=queue_copies_sql("ordered"),
)


async def attach_media(tx: Executor, account_id: str, review_id: str, media: IngestedMedia) -> None:
    """Record the media of an existing review, or raise `MediaDeleted`.

    Finished and pending copies stay; failed ones, and those that are now wanted in another format, are enqueued again.
    """
    if media.copies:
        await ORDER_COPIES.execute(tx, copies=[ReviewCopy(account_id, review_id, order) for order in media.copies])
    if media.uses and await add_references(tx, account_id, review_id, media.uses):
        raise MediaDeleted


# For the review `r`: the copies (URL to media ID) and the failures. Null if there are none.
COPIES_OF_REVIEW = """
    (select json_object_agg(c.url, c.media_id order by c.copy_id) from media_copies c
     where c.account_id = r.account_id and c.review_id = r.review_id and c.state = 'copied') as copied,
    (select json_agg(json_build_object(
         'url', c.url, 'message', c.error, 'state', case c.state when 'failed' then 'failed' else 'retrying' end
     ) order by c.copy_id) from media_copies c
     where c.account_id = r.account_id and c.review_id = r.review_id and c.state <> 'copied' and c.error is not null
    ) as not_copied
"""


def file_cache(settings: Settings, row: Row) -> dict[str, str]:
    """Return the URLs of a row that has COPIES_OF_REVIEW: original to stored, without signatures."""
    copied: dict[str, str] = row["copied"] or {}
    return {url: stored_media_url(settings, row["account_id"], media_id) for url, media_id in copied.items()}


async def detach_media(tx: Executor, account_id: str, review_ids: Sequence[str]) -> None:
    """Release the media of deleted reviews and delete files that nothing else uses.

    Pending copies come first: recording a copy takes its locks in the same order.
    """
    await tx.execute(
        """
        delete from outgoing_messages o using media_copies c
        where c.account_id = $1 and c.review_id = any($2) and o.message_id = c.copy_id
        """,
        account_id,
        review_ids,
    )
    await tx.execute("delete from media_copies where account_id = $1 and review_id = any($2)", account_id, review_ids)
    await release_references(tx, account_id, *review_ids)
