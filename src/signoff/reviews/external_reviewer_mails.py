"""Mails to external reviewers: who asks, what it's about, and their personal link."""

from collections.abc import Collection
from typing import Final

from signoff.accounts.actors import Actor
from signoff.forms.suggestion import Suggestion, read_suggestion
from signoff.forms.versions import FormVersion, get_form_version
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.mail_outbox import enqueue_mail
from signoff.platform.messages import choose_language
from signoff.platform.outbox.messages import cancel_messages
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.reviews.external_access import NewExternalLinks
from signoff.reviews.summary import summarize_values
from signoff.reviews.urls import external_review_url


async def enqueue_external_mails(
    tx: Executor,
    settings: Settings,
    actor: Actor,
    *,
    review_id: str,
    agent_id: str,
    title: str | None,
    form: FormVersion,
    suggestion: Suggestion,
    links: NewExternalLinks,
    language: str | None,
    asked_before: Collection[str] = (),
) -> None:
    """Enqueue the mails in the transaction that creates the links. Those of `asked_before` are told that the
    content is new.
    """
    if not links.tokens:
        return
    default = await tx.fetchval("select language from accounts where account_id = $1", actor.account_id)
    language = choose_language(language, default)
    about = {
        "asked_by": await _requester_name(tx, actor, agent_id),
        "form_name": form.localized_name(language),
        "title": title,
        "values": summarize_values(form.definition, suggestion, language),
        "expires_at": iso(links.until),
    }
    for email, token in links.tokens.items():
        await enqueue_mail(
            tx,
            "external_review",
            account_id=actor.account_id,
            to=email,
            # Several updates in a row send only one mail: a later update cancels the one that hasn't been sent yet.
            delay=settings.mail_collect_seconds if email in asked_before else 0.0,
            context={
                "link": external_review_url(settings, review_id, token),
                "review_id": review_id,
                "updated": email in asked_before,
                "language": language,
                **about,
            },
        )


async def enqueue_review_mails(
    tx: Executor, settings: Settings, actor: Actor, review: Row, links: NewExternalLinks
) -> None:
    """Enqueue the mails for an existing, locked review."""
    if not links.tokens:
        return
    form = await get_form_version(tx, review["form_id"], review["form_version"])
    await enqueue_external_mails(
        tx,
        settings,
        actor,
        review_id=review["review_id"],
        agent_id=review["agent_id"],
        title=review["title"],
        form=form,
        suggestion=read_suggestion(form.definition, review["data"], review["config"]),
        links=links,
        language=review["external_language"],
    )


async def cancel_external_mails(
    tx: Executor,
    account_id: str,
    review_id: str,
    keeping: Collection[str] = (),
    why: str = "The review link no longer works.",
) -> None:
    """Cancel mails that haven't been sent yet, and remove the links in them, except for those to `keeping`."""
    await _CANCEL_MAILS.execute(tx, account_id=account_id, review_id=review_id, keeping=list(keeping), reason=why)


_CANCEL_MAILS: Final = Sql(
    """
    with canceled as (
        {cancel}
        returning o.message_id
    )
    update mails m set context = null from canceled where m.mail_id = canceled.message_id
    """,
    cancel=cancel_messages(
        """
        select mail_id from mails
        where account_id = :account_id and context ->> 'review_id' = :review_id and kind = 'external_review'
          and to_email <> all(:keeping::text[])
        """
    ),
)


async def _requester_name(tx: Executor, actor: Actor, agent_id: str) -> str:
    """Return the name of the person, or of the agent that a key acts for."""
    if actor.kind == "external":
        return actor.name
    if actor.kind == "user":
        query = "select name from users where account_id = $1 and user_id = $2"
        return await tx.fetchval(query, actor.account_id, actor.id)
    return await tx.fetchval(
        "select name from agents where account_id = $1 and agent_id = $2", actor.account_id, agent_id
    )
