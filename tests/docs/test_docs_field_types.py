"""The page of field types has every type once, and the service accepts every example as described."""

import re
from typing import Any

import pytest
from support.api import Workspace, assert_ok

from screenshots.fields import PAGE, Example, examples
from signoff.forms.fields import FIELD_TYPES

EXAMPLES = examples()


def test_every_type_has_an_example() -> None:
    assert sorted(example.kind for example in EXAMPLES) == sorted(FIELD_TYPES)
    assert [example.kind for example in EXAMPLES if example.field["type"] != example.kind] == []


def test_every_type_has_a_picture() -> None:
    shown = re.findall(r"!\[.+\]\(pictures/field-(\w+)\.png\)", PAGE.read_text())
    assert sorted(shown) == sorted(FIELD_TYPES)


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.kind for each in EXAMPLES])
async def test_response_values(example: Example, workspace: Workspace) -> None:
    field_id = example.field["id"]
    body: dict[str, Any] = {
        "form": {"name": example.kind, "fields": [example.field]},
        "data": {field_id: example.sent} if example.is_sent else {},
        "submitted": {"response": "approved", "data": {field_id: example.submitted} if example.is_changed else {}},
    }
    shown = await assert_ok(workspace.manager.post("/forms/preview", json=body))
    assert shown["responseValues"].get(field_id) == example.back
