-- Trigger forms: which review types are some, links that make one public, and lists of runs.

-- Those whose present version is a trigger form are found among all review types by this.
create index form_versions_trigger on form_versions (form_id, version) where definition ->> 'trigger' = 'true';

-- A link under which everybody can fill in a trigger form. It is shown again to those who design the form, so it is kept
-- as it is: it opens an empty form and nothing else. One that has ended stays, so that its page can say so.
create table public_links (
    token      text primary key,
    account_id text not null references accounts,
    form_id    text not null references forms,
    -- Signs the challenges that are handed out for this link and no other.
    secret     bytea not null,
    -- Submissions that are taken within an hour, from all visitors together.
    per_hour   integer not null check (per_hour > 0),
    created_at timestamptz not null default now(),
    created_by text not null,
    ended_at   timestamptz
);
create unique index public_links_form on public_links (account_id, form_id) where ended_at is null;

-- What came in through public links within the last hour or so, and from which network: what the limits count.
create table public_submissions (
    form_id text not null,
    client  text,
    at      timestamptz not null default now()
);
create index public_submissions_form on public_submissions (form_id, at);

-- A review's previous steps were written as a text, the first of them alone, where they came with a new review.
update reviews set prev_steps = json_build_array(prev_steps) where json_typeof(prev_steps) = 'string';

-- Runs are listed by when they began; their IDs may be the callers' own and tell no time.
create index runs_created on runs (account_id, created_at, run_id);
