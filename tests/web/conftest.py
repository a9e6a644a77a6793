"""A browser for each test process; each test has its own workspace and opens new profiles in it."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright, expect
from support.api import Workspace
from support.browser import ARGUMENTS, Visitors, chromium_path, listening, visitors_of
from support.in_process import Service
from support.second_account import open_second_account

expect.set_options(timeout=60_000)  # Passing assertions return immediately; a busy machine takes longer


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def service(service: Service) -> AsyncIterator[Service]:
    """The service that all tests of this process share, with a socket for browsers."""
    async with listening(service):
        yield service


@pytest.fixture
async def visitors(browser: Browser, service: Service) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, service.url) as visitors:
        yield visitors


@pytest.fixture
async def workspace(service: Service) -> AsyncIterator[Workspace]:
    """A separate workspace: its inbox shows only what the test created."""
    workspace = await open_second_account(service)
    yield workspace
    await workspace.close()
