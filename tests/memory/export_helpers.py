"""Helpers for the tests of the export."""

import csv
import io
import json
from typing import Any

import httpx
import pyarrow.parquet
from support.api import Workspace, assert_ok

DRAFT: dict[str, Any] = {
    "titleField": None,
    "layout": None,
    "rules": None,
    "allowRetry": True,
    "fields": [
        {"id": "topic", "type": "text", "label": "Topic", "editable": False},
        {"id": "headline", "type": "text", "label": "Headline"},
        {"id": "body", "type": "longText", "label": "Body"},
        {"id": "score", "type": "number", "label": "Score"},
        {
            "id": "tags",
            "type": "checkboxes",
            "label": "Tags",
            "options": [{"id": "a", "label": "Aa"}, {"id": "b", "label": "Bb"}],
        },
        {"id": "hint", "type": "label", "text": "Be kind."},
    ],
}
DATA: dict[str, Any] = {"topic": "Autumn", "headline": "Leaves", "body": "They fall.", "score": 7}


async def exported(client: httpx.AsyncClient, form: dict[str, Any], **params: Any) -> httpx.Response:
    response = await client.get("/responses/export", params={"formId": form["formId"], **params})
    assert response.status_code == 200, response.text
    return response


async def lines(client: httpx.AsyncClient, form: dict[str, Any], **params: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (await exported(client, form, **params)).content.splitlines()]


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def parquet_rows(content: bytes) -> list[dict[str, Any]]:
    return pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()


async def decided(
    workspace: Workspace, form: dict[str, Any], response: str = "approved", edits: Any = None, **members: Any
) -> str:
    review = await workspace.request(form, **{"data": DATA, **members})
    await workspace.decide(review["reviewId"], response, data=edits or {})
    return review["reviewId"]


async def retried(workspace: Workspace, review_id: str, form: dict[str, Any], data: Any) -> None:
    await assert_ok(workspace.owner.post(f"/reviews/{review_id}/retry", json={"instructions": "Again."}))
    again = {"formId": form["formId"], "updateForReviewId": review_id, "data": data}
    await assert_ok(workspace.agent.post("/requestReview", json=again))
