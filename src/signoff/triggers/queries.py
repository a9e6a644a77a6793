"""Read trigger forms, and what a page needs to show one."""

from typing import Any

from signoff.accounts.context import Caller
from signoff.forms.queries import TRANSLATED_NAMES
from signoff.forms.submission import response_values
from signoff.forms.suggestion import trigger_suggestion
from signoff.forms.versions import FormVersion, current_version, invalidate_current_version
from signoff.media.signed_payloads import sign_media_urls
from signoff.platform.settings import Settings
from signoff.platform.sql import Sql
from signoff.triggers.errors import form_changed, no_agent, not_a_trigger
from signoff.triggers.schemas import TriggerRow, Triggers

MAX_LISTED = 1_000


LIST_TRIGGERS = Sql(
    """
    select f.form_id, f.name, f.agent_id, a.name as agent_name, {translated_names},
           exists (select from public_links l where l.account_id = :account_id and l.form_id = f.form_id
                   and l.ended_at is null) as public
    from forms f
    join form_versions v using (form_id, version)
    join agents a on a.account_id = f.account_id and a.agent_id = f.agent_id and a.deleted_at is null
    where f.account_id = :account_id and f.archived_at is null and v.definition ->> 'trigger' = 'true'
      and (:agent_id::text is null or f.agent_id = :agent_id)
    order by lower(f.name), f.form_id limit :limit
    """,
    translated_names=TRANSLATED_NAMES,
)


async def list_triggers(caller: Caller, agent_id: str | None) -> Triggers:
    """List the forms that can be submitted: active, and with an agent. By name."""
    rows = await LIST_TRIGGERS.fetch(caller.db, account_id=caller.account_id, agent_id=agent_id, limit=MAX_LISTED)
    return Triggers(items=[TriggerRow.model_validate(dict(row)) for row in rows])


async def read_latest_trigger(caller: Caller, form_id: str) -> tuple[FormVersion, str]:
    """Return the form to display. It always reads the latest version: another process may have saved one, and no
    write would reveal that.
    """
    invalidate_current_version(caller.db, caller.account_id, form_id)
    return await trigger_version(caller, form_id)


async def trigger_version(caller: Caller, form_id: str, version: int | None = None) -> tuple[FormVersion, str]:
    """Return the trigger form and its agent's ID, for callers that check for changes when they write.

    `version`, if given, must be the current one.
    """
    form = await current_version(caller.db, caller.account_id, form_id)
    if version is not None and version != form.version:
        # Another process may have saved the requested version.
        invalidate_current_version(caller.db, caller.account_id, form_id)
        form = await current_version(caller.db, caller.account_id, form_id)
        if version != form.version:
            raise form_changed(form.version)
    if not form.trigger:
        raise not_a_trigger()
    if form.agent_id is None:
        raise no_agent()
    return form, form.agent_id


async def get_trigger(caller: Caller, form_id: str) -> dict[str, Any]:
    form, agent_id = await read_latest_trigger(caller, form_id)
    definition = {"formId": form.form_id, "version": form.version, "name": form.name, **form.definition.to_json()}
    return {
        "formId": form.form_id,
        "formName": form.name,
        "agentId": agent_id,
        "agentName": await agent_name(caller, agent_id),
        "version": form.version,
        "definition": definition,
        "suggestion": build_suggestion(caller.settings, caller.account_id, form),
    }


async def agent_name(caller: Caller, agent_id: str) -> str:
    return await caller.db.fetchval(
        "select name from agents where account_id = $1 and agent_id = $2", caller.account_id, agent_id
    )


def build_suggestion(settings: Settings, account_id: str, form: FormVersion) -> dict[str, Any]:
    """Return the initial values, in the format of reviews. There is no content but the form's own."""
    suggestion = trigger_suggestion(form.definition)
    values = response_values(form.definition, suggestion)
    return sign_media_urls(settings, account_id, {"revision": 1, "values": suggestion.values, "responseValues": values})
