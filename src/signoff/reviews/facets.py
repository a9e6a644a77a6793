"""Facets: the conditions "this path has this value" that hold on a response, each as a key.

`response_facets` has the responses of each key in the order of their decisions (docs/decisions/0014).
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

import orjson

from signoff.platform.json_values import Json, JsonObject, freeze
from signoff.platform.operators import Scalar
from signoff.platform.sql import Rows

MAX_LISTED: Final = 5_000
"""Elements and their properties. A response with more of them has the facet `overfull` instead of theirs."""


@dataclass(frozen=True, slots=True)
class FacetRow:
    facet: bytes
    responded_at: datetime
    review_id: str


FACETS: Final = Rows("facets", FacetRow)


def facet_key(account_id: str, form_id: str, path: str, value: Scalar | None) -> bytes:
    """Return the key of a condition. It's the same however a number is written. None is true of no response.

    Stored keys depend on every byte of this text, which is the array as PostgreSQL writes it as `jsonb`.
    """
    texts = [orjson.dumps(text).decode() for text in (account_id, form_id, path)]
    return hashlib.sha256(f"[{', '.join(texts)}, {_to_text(value)}]".encode()).digest()[:16]


def _to_text(value: Scalar | None) -> str:
    text = orjson.dumps(value).decode()
    if not isinstance(value, float):
        return text
    number = Decimal(text).normalize()
    return f"{number:f}" if number else "0"


def overfull_key(account_id: str, form_id: str) -> bytes:
    """Return the key of responses that have too many elements."""
    return facet_key(account_id, form_id, "overfull", value=True)


def response_facets(account_id: str, form_id: str, response: str | None, response_values: JsonObject) -> set[bytes]:
    """Return the keys of all conditions that hold on a response. A path is one of

    - `response`, `<field>.value`, and `<field>.wasEdited`, if it has a text, a number, or a boolean;
    - `<field>.value[]` and `<field>.value[].<property>`, if an element of the array does.
    """
    listed = list(_list_elements(response_values))
    # Equal elements count once.
    if len(listed) > MAX_LISTED and len({(path, freeze(value)) for path, value in listed}) > MAX_LISTED:
        listed = [("overfull", True)]
    known = [("response", response), *_list_members(response_values), *listed]
    return {
        facet_key(account_id, form_id, path, value) for path, value in known if isinstance(value, str | int | float)
    }


def _list_members(response_values: JsonObject) -> Iterator[tuple[str, Json]]:
    for field_id, entry in response_values.items():
        if isinstance(entry, dict):
            for name in ("value", "wasEdited"):
                yield f"{field_id}.{name}", entry.get(name)


def _list_elements(response_values: JsonObject) -> Iterator[tuple[str, Json]]:
    for field_id, entry in response_values.items():
        elements = entry.get("value") if isinstance(entry, dict) else None
        for element in elements if isinstance(elements, list) else ():
            yield f"{field_id}.value[]", element
            if isinstance(element, dict):
                for name, value in element.items():
                    yield f"{field_id}.value[].{name}", value
