-- Assignment: taking and handing back, links of external reviewers that ended, people who are away.

-- Taking -------------------------------------------------------------------------------------------------------

-- Who took the review: from then on it is theirs alone among members, and `review_assignees` has nobody else.
alter table reviews
    add column taken_by text,
    add column taken_at timestamptz;

create index reviews_taken on reviews (account_id, taken_by) where taken_by is not null;

-- Who was asked before somebody took it, to be asked again when it is handed back.
create table review_assignees_before (
    account_id  text not null,
    review_id   text not null,
    assignee_id text not null,
    primary key (account_id, review_id, assignee_id)
);
create index review_assignees_before_assignee on review_assignees_before (account_id, assignee_id);

-- External links -----------------------------------------------------------------------------------------------

-- A link that ended is kept for a while, so that whoever opens it is told why. That it was answered is in the review
-- itself, and that it expired in its time; of a deleted review nothing is kept but the hash of the token.
alter table external_reviewers
    drop constraint external_reviewers_pkey,
    drop constraint external_reviewers_token_hash_key,
    add primary key (token_hash),
    alter column review_id drop not null,
    alter column email drop not null,
    add column ended text check (ended in ('deleted', 'reassigned', 'expired')),
    add column ended_at timestamptz,
    add check ((ended is null) = (ended_at is null)),
    add check (ended is not distinct from 'deleted' or (review_id is not null and email is not null));
create unique index external_reviewers_asked on external_reviewers (account_id, review_id, email) where ended is null;
create index external_reviewers_ended on external_reviewers (account_id, review_id) where ended is not null;
create index external_reviewers_age on external_reviewers (expires_at) where ended is not null;

-- People who are away ------------------------------------------------------------------------------------------

-- One for each person: from when until when somebody else stands in for them.
create table absences (
    user_id     text primary key references users on delete cascade,
    account_id  text not null references accounts,
    delegate_id text not null references users on delete cascade,
    starts_at   timestamptz not null,
    ends_at     timestamptz not null,
    check (starts_at < ends_at),
    check (user_id <> delegate_id)
);
create index absences_delegate on absences (account_id, delegate_id);
