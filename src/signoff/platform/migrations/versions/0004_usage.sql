-- Usage: what an account sends, month by month.

-- Appended to by whatever sends, in its own statement: several rows of one account and month add up, and a worker folds
-- them into one now and then. So requests at the same moment do not wait for each other at one row.
create table usage_counts (
    account_id text not null,
    -- The first day of the month, in UTC.
    month      date not null,
    requests   bigint not null,
    bytes      bigint not null
);
create index usage_counts_month on usage_counts (account_id, month);

-- What an account's month is measured against; for a month that is over, what it was at its end.
create table usage_terms (
    account_id text not null references accounts on delete cascade,
    month      date not null,
    plan       text not null,
    seats      integer not null,
    primary key (account_id, month)
);
