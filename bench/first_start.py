"""`python -m bench.first_start`: from `git clone` to the inbox, with no package at hand, and the memory it then takes.

Caches of pip, uv and npm are empty folders, so all that is needed is downloaded. What a machine has by itself stays:
Python, make, and Node.js where there is one.
"""

import argparse
import os
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

TIMEOUT_SECONDS = 1_800
SETTLE_SECONDS = 60
EMPTY = {"PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "NPM_CONFIG_CACHE": "npm", "SIGNOFF_DATA_DIR": "data"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.first_start")
    parser.add_argument("--warm", action="store_true", help="keep the caches that there are")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), empty=("SIGNOFF_DATA_DIR",) if options.warm else tuple(EMPTY))


def measure(folder: Path, empty: tuple[str, ...]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGNOFF_")}
    environment |= {name: str(folder / EMPTY[name]) for name in empty} | {"SIGNOFF_PORT": str(port)}
    began = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", ".", str(folder / "signoff")], check=True)
    print_result("cloned", began)
    make = subprocess.Popen(["make", "run"], cwd=folder / "signoff", env=environment, start_new_session=True)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", make)
        print_result("ready, and the inbox can be opened", began)
        time.sleep(SETTLE_SECONDS)
        for name, megabytes in memory_of(make.pid).items():
            print(f"{megabytes:7.0f} MB  {name}", flush=True)
    finally:
        os.killpg(make.pid, signal.SIGTERM)
        make.wait()


def print_result(what: str, began: float) -> None:
    print(f"{time.monotonic() - began:7.1f} s  {what}", flush=True)


def wait_for(url: str, make: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if make.poll() is not None:
            raise RuntimeError(f"make run ended with {make.returncode}")
        with suppress(httpx.TransportError):
            if httpx.get(url, timeout=5).is_success:
                return
        time.sleep(0.1)
    raise TimeoutError(url)


def memory_of(pid: int) -> dict[str, float]:
    """What each of the service's processes holds, with a fair share of what they have in common."""
    held: dict[str, float] = {}
    for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            line = process.cmdline()
            is_database = process.name().startswith("postgres") or any("supervisor.py" in part for part in line)
            name = "PostgreSQL" if is_database else " ".join(line[-2:])
            held[name] = held.get(name, 0) + process.memory_full_info().pss / 1e6
    return held | {"together": sum(held.values())}


if __name__ == "__main__":
    main()
