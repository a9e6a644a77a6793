"""Parse a multipart form as a stream: each file is written to disk as it arrives, and nothing is held in memory."""

import logging
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from python_multipart import MultipartParser
from python_multipart.exceptions import ParseError
from python_multipart.multipart import parse_options_header

from signoff.media.errors import FileTooLarge
from signoff.media.temp_files import TempFiles
from signoff.platform.errors import BadRequest, PayloadTooLarge, UnsupportedMediaType
from signoff.platform.messages import ByteSize, msg

logging.getLogger("python_multipart").setLevel(logging.ERROR)  # errors in a form are reported to its sender

FORM = "multipart/form-data"
CONFIG = "config"
MAX_FILES = 50
MAX_FIELDS = 100
MAX_CONFIG_BYTES = 64 * 1024
MAX_NAME_LENGTH = 255
_EXTENDED_NAME = re.compile(r"filename\*\s*=\s*utf-8'[^']*'([^;\s]+)", re.IGNORECASE)


@dataclass(slots=True)
class SentFile:
    name: str
    path: Path
    size: int = 0


@dataclass(slots=True)
class Form:
    files: list[SentFile] = field(default_factory=list[SentFile])
    config: bytes | None = None


class FormReader:
    """Receives the body in chunks. Raises an `ApiError` as soon as something is wrong with it."""

    def __init__(self, content_type: str, temp_files: TempFiles, most_file_bytes: int, until_done: ExitStack) -> None:
        """`until_done` deletes the files when it exits."""
        self.form = Form()
        self._workroom = temp_files
        self._most_file_bytes = most_file_bytes
        self._until_done = until_done
        self._header_name = self._header_value = b""
        self._disposition = b""
        self._fields = 0
        self._take: Callable[[bytes], None] = _ignore
        self._open: BinaryIO | None = None
        self._ended = False
        self._parser = MultipartParser(
            _boundary(content_type),
            {
                "on_part_begin": self._begin_part,
                "on_header_field": self._name_of_header,
                "on_header_value": self._value_of_header,
                "on_header_end": self._end_header,
                "on_headers_finished": self._begin_content,
                "on_part_data": self._content,
                "on_part_end": self._end_part,
                "on_end": self._end,
            },
        )

    def write(self, data: bytes) -> None:
        try:
            self._parser.write(data)
        except ParseError as error:
            raise BadRequest(
                msg("The request body isn't valid {type}: {error}.", type=FORM, error=str(error))
            ) from None

    def finish(self) -> Form:
        if not self._ended:
            raise incomplete_form()
        return self.form

    def _begin_part(self) -> None:
        self._fields += 1
        if self._fields > MAX_FIELDS:
            raise PayloadTooLarge(
                msg("The form can have at most {limit} fields.", limit=MAX_FIELDS), maxFields=MAX_FIELDS
            )
        self._disposition = self._header_name = self._header_value = b""
        self._take = _ignore

    def _name_of_header(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _value_of_header(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _end_header(self) -> None:
        if self._header_name.lower() == b"content-disposition":
            self._disposition = self._header_value
        self._header_name = self._header_value = b""

    def _begin_content(self) -> None:
        kind, options = parse_options_header(self._disposition)
        if kind != b"form-data" or b"name" not in options:
            raise BadRequest(msg("A form part is missing a name in its Content-Disposition header."))
        name = parse_file_name(self._disposition)
        if options[b"name"] == CONFIG.encode():  # sent as a file or as a field
            if self.form.config is not None:
                raise BadRequest(msg("Send the {name} field only once.", name=CONFIG))
            self.form.config = b""
            self._take = self._take_config
        elif name is not None:
            self._begin_file(name)

    def _begin_file(self, name: str) -> None:
        if len(self.form.files) == MAX_FILES:
            raise PayloadTooLarge(
                msg("You can upload up to {limit} files at once.", limit=MAX_FILES), maxFiles=MAX_FILES
            )
        sent = SentFile(name, self._until_done.enter_context(self._workroom.file()))
        self.form.files.append(sent)
        self._open = self._until_done.enter_context(sent.path.open("wb"))
        self._take = self._take_file

    def _take_config(self, data: bytes) -> None:
        self.form.config = (self.form.config or b"") + data
        if len(self.form.config) > MAX_CONFIG_BYTES:
            detail = msg("The {name} field can be at most {limit}.", name=CONFIG, limit=ByteSize(MAX_CONFIG_BYTES))
            raise PayloadTooLarge(detail, maxBytes=MAX_CONFIG_BYTES)

    def _take_file(self, data: bytes) -> None:
        sent, most = self.form.files[-1], self._most_file_bytes
        sent.size += len(data)
        if sent.size > most:
            raise file_too_large(sent.name, len(self.form.files) - 1, most)
        assert self._open is not None
        self._open.write(data)

    def _content(self, data: bytes, start: int, end: int) -> None:
        self._take(data[start:end])

    def _end_part(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _end(self) -> None:
        self._ended = True


def incomplete_form() -> BadRequest:
    return BadRequest(msg("The request body is incomplete."))


def file_too_large(name: str, index: int, limit: int) -> FileTooLarge:
    detail = msg("The file '{name}' is larger than the limit of {limit}.", name=name, limit=ByteSize(limit))
    return FileTooLarge(detail, file=name, index=index, maxBytes=limit)


def not_a_form(media_type: str) -> UnsupportedMediaType:
    return UnsupportedMediaType(msg("Send the files as {expected}, not '{sent}'.", expected=FORM, sent=media_type))


def _ignore(_: bytes) -> None:
    """Ignore the content of an unknown field."""


def _boundary(content_type: str) -> bytes:
    kind, options = parse_options_header(content_type)
    if kind != FORM.encode():
        raise not_a_form(kind.decode("latin-1"))
    boundary = options.get(b"boundary", b"")
    if not 1 <= len(boundary) <= 200:
        raise BadRequest(msg("The Content-Type header has no valid boundary."))
    return boundary


def parse_file_name(disposition: bytes) -> str | None:
    """Return the file's name as it was sent, made safe: only its last part, without control characters, with
    limited length.
    """
    _, options = parse_options_header(disposition)
    name = options[b"filename"].decode("utf-8", "replace") if b"filename" in options else None
    if (extended := _EXTENDED_NAME.search(disposition.decode("latin-1"))) is not None and name is None:
        name = unquote(extended[1], errors="replace")
    if name is None:
        return None
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(letter for letter in last if letter.isprintable()).strip()
    return visible[:MAX_NAME_LENGTH] if visible.strip(".") else "file"
