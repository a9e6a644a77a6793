-- Insights: what was decided in a period, and what was edited, kept where it can be counted.

-- Of the fields whose edits are told (`wasEdited`), those that were changed, and those that the decision left out because
-- they were not shown or had no value. Null: none. Together with the version of the review type they say, for each field,
-- how often it was shown and how often it was edited, without a look into payloads.
alter table reviews
    add column edited_fields text[],
    add column absent_fields text[];

with outcome as (
    select r.account_id, r.review_id,
        (select array_agg(told.key order by told.key)
         from json_each(x.response_values) as told
         where json_typeof(told.value) = 'object' and told.value ->> 'wasEdited' = 'true') as edited,
        (select array_agg(declared.field ->> 'id' order by declared.field ->> 'id')
         from json_array_elements(v.definition -> 'fields') as declared (field)
         where declared.field ->> 'type' in (
             'text', 'longText', 'markdown', 'richText', 'number', 'rating', 'date', 'datetime', 'email', 'link', 'json',
             'code', 'list', 'table')
           and x.response_values -> (declared.field ->> 'id') is null) as absent
    from reviews r
    join review_results x using (account_id, review_id)
    join form_versions v on v.form_id = r.form_id and v.version = r.form_version
    where r.state = 'responded'
)
update reviews r set edited_fields = o.edited, absent_fields = o.absent
from outcome o
where o.account_id = r.account_id and o.review_id = r.review_id and (o.edited is not null or o.absent is not null);

-- Whatever was decided in some days lies together; only decisions pay for it.
create index reviews_decided on reviews (account_id, responded_at) where state = 'responded';
