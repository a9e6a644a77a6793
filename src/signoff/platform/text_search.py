"""Turn search input into PostgreSQL text-search queries. Any input is a valid query."""

import re
from typing import Final

from signoff.platform.db import Row
from signoff.platform.sql import Sql

_LAST_BARE_WORD: Final = re.compile(r'(?:^|\s)[^\s"-][^\s"]*$')

# As a subquery it's evaluated once, not for every document.
_WORDS: Final = Sql("(select websearch_to_tsquery('simple', :words))")
# As text, a query that ends with a word ends with its quote.
_PREFIX: Final = Sql("(select regexp_replace(websearch_to_tsquery('simple', :words)::text, '''$', ''':*')::tsquery)")
# What looks like a word may not be one to the database, and an empty query matches nothing.
_WITHOUT_LAST: Final = {
    query: Sql(
        """
        (select case when numnode(others) > 0 then others else {query} end
         from websearch_to_tsquery('simple', :whole_words) as others)
        """,
        query=query,
    )
    for query in (_WORDS, _PREFIX)
}


def search_query(words: str) -> Sql[Row]:
    """Return SQL for the `tsquery`, with the parameter `words`.

    The last word matches as a prefix, for search as you type, unless it's excluded or part of a phrase.
    """
    return _PREFIX if words.count('"') % 2 == 0 and _LAST_BARE_WORD.search(words) else _WORDS


def index_query(words: str) -> Sql[Row]:
    """Return SQL for a `tsquery` that matches at least the same documents, and that an index evaluates quickly. Its
    parameters are `words` and `whole_words`.

    An index finds whole words immediately, but has to collect all matches of a common prefix. So the last word, which
    may be a prefix, is left out if the others are enough without it.
    """
    query = search_query(words)
    return query if whole_words(words) is None else _WITHOUT_LAST[query]


def whole_words(words: str) -> str | None:
    """Return the words without the last, or None if there are none that can stand alone."""
    *before, _ = words.split()
    if '"' in words or not before or before[0].startswith("-") or "or" in words.lower().split():
        return None
    return " ".join(before)
