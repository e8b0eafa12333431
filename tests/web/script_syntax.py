"""The syntax of the pages' scripts, for tests of what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

STATIC = Path(__file__).parents[2] / "web" / "static"
SCRIPTS = [path for path in sorted(STATIC.rglob("*.js")) if path.parent.name != "vendor" and path.name != "say.js"]
SAYING = {"say": 1, "sayParts": 1, "sayCount": 2}
"""How many templates each function takes."""
JAVASCRIPT = Parser(Language(tree_sitter_javascript.language()))


def nodes(script: Path) -> Iterator[Node]:
    """Yield every node of a script's syntax."""
    return below(JAVASCRIPT.parse(script.read_bytes()).root_node)


def below(root: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def source(node: Node | None) -> str:
    """Return a node as it is written, '' for none."""
    return (node.text or b"").decode() if node else ""


def called(node: Node) -> str:
    """Return the name of the function that a call is of, '' for any other node."""
    return source(node.child_by_field_name("function")) if node.type == "call_expression" else ""
