-- The demo's review types and groups, like its people and agents. So far, they were those from before it was filled.
alter table demo_workspaces
    add column forms  text[] not null default '{}',
    add column groups text[] not null default '{}';
update demo_workspaces d set
    forms = array(select form_id from forms f where f.account_id = d.account_id and f.created_at <= d.filled_at),
    groups = array(select group_id from groups g where g.account_id = d.account_id and g.created_at <= d.filled_at)
where removed_at is null;

-- A review type that is deleted, not archived, takes its versions and links along.
alter table form_versions
    drop constraint form_versions_form_id_fkey,
    add foreign key (form_id) references forms on delete cascade;
alter table public_links
    drop constraint public_links_form_id_fkey,
    add foreign key (form_id) references forms on delete cascade;
