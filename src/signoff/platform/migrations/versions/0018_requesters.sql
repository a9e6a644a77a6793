-- A key that replaces another one continues its work: both have the ID of the first key of the line.
alter table api_keys
    add column replaces text,
    add column lineage_id text;
update api_keys set lineage_id = key_id;
alter table api_keys alter column lineage_id set not null;

-- Who requested the review: a user's ID, or the lineage of a key. Null where nobody knows any more; then only people
-- can update it.
-- Whose choice its reviewers are. A key's update replaces only what a request chose.
alter table reviews
    add column requested_by text,
    add column reviewers_set_by text not null default 'request' check (reviewers_set_by in ('request', 'form', 'person'));

-- The title that a request gave. An update that gives none keeps it; without one, the title field's text is the title.
alter table review_revisions add column title text;

-- Only pending reviews can be updated. Who chose the reviewers of those was not recorded, so they are protected.
update reviews r set
    requested_by = (
        select a.actor_id from audit_log a
        where a.account_id = r.account_id and a.object_id = r.review_id and a.action = 'review.requested'
          and a.actor_kind in ('user', 'key')
        order by a.entry_id limit 1),
    reviewers_set_by = case when r.assigned then 'form' else 'request' end
where r.state = 'pending';

-- Further links of an external reviewer, who got the first one when they were asked. They work as long as that one.
create table external_reviewer_links (
    token_hash       bytea primary key,
    first_token_hash bytea not null references external_reviewers on delete cascade
);
create index external_reviewer_links_first on external_reviewer_links (first_token_hash);
