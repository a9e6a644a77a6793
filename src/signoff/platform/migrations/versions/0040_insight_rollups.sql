-- Statistics of days that are over (docs/decisions/0044). Days are UTC; a row is about the quarter of an hour, or the
-- day, that begins at `start`. An empty ID stands for all agents, review types, or people.

-- Everything between these days is rolled up, except for days with changes.
create table insight_days (
    account_id text primary key,
    first_day  timestamptz not null,
    next_day   timestamptz not null
);

-- Days whose rows were changed after they may have been rolled up. Only inserted, so that no writer waits for another.
create table insight_changes (
    change_id  bigint generated always as identity primary key,
    account_id text not null,
    part       text not null check (part in ('decisions', 'deliveries', 'requests')),
    day        timestamptz not null
);
create index insight_changes_day on insight_changes (account_id, part, day);

create table insight_decisions (
    account_id    text not null,
    scope         smallint not null,
    start         timestamptz not null,
    agent_id      text not null,
    form_id       text not null,
    person_id     text not null,
    decided       integer not null,
    approved      integer not null,
    rejected      integer not null,
    edited        integer not null,
    auto_approved integer not null,
    -- How many of the decisions by people took how long.
    bins          smallint[],
    bin_counts    integer[],
    primary key (account_id, scope, start, agent_id, form_id, person_id)
);

create table insight_edits (
    account_id   text not null,
    start        timestamptz not null,
    agent_id     text not null,
    form_id      text not null,
    form_version integer not null,
    -- Empty for the version's decisions.
    field_id     text not null,
    decided      integer not null,
    approved     integer not null,
    edited       integer not null,
    absent       integer not null,
    primary key (account_id, start, agent_id, form_id, form_version, field_id)
);

create table insight_requests (
    account_id text not null,
    start      timestamptz not null,
    agent_id   text not null,
    form_id    text not null,
    requested  integer not null,
    primary key (account_id, start, agent_id, form_id)
);

create table insight_deliveries (
    account_id text not null,
    start      timestamptz not null,
    agent_id   text not null,
    form_id    text not null,
    status     text not null,
    first_try  boolean not null,
    count      integer not null,
    primary key (account_id, start, agent_id, form_id, status, first_try)
);

create table insight_durations (
    account_id      text not null,
    start           timestamptz not null,
    agent_id        text not null,
    form_id         text not null,
    milliseconds    integer[] not null,
    duration_counts integer[] not null,
    primary key (account_id, start, agent_id, form_id)
);

-- A day is rolled up an hour after it's over. Whatever changes a row that's older than an hour notes the row's day.
-- Once per transaction is enough.
create function note_insight_change(changed_account text, changed_part text, at timestamptz) returns void
language sql as $$
    insert into insight_changes (account_id, part, day)
    select changed_account, changed_part, date_bin('1 day', at, 'epoch')
    where at is not null and not exists (
        select from insight_changes
        where account_id = changed_account and part = changed_part and day = date_bin('1 day', at, 'epoch')
          and xmin = pg_current_xact_id()::xid
    )
$$;

create function note_late_review() returns trigger language plpgsql as $$
begin
    perform note_insight_change(new.account_id, 'requests', new.created_at),
            note_insight_change(new.account_id, 'decisions', new.responded_at);
    if tg_op = 'UPDATE' then
        perform note_insight_change(old.account_id, 'requests', old.created_at),
                note_insight_change(old.account_id, 'decisions', old.responded_at);
    end if;
    return null;
end $$;
create trigger reviews_inserted_late after insert on reviews for each row
    when (least(new.created_at, new.responded_at) < clock_timestamp() - interval '1 hour')
    execute function note_late_review();
create trigger reviews_changed_late after update on reviews for each row
    when (least(old.responded_at, new.responded_at) < clock_timestamp() - interval '1 hour'
          and (old.agent_id, old.form_id, old.form_version, old.responding_user_id, old.responded_at, old.response,
               old.auto_approved, old.timed_out, old.edited_fields, old.absent_fields, old.created_at)
              is distinct from
              (new.agent_id, new.form_id, new.form_version, new.responding_user_id, new.responded_at, new.response,
               new.auto_approved, new.timed_out, new.edited_fields, new.absent_fields, new.created_at))
    execute function note_late_review();

create function note_deleted_reviews() returns trigger language plpgsql as $$
begin
    insert into insight_changes (account_id, part, day)
    select distinct account_id, 'requests', date_bin('1 day', created_at, 'epoch') from deleted
    union all
    select distinct account_id, 'decisions', date_bin('1 day', responded_at, 'epoch') from deleted
    where responded_at is not null;
    return null;
end $$;
create trigger reviews_deleted after delete on reviews referencing old table as deleted
    for each statement execute function note_deleted_reviews();

create function note_late_delivery() returns trigger language plpgsql as $$
begin
    perform note_insight_change(new.account_id, 'deliveries', new.created_at);
    return null;
end $$;
create trigger outgoing_messages_inserted_late after insert on outgoing_messages for each row
    when (new.channel = 'webhook' and new.created_at < clock_timestamp() - interval '1 hour')
    execute function note_late_delivery();
create trigger outgoing_messages_changed_late after update on outgoing_messages for each row
    when (new.channel = 'webhook' and new.created_at < clock_timestamp() - interval '1 hour'
          and (old.state, old.is_stopped, old.is_manual, old.attempts = '[]', old.first_ok, old.duration_ms)
              is distinct from
              (new.state, new.is_stopped, new.is_manual, new.attempts = '[]', new.first_ok, new.duration_ms))
    execute function note_late_delivery();

create function note_deleted_deliveries() returns trigger language plpgsql as $$
begin
    insert into insight_changes (account_id, part, day)
    select distinct account_id, 'deliveries', date_bin('1 day', created_at, 'epoch') from deleted
    where channel = 'webhook';
    return null;
end $$;
create trigger outgoing_messages_deleted after delete on outgoing_messages referencing old table as deleted
    for each statement execute function note_deleted_deliveries();
