-- Up to where each reader has handled its log.

create table log_cursors (
    reader   text primary key,
    position bigint not null
);
insert into log_cursors (reader, position) select 'notifications', position from followed_log;
drop table followed_log;
