"""Deprecated names still work, with a warning."""

from typing import Any

import httpx
import pytest

import signoff_client
from signoff_client import AsyncClient, Client, MessageConflict

RENAMED_METHODS = {
    "call": "raw_request",
    "events": "stream_events",
    "messages": "list_messages",
    "models": "generate_models",
    "recall": "fetch_responses",
    "responses": "list_responses",
    "say": "send_message",
    "upload": "upload_file",
    "working": "set_working",
}
RENAMED_ERRORS = {
    "DoesNotFit": "SchemaMismatch",
    "Invalid": "InvalidRequest",
    "OtherText": "MessageConflict",
    "Rejected": "ReviewRejected",
}


def reply(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"method": request.method, "path": request.url.path})


def test_sync_methods() -> None:
    client = Client("http://signoff.test", api_key="key", transport=httpx.MockTransport(reply))
    with pytest.warns(DeprecationWarning, match=r"call\(\) is deprecated. Use raw_request\(\)") as warnings:
        response = client.call("GET", "/authCheck")
    assert response == {"method": "GET", "path": "/api/v1/authCheck"}
    assert warnings[0].filename == __file__
    client.close()


async def test_async_methods() -> None:
    client = AsyncClient("http://signoff.test", api_key="key", transport=httpx.MockTransport(reply))
    with pytest.warns(DeprecationWarning, match=r"call\(\) is deprecated. Use raw_request\(\)") as warnings:
        response = await client.call("GET", "/authCheck")
    assert response == {"method": "GET", "path": "/api/v1/authCheck"}
    assert warnings[0].filename == __file__
    await client.close()


@pytest.mark.parametrize("client", [Client, AsyncClient])
@pytest.mark.parametrize(("old", "new"), RENAMED_METHODS.items())
def test_every_method(client: Any, old: str, new: str) -> None:
    assert getattr(client, old).__wrapped__ is getattr(client, new)


@pytest.mark.parametrize(("old", "new"), RENAMED_ERRORS.items())
def test_errors(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is deprecated. Use {new}") as warnings:
        assert getattr(signoff_client, old) is getattr(signoff_client, new)
    assert warnings[0].filename == __file__


def test_message_conflict() -> None:
    conflict = MessageConflict("existing", "new")
    with pytest.warns(DeprecationWarning, match="Use existing_text"):
        assert conflict.there == "existing"
    with pytest.warns(DeprecationWarning, match="Use new_text"):
        assert conflict.given == "new"


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        signoff_client.Nothing  # noqa: B018
