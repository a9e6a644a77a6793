"""The API process: Granian serves the application from a worker process of its own."""

import math
import multiprocessing
import signal
import socket
from typing import Any

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import MPServer

from signoff.platform.process import Refusal, exit_with_parent
from signoff.platform.settings import Settings

# Granian's own lines go where ours go, in the same format.
_LOGS: dict[str, Any] = {"loggers": {"_granian": {"handlers": [], "propagate": True}}}


def run_api(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; requests under way then have `shutdown_grace` to finish."""
    MPServer(
        "signoff.main:served",
        address=free_address(settings),
        port=settings.port,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        workers_kill_timeout=max(1, math.ceil(settings.shutdown_grace)),
        log_level=LogLevels.warning,
        log_dictconfig=_LOGS,
    ).serve(target_loader=_load, wrap_loader=False)


def _load() -> Any:
    """Runs in Granian's worker process, before it listens."""
    for number in (signal.SIGINT, signal.SIGTERM):  # Inherited from Granian's main process, which means to go on.
        signal.signal(number, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    assert parent.pid is not None
    exit_with_parent(parent.pid)
    from signoff.main import served

    return served()


def free_address(settings: Settings) -> str:
    """The IP address to listen on, once it is sure that nobody else does.

    Granian shares a port with whoever allows it, so two services would each get some of the requests.
    """
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = min(found)  # IPv4 before IPv6, where a name stands for both.
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise Refusal(
            f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}. "
            "Choose another address with SIGNOFF_HOST and SIGNOFF_PORT."
        ) from None
    return str(address[0])
