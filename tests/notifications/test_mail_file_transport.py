"""Without a mail server, mails are written to files, and the log says so."""

import asyncio
import json
import stat
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from mail_helpers import invite, wait_for_mail_state
from support.api import Workspace, assert_ok, unique
from support.in_process import Service
from support.prepared_data_dir import EMAIL


def files(service: Service, mail_id: str = "") -> set[Path]:
    return set((service.data_dir / "mails").glob(f"*{mail_id}.eml"))


def message(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)  # type: ignore[return-value]


def wait_for_file(service: Service, mail_id: str) -> EmailMessage:
    [path] = files(service, mail_id)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    return message(path)


def log_lines(service: Service) -> list[dict[str, str]]:
    """The complete ones."""
    lines = service.log.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


async def test_each_mail_is_a_separate_file(service: Service, workspace: Workspace) -> None:
    email = f"{unique('on-file')}@example.com"
    invited = await invite(workspace, email)
    mail = await wait_for_mail_state(workspace, email, "sent")
    mail_file = wait_for_file(service, mail["mailId"])
    assert mail_file["To"] == email
    body = mail_file.get_body(("plain",))
    assert body is not None
    assert invited["invitationLink"] in body.get_content()


async def test_is_logged_at_startup_and_for_each_mail(service: Service, workspace: Workspace) -> None:
    email = f"{unique('logged')}@example.com"
    await invite(workspace, email)
    mail = await wait_for_mail_state(workspace, email, "sent")
    until = time.monotonic() + 20
    while f'"mail":"{mail["mailId"]}"' not in service.log.read_text():
        assert time.monotonic() < until
        await asyncio.sleep(0.05)
    lines = log_lines(service)
    assert any("emails are saved to files" in line["event"] and "folder" in line for line in lines)
    about = next(line for line in lines if line.get("mail") == mail["mailId"])
    assert "no mail server" in about["event"]
    assert email not in service.log.read_text(), "addresses and links stay out of the log"


async def test_sign_in_page_says_that_no_mails_are_sent(workspace: Workspace) -> None:
    assert (await assert_ok(workspace.public.get("/auth/methods")))["mail"] is False


async def test_password_reset_becomes_a_file_too(service: Service, workspace: Workspace) -> None:
    person, _ = await workspace.make_person()
    await workspace.public.post("/auth/forgotPassword", json={"email": person["email"]})
    mail = await wait_for_mail_state(workspace, person["email"], "sent", kind="password_reset")
    assert wait_for_file(service, mail["mailId"])["To"] == person["email"]


async def test_test_mail_reports_its_path(service: Service, workspace: Workspace) -> None:
    before = files(service)
    outcome = await assert_ok(workspace.owner.post("/account/mail/test"))
    assert (outcome["delivered"], outcome["via"]) == (True, "file")
    assert str(service.data_dir / "mails") in outcome["detail"]
    assert EMAIL in {message(path)["To"] for path in files(service) - before}
