"""Keep the embedded PostgreSQL running."""

import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from signoff.platform.embedded_postgres import EmbeddedPostgres
from signoff.platform.logs import get_logger
from signoff.processes.backoff import Backoff

log = get_logger("supervisor")

POLL_INTERVAL = 1.0
TIMEOUT = 1.0


class SupervisedPostgres:
    """Started once by the caller, who sees every error; afterwards restarted as often as needed.

    A restart runs in a thread of its own: replaying the log after a crash can take minutes, during which the other
    processes need supervision too.
    """

    def __init__(self, data_dir: Path) -> None:
        self.backoff = Backoff()
        self.dsn = ""
        self.restarts = 0
        self._postgres = EmbeddedPostgres(data_dir)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="postgres")
        self._restart: Future[str] | None = None
        self._running = False
        self._look_at = 0.0

    @property
    def running(self) -> bool:
        return self._running

    def start(self) -> str:
        """Return the database URL. Raises EmbeddedPostgresError."""
        self.dsn = self._postgres.start()
        self._running = True
        return self.dsn

    def stop(self) -> None:
        self._thread.shutdown()  # A start in progress can't be interrupted.
        self._postgres.stop()

    def keep_running(self) -> None:
        if self._restart is not None:
            self._finish_restart(self._restart)
        elif not self._running:
            if self.backoff.is_due:
                self.backoff.begin()
                self._restart = self._thread.submit(self._start_again)
        elif time.monotonic() >= self._look_at and not self._is_responding():
            self._running = False
            self.restarts += 1
            if not self.backoff.is_steady:
                self.backoff.fail()

    def _start_again(self) -> str:
        self._postgres.stop()
        return self._postgres.start()

    def _finish_restart(self, restart: Future[str]) -> None:
        if not restart.done():
            return
        self._restart = None
        # Whatever the error is, keep retrying: only a person can decide to give up.
        if error := restart.exception():
            self.backoff.fail()
            log.error("PostgreSQL failed to start", error=str(error), pause_seconds=self.backoff.pause)
        else:
            self.dsn = restart.result()
            self._running = True
            log.info("PostgreSQL is running again")

    def _is_responding(self) -> bool:
        self._look_at = time.monotonic() + POLL_INTERVAL
        where = parse_qs(urlsplit(self.dsn).query)
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.settimeout(TIMEOUT)
                line.connect(f"{where['host'][0]}/.s.PGSQL.{where['port'][0]}")
        except (TimeoutError, BlockingIOError):
            return True  # It's running, but busy.
        except OSError as error:
            log.error("PostgreSQL exited unexpectedly; restarting", error=str(error))
            return False
        return True
