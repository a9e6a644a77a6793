-- An attempt changes the message alone. A delivery is written once, so each of its indexes is, too.

alter table outgoing_messages
    -- Messages of a line are sent one after the other, by number.
    add column line        text,
    add column line_number integer,
    add column first_ok    boolean,
    add column duration_ms integer,
    add column updated_at  timestamptz not null default now();
update outgoing_messages o set
    max_attempts = d.max_attempts,
    is_stopped = o.is_stopped or d.retries_cancelled,
    line = case when d.line_number is not null then d.account_id || '/' || d.session_id || '/' || d.target end,
    line_number = d.line_number,
    first_ok = d.first_try,
    duration_ms = d.duration_ms,
    updated_at = d.updated_at
from deliveries d where o.message_id = d.delivery_id;
update outgoing_messages set updated_at = coalesce(settled_at, claimed_at, created_at) where channel <> 'webhook';
create index outgoing_messages_line on outgoing_messages (line, line_number)
    where line is not null and settled_at is null;

drop index deliveries_unsettled, deliveries_agent, deliveries_form, deliveries_line;
create index deliveries_agent on deliveries (account_id, agent_id, delivery_id);
create index deliveries_form on deliveries (account_id, form_id, delivery_id) where form_id is not null;
alter table deliveries
    drop column status,
    drop column ok,
    drop column status_code,
    drop column status_text,
    drop column attempt_count,
    drop column max_attempts,
    drop column next_retry_at,
    drop column retries_cancelled,
    drop column duration_ms,
    drop column first_try,
    drop column updated_at,
    reset (fillfactor);
