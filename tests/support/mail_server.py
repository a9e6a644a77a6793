"""A real SMTP server on loopback, in its own thread. It stores accepted mails and behaves as the test says."""

import asyncio
import datetime
import ipaddress
import re
import ssl
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Literal

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

USER, PASSWORD = "signoff", "p@ss w:rd/%"
Security = Literal["tls", "starttls", "none"]


@dataclass
class ReceivedMail:
    sender: str
    recipient: str
    raw: bytes
    options: list[str]
    tls: bool
    signed_in_as: str | None

    @property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)  # type: ignore[return-value]

    @property
    def text(self) -> str:
        return _get_part(self.message, "plain")

    @property
    def html(self) -> str:
        return _get_part(self.message, "html")

    def find_link(self, containing: str) -> str:
        """The first URL in the text part that contains these words."""
        return next(url for url in re.findall(r"https?://\S+", self.text) if containing in url)


def _get_part(message: EmailMessage, subtype: str) -> str:
    part = message.get_body((subtype,))
    assert part is not None
    return part.get_content()


@dataclass
class RecipientBehavior:
    """The behavior toward one recipient. Each list is used from its start; when it's empty, the server behaves well."""

    at_recipient: list[str] = field(default_factory=list)
    """Answers to `RCPT`, like `550 5.1.1 Nobody of that name`."""
    at_end: list[str] = field(default_factory=list)
    """Answers after the last byte; `cut` ends the connection without a word, `take and cut` after having taken it."""
    hold_at: Literal["recipient", "end"] | None = None
    """Where to wait until `release`."""
    held: threading.Event = field(default_factory=threading.Event)
    """Set when somebody waits there."""
    released: asyncio.Event = field(default_factory=asyncio.Event)


class MailServer:
    def __init__(self, security: Security = "none", folder: Path | None = None, *, password: str | None = None) -> None:
        """With `password`, only clients that signed in as `USER` can send. `folder` is for the certificate."""
        self.received: list[ReceivedMail] = []
        self.sign_ins: list[tuple[str, bool]] = []
        self.connections = 0
        self.port = 0
        self.security = security
        self.ca_file: Path | None = None
        self._behaviors: dict[str, RecipientBehavior] = {}
        self._password = password
        self._context: ssl.SSLContext | None = None
        if security != "none":
            assert folder is not None
            self._context, self.ca_file = _create_certificate(folder)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings with which a service sends its mails here."""
        settings: dict[str, Any] = {
            "smtp_host": "127.0.0.1",
            "smtp_port": self.port,
            "smtp_security": self.security,
            "mail_from": "Acme sign-off <signoff@acme.example>",
        }
        if self.ca_file is not None:
            settings["smtp_ca_file"] = self.ca_file
        if self._password is not None:
            settings |= {"smtp_user": USER, "smtp_password": self._password}
        return settings

    def start(self) -> None:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(20)
        self.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close_connections(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()

    async def _close_connections(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task(self._loop)}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> asyncio.Server:
        context = self._context if self.security == "tls" else None
        return await self._loop.create_server(self._create_session, "127.0.0.1", 0, ssl=context)

    def _create_session(self) -> SMTP:
        self.connections += 1
        warnings.filterwarnings("ignore", message="Requiring AUTH while not requiring TLS")
        return SMTP(
            _Handler(self),
            hostname="mail.test",
            loop=self._loop,
            enable_SMTPUTF8=True,
            tls_context=self._context if self.security == "starttls" else None,
            require_starttls=self.security == "starttls",
            authenticator=self._authenticate,
            auth_required=self._password is not None,
            auth_require_tls=self.security == "starttls",
        )

    def _authenticate(self, *args: Any) -> AuthResult:
        data = args[-1]
        is_user = isinstance(data, LoginPassword) and data.login == USER.encode()
        is_valid = is_user and data.password == (self._password or "").encode()
        self.sign_ins.append((data.login.decode(), is_valid))
        return AuthResult(success=is_valid, handled=False, auth_data=USER)

    def set_behavior(self, recipient: str, **members: Any) -> RecipientBehavior:
        behavior = self._behaviors[recipient] = RecipientBehavior(**members)
        return behavior

    def get_behavior(self, recipient: str) -> RecipientBehavior:
        return self._behaviors.setdefault(recipient, RecipientBehavior())

    def release(self, behavior: RecipientBehavior) -> None:
        behavior.hold_at = None
        self._loop.call_soon_threadsafe(behavior.released.set)

    def mails_to(self, recipient: str) -> list[ReceivedMail]:
        return [mail for mail in self.received if mail.recipient == recipient]

    async def wait_for_mail(self, recipient: str, count: int = 1, within: float = 60.0) -> ReceivedMail:
        """The latest mail, once there are this many."""
        deadline = time.monotonic() + within
        while len(self.mails_to(recipient)) < count:
            assert time.monotonic() < deadline, f"{len(self.mails_to(recipient))} of {count} mails came to {recipient}"
            await asyncio.sleep(0.02)
        return self.mails_to(recipient)[-1]


class _Handler:
    def __init__(self, server: MailServer) -> None:
        self.mail_server = server

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        behavior = self.mail_server.get_behavior(address)
        await _wait_if_held(behavior, "recipient")
        if behavior.at_recipient:
            return behavior.at_recipient.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        [recipient] = envelope.rcpt_tos
        behavior = self.mail_server.get_behavior(recipient)
        reply = behavior.at_end.pop(0) if behavior.at_end else "250 Taken"
        if reply.startswith(("250", "take")):
            self.mail_server.received.append(
                ReceivedMail(
                    envelope.mail_from or "",
                    recipient,
                    bytes(envelope.content or b""),
                    list(envelope.mail_options),
                    session.ssl is not None or self.mail_server.security == "tls",
                    session.auth_data if session.authenticated else None,
                )
            )
        # It has the mail by now, whether or not the client still waits for the response.
        await _wait_if_held(behavior, "end")
        if reply.endswith("cut"):
            assert server.transport is not None
            server.transport.abort()
        return reply


async def _wait_if_held(behavior: RecipientBehavior, where: str) -> None:
    if behavior.hold_at == where:
        behavior.held.set()
        await behavior.released.wait()


@contextmanager
def mail_server(
    security: Security = "none", folder: Path | None = None, *, password: str | None = None
) -> Iterator[MailServer]:
    server = MailServer(security, folder, password=password)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _create_certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """For 127.0.0.1, self-signed."""
    folder.mkdir(parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.test")])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "mail.pem", folder / "mail-key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate_file, key_file)
    return context, certificate_file
