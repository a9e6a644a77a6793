"""Mails to people without an account: who asks, what it is about, and the link that only they get."""

from collections.abc import Collection, Mapping
from datetime import datetime

from signoff.accounts.actors import Actor
from signoff.forms.values import Suggestion, prepare
from signoff.forms.versions import FormVersion, pinned_version
from signoff.platform.clock import iso
from signoff.platform.db import Executor, Row
from signoff.platform.mail_outbox import order_mail
from signoff.platform.settings import Settings
from signoff.reviews.first_values import first_values
from signoff.reviews.links import external_link


async def mail_links(
    tx: Executor,
    settings: Settings,
    actor: Actor,
    *,
    review_id: str,
    agent_id: str,
    title: str | None,
    form: FormVersion,
    suggestion: Suggestion,
    tokens: Mapping[str, str],
    until: datetime,
) -> None:
    """In the transaction that makes the links. `tokens` are by address."""
    if not tokens:
        return
    about = {
        "asked_by": await _who_asks(tx, actor, agent_id),
        "form_name": form.name,
        "title": title,
        "values": first_values(form.definition, suggestion),
        "expires_at": iso(until),
    }
    for email, token in tokens.items():
        await order_mail(
            tx,
            "external_review",
            account_id=actor.account_id,
            to=email,
            context={"link": external_link(settings, review_id, token), "review_id": review_id, **about},
        )


async def mail_links_of(
    tx: Executor, settings: Settings, actor: Actor, review: Row, tokens: Mapping[str, str], until: datetime
) -> None:
    """For a review that is there, and locked."""
    if not tokens:
        return
    form = await pinned_version(tx, review["form_id"], review["form_version"])
    await mail_links(
        tx,
        settings,
        actor,
        review_id=review["review_id"],
        agent_id=review["agent_id"],
        title=review["title"],
        form=form,
        suggestion=prepare(form.definition, review["data"], review["config"]),
        tokens=tokens,
        until=until,
    )


async def withdraw_mails(tx: Executor, account_id: str, review_id: str, keeping: Collection[str] = ()) -> None:
    """Links that have ended are not sent any more, and what stands in their mails is removed; but for `keeping`."""
    await tx.execute(
        """
        update mails set state = 'failed', error = 'The link has ended.', context = null, settled_at = now()
        where account_id = $1 and context ->> 'review_id' = $2 and kind = 'external_review'
          and state in ('waiting', 'failed', 'unclear') and to_email <> all($3::text[])
        """,
        account_id,
        review_id,
        list(keeping),
    )


async def _who_asks(tx: Executor, actor: Actor, agent_id: str) -> str:
    """The person, or the agent that a key speaks for."""
    if actor.kind == "external":
        return actor.name
    if actor.kind == "user":
        query = "select name from users where account_id = $1 and user_id = $2"
        return await tx.fetchval(query, actor.account_id, actor.id)
    return await tx.fetchval(
        "select name from agents where account_id = $1 and agent_id = $2", actor.account_id, agent_id
    )
