"""Upload files: write the form to disk, inspect every file, and only then store all of them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack

import orjson
from starlette.requests import ClientDisconnect

from signoff.accounts.context import Caller
from signoff.accounts.usage.fair_use import enforce_fair_use
from signoff.accounts.usage.meter import record_usage
from signoff.forms.fields.transform import Transform, read_transform
from signoff.media.errors import MediaRejected
from signoff.media.multipart import CONFIG, MAX_CONFIG_BYTES, MAX_FILES, Form, FormReader, SentFile
from signoff.media.schemas import Uploaded, UploadedFile
from signoff.media.store import MediaStore, PreparedFile
from signoff.media.urls import media_url
from signoff.platform.errors import BadRequest, ErrorDetail, InvalidRequest, ValidationFailed
from signoff.platform.messages import Message, msg
from signoff.platform.settings import Settings

WRITE_BYTES = 256 * 1024


def max_upload_bytes(settings: Settings) -> int:
    """Return the largest valid body: the maximum number of files, each with the maximum size."""
    return MAX_FILES * settings.max_file_bytes + MAX_CONFIG_BYTES + 1024 * 1024


async def upload(caller: Caller, content_type: str, body: AsyncIterator[bytes]) -> Uploaded:
    """Store all files or none. A failed or aborted call leaves nothing behind, on disk or in the storage."""
    store, settings = caller.context.get(MediaStore), caller.settings
    with ExitStack() as until_done:
        reader = FormReader(content_type, store.temp_files, settings.max_file_bytes, until_done)
        form = await _read(store, reader, body)
        transform = _read_transform(form)
        if not form.files:
            raise InvalidRequest([ErrorDetail("files", "required", msg("must have at least one file"))])
        sent_bytes = sum(sent.size for sent in form.files)
        await enforce_fair_use(caller, bytes=sent_bytes)
        async with AsyncExitStack() as until_kept:
            ready = await _prepare(store, form, transform, until_kept)
            stored = await store.store_prepared(caller.account_id, ready)
        await record_usage(caller.db, caller.account_id, bytes=sent_bytes)
    files = [
        UploadedFile(
            downloadURL=media_url(settings, caller.account_id, media),
            original_name=sent.name,
            size=media.size,
            content_type=media.content_type,
        )
        for sent, media in zip(form.files, stored, strict=True)
    ]
    return Uploaded(files=files, count=len(files))


async def _read(store: MediaStore, reader: FormReader, body: AsyncIterator[bytes]) -> Form:
    """Read in chunks that are worth a thread switch; at most one of them is in memory."""
    waiting = bytearray()
    try:
        async for piece in body:
            waiting += piece
            if len(waiting) >= WRITE_BYTES:
                data, waiting = bytes(waiting), bytearray()
                await store.work(lambda data=data: reader.write(data))
    except ClientDisconnect:
        raise BadRequest(msg("The upload was interrupted.")) from None
    await store.work(lambda: reader.write(bytes(waiting)))
    return reader.finish()


def _read_transform(form: Form) -> Transform | None:
    if not form.config:
        return None
    try:
        raw = orjson.loads(form.config)
    except orjson.JSONDecodeError as error:
        raise BadRequest(msg("The {name} field isn't valid JSON: {error}.", name=CONFIG, error=str(error))) from None
    errors: list[ErrorDetail] = []
    transform = read_transform(raw, CONFIG, errors)
    if errors:
        raise ValidationFailed(errors)
    return transform


async def _prepare(
    store: MediaStore, form: Form, transform: Transform | None, until_kept: AsyncExitStack
) -> list[PreparedFile]:
    """Prepare the files. The error names every refused file."""
    ready: list[PreparedFile] = []
    errors: list[ErrorDetail] = []
    for index, sent in enumerate(form.files):
        try:
            ready.append(await until_kept.enter_async_context(store.prepared(sent.path, transform)))
        except MediaRejected as refused:
            errors.append(_error_detail(index, sent, refused))
    if errors:
        raise ValidationFailed(errors)
    return ready


def _error_detail(index: int, sent: SentFile, refused: MediaRejected) -> ErrorDetail:
    return ErrorDetail(f"files[{index}]", refused.code, refused_file(sent.name, refused.message))


def refused_file(name: str, problem: Message) -> Message:
    return msg("'{name}' {problem}", name=name, problem=problem)
