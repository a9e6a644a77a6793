"""Fill the database with decided reviews, as if they had come over the last year."""

import psycopg

from bench.environment import Environment
from signoff.reviews.facets import response_facets

INSERT_REVIEWS = """
    with made as (
        select n, 'rev_' || lpad(n::text, 26, '0') as review_id, 'ses_' || lpad(n::text, 26, '0') as session_id,
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
        select '{account}', review_id, 1, json_build_object(
                   'draft', json_build_object('headline', 'Past review ' || n),
                   'body', repeat('x', 500), 'score', n % 10),
               at from made
    ), decided as materialized (
        select *, json_build_object(
            'headline', json_build_object('value', 'Past review ' || n, 'wasEdited', n % 3 = 0),
            'body', json_build_object('value', repeat('x', 500), 'wasEdited', false),
            'score', json_build_object('value', n % 10, 'wasEdited', false),
            'channel', json_build_object('value', case when n % 2 = 0 then 'blog' else 'mail' end)) as response_values
        from made
    ), results as (
        insert into review_results (account_id, review_id, data, response_values)
        select '{account}', review_id, json_build_object(
                   'draft', json_build_object('headline', 'Past review ' || n),
                   'body', repeat('x', 500), 'score', n % 10,
                   'channel', case when n % 2 = 0 then 'blog' else 'mail' end),
               response_values from decided
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
    ), messages as (
        insert into outgoing_messages
            (message_id, account_id, channel, destination, state, attempt_count, max_attempts, attempts, first_ok,
             duration_ms, settled_at, updated_at, created_at)
        select delivery_id, '{account}', 'webhook', 'http://127.0.0.1', 'sent', 1, 7,
               '[{{"ok": true, "statusCode": 200, "durationMs": 48}}]', true, 48, at, at, at
        from made
    )
    insert into deliveries
        (delivery_id, account_id, event_id, event, target, url_source, url, agent_id, session_id, review_id, form_id,
         form_name, triggered_at)
    select delivery_id, '{account}', event_id, 'review.completed', 'agent', 'agent', 'http://127.0.0.1/', '{agent}',
           session_id, review_id, '{form}', 'Bench', at
    from made
"""

COPY_FACETS = "copy response_facets (facet, responded_at, review_id) from stdin (format binary)"


def seed_reviews(environment: Environment, start: int, upto: int) -> None:
    # Facets come in no order; an index that is built at the end takes a tenth of the time.
    environment.execute("alter table response_facets drop constraint response_facets_pkey")
    for begin in range(start, upto, 100_000):
        end = min(begin + 100_000, upto)
        environment.execute(
            INSERT_REVIEWS.format(
                start=begin,
                upto=end,
                account=environment.account_id,
                agent=environment.agent_id,
                form=environment.form_id,
            )
        )
    _copy_facets(environment, start, upto)
    environment.execute("alter table response_facets add primary key (facet, responded_at, review_id)")
    environment.execute("vacuum (analyze)")


def _copy_facets(environment: Environment, start: int, upto: int) -> None:
    account_id, form_id = environment.account_id, environment.form_id
    with (
        psycopg.connect(environment.dsn) as reading,
        psycopg.connect(environment.dsn) as writing,
        reading.cursor("decided") as decided,
        writing.cursor().copy(
            "copy response_facets (facet, responded_at, review_id) from stdin (format binary)"
        ) as copy,
    ):
        copy.set_types(["bytea", "timestamptz", "text"])
        decided.execute(
            """
            select r.review_id, r.responded_at, r.response, x.response_values
            from reviews r join review_results x using (account_id, review_id)
            where r.account_id = %s and r.review_id between %s and %s
            """,
            [account_id, f"rev_{start + 1:026}", f"rev_{upto:026}"],
        )
        for review_id, responded_at, response, response_values in decided:
            for facet in response_facets(account_id, form_id, response, response_values):
                copy.write_row((facet, responded_at, review_id))
