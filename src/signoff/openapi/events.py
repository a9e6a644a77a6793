"""Webhook payloads in OpenAPI: requests to which the reader's server responds."""

from typing import Any

from signoff.openapi.event_examples import EXAMPLES
from signoff.openapi.review_types import Schema, ref
from signoff.platform.examples import DELIVERY_ID

_TEXT: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object"}
_VALUES: Schema = {
    "type": "object",
    "description": "Values by field ID. Fields hidden by rules are omitted.",
    "additionalProperties": {
        "type": "object",
        "required": ["value"],
        "properties": {
            "value": {
                "description": "The value, in the format of the field type. Multiple selections are `[{id, label}]`."
            },
            "wasEdited": {"type": "boolean", "description": "`true` if the reviewer changed the value."},
        },
    },
}
_REASON: dict[str, Schema] = {
    "reason": {**_TEXT, "description": "Reason, if the reviewer gave one."},
    "external": {
        "const": True,
        "type": "boolean",
        "description": "Whether the decision came from an external reviewer, who used a link instead of an account.",
    },
}
_RESULT: dict[str, Schema] = {
    "response": {"enum": ["approved", "rejected"]},
    "respondingUser": {
        **_TEXT,
        "description": "Email of the reviewer, `auto-approve`, or `time-out` if the deadline passed.",
    },
    "respondingUserId": _TEXT,
    "respondedAt": _TEXT,
    "data": {**_OBJECT, "description": "The request's `data`, including the reviewer's edits."},
    "responseValues": _VALUES,
    "changed": {
        "type": "array",
        "items": _TEXT,
        "description": "IDs of the fields whose values differ from the suggestion.",
    },
}
_APPROVED: dict[str, Schema] = {
    "approvedArguments": {
        **_OBJECT,
        "description": (
            "The approved values in the format you sent: call your tool with these. Unchanged values are exactly as "
            "you sent them. Omitted if the review was rejected."
        ),
    }
}
_OPTIONAL: dict[str, Schema] = {
    "config": {**_OBJECT, "description": "Only present if the request included it."},
    "meta": {**_OBJECT, "description": "Only present if the request included it."},
    "workflowRunId": {**_TEXT, "description": "Run ID, if the review belongs to a run."},
    "batchId": {**_TEXT, "description": "Batch ID, if the review belongs to a batch."},
}
_LINK: dict[str, Schema] = {"svcLink": {**_TEXT, "description": "Link to the review in the inbox."}}


def _object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


_DELIVERY: Schema = {
    "type": ["string", "null"],
    "description": "ID of the delivery to the agent's webhook. `null` in `GET /events` if there's no delivery.",
}
_MESSAGE: dict[str, Schema] = {
    "id": _TEXT,
    "text": {**_TEXT, "description": "Message text, as Markdown."},
    "attachments": {"type": "array", "items": ref("Attachment")},
    "createdAt": _TEXT,
}


def _common(name: str, *more: str) -> dict[str, Schema]:
    """Return the members of every event, and additional text members."""
    texts = dict.fromkeys(("eventId", "accountId", "agentId", "sessionId", "createdAt", *more), _TEXT)
    return {"event": {"const": name, "type": "string"}, **texts, "deliveryId": _DELIVERY}


def _event(name: str, required: dict[str, Schema], optional: dict[str, Schema]) -> Schema:
    common = _common(name, "reviewId", "formId", "formName")
    return _object({**common, **required, **_LINK}, {**_OPTIONAL, **optional})


_COMPLETED_TOO: dict[str, Schema] = {
    "autoApproved": {"const": True, "type": "boolean", "description": "`true` if the review was auto-approved."},
    "timedOut": {"const": True, "type": "boolean", "description": "`true` if the deadline decided the review."},
    "toolResult": {
        "description": "The tool webhook's response: any JSON value, including `null`, or a string if the response "
        "is text. Omitted if there's no tool webhook or no response."
    },
}
_NOTICES: dict[str, Schema] = {
    "mediaNotices": {
        "type": "array",
        "items": ref("MediaNotice"),
        "description": (
            "Media that isn't in `fileCache`: it couldn't be copied, or wasn't copied before the event was sent."
        ),
    }
}
_FILES: Schema = {"type": "object", "additionalProperties": _TEXT, "description": "Maps media URLs to stored copies."}

SCHEMAS: dict[str, Schema] = {
    "ReviewCompleted": _event(
        "review.completed",
        {"reviewResult": _object(_RESULT, {**_REASON, **_APPROVED}), "fileCache": _FILES},
        _COMPLETED_TOO | _NOTICES,
    ),
    "TriggerSubmitted": _event(
        "trigger.submitted",
        {
            "reviewResult": _object(
                {**{name: _RESULT[name] for name in _RESULT if name != "response"}, **_APPROVED}, _REASON
            ),
            "fileCache": _FILES,
        },
        {"autoApproved": _COMPLETED_TOO["autoApproved"]} | _NOTICES,
    ),
    "RetryRequestedEvent": _event(
        "review.retry_requested",
        {
            "revision": {"type": "integer"},
            "retry": _object(
                {
                    "at": _TEXT,
                    "by": {**_TEXT, "description": "Email of the reviewer."},
                    "instructions": _TEXT,
                    "fieldIds": {"type": "array", "items": _TEXT, "description": "Empty for the whole review."},
                },
                {
                    "reminder": {
                        "type": "integer",
                        "minimum": 1,
                        "description": "Which reminder this is, starting at 1.",
                    }
                },
            ),
            "data": {**_OBJECT, "description": "The content to replace."},
            "responseValues": _VALUES,
        },
        {},
    ),
    "ReviewDeletedEvent": _object(
        {
            **_common("review.deleted", "reviewId", "formId", "formName"),
            "state": {"enum": ["pending", "responded"], "description": "The review's state when it was deleted."},
            "deletedBy": {**_TEXT, "description": "Email of the member, or name of the API key."},
            "deletedAt": _TEXT,
        },
        {"workflowRunId": _OPTIONAL["workflowRunId"]},
    ),
    "BatchCompleted": _object(
        {
            **_common("batch.completed"),
            "batchId": _TEXT,
            "completion": {
                "type": "integer",
                "minimum": 1,
                "description": "How many times the batch has been completed.",
            },
            "counts": ref("BatchCounts"),
            "reviews": {
                "type": "array",
                "description": "The reviews in the batch, oldest first, up to 1,000.",
                "items": _object({"reviewId": _TEXT, "respondedAt": _TEXT}, {"response": _RESULT["response"]}),
            },
        }
    ),
    "SessionHumanMessage": _object(
        {
            **_common("session.human_message"),
            "message": _object({**_MESSAGE, "user": ref("Author")}),
            "session": _object({"id": _TEXT, "name": {"type": ["string", "null"]}, "createdAt": _TEXT}),
            "history": {
                "type": "array",
                "description": "The latest 20 messages, oldest first. The last one is the new message.",
                "items": _object({"role": {"enum": ["human", "agent"]}, **_MESSAGE}, {"user": ref("Author")}),
            },
        }
    ),
}


def any_event() -> Schema:
    """Return the union of all events, with `event` as discriminator."""
    mapping = {
        schema["properties"]["event"]["const"]: f"#/components/schemas/{name}" for name, schema in SCHEMAS.items()
    }
    return {
        "oneOf": [ref(name) for name in SCHEMAS],
        "discriminator": {"propertyName": "event", "mapping": mapping},
    }


_DESCRIPTIONS = {
    "ReviewCompleted": (
        "review.completed",
        "Review decided",
        "Sent when a review is approved or rejected, including automatically.",
    ),
    "TriggerSubmitted": ("trigger.submitted", "Trigger form submitted", "Sent when someone submits a trigger form."),
    "RetryRequestedEvent": (
        "review.retry_requested",
        "Changes requested",
        "Sent when a reviewer requests changes, and as a reminder. Send a new revision with `POST /requestReview` and "
        "`updateForReviewId`.",
    ),
    "ReviewDeletedEvent": (
        "review.deleted",
        "Review deleted",
        "Sent when a review is deleted, to webhooks whose `webhookEvents` include `review.deleted` and to the audit "
        "webhook.",
    ),
    "BatchCompleted": (
        "batch.completed",
        "Batch completed",
        "Sent when the last pending review in a batch is decided or deleted. If reviews are added later, the batch "
        "reopens, and the event is sent again the next time the batch is completed.",
    ),
    "SessionHumanMessage": (
        "session.human_message",
        "New chat message",
        "Sent when a member writes a chat message. Reply with `POST /sessions/{sessionId}/messages`. Messages in a "
        "session are delivered in order.",
    ),
}
_SIGNATURE_HEADERS = {
    "webhook-id": ("Delivery ID, the same for every attempt.", DELIVERY_ID),
    "webhook-timestamp": ("Unix timestamp of the attempt, in seconds.", "1794735375"),
    "webhook-signature": (
        ("HMAC-SHA256 signature (Standard Webhooks). During secret rotation there are two, separated by a space."),
        "v1,6Lk1VXrN6yG1fYbKXkqQmTQ3a0d5Vb7oW3m3yq8f2xE=",
    ),
}
SIGNATURE_PARAMETERS: list[dict[str, Any]] = [
    {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
        "example": example,
    }
    for name, (description, example) in _SIGNATURE_HEADERS.items()
]


def webhooks() -> dict[str, Any]:
    return {name: {"post": _operation(schema, *words)} for schema, (name, *words) in _DESCRIPTIONS.items()}


def _operation(schema: str, summary: str, description: str) -> dict[str, Any]:
    return {
        "tags": ["Events"],
        "summary": summary,
        "description": description,
        "operationId": f"on{schema.removesuffix('Event')}",
        "security": [],
        "parameters": SIGNATURE_PARAMETERS,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": ref(schema), "example": EXAMPLES[schema]}},
        },
        "responses": {
            "2XX": {
                "description": (
                    "Received. After any other status except `410`, including redirects, the delivery is retried."
                )
            },
            "410": {"description": "Gone. Stops automatic attempts."},
        },
    }
