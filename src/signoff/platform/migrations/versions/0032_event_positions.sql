-- An event gets its position when it can be sent: when it's written, or once what it waited for has come. Until now,
-- readers gave it one, so every event was written twice.

lock table events in share row exclusive mode;

alter sequence event_positions owned by events.position;
select setval('event_positions', max(position)) from events
having max(position) > (select last_value from event_positions);

with numbered as materialized (
    select event_id, nextval('event_positions') as position
    from (select event_id from events
          where position is null and waits_for is null and media_until is null order by seq) as ready
)
update events e set position = n.position from numbered n where n.event_id = e.event_id;

create function number_event() returns trigger language plpgsql as $$
begin
    new.position := nextval('event_positions');
    return new;
end $$;
create trigger events_numbered before insert or update of waits_for, media_until on events for each row
    when (new.position is null and new.waits_for is null and new.media_until is null)
    execute function number_event();

drop index events_unnumbered;
alter table events drop column seq, reset (autovacuum_vacuum_scale_factor);
