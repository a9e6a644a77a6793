"""Serves the baseline with Granian and the options of `signoff api`."""

import os

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import MPServer

if __name__ == "__main__":
    MPServer(
        "bench.baseline_app:create_app",
        factory=True,
        address="127.0.0.1",
        port=int(os.environ["SIGNOFF_PORT"]),
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        log_level=LogLevels.warning,
    ).serve()
