"""Ways to hand a letter over: to a mail server, or into a file where there is none.

For a server the mark is made at the last moment at which nothing has been handed over. Whoever finds the mark later
knows that the letter may have arrived; whoever finds none knows that it did not. A file needs none: it is the same
file however often it is written.
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

Mark = Callable[[], Awaitable[bool]]
"""Says in the record that the letter is about to be handed over. False: somebody else does it, so leave it."""

MAX_REASON_LENGTH = 500
READY, TAKEN = 354, 250
_LINE_STARTS_WITH_DOT = re.compile(rb"(?m)^\.")


class MailRejected(Exception):
    """The letter was certainly not taken. `for_good`: nor will it be, as the server says."""

    def __init__(self, words: Message, *, for_good: bool = False) -> None:
        super().__init__(words[:MAX_REASON_LENGTH])
        self.words = words
        self.for_good = for_good


class SendOutcomeUnknown(Exception):
    """The connection ended between the last byte and the answer: the letter may have been taken."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


class Transport(Protocol):
    async def hand_over(self, letter: ComposedMail, mark: Mark) -> bool:
        """True when it was taken; False when the mark said no. Raises `MailRejected` or `SendOutcomeUnknown`."""
        ...


def build_transport(settings: Settings) -> Transport:
    return FileTransport(settings.data_dir / "mails") if settings.smtp_host is None else SmtpTransport(settings)


class FileTransport:
    """Writes `<time>-<mail ID>.eml`, whole or not at all. The name is the mail's own, so twice is once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, letter: ComposedMail) -> Path:
        return self.folder / f"{letter.written_at:%Y%m%dT%H%M%S}Z-{letter.mail_id}.eml"

    async def hand_over(self, letter: ComposedMail, mark: Mark) -> bool:
        try:
            await asyncio.to_thread(self._write, letter)
        except OSError as error:
            raise MailRejected(msg("Couldn't save the email: {error}.", error=str(error))) from error
        return True

    def _write(self, letter: ComposedMail) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path_of(letter)
        unfinished = path.with_suffix(".part")
        # The links in it open what they are for: nobody but the service's own user reads it.
        unfinished.touch(mode=0o600)
        unfinished.write_bytes(letter.content)
        unfinished.replace(path)


class SmtpTransport:
    """A connection for each letter. Trouble with connecting and signing in is the operator's to mend, so that letters
    wait for it; what the server says about a letter itself is about that letter.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def hand_over(self, letter: ComposedMail, mark: Mark) -> bool:
        client = await self._connect()
        try:
            await self._address(client, letter)
            return await self._deliver(client, letter, mark)
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
            words = msg("Couldn't connect to {host}: {error}", host=settings.smtp_host, error=_words(error))
            raise MailRejected(words) from error
        return client

    def _certificates(self) -> ssl.SSLContext | None:
        if self._settings.smtp_security == "none":
            return None
        return ssl.create_default_context(cafile=self._settings.smtp_ca_file)

    async def _address(self, client: aiosmtplib.SMTP, letter: ComposedMail) -> None:
        """From whom and to whom, and then the word that the content comes. Nothing is handed over yet."""
        utf8 = letter.needs_utf8
        encoding = "utf-8" if utf8 else "ascii"
        try:
            if utf8:
                await client.ehlo()
                if not client.supports_extension("smtputf8"):
                    words = msg("The mail server doesn't support non-ASCII email addresses.")
                    raise MailRejected(words, for_good=True)
            await client.mail(letter.sender, options=["SMTPUTF8"] if utf8 else [], encoding=encoding)
            await client.rcpt(letter.recipient, encoding=encoding)
            answer = await client.execute_command(b"DATA")
        except SMTPResponseException as error:
            raise _refused(error.code, error.message) from error
        except (SMTPException, OSError) as error:
            raise MailRejected(_lost(error)) from error
        if answer.code != READY:
            raise _refused(answer.code, answer.message)

    async def _deliver(self, client: aiosmtplib.SMTP, letter: ComposedMail, mark: Mark) -> bool:
        """A server takes a letter at the dot that ends it: so the mark is made when only that is missing."""
        line = client.protocol
        if line is None:
            raise MailRejected(msg("Connection lost: closed before the message was sent."))
        try:
            line.write(_LINE_STARTS_WITH_DOT.sub(b"..", letter.content))
            if not await mark():
                return False
            line.write(b".\r\n")
        except SMTPServerDisconnected as error:
            raise MailRejected(_lost(error)) from error
        try:
            answer = await line.read_response(self._settings.smtp_timeout)
        except (SMTPServerDisconnected, SMTPTimeoutError, OSError) as error:
            words = msg("Connection lost before the mail server confirmed the email: {error}", error=_words(error))
            raise SendOutcomeUnknown(words) from error
        except SMTPResponseException as error:
            words = msg("Unreadable response from the mail server: {error}", error=_words(error))
            raise SendOutcomeUnknown(words) from error
        if not 200 <= answer.code <= 299:
            raise _refused(answer.code, answer.message)
        with suppress(SMTPServerDisconnected):
            line.write(b"QUIT\r\n")  # nothing depends on what it answers
        return True


def mail_host(settings: Settings) -> str:
    """What the service calls itself when it greets a mail server."""
    host = settings.sender.rpartition("@")[2].rstrip(">")
    return host if host.isascii() else "localhost"


def _refused(code: int, words: str) -> MailRejected:
    said = msg("Mail server response: {code} {response}", code=str(code), response=_clean(words))
    return MailRejected(said, for_good=500 <= code <= 599)


def _lost(error: Exception) -> Message:
    return msg("Connection lost: {error}", error=_words(error))


def _words(error: Exception) -> str:
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {_clean(error.message)}"
    return f"{_clean(str(error)) or type(error).__name__}."


def _clean(words: str) -> str:
    printable = "".join(character if character.isprintable() else " " for character in words)
    return " ".join(printable.split())[:MAX_REASON_LENGTH].rstrip(".")
