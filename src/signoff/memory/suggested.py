"""An agent's suggested values: not stored separately, but parsed from its request with the review type's version."""

from signoff.forms.values import InvalidValues, read_suggestion
from signoff.forms.versions import FormVersion
from signoff.platform.json_values import Json, JsonObject
from signoff.platform.logs import get_logger

log = get_logger("memory")


def suggested_values(form: FormVersion, review_id: str, data: Json, config: Json) -> JsonObject:
    """Return the values by field ID, for every field that the review showed."""
    try:
        return read_suggestion(form.definition, data, config).values
    except InvalidValues as error:
        # It was accepted under earlier, less strict rules. One such review must not make every search fail.
        log.warning("suggestion unreadable", review_id=review_id, error=str(error))
        return {}
