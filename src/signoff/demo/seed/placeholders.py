"""Placeholders in the data of cases: images, and days counted from the request."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

from signoff.demo.seed.content.models import DAY, MOMENT, PICTURE, Data
from signoff.demo.seed.workspace import DemoWorkspace
from signoff.media.urls import stored_media_url


def resolve_placeholders(workspace: DemoWorkspace, data: Data, requested_at: datetime) -> Data:
    """Replace placeholders with image URLs and dates."""

    def resolve(text: str) -> str:
        if text.startswith(PICTURE):
            media = workspace.pictures[text.removeprefix(PICTURE)]
            return stored_media_url(workspace.settings, workspace.account_id, media)
        if text.startswith(DAY):
            return (requested_at + timedelta(days=int(text.removeprefix(DAY)))).date().isoformat()
        if text.startswith(MOMENT):
            return f"{(requested_at + timedelta(days=int(text.removeprefix(MOMENT)))).date().isoformat()}T09:00:00Z"
        return text

    return _map_strings(data, resolve)


def _map_strings(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: _map_strings(held, change) for name, held in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_map_strings(item, change) for item in cast(list[Any], value)]
    return value
