"""Preview what a reviewer would see for a request, without creating a review."""

from typing import Any

from signoff.forms.definition import compile_definition
from signoff.forms.schemas import Preview, PreviewField, UnmappedItem
from signoff.forms.submission import response_values
from signoff.forms.suggestion import read_suggestion, suggested_title, unmapped_to_json
from signoff.platform.errors import ErrorDetail, InvalidRequest
from signoff.platform.json_values import MAX_DATA_DEPTH, exceeds_depth, too_deep


def preview(raw: dict[str, Any], data: dict[str, Any], config: dict[str, Any] | None) -> Preview:
    if exceeds_depth(data, MAX_DATA_DEPTH):
        raise InvalidRequest([ErrorDetail("data", "too_deep", too_deep(MAX_DATA_DEPTH))])
    definition = compile_definition(raw)
    suggestion = read_suggestion(definition, data, config)
    values = response_values(definition, suggestion)
    hidden = definition.rules.hidden(values)
    fields: list[PreviewField] = []
    for field in definition.fields:
        if field.id not in suggestion.values:
            fields.append(PreviewField(id=field.id, type=field.type.name, state="hidden_by_request"))
            continue
        options = suggestion.options.get(field.id)
        fields.append(
            PreviewField(
                id=field.id,
                type=field.type.name,
                state="hidden_by_rule" if field.id in hidden else "shown",
                value=suggestion.values[field.id],
                options=[{"id": key, "label": label} for key, label in options.items()] if options else None,
            )
        )
    unmapped = [UnmappedItem.model_validate(each) for each in unmapped_to_json(definition, data, suggestion)]
    return Preview(
        title=suggested_title(definition, suggestion), fields=fields, unmapped=unmapped, response_values=values
    )
