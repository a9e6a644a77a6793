"""Compose a mail from its type and context: the complete message, its sender, and its recipient.

All text from people or agents is untrusted: it's escaped in HTML, and limited to one line in headers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from email.errors import MessageError
from email.header import Header
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from typing import Any

from signoff.notifications.mail.mail_types import MAIL_TYPES, addresses
from signoff.notifications.mail.rendering import on_one_line, render, without_direction_controls
from signoff.platform.email_addresses import parse_email
from signoff.platform.errors import ApiError
from signoff.platform.mail_outbox import ensure_single_address
from signoff.platform.messages import ENGLISH, FIRST_STRONG_ISOLATE, POP_ISOLATE
from signoff.platform.settings import Settings

COMPOSE_ERRORS = (ValueError, ApiError, MessageError)
MAX_SUBJECT_LENGTH = 150


class _OnOneLine(UnstructuredHeader):
    """Keeps URLs that programs read unchanged: if folded, they would be written as encoded words."""

    name: str

    def fold(self, *, policy: EmailPolicy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


class _Subject(UnstructuredHeader):
    """Keeps all spaces. The library's own folding loses some between encoded words, or joins the words:
    https://github.com/python/cpython/issues/144156. Remove this class when all supported versions have the fix.
    """

    name: str

    def fold(self, *, policy: EmailPolicy) -> str:
        text = str(self)
        words = Header(text, "us-ascii" if text.isascii() else "utf-8", header_name=self.name)
        return f"{self.name}: {words.encode(linesep=policy.linesep)}{policy.linesep}"


_HEADERS = HeaderRegistry()
# The registry turns them into header classes, which the library's types don't express.
_HEADERS.map_to_type("list-unsubscribe", _OnOneLine)  # pyright: ignore[reportArgumentType]
_HEADERS.map_to_type("subject", _Subject)  # pyright: ignore[reportArgumentType]
# All servers accept this: no byte above 127 and no long line, whatever the text.
POLICY = SMTP.clone(cte_type="7bit", header_factory=_HEADERS)
# For addresses that need more than ASCII, and servers that accept them: an address can't contain encoded words.
POLICY_FOR_UTF8 = POLICY.clone(utf8=True)


@dataclass(frozen=True, slots=True)
class ComposedMail:
    mail_id: str
    written_at: datetime
    sender: str
    recipient: str
    """Both are plain addresses, with the domain as in DNS."""
    content: bytes
    """Headers and body, with CRLF line endings."""

    @property
    def needs_utf8(self) -> bool:
        """Whether an address has characters that only some mail servers accept."""
        return not (self.sender + self.recipient).isascii()


def compose_mail(
    settings: Settings,
    *,
    mail_id: str,
    kind: str,
    to: str,
    context: Mapping[str, Any],
    workspace: str,
    written_at: datetime,
    language: str = ENGLISH,
    zone: tzinfo = UTC,
    unsubscribe_url: str | None = None,
) -> ComposedMail:
    """Compose a mail. Raises one of `COMPOSE_ERRORS` if it's impossible: an unknown type, an invalid context, or an
    invalid address.
    """
    declared = MAIL_TYPES.get(kind)
    if declared is None:
        raise ValueError(f"there is no kind of mail {kind!r}")
    content = declared.context.model_validate(without_direction_controls(context))
    workspace = without_direction_controls(workspace)
    name, sender = parseaddr(settings.sender)
    sender, recipient = _envelope(sender), _envelope(to)
    message = EmailMessage(POLICY if (sender + recipient).isascii() else POLICY_FOR_UTF8)
    message["From"] = _build_address(name, sender)
    message["To"] = _build_address("", recipient)
    message["Subject"] = to_subject(content.subject(to_subject(workspace)).localize(language))
    message["Date"] = format_datetime(written_at.astimezone(UTC))
    message["Message-ID"] = f"<{mail_id}@{sender.rpartition('@')[2]}>"
    # Prevents out-of-office replies (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if declared.may_unsubscribe and unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    else:
        unsubscribe_url = None
    known = {
        **addresses(settings),
        "workspace": workspace,
        "subject": message["Subject"],
        "unsubscribe_url": unsubscribe_url,
        "mail": content,
    }
    message.set_content(_collapse_empty_lines(render(f"{kind}.txt", language, known, zone)))
    message.add_alternative(render(f"{kind}.html", language, known, zone), subtype="html")
    written = message.as_bytes()
    _check_headers(written, list(message.keys()))
    return ComposedMail(mail_id, written_at, sender, recipient, written)


def _check_headers(written: bytes, names: list[str]) -> None:
    """Check that it has exactly our headers, whatever text is in them."""
    lines = written.partition(b"\r\n\r\n")[0].split(b"\r\n")
    actual = [line.partition(b":")[0].decode() for line in lines if not line.startswith((b" ", b"\t"))]
    if actual != names:
        raise ValueError("a header of the mail could not be kept on its line")


def to_subject(text: str) -> str:
    """Clean text for a header: no line breaks or other invisible characters, and limited length."""
    line = on_one_line(text[: 10 * MAX_SUBJECT_LENGTH])
    # Text that looks like an encoded word would be decoded on its way into the header, including any hidden line
    # breaks.
    line = line.replace("=?", "= ?")
    if len(line) <= MAX_SUBJECT_LENGTH:
        return line
    cut = f"{line[: MAX_SUBJECT_LENGTH - 1].rstrip()}…"
    return cut + POP_ISOLATE * (cut.count(FIRST_STRONG_ISOLATE) - cut.count(POP_ISOLATE))


def _envelope(address: str) -> str:
    """Return the address with its domain as in DNS. Only the part before the `@` may need more than ASCII."""
    ensure_single_address(address)
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    return f"{local}@{parse_email(f'x@{domain}').ascii_domain}"


def _build_address(name: str, address: str) -> Address:
    return Address(name, addr_spec=address) if address.isascii() else Address(name, *address.rsplit("@", 1))


def _collapse_empty_lines(text: str) -> str:
    """Collapse several empty lines into one, which empty parts of a template leave behind."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
