-- Chat apps: a review's card in a channel, kept true until the review has ended.

-- `credentials` are kept as they are, like the secrets of webhooks: they have to be sent or signed with.
-- `team_id` is the app's own name of the workspace. `paused_until`: the app asked us to slow down.
create table chat_connections (
    account_id   text not null references accounts,
    app          text not null,
    credentials  jsonb not null,
    workspace    text,
    team_id      text,
    org_id       text,
    state        text not null default 'connected' check (state in ('connected', 'refused')),
    code         text,
    why          text,
    since        timestamptz not null default now(),
    paused_until timestamptz,
    connected_by text not null,
    connected_at timestamptz not null default now(),
    primary key (account_id, app)
);
create index chat_connections_team on chat_connections (app, team_id);

-- Where reviews go: those of a review type, of an agent, and all others. An empty channel is none.
create table chat_channels (
    account_id text not null,
    app        text not null,
    scope      text not null check (scope in ('form', 'agent', 'default')),
    subject_id text not null default '',
    channel    text not null,
    primary key (account_id, app, scope, subject_id),
    foreign key (account_id, app) references chat_connections on delete cascade
);

-- Only those that something is wrong with.
create table chat_channel_troubles (
    account_id text not null,
    app        text not null,
    channel    text not null,
    code       text not null,
    why        text not null,
    since      timestamptz not null default now(),
    primary key (account_id, app, channel),
    foreign key (account_id, app) references chat_connections on delete cascade
);

-- A message in a channel: of one review, or a summary of many that came at once. `wanted` counts what may have changed
-- it, `done` is how much of that it shows. `queued`: a job is there that has not begun.
-- `posting_at` is written right before the app gets the message, `posted_at` once it said that it has it.
create table chat_posts (
    post_id       text primary key,
    account_id    text not null,
    app           text not null,
    channel       text not null,
    kind          text not null check (kind in ('review', 'summary')),
    wanted        integer not null default 1,
    done          integer not null default 0,
    queued        boolean not null default true,
    attempts      integer not null default 0,
    claimed_until timestamptz,
    posting_at    timestamptz,
    posted_at     timestamptz,
    ref           text,
    shown         text,
    created_at    timestamptz not null default now(),
    touched_at    timestamptz not null default now(),
    foreign key (account_id, app) references chat_connections on delete cascade
);
create index chat_posts_behind on chat_posts (account_id, app)
    where done < wanted and coalesce(posted_at, posting_at) is not null;
create index chat_posts_summary on chat_posts (account_id, app, channel, created_at) where kind = 'summary';
create index chat_posts_age on chat_posts (created_at);

create table chat_posted_reviews (
    account_id text not null,
    review_id  text not null,
    app        text not null,
    channel    text not null,
    post_id    text not null references chat_posts on delete cascade,
    created_at timestamptz not null default now(),
    primary key (account_id, review_id, app)
);
create index chat_posted_reviews_post on chat_posted_reviews (post_id);
create index chat_posted_reviews_recent on chat_posted_reviews (account_id, app, channel, created_at);

-- A click in a chat app, noted when it came in and carried out by the worker. `request` is the signature under which it
-- came: the same request counts once.
create table chat_clicks (
    click_id     text primary key,
    account_id   text not null references accounts,
    app          text not null,
    request      text not null unique,
    person       text not null,
    review_id    text not null,
    revision     integer not null,
    response     text not null check (response in ('approved', 'rejected')),
    response_url text,
    outcome      text,
    created_at   timestamptz not null default now()
);
create index chat_clicks_age on chat_clicks (created_at);
