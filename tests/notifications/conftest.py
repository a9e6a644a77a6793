from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from review_mail_helpers import MailSetup, open_mail_setup
from support.in_process import StartService
from support.mail_server import mail_server

from signoff.notifications import notification_loop

COLLECT = 3600
"""Long enough that the worker plans, and the test says when the mails are due."""


@pytest.fixture(scope="module")
async def review_mail_service(start_service: StartService) -> AsyncIterator[tuple]:
    """A service and its mail server."""
    with mail_server() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(notification_loop, "PLAN_DIGESTS_EVERY", timedelta(seconds=0.2))
        async with start_service(**server.settings, mail_collect_seconds=COLLECT, poll_interval=0.1) as service:
            yield service, server


@pytest.fixture(scope="module")
async def mail_setup(review_mail_service: tuple) -> AsyncIterator[MailSetup]:
    """For reviews that are assigned to single users."""
    async with open_mail_setup(*review_mail_service) as made:
        yield made


@pytest.fixture
async def own_mail_setup(review_mail_service: tuple) -> AsyncIterator[MailSetup]:
    """A separate account, for tests that notify or change all its users."""
    async with open_mail_setup(*review_mail_service) as made:
        yield made
