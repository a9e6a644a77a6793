"""The public API for the tools: a call, and its JSON or its error."""

from typing import Any, cast
from urllib.parse import quote

import httpx

Json = dict[str, Any]

PATH = "/api/v1"
TRANSIENT_STATUSES = frozenset({429, 502, 503, 504})
TIMEOUT = 30.0
"""Seconds for a call, in addition to the time that it asked the service to wait."""


class ApiCallFailed(Exception):
    """The service refused the call, or couldn't be reached. `problem` is the whole error document, if there is one."""

    def __init__(self, code: str, message: str, problem: Json | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.problem: Json = {"code": code, "detail": message, **(problem or {})}

    @property
    def for_good(self) -> bool:
        """Whether a retry would fail the same way."""
        return self.problem.get("status") not in {None, *TRANSIENT_STATUSES}


class Api:
    """One caller's access to the service."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def get(self, *path: str, wait: float = 0, **query: Any) -> Any:
        """Send a GET request. `path` is a list of segments; each stays a single segment, whatever characters it has."""
        params = {name: _format_parameter(value) for name, value in query.items() if value is not None}
        if wait:
            params["wait"] = str(wait)
        return await self._call("GET", path, wait, params=params)

    async def post(self, *path: str, body: Json, idempotency_key: str | None = None) -> Any:
        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        return await self._call("POST", path, 0, json=body, headers=headers)

    async def _call(self, method: str, path: tuple[str, ...], wait: float, **parts: Any) -> Any:
        address = "/".join(quote(part, safe="") for part in path)
        try:
            answer = await self._client.request(method, address, timeout=wait + TIMEOUT, **parts)
        except httpx.TimeoutException:
            raise ApiCallFailed("no_answer", "Signoff didn't respond in time. Try again.") from None
        except httpx.HTTPError as error:
            raise ApiCallFailed("unreachable", f"Couldn't reach Signoff: {error}.") from None
        except httpx.InvalidURL:
            raise ApiCallFailed("invalid_arguments", "The arguments are too long.") from None
        except UnicodeEncodeError:
            raise ApiCallFailed("invalid_arguments", "A value contains a character that can't be sent.") from None
        return _read(answer)


def _format_parameter(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(answer: httpx.Response) -> Any:
    try:
        content: Any = answer.json()
    except ValueError:
        content = None
    if answer.is_success and content is not None:
        return content
    if isinstance(content, dict) and "code" in content:
        problem = cast(Json, content)
        raise ApiCallFailed(str(problem["code"]), str(problem.get("detail") or problem.get("title")), problem)
    raise ApiCallFailed(
        "unexpected_answer", (f"The URL doesn't point to a Signoff server (status {answer.status_code}).")
    )
