-- What these jobs would have done.
insert into review_search (account_id, review_id, document)
select r.account_id, r.review_id, to_tsvector('simple', left(concat_ws(' ', r.title, found.words), 100000))
from (select distinct subject from jobs where name = 'reviews.index') as job
join reviews r on r.account_id = split_part(job.subject, '/', 1) and r.review_id = split_part(job.subject, '/', 2)
join review_revisions v using (account_id, review_id, revision)
left join lateral (
    select string_agg(word, ' ') as words
    from (
        select text #>> '{}' as word from jsonb_path_query(v.data::jsonb, 'strict $.**') as text
        where jsonb_typeof(text) = 'string'
    ) as texts
    where word !~ '^(https?://|data:)' and (length(word) < 2000 or strpos(left(word, 2000), ' ') > 0)
) as found on true
on conflict (account_id, review_id) do update set document = excluded.document;
delete from jobs where name = 'reviews.index';

-- A request that finds this list full moves it into the index, which must not take long.
alter index review_search_document set (gin_pending_list_limit = 512);
