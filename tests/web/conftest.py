"""A browser for each test process; each test has a workspace of its own and opens fresh profiles in it."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright, expect
from support.api import Workspace
from support.browser import ARGUMENTS, Visitors, chromium_path, listening, visitors_of
from support.in_process import Service
from support.second_account import open_second_account

expect.set_options(timeout=60_000)  # what is as expected goes on at once; on a busy machine it takes its time


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def service(service: Service) -> AsyncIterator[Service]:
    """That of all tests of this process, with a socket for browsers."""
    async with listening(service):
        yield service


@pytest.fixture
async def visitors(browser: Browser, service: Service) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, service.url) as visitors:
        yield visitors


@pytest.fixture
async def workspace(service: Service) -> AsyncIterator[Workspace]:
    """A workspace of its own: its inbox shows only what the test put there."""
    workspace = await open_second_account(service)
    yield workspace
    await workspace.close()
