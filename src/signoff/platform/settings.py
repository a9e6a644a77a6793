"""Every setting, with its default: the defaults written here are the documented ones.

Each is an environment variable `SIGNOFF_<NAME>`. A wrong value stops the start with one clear line.
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
    """Whether only this machine can reach what listens on `host`."""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_secure_url(url: str) -> bool:
    """Whether nobody on the way can read or change what is sent there: https, or http to this machine itself."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host or "")))


class SettingsError(Exception):
    """A setting has a value it cannot have. Its text is one line for the operator."""


def _comma_separated(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _ascending_pauses(value: tuple[float, ...]) -> tuple[float, ...]:
    if not value:
        raise ValueError("needs at least one pause, in seconds")
    if any(not 0 <= pause <= 604_800 for pause in value):
        raise ValueError("each pause is between 0 and 604800 seconds")
    return value


RetrySchedule = Annotated[
    tuple[float, ...], NoDecode, BeforeValidator(_comma_separated), AfterValidator(_ascending_pauses)
]


def _domains(value: tuple[str, ...]) -> tuple[str, ...]:
    for domain in value:
        if "@" in domain or "*" in domain or not all(domain.split(".")):
            raise ValueError(f"{domain!r} is not a domain, like example.com")
    return tuple(domain.lower() for domain in value)


Domains = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_separated), AfterValidator(_domains)]
Networks = Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_comma_separated)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SIGNOFF_", extra="ignore", frozen=True)

    data_dir: Path = Field(Path("data"), description="Where the embedded database, media and outgoing mail are kept.")
    host: str = Field("127.0.0.1", description="Address to listen on. `0.0.0.0` opens it to the network.")
    port: int = Field(8080, ge=1, le=65535, description="Port to listen on.")
    public_url: str | None = Field(
        None, description="Address under which people and agents reach the service. Default: host and port."
    )
    database_url: str | None = Field(
        None, description="PostgreSQL 15+ to use. Not set: the embedded one, in the data directory."
    )
    demo: bool | None = Field(
        None,
        description="Whether a workspace that nobody has come to yet is filled with a demo, and the demo's agent runs. "
        "Not set: yes, on the embedded database, while webhooks may reach this machine. Never on another database.",
    )
    database_pool_size: int = Field(
        20, ge=2, le=500, description="Largest number of database connections a process opens."
    )
    redis_url: str | None = Field(
        None,
        description="Redis or Valkey in which API processes count calls together, for plans with a rate: "
        "`redis://…`, `rediss://…`, `unix://…`. Not set: each counts by itself.",
    )
    fair_use: Literal["meter", "refuse"] = Field(
        "meter",
        description="What happens beyond a plan's fair use. `meter`: it is shown as overage. "
        "`refuse`: review requests and uploads are refused until the month ends.",
    )
    storage_url: str | None = Field(
        None, description="Where media is kept: `file:///…`, `s3://…`, `gs://…`, `az://…`. Default: data directory."
    )
    cdn_url: str | None = Field(
        None,
        description="Address under which media is reached, when it is not the service's own `<public url>/media`: "
        "a CDN in front of that.",
    )
    web_app: Path | None = Field(
        None, description="Folder of a built web app to serve instead of the one that comes with the service."
    )
    max_file_bytes: int = Field(
        20 * 1024 * 1024, ge=1024, le=1024**3, description="Largest file that is accepted as media, image or upload."
    )
    max_video_bytes: int = Field(
        200 * 1024 * 1024, ge=1024, le=10 * 1024**3, description="Largest video that is copied from its address."
    )
    media_fetch_timeout: float = Field(
        120, gt=0, le=3600, description="Time limit of fetching one image or video from its address, in seconds."
    )
    media_retry_schedule: RetrySchedule = Field(
        (5, 60, 600, 3600),
        description="Pauses in seconds before media that could not be fetched is tried again, comma-separated.",
    )
    event_media_wait: float = Field(
        30,
        ge=0,
        le=600,
        description="Seconds that an event waits at most for copies of its review's media. 0 sends it at once.",
    )
    media_concurrency: int = Field(
        8, ge=2, le=500, description="Most images and videos that a worker copies from their addresses at once."
    )
    max_image_pixels: int = Field(
        100_000_000,
        ge=1,
        le=2_000_000_000,
        description="Most pixels of an image, all frames of an animation together. Guards memory and time.",
    )
    media_addresses: Literal["open", "signed"] = Field(
        "open",
        description="`open`: whoever has the address of media, which cannot be guessed, can open it. "
        "`signed`: addresses are signed and expire.",
    )
    media_address_hours: int = Field(
        24, ge=1, le=8760, description="How long a signed media address works, in hours; up to an hour longer."
    )
    media_secret: str | None = Field(
        None, min_length=16, description="Signs media addresses. Not set: a random one, kept in the database."
    )
    unused_media_days: int = Field(
        30, ge=1, le=3650, description="After how many days media that no review and no message uses is removed."
    )
    smtp_host: str | None = Field(
        None, description="Mail server. Not set: mails become files in the data directory, `mails/*.eml`."
    )
    smtp_port: int | None = Field(
        None, ge=1, le=65535, description="Its port. Default: 465 with `tls`, 587 with `starttls`, 25 with `none`."
    )
    smtp_password: str | None = Field(None, repr=False, description="With which to sign in at the mail server.")
    smtp_user: str | None = Field(
        None, validate_default=True, description="Whom to sign in as at the mail server. Not set: nobody."
    )
    smtp_security: Literal["tls", "starttls", "none"] = Field(
        "starttls",
        description="How the connection to the mail server is encrypted. `tls`: from its first byte. `starttls`: "
        "before anything is said; a server that cannot is not used. `none`: not at all.",
    )
    smtp_ca_file: Path | None = Field(
        None, description="Certificates (PEM) that vouch for the mail server. Not set: those of the system."
    )
    smtp_timeout: float = Field(
        30, gt=0, le=600, description="Seconds that the mail server gets for each of its answers."
    )
    mail_from: str | None = Field(
        None,
        description="Whom mails come from, like `Signoff <signoff@example.com>`. "
        "Default: `signoff@` and the host of the public address.",
    )
    mail_retry_schedule: RetrySchedule = Field(
        (60, 300, 1800, 7200, 21600),
        description="Pauses in seconds before a mail that the server would not take just now is tried again, "
        "comma-separated.",
    )
    mail_unclear_after: float = Field(
        3600,
        ge=1,
        le=7 * 86400,
        description="Seconds after which a mail that was being handed over when its worker was lost is listed as "
        "unclear. It is not sent again by itself.",
    )
    mail_collect_seconds: float = Field(
        30, ge=0, le=3600, description="Seconds for which news of reviews is collected before a mail tells of it."
    )
    mail_pause_seconds: float = Field(
        300,
        ge=0,
        le=3600,
        description="Seconds that a person's next mail about reviews waits at least after one; after two twice as "
        "long, and so on up to an hour, as long as there is news.",
    )
    mail_concurrency: int = Field(8, ge=2, le=200, description="Most mails that a worker hands over at once.")
    slack_api_url: str = Field("https://slack.com/api", description="Where Slack's methods are called.")
    chat_app_timeout: float = Field(
        10, gt=0, le=20, description="Seconds that a chat app, like Slack, gets for each of its answers."
    )
    chat_app_retry_schedule: RetrySchedule = Field(
        (5, 30, 300, 1800),
        description="Pauses in seconds before a post that a chat app could not take just now is tried again, "
        "comma-separated.",
    )
    chat_burst: int = Field(
        20,
        ge=1,
        le=1000,
        description="More new reviews than this in a minute for one channel of a chat app become one post.",
    )
    chat_concurrency: int = Field(8, ge=2, le=200, description="Most calls to chat apps that a worker makes at once.")
    name_prefix: str = Field(
        "svc",
        pattern=r"^[a-z][a-z0-9]{0,15}$",
        description="A second short prefix for the names that carry one. With `abc`, answers and events have `abcLink` "
        "beside `svcLink`, and `_abcWorkflow` and `_abcAutoApprove` are understood like the `svc` names.",
    )
    max_body_bytes: int = Field(25 * 1024 * 1024, ge=1024, le=1024**3, description="Largest request body accepted.")
    max_connections: int = Field(
        8192,
        ge=128,
        le=100_000,
        description="Most connections that an API process holds open, if the system allows that many files. More wait.",
    )
    client_connections: int = Field(
        500,
        ge=0,
        le=100_000,
        description="Most requests that one client address has under way, and most connections that it holds open. "
        "Idle connections beyond that are closed. Behind a proxy, set `SIGNOFF_TRUSTED_PROXIES`. 0: no limit.",
    )
    header_timeout: float = Field(
        30,
        ge=1,
        le=60,
        description="Seconds that a client has for the headers of a request, and that a connection may be idle.",
    )
    body_timeout: float = Field(
        30, ge=1, le=600, description="Seconds after which an unfinished body is given up if nothing more of it comes."
    )
    body_min_rate: int = Field(
        4096,
        ge=1,
        le=1_000_000,
        description="Bytes a second that a client must send of a body on average, once the body timeout has passed.",
    )
    webhook_retry_schedule: RetrySchedule = Field(
        (5, 300, 1800, 7200, 18000, 36000),
        description="Pauses in seconds before the 2nd and later automatic attempts, comma-separated.",
    )
    webhook_retry_jitter: float = Field(
        0.2, ge=0, le=1, description="Each pause is changed at random by up to this share of it."
    )
    retry_reminder_after: float = Field(
        3600,
        ge=0,
        le=30 * 86400,
        description="Seconds after which an agent that does not answer a retry is asked again by the service itself, "
        "three times at most, each time after twice as long. 0: never.",
    )
    webhook_timeout: float = Field(15, gt=0, le=300, description="Time limit of one delivery attempt in seconds.")
    webhook_concurrency: int = Field(
        1000, ge=4, le=10_000, description="Most jobs, deliveries above all, that a worker has in hand at once."
    )
    webhook_concurrency_per_destination: int = Field(
        128, ge=1, le=1000, description="Most attempts a worker has under way to one destination."
    )
    chat_order_wait: float = Field(
        600,
        ge=0,
        le=7 * 24 * 3600,
        description="Seconds that a chat message waits at most for the earlier ones of its session to be delivered.",
    )
    worker_lost_after: float = Field(
        20,
        ge=1,
        le=3600,
        description="Seconds without a heartbeat after which a worker counts as lost and others take over its work. "
        "The same for all workers of an installation.",
    )
    poll_interval: float = Field(
        1,
        ge=0.02,
        le=60,
        description="Seconds between two looks of a worker for work that it wasn't notified of.",
    )
    worker_metrics_port: int | None = Field(
        None, ge=1, le=65535, description="Port on which a worker shows its own metrics at `/metrics`. Not set: none."
    )
    allowed_networks: Networks | None = Field(
        None,
        description="CIDRs that outgoing calls may reach beyond the public internet, comma-separated. "
        "Not set: loopback while the service listens on loopback and has no public URL elsewhere. Empty: none.",
    )
    memory_scan_rows: int = Field(
        20_000,
        ge=200,
        le=10_000_000,
        description="Most responses that a memory query looks at where no index serves its filters.",
    )
    session_days: int = Field(14, ge=1, le=365, description="How long a person stays signed in, in days.")
    external_link_days: int = Field(
        14, ge=1, le=365, description="How long an external reviewer's link works, in days."
    )
    public_form_rate: int = Field(
        20, ge=1, le=10_000, description="Submissions of one public form allowed from one network in an hour."
    )
    public_form_bits: int = Field(
        15,
        ge=1,
        le=24,
        description="Work that a submission of a public form asks of the browser while the form is not busy: so many "
        "zero bits of a hash. One more doubles it.",
    )
    sign_in_failures: int = Field(
        10, ge=1, le=1000, description="Failed sign-ins allowed per e-mail address or client in 15 minutes."
    )
    key_invite_domains: Domains = Field(
        (),
        description="Email domains from which API keys may invite members directly, comma-separated. "
        "Other invitations by a key wait for an admin's approval.",
    )
    oidc_issuer: str | None = Field(
        None,
        description="Address of an OpenID Connect provider through which people can sign in, like "
        "`https://login.example.com`. Not set: by password and one-time link only.",
    )
    oidc_client_id: str | None = Field(
        None, validate_default=True, description="What the provider calls this installation. Needed with an issuer."
    )
    oidc_client_secret: str | None = Field(
        None, repr=False, description="The secret that the provider gave for it. Not set: a public client."
    )
    oidc_name: str = Field(
        "single sign-on", min_length=1, max_length=60, description="What the sign-in page calls the provider."
    )
    oidc_join_domains: Domains = Field(
        (),
        description="Domains whose people join at their first sign-in through the provider, comma-separated. "
        "Empty: only who was invited.",
    )
    oidc_join_role: Literal["admin", "editor", "reviewer", "viewer"] = Field(
        "reviewer", description="The role of who joins so."
    )
    trusted_proxies: Networks = Field(
        (), description="CIDRs of reverse proxies whose `X-Forwarded-For` is believed, comma-separated."
    )
    shutdown_grace: float = Field(
        20, ge=0, le=600, description="Seconds that running work gets to finish when the service stops."
    )
    liveness_timeout: float = Field(
        60,
        ge=0,
        le=86400,
        description="Seconds without a heartbeat after which `signoff serve` replaces the API or the worker. "
        "After a quarter of it, requests are answered with 503. 0: never.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severity logged.")
    log_format: Literal["auto", "json", "console"] = Field(
        "auto",
        description="`auto`: readable on a terminal, JSON elsewhere. "
        "Where it is readable, requests that went well are shown at the level `debug` only.",
    )

    @field_validator("public_url", "cdn_url")
    @classmethod
    def _public_url_is_an_origin(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("must be an http or https address without query, like https://signoff.example.com")
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
            raise ValueError("must start with redis://, rediss:// or unix://")
        from redis import ConnectionPool  # Takes a moment to import, and few need it.

        try:
            cast(Any, ConnectionPool).from_url(value).make_connection()  # It does not connect yet.
        except (TypeError, ValueError) as error:
            raise ValueError(f"is no address of a Redis: {error}") from None
        return value

    @field_validator("oidc_issuer")
    @classmethod
    def _oidc_issuer_is_secure(cls, value: str | None) -> str | None:
        if value is not None and (not is_secure_url(value) or urlsplit(value).query or urlsplit(value).fragment):
            raise ValueError(
                "must be an https address without query, like https://login.example.com; http only on this machine"
            )
        return value

    @field_validator("oidc_client_id")
    @classmethod
    def _oidc_client_id_with_an_issuer(cls, value: str | None, info: ValidationInfo) -> str | None:
        if not value and info.data.get("oidc_issuer") is not None:
            raise ValueError("is needed with SIGNOFF_OIDC_ISSUER")
        return value

    @field_validator("storage_url")
    @classmethod
    def _storage_url_has_a_known_scheme(cls, value: str | None) -> str | None:
        if value is not None and urlsplit(value).scheme not in {"file", "s3", "gs", "az"}:
            raise ValueError("must start with file://, s3://, gs:// or az://")
        return value

    @field_validator("smtp_host")
    @classmethod
    def _smtp_host_is_a_name(cls, value: str | None) -> str | None:
        if value is not None and not _HOST.fullmatch(value):
            raise ValueError("must be the name or the address of a machine, like mail.example.com")
        return value

    @field_validator("smtp_user")
    @classmethod
    def _smtp_user_has_a_password(cls, value: str | None, info: ValidationInfo) -> str | None:
        if (value is None) != (info.data.get("smtp_password") is None):
            raise ValueError("SIGNOFF_SMTP_USER and SIGNOFF_SMTP_PASSWORD are needed together")
        return value

    @field_validator("smtp_security")
    @classmethod
    def _smtp_password_travels_safely(cls, value: str, info: ValidationInfo) -> str:
        host = info.data.get("smtp_host")
        if value == "none" and info.data.get("smtp_user") is not None and not is_loopback(host or "localhost"):
            raise ValueError("the password for the mail server is not sent in the clear; use tls or starttls")
        return value

    @field_validator("slack_api_url")
    @classmethod
    def _slack_api_url_is_secure(cls, value: str) -> str:
        if not is_secure_url(value) or urlsplit(value).query or urlsplit(value).fragment:
            raise ValueError("must be an https address without query; http only on this machine")
        return value

    @field_validator("mail_from")
    @classmethod
    def _mail_from_is_one_address(cls, value: str | None) -> str | None:
        if value is not None and not (_SENDER.fullmatch(value) and value.isprintable()):
            raise ValueError("must be one address, like Signoff <signoff@example.com>")
        return value

    @property
    def url(self) -> str:
        return self.public_url or self.local_url

    @property
    def local_url(self) -> str:
        """Where the service is reached from its own machine."""
        host = "127.0.0.1" if self.host in {"0.0.0.0", "::"} else self.host  # noqa: S104
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def named(self, pattern: str) -> tuple[str, ...]:
        """The names of something that carries the short prefix: the interface's own, then the deployment's."""
        return tuple(dict.fromkeys((pattern.format("svc"), pattern.format(self.name_prefix))))

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/v1"

    @property
    def cdn(self) -> str:
        """What the addresses of media begin with."""
        return self.cdn_url or f"{self.url}/media"

    @property
    def sender(self) -> str:
        """Whom mails come from: a name and an address."""
        if self.mail_from is not None:
            return self.mail_from
        host = urlsplit(self.url).hostname or "localhost"
        return f"Signoff <signoff@{host if host[-1].isalpha() else 'localhost'}>"

    @property
    def storage(self) -> str:
        return self.storage_url or (self.data_dir.absolute() / "media").as_uri()

    @property
    def outgoing_networks(self) -> tuple[Network, ...]:
        """Networks that outgoing calls may reach beyond the public internet."""
        if self.allowed_networks is not None:
            return self.allowed_networks
        return LOOPBACK_NETWORKS if self.is_private else ()

    @property
    def is_private(self) -> bool:
        """Whether only this machine reaches the service: neither the network nor a proxy with a public URL does."""
        return is_loopback(self.host) and is_loopback(urlsplit(self.url).hostname or "")

    @property
    def max_attempts(self) -> int:
        return len(self.webhook_retry_schedule) + 1


def load_settings(**overrides: Any) -> Settings:
    """Read the environment. Raises `SettingsError` with one line naming each wrong variable."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError("; ".join(_explain(fault) for fault in cast(Sequence[Any], error.errors()))) from None


def _explain(fault: dict[str, Any]) -> str:
    name = "SIGNOFF_" + str(fault["loc"][0]).upper()
    reason = str(fault["msg"]).removeprefix("Value error, ")
    return f"{name}={fault['input']!r}: {reason}"
