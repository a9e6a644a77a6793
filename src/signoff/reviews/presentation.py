"""What a page needs to show a review: the review type it was made with, and what its fields start from."""

from typing import Any

from signoff.accounts.access import Caller
from signoff.forms.values import prepare, response_values, shown_unmapped
from signoff.forms.versions import pinned_version
from signoff.media.signed_payloads import handed_out
from signoff.reviews.locks import look_at_review
from signoff.reviews.queries import find_review


async def form_of(caller: Caller, review_id: str) -> dict[str, Any]:
    """The pinned version. It never changes, so a page keeps it for good."""
    review = await find_review(
        caller.db,
        caller.actor,
        review_id,
        "select form_id, form_version from reviews where account_id = $1 and review_id = $2",
    )
    form = await pinned_version(caller.db, review["form_id"], review["form_version"])
    return {"formId": form.form_id, "version": form.version, "name": form.name, **form.definition.to_json()}


async def suggestion_of(caller: Caller, review_id: str) -> dict[str, Any]:
    """What the service itself reads out of the present content, so that no page has to do it a second time."""
    review = await look_at_review(caller.db, caller.actor, review_id)
    form = await pinned_version(caller.db, review["form_id"], review["form_version"])
    suggestion = prepare(form.definition, review["data"], review["config"])
    configs = {field_id: shown for field_id, config in suggestion.configs.items() if (shown := config.shown())}
    unmapped = shown_unmapped(form.definition, review["data"], suggestion)
    answer: dict[str, Any] = {
        "revision": review["revision"],
        "values": suggestion.values,
        **({"configs": configs} if configs else {}),
        **({"unmapped": unmapped} if unmapped else {}),
        "responseValues": response_values(form.definition, suggestion),
    }
    return handed_out(caller.settings, caller.account_id, answer)
