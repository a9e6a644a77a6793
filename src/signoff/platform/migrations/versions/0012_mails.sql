-- Mails: ordered in the transaction of what they tell of, sent by the worker.

-- `context` is what the kind of mail has to know. It may hold the token of a link, and is removed when the mail is sent.
-- `sending` is written right before the mail server gets the last byte: from then on it may have the mail.
create table mails (
    mail_id    text primary key,
    account_id text not null references accounts,
    kind       text not null,
    to_email   text not null,
    user_id    text references users on delete set null,
    once       text,
    context    jsonb,
    state      text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'unclear')),
    attempts   integer not null default 0,
    error      text,
    created_at timestamptz not null default now(),
    due_at     timestamptz not null default now(),
    sending_at timestamptz,
    settled_at timestamptz
);
create unique index mails_once on mails (account_id, once) where once is not null;
create index mails_age on mails (created_at);
create index mails_account on mails (account_id, mail_id);
-- Nearly all are sent; the others are what somebody looks for.
create index mails_state on mails (account_id, state, mail_id) where state <> 'sent';
-- Links that ended are looked for by their review. What is sent has no context any more.
create index mails_review on mails (account_id, (context ->> 'review_id')) where kind = 'external_review' and context is not null;
create index mails_user on mails (user_id) where user_id is not null;

-- Somebody has forgotten a password, or says so. Whether there is such a person is found out by the worker, so that
-- the answer takes as long for one as for the other.
create table password_reset_requests (
    request_id text primary key,
    email      text not null,
    client     text,
    ip         text,
    created_at timestamptz not null default now()
);
create index password_reset_requests_client on password_reset_requests (client, created_at);
create index password_reset_requests_age on password_reset_requests (created_at);
