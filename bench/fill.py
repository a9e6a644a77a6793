"""Fill the database with decided reviews, as if they had come over the last year."""

from bench.stage import Stage

FILL = """
    with made as (
        select 'rev_' || lpad(n::text, 26, '0') as review_id, 'ses_' || lpad(n::text, 26, '0') as session_id,
               'whd_' || lpad(n::text, 26, '0') as delivery_id, 'evt_' || lpad(n::text, 26, '0') as event_id,
               now() - interval '1 year' * (1 - n / {upto}.0) as at
        from generate_series({start} + 1, {upto}) n
    ), reviews as (
        insert into reviews
            (account_id, review_id, agent_id, form_id, form_version, form_name, session_id, title, state, response,
             responding_user, responding_user_id, responded_at, webhook_delivery_id, created_at)
        select '{account}', review_id, '{agent}', '{form}', 1, 'Bench', session_id, 'Past review', 'responded',
               'approved', 'bench@example.com', 'usr_bench', at, delivery_id, at from made
    ), revisions as (
        insert into review_revisions (account_id, review_id, revision, data, created_at)
        select '{account}', review_id, 1, json_build_object('body', repeat('x', 500)), at from made
    ), results as (
        insert into review_results (account_id, review_id, data, response_values)
        select '{account}', review_id, json_build_object('body', repeat('x', 500)),
               json_build_object('body', json_build_object('value', repeat('x', 500), 'wasEdited', false)) from made
    ), sessions as (
        insert into sessions (account_id, session_id, agent_id, created_at)
        select '{account}', session_id, '{agent}', at from made
    ), log as (
        insert into audit_log (account_id, at, actor_kind, actor_id, actor_name, action, object_id)
        select '{account}', at, 'key', 'key_bench', 'bench', 'review.requested', review_id from made
    ), events as (
        insert into events (account_id, event_id, event, agent_id, session_id, review_id, payload, created_at)
        select '{account}', event_id, 'review.completed', '{agent}', session_id, review_id,
               json_build_object('body', repeat('x', 700)), at from made
    )
    insert into deliveries
        (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id, review_id, form_id,
         form_name, status, ok, status_code, attempt_count, max_attempts, attempts, triggered_at)
    select delivery_id, '{account}', event_id, 'review.completed', 'agent', 'agent', 'http://127.0.0.1/', '{agent}',
           session_id, review_id, '{form}', 'Bench', 'succeeded', true, 200, 1, 7,
           '[{{"attemptId": "attempt-1", "ok": true, "statusCode": 200, "scheduledBy": "inline"}}]', at
    from made
"""


def fill(stage: Stage, start: int, upto: int) -> None:
    for begin in range(start, upto, 100_000):
        end = min(begin + 100_000, upto)
        stage.execute(
            FILL.format(start=begin, upto=end, account=stage.account_id, agent=stage.agent_id, form=stage.form_id)
        )
    stage.execute("analyze")
