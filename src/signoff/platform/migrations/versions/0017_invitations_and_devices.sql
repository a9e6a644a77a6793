-- An API key may invite anyone, but the invitation waits for an admin unless the address is in an allowed domain. Until
-- then the member is disabled, so nothing lets them in.
alter table users
    add column invitation_held_at timestamptz,
    add constraint users_held_are_disabled check (invitation_held_at is null or disabled_at is not null);

-- Browsers that a member signed in from. Failed sign-ins elsewhere don't lock them out.
create table known_devices (
    token_hash   bytea not null,
    user_id      text not null references users on delete cascade,
    account_id   text not null references accounts,
    created_at   timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    primary key (token_hash, user_id)
);
create index known_devices_user on known_devices (user_id);

alter table sign_in_failures add column device bytea;
create index sign_in_failures_device on sign_in_failures (device, failed_at) where device is not null;
