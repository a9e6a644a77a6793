"""Send heartbeats to the supervisor that started this process.

They come from the event loop, so a blocked loop or a frozen process sends none.
"""

import asyncio
import os

HEARTBEAT = "SIGNOFF_HEARTBEAT"
"""Environment variable with the number of the file descriptor for heartbeats."""

HEARTBEAT_INTERVAL = 1.0


async def send_heartbeats() -> None:
    """Send heartbeats until the process exits. The first one reports that it's ready. Does nothing without a
    supervisor.
    """
    if (number := os.environ.get(HEARTBEAT)) is None:
        return
    descriptor = int(number)
    while True:
        try:
            os.write(descriptor, b".")
        except BlockingIOError:
            pass  # The supervisor is paused, and its pipe is full.
        except BrokenPipeError:
            return  # The supervisor is gone, and this process is about to exit too.
        await asyncio.sleep(HEARTBEAT_INTERVAL)
