"""A service whose media addresses are signed and expire."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest
from media_files import new_seed, png
from support.api import Workspace, open_workspace
from support.service import RunningService, running_service, wait_ready
from uploads import upload

from signoff.media.addresses import signed
from signoff.platform.settings import load_settings


@pytest.fixture(scope="module")
def signing_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("signed")
    with running_service(folder, media_addresses="signed", media_secret="shared between the processes") as service:
        yield service


@pytest.fixture(scope="module")
async def signing(signing_service: RunningService) -> AsyncIterator[Workspace]:
    workspace = await open_workspace(signing_service)
    yield workspace
    for client in (workspace.agent, workspace.manager, workspace.owner, workspace.public):
        await client.aclose()


async def test_opens_media(signing: Workspace) -> None:
    content = png(seed=new_seed())
    [file] = await upload(signing, content)
    answer = await signing.public.get(file["downloadURL"])
    assert answer.content == content
    policy, age, immutable = answer.headers["cache-control"].split(", ")
    assert (policy, immutable) == ("private", "immutable")
    assert 0 < int(age.removeprefix("max-age=")) <= 25 * 3600


async def test_answers_the_same_for_what_is_there_and_what_is_not(signing: Workspace) -> None:
    [file] = await upload(signing, png(seed=new_seed()))
    plain = file["downloadURL"].partition("?")[0]
    unknown = plain[:-4] + "0000"
    wrong = f"?expires=99999999999&signature={'0' * 64}"
    old = file["downloadURL"].replace("expires=", "expires=1")
    for address in (plain, unknown, plain + wrong, unknown + wrong, old, plain + "?expires=1", plain + "?signature="):
        answer = await signing.public.get(address)
        assert answer.status_code == 403
        assert answer.json()["code"] == "media_address_expired"
        assert answer.headers["cache-control"] == "no-store"
    for client in (signing.agent, signing.owner):  # credentials do not stand in for a signature
        assert (await client.get(plain)).status_code == 403


async def test_expired(signing: Workspace, signing_service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(
        public_url=signing_service.url, media_addresses="signed", media_secret="shared between the processes"
    )
    before = time.time()
    [file] = await upload(signing, png(seed=new_seed()))
    after = time.time()
    possible: set[str] = set()
    for moment in (before, after):  # addresses of one hour are the same
        monkeypatch.setattr("signoff.media.addresses.time.time", lambda at=moment: at)
        possible.add(signed(settings, file["downloadURL"]))
    assert file["downloadURL"] in possible
    monkeypatch.setattr("signoff.media.addresses.time.time", lambda: 1_000_000_000.0)
    answer = await signing.public.get(signed(settings, file["downloadURL"]))
    assert answer.status_code == 403


async def test_signed_but_unknown(signing: Workspace, signing_service: RunningService) -> None:
    settings = load_settings(
        public_url=signing_service.url, media_addresses="signed", media_secret="shared between the processes"
    )
    address = signed(settings, f"{signing_service.url}/media/{signing.account_id}/med_unknown")
    assert (await signing.public.get(address)).status_code == 404


async def test_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    """Not configured, it is in the database: addresses work on after a restart of the process that made them."""
    with running_service(tmp_path, media_addresses="signed") as service:
        workspace = await open_workspace(service)
        content = png(seed=new_seed())
        [file] = await upload(workspace, content)
        above = psutil.Process(service.child("api"))
        for process in (*above.children(recursive=True), above):
            process.kill()
        await asyncio.to_thread(wait_ready, service)
        async with workspace.client() as anew:
            assert (await anew.get(file["downloadURL"])).content == content
        for client in (workspace.agent, workspace.manager, workspace.owner, workspace.public):
            await client.aclose()
