-- What has to be sent, and how that went. The content is in the channel's own table, under the same ID.

create table outgoing_messages (
    message_id     text primary key,
    account_id     text not null,
    channel        text not null,
    destination    text not null,
    state          text not null default 'queued'
                   check (state in ('queued', 'sending', 'sent', 'failed', 'unclear')),
    due_at         timestamptz,
    claimed_at     timestamptz,
    handed_over_at timestamptz,
    attempt_count  integer not null default 0,
    attempts       jsonb not null default '[]',
    error          text,
    settled_at     timestamptz,
    created_at     timestamptz not null default now(),
    check ((state in ('queued', 'sending')) = (settled_at is null)),
    check ((state = 'sending') = (claimed_at is not null))
);
-- What a worker looks at next: messages to send, and those whose worker may have died.
create index outgoing_messages_due on outgoing_messages (channel, due_at) where due_at is not null;
-- Nearly all are sent; people look for the others.
create index outgoing_messages_unsent on outgoing_messages (account_id, channel, state, message_id)
    where state <> 'sent';

insert into outgoing_messages
    (message_id, account_id, channel, destination, state, due_at, claimed_at, handed_over_at, attempt_count, error,
     settled_at, created_at)
select mail_id, account_id, 'mail', 'mail server',
       case state when 'waiting' then 'queued' else state end,
       case state when 'waiting' then due_at when 'sending' then now() end,
       case when state = 'sending' then sending_at end, case when state = 'sending' then sending_at end,
       attempts, error,
       case when state not in ('waiting', 'sending') then coalesce(settled_at, created_at) end, created_at
from mails;

delete from pgqueuer where entrypoint = 'mails.send';
drop index mails_state;
alter table mails
    drop column state,
    drop column attempts,
    drop column error,
    drop column due_at,
    drop column sending_at,
    drop column settled_at;
