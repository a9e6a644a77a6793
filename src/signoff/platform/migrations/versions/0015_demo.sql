-- The workspace that a newcomer finds filled. Its row stays when the demo is removed: it is not offered twice.
create table demo_workspaces (
    account_id text primary key references accounts,
    planned_at timestamptz not null default now(),
    filled_at timestamptz,
    removed_at timestamptz,
    -- Who and what was made up: colleagues who cannot sign in, and the agents that a small program plays.
    people text[] not null default '{}',
    agents text[] not null default '{}',
    -- That program's API key, and the address at which it hears webhooks; both are new with every start.
    key_id text,
    webhook_url text
);
