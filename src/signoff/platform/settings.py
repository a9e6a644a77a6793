"""All settings with their defaults, which are the documented ones.

Each is an environment variable `SIGNOFF_<NAME>`. An invalid value stops the start with one clear line.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Network = IPv4Network | IPv6Network

_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,253}")
_SENDER = re.compile(r"([^<>@,\"\\]* <)?[^<>@,\"\\\s]+@[^<>@,\"\\\s]+(?(1)>)")
LOOPBACK_NETWORKS: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`."""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_secure_url(url: str) -> bool:
    """Whether nobody in between can read or change what is sent there: https, or http to this machine itself."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host or "")))


class SettingsError(Exception):
    """A setting has an invalid value. The text is one line for the operator."""


def _split_commas(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _valid_pauses(value: tuple[float, ...]) -> tuple[float, ...]:
    if not value:
        raise ValueError("must have at least one delay in seconds")
    if any(not 0 <= pause <= 604_800 for pause in value):
        raise ValueError("each delay must be between 0 and 604800 seconds")
    return value


RetrySchedule = Annotated[tuple[float, ...], NoDecode, BeforeValidator(_split_commas), AfterValidator(_valid_pauses)]


def _domains(value: tuple[str, ...]) -> tuple[str, ...]:
    for domain in value:
        if "@" in domain or "*" in domain or not all(domain.split(".")):
            raise ValueError(f"{domain!r} isn't a domain (expected something like example.com)")
    return tuple(domain.lower() for domain in value)


Domains = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_commas), AfterValidator(_domains)]
Networks = Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_split_commas)]

MAX_PROCESSES = 64


def _process_count(value: object) -> object:
    text = str(value)
    if text != "auto" and not (text.isdecimal() and 1 <= int(text) <= MAX_PROCESSES):
        raise ValueError(f"must be `auto` or a number between 1 and {MAX_PROCESSES}")
    return text if text == "auto" else int(text)


ProcessCount = Annotated[int | Literal["auto"], BeforeValidator(_process_count)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SIGNOFF_", extra="ignore", frozen=True)

    data_dir: Path = Field(
        Path("data"), description="Directory for the embedded database, uploaded files, and saved emails."
    )
    host: str = Field("127.0.0.1", description="Host to bind to. Use `0.0.0.0` to accept connections from the network.")
    port: int = Field(8080, ge=1, le=65535, description="Port to bind to.")
    public_url: str | None = Field(
        None, description="Public URL of this server, used in links. If unset, built from the host and port."
    )
    database_url: str | None = Field(
        None,
        description=(
            "PostgreSQL (15 or newer) connection URL. If unset, Signoff runs an embedded PostgreSQL in the "
            "data directory."
        ),
    )
    demo: bool | None = Field(
        None,
        description=(
            "Fill a new workspace with demo data and run the demo agents. If unset, the demo is on when webhooks can "
            "reach this machine. Requires the embedded database."
        ),
    )
    database_pool_size: int = Field(
        20,
        ge=2,
        le=500,
        description=(
            "Maximum number of database connections per process. If unset, `signoff serve` lowers it so that all of "
            "its processes together use at most 90."
        ),
    )
    api_processes: ProcessCount = Field(
        "auto",
        description=(
            "Number of API processes that `signoff serve` runs. `auto`: one for every two cores, at most 10, and at "
            "most one per GB of memory. `signoff api` always runs one."
        ),
    )
    worker_processes: ProcessCount = Field(
        "auto",
        description=(
            "Number of workers that `signoff serve` runs. `auto`: one for every three API processes, rounded up. "
            "`signoff worker` always runs one."
        ),
    )
    redis_url: str | None = Field(
        None,
        description=(
            "Redis or Valkey URL for sharing rate limits across API processes: `redis://…`, `rediss://…`, or "
            "`unix://…`. If unset, each process enforces limits separately."
        ),
    )
    fair_use: Literal["meter", "refuse"] = Field(
        "meter",
        description=(
            "What happens when a plan's usage limit is reached. `meter`: record the overage. `refuse`: "
            "reject review requests and uploads until the next month."
        ),
    )
    storage_url: str | None = Field(
        None,
        description=(
            "Where files are stored: `file:///…`, `s3://…`, `gs://…`, or `az://…`. If unset, in the data directory."
        ),
    )
    cdn_url: str | None = Field(
        None,
        description="URL of a CDN that serves files instead of `<public_url>/media`.",
    )
    web_app: Path | None = Field(
        None, description="Directory with a custom build of the web app. If unset, the bundled one is used."
    )
    max_file_bytes: int = Field(
        20 * 1024 * 1024, ge=1024, le=1024**3, description="Maximum size of an image or uploaded file (bytes)."
    )
    max_video_bytes: int = Field(
        200 * 1024 * 1024, ge=1024, le=10 * 1024**3, description="Maximum size of a video copied from a URL (bytes)."
    )
    media_fetch_timeout: float = Field(
        120, gt=0, le=3600, description="Timeout for downloading an image or video from a URL (seconds)."
    )
    media_retry_schedule: RetrySchedule = Field(
        (5, 60, 600, 3600),
        description="Delays before retrying a failed download (seconds, comma-separated).",
    )
    event_media_wait: float = Field(
        30,
        ge=0,
        le=600,
        description="Maximum time an event waits for copies of its review's media (seconds). 0 sends it immediately.",
    )
    media_concurrency: int = Field(
        8, ge=2, le=500, description="Maximum number of files a worker downloads at the same time."
    )
    max_image_pixels: int = Field(
        100_000_000,
        ge=1,
        le=2_000_000_000,
        description=(
            "Maximum number of pixels in an image, counting all frames of an animation. Protects memory and CPU."
        ),
    )
    media_process_timeout: float = Field(
        300,
        gt=0,
        le=3600,
        description="Maximum time for decoding or resizing an image or video (seconds). After that, it's rejected.",
    )
    media_addresses: Literal["open", "signed"] = Field(
        "open",
        description=(
            "`open`: anyone with a file's unguessable URL can open it. `signed`: file URLs are signed and expire."
        ),
    )
    media_address_hours: int = Field(
        24,
        ge=1,
        le=8760,
        description="How long signed file URLs stay valid (hours). The actual lifetime can be up to an hour longer.",
    )
    media_secret: str | None = Field(
        None,
        min_length=16,
        description="Secret for signing file URLs. If unset, a random secret is generated and stored in the database.",
    )
    unused_media_days: int = Field(
        30, ge=1, le=3650, description="How long to keep files that no review or message uses (days)."
    )
    smtp_host: str | None = Field(
        None, description="SMTP server. If unset, emails are saved to `mails/*.eml` in the data directory."
    )
    smtp_port: int | None = Field(
        None, ge=1, le=65535, description="SMTP port. If unset, 465 for `tls`, 587 for `starttls`, 25 for `none`."
    )
    smtp_password: str | None = Field(None, repr=False, description="SMTP password.")
    smtp_user: str | None = Field(
        None, validate_default=True, description="SMTP username. If unset, no authentication is used."
    )
    smtp_security: Literal["tls", "starttls", "none"] = Field(
        "starttls",
        description="SMTP encryption. `tls`: implicit TLS. `starttls`: STARTTLS, required. `none`: no encryption.",
    )
    smtp_ca_file: Path | None = Field(
        None,
        description="CA bundle (PEM) for verifying the SMTP server. If unset, the system's CA certificates are used.",
    )
    smtp_timeout: float = Field(30, gt=0, le=600, description="Timeout for each SMTP response (seconds).")
    mail_from: str | None = Field(
        None,
        description=(
            "Sender of emails, for example `Signoff <signoff@example.com>`. If unset, `signoff@` followed by the host "
            "of the public URL."
        ),
    )
    mail_retry_schedule: RetrySchedule = Field(
        (60, 300, 1800, 7200, 21600),
        description="Delays before retrying an email the server rejected temporarily (seconds, comma-separated).",
    )
    mail_collect_seconds: float = Field(
        30,
        ge=0,
        le=3600,
        description="How long to collect review notifications before sending them in one email (seconds).",
    )
    mail_pause_seconds: float = Field(
        300,
        ge=0,
        le=3600,
        description=(
            "Minimum time between two notification emails to the same member (seconds). Grows by this much with "
            "each email, up to an hour, while notifications keep coming."
        ),
    )
    mail_concurrency: int = Field(
        8, ge=2, le=200, description="Maximum number of emails a worker sends at the same time."
    )
    slack_api_url: str = Field("https://slack.com/api", description="Base URL of the Slack API.")
    chat_app_timeout: float = Field(
        10, gt=0, le=20, description="Timeout for each response from Slack or Mattermost (seconds)."
    )
    chat_app_retry_schedule: RetrySchedule = Field(
        (5, 30, 300, 1800),
        description="Delays before retrying a failed chat post (seconds, comma-separated).",
    )
    chat_burst: int = Field(
        20,
        ge=1,
        le=1000,
        description="If more reviews than this arrive for one channel within a minute, they're posted as one message.",
    )
    chat_concurrency: int = Field(
        8,
        ge=2,
        le=200,
        description=(
            "Maximum number of chat posts that a worker sends at the same time. The same limit applies to clicks in "
            "chat apps."
        ),
    )
    name_prefix: str = Field(
        "svc",
        pattern=r"^[a-z][a-z0-9]{0,15}$",
        description=(
            "A second prefix for API names that start with `svc`. With `abc`, responses and events also have "
            "`abcLink`, and requests may use `_abcWorkflow` and `_abcAutoApprove`. The `svc` names always work."
        ),
    )
    max_body_bytes: int = Field(
        25 * 1024 * 1024, ge=1024, le=1024**3, description="Maximum size of a request body (bytes)."
    )
    max_connections: int = Field(
        8192,
        ge=128,
        le=100_000,
        description="Maximum number of open connections per API process, if the system allows that many open files.",
    )
    client_connections: int = Field(
        500,
        ge=0,
        le=100_000,
        description=(
            "Maximum number of concurrent requests and open connections per client IP address and API process. Idle "
            "connections above the limit are closed. Behind a proxy, set `SIGNOFF_TRUSTED_PROXIES`. 0 turns the limit "
            "off."
        ),
    )
    header_timeout: float = Field(
        30,
        ge=1,
        le=60,
        description="Timeout for request headers and idle connections (seconds).",
    )
    body_timeout: float = Field(
        30,
        ge=1,
        le=600,
        description="How long to wait for more of a request body (seconds).",
    )
    body_min_rate: int = Field(
        4096,
        ge=1,
        le=1_000_000,
        description="Minimum average rate of a request body once the body timeout has passed (bytes per second).",
    )
    webhook_retry_schedule: RetrySchedule = Field(
        (5, 300, 1800, 7200, 18000, 36000),
        description="Delays before the second and later delivery attempts (seconds, comma-separated).",
    )
    webhook_retry_jitter: float = Field(
        0.2, ge=0, le=1, description="Random variation of each delay, as a fraction (0.2 = ±20%)."
    )
    retry_reminder_after: float = Field(
        3600,
        ge=0,
        le=30 * 86400,
        description=(
            "How long to wait before reminding an agent that hasn't responded to a change request (seconds). It's "
            "reminded at most three times, and the delay doubles each time. 0 turns reminders off."
        ),
    )
    webhook_timeout: float = Field(15, gt=0, le=300, description="Timeout for a delivery attempt (seconds).")
    webhook_concurrency: int = Field(
        1000, ge=4, le=10_000, description="Maximum number of concurrent delivery attempts per worker."
    )
    webhook_concurrency_per_destination: int = Field(
        128, ge=1, le=1000, description="Maximum number of concurrent attempts to one destination, per worker."
    )
    chat_order_wait: float = Field(
        600,
        ge=0,
        le=7 * 24 * 3600,
        description="How long a chat message waits for earlier messages in its session to be delivered (seconds).",
    )
    worker_lost_after: float = Field(
        20,
        ge=1,
        le=3600,
        description=(
            "How long a worker can go without a heartbeat before other workers take over its jobs (seconds). "
            "Must be the same for all workers."
        ),
    )
    poll_interval: float = Field(
        1,
        ge=0.02,
        le=60,
        description="How often a worker looks for jobs it wasn't notified of (seconds).",
    )
    worker_metrics_port: int | None = Field(
        None,
        ge=1,
        le=65535,
        description=(
            "Port for a worker's Prometheus metrics at `/metrics`. If `signoff serve` runs several workers, they use "
            "this port and the ones after it. If unset, metrics are off."
        ),
    )
    allowed_networks: Networks | None = Field(
        None,
        description=(
            "Private networks (CIDR, comma-separated) that outgoing requests may reach. If unset, loopback only, and "
            "only if `SIGNOFF_HOST` and `SIGNOFF_PUBLIC_URL` point to this machine. If empty, none."
        ),
    )
    memory_scan_rows: int = Field(
        20_000,
        ge=200,
        le=10_000_000,
        description="Maximum number of responses a memory query scans when no index matches its filters.",
    )
    session_days: int = Field(14, ge=1, le=365, description="How long members stay signed in (days).")
    external_link_days: int = Field(
        14, ge=1, le=365, description="How long an external reviewer's link stays valid (days)."
    )
    public_form_rate: int = Field(
        20, ge=1, le=10_000, description="Maximum number of submissions to a public form per hour from one network."
    )
    public_form_bits: int = Field(
        15,
        ge=1,
        le=24,
        description=(
            "Proof-of-work difficulty for public forms, in zero bits. Each extra bit doubles the work. "
            "Increases automatically when a form is busy."
        ),
    )
    sign_in_failures: int = Field(
        10, ge=1, le=1000, description="Failed sign-in attempts allowed per email or client within 15 minutes."
    )
    key_invite_domains: Domains = Field(
        (),
        description=(
            "Email domains to which API keys can send invites without an admin's approval (comma-separated). All "
            "other invites by API keys need approval."
        ),
    )
    oidc_issuer: str | None = Field(
        None,
        description=(
            "Issuer URL of your OpenID Connect provider, for example `https://login.example.com`. If unset, "
            "single sign-on is off."
        ),
    )
    oidc_client_id: str | None = Field(
        None, validate_default=True, description="OIDC client ID. Required if `SIGNOFF_OIDC_ISSUER` is set."
    )
    oidc_client_secret: str | None = Field(
        None, repr=False, description="OIDC client secret. If unset, Signoff acts as a public client."
    )
    oidc_name: str = Field(
        "single sign-on", min_length=1, max_length=60, description="Name of the provider on the sign-in page."
    )
    oidc_join_domains: Domains = Field(
        (),
        description=(
            "Email domains whose users can join without an invite when they sign in with SSO (comma-separated). If "
            "empty, everyone needs an invite."
        ),
    )
    oidc_join_role: Literal["admin", "editor", "reviewer", "viewer"] = Field(
        "reviewer", description="Role of members who join with SSO without an invite."
    )
    trusted_proxies: Networks = Field(
        (), description="Reverse proxies (CIDR, comma-separated) whose `X-Forwarded-For` header is trusted."
    )
    shutdown_grace: float = Field(
        20, ge=0, le=600, description="How long to wait for work in progress to finish on shutdown (seconds)."
    )
    liveness_timeout: float = Field(
        60,
        ge=0,
        le=86400,
        description=(
            "How long an API process or a worker can go without a heartbeat before `signoff serve` restarts it "
            "(seconds). After a quarter of that time, an API process is restarted if another one responds; if none "
            "does, requests get a 503. 0 turns this off."
        ),
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Minimum log level.")
    log_format: Literal["auto", "json", "console"] = Field(
        "auto",
        description=(
            "`auto`: readable in a terminal, JSON otherwise. Readable logs show successful requests only at "
            "`debug` level."
        ),
    )

    @field_validator("public_url", "cdn_url")
    @classmethod
    def _public_url_is_an_origin(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(
                "must be an http or https URL without a query string, for example https://signoff.example.com"
            )
        return value.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _database_url_is_postgresql(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in {"postgresql", "postgres"}:
            raise ValueError("must start with postgresql://")
        return value

    @field_validator("redis_url")
    @classmethod
    def _redis_url_has_a_known_scheme(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if urlsplit(value).scheme not in {"redis", "rediss", "unix"}:
            raise ValueError("must start with redis://, rediss://, or unix://")
        from redis import ConnectionPool  # Slow to import, and rarely needed.

        try:
            cast(Any, ConnectionPool).from_url(value).make_connection()  # This doesn't connect yet.
        except (TypeError, ValueError) as error:
            raise ValueError(f"isn't a valid Redis URL: {error}") from None
        return value

    @field_validator("oidc_issuer")
    @classmethod
    def _oidc_issuer_is_secure(cls, value: str | None) -> str | None:
        if value is not None and (not is_secure_url(value) or urlsplit(value).query or urlsplit(value).fragment):
            raise ValueError(
                "must be an https URL without a query string, for example https://login.example.com (http is allowed "
                "for localhost)"
            )
        return value

    @field_validator("oidc_client_id")
    @classmethod
    def _oidc_client_id_with_an_issuer(cls, value: str | None, info: ValidationInfo) -> str | None:
        if not value and info.data.get("oidc_issuer") is not None:
            raise ValueError("is required when SIGNOFF_OIDC_ISSUER is set")
        return value

    @field_validator("storage_url")
    @classmethod
    def _storage_url_has_a_known_scheme(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in {"file", "s3", "gs", "az"}:
            raise ValueError("must start with file://, s3://, gs://, or az://")
        return value

    @field_validator("smtp_host")
    @classmethod
    def _smtp_host_is_a_name(cls, value: str | None) -> str | None:
        if value is not None and not _HOST.fullmatch(value):
            raise ValueError("must be a hostname or IP address, for example mail.example.com")
        return value

    @field_validator("smtp_user")
    @classmethod
    def _smtp_user_has_a_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if (value is None) != (info.data.get("smtp_password") is None):
            raise ValueError("set both SIGNOFF_SMTP_USER and SIGNOFF_SMTP_PASSWORD, or neither")
        return value

    @field_validator("smtp_security")
    @classmethod
    def _smtp_password_travels_safely(cls, value: str, info: ValidationInfo) -> str:
        host = info.data.get("smtp_host")
        if value == "none" and info.data.get("smtp_user") is not None and not is_loopback(host or "localhost"):
            raise ValueError("the SMTP password can't be sent unencrypted; use tls or starttls")
        return value

    @field_validator("slack_api_url")
    @classmethod
    def _slack_api_url_is_secure(cls, value: str) -> str:
        if not is_secure_url(value) or urlsplit(value).query or urlsplit(value).fragment:
            raise ValueError("must be an https URL without a query string (http is allowed for localhost)")
        return value

    @field_validator("mail_from")
    @classmethod
    def _mail_from_is_one_address(cls, value: str | None) -> str | None:
        if value is not None and not (_SENDER.fullmatch(value) and value.isprintable()):
            raise ValueError("must be a single address, for example Signoff <signoff@example.com>")
        return value

    @property
    def url(self) -> str:
        return self.public_url or self.local_url

    @property
    def local_url(self) -> str:
        """Return the URL of the service on its own machine."""
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def named(self, pattern: str) -> tuple[str, ...]:
        """Return the names that may carry a prefix: the public API's own first, then the deployment's."""
        return tuple(dict.fromkeys((pattern.format("svc"), pattern.format(self.name_prefix))))

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/v1"

    @property
    def cdn(self) -> str:
        """Return the base URL of media."""
        return self.cdn_url or f"{self.url}/media"

    @property
    def sender(self) -> str:
        """Return the sender of mails: a name and an address."""
        if self.mail_from is not None:
            return self.mail_from
        host = urlsplit(self.url).hostname or "localhost"
        return f"Signoff <signoff@{host if host[-1].isalpha() else 'localhost'}>"

    @property
    def storage(self) -> str:
        return self.storage_url or (self.data_dir.absolute() / "media").as_uri()

    @property
    def outgoing_networks(self) -> tuple[Network, ...]:
        """Return the networks that outgoing calls may reach in addition to the public internet."""
        if self.allowed_networks is not None:
            return self.allowed_networks
        return LOOPBACK_NETWORKS if self.is_private else ()

    @property
    def is_private(self) -> bool:
        """Whether the service is only reachable from its machine: neither from the network nor through a proxy with
        a public URL.
        """
        return is_loopback(self.host) and is_loopback(urlsplit(self.url).hostname or "")

    @property
    def max_attempts(self) -> int:
        return len(self.webhook_retry_schedule) + 1


def load_settings(**overrides: Any) -> Settings:
    """Read the environment. Raises `SettingsError` with one line that names each invalid variable."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError("; ".join(_explain(detail) for detail in cast(Sequence[Any], error.errors()))) from None


def _explain(detail: dict[str, Any]) -> str:
    name = "SIGNOFF_" + str(detail["loc"][0]).upper()
    reason = str(detail["msg"]).removeprefix("Value error, ")
    return f"{name}={detail['input']!r}: {reason}"
