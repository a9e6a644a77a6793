import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from backup_helpers import Backup, SeededInstance, Target, contents, create_backup, files, new_target, seed_instance
from support.service_process import running_service


@contextmanager
def default_environment() -> Iterator[None]:
    """Removes the environment's settings, and restores the umask that a restore changes."""
    mask = os.umask(0o022)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name in [name for name in os.environ if name.startswith("SIGNOFF_")]:
                patch.delenv(name)
            yield
    finally:
        os.umask(mask)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    with default_environment():
        yield


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeededInstance]:
    """A service with some data of every kind, in which nothing changes on its own any more."""
    folder = tmp_path_factory.mktemp("filled")
    with running_service(folder, webhook_retry_schedule="3600", webhook_timeout=2) as service:
        yield asyncio.run(seed_instance(service))


@pytest.fixture(scope="session")
def backup(seeded: SeededInstance, tmp_path_factory: pytest.TempPathFactory) -> Backup:
    """A backup of the seeded service, created while it runs idle."""
    folder = tmp_path_factory.mktemp("backup")
    for attempt in range(60):
        before = contents(seeded.service.dsn())
        file = folder / f"signoff-{attempt}.tar"
        with default_environment():
            manifest = create_backup(seeded.service, file)
        if contents(seeded.service.dsn()) == before:
            return Backup(file, manifest, before, files(seeded.service.data_dir / "media"))
    raise AssertionError("the installation does not come to rest")


@pytest.fixture
def target(seeded: SeededInstance, tmp_path: Path) -> Target:
    return new_target(seeded.service, tmp_path)
