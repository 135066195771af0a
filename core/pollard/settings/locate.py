"""On which line each key of a TOML text stands, which TOML readers do not tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tree_sitter import Parser

from pollard.syntax.grammars.languages import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.settings.problems import KeyPath

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def key_lines(text: bytes) -> dict[KeyPath, int]:
    """Return the line, from 1, of the first mention of each key and table of a valid TOML text."""
    lines: dict[KeyPath, int] = {}
    root = Parser(find("toml").load()).parse(text).root_node
    for path, node in _keys(root, ()):
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], node.start_point.row + 1)
    return lines


def _keys(node: Node, path: KeyPath) -> Iterator[tuple[KeyPath, Node]]:
    """Yield each key below `node`, itself in the table `path`."""
    for child in node.named_children:
        if child.type in {"pair", "table", "table_array_element"}:
            key, *rest = child.named_children
            inner = (*path, *_names(key))
            yield inner, key
            for value in rest if child.type == "pair" else [child]:
                yield from _keys(value, inner)
        elif child.type == "inline_table":
            yield from _keys(child, path)


def _names(key: Node) -> KeyPath:
    if key.type == "dotted_key":
        return tuple(name for part in key.named_children for name in _names(part))
    text = (key.text or b"").decode("utf-8", "replace")
    if key.type != "quoted_key":
        return (text,)
    return (text[1:-1] if text.startswith("'") else _ESCAPE.sub(_unescaped, text[1:-1]),)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _ESCAPES.get(match[3], match[3])
