"""Heartbeats of a process for the supervisor that started it.

They come from the event loop, so a loop that is blocked or a process that is frozen sends none.
"""

import asyncio
import os

HEARTBEAT = "SIGNOFF_HEARTBEAT"
"""Environment variable with the number of the descriptor that takes the heartbeats."""

BEAT_EVERY = 1.0


async def send_heartbeats() -> None:
    """For as long as the process runs. The first one says that it's ready. Without a supervisor, does nothing."""
    if (number := os.environ.get(HEARTBEAT)) is None:
        return
    descriptor = int(number)
    while True:
        try:
            os.write(descriptor, b".")
        except BlockingIOError:
            pass  # The supervisor is paused and has more than enough to read.
        except BrokenPipeError:
            return  # It's gone, and this process is about to follow.
        await asyncio.sleep(BEAT_EVERY)
