"""The API reference: one page for each tag of the OpenAPI document, generated when the site is built."""

import json
import re
from collections.abc import Iterator
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from signoff.app import create_app
from signoff.platform.settings import Settings

HEADING = "API endpoints"  # The navigation entry for these pages.
CREDENTIALS = {
    "apiKey": "an API key (`x-api-key`)",
    "session": "a signed-in member (session cookie)",
    "externalReviewer": "an external reviewer (`x-review-token`)",
}
LANGUAGES = {"application/x-ndjson": "json", "text/event-stream": "text", "text/csv": "text", "text/html": "html"}

Json = dict[str, Any]


def document() -> Json:
    """Return the OpenAPI document with default settings, regardless of the environment."""
    return create_app(Settings.model_construct(), dsn="").openapi()


class Reference:
    """The pages by their path on the site."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.pages = {"api/index.md": self._index()}
        for tag in document["tags"]:
            self.pages[_place(tag["name"])] = self._page(tag)

    def navigation(self) -> list[Any]:
        return ["api/index.md", *({tag["name"]: _place(tag["name"])} for tag in self.document["tags"])]

    def operations(self, tag: str) -> Iterator[tuple[str, str, Json]]:
        """Yield method, path, and operation. An operation with several tags belongs to its first tag."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"][0] == tag:
                    yield method.upper(), path, operation
        for event, methods in self.document["webhooks"].items():
            for operation in methods.values():
                if operation["tags"][0] == tag:
                    yield "POST", event, operation

    def _index(self) -> str:
        lines = ["# API endpoints", "", self.document["info"]["description"], ""]
        base = self.document["servers"][0]["url"]
        lines += [f"Paths are relative to the API's base URL, for example `{base}`.", ""]
        lines += ["See [errors](../errors.md) for all error codes.", ""]
        for tag in self.document["tags"]:
            lines += [f"## {tag['name']}", "", tag["description"], "", "| | | |", "|---|---|---|"]
            for method, path, operation in self.operations(tag["name"]):
                place = f"{_place(tag['name']).removeprefix('api/')}#{operation['operationId'].lower()}"
                lines.append(f"| {method} | `{path}` | [{operation['summary']}]({place}) |")
            lines.append("")
        return "\n".join(lines)

    def _page(self, tag: Json) -> str:
        lines = [f"# {tag['name']}", "", tag["description"], ""]
        for method, path, operation in self.operations(tag["name"]):
            lines += self._operation(method, path, operation)
        return "\n".join(lines)

    def _operation(self, method: str, path: str, operation: Json) -> Iterator[str]:
        yield f"## {operation['summary']} {{ #{operation['operationId'].lower()} }}"
        yield ""
        yield f"`{method} {path}`"
        yield ""
        if operation.get("deprecated"):
            yield "**Deprecated.**\n"
        yield operation["description"]
        yield ""
        if operation["tags"] != ["Events"]:
            callers = [CREDENTIALS[name] for each in operation["security"] for name in each]
            yield f"**Authentication:** {_listed(callers) or 'none'}.\n"
        yield from _parameters(operation.get("parameters", []))
        yield from self._body(operation.get("requestBody"))
        yield from _responses(operation["responses"])

    def _body(self, body: Json | None) -> Iterator[str]:
        for kind, content in (body or {}).get("content", {}).items():
            yield f"**Body**, `{kind}`:\n"
            yield from self._members(content["schema"])
            if kind == "application/json":
                yield from _example(kind, content["example"])

    def _members(self, schema: Json) -> Iterator[str]:
        schema = self._resolved(schema)
        needed = schema.get("required", [])
        if members := schema.get("properties"):
            rows = [(n, self._type(s), n in needed, s.get("description", "")) for n, s in members.items()]
            yield from _table(rows)

    def _resolved(self, schema: Json) -> Json:
        name = schema.get("$ref", "").removeprefix("#/components/schemas/")
        return self.document["components"]["schemas"][name] if name else schema

    def _type(self, schema: Json) -> str:
        """Return a word or two. The OpenAPI document has the full schema."""
        schema = self._resolved(schema)
        if choices := schema.get("anyOf") or schema.get("oneOf"):
            return " or ".join(dict.fromkeys(self._type(each) for each in choices))
        if "enum" in schema or "const" in schema:
            return ", ".join(f"`{json.dumps(each)}`" for each in schema.get("enum", [schema.get("const")]))
        kind: Any = schema.get("type", "any JSON")
        if isinstance(kind, list):
            return " or ".join(map(str, kind))
        if kind == "array" and "items" in schema:
            return f"array of {self._type(schema['items'])}"
        return kind


def _place(tag: str) -> str:
    return f"api/{re.sub(r'[^a-z]+', '-', tag.lower())}.md"


def _listed(words: list[str]) -> str:
    return " or ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} or {words[-1]}"


def _parameters(parameters: list[Json]) -> Iterator[str]:
    if parameters:
        yield "**Parameters:**\n"
        rows = [(p["name"], f"in the {p['in']}", p.get("required", False), _meaning(p)) for p in parameters]
        yield from _table(rows)


def _meaning(parameter: Json) -> str:
    choices = parameter["schema"].get("enum", ())
    return " ".join((parameter.get("description", ""), *(f"`{each}`" for each in choices)))


def _table(rows: list[tuple[str, str, bool, str]]) -> Iterator[str]:
    yield "| | | |"
    yield "|---|---|---|"
    for name, kind, needed, meaning in rows:
        cell = re.sub(r"\s+", " ", meaning).replace("|", "&#124;")
        yield f"| `{name}` | {kind}{', required' if needed else ''} | {cell} |"
    yield ""


def _responses(responses: Json) -> Iterator[str]:
    problems = list[str]()
    for status, response in responses.items():
        for kind, content in response.get("content", {}).items():
            if kind == "application/problem+json":
                problems += [f"| {status} | `{code}` | {p['summary']} |" for code, p in content["examples"].items()]
            else:
                yield f"**Response {status}**, `{kind}`:\n"
                yield from _example(kind, content["example"])
        if not response.get("content"):
            yield f"**Response {status}:** {response['description']}\n"
    if problems:
        yield "**Errors:**\n"
        yield "| status | [code](../errors.md) | |"
        yield "|---|---|---|"
        yield from problems
        yield ""


def _example(kind: str, example: Any) -> Iterator[str]:
    language = LANGUAGES.get(kind, "json" if kind.endswith("json") else "text")
    shown = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
    yield f"````{language}\n{shown.strip()}\n````\n"


_reference: list[Reference] = []  # Set by `on_config` for `on_files` in the same build.


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    reference = Reference(document())
    _reference[:] = [reference]
    sections: Any = config.nav
    for entry in (entry for section in sections for entries in section.values() for entry in entries):
        if isinstance(entry, dict) and HEADING in entry:
            entry[HEADING] = reference.navigation()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for place, text in _reference[0].pages.items():
        files.append(File.generated(config, place, content=text))
    return files
