-- Media: what is kept in the storage, who uses it, and what is still to be copied.

-- One row for each content that an account keeps. The object lies under `<account_id>/<media_id>`; an ID is never used
-- again, so that removing an object cannot hit one that was just stored.
create table media (
    account_id   text not null references accounts,
    media_id     text not null,
    sha256       bytea not null,
    content_type text not null,
    size         bigint not null,
    width        integer,
    height       integer,
    created_at   timestamptz not null default now(),
    -- The last time somebody handed in this content: what nobody uses is removed some time after it.
    kept_at      timestamptz not null default now(),
    primary key (account_id, media_id),
    unique (account_id, sha256)
);
create index media_kept on media (kept_at);

-- An object on its way into the storage. It becomes a row of `media`, or was lost half-way and is removed.
create table media_arriving (
    account_id text not null,
    media_id   text not null,
    since      timestamptz not null default now(),
    primary key (account_id, media_id)
);

-- Which review shows which media. The foreign key makes sure that nothing is removed that a review has come to use.
create table media_uses (
    account_id text not null,
    review_id  text not null,
    media_id   text not null,
    primary key (account_id, review_id, media_id),
    foreign key (account_id, media_id) references media (account_id, media_id)
);
create index media_uses_media on media_uses (account_id, media_id);

-- Addresses in requests whose content is to be copied, each once for a review. An address can be long, so the key has
-- its hash. `copy_id` is new whenever the copy is ordered anew, so that who still works on the old order records nothing.
create table media_copies (
    copy_id     text primary key,
    account_id  text not null,
    review_id   text not null,
    url_hash    bytea not null,
    url         text not null,
    kind        text not null check (kind in ('image', 'video')),
    transform   json,
    state       text not null default 'pending' check (state in ('pending', 'copied', 'failed')),
    media_id    text,
    -- Counted when an attempt begins: one that takes the worker down with it counts too.
    attempts    integer not null default 0,
    error       text,
    next_try_at timestamptz,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    unique (account_id, review_id, url_hash),
    check ((state = 'copied') = (media_id is not null))
);

-- Secrets of the installation that its processes share, made at the first start that needs them.
create table installation_secrets (
    name       text primary key,
    secret     text not null,
    created_at timestamptz not null default now()
);
