-- The heart: people, agents, review types, reviews, events and their deliveries.
-- Identifiers are time-sortable text, so ordering by one is ordering by creation.
-- Payloads are `json`, not `jsonb`: people get back what was sent, with its members in the order they had.
-- Every table that belongs to an account is read through its account: no query loads by a bare identifier.

-- The jobs. Until 0035, a library made and changed their table: databases of that time have it with more columns.
create table if not exists pgqueuer (
    id            bigserial primary key,
    priority      integer not null,
    entrypoint    text not null,
    payload       bytea,
    execute_after timestamptz not null default now(),
    status        text not null
);

-- People and keys ----------------------------------------------------------------------------------------------

create table accounts (
    account_id           text primary key,
    name                 text not null,
    plan                 text not null default 'self-hosted'
                         check (plan in ('self-hosted', 'free', 'starter', 'team', 'business')),
    audit_webhook_url    text,
    audit_webhook_secret text not null,
    created_at           timestamptz not null default now()
);

create table users (
    user_id         text primary key,
    account_id      text not null references accounts,
    email           text not null,
    name            text not null,
    role            text not null check (role in ('owner', 'admin', 'editor', 'reviewer', 'viewer')),
    password_hash   text,
    disabled_at     timestamptz,
    last_sign_in_at timestamptz,
    created_at      timestamptz not null default now(),
    check (email = lower(email))
);
-- People sign in by address alone, so an address is one person in the whole installation.
create unique index users_email on users (email);
create index users_account on users (account_id, user_id);

create table groups (
    group_id   text primary key,
    account_id text not null references accounts,
    name       text not null,
    created_at timestamptz not null default now(),
    unique (account_id, name)
);

create table group_members (
    group_id text not null references groups on delete cascade,
    user_id  text not null references users on delete cascade,
    primary key (group_id, user_id)
);
create index group_members_user on group_members (user_id);

create table api_keys (
    key_id       text primary key,
    account_id   text not null references accounts,
    name         text not null,
    hash         bytea not null unique,
    hint         text not null,
    scopes       text[] not null,
    created_by   text not null,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
create index api_keys_account on api_keys (account_id, key_id);

create table sign_in_sessions (
    token_hash   bytea primary key,
    account_id   text not null references accounts,
    user_id      text not null references users on delete cascade,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    last_seen_at timestamptz not null default now(),
    ip           text,
    user_agent   text
);
create index sign_in_sessions_user on sign_in_sessions (user_id);

-- A one-time link that signs a person in: at the first start, after an invitation, for a forgotten password.
create table sign_in_links (
    token_hash bytea primary key,
    account_id text not null references accounts,
    user_id    text not null references users on delete cascade,
    purpose    text not null check (purpose in ('first_run', 'invitation', 'password_reset')),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at    timestamptz
);
create index sign_in_links_user on sign_in_links (user_id);

create table sign_in_failures (
    failed_at timestamptz not null default now(),
    email     text not null,
    ip        text
);
create index sign_in_failures_email on sign_in_failures (email, failed_at);
create index sign_in_failures_ip on sign_in_failures (ip, failed_at);

-- Who did what, when, from where. Written in the transaction of the change itself.
create table audit_log (
    account_id  text not null,
    entry_id    bigint generated always as identity,
    at          timestamptz not null default now(),
    actor_kind  text not null check (actor_kind in ('user', 'key', 'external', 'system')),
    actor_id    text not null,
    actor_name  text not null,
    action      text not null,
    object_id   text not null,
    details     jsonb,
    ip          text,
    request_id  text,
    primary key (account_id, entry_id)
);
create index audit_log_object on audit_log (object_id, entry_id);

-- Agents and review types --------------------------------------------------------------------------------------

create table agents (
    agent_id              text primary key,
    account_id            text not null references accounts,
    name                  text not null,
    description           text not null default '',
    webhook_url           text,
    webhook_secret        text not null,
    previous_secret       text,
    previous_secret_until timestamptz,
    chat                  text not null default 'off' check (chat in ('off', 'on', 'replyOnly')),
    created_at            timestamptz not null default now(),
    updated_at            timestamptz not null default now(),
    deleted_at            timestamptz
);
create index agents_account on agents (account_id, agent_id);

create table forms (
    form_id     text primary key,
    account_id  text not null references accounts,
    agent_id    text references agents,
    name        text not null,
    version     integer not null,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    archived_at timestamptz
);
create index forms_account on forms (account_id, form_id);
create index forms_agent on forms (agent_id);

-- Immutable: a review is pinned to the version it was created with.
create table form_versions (
    form_id    text not null references forms,
    version    integer not null,
    definition json not null,
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (form_id, version)
);

-- Sessions and runs --------------------------------------------------------------------------------------------

create table sessions (
    account_id text not null,
    session_id text not null,
    agent_id   text not null,
    name       text,
    created_at timestamptz not null default now(),
    primary key (account_id, session_id)
);

create table runs (
    account_id text not null,
    run_id     text not null,
    name       text,
    created_at timestamptz not null default now(),
    primary key (account_id, run_id)
);

-- Reviews ------------------------------------------------------------------------------------------------------

-- Narrow on purpose: lists and counts read this table alone. Payloads are in the tables below.
create table reviews (
    account_id               text not null,
    review_id                text not null,
    agent_id                 text not null,
    form_id                  text not null,
    form_version             integer not null,
    form_name                text not null,
    session_id               text not null,
    run_id                   text,
    prev_steps               json,
    title                    text,
    revision                 integer not null default 1,
    state                    text not null check (state in ('pending', 'responded')),
    retry_requested          boolean not null default false,
    response                 text check (response in ('approved', 'rejected')),
    auto_approved            boolean not null default false,
    responding_user          text,
    responding_user_id       text,
    responded_at             timestamptz,
    webhook_delivery_id      text,
    tool_webhook_delivery_id text,
    created_at               timestamptz not null default now(),
    updated_at               timestamptz not null default now(),
    primary key (account_id, review_id)
);
create index reviews_pending on reviews (account_id, review_id) where state = 'pending';
create index reviews_form on reviews (account_id, form_id, review_id);
create index reviews_agent on reviews (account_id, agent_id, review_id);
create index reviews_session on reviews (account_id, session_id, review_id);

-- What the agent sent; a retry adds a revision and leaves the earlier ones readable.
create table review_revisions (
    account_id  text not null,
    review_id   text not null,
    revision    integer not null,
    data        json not null,
    config      json,
    meta        json,
    webhook_url text,
    retry       json,
    created_at  timestamptz not null default now(),
    primary key (account_id, review_id, revision)
);

-- What people made of it.
create table review_results (
    account_id      text not null,
    review_id       text not null,
    data            json not null,
    response_values json not null,
    primary key (account_id, review_id)
);

create table review_assignees (
    account_id  text not null,
    review_id   text not null,
    assignee_id text not null,
    primary key (account_id, review_id, assignee_id)
);
create index review_assignees_assignee on review_assignees (account_id, assignee_id, review_id);

create table external_reviewers (
    account_id text not null,
    review_id  text not null,
    email      text not null,
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, review_id, email)
);

create table review_search (
    account_id text not null,
    review_id  text not null,
    document   tsvector not null,
    primary key (account_id, review_id)
);
create index review_search_document on review_search using gin (document);

create table idempotency_keys (
    account_id text not null,
    key        text not null,
    body_hash  bytea not null,
    answer     json not null,
    created_at timestamptz not null default now(),
    primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Events and deliveries ----------------------------------------------------------------------------------------

create table events (
    account_id text not null,
    event_id   text not null,
    event      text not null,
    agent_id   text not null,
    session_id text not null,
    review_id  text,
    payload    json not null,
    created_at timestamptz not null default now(),
    primary key (account_id, event_id)
);
create index events_review on events (account_id, review_id);

-- The truth about a delivery; a queue job carries nothing but its identifier.
create table deliveries (
    delivery_id       text primary key,
    account_id        text not null,
    event_id          text not null,
    event             text not null,
    target            text not null check (target in ('agent', 'tool', 'audit')),
    url_source        text not null check (url_source in ('request', 'form', 'agent', 'account')),
    url               text not null,
    agent_id          text not null,
    session_id        text not null,
    review_id         text,
    form_id           text,
    form_name         text,
    status            text not null default 'pending'
                      check (status in ('pending', 'delivering', 'succeeded', 'retrying', 'dead')),
    ok                boolean not null default false,
    status_code       integer,
    status_text       text,
    attempt_count     integer not null default 0,
    max_attempts      integer not null,
    attempts          jsonb not null default '[]',
    next_retry_at     timestamptz,
    retries_cancelled boolean not null default false,
    -- The attempt under way: who ordered it, since when, and when we must take it for lost.
    attempt_ordered   text check (attempt_ordered in ('inline', 'cloud-task', 'manual')),
    attempt_started   timestamptz,
    attempt_lost_at   timestamptz,
    -- The agent's delivery waits for the first attempt of the tool's and takes its answer along.
    waits_for         text,
    tool_result       json,
    triggered_at      timestamptz not null default now(),
    updated_at        timestamptz not null default now()
) with (fillfactor = 70);
create index deliveries_account on deliveries (account_id, delivery_id);
create index deliveries_review on deliveries (account_id, review_id);
-- Nearly all have succeeded: those that have not are found among a million by this.
create index deliveries_unsettled on deliveries (account_id, status, delivery_id) where status <> 'succeeded';
create index deliveries_waiting on deliveries (waits_for) where waits_for is not null;
