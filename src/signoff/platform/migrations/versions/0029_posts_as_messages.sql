-- When a message is sent again, because its content has changed since the last attempt began.
alter table outgoing_messages add column again_at timestamptz;

insert into outgoing_messages
    (message_id, account_id, channel, destination, state, due_at, handed_over_at, settled_at, created_at)
select post_id, account_id, 'chat', app || ':' || account_id, state,
    case when state = 'queued' then now() end, case when posted_at is null then posting_at end,
    case when state <> 'queued' then touched_at end, created_at
from (
    select p.*, case
        when queued or claimed_until is not null then 'queued'
        when done = wanted then 'sent'
        -- Until now, a job retried these for three days.
        when coalesce(posted_at, posting_at) is not null and touched_at > now() - interval '3 days' then 'queued'
        else 'failed'
    end as state
    from chat_posts p
) as posts;

delete from pgqueuer where entrypoint = 'chat.post';
drop index chat_posts_behind;
alter table chat_posts
    drop column wanted,
    drop column done,
    drop column queued,
    drop column attempts,
    drop column claimed_until,
    drop column posting_at,
    drop column touched_at;
