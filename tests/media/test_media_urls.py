"""Media URLs: which are ours, and how they are signed."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff.media import urls
from signoff.media.store import Media, new_media_id
from signoff.media.urls import (
    MediaRef,
    media_url,
    parse_media_url,
    remaining_seconds,
    sign_url,
    stored_media_url,
    strip_signature,
)
from signoff.platform.settings import Settings, load_settings

MEDIA_ID = "med_01a1de8a4f3092c7b15e08d4a6f37c29e1b05d842f60"
MEDIA = Media(MEDIA_ID, "image/png", 5, 1, 1)
SECRET = "a secret for the tests"


def made(**values: Any) -> Settings:
    return load_settings(public_url="https://signoff.example.com", **values)


OPEN, SIGNED = made(), made(media_addresses="signed", media_secret=SECRET)
BEHIND_CDN = made(cdn_url="https://cdn.example.net/files/")
IN_A_FOLDER = load_settings(public_url="https://example.com/signoff")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    class Clock:
        now = 1_800_000_000.0

        def time(self) -> float:
            return self.now

    fake = Clock()
    monkeypatch.setattr(urls, "time", fake)
    return fake


def test_ids_are_random() -> None:
    ids = {new_media_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert len({object_id[16:] for object_id in ids}) == 1000
    assert all(len(object_id) == len("med_") + 12 + 32 for object_id in ids)


class TestOurs:
    @pytest.mark.parametrize(
        ("settings", "start"),
        [
            (OPEN, "https://signoff.example.com/media"),
            (OPEN, "/media"),
            (BEHIND_CDN, "https://cdn.example.net/files"),
            (BEHIND_CDN, "https://signoff.example.com/media"),
            (BEHIND_CDN, "/media"),
            (IN_A_FOLDER, "https://example.com/signoff/media"),
            (IN_A_FOLDER, "/signoff/media"),
        ],
    )
    @pytest.mark.parametrize("end", ["", "?expires=5&signature=abc", "?", "#part", "?x#y"])
    def test_recognizes_own_urls(self, settings: Settings, start: str, end: str) -> None:
        address = f"{start}/acc_1/{MEDIA_ID}"
        place = parse_media_url(settings, address + end)
        assert place is not None
        assert place.media_id == MEDIA_ID
        assert parse_media_url(settings, address + end) == MediaRef("acc_1", MEDIA_ID)
        assert strip_signature(settings, address + end) == address

    @pytest.mark.parametrize(
        "address",
        [
            "",
            "/",
            "/media",
            "/media/",
            f"/media/{MEDIA_ID}",
            f"/media/acc_1/{MEDIA_ID}/",
            f"/media/acc_1/{MEDIA_ID}.png",
            f"/media/acc_1/../acc_1/{MEDIA_ID}",
            f"/media/acc_1/%6ded_1{MEDIA_ID}",
            f"/mediafile/acc_1/{MEDIA_ID}",
            f"https://other.example.com/media/acc_1/{MEDIA_ID}",
            f"https://signoff.example.com.evil.example/media/acc_1/{MEDIA_ID}",
            f"https://signoff.example.com/mediax/acc_1/{MEDIA_ID}",
            f"https://user@signoff.example.com/media/acc_1/{MEDIA_ID}",
            f"http://signoff.example.com/media/acc_1/{MEDIA_ID}",
            f"https://signoff.example.com/media/acc_1/{MEDIA_ID}\n",
        ],
    )
    def test_rejects_other_urls(self, address: str) -> None:
        assert parse_media_url(OPEN, address) is None
        assert strip_signature(OPEN, address) == address
        assert sign_url(SIGNED, address) == address

    @given(address=st.text(max_size=200))
    def test_any_text(self, address: str) -> None:
        if parse_media_url(OPEN, address) is None:
            assert strip_signature(OPEN, address) == address
        assert sign_url(OPEN, address) == address

    def test_round_trip(self) -> None:
        plain = f"https://signoff.example.com/media/acc_1/{MEDIA_ID}"
        assert media_url(OPEN, "acc_1", MEDIA) == plain
        assert stored_media_url(SIGNED, "acc_1", MEDIA) == plain
        assert media_url(BEHIND_CDN, "acc_1", MEDIA_ID) == f"https://cdn.example.net/files/acc_1/{MEDIA_ID}"


class TestSigned:
    def query(self, address: str) -> str:
        return urlsplit(address).query

    def test_works_until_it_expires(self, clock: Any) -> None:
        address = media_url(SIGNED, "acc_1", MEDIA)
        place = parse_media_url(SIGNED, address)
        assert place is not None
        left = remaining_seconds(SIGNED, place, self.query(address))
        assert left is not None
        assert 24 * 3600 <= left <= 25 * 3600
        clock.now += left - 1
        assert remaining_seconds(SIGNED, place, self.query(address)) == 1
        clock.now += 1
        assert remaining_seconds(SIGNED, place, self.query(address)) is None

    def test_is_the_same_for_an_hour(self, clock: Any) -> None:
        clock.now = 1_800_000_000 // 3600 * 3600
        first = media_url(SIGNED, "acc_1", MEDIA)
        clock.now += 3599
        assert media_url(SIGNED, "acc_1", MEDIA) == first
        assert sign_url(SIGNED, first) == first
        clock.now += 1
        assert media_url(SIGNED, "acc_1", MEDIA) != first
        assert sign_url(SIGNED, first) == media_url(SIGNED, "acc_1", MEDIA)

    def test_is_for_one_media_of_one_account(self, clock: Any) -> None:
        query = self.query(media_url(SIGNED, "acc_1", MEDIA))
        assert remaining_seconds(SIGNED, MediaRef("acc_1", MEDIA_ID), query)
        assert remaining_seconds(SIGNED, MediaRef("acc_2", MEDIA_ID), query) is None
        assert remaining_seconds(SIGNED, MediaRef("acc_1", new_media_id()), query) is None

    def test_needs_the_same_secret(self, clock: Any) -> None:
        other = made(media_addresses="signed", media_secret="another secret of tests")
        query = self.query(media_url(other, "acc_1", MEDIA))
        assert remaining_seconds(SIGNED, MediaRef("acc_1", MEDIA_ID), query) is None

    @pytest.mark.parametrize(
        "change",
        [
            lambda expires, signature: "",
            lambda expires, signature: f"expires={expires}",
            lambda expires, signature: f"signature={signature}",
            lambda expires, signature: f"expires={int(expires) + 3600}&signature={signature}",
            lambda expires, signature: f"expires={expires}&signature={signature[:-1]}",
            lambda expires, signature: f"expires={expires}&signature={signature.upper()}",
            lambda expires, signature: f"expires={expires}&signature=ü",
            lambda expires, signature: f"expires=-{expires}&signature={signature}",
            lambda expires, signature: f"expires=٣&signature={signature}",
            lambda expires, signature: f"expires={'9' * 5000}&signature={signature}",
        ],
    )
    def test_rejects_altered_urls(self, clock: Any, change: Any) -> None:
        params = parse_qs(self.query(media_url(SIGNED, "acc_1", MEDIA)))
        query = change(params["expires"][0], params["signature"][0])
        assert remaining_seconds(SIGNED, MediaRef("acc_1", MEDIA_ID), query) is None
