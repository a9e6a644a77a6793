"""The API process: Granian serves the application."""

import os
import resource
import signal
import socket
from typing import Any

from granian._granian import SocketHolder  # pyright: ignore[reportPrivateUsage]
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from signoff.platform.process import loading
from signoff.platform.settings import Settings
from signoff.processes.listeners import BACKLOG, open_listener

LISTENER = "SIGNOFF_LISTENER"
"""Environment variable with the number of the listening socket that `signoff serve` opened for this process."""

OTHER_FILES, MIN_CONNECTIONS = 256, 64

# Granian's log lines go where ours go, in the same format.
_LOGS: dict[str, Any] = {"loggers": {"_granian": {"handlers": [], "propagate": True}}}


def run_api(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; requests in progress then have `shutdown_grace` seconds to finish."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Until the server handles it, Ctrl-C exits without a traceback.
    shared = os.environ.get(LISTENER)
    listener = open_listener(settings) if shared is None else socket.socket(fileno=int(shared))
    _Server(
        listener,
        "signoff.app:create_served_app",
        address=str(listener.getsockname()[0]),
        port=settings.port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        # HTTP/1 only: while detecting the version, Granian keeps silent connections open forever.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=int(settings.header_timeout * 1000)),
        backlog=BACKLOG,
        backpressure=_most_connections(settings),
        log_level=LogLevels.warning,
        log_dictconfig=_LOGS,
    ).serve(target_loader=_load, wrap_loader=False)


def _most_connections(settings: Settings) -> int:
    """Return the maximum number of connections: the setting, limited by the open files that the process doesn't
    need itself.
    """
    allowed, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = settings.max_connections + OTHER_FILES
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        allowed = needed if highest == resource.RLIM_INFINITY else min(needed, highest)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, highest))
        return max(MIN_CONNECTIONS, allowed - OTHER_FILES)
    return settings.max_connections


class _Server(MPServer):
    """Serves on an existing listening socket, and in this process.

    By default, Granian opens a socket in each process and shares the port with any process that allows it: two services
    would each get some of the requests, and a port without a process would refuse connections. It also serves from a
    child process, so that it can restart it. The supervisor already does that, and the additional process takes 35 MB.
    """

    def __init__(self, listener: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._listener = listener

    def _init_shared_socket(self) -> None:
        self._ssp = None
        self._sso = self._listener
        self._shd = SocketHolder(os.dup(self._listener.fileno()), False, self.backlog)  # pyright: ignore

    def _serve(self, spawn_target: Any, target_loader: Any) -> None:
        self._init_shared_socket()
        self._spawn_worker(0, spawn_target, target_loader).inner.run()


def _load() -> Any:
    """Load the application. Granian calls this before it accepts connections."""
    with loading():
        from signoff.app import create_served_app

    return create_served_app()
