import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from backup_helpers import Backup, Filled, Target, back_up, contents, files, fill, new_target
from support.service_process import running_service


@contextmanager
def quiet_surroundings() -> Iterator[None]:
    """Settings of whoever runs the tests are none of theirs, and what a restore does to the umask ends with it."""
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
    with quiet_surroundings():
        yield


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """An installation with some of everything, in which nothing moves by itself any more."""
    folder = tmp_path_factory.mktemp("filled")
    with running_service(folder, webhook_retry_schedule="3600", webhook_timeout=2) as service:
        yield asyncio.run(fill(service))


@pytest.fixture(scope="session")
def backup(filled: Filled, tmp_path_factory: pytest.TempPathFactory) -> Backup:
    """Of the filled installation, made while it runs and nobody does anything."""
    folder = tmp_path_factory.mktemp("backup")
    for attempt in range(60):
        before = contents(filled.service.dsn())
        file = folder / f"signoff-{attempt}.tar"
        with quiet_surroundings():
            manifest = back_up(filled.service, file)
        if contents(filled.service.dsn()) == before:
            return Backup(file, manifest, before, files(filled.service.data_dir / "media"))
    raise AssertionError("the installation does not come to rest")


@pytest.fixture
def target(filled: Filled, tmp_path: Path) -> Target:
    return new_target(filled.service, tmp_path)
