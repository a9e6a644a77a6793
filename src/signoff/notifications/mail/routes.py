from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from signoff.accounts.context import get_context
from signoff.accounts.dependencies import CanAdminister
from signoff.accounts.errors import SignInRequired
from signoff.notifications.mail import actions, queries, unsubscribe_links
from signoff.notifications.mail.actions import TEST_GOES_TO_YOU
from signoff.notifications.mail.errors import MailContentGone, MailSent, MailUnderWay, UnsubscribeLinkInvalid
from signoff.notifications.mail.schemas import Mail, MailId, MailState, TestMail, Unsubscribed, UnsubscribeToken
from signoff.notifications.mail.unsubscribe_pages import asking_page, done_page
from signoff.platform.http.documentation import document_errors
from signoff.platform.http.json_routes import JsonRoute, json_response
from signoff.platform.messages import reader_language
from signoff.platform.schemas import Cursor, Limit, Page, make_page

router = APIRouter(route_class=JsonRoute, tags=["Email"])
# One-click unsubscribe requests are forms, sent by any mail program: see RFC 8058.
unsubscribing_router = APIRouter(tags=["Email"])

PAGE = {"text/html": {"schema": {"type": "string"}, "example": "<!doctype html>…"}}
MailsInState = Annotated[MailState | None, Query(description="Only emails in this state.")]


@router.get("/mails", operation_id="listMails", summary="List emails")
async def list_mails(
    caller: CanAdminister, state: MailsInState = None, cursor: Cursor = None, limit: Limit = 50
) -> Page[Mail]:
    """Returns emails from the last three months, newest first."""
    mails = await queries.list_mails(caller.db, caller.account_id, state, cursor or None, limit + 1)
    return make_page(mails, limit, lambda mail: mail.mail_id)


@router.post(
    "/mails/{mailId}/resend",
    operation_id="resendMail",
    summary="Resend an email",
    responses=document_errors(MailSent(), MailUnderWay(), MailContentGone()),
)
async def resend_mail(caller: CanAdminister, mail_id: MailId) -> Mail:
    """Sends an email again if it failed, its status is unclear, or it's waiting for its next attempt."""
    return await actions.resend_mail(caller, mail_id)


@router.post(
    "/account/mail/test",
    operation_id="sendTestMail",
    summary="Send a test email",
    openapi_extra={"security": [{"session": []}]},
    responses=document_errors(SignInRequired(TEST_GOES_TO_YOU)),
)
async def send_test_mail(caller: CanAdminister) -> TestMail:
    """Sends a test email to you and returns the result."""
    return await actions.send_test_mail(caller)


@unsubscribing_router.get(
    "/notifications/unsubscribe",
    operation_id="askToUnsubscribe",
    summary="Show the unsubscribe page",
    responses={
        200: {"content": PAGE},
        **document_errors(UnsubscribeLinkInvalid()),
    },
    response_class=HTMLResponse,
)
async def ask_to_unsubscribe(request: Request, token: UnsubscribeToken) -> Response:
    """Shows a confirmation page. Opening it changes nothing."""
    context = get_context(request.app)
    receiver = await unsubscribe_links.find_receiver(context.db, token)
    return asking_page(context.settings, token, receiver, reader_language())


@unsubscribing_router.post(
    "/notifications/unsubscribe",
    operation_id="unsubscribe",
    summary="Unsubscribe from review emails",
    responses={
        200: {"model": Unsubscribed, "content": PAGE},
        **document_errors(UnsubscribeLinkInvalid()),
    },
)
async def unsubscribe(request: Request, token: UnsubscribeToken) -> Response:
    """Unsubscribes the recipient of the email. The request body is ignored.

    Target of the `List-Unsubscribe` header (RFC 8058).
    """
    context, scope = get_context(request.app), request.scope
    receiver = await unsubscribe_links.unsubscribe(context.db, token, scope.get("client_ip"), scope.get("request_id"))
    if "text/html" in request.headers.get("accept", ""):
        return done_page(context.settings, receiver, reader_language())
    return json_response(Unsubscribed(email=receiver["email"]).model_dump(by_alias=True))
