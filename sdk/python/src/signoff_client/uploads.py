"""Images and videos in reviews and messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from signoff_client.api_requests import ApiRequest, Flow, RetryPolicy, send_json
from signoff_client.serialization import encode_json, to_camel_case


@dataclass(frozen=True)
class StoredFile:
    url: str
    """Use it as the value of an image or video field."""
    name: str
    size: int
    content_type: str


def upload_file(
    file: str | Path | bytes, name: str | None, transform: Mapping[str, Any], policy: RetryPolicy
) -> Flow[StoredFile]:
    """Identical content is stored once, so an upload can be retried safely."""
    content = file if isinstance(file, bytes) else Path(file).read_bytes()
    name = name or ("file" if isinstance(file, bytes) else Path(file).name)
    files: dict[str, Any] = {"file": (name, content)}
    if transform:
        files["config"] = (
            None,
            encode_json({to_camel_case(option): value for option, value in transform.items()}),
            "application/json",
        )
    response = yield from send_json(ApiRequest("POST", "/uploadFiles", files=files), policy)
    [stored] = response["files"]
    return StoredFile(stored["downloadURL"], stored["originalName"], stored["size"], stored["contentType"])
