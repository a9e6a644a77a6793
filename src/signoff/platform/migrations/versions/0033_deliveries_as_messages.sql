-- What insights show of the attempts: how long the latest took, and whether the first one succeeded.
alter table deliveries
    add column duration_ms integer,
    add column first_try   boolean;
update deliveries set
    duration_ms = (attempts -> -1 ->> 'durationMs')::integer,
    first_try = (attempts -> 0 ->> 'ok')::boolean
where attempts <> '[]';

alter table outgoing_messages add column is_released boolean not null default false;

-- A delivery waits for its tool's response (waits_for), or with its event for copies of media.
insert into outgoing_messages
    (message_id, account_id, channel, destination, state, due_at, attempt_count, max_attempts, attempts, is_manual,
     is_stopped, error, settled_at, created_at)
select d.delivery_id, d.account_id, 'webhook', coalesce(substring(d.url from '^[^/]*//[^/?#]*'), ''),
    case d.status when 'succeeded' then 'sent' when 'dead' then 'failed' else 'queued' end,
    case when d.status not in ('succeeded', 'dead') and d.waits_for is null and e.media_until is null
        then coalesce(d.next_retry_at, d.attempt_lost_at, now()) end,
    d.attempt_count, d.max_attempts,
    (
        select coalesce(jsonb_agg(
            a.attempt - 'attemptId' - 'scheduledBy'
                || case when a.attempt ->> 'scheduledBy' = 'manual' then '{"isManual": true}'::jsonb else '{}' end
            order by a.place), '[]')
        from jsonb_array_elements(d.attempts) with ordinality as a (attempt, place)
        where a.place > jsonb_array_length(d.attempts) - 100
    ),
    d.status not in ('succeeded', 'dead') and coalesce(d.attempt_ordered = 'manual', false),
    d.status not in ('succeeded', 'dead') and d.retries_cancelled,
    case when not d.ok then d.status_text end,
    case when d.status in ('succeeded', 'dead') then d.updated_at end, d.triggered_at
from deliveries d left join events e using (account_id, event_id);

update deliveries set status = case when attempt_count = 0 then 'pending' else 'retrying' end
where status = 'delivering';

delete from pgqueuer where entrypoint = 'webhooks.deliver';
alter table deliveries
    drop column attempts,
    drop column attempt_ordered,
    drop column attempt_started,
    drop column attempt_lost_at;
