-- Sessions: chat, who takes part in it, and deliveries that stand in line.

-- `message_count` is the number of the latest message too. `chat`: it was begun as one, or has a message.
alter table sessions
    add column active_at     timestamptz not null default now(),
    add column message_count integer not null default 0,
    add column chat          boolean not null default false;

update sessions set active_at = created_at;
update sessions s set active_at = greatest(s.created_at, r.latest)
from (select account_id, session_id, max(created_at) as latest from reviews group by account_id, session_id) as r
where r.account_id = s.account_id and r.session_id = s.session_id;

-- Every list of sessions is a merge of walks, one for each agent: so one index does for all of them, and a session that
-- comes with a review pays for one. Those with a chat or with a name have some of their own.
create index sessions_agent on sessions (account_id, agent_id, active_at, session_id);
create index sessions_chat on sessions (account_id, agent_id, active_at, session_id) where chat;
create index sessions_name on sessions using gin (to_tsvector('simple', name)) where name is not null;

-- Numbered from 1 without a gap: a number is taken with the session's row locked, and kept until the commit.
create table messages (
    account_id  text not null,
    session_id  text not null,
    number      integer not null,
    message_id  text not null,
    role        text not null check (role in ('human', 'agent')),
    -- A user's ID, or an API key's.
    author_id   text not null,
    text        text not null,
    -- [{mediaId, name, contentType, size}]
    attachments json,
    review_id   text,
    streaming   boolean not null default false,
    -- When the latest piece of a streaming one came.
    heard_at    timestamptz not null default now(),
    -- The agent's delivery of it, if there is one.
    delivery_id text,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    -- What grows piece by piece is found once it is whole.
    document    tsvector generated always as (case when not streaming then to_tsvector('simple', text) end) stored,
    primary key (account_id, session_id, number)
);
create unique index messages_id on messages (account_id, message_id);
create index messages_document on messages using gin (document);

-- Which message has which media. As with reviews, the foreign key holds what is in use.
create table message_media (
    account_id text not null,
    message_id text not null,
    media_id   text not null,
    primary key (account_id, message_id, media_id),
    foreign key (account_id, media_id) references media (account_id, media_id)
);
create index message_media_media on message_media (account_id, media_id);

-- The people who take part, and how far each has read. `unread` says what the numbers say, so that an index has it.
create table session_people (
    account_id  text not null,
    session_id  text not null,
    user_id     text not null references users on delete cascade,
    since       timestamptz not null default now(),
    read_number integer not null default 0,
    unread      boolean not null default false,
    primary key (account_id, session_id, user_id)
);
create index session_people_unread on session_people (account_id, user_id) where unread;

-- What is true for moments only: the agent is at work, somebody is typing. Worth nothing after a crash.
create unlogged table session_working (
    account_id text not null,
    session_id text not null,
    text       text,
    since      timestamptz not null default now(),
    until      timestamptz not null,
    primary key (account_id, session_id)
) with (fillfactor = 50);
create unlogged table session_typing (
    account_id text not null,
    session_id text not null,
    user_id    text not null,
    until      timestamptz not null,
    primary key (account_id, session_id, user_id)
) with (fillfactor = 50);

-- Deliveries of one session to one target stand in line by this number, which is the message's.
alter table deliveries add column line_number integer;
create index deliveries_line on deliveries (account_id, session_id, target, line_number)
    where line_number is not null and status in ('pending', 'delivering', 'retrying');
