-- Messages can have a number of attempts of their own, get one more on request, and be stopped during an attempt.

alter table outgoing_messages
    add column max_attempts integer,
    add column is_manual    boolean not null default false,
    add column is_stopped   boolean not null default false;
