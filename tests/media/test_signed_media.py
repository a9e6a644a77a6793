"""A service whose media URLs are signed and expire."""

import time
from collections.abc import AsyncIterator

import pytest
from sample_files import new_seed, png
from stored_files import close
from support.api import Workspace, sign_in_workspace
from support.in_process import Service, StartService
from support.service_process import new_client
from upload_helpers import upload

from signoff.media.urls import sign_url
from signoff.platform.settings import load_settings


@pytest.fixture(scope="module")
async def signing_service(start_service: StartService) -> AsyncIterator[Service]:
    secret = "shared between the processes"
    async with start_service(media_addresses="signed", media_secret=secret, worker=False) as service:
        yield service


@pytest.fixture(scope="module")
async def signing(signing_service: Service) -> AsyncIterator[Workspace]:
    workspace = await sign_in_workspace(signing_service)
    yield workspace
    await close(workspace)


async def test_signed_url_opens_media(signing: Workspace) -> None:
    content = png(seed=new_seed())
    [file] = await upload(signing, content)
    response = await signing.public.get(file["downloadURL"])
    assert response.content == content
    policy, age, immutable = response.headers["cache-control"].split(", ")
    assert (policy, immutable) == ("private", "immutable")
    assert 0 < int(age.removeprefix("max-age=")) <= 25 * 3600


async def test_same_response_for_existing_and_unknown_media(signing: Workspace) -> None:
    [file] = await upload(signing, png(seed=new_seed()))
    plain = file["downloadURL"].partition("?")[0]
    unknown = plain[:-4] + "0000"
    wrong = f"?expires=99999999999&signature={'0' * 64}"
    old = file["downloadURL"].replace("expires=", "expires=1")
    for address in (plain, unknown, plain + wrong, unknown + wrong, old, plain + "?expires=1", plain + "?signature="):
        response = await signing.public.get(address)
        assert response.status_code == 403
        assert response.json()["code"] == "media_address_expired"
        assert response.headers["cache-control"] == "no-store"
    for client in (signing.agent, signing.owner):  # credentials don't replace a signature
        assert (await client.get(plain)).status_code == 403


async def test_expired(signing: Workspace, signing_service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(
        public_url=signing_service.url, media_addresses="signed", media_secret="shared between the processes"
    )
    before = time.time()
    [file] = await upload(signing, png(seed=new_seed()))
    after = time.time()
    possible: set[str] = set()
    for moment in (before, after):  # URLs of one hour are the same
        monkeypatch.setattr("signoff.media.urls.time.time", lambda at=moment: at)
        possible.add(sign_url(settings, file["downloadURL"]))
    assert file["downloadURL"] in possible
    monkeypatch.setattr("signoff.media.urls.time.time", lambda: 1_000_000_000.0)
    expired = sign_url(settings, file["downloadURL"])
    monkeypatch.undo()
    response = await signing.public.get(expired)
    assert response.status_code == 403


async def test_signed_but_unknown(signing: Workspace, signing_service: Service) -> None:
    settings = load_settings(
        public_url=signing_service.url, media_addresses="signed", media_secret="shared between the processes"
    )
    address = sign_url(settings, f"{signing_service.url}/media/{signing.account_id}/med_unknown")
    assert (await signing.public.get(address)).status_code == 404


async def test_secret_is_created_once_and_kept(start_service: StartService) -> None:
    """If it isn't configured, it's in the database: URLs keep working after their process restarts."""
    content = png(seed=new_seed())
    async with start_service(media_addresses="signed", worker=False) as service:
        workspace = await sign_in_workspace(service)
        [file] = await upload(workspace, content)
        await close(workspace)
    again = {"media_addresses": "signed", "port": service.settings.port, "worker": False}
    async with start_service(beside=service, **again) as restarted, new_client(restarted.url) as anew:
        assert (await anew.get(file["downloadURL"])).content == content
