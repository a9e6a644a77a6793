"""OpenAPI texts for the responses of an export."""

from typing import Any

from signoff.platform.http.documentation import Responses

CURSOR = "1794476175520000_rev_01a1de8ac9c05b7f80e2d91a36c4"
LINE = (
    '{"reviewId":"rev_01a1de8ac9c05b7f80e2d91a36c4","createdAt":"2026-11-15T09:30:00.000Z",'
    '"respondedAt":"2026-11-15T09:36:15.520Z","response":"approved","fields":{"headline":{'
    '"suggestedValue":"Autumn news","approvedValue":"Autumn news from Acme","wasEdited":true}},'
    f'"cursor":"{CURSOR}"}}\n'
)
ROWS = (
    '"reviewId","createdAt","respondedAt","response","autoApproved","headline.suggested","headline.approved",'
    '"headline.wasEdited","meta","cursor"\r\n'
    '"rev_01a1de8ac9c05b7f80e2d91a36c4","2026-11-15T09:30:00.000Z","2026-11-15T09:36:15.520Z","approved",,'
    f'"Autumn news","Autumn news from Acme",true,,"{CURSOR}"\r\n'
)
CONTENT: dict[str, Any] = {
    "application/x-ndjson": {
        "schema": {"type": "string", "description": "One JSON object per line."},
        "example": LINE,
    },
    "text/csv": {
        "schema": {
            "type": "string",
            "description": "RFC 4180. The first row names the columns, unless `after` is given.",
        },
        "example": ROWS,
    },
    "application/vnd.apache.parquet": {"schema": {"type": "string", "format": "binary"}, "example": "PAR1…PAR1"},
}
HEADERS: dict[str, Any] = {
    "x-next-cursor": {
        "description": "With `limit`: the value to pass as `after` to get the next part. Omitted on the last part.",
        "schema": {"type": "string"},
        "example": CURSOR,
    },
    "Content-Disposition": {
        "description": "Suggested file name.",
        "schema": {"type": "string"},
        "example": 'attachment; filename="frm_01a1108c69c3a05be2d4f7816c9d-pairs.jsonl"',
    },
}
RESPONSES: Responses = {
    200: {"description": "OK", "content": CONTENT, "headers": HEADERS},
}
