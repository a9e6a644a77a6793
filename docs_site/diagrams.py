"""Mermaid diagrams as tables of their arrows.

The repository's viewers draw them. On the site that would take a large script, which the theme fetches from another
host; and a table of what leads where says the same. Only what our pages use is understood: flow charts and
states with arrows. Anything else fails the build.
"""

import html
import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

BLOCK = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NODE = r'(\w+|\[\*\])(?:(?:\(\[|\[\(|\[|\()"?([^\])"]+)"?(?:\]\)|\)\]|\]|\)))?'
ARROW = re.compile(rf'{NODE} (?:-->|(?:--|-\.) "?([^"]+?)"? (?:-->|\.->)) {NODE}(?:: (.+))?')
FRAME = re.compile(r"(flowchart \w+|stateDiagram-v2|subgraph .*|end)")


class NotUnderstood(PluginError):
    pass


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return BLOCK.sub(lambda block: table(block[1]), markdown)


def table(diagram: str) -> str:
    names, arrows = dict[str, str](), list[tuple[str, str, str]]()
    for line in filter(None, map(str.strip, diagram.splitlines())):
        if arrow := ARROW.fullmatch(line):
            start, start_name, middle, end, end_name, behind = arrow.groups()
            names |= {node: name for node, name in ((start, start_name), (end, end_name)) if name}
            arrows.append((start, middle or behind or "", end))
        elif not FRAME.fullmatch(line):
            raise NotUnderstood(f"a diagram has a line that docs_site/diagrams.py does not understand: {line}")
    rows = (
        f"| {_cell(names, start, '(begins)')} | {html.escape(what)} → | {_cell(names, end, '(ends)')} |"
        for start, what, end in arrows
    )
    return "\n".join(("| from | | to |", "|---|---|---|", *rows))


def _cell(names: dict[str, str], node: str, nothing: str) -> str:
    return nothing if node == "[*]" else f"**{html.escape(names.get(node, node))}**"
