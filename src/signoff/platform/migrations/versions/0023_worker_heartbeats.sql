-- Says who is alive now, so it needn't outlive a crash and isn't part of a backup.
create unlogged table worker_heartbeats (
    worker_id  text primary key,
    host       text not null,
    pid        integer not null,
    started_at timestamptz not null default now(),
    seen_at    timestamptz not null default now()
);
