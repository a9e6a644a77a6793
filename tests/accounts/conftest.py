"""The service in this process with its own PostgreSQL, and an account with users for each test."""

import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable

import httpx
import pytest
from accounts_helpers import PASSWORD, URL, Join, NewClient, Workspace, token_from_link
from fastapi import FastAPI

from signoff.accounts.actors import DEFAULT_SCOPES, Role
from signoff.accounts.api_keys.actions import insert_key
from signoff.accounts.passwords import passwords
from signoff.accounts.setup import create_account, create_first_run_link
from signoff.accounts.users.actions import insert_user
from signoff.app import create_app
from signoff.platform.db import Database
from signoff.platform.settings import Settings, load_settings

numbers = itertools.count(1)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    data_dir = tmp_path_factory.mktemp("data")
    return load_settings(data_dir=data_dir, public_url=URL, trusted_proxies=("127.0.0.0/8",))


@pytest.fixture(scope="session")
async def app(empty_databases: Callable[[], Awaitable[str]], settings: Settings) -> AsyncGenerator[FastAPI]:
    app = create_app(settings, await empty_databases())
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture(scope="session")
def db(app: FastAPI) -> Database:
    return app.state.context.db


@pytest.fixture
async def new_client(app: FastAPI) -> AsyncGenerator[NewClient]:
    """Creates clients, each with its own address unless one is given, because failures are counted by address."""
    clients: list[httpx.AsyncClient] = []

    def make(ip: str | None = None, **headers: str) -> httpx.AsyncClient:
        number = next(numbers)
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url=f"{URL}/api/v1",
            headers={
                "x-forwarded-for": ip or f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        clients.append(client)
        return client

    yield make
    for client in clients:
        await client.aclose()


@pytest.fixture
def client(new_client: NewClient) -> httpx.AsyncClient:
    """A client without credentials."""
    return new_client()


@pytest.fixture(scope="session")
async def password_hash() -> str:
    return await passwords.hash(PASSWORD)


@pytest.fixture
async def workspace(db: Database, password_hash: str) -> Workspace:
    return await make_workspace(db, password_hash)


@pytest.fixture
async def other(db: Database, password_hash: str) -> Workspace:
    """Another account, whose data must never be visible."""
    return await make_workspace(db, password_hash)


async def make_workspace(db: Database, password_hash: str) -> Workspace:
    email = f"owner-{next(numbers)}@example.com"
    async with db.transaction() as tx:
        founding = await create_account(tx, email=email, password_hash=password_hash, name="Acme")
        default = await insert_key(tx, founding.actor, "default", DEFAULT_SCOPES, founding.user_id)
        manage = await insert_key(tx, founding.actor, "manage", ("manage",), founding.user_id)
    return Workspace(founding.actor.account_id, founding.user_id, email, PASSWORD, default.api_key, manage.api_key)


@pytest.fixture
async def owner(db: Database, settings: Settings, new_client: NewClient, workspace: Workspace) -> httpx.AsyncClient:
    return await signed_in(new_client(), db, settings, workspace.user_id)


@pytest.fixture
async def other_owner(db: Database, settings: Settings, new_client: NewClient, other: Workspace) -> httpx.AsyncClient:
    return await signed_in(new_client(), db, settings, other.user_id)


@pytest.fixture
def manage(new_client: NewClient, workspace: Workspace) -> httpx.AsyncClient:
    return new_client(x_api_key=workspace.manage_key)


@pytest.fixture
def join(db: Database, settings: Settings, new_client: NewClient, workspace: Workspace) -> Join:
    """Adds a user with the role to the workspace and signs them in."""

    async def join(role: Role) -> httpx.AsyncClient:
        row = await insert_user(db, workspace.account_id, f"{role}-{next(numbers)}@example.com", None, role)
        return await signed_in(new_client(), db, settings, row["user_id"])

    return join


async def signed_in(client: httpx.AsyncClient, db: Database, settings: Settings, user_id: str) -> httpx.AsyncClient:
    link = await create_first_run_link(db, settings, user_id)
    response = await client.post("/auth/link", json={"token": token_from_link(link)})
    assert response.status_code == 200, response.text
    return client
