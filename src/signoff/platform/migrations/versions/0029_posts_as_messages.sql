-- When a message is sent again, because its content has changed since the last attempt began.
alter table outgoing_messages add column again_at timestamptz;
