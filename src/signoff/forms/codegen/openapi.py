"""OpenAPI texts for code generation."""

from typing import Any

from signoff.platform.http.documentation import Responses

_TYPESCRIPT = "export interface NewsletterDraftData {\n  draft?: {\n    headline?: string | null;\n  } | null;\n}\n"
_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"data": {"type": "object"}, "event": {"type": "object"}},
}
RESPONSES: Responses = {
    200: {
        "description": "OK",
        "content": {
            "text/plain": {
                "schema": {"type": "string", "description": "TypeScript, or Python with Pydantic models."},
                "example": _TYPESCRIPT,
            },
            "application/schema+json": {
                "schema": {
                    "type": "object",
                    "description": "JSON Schema (2020-12) of the event. `$defs` has `data`, `config`, "
                    "`responseValues`, and `event`.",
                },
                "example": _SCHEMA,
            },
        },
        "headers": {
            "Content-Disposition": {
                "description": "Suggested file name.",
                "schema": {"type": "string"},
                "example": 'inline; filename="frm_01a1108c69c3a05be2d4f7816c9d-v1.ts"',
            }
        },
    },
}
