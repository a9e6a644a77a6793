"""The API reference, rendered from the OpenAPI document: operations by tag, then the schemas."""

import json
import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from signoff.pages.html import frame, paragraphs, rich

Node = dict[str, Any]

CREDENTIALS = {
    "apiKey": "x-api-key: sgn_…",
    "session": "cookie: signoff_session=sgs_…",
    "externalReviewer": "x-review-token: ext_…",
}
CREDENTIAL_NAMES = {"apiKey": "API key", "session": "session cookie", "externalReviewer": "external review token"}


class Operation(NamedTuple):
    tag: str
    method: str
    path: str
    node: Node
    base: str
    """Path of the base URL; empty for events, which go to the reader's own webhook URL."""

    @property
    def is_event(self) -> bool:
        return not self.path.startswith("/")


def reference_page(document: Node, *, root: str) -> str:
    """Return the page. `root`: the relative path from its folder to the one that has `assets`."""
    operations = _operations(document)
    words = {tag["name"]: tag["description"] for tag in document["tags"]}
    order = [name for name in words if any(operation.tag == name for operation in operations)]
    operations.sort(key=lambda operation: order.index(operation.tag))
    by_tag = [(tag, list(group)) for tag, group in groupby(operations, key=lambda operation: operation.tag)]
    schemas: dict[str, Node] = document["components"]["schemas"]
    body = f"""
<a class="skip" href="#main">Skip to content</a>
<nav aria-label="Contents">{_contents(by_tag)}</nav>
<main id="main">
{_introduction(document)}
{"".join(_section(tag, words[tag], group, schemas) for tag, group in by_tag)}
<section id="schemas"><h2>Schemas</h2>
<div class="schemas">{"".join(_schema(name, schema) for name, schema in schemas.items())}</div>
</section>
</main>
"""
    title = f"{document['info']['title']} API reference"
    return frame(title, body, root=root, style="reference.css")


def _operations(document: Node) -> list[Operation]:
    base = urlsplit(str(document["servers"][0]["url"])).path
    return [
        Operation(node["tags"][0], method, path, node, base)
        for path, item in {**document["paths"], **document["webhooks"]}.items()
        for method, node in item.items()
    ]


def _contents(by_tag: list[tuple[str, list[Operation]]]) -> str:
    parts = ['<p class="name"><a href="#main">Signoff API</a></p>']
    for tag, operations in by_tag:
        links = "".join(
            f'<li><a href="#{each.node["operationId"]}">{escape(each.node["summary"])}</a></li>' for each in operations
        )
        parts.append(f'<p><a href="#{_anchor(tag)}">{escape(tag)}</a></p><ul>{links}</ul>')
    parts.append('<p><a href="#schemas">Schemas</a></p>')
    return "".join(parts)


def _introduction(document: Node) -> str:
    info = document["info"]
    return f"""
<header>
<h1>{escape(info["title"])} API <span>{escape(info["version"])}</span></h1>
<p class="lead">{escape(info["summary"])}</p>
{paragraphs(info["description"])}
<p>Base URL: <code>{escape(document["servers"][0]["url"])}</code> ·
<a href="openapi.json">OpenAPI spec</a></p>
</header>
"""


def _section(tag: str, words: str, operations: list[Operation], schemas: dict[str, Node]) -> str:
    return f"""
<section id="{_anchor(tag)}"><h2>{escape(tag)}</h2><p>{rich(words)}</p>
{"".join(_operation(each, schemas) for each in operations)}
</section>
"""


def _operation(operation: Operation, schemas: dict[str, Node]) -> str:
    node = operation.node
    return f"""
<article id="{node["operationId"]}">
<h3><a href="#{node["operationId"]}">{escape(node["summary"])}</a></h3>
<p class="call"><b class="{operation.method}">{operation.method.upper()}</b>
<code>{_allow_breaks(operation.path)}</code></p>
<div class="words">
{paragraphs(node["description"])}
{_credentials(node)}{_parameters(node)}{_request(node, schemas)}{_responses(node)}{_errors(node)}
</div>
<div class="examples">{_examples(operation)}</div>
</article>
"""


def _credentials(node: Node) -> str:
    ways = [CREDENTIAL_NAMES[way] for requirement in node["security"] for way in requirement]
    return f'<p class="quiet">Authentication: {escape(" or ".join(ways))}</p>' if ways else ""


def _parameters(node: Node) -> str:
    rows = [
        (parameter["name"], parameter.get("required", False), parameter["schema"], parameter)
        for parameter in node.get("parameters", ())
    ]
    if not rows:
        return ""
    table = "".join(
        _row(f"{escape(name)} <small>{parameter['in']}</small>", required, schema, parameter["description"])
        for name, required, schema, parameter in rows
    )
    return f"<h4>Parameters</h4>{_table(table)}"


def _request(node: Node, schemas: dict[str, Node]) -> str:
    if "requestBody" not in node:
        return ""
    schema = _media(node["requestBody"])["schema"]
    members = _members(schemas[_name(schema)] if "$ref" in schema else schema)
    return f"<h4>Request body: {_type(schema)}</h4>{_table(''.join(members))}"


def _media(holder: Node) -> Node:
    """Render a body; empty if there is none."""
    contents: list[Node] = list(holder.get("content", {}).values())
    return contents[0] if contents else {}


def _responses(node: Node) -> str:
    parts: list[str] = []
    for status, answer in node["responses"].items():
        if status.startswith("2"):
            media = _media(answer)
            words = _type(media["schema"]) if media else rich(answer["description"])
            parts.append(f"<h4>Response {status}: {words}</h4>")
    return "".join(parts)


def _errors(node: Node) -> str:
    failures = {status: answer for status, answer in node["responses"].items() if not status.startswith("2")}
    if not failures:
        return ""
    rows: list[str] = []
    for status, answer in failures.items():
        examples: dict[str, Node] = _media(answer).get("examples", {})
        for code, example in examples.items():
            detail = escape(example["value"]["detail"])
            rows.append(f'<tr><th scope="row">{status}</th><td><code>{escape(code)}</code></td><td>{detail}</td></tr>')
        if not examples:
            rows.append(f'<tr><th scope="row">{status}</th><td></td><td>{rich(answer["description"])}</td></tr>')
    statuses = " ".join(failures)
    table = _table("".join(rows))
    return f'<details><summary>Errors <span class="quiet">{statuses}</span></summary>{table}</details>'


def _examples(operation: Operation) -> str:
    node = operation.node
    request = f"{_request_line(operation)}\n{_request_headers(operation)}"
    if "requestBody" in node:
        [(media_type, media)] = node["requestBody"]["content"].items()
        request += f"content-type: {media_type}\n\n{_json(media['example'])}"
    blocks = [_block("Request", request)]
    for status, answer in node["responses"].items():
        if status.startswith("2") and not operation.is_event:
            media = _media(answer)
            shown = _json(media["example"]) if media else "(empty body)"
            blocks.append(_block(f"Response {status}", shown))
    return "".join(blocks)


def _request_line(operation: Operation) -> str:
    if operation.is_event:
        return "POST (your webhook URL)"
    values = {parameter["name"]: parameter.get("example", "") for parameter in operation.node.get("parameters", ())}
    path = re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), operation.path)
    return escape(f"{operation.method.upper()} {operation.base}{path}")


def _request_headers(operation: Operation) -> str:
    ways = [way for requirement in operation.node["security"][:1] for way in requirement]
    lines = [CREDENTIALS[way] for way in ways]
    if operation.is_event:
        lines += [f"{each['name']}: {each['example']}" for each in operation.node["parameters"]]
    return "".join(f"{escape(line)}\n" for line in lines)


def _block(label: str, content: str) -> str:
    """Render a block that scrolls separately and can be focused and scrolled by keyboard."""
    return f'<figure><figcaption>{label}</figcaption><pre tabindex="0">{content.rstrip()}</pre></figure>'


def _json(value: Any) -> str:
    text = escape(json.dumps(value, indent=2, ensure_ascii=False), quote=False)
    return re.sub(r'^( *)("[^"\n]+")(?=:)', r"\1<b>\2</b>", text, flags=re.MULTILINE)


def _schema(name: str, schema: Node) -> str:
    words = paragraphs(schema.get("description", ""))
    rows = "".join(_members(schema))
    shown = _table(rows) if rows else f"<p>{_type({**schema, 'description': ''})}</p>"
    return f'<article id="schema-{name}"><h3><a href="#schema-{name}">{name}</a></h3>{words}{shown}</article>'


def _members(schema: Node, prefix: str = "") -> Iterator[str]:
    """Render a row for each member, followed by the members of unnamed objects."""
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items():
        description = member.get("description", "")
        if "default" in member and member["default"] not in (None, "", [], {}):
            description += f" Default: `{json.dumps(member['default'], ensure_ascii=False)}`."
        yield _row(_allow_breaks(prefix + name), name in required, member, description)
        inner = member.get("items", member)
        if "properties" in inner:
            yield from _members(inner, f"{prefix}{name}{'[]' if inner is not member else ''}.")


def _row(name: str, required: bool, schema: Node, description: str) -> str:
    mark = ' <span class="required">required</span>' if required else ""
    head = f'<th scope="row"><code>{name}</code>{mark}</th>'
    return f"<tr>{head}<td>{_type(schema)}</td><td>{rich(description.strip())}</td></tr>"


def _table(rows: str) -> str:
    return f"<table>{rows}</table>"


def _type(schema: Node) -> str:
    if "$ref" in schema:
        name = _name(schema)
        return f'<a href="#schema-{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each) for each in schema[several])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    declared: str | list[str] = schema.get("type", "any")
    kinds = [declared] if isinstance(declared, str) else declared
    return " or ".join(_kind(kind, schema) for kind in kinds)


def _name(schema: Node) -> str:
    """Return the name of the referenced schema."""
    return schema["$ref"].rpartition("/")[2]


def _kind(kind: str, schema: Node) -> str:
    if kind == "array":
        return f"array of {_type(schema.get('items', {}))}{_bounds(schema, 'minItems', 'maxItems', 'item')}"
    if kind == "string":
        return escape(schema.get("format", kind)) + _bounds(schema, "minLength", "maxLength", "character")
    if kind in {"integer", "number"}:
        return kind + _bounds(schema, "minimum", "maximum", "")
    return kind


def _bounds(schema: Node, low: str, high: str, unit: str) -> str:
    least, most = schema.get(low), schema.get(high)
    if most is not None:
        between = f"{least:g} to {most:,}" if least else f"up to {most:,}"
        return f" <small>{between}{_unit_text(unit, most)}</small>"
    if least is not None:
        return f" <small>at least {least:g}{_unit_text(unit, least)}</small>"
    return ""


def _unit_text(unit: str, number: float) -> str:
    if not unit:
        return ""
    return f" {unit}" if number == 1 else f" {unit}s"


def _allow_breaks(path: str) -> str:
    """Allow line breaks after a slash or a dot."""
    return re.sub(r"([/.])", r"\1<wbr>", escape(path))


def _anchor(tag: str) -> str:
    return "tag-" + tag.lower().replace(" ", "-")
