"""The formats `dpo` and `dpo-conversational`: for one prompt, an answer that people preferred and one that they didn't.

Both have the same lines: `dpo` as plain text, `dpo-conversational` as lists of messages.

A review gives at most one line, the first of these that applies:

1. A person approved it with changes: the approved values are preferred to the suggested ones.
2. A person approved it as suggested, after requesting changes to an earlier revision: the approved values are
   preferred to the latest revision that was sent back.
3. A person rejected it, and the agent tried again: among the next twenty reviews that its session requested after the
   rejection, the first of the same type that a person approved has the same question with the same prompt. The values
   approved there are preferred to those rejected here.

Only fields with a value from the agent are compared: what it left to people was never refused.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from signoff.memory.export.completions import answer, answer_fields, as_sent, is_empty, question
from signoff.memory.export.prompts import assistant_message, plain_prompt, prompt_messages, to_json
from signoff.memory.export.query_params import Export
from signoff.memory.export.reader import DecidedReview, read_reviews
from signoff.memory.responses import suggested_values
from signoff.platform.db import Executor
from signoff.platform.json_values import Json, JsonObject, same_json
from signoff.platform.sql import Rows, Sql

LOOK_AHEAD = 20


@dataclass(frozen=True, slots=True)
class _Rejected:
    review_id: str
    session_id: str
    since: str
    """Sorts before the IDs of all later reviews."""


SELECT_RETRIED = Sql(
    """
    select data, config from review_revisions
    where account_id = :account_id and review_id = :review_id and revision < :revision and retry is not null
    order by revision desc limit 1
    """
)
SELECT_APPROVED_AFTER = Sql(
    """
    select distinct on (was.review_id) was.review_id as rejected, later.review_id as approved
    from {rejected} as was
    cross join lateral (
        select r.review_id, r.form_id, r.response, r.auto_approved or r.timed_out as by_itself from reviews r
        where r.account_id = :account_id and r.session_id = was.session_id and r.review_id > was.since
        order by r.review_id limit {look_ahead}
    ) as later
    where later.form_id = :form_id and later.response = 'approved' and not later.by_itself
    order by was.review_id, later.review_id
    """,
    rejected=Rows("rejected", _Rejected),
    look_ahead=LOOK_AHEAD,
)


async def preference_lines(db: Executor, export: Export, reviews: Sequence[DecidedReview]) -> AsyncIterator[JsonObject]:
    later = await _approved_after([each for each in reviews if each.response == "rejected"], db, export)
    for review in reviews:
        line = None
        if review.response == "approved":
            line = _preference(export, review, review.suggested, review)
            if line is None and review.revision > 1:
                sent_back = await _read_retried(db, export, review)
                line = sent_back and _preference(export, review, sent_back, review)
        elif review.review_id in later:
            # One at a time, because each may be as large as a request can be.
            for approved in await read_reviews(db, export.account_id, [later[review.review_id]]):
                line = _preference(export, review, review.suggested, approved)
        if line:
            yield line


def _preference(
    export: Export, review: DecidedReview, refused: Mapping[str, Json], preferred: DecidedReview
) -> "JsonObject | None":
    """Return the preference for the `preferred` values over these suggestions, or None if it has no information."""
    fields = [
        field for field in answer_fields(export, review.form.definition) if not is_empty(field, refused.get(field.id))
    ]
    chosen = {field.id: as_sent(field, preferred.approved(field.id)) for field in fields}
    rejected = {field.id: as_sent(field, refused[field.id]) for field in fields}
    if same_json(chosen, rejected) or all(value is None for value in chosen.values()):
        return None
    request_text = question(export, review.form, refused, fields)
    if request_text != question(export, preferred.form, preferred.suggested, fields):
        return None
    # After a retry, use the prompt of the approved revision: it may have instructions that the first one lacked.
    prompt = prompt_messages(preferred, request_text)
    if prompt != prompt_messages(review, request_text):
        return None
    preferred_answer, refused_answer = answer(export, chosen), answer(export, rejected)
    conversational = export.shape == "dpo-conversational"
    return {
        "prompt": to_json(prompt) if conversational else plain_prompt(prompt),
        "chosen": to_json([assistant_message(preferred_answer)]) if conversational else preferred_answer,
        "rejected": to_json([assistant_message(refused_answer)]) if conversational else refused_answer,
        "reviewId": review.review_id,
        "cursor": review.position.cursor,
    }


async def _read_retried(db: Executor, export: Export, review: DecidedReview) -> "JsonObject | None":
    """Return the values of the latest revision to which a person requested changes."""
    row = await SELECT_RETRIED.fetch_one(
        db, account_id=export.account_id, review_id=review.review_id, revision=review.revision
    )
    return None if row is None else suggested_values(review.form, review.review_id, row["data"], row["config"])


async def _approved_after(rejected: Sequence[DecidedReview], db: Executor, export: Export) -> dict[str, str]:
    """Return, for rejected reviews, the review that their session soon had approved next."""
    if not rejected:
        return {}
    rows = await SELECT_APPROVED_AFTER.fetch(
        db,
        account_id=export.account_id,
        form_id=export.form_id,
        rejected=[_Rejected(each.review_id, each.session_id, _first_id_after(each)) for each in rejected],
    )
    return {row["rejected"]: row["approved"] for row in rows}


def _first_id_after(review: DecidedReview) -> str:
    """Return a lower bound: IDs start with their creation time, so this sorts before all those created after the
    decision.
    """
    return f"rev_{int(review.position.responded_at.timestamp() * 1000):012x}"
