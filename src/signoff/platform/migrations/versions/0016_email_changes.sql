-- The new address of a member who changed it, until they show that the mailbox is theirs.
create table email_changes (
    user_id    text primary key references users on delete cascade,
    account_id text not null references accounts,
    email      text not null check (email = lower(email)),
    token_hash bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
