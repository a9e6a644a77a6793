"""Transports: send a mail to a mail server or, without one, write it to a file.

With a server, the mark is made at the last moment before anything is transferred. If a mark is found later, the mail
may have arrived; if there is none, it hasn't. Files need no mark: writing twice gives the same file.
"""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import aiosmtplib
from aiosmtplib import SMTPException, SMTPResponseException, SMTPServerDisconnected, SMTPTimeoutError

from signoff.notifications.mail.composer import ComposedMail
from signoff.platform.messages import Message, msg
from signoff.platform.settings import Settings

ClaimSend = Callable[[], Awaitable[bool]]
"""Records that the mail is about to be sent. False means another job is sending it, so don't."""

MAX_REASON_LENGTH = 500
READY, TAKEN = 354, 250
_LINE_STARTS_WITH_DOT = re.compile(rb"(?m)^\.")


class MailRejected(Exception):
    """The mail was definitely not accepted. With `for_good`, the server says that it never will be."""

    def __init__(self, words: Message, *, for_good: bool = False) -> None:
        super().__init__(words[:MAX_REASON_LENGTH])
        self.words = words
        self.for_good = for_good


class SendOutcomeUnknown(Exception):
    """The connection ended between the last byte and the response: the mail may have been accepted."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


class Transport(Protocol):
    async def hand_over(self, mail: ComposedMail, mark: ClaimSend) -> bool:
        """Return True if it was accepted, False if the mark was refused. Raises `MailRejected` or
        `SendOutcomeUnknown`.
        """
        ...


def build_transport(settings: Settings) -> Transport:
    return FileTransport(settings.data_dir / "mails") if settings.smtp_host is None else SmtpTransport(settings)


class FileTransport:
    """Writes `<time>-<mail ID>.eml` atomically. The mail determines the name, so writing twice gives one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, mail: ComposedMail) -> Path:
        return self.folder / f"{mail.written_at:%Y%m%dT%H%M%S}Z-{mail.mail_id}.eml"

    async def hand_over(self, mail: ComposedMail, mark: ClaimSend) -> bool:
        try:
            await asyncio.to_thread(self._write, mail)
        except OSError as error:
            raise MailRejected(msg("Couldn't save the email: {error}.", error=str(error))) from error
        return True

    def _write(self, mail: ComposedMail) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path_of(mail)
        unfinished = path.with_suffix(".part")
        # The links in it are credentials, so only the service's own user may read it.
        unfinished.touch(mode=0o600)
        unfinished.write_bytes(mail.content)
        unfinished.replace(path)


class SmtpTransport:
    """One connection per mail. Errors while connecting and signing in are the operator's to fix, so mails wait for
    that; a response to a mail itself only affects that mail.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def hand_over(self, mail: ComposedMail, mark: ClaimSend) -> bool:
        client = await self._connect()
        try:
            await self._address(client, mail)
            return await self._deliver(client, mail, mark)
        finally:
            client.close()

    async def _connect(self) -> aiosmtplib.SMTP:
        settings = self._settings
        try:
            client = aiosmtplib.SMTP(
                hostname=settings.smtp_host,
                port=settings.smtp_port,
                username=settings.smtp_user,
                password=settings.smtp_password,
                use_tls=settings.smtp_security == "tls",
                start_tls=settings.smtp_security == "starttls",
                tls_context=await asyncio.to_thread(self._certificates),
                timeout=settings.smtp_timeout,
                local_hostname=mail_host(settings),
            )
            await client.connect()
        except (SMTPException, OSError, ValueError) as error:
            words = msg("Couldn't connect to {host}: {error}", host=settings.smtp_host, error=_describe_error(error))
            raise MailRejected(words) from error
        return client

    def _certificates(self) -> ssl.SSLContext | None:
        if self._settings.smtp_security == "none":
            return None
        return ssl.create_default_context(cafile=self._settings.smtp_ca_file)

    async def _address(self, client: aiosmtplib.SMTP, mail: ComposedMail) -> None:
        """Send the sender, the recipient, and the start of the content. Nothing has been transferred yet."""
        utf8 = mail.needs_utf8
        encoding = "utf-8" if utf8 else "ascii"
        try:
            if utf8:
                await client.ehlo()
                if not client.supports_extension("smtputf8"):
                    words = msg("The mail server doesn't support non-ASCII email addresses.")
                    raise MailRejected(words, for_good=True)
            await client.mail(mail.sender, options=["SMTPUTF8"] if utf8 else [], encoding=encoding)
            await client.rcpt(mail.recipient, encoding=encoding)
            answer = await client.execute_command(b"DATA")
        except SMTPResponseException as error:
            raise _rejection(error.code, error.message) from error
        except (SMTPException, OSError) as error:
            raise MailRejected(_lost(error)) from error
        if answer.code != READY:
            raise _rejection(answer.code, answer.message)

    async def _deliver(self, client: aiosmtplib.SMTP, mail: ComposedMail, mark: ClaimSend) -> bool:
        """Send the content. A server accepts a mail at its final dot, so the mark is made right before that."""
        line = client.protocol
        if line is None:
            raise MailRejected(msg("Connection closed before the email was sent."))
        try:
            line.write(_LINE_STARTS_WITH_DOT.sub(b"..", mail.content))
            if not await mark():
                return False
            line.write(b".\r\n")
        except SMTPServerDisconnected as error:
            raise MailRejected(_lost(error)) from error
        try:
            answer = await line.read_response(self._settings.smtp_timeout)
        except (SMTPServerDisconnected, SMTPTimeoutError, OSError) as error:
            words = msg(
                "Connection lost before the mail server confirmed the email: {error}", error=_describe_error(error)
            )
            raise SendOutcomeUnknown(words) from error
        except SMTPResponseException as error:
            words = msg("Unreadable response from the mail server: {error}", error=_describe_error(error))
            raise SendOutcomeUnknown(words) from error
        if not 200 <= answer.code <= 299:
            raise _rejection(answer.code, answer.message)
        with suppress(SMTPServerDisconnected):
            line.write(b"QUIT\r\n")  # its response doesn't matter
        return True


def mail_host(settings: Settings) -> str:
    """Return the host name for greeting a mail server."""
    host = settings.sender.rpartition("@")[2].rstrip(">")
    return host if host.isascii() else "localhost"


def _rejection(code: int, words: str) -> MailRejected:
    reason = msg("Mail server response: {code} {response}", code=str(code), response=_clean(words))
    return MailRejected(reason, for_good=500 <= code <= 599)


def _lost(error: Exception) -> Message:
    return msg("Connection lost: {error}", error=_describe_error(error))


def _describe_error(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {_clean(error.message)}"
    return f"{_clean(str(error)) or type(error).__name__}."


def _clean(words: str) -> str:
    printable = "".join(character if character.isprintable() else " " for character in words)
    return " ".join(printable.split())[:MAX_REASON_LENGTH].rstrip(".")
