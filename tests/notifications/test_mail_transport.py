"""Sending mails: to a working mail server, to a failing one, and into files."""

import asyncio
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.mail_server import PASSWORD, USER, MailServer, Security, mail_server
from support.service_process import free_port

from signoff.notifications.mail.composer import ComposedMail, compose_mail
from signoff.notifications.mail.mail_types import MailTest
from signoff.notifications.mail.transport import FileTransport, MailRejected, SendOutcomeUnknown, SmtpTransport
from signoff.platform.ids import new_id
from signoff.platform.settings import Settings


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server() as made:
        yield made


class MarkCounter:
    """Counts how often the mark was set."""

    def __init__(self, *, let: bool = True) -> None:
        self.made = 0
        self._let = let

    async def __call__(self) -> bool:
        self.made += 1
        return self._let


def settings_for(server: MailServer, **others: Any) -> Settings:
    return Settings(**{"smtp_timeout": 5, **server.settings, **others})


def mail_to(to: str, settings: Settings, asked_by: str = "Ann") -> ComposedMail:
    return compose_mail(
        settings,
        mail_id=new_id("mal"),
        kind="test",
        to=to,
        context=MailTest(asked_by=asked_by).model_dump(),
        workspace="Acme",
        written_at=datetime.now(UTC),
    )


async def send_mail(server: MailServer, to: str, marks: MarkCounter | None = None, **others: Any) -> bool:
    settings = settings_for(server, **others)
    return await SmtpTransport(settings).hand_over(mail_to(to, settings), marks or MarkCounter())


class TestEncryption:
    @pytest.mark.parametrize("security", ["tls", "starttls", "none"])
    async def test_authenticated_and_accepted(self, tmp_path: Path, security: Security) -> None:
        with mail_server(security, tmp_path, password=PASSWORD) as server:
            assert await send_mail(server, "ann@example.com")
        [mail] = server.received
        assert mail.tls == (security != "none")
        assert mail.signed_in_as == USER
        assert mail.sender == "signoff@acme.example"
        assert mail.message["From"] == "Acme sign-off <signoff@acme.example>"

    @pytest.mark.parametrize("security", ["tls", "starttls"])
    async def test_untrusted_certificate(self, tmp_path: Path, security: Security) -> None:
        with mail_server(security, tmp_path, password=PASSWORD) as server:
            with pytest.raises(MailRejected, match="certificate") as refused:
                await send_mail(server, "ann@example.com", smtp_ca_file=None)
            assert not refused.value.for_good
        assert server.received == []
        assert server.sign_ins == []

    async def test_password_is_not_sent_unencrypted(self) -> None:
        with mail_server("none", password=PASSWORD) as server, pytest.raises(MailRejected):
            await send_mail(server, "ann@example.com", smtp_security="starttls")
        assert server.sign_ins == []


class TestRefused:
    async def test_wrong_password_is_retried_later(self, tmp_path: Path) -> None:
        with (
            mail_server("starttls", tmp_path, password=PASSWORD) as server,
            pytest.raises(MailRejected, match="535") as refused,
        ):
            await send_mail(server, "ann@example.com", smtp_password="wrong")
        assert not refused.value.for_good
        assert PASSWORD not in str(refused.value)
        assert set(server.sign_ins) == {(USER, False)}

    @pytest.mark.parametrize(
        ("answer", "for_good"), [("550 5.1.1 Nobody of that name", True), ("450 4.2.1 Mailbox busy", False)]
    )
    async def test_recipient_rejected(self, server: MailServer, answer: str, for_good: bool) -> None:
        to, marks = f"at-address-{answer[:3]}@example.com", MarkCounter()
        server.set_behavior(to, at_recipient=[answer])
        with pytest.raises(MailRejected, match=answer[:14]) as refused:
            await send_mail(server, to, marks)
        assert refused.value.for_good == for_good
        assert marks.made == 0

    @pytest.mark.parametrize(("answer", "for_good"), [("554 5.7.1 Spam", True), ("451 4.3.0 Later", False)])
    async def test_rejected_after_the_content(self, server: MailServer, answer: str, for_good: bool) -> None:
        to, marks = f"after-last-{answer[:3]}@example.com", MarkCounter()
        server.set_behavior(to, at_end=[answer])
        with pytest.raises(MailRejected, match=answer[:12]) as refused:
            await send_mail(server, to, marks)
        assert refused.value.for_good == for_good
        assert marks.made == 1

    async def test_unreachable(self, server: MailServer) -> None:
        with pytest.raises(MailRejected, match=r"127\.0\.0\.1") as refused:
            await send_mail(server, "ann@example.com", smtp_port=free_port())
        assert not refused.value.for_good

    async def test_not_a_mail_server(self) -> None:
        async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        line = await asyncio.start_server(talk, "127.0.0.1", 0)
        settings = Settings(smtp_host="127.0.0.1", smtp_port=line.sockets[0].getsockname()[1], smtp_security="none")
        async with line:
            with pytest.raises(MailRejected):
                await SmtpTransport(settings).hand_over(mail_to("ann@example.com", settings), MarkCounter())


class TestLost:
    @pytest.mark.parametrize("ending", ["cut", "take and cut"])
    async def test_lost_before_the_response_is_unclear(self, server: MailServer, ending: str) -> None:
        to = f"{ending.replace(' ', '-')}@example.com"
        server.set_behavior(to, at_end=[ending])
        with pytest.raises(SendOutcomeUnknown):
            await send_mail(server, to)
        assert len(server.mails_to(to)) == (ending != "cut")

    async def test_lost_before_the_marker_is_not_sent(self, server: MailServer) -> None:
        to, marks = "cut-early@example.com", MarkCounter()
        server.set_behavior(to, at_recipient=["421 4.3.2 Shutting down"])
        with pytest.raises(MailRejected) as refused:
            await send_mail(server, to, marks)
        assert (refused.value.for_good, marks.made) == (False, 0)

    async def test_timeout_before_the_marker_is_not_sent(self, server: MailServer) -> None:
        to, marks = "slow-early@example.com", MarkCounter()
        slow = server.set_behavior(to, hold_at="recipient")
        with pytest.raises(MailRejected):
            await send_mail(server, to, marks, smtp_timeout=2)
        server.release(slow)
        assert marks.made == 0
        assert server.mails_to(to) == []

    async def test_timeout_before_the_response_is_unclear(self, server: MailServer) -> None:
        to = "slow-late@example.com"
        slow = server.set_behavior(to, hold_at="end")
        with pytest.raises(SendOutcomeUnknown):
            await send_mail(server, to, smtp_timeout=2)
        server.release(slow)

    async def test_slow_within_the_timeout_is_sent(self, server: MailServer) -> None:
        to = "slow-enough@example.com"
        slow = server.set_behavior(to, hold_at="end")
        sending = asyncio.create_task(send_mail(server, to))
        await asyncio.to_thread(slow.held.wait, 20)
        server.release(slow)
        assert await sending

    async def test_no_marker_no_mail(self, server: MailServer) -> None:
        """Another worker sends it: the server gets everything except the end, and keeps nothing."""
        to = "no-mark@example.com"
        assert not await send_mail(server, to, MarkCounter(let=False))
        assert await send_mail(server, "after-no-mark@example.com")
        assert server.mails_to(to) == []

    async def test_failing_marker_sends_nothing(self, server: MailServer) -> None:
        async def fail() -> bool:
            raise ConnectionError("the database is gone")

        settings = settings_for(server)
        with pytest.raises(ConnectionError):
            await SmtpTransport(settings).hand_over(mail_to("failing-mark@example.com", settings), fail)
        assert await send_mail(server, "after-failing-mark@example.com")
        assert server.mails_to("failing-mark@example.com") == []


class TestContent:
    async def test_lines_starting_with_a_dot(self, server: MailServer) -> None:
        settings, to = settings_for(server), "dots@example.com"
        letter = mail_to(to, settings)
        dotted = ComposedMail(
            letter.mail_id, letter.written_at, letter.sender, to, b"Subject: x\r\n\r\n.\r\n..\r\n.hidden\r\nend\r\n"
        )
        assert await SmtpTransport(settings).hand_over(dotted, MarkCounter())
        assert server.mails_to(to)[0].raw.endswith(b"\r\n\r\n.\r\n..\r\n.hidden\r\nend\r\n")

    async def test_seven_bit_only(self, server: MailServer) -> None:
        settings, to = settings_for(server), "bits@example.com"
        assert await SmtpTransport(settings).hand_over(mail_to(to, settings, "Änne 🎈 " + "x" * 3000), MarkCounter())
        [mail] = server.mails_to(to)
        assert mail.raw.isascii()
        assert max(map(len, mail.raw.split(b"\r\n"))) <= 998
        assert "Änne 🎈" in mail.text

    async def test_non_ascii_addresses(self, server: MailServer) -> None:
        assert await send_mail(server, "änne@bücher.example")
        [mail] = server.mails_to("änne@xn--bcher-kva.example")
        assert "SMTPUTF8" in mail.options
        assert await send_mail(server, "anne@bücher.example")
        [mail] = server.mails_to("anne@xn--bcher-kva.example")
        assert mail.options == []


class TestFiles:
    async def test_private_complete_and_once(self, tmp_path: Path) -> None:
        transport = FileTransport(tmp_path / "mails")
        letter = mail_to("ann@example.com", Settings())
        for _ in range(2):
            assert await transport.hand_over(letter, MarkCounter())
        [path] = (tmp_path / "mails").iterdir()
        assert path.name == f"{letter.written_at:%Y%m%dT%H%M%S}Z-{letter.mail_id}.eml"
        assert path.read_bytes() == letter.content
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    async def test_unusable_folder(self, tmp_path: Path) -> None:
        (tmp_path / "mails").write_text("in the way")
        with pytest.raises(MailRejected) as refused:
            await FileTransport(tmp_path / "mails").hand_over(mail_to("ann@example.com", Settings()), MarkCounter())
        assert not refused.value.for_good
