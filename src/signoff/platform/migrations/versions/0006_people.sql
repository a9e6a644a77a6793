-- People: preferences, and sign-in through an identity provider.

-- What differs from the defaults, which are in the code.
alter table users add column preferences jsonb not null default '{}';
-- The person gave the address themselves, and nobody has confirmed that it is theirs.
alter table users add column email_unconfirmed boolean not null default false;

-- Who somebody is to an identity provider: the subject stays when their address changes.
create table oidc_subjects (
    issuer     text not null,
    subject    text not null,
    account_id text not null references accounts,
    user_id    text not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (issuer, subject)
);
create index oidc_subjects_user on oidc_subjects (user_id);

-- A sign-in that is under way at the provider. Any API process can finish it, in the browser that began it, once.
create table oidc_logins (
    state_hash   bytea primary key,
    browser_hash bytea not null,
    nonce        text not null,
    verifier     text not null,
    next         text,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    used_at      timestamptz
);
create index oidc_logins_age on oidc_logins (expires_at);

-- The audit log by action, by actor and by kind of actor. Nearly all entries of a busy account are requests made with a
-- key, and writing those is what must stay fast: they are in none of these indexes, and pay nothing for them.
create index audit_log_action on audit_log (account_id, action, entry_id) where action <> 'review.requested';
create index audit_log_actor on audit_log (account_id, actor_id, entry_id) where actor_kind <> 'key';
create index audit_log_kind on audit_log (account_id, actor_kind, entry_id) where actor_kind <> 'key';

-- Deliveries by agent and by review type, once they are settled: on its way a delivery is written several times, and must
-- not be written into these each time. Then those of the rarer targets and events.
create index deliveries_agent on deliveries (account_id, agent_id, delivery_id) where status in ('succeeded', 'dead');
create index deliveries_form on deliveries (account_id, form_id, delivery_id) where status in ('succeeded', 'dead');
create index deliveries_target on deliveries (account_id, target, delivery_id) where target <> 'agent';
create index deliveries_event on deliveries (account_id, event, delivery_id) where event <> 'review.completed';
