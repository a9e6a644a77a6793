"""Texts in successful responses, in the caller's language."""

import socket
from typing import Any

import orjson
import pytest
from support.api import Workspace, assert_error, assert_ok

from signoff.platform.errors import ServiceUnavailable
from signoff.platform.messages import LANGUAGES, Message, msg
from signoff.processes import fallback

SAMPLE = {"sample": {"nothing": None}}
STRANGER = "stranger@example.com"
WAITING_FOR = (
    msg("Signoff to start"),
    msg("Signoff to start again"),
    msg("the API to start"),
    msg("the API to respond"),
    msg("the database to start"),
)


def asking(language: str) -> dict[str, str]:
    return {"headers": {"accept-language": language}}  # pyright: ignore[reportReturnType]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def content(response: bytes) -> bytes:
    return response.partition(b"\r\n\r\n")[2]


def is_localized(shown: dict[str, Any], member: str, language: str, message: Message) -> None:
    """English in the member itself, the caller's language in `localized`."""
    assert shown[member] == str(message)
    assert shown["localized"] == {"language": language, member: message.localize(language)}
    assert message.localize(language) != str(message)


@pytest.mark.parametrize("language", LANGUAGES[1:])
class TestEachLanguage:
    async def test_errors_and_warnings_of_a_definition(self, workspace: Workspace, language: str) -> None:
        form = {"name": "Post", "fields": [{"id": "a", "type": "text", "label": "A", "editable": False}]}
        check = await assert_ok(workspace.owner.post("/forms/check", json={"form": form}, **asking(language)))
        [warning] = [each for each in check["warnings"] if each["code"] == "no_editable_field"]
        message = msg("all fields are read-only: reviewers can only approve or reject")
        is_localized(warning, "message", language, message)
        broken = await assert_ok(
            workspace.owner.post("/forms/check", json={"form": {"fields": []}}, **asking(language))
        )
        [error] = [each for each in broken["errors"] if each["path"] == "name"]
        is_localized(error, "message", language, msg("is required"))

    async def test_changes_of_a_definition(self, workspace: Workspace, language: str) -> None:
        form = await workspace.make_form(
            fields=[{"id": "a", "type": "text", "label": "A"}], layout=None, rules=[], titleField=None
        )
        changed = {"name": form["name"], "fields": [{"id": "a", "type": "text", "label": "A", "required": True}]}
        body = {"form": changed, "formId": form["formId"]}
        check = await assert_ok(workspace.owner.post("/forms/check", json=body, **asking(language)))
        [breaking] = [each for each in check["changes"]["breaking"] if each["kind"] == "becameRequired"]
        is_localized(breaking, "message", language, msg("{field} is now required", field="'A' (a)"))

    async def test_errors_of_a_preview(self, workspace: Workspace, language: str) -> None:
        form = {"name": "Post", "fields": [{"id": "a", "type": "number", "label": "A"}]}
        body = {"form": form, "data": {"a": "x"}}
        preview = await assert_ok(workspace.owner.post("/forms/preview", json=body, **asking(language)))
        [error] = preview["errors"]
        is_localized(
            error,
            "message",
            language,
            msg("must be {expected}, not {type}", expected=msg("a number"), type=msg("a string")),
        )

    async def test_notes_about_a_sample(self, workspace: Workspace, language: str) -> None:
        made = await assert_ok(workspace.owner.post("/forms/fromSample", json=SAMPLE, **asking(language)))
        note = msg("{path} is null in the sample, so we assumed {type}.", path="nothing", type="text")
        assert made["notes"] == [str(note)]
        assert made["localized"] == {"language": language, "notes": [note.localize(language)]}

    async def test_notes_about_an_import(self, workspace: Workspace, language: str) -> None:
        form = await workspace.make_form()
        document = await assert_ok(workspace.owner.get(f"/forms/{form['formId']}/export"))
        document["defaultReviewers"] = {"users": [STRANGER], "groups": []}
        made = await assert_ok(workspace.owner.post("/forms/import", json=document, **asking(language)))
        note = msg(
            "'{email}' isn't a member of this workspace and was removed from {place}.",
            email=STRANGER,
            place=msg("the default reviewers"),
        )
        assert made["notes"] == [str(note)]
        assert made["localized"] == {"language": language, "notes": [note.localize(language)]}

    async def test_test_email(self, workspace: Workspace, language: str) -> None:
        sent = await assert_ok(workspace.owner.post("/account/mail/test", **asking(language)))
        assert (sent["delivered"], sent["via"]) == (True, "file")
        folder = sent["detail"].partition("saved to ")[2].rstrip(".")
        message = msg("No mail server is configured, so the email was saved to {folder}.", folder=folder)
        is_localized(sent, "detail", language, message)

    async def test_test_event_without_an_answer(self, workspace: Workspace, language: str) -> None:
        agent = await workspace.make_agent(webhookUrl=f"http://127.0.0.1:{free_port()}/")
        outcome = await assert_ok(workspace.owner.post(f"/agents/{agent['agentId']}/testEvent", **asking(language)))
        message = msg("{code}: {error}", code="connection_refused", error=msg("Connection refused."))
        is_localized(outcome, "error", language, message)

    async def test_error_of_one_delivery_of_many(self, workspace: Workspace, language: str) -> None:
        body = {"deliveryIds": ["whd_none"]}
        [outcome] = (
            await assert_ok(workspace.owner.post("/webhooks/deliveries/retry", json=body, **asking(language)))
        )["items"]
        message = msg("No {kind} found with ID '{id}'.", kind=msg("delivery"), id="whd_none")
        is_localized(outcome["error"], "detail", language, message)

    @pytest.mark.parametrize("waiting_for", WAITING_FOR)
    async def test_errors_while_the_service_is_unavailable(self, language: str, waiting_for: Message) -> None:
        head = f"GET /api/v1/reviews HTTP/1.1\r\nAccept-Language: {language}\r\n\r\n"
        problem = orjson.loads(content(fallback.render(head.encode(), waiting_for)))
        detail = msg("Signoff is unavailable. Waiting for {what}.", what=waiting_for)
        assert (problem["status"], problem["title"], problem["detail"]) == (503, "Service unavailable", detail)
        assert problem["localized"] == {
            "language": language,
            "title": ServiceUnavailable.title.localize(language),
            "detail": detail.localize(language),
        }
        assert problem["localized"]["title"] != problem["title"]
        assert waiting_for.localize(language) in problem["localized"]["detail"]
        assert waiting_for.localize(language) != str(waiting_for)

    @pytest.mark.parametrize("waiting_for", WAITING_FOR)
    async def test_page_while_the_service_is_unavailable(self, language: str, waiting_for: Message) -> None:
        head = f"GET /inbox HTTP/1.1\r\nAccept: text/html\r\nAccept-Language: {language}\r\n\r\n"
        page = content(fallback.render(head.encode(), waiting_for)).decode()
        direction = "rtl" if language == "ar" else "ltr"
        assert f'<html lang="{language}" dir="{direction}">' in page
        title = msg("Signoff is unavailable")
        reason = msg("Waiting for {what}. This page reloads automatically.", what=waiting_for)
        for message in (title, reason):
            assert message.markup(language) in page
            assert message.localize(language) != str(message)


@pytest.mark.parametrize("language", ["en", "en-GB, de;q=0.5", "nl", ""])
async def test_for_programs_there_is_english_alone(workspace: Workspace, language: str) -> None:
    made = await assert_ok(workspace.owner.post("/forms/fromSample", json=SAMPLE, **asking(language)))
    assert made["notes"]
    assert "localized" not in made
    check = await assert_ok(workspace.owner.post("/forms/check", json={"form": {"fields": []}}, **asking(language)))
    assert check["errors"]
    assert not [each for each in check["errors"] if "localized" in each]


async def test_without_texts_there_is_nothing_to_localize(workspace: Workspace) -> None:
    made = await assert_ok(workspace.owner.post("/forms/fromSample", json={"sample": {"a": "b"}}, **asking("de")))
    assert made["notes"] == []
    assert "localized" not in made


async def test_one_request_leaves_no_language_to_the_next(workspace: Workspace) -> None:
    german = await assert_error(workspace.owner.get("/forms/none", **asking("de")), 404)
    assert german["localized"]["language"] == "de"
    assert "localized" not in await assert_error(workspace.owner.get("/forms/none"), 404)
