"""From a kind and its context to a letter: what goes over the wire, whole, and from whom to whom.

Everything in it that people or agents wrote is hostile: in HTML it is escaped, in headers it stands on one line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from signoff.notifications.mail.mail_types import KINDS, addresses
from signoff.platform.email_addresses import parse_email
from signoff.platform.errors import Problem
from signoff.platform.mail_outbox import check_address
from signoff.platform.settings import Settings

UNWRITABLE = (ValueError, Problem, MessageError)
LONGEST_SUBJECT = 150
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"


class _OnOneLine(UnstructuredHeader):
    """An address that programs read must stand as it is: folded, it would be written in encoded words."""

    name: str

    def fold(self, *, policy: EmailPolicy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
# Made into a whole class of headers by the registry, which the types of the library do not tell.
_HEADERS.map_to_type("list-unsubscribe", _OnOneLine)  # pyright: ignore[reportArgumentType]
# Any server takes these: no byte above 127 and no long line, whatever is in the text.
POLICY = SMTP.clone(cte_type="7bit", header_factory=_HEADERS)
# For addresses that need more than ASCII, and servers that take it: encoded words may not stand in an address.
POLICY_FOR_UTF8 = POLICY.clone(utf8=True)
# Characters that turn the direction of text around: a name must not rearrange what follows it.
_TURNING = "\u200e\u200f\u202a-\u202e\u2066-\u2069"
_TURNS = re.compile(f"[{_TURNING}]+")
_UNSEEN = re.compile(f"[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029{_TURNING}]+")


@dataclass(frozen=True, slots=True)
class Letter:
    mail_id: str
    written_at: datetime
    sender: str
    recipient: str
    """Both plain addresses, with the domain as DNS has it."""
    content: bytes
    """Headers and body, lines ended by CRLF."""

    @property
    def needs_utf8(self) -> bool:
        """Whether an address has letters that only some mail servers take."""
        return not (self.sender + self.recipient).isascii()


def write_letter(
    settings: Settings,
    *,
    mail_id: str,
    kind: str,
    to: str,
    context: Mapping[str, Any],
    workspace: str,
    written_at: datetime,
    unsubscribe_url: str | None = None,
) -> Letter:
    """Raises one of `UNWRITABLE` for what cannot be a mail: an unknown kind, a context of another form, a broken
    address.
    """
    declared = KINDS.get(kind)
    if declared is None:
        raise ValueError(f"there is no kind of mail {kind!r}")
    content = declared.context.model_validate(context)
    name, sender = parseaddr(settings.sender)
    sender, recipient = _envelope(sender), _envelope(to)
    message = EmailMessage(POLICY if (sender + recipient).isascii() else POLICY_FOR_UTF8)
    message["From"] = _named(name, sender)
    message["To"] = _named("", recipient)
    message["Subject"] = on_one_line(content.subject(on_one_line(workspace)))
    message["Date"] = format_datetime(written_at.astimezone(UTC))
    message["Message-ID"] = f"<{mail_id}@{sender.rpartition('@')[2]}>"
    # So that nobody's out-of-office answers us (RFC 3834).
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
    message.set_content(_tidy(templates().get_template(f"{kind}.txt").render(known)))
    message.add_alternative(templates().get_template(f"{kind}.html").render(known), subtype="html")
    written = message.as_bytes()
    _check_headers(written, list(message.keys()))
    return Letter(mail_id, written_at, sender, recipient, written)


def _check_headers(written: bytes, names: list[str]) -> None:
    """That there are those we gave and no others, however the words in them were put together."""
    lines = written.partition(b"\r\n\r\n")[0].split(b"\r\n")
    found = [line.partition(b":")[0].decode() for line in lines if not line.startswith((b" ", b"\t"))]
    if found != names:
        raise ValueError("a header of the mail could not be kept on its line")


def on_one_line(text: str) -> str:
    """For a header: without line breaks or anything else that is not seen, and not longer than people read."""
    line = " ".join(_UNSEEN.sub(" ", text[: 10 * LONGEST_SUBJECT]).split())
    # What begins like an encoded word would be decoded on its way into the header, with whatever line breaks it hides.
    line = line.replace("=?", "= ?")
    return line if len(line) <= LONGEST_SUBJECT else f"{line[: LONGEST_SUBJECT - 1].rstrip()}…"


def _envelope(address: str) -> str:
    """The address with its domain as DNS has it. Only what stands before the `@` may need more than ASCII."""
    check_address(address)
    local, _, domain = address.rpartition("@")
    if domain.isascii():
        return address
    return f"{local}@{parse_email(f'x@{domain}').ascii_domain}"


def _named(name: str, address: str) -> Address:
    return Address(name, addr_spec=address) if address.isascii() else Address(name, *address.rsplit("@", 1))


def _tidy(text: str) -> str:
    """Never more than one empty line in a row, whatever parts of a template stayed empty."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        finalize=_without_turns,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["font"] = FONT  # pyright: ignore[reportArgumentType]
    made.filters["plain"] = _plain
    made.filters["moment"] = _moment
    made.filters["day"] = _day
    return made


def _without_turns(shown: Any) -> Any:
    """Every value that a template shows; escaping comes after it."""
    return _TURNS.sub("", shown) if type(shown) is str else shown


def _plain(text: str) -> str:
    """For the text part: on one line, so that a value cannot look like a line of ours."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return f"{moment:%B} {moment.day}, {moment:%Y, %H:%M} UTC"


def _day(text: str) -> str:
    """For what was a short while ago, and needs no year."""
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return f"{moment:%B} {moment.day}, {moment:%H:%M} UTC"
