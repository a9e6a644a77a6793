create table jobs (
    job_id        bigint generated always as identity primary key,
    name          text not null,
    subject       text not null,
    due_at        timestamptz not null,
    claimed_at    timestamptz,
    failure_count integer not null default 0
);
create index jobs_due on jobs (name, due_at);

insert into jobs (name, subject, due_at)
select entrypoint, convert_from(payload, 'UTF8'), execute_after from pgqueuer order by id;

drop table pgqueuer;
drop table if exists pgqueuer_log, pgqueuer_schedules, pgqueuer_statistics;
drop function if exists fn_pgqueuer_changed();
drop type if exists pgqueuer_status;
