"""The format `sft`: for each review that a person approved, a conversation that ends with the approved values."""

from collections.abc import Iterable, Iterator

from signoff.memory.export.completions import answer, answer_fields, as_sent, question
from signoff.memory.export.prompts import assistant_message, prompt_messages, to_json
from signoff.memory.export.query_params import Export
from signoff.memory.export.reader import DecidedReview
from signoff.platform.json_values import JsonObject


def example_lines(export: Export, reviews: Iterable[DecidedReview]) -> Iterator[JsonObject]:
    for review in reviews:
        fields = [
            field for field in answer_fields(export, review.form.definition) if review.approved(field.id) is not None
        ]
        if fields:
            values = {field.id: as_sent(field, review.approved(field.id)) for field in fields}
            prompt = prompt_messages(review, question(export, review.form, review.suggested, fields))
            yield {
                "messages": to_json([*prompt, assistant_message(answer(export, values))]),
                "reviewId": review.review_id,
                "cursor": review.position.cursor,
            }
