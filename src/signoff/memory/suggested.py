"""What an agent had suggested: not kept a second time, but read from its request through the review type of then."""

from signoff.forms.values import InvalidValues, read_suggestion
from signoff.forms.versions import FormVersion
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.logs import get_logger

log = get_logger("memory")


def suggested_values(form: FormVersion, review_id: str, data: Json, config: Json) -> JsonObject:
    """By field ID, for every field that the review showed."""
    try:
        return read_suggestion(form.definition, data, config).values
    except InvalidValues as error:
        # It was accepted once, by rules that were less strict. One such review must not end every question.
        log.warning("suggestion unreadable", review_id=review_id, error=str(error))
        return {}
