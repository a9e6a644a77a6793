-- Batches ------------------------------------------------------------------------------------------------------

alter table reviews add column batch_id text;
create index reviews_batch on reviews (account_id, batch_id, review_id) where batch_id is not null;
-- Whether a batch still waits for a decision is asked with every decision in it.
create index reviews_batch_pending on reviews (account_id, batch_id) where batch_id is not null and state = 'pending';

-- Whoever adds a review to a batch, decides one or deletes one has the batch's row locked until their commit: so one of
-- them finds that it was the last.
create table batches (
    account_id   text not null,
    batch_id     text not null,
    -- How many reviews it is to have, where the caller said so, and how many were added, those deleted since included.
    size         integer,
    added        integer not null,
    -- When it was completed last; null while it is open. Adding a review opens it again.
    completed_at timestamptz,
    completions  integer not null default 0,
    created_at   timestamptz not null default now(),
    primary key (account_id, batch_id)
);

-- Meta ---------------------------------------------------------------------------------------------------------

-- One row for each member of `meta` that is text, a number, true or false. A hash, so that values of any length fit
-- into an index.
create table review_meta (
    account_id text not null,
    term       bytea not null,
    review_id  text not null,
    primary key (account_id, term, review_id)
);
-- For removing them. Not a tree, which would also have an order that lists could be walked in, past all other terms.
create index review_meta_review on review_meta using hash (review_id);

create function meta_term(name text, value text) returns bytea language sql immutable parallel safe as $$
    select substr(sha256(convert_to(length(name) || ':' || name || value, 'UTF8')), 1, 16)
$$;

create function meta_terms(meta json) returns setof bytea language sql immutable parallel safe as $$
    select distinct meta_term(m.key, m.value #>> '{}')
    from (select key, value from json_each(meta) limit 50) as m
    where json_typeof(m.value) in ('string', 'number', 'boolean')
$$;

insert into review_meta (account_id, term, review_id)
select r.account_id, t.term, r.review_id
from reviews r join review_revisions v using (account_id, review_id, revision)
cross join lateral meta_terms(v.meta) as t (term)
where json_typeof(v.meta) = 'object';
