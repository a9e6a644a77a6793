"""The processor cores and the memory that this process may use: the machine's, or its container's if that has less."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path, PurePosixPath


@dataclass(frozen=True, slots=True)
class Machine:
    cores: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class CgroupLimits:
    """What the process's control groups allow. Without a limit, it's infinite."""

    cores: float = inf
    memory_bytes: float = inf


def read_machine() -> Machine:
    limits = read_cgroup_limits()
    cores = max(1, int(min(_count_cores(), limits.cores)))
    return Machine(cores, int(min(_read_memory(), limits.memory_bytes)))


def _count_cores() -> int:
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def read_cgroup_limits(root: Path = Path("/")) -> CgroupLimits:
    """Return the lowest limits of the process's control groups and their parents, in version 1 or 2."""
    cores, memory = [inf], [inf]
    mounts = root / "sys/fs/cgroup"
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        names = controllers.split(",")
        if not controllers:
            for folder in _groups(mounts, path):
                cores.append(_divide(*_numbers(folder / "cpu.max", 2)))
                memory += _numbers(folder / "memory.max", 1)
        if "cpu" in names:
            for folder in _groups(_mount(mounts, "cpu", controllers), path):
                period = _numbers(folder / "cpu.cfs_period_us", 1)
                cores.append(_divide(*_numbers(folder / "cpu.cfs_quota_us", 1), *period))
        if "memory" in names:
            for folder in _groups(_mount(mounts, "memory", controllers), path):
                memory += _numbers(folder / "memory.limit_in_bytes", 1)
    return CgroupLimits(min(cores), min(memory))


def _mount(mounts: Path, controller: str, controllers: str) -> Path:
    return next((mounts / name for name in (controller, controllers) if (mounts / name).is_dir()), mounts / controller)


def _groups(mount: Path, path: str) -> Iterator[Path]:
    """Yield the group's folder and its parents. In a container the path may be the host's: only the mount exists."""
    inner = PurePosixPath(path.lstrip("/"))
    if ".." not in inner.parts:
        yield mount / inner
        yield from (mount / parent for parent in inner.parents if parent != inner)
    else:
        yield mount


def _numbers(file: Path, count: int) -> list[float]:
    """Return the first numbers in the file. Infinity stands for each that is missing, "max", or -1."""
    numbers = [float(word) if word.isdigit() else inf for word in _read(file).split()[:count]]
    return numbers + [inf] * (count - len(numbers))


def _divide(quota: float, period: float) -> float:
    return quota / period if quota < inf and 0 < period < inf else inf


def _read(file: Path) -> str:
    with suppress(OSError):
        return file.read_text()
    return ""
