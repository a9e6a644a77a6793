-- Telling people: where the follower of the audit log stands, what there is to tell, and when each person gets a mail.

-- What people get who have not chosen otherwise. Only what differs from the defaults in the code.
alter table accounts add column notification_defaults jsonb not null default '{}';

-- One row: up to where the log was followed. It begins at the log's end, so that nobody is told of the past.
create table followed_log (
    one      boolean primary key default true check (one),
    position bigint not null
);
insert into followed_log (position) select coalesce(max(entry_id), 0) from audit_log;

-- What there may be to tell, one row for an entry of the log, whoever hears of it. Who that is, and whether it is still
-- worth a mail, is found out when the mail is written. `newly`: only these people; null: all whom the review asks.
create table review_news (
    account_id text not null,
    entry_id   bigint not null,
    review_id  text not null,
    news       text not null,
    actor_id   text not null,
    newly      text[],
    primary key (account_id, entry_id)
);

create table notified_people (
    user_id        text primary key references users on delete cascade,
    account_id     text not null references accounts,
    -- The first news that they were not told of, and when the mail goes that tells of it and what followed.
    news_from      bigint,
    mail_at        timestamptz,
    mailed_at      timestamptz,
    -- How many mails went out one after another without a pause in the news.
    streak         integer not null default 0,
    -- The choices that the next moments were reckoned from.
    digest_plan    text,
    next_hourly_at timestamptz,
    next_daily_at  timestamptz,
    hourly_sent_at timestamptz,
    check ((news_from is null) = (mail_at is null))
);
create index notified_people_account on notified_people (account_id) where news_from is not null;
create index notified_people_mail on notified_people (mail_at) where mail_at is not null;
create index notified_people_digest on notified_people (least(next_hourly_at, next_daily_at));
