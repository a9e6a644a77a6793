"""Turn Mermaid diagrams into tables of their arrows.

GitHub draws them. On the site, the theme would load a large script from another host to do so; a table of the arrows
has the same information. Only flow charts and state diagrams are supported. Anything else fails the build.
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
            raise NotUnderstood(f"a diagram has a line that docs_site/diagrams.py can't parse: {line}")
    rows = (
        f"| {_cell(names, start, '(start)')} | {html.escape(what)} → | {_cell(names, end, '(end)')} |"
        for start, what, end in arrows
    )
    return "\n".join(("| from | | to |", "|---|---|---|", *rows))


def _cell(names: dict[str, str], node: str, nothing: str) -> str:
    return nothing if node == "[*]" else f"**{html.escape(names.get(node, node))}**"
