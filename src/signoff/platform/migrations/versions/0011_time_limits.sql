-- Time limits: what happens to a review that nobody decides, and to a retry that the agent does not answer.

-- `due_step` is the step of the review type's time limits that comes next, from 0, and `due_action` what it does.
-- While the review waits for its agent, `due_at` is null and `due_left` keeps how much (working) time there was left.
-- None of them is set for a review without time limits, so that it costs nothing.
alter table reviews
    add column due_at      timestamptz,
    add column due_step    smallint,
    add column due_action  text,
    add column due_left    interval,
    add column reminded_at timestamptz,
    add column timed_out   boolean not null default false;

-- When the agent is reminded of the retry next, and how often it was without anybody asking for that.
alter table review_revisions
    add column retry_remind_at timestamptz,
    add column retry_reminded  smallint;
