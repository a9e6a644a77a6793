"""Helpers for the tests of users, keys and the account."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx

from signoff.accounts.actors import Role

URL = "http://signoff.example.com"
PASSWORD = "correct horse battery"

NewClient = Callable[..., httpx.AsyncClient]
Join = Callable[[Role], Awaitable[httpx.AsyncClient]]


@dataclass(frozen=True)
class Workspace:
    account_id: str
    user_id: str
    email: str
    password: str
    api_key: str
    manage_key: str


def token_from_link(link: str) -> str:
    prefix = f"{URL}/sign-in?token="
    assert link.startswith(prefix)
    return link.removeprefix(prefix)


async def key_id_of(client: httpx.AsyncClient) -> str:
    """The user ID of the signed-in client."""
    return (await client.get("/auth/me")).json()["user"]["userId"]


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    """Status and code, after checking the form of the problem document."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body: dict[str, Any] = answer.json()
    assert body["status"] == answer.status_code
    assert body.keys() >= {"type", "title", "status", "detail", "code"}
    return answer.status_code, body["code"]


def errors_of(answer: httpx.Response) -> set[tuple[str, str]]:
    """Path and code of every error of a 422."""
    assert problem_of(answer) == (422, "invalid")
    return {(error["path"], error["code"]) for error in answer.json()["errors"]}
