from fastapi import APIRouter

from signoff.accounts.identity import Person
from signoff.notifications.review_mails import queries
from signoff.notifications.review_mails.schemas import NextMail
from signoff.platform.http import JsonRoute

router = APIRouter(route_class=JsonRoute, tags=["Mails"])


@router.get("/auth/me/nextMail")
async def get_next_mail(caller: Person) -> NextMail:
    """When the next mail about reviews would come, as one's choices are now."""
    return await queries.get_next_mail(caller)
