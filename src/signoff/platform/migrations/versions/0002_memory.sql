-- Memory: what was decided, found again by its values; and events that can be pulled.

-- Responses ----------------------------------------------------------------------------------------------------

-- A review type's responses, newest or oldest first. What was suggested is not kept a second time: it is read from the
-- revision that was decided on, through the version of the review type (`forms.values.prepare`).
create index reviews_responded on reviews (account_id, form_id, responded_at, review_id) where state = 'responded';

-- The condition "this path holds this value" as a key: the same for every way to write a number.
create function facet(account_id text, form_id text, path text, value jsonb) returns bytea
language sql immutable strict parallel safe
return substring(
    sha256(convert_to(
        jsonb_build_array(
            account_id, form_id, path,
            case when jsonb_typeof(value) = 'number' then to_jsonb(trim_scale(value::numeric)) else value end
        )::text, 'UTF8'))
    for 16);

-- Every such condition that holds on a response. A path here is one of
--   response, <field>.value, <field>.wasEdited            where it holds a text, a number or a truth value;
--   <field>.value[], <field>.value[].<property>           where some element of the array does.
-- A response with more elements than can sensibly be kept has `overfull` instead of those of its arrays.
create function response_facets_of(account_id text, form_id text, response text, response_values jsonb)
returns setof bytea language sql immutable parallel safe
begin atomic
    with member as (
        select field.key || '.' || member.key as path, member.value
        from jsonb_each(response_values) as field
        cross join lateral jsonb_each(case when jsonb_typeof(field.value) = 'object' then field.value end) as member
        where member.key in ('value', 'wasEdited')
    ), element as (
        select path, element.value
        from member
        cross join lateral jsonb_array_elements(case when jsonb_typeof(value) = 'array' then value end) as element
        where path like '%.value'
    ), listed as (
        select path || '[]' as path, value from element
        union
        select path || '[].' || property.key, property.value
        from element
        cross join lateral jsonb_each(case when jsonb_typeof(element.value) = 'object' then element.value end) as property
    ), many as (
        select count(*) > 5000 as overfull from listed
    ), known as (
        select 'response' as path, to_jsonb(response) as value
        union all
        select path, value from member
        union all
        select path, value from listed where not (select overfull from many)
        union all
        select 'overfull', 'true'::jsonb where (select overfull from many)
    )
    select facet(account_id, form_id, path, value)
    from known
    where jsonb_typeof(value) in ('string', 'number', 'boolean');
end;

-- For each condition, the responses it holds on, in the order they were given: however many there are, and however few
-- match, the newest are found by walking one index.
create table response_facets (
    facet        bytea not null,
    responded_at timestamptz not null,
    review_id    text not null,
    primary key (facet, responded_at, review_id)
);

insert into response_facets (facet, responded_at, review_id)
select f.facet, r.responded_at, r.review_id
from reviews r
join review_results x using (account_id, review_id)
cross join lateral response_facets_of(r.account_id, r.form_id, r.response, x.response_values::jsonb) as f (facet)
where r.state = 'responded';

-- Events -------------------------------------------------------------------------------------------------------

-- `seq` is the order in which events were written; transactions commit in another. An event that can be seen is given
-- its `position` by whoever reads first, one reader of an account at a time: so what comes later stands later, and
-- a reader that goes on after the last position it saw misses nothing.
create sequence event_positions;
alter table events
    add column seq         bigint generated always as identity,
    add column position    bigint,
    -- The agent's delivery of it, if there is one.
    add column delivery_id text,
    -- The tool's delivery whose first attempt is waited for, and what the tool answered.
    add column waits_for   text,
    add column tool_result json;

update events e set delivery_id = d.delivery_id, waits_for = d.waits_for, tool_result = d.tool_result
from deliveries d
where d.account_id = e.account_id and d.event_id = e.event_id and d.target = 'agent';
alter table deliveries drop column tool_result;

with numbered as materialized (
    select event_id, nextval('event_positions') as position
    from (select event_id from events where waits_for is null order by seq) as ordered
)
update events e set position = n.position from numbered n where n.event_id = e.event_id;

create unique index events_position on events (account_id, position) where position is not null;
create index events_unnumbered on events (account_id, seq) where position is null;
create index events_waiting on events (waits_for) where waits_for is not null;
-- Numbering leaves dead entries in `events_unnumbered`, which every reader walks over: cleaned up before they are many.
alter table events set (autovacuum_vacuum_scale_factor = 0.02);
