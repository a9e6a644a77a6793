"""What the code of a route cannot say about it: its public name, its one-line summary, and what can go wrong.

An operation's ID is a promise: clients are generated from it. So it is written here and not taken from a function's
name, which may change.
"""

from dataclasses import dataclass, field

from signoff.accounts import errors as accounts
from signoff.agents.errors import AgentInUse
from signoff.demo.errors import NoDemo
from signoff.forms.errors import AgentGone, VersionConflict
from signoff.inbox.errors import TooManyViews
from signoff.insights.errors import InsightsTooSlow
from signoff.media.errors import FileTooLarge
from signoff.memory.exporting.errors import ParquetNotInstalled
from signoff.notifications.chat_apps import errors as chat_apps
from signoff.notifications.mail import errors as mails
from signoff.openapi import examples as story
from signoff.platform.errors import BadQuery, Invalid, Malformed, NotFound, Problem, WrongMediaType
from signoff.platform.faults import Fault
from signoff.platform.idempotency import KeyReused
from signoff.reviews import errors as reviews
from signoff.sessions import errors as sessions
from signoff.triggers import errors as triggers
from signoff.webhooks.errors import DeliverySettled, DeliveryUnderWay, NoWebhook

TAGS = {
    "Reviews": "Ask people to sign off what an agent made, see what they decided.",
    "Sessions": "Everything of one run on one line, and the chat between people and agents.",
    "Inbox": "What the page where people decide shows beside the reviews: counts, saved views, and what changes.",
    "Media": "Images and videos that reviews show.",
    "Memory": "What people decided before: examples for prompts, for training, for evaluation.",
    "Insights": "What was asked, decided and delivered, counted over time.",
    "Deliveries": "The record of every webhook call: what was sent where, and every attempt to bring it there.",
    "Review types": "What reviewers see of a request: fields, layout and rules. Versioned; also called forms.",
    "Trigger forms": "Forms that people fill in to start a workflow, and links that make them public.",
    "Public forms": "What everybody can do who has the link to a public form. Nobody has to sign in.",
    "Agents": "Whoever asks for reviews. An agent has a webhook, and a secret that signs what goes there.",
    "Signing in": "For people. Programs use an API key.",
    "People": "Who belongs to the account, and what their role lets them do.",
    "Groups": "People whom reviews can be assigned to together.",
    "API keys": "For programs. A key asks for reviews, reads or manages; no key can decide.",
    "Account": "The account that everything belongs to.",
    "Mails": "What was sent by mail, what could not be, and how people are rid of it.",
    "Chat apps": "Reviews posted to Slack or Mattermost, and decided from there.",
    "Audit log": "Who did what, when and from where.",
    "Demo": "The filled workspace that a newcomer finds, and how to be rid of it.",
    "Events": "What the service posts to webhooks. Each call is signed as Standard Webhooks has it.",
}

PARAMETERS = {
    "reviewId": "A review's ID.",
    "agentId": "An agent's ID.",
    "formId": "A review type's ID.",
    "version": "A version's number.",
    "sessionId": "A session's ID.",
    "messageId": "A message's ID.",
    "deliveryId": "A delivery's ID.",
    "viewId": "A saved view's ID.",
    "mailId": "A mail's ID.",
    "app": "Which chat app.",
    "userId": "A person's ID.",
    "groupId": "A group's ID.",
    "keyId": "An API key's ID.",
    "runId": "A run's ID.",
    "token": "The last part of a public form's link.",
    "state": "Only reviews in this state.",
    "status": "Only deliveries with this status.",
    "archived": "The archived review types instead of those in use.",
    "action": "Only entries of this action, like `review.approved`.",
    "actorId": "Only entries of this person or key.",
    "actorKind": "Only entries of people, keys, external reviewers, or the service itself.",
    "objectId": "Only entries about this review, agent, person or other object.",
}


@dataclass(frozen=True, slots=True)
class Words:
    id: str
    summary: str
    description: str = ""
    """For routes whose name says it all."""
    problems: tuple[Problem, ...] = field(default=())
    """Beside those that every route with such credentials, parameters and body has."""


def _invalid(path: str, code: str, message: str) -> Invalid:
    return Invalid([Fault(path, code, message)])


_RESPONDED = reviews.AlreadyResponded(
    f"{story.EDITOR} responded at {story.RESPONDED_AT}.",
    respondingUser=story.EDITOR,
    respondingUserId=story.EDITOR_ID,
    respondedAt=story.RESPONDED_AT,
    response="approved",
)
_REPLACED = reviews.ContentReplaced("You decided on revision 1; the review is at revision 2.", revision=2)
_NOT_ASSIGNED = reviews.NotAssigned("Only the people it is assigned to, and admins, can act on this review.")
_TAKEN = reviews.AlreadyTaken(
    f"{story.EDITOR} has taken this review.",
    takenBy={"userId": story.EDITOR_ID, "name": "Eda Torres", "email": story.EDITOR, "at": story.REQUESTED_AT},
)
_NO_RETRY = reviews.NoRetryPending(
    "The review does not wait for the agent: no retry was asked for, or it was answered."
)
_GROUP_NAME_TAKEN = accounts.GroupNameTaken("Editors")
_UNKNOWN_MEMBER = _invalid("members[0]", "unknown_member", "there is no person 'nobody@example.com' in this account")
_OWNER_NEEDED = accounts.OwnerNeeded("Only an owner can make, change or disable an owner.")
_NOT_YOURSELF = accounts.NotYourself(
    "Nobody can change their own role or disable themselves. Ask another administrator."
)
_LAST_OWNER = accounts.LastOwner("This is the last owner of the account. Make another person owner first.")
_TOO_MANY_FAILURES = accounts.TooManyFailures(
    "Too many sign-ins failed for this address or from this client. Try again later.", 417
)
_LINK_PROBLEMS = (
    accounts.LinkInvalid("This sign-in link is unknown or was withdrawn."),
    accounts.LinkUsed("This sign-in link was used before. Each works once."),
    accounts.LinkExpired("This sign-in link has expired. Ask an administrator for a new one."),
)
_NOT_CONNECTED = chat_apps.ChatAppNotConnected("Slack is not connected.")
_NOT_OUR_LINK = mails.UnsubscribeLinkInvalid(
    "This link is not one of ours, or it was cut off. Open it from the mail again."
)
_FAIR_USE_EXCEEDED = accounts.FairUseExceeded("reviewRequests", 20_000, 20_000, story.MONTH_ENDS)
_NOT_A_TRIGGER = triggers.NotATrigger("This review type is for requests of agents. Nobody starts it by hand.")
_NO_AGENT = triggers.NoAgent("There is nobody to send it to. Give the review type an agent first.")
_FORM_CHANGED = triggers.FormChanged("The form is at version 2 by now.", version=2)
_NO_PUBLIC_LINK = NotFound("public link of the review type", story.FORM_ID)
_PUBLIC = (NotFound("public form", "at this address"), triggers.FormClosed(), triggers.TooManySubmissions("address", 1))
_NO_CHAT = (
    sessions.ChatOff("The agent's chat is off."),
    sessions.ChatReplyOnly("People can write in this agent's sessions, but only the agent begins one."),
)
_OTHER_AGENT = sessions.SessionOfAnotherAgent(
    f"The session {story.SESSION_ID!r} belongs to the agent {story.AGENT_ID!r}."
)
_IN_THE_PAST = _invalid("expiresAt", "in_the_past", "must be in the future")
_BAD_FORM = Invalid(
    [
        Fault("fields[1].type", "unknown_type", "must be one of text, longText, markdown, …"),
        Fault("rules[0].target", "unknown_target", "must be the ID of a field or group"),
    ]
)

OPERATIONS: dict[tuple[str, str], Words] = {
    ("post", "/requestReview"): Words(
        "requestReview",
        "Request a review",
        problems=(
            Invalid(
                [
                    Fault("data.score", "wrong_type", "must be a number, not a string"),
                    Fault("assignTo[0]", "unknown_member", "'nobody@example.com' is not a member of this account"),
                ]
            ),
            KeyReused("This Idempotency-Key was used with another body within the last 24 hours."),
            _RESPONDED,
            _FAIR_USE_EXCEEDED,
        ),
    ),
    ("get", "/reviews"): Words("listReviews", "List reviews"),
    ("get", "/reviews/{reviewId}"): Words("getReview", "Fetch a review"),
    ("delete", "/reviews/{reviewId}"): Words("deleteReview", "Delete a review"),
    ("delete", "/deleteReview"): Words("deleteReviewByBody", "Delete a review named in the body"),
    ("post", "/reviews/{reviewId}/response"): Words(
        "submitResponse",
        "Approve or reject a review",
        problems=(
            _RESPONDED,
            _REPLACED,
            _NOT_ASSIGNED,
            _invalid("data.draft.headline", "required", "must not be empty"),
        ),
    ),
    ("post", "/reviews/{reviewId}/retry"): Words(
        "requestRetry",
        "Ask the agent for other content",
        problems=(
            _RESPONDED,
            _REPLACED,
            _NOT_ASSIGNED,
            reviews.RetryNotAllowed("The review type does not allow reviewers to ask for a retry."),
            reviews.RetryPending("A retry was asked for already; the agent has not answered yet."),
            _invalid("fieldIds[0]", "unknown_field", "the review type has no field 'heading'"),
        ),
    ),
    ("put", "/reviews/{reviewId}/assignees"): Words(
        "assignReview",
        "Say who is asked",
        problems=(
            _RESPONDED,
            _NOT_ASSIGNED,
            _invalid("users[0]", "unknown_member", "'nobody@example.com' is not a member of this account"),
        ),
    ),
    ("post", "/reviews/{reviewId}/take"): Words(
        "takeReview", "Take a review", problems=(_RESPONDED, _NOT_ASSIGNED, _TAKEN)
    ),
    ("post", "/reviews/{reviewId}/handBack"): Words(
        "handBackReview",
        "Hand a review back",
        problems=(_RESPONDED, _TAKEN, reviews.NotTaken("Nobody has taken this review.")),
    ),
    ("delete", "/reviews/{reviewId}/retry"): Words(
        "withdrawRetry", "Take a retry back", problems=(_RESPONDED, _NOT_ASSIGNED, _NO_RETRY)
    ),
    ("post", "/reviews/{reviewId}/retry/remind"): Words(
        "remindAgent", "Ask the agent again", problems=(_RESPONDED, _NOT_ASSIGNED, _NO_RETRY)
    ),
    ("post", "/reviews/{reviewId}/extend"): Words(
        "extendReview",
        "Give a review more time",
        problems=(
            _RESPONDED,
            _NOT_ASSIGNED,
            reviews.NoTimeLimit("It has no time limit, or none any more: there is nothing to extend."),
        ),
    ),
    ("get", "/reviews/{reviewId}/revisions"): Words("listReviewRevisions", "List a review's revisions"),
    ("get", "/reviews/{reviewId}/history"): Words("listReviewHistory", "List a review's history"),
    ("get", "/reviews/{reviewId}/form"): Words("getReviewForm", "Fetch a review's review type"),
    ("get", "/reviews/{reviewId}/suggestion"): Words("getReviewSuggestion", "Fetch what a review's fields start from"),
    ("get", "/reviews/{reviewId}/draft"): Words("getDraft", "Fetch one's own draft"),
    ("put", "/reviews/{reviewId}/draft"): Words("saveDraft", "Save one's own draft", problems=(_RESPONDED,)),
    ("delete", "/reviews/{reviewId}/draft"): Words("deleteDraft", "Delete one's own draft"),
    ("put", "/reviews/{reviewId}/presence"): Words("enterReview", "Say that one has a review open"),
    ("delete", "/reviews/{reviewId}/presence"): Words("leaveReview", "Say that one has closed a review"),
    ("get", "/sessions"): Words("listSessions", "List sessions"),
    ("post", "/sessions"): Words(
        "createSession",
        "Begin a session",
        problems=(
            *_NO_CHAT,
            _OTHER_AGENT,
            _invalid("agentId", "unknown_agent", "there is no agent 'agt_1'"),
        ),
    ),
    ("get", "/sessions/{sessionId}"): Words("getSession", "Fetch a session"),
    ("patch", "/sessions/{sessionId}"): Words("changeSession", "Name a session"),
    ("get", "/sessions/{sessionId}/timeline"): Words("getTimeline", "See what happened in a session"),
    ("get", "/sessions/{sessionId}/messages"): Words("listMessages", "List a session's messages"),
    ("post", "/sessions/{sessionId}/messages"): Words(
        "createMessage",
        "Write a message",
        problems=(
            *_NO_CHAT,
            _OTHER_AGENT,
            KeyReused("This Idempotency-Key was used with another body within the last 24 hours."),
            Invalid(
                [
                    Fault("text", "missing", "must not be empty without an attachment"),
                    Fault("attachments[0].url", "not_uploaded", "is no address that `POST /uploadFiles` gave …"),
                ]
            ),
            _FAIR_USE_EXCEEDED,
        ),
    ),
    ("post", "/sessions/{sessionId}/messages/{messageId}/pieces"): Words(
        "addPiece",
        "Add a piece to a streaming message",
        problems=(
            sessions.WrongOffset("The message has 34 characters; the next piece begins there.", length=34),
            sessions.NotStreaming("The message is complete; nothing can be added to it.", length=34),
            accounts.KeyNeeded("Send an API key: only an agent can do this."),
        ),
    ),
    ("put", "/sessions/{sessionId}/working"): Words(
        "sayWorking",
        "Say that the agent is at work",
        problems=(accounts.KeyNeeded("Send an API key: only an agent can do this."),),
    ),
    ("put", "/sessions/{sessionId}/typing"): Words("sayTyping", "Say that one is typing"),
    ("put", "/sessions/{sessionId}/read"): Words(
        "markRead", "Say how far one has read", problems=(NotFound("message", story.MESSAGE_ID),)
    ),
    ("get", "/inbox/counts"): Words("getInboxCounts", "Count what waits"),
    ("get", "/inbox/views"): Words("listViews", "List saved views"),
    ("post", "/inbox/views"): Words(
        "createView", "Save a view", problems=(TooManyViews("You have 50 saved views. Delete one first."),)
    ),
    ("patch", "/inbox/views/{viewId}"): Words("changeView", "Change a saved view"),
    ("delete", "/inbox/views/{viewId}"): Words("deleteView", "Delete a saved view"),
    ("get", "/runs"): Words("listRuns", "List runs"),
    ("get", "/runs/{runId}"): Words("getRun", "Fetch a run with its steps"),
    ("patch", "/runs/{runId}"): Words("nameRun", "Name a run"),
    ("get", "/triggers"): Words("listTriggers", "List trigger forms"),
    ("get", "/triggers/{formId}"): Words("getTrigger", "Fetch a trigger form", problems=(_NOT_A_TRIGGER, _NO_AGENT)),
    ("post", "/triggers/{formId}/submissions"): Words(
        "submitTrigger",
        "Submit a trigger form",
        problems=(
            _FORM_CHANGED,
            _NOT_A_TRIGGER,
            _NO_AGENT,
            KeyReused("This Idempotency-Key was used with another body within the last 24 hours."),
            _FAIR_USE_EXCEEDED,
            _invalid("data.draft.headline", "required", "must not be empty"),
        ),
    ),
    ("get", "/forms/{formId}/publicLink"): Words(
        "getPublicLink", "Fetch a form's public link", problems=(_NO_PUBLIC_LINK,)
    ),
    ("put", "/forms/{formId}/publicLink"): Words(
        "publishForm", "Make a trigger form public", problems=(_NOT_A_TRIGGER, _NO_AGENT)
    ),
    ("delete", "/forms/{formId}/publicLink"): Words("unpublishForm", "End a form's public link"),
    ("post", "/forms/{formId}/publicLink/rotate"): Words(
        "rotatePublicLink", "Replace a form's public link", problems=(_NO_PUBLIC_LINK,)
    ),
    ("get", "/public/triggers/{token}"): Words("getPublicTrigger", "Fetch a public form", problems=_PUBLIC),
    ("post", "/public/triggers/{token}/challenge"): Words(
        "getChallenge", "Get a challenge for a submission", problems=_PUBLIC
    ),
    ("post", "/public/triggers/{token}/submissions"): Words(
        "submitPublicTrigger",
        "Submit a public form",
        problems=(
            *_PUBLIC,
            _FORM_CHANGED,
            triggers.ChallengeExpired("The challenge is older than 30 minutes. Ask for a new one."),
            triggers.ChallengeUsed("This challenge paid for another submission. Ask for a new one."),
            _invalid("solution", "not_solved", "does not solve the challenge: the hash must begin with 16 zero bits"),
            _FAIR_USE_EXCEEDED,
        ),
    ),
    ("get", "/live"): Words("followChanges", "Follow what changes"),
    ("post", "/uploadFiles"): Words(
        "uploadFiles",
        "Upload files",
        problems=(
            Malformed("The body ends before the form does."),
            FileTooLarge(
                "The file 'cover.png' is larger than 20971520 bytes.", file="cover.png", index=0, maxBytes=20_971_520
            ),
            WrongMediaType("Send the files as multipart/form-data, not 'application/json'."),
            _invalid("files[1]", "truncated", "'cover.png' is damaged or cut short"),
            accounts.FairUseExceeded("dataBytes", 20_000_000_000, 20_000_000_000, story.MONTH_ENDS),
        ),
    ),
    ("get", "/fetchResponses"): Words(
        "fetchResponses",
        "Fetch past responses",
        problems=(
            BadQuery(
                "filterResponseValues[0].operation: is not an operation; known are equal, notEqual, …",
                [Fault("filterResponseValues[0].operation", "unknown_operation", "is not an operation; known are …")],
            ),
        ),
    ),
    ("get", "/queryResponses"): Words("queryResponses", "Fetch past responses, the earlier way"),
    ("get", "/responses/export"): Words(
        "exportResponses",
        "Export responses",
        "Lines come in the order of the decisions and are sent as they are read; if something fails on the way, the "
        "connection is broken off. A line's `cursor`, given as `after`, goes on behind it.",
        problems=(
            NotFound("review type", story.FORM_ID),
            BadQuery(
                "fieldIds: 'heading' is not a field of the review type.",
                [Fault("fieldIds", "unknown_field", "'heading' is not a field of the review type")],
            ),
            ParquetNotInstalled(),
        ),
    ),
    ("get", "/insights"): Words(
        "getInsights",
        "See how reviews go",
        problems=(
            BadQuery("to: is before `from`.", [Fault("to", "out_of_order", "is before `from`")]),
            InsightsTooSlow("It was not done after 15 seconds. Ask about fewer days, or about one agent."),
        ),
    ),
    ("get", "/events"): Words("listEvents", "Pull events"),
    ("get", "/webhooks/deliveries"): Words("listDeliveries", "List deliveries"),
    ("get", "/webhooks/deliveries/{deliveryId}"): Words("getDelivery", "Fetch a delivery"),
    ("get", "/webhooks/deliveries/{deliveryId}/event"): Words("getDeliveryEvent", "Fetch a delivery's event"),
    ("post", "/webhooks/deliveries/retry"): Words("retryDeliveries", "Retry many deliveries"),
    ("post", "/webhooks/deliveries/cancel"): Words("cancelDeliveries", "Stop many deliveries' attempts"),
    ("post", "/webhooks/deliveries/{deliveryId}/retry"): Words(
        "retryDelivery",
        "Retry a delivery",
        problems=(DeliveryUnderWay("The delivery is retrying; only a settled one can be retried by hand."),),
    ),
    ("post", "/webhooks/deliveries/{deliveryId}/cancel"): Words(
        "cancelDelivery",
        "Stop a delivery's attempts",
        problems=(DeliverySettled("The delivery is succeeded already."),),
    ),
    ("get", "/forms"): Words("listForms", "List review types"),
    ("post", "/forms"): Words("createForm", "Create a review type", problems=(_BAD_FORM,)),
    ("get", "/forms/{formId}"): Words("getForm", "Fetch a review type", "One review type in its present version."),
    ("patch", "/forms/{formId}"): Words(
        "changeForm",
        "Change a review type",
        problems=(
            VersionConflict(
                f"You changed version 1; the present version is 2, saved by {story.EDITOR} at {story.RESPONDED_AT}.",
                version=2,
                currentVersion=2,
                savedBy=story.EDITOR,
                savedAt=story.RESPONDED_AT,
            ),
            _BAD_FORM,
        ),
    ),
    ("delete", "/forms/{formId}"): Words("archiveForm", "Archive a review type"),
    ("get", "/forms/{formId}/versions"): Words("listFormVersions", "List a review type's versions"),
    ("get", "/forms/{formId}/versions/{version}"): Words(
        "getFormVersion", "Fetch a version of a review type", "One version, present or past, with its definition."
    ),
    ("get", "/forms/{formId}/compare"): Words("compareFormVersions", "Compare versions of a review type"),
    ("get", "/forms/{formId}/code"): Words("getFormCode", "Fetch a review type's types as code"),
    ("get", "/forms/{formId}/export"): Words("exportForm", "Export a review type"),
    ("post", "/forms/{formId}/restore"): Words("restoreFormVersion", "Restore a version of a review type"),
    ("post", "/forms/{formId}/unarchive"): Words(
        "unarchiveForm",
        "Bring back an archived review type",
        problems=(
            AgentGone("The agent it belongs to was deleted. Give it another agentId first.", agentId=story.AGENT_ID),
        ),
    ),
    ("post", "/forms/{formId}/duplicate"): Words("duplicateForm", "Duplicate a review type"),
    ("get", "/forms/templates"): Words("listFormTemplates", "List templates of review types"),
    ("post", "/forms/check"): Words(
        "checkForm", "Check a review type before it is saved", problems=(NotFound("review type", story.FORM_ID),)
    ),
    ("post", "/forms/preview"): Words(
        "tryOutForm", "Try out a review type before it is saved", problems=(NotFound("review type", story.FORM_ID),)
    ),
    ("post", "/forms/fromSample"): Words("makeFormFromSample", "Make a definition from a sample"),
    ("post", "/forms/import"): Words(
        "importForm",
        "Import a review type",
        problems=(_invalid("signoff", "unsupported_format", "is form/2, of another version of the service"),),
    ),
    ("post", "/forms/{formId}/preview"): Words(
        "previewForm",
        "Preview a request",
        problems=(_invalid("data.score", "wrong_type", "must be a number, not a string"),),
    ),
    ("get", "/fetchReviewForms"): Words(
        "fetchReviewForms", "Fetch all review types with their fields", "For every valid key, and everybody signed in."
    ),
    ("get", "/fetchSchemaForFormFields"): Words(
        "fetchSchemaForFormFields",
        "Fetch JSON Schemas of a review type's requests",
        "For every valid key, and everybody signed in.",
        problems=(NotFound("review type", story.FORM_ID),),
    ),
    ("get", "/agents"): Words("listAgents", "List agents"),
    ("post", "/agents"): Words("createAgent", "Create an agent"),
    ("get", "/agents/{agentId}"): Words("getAgent", "Fetch an agent", "One agent, without its secret."),
    ("patch", "/agents/{agentId}"): Words("changeAgent", "Change an agent"),
    ("delete", "/agents/{agentId}"): Words(
        "deleteAgent",
        "Delete an agent",
        problems=(AgentInUse("2 review types belong to this agent. Archive them first."),),
    ),
    ("post", "/agents/{agentId}/rotateSecret"): Words("rotateAgentSecret", "Rotate an agent's secret"),
    ("post", "/agents/{agentId}/testEvent"): Words(
        "sendTestEvent",
        "Send a test event",
        "It is no delivery: it is not recorded as one, and not tried again.",
        problems=(NoWebhook("The agent has no webhook URL to send a test event to."),),
    ),
    ("get", "/auth/methods"): Words("listSignInMethods", "See how to sign in"),
    ("post", "/auth/login"): Words(
        "signIn", "Sign in with a password", problems=(accounts.InvalidCredentials(), _TOO_MANY_FAILURES)
    ),
    ("post", "/auth/forgotPassword"): Words(
        "forgotPassword",
        "Have a link sent for a forgotten password",
        problems=(accounts.TooManyResets("Too many links were asked for from this client. Try again later.", 1800),),
    ),
    ("post", "/auth/link"): Words(
        "useSignInLink",
        "Sign in with a one-time link",
        problems=_LINK_PROBLEMS,
    ),
    ("post", "/auth/linkInfo"): Words("getLinkInfo", "See whom a one-time link is for", problems=_LINK_PROBLEMS),
    ("post", "/auth/logout"): Words("signOut", "Sign out"),
    ("get", "/auth/me"): Words("getMe", "See who is signed in"),
    ("patch", "/auth/me"): Words(
        "changeProfile",
        "Change one's own profile",
        problems=(
            accounts.EmailTaken(story.EDITOR),
            accounts.ProfileChanged("The person was disabled or got another password at the same moment."),
            _TOO_MANY_FAILURES,
            _invalid("currentPassword", "wrong_password", "is not the current password"),
            _invalid("preferences.agents.agt_x", "unknown_agent", "is not an agent of this account"),
        ),
    ),
    ("get", "/auth/me/nextMail"): Words("getNextMail", "See when the next mail about reviews comes"),
    ("get", "/auth/me/absence"): Words("getOwnAbsence", "See when one is away"),
    ("put", "/auth/me/absence"): Words(
        "setOwnAbsence",
        "Say that one is away",
        problems=(
            Invalid(
                [
                    Fault("until", "in_the_past", "must be in the future"),
                    Fault("delegate", "cannot_decide", f"{story.EDITOR!r} is a viewer, who cannot decide reviews"),
                ]
            ),
        ),
    ),
    ("delete", "/auth/me/absence"): Words("endOwnAbsence", "Be back"),
    ("get", "/auth/sessions"): Words("listOwnSessions", "List where one is signed in"),
    ("delete", "/auth/sessions/{sessionId}"): Words("endOwnSession", "End one of one's sessions"),
    ("delete", "/auth/sessions"): Words("endOtherSessions", "End one's other sessions"),
    ("get", "/users"): Words("listUsers", "List people"),
    ("post", "/users"): Words(
        "inviteUser",
        "Invite a person",
        problems=(accounts.EmailTaken(story.EDITOR), accounts.OwnerNeeded("Only an owner can make another owner.")),
    ),
    ("get", "/users/{userId}"): Words("getUser", "Fetch a person", "One person of the account."),
    ("patch", "/users/{userId}"): Words(
        "changeUser", "Change a person", problems=(_LAST_OWNER, _OWNER_NEEDED, _NOT_YOURSELF)
    ),
    ("delete", "/users/{userId}"): Words(
        "disableUser", "Disable a person", problems=(_LAST_OWNER, _OWNER_NEEDED, _NOT_YOURSELF)
    ),
    ("post", "/users/{userId}/signInLink"): Words(
        "makeSignInLink",
        "Make a one-time sign-in link",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can make a sign-in link."),
            accounts.OwnerNeeded("Only an owner can make a sign-in link for an owner."),
            accounts.UserDisabled("A disabled person cannot sign in. Enable them first."),
        ),
    ),
    ("get", "/groups"): Words("listGroups", "List groups"),
    ("post", "/groups"): Words("createGroup", "Create a group", problems=(_GROUP_NAME_TAKEN, _UNKNOWN_MEMBER)),
    ("get", "/groups/{groupId}"): Words("getGroup", "Fetch a group", "One group with its members."),
    ("patch", "/groups/{groupId}"): Words(
        "changeGroup", "Change a group", problems=(_GROUP_NAME_TAKEN, _UNKNOWN_MEMBER)
    ),
    ("delete", "/groups/{groupId}"): Words(
        "deleteGroup",
        "Delete a group",
        problems=(accounts.GroupInUse("Pending reviews assigned to this group: 3."),),
    ),
    ("get", "/apiKeys"): Words("listApiKeys", "List API keys"),
    ("post", "/apiKeys"): Words("createApiKey", "Create an API key", problems=(_IN_THE_PAST,)),
    ("get", "/apiKeys/{keyId}"): Words("getApiKey", "Fetch an API key", "One API key, without the key itself."),
    ("patch", "/apiKeys/{keyId}"): Words(
        "changeApiKey",
        "Change an API key",
        problems=(accounts.KeyRevoked("A revoked key stays revoked. Make a new one."), _IN_THE_PAST),
    ),
    ("delete", "/apiKeys/{keyId}"): Words("revokeApiKey", "Revoke an API key"),
    ("get", "/authCheck"): Words("checkCredentials", "Check credentials"),
    ("get", "/account"): Words("getAccount", "Fetch the account"),
    ("patch", "/account"): Words(
        "changeAccount", "Change the account", problems=(accounts.OwnerNeeded("Only an owner can change the plan."),)
    ),
    ("post", "/account/rotateAuditSecret"): Words("rotateAuditSecret", "Rotate the audit webhook's secret"),
    ("post", "/account/mail/test"): Words(
        "sendTestMail",
        "Send a test mail",
        problems=(accounts.PersonNeeded("Sign in: a test mail goes to the person who asks for it."),),
    ),
    ("get", "/mails"): Words("listMails", "List the mails"),
    ("post", "/mails/{mailId}/resend"): Words(
        "resendMail",
        "Send a mail again",
        problems=(
            mails.MailSent("The mail was sent. What is in it is not kept, so it cannot be sent again."),
            mails.MailUnderWay("The mail is being handed over to the mail server. See in a while how it went."),
            mails.MailContentGone("What was in the mail is not kept for so long. Cause it anew instead."),
        ),
    ),
    ("get", "/notifications/unsubscribe"): Words(
        "askToUnsubscribe", "See a page that ends the mails about reviews", problems=(_NOT_OUR_LINK,)
    ),
    ("post", "/notifications/unsubscribe"): Words(
        "unsubscribe",
        "End the mails about reviews",
        "What `List-Unsubscribe` of such a mail leads to (RFC 8058).",
        problems=(_NOT_OUR_LINK,),
    ),
    ("get", "/chatApps"): Words("listChatApps", "List the chat apps"),
    ("put", "/chatApps/slack"): Words(
        "connectSlack",
        "Connect Slack",
        problems=(
            accounts.PersonNeeded("Only a signed-in administrator can connect a chat app."),
            accounts.OwnerNeeded("Only an owner can enter a signing secret: with it one can decide in anybody's name."),
            Invalid([Fault("botToken", "invalid_auth", "Slack does not know the token.")]),
            chat_apps.ChatAppNotReached("The host took too long to answer. Nothing was changed."),
        ),
    ),
    ("put", "/chatApps/mattermost"): Words(
        "connectMattermost",
        "Connect Mattermost",
        problems=(accounts.PersonNeeded("Only a signed-in administrator can connect a chat app."),),
    ),
    ("delete", "/chatApps/slack"): Words("disconnectSlack", "Disconnect Slack", problems=(_NOT_CONNECTED,)),
    ("delete", "/chatApps/mattermost"): Words(
        "disconnectMattermost", "Disconnect Mattermost", problems=(_NOT_CONNECTED,)
    ),
    ("post", "/chatApps/{app}/test"): Words("testChatApp", "Test a chat app", problems=(_NOT_CONNECTED,)),
    ("get", "/chatApps/{app}/channels"): Words("getChatAppChannels", "See which channels reviews go to"),
    ("put", "/chatApps/{app}/channels"): Words(
        "putChatAppChannels",
        "Choose which channels reviews go to",
        problems=(
            _NOT_CONNECTED,
            Invalid([Fault(f"agents.{story.AGENT_ID}", "unknown_agent", f"there is no agent '{story.AGENT_ID}'")]),
        ),
    ),
    ("post", "/slack/interactivity"): Words(
        "takeSlackClick",
        "Take a click from Slack",
        problems=(
            chat_apps.SlackSignatureInvalid(
                "The request is not signed by a Slack app that is connected here, or it is older than five minutes."
            ),
        ),
    ),
    ("get", "/usage"): Words("getUsage", "See what was used"),
    ("get", "/auditLog"): Words("listAuditLog", "List the audit log"),
    ("get", "/demo"): Words("getDemo", "See whether there is a demo"),
    ("delete", "/demo"): Words(
        "removeDemo",
        "Remove the demo",
        problems=(
            NoDemo(),
            accounts.OwnerNeeded("Only an owner can remove the demo: the whole workspace is emptied."),
        ),
    ),
}


def words_of(method: str, path: str, name: str) -> Words:
    """Those written here, else made of the function's name, so that a new route is never without."""
    if known := OPERATIONS.get((method, path)):
        return known
    first, *rest = name.split("_")
    return Words(first + "".join(map(str.capitalize, rest)), " ".join((first.capitalize(), *rest)))
