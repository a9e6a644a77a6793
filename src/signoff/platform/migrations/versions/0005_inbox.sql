-- The inbox: lists that stay fast, saved views, drafts, presence, reasons.

-- Lists --------------------------------------------------------------------------------------------------------

-- Where a review stands, in one word, so that an index can hold every list in its order: `open` waits for people,
-- `waiting` for the agent; `submitted` is decided without being approved or rejected (a trigger form).
-- `assigned`: somebody is asked by name, a member, a group or an external reviewer.
alter table reviews
    add column phase text not null generated always as (
        case when state = 'pending' then case when retry_requested then 'waiting' else 'open' end
             else coalesce(response, 'submitted') end) stored,
    add column assigned boolean not null default false;
update reviews r set assigned = true
where exists (select from review_assignees a where a.account_id = r.account_id and a.review_id = r.review_id)
   or exists (select from external_reviewers e where e.account_id = r.account_id and e.review_id = r.review_id);

-- As many as before, so that a new review costs no more; only reviews of a run pay for one more.
drop index reviews_pending, reviews_form, reviews_agent;
create index reviews_phase on reviews (account_id, phase, assigned, review_id);
create index reviews_form on reviews (account_id, form_id, phase, assigned, review_id);
create index reviews_agent on reviews (account_id, agent_id, phase, assigned, review_id);
create index reviews_run on reviews (account_id, run_id, review_id) where run_id is not null;

-- The phase once more beside each assignee: who was asked a hundred thousand times finds the few that are open.
alter table review_assignees add column phase text not null default 'open';
update review_assignees a set phase = r.phase
from reviews r
where r.account_id = a.account_id and r.review_id = a.review_id and r.phase <> 'open';
drop index review_assignees_assignee;
create index review_assignees_assignee on review_assignees (account_id, assignee_id, phase, review_id);

create function tell_assignees_the_phase() returns trigger language plpgsql as $$
begin
    update review_assignees set phase = new.phase where account_id = new.account_id and review_id = new.review_id;
    return null;
end $$;
create trigger reviews_phase_changed after update on reviews
for each row when (old.phase is distinct from new.phase and new.assigned)
execute function tell_assignees_the_phase();

-- Deciding -----------------------------------------------------------------------------------------------------

-- Why somebody decided so, in their words.
alter table review_results add column reason text;

-- What people have typed and not sent yet, each their own. Gone once the review is decided or deleted.
create table review_drafts (
    account_id   text not null,
    review_id    text not null,
    -- A user's ID, or `ext:` and an external reviewer's address.
    author_id    text not null,
    data         json not null,
    reason       text,
    instructions text,
    revision     integer not null,
    saved_at     timestamptz not null default now(),
    primary key (account_id, review_id, author_id)
);

-- Who has a review open at this moment. Worth nothing after a crash, so it is not written to the log.
create unlogged table review_presence (
    account_id text not null,
    review_id  text not null,
    user_id    text not null,
    since      timestamptz not null default now(),
    seen_at    timestamptz not null default now(),
    primary key (account_id, review_id, user_id)
) with (fillfactor = 50);

-- Saved views --------------------------------------------------------------------------------------------------

create table saved_views (
    view_id    text primary key,
    account_id text not null references accounts,
    user_id    text not null references users on delete cascade,
    name       text not null,
    filters    json not null,
    created_at timestamptz not null default now()
);
create index saved_views_user on saved_views (account_id, user_id, view_id);
