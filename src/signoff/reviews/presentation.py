"""What a page needs to show a review: its version of the review type, and the initial values."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.forms.submission import response_values
from signoff.forms.suggestion import read_suggestion, unmapped_to_json
from signoff.forms.versions import get_form_version
from signoff.media.signed_payloads import sign_media_urls
from signoff.platform.sql import Sql
from signoff.reviews.locks import read_review
from signoff.reviews.queries import find_review

SELECT_FORM = Sql("select form_id, form_version from reviews where account_id = :account_id and review_id = :review_id")


async def get_review_form(caller: Caller, review_id: str) -> dict[str, Any]:
    """Return the pinned version. It never changes, so pages can cache it indefinitely."""
    review = await find_review(caller.db, caller.actor, review_id, SELECT_FORM)
    form = await get_form_version(caller.db, review["form_id"], review["form_version"])
    return {"formId": form.form_id, "version": form.version, "name": form.name, **form.definition.to_json()}


async def get_review_suggestion(caller: Caller, review_id: str) -> dict[str, Any]:
    """Return the values parsed from the current content, so that pages needn't parse it themselves."""
    review = await read_review(caller.db, caller.actor, review_id)
    form = await get_form_version(caller.db, review["form_id"], review["form_version"])
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    configs = {field_id: shown for field_id, config in suggestion.configs.items() if (shown := config.shown())}
    unmapped = unmapped_to_json(form.definition, review["data"], suggestion)
    answer: dict[str, Any] = {
        "revision": review["revision"],
        "values": suggestion.values,
        **({"configs": configs} if configs else {}),
        **({"unmapped": unmapped} if unmapped else {}),
        "responseValues": response_values(form.definition, suggestion),
    }
    return sign_media_urls(caller.settings, caller.account_id, answer)
