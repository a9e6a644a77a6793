"""`python -m signoff.media.decoder PARENT`: decodes files for its parent, one at a time.

Files come from anyone, so a file may make the decoder crash, hang, or use too much memory. Here, that only ends this
process. It has none of the parent's secrets: no settings, no database, no connections.

Each job is a line of JSON on standard input, and each answer a line on standard output.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, Final

from signoff.media.decoder.files import READY, ImageHeader, Problem, Undecodable
from signoff.media.decoder.images import decode_image, inspect_image, resize_image
from signoff.media.decoder.videos import check_video
from signoff.media.resize_plan import ResizePlan
from signoff.platform.parent_process import exit_with_parent

_STATUS: Final = Path("/proc/self/status")


def main(parent: int) -> None:
    exit_with_parent(parent, grace=0)
    # A terminal or an init system may send them to all processes at once, but the parent still finishes its work.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # What a library prints isn't an answer.
    answers.write(READY)
    _answer_jobs(sys.stdin.buffer, answers)


def _answer_jobs(jobs: BinaryIO, answers: Any) -> None:
    for line in jobs:
        job = json.loads(line)
        limit_memory(job["memory"])
        answer = run_job(job["call"], job["arguments"])
        limit_memory(None)
        answers.write(json.dumps(answer | {"peak": peak_memory()}).encode() + b"\n")


def run_job(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": _CALLS[name](**arguments)}
    except Undecodable as error:
        return {"problem": error.problem}
    except (MemoryError, RecursionError):
        return {"problem": Problem.DAMAGED}
    except OSError as error:  # The disk is full, or the file is gone.
        return {"disk_error": str(error)}


def _inspect(file: str, content_type: str) -> dict[str, Any]:
    return asdict(inspect_image(Path(file), content_type))


def _decode(file: str, content_type: str) -> None:
    decode_image(Path(file), content_type)


def _resize(
    file: str,
    content_type: str,
    header: dict[str, Any],
    plan: dict[str, Any],
    position: str,
    background: str | None,
    target: str,
) -> dict[str, Any]:
    paths, read = (Path(file), Path(target)), (ImageHeader(**header), ResizePlan(**plan))
    return asdict(resize_image(paths[0], content_type, *read, position, background, paths[1]))


def _check_video(file: str, content_type: str) -> None:
    check_video(Path(file), content_type)


_CALLS: Final[dict[str, Callable[..., Any]]] = {
    "inspect_image": _inspect,
    "decode_image": _decode,
    "resize_image": _resize,
    "check_video": _check_video,
}


def limit_memory(more: int | None) -> None:
    """Let this process allocate only so many bytes in addition to what it has; with None, any number.

    The limit is for memory that is written to: libvips also maps files. Systems without `/proc` don't enforce it.
    """
    if (now := _kilobytes(b"VmData:")) is not None:
        limit = resource.RLIM_INFINITY if more is None else now * 1024 + more
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def peak_memory() -> int:
    """Return the most bytes that this process has had at once."""
    if (peak := _kilobytes(b"VmHWM:")) is not None:
        return peak * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _kilobytes(name: bytes) -> int | None:
    try:
        status = _STATUS.read_bytes()
    except FileNotFoundError:
        return None
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))


if __name__ == "__main__":
    main(int(sys.argv[1]))
