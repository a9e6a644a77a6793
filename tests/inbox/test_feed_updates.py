"""Browsers with the same view share an update's text, and no member sees what is for another."""

from hypothesis import given
from hypothesis import strategies as st

from signoff.inbox.account_feed import FeedUpdate
from signoff.inbox.live_messages import LiveMessage, format_messages

MEMBERS = ["usr_a", "usr_b", "usr_c"]
MESSAGES = st.builds(
    LiveMessage,
    text=st.integers(0, 99).map(lambda number: b"data: %d\n\n" % number),
    for_administrators=st.booleans(),
    only_for=st.none() | st.sampled_from(MEMBERS),
    not_for=st.frozensets(st.sampled_from(MEMBERS)),
)
VIEWS = st.tuples(st.sampled_from(MEMBERS), st.booleans(), st.integers(0, 30))


@given(st.lists(MESSAGES, max_size=5), st.integers(5, 10), st.integers(10, 20), st.lists(VIEWS, min_size=1))
def test_shared_text_is_each_members_own(
    messages: list[LiveMessage], before: int, position: int, views: list[tuple[str, bool, int]]
) -> None:
    update = FeedUpdate(messages, before, position)
    for user_id, may_administer, lowest in views:
        own = format_messages(
            messages, max(before, lowest), max(position, lowest), user_id, may_administer=may_administer
        )
        assert update.format_for(user_id, may_administer=may_administer, lowest=lowest) == own


def test_members_share_what_is_for_everyone() -> None:
    update = FeedUpdate([LiveMessage(b"data: {}\n\n")], 1, 2)
    texts = {id(update.format_for(user_id, may_administer=False, lowest=0)) for user_id in MEMBERS}
    assert len(texts) == 1
