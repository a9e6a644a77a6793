from fastapi import APIRouter

from signoff.accounts.dependencies import SignedInUser
from signoff.notifications.review_mails import queries
from signoff.notifications.review_mails.schemas import NextMail
from signoff.platform.http.json_routes import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Email"])


@router.get("/auth/me/nextMail", operation_id="getNextMail", summary="Get your next notification email")
async def get_next_mail(caller: SignedInUser) -> NextMail:
    """Returns when your next notification email is due, based on your current settings."""
    return await queries.get_next_mail(caller)
