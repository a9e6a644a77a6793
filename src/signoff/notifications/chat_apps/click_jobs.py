"""Process a click in a chat app: identify the person, check whether they may decide, and report why if not.

A person is matched by the email that Slack has confirmed for them to a member who may decide this review, exactly as in
the inbox. Nobody else can decide: no bot, nobody from another workspace in a shared channel, no email that a member
entered and nobody confirmed.
"""

from typing import Any, Final, cast

from email_validator import EmailNotValidError

from signoff.accounts.actors import ROLES, Actor, Permission, Role, role_term
from signoff.accounts.schemas import normalize_email
from signoff.forms.suggestion import InvalidValues, read_suggestion
from signoff.forms.versions import get_form_version
from signoff.notifications.chat_apps.adapter import (
    ChatAppError,
    ChatAppRateLimited,
    ChatAppUnreachable,
    Connection,
    PostOutcomeUnknown,
)
from signoff.notifications.chat_apps.card_builder import can_decide_from_post, card_title, language_of_posts
from signoff.notifications.chat_apps.connection_status import ConnectionStatus, get_connection
from signoff.notifications.chat_apps.slack import Slack
from signoff.platform.db import Database, Executor, Row
from signoff.platform.errors import ApiError, InvalidRequest, NotFound
from signoff.platform.jobs.runner import RetryLater
from signoff.platform.logs import get_logger
from signoff.platform.messages import ENGLISH, Message, choose_language, msg
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.decisions import decide_review
from signoff.reviews.schemas import Submission
from signoff.reviews.summary import summarize

log = get_logger("chat apps")

TRY_AGAIN_AFTER, TRIES_FOR_SECONDS = 2.0, 60.0
"""Nobody waits longer for it; after that, the person is told to decide in the inbox."""
TOO_LATE_SECONDS: Final = 600.0
"""A click that isn't processed within this time is dropped: nobody expects it anymore."""
DECIDED: Final = "decided"
DELETED: Final = msg("The review was deleted.")


class ClickRejected(Exception):
    """Why the click had no effect, as a sentence for the person; `user_id` if they were recognized."""

    def __init__(self, why: str, user_id: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.user_id = user_id


_READ_CLICK: Final = Sql(
    "select *, extract(epoch from now() - created_at)::float8 as age from chat_clicks where click_id = :click_id"
)
_FIND_MEMBER: Final = Sql(
    """
    select user_id, email, role from users
    where account_id = :account_id and email = :email and disabled_at is null and not email_unconfirmed
      and (password_hash is not null or last_sign_in_at is not null)
    """
)
_LANGUAGES: Final = Sql(
    """
    select u.language, a.language as workspace_language
    from accounts a left join users u on u.account_id = a.account_id and u.user_id = :user_id
    where a.account_id = :account_id
    """
)


class ClickJob:
    def __init__(self, db: Database, settings: Settings, slack: Slack) -> None:
        self._db = db
        self._settings = settings
        self._slack = slack

    async def carry_out(self, click_id: str) -> None:
        """The job. A click is processed once; a review can only be decided once anyway."""
        click = await _READ_CLICK.fetch_one(self._db, click_id=click_id)
        if click is None or click["outcome"] is not None:
            return
        try:
            await self._carry_out(click)
        except ClickRejected as error:
            if await _mark_processed(self._db, click, str(error)):
                await self._send_ephemeral(click, error)

    async def _carry_out(self, click: Row) -> None:
        """Process the click. This is recorded together with the decision: if the process is killed afterwards,
        nobody sees another message.
        """
        if click["age"] > TOO_LATE_SECONDS:
            raise ClickRejected(msg("This took too long to process. Open the review to decide."))
        connection = await get_connection(self._db, click["account_id"], click["app"])
        if connection is None:
            raise ClickRejected(msg("Slack is no longer connected to this workspace."))
        actor = await self._member(click, connection)
        submission = Submission.model_validate({"response": click["response"], "revision": click["revision"]})
        try:
            async with self._db.transaction() as tx:
                if not await _mark_processed(tx, click, DECIDED):
                    return  # another job was faster
                await _ensure_post_shows_everything(tx, click)
                await decide_review(tx, self._settings, actor, click["review_id"], submission)
        except (InvalidRequest, InvalidValues):
            why = msg("Some fields need your input first. Open the review to fill them in.")
            raise ClickRejected(why, actor.id) from None
        except NotFound:
            raise ClickRejected(DELETED, actor.id) from None
        except ApiError as problem:
            raise ClickRejected(problem.detail, actor.id) from None
        except ClickRejected as error:
            raise ClickRejected(error.why, actor.id) from None

    async def _member(self, click: Row, connection: ConnectionStatus) -> Actor:
        email = await self._confirmed_address(click, connection.connection)
        row = await _FIND_MEMBER.fetch_one(self._db, account_id=click["account_id"], email=email)
        if row is None:
            raise ClickRejected(
                msg(
                    "{email} isn't an active member of this workspace. "
                    "Sign in to Signoff once, or ask an admin for an invite.",
                    email=email,
                )
            )
        role = cast(Role, row["role"])
        actor = Actor(
            "user", click["account_id"], row["user_id"], row["email"], ROLES[role], role, request_id=click["click_id"]
        )
        if not actor.can(Permission.DECIDE):
            raise ClickRejected(msg("Your role ({role}) can't decide reviews.", role=role_term(role)), actor.id)
        return actor

    async def _confirmed_address(self, click: Row, connection: Connection) -> str:
        try:
            profile = await self._slack.get_profile(connection, click["person"])
        except (ChatAppRateLimited, ChatAppUnreachable, PostOutcomeUnknown) as error:
            pause = error.pause if isinstance(error, ChatAppRateLimited) else TRY_AGAIN_AFTER
            if click["age"] + pause < TRIES_FOR_SECONDS:
                raise RetryLater(pause) from None
            raise ClickRejected(_unverified_message(error)) from None
        except ChatAppError as error:
            raise ClickRejected(_unverified_message(error)) from None
        address = profile_address(profile, connection)
        if address is None:
            raise ClickRejected(msg("Your Slack account has no email address we can match to a member."))
        return address

    async def _send_ephemeral(self, click: Row, error: ClickRejected) -> None:
        """Send a message only the person can see. It doesn't matter if it doesn't arrive: the review still waits."""
        if click["response_url"] is None:
            return
        text = msg("Your decision wasn't saved. {reason}", reason=error.why)
        language = await self._language_of(click["account_id"], error.user_id)
        try:
            await self._slack.send_ephemeral(click["response_url"], text.localize(language))
        except ChatAppError as trouble:
            log.warning("click result not shown to the member", click=click["click_id"], code=trouble.code)

    async def _language_of(self, account_id: str, user_id: str | None) -> str:
        row = await _LANGUAGES.fetch_one(self._db, account_id=account_id, user_id=user_id)
        return choose_language(row["language"], row["workspace_language"]) if row is not None else ENGLISH


def _unverified_message(error: ChatAppError) -> Message:
    return msg("We couldn't verify your identity with Slack ({code}). Open the review to decide.", code=error.code)


_READ_REVIEW: Final = Sql(
    """
    select r.form_id, r.form_version, r.title, v.data, v.config
    from reviews r join review_revisions v using (account_id, review_id, revision)
    where r.account_id = :account_id and r.review_id = :review_id
    """
)


async def _ensure_post_shows_everything(tx: Executor, click: Row) -> None:
    """Check again that the post shows everything: it may have been created under other rules."""
    review = await _READ_REVIEW.fetch_one(tx, account_id=click["account_id"], review_id=click["review_id"])
    if review is None:
        raise ClickRejected(DELETED)
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    if form.trigger or not form.decide_from_chat:
        raise ClickRejected(msg("Reviews of this type can only be decided in the inbox."))
    suggestion = read_suggestion(form.definition, review["data"], review["config"])
    language = await language_of_posts(tx, click["account_id"])
    title = card_title(review, form, language)
    summary = summarize(form.definition, suggestion, review["data"], title, language)
    if not can_decide_from_post(form, summary):
        raise ClickRejected(msg("This message doesn't show the whole review. Open the review to decide."))


_MARK_PROCESSED: Final = Sql(
    """
    update chat_clicks set outcome = :outcome, response_url = null where click_id = :click_id and outcome is null
    returning click_id
    """
)


async def _mark_processed(db: Executor, click: Row, outcome: str) -> bool:
    """Mark the click as processed. Returns False if it already was."""
    return await _MARK_PROCESSED.fetch_value(db, click_id=click["click_id"], outcome=outcome) is not None


def profile_address(profile: dict[str, Any], connection: Connection) -> str | None:
    """Return the email of a person in the connected workspace. Shared channels have people of other workspaces,
    whose admins could give them any email.
    """
    if profile.get("deleted") or profile.get("is_bot") or profile.get("is_stranger"):
        return None
    if profile.get("is_email_confirmed") is not True:
        return None
    org = cast(dict[str, Any], profile.get("enterprise_user") or {}).get("enterprise_id")
    at_home = connection.team_id is not None and profile.get("team_id") == connection.team_id
    if not at_home and not (connection.org_id is not None and org == connection.org_id):
        return None
    email = cast(dict[str, Any], profile.get("profile") or {}).get("email")
    try:
        return normalize_email(email) if isinstance(email, str) else None
    except EmailNotValidError:
        return None
