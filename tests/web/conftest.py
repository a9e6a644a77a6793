"""A browser for each test process; each test has a workspace of its own and opens fresh profiles in it."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright, expect
from support.api import Workspace
from support.browser import ARGUMENTS, Visitors, chromium_path, visitors_of
from support.second_account import open_second_account
from support.service import RunningService

expect.set_options(timeout=20_000)  # what is as expected goes on at once; on a busy machine it takes its time


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def service(real_service: RunningService) -> RunningService:
    """A browser needs a server that listens."""
    return real_service


@pytest.fixture
async def visitors(browser: Browser, service: RunningService) -> AsyncIterator[Visitors]:
    async with visitors_of(browser, service.url) as visitors:
        yield visitors


@pytest.fixture
async def office(service: RunningService) -> AsyncIterator[Workspace]:
    """A workspace that nobody else uses: its inbox shows what the test put there."""
    office = await open_second_account(service)
    yield office
    for client in (office.agent, office.manager, office.owner, office.public):
        await client.aclose()
