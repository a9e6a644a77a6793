import pytest

from signoff.platform.settings import LOOPBACK_NETWORKS, Settings, SettingsError, load_settings


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SIGNOFF_{name.upper()}", raising=False)


class TestNetworks:
    @pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost", "LocalHost"])
    def test_not_set_on_loopback_opens_loopback(self, host: str) -> None:
        assert load_settings(host=host).outgoing_networks == LOOPBACK_NETWORKS

    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "signoff.example.com", "localhost.example.com"])  # noqa: S104
    def test_not_set_elsewhere_opens_nothing(self, host: str) -> None:
        assert load_settings(host=host).outgoing_networks == ()

    @pytest.mark.parametrize("url", ["https://signoff.example.com", "http://10.0.0.1:8080"])
    def test_a_public_url_elsewhere_opens_nothing(self, url: str) -> None:
        """There is a proxy in front, so a person who sets a webhook isn't the owner of the machine."""
        assert load_settings(host="127.0.0.1", public_url=url).outgoing_networks == ()

    @pytest.mark.parametrize("url", ["http://localhost:8080", "http://127.0.0.1:9000/signoff", "http://[::1]:8080"])
    def test_a_public_url_on_loopback_opens_loopback(self, url: str) -> None:
        assert load_settings(host="127.0.0.1", public_url=url).outgoing_networks == LOOPBACK_NETWORKS

    def test_set_empty_opens_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SIGNOFF_ALLOWED_NETWORKS", "")
        assert load_settings().outgoing_networks == ()

    def test_set_opens_those(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SIGNOFF_ALLOWED_NETWORKS", "10.0.0.0/8, fd00::/8")
        assert [str(network) for network in load_settings().outgoing_networks] == ["10.0.0.0/8", "fd00::/8"]


class TestWrongValues:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("PORT", "eighty"),
            ("PORT", "0"),
            ("PORT", "70000"),
            ("PUBLIC_URL", "signoff.example.com"),
            ("DATABASE_URL", "mysql://localhost/x"),
            ("STORAGE_URL", "ftp://localhost/x"),
            ("SMTP_HOST", "smtp://mail.example.com"),
            ("SMTP_USER", "anna"),
            ("SMTP_SECURITY", "ssl"),
            ("MAIL_FROM", "Signoff"),
            ("MAIL_FROM", "a@example.com, b@example.com"),
            ("MAIL_RETRY_SCHEDULE", ""),
            ("NAME_PREFIX", "My Prefix"),
            ("WEBHOOK_RETRY_SCHEDULE", "5,soon"),
            ("WEBHOOK_RETRY_SCHEDULE", ""),
            ("WEBHOOK_RETRY_SCHEDULE", "-1"),
            ("WEBHOOK_TIMEOUT", "0"),
            ("ALLOWED_NETWORKS", "10.0.0.1/8"),
            ("ALLOWED_NETWORKS", "everything"),
            ("LOG_LEVEL", "loud"),
        ],
    )
    def test_error_is_one_line_with_the_variable(self, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
        monkeypatch.setenv(f"SIGNOFF_{name}", value)
        with pytest.raises(SettingsError) as error:
            load_settings()
        assert f"SIGNOFF_{name}" in str(error.value)
        assert "\n" not in str(error.value)


def test_retry_schedule_sets_the_number_of_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().max_attempts == 7
    monkeypatch.setenv("SIGNOFF_WEBHOOK_RETRY_SCHEDULE", "0.5, 2")
    settings = load_settings()
    assert settings.webhook_retry_schedule == (0.5, 2.0)
    assert settings.max_attempts == 3
