"""Start everything, keep it running, and stop it in order.

APIs and workers are separate processes, the same ones as in a cluster, and as many as suit the machine. A demo
workspace has one more, which fills it and plays its agents. An error during the first start is final, and raised for
the operator. After that nothing is: whatever exits is restarted for as long as it takes, and the `Fallback` responds
while no API process does.
"""

import os
import signal
import socket
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import Self

from rich.console import Console

from signoff.platform.data_directory import DataDirectoryLock, ensure_database_ready, lock_data_directory
from signoff.platform.errors import CommandError
from signoff.platform.logs import PROCESS_NAME_ENV, get_logger
from signoff.platform.machine import read_machine
from signoff.platform.messages import Message, msg
from signoff.platform.parent_process import SUPERVISOR_PID_ENV
from signoff.platform.settings import Settings
from signoff.platform.shared_folder import shared_folder
from signoff.processes.api import LISTENER
from signoff.processes.children import Child, OptionalChild
from signoff.processes.database import SupervisedPostgres
from signoff.processes.fallback import Fallback
from signoff.processes.listeners import Listeners
from signoff.processes.preparation import prepare
from signoff.processes.process_plan import ProcessPlan, plan_processes

log = get_logger("supervisor")

POLL_INTERVAL = 0.1
SLOW_START = 20.0
LOG_INTERVAL = 60.0
MARGIN_AFTER_GRACE = 5.0
MIN_PROCESSES = 2
"""One API process and one worker."""


def serve(settings: Settings) -> None:
    """Run everything until SIGINT or SIGTERM. An error during the start is raised as one line for the operator."""
    requests = StopRequests()
    ensure_demo_possible(settings)
    plan = plan_processes(settings, read_machine())
    with (
        lock_data_directory(settings) as hold,
        Listeners(settings, plan.api) as listeners,
        Fallback(listeners.own) as fallback,
        shared_folder() if plan.api > 1 else nullcontext[Mapping[str, str]]({}) as api_environment,
        Supervisor(settings, plan, hold, listeners, fallback, requests, api_environment) as supervisor,
    ):
        supervisor.run()


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name}-{number}" for number in range(1, count + 1)] if count > 1 else [name]


def _named(name: str) -> dict[str, str]:
    """Return the environment that puts the name into the process's log lines, where one of several needs it."""
    return {PROCESS_NAME_ENV: name} if "-" in name else {}


class StopRequests:
    """The first signal stops everything gracefully, a second one immediately.

    Plain attributes, because anything with a lock isn't safe inside a signal handler.
    """

    def __init__(self) -> None:
        self.stop = self.hurry = False
        self._first = 0.0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # A process started with `nohup` should survive the terminal.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._notice)

    def _notice(self, number: int, frame: FrameType | None) -> None:
        if not self.stop:
            self._first = time.monotonic()
        # One request can arrive twice: sent to the process group, and passed on by `make`.
        self.hurry = self.stop and time.monotonic() - self._first > 1.0
        self.stop = True


class Supervisor:
    """The database, unless it's an external one, and the processes that use it."""

    def __init__(
        self,
        settings: Settings,
        plan: ProcessPlan,
        hold: DataDirectoryLock,
        listeners: Listeners,
        fallback: Fallback,
        requests: StopRequests,
        api_environment: Mapping[str, str],
    ) -> None:
        self._settings = settings
        self._hold = hold
        self._plan = plan
        self._listeners = listeners
        self._fallback = fallback
        self._requests = requests
        self._api_environment = api_environment
        self._postgres = SupervisedPostgres(settings.data_dir) if settings.database_url is None else None
        self._dsn = ""
        self._apis: tuple[Child, ...] = ()
        self._children: tuple[Child, ...] = ()
        self._sign_in_link: str | None = None
        self._waiting_for: Message | None = None
        self._remind_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._fallback.answer(msg("Signoff to start again"))
        self._stop_children()
        if self._postgres is not None:
            self._postgres.stop()

    def run(self) -> None:
        """Run until a stop is requested."""
        with_demo = self._start()
        while not self._requests.stop:
            self._check_children()
            if self._has_started():
                if with_demo:  # Not earlier: filling it must not delay the start.
                    self._children = (*self._children, self._new_demo())
                break
            time.sleep(POLL_INTERVAL)
        while not self._requests.stop:
            try:
                self._check_children()
                self._log_waiting()
            except Exception:  # From here on, only a person can decide to give up.
                log.exception("process check failed; retrying")
                time.sleep(1)
            time.sleep(POLL_INTERVAL)

    def _start(self) -> bool:
        """Return whether this workspace is a demo."""
        self._fallback.answer(msg("Signoff to start"))
        if self._settings.database_url is not None:
            ensure_database_ready(self._settings.database_url)
        dsn = self._settings.database_url or self._start_postgres()
        if self._requests.stop:
            return False  # Requested while the database was created or started, which takes a while.
        prepared = prepare(dsn)
        self._sign_in_link = prepared.sign_in_link
        self._hold.share(dsn)
        self._dsn = dsn
        self._start_children()
        self._slow_at = time.monotonic() + SLOW_START
        return prepared.has_demo

    def _start_postgres(self) -> str:
        assert self._postgres is not None
        return self._postgres.start()

    def _has_started(self) -> bool:
        if self._is_serving() and self._is_ready():
            self._announce()
            return True
        if any(api.backoff.failures for api in self._apis) and (self._postgres is None or not self._postgres.restarts):
            raise CommandError("The API failed to start. See the log above.")
        if time.monotonic() > self._slow_at:
            log.warning("not ready yet; run `signoff doctor` to see why")
            self._slow_at += SLOW_START
        return False

    def _start_children(self) -> None:
        plan = self._plan
        if plan.api + plan.workers > MIN_PROCESSES:
            log.info("starting processes", api=plan.api, workers=plan.workers, database_pool_size=plan.pool_size)
        self._environment = {
            **os.environ,
            "SIGNOFF_DATABASE_URL": self._dsn,
            "SIGNOFF_DATABASE_POOL_SIZE": str(plan.pool_size),
            SUPERVISOR_PID_ENV: str(os.getpid()),
        }
        self._apis = tuple(map(self._new_api, _numbered("api", plan.api), self._listeners.by_process))
        workers = (self._new_worker(name, index) for index, name in enumerate(_numbered("worker", plan.workers)))
        self._children = (*self._apis, *workers)

    def _new_api(self, name: str, listener: socket.socket) -> Child:
        descriptor = listener.fileno()
        return Child(
            name,
            {**self._environment, **self._api_environment, **_named(name), LISTENER: str(descriptor)},
            command="api",
            descriptors=[descriptor],
            liveness_timeout=self._settings.liveness_timeout,
        )

    def _new_worker(self, name: str, index: int) -> Child:
        environment = {**self._environment, **_named(name)}
        if (port := self._settings.worker_metrics_port) is not None:
            environment["SIGNOFF_WORKER_METRICS_PORT"] = str(port + index)
        return Child(name, environment, command="worker", liveness_timeout=self._settings.liveness_timeout)

    def _new_demo(self) -> OptionalChild:
        return OptionalChild("demo", self._environment, module="signoff.demo")

    def _stop_children(self) -> None:
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + self._settings.shutdown_grace + MARGIN_AFTER_GRACE
        while any(child.running for child in self._children):
            if self._requests.hurry or time.monotonic() > deadline:
                log.warning("stopped before all jobs finished")
                break
            time.sleep(POLL_INTERVAL)
        for child in self._children:
            child.kill()

    def _check_children(self) -> None:
        has_database = self._has_database()
        for child in self._children:
            if has_database:
                child.keep_running(has_substitute=self._has_substitute(child))
            else:
                child.listen()  # Processes that exit now are restarted when the database is back.
        self._choose_apis()
        if self._is_serving():
            self._fallback.rest()
        else:
            self._fallback.answer(self._missing() or msg("the API to start"))

    def _choose_apis(self) -> None:
        """Give new connections to the API processes that respond promptly, if there are any."""
        numbered = list(enumerate(self._apis))
        prompt = [number for number, api in numbered if api.is_prompt]
        self._listeners.choose(prompt or [number for number, api in numbered if api.serving])

    def _is_serving(self) -> bool:
        return any(api.serving for api in self._apis)

    def _has_substitute(self, child: Child) -> bool:
        return child in self._apis and any(api.is_substitute for api in self._apis if api is not child)

    def _has_database(self) -> bool:
        if self._postgres is None:
            return True
        self._postgres.keep_running()
        if not self._postgres.running:
            return False
        if self._postgres.dsn != self._dsn:
            self._restart_children(self._postgres.dsn)
        return True

    def _restart_children(self, dsn: str) -> None:
        """Restart the children with the new database URL: a long data directory gets a symlink with a new name on
        each start.
        """
        guests = [child for child in self._children if isinstance(child, OptionalChild)]
        self._stop_children()
        self._dsn = dsn
        self._start_children()
        if guests:
            self._children = (*self._children, self._new_demo())
        self._share_address(dsn)

    def _share_address(self, dsn: str) -> None:
        try:
            self._hold.share(dsn)
        except CommandError as refusal:  # Other commands have to wait, but the service doesn't.
            log.error("database address not saved for other commands", error=str(refusal))

    def _missing(self) -> Message | None:
        """Return what prevents the service from responding, in words that anyone may read."""
        if self._postgres is not None and not self._postgres.running:
            return msg("the database to start")
        if not self._is_serving():
            responding = any(api.running and api.responded for api in self._apis)
            return msg("the API to respond") if responding else msg("the API to start")
        return None

    def _log_waiting(self) -> None:
        missing, now = self._missing(), time.monotonic()
        if missing is None and self._waiting_for is not None:
            log.info("Signoff is running again", url=self._settings.url)
        elif missing is not None and (missing != self._waiting_for or now > self._remind_at):
            log.warning("waiting; requests get a 503", waiting_for=missing)
            self._remind_at = now + LOG_INTERVAL
        self._waiting_for = missing

    def _is_ready(self) -> bool:
        address = str(self._listeners.own[0].getsockname()[0])
        nearest = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104
        with closing(HTTPConnection(nearest, self._settings.port, timeout=1)) as connection:
            try:
                connection.request("GET", "/readyz")
                status = connection.getresponse().status
            except (OSError, HTTPException):
                return False
        if status != HTTPStatus.OK:
            time.sleep(1)  # It logs the reason on each check.
        return status == HTTPStatus.OK

    def _announce(self) -> None:
        console = Console(highlight=False, markup=False, soft_wrap=True)
        console.print(f"Signoff is running at {self._settings.url}")
        if self._sign_in_link:
            console.print(f"Sign in (one-time link): {self._sign_in_link}")


def ensure_demo_possible(settings: Settings) -> None:
    """Refuse to start if a demo was explicitly requested and isn't possible; otherwise it's skipped."""
    if settings.demo:
        from signoff.demo.availability import demo_blocker

        if why_not := demo_blocker(settings):
            raise CommandError(why_not)
