"""`signoff serve`: database, API and worker under one roof.

API and worker are processes of their own, exactly those of a cluster. This one starts them, starts them again when
they end unasked, and stops everything in order: first them, the database last. In a workspace that is a demo there is
a third, which fills it and plays its agents.
"""

import asyncio
import math
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs, urlsplit

from rich.console import Console

from signoff.api import free_address
from signoff.platform.embedded import EmbeddedPostgres
from signoff.platform.logs import get_logger
from signoff.platform.process import SUPERVISOR, Refusal, hold_data_dir, reach_database
from signoff.platform.settings import Settings

if TYPE_CHECKING:
    from signoff.platform.db import Database

log = get_logger("serve")

LOOK_EVERY = 0.1
LOOK_AT_DATABASE_EVERY = 2.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
STEADY_AFTER = 60.0
SLOW_START = 20.0
MARGIN_AFTER_GRACE = 5.0
MOST_FAILURES_OF_A_GUEST = 5


def serve(settings: Settings) -> None:
    """Run everything until SIGINT or SIGTERM. What keeps it from running is raised with a line for the operator."""
    requests = StopRequests()
    refuse_a_demo_that_cannot_be(settings)
    with hold_data_dir(settings) as hold:
        address = free_address(settings)
        while not requests.stop:
            with ExitStack() as running:
                if settings.database_url is not None:
                    reach_database(settings.database_url)
                dsn = settings.database_url or running.enter_context(EmbeddedPostgres(settings.data_dir))
                if requests.stop:
                    break  # asked while the database was made or started, which takes its time
                with_demo = asyncio.run(_prepare(settings, dsn))
                hold.share(dsn)
                running.enter_context(Service(settings, dsn, address, requests, with_demo=with_demo)).run()


class StopRequests:
    """Asked once to stop, we stop in peace; asked again, at once.

    Plain attributes, because whatever takes a lock is not safe inside a signal handler.
    """

    def __init__(self) -> None:
        self.stop = self.hurry = False
        self._first = 0.0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # Whoever starts us with `nohup` wants us to survive the terminal.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._notice)

    def _notice(self, number: int, frame: FrameType | None) -> None:
        if not self.stop:
            self._first = time.monotonic()
        # One request can arrive twice: to the process group, and passed on by `make`.
        self.hurry = self.stop and time.monotonic() - self._first > 1.0
        self.stop = True


class Child:
    """A process that is kept running: should it end, it is started again after a pause that grows."""

    def __init__(self, name: str, environment: dict[str, str], *, module: str = "signoff") -> None:
        self.failures = 0
        self._name = name
        self._command = [module, name] if module == "signoff" else [module]
        self._environment = environment
        self._pause = FIRST_PAUSE / 2
        self._start()

    def _start(self) -> None:
        self._started = time.monotonic()
        # `-P`: a folder that happens to be named like us must not be taken for the program.
        # A session of its own keeps the terminal's Ctrl-C away: stopping is for its parent to ask.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-m", *self._command],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._again_at: float | None = None

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def keep_running(self) -> None:
        now = time.monotonic()
        if self._again_at is not None:
            if now >= self._again_at:
                self._start()
        elif not self.running:
            self.kill()
            self.failures += 1
            self._pause = FIRST_PAUSE if now - self._started > STEADY_AFTER else min(self._pause * 2, LONGEST_PAUSE)
            self._again_at = now + self._pause
            log.error(
                "a process ended unexpectedly and is started again",
                process=self._name,
                exit_code=self._process.returncode,
                pause_seconds=self._pause,
            )

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        """Leave nothing of it behind, neither itself nor what it started."""
        if self._again_at is not None:
            return  # Done before, and its number may be another's by now.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Guest(Child):
    """A process that the service does without. Ending with 0, it ends for good; failing every time, it is let go."""

    def keep_running(self) -> None:
        if self._process.poll() == 0:
            self._let_go()
            return
        if self.running and time.monotonic() - self._started > STEADY_AFTER:
            self.failures = 0
        if self.failures < MOST_FAILURES_OF_A_GUEST:
            super().keep_running()
        elif self._again_at != math.inf:
            self._let_go()
            log.error("a process fails every time and is not started again", process=self._name)

    def _let_go(self) -> None:
        """What it left behind goes with it, once: its number may be another's by the next round."""
        self.kill()
        self._again_at = math.inf


class Service:
    """API and worker, on a database that is ready for them, and the demo's program where there is a demo."""

    def __init__(
        self, settings: Settings, dsn: str, address: str, requests: StopRequests, *, with_demo: bool = False
    ) -> None:
        self._settings = settings
        self._with_demo = with_demo
        self._dsn = dsn
        self._address = address
        self._requests = requests
        self._look_at_database = 0.0

    def __enter__(self) -> Self:
        self._environment = {**os.environ, "SIGNOFF_DATABASE_URL": self._dsn, SUPERVISOR: str(os.getpid())}
        self._api = Child("api", self._environment)
        self._children = (self._api, Child("worker", self._environment))
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + self._settings.shutdown_grace + MARGIN_AFTER_GRACE
        while any(child.running for child in self._children):
            if self._requests.hurry or time.monotonic() > deadline:
                log.warning("stopped before all work was done")
                break
            time.sleep(LOOK_EVERY)
        for child in self._children:
            child.kill()

    def run(self) -> None:
        """Until we are asked to stop, or the embedded database is gone."""
        slow_at = time.monotonic() + SLOW_START
        for _ in self._rounds():
            if self._is_ready():
                asyncio.run(self._announce())
                if self._with_demo:  # Not sooner: filling it must not hold up the start.
                    self._children = (*self._children, Guest("demo", self._environment, module="signoff.demo"))
                break
            if self._api.failures:
                raise Refusal("The API did not start. What it said stands above.")
            if time.monotonic() > slow_at:
                log.warning("not ready yet: `signoff doctor` says what is missing")
                slow_at += SLOW_START
        for _ in self._rounds():
            pass

    def _rounds(self) -> Iterator[None]:
        """Looks after everything, a round at a time, as long as there is reason to."""
        while not self._requests.stop and self._has_database():
            for child in self._children:
                child.keep_running()
            yield
            time.sleep(LOOK_EVERY)

    def _has_database(self) -> bool:
        now = time.monotonic()
        if self._settings.database_url is not None or now < self._look_at_database:
            return True
        self._look_at_database = now + LOOK_AT_DATABASE_EVERY
        where = parse_qs(urlsplit(self._dsn).query)
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(f"{where['host'][0]}/.s.PGSQL.{where['port'][0]}")
        except OSError as error:
            log.error("PostgreSQL ended unexpectedly: everything is started again", error=str(error))
            return False
        return True

    def _is_ready(self) -> bool:
        nearest = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._address, self._address)  # noqa: S104
        with closing(HTTPConnection(nearest, self._settings.port, timeout=1)) as connection:
            try:
                connection.request("GET", "/readyz")
                status = connection.getresponse().status
            except (OSError, HTTPException):
                return False
        if status != HTTPStatus.OK:
            time.sleep(1)  # It logs the reason every time it is asked.
        return status == HTTPStatus.OK

    async def _announce(self) -> None:
        from signoff.accounts.setup import first_run_link, owner_to_welcome

        async with _connected(self._dsn) as db:
            owner = await owner_to_welcome(db)
            link = await first_run_link(db, self._settings, owner) if owner else None
        console = Console(highlight=False, markup=False, soft_wrap=True)
        console.print(f"Signoff runs at {self._settings.url}")
        if link:
            console.print(f"Sign in with this link, which works once: {link}")


def refuse_a_demo_that_cannot_be(settings: Settings) -> None:
    """Asked for in so many words, a demo is made or refused; otherwise it is left out where it cannot be."""
    if settings.demo:
        from signoff.demo.offering import why_not_here

        if why_not := why_not_here(settings):
            raise Refusal(why_not)


async def _prepare(settings: Settings, dsn: str) -> bool:
    """Bring the database up to date, with a workspace in it. True when that is a demo, whose program is to run."""
    # Imported late: a start that is refused is refused at once.
    from signoff.accounts.setup import ensure_workspace
    from signoff.demo.offering import offer_demo
    from signoff.platform.migrate import migrate

    await migrate(dsn)
    async with _connected(dsn) as db:
        await ensure_workspace(db)
        return await offer_demo(settings, db)


@asynccontextmanager
async def _connected(dsn: str) -> "AsyncGenerator[Database]":
    from signoff.platform.db import Database

    db = await Database.connect(dsn, size=2, application="signoff serve")
    try:
        yield db
    finally:
        await db.close()
