"""One story told by every example: Acme's agent drafts a newsletter, Ann and her editors sign it off.

An example belongs to a schema, by its name in the document; whatever request or answer has the schema shows it.
"""

from datetime import UTC, datetime
from typing import Any

from signoff.accounts.actors import DEFAULT_SCOPES, ROLES, Permission
from signoff.forms.definition import compile_definition
from signoff.forms.gallery import templates
from signoff.forms.preview import preview
from signoff.forms.sampling.building import form_from_sample
from signoff.forms.schema import config_schema, data_schema
from signoff.forms.schemas import EXAMPLE as NEW_FORM
from signoff.forms.values import prepare, response_values, submit, trigger_suggestion
from signoff.platform.clock import iso
from signoff.platform.json_values import JsonObject
from signoff.reviews.schemas import EXAMPLE as REVIEW_REQUEST

URL = "https://signoff.example.com"
ACCOUNT_ID = "acc_01a1108c69c04be1a9d07c3f52e6"
USER_ID = "usr_01a1108c69c1f2086d4b9a17c3e5"
EDITOR_ID = "usr_01a1440c01c07a93e15d0b84f26c"
GROUP_ID = "grp_01a1440c01c59c02b7e8d6134fa0"
KEY_ID = "key_01a1108c69c8d05f3a7be1c94260"
AGENT_ID = NEW_FORM["agentId"]
FORM_ID = REVIEW_REQUEST["formId"]
REVIEW_ID = "rev_01a1de8ac9c05b7f80e2d91a36c4"
SESSION_ID = "ses_01a1de8ac9c13ce6a4f7085bd912"
DELIVERY_ID = "whd_01a1de9085e04f6b1d92c8a3705e"
TOOL_DELIVERY_ID = "whd_01a1de9085e1a8c07e5b3d46f219"
EVENT_ID = "evt_01a1de9085dfb3e87a1c06d4295f"
MESSAGE_ID = "msg_01a1de8b1f407c9e35a2d8160fb4"
RUN_ID = "run-2026-11-15"
ENTRY_ID = "4711"
VIEW_ID = "viw_01a1440c01d2b6e83f90a517c4d8"
MAIL_ID = "mal_01a1de8acab04d7be2916f05c83a"
OWNER, EDITOR, OUTSIDER = "ann@example.com", "editor@example.com", "counsel@partner.example"
WEBHOOK = "https://agent.example.com/hooks/signoff"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - nobody's
TOKEN = "sgl_Yk3vQ0m7cN1xT9aZ5rW2eLhB8uJ4oD6fGsPiKyVtXqE"  # noqa: S105 - nobody's
PUBLIC_TOKEN = "pub_8sTq4vXcR9tLz4KfYbN2mHdJ0pGaUe3xVoT6iMkQw7E"  # noqa: S105 - nobody's
REQUESTED_AT, RESPONDED_AT, DELIVERED_AT = (
    "2026-11-15T09:30:00.000Z",
    "2026-11-15T09:36:15.520Z",
    "2026-11-15T09:36:15.611Z",
)
MONTH_ENDS = datetime(2026, 12, 1, tzinfo=UTC)
BEGAN_AT, JOINED_AT = "2026-10-06T09:30:00.000Z", "2026-10-16T09:30:00.000Z"

_account = {
    "accountId": ACCOUNT_ID,
    "name": "Acme",
    "plan": "self-hosted",
    "auditWebhookUrl": None,
    "notificationDefaults": {"email": "each", "digestHour": 8, "timeZone": "Europe/Berlin"},
    "createdAt": BEGAN_AT,
}
_agent = {
    "agentId": AGENT_ID,
    "name": "Newsletter writer",
    "description": "Drafts the monthly newsletter.",
    "webhookUrl": WEBHOOK,
    "chat": "off",
    "createdAt": BEGAN_AT,
    "updatedAt": BEGAN_AT,
}
_user = {
    "userId": EDITOR_ID,
    "email": EDITOR,
    "name": "Eda Torres",
    "role": "reviewer",
    "disabled": False,
    "lastSignInAt": None,
    "createdAt": JOINED_AT,
    "absence": None,
}
_absence = {"from": "2036-12-20T08:00:00.000Z", "until": "2037-01-03T08:00:00.000Z", "delegate": EDITOR}
_key = {
    "keyId": KEY_ID,
    "name": "Newsletter writer",
    "scopes": list(DEFAULT_SCOPES),
    "hint": "sgn_…tXqE",
    "createdAt": BEGAN_AT,
    "createdBy": USER_ID,
    "expiresAt": None,
    "lastUsedAt": REQUESTED_AT,
    "revokedAt": None,
    "status": "active",
}
_form_row = {
    "formId": FORM_ID,
    "version": 1,
    "name": NEW_FORM["name"],
    "agentId": AGENT_ID,
    "createdAt": BEGAN_AT,
    "updatedAt": BEGAN_AT,
}
# What follows from the request is computed, so that it is what the service would answer.
_compiled = compile_definition(NEW_FORM)
_definition: dict[str, Any] = {
    "autoApprove": False,
    "trigger": False,
    "defaultReviewers": {"users": [], "groups": [], "external": []},
    "webhookUrl": None,
    "toolWebhookUrl": None,
    "timeLimits": None,
    "decideFromChat": False,
    **NEW_FORM,
    **_compiled.to_json(),
}
_form_file = {"signoff": "form/1", **{name: value for name, value in _definition.items() if name != "agentId"}}
_data: dict[str, Any] = REVIEW_REQUEST["data"]
_suggestion = prepare(_compiled, _data, None)
_edits: JsonObject = {"draft": {"headline": "Autumn news from Acme"}, "channel": "blog"}
_outcome = submit(_compiled, _suggestion, _data, _edits, "approved")
_submitted = {
    "respondingUser": EDITOR,
    "respondingUserId": EDITOR_ID,
    "respondedAt": RESPONDED_AT,
    "reason": "The headline says more now.",
    "data": _outcome.data,
}
_result = {"response": "approved", **_submitted}
_review = {
    "accountId": ACCOUNT_ID,
    "reviewId": REVIEW_ID,
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
    "formVersion": 1,
    "title": _data["draft"]["headline"],
    "revision": 1,
    "data": _data,
    "createdAt": REQUESTED_AT,
    "state": "responded",
    "reviewResult": _result,
    "fileCache": {},
    "meta": REVIEW_REQUEST["meta"],
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    "webhookDeliveryId": DELIVERY_ID,
    "workflowRunId": RUN_ID,
    "assignedTo": {"users": [EDITOR], "groups": [], "external": []},
    "mayDecide": True,
    "allowRetry": True,
    "trigger": False,
    "agentName": _agent["name"],
    "runName": "Newsletter",
}
_DECIDED = {"state", "reviewResult", "webhookDeliveryId", "fileCache"}
_view = {
    "viewId": VIEW_ID,
    "name": "Newsletters, mine",
    "filters": {"state": "pending", "formId": FORM_ID, "assignedTo": "me"},
    "createdAt": JOINED_AT,
}
_draft = {"data": _edits, "reason": "The headline says more now.", "revision": 1}
_insight_counts = {
    "requested": 6,
    "decided": 4,
    "approved": 3,
    "rejected": 1,
    "edited": 1,
    "autoApproved": 1,
    "medianSeconds": 187.5,
    "p90Seconds": 512.25,
}
_retry = {
    "at": "2026-11-15T09:34:02.118Z",
    "by": EDITOR,
    "instructions": "Name the company in the headline.",
    "fieldIds": ["headline"],
}
_attempt = {
    "attemptId": "attempt-1",
    "ok": True,
    "statusCode": 200,
    "scheduledBy": "inline",
    "at": DELIVERED_AT,
    "statusText": "OK",
    "durationMs": 48,
}
_delivery_row = {
    "accountId": ACCOUNT_ID,
    "deliveryId": DELIVERY_ID,
    "status": "succeeded",
    "ok": True,
    "statusCode": 200,
    "statusText": "OK",
    "event": "review.completed",
    "target": "agent",
    "urlSource": "request",
    "webhook": WEBHOOK,
    "reviewId": REVIEW_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "attemptCount": 1,
    "maxAttempts": 7,
    "retriesCancelled": False,
    "triggeredAt": RESPONDED_AT,
    "updatedAt": DELIVERED_AT,
}
_event = {
    "eventId": EVENT_ID,
    "accountId": ACCOUNT_ID,
    "agentId": AGENT_ID,
    "sessionId": SESSION_ID,
    "deliveryId": DELIVERY_ID,
    "createdAt": RESPONDED_AT,
    "reviewId": REVIEW_ID,
    "formId": FORM_ID,
    "formName": NEW_FORM["name"],
}
_event_end = {
    "meta": REVIEW_REQUEST["meta"],
    "workflowRunId": RUN_ID,
    "svcLink": f"{URL}/reviews/{REVIEW_ID}",
}
_me = {
    "user": {"userId": USER_ID, "email": OWNER, "name": "Ann"},
    "role": "owner",
    "account": {"accountId": ACCOUNT_ID, "name": "Acme", "plan": "self-hosted"},
    "permissions": [permission.value for permission in Permission if permission in ROLES["owner"]],
    "hasPassword": True,
    "preferences": {
        "email": "daily",
        "emailIsDefault": False,
        "digestHour": 8,
        "digestHourIsDefault": True,
        "agents": {AGENT_ID: "each"},
        "shortcuts": True,
        "theme": "dark",
        "timeZone": "Europe/Berlin",
        "browserNotifications": False,
    },
    "groups": [{"groupId": GROUP_ID, "name": "Editors"}],
    "standingInFor": [],
}

_uploaded_file = {
    "downloadURL": f"{URL}/media/{ACCOUNT_ID}/med_01a1de8a4f3092c7b15e08d4a6f37c29e1b05d84",
    "originalName": "autumn.jpg",
    "size": 184_220,
    "contentType": "image/jpeg",
}

# The same form, filled in by somebody rather than by the agent.
_empty = trigger_suggestion(_compiled)
_filled_in: JsonObject = {"draft": {"headline": "Autumn news"}, "score": 7}
_trigger = {
    "formName": NEW_FORM["name"],
    "agentName": _agent["name"],
    "version": 1,
    "suggestion": {
        "revision": 1,
        "values": _empty.values,
        "responseValues": response_values(_compiled, _empty),
    },
}
_definition_of_trigger = {"version": 1, "name": NEW_FORM["name"], **_compiled.to_json()}
_challenge = "Yk3vQ0m7cN1xT9aZ5rW2eA.16.1794736975.7cN1xT9aZ5rW2eLhB8uJ4oD6fGsPiKyVtXqEYk3vQ0m"
_public_link = {"link": f"{URL}/f/{PUBLIC_TOKEN}", "perHour": 60, "createdAt": BEGAN_AT, "createdBy": OWNER}
_run = {"runId": RUN_ID, "name": "Newsletter", "createdAt": REQUESTED_AT}
_step: dict[str, Any] = {
    **{name: _review[name] for name in ("reviewId", "title", "formId", "formName", "agentId", "agentName")},
    "sessionId": SESSION_ID,
    "kind": "review",
    "state": "responded",
    "response": "approved",
    "retryRequested": False,
    "respondingUser": EDITOR,
    "createdAt": REQUESTED_AT,
    "respondedAt": RESPONDED_AT,
    "waitedMs": 375_520,
    "prevSteps": [],
}

_completed = {
    "event": "review.completed",
    **_event,
    "reviewResult": {**_result, "responseValues": _outcome.response_values},
    "fileCache": {},
    **_event_end,
}

_session_row: dict[str, Any] = {
    "sessionId": SESSION_ID,
    "name": "The November newsletter",
    "agentId": AGENT_ID,
    "agentName": "Newsletter writer",
    "createdAt": REQUESTED_AT,
    "activeAt": RESPONDED_AT,
    "messageCount": 1,
    "unread": 0,
    "lastMessage": {
        "messageId": MESSAGE_ID,
        "role": "human",
        "text": "Could the headline name the season?",
        "at": RESPONDED_AT,
        "by": "Eda Torres",
    },
    "openReviews": 0,
}
_attachment = {
    "url": f"{URL}/media/{ACCOUNT_ID}/med_01a1de8ac9c2f05b7e91d3a84c60",
    "name": "last-year.png",
    "contentType": "image/png",
    "size": 48213,
}
_author = {"id": EDITOR_ID, "email": EDITOR, "name": "Eda Torres"}
_message: dict[str, Any] = {
    "messageId": MESSAGE_ID,
    "sessionId": SESSION_ID,
    "number": 1,
    "role": "human",
    "text": "Could the headline name the season?",
    "attachments": [_attachment],
    "state": "complete",
    "createdAt": RESPONDED_AT,
    "updatedAt": RESPONDED_AT,
    "user": _author,
    "agentId": AGENT_ID,
    "delivery": {"deliveryId": DELIVERY_ID, "status": "succeeded"},
}
_told_message = {
    "id": MESSAGE_ID,
    "text": _message["text"],
    "attachments": [_attachment],
    "createdAt": RESPONDED_AT,
    "user": _author,
}

EXAMPLES: dict[str, Any] = {
    # Sessions
    "NewSession": {"agentId": AGENT_ID, "name": "The November newsletter"},
    "SessionName": {"name": "The November newsletter"},
    "SessionRow": _session_row,
    "Session": {
        **_session_row,
        "chat": "on",
        "participants": [{"userId": EDITOR_ID, "name": "Eda Torres", "email": EDITOR}],
        "working": {"text": "Looking for a better headline", "since": RESPONDED_AT},
        "typing": [],
        "runs": [{"runId": RUN_ID, "name": "Newsletter"}],
        "mayWrite": True,
    },
    "NewMessage": {
        "text": _message["text"],
        "attachments": [{"url": _attachment["url"], "name": _attachment["name"]}],
    },
    "Message": _message,
    "Messages": {"items": [_message]},
    "Piece": {"offset": 0, "text": "How about *Autumn news from Acme*", "done": False},
    "Working": {"working": True, "text": "Looking for a better headline"},
    "ReadUpTo": {"messageId": MESSAGE_ID},
    "TimelineItem": {"kind": "message", "at": RESPONDED_AT, "message": _message},
    # Media
    "Uploaded": {"success": True, "files": [_uploaded_file], "count": 1},
    # Reviews
    "ReviewRequest": REVIEW_REQUEST,
    "ReviewRequested": {
        "reviewId": REVIEW_ID,
        "sessionId": SESSION_ID,
        "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    },
    "Review": _review,
    "Assignment": {"users": [EDITOR], "groups": [], "external": [OUTSIDER], "note": "Legal should see it."},
    "ReassignedReview": {
        **{name: value for name, value in _review.items() if name not in _DECIDED},
        "state": "pending",
        "assignedTo": {"users": [EDITOR], "groups": [], "external": [OUTSIDER]},
        "extReviewerLinks": [{"email": OUTSIDER, "link": f"{URL}/external/{REVIEW_ID}?token=ext_{TOKEN[4:]}"}],
    },
    "ReviewRow": {
        **{name: _review[name] for name in ("reviewId", "agentId", "sessionId", "formId", "formName", "title")},
        "revision": 1,
        "state": "responded",
        "retryRequested": False,
        "response": "approved",
        "autoApproved": False,
        "respondingUser": EDITOR,
        "respondedAt": RESPONDED_AT,
        "workflowRunId": RUN_ID,
        "createdAt": REQUESTED_AT,
        "updatedAt": RESPONDED_AT,
        "assigneeIds": [EDITOR_ID],
        "external": False,
    },
    "PinnedForm": {"formId": FORM_ID, "version": 1, "name": NEW_FORM["name"], **_compiled.to_json()},
    "Suggested": {
        "revision": 1,
        "values": _suggestion.values,
        "responseValues": response_values(_compiled, _suggestion),
    },
    "DraftBody": _draft,
    "DraftAnswer": {"draft": {**_draft, "savedAt": RESPONDED_AT}},
    "Presence": {"people": [{"userId": EDITOR_ID, "name": "Eda Torres", "email": EDITOR, "since": REQUESTED_AT}]},
    # Inbox
    "Counts": {
        "views": {"mine": 3, "myGroups": 12, "unassigned": 40, "all": 55, "waiting": 2},
        "agents": {AGENT_ID: 55},
        "forms": {FORM_ID: 55},
        "saved": {VIEW_ID: 3},
        "chat": {"unread": 1},
        "ceiling": 10_000,
    },
    "RunRow": {**_run, "steps": 1, "open": 0, "lastAt": RESPONDED_AT},
    "Run": {**_run, "sessions": [SESSION_ID], "steps": [_step], "more": False},
    "RunName": {"name": "Newsletter of November"},
    # Trigger forms
    "Triggers": {
        "items": [
            {
                "formId": FORM_ID,
                "name": NEW_FORM["name"],
                "agentId": AGENT_ID,
                "agentName": _agent["name"],
                "public": True,
            }
        ]
    },
    "TriggerForm": {
        "formId": FORM_ID,
        "agentId": AGENT_ID,
        **_trigger,
        "definition": {"formId": FORM_ID, **_definition_of_trigger},
    },
    "TriggerSubmission": {"data": _filled_in, "runName": "Newsletter", "version": 1},
    "WorkflowStarted": {
        "reviewId": REVIEW_ID,
        "sessionId": SESSION_ID,
        "workflowRunId": "run_01a1de8ac9c2d85b01f7c64e93a0",
        "svcLink": f"{URL}/reviews/{REVIEW_ID}",
    },
    "PublicLinkTerms": {"perHour": 60},
    "PublicLink": _public_link,
    "PublicTrigger": {**_trigger, "workspace": "Acme", "definition": _definition_of_trigger},
    "ChallengeAnswer": {"challenge": _challenge, "bits": 16, "expiresAt": "2026-11-15T10:02:55.000Z"},
    "PublicSubmission": {
        "data": _filled_in,
        "challenge": _challenge,
        "solution": "48213",
        "name": "Kim Visitor",
        "email": "kim@example.org",
        "version": 1,
    },
    "Received": {"received": True},
    "NewView": {name: _view[name] for name in ("name", "filters")},
    "ViewChange": {"name": "My newsletters"},
    "View": _view,
    "Views": {"items": [_view]},
    "Responses": [
        {
            "reviewId": REVIEW_ID,
            "createdAt": REQUESTED_AT,
            "respondedAt": RESPONDED_AT,
            "response": "approved",
            "fields": {
                "headline": {
                    "suggestedValue": _suggestion.values["headline"],
                    "approvedValue": "Autumn news from Acme",
                },
                "score": {"suggestedValue": 7, "approvedValue": 7},
            },
        }
    ],
    "Submission": {
        "response": "approved",
        "data": _edits,
        "revision": 1,
        "reason": "The headline says more now.",
    },
    "Extension": {"minutes": 240, "note": "Eda is back this afternoon."},
    "RetryRequest": {"instructions": _retry["instructions"], "fieldIds": ["headline"], "revision": 1},
    "DeleteRequest": {"reviewId": REVIEW_ID},
    "Deleted": {"deleted": True, "reviewId": REVIEW_ID},
    "Revisions": {"items": [{"revision": 1, "createdAt": REQUESTED_AT, "data": _data, "meta": REVIEW_REQUEST["meta"]}]},
    "History": {
        "items": [
            {
                "at": REQUESTED_AT,
                "action": "review.requested",
                "actor": {"kind": "key", "id": KEY_ID, "name": "Newsletter writer"},
            },
            {
                "at": RESPONDED_AT,
                "action": "review.approved",
                "actor": {"kind": "user", "id": EDITOR_ID, "name": EDITOR},
                "details": {"revision": 1},
            },
        ]
    },
    "Insights": {
        "from": "2026-11-15",
        "to": "2026-11-15",
        "timeZone": "UTC",
        "bucket": "hour",
        "open": {
            "total": 1,
            "waiting": 0,
            "oldestAt": REQUESTED_AT,
            "ages": [{"label": "under an hour", "upToSeconds": 3600, "count": 1}],
        },
        "totals": {
            **_insight_counts,
            "previous": {**dict.fromkeys(_insight_counts, 0), "medianSeconds": None, "p90Seconds": None},
        },
        "series": [{"start": "2026-11-15T09:00:00.000Z", **_insight_counts}],
        "agents": [{"agentId": AGENT_ID, "name": _agent["name"], **_insight_counts, "series": [4]}],
        "forms": [{"formId": FORM_ID, "name": NEW_FORM["name"], "agentId": AGENT_ID, **_insight_counts, "series": [4]}],
        "fields": [{"formId": FORM_ID, "fieldId": "headline", "label": "Headline", "shown": 3, "edited": 1}],
        "people": [
            {
                "userId": EDITOR_ID,
                "name": "Eda Torres",
                "decided": 4,
                "approved": 3,
                "rejected": 1,
                "medianSeconds": 187.5,
            }
        ],
        "hours": [[0] * 24] * 6 + [[0] * 9 + [4] + [0] * 14],
        "requestedHours": [[0] * 24] * 6 + [[0] * 9 + [6] + [0] * 14],
        "deliveries": {
            "total": 4,
            "succeeded": 4,
            "retrying": 0,
            "dead": 0,
            "pending": 0,
            "firstTry": 4,
            "medianMs": 48,
            "series": [{"start": "2026-11-15T09:00:00.000Z", "succeeded": 4, "failed": 0}],
        },
    },
    # Deliveries
    "DeliveryRow": _delivery_row,
    "Delivery": {**_delivery_row, "attempts": [_attempt]},
    "SentEvent": _completed,
    "DeliveryChoice": {"deliveryIds": [DELIVERY_ID]},
    "DeliveryOutcomes": {"items": [{"deliveryId": DELIVERY_ID, "ok": True}]},
    # Review types
    "NewForm": NEW_FORM,
    "FormChange": {"name": "Review newsletter draft", "allowRetry": False, "version": 1},
    "FormRow": _form_row,
    "Form": {**_definition, **_form_row, "archivedAt": None},
    "Version": {
        "version": 1,
        "createdAt": BEGAN_AT,
        "createdBy": OWNER,
        "current": True,
        "definition": _definition,
    },
    "ReviewForms": {
        "forms": [
            {"id": FORM_ID, "name": NEW_FORM["name"], "agentId": AGENT_ID, "fields": _compiled.to_json()["fields"]}
        ]
    },
    "FieldSchemas": {"formId": FORM_ID, "fields": data_schema(_compiled), "config": config_schema(_compiled)},
    "FormCheck": {
        "form": {**NEW_FORM, "fields": [{**NEW_FORM["fields"][0], "editable": False}, *NEW_FORM["fields"][1:]]},
        "formId": FORM_ID,
    },
    "Check": {
        "valid": True,
        "errors": [],
        "warnings": [
            {
                "path": "fields[0].required",
                "code": "required_not_editable",
                "message": "means nothing here: what reviewers cannot change may be approved empty",
            }
        ],
        "changes": {
            "fromVersion": 1,
            "openReviews": 3,
            "breaking": [],
            "compatible": [
                {
                    "kind": "editableChanged",
                    "fieldId": "headline",
                    "message": "reviewers cannot change 'Headline' (headline)",
                }
            ],
        },
    },
    "TryOut": {"form": NEW_FORM, "data": _data, "submitted": {"response": "approved", "data": _edits}},
    "TriedOut": {
        "title": _data["draft"]["headline"],
        "values": _suggestion.values,
        "configs": {},
        "hidden": [],
        "responseValues": _outcome.response_values,
        "event": {**_completed, "eventId": "evt_preview", "reviewId": "rev_preview", "deliveryId": "whd_preview"},
        "standIns": ["eventId", "reviewId", "deliveryId"],
        "errors": [],
    },
    "Sample": {"sample": _data, "name": NEW_FORM["name"]},
    "SampledForm": form_from_sample(_data, NEW_FORM["name"]).model_dump(by_alias=True),
    "Templates": {"items": [templates().items[0].model_dump(by_alias=True)]},
    "FormFile": _form_file,
    "ExportedForm": _form_file,
    "ImportedForm": {
        "form": {**_definition, **_form_row, "archivedAt": None},
        "notes": ["There is no group 'Editors' here; it was left out."],
    },
    "Comparison": {
        "fromVersion": 1,
        "toVersion": 2,
        "fields": [
            {
                "fieldId": "score",
                "change": "removed",
                "before": {"id": "score", "type": "number", "label": "Score", "min": 0, "max": 10},
                "after": None,
            }
        ],
        "layoutChanged": True,
        "rulesChanged": False,
        "members": [{"member": "name", "before": NEW_FORM["name"], "after": "Review newsletter draft"}],
        "breaking": [
            {
                "kind": "fieldRemoved",
                "fieldId": "score",
                "message": "'Score' (score) is no more: what agents send for it is not shown",
            }
        ],
        "compatible": [{"kind": "layoutChanged", "fieldId": None, "message": "fields stand elsewhere on the page"}],
    },
    "Restoring": {"version": 1},
    "Duplicating": {"name": "Review newsletter draft"},
    "PreviewRequest": {"data": _data},
    "Preview": preview(NEW_FORM, _data, None).model_dump(by_alias=True),
    # Agents
    "NewAgent": {name: _agent[name] for name in ("name", "description", "webhookUrl")},
    "AgentChange": {"webhookUrl": "https://agent.example.com/v2/hooks/signoff"},
    "Agent": _agent,
    "AgentWithSecret": {**_agent, "webhookSecret": SECRET},
    "TestOutcome": {
        "deliveryUrl": WEBHOOK,
        "request": {
            "headers": {
                "content-type": "application/json",
                "webhook-id": TOOL_DELIVERY_ID,
                "webhook-timestamp": "1794735375",
                "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
            },
            "body": f'{{"event":"test","accountId":"{ACCOUNT_ID}","agentId":"{AGENT_ID}"}}',
        },
        "response": {
            "statusCode": 200,
            "statusText": "OK",
            "headers": {"content-type": "text/plain"},
            "body": "ok",
            "bodyCut": False,
        },
        "error": None,
        "durationMs": 48,
        "ok": True,
    },
    # Signing in
    "SignInMethods": {
        "password": True,
        "oidc": {"name": "Acme account", "startUrl": f"{URL}/api/v1/auth/oidc/start"},
        "mail": True,
        "firstRun": False,
    },
    "ForgottenPassword": {"email": OWNER},
    "LinkOrdered": {"accepted": True},
    "LinkQuestion": {"token": TOKEN},
    "LinkInfo": {"purpose": "invitation", "email": EDITOR, "accountName": "Acme", "hasPassword": False},
    "OpenSessions": {
        "items": [
            {
                "sessionId": "sis_5f0c1e7a94d2b8360c17ae52f981",
                "current": True,
                "createdAt": REQUESTED_AT,
                "lastSeenAt": RESPONDED_AT,
                "ip": "203.0.113.7",
                "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            }
        ]
    },
    "Credentials": {"email": OWNER, "password": "correct horse battery staple"},
    "LinkUse": {"token": TOKEN, "password": "correct horse battery staple"},
    "ProfileChange": {"name": "Ann", "preferences": {"theme": "dark", "timeZone": "Europe/Berlin"}},
    "Me": _me,
    "NewAbsence": _absence,
    "OwnAbsence": _absence,
    # Mails
    "NextMail": {
        "each": True,
        "collectSeconds": 30,
        "newsAt": None,
        "digest": "daily",
        "digestAt": "2026-11-16T07:00:00.000Z",
        "timeZone": "Europe/Berlin",
    },
    "Mail": {
        "mailId": MAIL_ID,
        "kind": "external_review",
        "to": OUTSIDER,
        "userId": None,
        "state": "waiting",
        "attempts": 1,
        "error": "The mail server says: 450 4.2.1 Mailbox busy",
        "createdAt": REQUESTED_AT,
        "nextAttemptAt": "2026-11-15T09:31:00.412Z",
        "settledAt": None,
    },
    "TestMail": {
        "delivered": True,
        "to": OWNER,
        "via": "smtp",
        "detail": "mail.example.com has taken it.",
        "durationMs": 212,
    },
    "Unsubscribed": {"unsubscribed": True, "email": EDITOR},
    # Chat apps
    "SlackCredentials": {"botToken": "xoxb-example-token", "signingSecret": "0123456789abcdef"},
    "MattermostCredentials": {"webhookUrl": "https://chat.example.com/hooks/xen8oa5a1fdgmnb8qetwzjg8eh"},
    "ChatApps": {
        "items": [
            {
                "app": "slack",
                "state": "connected",
                "code": None,
                "why": None,
                "since": BEGAN_AT,
                "workspace": "Acme",
                "connectedBy": OWNER,
                "canUpdate": True,
                "canDecide": True,
                "troubledChannels": [
                    {
                        "channel": "C024BE91L",
                        "code": "is_archived",
                        "why": "The channel is archived. Choose another one.",
                        "since": REQUESTED_AT,
                    }
                ],
            }
        ]
    },
    "Channels": {"default": "C024BE7LR", "agents": {AGENT_ID: "C024BE91L"}, "forms": {FORM_ID: ""}},
    "ChatAppTest": {"channel": "C024BE91L"},
    "ChatAppTestOutcome": {
        "delivered": True,
        "channel": "C024BE91L",
        "code": None,
        "detail": "Look into C024BE91L.",
        "durationMs": 184,
    },
    # People, groups, keys
    "Invitation": {"email": EDITOR, "name": "Eda Torres", "role": "reviewer"},
    "InvitedUser": {**_user, "invitationLink": f"{URL}/sign-in?token={TOKEN}"},
    "User": _user,
    "UserChange": {"role": "editor"},
    "SignInLinkAnswer": {"signInLink": f"{URL}/sign-in?token={TOKEN}", "expiresAt": "2026-11-16T09:30:00.000Z"},
    "NewGroup": {"name": "Editors", "members": [EDITOR]},
    "GroupChange": {"members": [EDITOR_ID, USER_ID]},
    "Group": {
        "groupId": GROUP_ID,
        "name": "Editors",
        "members": [{"userId": EDITOR_ID, "email": EDITOR, "name": "Eda Torres"}],
        "createdAt": JOINED_AT,
    },
    "NewKey": {"name": "Newsletter writer", "scopes": list(DEFAULT_SCOPES)},
    "KeyChange": {"expiresAt": "2027-01-31T12:00:00Z"},
    "Key": _key,
    "KeyWithSecret": {**_key, "apiKey": "sgn_q7Wm2vXcR9tLz4KfYbN8sHdJ0pGaUe3xVoT6iMkQtXq"},
    "AuthCheck": {
        "ok": True,
        "accountId": ACCOUNT_ID,
        "accountName": "Acme",
        "actor": {"kind": "key", "id": KEY_ID, "name": "Newsletter writer"},
        "permissions": ["read", "request"],
    },
    # Account, audit log
    "Account": _account,
    "AccountChange": {
        "auditWebhookUrl": "https://siem.example.com/signoff",
        "notificationDefaults": {"email": "daily", "timeZone": "Europe/Berlin"},
    },
    "AccountWithSecret": {
        **_account,
        "auditWebhookUrl": "https://siem.example.com/signoff",
        "auditWebhookSecret": SECRET,
    },
    "Usage": {
        "plan": "team",
        "month": "2026-11",
        "billableSeats": 2,
        "reviewRequests": {"used": 20_412, "included": 20_000, "overage": 412},
        "dataBytes": {"used": 1_830_442_116, "included": 20_000_000_000, "overage": 0},
        "enforced": False,
        "resetsAt": iso(MONTH_ENDS),
        "limits": {"rate": {"perSecond": 1, "burst": 10}, "memoryCeiling": 100},
        "history": [
            {"month": "2026-11", "reviewRequests": 20_412, "dataBytes": 1_830_442_116},
            {"month": "2026-10", "reviewRequests": 17_003, "dataBytes": 1_519_237_540},
        ],
    },
    "DemoState": {"state": "ready", "own": {"agents": 1, "reviewTypes": 2}},
    "OwnWork": {"agents": 1, "reviewTypes": 2},
    "Entry": {
        "entryId": ENTRY_ID,
        "at": RESPONDED_AT,
        "actor": {"kind": "user", "id": EDITOR_ID, "name": EDITOR},
        "action": "review.approved",
        "objectId": REVIEW_ID,
        "details": {"revision": 1},
        "ip": "203.0.113.7",
        "requestId": "req_01a1de9085da7c21f48e0b65d39a",
    },
    # Events
    "ReviewCompleted": _completed,
    "EventPage": {"items": [_completed], "nextCursor": "1042"},
    "TriggerSubmitted": {
        "event": "trigger.submitted",
        **_event,
        "reviewResult": {**_submitted, "responseValues": _outcome.response_values},
        "fileCache": {},
        **_event_end,
    },
    "RetryRequestedEvent": {
        "event": "review.retry_requested",
        **_event,
        "createdAt": _retry["at"],
        "revision": 1,
        "retry": _retry,
        "data": _data,
        "responseValues": response_values(_compiled, _suggestion),
        **_event_end,
    },
    "SessionHumanMessage": {
        "event": "session.human_message",
        "eventId": EVENT_ID,
        "accountId": ACCOUNT_ID,
        "agentId": AGENT_ID,
        "sessionId": SESSION_ID,
        "deliveryId": DELIVERY_ID,
        "createdAt": RESPONDED_AT,
        "message": _told_message,
        "session": {"id": SESSION_ID, "name": "The November newsletter", "createdAt": REQUESTED_AT},
        "history": [{"role": "human", **_told_message}],
    },
}

PARAMETERS: dict[str, str] = {
    "reviewId": REVIEW_ID,
    "agentId": AGENT_ID,
    "formId": FORM_ID,
    "version": "1",
    "sessionId": SESSION_ID,
    "messageId": MESSAGE_ID,
    "deliveryId": DELIVERY_ID,
    "viewId": VIEW_ID,
    "mailId": MAIL_ID,
    "app": "slack",
    "runId": RUN_ID,
    "userId": EDITOR_ID,
    "groupId": GROUP_ID,
    "keyId": KEY_ID,
    "token": PUBLIC_TOKEN,
    "actorId": EDITOR_ID,
    "objectId": REVIEW_ID,
    "action": "review.approved",
    "assignedTo": EDITOR_ID,
    "q": "autumn news",
    "since": "2026-11-01T00:00:00Z",
    "until": "2026-12-01T00:00:00Z",
    "from": "2026-11-01",
    "to": "2026-11-30",
    "timeZone": "Europe/Berlin",
    "month": "2026-11",
    "fieldIds": "headline,score",
    "filterResponseValues": '[{"field": "score.value", "operation": ">=", "value": 5}]',
    "Idempotency-Key": "newsletter-2026-11",
}
