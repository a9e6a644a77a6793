-- A key now begins with who sent it, so that the same key of another sender is another one. Of requests for reviews
-- that is in the log, written in the same transaction and so at the same time.
update idempotency_keys k set key = a.actor_id || ' ' || k.key
from audit_log a
where a.account_id = k.account_id and a.object_id = k.answer ->> 'reviewId' and a.at = k.created_at
  and a.action in ('review.requested', 'review.updated') and a.actor_kind = 'key'
  and k.key not like 'public:%' and k.key not like 'message %';

-- Answers held the links of external reviewers in clear.
update idempotency_keys set answer = (answer::jsonb - 'extReviewerLinks')::json
where answer -> 'extReviewerLinks' is not null;
