"""How many cores and how much memory the process may use."""

from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest

from signoff.platform import machine
from signoff.platform.machine import CgroupLimits, read_cgroup_limits, read_machine

GIB = 1024**3
WriteFiles = Callable[[dict[str, str]], Path]


@pytest.fixture
def write_files(tmp_path: Path) -> WriteFiles:
    """Writes what a system shows about control groups. Returns the folder in place of `/`."""

    def write(files: dict[str, str]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content + "\n")
        return tmp_path

    return write


def test_without_control_groups(tmp_path: Path) -> None:
    assert read_cgroup_limits(tmp_path) == CgroupLimits(inf, inf)


class TestVersion2:
    def test_container_sees_its_own_group_as_the_root(self, write_files: WriteFiles) -> None:
        root = write_files(
            {
                "proc/self/cgroup": "0::/",
                "sys/fs/cgroup/cpu.max": "150000 100000",
                "sys/fs/cgroup/memory.max": str(2 * GIB),
            }
        )
        assert read_cgroup_limits(root) == CgroupLimits(1.5, 2 * GIB)

    def test_lowest_limit_of_all_parents(self, write_files: WriteFiles) -> None:
        root = write_files(
            {
                "proc/self/cgroup": "0::/machine.slice/signoff.service",
                "sys/fs/cgroup/machine.slice/cpu.max": "300000 100000",
                "sys/fs/cgroup/machine.slice/memory.max": "max",
                "sys/fs/cgroup/machine.slice/signoff.service/cpu.max": "max 100000",
                "sys/fs/cgroup/machine.slice/signoff.service/memory.max": str(GIB),
            }
        )
        assert read_cgroup_limits(root) == CgroupLimits(3.0, GIB)

    def test_group_outside_the_container(self, write_files: WriteFiles) -> None:
        root = write_files({"proc/self/cgroup": "0::/../../other", "sys/fs/cgroup/cpu.max": "400000 100000"})
        assert read_cgroup_limits(root) == CgroupLimits(4.0, inf)


class TestVersion1:
    def test_controllers_in_their_own_folders(self, write_files: WriteFiles) -> None:
        root = write_files(
            {
                "proc/self/cgroup": "3:memory:/docker/1234\n2:cpu,cpuacct:/docker/1234\n1:name=systemd:/",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "250000",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "50000",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": str(3 * GIB),
            }
        )
        assert read_cgroup_limits(root) == CgroupLimits(5.0, 3 * GIB)

    def test_no_quota(self, write_files: WriteFiles) -> None:
        root = write_files(
            {
                "proc/self/cgroup": "1:cpu:/",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            }
        )
        assert read_cgroup_limits(root) == CgroupLimits(inf, inf)


class TestMachine:
    def test_limits_of_the_container(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "_count_cores", lambda: 16)
        monkeypatch.setattr(machine, "_read_memory", lambda: 64 * GIB)
        monkeypatch.setattr(machine, "read_cgroup_limits", lambda: CgroupLimits(2.5, 4 * GIB))
        assert read_machine() == machine.Machine(2, 4 * GIB)

    def test_part_of_a_core(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(machine, "read_cgroup_limits", lambda: CgroupLimits(0.5))
        assert read_machine().cores == 1

    def test_this_one(self) -> None:
        found = read_machine()
        assert found.cores >= 1
        assert found.memory_bytes > 0
