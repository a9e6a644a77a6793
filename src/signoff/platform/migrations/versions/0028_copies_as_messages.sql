insert into outgoing_messages
    (message_id, account_id, channel, destination, state, due_at, attempt_count, error, settled_at, created_at)
select copy_id, account_id, 'media', coalesce(substring(url from '^[^/]*//[^/?#]*'), ''),
       case state when 'pending' then 'queued' else 'failed' end,
       case when state = 'pending' then coalesce(next_try_at, now()) end,
       attempts, error, case when state = 'failed' then updated_at end, created_at
from media_copies where state <> 'copied';

delete from pgqueuer where entrypoint = 'media.copy';
alter table media_copies drop column attempts;
